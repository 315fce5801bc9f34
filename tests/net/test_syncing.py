"""What is written is on the disk soon afterwards, and at once at a round's end."""

from __future__ import annotations

import errno
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from crisp_lan.journal import Journal
from crisp_lan.net.syncing import SyncedJournal

ACT = {"kind": "act"}
SCORE = {"kind": "score"}
WITHIN = 1.0


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads take no time: the clock would jump over a real one."""

    async def in_thread(sync: Callable[[], None]) -> None:
        await trio.lowlevel.checkpoint()
        with monkeypatch.context() as thread:
            thread.setattr(Counted, "in_thread", True)
            sync()

    monkeypatch.setattr(trio.to_thread, "run_sync", in_thread)


class Counted(Journal):
    """A journal that knows when it was synced."""

    synced: list[float]
    error: OSError | None = None
    in_thread = False

    def sync(self) -> None:
        assert self.in_thread
        if self.error:
            raise self.error
        super().sync()
        self.synced = [*getattr(self, "synced", []), trio.current_time()]


async def until_synced(journal: Counted, times: int, seconds: float) -> None:
    with trio.fail_after(seconds):
        while len(getattr(journal, "synced", [])) < times:  # noqa: ASYNC110
            await trio.sleep(0.005)


async def test_lines_are_synced_within_a_second_and_only_when_there_are_some(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    journal = Counted(tmp_path / "t.jsonl", {})
    synced = SyncedJournal(journal)
    nursery.start_soon(synced.run)
    for times in (1, 2):
        written = trio.current_time()
        for _ in range(5):
            synced.write([ACT])
        await until_synced(journal, times, 2 * WITHIN)
        assert journal.synced[-1] - written < WITHIN
    await trio.sleep(1.2)
    assert len(journal.synced) == 2
    nursery.cancel_scope.cancel()


async def test_a_rounds_end_is_synced_at_once(
    tmp_path: Path, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    journal = Counted(tmp_path / "t.jsonl", {})
    synced = SyncedJournal(journal)
    nursery.start_soon(synced.run)
    for times, kind in enumerate(("score", "end"), 1):
        written = trio.current_time()
        synced.write([ACT, {"kind": kind}])
        await until_synced(journal, times, WITHIN)
        assert journal.synced[-1] - written < 0.3
    nursery.cancel_scope.cancel()


async def test_a_disk_that_cannot_sync_is_an_error_of_the_table(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    journal = Counted(tmp_path / "t.jsonl", {})
    journal.error = OSError(errno.EIO, "broken")
    synced = SyncedJournal(journal)
    synced.write([SCORE])
    with pytest.raises(OSError, match="broken"), trio.fail_after(5):
        await synced.run()
