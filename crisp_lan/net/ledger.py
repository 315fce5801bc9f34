"""What a table writes down, before anybody hears of it, and what it opens of that after a round."""

from __future__ import annotations

import secrets
from collections.abc import Hashable, Iterable, Sequence
from typing import Protocol
from weakref import WeakKeyDictionary

from crisp_lan.game.rules import Line
from crisp_lan.journal import NO_ROOM, game_line, packed, recorded
from crisp_lan.net.members import Holder
from crisp_lan.net.messages import Opened

PIECE = 32 * 1024
"""Bytes of lines in one message, about."""


class Written(Protocol):
    """Where the lines of the journal go."""

    def write(self, lines: Sequence[Line]) -> None:
        """Keeps the lines before it returns. Raises OSError, and has kept none of them."""


class NoRoom(OSError):
    """A step finds no room to be written down, and has not happened."""


def journalled(
    lines: Iterable[Line], newcomer: Holder | None, acted: tuple[Holder, int] | None
) -> list[Line]:
    """A step's lines with what its table cannot know: ids of games, the token of who sits down by
    it, and whose act it was, with its serial."""
    whole = [
        game_line(line, secrets.token_hex(8)) if line["kind"] == "game" else line for line in lines
    ]
    if newcomer is not None:
        whole.append({"kind": "token", "chair": newcomer.chair, "hash": newcomer.token.hex()})
    if acted is not None and not acted[0].own:
        first = whole[0] if whole else {"kind": "done"}
        whole[:1] = [{**first, "done": [acted[0].chair, acted[1]]}]
    return whole


class Ledger:
    """The journal of a table, and in it the record of the match that runs."""

    def __init__(self, journal: Written) -> None:
        self._journal = journal
        self._open: list[str] = []
        self._kept: list[Line] = []
        self._told: WeakKeyDictionary[Hashable, int] = WeakKeyDictionary()

    def write(self, lines: Sequence[Line]) -> None:
        """Writes lines down, all or none. Raises NoRoom, and OSError for what else is wrong."""
        if not lines:
            return
        try:
            self._journal.write(lines)
        except OSError as error:
            if error.errno in NO_ROOM:
                raise NoRoom from error
            raise
        self.take_up(lines)

    def take_up(self, lines: Iterable[Line]) -> None:
        """Keeps of what is written down what belongs to the record."""
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
