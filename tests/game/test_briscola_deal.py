"""The cards, the deal, the draws and the order of play."""

from __future__ import annotations

import random

import pytest

from crisp_lan.game.briscola import BRISCOLA
from crisp_lan.game.cards import shuffled
from tests.game.briscola_tables import Deal, dealt, in_order, laid


@pytest.mark.parametrize(("seats", "cards"), [(2, 40), (3, 39), (4, 40), (5, 40), (6, 36)])
def test_the_deck_fits_the_number_of_players(seats: int, cards: int) -> None:
    deck = BRISCOLA.cards(seats)
    assert len(set(deck)) == len(deck) == cards
    assert not {card for card in deck if card[0] in "89T"}
    assert ("2C" in deck) == (seats not in (3, 6))
    assert ("2H" in deck) == (seats != 6)


@pytest.mark.parametrize("seats", BRISCOLA.seats)
def test_cards_are_dealt_one_at_a_time_from_the_dealers_right(seats: int) -> None:
    deal, deck = dealt(seats), BRISCOLA.cards(seats)
    each = 8 if seats == 5 else 3
    for at, seat in enumerate(in_order(0, seats)):
        assert deal.cards_in_hand(seat) == set(deck[at : each * seats : seats])


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_next_card_is_turned_up_and_makes_the_trump(seats: int) -> None:
    deal, turned = dealt(seats), BRISCOLA.cards(seats)[3 * seats]
    shown, stock = deal.zone("trump card"), deal.zone("stock")
    assert shown is not None
    assert stock is not None
    assert shown.faces == (turned,)
    assert stock.count == len(BRISCOLA.cards(seats)) - 3 * seats - 1
    assert deal.facts() == {"Trump: {suit}": turned[1]}


def test_the_dealers_right_leads_and_play_goes_counter_clockwise() -> None:
    deal = dealt(4)
    turns = []
    for _ in range(4):
        seat = deal.turn
        assert seat is not None
        turns.append(seat)
        deal.do(seat, "play", deal.choices(seat)["play"][0][0])
    assert turns == [0, 3, 2, 1]


def test_the_next_dealer_sits_to_the_right() -> None:
    seats = range(4)
    assert [BRISCOLA.next_dealer(seats, last, {}) for last in (2, 1, 0)] == [1, 0, 3]


def test_no_suit_has_to_be_followed() -> None:
    deal = laid("AC 3C KC", "2C 2D 2S", turned="7H")
    deal.play("0 AC")
    assert [card for (card,) in deal.choices(1)["play"]] == ["2C", "2D", "2S"]


def test_the_winner_draws_first_then_the_others_in_order_and_leads() -> None:
    deal = laid("4C 5D 6D", "2C 2D 2S", "AC 4S 5S", turned="7H", stock="KD QD JD")
    deal.play("0 4C  2 AC  1 2C")
    assert deal.turn == 2
    assert "KD" in deal.cards_in_hand(2)
    assert "QD" in deal.cards_in_hand(1)
    assert "JD" in deal.cards_in_hand(0)


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_the_last_in_the_last_draw_gets_the_turned_card(seats: int) -> None:
    for seed in range(4):
        deck = shuffled(BRISCOLA.cards(seats), random.Random(seed))
        deal, turned = Deal(deck, seats, {}), deck[3 * seats]
        while (stock := deal.zone("stock")) is not None:
            assert stock.count % seats == seats - 1
            one_trick(deal)
        (note,) = deal.told("{seat} draws the turned {card}.")
        last = deal.turn
        assert last is not None
        assert note.values == {"seat": (last + 1) % seats, "card": turned}
        assert turned in deal.cards_in_hand((last + 1) % seats)
        assert deal.zone("trump card") is None
        assert all(len(deal.cards_in_hand(seat)) == 3 for seat in deal.seats)


def one_trick(deal: Deal) -> None:
    for _ in deal.seats:
        seat = deal.turn
        assert seat is not None
        deal.do(seat, "play", deal.choices(seat)["play"][-1][0])


def test_the_last_trick_stays_in_sight_with_who_played_what() -> None:
    deal = laid("4C 5D 6D", "2C 2D 2S", "AC 4S 5S", turned="7H").play("0 4C  2 AC  1 2C")
    last, trick = deal.zone("last trick"), deal.zone("trick")
    assert last is not None
    assert trick is not None
    assert (last.faces, last.seats) == (("4C", "AC", "2C"), (0, 2, 1))
    assert (trick.faces, trick.seats) == ((), ())


def test_the_own_hand_is_sorted_with_trumps_last_and_others_are_backs() -> None:
    deal = laid("2H 3S 4C", "5C 6C AH", turned="7H", stock="AC KC")
    assert deal.hand(0) == "4C 3S 2H"
    assert deal.hand(0, seen_by=1) == "-- -- --"
    assert deal.hand(1, seen_by=0) == "-- -- --"
    watched = deal.zone("hand", 1, None)
    assert watched is not None
    assert watched.faces == (None, None, None)


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        ((1, "play", "2C"), "It is not your turn."),
        ((0, "play", "2C"), "You do not hold that card."),
        ((0, "play"), "You do not hold that card."),
        ((0, "bid", "A", "61"), "There is nothing to bid for now."),
        ((0, "pass"), "There is nothing to bid for now."),
        ((0, "call", "C"), "The trump is known already."),
        ((0, "swap_trump", "7H"), "Swapping for the turned card is off at this table."),
        ((0, "sing"), "That is not on offer now."),
        ((7, "play", "AC"), "You are not in this round."),
    ],
)
def test_what_cannot_be_done_is_refused_with_the_reason(act: tuple[int, str], reason: str) -> None:
    deal = laid("AC 3C 7H", "2C 2D 2S", turned="4H")
    assert deal.refused(*act).key == reason


def test_nothing_can_be_played_when_the_deal_is_over_or_nobody_plays_the_seat() -> None:
    deal = dealt(2).is_played(0, "nobody")
    assert deal.refused(0, "pass").key == "Nobody plays this seat now."
    assert deal.choices(0) == {}
    deal.is_played(0, "person").play_out()
    assert deal.refused(0, "pass").key == "The round is over."
