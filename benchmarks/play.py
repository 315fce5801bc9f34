"""A player for all seats of a game of Crisp that takes the next act that is on offer to anybody."""

from __future__ import annotations

import random
from collections.abc import Sequence

from crisp_lan.game.rules import Act, Choice, Seat

_WISHES = (
    *("next", "look", "close", "ready", "skip", "crisp"),
    *("jack", "queen", "king", "swap", "discard", "take", "draw"),
)


def next_act(
    offers: Sequence[Sequence[Choice]], lots: random.Random, calls_one_in: int
) -> tuple[Seat, Act] | None:
    """Whose act comes next, and which; None if there is nothing to do but wait.

    With `calls_one_in` 1 the first player calls, and a round has no moment of waiting in it.
    """
    for seat, choices in enumerate(offers):
        offered = {choice.name: choice for choice in choices}
        for name in _WISHES:
            if name in offered and (name != "crisp" or lots.randrange(calls_one_in) == 0):
                return seat, Act(name, lots.choice(offered[name].picks))
    return None
