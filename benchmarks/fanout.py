"""From sending an act until the last of eight clients has decoded its view, against an echo."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from statistics import median

import msgpack
import trio

from benchmarks.echo import framed, payloads
from benchmarks.play import next_act
from benchmarks.report import judged, ms, percentile
from benchmarks.table import PLAYERS, cpu_seconds, seated, table_process
from crisp_lan.game.rules import Choice, Seat
from crisp_lan.net.codec import decode, encode
from crisp_lan.net.link import Link
from crisp_lan.net.messages import Do, Show
from crisp_lan.net.secure import open_stream

ROUNDS = 16
WARM_UP = 2
GAP = 0.004
"""Seconds between an answer and the next act: people do not act back to back."""


@dataclass(slots=True)
class Sample:
    """What one kind of process took: seconds of each act, and CPU seconds of all together."""

    acts: list[float] = field(default_factory=list)
    cpu: float = 0.0


@dataclass(frozen=True, slots=True)
class Done:
    """An act that was done at the table, and the payloads that it led to."""

    seat: Seat
    act: bytes
    shows: list[bytes]


class Stopwatch:
    """Runs from an act until the last client has what came of it."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        self._left = PLAYERS
        self._all = trio.Event()
        self._began = self._ended = time.perf_counter()

    def has_one(self) -> None:
        self._left -= 1
        if self._left == 0:
            self._ended = time.perf_counter()
            self._all.set()

    async def seconds(self) -> float:
        with trio.fail_after(5):
            await self._all.wait()
        return self._ended - self._began


def run() -> None:
    table, echo = Sample(), Sample()
    size = trio.run(_measure, table, echo)
    acts = len(table.acts)
    print(f"fan-out to {PLAYERS} clients, {acts} acts, {size:.0f} bytes to each client:")
    print(f"{'':10} {'p50':>9} {'p95':>9} {'CPU an act':>11}")
    for name, sample in (("table", table), ("echo", echo)):
        p50, p95 = median(sample.acts), percentile(sample.acts, 95)
        print(f"{name:>10} {ms(p50):>9} {ms(p95):>9} {ms(sample.cpu / acts):>11}")
    p95 = percentile(table.acts, 95) / percentile(echo.acts, 95)
    print(f"{'ratio':>10} {'':9} {p95:9.2f} {table.cpu / echo.cpu:11.2f}")
    print(f"{'':10} p50: {judged(median(table.acts) / median(echo.acts), 2.0)}")


async def _measure(table: Sample, echo: Sample) -> float:
    """Rounds at the table and with the echo in turn; returns the mean size of a view."""
    sizes: list[int] = []
    at_table, with_echo = AtTable(), WithEcho()
    with (
        table_process("--no-announce", "--seats=8", "--limit=1000000", "--deal-seed=1") as (
            pid,
            port,
        ),
        echo_process() as (echo_pid, echo_port),
    ):
        async with seated(port, at_table.saw) as links, with_echo.connected(echo_port):
            await at_table.begun()
            for n in range(WARM_UP + ROUNDS):
                counts = n >= WARM_UP
                with cpu_of(pid, table if counts else Sample()) as sample:
                    done = await at_table.round(links, sample)
                await with_echo.prepare(done)
                with cpu_of(echo_pid, echo if counts else Sample()) as sample:
                    await with_echo.round(done, sample)
                sizes += [len(show) for each in done for show in each.shows]
    return sum(sizes) / len(sizes)


@contextmanager
def cpu_of(pid: int, sample: Sample) -> Iterator[Sample]:
    before = cpu_seconds(pid)
    yield sample
    sample.cpu += cpu_seconds(pid) - before


class AtTable:
    """Eight players of Crisp."""

    def __init__(self) -> None:
        self._watch = Stopwatch()
        self._shows: dict[Seat, Show] = {}
        self._lots = random.Random(1)
        self._serial = 0

    def saw(self, seat: Seat, show: Show) -> None:
        self._shows[seat] = show
        if show.version >= PLAYERS:  # everybody has sat down one by one, and the game has begun
            self._watch.has_one()

    async def begun(self) -> None:
        await self._watch.seconds()

    async def round(self, links: list[Link], sample: Sample) -> list[Done]:
        number, done = self._shows[0].table.round, []
        while self._shows[0].table.round == number:
            done.append(await self._act(links, sample))
            await trio.sleep(GAP)
        return done

    async def _act(self, links: list[Link], sample: Sample) -> Done:
        offers = [_offered(self._shows[seat]) for seat in range(PLAYERS)]
        chosen = next_act(offers, self._lots, calls_one_in=1)
        assert chosen is not None, "no act is on offer"
        seat, act = chosen
        self._serial += 1
        do = Do(self._shows[seat].offer, self._serial, act.name, act.picks)
        self._watch.start()
        links[seat].send_nowait(do)
        sample.acts.append(await self._watch.seconds())
        return Done(seat, encode(do), [encode(self._shows[seat]) for seat in range(PLAYERS)])


def _offered(show: Show) -> tuple[Choice, ...]:
    return show.table.choices + (show.view.choices if show.view else ())


@contextmanager
def echo_process() -> Iterator[tuple[int, int]]:
    """The process's id and the port it listens on."""
    command = [sys.executable, "-m", "benchmarks.echo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.terminate()


class WithEcho:
    """Eight clients of the echo, which decode its bytes as a player's client does."""

    def __init__(self) -> None:
        self._watch = Stopwatch()
        self._streams: list[trio.abc.Stream] = []

    @asynccontextmanager
    async def connected(self, port: int) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            for _ in range(PLAYERS):
                self._streams.append(await open_stream("127.0.0.1", port))
                nursery.start_soon(self._listen, self._streams[-1])
            yield
            nursery.cancel_scope.cancel()

    async def _listen(self, stream: trio.abc.Stream) -> None:
        async for payload in payloads(stream):
            if payload != b"ok":
                decode(payload, "host")
            self._watch.has_one()

    async def prepare(self, done: list[Done]) -> None:
        """Says what is to be sent in the next round."""
        self._watch.start()
        for seat, stream in enumerate(self._streams):
            following = [framed(each.shows[seat]) for each in done]
            await stream.send_all(framed(msgpack.packb(following)))
        await self._watch.seconds()

    async def round(self, done: list[Done], sample: Sample) -> None:
        for each in done:
            self._watch.start()
            await self._streams[each.seat].send_all(framed(each.act))
            sample.acts.append(await self._watch.seconds())
            await trio.sleep(GAP)
