"""The passcode of a table: shown to be known by both sides, and told to nobody.

Four messages, each 64 hex digits, the joiner's first:

    joiner  its half of SPAKE2          host  its half
    joiner  its proof                   host  its proof, or no

Whoever listens learns nothing that a guess could be tested with, and whoever takes part can test
one guess at a time, which the host counts. Both halves are bound to the table's id and to the
certificate that each side sees: somebody in between, who must show one of his own, cannot pass the
messages on. What is malformed is a wrong passcode. Each step takes about 10 ms of computing: it is
for `aside`.
"""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

import trio

from crisp_lan.game.rules import Text

DIGITS: Final = 6
LONGEST: Final = 64
WITHIN: Final = 300.0
OF_ONE: Final = 5
OF_ALL: Final = 40
"""Wrong passcodes within so many seconds, of one address and in all: whoever guesses at six digits
for three hours, from however many addresses, has one chance in seven hundred."""

ASKED = Text("This table asks for a passcode. Ask the host for it.")
WRONG = Text("That is not the passcode of this table. Ask the host for it.")
TOO_MANY = Text("Too many wrong passcodes have come just now. Try again in five minutes.")

UNPROVEN = Text(
    "Whoever answers there does not know the passcode, so it is not the table that you mean."
    " Compare the address with the host’s screen."
)
NOT_ASKED = Text(
    "Whoever answers there asks for no passcode. If the table has one, somebody else has answered;"
    " if it has none, join without one."
)

T = TypeVar("T")


def new_passcode() -> str:
    """One to be said across a room."""
    return f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"


def plain(passcode: str) -> str:
    """A passcode without what people type differently; "" if nothing is left, so it is none."""
    folded = unicodedata.normalize("NFKC", passcode).casefold()
    return "".join(c for c in folded if c.isalnum())


_ONE_AT_A_TIME = trio.CapacityLimiter(1)


async def aside(step: Callable[..., T], *args: Any) -> T:
    """Computes a step in a thread, after those of others: the table goes on meanwhile."""
    return await trio.to_thread.run_sync(step, *args, limiter=_ONE_AT_A_TIME)


class Joiner:
    """A client that says it knows the passcode. `message` goes first."""

    def __init__(self, passcode: str, table: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_A

        self._half = SPAKE2_A(plain(passcode).encode(), *_bound_to(table, fingerprint))
        self._key = b""
        self.message = _sent(self._half.start())

    def proof(self, message: str) -> str | None:
        """The answer to the host's message, or None: that was no passcode's."""
        key = _key(self._half, b"B", message)
        if key is None:
            return None
        self._key = key
        return _proof(key, b"joiner")

    def believes(self, proof: str) -> bool:
        """Whether the host knows the passcode too."""
        return bool(self._key) and _same(proof, _proof(self._key, b"host"))


class Asker:
    """A host that asks one client for the passcode. `message` answers that client's first."""

    def __init__(self, passcode: str, table: str, fingerprint: str) -> None:
        from spake2 import SPAKE2_B

        self._half = SPAKE2_B(plain(passcode).encode(), *_bound_to(table, fingerprint))
        self.message = _sent(self._half.start())

    def proof(self, message: str, proof: str) -> str | None:
        """The answer to the client's message and proof, or None: a wrong passcode."""
        key = _key(self._half, b"A", message)
        if key is None or not _same(proof, _proof(key, b"joiner")):
            return None
        return _proof(key, b"host")


def _bound_to(table: str, fingerprint: str) -> tuple[bytes, bytes]:
    return b"crisp-lan joiner", f"crisp-lan table {table} {fingerprint}".encode()


def _sent(half: bytes) -> str:
    """A half without its first byte, which tells the side: the order tells that."""
    return half[1:].hex()


def _key(half: Any, side: bytes, message: str) -> bytes | None:
    from spake2 import SPAKEError
    from spake2.ed25519_basic import NotOnCurve

    try:
        raw = bytes.fromhex(message)
        return bytes(half.finish(side + raw)) if len(raw) == 32 else None
    except (SPAKEError, NotOnCurve, ValueError):
        return None


def _proof(key: bytes, side: bytes) -> str:
    return hmac.digest(key, side, "sha256").hex()


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(errors="replace"), other.encode())


class Tries:
    """Counts wrong passcodes. A try is wrong until it was `right`, so breaking off saves none."""

    def __init__(self) -> None:
        self._wrong: deque[tuple[float, str]] = deque()

    def begin(self, address: str) -> bool:
        """Whether this address may try now."""
        now = trio.current_time()
        while self._wrong and now - self._wrong[0][0] >= WITHIN:
            self._wrong.popleft()
        own = sum(other == address for _, other in self._wrong)
        if own >= OF_ONE or len(self._wrong) >= OF_ALL:
            return False
        self._wrong.append((now, address))
        return True

    def right(self, address: str) -> None:
        """The latest try of this address was a right one."""
        for at in reversed(range(len(self._wrong))):
            if self._wrong[at][1] == address:
                del self._wrong[at]
                return
