"""Where connections come in: hello, join, and then a member of the table until it is lost.

Whatever goes wrong in a connection stays in it: it is logged without anybody's words, and closed.
What nobody can be trusted with is limited: connections that are not at the table, each until its
socket is closed, joins of one address, wrong passcodes, and how often one seat comes back. A token
that is known, or a key of the table, is never turned away; at most it waits for a moment.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias, TypeVar

import trio

from crisp_lan import __version__
from crisp_lan.crashes import scene
from crisp_lan.game.rules import Text
from crisp_lan.net.codec import LocalProtocolError, RemoteProtocolError
from crisp_lan.net.link import FAREWELL, Link, LinkLost, linked
from crisp_lan.net.members import Member
from crisp_lan.net.messages import (
    PROTOCOL,
    Ask,
    Bye,
    Commit,
    Do,
    FromHost,
    Half,
    Hello,
    Join,
    Leave,
    Open,
    Proof,
    Say,
)
from crisp_lan.net.pace import Paces
from crisp_lan.net.passcode import TOO_MANY, WRONG, Asker, Tries, aside
from crisp_lan.net.referee import Referee

HANDSHAKE = 10.0
"""Seconds from the connection to the join; and again for showing that the passcode is known."""
OUTSIDE = 64
OUTSIDE_OF_ONE = 16
"""Connections that are not at the table, in all and of one address; the oldest gives way."""
JOINS = 20
JOINS_A_SECOND = 1
"""Joins of one address without a token: so many at once, and in a second from then on."""
ARRIVALS = 60
ARRIVALS_A_SECOND = 20
"""Connections of one address, likewise: each costs two milliseconds to encrypt."""
HEARD = 400
"""Messages, and pieces of them, that are heard at once and in a second of all connections of one
address that have no seat."""

TOO_MANY_JOINS = Text("Too many have joined from {address} just now. Try again in a moment.")

log = logging.getLogger(__name__)


M = TypeVar("M")
Securing: TypeAlias = Callable[[trio.abc.Stream], Awaitable[trio.abc.Stream]]


@dataclass(frozen=True, slots=True)
class Lock:
    """What is asked for at the door, and the certificate that an answer must be bound to."""

    passcode: str = field(repr=False)
    fingerprint: str


def hello(table_id: str, table_name: str = "") -> Hello:
    """What the host says first on every connection."""
    return Hello(PROTOCOL, f"crisp-lan {__version__}"[:32], table_id, table_name)


@dataclass(eq=False, slots=True)
class _Connection:
    """A socket that is open. `over`: all has been said, and the client should close it."""

    address: str
    scope: trio.CancelScope
    member: Member | None = None
    over: bool = False


class Door:
    """Lets connections in to one table."""

    def __init__(
        self, referee: Referee, hello: Hello, secure: Securing, lock: Lock | None = None
    ) -> None:
        """`secure` makes of a new connection a stream that nobody can read; raises LinkLost."""
        self._referee = referee
        self._hello = hello
        self._secure = secure
        self._lock = lock
        self._tries = Tries()
        self._connected: list[_Connection] = []
        self._joins = Paces(JOINS, JOINS_A_SECOND)
        self._arrivals = Paces(ARRIVALS, ARRIVALS_A_SECOND)
        self._heard = Paces(HEARD, HEARD)

    async def admit(self, stream: trio.abc.Stream, address: str) -> None:
        """One connection, from its first byte to its last. Only cancellation comes out of it."""
        with self._place(address) as connection:
            try:
                async with stream:
                    await self._arrivals.of(address).wait()
                    secured = await self._secure(stream)
                    async with linked(secured, "host", partial(self._turn, connection)) as link:
                        await self._converse(link, connection)
            except LinkLost as lost:
                log.debug("a connection ended: %s", lost.text.key)
            except Exception as error:
                log.error("a connection failed: %s", scene(error))

    async def _turn(self, connection: _Connection) -> None:
        """Whoever has no seat waits for the others of that address to be heard."""
        if connection.member is None or connection.member.holder is None:
            await self._heard.of(connection.address).wait()

    @contextmanager
    def _place(self, address: str) -> Iterator[_Connection]:
        self._make_way(address)
        with trio.CancelScope() as scope:
            connection = _Connection(address, scope)
            self._connected.append(connection)
            try:
                yield connection
            finally:
                self._connected.remove(connection)

    def _make_way(self, address: str) -> None:
        """Cuts one off if there are too many: of this address, or of the one that has the most."""
        members = set(self._referee.members)
        outside = [
            connection
            for connection in self._connected
            if connection.member not in members and not connection.scope.cancel_called
        ]
        counts = Counter(connection.address for connection in outside)
        if counts[address] < OUTSIDE_OF_ONE:
            if len(outside) < OUTSIDE:
                return
            [(address, _count)] = counts.most_common(1)
        crowd = [connection for connection in outside if connection.address == address]
        min(crowd, key=lambda connection: not connection.over).scope.cancel()

    async def _converse(self, link: Link, connection: _Connection) -> None:
        """Raises LinkLost at its end; a client that was told bye has a moment to hang up."""
        try:
            with trio.move_on_after(HANDSHAKE) as late:
                join = await self._greeted(link)
            if late.cancelled_caught:
                return
            with trio.move_on_after(HANDSHAKE) as late:
                why = await self._turned_away(link, join, connection.address)
            if late.cancelled_caught:
                return
            if why is not None:
                link.send_nowait(Bye(why))
            else:
                await self._seat(link, join, connection)
        except RemoteProtocolError as error:
            log.info("a client broke the protocol")
            link.send_nowait(Bye(error.text))
        connection.over = True
        while True:
            await link.receive()

    async def _greeted(self, link: Link) -> Join:
        """The client's join."""
        link.send_nowait(self._hello)
        while True:
            message = await link.receive()
            if isinstance(message, Join):
                return message

    async def _turned_away(self, link: Link, join: Join, address: str) -> Text | None:
        """Why who joins so is not let in; None for who is."""
        if self._referee.holder(join.token) or self._referee.is_own(join.key):
            return None
        if not self._joins.of(address).lets_through():
            return Text(TOO_MANY_JOINS.key, {"address": address})
        return None if self._lock is None else await self._asked(link, self._lock, address)

    async def _asked(self, link: Link, lock: Lock, address: str) -> Text | None:
        """Asks for the passcode: why it will not do, or None."""
        link.send_nowait(Ask())
        half = await _next(link, Half)
        if not self._tries.begin(address):
            return TOO_MANY
        asker = await aside(Asker, lock.passcode, self._hello.table, lock.fingerprint)
        link.send_nowait(Half(asker.message))
        shown = await _next(link, Proof)
        proof = await aside(asker.proof, half.half, shown.proof)
        if proof is None:
            log.info("a wrong passcode from %s", address)
            return WRONG
        self._tries.right(address)
        link.send_nowait(Proof(proof))
        return None

    async def _seat(self, link: Link, join: Join, connection: _Connection) -> None:
        """Passes on what the client says until the link is lost. Raises what `receive` raises."""
        way = _Way(link)
        member = connection.member = Member(way, connection.address)
        if (holder := self._referee.holder(join.token)) is not None:
            await holder.returns.wait()
        try:
            await self._referee.hear(member, join)
            with way.scope:
                while True:
                    message = await link.receive()
                    if isinstance(message, Do | Say | Leave | Commit | Open):
                        await self._referee.hear(member, message)
        finally:
            with trio.move_on_after(FAREWELL, shield=True):  # or a ghost would keep the seat
                await self._referee.hear(member, None)
        raise LinkLost(Text("The table could not speak to this client."))


async def _next(link: Link, wanted: type[M]) -> M:
    """The message that comes next, which the protocol lets be no other."""
    message = await link.receive()
    assert isinstance(message, wanted)
    return message


class _Way:
    """A member's link as the referee uses it: a message that cannot be sent closes this link."""

    def __init__(self, link: Link) -> None:
        self.scope = trio.CancelScope()
        self._link = link

    def post(self, message: FromHost) -> None:
        try:
            self._link.send_nowait(message)
        except LocalProtocolError as error:
            log.error("a message could not be sent: %s", scene(error))
            self.scope.cancel()
