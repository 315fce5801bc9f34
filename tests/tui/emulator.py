"""A terminal without a pseudo-terminal: keys through a pipe, what is written into a pyte screen."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pyte
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.input.base import PipeInput
from prompt_toolkit.output.vt100 import Vt100_Output

PATIENCE = 60.0
"""Seconds in which what a test waits for must show, however busy the machine is."""


class Emulator:
    """`input` and `output` for an application, and what a player would see of it."""

    def __init__(self, keyboard: PipeInput, columns: int, lines: int) -> None:
        self.input = keyboard
        self.written = ""
        self._size = Size(rows=lines, columns=columns)
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._news = trio.Event()
        self.output = Vt100_Output(self, lambda: self._size, term="xterm-256color")

    def write(self, text: str) -> int:
        self.written += text
        self._stream.feed(text)
        self._news.set()
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    def resize(self, columns: int, lines: int) -> None:
        """The window has another size; the application is not told."""
        self._size = Size(rows=lines, columns=columns)
        self._screen.resize(lines, columns)

    @property
    def text(self) -> str:
        """What the screen shows now."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def cells(self) -> list[list[pyte.screens.Char]]:
        """Every cell of the screen, with its colours and attributes."""
        screen = self._screen
        return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]

    async def shows(self, *pieces: str) -> None:
        """Waits until the screen shows every piece."""
        with trio.move_on_after(PATIENCE):
            while not all(piece in self.text for piece in pieces):
                self._news = trio.Event()
                await self._news.wait()
            return
        raise AssertionError(f"waited in vain for {pieces}; on the screen:\n{self.text}")


@contextmanager
def emulator(columns: int = 80, lines: int = 24) -> Iterator[Emulator]:
    with create_pipe_input() as keyboard:
        yield Emulator(keyboard, columns, lines)
