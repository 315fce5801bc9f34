"""RULES.md §1: the piles, and the draw pile when it is empty."""

from __future__ import annotations

from dataclasses import replace

from tests.game.tabletop import Round, laid

LOW = ["AC 2C 3C", "AD 2D 3D", "AH 2H 3H", "AS 2S 3S"]
COURTS = ["JC JD JH", "QC QD QH", "KC KD KH", "JS QS KS"]
PLAIN = [rank + suit for rank in "456789T" for suit in "CDHS"]
TURNED = "The draw pile is empty: the discard pile is turned over."


def emptied() -> Round:
    """Eight players hold all that is not plain; every card of the draw pile has been discarded."""
    round_ = laid(*LOW, *COURTS, draws=" ".join(PLAIN))
    for turn in range(28):
        round_.play(f"{4 * turn} {turn % 8} draw\n{4 * turn + 1} {turn % 8} discard")
    return round_.until(112)


def test_only_the_top_discard_is_visible_with_both_counts() -> None:
    round_ = laid("AS 5H KD", "2C 3C 4C", draws="6D 7D")
    round_.play("0.0 0 draw\n1.0 0 discard\n3.0 1 draw\n4.0 1 discard")
    for seat in (0, 1, None):
        assert round_.seen(seat) == {"7D"}
    assert (round_.pile(), round_.discards()) == (44, 2)


def test_an_empty_draw_pile_is_left_empty_until_somebody_draws() -> None:
    round_ = emptied()
    assert (round_.pile(), round_.discards()) == (0, 28)
    assert round_.told(TURNED) == []


def test_the_discard_pile_is_turned_over_unshuffled_by_the_next_draw() -> None:
    round_ = emptied().play("113 4 draw")
    assert round_.told(TURNED)
    assert (round_.pile(), round_.discards(), round_.top()) == (27, 0, None)
    assert round_.seen(4) == {PLAIN[0]}
    assert list(round_.state.pile) == PLAIN[1:]


def test_a_swap_after_the_turning_begins_a_new_discard_pile() -> None:
    round_ = emptied().play("113 4 draw\n114 4 swap left")
    assert (round_.top(), round_.discards()) == ("JC", 1)


def test_a_time_out_at_an_empty_pile_turns_it_over_first() -> None:
    round_ = emptied()
    round_.until(round_.clocks()["draw"][1])
    assert (round_.pile(), round_.top(), round_.turn) == (27, PLAIN[0], 5)


def test_a_time_out_at_an_empty_pile_with_one_discard_draws_that_one() -> None:
    """Not even the smallest pile that there can be leads to a draw from nothing."""
    round_ = emptied()
    round_.state = replace(round_.state, discards=("4C",))
    round_.until(round_.clocks()["draw"][1])
    assert (round_.pile(), round_.discards(), round_.top()) == (0, 1, "4C")


def test_eight_players_and_four_kings_over_the_end_of_the_pile() -> None:
    hands = [*LOW, "4C 5C 6C", "4D 5D 6D", "4H 5H 6H", "4S 5S 6S"]
    plain = [rank + suit for rank in "789T" for suit in "CDHS"]
    plain += ["JC", "JD", "JH", "JS", "QC", "QD", "QH", "QS"]
    round_ = laid(*hands, draws=" ".join([*plain, "KC KD KH KS"]))
    for turn in range(24):
        round_.play(f"{4 * turn} {turn % 8} draw\n{4 * turn + 1} {turn % 8} discard")
    for at in range(100, 104):
        round_.play(f"{at} 0 draw\n{at}.5 0 king")
    assert (round_.pile(), round_.discards(), round_.extra()) == (0, 28, 5)
    for extra, at in enumerate(range(104, 109)):
        round_.play(f"{at} 0 draw")
        assert round_.seen(0) >= {plain[extra]}
        round_.play(f"{at}.5 0 discard")
    assert round_.turn == 1
    held = [spot.card for hand in round_.state.hands for spot in hand.spots]
    every = [*held, *round_.state.pile, *round_.state.discards]
    assert len(every) == len(set(every)) == 52
