"""A table with a game on, and strangers who send it everything but what they should."""

from __future__ import annotations

import random
import statistics
import struct
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path

import msgpack
import pytest
import trio

from crisp_lan.net.link import LinkLost
from crisp_lan.net.secure import secured_client
from tests.system.honest import Honest, seated, until
from tests.system.running import LOOPBACK, HeadlessTable, headless

pytestmark = pytest.mark.system

INPUTS = 1000
AT_ONCE = 8
SILENT = 200
"""Connections that say nothing, or half of a hello, and stay."""
ROOM = 4 * 1024
"""KiB by which the table's memory may have grown: what it takes to have met them all at once."""

HELLO = {"type": "hello", "protocol": 1, "software": "stranger", "table": "", "name": ""}
JOIN = {"type": "join", "name": "Mallory", "token": "", "key": "", "level": "", "watch": False}
DO = {"type": "do", "offer": 1, "serial": 1, "act": "swap", "picks": ["left"]}
GREETINGS = (
    b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: curl/8\r\n\r\n",
    b"POST /api HTTP/1.0\r\nContent-Length: 99999999\r\n\r\n" + b"x" * 5000,
    b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
    bytes.fromhex("16030100d2010000ce0303") + bytes(200),
    b"\xdd\xff\xff\xff\xff",
    b"\x00\x00\x00\x05\xdd\xff\xff\xff\xff",
    b"\x00\x00\x03\xe8" + b"\x91" * 1000,
    b"\xff\xff\xff\xff" + b"\x00" * 4096,
    b"\x00\x00\x00\x00" * 1000,
    b"\n" * 4096,
)
"""Others' first words, and numbers that lie about what follows."""

Call = Callable[[HeadlessTable], Awaitable[trio.abc.Stream]]
strangers = (f"127.0.{n // 200 + 1}.{n % 200 + 1}" for n in count())
"""Each connection comes from another address: of one, few would be heard."""


async def plainly(table: HeadlessTable) -> trio.SocketStream:
    """A connection to the table that is not encrypted."""
    host, port = table.opened["addresses"][0], table.opened["port"]
    return await trio.open_tcp_stream(host, port, local_address=next(strangers))


async def encrypted(table: HeadlessTable) -> trio.abc.Stream:
    return await secured_client(await plainly(table))


CALLS: tuple[Call, ...] = (encrypted, plainly)


def frame(message: object) -> bytes:
    packed: bytes = msgpack.packb(message)
    return struct.pack(">I", len(packed)) + packed


def inputs(lots: random.Random) -> Iterator[bytes]:
    """INPUTS things to send: greetings of others, noise, and conversations that were mutated."""
    makers: tuple[Callable[[random.Random], bytes], ...] = (
        lambda lots: lots.choice(GREETINGS),
        lambda lots: lots.randbytes(lots.randrange(1, 2000)),
        lambda lots: framed_noise(lots),
        flipped,
        wrongly_filled,
    )
    for n in range(INPUTS):
        yield makers[n % len(makers)](lots)


def framed_noise(lots: random.Random) -> bytes:
    noise = lots.randbytes(lots.randrange(1, 300))
    return struct.pack(">I", len(noise)) + noise


def flipped(lots: random.Random) -> bytes:
    """A good beginning of a conversation, with some bytes changed, lost or doubled."""
    whole = bytearray(frame(HELLO) + frame({**JOIN, "watch": True}) + frame(DO))
    for _ in range(lots.randrange(1, 6)):
        place = lots.randrange(len(whole))
        match lots.randrange(3):
            case 0:
                whole[place] = lots.randrange(256)
            case 1:
                del whole[place : place + lots.randrange(1, 9)]
            case _:
                whole[place:place] = whole[place : place + lots.randrange(1, 40)]
    return bytes(whole)


WRONG = (None, True, -1, 2**64 - 1, 3.5, [], [[[[[]]]]], {"a": 1}, b"\xff", "\x1b]52;c;?", "x" * 99)


def wrongly_filled(lots: random.Random) -> bytes:
    """Messages in good order, one with a field of the wrong kind, missing or unheard of."""
    messages = [dict(HELLO), {**JOIN, "watch": True}, dict(DO)]
    bad = lots.choice(messages)
    field = lots.choice(sorted(bad))
    match lots.randrange(3):
        case 0:
            bad[field] = lots.choice(WRONG)
        case 1:
            del bad[field]
        case _:
            bad[lots.choice(("extra", "seat", "now"))] = lots.choice(WRONG)
    return b"".join(frame(message) for message in messages)


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
            before = resident(table)
            seen = [len(one.delays) for one in honest]
            await attack(table, INPUTS)
            assert resident(table) - before < ROOM
            await until(lambda: turns_since(honest, seen) >= 4, 20)
            assert_not_delayed(honest, seen)
            calm.set()
            await until(lambda: all(one.bye for one in honest), 30)
        assert await trio.to_thread.run_sync(table.ended) == 0
        assert "Traceback" not in table.err
        assert "Error" not in table.err
    record = table.record()
    assert [seat["name"] for seat in record[0]["seats"]] == ["Ayu", "Budi", "Chandra"]
    assert record[-1]["kind"] == "end"


def resident(table: HeadlessTable) -> int:
    """The memory of the table's process, in KiB."""
    status = Path(f"/proc/{table.pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def turns_since(honest: tuple[Honest, ...], seen: list[int]) -> int:
    return sum(len(one.delays) - n for one, n in zip(honest, seen)) // 2


def assert_not_delayed(honest: tuple[Honest, ...], seen: list[int]) -> None:
    """Acts are answered at once, all the time."""
    delays = [delay for one, n in zip(honest, seen) for delay in one.delays[n:]]
    assert statistics.median(delays) < 0.1
    assert max(delays) < 1.0


async def attack(table: HeadlessTable, most: int) -> None:
    """Sends `most` inputs, AT_ONCE at a time, while others hold connections and say nothing."""
    bad = list(inputs(random.Random(27477)))[:most]
    async with trio.open_nursery() as silent:
        for n in range(min(SILENT, most)):
            silent.start_soon(hold, table, CALLS[n % len(CALLS)], frame(HELLO)[: n % 7])
        send, receive = trio.open_memory_channel[bytes](0)
        async with trio.open_nursery() as nursery, send:
            for _ in range(AT_ONCE):
                nursery.start_soon(send_all, table, receive.clone())
            receive.close()
            for one in bad:
                await send.send(one)
        silent.cancel_scope.cancel()


async def send_all(table: HeadlessTable, inputs: trio.MemoryReceiveChannel[bytes]) -> None:
    async with inputs:
        async for bad in inputs:
            await send_one(table, bad)


async def send_one(table: HeadlessTable, bad: bytes) -> None:
    """Says it, encrypted and as it is, and listens for a moment to what the table answers."""
    for call in CALLS:
        with suppress(LinkLost, trio.BrokenResourceError), trio.move_on_after(0.05):
            async with await call(table) as stream:
                await stream.send_all(bad)
                while await stream.receive_some(65536):
                    pass


async def hold(table: HeadlessTable, call: Call, beginning: bytes) -> None:
    """Says the beginning of a hello, or nothing, and stays until the table hangs up."""
    with suppress(LinkLost, trio.BrokenResourceError):
        async with await call(table) as stream:
            await stream.send_all(beginning)
            while await stream.receive_some(65536):
                pass
