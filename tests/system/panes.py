"""Terminals side by side, as people have them: panes of a tmux server of our own."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.running import Start, environment, waited_for

COLUMNS, LINES = 80, 24


class Tmux:
    """A tmux server; each program on it has a window to itself."""

    def __init__(self, socket: Path, start: Start) -> None:
        self._command = ["tmux", "-u", "-S", str(socket), "-f", os.devnull]
        self._start = start
        self._folder = socket.parent

    def pane(self, name: str, words: Sequence[str]) -> Pane:
        """Runs a program in a new terminal, which stays when the program has ended.

        Its exit code goes into a file: tmux now and then never learns of a program's end, and what
        is printed just before it is lost as often.
        """
        size = ("-x", str(COLUMNS), "-y", str(LINES))
        code = self._folder / f"{name}.code"
        shell = f"{shlex.join(words)}; echo $? > {shlex.quote(str(code))}"
        new = ("new-session", "-d", "-s", name, *size, shell)
        kept = (";", "set-option", "-t", name, "remain-on-exit", "on")
        self.tell(*new, *kept)
        return Pane(self, name, code)

    def tell(self, *words: str) -> str:
        """Gives the server an order; what it answers."""
        process = self._start(
            [*self._command, *words], stdout=subprocess.PIPE, env=environment(), text=True
        )
        answer, _ = process.communicate(timeout=40)
        assert process.returncode == 0, words
        return str(answer)


class Pane:
    """One terminal."""

    def __init__(self, tmux: Tmux, name: str, code: Path) -> None:
        self.name = name
        self._tmux = tmux
        self._code = code

    @property
    def text(self) -> str:
        """What it shows now."""
        return self._tmux.tell("capture-pane", "-p", "-t", self.name)

    @property
    def steady_text(self) -> str:
        """What it shows when it is not just being painted."""
        before, text = "", self.text
        while text != before:
            before, text = text, self.text
        return text

    @property
    def scrollback(self) -> str:
        """All that the terminal has kept, above what it shows too."""
        return self._tmux.tell("capture-pane", "-p", "-S", "-", "-t", self.name)

    def type(self, keys: str) -> None:
        """Letters and digits, one after the other."""
        self._tmux.tell("send-keys", "-t", self.name, "-l", keys)

    def press(self, *keys: str) -> None:
        """Keys by their names, one after the other: Enter, Down, y."""
        self._tmux.tell("send-keys", "-t", self.name, *keys)

    def wait_for(self, *pieces: str, seconds: float = 40.0) -> str:
        """Waits until it shows each of these."""
        waited_for(
            lambda: all(piece in self.text for piece in pieces),
            lambda: f"{pieces} in vain; {self.name} sees:\n{self.text}",
            seconds,
        )
        return self.text

    def exit_code(self, seconds: float = 40.0) -> int:
        """Waits for the program's end."""
        waited_for(
            lambda: self._code.exists() and self._code.read_text().endswith("\n"),
            lambda: f"the end in vain; {self.name} sees:\n{self.text}",
            seconds,
        )
        return int(self._code.read_text())


@contextmanager
def tmux(folder: Path, start: Start) -> Iterator[Tmux]:
    """A tmux server for the length of the block; skips the test where there is no tmux."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is missing (Debian: apt install tmux)")
    server = Tmux(folder / "tmux", start)
    try:
        yield server
    finally:
        server.tell("kill-server")
