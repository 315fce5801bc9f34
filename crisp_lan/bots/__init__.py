"""Players that are programs. A bot gets the views and notes of its seat, and nothing else.

Everything that a bot knows it was shown: it stands behind the same wire as a person's screen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from crisp_lan.bots.anygame import AnyGame
from crisp_lan.bots.briscola import BriscolaBot
from crisp_lan.bots.crisp import CrispBot
from crisp_lan.bots.crisps_duel import CrispsDuelBot
from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.rules import Act, Millis, Note, View

ANYGAME = "anygame"
"""The level below them all: it knows no game and picks by lot. For the arena and for tests."""


class Bot(Protocol):
    """One computer player at one table."""

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Takes in what its seat is shown of round and match, each time anything is shown."""

    def choose(self, view: View) -> Act | None:
        """One of the acts offered in a view it has seen, or None to let them be.

        Asked again with the same view, it answers the same.
        """


_PLAYERS: Mapping[str, Callable[[str], Bot]] = {
    "crisp": CrispBot,
    "briscola": BriscolaBot,
    "crisps": CrispsDuelBot,
}


def player(game_key: str, level: str, lots: random.Random) -> Bot:
    """A bot for a game; one that knows no game where nobody has taught one this game."""
    taught = _PLAYERS.get(game_key)
    if taught is None or level == ANYGAME:
        return AnyGame(lots)
    return taught(level)


_LOOKING = (500, 2000)
_READING = (1500, 3500)
_DRAWING = (600, 2400)
_CALLING = (500, 2200)
_PLAYING = (1200, 4800)

_THINKING = {
    "look": _LOOKING,
    "skip": _LOOKING,
    "ready": _LOOKING,
    "close": _READING,
    "draw": _DRAWING,
    "take": _DRAWING,
    "crisp": _CALLING,
}


def pace(view: View, act: Act, lots: random.Random) -> Millis:
    """How long a bot at a table thinks before it acts, as a person would.

    It tells nothing: acts between which a hidden card decides share one range, so that neither the
    delay nor a delay still going on says which card was drawn or is held. It stays well within
    every clock that runs for the seat, a crisp window as well as a turn.
    """
    least, most = _THINKING.get(act.name, _PLAYING)
    running = [clock.total * 3 // 4 for clock in view.clocks if clock.seat == view.seat]
    return min([round(lots.triangular(least, most)), *running])
