"""Whole crisp-lan processes: started, read, typed to, and ended by their own ids.

with program(folder, "tables", "--json") as tables:
    assert tables.ended() == 0
    tables.out, tables.err

What they print goes to files in `folder`, so that nobody waits for a full pipe. `start` is what
starts them: `subprocess.Popen`, or the same in a network namespace.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, TypeAlias

from tests.records import check
from tests.system import netns
from tests.system.pseudo import TOP

COMMAND = (sys.executable, "-m", "crisp_lan")
LOOPBACK = ("--bind", "127.0.0.1")
PATIENCE = 40.0
_numbers = count(1)

Start: TypeAlias = Callable[..., subprocess.Popen[Any]]


def environment() -> dict[str, str]:
    """Ours, with this tree, in English, and nobody's own settings."""
    own = {name: text for name, text in os.environ.items() if not name.startswith("CRISP_LAN")}
    return {**own, "PYTHONPATH": str(TOP), "LANGUAGE": "en", "LC_ALL": "C.UTF-8"}


class Program:
    """A running crisp-lan, and all that it has printed so far."""

    def __init__(self, folder: Path, words: Sequence[str], start: Start) -> None:
        stem = folder / f"{next(_numbers)}-{words[0]}"
        self._out, self._err = stem.with_suffix(".out"), stem.with_suffix(".err")
        with self._out.open("wb") as out, self._err.open("wb") as err:
            self.process = start(
                [*COMMAND, *words],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=err,
                env=environment(),
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def out(self) -> str:
        return self._out.read_text(errors="replace")

    @property
    def err(self) -> str:
        return self._err.read_text(errors="replace")

    def says(self, *pieces: str, after: int = 0, seconds: float = PATIENCE) -> str:
        """Waits until each of these stands in what it has printed from character `after` on."""
        waited_for(
            lambda: all(piece in self.out[after:] for piece in pieces),
            lambda: f"{pieces} in vain; it said:\n{self.out}\n{self.err}",
            seconds,
        )
        return self.out[after:]

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def ended(self, seconds: float = PATIENCE) -> int:
        """Waits for its end; returns the exit code."""
        waited_for(
            lambda: self.process.poll() is not None,
            lambda: f"the end in vain; it said:\n{self.out}\n{self.err}",
            seconds,
        )
        return self.process.wait()

    def end(self) -> None:
        """Ends it, whether it wants to or not."""
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        assert self.process.stdin
        self.process.stdin.close()


def waited_for(
    true: Callable[[], object], what: Callable[[], str], seconds: float = PATIENCE
) -> None:
    limit = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < limit, f"waited {seconds} s for {what()}"
        time.sleep(0.02)


@contextmanager
def program(folder: Path, *words: str, start: Start = subprocess.Popen) -> Iterator[Program]:
    """A crisp-lan for the length of the block."""
    running = Program(folder, words, start)
    try:
        yield running
    finally:
        running.end()


class HeadlessTable(Program):
    """A table for others, once it can be joined."""

    def __init__(self, folder: Path, words: Sequence[str], start: Start) -> None:
        self.games = folder / "games"
        super().__init__(
            folder,
            ("host", "--headless", "--port=0", f"--data={self.games}", *words),
            start,
        )

    @property
    def opened(self) -> dict[str, Any]:
        """The first line that it printed."""
        opened: dict[str, Any] = json.loads(self.says("\n").splitlines()[0])
        return opened

    @property
    def address(self) -> str:
        return f"{self.opened['addresses'][0]}:{self.opened['port']}"

    def journal(self, kind: str = "game") -> list[dict[str, Any]]:
        """The lines of one kind that it has written down so far."""
        path = self.games / "tables" / f"{self.opened['id']}.jsonl"
        return [line for line in journal_lines(path) if line["kind"] == kind]

    def record(self) -> list[dict[str, Any]]:
        """The newest game kept by this table."""
        return record_in(self.games)


def journal_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of a journal, which may be being written."""
    return [json.loads(line) for line in path.read_bytes().splitlines(True) if line[-1:] == b"\n"]


def record_in(data: Path, *more: str) -> list[dict[str, Any]]:
    """The newest game kept there, as `replay --json` prints it; it must obey the rules."""
    lines = output(["replay", "--json", f"--data={data}", *more]).splitlines()
    check(lines)
    return [json.loads(line) for line in lines]


@contextmanager
def headless(folder: Path, *words: str, start: Start = subprocess.Popen) -> Iterator[HeadlessTable]:
    """A headless table that can be joined, for the length of the block."""
    table = HeadlessTable(folder, words, start)
    try:
        assert table.opened
        yield table
    finally:
        table.end()


def listed(folder: Path, piece: str, *words: str, start: Start = subprocess.Popen) -> Program:
    """The first `tables` that printed this, ended: what is announced takes a while to be heard."""
    limit = time.monotonic() + PATIENCE
    while True:
        with program(folder, "tables", *words, start=start) as tables:
            code = tables.ended()
        if piece in tables.out:
            assert code == 0
            return tables
        assert time.monotonic() < limit, f"{piece} in vain; it said:\n{tables.out}\n{tables.err}"


def announced(
    folder: Path, table: HeadlessTable, *words: str, start: Start = subprocess.Popen
) -> None:
    """Waits until others hear of the table: who looks for it by name looks for a while only."""
    listed(folder, table.opened["id"], "--json", "--wait=1", *words, start=start)


def list_with(player: Program, *pieces: str) -> str:
    """The list that a player chooses from by lines, looked at again until it has these."""
    limit, read = time.monotonic() + PATIENCE, 0
    while True:
        shown = player.says("Enter to look again", after=read)
        if all(piece in shown for piece in pieces):
            return shown
        assert time.monotonic() < limit, f"{pieces} in vain; it said:\n{player.out}"
        read += len(shown)
        player.type("")


def output(words: Sequence[str]) -> str:
    """What a crisp-lan that must succeed prints."""
    run = subprocess.run(
        [*COMMAND, *words], env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert (run.returncode, run.stderr) == (0, "")
    return run.stdout


@contextmanager
def own_loopback() -> Iterator[Start]:
    """Starts programs on a loopback of their own, where nobody else announces tables.

    Where there can be none, on this machine's.
    """
    if netns.missing():
        yield subprocess.Popen
        return
    with netns.bridge("alone") as net:
        yield partial(net.popen, "alone")
