"""Opening a table for others: anew, or again from its journal."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import trio

from crisp_lan.check import Wrong
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line, Problem, Text
from crisp_lan.game.state import Table
from crisp_lan.journal import Journal, Running, Unreadable, game_line, read
from crisp_lan.keeping import Kept, kept
from crisp_lan.net.hosting import Hosting, HostSettings, OpenTable
from crisp_lan.net.listening import CannotListen, allow_many, listeners, port_of
from crisp_lan.net.members import hashed
from crisp_lan.net.networks import addresses
from crisp_lan.net.secure import Identity, identity_at
from crisp_lan.net.syncing import SyncedJournal

CANNOT_KEEP = Text(
    "No journal can be kept in {folder}: {error}. Mend that, or choose another folder with --data."
)


class HostFailed(Problem):
    """The table could not be opened; `text` says why and what to do."""


async def run_host(settings: HostSettings, ready: Callable[[OpenTable], None]) -> Text:
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
        hosting = Hosting(settings, opened, identity, table, SyncedJournal(journal), key)
        return await hosting.run(listening, ready)


@dataclass(frozen=True, slots=True)
class Again:
    """From which journal a table goes on, and how; `port` and `bind` are as they were if None."""

    path: Path
    port: int | None = None
    bind: str | None = None
    announce: bool = True
    key_fd: int | None = None


async def resume_host(again: Again, ready: Callable[[OpenTable], None]) -> Text:
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
        hosting = Hosting(
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


def _opened(settings: HostSettings, table_id: str, port: int, identity: Identity) -> OpenTable:
    near, passcode = addresses(settings.bind), settings.passcode or None
    return OpenTable(settings.table, table_id, near, port, identity.fingerprint, passcode)


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


def _hand_over(fd: int, key: str) -> None:
    with os.fdopen(fd, "w") as pipe:
        pipe.write(key + "\n")
