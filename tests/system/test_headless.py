"""A table for others: who plays there, how it ends, and what is kept of it."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest
import trio

from crisp_lan.net.discovery import browsing
from crisp_lan.net.hosting import CLOSED
from tests.records import check
from tests.system.honest import seated, until
from tests.system.running import LOOPBACK, HeadlessTable, headless, output, program

pytestmark = pytest.mark.system


async def test_a_whole_game_ends_the_table_by_itself_and_is_kept(tmp_path: Path) -> None:
    words = ("--seats=3", "--once", "--limit=1", *LOOPBACK)
    with headless(tmp_path, *words) as table:
        async with seated(table, "Ayu") as ayu, seated(table, "Budi"), seated(table, "Chandra"):
            await until(lambda: ayu.bye)
        assert await trio.to_thread.run_sync(table.ended) == 0
        assert "Traceback" not in table.err
        record = table.record()
        assert [seat["name"] for seat in record[0]["seats"]] == ["Ayu", "Budi", "Chandra"]
        assert record[0]["options"]["limit"] == 1
        assert record[-1]["kind"] == "end"
        standings = {result.name: result.score for result in ayu.shows[-1].table.results}
        assert list(record[-1]["scores"].values()) == [
            standings[name] for name in ("Ayu", "Budi", "Chandra")
        ]


async def test_a_running_game_is_not_shown_unless_it_may_be_spoilt(tmp_path: Path) -> None:
    with headless(tmp_path, "--seats=2", *LOOPBACK) as table:
        async with (
            seated(table, "Ayu", lambda: False) as ayu,
            seated(table, "Budi", lambda: False),
        ):
            await until(lambda: ayu.shows and ayu.shows[-1].view)
            replay = ("replay", "--json", f"--data={table.games}")
            with program(tmp_path, *replay) as refused:
                assert await trio.to_thread.run_sync(refused.ended) == 1
                assert refused.out == ""
                assert "still running" in refused.err
            spoilt = await trio.to_thread.run_sync(output, [*replay, "--spoil"])
        check(spoilt.splitlines())
        assert '"kind": "deal"' in spoilt


@pytest.mark.timed
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
async def test_signal_ends_the_table_in_good_order(number: signal.Signals, tmp_path: Path) -> None:
    with headless(tmp_path, "--seats=2", *LOOPBACK) as table:
        table_id = table.opened["id"]
        async with (
            browsing("127.0.0.1") as network,
            seated(table, "Ayu", lambda: False) as ayu,
            seated(table, "Budi", lambda: False) as budi,
        ):
            await until(lambda: table_id in network.tables and has_discarded(ayu.shows))
            table.process.send_signal(number)
            sent = time.monotonic()
            await until(lambda: ayu.lost and budi.lost and table_id not in network.tables, 2.0)
            assert await trio.to_thread.run_sync(table.ended) == 0
            assert time.monotonic() - sent < 2.0
        assert ayu.lost is not None
        assert ayu.lost.why == CLOSED
        assert_whole(table)


def has_discarded(shows: list) -> bool:
    return any(note.key == "{seat} discards the drawn card." for s in shows for note in s.notes)


def assert_whole(table: HeadlessTable) -> None:
    """The journal holds all that was done, to its last line, and no error was logged."""
    record = table.record()
    assert "discard" in [line.get("do") for line in record]
    journal = next((table.games / "tables").glob("*.jsonl"))
    assert journal.read_bytes().endswith(b"\n")
    assert journal.stat().st_mode & 0o077 == 0
    assert "Traceback" not in table.err


@pytest.mark.timed
def test_a_signal_while_the_table_is_still_being_announced_ends_it_too(tmp_path: Path) -> None:
    with headless(tmp_path, *LOOPBACK) as table:
        table.process.terminate()
        assert table.ended(2.0) == 0
        assert "Traceback" not in table.err
