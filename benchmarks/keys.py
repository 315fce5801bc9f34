"""From a key to the changed screen: a look, and a choice that the table refuses, at 140×40."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable
from statistics import median
from tempfile import TemporaryDirectory

import pyte

from benchmarks.report import judged, ms, percentile
from benchmarks.starts import crisp_lan, end

COLUMNS, LINES = 140, 40
TABLES = 6
"""A table has two looks."""
REFUSALS = 30
PATIENCE = 20.0
STILL, LONGEST = 0.08, 0.4
"""Seconds without a byte after which nothing more comes of a key, and in which all has come."""


class Screen:
    """A host with bots on a terminal of its own, and what it shows."""

    def __init__(self, *options: str) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)
        self._pid, self._terminal = pty.fork()
        if self._pid == 0:
            environment = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
            words = [*crisp_lan(), "host", "--bots=3", "--seats=4", "--lang=en", *options]
            os.execvpe(words[0], words, environment)
        size = struct.pack("HHHH", LINES, COLUMNS, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)
        os.kill(self._pid, signal.SIGWINCH)

    def shows(self, text: str) -> bool:
        return any(text in line for line in self._screen.display)

    @property
    def last_word(self) -> str:
        """The row in which a refusal is told."""
        return self._screen.display[-1].strip()

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def wait(self, done: Callable[[], bool]) -> float:
        """When the bytes came with which it was done. They are looked at only afterwards: that
        takes longer than to draw them."""
        limit = time.perf_counter() + PATIENCE
        while time.perf_counter() < limit:
            for at, some in self._come():
                self._stream.feed(some)
                if done():
                    return at
        raise TimeoutError("\n".join(self._screen.display))

    def rest(self) -> None:
        """Waits until nothing more comes for a moment."""
        for _at, some in self._come():
            self._stream.feed(some)

    def seconds(self, keys: str, done: Callable[[], bool]) -> float:
        """From these keys until it is done."""
        began = time.perf_counter()
        self.type(keys)
        return self.wait(done) - began

    def close(self) -> None:
        end(self._pid, self._terminal)

    def _come(self) -> list[tuple[float, bytes]]:
        """What comes until nothing does for a moment, and when."""
        come: list[tuple[float, bytes]] = []
        limit = time.perf_counter() + LONGEST
        while time.perf_counter() < limit and select.select([self._terminal], [], [], STILL)[0]:
            some = os.read(self._terminal, 65536)
            come.append((time.perf_counter(), some))
        return come


def run() -> None:
    for motion, options in (("off", ["--no-motion"]), ("on", [])):
        looks, refusals = [], []
        for _table in range(TABLES):
            some = _measured(options)
            looks += some[0]
            refusals += some[1]
        for what, taken in (("a look", looks), ("a refusal", refusals)):
            half, most = median(taken) * 1000, percentile(taken, 99) * 1000
            print(
                f"from the key to {what}, motion {motion}: p50 {judged(half, 30, ' ms')}, "
                f"p99 {judged(most, 80, ' ms')}, best {ms(min(taken))}"
            )


def _measured(options: list[str]) -> tuple[list[float], list[float]]:
    """Two looks, and then refusals while the bots play; by a fresh table."""
    with TemporaryDirectory() as folder:
        quiet = ["--bind=127.0.0.1", "--no-announce", "--port=0", f"--data={folder}"]
        screen = Screen(*quiet, *options)
        try:
            screen.wait(lambda: screen.shows("[l] Look"))
            looks = [_look(screen, digit) for digit in ("1", "")]
            screen.type("r")
            screen.wait(lambda: screen.shows("Play"))
            return looks, [_refusal(screen) for _ in range(REFUSALS)]
        finally:
            screen.close()


def _look(screen: Screen, digit: str) -> float:
    """A look at a card; without a digit at the only one that is left."""
    if digit:
        screen.type("l")
        screen.wait(lambda: screen.shows("Which card?"))
    taken = screen.seconds(digit or "l", lambda: screen.shows("[h]"))
    screen.type("h")
    screen.wait(lambda: not screen.shows("[h]"))
    return taken


def _refusal(screen: Screen) -> float:
    """Ready, which one has been long since; Escape takes the word away."""
    taken = screen.seconds("r", lambda: bool(screen.last_word))
    screen.type("\x1b")
    screen.wait(lambda: not screen.last_word)
    return taken
