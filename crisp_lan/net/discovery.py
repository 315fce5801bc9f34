"""Announcing a table on the local network, and finding those of others, by multicast DNS.

What the network says is untrusted and bounded: so many tables, so many addresses, texts made
harmless. Names may collide, ids do not. A table that is found is only a claim until it has named
its id over a connection (`dialling`).

zeroconf runs its own threads. It is built, called and closed in worker threads, and its callbacks
reach trio by `run_sync_soon`; so it never blocks the loop, nor attaches itself to an asyncio loop
that trio is a guest of.
"""

from __future__ import annotations

import errno
import ipaddress
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import trio
import zeroconf
from zeroconf import (  # type: ignore[attr-defined]
    DNSOutgoing,
    DNSQuestion,
    DNSService,
    IPVersion,
    RecordUpdate,
    RecordUpdateListener,
    ServiceInfo,
    ServiceListener,
    Zeroconf,
)

from crisp_lan.game.rules import Text
from crisp_lan.net.listing import (
    MOST_ADDRESSES,
    Listing,
    instance_names,
    listing_of,
    merged,
    txt_of,
)
from crisp_lan.net.networks import NO_NETWORK, NoNetwork, Reach, dialable, reach
from crisp_lan.text import harmless

SERVICE = "_crisp-lan._tcp.local."
GOODBYE_SECONDS = 2.0
PROBES, PROBE_SECONDS = 4, 0.4
"""Longer than a second: what others have just told they tell again only then (RFC 6762, 6)."""
WATCH_SECONDS = 3.0
ASK_SECONDS = 10.0
LOOK_UP_SECONDS = 3.0

RECORD_SECONDS = 60
"""A table that died without a goodbye leaves the lists after about this long."""

MOST_TABLES = 64

PORT_TAKEN = Text("Another program keeps UDP port 5353 to itself.")
NOT_ANNOUNCED = Text("Others will not see this table in their lists: tell them its address.")
NOTHING_HEARD = Text(
    "No table heard on this network. Type the address from the host’s screen, such as"
    " 192.168.1.20:27477. {command} doctor looks for the reason."
)

_log = logging.getLogger(__name__)
logging.getLogger("zeroconf").setLevel(logging.ERROR)
"""What it warns of is a network that goes: that is said here in words, and without a traceback."""
T = TypeVar("T")


class _OnAir:
    """What announcing and searching share: multicast DNS that follows the machine's networks."""

    problem: Text | None = None
    """Why there is no announcing or searching just now; it is tried again all the time."""

    def __init__(self, bind: str | None) -> None:
        self.changed = trio.Event()
        """Set at the next change, and a new one put in its place. Take it before you look."""
        self._bind = bind

    async def keep(self) -> None:
        """Stays on air until cancelled; whatever goes wrong becomes `problem`."""
        while True:
            try:
                here = await _in_thread(reach, self._bind)
                async with _responder(here) as zc:
                    await self._stay(zc, here)
            except* (OSError, RuntimeError, zeroconf.Error, NoNetwork) as trouble:
                self._trouble(_reason(trouble))
            await trio.sleep(WATCH_SECONDS)

    async def _stay(self, zc: Zeroconf, here: Reach) -> None:
        raise NotImplementedError

    async def _moved(self, zc: Zeroconf, here: Reach) -> None:
        """The machine's networks have changed, and multicast has followed."""
        raise NotImplementedError

    async def _follow(self, zc: Zeroconf, here: Reach) -> None:
        while True:
            await trio.sleep(WATCH_SECONDS)
            now = await _in_thread(reach, self._bind)
            if now != here:
                here = now
                await _in_thread(zc.update_interfaces, list(here.interfaces))
                await self._moved(zc, here)

    def _trouble(self, problem: Text) -> None:
        """Tells of a problem, and logs it once: it is met again every few seconds."""
        if problem != self.problem:
            _log.info("not on air: %s", problem.key)
        self._tell(problem)

    def _tell(self, problem: Text | None) -> None:
        self.problem = problem
        told, self.changed = self.changed, trio.Event()
        told.set()


def _reason(error: BaseException) -> Text:
    if isinstance(error, BaseExceptionGroup):
        return _reason(error.exceptions[0])
    if isinstance(error, NoNetwork):
        return error.text
    if isinstance(error, OSError) and error.errno in (errno.EADDRINUSE, errno.EACCES):
        return PORT_TAKEN
    if isinstance(error, OSError) and error.errno in _NOWHERE:
        return NO_NETWORK
    said = harmless(str(error)) or type(error).__name__
    return Text("The network does not let it happen: {error}.", {"error": said})


_NOWHERE = {
    errno.ENODEV,
    errno.ENETUNREACH,
    errno.ENETDOWN,
    errno.EHOSTUNREACH,
    errno.EADDRNOTAVAIL,
}


async def _in_thread(call: Callable[..., T], *args: Any) -> T:
    return await trio.to_thread.run_sync(call, *args, abandon_on_cancel=True)


@asynccontextmanager
async def _responder(here: Reach) -> AsyncIterator[Zeroconf]:
    """A zeroconf on the given networks; closing it says goodbye for all that it announced."""
    zc = await trio.to_thread.run_sync(_built, here)
    try:
        yield zc
    finally:
        with (
            trio.move_on_after(GOODBYE_SECONDS, shield=True),
            suppress(zeroconf.Error, RuntimeError),
        ):
            await _in_thread(zc.close)


def _built(here: Reach) -> Zeroconf:
    """A zeroconf that hears what it should. Linux hands every program what comes from any network
    that any program listens to, and zeroconf would answer it: a table bound to one network would
    be listed on all. Switching that off by IP_MULTICAST_ALL is no way: kernels since 6.6 then
    give a packet to one, at random, of the programs that share the port."""
    zc = Zeroconf(interfaces=list(here.interfaces), ip_version=IPVersion.V4Only, use_asyncio=False)
    if here.device and hasattr(socket, "SO_BINDTODEVICE"):
        for reader in zc.engine.readers:
            with suppress(OSError):
                device = here.device.encode()
                reader.sock.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device)
    return zc


class Announcement(_OnAir):
    """A table being announced. `name` is the one it goes by, with a number if it was taken;
    `addresses` are those of this machine, which may change.
    """

    def __init__(self, listing: Listing, bind: str | None) -> None:
        super().__init__(bind)
        self.name = listing.table
        self.addresses = listing.addresses
        self._listing = listing
        self._names = instance_names(listing.table, listing.id)
        self._stale = trio.Event()
        self._label = ""
        self._lost_label = ""

    def update(self, listing: Listing) -> None:
        """Announces the table as it is now; its id and its name stay what they were."""
        self._listing = listing
        self._stale.set()

    async def _stay(self, zc: Zeroconf, here: Reach) -> None:
        self.addresses = here.addresses
        self._names = instance_names(self._listing.table, self._listing.id)
        async with trio.open_nursery() as nursery:
            await _in_thread(zc.add_listener, self._rivals(), None)
            await self._register(zc)
            nursery.start_soon(self._follow, zc, here)
            while True:
                await self._stale.wait()
                self._stale = trio.Event()
                await self._refresh(zc)

    async def _moved(self, zc: Zeroconf, here: Reach) -> None:
        self.addresses = here.addresses
        self._stale.set()
        self._tell(None)

    async def _register(self, zc: Zeroconf) -> None:
        """Announces the table by the first of its names that nobody else has.

        It finds that out in its own way: zeroconf wants to be answered alone, and where several
        programs share the port, such an answer reaches only one of them; nor can its probing be
        broken off.
        """
        for _ in range(PROBES):
            await _in_thread(_ask, zc)
            await trio.sleep(PROBE_SECONDS)
        while True:
            self._label, self.name = next(self._names)
            if not zc.cache.current_entry_with_name_and_alias(SERVICE, self._instance):
                break
        await _in_thread(partial(zc.register_service, cooperating_responders=True), self._service())
        self._tell(None)

    async def _refresh(self, zc: Zeroconf) -> None:
        if self._lost_label == self._label:
            await _in_thread(zc.unregister_service, self._service())
            await self._register(zc)
        else:
            await _in_thread(zc.update_service, self._service())

    def _service(self) -> ServiceInfo:
        return ServiceInfo(
            SERVICE,
            self._instance,
            port=self._listing.port,
            properties=txt_of(replace(self._listing, table=self.name)),
            server=self._host,
            parsed_addresses=list(self.addresses[:MOST_ADDRESSES]),
            host_ttl=RECORD_SECONDS,
        )

    @property
    def _instance(self) -> str:
        return f"{self._label}.{SERVICE}"

    @property
    def _host(self) -> str:
        return f"crisp-{self._listing.id}.local."

    def _rivals(self) -> RecordUpdateListener:
        token = trio.lowlevel.current_trio_token()

        def heard(name: str, host: str) -> None:
            if name == self._instance.lower() and host != self._host.lower():
                self._lost_label = self._label if host < self._host.lower() else ""
                self._stale.set()

        return _Rivals(partial(_soon, token, heard))


class _Rivals(RecordUpdateListener):
    """Hears who else announces a name: two networks may have been joined since it was taken.

    Both sides hear each other; the one whose host name comes first keeps the name.
    """

    def __init__(self, heard: Callable[[str, str], None]) -> None:
        super().__init__()
        self._heard = heard

    def async_update_records(self, zc: Zeroconf, now: float, records: list[RecordUpdate]) -> None:
        for record in records:
            if isinstance(record.new, DNSService) and record.new.ttl:
                self._heard(record.new.key, record.new.server_key)

    def async_update_records_complete(self) -> None:
        pass


def _soon(token: trio.lowlevel.TrioToken, call: Callable[..., object], *args: Any) -> None:
    with suppress(trio.RunFinishedError):
        token.run_sync_soon(call, *args)


@asynccontextmanager
async def announced(listing: Listing, bind: str | None = None) -> AsyncIterator[Announcement]:
    """Announces a table while the block runs, and says goodbye after it within 2 s.

    The listing's own addresses do not matter: those of the machine, or the bound one, are
    announced. Entering does not wait; `problem` says later whether something is in the way.
    """
    announcement = Announcement(listing, bind)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(announcement.keep)
        try:
            yield announcement
        finally:
            nursery.cancel_scope.cancel()


class _Listener(ServiceListener):
    """Tells which names are there, new or changed, and which are gone."""

    def __init__(self, heard: Callable[[str, bool], None]) -> None:
        self._heard = heard

    def add_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self._heard(name, True)

    def update_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self._heard(name, True)

    def remove_service(self, zc: Zeroconf, type_: str, name: str) -> None:
        self._heard(name, False)


class Found(_OnAir):
    """The tables heard of, while the search runs."""

    def __init__(self, bind: str | None) -> None:
        super().__init__(bind)
        self._named: set[str] = set()
        self._heard: dict[str, Listing] = {}
        self._lookers = trio.CapacityLimiter(4)
        self._loopback = bind is not None and ipaddress.ip_address(bind).is_loopback

    @property
    def tables(self) -> dict[str, Listing]:
        """The tables by id."""
        return merged(self._heard.values())

    async def _stay(self, zc: Zeroconf, here: Reach) -> None:
        sender, receiver = trio.open_memory_channel[tuple[str, bool]](4 * MOST_TABLES)
        token = trio.lowlevel.current_trio_token()

        def heard(name: str, present: bool) -> None:
            with suppress(trio.WouldBlock, trio.BrokenResourceError):
                sender.send_nowait((name, present))

        try:
            async with receiver, trio.open_nursery() as nursery:
                listener = _Listener(partial(_soon, token, heard))
                await _in_thread(zc.add_service_listener, SERVICE, listener)
                self._tell(None)
                nursery.start_soon(self._follow, zc, here)
                nursery.start_soon(self._ask_again, zc, nursery)
                async for name, present in receiver:
                    self._note(zc, nursery, name, present)
        finally:
            self._named.clear()
            self._heard.clear()

    def _note(self, zc: Zeroconf, nursery: trio.Nursery, name: str, present: bool) -> None:
        if not present:
            self._named.discard(name)
            if self._heard.pop(name, None):
                self._tell(None)
        elif name in self._named or len(self._named) < MOST_TABLES:
            self._named.add(name)
            nursery.start_soon(self._look_up, zc, name)

    async def _moved(self, zc: Zeroconf, here: Reach) -> None:
        await _in_thread(_ask, zc)

    async def _ask_again(self, zc: Zeroconf, nursery: trio.Nursery) -> None:
        """Asks now and then, for what a broken link has kept from us, and drops who is silent."""
        while True:
            await trio.sleep(ASK_SECONDS)
            await _in_thread(_ask, zc)
            for name in self._named:
                nursery.start_soon(self._look_up, zc, name)

    async def _look_up(self, zc: Zeroconf, name: str) -> None:
        listing = await trio.to_thread.run_sync(
            self._resolved, zc, name, abandon_on_cancel=True, limiter=self._lookers
        )
        if name in self._named and listing != self._heard.get(name):
            self._heard.pop(name, None)
            if listing is not None:
                self._heard[name] = listing
            self._tell(None)

    def _resolved(self, zc: Zeroconf, name: str) -> Listing | None:
        with suppress(zeroconf.Error):
            info = ServiceInfo(SERVICE, name)
            if info.load_from_cache(zc) or info.request(zc, LOOK_UP_SECONDS * 1000):
                addresses = [
                    a for a in info.parsed_scoped_addresses() if dialable(a, self._loopback)
                ]
                return listing_of(info.properties, addresses, info.port)
        return None


_POINTER, _INTERNET = 12, 1


def _ask(zc: Zeroconf) -> None:
    question = DNSOutgoing(0)
    question.add_question(DNSQuestion(SERVICE, _POINTER, _INTERNET))
    zc.send(question)


@asynccontextmanager
async def browsing(bind: str | None = None) -> AsyncIterator[Found]:
    """Searches for tables while the block runs; with `bind`, on that address's network only."""
    found = Found(bind)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(found.keep)
        try:
            yield found
        finally:
            nursery.cancel_scope.cancel()
