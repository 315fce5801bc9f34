"""RULES.md §1, Clock: one clock a draw, and every row of the table of time-outs."""

from __future__ import annotations

import pytest

from tests.game.tabletop import Round, laid

HANDS = ("AS 5H 9D", "2C 3C 4C", "7C 8C 9C")


def timed(draws: str, take_discard: bool = False) -> Round:
    return laid(*HANDS, draws=draws, draw_time=30, take_discard=take_discard)


def timed_out(round_: Round) -> bool:
    """Whether seat 0's turn has just ended by the clock: no window, and seat 1 may draw."""
    return (
        round_.lines[-1] == {"kind": "timeout", "seat": 0}
        and round_.turn == 1
        and round_.offered(0) == []
        and "draw" in round_.offered(1)
    )


# The clock


@pytest.mark.parametrize("seconds", [30, 45, 60])
def test_a_draw_has_its_time(seconds: int) -> None:
    round_ = laid(*HANDS, draw_time=seconds)
    clock = round_.clock("draw")
    assert (clock.seat, clock.ends, clock.total) == (0, 1000 * seconds, 1000 * seconds)
    assert round_.until(seconds - 0.001).turn == 0
    assert round_.until(seconds).turn == 1


def test_there_can_be_no_clock() -> None:
    round_ = laid(*HANDS, draw_time=None)
    assert round_.clocks() == {}
    assert round_.until(1_000_000).turn == 0


def test_one_clock_covers_the_wait_and_the_card_held() -> None:
    round_ = timed("6D").play("20 0 draw")
    assert round_.clocks() == {"draw": (0, 30.0)}
    assert round_.until(29.999).turn == 0
    assert round_.until(30).turn == 1


def test_the_clock_starts_anew_for_each_extra_draw() -> None:
    round_ = timed("KC 6D 7D").play("20 0 draw\n25 0 king")
    assert round_.clocks() == {"draw": (0, 55.0)}
    round_.play("50 0 draw\n54 0 discard")
    assert round_.clocks() == {"draw": (0, 84.0)}


def test_the_clock_of_the_next_turn_starts_when_it_opens() -> None:
    round_ = timed("6D").play("1 0 draw\n2 0 discard")
    assert "draw" not in round_.clocks()
    assert round_.until(4.0).clocks()["draw"] == (1, 34.0)


def test_the_clock_of_the_next_turn_starts_at_a_call_that_opens_it() -> None:
    round_ = timed("6D").play("1 0 draw\n2 0 discard\n2.5 0 crisp")
    assert round_.clocks() == {"draw": (1, 32.5)}


def test_an_act_on_the_clocks_last_millisecond_counts_and_one_later_does_not() -> None:
    assert timed("6D").play("29.999 0 draw\n29.999 0 discard").lines == []
    assert timed("6D").refused("30.0 0 draw").key == "It is not your turn."


# The table


def test_first_draw_not_made_the_top_card_is_discarded() -> None:
    round_ = timed("6D").until(30)
    assert timed_out(round_)
    assert (round_.top(), round_.pile()) == ("6D", 42)


@pytest.mark.parametrize("court", ["JD", "QD", "KD"])
def test_first_draw_not_made_a_court_has_no_effect(court: str) -> None:
    round_ = timed(court).until(30)
    assert timed_out(round_)
    assert (round_.top(), round_.extra(), round_.seen(0)) == (court, 0, {court})


@pytest.mark.parametrize("card", ["6D", "JD", "QD", "KD"])
def test_a_card_held_from_the_draw_pile_is_discarded_unused(card: str) -> None:
    round_ = timed(card).play("10 0 draw").until(30)
    assert timed_out(round_)
    assert (round_.top(), round_.extra(), round_.zone("drawn")) == (card, 0, None)


def test_a_card_held_in_an_extra_draw_is_discarded_and_pending_draws_are_lost() -> None:
    round_ = timed("KC 6D 7D").play("1 0 draw\n2 0 king\n3 0 draw").until(32)
    assert timed_out(round_)
    assert (round_.top(), round_.extra(), round_.pile()) == ("6D", 0, 41)


@pytest.mark.parametrize("kings", [1, 2, 3, 4])
def test_a_king_held_in_an_extra_draw_gives_nothing(kings: int) -> None:
    courts = ["KC", "KD", "KH", "KS"][:kings]
    round_ = timed(" ".join(courts))
    for at in range(kings - 1):
        round_.play(f"{at} 0 draw\n{at}.5 0 king")
    round_.play(f"{kings} 0 draw").until(100)
    assert round_.top() != courts[-1] or round_.extra() == 0
    assert round_.told("{seat} runs out of time: the card goes to the discard pile.")


def test_a_card_taken_from_the_discard_pile_goes_back_on_top() -> None:
    round_ = timed("6D 7D", take_discard=True).play("1 0 draw\n2 0 discard\n4 1 take")
    assert (round_.top(), round_.discards()) == (None, 0)
    round_.until(34)
    assert round_.lines == [{"kind": "timeout", "seat": 1}]
    assert (round_.top(), round_.discards(), round_.turn) == ("6D", 1, 2)
    assert [spot.card for spot in round_.state.hands[1].spots] == ["2C", "3C", "4C"]


@pytest.mark.parametrize("played", [0, 1])
def test_waiting_for_an_extra_draw_the_pending_draws_are_lost(played: int) -> None:
    round_ = timed("KC 6D 7D").play("1 0 draw\n2 0 king")
    if played:
        round_.play("3 0 draw\n4 0 discard")
    pile = round_.pile()
    round_.until(34 if played else 32)
    assert timed_out(round_)
    assert (round_.pile(), round_.extra()) == (pile, 0)
    assert round_.told("{seat} runs out of time: the extra draws are lost.")


def test_a_look_after_a_jack_has_its_own_clock_and_the_turn_ends_normally() -> None:
    round_ = timed("JD").play("28 0 draw\n29 0 jack").until(34)
    assert round_.offered(0) == ["crisp"]
    assert [line["kind"] for line in round_.lines] == ["act"]


def test_a_look_after_a_queen_has_its_own_clock_and_the_turn_ends_normally() -> None:
    round_ = timed("QD").play("28 0 draw\n29 0 queen left 1 left").until(39)
    assert round_.offered(0) == ["look", "crisp"]
    round_ = timed("QD").play("28 0 draw\n29 0 queen left 1 left\n38 0 look left").until(43)
    assert round_.offered(0) == ["crisp"]


def test_an_open_look_of_another_player_stops_no_clock() -> None:
    round_ = timed("QD 6D").play("1 0 draw\n2 0 queen middle 1 left\n3.5 1 look left")
    assert round_.until(4).clocks() == {
        "crisp window": (0, 5.0),
        "look": (1, 8.5),
        "draw": (1, 34.0),
    }


def test_a_turn_that_timed_out_counts_as_completed() -> None:
    round_ = timed("6D 7D 8D").play("1 0 draw\n2 0 discard\n4 1 draw\n5 1 discard\n6 1 crisp")
    assert round_.until(36).turn == 0
    assert round_.until(66).over


def test_no_clock_runs_at_the_reveal() -> None:
    round_ = timed("6D 7D").play("1 0 draw\n2 0 discard\n2 0 crisp").until(62)
    assert round_.over
    assert round_.clocks() == {}
    assert round_.until(10_000).over
