"""Conversations with a host that has a game on: what strangers, watchers and a bad player may say.

Three honest players go on playing all the while. Whatever they are offered is taken, nobody else
moves their cards, no connection is left behind, and nothing grows.
"""

from __future__ import annotations

import gc
import logging
import random
import resource
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from typing import Any

import trio
from trio.testing import MockClock

from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, Text
from crisp_lan.net.codec import LIMIT, Role, encode
from crisp_lan.net.link import Link
from crisp_lan.net.members import Member
from crisp_lan.net.messages import (
    PROTOCOL,
    Ask,
    Bye,
    Commit,
    Commits,
    Do,
    Half,
    Hello,
    Join,
    Leave,
    No,
    Open,
    Opened,
    Ping,
    Pong,
    Proof,
    Say,
    Shuffle,
    Welcome,
)
from tests import records
from tests.net.hall import Hall, Tapped, later, settled
from tests.net.rights import RECORD
from tests.net.samples import full_show

HEX = "0f" * 32
BATCH = 500
"""Conversations with one table, before there is another."""
ROOM = 32 * 1024
"""KiB by which the process may grow after its first table."""
NAMES = ("Ayu", "Eve", "", "\x1b]52;c;?\x07", "Ayu\u200b", "‮Ayu", "x" * 64, "{0}%s<b>", "🂡" * 16)
TAKEN = (
    *("pause", "end", "unready", "ask", "remove", "set", "game", "bot", "exchange", "resume"),
    "crisp",
)
"""Acts that an honest player here leaves alone."""


@cache
def seeds(sender: Role) -> tuple[bytes, ...]:
    """One good payload of each kind of message."""
    both: tuple[Any, ...] = (Hello(PROTOCOL, "x", "K7Q2", "Ayu's table"), Ping(7), Pong(2**53))
    both += (Half("0f" * 33), Proof(HEX))
    client = (Join("Ayu", HEX[:40], HEX[:40], "hard", True), Leave(), Commit(3, HEX), Open(3, HEX))
    client += (Say("Good call!"), Say(NAMES[3]))
    acts = (Do(1, 1, "swap", ("left",)), Do(9, 2**53, "queen", ("left", 3, "right")))
    host: tuple[Any, ...] = (Welcome(HEX[:40], ("192.0.2.1", "fd00::1"), 27477), full_show(), Ask())
    host += (No(3, Text("{seat} has left.", {"seat": 1})), Bye(Text("Bye."), again=True))
    host += (
        Shuffle(1, 2, HEX),
        Commits(1, ((0, HEX), (1, HEX))),
        Opened(0, ('{"kind":"game"}',), True),
    )
    return tuple(map(encode, both + (client + acts if sender == "client" else host)))


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


class Intruder:
    """Makes up conversations by lot."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots

    def conversation(self, token: str) -> list[bytes]:
        """The pieces that one connection sends. `token`: of the seat it may come back to, or ""."""
        lots = self.lots
        frames = [framed(encode(Hello(PROTOCOL, "x"))), framed(encode(self.join(token)))]
        if lots.random() < 0.1:
            lots.shuffle(frames)
        frames = frames[: 3 if lots.random() < 0.9 else 1]
        frames += [self.frame() for _ in range(lots.randrange(12))]
        whole = b"".join(frames)
        cuts = sorted(lots.randrange(len(whole) + 1) for _ in range(lots.randrange(4)))
        return [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)]) if a < b]

    def join(self, token: str) -> Join:
        lots = self.lots
        what = lots.randrange(6)
        if token and what < 3:
            return Join("Eve", token=token)
        key = "not the key" if what == 3 else ""
        level = lots.choice(("", "", "hard", "best"))
        return Join(
            lots.choice(NAMES), "no token" if what == 4 else "", key, level, lots.random() < 0.6
        )

    def frame(self) -> bytes:
        lots = self.lots
        match lots.randrange(12):
            case 0:
                return framed(lots.randbytes(lots.randrange(60)))
            case 1:
                return lots.randbytes(lots.randrange(1, 60))
            case 2:
                payload = bytearray(lots.choice(seeds("client")))
                payload[lots.randrange(len(payload))] = lots.randrange(256)
                return framed(bytes(payload))
            case 3:
                return framed(lots.choice(seeds("host")))
            case 4:
                return (LIMIT["client"] + lots.randrange(-1, 2)).to_bytes(4, "big") + b"\x91" * 50
            case 5:
                return framed(lots.choice(seeds("client")))
            case 6:
                return framed(encode(Say(lots.choice(NAMES)))) * lots.randrange(1, 9)
            case _:
                return framed(encode(self.act()))

    def act(self) -> Do:
        lots = self.lots
        names = ("draw", "swap", "discard", "jack", "queen", "king", "look", "close", "ready")
        names += ("crisp", "next", "take", "skip", "end", "pause", "remove", "set", "bot", "start")
        picks = ((), ("left",), ("left", 0, "right"), (0,), (1, "hard"), ("limit", "1"), ("3",))
        return Do(lots.randrange(40), lots.randrange(1, 60), lots.choice(names), lots.choice(picks))


class Attacked:
    """One table with three honest players, a seat for the intruder, and what is checked of it."""

    def __init__(self, lots: random.Random) -> None:
        self.lots, self.intruder = lots, Intruder(lots)
        self.seen: Counter[str] = Counter()

    async def play(self, count: int) -> None:
        """So many conversations, and honest acts between them."""
        options = {"draw_time": 30, "limit": 100_000}
        table = tables.opened(GAMES["crisp"], options, 4, starts_by_itself=True)
        async with trio.open_nursery() as nursery:
            self.hall = Hall(nursery, table, random.Random(self.lots.random()))
            nursery.start_soon(self.hall.run)
            self.honest = [await self.hall.seat(f"P{n}", "192.0.2.1") for n in range(3)]
            bad = await self.hall.seat("Eve", "192.0.2.66")
            self.token = bad.token
            await bad.cut()
            await later(10)
            self.tasks = trio.lowlevel.current_statistics().tasks_living
            for number in range(count):
                await self.one(f"192.0.2.{number % 200}")
            await later(30)
            await self.check_rest()
            nursery.cancel_scope.cancel()

    async def one(self, address: str) -> None:
        """One conversation, and an honest act."""
        token = self.token if self.lots.random() < 0.3 else ""
        ours, theirs = self.hall.connect(address)
        await settled()
        with_reader = self.lots.random() < 0.8
        for piece in self.intruder.conversation(token):
            theirs.receive_stream.put_data(piece)
            await settled()
            while with_reader and await self.some(ours):
                self.seen["answers"] += 1
        await trio.aclose_forcefully(ours)
        await settled()
        self.seen["sequences"] += 1
        await self.honest_act()

    async def some(self, ours: Any) -> bytes:
        """What has come by now; b"" if nothing has, or the other side has closed."""
        with trio.move_on_after(0.001), suppress(trio.BrokenResourceError):
            return bytes(await ours.receive_some(65_536))
        return b""

    async def honest_act(self) -> None:
        """The first honest player who can do something does, and it is taken."""
        assert not any(player.closed for player in self.honest), "an honest player was cut off"
        for player in self.honest:
            acts = [act for act in offered(player) if act.name not in TAKEN]
            if acts:
                act = self.lots.choice(acts)
                assert await player.does(act.name, *act.picks) is None, act
                self.seen["honest acts"] += 1
                return
        await later(2.5)

    async def check_rest(self) -> None:
        assert trio.lowlevel.current_statistics().tasks_living <= self.tasks, "tasks are left"
        assert [p.name for p in self.honest[0].show.table.players][:3] == ["P0", "P1", "P2"]
        record: list[Any] = []
        for line in self.hall.journal.all:
            if line["kind"] == "game":
                record = []
            if line["kind"] in RECORD:
                record.append(line)
        records.check(record)
        gc.collect()
        alive = Counter(type(thing) for thing in gc.get_objects())
        assert alive[Link] == len(self.honest), "links are left"
        assert alive[Member] == len(self.hall.referee.members), "members are left"


def offered(player: Tapped) -> list[Act]:
    choices = player.show.table.choices + (player.view.choices if player.show.view else ())
    return [Act(choice.name, picks) for choice in choices for picks in choice.picks]


def sequences(count: int, seed: int) -> Counter[str]:
    """So many conversations. Raises AssertionError, or what came out of the host."""
    lots = random.Random(seed)
    seen: Counter[str] = Counter()
    errors = Errors()
    logging.getLogger("crisp_lan").addHandler(errors)
    grown = 0
    for size in batches(count):
        attacked = Attacked(lots)
        trio.run(partial(attacked.play, size), clock=MockClock(autojump_threshold=0))
        seen += attacked.seen
        assert not errors.records, errors.records
        grown = grown or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    logging.getLogger("crisp_lan").removeHandler(errors)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - grown < ROOM
    return seen


def batches(count: int) -> Iterator[int]:
    while count > 0:
        yield min(count, BATCH)
        count -= BATCH


class Errors(logging.Handler):
    """Keeps what was logged as an error: the host has none of its own over what others send."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record.getMessage())
