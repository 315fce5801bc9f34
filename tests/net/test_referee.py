"""The table over real bytes: clocks and windows, seats by token, offers and serials, the end."""

from __future__ import annotations

import errno
import hashlib
from collections.abc import Sequence
from typing import Any

import pytest
from trio.testing import MockClock

from crisp_lan.game import table as tables
from crisp_lan.game.rules import Line
from crisp_lan.net.members import RULINGS, RULINGS_A_SECOND
from crisp_lan.net.messages import Bye, Do, No, Show, Welcome
from crisp_lan.net.referee import House
from tests.net.hall import (
    KEY,
    NO_JOURNAL,
    PLAIN,
    Hall,
    Stacked,
    Tapped,
    later,
    open_hall,
    playing,
    settled,
)


def two_seats() -> Any:
    return open_hall(2, lots=Stacked(PLAIN), by_itself=True)


def faces(show: Show) -> set[str]:
    assert show.view is not None
    return {face for zone in show.view.zones for face in zone.faces if face is not None}


async def finish_turn(seat: Tapped) -> None:
    assert await seat.does("draw") is None
    assert await seat.does("discard") is None


# ---------------------------------------------------------------- acts


async def test_two_draws_in_one_packet_are_one_draw(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        budi.say(budi.doing("draw"), budi.doing("draw"))
        await settled()
        assert len(hall.journal.acts("draw")) == 1
        assert [no.serial for no in budi.all(No)] == [budi.serial]


async def test_two_swaps_in_one_packet_are_one_swap(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        await budi.does("draw")
        budi.say(budi.doing("swap", "left"), budi.doing("swap", "right"))
        await settled()
        assert len(hall.journal.acts("swap")) == 1


async def test_an_act_sent_again_after_coming_back_is_taken_once(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        do = budi.doing("draw")
        budi.say(do)
        await budi.cut()
        again = await hall.seat("Budi", token=budi.token)
        assert again.show.done == do.serial
        again.say(do)
        await settled()
        assert len(hall.journal.acts("draw")) == 1
        assert not again.all(No)


async def test_an_act_lost_on_its_way_does_not_answer_a_later_turns_offer(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        lost = budi.doing("draw")
        await budi.cut()
        await later(45)
        await finish_turn(ayu)
        await later(3)
        again = await hall.seat("Budi", token=budi.token)
        assert "draw" in again.offered
        again.say(lost)
        await settled()
        assert "too late" in again.last(No).why.key
        assert not hall.journal.acts("draw")[1:]


async def test_an_act_lost_on_its_way_still_answers_the_same_turns_offer(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        lost = budi.doing("draw")
        await budi.cut()
        await later(10)
        again = await hall.seat("Budi", token=budi.token)
        again.say(lost)
        await settled()
        assert not again.all(No)
        assert len(hall.journal.acts("draw")) == 1


async def test_an_act_lost_on_its_way_does_not_end_a_later_rounds_reveal(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(3, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi, cici = await playing(hall, "Ayu", "Budi", "Cici")
        await finish_turn(budi)
        assert await budi.does("crisp") is None
        await finish_turn(cici)
        await finish_turn(ayu)
        lost = ayu.doing("next")
        await ayu.cut()
        assert await budi.does("next") is None
        assert await cici.does("next") is None
        for seat in (budi, cici):
            assert await seat.does("ready") is None
        await finish_turn(cici)
        assert await cici.does("crisp") is None
        await later(45)
        await finish_turn(budi)
        again = await hall.seat("Ayu", token=ayu.token)
        assert "next" in again.offered
        again.say(lost)
        await settled()
        assert "next" in again.offered


async def test_what_others_do_never_spoils_an_act_in_flight(autojump_clock: MockClock) -> None:
    async with open_hall(3, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi, cici = [await hall.seat(name) for name in ("Ayu", "Budi", "Cici")]
        look = ayu.doing("look", "left")
        await budi.does("look", "left")
        await cici.cut()
        ayu.say(look)
        await settled()
        assert not ayu.all(No)
        assert "looking" in ayu.view.zones[0].marks


async def test_an_act_stands_when_only_another_choice_of_the_same_seat_has_changed(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, _budi = await hall.seat("Ayu"), await hall.seat("Budi")
        await ayu.does("look", "left")
        look = ayu.doing("look", "right")
        await later(5)
        assert ayu.show.offer > look.offer
        ayu.say(look)
        await settled()
        assert not ayu.all(No)


async def test_an_answer_to_an_older_offer_is_refused(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        old = budi.show.offer
        await finish_turn(budi)
        await later(3)
        await finish_turn(ayu)
        await later(3)
        assert "draw" in budi.offered
        refused = await budi.does("draw", offer=old)
        assert refused is not None
        assert "too late" in refused.why.key
        assert await budi.does("draw") is None


async def test_a_removal_on_its_way_does_not_hit_who_has_moved_up_to_that_seat(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        ayu = await hall.seat("Ayu", key=KEY)
        budi, cici, dewi = [await hall.seat(name) for name in ("Budi", "Cici", "Dewi")]
        late = ayu.doing("remove", 2)
        await budi.leaves()
        ayu.say(late)
        await settled()
        assert "too late" in ayu.last(No).why.key
        assert not cici.all(Bye)
        assert await ayu.does("remove", 2) is None
        assert dewi.all(Bye)


async def test_a_newcomer_spoils_no_act_that_names_another_seat(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        ayu, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        remove = ayu.doing("remove", 1)
        await hall.seat("Cici")
        ayu.say(remove)
        await settled()
        assert budi.all(Bye)


async def test_ready_in_the_lobby_is_not_ready_in_the_first_look(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        ready = ayu.doing("ready")
        await hall.seat("Budi")
        assert "look" in ayu.offered
        ayu.say(ready)
        await settled()
        assert "too late" in ayu.last(No).why.key
        assert "look" in ayu.offered


async def test_a_serial_far_too_high_is_refused_and_the_seat_acts_on(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2) as hall:
        ayu = await hall.seat("Ayu")
        ayu.say(Do(ayu.show.offer, 2**53, "ready", ()))
        await settled()
        assert ayu.last(No).serial == 2**53
        assert ayu.show.done == 0
        assert await ayu.does("ready") is None
        ayu.say(Do(ayu.show.offer, ayu.show.done + 2**20, "unready", ()))
        await settled()
        assert ayu.show.done == 1 + 2**20


async def test_an_offer_that_was_never_made_is_refused(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        assert await budi.does("draw", offer=budi.show.offer + 1) is not None


@pytest.mark.parametrize(
    ("act", "picks"),
    [
        ("swap", ("left",)),
        ("draw", ("left",)),
        ("look", ("middle",)),
        ("look", (0,)),
        ("take", ()),
        ("crisp", ()),
        ("start", ()),
        ("end", ()),
        ("", ()),
        ("__class__", ()),
        ("queen", ("left", 1, "left")),
    ],
)
async def test_what_is_not_offered_is_refused_and_changes_nothing(
    act: str, picks: tuple[Any, ...], autojump_clock: MockClock
) -> None:
    async with two_seats() as hall:
        ayu, _budi = await playing(hall, "Ayu", "Budi")
        before = hall.referee.table
        refused = await ayu.does(act, *picks)
        assert refused is not None
        assert refused.why.key
        assert hall.referee.table is before


async def test_every_act_is_written_down_before_anybody_hears_of_it(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        heard = len(ayu.all(Show))
        hall.journal.error = errno.EIO
        await budi.does("draw")
        assert len(ayu.all(Show)) == heard
        assert hall.ended == NO_JOURNAL


# ---------------------------------------------------------------- time


async def call_at(seconds: float) -> tuple[No | None, Hall]:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        await finish_turn(budi)
        await later(seconds)
        return await budi.does("crisp"), hall


async def test_a_call_in_the_last_millisecond_of_the_window_is_accepted(
    autojump_clock: MockClock,
) -> None:
    refused, hall = await call_at(2.999)
    assert refused is None
    assert hall.journal.acts("crisp")


async def test_a_call_when_the_window_closes_is_refused_with_the_hosts_times(
    autojump_clock: MockClock,
) -> None:
    refused, _hall = await call_at(3.0)
    assert refused is not None
    assert refused.why.values["millis"] == 0


async def test_a_late_call_is_told_how_late_it_came(autojump_clock: MockClock) -> None:
    refused, _hall = await call_at(3.21)
    assert refused is not None
    assert refused.why.values["millis"] == 210


async def test_the_next_player_starts_two_seconds_after_the_turn_and_not_before(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        await finish_turn(budi)
        await later(1.9)
        early = await ayu.does("draw")
        assert early is not None
        assert early.why.values["millis"] == 100
        await later(0.1)
        assert await ayu.does("draw") is None


async def test_deadlines_fire_in_order_before_an_act_that_comes_later(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, _budi = await playing(hall, "Ayu", "Budi")
        await later(45)
        await settled()
        kinds = [line["kind"] for line in hall.journal.all]
        assert kinds[-1] == "timeout"
        assert hall.journal.all[-1]["t"] == 45.0
        assert "draw" in ayu.offered


async def test_a_pause_stands_still_and_takes_acts_of_the_table_alone(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN)) as hall:
        ayu = await hall.seat("Ayu", key=KEY)
        budi = await hall.seat("Budi")
        await budi.does("ready")
        assert await ayu.does("start") is None
        for seat in (ayu, budi):
            await seat.does("ready")
        await later(5)
        await ayu.does("pause")
        left, now = budi.clock("draw"), budi.show.now
        assert left == 40_000
        await later(600)
        assert await budi.does("draw") is not None
        again = await hall.seat("Budi", token=budi.token)
        assert again.show.table.paused
        assert (again.show.now, again.clock("draw")) == (now, left)
        await ayu.does("resume")
        assert (again.show.now, again.clock("draw")) == (now, left)
        await later(1)
        assert await again.does("draw") is None


async def test_a_look_is_not_longer_for_a_pause(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await budi.does("look", "left")
        await later(2)
        seen = faces(budi.show)
        assert len(seen) == 1
        await ayu.does("pause")
        assert not faces(budi.show)
        assert "looking" in budi.view.zones[1].marks
        await later(60)
        budi = await hall.seat("Budi", token=budi.token)
        assert not faces(budi.show)
        await ayu.does("resume")
        assert faces(budi.show) == seen
        await later(2.9)
        assert faces(budi.show) == seen
        await later(0.1)
        assert not faces(budi.show)


async def test_time_in_which_the_machine_was_suspended_costs_nobody_anything(
    mock_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        mock_clock.jump(20)
        await settled()
        assert budi.clock("draw") == 45_000
        budi.say(budi.doing("draw"))
        await settled()
        assert 43_000 <= (budi.clock("draw") or 0) <= 45_000


async def test_what_was_heard_before_the_machine_stood_still_does_not_turn_time_back(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_seats() as hall:
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        mock_clock.jump(2)
        write = hall.journal.write

        def written_slowly(lines: Sequence[Line]) -> None:
            write(lines)
            mock_clock.jump(20)

        monkeypatch.setattr(hall.journal, "write", written_slowly)
        for member, seat in zip(hall.referee.members, (ayu, budi)):
            await hall.referee.hear(member, seat.doing("look", "left"))
        await settled()
        assert [line["t"] for line in hall.journal.acts("look")] == [2, 2]


async def test_match_time_starts_anew_with_every_match(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), limit=1) as hall:
        ayu = await hall.seat("Ayu", key=KEY)
        budi = await hall.seat("Budi")
        for _ in range(2):
            await later(7)
            await budi.does("ready")
            await ayu.does("start")
            assert ayu.show.now == 0
            for seat in (ayu, budi):
                await seat.does("ready")
            await finish_turn(budi)
            await budi.does("crisp")
            await finish_turn(ayu)
            assert ayu.show.table.phase == "reveal"
            for seat in (ayu, budi):
                await seat.does("next")
            assert ayu.show.table.phase == "lobby"
        assert hall.referee.table.match == 2
        games = [line for line in hall.journal.all if line["kind"] == "game"]
        assert len({line["id"] for line in games}) == 2


async def test_no_clock_of_the_game_runs_at_the_rounds_end(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        await finish_turn(budi)
        await budi.does("crisp")
        await finish_turn(ayu)
        assert ayu.view.clocks == ()
        assert [clock.name for clock in ayu.show.table.clocks] == ["next round"]


# ---------------------------------------------------------------- seats


async def test_a_token_gives_back_the_seat_as_it_was_in_every_phase(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        budi = await hall.seat("Budi")
        steps: list[tuple[str, ...]] = [("look", "left"), ("ready",), ("draw",), ("discard",)]
        for step in steps:
            await budi.does(*step)
            if step == ("ready",):
                await ayu.does("ready")
            before = budi.show
            await budi.cut()
            assert ayu.show.table.players[1].by == "nobody"
            again = await hall.seat("Somebody", token=budi.token)
            assert (again.show.seat, again.show.view) == (before.seat, before.view)
            assert again.show.table == before.table
            assert again.show.done == before.done
            again.serial, budi = budi.serial, again


async def test_coming_back_is_never_a_second_look(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        await hall.seat("Budi")
        await ayu.does("look", "left")
        await later(1)
        await ayu.cut()
        again = await hall.seat("Ayu", token=ayu.token)
        assert len(faces(again.show)) == 1
        await later(4)
        assert not faces(again.show)
        await again.cut()
        third = await hall.seat("Ayu", token=ayu.token)
        assert not faces(third.show)
        assert await third.does("look", "left") is not None


async def test_a_token_used_twice_closes_the_older_connection(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        again = await hall.seat("Ayu", token=ayu.token)
        assert ayu.all(Bye)
        assert not again.all(Bye)
        assert len(hall.referee.table.chairs) == 1


async def test_a_taken_name_gets_a_number_and_evicts_nobody(autojump_clock: MockClock) -> None:
    async with open_hall(8) as hall:
        names = ["Ayu", "ayu", "Ayu ", "\N{CYRILLIC CAPITAL LETTER A}yu", "Ayu\u200b", "A\x1b[2Jyu"]
        seats = [await hall.seat(name) for name in names]
        assert not any(seat.all(Bye) for seat in seats)
        shown = [player.name for player in seats[0].show.table.players]
        assert shown[0] == "Ayu"
        assert all("(" in name for name in shown[1:5])
        assert len(set(shown)) == 6
        assert not any("\x1b" in name for name in shown)


async def test_a_seat_that_was_left_is_not_given_back(autojump_clock: MockClock) -> None:
    async with open_hall(3) as hall:
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        await budi.leaves()
        assert budi.last(Bye).again is False
        again = await hall.seat("Budi", token=budi.token)
        assert again.token != budi.token
        assert [player.name for player in ayu.show.table.players] == ["Ayu", "Budi"]


async def test_a_held_seat_is_reclaimed_at_a_full_table_with_watchers(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(8, by_itself=True) as hall:
        seats = [await hall.seat(f"P{n}") for n in range(8)]
        for n in range(5):
            await hall.seat(f"W{n}", watch=True)
        turned_away = await hall.seat("Late")
        assert turned_away.last(Bye).why.values == {"n": 8}
        await seats[3].cut()
        again = await hall.seat("P3", token=seats[3].token)
        assert again.show.seat == 3


async def test_watchers_see_what_everybody_sees_and_may_do_nothing(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        watcher = await hall.seat("Wati", watch=True)
        _ayu, budi = await playing(hall, "Ayu", "Budi")
        await budi.does("draw")
        assert watcher.show.seat is None
        assert watcher.last(Welcome).token == ""
        assert not watcher.offered
        assert not faces(watcher.show)
        refused = await watcher.does("draw")
        assert refused is not None
        assert refused.why.key == "You are watching."


async def test_who_comes_during_a_match_watches_it_and_plays_the_next(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(3, lots=Stacked(PLAIN), limit=1) as hall:
        ayu, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await budi.does("ready")
        await ayu.does("start")
        late = await hall.seat("Cici")
        assert late.show.seat == 2
        assert late.view.seat is None
        assert not late.acts


async def test_the_key_of_the_screen_gives_the_hosts_rights_and_no_other_does(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        wrong = await hall.seat("Eve", key="guess")
        assert wrong.all(Bye)
        guest = await hall.seat("Budi")
        host = await hall.seat("Ayu", key=KEY)
        assert "end" in host.offered
        assert "end" not in guest.offered


async def test_without_a_screen_the_first_person_seated_holds_the_hosts_rights(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4, house=House(first_is_host=True)) as hall:
        bot = await hall.seat("Robo", level="easy")
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        assert "end" in ayu.offered
        assert "end" not in bot.offered | budi.offered


async def test_a_token_is_written_down_as_its_hash_alone(autojump_clock: MockClock) -> None:
    async with open_hall() as hall:
        ayu = await hall.seat("Ayu")
        (kept,) = [line["hash"] for line in hall.journal.all if line["kind"] == "token"]
        assert kept == hashlib.sha256(ayu.token.encode()).hexdigest()


async def test_nobody_gets_a_token_that_could_not_be_written_down(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        await hall.seat("Ayu")
        hall.journal.error = errno.EIO
        budi = await hall.seat("Budi")
        assert not budi.all(Welcome)
        assert hall.ended == NO_JOURNAL


async def test_a_bot_sits_down_with_the_key_it_was_sent_for_and_only_once(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        host = await hall.seat("Ayu", key=KEY)
        await host.does("bot", "hard")
        [(level, key)] = hall.bots_wanted
        await hall.seat("Ada", level=level, key=key)
        assert host.show.table.players[1].level == "hard"
        assert hall.referee.table.chairs[1].hosted
        second = await hall.seat("Bea", level=level, key=key)
        assert second.all(Bye)


async def test_a_new_bot_takes_over_where_one_of_the_tables_own_has_failed(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        hall.referee.send_for_bot("easy")
        bot = await hall.seat("Ada", level="easy", key=hall.bots_wanted[0][1])
        await bot.cut()
        assert ayu.show.table.players[1].by == "bot"
        hall.referee.replace_bots()
        again = await hall.seat("Bea", level="easy", key=hall.bots_wanted[1][1])
        assert again.show.seat == 1
        assert await again.does("ready") is None
        assert [player.name for player in ayu.show.table.players] == ["Ayu", "Ada"]


async def test_bots_that_fail_again_and_again_leave_nothing_behind(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        await hall.seat("Ayu")
        hall.referee.send_for_bot("easy")
        for _ in range(5):
            level, key = hall.bots_wanted.pop()
            bot = await hall.seat("Ada", level=level, key=key)
            await bot.cut()
            hall.referee.replace_bots()
        assert len(hall.referee._holders) == 2
        assert hall.referee._holders.awaited_bots == len(hall.bots_wanted) == 1


async def test_a_bot_plays_for_somebody_away_who_takes_the_seat_back_at_once(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4, lots=Stacked(PLAIN), by_itself=True) as hall:
        host = await hall.seat("Ayu", key=KEY)
        budi = await hall.seat("Budi")
        [await hall.seat("Cici"), await hall.seat("Dewi")]
        await budi.cut()
        await host.does("bot", 1, "hard")
        [(level, key)] = hall.bots_wanted
        bot = await hall.seat("Ada", level=level, key=key)
        assert bot.show.seat == 1
        assert host.show.table.players[1].name == "Budi"
        assert host.show.table.players[1].by == "bot"
        back = await hall.seat("Budi", token=budi.token)
        assert back.show.seat == 1
        assert host.show.table.players[1].by == "person"
        assert bot.all(Bye)


async def test_a_bot_that_comes_too_late_for_a_seat_does_not_take_it(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        host = await hall.seat("Ayu", key=KEY)
        budi = await hall.seat("Budi")
        await budi.cut()
        await host.does("bot", 1, "easy")
        back = await hall.seat("Budi", token=budi.token)
        bot = await hall.seat("Ada", level="easy", key=hall.bots_wanted[0][1])
        assert bot.all(Bye)
        assert not back.all(Bye)
        assert host.show.table.players[1].by == "person"


def broken(*args: object) -> None:
    raise RuntimeError


async def test_an_error_that_nothing_came_of_costs_its_sender_alone(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with two_seats() as hall:
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        with monkeypatch.context() as judging:
            judging.setattr(tables, "apply", broken)
            ayu.say(Do(ayu.show.offer, 1, "ready", ()))
            await settled()
        assert ayu.all(Bye)
        assert await budi.does("ready") is None


async def test_an_error_in_the_middle_of_a_step_stops_the_table_loudly(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.RaisesGroup(RuntimeError, flatten_subgroups=True):
        async with two_seats() as hall:
            ayu = await hall.seat("Ayu")
            monkeypatch.setattr(hall.referee, "_tell", broken)
            ayu.say(Do(ayu.show.offer, 1, "ready", ()))
            await settled()


async def test_whoever_the_host_removes_is_told_so(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        host, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await host.does("remove", 1)
        assert budi.last(Bye).again is False
        again = await hall.seat("Budi", token=budi.token)
        assert again.token != budi.token


async def test_leaving_and_coming_back_keeps_the_order_of_the_seats(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4, lots=Stacked(PLAIN), by_itself=True) as hall:
        seats = await playing(hall, "Ayu", "Budi", "Cici", "Dewi")
        order = [player.name for player in seats[0].show.table.players]
        for n in (2, 1, 3):
            await seats[n].cut()
        for n in (3, 1, 2):
            seats[n] = await hall.seat("X", token=seats[n].token)
            assert seats[n].show.seat == n
        assert [player.name for player in seats[0].show.table.players] == order


# ---------------------------------------------------------------- the end


async def test_the_hosts_end_ends_it_for_all(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        host, budi = await hall.seat("Ayu", key=KEY), await hall.seat("Budi")
        await host.does("end")
        assert hall.ended is not None
        assert budi.last(Bye).why == hall.ended


async def test_a_table_for_one_match_says_goodbye_three_seconds_after_it(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True, limit=1, once=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        await finish_turn(budi)
        await budi.does("crisp")
        await finish_turn(ayu)
        for seat in (ayu, budi):
            await seat.does("next")
        assert not ayu.offered & {"ready", "start"}
        await budi.leaves()
        await hall.seat("Chandra")
        await later(2.9)
        assert hall.referee.table.match == 1
        assert not ayu.all(Bye)
        await later(0.2)
        assert ayu.all(Bye)
        assert budi.all(Bye)


@pytest.mark.parametrize(("begun", "minutes"), [(False, 2), (True, 15)])
async def test_a_table_with_nobody_connected_ends_by_itself(
    begun: bool, minutes: int, autojump_clock: MockClock
) -> None:
    async with two_seats() as hall:
        seats = [await hall.seat("Ayu")] + ([await hall.seat("Budi")] if begun else [])
        for seat in seats:
            await seat.cut()
        await later(minutes * 60 - 1)
        assert hall.ended is None
        await later(2)
        assert hall.ended is not None


async def test_a_table_lives_on_when_somebody_comes_back_in_time(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu = await hall.seat("Ayu")
        for _ in range(3):
            await ayu.cut()
            await later(100)
            ayu = await hall.seat("Ayu", token=ayu.token)
        assert hall.ended is None


async def test_a_game_of_more_than_three_hours_goes_on(autojump_clock: MockClock) -> None:
    async with two_seats() as hall:
        ayu, _budi = await playing(hall, "Ayu", "Budi")
        await later(3.01 * 3600)
        assert hall.ended is None
        assert ayu.show.now >= 3 * 3_600_000


async def test_every_ruling_on_a_call_is_told_to_all_with_the_hosts_times(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(3, lots=Stacked(PLAIN), by_itself=True) as hall:
        watcher = await hall.seat("Wati", watch=True)
        ayu, budi, cici = await playing(hall, "Ayu", "Budi", "Cici")
        everybody = (ayu, budi, cici, watcher)
        await finish_turn(budi)
        await later(3.4)
        refused = await budi.does("crisp")
        assert refused is not None
        assert refused.why.values == {"millis": 400}
        await finish_turn(cici)
        await later(0.25)
        assert await cici.does("crisp") is None
        await later(0.1)
        assert await budi.does("crisp") is not None
        late, called, beaten = (
            "{seat} calls crisp {millis} s after the window closed: that does not count.",
            "{seat} calls crisp {millis} s after the end of the turn.",
            "{seat} calls crisp {millis} s after {other}: that does not count.",
        )
        for one in everybody:
            notes = [note for show in one.all(Show) for note in show.notes if "crisp" in note.key]
            assert [(note.key, dict(note.values)) for note in notes] == [
                (late, {"seat": 1, "millis": 400}),
                (called, {"seat": 2, "millis": 250}),
                (beaten, {"seat": 1, "other": 2, "millis": 100}),
            ]


async def test_calls_without_end_are_refused_and_told_to_the_others_now_and_then(
    autojump_clock: MockClock,
) -> None:
    async with two_seats() as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        shows = len(budi.all(Show))
        for _ in range(100):
            assert await ayu.does("crisp") is not None
            await later(0.1)
        assert len(budi.all(Show)) - shows <= RULINGS + 10 * RULINGS_A_SECOND
