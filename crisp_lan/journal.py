"""The journal: one file a table, one JSON object a line, written before anybody hears of it.

Its first line tells of the table; then come the lines of `game.table` and `game.match`. Beside them
are those of the host: `token` (the hash of what gives a chair back), `key` (of what gives the
host's rights), `done` (of an act that changes nothing), `again` (the table goes on from its
journal, perhaps elsewhere). The first line that an act leads to holds who acted, a chair's id, and
the serial, as `done`. What lies between a `game` line and the next is that game's record
(RECORD.md), without all this.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from crisp_lan import __version__
from crisp_lan.game.rules import Line, Text

try:
    import fcntl
except ImportError:  # Windows has no such locks: there an unfinished game counts as running
    fcntl = None  # type: ignore[assignment]

FORMAT = 1
NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
"""What an OSError says of a full disk, or of one's share of it."""
BESIDE = frozenset({"token", "key", "done", "again"})
"""The kinds of lines that the table itself knows nothing of."""
_NOT_RECORDED = BESIDE | {
    "table",
    "sit",
    "chair",
    "leave",
    "ready",
    "unready",
    "set",
    "choose",
    "exchange",
    "closed",
    "ask",
}


class Unreadable(ValueError):
    """A file that is no journal, or none that this version can read; `text` says what is wrong."""

    def __init__(self, path: Path, key: str, **values: int | str) -> None:
        super().__init__(key)
        self.text = Text(key, {"file": str(path), **values})


class Running(Exception):
    """The journal is that of a table that is open now."""


class Journal:
    """An open journal that this process alone writes, readable by its owner only."""

    def __init__(self, path: Path, header: Line) -> None:
        """Begins a new file. Raises OSError if there is one already or none can be made."""
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.path = path
        self._listed = False
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        if fcntl:
            fcntl.flock(self._file, fcntl.LOCK_EX)
        try:
            self.write([{"kind": "table", "format": FORMAT, "software": __version__, **header}])
        except OSError:
            os.close(self._file)
            path.unlink()
            raise

    @classmethod
    def again(cls, path: Path) -> Journal:
        """Opens a journal to go on with. Raises Running, or OSError."""
        journal = cls.__new__(cls)
        journal.path = path
        journal._listed = True
        journal._file = os.open(path, os.O_WRONLY | os.O_APPEND)
        try:
            if fcntl:
                fcntl.flock(journal._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(journal._file)
            raise Running from None
        return journal

    def mend(self) -> bool:
        """Cuts a torn last line off; whether there was one."""
        whole = self.path.read_bytes()
        end = _end(whole)
        if end < len(whole):
            os.ftruncate(self._file, end)
        return end < len(whole)

    def write(self, lines: Sequence[Line]) -> None:
        """Appends the lines and hands them to the system: a killed process loses none.

        Raises OSError, and then none of them is in the file: what fitted in is cut off again.
        """
        whole = b"".join(packed(line).encode() + b"\n" for line in lines)
        end = os.fstat(self._file).st_size
        try:
            while whole:
                whole = whole[os.write(self._file, whole) :]
        except OSError:
            os.ftruncate(self._file, end)
            raise

    def sync(self) -> None:
        """Waits until the disk has it all: after that a power cut loses nothing either."""
        os.fsync(self._file)
        if not self._listed:
            _sync_folder(self.path.parent)
            self._listed = True

    def close(self) -> None:
        """Syncs what can be and lets go of the file."""
        with suppress(OSError):
            self.sync()
        os.close(self._file)


def game_line(line: Line, game: str) -> Line:
    """A table's `game` line with what the table cannot know: the game's id, and when it began."""
    started = datetime.now(UTC).isoformat(timespec="seconds")
    head = {"kind": "game", "format": FORMAT, "id": game, "game": line["game"]}
    return {**head, "software": __version__, "started": started, **line}


packed = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""A line as it is written, without its end."""


def json_text(value: object) -> str:
    """JSON in one line, as it is to be printed: what a terminal might obey is escaped."""
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)


def write_record(file: IO[str], lines: Iterable[Line]) -> None:
    """Writes a game's record as JSON Lines."""
    for line in lines:
        file.write(json_text(line) + "\n")


def read(path: Path) -> list[Line]:
    """All lines of a journal but a torn last one. Raises Unreadable, or OSError."""
    whole = path.read_bytes()
    raw = whole[: _end(whole)].split(b"\n")[:-1]
    if not raw:
        raise Unreadable(path, "{file} is empty.")
    first = _unpacked(path, 1, raw[0])
    if first["kind"] != "table":
        raise Unreadable(path, "{file} is not the journal of a table.")
    if first.get("format") != FORMAT:
        version = str(first.get("software", "?"))[:32]
        key = "{file} was written by version {version} in a way that this version cannot read."
        raise Unreadable(path, key, version=version)
    return [_unpacked(path, number, line) for number, line in enumerate(raw, 1)]


def records(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """The games of a journal as records, without what belongs to the table."""
    record: list[Line] = []
    for line in filter(None, map(recorded, lines)):
        if line["kind"] == "game" and record:
            yield record
            record = []
        if record or line["kind"] == "game":
            record.append(line)
    if record:
        yield record


def recorded(line: Line) -> Line | None:
    """A line as it stands in the record of its game; None if it is the table's own."""
    if line["kind"] in _NOT_RECORDED:
        return None
    return {name: value for name, value in line.items() if name != "done"}


def is_finished(lines: Sequence[Line]) -> bool:
    """Whether nothing is left to go on with: the table was closed, or its only game is over."""
    once = lines[0].get("once", False)
    return any(line["kind"] == "closed" or (once and line["kind"] == "end") for line in lines)


def journals(folder: Path) -> list[Path]:
    """The journals kept in a folder, the newest last."""
    return sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime_ns)


def is_running(path: Path) -> bool:
    """Whether a table's process still writes this journal."""
    if not fcntl:
        return True
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _sync_folder(folder: Path) -> None:
    """Waits until the disk has the folder's list of files, where folders can be opened."""
    if os.name == "posix":
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _unpacked(path: Path, number: int, raw: bytes) -> Line:
    try:
        line = json.loads(raw)
    except (ValueError, RecursionError):
        line = None
    if not isinstance(line, dict) or not isinstance(line.get("kind"), str):
        raise Unreadable(path, "Line {n} of {file} is not a line of a journal.", n=number)
    return line


def _end(whole: bytes) -> int:
    """Where the last whole line ends."""
    return whole.rfind(b"\n") + 1
