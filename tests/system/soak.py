"""Eight `crisp-lan bot` processes at a headless table, for a while: what the table's process uses.

python -m tests.system.soak --minutes 20
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.system.measured import cpu_seconds, descriptors, resident, threads
from tests.system.running import LOOPBACK, HeadlessTable, Program, headless, program, waited_for

PLAYERS = 8
WARM_UP = 0.2
"""The part of the time after which memory should not grow any more."""
ROOM = 2 * 1024
"""KiB by which it may differ then."""
LOOKS = 60


@dataclass(frozen=True)
class Look:
    """What the table's process uses at one moment."""

    minute: float
    memory: int
    descriptors: int
    threads: int
    cpu: float
    lines: int

    def __str__(self) -> str:
        return (
            f"minute {self.minute:5.1f}: {self.memory} KiB, {self.descriptors} descriptors, "
            f"{self.threads} threads, {self.cpu:.2f} s of CPU, {self.lines} lines written"
        )


@dataclass
class Report:
    """`looks` are those after the warm-up."""

    looks: list[Look] = field(default_factory=list)

    @property
    def growth(self) -> int:
        """KiB from the first look to the highest after it."""
        return max(look.memory for look in self.looks) - self.looks[0].memory

    @property
    def holds(self) -> bool:
        """Whether it takes no more, and the most in the second half is no more than in the first:
        a thread that is kept for the next to need one comes and goes."""
        half = len(self.looks) // 2
        before, after = self.looks[:half], self.looks[half:]
        return (
            self.growth <= ROOM
            and max(one.descriptors for one in after) <= max(one.descriptors for one in before)
            and max(one.threads for one in after) <= max(one.threads for one in before)
            and self.looks[-1].lines > self.looks[0].lines
        )

    def __str__(self) -> str:
        looks = "\n".join(f"  {look}" for look in self.looks[:: max(1, len(self.looks) // 12)])
        return f"{looks}\n  memory grew by {self.growth} KiB at most (budget {ROOM} KiB)\n"


def measured(folder: Path, minutes: float) -> Report:
    """Lets bots play so long."""
    report = Report()
    with ExitStack() as stack:
        words = (f"--seats={PLAYERS}", "--limit=1000000", *LOOPBACK)
        table = stack.enter_context(headless(folder, *words))
        bots = [stack.enter_context(bot(folder, table)) for _ in range(PLAYERS)]
        waited_for(lambda: table.journal("deal"), lambda: f"the first deal: {table.err}", 60)
        began = time.monotonic()
        while (passed := time.monotonic() - began) < 60 * minutes:
            assert all(one.process.poll() is None for one in bots), "a bot has ended"
            if passed >= WARM_UP * 60 * minutes:
                report.looks.append(look(table, passed / 60))
            time.sleep(60 * minutes / LOOKS)
        assert "Traceback" not in table.err, table.err
    return report


@contextmanager
def bot(folder: Path, table: HeadlessTable) -> Iterator[Program]:
    with program(folder, "bot", table.address, "--level=normal", *LOOPBACK) as running:
        yield running


def look(table: HeadlessTable, minute: float) -> Look:
    pid = table.pid
    [journal] = (table.games / "tables").glob("*.jsonl")
    return Look(
        minute,
        resident(pid),
        descriptors(pid),
        threads(pid),
        cpu_seconds(pid),
        journal.read_bytes().count(b"\n"),
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.system.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20.0)
    with TemporaryDirectory() as folder:
        report = measured(Path(folder), parser.parse_args().minutes)
    sys.stdout.write(str(report))
    return 0 if report.holds else 1


if __name__ == "__main__":
    sys.exit(main())
