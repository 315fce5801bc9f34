"""A table that is open, from its first connection to the last goodbye.

    Hosting.run ⊃ announcing ⊃ connections ⊃ service: referee, accepting, the table's own bots

The service ends first, whether the table is over, a signal came, or something failed. Then
everybody is told, connections have FAREWELL seconds to take that in, the announcement is taken back
and the journal is closed.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import trio

from crisp_lan import __version__
from crisp_lan.game.rules import Game, Setting, Text
from crisp_lan.game.state import Table
from crisp_lan.keeping import Kept
from crisp_lan.net.calling import Target
from crisp_lan.net.discovery import NOT_ANNOUNCED, Announcement, announced
from crisp_lan.net.door import Door, Lock, hello
from crisp_lan.net.link import FAREWELL
from crisp_lan.net.listening import logged_briefly
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL, Bye
from crisp_lan.net.networks import LOOPBACK
from crisp_lan.net.referee import House, Referee
from crisp_lan.net.robots import OwnBots
from crisp_lan.net.secure import Identity, secured_host
from crisp_lan.net.syncing import SyncedJournal

CLOSED = Text("The table was closed on the host’s machine.")
MOVED = "This table is at {addresses} now."
KNOWN_AS = "Others see this table as “{table}”: another table has its name."
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
class OpenTable:
    """A table that can be joined now: the first line that a headless host prints."""

    table: str
    id: str
    addresses: tuple[str, ...]
    port: int
    fingerprint: str
    passcode: str | None = None


class Hosting:
    """The parts of one table, and how they begin and end."""

    def __init__(
        self,
        settings: HostSettings,
        opened: OpenTable,
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
        self, listening: list[trio.SocketListener], ready: Callable[[OpenTable], None]
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
        ready: Callable[[OpenTable], None],
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


def _near(bind: str | None) -> str:
    """The address by which this machine reaches its own table."""
    return LOOPBACK if bind is None or bind in ("0.0.0.0", "::") else bind


def _lots(seed: int | None) -> Callable[[Table], Random] | None:
    """What the next round of a table is dealt with. With a seed it depends on that round alone, so
    that a table that goes on deals what it would have dealt; without, all make it together."""
    if seed is None:
        return None
    return lambda table: Random(f"{seed} {table.match} {table.round}")
