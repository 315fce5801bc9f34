"""RULES.md §1, Calling crisp: every vector, and the host's times in every refusal."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crisp_lan.game.rules import By
from tests.game.tabletop import Round, laid

THREE = ("AS 5H KD", "2C 3C 4C", "7C 8C 9C")
TWO = THREE[:2]
DRAWS = "6D 7D 8D 9D TD 6H 7H 8H"


LATER = "102 1 draw\n102.5 1 discard\n104.5 0 draw"


def after_a(*hands: str, draws: str = DRAWS) -> Round:
    """A is seat 0, whose turn has ended at t=100; B is seat 1."""
    return laid(*hands, draws=draws, draw_time=None).play("99 0 draw\n100 0 discard")


def with_b(by: By, *hands: str) -> Round:
    played: list[By] = ["person"] * len(hands)
    played[1] = by
    return laid(*hands, draws=DRAWS, by=played, draw_time=None).play("99 0 draw\n100 0 discard")


# The vectors


def test_a_calls_at_half_a_second_and_b_may_start_then() -> None:
    round_ = after_a(*THREE).play("100.5 0 crisp")
    assert round_.offered(1) == ["draw"]
    round_.play("100.5 1 draw")


def test_b_draws_at_1_9_and_is_refused() -> None:
    round_ = after_a(*THREE)
    why = round_.refused("101.9 1 draw")
    assert (why.key, why.values) == ("You may start in {millis} s.", {"millis": 100})
    assert round_.offered(1) == []


def test_b_draws_at_2_a_calls_at_2_5_and_bs_running_turn_is_its_final_turn() -> None:
    round_ = after_a(*THREE).play("102.0 1 draw\n102.5 0 crisp")
    assert (round_.phase, round_.turn) == ("Final turns", 1)
    assert round_.tags("final turn to come") == [2]
    round_.play("103 1 discard\n103 2 draw\n104 2 discard")
    assert round_.over


def test_b_ends_at_2_4_a_calls_at_2_8_and_with_two_players_the_round_ends() -> None:
    round_ = after_a(*TWO).play("102.1 1 draw\n102.4 1 discard")
    assert not round_.over
    assert round_.play("102.8 0 crisp").over


def test_b_ends_at_2_4_a_calls_at_2_8_and_with_three_c_may_start_and_b_has_no_further_turn() -> (
    None
):
    round_ = after_a(*THREE).play("102.1 1 draw\n102.4 1 discard\n102.8 0 crisp")
    assert round_.turn == 2
    round_.play("102.8 2 draw\n103 2 discard")
    assert round_.over


def test_b_ends_at_2_4_b_calls_at_2_7_a_at_2_8_and_b_is_the_caller() -> None:
    round_ = after_a(*THREE).play("102.1 1 draw\n102.4 1 discard\n102.7 1 crisp")
    why = round_.refused("102.8 0 crisp")
    assert why.key == "{other} called crisp {millis} s before you."
    assert why.values == {"other": 1, "millis": 100}
    assert round_.tags("called crisp") == [1]
    round_.play("103 2 draw\n104 2 discard\n104 0 draw\n105 0 discard")
    assert round_.over


def test_a_calls_at_2_999_and_is_accepted() -> None:
    round_ = after_a(*THREE).play("102.999 0 crisp")
    note = round_.told("{seat} calls crisp {millis} s after the end of the turn.")[0]
    assert (note.values, note.to) == ({"seat": 0, "millis": 2999}, None)


def test_a_calls_at_3_and_is_refused() -> None:
    why = after_a(*THREE).refused("103.0 0 crisp")
    assert why.key == "Your call came {millis} s after the window closed."
    assert why.values == {"millis": 0}


def test_as_turn_timed_out_and_there_is_no_window_and_b_may_start_at_once() -> None:
    round_ = laid(*THREE, draws=DRAWS, draw_time=30).until(30.0)
    assert round_.offered(1) == ["draw"]
    assert round_.clocks() == {"draw": (1, 60.0)}
    why = round_.refused("30.5 0 crisp")
    assert why.key == "Your turn ran out of time {millis} s ago, so you cannot call after it."
    assert why.values == {"millis": 500}
    round_.play("30.5 1 draw")


def test_b_plays_a_king_at_2_2_a_calls_at_2_9_and_b_still_has_both_extra_draws() -> None:
    round_ = after_a(*TWO, draws="6D KC 7D 8D").play("""
        102.0 1 draw
        102.2 1 king
        102.9 0 crisp
    """)
    assert round_.extra() == 2
    round_.play("103 1 draw\n104 1 discard\n105 1 draw")
    assert not round_.over
    assert round_.play("106 1 swap left").over


# The window


def test_the_window_is_offered_from_the_end_of_the_turn_to_3_s_after() -> None:
    round_ = after_a(*THREE)
    assert round_.offered(0) == ["crisp"]
    clock = round_.clock("crisp window")
    assert (clock.seat, clock.ends, clock.total, clock.loud) == (0, 103_000, 3000, True)
    assert round_.until(102.999).offered(0) == ["crisp"]
    assert round_.until(103.0).offered(0) == []
    assert "crisp window" not in round_.clocks()


def test_a_may_call_at_the_very_end_of_the_turn() -> None:
    assert after_a(*THREE).play("100 0 crisp").phase == "Final turns"


@given(st.integers(0, 6000))
def test_a_call_counts_up_to_3_s_and_is_told_by_how_much_it_was_late(delay: int) -> None:
    round_ = after_a(*THREE)
    line = f"{100 + delay / 1000} 0 crisp"
    if delay < 3000:
        assert round_.play(line).tags("called crisp") == [0]
    else:
        assert round_.refused(line).values == {"millis": delay - 3000}


@given(st.integers(0, 6000))
def test_b_may_act_from_2_s_on(delay: int) -> None:
    round_ = after_a(*THREE)
    line = f"{100 + delay / 1000} 1 draw"
    if delay >= 2000:
        assert round_.play(line).zone("drawn") is not None
    else:
        assert round_.refused(line).values == {"millis": 2000 - delay}


@given(st.integers(2000, 2999), st.integers(2000, 2999), st.booleans())
def test_whoever_calls_first_is_the_caller(one: int, other: int, a_is_first: bool) -> None:
    """B has ended its turn at 2.0: until 3.0 both may call, and arrival order decides."""
    round_ = after_a(*THREE).play("102 1 draw\n102 1 discard")
    first, second = sorted((100 + one / 1000, 100 + other / 1000))
    caller, late = (0, 1) if a_is_first else (1, 0)
    round_.play(f"{first} {caller} crisp")
    why = round_.refused(f"{second} {late} crisp")
    assert why.key == "{other} called crisp {millis} s before you."
    assert why.values == {"other": caller, "millis": abs(one - other)}
    assert round_.tags("called crisp") == [caller]


def test_bs_window_stays_open_when_a_draws() -> None:
    round_ = after_a(*TWO).play("102 1 draw\n102.5 1 discard\n104.5 0 draw\n105.4 1 crisp")
    assert (round_.phase, round_.turn) == ("Final turns", 0)
    assert round_.play("106 0 discard").over


def test_a_draw_closes_the_drawers_window() -> None:
    round_ = after_a(*TWO).play("102 1 draw\n102.5 1 discard\n104.5 0 draw")
    why = round_.refused("105 0 crisp")
    assert why.key == "Your call came {millis} s after your draw. Call when your turn is over."
    assert why.values == {"millis": 500}


def test_who_has_had_no_turn_yet_has_no_window() -> None:
    why = after_a(*THREE).refused("101 2 crisp")
    assert why.key == "You can call in the {millis} s after a turn of yours."
    assert why.values == {"millis": 3000}


def test_a_call_is_legal_from_the_first_turn_on_and_cannot_be_taken_back() -> None:
    round_ = laid(*THREE, draws=DRAWS).play("0 0 draw\n1 0 discard\n2 0 crisp")
    why = round_.refused("2.5 0 crisp")
    assert why.key == "You have called already, {millis} s ago."
    assert why.values == {"millis": 500}


# Final turns


def test_final_turns_have_no_window_no_wait_and_no_call() -> None:
    round_ = after_a(*THREE).play("101 0 crisp\n102 1 draw\n103 1 discard")
    assert "crisp" not in round_.offered(1)
    assert round_.offered(2) == ["draw"]
    assert round_.clocks() == {}
    assert round_.refused("103 1 crisp").key == "{other} called crisp {millis} s before you."
    assert round_.play("103 2 draw\n104 2 discard").over


def test_everybody_but_the_caller_has_one_final_turn_in_order() -> None:
    round_ = laid(*THREE, "TC TS TH", "2D 2H 2S", draws=DRAWS)
    round_.play("0 0 draw\n1 0 discard\n3 1 draw\n4 1 discard\n5 1 crisp")
    assert round_.tags("final turn to come") == [3, 4, 0]
    played = []
    for at in range(6, 14, 2):
        played.append(round_.turn)
        round_.play(f"{at} {round_.turn} draw\n{at + 1} {round_.turn} discard")
    assert played == [2, 3, 4, 0]
    assert round_.over


def test_the_caller_can_be_a_queens_target_in_the_final_turns() -> None:
    round_ = after_a(*TWO, draws="6D QD").play("101 0 crisp\n102 1 draw\n103 1 queen right 0 left")
    assert round_.offered(0) == ["look"]
    assert not round_.over
    round_.play("104 1 skip")
    assert round_.over
    assert round_.outcome is not None
    assert round_.outcome.record == {
        "hands": {"0": ["4C", "5H", "KD"], "1": ["2C", "3C", "AS"]},
        "totals": {"0": 19, "1": 6},
        "caller": 0,
    }


def test_a_look_at_the_end_of_the_last_final_turn_is_given_its_time() -> None:
    round_ = after_a(*TWO, draws="6D JD").play("101 0 crisp\n102 1 draw\n103 1 jack")
    assert not round_.until(107.999).over
    assert round_.until(108).over


def test_a_final_turn_that_times_out_is_over() -> None:
    round_ = laid(*TWO, draws=DRAWS, draw_time=30).play("0 0 draw\n1 0 discard\n2 0 crisp")
    assert round_.until(32).over


# Bots and absent players


def test_a_bot_starts_only_when_the_window_before_it_is_over() -> None:
    round_ = with_b("bot", *THREE)
    assert round_.clocks()["next turn"] == (1, 103.0)
    assert round_.refused("102.9 1 draw").values == {"millis": 100}
    assert round_.until(103).offered(1) == ["draw"]


def test_a_bot_may_start_at_once_after_a_call() -> None:
    assert with_b("bot", *THREE).play("101 0 crisp").offered(1) == ["draw"]


def test_an_absent_players_turn_opens_when_the_window_before_it_is_over() -> None:
    round_ = with_b("nobody", *THREE)
    assert round_.clocks()["next turn"] == (1, 103.0)
    assert round_.until(103).clocks()["draw"] == (1, 163.0)


@pytest.mark.parametrize(
    ("script", "call", "told"),
    [
        ("", "103.4 0 crisp", "{seat} calls crisp {millis} s after the window closed"),
        ("", "101 1 crisp", "{seat} calls crisp before a turn"),
        (LATER, "105 0 crisp", "{seat} calls crisp {millis} s after drawing"),
        ("101 0 crisp", "101.5 1 crisp", "{seat} calls crisp {millis} s after {other}"),
    ],
)
def test_a_refused_call_is_a_ruling_that_all_are_told(script: str, call: str, told: str) -> None:
    refusal = after_a(*TWO).play(script).refusal(call)
    assert refusal.told is not None
    assert refusal.told.key == f"{told}: that does not count."
    assert refusal.told.values["seat"] == int(call.split()[1])


def test_a_call_repeated_by_the_caller_is_no_news_to_the_others() -> None:
    assert after_a(*TWO).play("101 0 crisp").refusal("101.5 0 crisp").told is None
