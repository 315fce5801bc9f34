"""What a host opens when a round is over: the record, and how much of it each client was told."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from weakref import WeakKeyDictionary

from crisp_lan.game.rules import Line
from crisp_lan.journal import packed, recorded
from crisp_lan.net.messages import Opened

PIECE = 32 * 1024
"""Bytes of lines in one message, about."""


class Ledger:
    """The record of the match that runs, as far as it has been written down."""

    def __init__(self) -> None:
        self._open: list[str] = []
        self._kept: list[Line] = []
        self._told: WeakKeyDictionary[Hashable, int] = WeakKeyDictionary()

    def write(self, lines: Iterable[Line]) -> None:
        """Keeps what belongs to the record."""
        for line in filter(None, map(recorded, lines)):
            if line["kind"] == "game":
                self._open.clear()
                self._kept.clear()
                self._told.clear()
            self._kept.append(line)

    def open_up(self) -> None:
        """The round is over: everything may be told."""
        self._open += map(packed, self._kept)
        self._kept.clear()

    def piece(self, client: Hashable) -> Opened | None:
        """The next lines for a client that has not been told all that is open."""
        first = end = self._told.get(client, 0)
        size = 0
        while end < len(self._open) and size < PIECE:
            size += len(self._open[end].encode())
            end += 1
        if end == first:
            return None
        self._told[client] = end
        return Opened(first, tuple(self._open[first:end]), more=end < len(self._open))
