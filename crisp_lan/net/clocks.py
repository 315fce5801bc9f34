"""The host's clock, and match time: from 0 in each match, standing still with the table."""

from __future__ import annotations

from typing import TypeAlias

import trio

from crisp_lan.game.rules import Millis
from crisp_lan.game.state import Table

Micros: TypeAlias = int
"""An instant on this machine's monotonic clock, in whole microseconds."""

SECOND: Micros = 1_000_000


def instant() -> Micros:
    """Now, for stamping what is heard."""
    return round(trio.current_time() * SECOND)


class MatchClock:
    """Match time: from 0 for each match, standing still in a pause and between matches."""

    def __init__(self, match: int = 0, stood: Millis = 0) -> None:
        """It stands, at `stood` in that match."""
        self._match = match
        self._zero: Micros | None = None
        self._stood = stood

    def at(self, when: Micros) -> Millis:
        """The match time of an instant, floored; never earlier than where the clock last stood."""
        if self._zero is None:
            return self._stood
        return max(self._stood, (when - self._zero) // 1000)

    def instant_of(self, millis: Millis) -> Micros | None:
        """When the running clock shows so much; None while it stands."""
        return None if self._zero is None else self._zero + millis * 1000

    def follow(self, table: Table, when: Micros) -> None:
        """Starts, stops or goes on, as the table needs it from `when` on."""
        if table.match != self._match:
            self._match, self._stood, self._zero = table.match, 0, None
        runs = table.phase != "lobby" and not table.paused
        if runs and self._zero is None:
            self._zero = when - self._stood * 1000
        elif not runs:
            self._stood, self._zero = self.at(when), None

    def give_back(self, lost: Micros, since: Micros) -> None:
        """Moves the clock by a time that nobody could use. What was heard before, and is judged
        only now, does not turn it back beyond what it showed at `since`."""
        if self._zero is not None:
            self._stood = self.at(since)
            self._zero += lost
