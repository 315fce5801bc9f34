"""Many come back, and strangers knock, while seven play: how long an act takes to reach all.

    python -m tests.system.storm --seconds 60

The eighth player's link breaks 200 times a minute, and the token brings it back each time. One
address opens 1000 connections that get no further than half a hello, as fast as it can, and another
asks for a seat as often. What storms is a process of its own, so that it slows the table alone.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import trio

from tests.system.honest import Honest, seated
from tests.system.measured import percentile
from tests.system.running import LOOPBACK, TOP, HeadlessTable, environment, headless
from tests.system.storm_program import Storm

NAMES = ("Ayu", "Budi", "Chandra", "Dewi", "Eka", "Fajar", "Gita")
THINKS = 0.05
"""Seconds, about, before each act: who acts more than 40 times in one is listened to later."""
BUDGET = 0.05
"""Seconds in which 99 of 100 acts reach all seven."""
BURST, RATE = 20, 1
"""Joins without a token that one address may try at once, and in a second from then on."""


@dataclass(frozen=True)
class Report:
    """`fanouts`: the seconds from each act until all seven had what came of it."""

    fanouts: list[float]
    storm: Storm

    @property
    def p99(self) -> float:
        return percentile(self.fanouts, 99)

    @property
    def allowed(self) -> int:
        """How many joins without a token may have been heard."""
        return BURST + RATE * (math.ceil(self.storm.seconds) + 1)

    def lines(self) -> list[str]:
        storm = self.storm
        return [
            f"{len(self.fanouts)} acts reached all seven: p50 {ms(percentile(self.fanouts, 50))}, "
            f"p99 {ms(self.p99)}, at most {ms(max(self.fanouts))} (budget: p99 {ms(BUDGET)})",
            f"{len(storm.returned)} returns by token, {storm.failed} failed; "
            f"p99 {ms(percentile(storm.returned, 99))} until the table was shown",
            f"{storm.knocked} half hellos; {storm.asked} joins without a token in "
            f"{storm.seconds:.1f} s, {storm.heard} heard (at most {self.allowed})",
        ]

    @property
    def holds(self) -> bool:
        storm = self.storm
        return self.p99 < BUDGET and not storm.failed and storm.heard <= self.allowed


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f} ms"


async def measured(folder: Path, seconds: float) -> Report:
    """Plays through a storm of that length."""
    words = (f"--seats={len(NAMES) + 1}", "--limit=1000000", *LOOPBACK)
    with headless(folder, *words) as table, no_collecting():
        async with AsyncExitStack() as stack:
            sitting = [seated(table, name, thinks=THINKS) for name in NAMES]
            players = [await stack.enter_async_context(player) for player in sitting]
            storm = await _stormed(table, seconds)
        assert "Traceback" not in table.err, table.err
    return Report(fanouts(players), storm)


@contextmanager
def no_collecting() -> Iterator[None]:
    """Players keep all that they see: to look through that for garbage takes this process, not the
    table, a tenth of a second."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def fanouts(players: Sequence[Honest]) -> list[float]:
    """For each act, how long it took until the last of the players had its version, or a later."""
    versions = [[version for _, version in player.came] for player in players]
    found = []
    for sent, version in (act for player in players for act in player.acts):
        places = [bisect_left(row, version) for row in versions]
        if all(place < len(row) for place, row in zip(places, versions)):
            came = max(player.came[place][0] for player, place in zip(players, places))
            found.append(came - sent)
    return found


async def _stormed(table: HeadlessTable, seconds: float) -> Storm:
    command = [sys.executable, "-m", "tests.system.storm_program"]
    words = [str(table.opened["port"]), str(seconds)]
    process = await trio.run_process(
        command + words, capture_stdout=True, env=environment(), cwd=TOP
    )
    return Storm(**json.loads(process.stdout))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.system.storm", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    with TemporaryDirectory() as folder:
        report = trio.run(measured, Path(folder), parser.parse_args().seconds)
    sys.stdout.write("\n".join([*report.lines(), ""]))
    return 0 if report.holds else 1


if __name__ == "__main__":
    sys.exit(main())
