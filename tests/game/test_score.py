"""RULES.md §1, Score; and rounds counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crisp_lan.game.cards import french
from crisp_lan.game.crisp import CRISP
from tests.game.models import scored
from tests.game.tabletop import OPTIONS, Round, laid


def called_at_once(*hands: str) -> Round:
    """Seat 0 discards and calls; the others discard in their final turns."""
    held = {card for hand in hands for card in hand.split()}
    draws = [card for card in french() if card not in held and card[0] != "K"]
    round_ = laid(*hands, draws=" ".join(draws)).play("0 0 draw\n1 0 discard\n1 0 crisp")
    for seat in range(1, len(hands)):
        round_.play(f"{seat + 1} {seat} draw\n{seat + 1} {seat} discard")
    return round_


def delta(round_: Round) -> Mapping[int, int]:
    assert round_.outcome is not None
    return round_.outcome.delta


@pytest.mark.parametrize(
    ("hand", "total"),
    [("AS AH AD", 3), ("2S 3H 9D", 14), ("TS JH QD", 30), ("KS KH KD", 30), ("AS TH 9D", 20)],
)
def test_ace_is_one_and_ten_and_courts_are_ten(hand: str, total: int) -> None:
    assert delta(called_at_once("2C 3C 4C", hand))[1] == total


def test_a_caller_with_the_lowest_total_alone_gets_5_off() -> None:
    round_ = called_at_once("2C 3C 4C", "TS JH QD", "2S 3H 5C")
    assert delta(round_) == {0: 4, 1: 30, 2: 10}
    assert round_.outcome is not None
    assert (
        round_.outcome.why.key == "{seat} called crisp with the lowest total: {points} points off."
    )


def test_a_caller_tied_for_the_lowest_gets_5_more() -> None:
    round_ = called_at_once("2C 3C 4C", "TS JH QD", "2S 3H 4H")
    assert delta(round_) == {0: 14, 1: 30, 2: 9}


def test_a_caller_with_a_higher_total_gets_5_more_and_the_others_nothing_off() -> None:
    assert delta(called_at_once("2C 3C 4C", "AS AH AD")) == {0: 14, 1: 3}


def test_a_total_can_be_negative() -> None:
    assert delta(called_at_once("AC AD AH", "TS JH QD"))[0] == -2


def test_the_reveal_opens_all_hands_to_all() -> None:
    round_ = called_at_once("2C 3C 4C", "TS JH QD")
    assert round_.phase == "Reveal"
    assert round_.turn is None
    for seat in (0, 1, None):
        view = round_.view(seat)
        assert [z.faces for z in view.zones if z.name == "hand"] == [
            ("2C", "3C", "4C"),
            ("TS", "JH", "QD"),
        ]
        assert (view.choices, view.clocks) == ((), ())
        assert view.sheet == (("total", ((0, 9), (1, 30))), ("crisp", ((0, -5),)))
    assert CRISP.wake_at(round_.state) is None
    assert round_.refused("9 0 draw").key == "The round is over."
    assert round_.refused("9 0 crisp").key == "The round is over."


def test_the_record_of_a_score_has_hands_totals_and_the_caller() -> None:
    round_ = called_at_once("2C 3C 4C", "TS JH QD")
    assert round_.outcome is not None
    assert round_.outcome.record == {
        "hands": {"0": ["2C", "3C", "4C"], "1": ["TS", "JH", "QD"]},
        "totals": {"0": 9, "1": 30},
        "caller": 0,
    }


@given(st.permutations(french()), st.integers(2, 8))
def test_the_score_is_that_of_the_second_scorer(deck: list[str], count: int) -> None:
    hands = {seat: deck[3 * seat : 3 * seat + 3] for seat in range(count)}
    assert delta(called_at_once(*map(" ".join, hands.values()))) == scored(hands, caller=0)


# The match


def winners(scores: Mapping[int, int], limit: int = 100) -> tuple[int, ...] | None:
    return CRISP.verdict(scores, {**OPTIONS, "limit": limit})


def test_the_match_goes_on_while_all_are_under_the_limit() -> None:
    assert winners({0: 99, 1: -7}) is None


def test_the_lowest_total_wins_when_any_seat_reaches_the_limit() -> None:
    assert winners({0: 100, 1: 40, 2: 60}) == (1,)


def test_two_over_the_limit_in_one_round_change_nothing() -> None:
    assert winners({0: 104, 1: 100, 2: 99}) == (2,)


def test_all_tied_for_the_lowest_win_together() -> None:
    assert winners({0: 100, 1: 40, 2: 40}) == (1, 2)
    assert winners({0: 101, 1: 101}) == (0, 1)


@pytest.mark.parametrize("limit", [1, 50, 77, 150])
def test_the_limit_can_be_any_number_from_1_up(limit: int) -> None:
    assert CRISP.target({**OPTIONS, "limit": limit}, 2) == limit
    assert winners({0: limit - 1, 1: 0}, limit) is None
    assert winners({0: limit, 1: 0}, limit) == (1,)


def test_negative_totals_win_like_any_other() -> None:
    assert winners({0: 50, 1: -5, 2: -4}, 50) == (1,)
