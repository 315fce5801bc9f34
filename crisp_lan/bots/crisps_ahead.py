"""Plays a deal of Crisps! on in imagined worlds, to see which play does best.

A world is a position that the present one may be: the other hand, and the deck in its order. In
each, what may be played now is tried, and the rest is played by parting hands (`crisps_hands`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crisp_lan.bots.crisps_hands import UNIT, Hand, Play, chosen, cost

_MIDDLING = 4
"""What an unknown card of the deck is taken for, among the ranks."""


@dataclass(frozen=True, slots=True)
class World:
    """The own hand, the other, what lies there to be beaten, the open card, and the deck under it.

    Cards of the deck are places among the ranks, the top one last. Where no card ever lies open,
    `up` is None. `runs`: Crisps may be in runs.
    """

    mine: Hand
    theirs: Hand
    onto: Play | None
    up: int | None
    deck: Sequence[int]
    runs: bool

    def wins(self, play: Play | None) -> float:
        """1 where making this play now, or passing (None), wins the deal; else 0."""
        hands, up, deck, onto = [self.mine, self.theirs], self.up, list(self.deck), self.onto
        turn = 0
        while True:
            if play is not None:
                hands[turn] -= play.cards
                if not hands[turn]:
                    return 1.0 - turn
                onto, turn = play, 1 - turn
            else:
                onto, turn = None, 1 - turn
                if deck:
                    one, other = deck.pop(), deck.pop() if up is None else up
                    if up is not None:
                        up = deck.pop() if deck else None
                        if self._prefers(hands[turn], other):
                            one, other = other, one
                    hands[turn] += UNIT[one]
                    hands[1 - turn] += UNIT[other]
            play = chosen(hands[turn], onto, self.runs)

    def _prefers(self, hand: Hand, up: int) -> bool:
        """Whether the open card goes better with a hand than a middling one."""
        return cost(hand + UNIT[up], self.runs) <= cost(hand + UNIT[_MIDDLING], self.runs)
