"""A table whose journal has no room stands still, says so, loses nothing, and goes on by itself."""

from __future__ import annotations

import errno
import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from trio.testing import MockClock

from crisp_lan.check import folded
from crisp_lan.game.rules import Line
from crisp_lan.game.views import DISK_FULL
from crisp_lan.journal import records
from crisp_lan.net.messages import Bye, Show, Welcome
from tests.net.hall import (
    KEY,
    PLAIN,
    Hall,
    Stacked,
    Tapped,
    later,
    open_hall,
    playing,
)
from tests.records import check

FULL = (errno.ENOSPC, errno.EDQUOT)


def two_seats() -> Any:
    return open_hall(2, lots=Stacked(PLAIN), by_itself=True)


def told(seat: Tapped) -> list[str]:
    return [note.key for note in seat.show.notes]


def kinds(hall: Hall, since: int = 0) -> list[tuple[str, float | None]]:
    return [(line["kind"], line.get("t")) for line in hall.journal.all[since:]]


def assert_kept(hall: Hall) -> None:
    """What is written down is what the table is, and a record that others can check."""
    table = hall.referee.table
    head: Line = {
        "kind": "table",
        "format": 1,
        "game": "crisp",
        "options": dict(table.options),
        "size": table.wanted,
        "starts_by_itself": table.starts_by_itself,
        "repeatable": table.repeatable,
    }
    *_, last = folded([head, *hall.journal.all])
    assert replace(last, games=table.games) == table
    for record in records(hall.journal.all):
        check(record)


@pytest.mark.parametrize("number", FULL)
async def test_an_act_without_room_changes_nothing_and_its_sender_reads_why(
    number: int, autojump_clock: MockClock
) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        before, written = hall.referee.table, len(hall.journal.all)
        hall.journal.error = number
        refused = await budi.does("draw")
        assert refused is not None
        assert refused.why == DISK_FULL
        assert budi.show.done == budi.serial - 1
        refused = await budi.does("draw")
        assert refused is not None
        assert refused.why == DISK_FULL
        hall.journal.error = 0
        await later(1)
        assert hall.referee.table == before
        assert not hall.journal.acts("draw")
        assert kinds(hall, written) == [("pause", 0.0), ("resume", 0.0)]
        assert await budi.does("draw") is None
        assert_kept(hall)


async def test_everybody_reads_that_the_table_waits_and_that_it_goes_on(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        watcher = await hall.seat("Wati", watch=True)
        hall.journal.error = errno.ENOSPC
        await budi.does("draw")
        late = await hall.seat("Cici", watch=True)
        for seat in (ayu, budi, watcher, late):
            assert told(seat) == [DISK_FULL.key]
            assert seat.show.table.paused
            assert seat.show.table.banner == DISK_FULL
            assert not seat.acts
        await later(2)
        shows = len(ayu.heard)
        await later(60)
        assert not [m for m in ayu.heard[shows:] if hasattr(m, "notes")]
        hall.journal.error = 0
        await later(1)
        for seat in (ayu, budi, watcher, late):
            assert told(seat) == ["The game goes on."]
            assert not seat.show.table.paused


async def test_clocks_stand_still_while_there_is_no_room(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        await later(5)
        hall.journal.error = errno.ENOSPC
        await budi.does("draw")
        await later(600)
        assert (budi.show.now, budi.clock("draw")) == (5000, 40_000)
        hall.journal.error = 0
        await later(1)
        assert budi.show.now == 5000
        assert budi.clock("draw") == 40_000
        await later(40)
        assert hall.journal.all[-1]["kind"] == "timeout"
        assert hall.journal.all[-1]["t"] == 45.0
        assert_kept(hall)


async def test_what_was_due_when_the_disk_was_full_comes_about_when_there_is_room(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, _budi = await playing(hall, "Ayu", "Budi")
        written = len(hall.journal.all)
        hall.journal.error = errno.ENOSPC
        await later(100)
        assert ayu.show.table.banner == DISK_FULL
        assert len(hall.journal.all) == written
        hall.journal.error = 0
        await later(1)
        assert kinds(hall, written) == [("timeout", 45.0), ("pause", 45.0), ("resume", 45.0)]
        assert "draw" in ayu.offered
        assert ayu.clock("draw") == 45_000
        assert_kept(hall)


async def test_a_look_is_covered_while_there_is_no_room_and_not_longer_for_it(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        await ayu.does("look", "left")
        await later(2)
        hall.journal.error = errno.ENOSPC
        await budi.does("look", "left")
        assert not any(any(zone.faces) for zone in ayu.view.zones)
        await later(60)
        hall.journal.error = 0
        await later(1)
        assert any(any(zone.faces) for zone in ayu.view.zones)
        await later(3.1)
        assert not any(any(zone.faces) for zone in ayu.view.zones)
        assert_kept(hall)


async def test_a_round_that_could_not_be_dealt_is_dealt_when_there_is_room(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_seats() as hall:
        write = hall.journal.write

        def no_room_for_cards(lines: Sequence[Line]) -> None:
            if any(line["kind"] == "deal" for line in lines):
                raise OSError(errno.ENOSPC, "")
            write(lines)

        monkeypatch.setattr(hall.journal, "write", no_room_for_cards)
        ayu, _budi = await hall.seat("Ayu"), await hall.seat("Budi")
        assert ayu.show.table.phase == "shuffle"
        assert "The game begins." in told(ayu)
        monkeypatch.undo()
        await later(1)
        assert ayu.show.table.phase == "round"
        assert "look" in ayu.offered
        assert_kept(hall)


async def test_a_newcomer_is_turned_away_for_now_and_no_seat_is_held(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        ayu = await hall.seat("Ayu", key=KEY)
        hall.journal.error = errno.ENOSPC
        for _ in range(2):
            budi = await hall.seat("Budi")
            assert not budi.all(Welcome)
            assert budi.last(Bye).why == DISK_FULL
            assert budi.last(Bye).again
        assert len(hall.referee.table.chairs) == 1
        hall.journal.error = 0
        await later(1)
        budi = await hall.seat("Budi")
        assert budi.show.seat == 1
        assert await ayu.does("ready") is None
        assert_kept(hall)


async def test_who_comes_and_goes_meanwhile_is_written_down_afterwards(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi, cici, dewi = await playing(hall, "Ayu", "Budi", "Cici", "Dewi")
        await dewi.cut()
        hall.journal.error = errno.ENOSPC
        await budi.cut()
        await cici.leaves()
        assert cici.all(Bye)
        dewi = await hall.seat("Dewi", token=dewi.token)
        assert dewi.show.seat == 3
        assert dewi.show.table.banner == DISK_FULL
        await later(30)
        budi = await hall.seat("Budi", token=budi.token)
        await ayu.cut()
        hall.journal.error = 0
        await later(1)
        chairs = hall.referee.table.chairs
        assert [chair.by for chair in chairs] == ["nobody", "person", "left", "person"]
        assert not dewi.show.table.paused
        assert_kept(hall)


async def test_a_match_that_all_have_gone_from_meanwhile_waits_for_them(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        hall.journal.error = errno.EDQUOT
        await ayu.cut()
        await budi.cut()
        hall.journal.error = 0
        await later(100)
        assert hall.referee.table.paused == "empty"
        again = await hall.seat("Budi", token=budi.token)
        assert again.clock("draw") == 45_000
        assert_kept(hall)


async def test_a_pause_of_the_host_stays_one(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN)) as hall:
        ayu, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await budi.does("ready")
        await ayu.does("start")
        await ayu.does("pause")
        hall.journal.error = errno.ENOSPC
        assert await ayu.does("resume") is not None
        assert told(budi) == [DISK_FULL.key]
        hall.journal.error = 0
        await later(1)
        assert budi.show.table.paused
        assert await ayu.does("resume") is None
        assert_kept(hall)


async def test_the_host_can_end_a_table_that_has_no_room(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN)) as hall:
        ayu, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await budi.does("ready")
        await ayu.does("start")
        hall.journal.error = errno.ENOSPC
        await budi.does("look", "left")
        await ayu.does("end")
        assert hall.ended is not None
        assert budi.last(Bye).why == hall.ended


@pytest.mark.parametrize("seed", range(8))
async def test_a_disk_that_is_full_again_and_again_loses_nothing_of_a_game(
    seed: int, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lots = random.Random(seed)
    async with open_hall(3, lots=lots, by_itself=True, limit=50) as hall:
        write = hall.journal.write

        def sometimes(lines: Sequence[Line]) -> None:
            if lots.random() < 0.3:
                raise OSError(lots.choice(FULL), "")
            write(lines)

        seats = [await hall.seat(name) for name in ("Ayu", "Budi", "Cici")]
        tokens = [seat.token for seat in seats]
        monkeypatch.setattr(hall.journal, "write", sometimes)
        for _ in range(1500):
            await one_thing(hall, seats, tokens, lots)
            if hall.referee.table.phase == "lobby":
                break
        monkeypatch.undo()
        await later(2)
        assert hall.ended is None
        assert_kept(hall)
        assert len(hall.journal.acts("draw")) > 5


async def one_thing(
    hall: Hall, seats: list[Tapped], tokens: list[str], lots: random.Random
) -> None:
    """Somebody acts, goes or comes, or time passes."""
    place = lots.randrange(len(seats))
    seat = seats[place]
    if seat.closed:
        seats[place] = await hall.seat("X", token=tokens[place])
    elif not seat.all(Show):
        await later(1)
    elif lots.random() < 0.05:
        await seat.cut()
    elif seat.offered & {"next"}:
        await seat.does("next")
    elif seat.acts:
        act = lots.choice(seat.acts)
        done, refused = seat.show.done, await seat.does(act.name, *act.picks)
        assert (refused is None) == (seat.show.done > done)
    else:
        await later(lots.choice((0.1, 1, 3)))
