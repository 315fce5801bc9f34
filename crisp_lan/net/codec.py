"""One message as bytes and back, trusting nothing.

msgspec packs and unpacks, and checks the type of every field. A client's bytes are looked at before
that: msgpack unpacks them with its limits and without recursion, and maps with a key twice and
things nested too deep go no further. A table's bytes are not, for that takes six times as long as
the rest, and one hears of them only what the fields of its messages say: the rest is skipped.
What fails anywhere is a `RemoteProtocolError`, and nothing else comes out of here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, TypeVar, cast

import msgpack
import msgspec

from crisp_lan.game.rules import Problem, Text
from crisp_lan.net.messages import PROTOCOL, FromClient, FromHost, Hello

Role: TypeAlias = Literal["host", "client"]
AnyMessage: TypeAlias = FromClient | FromHost
T = TypeVar("T")

LIMIT: Mapping[Role, int] = {"client": 4 * 1024, "host": 64 * 1024}
"""The longest payload that each side may send, in bytes."""

DEPTH: Mapping[Role, int] = {"client": 4, "host": 8}
"""How deep maps and lists are nested at most: a client's 2, a `Show` 6, the rest is for later."""

_BROKEN = "The other side broke the protocol: {what}."
_UPDATE_HERE = (
    "The table speaks protocol {table}, your program {program}. Update crisp-lan on your machine."
)
_UPDATE_THERE = (
    "The table speaks protocol {table}, your program {program}. Ask the host to update crisp-lan."
)
_UPDATE_BOTH = (
    "The table speaks protocol {table}, your program {program}. "
    "Install the same version of crisp-lan on both machines."
)


class LocalProtocolError(Exception):
    """Something that this side may not send now: a mistake of ours."""


class WireError(Problem):
    """A connection is of no more use; `text` says why, to people: in addresses and sizes."""

    def __str__(self) -> str:
        return self.text.key.format_map(self.text.values)


class RemoteProtocolError(WireError):
    """The other side broke the protocol."""


def broken(what: str) -> RemoteProtocolError:
    """The error for a breach; `what` is for a log, and may quote the sender."""
    return RemoteProtocolError(Text(_BROKEN, {"what": _quoted(what)}))


def encode(message: AnyMessage) -> bytes:
    """The payload of one frame. Raises LocalProtocolError for what MessagePack cannot carry."""
    try:
        return _encoder.encode(message)
    except (TypeError, ValueError, OverflowError) as error:
        raise LocalProtocolError(f"{type(message).__name__}: {error}") from error


def packed(part: T) -> T:
    """A part of messages, packed once for all of them: for sending only, whatever it looks like."""
    return cast(T, msgspec.Raw(_encoder.encode(part)))


def decode(payload: bytes, sender: Role) -> AnyMessage:
    """The message in a frame's payload. Raises RemoteProtocolError."""
    if sender == "client":
        _plain(payload, sender)
    try:
        message: AnyMessage = _decoders[sender].decode(payload)
    except (ValueError, RecursionError) as error:
        raise broken(str(error)) from None
    return message


_encoder = msgspec.msgpack.Encoder()
_decoders: Mapping[Role, msgspec.msgpack.Decoder[Any]] = {
    "client": msgspec.msgpack.Decoder(FromClient),
    "host": msgspec.msgpack.Decoder(FromHost),
}


def decode_hello(payload: bytes, sender: Role) -> Hello:
    """The Hello in a payload, read so that every version's can be told from something else.

    Raises RemoteProtocolError, where the versions differ with both and what to do about it.
    """
    plain = _plain(payload, sender)
    if plain.get("type") != "hello":
        raise broken("no hello")
    _check_version(plain.get("protocol"), sender)
    return Hello(
        protocol=PROTOCOL,
        software=_start(plain, "software", 32),
        table=_start(plain, "table", 32),
        name=_start(plain, "name", 64),
    )


def _check_version(theirs: object, sender: Role) -> None:
    if trouble := other_version(theirs, sender):
        raise RemoteProtocolError(trouble)


def other_version(theirs: object, sender: Role) -> Text | None:
    """Both versions, and which side is to be updated; None if they are the same."""
    if type(theirs) is int and theirs == PROTOCOL:
        return None
    shown = theirs if type(theirs) is int else _quoted(theirs) if isinstance(theirs, str) else "?"
    table, program = (shown, PROTOCOL) if sender == "host" else (PROTOCOL, shown)
    key = _UPDATE_BOTH
    if isinstance(table, int) and isinstance(program, int):
        key = _UPDATE_HERE if table > program else _UPDATE_THERE
    return Text(key, {"table": table, "program": program})


def _start(plain: Mapping[str, object], name: str, length: int) -> str:
    value = plain.get(name)
    return value[:length] if isinstance(value, str) else ""


def _quoted(foreign: str) -> str:
    """Foreign text as short and plain ASCII, fit for any log."""
    return foreign[:120].encode("unicode_escape").decode("ascii")[:120]


def _plain(payload: bytes, sender: Role) -> dict[str, Any]:
    """The payload as a map of text to plain values, nested no deeper than the sender may."""
    try:
        plain = msgpack.unpackb(
            payload,
            object_pairs_hook=_distinct,
            max_str_len=LIMIT[sender],
            max_array_len=LIMIT[sender],
            max_map_len=LIMIT[sender],
            max_bin_len=0,
            max_ext_len=0,
        )
    except (ValueError, msgpack.UnpackException) as error:
        raise broken(f"{type(error).__name__}: {error}") from None
    if not isinstance(plain, dict):
        raise broken("not a map")
    if _deeper(plain, DEPTH[sender]):
        raise broken("nested too deep")
    return plain


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    plain = dict(pairs)
    if len(plain) != len(pairs):
        raise ValueError("a key twice")
    if not all(type(key) is str for key in plain):
        raise ValueError("a key that is no text")
    return plain


def _deeper(plain: dict[str, Any], depth: int) -> bool:
    """Whether maps and lists are nested deeper than `depth`, found level by level."""
    level: list[Any] = [plain]
    for _ in range(depth):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if type(outer) is dict else outer)
            if type(inner) is list or type(inner) is dict
        ]
        if not level:
            return False
    return True
