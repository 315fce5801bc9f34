"""The trump swap, and partners who see each other's hands at the end."""

from __future__ import annotations

import pytest

from tests.game.briscola_tables import Deal, laid


def swapping(own: str, turned: str) -> Deal:
    return laid(f"{own} AC 3C", "2C JD JS", turned=turned, trump_swap=True)


@pytest.mark.parametrize("rank", "A3KQJ")
def test_the_trump_seven_goes_for_a_high_turned_card(rank: str) -> None:
    deal = swapping("7H", f"{rank}H").do(0, "swap_trump", "7H")
    turned = deal.zone("trump card")
    assert turned is not None
    assert turned.faces == ("7H",)
    assert f"{rank}H" in deal.cards_in_hand(0)
    assert deal.turn == 0


@pytest.mark.parametrize("rank", "7654")
def test_the_trump_two_goes_for_a_low_turned_card(rank: str) -> None:
    deal = swapping("2H", f"{rank}H")
    assert deal.choices(0)["swap_trump"] == (("2H",),)
    assert f"{rank}H" in deal.do(0, "swap_trump", "2H").cards_in_hand(0)


@pytest.mark.parametrize(
    ("own", "turned"), [("7H", "6H"), ("7H", "2H"), ("2H", "AH"), ("7S", "AH"), ("KH", "AH")]
)
def test_no_other_card_goes_for_the_turned_one(own: str, turned: str) -> None:
    deal = swapping(own, turned)
    assert "swap_trump" not in deal.choices(0)
    reason = "A turned A, 3, K, Q or J goes for the trump 7, a lower one for the trump 2."
    assert deal.refused(0, "swap_trump", own).key == reason


def test_the_two_goes_for_the_seven_that_somebody_swapped_in() -> None:
    deal = laid("7H AC 3C", "2H JD JS", turned="KH", trump_swap=True)
    deal.do(0, "swap_trump", "7H").play("0 3C").do(1, "swap_trump", "2H")
    assert "7H" in deal.cards_in_hand(1)


def test_the_swap_comes_before_the_own_card_and_in_the_own_turn() -> None:
    deal = laid("7H AC 3C", "2C JD JS", turned="KH", trump_swap=True).play("0 3C")
    assert deal.refused(0, "swap_trump", "7H").key == "It is not your turn."


def test_the_swap_does_not_start_the_clock_anew() -> None:
    deal = swapping("7H", "KH").wait(40).do(0, "swap_trump", "7H").wait(3.9)
    assert deal.lines == []
    deal.wait(0.1)
    assert deal.lines == [{"kind": "timeout", "seat": 0}]


def at_the_last_draw(**options: bool) -> Deal:
    """Seat 0 keeps the trump seven until one hidden card and the turned one are left."""
    deal = laid("7H AC 4D", "2C JD JS", turned="KH", **options)
    while (stock := deal.zone("stock")) is not None and stock.count > 1:
        seat = deal.turn
        assert seat is not None
        cards = [card for (card,) in deal.choices(seat)["play"] if card != "7H"]
        deal.do(seat, "play", cards[0])
    return deal


def test_the_swap_can_be_done_up_to_the_last_draw() -> None:
    deal = at_the_last_draw(trump_swap=True)
    if deal.turn == 1:
        deal.do(1, "play", deal.choices(1)["play"][0][0])
    deal.do(0, "swap_trump", "7H")
    assert "KH" in deal.cards_in_hand(0)


def test_the_swap_is_over_when_the_turned_card_is_drawn() -> None:
    deal = at_the_last_draw(trump_swap=True)
    while deal.zone("stock") is not None or deal.turn != 0:
        seat = deal.turn
        assert seat is not None
        cards = [card for (card,) in deal.choices(seat)["play"] if card != "7H"]
        deal.do(seat, "play", cards[0])
    assert "7H" in deal.cards_in_hand(0)
    assert deal.refused(0, "swap_trump", "7H").key == "The turned card is gone."


def with_the_stock_gone(seats: int, **options: bool) -> Deal:
    hands = ["AC 3C KC", "AD 3D KD", "AS 3S KS", "AH 3H KH", "QC QD QS", "JC JD JS"][:seats]
    deal = laid(*hands, turned="QH", **options)
    while deal.zone("stock") is not None:
        seat = deal.turn
        assert seat is not None
        deal.do(seat, "play", deal.choices(seat)["play"][0][0])
    return deal


@pytest.mark.parametrize("seats", [4, 6])
def test_partners_see_each_others_hands_once_the_stock_is_gone(seats: int) -> None:
    deal = with_the_stock_gone(seats)
    for seat in deal.seats:
        for other in deal.seats:
            seen = deal.hand(other, seen_by=seat)
            assert seen == (deal.hand(other) if (seat - other) % 2 == 0 else "-- -- --")
        watched = deal.zone("hand", seat, None)
        assert watched is not None
        assert set(watched.faces) == {None}


@pytest.mark.parametrize("seats", [4, 6])
def test_partners_see_nothing_where_the_look_is_off(seats: int) -> None:
    deal = with_the_stock_gone(seats, partners_see_hands=False)
    assert deal.hand(2, seen_by=0) == "-- -- --"


def test_partners_see_nothing_while_there_is_a_stock() -> None:
    deal = laid("AC 3C KC", "AD 3D KD", "AS 3S KS", "AH 3H KH", turned="QH")
    assert deal.hand(2, seen_by=0) == "-- -- --"


@pytest.mark.parametrize("seats", [2, 3])
def test_nobody_sees_anothers_hand_where_there_are_no_partners(seats: int) -> None:
    deal = with_the_stock_gone(seats)
    assert deal.hand(1, seen_by=0) == "-- -- --"
