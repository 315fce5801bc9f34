"""A table with a game on, and strangers who send it everything but what they should."""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pytest
import trio

from tests.system.honest import Honest, seated, until
from tests.system.hostile_program import INPUTS
from tests.system.measured import resident
from tests.system.running import LOOPBACK, TOP, HeadlessTable, environment, headless

pytestmark = pytest.mark.system

ROOM = 4 * 1024
"""KiB by which the table's memory may have grown: what it takes to have met them all at once."""


async def test_strangers_neither_stop_a_game_nor_slow_it_nor_fill_the_memory(
    tmp_path: Path,
) -> None:
    calm = trio.Event()
    words = ("--seats=3", "--limit=1", "--once", *LOOPBACK)
    with headless(tmp_path, *words) as table:
        async with (
            seated(table, "Ayu", calm.is_set) as ayu,
            seated(table, "Budi", calm.is_set) as budi,
            seated(table, "Chandra", calm.is_set) as chandra,
        ):
            honest = (ayu, budi, chandra)
            await until(lambda: sum(len(one.delays) for one in honest) > 8)
            await attack(table, 50)
            before = resident(table.pid)
            seen = [len(one.delays) for one in honest]
            await attack(table, INPUTS)
            assert resident(table.pid) - before < ROOM
            await until(lambda: turns_since(honest, seen) >= 4)
            assert_not_delayed(honest, seen)
            calm.set()
            await until(lambda: all(one.bye for one in honest))
        assert await trio.to_thread.run_sync(table.ended) == 0
        assert "Traceback" not in table.err
        assert "Error" not in table.err
    record = table.record()
    assert [seat["name"] for seat in record[0]["seats"]] == ["Ayu", "Budi", "Chandra"]
    assert record[-1]["kind"] == "end"


def turns_since(honest: tuple[Honest, ...], seen: list[int]) -> int:
    return sum(len(one.delays) - n for one, n in zip(honest, seen)) // 2


def assert_not_delayed(honest: tuple[Honest, ...], seen: list[int]) -> None:
    """Acts are answered at once, all the time."""
    delays = [delay for one, n in zip(honest, seen) for delay in one.delays[n:]]
    assert statistics.median(delays) < 0.1
    assert max(delays) < 1.0


async def attack(table: HeadlessTable, most: int) -> None:
    """Strangers send so many inputs."""
    place = (table.opened["addresses"][0], str(table.opened["port"]), str(most))
    words = [sys.executable, "-m", "tests.system.hostile_program", *place]
    await trio.run_process(words, env=environment(), cwd=TOP)
