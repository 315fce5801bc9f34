"""How a table is reached: at its addresses, or wherever it is announced now.

Who answers there is a table when it has said hello, and the one that is meant if its id and its
certificate are the known ones.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeAlias

import trio

from crisp_lan.game.rules import Text
from crisp_lan.net.codec import RemoteProtocolError
from crisp_lan.net.dialling import NotReached, dial
from crisp_lan.net.link import LinkLost
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import Hello
from crisp_lan.net.protocol import Connection
from crisp_lan.net.secure import ANOTHER, Secured, open_stream


@dataclass(frozen=True, slots=True)
class Target:
    """Where a table is, and which one is meant: its id and its fingerprint, or "" for any."""

    addresses: tuple[str, ...]
    port: int
    table: str = ""
    fingerprint: str = ""


def target_of(listing: Listing) -> Target:
    """The target that a found table is."""
    return Target(listing.addresses, listing.port, listing.id, listing.fingerprint)


class Call(trio.abc.Stream):
    """A stream to a table that has said hello; what was read for that is read again."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._secured = stream if isinstance(stream, Secured) else None
        self._first = bytearray()

    @property
    def fingerprint(self) -> str:
        """Of the table's certificate."""
        return self._secured.fingerprint if self._secured else ""

    @property
    def peer(self) -> tuple[str, ...]:
        """The address that was reached, if the stream knows it."""
        return self._secured.peer if self._secured else ()

    @property
    def unsent(self) -> bool:
        """Whether the stream still has bytes to send that it took."""
        return self._secured is not None and self._secured.unsent

    def send_nowait(self, data: bytes) -> int:
        """Sends what can be sent at once, and returns how much that was."""
        return self._secured.send_nowait(data) if self._secured else 0

    async def hello(self) -> Hello:
        """What the table says of itself. Raises RemoteProtocolError, or LinkLost."""
        protocol = Connection("client")
        protocol.receive_data(bytes(self._first))
        while True:
            message = protocol.next_message()
            if isinstance(message, Hello):
                return message
            chunk = await self._stream.receive_some(4096)
            if not chunk:
                raise LinkLost(Text("The connection was cut."))
            self._first += chunk
            protocol.receive_data(bytes(chunk))

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if not self._first:
            return bytes(await self._stream.receive_some(max_bytes))
        await trio.lowlevel.checkpoint()
        first, self._first = bytes(self._first), bytearray()
        return first

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


class Ways(Protocol):
    """How tables are reached."""

    async def call(self, target: Target) -> Call:
        """A stream to the table, which has said hello. Raises NotReached."""

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        """Where a table is announced now."""


Trusted: TypeAlias = Callable[[str], str]
"""The fingerprint that the table with an id is known to have, or ""."""


def _nothing_known(table: str) -> str:
    return ""


class Network:
    """Tables reached over the network; with `bind`, searched for on that address's alone.

    Each address is dialled for `patience` seconds, or for as long as `dial` does by itself. Who
    claims to be a table that is `trusted` by another fingerprint is told nothing.
    """

    def __init__(
        self,
        bind: str | None = None,
        patience: float | None = None,
        trusted: Trusted = _nothing_known,
    ) -> None:
        self._bind = bind
        self._patience = patience
        self._trusted = trusted

    async def call(self, target: Target) -> Call:
        if not target.addresses:
            raise NotReached(Text("Nobody knows where that table is."))
        return await dial(
            target.addresses,
            target.port,
            open=partial(_open, target.fingerprint),
            greet=self._greet,
            wanted_id=target.table,
            patience=self._patience,
        )

    async def _greet(self, call: Call) -> str:
        table = await greet(call)
        if self._trusted(table) not in ("", call.fingerprint):
            raise NotReached(ANOTHER)
        return table

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        return await find(self._bind, seconds, table_id)


async def _open(pinned: str, host: str, port: int) -> Call:
    """Raises NotReached, or what kept it from connecting."""
    try:
        return Call(await open_stream(host, port, pinned or None))
    except LinkLost as lost:
        reason = lost.__cause__
        if not isinstance(reason, OSError | trio.TooSlowError):
            raise NotReached(lost.text) from lost
    raise reason  # out here it keeps its own cause, which says whether anybody refused


async def greet(call: Call) -> str:
    """The id of the table that was called. Raises NotReached if it is none of ours."""
    try:
        return (await call.hello()).table
    except RemoteProtocolError as error:
        raise NotReached(error.text) from error
    except LinkLost as lost:
        raise trio.BrokenResourceError from lost


async def find(bind: str | None, seconds: float, table_id: str) -> Listing | None:
    """Where the table with this id is announced."""
    from crisp_lan.net.discovery import browsing  # loading it takes as long as all the rest

    with trio.move_on_after(seconds):
        async with browsing(bind) as found:
            while True:
                changed = found.changed
                if table_id in found.tables:
                    return found.tables[table_id]
                await changed.wait()
    return None
