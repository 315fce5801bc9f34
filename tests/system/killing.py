"""Kills the process of a table with kill -9, over and over, and has it go on from its journal.

    python -m tests.system.killing 20

prints one row for each kill: at which line of the journal it came, how long it took until the
table could be joined again and until somebody acted, and at last whether the records obey the
rules. The two players at each table act soon, so that kills come between all kinds of lines.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import trio

from crisp_lan.journal import read
from tests.system.honest import seated, until
from tests.system.running import LOOPBACK, HeadlessTable, Program, headless, program, record_in

EACH = 5
"""Kills of one table, in one game."""
LONGEST = 60.0


@dataclass
class Kill:
    """One kill: after which line, and the seconds until a join and until the next line of play."""

    line: str
    joinable: float
    acted: float


class Mortal:
    """A table whose process is killed and started again; its journal stays."""

    def __init__(self, folder: Path, table: HeadlessTable) -> None:
        self.folder = folder
        self.games = table.games
        self.id: str = table.opened["id"]
        self.running: Program = table

    @property
    def path(self) -> Path:
        return self.games / "tables" / f"{self.id}.jsonl"

    def lines(self) -> list[dict[str, Any]]:
        return read(self.path)

    async def killed_after(self, count: int, stack: ExitStack) -> Kill:
        """Kills it when its journal has so many lines, and starts it again."""
        await until(lambda: len(self.lines()) >= count, LONGEST)
        os.kill(self.running.pid, signal.SIGKILL)
        await trio.to_thread.run_sync(self.running.ended)
        before, began = self.lines(), time.monotonic()
        words = ("host", "--headless", "--resume", f"--data={self.games}")
        self.running = stack.enter_context(program(self.folder, *words))
        await trio.to_thread.run_sync(partial(self.running.says, '"port"'))
        joinable = time.monotonic() - began
        opened = len(self.lines())
        assert self.lines()[: len(before)] == before, "the journal was not appended to"
        await until(lambda: has_played(self.lines()[opened:]), LONGEST)
        last = before[-1]
        where = " ".join(str(last[name]) for name in ("kind", "do") if name in last)
        return Kill(f"{len(before)}: {where}", joinable, time.monotonic() - began)


def has_played(lines: Sequence[dict[str, Any]]) -> bool:
    """Whether anything has come of an act or of time."""
    kinds = {line["kind"] for line in lines}
    return bool(kinds & {"act", "timeout", "deal", "score", "end", "next"})


THINKS = 0.2
"""Seconds, about."""


async def killed(
    folder: Path, counts: Sequence[int], told: Callable[[Kill], None], calls_from: int = 60
) -> Path:
    """A game whose table is killed at these lines of its journal; where it is kept.

    From line `calls_from` on the players call crisp, so that the game has an end.
    """
    words = ("--seats=2", "--once", "--limit=1", "--deal-seed=7", "--no-announce", *LOOPBACK)
    with ExitStack() as stack:
        first = stack.enter_context(headless(folder, *words))
        table = Mortal(folder, first)

        def calls() -> bool:
            return len(table.lines()) > calls_from

        async with (
            seated(first, "Ayu", calls, THINKS) as ayu,
            seated(first, "Budi", calls, THINKS) as budi,
        ):
            for count in counts:
                told(await table.killed_after(count, stack))
            await until(lambda: ayu.bye and budi.bye, LONGEST)
        assert await trio.to_thread.run_sync(table.running.ended) == 0
        assert "Traceback" not in table.running.err
        return table.games


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def show(kill: Kill) -> None:
    say(f"{kill.line:24} {kill.joinable:6.1f} s {kill.acted:6.1f} s")


def main(kills: int) -> None:
    say(f"{'killed after line':24} {'joined':>8} {'acted':>8}")
    for first in range(0, kills, EACH):
        number = min(EACH, kills - first)
        counts = sorted(random.Random(first).sample(range(4, 50), number))
        with tempfile.TemporaryDirectory() as folder:
            games = trio.run(killed, Path(folder), counts, show)
            record = record_in(games)
            say(f"the game ended after {len(record)} lines, by the rules")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
