"""A table that waits until there is room again to write anything down."""

from __future__ import annotations

from crisp_lan.game import table as tables
from crisp_lan.game.rules import By, Millis
from crisp_lan.game.state import Table, TableStep
from crisp_lan.net.clocks import SECOND, Micros

AGAIN: Micros = SECOND
"""From one attempt to go on to the next."""


class Standstill:
    """Where a table was held, if it is, and who has come and gone since."""

    def __init__(self, now: Micros) -> None:
        self._held: Table | None = None
        self._tried = now
        self._came: dict[int, tuple[By, str]] = {}

    @property
    def lasts(self) -> bool:
        """Whether the table is held."""
        return self._held is not None

    def begin(self, table: Table) -> Table:
        """Holds a table here; returns it as it is meanwhile."""
        self._held = table
        return tables.held(table)

    def end(self) -> None:
        """Something was written down: the table is held no longer."""
        self._held, self._came = None, {}

    def come(self, chair: int, by: By, level: str) -> None:
        """Somebody else plays a chair, or nobody, as soon as that can be written down."""
        self._came[chair] = by, level

    def tries(self, now: Micros) -> bool:
        """Whether it is time to try to go on, and then that is done."""
        due = self.lasts and now - self._tried >= AGAIN
        if due:
            self._tried = now
        return due

    def step(self, now: Millis) -> TableStep:
        """What there is to write down of the time in which nothing could be."""
        assert self._held is not None
        return tables.held_up(self._held, now, self._came)
