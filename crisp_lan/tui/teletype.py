"""The player's face line by line: what is new is printed, a line that is typed becomes keys."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from typing import TextIO

import trio

from crisp_lan.text import printable
from crisp_lan.tui import plain, typed
from crisp_lan.tui.model import Screen


class Teletype:
    """Prints what differs from one Screen to the next. With `bell`, it can be heard."""

    def __init__(
        self,
        screen: Screen,
        out: TextIO,
        *,
        bell: bool,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen = screen
        self._out = out
        self._bell = bell
        self._now = now
        self._since = now()

    def show(self, screen: Screen) -> None:
        """Prints what is new on this screen."""
        self.redraw()
        before, self._screen = self._screen, screen
        if self._bell and screen.alarm > before.alarm:
            self._out.write("\a")
        self._print(plain.news(before, screen, self._now()))

    def redraw(self) -> None:
        """Prints what must be said because time has gone by."""
        since, self._since = self._since, self._now()
        self._print(plain.clock_news(self._screen, since, self._since))

    async def listen(self, source: int, keys: trio.MemorySendChannel[str]) -> None:
        """Hands on the keys that each typed line stands for, until the file `source` ends.

        The thread that reads is left behind when nobody waits for it any more; reading below
        Python's own streams, it cannot keep the program from ending.
        """
        rest = b""
        while chunk := await self._chunk(source):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if meant := self._heard(line.decode(errors="replace")):
                    await keys.send(" ".join(meant))

    async def _chunk(self, source: int) -> bytes:
        """What is typed next. At a terminal the thread only reads what is there: one that is left
        behind would take the next line from whoever asks then."""
        if os.name == "posix" and os.isatty(source):
            await trio.lowlevel.wait_readable(source)
        return await trio.to_thread.run_sync(os.read, source, 4096, abandon_on_cancel=True)

    def _heard(self, line: str) -> tuple[str, ...]:
        heard = typed.heard(self._screen, line, self._now())
        self._print(heard.said)
        return heard.keys

    def _print(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out.write(printable(line) + "\n")
        self._out.flush()
