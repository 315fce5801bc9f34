"""Crisp against the second telling of it in models.py, through random rounds."""

from __future__ import annotations

import random

import pytest

from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import View
from tests.game.models import Shadow, scored
from tests.game.random_rounds import Moment, RandomRound

ROUNDS = 6


def followed(shadow: Shadow, moment: Moment) -> None:
    if moment.cause is not None and moment.cause.act is not None:
        shadow.see(moment.now, moment.cause.seat, moment.cause.act)
    for line in moment.step.lines:
        shadow.hear(moment.now, line)


def compared(shadow: Shadow, view: View) -> None:
    """Every face in the view is one that the seat has a right to, and none is missing."""
    assert [zone.faces for zone in view.zones] == shadow.faces(view.seat)
    assert [zone.count for zone in view.zones if zone.name.endswith("pile")] == [
        len(shadow.pile),
        len(shadow.discards),
    ]


@pytest.mark.parametrize("count", CRISP.seats)
def test_cards_looks_and_score_are_those_of_the_second_telling(count: int) -> None:
    for number in range(ROUNDS):
        round_ = RandomRound(CRISP, count, random.Random(f"shadow {count} {number}"))
        shadow = Shadow(round_.deck, round_.seats, round_.dealer)
        first_look = True
        for moment in round_.moments():
            state = moment.state
            followed(shadow, moment)
            if first_look and state.turn is not None:
                first_look = False
                shadow.first_look_is_over()
            outcome = CRISP.outcome(state)
            if outcome is not None:
                assert shadow.caller is not None
                assert outcome.delta == scored(shadow.hands, shadow.caller)
                assert outcome.record is not None
                assert outcome.record["hands"] == {
                    str(seat): hand for seat, hand in shadow.hands.items()
                }
                break
            assert list(state.pile) == shadow.pile
            assert list(state.discards) == shadow.discards
            for seat in (*round_.seats, None):
                compared(shadow, CRISP.view(state, seat))


@pytest.mark.parametrize("count", CRISP.seats)
def test_both_piles_together_hold_all_that_is_in_no_hand_and_a_turn_has_9_draws_at_most(
    count: int,
) -> None:
    for number in range(ROUNDS):
        round_ = RandomRound(CRISP, count, random.Random(f"piles {count} {number}"))
        draws, turn = 0, None
        for moment in round_.moments():
            state = moment.state
            held = state.turn is not None and state.turn.card is not None
            assert len(state.pile) + len(state.discards) + held == 52 - 3 * count
            if state.turn is None or (state.turn.place, state.turn.came) != turn:
                draws, turn = 0, state.turn and (state.turn.place, state.turn.came)
            if moment.cause and moment.cause.act and moment.cause.act.name in ("draw", "take"):
                draws += 1
            assert draws <= 9
