"""How long a table stays open."""

from __future__ import annotations

from crisp_lan.game.rules import Text
from crisp_lan.game.state import Table
from crisp_lan.net.clocks import SECOND, Micros

LAST_WORDS: Micros = 3 * SECOND
EMPTY_LOBBY: Micros = 120 * SECOND
EMPTY_GAME: Micros = 900 * SECOND


class Lifetime:
    """What has come to its end at a table, and since when."""

    def __init__(self, now: Micros) -> None:
        self._alone_since = now
        self._done_since: Micros | None = None

    def end(self, table: Table, alone: bool, now: Micros) -> Text | None:
        """Why the table ends now, if it does. `alone`: nobody but its own bots is there."""
        if not alone:
            self._alone_since = now
        if table.done and self._done_since is None:
            self._done_since = now
        if table.over:
            return Text("The host has ended the table.")
        if self._done_since is not None and now >= self._done_since + LAST_WORDS:
            return Text("The game is over, and so is this table. Thanks for playing!")
        if now - self._alone_since >= (EMPTY_LOBBY if table.phase == "lobby" else EMPTY_GAME):
            return Text("Nobody is here any more.")
        return None
