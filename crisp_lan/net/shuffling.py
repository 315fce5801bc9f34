"""How a deck is made by all together: the host's side of it, and a player's.

`crisp_lan.lots` has the rule, `docs/protocol.md` the steps.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable

from crisp_lan.game.rules import Seat
from crisp_lan.lots import HOST, SECRET, Openings, Sealed, commitment
from crisp_lan.net.clocks import SECOND, Micros
from crisp_lan.net.messages import Commit, Commits, Open, Shuffle

PATIENCE: Micros = 2 * SECOND
"""For the commitments of all, and then for what they open."""


class Shuffling:
    """The host's side of one attempt: who is awaited, what they have said, and until when."""

    def __init__(self, table: str, deal: int, seats: Iterable[Seat], now: Micros) -> None:
        secret = secrets.token_bytes(SECRET)
        self.until = now + PATIENCE
        self._table, self._deal = table, deal
        self._awaited = frozenset(seats)
        self._commits: Commits | None = None
        self._failed: set[Seat] = set()
        self._commitments = {HOST: commitment(table, deal, HOST, secret)}
        self._secrets = {HOST: secret.hex()}

    def asking(self, seat: Seat | None) -> Shuffle:
        """What a seat, or a watcher, is told at first."""
        asked = seat if seat in self._awaited else None
        return Shuffle(self._deal, asked, self._commitments[HOST])

    def hear(self, seat: Seat, message: Commit | Open) -> None:
        """A seat has answered; what is not awaited of it, or comes twice, is nothing."""
        who = str(seat)
        if message.deal != self._deal or seat not in self._awaited:
            return
        if isinstance(message, Commit):
            if self._commits is None:
                self._commitments.setdefault(who, message.commitment)
        elif self._commits is not None and who not in self._secrets:
            self._open(seat, message.secret)

    def _open(self, seat: Seat, secret: str) -> None:
        made = commitment(self._table, self._deal, str(seat), bytes.fromhex(secret))
        if made == self._commitments[str(seat)]:
            self._secrets[str(seat)] = secret
        else:
            self._failed.add(seat)

    def lose(self, seat: Seat) -> None:
        """Whoever answered for a seat is gone; what they have opened is good."""
        if self._commits is None:
            self._awaited -= {seat}
            self._commitments.pop(str(seat), None)
        elif seat in self._awaited and str(seat) not in self._secrets:
            self._failed.add(seat)

    def closed(self, now: Micros) -> Commits | None:
        """The commitments, once: when all are there, or nobody is waited for any longer."""
        here = {seat for seat in self._awaited if str(seat) in self._commitments}
        if self._commits is not None or (here < self._awaited and now < self.until):
            return None
        self._awaited, self.until = frozenset(here), now + PATIENCE
        made = tuple((seat, self._commitments[str(seat)]) for seat in sorted(here))
        self._commits = Commits(self._deal, made)
        return self._commits

    def failed(self, now: Micros) -> frozenset[Seat]:
        """Those who have committed and do not open: it is tried again without them."""
        if self._commits is None or now < self.until:
            return frozenset(self._failed)
        return frozenset(seat for seat in self._awaited if str(seat) not in self._secrets)

    def others(self, failed: Iterable[Seat]) -> frozenset[Seat]:
        """Those who have committed, without some."""
        return self._awaited - frozenset(failed)

    @property
    def openings(self) -> Openings | None:
        """What decides the deck, when all have opened."""
        if self._commits is None or self._secrets.keys() != self._commitments.keys():
            return None
        return Openings(self._table, self._deal, self._commitments, self._secrets)


class Share:
    """A player's side of one attempt: bytes of its own, opened once, and only where it counts."""

    def __init__(self, table: str, shuffle: Shuffle) -> None:
        self._table = table
        self._shuffle = shuffle
        self._secret = secrets.token_bytes(SECRET)
        self._sealed: Sealed | None = None

    @property
    def commit(self) -> Commit | None:
        """The answer to the shuffle, if one is asked for."""
        if self._shuffle.seat is None:
            return None
        made = commitment(self._table, self._shuffle.deal, str(self._shuffle.seat), self._secret)
        return Commit(self._shuffle.deal, made)

    def seal(self, commits: Commits) -> Sealed | None:
        """What is known when all have committed; None for another attempt, or told twice."""
        if commits.deal != self._shuffle.deal or self._sealed is not None:
            return None
        made = {str(seat): commitment for seat, commitment in commits.commitments}
        own = self.commit
        counts = own is not None and made.get(str(self._shuffle.seat)) == own.commitment
        self._sealed = Sealed(
            self._table,
            self._shuffle.deal,
            {HOST: self._shuffle.commitment, **made},
            self._shuffle.seat,
            self._secret.hex() if counts else "",
        )
        return self._sealed
