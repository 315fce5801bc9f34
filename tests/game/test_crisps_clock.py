"""Crisps!: what the clock does, with people, with somebody away and with somebody gone."""

from __future__ import annotations

import pytest

from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Clock
from tests.game.crisps_tables import Deal, cards

SECONDS = (30, 45, 60)


def timeout(seat: int) -> dict[str, object]:
    return {"kind": "timeout", "seat": seat}


@pytest.mark.parametrize("seconds", SECONDS)
def test_each_turn_has_its_time_and_each_play_begins_a_new_one(seconds: int) -> None:
    deal = Deal("4 9", "5 6", turn_time=seconds)
    total = 1000 * seconds
    assert deal.view(1).clocks == (Clock("turn", 0, total, total),)
    deal.does(0, "play", "4", after=7000)
    assert deal.view(0).clocks == (Clock("turn", 1, 7000 + total, total),)
    deal.does(1, "pass", after=2000)
    assert CRISPS.wake_at(deal.state) == 9000 + total
    deal.does(0, "pick", "up", after=1)
    assert CRISPS.wake_at(deal.state) == 9001 + total


def test_without_a_clock_nothing_runs_out() -> None:
    deal = Deal("4 9", "5 6", turn_time=None)
    assert (CRISPS.wake_at(deal.state), deal.view(0).clocks) == (None, ())


def test_who_leads_plays_the_lowest_card_when_time_is_over() -> None:
    deal = Deal("2 2 2 9", "5 6").wakes()
    assert deal.lines == (timeout(0),)
    assert deal.row(1, "on the table") == ("2",)
    assert deal.hand(0) == cards("2 2 9")
    assert [note.key for note in deal.notes] == [
        "{seat} runs out of time.",
        "{seat} plays {card}.",
    ]


def test_who_follows_passes_when_time_is_over() -> None:
    deal = Deal("4 9", "5 6").plays(0, "4").wakes()
    assert deal.lines == (timeout(1),)
    assert (deal.view(0).phase, deal.view(0).turn) == ("Pick", 0)


def test_who_picks_takes_the_open_card_when_time_is_over() -> None:
    deal = Deal("4 9", "5 6", draws="7 8").plays(0, "9").does(1, "pass").wakes()
    assert deal.lines == (timeout(0),)
    assert (deal.hand(0), deal.hand(1)) == (cards("4 7"), cards("5 6 8"))


def test_a_last_card_played_by_the_clock_ends_the_deal() -> None:
    deal = Deal("4", "5 6").wakes()
    outcome = CRISPS.outcome(deal.state)
    assert outcome is not None
    assert outcome.record == {"winner": 0}


def test_who_is_away_has_the_normal_clock() -> None:
    deal = Deal("4 9", "5 6", turn_time=30).becomes(0, "nobody", 20_000)
    assert CRISPS.wake_at(deal.state) == 30_000
    assert deal.view(0).choices == ()
    assert deal.why_not(0, "play", "4") == "Nobody plays this seat now."


def test_who_is_away_without_a_clock_has_a_minute_from_the_later_of_turn_and_going() -> None:
    deal = Deal("4 9", "5 6", turn_time=None).becomes(0, "nobody", 20_000)
    assert CRISPS.wake_at(deal.state) == 80_000
    deal.becomes(0, "person", 30_000)
    assert CRISPS.wake_at(deal.state) is None
    deal.becomes(1, "nobody", 40_000).does(0, "play", "4", after=5000)
    assert CRISPS.wake_at(deal.state) == 45_000 + 60_000
    assert deal.view(0).clocks == (Clock("turn", 1, 105_000, 60_000),)


@pytest.mark.parametrize("turn_time", [30, None])
def test_a_seat_that_was_left_is_played_at_once(turn_time: int | None) -> None:
    deal = Deal("4 5 9", "5 6 7", turn_time=turn_time).becomes(0, "left", 3000)
    assert CRISPS.wake_at(deal.state) == 3000
    assert deal.view(1).clocks == ()
    deal.wakes()
    assert deal.row(1, "on the table") == ("4",)
    deal.does(1, "play", "5", after=4000)
    assert CRISPS.wake_at(deal.state) == 7000
    assert deal.wakes().lines == (timeout(0),)
    assert (deal.view(1).phase, deal.view(1).turn) == ("Pick", 1)


def test_a_bot_may_play_for_somebody_and_the_clock_goes_on() -> None:
    deal = Deal("4 9", "5 6", turn_time=45).becomes(0, "bot", 9000)
    assert CRISPS.wake_at(deal.state) == 45_000
    assert deal.can_play(0) == {("4",), ("9",)}


def test_two_who_have_both_left_still_come_to_an_end() -> None:
    deal = Deal("4 9", "5 6", turn_time=None).becomes(0, "left", 0).becomes(1, "left", 0)
    for _ in range(60):
        if CRISPS.outcome(deal.state):
            return
        deal.wakes()
    raise AssertionError("no end")
