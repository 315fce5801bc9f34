"""The journal as a table writes it: handed to the system at once, and on the disk soon after."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import trio

from crisp_lan.game.rules import Line
from crisp_lan.journal import Journal

SOON: Final = 0.5
"""Seconds that a line may wait to be synced: with the disk's own time, a power cut takes no more
than the last second."""
_AT_ONCE = ("score", "end")


class SyncedJournal:
    """A journal that one task, `run`, keeps synced: soon after a line, at once at a round's end."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._written, self._hurry = trio.Event(), trio.Event()

    def write(self, lines: Sequence[Line]) -> None:
        """As `Journal.write`."""
        self._journal.write(lines)
        self._written.set()
        if any(line["kind"] in _AT_ONCE for line in lines):
            self._hurry.set()

    async def run(self) -> None:
        """Syncs in a thread whenever something was written. Raises OSError of the disk."""
        while True:
            await self._written.wait()
            with trio.move_on_after(SOON):
                await self._hurry.wait()
            self._written, self._hurry = trio.Event(), trio.Event()
            await trio.to_thread.run_sync(self._journal.sync)
