"""Where connections come in: hello, join, and then a member of the table until it is lost.

Whatever goes wrong in a connection stays in it: it is logged without anybody's words, and closed.
What nobody can be trusted with is limited: connections that have not joined, joins of one address,
and how fast a member speaks. A token that is known, or a key of the table, is never turned away.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import trio

from crisp_lan import __version__
from crisp_lan.game.rules import Text
from crisp_lan.net.codec import LocalProtocolError, RemoteProtocolError
from crisp_lan.net.link import Link, LinkLost, accepted, linked
from crisp_lan.net.messages import PROTOCOL, Bye, Do, FromHost, Hello, Join, Leave
from crisp_lan.net.referee import Member, Referee, scene

HANDSHAKE = 10.0
"""Seconds from the connection to the join."""
HALF_OPEN = 64
HALF_OPEN_OF_ONE = 16
"""Connections that have not joined, in all and of one address; the oldest gives way."""
MEMBERS = 64
JOINS = 20
JOINS_WITHIN = 60.0
BURST = 40
"""Messages of one member within a second; whoever says more is listened to later."""

FULL = Text("So many are here already that nobody can even watch any more.")
TOO_MANY_JOINS = Text("Too many have joined from {address} just now. Try again in a minute.")

log = logging.getLogger(__name__)


def hello(table_id: str, table_name: str) -> Hello:
    """What the host says first on every connection."""
    return Hello(PROTOCOL, f"crisp-lan {__version__}"[:32], table_id, table_name)


class Door:
    """Lets connections in to one table."""

    def __init__(self, referee: Referee, hello: Hello) -> None:
        self._referee = referee
        self._hello = hello
        self._half_open: dict[trio.CancelScope, str] = {}
        self._joins = _Joins()

    async def admit(self, stream: trio.abc.Stream, address: str) -> None:
        """One connection, from its first byte to its last. Only cancellation comes out of it."""
        try:
            async with linked(await accepted(stream), "host") as link:
                await self._converse(link, address)
        except LinkLost as lost:
            log.debug("a connection ended: %s", lost.text.key)
        except Exception as error:
            log.error("a connection failed: %s", scene(error))

    async def _converse(self, link: Link, address: str) -> None:
        """Raises LinkLost at its end; a client that was told bye has a moment to hang up."""
        try:
            join = await self._greeted(link, address)
            if join is None:
                return
            if (why := self._turned_away(join, address)) is not None:
                link.send_nowait(Bye(why))
            else:
                await self._seat(link, join)
        except RemoteProtocolError as error:
            log.info("a client broke the protocol")
            link.send_nowait(Bye(error.text))
        while True:
            await link.receive()

    async def _greeted(self, link: Link, address: str) -> Join | None:
        """The client's join; None if it did not come in time, or others needed the place."""
        link.send_nowait(self._hello)
        with self._half_open_place(address):
            while True:
                message = await link.receive()
                if isinstance(message, Join):
                    return message
        return None

    @contextmanager
    def _half_open_place(self, address: str) -> Iterator[None]:
        self._make_way(list(self._half_open), HALF_OPEN)
        own = [scope for scope, other in self._half_open.items() if other == address]
        self._make_way(own, HALF_OPEN_OF_ONE)
        with trio.move_on_after(HANDSHAKE) as scope:
            self._half_open[scope] = address
            try:
                yield
            finally:
                self._half_open.pop(scope, None)

    def _make_way(self, scopes: list[trio.CancelScope], limit: int) -> None:
        for scope in scopes[: max(0, len(scopes) - limit + 1)]:
            scope.cancel()
            self._half_open.pop(scope)

    def _turned_away(self, join: Join, address: str) -> Text | None:
        """Why this join is too much, if it is."""
        if self._referee.knows(join.token) or self._referee.is_own(join.key):
            return None
        if len(self._referee.members) >= MEMBERS:
            return FULL
        if not self._joins.allowed(address):
            return Text(TOO_MANY_JOINS.key, {"address": address})
        return None

    async def _seat(self, link: Link, join: Join) -> None:
        """Passes on what the client says until the link is lost. Raises what `receive` raises."""
        way = _Way(link)
        member = Member(way)
        pace = _Pace()
        try:
            await self._referee.hear(member, join)
            with way.scope:
                while True:
                    message = await link.receive()
                    if isinstance(message, Do | Leave):
                        await pace.wait()
                        await self._referee.hear(member, message)
        finally:
            await self._referee.hear(member, None)
        raise LinkLost(Text("The table could not speak to this client."))


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


class _Pace:
    """Lets a member say BURST things within a second, and then one at a time."""

    def __init__(self) -> None:
        self._times: deque[float] = deque(maxlen=BURST)

    async def wait(self) -> None:
        if len(self._times) == BURST and self._times[0] + 1.0 > trio.current_time():
            await trio.sleep_until(self._times[0] + 1.0)
        self._times.append(trio.current_time())


class _Joins:
    """Counts the latest joins of each address."""

    def __init__(self) -> None:
        self._times: dict[str, deque[float]] = {}

    def allowed(self, address: str) -> bool:
        now = trio.current_time()
        self._times = {a: t for a, t in self._times.items() if now - t[-1] < JOINS_WITHIN}
        times = self._times.setdefault(address, deque(maxlen=JOINS))
        if len(times) == JOINS and now - times[0] < JOINS_WITHIN:
            return False
        times.append(now)
        return True
