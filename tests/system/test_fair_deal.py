"""A real table whose decks all make: its players are told that the deal was right."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from crisp_lan.fair import CHECKED, RIGHT
from tests.system.honest import seated, until
from tests.system.running import LOOPBACK, headless, output, program

pytestmark = pytest.mark.system


async def test_whoever_looks_on_reads_that_the_deal_was_right(tmp_path: Path) -> None:
    words = ("--seats=2", "--once", "--limit=1", *LOOPBACK)
    with headless(tmp_path, *words) as table:
        spot = f"{table.opened['addresses'][0]}:{table.opened['port']}"
        with program(tmp_path, "join", "--plain", "--watch", spot) as watcher:
            await trio.to_thread.run_sync(watcher.says, "Crisp:")
            async with seated(table, "Ayu") as ayu, seated(table, "Budi"):
                await until(lambda: ayu.bye)
            await trio.to_thread.run_sync(watcher.says, CHECKED.key)
        assert await trio.to_thread.run_sync(table.ended) == 0
        (deal,) = [line for line in table.record() if line["kind"] == "deal"]
        assert set(deal["fair"]["secrets"]) == {"host", "0", "1"}
        said = await trio.to_thread.run_sync(output, ["replay", "--check", f"--data={table.games}"])
        assert said == f"{RIGHT.key}\n"
