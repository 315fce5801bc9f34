"""RULES.md §1, Deal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from crisp_lan.game.cards import french
from crisp_lan.game.crisp import CRISP
from tests.game.tabletop import OPTIONS, Round, laid


def dealt(seats: list[int], dealer: int) -> Round:
    return Round(french(), seats, dealer, {}, dict.fromkeys(seats, "person"))


def cards_of(round_: Round) -> dict[int, list[str]]:
    return {hand.seat: [spot.card for spot in hand.spots] for hand in round_.state.hands}


def test_cards_go_one_at_a_time_from_the_dealers_left_to_left_middle_right() -> None:
    assert cards_of(dealt([0, 1, 2], dealer=0)) == {
        1: ["AC", "4C", "7C"],
        2: ["2C", "5C", "8C"],
        0: ["3C", "6C", "9C"],
    }


def test_the_rest_is_the_draw_pile_and_the_discard_pile_is_empty() -> None:
    round_ = dealt([0, 1, 2], dealer=0)
    assert (round_.pile(), round_.discards(), round_.top()) == (52 - 9, 0, None)
    assert round_.state.pile[0] == "TC"


@given(st.integers(2, 8), st.data())
def test_every_deal_is_the_one_a_dealer_makes_by_hand(count: int, data: st.DataObject) -> None:
    seats = sorted(data.draw(st.sets(st.integers(0, 9), min_size=count, max_size=count)))
    dealer = data.draw(st.sampled_from(seats))
    by_hand: dict[int, list[str]] = {seat: [] for seat in seats}
    order = [s for s in seats if s > dealer] + [s for s in seats if s <= dealer]
    deck = list(french())
    for _ in range(3):
        for seat in order:
            by_hand[seat].append(deck.pop(0))
    round_ = dealt(seats, dealer)
    assert cards_of(round_) == by_hand
    assert list(round_.state.pile) == deck
    for seat in seats:
        round_.do(f"0 {seat} ready")
    assert round_.turn == order[0]


def test_the_seat_left_of_the_dealer_has_the_first_turn() -> None:
    round_ = laid("AS 5H KD", "2C 3C 4C", "7C 8C 9C")
    assert round_.tags("deals") == [2]
    assert round_.turn == 0


def test_nobody_sees_a_card_after_the_deal() -> None:
    round_ = dealt([0, 1, 2], dealer=0)
    assert [round_.seen(seat) for seat in (0, 1, 2, None)] == [set()] * 4


def test_the_next_dealer_is_the_next_seat_that_is_dealt_in() -> None:
    assert CRISP.next_dealer([0, 1, 2], 0, {}) == 1
    assert CRISP.next_dealer([0, 1, 2], 2, {}) == 0
    assert CRISP.next_dealer([0, 3, 5], 0, {}) == 3
    assert CRISP.next_dealer([0, 3], 5, {}) == 0
    assert CRISP.next_dealer([0, 5], 3, {}) == 5


def test_the_defaults_are_a_limit_of_100_and_45_s_and_no_taking() -> None:
    assert {option.name: option.default for option in CRISP.options} == OPTIONS
