"""A table on a small disk: full in the middle of a game, full or read-only at the start."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path

import pytest
import trio

from crisp_lan.game.views import DISK_FULL
from tests.system.honest import Honest, seated, until
from tests.system.running import LOOPBACK, HeadlessTable, headless, program

pytestmark = pytest.mark.system

SIZE = 64 * 1024
PAGE = 4096
"""What such a disk gives a file at a time: to begin a game needs one for the certificate and one
for the journal, to play it more."""
NAMES = ("Ayu", "Budi", "Chandra", "Dewi", "Eka", "Fajar", "Gita", "Hadi")


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A folder with SIZE bytes of room, or none of it if it cannot be mounted here."""
    folder = tmp_path / "games"
    folder.mkdir()
    with mounted(folder):
        yield folder


@contextmanager
def mounted(folder: Path) -> Iterator[None]:
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("a small disk needs root, and the program mount")
    words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "crisp-test", str(folder)]
    made = subprocess.run(words, capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"no small disk here: {made.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path, but: int) -> Path:
    """A file that leaves so many bytes."""
    filler = disk / "filler"
    room = os.statvfs(disk)
    filler.write_bytes(b"x" * (room.f_bavail * room.f_frsize - but))
    return filler


@pytest.mark.timed
async def test_a_full_disk_holds_a_game_up_and_it_goes_on_by_itself(
    tmp_path: Path, disk: Path
) -> None:
    filler = fill(disk, 2 * PAGE)
    calm = trio.Event()
    words = (f"--seats={len(NAMES)}", "--once", "--limit=1", *LOOPBACK)
    with headless(tmp_path, *words) as table:
        async with AsyncExitStack() as stack:
            sitting = [seated(table, name, calm.is_set) for name in NAMES]
            players = [await stack.enter_async_context(player) for player in sitting]
            await until(lambda: all(held(player) for player in players), 60)
            lines = whole_lines(table)
            await trio.sleep(1.5)
            assert whole_lines(table) == lines
            assert all(held(player) for player in players)
            filler.unlink()
            await until(lambda: not any(held(player) for player in players), 3)
            calm.set()
            await until(lambda: all(player.bye for player in players), 60)
        assert await trio.to_thread.run_sync(table.ended) == 0
        assert "Traceback" not in table.err
        record = table.record()
    assert record[-1]["kind"] == "end"
    assert [line["kind"] for line in record].count("pause") >= 1


def held(player: Honest) -> bool:
    return bool(player.shows) and player.shows[-1].table.banner == DISK_FULL


def whole_lines(table: HeadlessTable) -> int:
    [journal] = (table.games / "tables").glob("*.jsonl")
    whole = journal.read_bytes()
    assert whole.endswith(b"\n")
    return whole.count(b"\n")


def test_a_disk_that_is_full_at_the_start_is_said_and_nothing_is_left_there(
    tmp_path: Path, disk: Path
) -> None:
    fill(disk, 0)
    assert_not_opened(tmp_path, disk, "No space left on device")
    assert not list((disk / "tables").iterdir())


def test_a_read_only_disk_is_said(tmp_path: Path, disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    assert_not_opened(tmp_path, disk, "Read-only file system")


def test_a_folder_that_is_none_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept")
    assert_not_opened(tmp_path, file, "Not a directory")
    assert file.read_text() == "kept"


def assert_not_opened(tmp_path: Path, data: Path, why: str) -> None:
    words = ("host", "--headless", "--port=0", f"--data={data}", *LOOPBACK)
    with program(tmp_path, *words) as host:
        assert host.ended() == 1
        assert host.out == ""
        [sentence] = host.err.splitlines()
    assert why in sentence
    assert "--data" in sentence
