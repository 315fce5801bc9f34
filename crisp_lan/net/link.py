"""The protocol on a stream: messages in and out, signs of life, and one way to be lost.

Whoever sends never waits: `send_nowait` hands the bytes straight to the stream, which as a rule
takes them at once; what it does not take goes into the outbox, and one task writes that. A show is
whole, so one that waits there gives its place, and its notes, to the next. Whatever a client says
too much of is read later. A link that cannot be used any more — closed by the other side, silent,
stuck, broken — is closed for good, and `receive` says why; what is sent after that is thrown away.
It takes nobody along.
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Final, Protocol, runtime_checkable

import trio
from msgspec.structs import replace

from crisp_lan.game.rules import Text
from crisp_lan.net.codec import LIMIT, AnyMessage, Role, WireError
from crisp_lan.net.messages import Ping, Pong, Show
from crisp_lan.net.pace import Pace
from crisp_lan.net.protocol import HEADER, Connection, State

PING_EVERY: Final = 2.0
SILENCE: Final = 8.0
"""Seconds after which a peer of whom nothing is heard is gone."""
STUCK: Final = 5.0
"""Seconds that one piece of writing may take."""
OUTBOX: Final = 4 * LIMIT["host"]
"""Bytes that may wait to be written."""
FAREWELL: Final = 1.0
"""Seconds for what is still to be written when a link is closed."""
LINGER: Final = 2.0
"""Seconds after a Bye in which the other side should close, so that it can read the Bye."""
BURST: Final = 40
RATE: Final = 40
"""Messages that a host hears of one client at once, and in a second from then on."""
PIECES: Final = 200
"""Pieces of any size that it reads of one, likewise."""
NOTES: Final = 100
"""Notes of one show, beyond which the next one waits beside it."""
_TICK: Final = 1.0


class LinkLost(WireError):
    """The link is closed, or never came about."""


@runtime_checkable
class AtOnce(Protocol):
    """A stream that can take bytes without being awaited."""

    @property
    def unsent(self) -> bool: ...

    def send_nowait(self, data: bytes) -> int: ...


async def at_once() -> None:
    """Nobody else's turn has to be waited for."""


class Link:
    """One side of a conversation over a stream. `linked` makes it and lets its tasks run.

    `trip` is how many seconds there and back have taken lately.
    """

    def __init__(
        self, stream: trio.abc.Stream, role: Role, turn: Callable[[], Awaitable[None]]
    ) -> None:
        self.trip = 0.0
        self._stream = stream
        self._at_once = stream if isinstance(stream, AtOnce) else None
        self._protocol = Connection(role)
        self._is_host = role == "host"
        self._chunk = LIMIT["client" if self._is_host else "host"] + HEADER
        self._hearing = Pace(BURST, RATE) if self._is_host else None
        self._reading = Pace(PIECES, PIECES) if self._is_host else None
        self._turn = turn
        self._outbox = bytearray()
        self._last: tuple[Show, int] | None = None
        self._writing_since = math.inf
        self._wake = trio.Event()
        self._written = trio.Event()
        self._written.set()
        self._heard = trio.current_time()
        self._asked = 0
        self._asked_at = -math.inf
        self._lingered = 0.0
        self._lost: Text | None = None
        self._closing = trio.Event()

    @property
    def silence(self) -> float:
        """Seconds since anything was heard of the other side."""
        return trio.current_time() - self._heard

    async def receive(self) -> AnyMessage:
        """The next message but for pings and pongs, which are dealt with here: keep receiving.

        Raises RemoteProtocolError, after which a host may still say Bye, or LinkLost.
        """
        waited = False
        while True:
            message = self._protocol.next_message()
            if message is None:
                self._protocol.receive_data(await self._some())
                waited = True
                continue
            if self._hearing is not None:
                await self._hearing.wait()
                await self._turn()
            if isinstance(message, Ping):
                self.send_nowait(Pong(message.number))
            elif isinstance(message, Pong):
                self._measure(message)
            else:
                if not waited:
                    await trio.lowlevel.checkpoint()
                return message

    def send_nowait(self, message: AnyMessage) -> None:
        """Sends without waiting. Raises LocalProtocolError.

        On a link that is lost or ending it does nothing: who receives will hear of that.
        """
        if self._lost is not None or self._too_late(message):
            return
        show, old = self._in_place_of_the_last(message)
        piece = self._protocol.send(show or message)
        rest = piece[self._taken_at_once(piece) :]
        if not rest and not self._owing:
            return
        self._outbox[len(self._outbox) - old :] = rest
        self._last = (show, len(piece)) if show and len(rest) == len(piece) else None
        if self._written.is_set():
            self._written = trio.Event()
        if len(self._outbox) > OUTBOX:
            self._lose(Text("The other side does not keep up."))
        self._wake.set()

    def _in_place_of_the_last(self, message: AnyMessage) -> tuple[Show | None, int]:
        """A show with the notes of one at the end of the outbox, and the bytes of that."""
        if not isinstance(message, Show):
            return None, 0
        if self._last is None or len(self._last[0].notes) > NOTES:
            return message, 0
        last, size = self._last
        return replace(message, notes=last.notes + message.notes), size

    def _taken_at_once(self, piece: bytes) -> int:
        """How many bytes the stream takes now: none before what waits in the outbox."""
        if self._at_once is None or not self._written.is_set():
            return 0
        return self._at_once.send_nowait(piece)

    @property
    def _owing(self) -> bool:
        """Whether there is something to write: in the outbox, or with the stream, which took it."""
        return bool(self._outbox) or (self._at_once is not None and self._at_once.unsent)

    def _too_late(self, message: AnyMessage) -> bool:
        return self._protocol.ending and not self._protocol.may_send(type(message))

    async def aclose(self) -> None:
        """Closes the link, after what still waits was written, if that goes quickly."""
        try:
            if self._lost is None:
                with trio.move_on_after(FAREWELL):
                    await self._written.wait()
        finally:
            self._lose(Text("The connection was closed."))
            await trio.aclose_forcefully(self._stream)

    async def _some(self) -> bytes:
        if self._reading is not None:
            await self._reading.wait()
            await self._turn()
        try:
            chunk = await self._stream.receive_some(self._chunk)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            chunk = b""
        if not chunk:
            raise LinkLost(self._lose(Text("The connection was cut.")))
        self._heard = trio.current_time()
        return bytes(chunk)

    def _lose(self, why: Text) -> Text:
        """Gives the link up, and says why: the first reason is the true one."""
        self._closing.set()
        return self._mute(why)

    def _mute(self, why: Text) -> Text:
        """Sends nothing any more; what has come already, perhaps a Bye, can still be read."""
        if self._lost is None:
            self._lost = why
        self._outbox.clear()
        self._wake.set()
        self._written.set()
        return self._lost

    async def write(self) -> None:
        """Writes the outbox until the link is lost."""
        try:
            while self._lost is None:
                if not self._owing:
                    self._written.set()
                    self._wake = trio.Event()
                    await self._wake.wait()
                    continue
                piece, self._outbox, self._last = self._outbox, bytearray(), None
                self._writing_since = trio.current_time()
                await self._stream.send_all(piece)
                self._writing_since = math.inf
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._mute(Text("The connection was cut."))
        finally:
            self._mute(Text("The connection was closed."))

    async def watch(self) -> None:
        """Asks for signs of life, and closes the stream of a link that is lost."""
        while self._lost is None:
            due = _TICK * (trio.current_time() // _TICK + 1)  # all links of a process at once
            with trio.move_on_at(due):
                await self._closing.wait()
            self._forgive(trio.current_time() - due)
            self._check(trio.current_time())
        await trio.aclose_forcefully(self._stream)

    def _forgive(self, late: float) -> None:
        """A machine that slept must not take its own sleep for the other side's silence."""
        if late > _TICK:
            self._heard += late
            self._writing_since += late

    def _check(self, now: float) -> None:
        if now - self._heard > SILENCE:
            silence = round(1000 * (now - self._heard))
            self._lose(Text("No word from the other side for {millis} s.", {"millis": silence}))
        elif now - self._writing_since > STUCK:
            self._lose(Text("The other side does not keep up."))
        elif self._protocol.state is State.ENDED:
            self._lingered += _TICK
            if self._lingered > LINGER:
                self._lose(Text("The connection was closed."))
        elif self._protocol.may_send(Ping) and self._asks(now):
            self._asked += 1
            self._asked_at = now
            self.send_nowait(Ping(self._asked))

    def _asks(self, now: float) -> bool:
        """Every PING_EVERY, to the nearest tick; a host need not ask who does the same."""
        heard = self._is_host and now - self._heard < PING_EVERY + _TICK / 2
        return not heard and now - self._asked_at > PING_EVERY - _TICK / 2

    def _measure(self, pong: Pong) -> None:
        if pong.number == self._asked:
            trip = trio.current_time() - self._asked_at
            self.trip = self.trip + (trip - self.trip) / 4 if self.trip else trip


@asynccontextmanager
async def linked(
    stream: trio.abc.Stream, role: Role, turn: Callable[[], Awaitable[None]] = at_once
) -> AsyncIterator[Link]:
    """A link over the stream, which is closed at the end, whatever happens.

    A host awaits a `turn` for each piece and each message that it hears.
    """
    link = Link(stream, role, turn)
    failed: Exception | None = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.write)
        nursery.start_soon(link.watch)
        try:
            yield link
        except Exception as error:
            failed = error
        finally:
            await link.aclose()
            nursery.cancel_scope.cancel()
    if failed is not None:
        raise failed
