"""RULES.md §1, Leaving: who plays a seat may change at any moment, and nothing is re-indexed."""

from __future__ import annotations

import pytest

from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import By
from tests.game.tabletop import Round, laid

HANDS = ("AS 5H 9D", "2C 3C 4C", "7C 8C 9C")
DRAWS = "6D 7D 8D 9H TD 6H 7H 8H"


def begun(draw_time: int | None = 45, draws: str = DRAWS, *by: By) -> Round:
    return laid(*HANDS, draws=draws, draw_time=draw_time, by=by)


# Disconnected


def test_a_disconnected_seat_runs_on_its_normal_clock() -> None:
    round_ = begun().play("5 0 is nobody")
    assert round_.clocks() == {"draw": (0, 45.0)}
    assert round_.until(45).lines == [{"kind": "timeout", "seat": 0}]


def test_coming_back_changes_nothing() -> None:
    round_ = begun().play("5 0 draw")
    before = [round_.view(seat) for seat in (0, 1, None)]
    round_.play("6 0 is nobody\n7 0 is person")
    assert [round_.view(seat) for seat in (0, 1, None)] == before


def test_without_a_clock_an_absent_seat_has_60_s_from_the_turns_start() -> None:
    round_ = begun(None).play("0.5 1 is nobody\n1 0 draw\n2 0 discard").until(5)
    assert round_.clocks() == {"draw": (1, 65.0)}
    assert round_.until(64.999).turn == 1
    assert round_.until(65).turn == 2
    assert round_.lines == [{"kind": "timeout", "seat": 1}]


def test_without_a_clock_a_seat_has_60_s_from_its_disconnection_if_that_is_later() -> None:
    round_ = begun(None).play("100 0 draw\n200 0 is nobody")
    assert round_.clocks() == {"draw": (0, 260.0)}
    assert round_.until(260).top() == "6D"


def test_coming_back_ends_the_60_s() -> None:
    round_ = begun(None).play("100 0 is nobody\n159 0 is person")
    assert round_.clocks() == {}
    assert round_.until(10_000).offered(0) == ["draw"]


def test_an_absent_seat_is_offered_nothing() -> None:
    round_ = begun().play("5 0 is nobody")
    assert round_.offered(0) == []
    assert round_.refused("6 0 draw").key == "Nobody plays this seat now."


def test_an_absent_seat_stays_a_queens_target_and_keeps_its_right() -> None:
    round_ = begun(45, "QD").play("1 1 is nobody\n2 0 draw\n3 0 queen middle 1 left")
    assert round_.offered(1) == []
    round_.play("4 1 is person")
    assert round_.choice(1, "look").picks == (("left",),)


def test_a_look_choice_of_a_seat_that_goes_away_still_runs_out() -> None:
    round_ = begun(None, "QD").play("1 0 draw\n2 0 queen left 1 left\n3 0 is nobody").until(12)
    assert round_.turn == 1
    assert round_.lines == [{"kind": "act", "seat": 0, "do": "skip", "by_time": True}]


# Before the turn begins


def test_who_goes_away_in_the_wait_opens_only_when_the_window_is_over() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n3 1 is nobody")
    assert round_.clocks()["next turn"] == (1, 5.0)
    assert round_.until(5).clocks() == {"draw": (1, 50.0)}


def test_who_comes_back_in_the_wait_may_start_after_2_s_again() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n3 1 is nobody\n3.5 1 is person")
    assert round_.clocks()["next turn"] == (1, 4.0)
    round_.play("4 1 draw")


def test_who_comes_back_late_in_the_window_may_start_at_once() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n3 1 is nobody\n4.5 1 is person\n4.5 1 draw")
    assert round_.clocks()["draw"] == (1, 49.5)


def test_who_goes_away_in_an_open_turn_keeps_its_clock() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n4.2 1 is nobody")
    assert round_.clocks()["draw"] == (1, 49.0)
    assert round_.play("4.4 1 is person").clocks()["draw"] == (1, 49.0)


def test_a_bot_that_steps_in_waits_for_the_window_like_any_bot() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n4.2 1 is bot")
    assert round_.clocks()["next turn"] == (1, 5.0)
    assert round_.refused("4.9 1 draw").values == {"millis": 100}
    assert round_.until(5).clocks() == {"draw": (1, 50.0)}


def test_a_bot_that_steps_into_a_turn_that_has_begun_plays_on() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n4 1 draw\n4.2 1 is bot")
    assert round_.offered(1) == ["swap", "discard"]
    assert round_.play("4.3 1 discard").turn == 2


def test_a_bot_that_steps_in_after_the_window_starts_at_once() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n10 1 is bot")
    assert round_.offered(1) == ["draw"]
    assert round_.clocks() == {"draw": (1, 49.0)}


# Left for good


def test_who_left_is_played_as_a_time_out_as_soon_as_the_window_is_over() -> None:
    round_ = begun().play("0.5 1 is left\n1 0 draw\n2 0 discard").until(4.999)
    assert (round_.turn, round_.lines) == (1, [])
    round_.until(5)
    assert round_.lines == [{"kind": "timeout", "seat": 1}]
    assert (round_.turn, round_.top(), round_.offered(2)) == (2, "7D", ["draw"])
    assert round_.told("{seat} has left: the turn passes.")


def test_who_left_is_passed_at_once_after_a_call() -> None:
    round_ = begun().play("0.5 1 is left\n1 0 draw\n2 0 discard\n3 0 crisp").until(3)
    assert (round_.turn, round_.phase) == (2, "Final turns")


def test_leaving_in_ones_own_turn_is_a_time_out_there() -> None:
    round_ = begun().play("5 0 draw\n6 0 is left").until(6)
    assert round_.lines == [{"kind": "timeout", "seat": 0}]
    assert (round_.turn, round_.top()) == (1, "6D")


def test_leaving_while_waiting_for_extra_draws_loses_them() -> None:
    round_ = begun(45, "KD").play("5 0 draw\n6 0 king\n7 0 is left").until(7)
    assert (round_.turn, round_.extra(), round_.pile()) == (1, 0, 42)


def test_leaving_in_a_turn_begun_inside_the_window_cuts_the_window_not_short() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n4.1 1 draw\n4.2 1 is left").until(4.9)
    assert round_.turn == 1
    assert round_.offered(0) == ["crisp"]
    assert round_.until(5).turn == 2


def test_a_call_lets_the_turn_of_a_leaver_end_then_and_not_before_it() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n4.1 1 draw\n4.2 1 is left\n4.7 0 crisp")
    assert CRISP.wake_at(round_.state) == 4700
    assert round_.until(4.7).turn == 2


def test_leaving_with_a_look_open_lets_it_run_out_and_the_turn_end_with_a_window() -> None:
    round_ = begun(45, "JD").play("1 0 draw\n2 0 jack\n3 0 is left").until(7)
    assert [line["kind"] for line in round_.lines] == ["act"]
    assert round_.clocks()["crisp window"] == (0, 10.0)


def test_the_dealer_may_leave() -> None:
    round_ = begun().play("0.5 2 is left\n1 0 draw\n2 0 discard\n4 1 draw\n5 1 discard").until(8)
    assert round_.tags("deals") == [2]
    assert round_.turn == 0


def test_a_caller_who_leaves_stays_the_caller_and_is_scored() -> None:
    round_ = begun().play("1 0 draw\n2 0 discard\n3 0 crisp\n4 0 is left")
    round_.play("5 1 draw\n6 1 discard\n7 2 draw\n8 2 discard")
    assert round_.outcome is not None
    assert round_.outcome.record is not None
    assert round_.outcome.record["caller"] == 0
    assert round_.outcome.delta == {0: 15 + 5, 1: 9, 2: 24}


def test_seats_keep_their_numbers_when_others_leave() -> None:
    round_ = begun().play("0.5 0 is left").until(0.5)
    assert round_.turn == 1
    assert [z.owner for z in round_.view(2).zones if z.name == "hand"] == [0, 1, 2]
    round_.play("1 1 draw\n2 1 discard\n4 2 draw\n5 2 discard").until(8)
    assert round_.turn == 1


def test_a_round_that_everybody_left_is_over_and_counts_for_nobody() -> None:
    round_ = begun().play("1 0 is left\n2 1 is left\n3 2 is left")
    assert round_.outcome is not None
    assert round_.outcome.record is None
    assert set(round_.outcome.delta.values()) == {0}
    assert CRISP.wake_at(round_.state) is None


@pytest.mark.parametrize("by", ["nobody", "left"])
@pytest.mark.parametrize("draw_time", [30, None])
def test_a_round_goes_on_with_all_but_one_gone(by: By, draw_time: int | None) -> None:
    round_ = begun(draw_time).play(f"0 0 is {by}\n0 1 is {by}")
    while round_.turn != 2:
        round_.until(CRISP.wake_at(round_.state) / 1000)  # type: ignore[operator]
    assert round_.offered(2) == ["draw"]


def test_a_round_goes_on_with_nobody_there() -> None:
    round_ = begun(None).play("0 0 is nobody\n0 1 is nobody\n0 2 is nobody").until(600)
    assert len(round_.lines) == 10


def test_a_seat_that_is_not_dealt_in_changes_nothing() -> None:
    round_ = begun()
    assert CRISP.presence(round_.state, 0, 7, "left").state is round_.state
    assert CRISP.presence(round_.state, 0, 1, "person").state is round_.state
