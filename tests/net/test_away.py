"""Who is away from a running table: a bot steps in, the player comes back, or is removed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio
from trio.testing import MockClock

from crisp_lan.game import table as tables
from crisp_lan.game.crisp import CRISP
from crisp_lan.net.messages import Bye
from tests.net.hall import KEY, PLAIN, Hall, Stacked, Tapped, later

FIRST_LOOK = DRAW = 30


@asynccontextmanager
async def three(stand_in: str = "") -> AsyncIterator[tuple[Hall, Tapped, Tapped, Tapped]]:
    """A game of Ayu, the host, Budi, who has the first turn, and Cici."""
    options = {"draw_time": DRAW}
    table = tables.opened(CRISP, options, 3, starts_by_itself=True, stand_in=stand_in)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, table, Stacked(PLAIN))
        nursery.start_soon(hall.run)
        ayu = await hall.seat("Ayu", key=KEY)
        yield hall, ayu, await hall.seat("Budi"), await hall.seat("Cici")
        nursery.cancel_scope.cancel()


def timed_out(hall: Hall) -> list[int]:
    return [line["seat"] for line in hall.journal.all if line["kind"] == "timeout"]


async def test_a_bot_steps_in_after_two_turns_missed_and_goes_when_the_player_is_back(
    autojump_clock: MockClock,
) -> None:
    async with three("hard") as (hall, ayu, budi, _cici):
        await budi.cut()
        await later(FIRST_LOOK + 4 * DRAW - 1)
        assert timed_out(hall) == [1, 2, 0]
        assert not hall.bots_wanted
        await later(1)
        assert timed_out(hall) == [1, 2, 0, 1]
        [(level, key)] = hall.bots_wanted
        assert level == "hard"
        bot = await hall.seat("Ada", level=level, key=key)
        assert (ayu.show.table.players[1].by, ayu.show.table.players[1].level) == ("bot", "hard")
        await later(2 * DRAW + 1)
        assert "draw" in bot.offered
        back = await hall.seat("Budi", token=budi.token)
        assert bot.all(Bye)
        assert ayu.show.table.players[1].by == "person"
        assert await back.does("draw") is None
        assert hall.bots_wanted == [(level, key)]


async def test_nobody_steps_in_where_the_host_has_not_asked_for_it(
    autojump_clock: MockClock,
) -> None:
    async with three() as (hall, _ayu, budi, _cici):
        await budi.cut()
        await later(FIRST_LOOK + 8 * DRAW)
        assert timed_out(hall).count(1) == 3
        assert not hall.bots_wanted


async def test_a_bot_that_comes_when_the_game_is_over_does_not_take_the_seat(
    autojump_clock: MockClock,
) -> None:
    async with three() as (hall, ayu, budi, cici):
        await budi.cut()
        await ayu.does("bot", 1, "easy")
        await ayu.does("remove", 2)
        assert cici.all(Bye)
        await ayu.leaves()
        assert hall.referee.table.phase == "lobby"
        bot = await hall.seat("Ada", level="easy", key=hall.bots_wanted[0][1])
        assert bot.all(Bye)
        assert [chair.by for chair in hall.referee.table.chairs] == ["nobody"]


async def test_who_is_removed_in_a_match_is_told_so_and_does_not_come_back_to_the_seat(
    autojump_clock: MockClock,
) -> None:
    async with three() as (hall, ayu, budi, cici):
        assert await budi.does("remove", 2)
        assert await ayu.does("remove", 1) is None
        assert budi.last(Bye).why.key == "The host has taken you from the table."
        assert not budi.last(Bye).again
        assert cici.show.notes[0].key == "{name} has been taken from the table."
        assert [player.by for player in cici.show.table.players] == ["person", "left", "person"]
        again = await hall.seat("Budi", token=budi.token)
        assert again.show.seat == 3
        assert not again.show.table.players[3].playing


async def test_a_bot_that_played_for_somebody_removed_is_sent_home(
    autojump_clock: MockClock,
) -> None:
    async with three() as (hall, ayu, budi, _cici):
        await budi.cut()
        await ayu.does("bot", 1, "easy")
        bot = await hall.seat("Ada", level="easy", key=hall.bots_wanted[0][1])
        assert await ayu.does("remove", 1) is None
        assert bot.all(Bye)
        assert ayu.show.table.players[1].by == "left"


async def test_a_pause_that_is_asked_for_is_seen_by_the_host_and_stops_the_clock(
    autojump_clock: MockClock,
) -> None:
    async with three() as (_hall, ayu, budi, cici):
        await later(FIRST_LOOK + 10)
        assert await cici.does("ask") is None
        assert ayu.show.table.banner is not None
        assert budi.show.table.banner is None
        assert [note.key for note in budi.show.notes] == ["{seat} asks for a pause."]
        assert await ayu.does("pause") is None
        await later(100)
        assert await ayu.does("resume") is None
        assert budi.clock("draw") == (DRAW - 10) * 1000
