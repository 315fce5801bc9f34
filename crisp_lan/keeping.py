"""What a journal has kept of a table, so that it can go on where it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

from crisp_lan.check import Wrong, retold
from crisp_lan.game.rules import Line, Millis, Problem, Text
from crisp_lan.game.state import Table
from crisp_lan.journal import Unreadable, is_finished, journals, read, records
from crisp_lan.text import NAME_LENGTH

LATEST = 2**53
"""The latest match time that messages can tell."""
NUMBERED = NAME_LENGTH + 8
"""The longest name of a player, where others have the same."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A table, and what its host knows beside it.

    `opening`: the first line, with what has changed since. `now`: the match time of the last line.
    `due`: what else the last step has led to, which was not written any more. By chair: `tokens`,
    as they are kept, and `done`, the serials of the last acts taken. `keys`: of the host, as they
    are kept. `bots`: how many of the table's own have come. `times`: how often it went on before.
    `record`: of the last match.
    """

    opening: Line
    table: Table
    now: Millis
    due: tuple[Line, ...]
    tokens: Mapping[int, bytes]
    done: Mapping[int, int]
    keys: tuple[bytes, ...]
    bots: int
    times: int
    record: tuple[Line, ...] = ()


def kept(lines: Sequence[Line]) -> Kept:
    """What the lines of a journal have kept. Raises Wrong."""
    due: list[Line] = []
    *_, last = retold(lines, due)
    notes = _Notes()
    for number, line in enumerate(lines, 1):
        try:
            notes.take(line)
        except (LookupError, TypeError, ValueError) as error:
            raise Wrong(number, repr(error)) from error
    return Kept(
        notes.opening,
        last.table,
        notes.now,
        tuple(due),
        notes.tokens,
        notes.done,
        tuple(notes.keys),
        notes.bots,
        notes.times,
        tuple(([], *records(lines))[-1]),
    )


class _Notes:
    """What lines say that the table knows nothing of."""

    def __init__(self) -> None:
        self.opening: Line = {}
        self.now = 0
        self.tokens: dict[int, bytes] = {}
        self.done: dict[int, int] = {}
        self.keys: list[bytes] = []
        self.bots = self.times = 0

    def take(self, line: Line) -> None:
        """One more line. Raises LookupError, TypeError or ValueError where it is falsified."""
        if "done" in line:
            chair, serial = line["done"]
            self.done[int(chair)] = int(serial)
        if "t" in line:
            self.now = round(float(line["t"]) * 1000)
            if not 0 <= self.now <= LATEST:
                raise ValueError("a time that nobody can be told")
        match line["kind"]:
            case "table" | "again":
                self.opening |= _checked({name: line[name] for name in line if name != "kind"})
                self.times += line["kind"] == "again"
            case "game":
                self.now = 0
            case "sit":
                self.bots += bool(line["hosted"])
                if not _can_be_shown(line["name"], NUMBERED):
                    raise ValueError("a name that nobody can be shown")
            case "token":
                self.tokens[int(line["chair"])] = bytes.fromhex(line["hash"])
            case "key":
                self.keys.append(bytes.fromhex(line["hash"]))


_OPENING: dict[str, tuple[type, ...]] = {
    "table": (str,),
    "port": (int,),
    "bind": (str, type(None)),
    "announce": (bool,),
    "first_is_host": (bool,),
    "bots": (list,),
    "deal_seed": (int, type(None)),
    "passcode": (str,),
}


def _checked(opening: Line) -> Line:
    """How and where a table was opened. Raises TypeError or ValueError where it is falsified."""
    for name, types in _OPENING.items():
        if name in opening and not isinstance(opening[name], types):
            raise TypeError(f"{name} is not of the right type")
    if opening.get("bind"):
        ip_address(opening["bind"])
    if not 0 <= opening.get("port", 0) <= 65535:
        raise ValueError("a port that is none")
    if not all(_can_be_shown(opening.get(name, ""), NAME_LENGTH) for name in ("table", "passcode")):
        raise ValueError("a name or a passcode that nobody can be shown")
    return opening


def _can_be_shown(text: object, longest: int) -> bool:
    """Whether messages have room for a text, and it is one that has been made harmless."""
    return isinstance(text, str) and text.isprintable() and len(text) <= longest


class NotKept(Problem):
    """There is no such table to go on with; `text` says why."""


def unfinished(folder: Path, wanted: str = "") -> Path:
    """The journal of the newest table that can go on, or of the one that is wanted: its id, or that
    of one of its games, begins so.

    A file that cannot be read is not passed over, as it may be the one: raises Unreadable.
    Raises NotKept.
    """
    for path in reversed(journals(folder)):
        if not _is(path, wanted):
            continue
        if not is_finished(_lines(path)):
            return path
        if wanted:
            raise NotKept(Text("That table has ended. A new one is opened without --resume."))
    values = {"id": wanted, "folder": str(folder)}
    if wanted:
        raise NotKept(Text("No table and no game {id} is kept in {folder}.", values))
    raise NotKept(Text("No table that could go on is kept in {folder}.", values))


def _lines(path: Path) -> list[Line]:
    try:
        return read(path)
    except OSError as error:
        reason = error.strerror or ""
        raise Unreadable(path, "{file} cannot be read: {reason}.", reason=reason) from None


def _is(path: Path, wanted: str) -> bool:
    """Whether this journal is of the table, or has the game, whose id begins so."""
    if path.stem.startswith(wanted):
        return True
    with suppress(Unreadable):
        ids = (line.get("id") for line in _lines(path) if line["kind"] == "game")
        return any(str(each).startswith(wanted) for each in ids)
    return False
