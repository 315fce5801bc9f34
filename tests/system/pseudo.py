"""A program on a pseudo-terminal, as a terminal emulator would see it."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyte

TOP = Path(__file__).resolve().parents[2]
PATIENCE = 40.0


class Pseudo:
    """A running program, its screen, every byte it wrote, and its terminal's settings.

    Streams that are given as pipes take the terminal's place.
    """

    def __init__(
        self,
        words: Sequence[str],
        columns: int = 80,
        lines: int = 24,
        environment: dict[str, str | None] | None = None,
        **streams: Any,
    ) -> None:
        self.started = time.monotonic()
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.master, self._slave = pty.openpty()
        self._before = termios.tcgetattr(self._slave)
        self.resize(columns, lines)
        wanted: dict[str, str | None] = {
            **os.environ,
            "TERM": "xterm-256color",
            "PYTHONPATH": str(TOP),
        }
        wanted |= {"LINES": None, "COLUMNS": None}  # a terminal's size is what it says itself
        wanted |= {"LC_ALL": "C.UTF-8", **(environment or {})}
        self.process = subprocess.Popen(
            [sys.executable, *words],
            cwd=TOP,
            env={name: value for name, value in wanted.items() if value is not None},
            stdin=streams.get("stdin", self._slave),
            stdout=streams.get("stdout", self._slave),
            stderr=streams.get("stderr", self._slave),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(self._slave, termios.TIOCSCTTY, 0),
        )
        piped_in, piped_out = self.process.stdin, self.process.stdout
        self._keyboard = piped_in.fileno() if piped_in else self.master
        self._source = piped_out.fileno() if piped_out else self.master

    def __enter__(self) -> Pseudo:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        self.close()

    @property
    def text(self) -> str:
        """What the screen shows now."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def afterwards(self) -> str:
        """What was printed after the alternate screen was left, as text."""
        _, left, rest = self.written.rpartition(b"\x1b[?1049l")
        assert left, "the alternate screen was never left"
        return re.sub(r"\x1b\[[?0-9;]*[a-zA-Z]", "", rest.decode()).replace("\r\n", "\n").strip()

    def press(self, keys: str) -> None:
        os.write(self._keyboard, keys.encode())

    def resize(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen.resize(lines, columns)

    def close(self) -> None:
        """The terminal's window is closed."""
        for end in (self.master, self._slave):
            with contextlib.suppress(OSError):
                os.close(end)
        self.master = self._slave = self._source = -1

    def wait_for(self, *pieces: str, seconds: float = PATIENCE) -> str:
        """Reads until the screen shows every piece."""
        self._read_until(lambda: all(p in self.text for p in pieces), str(pieces), seconds)
        return self.text

    def wait_for_end_of(self, piece: str) -> None:
        """Reads until the screen shows this no more."""
        self._read_until(lambda: piece not in self.text, f"the end of {piece!r}")

    def says(self, piece: str) -> None:
        """Reads until this has been written, wherever on the screen."""
        self._read_until(lambda: piece.encode() in self.written, repr(piece))

    def take_in(self) -> None:
        """Reads what has been written, if anything has."""
        while self._read(0):
            pass

    def ended(self) -> int:
        """Reads on until the program ends; returns its exit code."""
        self._read_until(lambda: self.process.poll() is not None, "the end")
        self.take_in()
        return self.process.wait()

    def is_sane(self) -> bool:
        """Whether the terminal is as it was: echo, lines, cursor, mouse, first screen."""
        switched = {
            code: self.written.rfind(code + b"h") > self.written.rfind(code + b"l")
            for code in (b"\x1b[?1049", b"\x1b[?1000", b"\x1b[?1003", b"\x1b[?1006", b"\x1b[?2004")
        }
        hidden = self.written.rfind(b"\x1b[?25l") > self.written.rfind(b"\x1b[?25h")
        now = termios.tcgetattr(self._slave)
        modes = termios.ECHO | termios.ICANON | termios.ISIG
        return (
            not any(switched.values())
            and not hidden
            and now[3] & modes == self._before[3] & modes == modes
            and now[:3] == self._before[:3]
        )

    def look(self) -> None:
        """Reads what has been written by now, or soon is."""
        self._read(0.02)

    def _read_until(self, enough: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        limit = time.monotonic() + seconds
        while not enough():
            assert time.monotonic() < limit, (
                f"waited for {what} in vain; on the screen:\n{self.text}"
            )
            self._read(0.02)

    def _read(self, seconds: float) -> bool:
        if self._source < 0:
            time.sleep(seconds)
            return False
        if not select.select([self._source], [], [], seconds)[0]:
            return False
        some = os.read(self._source, 65536)
        self.written += some
        self._stream.feed(some)
        return bool(some)
