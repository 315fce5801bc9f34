"""A player of any game: it picks by lot among what is offered, and knows nothing else."""

from __future__ import annotations

import random
from collections.abc import Sequence

from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.rules import Act, Choice, Note, View

OUT_OF_TURN = 1 / 8
"""How often it takes an offer made to it in somebody else's turn."""


class AnyGame:
    """Every offered choice is as likely as any other, and so is each of its picks.

    There is one weighting. In its own turn, and while it is nobody's, it always acts, so no game
    waits for it. An offer in another's turn (a late call, a look) may be let go by, and one taken
    each time would end many a round at once: it takes one in eight, and so every round in the end.
    """

    def __init__(self, lots: random.Random) -> None:
        self._lots = lots
        self._offer: tuple[Choice, ...] = ()
        self._answer: Act | None = None

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Forgets its answer as soon as the offer is another."""
        if view.choices != self._offer:
            self._offer = view.choices
            self._answer = self._picked(view)

    def choose(self, view: View) -> Act | None:
        """What it picked when it saw the offer."""
        return self._answer

    def _picked(self, view: View) -> Act | None:
        if not view.choices or (self._let_by(view) and self._lots.random() >= OUT_OF_TURN):
            return None
        choice = self._lots.choice(view.choices)
        return Act(choice.name, self._lots.choice(choice.picks))

    @staticmethod
    def _let_by(view: View) -> bool:
        return view.turn is not None and view.turn != view.seat
