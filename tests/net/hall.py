"""A table with its referee and its door, and clients that speak real bytes over memory streams.

Everything runs on the virtual clock. A `Tapped` client keeps every byte and message it is sent.
"""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias, TypeVar

import trio
from trio.testing import (
    MemoryReceiveStream,
    MemorySendStream,
    memory_stream_pair,
    wait_all_tasks_blocked,
)

from crisp_lan.fair import Verdict, Witness
from crisp_lan.game import table as tables
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import Act, Card, Line, Text, View
from crisp_lan.game.state import Table
from crisp_lan.net.calling import Call, Target
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.door import Door, Lock, hello
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import (
    PROTOCOL,
    Bye,
    Commits,
    Do,
    Hello,
    Join,
    Leave,
    No,
    Open,
    Opened,
    Ping,
    Pong,
    Show,
    Shuffle,
    Welcome,
)
from crisp_lan.net.protocol import Connection
from crisp_lan.net.referee import House, Referee
from crisp_lan.net.shuffling import Share

M = TypeVar("M")
Stream: TypeAlias = trio.StapledStream[MemorySendStream, MemoryReceiveStream]
ID = "K7Q2"
KEY = "the screen's key"
LONGEST = 6 * 3600
"""Seconds of the virtual clock in which whatever a test waits for at a table must have come."""
NO_JOURNAL = Text("no journal")


class Lines:
    """A journal in memory."""

    def __init__(self) -> None:
        self.all: list[Line] = []
        self.error = 0

    def write(self, lines: Sequence[Line]) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        self.all += lines

    def acts(self, do: str) -> list[Line]:
        return [line for line in self.all if line["kind"] == "act" and line["do"] == do]


class Stacked:
    """Lots that deal the same deck every time, and make seat 0 the first dealer."""

    def __init__(self, deck: Sequence[Card]) -> None:
        self.deck = list(deck)

    def shuffle(self, x: list[Card]) -> None:
        assert sorted(x) == sorted(self.deck)
        x[:] = self.deck

    def getrandbits(self, k: int, /) -> int:
        return 0


def deck_with(*top: Card) -> list[Card]:
    """The deck of 52 with these cards on top."""
    return [*top, *(card for card in CRISP.cards(2) if card not in top)]


PLAIN = deck_with("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "2D")
"""Nobody draws a court card for a while; seat 1 has the first turn."""


async def as_it_is(stream: trio.abc.Stream) -> trio.abc.Stream:
    """In place of encryption, which tests/net/test_secure.py is about."""
    return stream


class Hall:
    """One table, and the way in."""

    def __init__(
        self,
        nursery: trio.Nursery,
        table: Table,
        lots: Any = None,
        house: House | None = None,
        fair: bool = False,
        passcode: str = "",
    ) -> None:
        self.nursery = nursery
        self.journal = Lines()
        self.bots_wanted: list[tuple[str, str]] = []
        self.written: list[int] = []
        self.ended: Text | None = None
        dealing = lots or random.Random(1)
        self.referee = Referee(
            table,
            self.journal,
            None if fair else lambda table: dealing,
            house or House(("192.0.2.1",), 27477, KEY, table=ID),
            lambda level, key: self.bots_wanted.append((level, key)),
            lambda table: self.written.append(len(self.journal.all)),
        )
        lock = Lock(passcode, "") if passcode else None
        greeting = hello(ID, "" if passcode else "Ayu's table")
        self.door = Door(self.referee, greeting, as_it_is, lock)

    async def run(self) -> None:
        try:
            self.ended = await self.referee.run()
        except OSError:
            self.ended = NO_JOURNAL
        self.referee.dismiss_all(Bye(self.ended))

    def connect(self, address: str = "192.0.2.7") -> tuple[Stream, Stream]:
        """A bare stream to the door, and its other end."""
        ours, theirs = memory_stream_pair()
        self.nursery.start_soon(self.door.admit, theirs, address)
        return ours, theirs

    async def seat(self, name: str = "Ayu", address: str = "192.0.2.7", **join: Any) -> Tapped:
        """A client that has joined."""
        client = Tapped(*self.connect(address))
        self.nursery.start_soon(client.listen)
        await settled()
        client.say(Hello(PROTOCOL, "tapped"), Join(name, **join))
        await settled()
        return client

    async def call(self, target: Target) -> Call:
        """For `at_table`: this hall is the network."""
        return Call(self.connect()[0])

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        return None


class Nowhere:
    """A network on which nobody is."""

    async def call(self, target: Target) -> Call:
        raise NotReached(Text("no answer"))

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        return None


class Tapped:
    """A client played by a test. It answers pings while it listens, and keeps what it is sent.

    It takes part in decks, `commits` and `opens`, unless it is told not to, and its `witness`
    checks them: `verdicts`.
    """

    def __init__(self, stream: Stream, other_end: Stream) -> None:
        self.stream = stream
        self.into = other_end.receive_stream
        self.protocol = Connection("client")
        self.bytes = bytearray()
        self.heard: list[Any] = []
        self.serial = 0
        self.closed = False
        self.mute = False
        self.commits = self.opens = True
        self.share: Share | None = None
        self.witness = Witness()
        self.verdicts: list[Verdict] = []

    async def listen(self) -> None:
        """Keeps what comes until the host closes."""
        try:
            while chunk := await self.stream.receive_some(65_536):
                self.bytes += chunk
                self.protocol.receive_data(bytes(chunk))
                while (message := self.protocol.next_message()) is not None:
                    self.heard.append(message)
                    self.answer(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        self.closed = True

    def answer(self, message: Any) -> None:
        """What a client answers by itself."""
        if isinstance(message, Ping) and not self.mute:
            self.say(Pong(message.number))
        elif isinstance(message, Shuffle):
            self.share = Share(self.last(Hello).table, message)
            if self.commits and self.share.commit:
                self.say(self.share.commit)
        elif isinstance(message, Commits) and self.share:
            sealed = self.share.seal(message)
            assert sealed is not None
            self.witness.seal(sealed)
            if self.opens and sealed.secret:
                self.say(Open(sealed.deal, sealed.secret))
        elif isinstance(message, Show):
            self.judge(self.witness.see(message))
        elif isinstance(message, Opened) and (case := self.witness.open(message)):
            self.judge(case.verdict())

    def judge(self, verdict: Verdict | None) -> None:
        self.verdicts += [verdict] if verdict else []

    def say(self, *messages: Any) -> None:
        """Sends messages in one packet."""
        packet = b"".join(self.protocol.send(message) for message in messages)
        self.into.put_data(packet)

    def all(self, kind: type[M]) -> list[M]:
        return [message for message in self.heard if isinstance(message, kind)]

    def last(self, kind: type[M]) -> M:
        return next(message for message in reversed(self.heard) if isinstance(message, kind))

    @property
    def show(self) -> Show:
        return self.last(Show)

    @property
    def view(self) -> View:
        assert self.show.view is not None
        return self.show.view

    @property
    def token(self) -> str:
        return self.last(Welcome).token

    @property
    def offered(self) -> set[str]:
        view = self.show.view
        return {c.name for c in self.show.table.choices + (view.choices if view else ())}

    @property
    def acts(self) -> list[Act]:
        """Every act of the game that is offered."""
        choices = self.show.view.choices if self.show.view else ()
        return [Act(choice.name, picks) for choice in choices for picks in choice.picks]

    def clock(self, name: str) -> int | None:
        """The milliseconds that a clock of the view has left."""
        clocks = self.show.table.clocks + (self.show.view.clocks if self.show.view else ())
        return next((c.ends - self.show.now for c in clocks if c.name == name), None)

    def doing(self, act: str, *picks: Any, offer: int | None = None) -> Do:
        self.serial = max(self.serial, self.show.done) + 1
        return Do(self.show.offer if offer is None else offer, self.serial, act, picks)

    async def does(self, act: str, *picks: Any, offer: int | None = None) -> No | None:
        """Acts; gives the refusal, if there is one."""
        do, heard = self.doing(act, *picks, offer=offer), len(self.heard)
        self.say(do)
        await settled()
        answers = (no for no in self.heard[heard:] if isinstance(no, No))
        return next((no for no in answers if no.serial == do.serial), None)

    async def leaves(self) -> None:
        self.say(Leave())
        await settled()

    async def cut(self) -> None:
        """The connection breaks."""
        await trio.aclose_forcefully(self.stream)
        await settled()


async def settled() -> None:
    """Until everybody waits for somebody, or for the clock."""
    await wait_all_tasks_blocked()


async def later(seconds: float) -> None:
    """When that time has passed, and what was due then has come about."""
    await trio.sleep(seconds)
    await settled()


@asynccontextmanager
async def open_hall(
    size: int | None = None,
    *,
    lots: Any = None,
    house: House | None = None,
    passcode: str = "",
    by_itself: bool = False,
    once: bool = False,
    fair: bool = False,
    **options: Any,
) -> AsyncIterator[Hall]:
    """A table of Crisp with its door open; `fair`: all make the decks, else they come by `lots`."""
    table = tables.opened(CRISP, options, size, starts_by_itself=by_itself, once=once)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, table, lots, house, fair, passcode)
        nursery.start_soon(hall.run)
        with trio.fail_after(LONGEST):
            yield hall
        nursery.cancel_scope.cancel()


async def playing(hall: Hall, *names: str) -> list[Tapped]:
    """Clients at a table whose game has begun; the first look is over."""
    seats = [await hall.seat(name) for name in names]
    for seat in seats:
        assert await seat.does("ready") is None
    return seats
