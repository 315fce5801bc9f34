"""A table in a process of its own, as `crisp-lan host --headless` opens it, and eight at it."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from tempfile import TemporaryDirectory

import trio

from crisp_lan.net.calling import Call
from crisp_lan.net.link import Link, linked
from crisp_lan.net.messages import PROTOCOL, Bye, Hello, Join, No, Show
from crisp_lan.net.secure import open_stream

PLAYERS = 8


@contextmanager
def table_process(*options: str) -> Iterator[tuple[int, int]]:
    """The process's id and the port it listens on."""
    host = [sys.executable, "-m", "crisp_lan", "host", "--headless", "--bind=127.0.0.1", "--port=0"]
    with TemporaryDirectory() as folder:
        command = [*host, f"--data={folder}", *options]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            try:
                yield process.pid, json.loads(process.stdout.readline())["port"]
            finally:
                process.terminate()


def cpu_seconds(pid: int) -> float:
    """CPU time of another process with all its threads, from the clock that Linux has for it."""
    return time.clock_gettime((~pid << 3) | 2)


@asynccontextmanager
async def seated(port: int, saw: Callable[[int, Show], None]) -> AsyncIterator[list[Link]]:
    """Eight at the table, from the first Show that each has got; `saw` is told of every one."""
    async with trio.open_nursery() as nursery:
        yield [await nursery.start(_sit, port, seat, saw) for seat in range(PLAYERS)]
        nursery.cancel_scope.cancel()


async def _sit(
    port: int, seat: int, saw: Callable[[int, Show], None], task_status: trio.TaskStatus[Link]
) -> None:
    async with linked(Call(await open_stream("127.0.0.1", port)), "client") as link:
        await link.receive()
        link.send_nowait(Hello(PROTOCOL, "benchmark"))
        link.send_nowait(Join(f"Player {seat + 1}"))
        await link.receive()
        task_status.started(link)
        while True:
            message = await link.receive()
            assert not isinstance(message, No | Bye), message
            if isinstance(message, Show):
                saw(seat, message)
