"""A table that goes on from its journal: seats, serials, rights, and waiting for who was there."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import trio
from trio.testing import MockClock

from crisp_lan.check import folded
from crisp_lan.game import table as tables
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import Line
from crisp_lan.game.state import Table
from crisp_lan.keeping import kept
from crisp_lan.net import hosting
from crisp_lan.net.members import hashed
from crisp_lan.net.messages import Bye, No
from crisp_lan.net.referee import House
from tests.net.hall import KEY, PLAIN, Hall, Stacked, Tapped, later, open_hall, playing, settled

HERE = House(("192.0.2.1",), 27477, "the new screen's key")


def opening(table: Table) -> Line:
    """The first line of a journal."""
    return {
        "kind": "table",
        "format": 1,
        "game": table.game.key,
        "options": {},
        "size": table.size,
        "starts_by_itself": table.starts_by_itself,
        "repeatable": False,
    }


@asynccontextmanager
async def gone_on(killed: Hall, lots: Any = None) -> AsyncIterator[Hall]:
    """The same table in a new process: nothing but the journal is left of the old one."""
    before = [opening(killed.referee.table), *killed.journal.all]
    was = kept(before)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, was.table, lots or Stacked(PLAIN), HERE)
        hall.journal.all = [line for line in before if line["kind"] != "table"]
        hall.referee.restore(was)
        nursery.start_soon(hall.run)
        yield hall
        after = [opening(was.table), *hall.journal.all]
        *_, table = folded(after)
        assert table == hall.referee.table
        nursery.cancel_scope.cancel()


def two_seats() -> Any:
    return open_hall(2, lots=Stacked(PLAIN), by_itself=True)


async def back(hall: Hall, *players: Tapped) -> list[Tapped]:
    return [await hall.seat("?", token=player.token) for player in players]


def pauses(hall: Hall) -> list[tuple[str, Any]]:
    lines = [line for line in hall.journal.all if line["kind"] in ("pause", "resume")]
    return [(line["kind"], line["by"]) for line in lines]


def presence(hall: Hall) -> list[tuple[int, str]]:
    return [(line["seat"], line["by"]) for line in hall.journal.all if line["kind"] == "seat"]


# ---------------------------------------------------------------- waiting for people


async def test_it_goes_on_by_itself_when_everybody_is_back_and_nothing_has_changed(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as killed:
        players = await playing(killed, "Ayu", "Budi")
        assert await players[1].does("draw") is None
        was, clock = killed.referee.table, players[1].clock("draw")
        async with gone_on(killed) as hall:
            await later(60)
            (ayu,) = await back(hall, players[0])
            assert ayu.show.table.paused
            assert ayu.show.table.banner is not None
            assert "started again" in ayu.show.table.banner.key
            await later(5)
            assert ayu.show.table.paused
            (budi,) = await back(hall, players[1])
            assert replace(hall.referee.table, games=was.games) == was
            assert not budi.show.table.paused
            assert budi.clock("draw") == clock
            assert await budi.does("discard") is None
            assert pauses(hall) == [("pause", "host"), ("resume", "host")]
            assert presence(hall) == []


async def test_ten_seconds_after_the_first_it_goes_on_without_the_others(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as killed:
        players = await playing(killed, "Ayu", "Budi")
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, players[0])
            await later(9)
            assert ayu.show.table.paused
            assert ayu.show.table.players[1].by == "person"
            await later(2)
            assert not ayu.show.table.paused
            assert ayu.show.table.players[1].by == "nobody"
            await later(5)
            (budi,) = await back(hall, players[1])
            assert "draw" in budi.offered


async def test_the_host_need_not_wait(autojump_clock: MockClock) -> None:
    async with open_hall(3, lots=Stacked(PLAIN)) as killed:
        ayu = await killed.seat("Ayu", key=KEY)
        budi = await killed.seat("Budi")
        await budi.does("ready")
        assert await ayu.does("start") is None
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, ayu)
            assert await ayu.does("resume") is None
            assert not ayu.show.table.paused
            assert ayu.show.table.players[1].by == "nobody"
            assert pauses(hall) == [("pause", "host"), ("resume", "host")]


async def test_a_first_look_is_not_over_because_the_host_was_away(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as killed:
        killed.referee.send_for_bot("easy")
        ((_level, key),) = killed.bots_wanted
        bot = await killed.seat("Bot", key=key, level="easy")
        ayu = await killed.seat("Ayu")
        assert await bot.does("ready") is None
        async with gone_on(killed) as hall:
            await later(30)
            (ayu,) = await back(hall, ayu)
            assert "look" in ayu.offered
            assert not ayu.show.table.paused


async def test_what_the_host_had_paused_stays_paused(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN)) as killed:
        ayu = await killed.seat("Ayu", key=KEY)
        budi = await killed.seat("Budi")
        await budi.does("ready")
        await ayu.does("start")
        assert await ayu.does("pause") is None
        async with gone_on(killed) as hall:
            ayu, budi = await back(hall, ayu, budi)
            await later(30)
            assert budi.show.table.paused
            assert pauses(hall) == [("pause", "host")]
            assert await ayu.does("resume") is None
            assert not budi.show.table.paused


async def test_who_was_away_before_is_not_waited_for(autojump_clock: MockClock) -> None:
    async with two_seats() as killed:
        ayu, budi = await playing(killed, "Ayu", "Budi")
        await budi.cut()
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, ayu)
            assert not ayu.show.table.paused
            assert ayu.show.table.players[1].by == "nobody"


async def test_with_nobody_back_for_a_quarter_of_an_hour_it_ends_and_may_go_on_later(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as killed:
        players = await playing(killed, "Ayu", "Budi")
        async with gone_on(killed) as hall:
            await later(890)
            assert hall.ended is None
            await later(20)
            assert hall.ended is not None
            assert "Nobody" in hall.ended.key
            async with gone_on(hall) as third:
                assert third.referee.table.paused == "again"
                ayu, _budi = await back(third, *players)
                assert not ayu.show.table.paused


async def test_killed_while_it_waits_it_waits_again(autojump_clock: MockClock) -> None:
    async with two_seats() as killed:
        players = await playing(killed, "Ayu", "Budi")
        async with gone_on(killed) as hall:
            await back(hall, players[0])
            async with gone_on(hall) as third:
                assert pauses(third) == [("pause", "host")]
                _ayu, budi = await back(third, *players)
                assert not budi.show.table.paused
                assert await budi.does("draw") is None


# ---------------------------------------------------------------- lobby and bots


async def test_a_lobby_is_the_same_lobby_with_who_was_ready(autojump_clock: MockClock) -> None:
    async with open_hall(3, lots=Stacked(PLAIN)) as killed:
        ayu = await killed.seat("Ayu", key=KEY)
        budi = await killed.seat("Budi")
        await budi.does("ready")
        await ayu.does("set", "limit", "50")
        await budi.does("ready")
        async with gone_on(killed) as hall:
            ayu, budi = await back(hall, ayu, budi)
            assert [player.ready for player in ayu.show.table.players] == [False, True]
            assert dict(ayu.show.table.options)["limit"] == 50
            assert await ayu.does("start") is None
            assert budi.show.table.phase == "round"


async def test_who_does_not_come_back_to_a_lobby_is_away_after_ten_seconds(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(3) as killed:
        ayu, _budi = await killed.seat("Ayu"), await killed.seat("Budi")
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, ayu)
            await later(11)
            assert [player.by for player in ayu.show.table.players] == ["person", "nobody"]


async def test_the_tables_own_bots_are_sent_for_and_play_their_seats(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as killed:
        killed.referee.send_for_bot("easy")
        bot = await killed.seat("Bot", key=killed.bots_wanted[0][1], level="easy")
        ayu = await killed.seat("Ayu")
        async with gone_on(killed) as hall:
            ((level, key),) = hall.bots_wanted
            assert level == "easy"
            refused = await hall.seat("Bot", token=bot.token, level="easy")
            assert refused.all(Bye)
            bot = await hall.seat("Bot", key=key, level="easy")
            assert bot.show.seat == 0
            (ayu,) = await back(hall, ayu)
            assert await bot.does("ready") is None


# ---------------------------------------------------------------- acts that were on their way


async def test_an_act_that_was_taken_and_is_sent_again_is_not_done_twice(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as killed:
        ayu, budi = await playing(killed, "Ayu", "Budi")
        do = budi.doing("draw")
        budi.say(do)
        await settled()
        async with gone_on(killed) as hall:
            ayu, again = await back(hall, ayu, budi)
            assert again.show.done == do.serial
            again.say(do)
            await settled()
            assert not again.all(No)
            assert len(hall.journal.acts("draw")) == 1
            assert await again.does("discard") is None


async def test_the_hosts_wish_for_a_bot_is_not_fulfilled_twice(autojump_clock: MockClock) -> None:
    async with open_hall(3) as killed:
        ayu = await killed.seat("Ayu", key=KEY)
        do = ayu.doing("bot", "easy")
        ayu.say(do)
        await settled()
        await killed.seat("Bot", key=killed.bots_wanted[0][1], level="easy")
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, ayu)
            sent_for = len(hall.bots_wanted)
            ayu.say(do)
            await settled()
            assert len(hall.bots_wanted) == sent_for
            assert not ayu.all(No)


async def test_an_act_that_never_arrived_still_works_at_the_table(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(3) as killed:
        ayu, budi = await killed.seat("Ayu", key=KEY), await killed.seat("Budi")
        do = budi.doing("ready")
        async with gone_on(killed) as hall:
            ayu, budi = await back(hall, ayu, budi)
            budi.say(do)
            await settled()
            assert not budi.all(No)
            assert budi.show.table.players[1].ready


async def test_an_act_that_never_arrived_is_refused_while_the_round_waits(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as killed:
        ayu, budi = await playing(killed, "Ayu", "Budi")
        do = budi.doing("draw")
        async with gone_on(killed) as hall:
            (again,) = await back(hall, budi)
            again.say(do)
            await settled()
            assert again.last(No).why.key == "The table is paused."
            await back(hall, ayu)
            again.serial = do.serial
            assert await again.does("draw") is None


async def test_an_act_from_before_somebody_was_away_is_too_late(autojump_clock: MockClock) -> None:
    async with open_hall(3) as killed:
        ayu, budi = await killed.seat("Ayu", key=KEY), await killed.seat("Budi")
        do = budi.doing("ready")
        await budi.cut()
        async with gone_on(killed) as hall:
            _ayu, budi = await back(hall, ayu, budi)
            budi.say(do)
            await settled()
            assert "too late" in budi.last(No).why.key


# ---------------------------------------------------------------- the host's rights


async def test_the_host_is_the_host_still(autojump_clock: MockClock) -> None:
    async with open_hall(3) as killed:
        ayu, budi = await killed.seat("Ayu", key=KEY), await killed.seat("Budi")
        async with gone_on(killed) as hall:
            ayu, budi = await back(hall, ayu, budi)
            assert [player.host for player in budi.show.table.players] == [True, False]
            assert "end" in ayu.offered
            assert "end" not in budi.offered


async def test_a_key_of_the_table_is_known_after_it_has_gone_on(autojump_clock: MockClock) -> None:
    async with open_hall(3) as killed:
        await killed.seat("Budi")
        killed.journal.all.append({"kind": "key", "hash": hashed(KEY).hex()})
        async with gone_on(killed) as hall:
            for key in (KEY, HERE.key):
                ayu = await hall.seat("Ayu", key=key)
                assert "end" in ayu.offered
            stranger = await hall.seat("Eve", key="made up")
            assert "not from this table" in stranger.last(Bye).why.key


async def test_no_token_or_key_is_in_a_journal(autojump_clock: MockClock) -> None:
    async with open_hall(3) as killed:
        ayu = await killed.seat("Ayu", key=KEY)
        async with gone_on(killed) as hall:
            (ayu,) = await back(hall, ayu)
            told = str(hall.journal.all)
            assert ayu.token not in told
            assert KEY not in told
            assert HERE.key not in told


# ---------------------------------------------------------------- deals


def test_a_seeded_table_deals_each_round_alike_whenever_it_is_opened() -> None:
    table = tables.opened(CRISP, {})
    rounds = [replace(table, match=m, round=r) for m in (1, 2) for r in (0, 1, 2)]
    forward = [dealt(11, each) for each in rounds]
    backward = [dealt(11, each) for each in reversed(rounds)]
    assert forward == backward[::-1]
    assert len({tuple(deck) for deck in forward}) == len(rounds)
    assert dealt(12, table) != dealt(11, table)


def dealt(seed: int, table: Table) -> list[str]:
    deck = list(PLAIN)
    hosting._lots(seed)(table).shuffle(deck)
    return deck
