"""Bytes and conversations that nobody honest would send, as many as are asked for.

    python -m tests.net.fuzz decoder --inputs 5000000      frames: mutated, recombined, random
    python -m tests.net.fuzz sequences --count 200000      conversations with a host, a game on
    python -m tests.net.fuzz coverage --seconds 300        frames led by coverage (atheris)

Every one tells how many there were, and ends with 1 at the first that is not as it has to be. They
run on two cores. The last one keeps what led to new places in the code in `tests/net/corpus`, where
`python -m pytest tests/net/test_fuzz.py` reads it again.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from inspect import isfunction
from multiprocessing import get_context
from pathlib import Path
from typing import Any, get_args

from msgpack import UnpackException, fallback

from crisp_lan.net import codec, protocol
from crisp_lan.net.codec import LIMIT, AnyMessage, Role, decode, decode_hello, encode
from crisp_lan.net.messages import FromClient, FromHost
from crisp_lan.net.protocol import Connection, RemoteProtocolError, State
from tests.net.intruders import seeds

CORES = 2
CORPUS = Path(__file__).with_name("corpus")
HOSTS = b"\xff"
"""The byte before a payload of the corpus that a host might send; before others it is lower."""
INTERESTING = (
    b"\x00",
    b"\x7f",
    b"\x80",
    b"\x81",
    b"\x91" * 9,
    b"\xc0",
    b"\xc3",
    b"\xc1",
    b"\xca\x7f\xc0\x00\x00",
    b"\xcb\x7f\xf8" + bytes(6),
    b"\xcf" + b"\xff" * 8,
    b"\xd3\x80" + bytes(7),
    b"\xd6\xff\x00\x00\x00\x00",
    b"\xd9\xff",
    b"\xdb\x7f\xff\xff\xff",
    b"\xdd\xff\xff\xff\xff",
    b"\xdf\x7f\xff\xff\xff",
    b"\xa3\xed\xa0\x80",
    b"\xff",
)
"""Pieces of MessagePack that lie about what follows, or are no use anywhere."""


def mutated(payloads: Sequence[bytes], lots: random.Random) -> bytes:
    """A payload changed, cut, doubled or joined with another in one place or a few."""
    changed = bytearray(lots.choice(payloads))
    for _ in range(1 + int(lots.expovariate(1.5))):
        at = lots.randrange(len(changed) + 1)
        match lots.randrange(7):
            case 0:
                changed[at : at + 1] = lots.randbytes(1)
            case 1:
                del changed[at : at + lots.randrange(1, 9)]
            case 2:
                changed[at:at] = lots.randbytes(lots.randrange(1, 9))
            case 3:
                changed[at:at] = lots.choice(INTERESTING)
            case 4:
                changed[at : at + 1] = lots.choice(INTERESTING)
            case 5:
                changed += changed[at:]
            case _:
                other = lots.choice(payloads)
                changed[at:] = other[lots.randrange(len(other) + 1) :]
    return bytes(changed[: LIMIT["host"]])


def one_input(payload: bytes, sender: Role) -> bool:
    """Decodes a payload, alone and in a conversation; whether it is a message."""
    kinds = get_args(FromClient if sender == "client" else FromHost)
    with suppress(RemoteProtocolError):
        decode_hello(payload, sender)
    side = Connection("host" if sender == "client" else "client")
    side.state = State.SEATED
    with suppress(RemoteProtocolError):
        side.receive_data(len(payload).to_bytes(4, "big") + payload)
        while side.next_message() is not None:
            pass
    message, why = decoded(payload, sender)
    assert why.isascii()
    assert why.isprintable()
    if message is None:
        return False
    assert isinstance(message, kinds)
    repr(message)
    encode(message)
    return True


def decoded(payload: bytes, sender: Role) -> tuple[AnyMessage | None, str]:
    """The message in a payload; or None, and why there is none."""
    try:
        return decode(payload, sender), ""
    except RemoteProtocolError as error:
        return None, str(error)


def decoder(count: int, seed: int) -> Counter[str]:
    """So many inputs, of which each is a message or refused."""
    lots = random.Random(seed)
    seen: Counter[str] = Counter()
    for number in range(count):
        sender: Role = "host" if number % 4 == 3 else "client"
        made = mutated(seeds(sender), lots) if number % 16 else lots.randbytes(lots.randrange(200))
        seen["messages" if one_input(made, sender) else "refused"] += 1
    return seen


def shared(work: Callable[[int, int], Counter[str]], count: int, seed: int) -> Counter[str]:
    """The work done by two processes."""
    shares = [(count // CORES + (core < count % CORES), seed + core) for core in range(CORES)]
    with get_context("spawn").Pool(CORES) as pool:
        done = [pool.apply_async(work, share) for share in shares]
        return sum((one.get() for one in done), Counter())


def covered(seconds: int) -> None:
    """Lets atheris look for inputs that lead to new places in the code; does not return.

    MessagePack is unpacked in C, where atheris sees nothing: it is shown the same in Python.
    """
    import atheris

    for part in (codec, protocol.Connection, fallback, fallback.Unpacker):
        for function in filter(isfunction, vars(part).values()):
            atheris.instrument_func(function)

    def test_one(made: bytes) -> None:
        one_input(made[1:], "host" if made[:1] >= HOSTS else "client")
        with suppress(ValueError, UnpackException, RecursionError):
            unpacker = fallback.Unpacker(max_buffer_size=LIMIT["host"])
            unpacker.feed(made[1:])
            unpacker.unpack()

    for payload in (*map(b"\x00".__add__, seeds("client")), *map(HOSTS.__add__, seeds("host"))):
        (CORPUS / hashlib.sha1(payload).hexdigest()).write_bytes(payload)
    words = [sys.argv[0], f"-max_total_time={seconds}", "-max_len=2048", "-rss_limit_mb=1024"]
    atheris.Setup([*words, str(CORPUS)], test_one)
    atheris.Fuzz()


def main(words: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="tests.net.fuzz", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, option, number in (
        ("decoder", "--inputs", 5_000_000),
        ("sequences", "--count", 200_000),
        ("coverage", "--seconds", 60),
    ):
        command = commands.add_parser(name)
        command.add_argument(option, dest="count", type=int, default=number)
        command.add_argument("--seed", type=int, default=27477)
    args = parser.parse_args(words)
    if args.command == "coverage":
        covered(args.count)
        return
    from tests.net.intruders import sequences

    began = time.monotonic()
    work: Any = decoder if args.command == "decoder" else sequences
    seen = shared(work, args.count, args.seed)
    took = time.monotonic() - began
    print(f"{args.command}: {args.count} in {took:.0f} s: {dict(sorted(seen.items()))}")


if __name__ == "__main__":
    main()
