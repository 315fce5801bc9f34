"""An evening at one table, played by lots, and everything that anybody was sent in it.

People sit down, watch, play, are cut off, come back (also while they are still there), leave, pause
and play on, a bot plays for somebody away, and the host may choose another game for a rematch.
Whatever is done is written down as `Deed`s: the same evening can be played with other cards.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

import trio
from trio.testing import MockClock

from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, Card, Game, Line, Seat, Setting
from crisp_lan.net.door import _Way
from crisp_lan.net.messages import PHRASES, PROTOCOL, Hello, Join, Ping, Say, Show, Welcome
from crisp_lan.net.protocol import State
from tests.net.hall import KEY, Hall, Stream, Tapped, later, settled

PAUSES = (0.0, 0.0, 0.1, 0.5, 1.0, 2.0, 2.0, 2.0, 2.9, 3.0, 5.0, 11.0, 46.0)
"""In seconds, about: what is done at the very instant of a deadline may come before it or after."""
RARE: Mapping[str, float] = {
    "crisp": 0.08,
    "remove": 0.01,
    "end": 0.0,
    "set": 0.1,
    "unready": 0.05,
    "ask": 0.02,
    "pause": 0.02,
    "resume": 0.5,
    "game": 0.3,
    "bot": 0.3,
}
"""Acts that would soon end everything, or that nothing comes of, and how often they are done."""
WRONG: tuple[tuple[str, tuple[int | str, ...]], ...] = (
    *(("draw", ()), ("crisp", ()), ("swap", ("left",)), ("look", ("middle",)), ("fly", ())),
    *(("play", ("7C",)), ("play", ("7", "7")), ("pick", ("deck",)), ("bid", ("A", "61"))),
    *(("queen", ("left", 0, "left")), ("swap", ("3",)), ("call", ("C",)), ("end", ())),
)


@dataclass(frozen=True)
class Kind:
    """What is played: a game, by how many, with which options."""

    game: Game[Any]
    seats: int
    options: Mapping[str, Setting] = field(default_factory=dict)


@dataclass(frozen=True)
class Deed:
    """After a pause somebody does something: an act; `cut`, `back`, `leave`; or a newcomer, who is
    the next person, does `sit`, `watch` or `stand in`."""

    pause: float
    person: int
    what: str
    picks: tuple[int | str, ...] = ()
    act: bool = False


@dataclass(frozen=True)
class Sent:
    """A message as it came: over which of the person's connections, when, its payload, and how
    many lines had been written by then."""

    link: int
    at: float
    payload: bytes
    message: Any
    lines: int

    @property
    def is_ping(self) -> bool:
        return isinstance(self.message, Ping)


class Listener(Tapped):
    """A connection that writes down for its person what comes, and when."""

    def __init__(self, stream: Stream, other_end: Stream, person: Person, hall: Hall) -> None:
        super().__init__(stream, other_end)
        self.person, self.hall, self.read = person, hall, 0
        self.shown: Show | None = None
        self.number = person.links = person.links + 1

    @property
    def gone(self) -> bool:
        return self.closed or self.protocol.state is not State.SEATED

    @property
    def show(self) -> Show:
        assert self.shown is not None
        return self.shown

    def answer(self, message: Any) -> None:
        length = 4 + int.from_bytes(self.bytes[self.read : self.read + 4], "big")
        payload = bytes(self.bytes[self.read + 4 : self.read + length])
        self.read += length
        if isinstance(message, Welcome):
            payload = payload.replace(message.token.encode(), b"-" * len(message.token))
        if isinstance(message, Show):
            self.shown = message
        lines = len(self.hall.journal.all)
        self.person.sent.append(Sent(self.number, trio.current_time(), payload, message, lines))
        super().answer(message)


@dataclass
class Person:
    """Somebody at the table, over however many connections, and all that they were sent."""

    name: str
    watch: bool = False
    sent: list[Sent] = field(default_factory=list)
    client: Listener | None = None
    links: int = 0

    @property
    def token(self) -> str:
        welcomed = (s.message for s in self.sent if isinstance(s.message, Welcome))
        return next((welcome.token for welcome in welcomed), "")

    @property
    def here(self) -> Listener | None:
        client = self.client
        return client if client and client.shown and not client.gone else None


class Decks:
    """Lots that deal by a seed, or a deck that was asked for."""

    def __init__(self, seed: int, given: Mapping[int, Sequence[Card]]) -> None:
        self.seed, self.given = seed, given
        self.dealt: list[list[Card]] = []

    def shuffle(self, x: list[Card]) -> None:
        lots = random.Random(1000 * self.seed + len(self.dealt))
        deck = lots.sample(sorted(x), len(x))
        x[:] = self.given.get(len(self.dealt), deck)
        self.dealt.append(list(x))

    def getrandbits(self, k: int, /) -> int:
        return random.Random(self.seed).getrandbits(k)


@dataclass
class Mark:
    """How far things had come after a deed: lines, decks, and for each person what was sent."""

    lines: int
    decks: int
    sent: list[int]
    at: float


@dataclass
class Evening:
    """What was done, written and sent. `upto`: how many lines each version of the table has."""

    people: list[Person] = field(default_factory=list)
    deeds: list[Deed] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    upto: dict[int, int] = field(default_factory=dict)
    decks: list[list[Card]] = field(default_factory=list)
    refused: set[int] = field(default_factory=set)
    """The deeds that were refused, by number."""

    def game_at(self, line: int) -> str:
        """What was played when this line was written."""
        games = (line["game"] for line in self.lines[line::-1] if line["kind"] == "game")
        return str(next(games))

    def written(self, version: int) -> int:
        """How many lines lay behind a version of the table."""
        return self.upto[max(v for v in (0, *self.upto) if v <= version)] if version else 0


class Host:
    """Plays one evening."""

    def __init__(self, kind: Kind, seed: int, length: int, fair: bool) -> None:
        self.kind, self.seed, self.length, self.fair = kind, seed, length, fair
        self.lots = random.Random(seed)
        self.evening = Evening()
        self.bots = 0

    async def play(
        self, script: Sequence[Deed] | None, given: Mapping[int, Sequence[Card]]
    ) -> Evening:
        decks = Decks(self.seed, given)
        options = dict(self.kind.options)
        table = tables.opened(self.kind.game, options, games=GAMES, stand_in="easy")
        self.evening.upto[0] = 0
        self.evening.decks = decks.dealt
        async with trio.open_nursery() as nursery:
            self.hall = Hall(nursery, table, decks, fair=self.fair)
            nursery.start_soon(self.hall.run)
            for deed in script if script is not None else self.invented():
                await later(deed.pause)
                await self.do(deed)
                self.evening.deeds.append(deed)
                sent = [len(person.sent) for person in self.evening.people]
                lines = len(self.hall.journal.all)
                self.evening.marks.append(Mark(lines, len(decks.dealt), sent, trio.current_time()))
            nursery.cancel_scope.cancel()
        self.evening.lines = self.hall.journal.all
        return self.evening

    def posted(self, message: Any) -> None:
        """What the host is about to send, before anything else can happen."""
        if isinstance(message, Show):
            self.evening.upto.setdefault(message.version, len(self.hall.journal.all))

    # ------------------------------------------------------------ what is done

    async def do(self, deed: Deed) -> None:
        if not deed.what:
            return
        if deed.what in ("sit", "watch", "stand in") and not deed.act:
            await self.comes(deed.what)
            return
        person = self.evening.people[deed.person]
        client = person.client
        assert client is not None
        if deed.what == "back" and not deed.act:
            await self.join(person, Join(person.name, token=person.token, watch=person.watch))
        elif client.gone:
            return
        elif deed.what == "say":
            for words in deed.picks:
                client.say(Say(str(words)))
                await settled()
        elif deed.act:
            if await client.does(deed.what, *deed.picks):
                self.evening.refused.add(len(self.evening.deeds))
        elif deed.what == "cut":
            await client.cut()
        else:
            await client.leaves()

    async def comes(self, what: str) -> None:
        """A newcomer. The first holds the host's rights."""
        people = self.evening.people
        person = Person(f"P{len(people)}", watch=what == "watch")
        if what == "stand in":
            level, key = self.hall.bots_wanted[self.bots]
            self.bots += 1
            join = Join(person.name, key=key, level=level)
        else:
            join = Join(person.name, key="" if people else KEY, watch=person.watch)
        people.append(person)
        await self.join(person, join)

    async def join(self, person: Person, join: Join) -> None:
        client = Listener(*self.hall.connect(f"192.0.2.{len(person.name)}"), person, self.hall)
        person.client = client
        self.hall.nursery.start_soon(client.listen)
        await settled()
        client.say(Hello(PROTOCOL, "tapped"), join)
        await settled()

    # ------------------------------------------------------------ by lots

    def invented(self) -> Iterator[Deed]:
        lots = self.lots
        for number in range(self.kind.seats):
            yield Deed(0.0, number, "sit")
        yield Deed(0.0, self.kind.seats, "watch")
        for number in range(1, self.kind.seats):
            yield Deed(0.1, number, "ready", act=True)
        yield Deed(0.1, 0, "start", act=True)
        for _ in range(self.length):
            if self.hall.ended is not None or self.hall.referee.table.over:
                return
            pause = lots.choice(PAUSES) if lots.random() < 0.7 else 2.1
            yield self.deed(pause + lots.randrange(1, 50) / 1000)

    def deed(self, pause: float) -> Deed:
        lots, people = self.lots, self.evening.people
        if len(self.hall.bots_wanted) > self.bots:
            return Deed(pause, len(people), "stand in")
        if lots.random() < 0.04:
            return self.coming(pause)
        if lots.random() < 0.03:
            words = lots.choice((*PHRASES, "I had a king", "{seat}", "…"))
            return Deed(pause, self.someone(), "say", (words,) * lots.randrange(1, 7))
        offered = [(n, act) for n, p in enumerate(people) if p.here for act in offers(p.here)]
        wanted = [(n, act) for n, act in offered if lots.random() < RARE.get(act.name, 1.0)]
        if not wanted or lots.random() < 0.05:
            name, picks = lots.choice(WRONG)
            return Deed(pause, self.someone(), name, picks, act=name != "end")
        person, name = lots.choice(sorted({(n, act.name) for n, act in wanted}))
        act = lots.choice([act for n, act in offered if n == person and act.name == name])
        return Deed(pause, person, act.name, act.picks, act=True)

    def coming(self, pause: float) -> Deed:
        lots, people = self.lots, self.evening.people
        new = 0 if len(people) > self.kind.seats + 8 else 2
        what = lots.choices(("cut", "back", "leave", "sit", "watch"), (6, 9, 1, new, new))[0]
        if what in ("sit", "watch"):
            return Deed(pause, len(people), what)
        away = [n for n, p in enumerate(people) if not p.here and p.client and not p.watch]
        if what == "back" and away and lots.random() < 0.8:
            return Deed(pause, lots.choice(away), what)
        return Deed(pause, self.someone(), what)

    def someone(self) -> int:
        return self.lots.randrange(len(self.evening.people))


def offers(client: Tapped) -> list[Act]:
    """Every act that is offered to a client, at the table and in the round."""
    choices = client.show.table.choices + (client.view.choices if client.show.view else ())
    return [Act(choice.name, picks) for choice in choices for picks in choice.picks]


def play(
    kind: Kind,
    seed: int,
    *,
    length: int = 50,
    fair: bool = False,
    script: Sequence[Deed] | None = None,
    given: Mapping[int, Sequence[Card]] | None = None,
) -> Evening:
    """An evening by lots, or with the deeds of another and these decks, on the virtual clock."""
    host = Host(kind, seed, length, fair)
    clock = MockClock(autojump_threshold=0)
    lots = random.Random(seed)
    post = _Way.post

    def posting(way: _Way, message: Any) -> None:
        host.posted(message)
        post(way, message)

    with (
        patch.object(secrets, "token_bytes", lambda n=32: lots.randbytes(n or 32)),
        patch.object(_Way, "post", posting),
    ):
        return trio.run(partial(host.play, script, given or {}), clock=clock)


def seat_of(sent: Sequence[Sent]) -> Seat | None:
    """Which seat the last show was for."""
    return next((s.message.seat for s in reversed(sent) if isinstance(s.message, Show)), None)
