"""A deck in an order that nobody chose, out of bytes that everybody has drawn.

Who takes part commits to 32 random bytes while nobody's are known, and opens them when all have.
`docs/protocol.md` has the rule for other languages, with an example: "The fair deal".
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

HOST = "host"
"""Who the host is among those who take part; the others are their seat's number in decimal."""
SECRET = 32
"""Bytes that each draws."""
LOTS = 840
"""The first dealer is drawn among so many: every number of seats up to eight divides it."""
_TABLE = re.compile("[A-Za-z0-9_-]{1,32}")
_HEX = re.compile("[0-9a-f]{64}")
_WORD = 2**64


def commitment(table: str, deal: int, who: str, secret: bytes) -> str:
    """What ties somebody to a secret and tells nothing of it, in hexadecimal."""
    return _hash("crisp-lan commitment 1", table, str(deal), who, rest=secret).hexdigest()


@dataclass(frozen=True, slots=True)
class Openings:
    """What decides one deck: who has committed to what, and with which secret, in hexadecimal.

    `deal` is the number of the attempt at that table. It is `fair` in the record's `deal` line.
    """

    table: str
    deal: int
    commitments: Mapping[str, str]
    secrets: Mapping[str, str]

    @classmethod
    def read(cls, field: Any) -> Openings:
        """From a record. Raises ValueError for what cannot be openings."""
        try:
            table, deal, *maps = (field[name] for name in cls.__slots__)
        except (TypeError, LookupError):
            raise ValueError("no openings") from None
        named = type(table) is str and _TABLE.fullmatch(table)
        numbered = type(deal) is int and 0 <= deal <= 2**53
        if not named or not numbered or not all(map(_is_map, maps)):
            raise ValueError("no openings")
        return cls(table, deal, *maps)

    @property
    def written(self) -> dict[str, Any]:
        """As it stands in a record."""
        return {name: getattr(self, name) for name in self.__slots__}

    def unfit(self) -> tuple[str, ...]:
        """Those whose secret is not the one that they have committed to, or is missing."""
        everybody = in_order({HOST, *self.commitments, *self.secrets})
        return tuple(who for who in everybody if not self._fits(who))

    def _fits(self, who: str) -> bool:
        secret = self.secrets.get(who)
        if secret is None:
            return False
        made = commitment(self.table, self.deal, who, bytes.fromhex(secret))
        return made == self.commitments.get(who)

    def lots(self) -> Lots:
        """What the deck is shuffled with, and the first dealer drawn."""
        drawn = (bytes.fromhex(self.secrets[who]) for who in in_order(self.secrets))
        return Lots(_hash("crisp-lan deck 1", self.table, str(self.deal), rest=b"".join(drawn)))


@dataclass(frozen=True, slots=True)
class Sealed:
    """What one of those at the table knows of a deck before it is dealt.

    `seat` was asked for its part, if any; `secret` is that part, "" if it does not count.
    """

    table: str
    deal: int
    commitments: Mapping[str, str]
    seat: int | None = None
    secret: str = field(default="", repr=False)


class Lots:
    """Numbers that follow from a key: eight bytes each of HMAC-SHA-256 over a counter."""

    def __init__(self, key: hashlib._Hash) -> None:
        self._words = _words(key.digest())
        self.first = self._below(LOTS)
        """Draws the first dealer."""

    def shuffle(self, cards: list[str]) -> None:
        """Shuffles in place: each card, from the last, changes places with one up to itself."""
        for place in range(len(cards) - 1, 0, -1):
            other = self._below(place + 1)
            cards[place], cards[other] = cards[other], cards[place]

    def _below(self, n: int) -> int:
        """A number from 0 to n − 1, all as likely: words beyond the last whole n are skipped."""
        whole = _WORD - _WORD % n
        return next(word for word in self._words if word < whole) % n


def in_order(everybody: Iterable[str]) -> list[str]:
    """Those who take part: the host, then by seat."""
    return sorted(everybody, key=lambda who: -1 if who == HOST else int(who))


def _words(key: bytes) -> Iterator[int]:
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        for start in range(0, len(block), 8):
            yield int.from_bytes(block[start : start + 8], "big")
        counter += 1


def _hash(*words: str, rest: bytes) -> hashlib._Hash:
    """SHA-256 over words, each closed by a zero byte, and then some bytes."""
    return hashlib.sha256("".join(f"{word}\0" for word in words).encode() + rest)


def _is_map(field: Any) -> bool:
    """Whether this maps those who take part to 32 bytes each."""
    return type(field) is dict and all(
        (who == HOST or _is_seat(who)) and type(value) is str and _HEX.fullmatch(value)
        for who, value in field.items()
    )


def _is_seat(who: Any) -> bool:
    return type(who) is str and re.fullmatch("0|[1-9][0-9]{0,2}", who, re.ASCII) is not None
