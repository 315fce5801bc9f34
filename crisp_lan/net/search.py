"""Tables found by all that is known: those announced, and those where somebody sat before.

A network may keep multicast back and let connections through. So tables of which nothing is heard
are called where they were; the one that answers is listed with what its greeting tells.
"""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TypeAlias

import trio

from crisp_lan.game.rules import Text
from crisp_lan.net.calling import Network, Target
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.discovery import Found, browsing
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL
from crisp_lan.text import NAME_CELLS, cut, harmless

Known: TypeAlias = Callable[[], Sequence[Target]]
"""The tables where somebody of this machine sat before, the newest first."""

HEAD_START = 1.0
"""Seconds for announcements to come first."""
CALL_SECONDS = 2.0
CALL_AGAIN = 5.0
MOST_CALLED = 8

NOT_HEARD_OF = (
    "No announcement is heard, but {table} answers at {address}. Either it is not announced, or"
    " this network keeps multicast (UDP port 5353) back: join by address."
)


async def called(target: Target, patience: float) -> Listing:
    """The table that answers there, as far as its greeting tells of it. Raises NotReached."""
    call = await Network(patience=patience).call(target)
    try:
        hello = await call.hello()
        return Listing(
            id=harmless(hello.table),
            table=cut(harmless(hello.name or hello.table), NAME_CELLS),
            game="",
            players=0,
            seats=0,
            phase="",
            protocol=PROTOCOL,
            version=harmless(hello.software.removeprefix("crisp-lan ")),
            passcode=False,
            addresses=call.peer or target.addresses[:1],
            port=target.port,
            fingerprint=call.fingerprint,
        )
    finally:
        await trio.aclose_forcefully(call)


def within(bind: str | None, target: Target) -> Target | None:
    """The target by those of its addresses that are in the networks searched; None if none is."""
    here = tuple(each for each in target.addresses if _is_within(bind, each))
    return replace(target, addresses=here) if here else None


def _is_within(bind: str | None, address: str) -> bool:
    if bind is None or ipaddress.ip_address(bind).is_unspecified:
        return True
    return _is_loopback(address) == _is_loopback(bind)


def not_heard_of(listing: Listing, bind: str | None) -> Text | None:
    """What it means that a table answers of which nothing is heard, if it means anything: one on
    loopback is not heard unless one listens there."""
    if _is_loopback(listing.addresses[0]) and (bind is None or not _is_loopback(bind)):
        return None
    return Text(NOT_HEARD_OF, {"table": listing.table, "address": listing.spot})


def _is_loopback(address: str) -> bool:
    with suppress(ValueError):
        return ipaddress.ip_address(address).is_loopback
    return address == "localhost"


class Search:
    """The tables found, while it runs."""

    def __init__(self, heard: Found, known: Known, bind: str | None) -> None:
        self.changed = trio.Event()
        """Set at the next change, and a new one put in its place. Take it before you look."""
        self._heard = heard
        self._known = known
        self._bind = bind
        self._answering: dict[str, Listing] = {}

    @property
    def tables(self) -> dict[str, Listing]:
        """The tables by id."""
        return {**self._answering, **self._heard.tables}

    @property
    def problem(self) -> Text | None:
        """Why there is less to be heard than there should be."""
        if self._heard.problem or self._heard.tables:
            return self._heard.problem
        unheard = (not_heard_of(one, self._bind) for one in self._answering.values())
        return next(filter(None, unheard), None)

    async def run(self) -> None:
        """Goes on until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._pass_on)
            await trio.sleep(HEAD_START)
            while True:
                await self._call_all()
                await trio.sleep(CALL_AGAIN)

    async def _pass_on(self) -> None:
        while True:
            changed = self._heard.changed
            self._tell()
            await changed.wait()

    async def _call_all(self) -> None:
        answering: dict[str, Listing] = {}
        async with trio.open_nursery() as nursery:
            unheard = [one for one in self._known() if one.table not in self._heard.tables]
            for target in unheard[:MOST_CALLED]:
                if near := within(self._bind, target):
                    nursery.start_soon(self._call, near, answering)
        if answering != self._answering:
            self._answering = answering
            self._tell()

    async def _call(self, target: Target, answering: dict[str, Listing]) -> None:
        with suppress(NotReached):
            answering[target.table] = await called(target, CALL_SECONDS)
            self._answering |= answering
            self._tell()

    def _tell(self) -> None:
        told, self.changed = self.changed, trio.Event()
        told.set()


@asynccontextmanager
async def searching(bind: str | None, known: Known) -> AsyncIterator[Search]:
    """Searches while the block runs; with `bind`, on that address's network only."""
    async with browsing(bind) as heard, trio.open_nursery() as nursery:
        search = Search(heard, known, bind)
        nursery.start_soon(search.run)
        yield search
        nursery.cancel_scope.cancel()
