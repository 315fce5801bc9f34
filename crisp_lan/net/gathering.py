"""Who is waited for when a table goes on from its journal, and for how long."""

from __future__ import annotations

from collections.abc import Iterable

from crisp_lan.game.state import Table
from crisp_lan.net.clocks import SECOND, Micros

PATIENCE: Micros = 10 * SECOND
"""After the first is back."""


class Gathering:
    """The chairs, by their ids, whose players were there and are `missing`.

    To the table they are there until it has waited long enough, so that nothing changes by their
    having had to come back.
    """

    def __init__(self, awaited: Iterable[int]) -> None:
        self.missing = set(awaited)
        self._until: Micros | None = None

    def back(self, chair: int, when: Micros) -> None:
        """The player of a chair is there."""
        self.missing.discard(chair)
        if self._until is None:
            self._until = when + PATIENCE

    def is_over(self, table: Table, now: Micros) -> bool:
        """Whether all are back, or time is up, or the host did not want to wait."""
        if self._until is None:
            return False
        goes_on = table.phase != "lobby" and table.paused == ""
        return goes_on or not self.missing or now >= self._until
