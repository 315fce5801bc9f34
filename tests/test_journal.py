"""The journal as a file: whole lines or none, whatever the disk says."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from crisp_lan.game.rules import Line
from crisp_lan.journal import Journal, read

LONG: Line = {"kind": "act", "words": "x" * 100}
SHORT: Line = {"kind": "act"}


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "tables" / "t.jsonl", {"id": "t"})


class Disk:
    """A disk with room for so many more bytes, then none, or a fault."""

    def __init__(self, room: int, error: int = errno.ENOSPC) -> None:
        self.room = room
        self._error = error
        self._write = os.write

    def write(self, file: int, whole: bytes) -> int:
        taken = self._write(file, whole[: self.room]) if self.room else 0
        self.room -= taken
        if not taken:
            raise OSError(self._error, os.strerror(self._error))
        return taken


@pytest.mark.parametrize("room", [0, 1, 12, 15, 40])
@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
def test_what_has_no_room_leaves_no_torn_line_behind(
    room: int, error: int, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal.write([SHORT])
    before = journal.path.read_bytes()
    with monkeypatch.context() as full:
        full.setattr(os, "write", Disk(room, error).write)
        with pytest.raises(OSError, match=os.strerror(error)):
            journal.write([SHORT, LONG])
    assert journal.path.read_bytes() == before
    journal.write([LONG])
    assert read(journal.path)[1:] == [SHORT, LONG]
    journal.close()


def test_a_journal_that_cannot_be_begun_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "write", Disk(20).write)
    with pytest.raises(OSError, match="No space"):
        Journal(tmp_path / "t.jsonl", {"id": "t"})
    assert not list(tmp_path.iterdir())
    files = [os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")]
    assert not [file for file in files if file.startswith(str(tmp_path))]


def test_a_journal_overwrites_none_that_is_there(journal: Journal) -> None:
    before = journal.path.read_bytes()
    with pytest.raises(FileExistsError):
        Journal(journal.path, {"id": "other"})
    assert journal.path.read_bytes() == before
    journal.close()


def test_only_its_owner_can_read_a_journal_or_list_the_folder(journal: Journal) -> None:
    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700
    journal.close()
