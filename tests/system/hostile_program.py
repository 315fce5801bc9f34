"""Strangers who send a table everything but what they should, in a process of their own.

python -m tests.system.hostile_program ADDRESS PORT MOST

sends so many inputs. Who measures how soon others are answered is not held up by what it computes.
"""

from __future__ import annotations

import random
import struct
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import TypeAlias

import msgpack
import trio

from crisp_lan.net.link import LinkLost
from crisp_lan.net.secure import secured_client

INPUTS = 1000
AT_ONCE = 8
SILENT = 200
"""Connections that say nothing, or half of a hello, and stay."""

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

Place: TypeAlias = tuple[str, int]
Call: TypeAlias = Callable[[Place], Awaitable[trio.abc.Stream]]
strangers = (f"127.0.{n // 200 + 1}.{n % 200 + 1}" for n in count())
"""Each connection comes from another address: of one, few would be heard."""


async def plainly(table: Place) -> trio.SocketStream:
    """A connection to the table that is not encrypted."""
    return await trio.open_tcp_stream(*table, local_address=next(strangers))


async def encrypted(table: Place) -> trio.abc.Stream:
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


async def attack(table: Place, most: int) -> None:
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


async def send_all(table: Place, inputs: trio.MemoryReceiveChannel[bytes]) -> None:
    async with inputs:
        async for bad in inputs:
            await send_one(table, bad)


async def send_one(table: Place, bad: bytes) -> None:
    """Says it, encrypted and as it is, and listens for a moment to what the table answers."""
    for call in CALLS:
        with suppress(LinkLost, trio.BrokenResourceError), trio.move_on_after(0.05):
            async with await call(table) as stream:
                await stream.send_all(bad)
                while await stream.receive_some(65536):
                    pass


async def hold(table: Place, call: Call, beginning: bytes) -> None:
    """Says the beginning of a hello, or nothing, and stays until the table hangs up."""
    with suppress(LinkLost, trio.BrokenResourceError):
        async with await call(table) as stream:
            await stream.send_all(beginning)
            while await stream.receive_some(65536):
                pass


if __name__ == "__main__":
    trio.run(attack, (sys.argv[1], int(sys.argv[2])), int(sys.argv[3]))
