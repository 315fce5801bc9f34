"""Who is connected to a table, and what gives them a chair there: tokens and keys."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from crisp_lan.game.rules import By, Text
from crisp_lan.net.messages import Bye, FromHost
from crisp_lan.net.pace import Pace

RETURNS = 8
RETURNS_A_SECOND = 4
RULINGS = 3
RULINGS_A_SECOND = 0.2
WORDS = 4
WORDS_A_SECOND = 0.5
WATCHERS = 32
WATCHERS_OF_ONE = 8
"""Who may watch without a chair, in all and from one address; the longest there gives way."""


def hashed(secret: str) -> bytes:
    """A secret as it is kept."""
    return hashlib.sha256(secret.encode()).digest()


class Outlet(Protocol):
    """The way back to a client."""

    def post(self, message: FromHost) -> None:
        """Sends without waiting; a Bye is the last. Who takes too little in is cut off."""


@dataclass(slots=True)
class Holder:
    """Who holds a chair by a token, and the serial of the last act taken from them.

    `own`: it is one of the table's own bots; `level`: it plays for somebody away. `returns`: how
    often they may come back, `rulings` how often a refusal is told, and `words` how often they may
    say something, for all the others are told each time.
    """

    token: bytes
    chair: int
    by: By
    own: bool = False
    level: str = ""
    done: int = 0
    returns: Pace = field(default_factory=lambda: Pace(RETURNS, RETURNS_A_SECOND))
    rulings: Pace = field(default_factory=lambda: Pace(RULINGS, RULINGS_A_SECOND))
    words: Pace = field(default_factory=lambda: Pace(WORDS, WORDS_A_SECOND))


def new_holder(chair: int, by: By, own: bool = False, level: str = "") -> tuple[Holder, str]:
    """Who is to hold a chair, and the token, which is kept nowhere."""
    token = secrets.token_urlsafe(24)
    return Holder(hashed(token), chair, by, own=own, level=level), token


class Member:
    """One connection as the referee knows it. Without a holder: a watcher."""

    def __init__(self, outlet: Outlet, address: str) -> None:
        self.outlet = outlet
        self.address = address
        self.greeted = False
        self.name = ""
        """A watcher's: who holds a chair is named by it."""
        self.holder: Holder | None = None

    @property
    def is_own_bot(self) -> bool:
        return self.holder is not None and self.holder.own

    @property
    def chair(self) -> int | None:
        """The id of the chair that they play, if they do."""
        return None if self.holder is None else self.holder.chair


class Members:
    """Who is connected to a table, in the order in which they came."""

    def __init__(self) -> None:
        self._here: list[Member] = []

    def __len__(self) -> int:
        return len(self._here)

    def __iter__(self) -> Iterator[Member]:
        return iter(tuple(self._here))

    def __contains__(self, member: object) -> bool:
        return member in self._here

    @property
    def watchers(self) -> list[Member]:
        """Those who play no chair."""
        return [member for member in self._here if member.chair is None]

    @property
    def chairs(self) -> set[int]:
        """Those that are played."""
        return {member.chair for member in self._here if member.chair is not None}

    def add(self, member: Member) -> None:
        """One more."""
        self._here.append(member)

    def remove(self, member: Member) -> None:
        """One is gone."""
        self._here.remove(member)

    def dismiss(self, member: Member, why: Bye) -> None:
        """Says goodbye to one, who may be gone already."""
        if member in self._here:
            self._here.remove(member)
        member.outlet.post(why)

    def make_way(self, address: str) -> None:
        """A watcher goes for another of this address, if too many are from there, or in all."""
        watching = self.watchers
        near = [member for member in watching if member.address == address]
        if len(near) >= WATCHERS_OF_ONE or len(watching) >= WATCHERS:
            longest = near[0] if len(near) >= WATCHERS_OF_ONE else watching[0]
            self.dismiss(longest, Bye(Text("Many want to watch: others have their turn now.")))


class Holders:
    """Who holds a chair by a token; and the keys of the host's screen and of the table's bots."""

    def __init__(self, host_key: str) -> None:
        """`host_key`: "" if nobody is the host by a key."""
        self._holders: list[Holder] = []
        self._host_keys: tuple[bytes, ...] = (hashed(host_key),) if host_key else ()
        self._bot_keys: dict[bytes, int | None] = {}

    def __len__(self) -> int:
        return len(self._holders)

    def __iter__(self) -> Iterator[Holder]:
        return iter(self._holders)

    def __contains__(self, holder: Holder) -> bool:
        return holder in self._holders

    @property
    def awaited_bots(self) -> int:
        """How many of the table's own bots have been sent for and have not come."""
        return len(self._bot_keys)

    def by_token(self, token: str) -> Holder | None:
        """Whose chair a token gives back, if any."""
        tried = hashed(token)
        return next((h for h in self._holders if hmac.compare_digest(h.token, tried)), None)

    def add(self, holder: Holder) -> None:
        """One more. What an own bot held of that chair before, it holds no more."""
        if holder.own:
            self._holders = [h for h in self._holders if not h.own or h.chair != holder.chair]
        self._holders.append(holder)

    def keep(self, standing: Mapping[int, By]) -> None:
        """Only chairs that stand are held, and by an own bot only one that a bot plays."""
        self._holders = [
            holder
            for holder in self._holders
            if holder.chair in standing and (standing[holder.chair] == "bot" or not holder.own)
        ]

    def add_host_keys(self, kept: tuple[bytes, ...]) -> None:
        """Keys of the host's screens before, as they are kept."""
        self._host_keys += kept

    def is_host_key(self, key: str) -> bool:
        """Whether it is a key of the host's screen."""
        tried = hashed(key)
        return any(hmac.compare_digest(known, tried) for known in self._host_keys)

    def new_bot_key(self, chair: int | None) -> str:
        """A key for one bot: to sit down, or to play the chair with that id."""
        key = secrets.token_urlsafe(24)
        self._bot_keys[hashed(key)] = chair
        return key

    def bot_key(self, key: str) -> bytes | None:
        """The key of a bot that was sent for, as it is kept."""
        tried = hashed(key)
        return next((k for k in self._bot_keys if hmac.compare_digest(k, tried)), None)

    def use_bot_key(self, key: bytes) -> int | None:
        """The chair that its bot was sent for; the key is good for nothing more."""
        return self._bot_keys.pop(key)
