"""One connection without its wire: bytes in, messages out, and who may say what when.

`_NEXT` is the whole conversation. The host speaks first; both sides follow the same table, each
from what it has sent and received so far, so either notices whose mistake a wrong message is.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from crisp_lan.net.codec import (
    LIMIT,
    AnyMessage,
    LocalProtocolError,
    RemoteProtocolError,
    Role,
    broken,
    decode,
    decode_hello,
    encode,
)
from crisp_lan.net.coherence import incoherence
from crisp_lan.net.messages import (
    Ask,
    Bye,
    Commit,
    Commits,
    Do,
    Half,
    Hello,
    Join,
    Leave,
    Message,
    No,
    Open,
    Opened,
    Ping,
    Pong,
    Proof,
    Say,
    Show,
    Shuffle,
    Welcome,
)

__all__ = ["Connection", "LocalProtocolError", "RemoteProtocolError", "Role", "State"]

HEADER = 4
"""Bytes of the length, big-endian, before each payload."""


class State(enum.Enum):
    """How far the conversation has come."""

    START = enum.auto()
    GREETED = enum.auto()
    """The host has said hello."""
    MET = enum.auto()
    """The client has, too."""
    JOINING = enum.auto()
    ASKED = enum.auto()
    """For the passcode; in the three states that follow both sides show that they know it."""
    TRYING = enum.auto()
    ANSWERED = enum.auto()
    PROVEN = enum.auto()
    ADMITTED = enum.auto()
    SEATED = enum.auto()
    """Welcome: at the table, or watching."""
    LEFT = enum.auto()
    """The client gave its seat up; what the host had sent before may still come."""
    ENDED = enum.auto()
    """The host said bye: nothing is sent any more, and what still comes is thrown away."""
    BROKEN = enum.auto()
    """The other side broke the protocol: the host may still say why."""


_Table = Mapping[tuple[Role, type[Message]], State]


def _beating(state: State, steps: _Table) -> _Table:
    """The steps of a state in which both sides may ask for signs of life, and the host say bye."""
    return {
        ("host", Ping): state,
        ("host", Pong): state,
        ("client", Ping): state,
        ("client", Pong): state,
        ("host", Bye): State.ENDED,
        **steps,
    }


def _telling(state: State, steps: _Table) -> _Table:
    """Those of a state in which the host says what happens at the table, too."""
    told: _Table = {
        ("host", Show): state,
        ("host", No): state,
        ("host", Shuffle): state,
        ("host", Commits): state,
        ("host", Opened): state,
    }
    return _beating(state, {**told, **steps})


_NEXT: Mapping[State, _Table] = {
    State.START: {("host", Hello): State.GREETED},
    State.GREETED: {("client", Hello): State.MET, ("host", Bye): State.ENDED},
    State.MET: _beating(State.MET, {("client", Join): State.JOINING}),
    State.JOINING: _beating(
        State.JOINING, {("host", Ask): State.ASKED, ("host", Welcome): State.SEATED}
    ),
    State.ASKED: _beating(State.ASKED, {("client", Half): State.TRYING}),
    State.TRYING: _beating(State.TRYING, {("host", Half): State.ANSWERED}),
    State.ANSWERED: _beating(State.ANSWERED, {("client", Proof): State.PROVEN}),
    State.PROVEN: _beating(State.PROVEN, {("host", Proof): State.ADMITTED}),
    State.ADMITTED: _beating(State.ADMITTED, {("host", Welcome): State.SEATED}),
    State.SEATED: _telling(
        State.SEATED,
        {
            ("client", Do): State.SEATED,
            ("client", Say): State.SEATED,
            ("client", Commit): State.SEATED,
            ("client", Open): State.SEATED,
            ("client", Leave): State.LEFT,
        },
    ),
    State.LEFT: _telling(State.LEFT, {}),
    State.ENDED: {},
    State.BROKEN: {("host", Bye): State.ENDED},
}


class Connection:
    """One side of one conversation. Take every `next_message` before giving it more bytes."""

    def __init__(self, role: Role) -> None:
        self.role: Role = role
        self.state = State.START
        self._peer: Role = "client" if role == "host" else "host"
        self._received = bytearray()

    @property
    def ending(self) -> bool:
        """Whether it is too late for some messages, which is nobody's mistake."""
        return self.state in (State.LEFT, State.ENDED, State.BROKEN)

    def may_send(self, kind: type[Message]) -> bool:
        """Whether this side may send such a message now."""
        return (self.role, kind) in _NEXT[self.state]

    def send(self, message: AnyMessage) -> bytes:
        """The bytes of a message that this side sends now. Raises LocalProtocolError."""
        state = _NEXT[self.state].get((self.role, type(message)))
        if state is None:
            raise LocalProtocolError(f"{type(message).__name__} from {self.role} in {self.state}")
        payload = encode(message)
        if len(payload) > LIMIT[self.role]:
            raise LocalProtocolError(f"{type(message).__name__} of {len(payload)} bytes")
        self.state = state
        return len(payload).to_bytes(HEADER, "big") + payload

    def receive_data(self, chunk: bytes) -> None:
        """Takes in what came from the other side, in pieces of any size."""
        if self.state is not State.ENDED:
            self._received += chunk

    def next_message(self) -> AnyMessage | None:
        """The next whole message, or None until more bytes come. Raises RemoteProtocolError."""
        if self.state is State.BROKEN:
            raise broken("it was broken before")
        try:
            payload = self._next_payload()
            return None if payload is None else self._accept(payload)
        except RemoteProtocolError:
            self.state = State.BROKEN
            self._received.clear()
            raise

    def _next_payload(self) -> bytes | None:
        if self.state is State.ENDED or len(self._received) < HEADER:
            return None
        length = int.from_bytes(self._received[:HEADER], "big")
        if length > LIMIT[self._peer]:
            raise broken(f"a frame of {length} bytes")
        if len(self._received) < HEADER + length:
            return None
        payload = bytes(self._received[HEADER : HEADER + length])
        del self._received[: HEADER + length]
        return payload

    def _accept(self, payload: bytes) -> AnyMessage:
        steps = _NEXT[self.state]
        read = decode_hello if (self._peer, Hello) in steps else decode
        message = read(payload, self._peer)
        state = steps.get((self._peer, type(message)))
        if state is None:
            raise broken(f"{type(message).__name__} in {self.state.name}")
        if isinstance(message, Show) and (what := incoherence(message)):
            raise broken(what)
        self.state = state
        return message
