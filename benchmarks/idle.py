"""CPU of a table's process while eight people sit in its lobby and do nothing."""

from __future__ import annotations

import trio

from benchmarks.report import judged
from benchmarks.table import cpu_seconds, seated, table_process

SETTLED = 4.0
"""Seconds until the table is announced and its helpers are loaded."""
BUDGET = 0.3 / 60


def run(seconds: float) -> None:
    with table_process() as (pid, port):
        used = trio.run(_idle, pid, port, seconds)
    budget = BUDGET * seconds
    print(f"idle lobby of eight: CPU in {seconds:g} s: {judged(used, budget, ' s')}")


async def _idle(pid: int, port: int, seconds: float) -> float:
    async with seated(port, lambda seat, show: None):
        await trio.sleep(SETTLED)
        before = cpu_seconds(pid)
        await trio.sleep(seconds)
        return cpu_seconds(pid) - before
