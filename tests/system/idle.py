"""What nobody's doing anything costs: a lobby of eight, and a turn without a clock.

    python -m tests.system.idle --minutes 60

Each of the two tables has eight players at screens of their own, on pseudo-terminals.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.system.measured import cpu_seconds, resident
from tests.system.pseudo import Pseudo
from tests.system.running import LOOPBACK, HeadlessTable, headless

NAMES = ("Ayu", "Budi", "Chandra", "Dewi", "Eka", "Fajar", "Gita", "Hadi")
SETTLED = 45.0
"""Seconds until the first look is over, and until all that is loaded late is there."""
TABLE = 0.3
"""CPU seconds that a table may take in a minute."""
SCREEN = 0.6
"""The same for a screen: a hundredth of the time."""
ROOM = 2 * 1024
"""KiB by which memory may grow."""
LOBBY, TURN = "a lobby of eight", "a turn without a clock"
KINDS: dict[str, tuple[str, ...]] = {LOBBY: (), TURN: ("--seats=8", "--draw-time=off")}
SHOWS = {LOBBY: "Players: 8 of 8", TURN: "draw pile"}


@dataclass(frozen=True)
class Used:
    """CPU seconds and KiB of a process: all that it uses, or by the minute and more than before."""

    cpu: float
    memory: int

    def keeps_to(self, cpu: float) -> bool:
        return self.cpu <= cpu and self.memory <= ROOM


def used(pid: int) -> Used:
    return Used(cpu_seconds(pid), resident(pid))


@dataclass(frozen=True)
class Report:
    """One of the two tables, and its eight screens."""

    kind: str
    table: Used
    screens: list[Used]

    @property
    def holds(self) -> bool:
        return self.table.keeps_to(TABLE) and all(one.keeps_to(SCREEN) for one in self.screens)

    def __str__(self) -> str:
        cpu, grown = max(s.cpu for s in self.screens), max(s.memory for s in self.screens)
        return (
            f"{self.kind}: table {self.table.cpu:.3f} s of CPU a minute (budget {TABLE}), "
            f"{self.table.memory:+d} KiB; its screens {cpu:.3f} s at most (budget {SCREEN}), "
            f"{grown:+d} KiB (budget {ROOM})\n"
        )


def measured(
    folder: Path, minutes: float, kinds: Sequence[str] = (LOBBY, TURN), settled: float = SETTLED
) -> list[Report]:
    """Watches tables do nothing for so long."""
    with ExitStack() as stack:
        tables = [stack.enter_context(headless(folder, *KINDS[k], *LOOPBACK)) for k in kinds]
        screens = [[stack.enter_context(screen(t, name)) for name in NAMES] for t in tables]
        everybody = [one for row in screens for one in row]
        for kind, row in zip(kinds, screens):
            for one in row:
                one.wait_for(SHOWS[kind])
        read(everybody, settled)
        pids = [
            [table.pid, *(one.process.pid for one in row)] for table, row in zip(tables, screens)
        ]
        before = [[used(pid) for pid in row] for row in pids]
        read(everybody, 60 * minutes)
        reports = []
        for kind, row, first in zip(kinds, pids, before):
            table, *screens_of_it = [
                Used((now.cpu - then.cpu) / minutes, now.memory - then.memory)
                for now, then in zip(map(used, row), first)
            ]
            reports.append(Report(kind, table, screens_of_it))
    return reports


def screen(table: HeadlessTable, name: str) -> Pseudo:
    """A player at a terminal."""
    own = (f"--name={name}", f"--data={table.games / name}", *LOOPBACK)
    return Pseudo(["-m", "crisp_lan", "join", table.address, *own])


def read(screens: Sequence[Pseudo], seconds: float) -> None:
    """Takes in what the screens write, so that they need not wait for it."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        for one in screens:
            one.take_in()
        time.sleep(0.2)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.system.idle", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60.0)
    with TemporaryDirectory() as folder:
        reports = measured(Path(folder), parser.parse_args().minutes)
    sys.stdout.write("".join(map(str, reports)))
    return 0 if all(report.holds for report in reports) else 1


if __name__ == "__main__":
    sys.exit(main())
