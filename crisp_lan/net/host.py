"""A table for others, from the first listening socket to the last goodbye.

    run_host ⊃ announcing ⊃ connections ⊃ service: referee, accepting, the table's own bots

The service ends first, whether the table is over, a signal came, or something failed. Then
everybody is told, connections have FAREWELL seconds to take that in, the announcement is taken back
and the journal is closed.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AsyncExitStack,
    asynccontextmanager,
    closing,
    contextmanager,
    nullcontext,
    suppress,
)
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import trio

from crisp_lan import __version__
from crisp_lan.check import Wrong
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Game, Line, Setting, Text
from crisp_lan.game.table import Table
from crisp_lan.journal import Journal, Running, Unreadable, game_line, read
from crisp_lan.keeping import Kept, kept
from crisp_lan.net.calling import Target
from crisp_lan.net.discovery import NOT_ANNOUNCED, Announcement, announced
from crisp_lan.net.door import Door, Lock, hello
from crisp_lan.net.link import FAREWELL
from crisp_lan.net.listening import (
    CannotListen,
    allow_many,
    listeners,
    logged_briefly,
    port_of,
)
from crisp_lan.net.listing import Listing
from crisp_lan.net.members import hashed
from crisp_lan.net.messages import PROTOCOL, Bye
from crisp_lan.net.networks import LOOPBACK, addresses
from crisp_lan.net.referee import House, Referee
from crisp_lan.net.robots import OwnBots
from crisp_lan.net.secure import Identity, identity_at, secured_host
from crisp_lan.net.syncing import SyncedJournal

CLOSED = Text("The table was closed on the host’s machine.")
MOVED = "This table is at {addresses} now."
KNOWN_AS = "Others see this table as “{table}”: another table has its name."
CANNOT_KEEP = Text(
    "No journal can be kept in {folder}: {error}. Mend that, or choose another folder with --data."
)
NO_JOURNAL = Text("The table cannot keep its journal any more, so it ends here.")

log = logging.getLogger(__name__)

_Announced: TypeAlias = tuple[Text | None, str, tuple[str, ...]]
"""The problem, the name and the addresses of an announcement."""


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a table is opened.

    `port`: None for the usual one or the next that is free, 0 for any. `bots`: the levels of the
    bots that come by themselves. `key_fd`: where the secret of the table's own screen is written.
    `first_is_host`: the first person seated holds the host's rights. `stand_in`: the level of the
    bot that steps in by itself for somebody away, "" for none. `passcode`: "" for none.
    """

    game: Game[Any]
    table: str
    journals: Path
    options: Mapping[str, Setting] = field(default_factory=dict)
    size: int | None = None
    starts_by_itself: bool = False
    first_is_host: bool = False
    bots: Sequence[str] = ()
    port: int | None = None
    bind: str | None = None
    announce: bool = True
    once: bool = False
    stand_in: str = ""
    deal_seed: int | None = None
    passcode: str = field(default="", repr=False)
    key_fd: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that can be joined now: the first line that a headless host prints."""

    table: str
    id: str
    addresses: tuple[str, ...]
    port: int
    fingerprint: str
    passcode: str | None = None


class HostFailed(Exception):
    """The table could not be opened; `text` says why and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


async def run_host(settings: HostSettings, ready: Callable[[Opened], None]) -> Text:
    """Runs a table until it ends or a signal ends it; returns why. `ready` is told once.

    Raises HostFailed, or Refused for options that the game cannot be played with.
    """
    table = tables.opened(
        settings.game,
        settings.options,
        settings.size,
        starts_by_itself=settings.starts_by_itself,
        repeatable=settings.deal_seed is not None,
        once=settings.once,
        stand_in=settings.stand_in,
        games=GAMES,
    )
    async with AsyncExitStack() as stack:
        listening = await stack.enter_async_context(_listening(settings.bind, settings.port))
        table_id, port = secrets.token_hex(8), port_of(listening)
        with _kept_in(settings.journals):
            journal = stack.enter_context(closing(_journal(settings, table, table_id, port)))
            identity = await _identity(journal.path)
            key = _new_key(settings, journal)
        opened = _opened(settings, table_id, port, identity)
        hosting = _Hosting(settings, opened, identity, table, SyncedJournal(journal), key)
        return await hosting.run(listening, ready)


@dataclass(frozen=True, slots=True)
class Again:
    """From which journal a table goes on, and how; `port` and `bind` are as they were if None."""

    path: Path
    port: int | None = None
    bind: str | None = None
    announce: bool = True
    key_fd: int | None = None


async def resume_host(again: Again, ready: Callable[[Opened], None]) -> Text:
    """Runs a table on from its journal, as `run_host` does. Raises HostFailed."""
    async with AsyncExitStack() as stack:
        with _kept_in(again.path):
            journal = stack.enter_context(closing(_reopened(again.path)))
            was = _kept(again.path)
        settings = _settings(again, was)
        listening = await stack.enter_async_context(
            _listening(settings.bind, settings.port, or_next=again.port is None)
        )
        port = port_of(listening)
        with _kept_in(again.path):
            identity = await _identity(again.path)
            news = tuple(_news(journal.mend(), settings.port, port))
            was = replace(was, due=tuple(map(_whole, was.due)))
            journal.write([*was.due, {"kind": "again", **_place(settings, port)}])
            key = _new_key(settings, journal)
        opened = _opened(settings, again.path.stem, port, identity)
        hosting = _Hosting(
            settings, opened, identity, was.table, SyncedJournal(journal), key, was, news
        )
        return await hosting.run(listening, ready)


@asynccontextmanager
async def _listening(
    bind: str | None, port: int | None, *, or_next: bool = False
) -> AsyncIterator[list[trio.SocketListener]]:
    """Raises HostFailed. `or_next`: where the port is taken, the next that is free will do."""
    allow_many()
    async with AsyncExitStack() as stack:
        try:
            listening = await listeners(bind, port, or_next=or_next)
        except CannotListen as error:
            raise HostFailed(error.text) from error
        for listener in listening:
            await stack.enter_async_context(listener)
        yield listening


def _opened(settings: HostSettings, table_id: str, port: int, identity: Identity) -> Opened:
    near, passcode = addresses(settings.bind), settings.passcode or None
    return Opened(settings.table, table_id, near, port, identity.fingerprint, passcode)


async def _identity(journal: Path) -> Identity:
    """What the table with this journal is known by. Raises HostFailed, or OSError."""
    try:
        return await trio.to_thread.run_sync(identity_at, journal.with_suffix(".pem"))
    except Unreadable as error:
        raise HostFailed(error.text) from None


def _journal(settings: HostSettings, table: Table, table_id: str, port: int) -> Journal:
    header: Line = {
        "id": table_id,
        "table": settings.table,
        "game": table.game.key,
        "options": dict(table.options),
        "size": table.wanted,
        "starts_by_itself": table.starts_by_itself,
        "repeatable": table.repeatable,
        "once": table.once,
        "stand_in": table.stand_in,
        "first_is_host": settings.first_is_host,
        "bots": list(settings.bots),
        "deal_seed": settings.deal_seed,
        "passcode": settings.passcode,
        **_place(settings, port),
    }
    return Journal(settings.journals / f"{table_id}.jsonl", header)


def _place(settings: HostSettings, port: int) -> Line:
    """Where a table is, for the journal."""
    return {"port": port, "bind": settings.bind, "announce": settings.announce}


def _new_key(settings: HostSettings, journal: Journal) -> str:
    """The key of the table's own screen, handed over; the journal keeps its hash."""
    key = secrets.token_urlsafe(24)
    if settings.key_fd is not None:
        journal.write([{"kind": "key", "hash": hashed(key).hex()}])
        _hand_over(settings.key_fd, key)
    return key


@contextmanager
def _kept_in(path: Path) -> Iterator[None]:
    """Raises HostFailed where no journal can be kept."""
    try:
        yield
    except OSError as error:
        values = {"folder": str(path), "error": error.strerror or ""}
        raise HostFailed(Text(CANNOT_KEEP.key, values)) from error


# ---------------------------------------------------------------- going on


def _reopened(path: Path) -> Journal:
    """Raises HostFailed if the table is open, and OSError."""
    try:
        return Journal.again(path)
    except Running:
        values = {"id": path.stem}
        sentence = "That table is open already: {command} join --id {id} sits down at it."
        raise HostFailed(Text(sentence, values)) from None


def _kept(path: Path) -> Kept:
    """Raises HostFailed if that cannot be gone on with, and OSError."""
    try:
        return kept(read(path))
    except Unreadable as error:
        raise HostFailed(error.text) from None
    except Wrong as wrong:
        sentence = "{file} cannot be gone on with: line {n} does not follow from those before it."
        raise HostFailed(Text(sentence, {"file": str(path), "n": wrong.number})) from None


def _settings(again: Again, was: Kept) -> HostSettings:
    """As the table was opened, but for what is given anew."""
    known = was.opening
    return HostSettings(
        was.table.game,
        str(known["table"]),
        again.path.parent,
        first_is_host=bool(known.get("first_is_host")),
        bots=known.get("bots", ())[was.bots :],
        port=again.port if again.port is not None else known.get("port"),
        bind=again.bind or known.get("bind"),
        announce=again.announce and known.get("announce", True),
        deal_seed=known.get("deal_seed"),
        passcode=known.get("passcode", ""),
        key_fd=again.key_fd,
    )


def _whole(line: Line) -> Line:
    return game_line(line, secrets.token_hex(8)) if line["kind"] == "game" else line


def _news(torn: bool, wanted: int | None, port: int) -> Iterator[Text]:
    """What is not as it was, for the host and for the log."""
    if torn:
        yield Text("The last line of the journal was torn: what it told is lost.")
    if wanted and port != wanted:
        values = {"wanted": wanted, "port": port}
        yield Text("Port {wanted} is taken: the table is at port {port} now.", values)


# ---------------------------------------------------------------- a table that is open


class _Hosting:
    """The parts of one table, and how they begin and end."""

    def __init__(
        self,
        settings: HostSettings,
        opened: Opened,
        identity: Identity,
        table: Table,
        journal: SyncedJournal,
        key: str,
        was: Kept | None = None,
        news: tuple[Text, ...] = (),
    ) -> None:
        """`was`: what it goes on from. `news`: what the host must know of that."""
        self._settings = settings
        self._opened = opened
        self._was = was
        self._own_news = news
        near = Target((_near(settings.bind),), opened.port, opened.id, opened.fingerprint)
        self._bots = OwnBots(near, self._bots_died)
        self._journal = journal
        self._referee = Referee(
            table,
            self._journal,
            _lots(settings.deal_seed),
            House(
                opened.addresses,
                opened.port,
                key,
                settings.first_is_host,
                opened.id,
                opened.table,
                settings.passcode,
            ),
            self._bots.bring,
            self._announce_change,
        )
        securing = partial(secured_host, identity=identity)
        if settings.passcode:
            lock = Lock(settings.passcode, opened.fingerprint)
            self._door = Door(self._referee, hello(opened.id), securing, lock)
        else:
            self._door = Door(self._referee, hello(opened.id, opened.table), securing)
        self._announcement: Announcement | None = None
        self._listing = self._listing_of(table)

    async def run(
        self, listening: list[trio.SocketListener], ready: Callable[[Opened], None]
    ) -> Text:
        stop = trio.Event()
        with trio.open_signal_receiver(*_SIGNALS) as signals:
            async with trio.open_nursery() as nursery, self._announced() as announcement:
                self._announcement = announcement
                nursery.start_soon(_set_at_signal, signals, stop)
                bye = await self._serve(listening, stop, ready)
                nursery.cancel_scope.cancel()
        return bye.why

    def _announced(self) -> AbstractAsyncContextManager[Announcement | None]:
        if not self._settings.announce:
            return nullcontext()
        return announced(self._listing, self._settings.bind)

    async def _serve(
        self,
        listening: list[trio.SocketListener],
        stop: trio.Event,
        ready: Callable[[Opened], None],
    ) -> Bye:
        """From the first connection to the last."""
        async with trio.open_nursery() as connections:
            bye = Bye(CLOSED)
            async with trio.open_nursery() as service:
                await service.start(self._accept, listening, connections)
                service.start_soon(self._bots.run)
                service.start_soon(self._report)
                service.start_soon(_cancel_at, stop, service.cancel_scope)
                if self._was is not None:
                    self._go_on(self._was)
                for level in self._settings.bots:
                    self._referee.send_for_bot(level)
                ready(self._opened)
                bye = Bye(await self._judge())
                service.cancel_scope.cancel()
            if bye.why == CLOSED:
                bye = Bye(CLOSED, again=self._referee.table.phase != "lobby")
            if self._referee.table.phase == "lobby":
                with suppress(OSError):
                    self._referee.close()
            self._referee.dismiss_all(bye)
            connections.cancel_scope.deadline = trio.current_time() + FAREWELL
        return bye

    def _go_on(self, was: Kept) -> None:
        log.info("goes on from its journal. %s", " ".join(text.key for text in self._own_news))
        self._referee.restore(was)
        self._referee.tell_host(*self._own_news)

    async def _judge(self) -> Text:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._journal.run)
                why = await self._referee.run()
                nursery.cancel_scope.cancel()
        except* OSError as errors:
            why = NO_JOURNAL
            reasons = {str(e.strerror) for e in errors.exceptions if isinstance(e, OSError)}
            log.error("the journal cannot be kept: %s", ", ".join(sorted(reasons)))
        return why

    async def _accept(
        self,
        listening: list[trio.SocketListener],
        connections: trio.Nursery,
        task_status: trio.TaskStatus[list[trio.SocketListener]],
    ) -> None:
        with logged_briefly():
            await trio.serve_listeners(
                self._admit, listening, handler_nursery=connections, task_status=task_status
            )

    async def _admit(self, stream: trio.SocketStream) -> None:
        try:
            address = str(stream.socket.getpeername()[0])
        except OSError:
            await trio.aclose_forcefully(stream)
            return
        await self._door.admit(stream, address)

    # ------------------------------------------------------------ what is said of the table

    async def _report(self) -> None:
        """Tells the host what is in the way of the table's being found by its name."""
        told: _Announced = (None, self._opened.table, self._opened.addresses)
        while (announcement := self._announcement) is not None:
            changed = announcement.changed
            now = (announcement.problem, announcement.name, announcement.addresses)
            if now != told:
                told = now
                news = self._news_of(*now)
                log.info("announced as %s. %s", now[1], " ".join(text.key for text in news))
                self._referee.tell_host(*news)
            await changed.wait()

    def _news_of(self, problem: Text | None, name: str, near: tuple[str, ...]) -> tuple[Text, ...]:
        if problem is not None:
            return (*self._own_news, problem, NOT_ANNOUNCED)
        news = list(self._own_news)
        if name != self._opened.table:
            news.append(Text(KNOWN_AS, {"table": name}))
        if near != self._opened.addresses:
            spots = ", ".join(replace(self._listing, addresses=(each,)).spot for each in near)
            news.append(Text(MOVED, {"addresses": spots}))
        return tuple(news)

    def _announce_change(self, table: Table) -> None:
        listing = self._listing_of(table)
        if self._announcement is not None and listing != self._listing:
            self._announcement.update(listing)
        self._listing = listing

    def _listing_of(self, table: Table) -> Listing:
        closed = self._opened.passcode is not None
        return Listing(
            id=self._opened.id,
            table=self._opened.table,
            game=table.game.key,
            players=0 if closed else sum(chair.by != "left" for chair in table.chairs),
            seats=0 if closed else table.size,
            phase="" if closed else table.phase,
            protocol=PROTOCOL,
            version=__version__,
            passcode=closed,
            addresses=self._opened.addresses,
            port=self._opened.port,
            fingerprint=self._opened.fingerprint,
        )

    def _bots_died(self) -> None:
        self._referee.replace_bots()


_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]


async def _set_at_signal(signals: AsyncIterator[int], stop: trio.Event) -> None:
    async for number in signals:
        log.info("%s", signal.Signals(number).name)
        stop.set()


async def _cancel_at(stop: trio.Event, scope: trio.CancelScope) -> None:
    await stop.wait()
    scope.cancel()


def _hand_over(fd: int, key: str) -> None:
    with os.fdopen(fd, "w") as pipe:
        pipe.write(key + "\n")


def _near(bind: str | None) -> str:
    """The address by which this machine reaches its own table."""
    return LOOPBACK if bind is None or bind in ("0.0.0.0", "::") else bind


def _lots(seed: int | None) -> Callable[[Table], Random] | None:
    """What the next round of a table is dealt with. With a seed it depends on that round alone, so
    that a table that goes on deals what it would have dealt; without, all make it together."""
    if seed is None:
        return None
    return lambda table: Random(f"{seed} {table.match} {table.round}")
