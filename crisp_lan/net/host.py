"""A table for others, from the first listening socket to the last goodbye.

    run_host ⊃ announcing ⊃ connections ⊃ service: referee, accepting, the table's own bots

The service ends first, whether the table is over, a signal came, or something failed. Then
everybody is told, connections have FAREWELL seconds to take that in, the announcement is taken back
and the journal is closed.
"""

from __future__ import annotations

import logging
import os
import random
import secrets
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, closing, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import trio

from crisp_lan import __version__
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Game, Line, Setting, Text
from crisp_lan.game.table import Table
from crisp_lan.journal import Journal
from crisp_lan.net.client import Target
from crisp_lan.net.discovery import NOT_ANNOUNCED, Announcement, announced
from crisp_lan.net.door import Door, hello
from crisp_lan.net.link import FAREWELL
from crisp_lan.net.listening import (
    CannotListen,
    allow_many,
    listeners,
    logged_briefly,
    port_of,
)
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL, Bye
from crisp_lan.net.networks import LOOPBACK, addresses
from crisp_lan.net.referee import House, Lots, Referee
from crisp_lan.net.robots import OwnBots
from crisp_lan.net.syncing import SyncedJournal

CLOSED = Text("The table was closed on the host’s machine.")
KNOWN_AS = "Others see this table as “{table}”: another table has its name."
CANNOT_KEEP = Text(
    "No journal can be kept in {folder}: {error}. Mend that, or choose another folder with --data."
)
NO_JOURNAL = Text("The table cannot keep its journal any more, so it ends here.")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class HostSettings:
    """How a table is opened.

    `port`: None for the usual one or the next that is free, 0 for any. `bots`: the levels of the
    bots that come by themselves. `key_fd`: where the secret of the table's own screen is written.
    `first_is_host`: the first person seated holds the host's rights. `stand_in`: the level of the
    bot that steps in by itself for somebody away, "" for none.
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
    key_fd: int | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A table that can be joined now: the first line that a headless host prints."""

    table: str
    id: str
    addresses: tuple[str, ...]
    port: int
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
    allow_many()
    try:
        listening = await listeners(settings.bind, settings.port)
    except CannotListen as error:
        raise HostFailed(error.text) from error
    async with AsyncExitStack() as stack:
        for listener in listening:
            await stack.enter_async_context(listener)
        near = addresses(settings.bind)
        opened = Opened(settings.table, secrets.token_hex(8), near, port_of(listening))
        journal = stack.enter_context(closing(_journal(settings, table, opened.id)))
        return await _Hosting(settings, opened, table, journal).run(listening, ready)


def _journal(settings: HostSettings, table: Table, table_id: str) -> Journal:
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
    }
    try:
        return Journal(settings.journals / f"{table_id}.jsonl", header)
    except OSError as error:
        values = {"folder": str(settings.journals), "error": error.strerror or ""}
        raise HostFailed(Text(CANNOT_KEEP.key, values)) from error


class _Hosting:
    """The parts of one table, and how they begin and end."""

    def __init__(
        self, settings: HostSettings, opened: Opened, table: Table, journal: Journal
    ) -> None:
        self._settings = settings
        self._opened = opened
        key = secrets.token_urlsafe(24)
        if settings.key_fd is not None:
            _hand_over(settings.key_fd, key)
        near = Target((_near(settings.bind),), opened.port, opened.id)
        self._bots = OwnBots(near, self._bots_died)
        self._journal = SyncedJournal(journal)
        self._referee = Referee(
            table,
            self._journal,
            _lots(settings.deal_seed),
            House(opened.addresses, opened.port, key, settings.first_is_host),
            self._bots.bring,
            self._announce_change,
        )
        self._door = Door(self._referee, hello(opened.id, opened.table))
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
                for level in self._settings.bots:
                    self._referee.send_for_bot(level)
                ready(self._opened)
                bye = Bye(await self._judge())
                service.cancel_scope.cancel()
            if bye.why == CLOSED:
                bye = Bye(CLOSED, again=self._referee.table.phase != "lobby")
            self._referee.dismiss_all(bye)
            connections.cancel_scope.deadline = trio.current_time() + FAREWELL
        return bye

    async def _judge(self) -> Text:
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._journal.run)
                why = await self._referee.run()
                nursery.cancel_scope.cancel()
        except* OSError as errors:
            why = NO_JOURNAL
            reasons = [error.strerror for error in errors.exceptions if isinstance(error, OSError)]
            log.error("the journal cannot be kept: %s", *reasons)
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
        told: tuple[Text | None, str] = (None, self._opened.table)
        while (announcement := self._announcement) is not None:
            changed = announcement.changed
            now = (announcement.problem, announcement.name)
            if now != told:
                told = now
                news = self._news_of(*now)
                log.info("announced as %s: %s", now[1], [text.key for text in news])
                self._referee.tell_host(*news)
            await changed.wait()

    def _news_of(self, problem: Text | None, name: str) -> tuple[Text, ...]:
        if problem is not None:
            return (problem, NOT_ANNOUNCED)
        if name != self._opened.table:
            return (Text(KNOWN_AS, {"table": name}),)
        return ()

    def _announce_change(self, table: Table) -> None:
        listing = self._listing_of(table)
        if self._announcement is not None and listing != self._listing:
            self._announcement.update(listing)
        self._listing = listing

    def _listing_of(self, table: Table) -> Listing:
        return Listing(
            id=self._opened.id,
            table=self._opened.table,
            game=table.game.key,
            players=sum(chair.by != "left" for chair in table.chairs),
            seats=table.size,
            phase=table.phase,
            protocol=PROTOCOL,
            version=__version__,
            passcode=self._opened.passcode is not None,
            addresses=self._opened.addresses,
            port=self._opened.port,
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


def _lots(seed: int | None) -> Lots:
    return secrets.SystemRandom() if seed is None else random.Random(seed)
