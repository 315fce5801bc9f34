"""The seats that this player may come back to: one file for each table and running client.

A file holds what gives a seat back, and is readable by its owner only. The client that plays the
seat holds the file locked; the system lets go of it however the client ends. So a seat whose file
is not locked waits for its player, and two clients on one machine never share one.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from crisp_lan.spots import spot

try:
    import fcntl
except ImportError:  # Windows has no such locks: there a seat lasts as long as its client
    fcntl = None  # type: ignore[assignment]

MOST = 64
"""Seats that are kept: the oldest go first."""
LARGEST = 8192

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat that is kept. `player` is the name that was asked for at the table with this id and
    fingerprint; the first of the addresses is the one that led there."""

    table: str
    player: str
    token: str = field(repr=False)
    addresses: tuple[str, ...]
    port: int
    fingerprint: str

    @property
    def spot(self) -> str:
        """Where the table was, as it is typed."""
        return spot(self.addresses[0], self.port)


class SeatKeeper:
    """Keeps the seat of one running client. Where the disk does not let it, nothing is kept."""

    def __init__(self, folder: Path, player: str, any_player: bool = False) -> None:
        """`player` comes back to seats taken by that name, or, with `any_player`, to any."""
        self.held: Seat | None = None
        self._folder = folder
        self._player = player
        self._any_player = any_player
        self._path = Path()
        self._file = -1

    def tables(self) -> frozenset[str]:
        """The ids of the tables at which a seat waits for this player."""
        return frozenset(seat.table for seat in self.waiting())

    def waiting(self) -> tuple[Seat, ...]:
        """The seats that wait for this player, the newest first."""
        waiting = []
        for _path, file, seat in self._waiting():
            os.close(file)
            waiting.append(seat)
        return tuple(waiting)

    def is_played(self, table: str) -> bool:
        """Whether another client that runs now plays this player's seat at this table."""
        for path in self._paths():
            if (file := _locked(path)) is not None:
                os.close(file)
            elif (seat := _glimpsed(path)) and seat.table == table and self._is_own(seat):
                return True
        return False

    def fingerprint(self, table: str) -> str:
        """That of the table with this id, where somebody of this machine has sat; "" of others."""
        seats = filter(None, map(_glimpsed, self._paths()))
        return next((seat.fingerprint for seat in seats if seat.table == table), "")

    def token(self, table: str) -> str:
        """What gives back a seat at this table, which is this client's from now on; "" if none."""
        if self.held is not None and self.held.table == table:
            return self.held.token
        self._let_go()
        for path, file, seat in self._waiting():
            if seat.table == table and self._file < 0:
                self._path, self._file, self.held = path, file, seat
            else:
                os.close(file)
        return self.held.token if self.held else ""

    def keep(
        self, table: str, token: str, addresses: Sequence[str], port: int, fingerprint: str
    ) -> None:
        """The seat is this client's, and can be found again after its end."""
        player = self.held.player if self.held else self._player
        seat = Seat(table, player, token, tuple(addresses), port, fingerprint)
        if seat == self.held or not fcntl:
            return
        try:
            if self._file < 0:
                self._begin()
            whole = json.dumps(asdict(seat)).encode() + b"\n"
            os.pwrite(self._file, whole, 0)
            os.ftruncate(self._file, len(whole))
            self.held = seat
        except OSError as error:
            log.warning("the seat cannot be kept: %s", error.strerror)
            if self.held is None:
                self.give_up()

    def give_up(self) -> None:
        """The seat is nobody's any more."""
        if self._file >= 0:
            with suppress(OSError):
                self._path.unlink()
        self._let_go()

    def close(self) -> None:
        """The client ends; its seat waits."""
        self._let_go()

    def _let_go(self) -> None:
        if self._file >= 0:
            os.close(self._file)
        self._file, self.held = -1, None

    def _begin(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for old in self._paths()[MOST - 1 :]:
            if (file := _locked(old)) is not None:
                old.unlink(missing_ok=True)
                os.close(file)
        self._path = self._folder / f"{secrets.token_hex(8)}.json"
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        fcntl.flock(self._file, fcntl.LOCK_EX)

    def _waiting(self) -> Iterator[tuple[Path, int, Seat]]:
        """The seats that nobody plays, the newest first: their open files are the caller's."""
        for path in self._paths():
            file = _locked(path)
            if file is None:
                continue
            seat = _read(file)
            if seat and self._is_own(seat):
                yield path, file, seat
            else:
                os.close(file)

    def _is_own(self, seat: Seat) -> bool:
        return self._any_player or seat.player == self._player

    def _paths(self) -> list[Path]:
        """The files, the newest first."""
        found = []
        with suppress(OSError):
            for path in self._folder.glob("*.json"):
                with suppress(OSError):
                    found.append((path.stat().st_mtime_ns, path))
        return [path for _when, path in sorted(found, reverse=True)]


def _locked(path: Path) -> int | None:
    """The open file, locked for this client; None if another has it, or it is gone."""
    if not fcntl:
        return None
    try:
        file = os.open(path, os.O_RDWR | os.O_NOFOLLOW)
    except OSError:
        return None
    with suppress(OSError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if os.fstat(file).st_nlink:
            return file
    os.close(file)
    return None


def _glimpsed(path: Path) -> Seat | None:
    """The seat in a file, whoever has it; None if it cannot be read."""
    with suppress(OSError):
        file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            return _read(file)
        finally:
            os.close(file)
    return None


def _read(file: int) -> Seat | None:
    """The seat in a file; None if it holds none, or was torn."""
    try:
        kept = json.loads(os.pread(file, LARGEST, 0).partition(b"\n")[0])
        seat = Seat(**{**kept, "addresses": tuple(kept["addresses"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None
    words = (seat.table, seat.player, seat.token, seat.fingerprint, *seat.addresses)
    whole = all(isinstance(word, str) for word in words) and isinstance(seat.port, int)
    return seat if whole and seat.addresses else None
