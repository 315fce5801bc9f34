"""RULES.md §1, Taking from the discard pile: the host's option."""

from __future__ import annotations

import pytest

from tests.game.tabletop import Round, laid
from tests.game.test_piles import COURTS, LOW, PLAIN

HANDS = ("AS 5H 9D", "2C 3C 4C", "7C 8C 9C")


def with_discard(card: str, draws: str = "") -> Round:
    """Seat 0 has discarded the card; seat 1 may draw or take at t=4."""
    round_ = laid(*HANDS, draws=f"{card} {draws}", take_discard=True)
    return round_.play("0 0 draw\n1 0 discard").until(4)


def test_it_is_off_unless_the_host_says_so() -> None:
    round_ = laid(*HANDS, draws="6D").play("0 0 draw\n1 0 discard").until(4)
    assert round_.offered(1) == ["draw"]
    why = round_.refused("4 1 take")
    assert why.key == "Taking from the discard pile is off at this table."


def test_an_empty_discard_pile_gives_nothing() -> None:
    round_ = laid(*HANDS, take_discard=True)
    assert round_.offered(0) == ["draw"]
    assert round_.refused("1 0 take").key == "The discard pile is empty."


def test_the_top_discard_is_taken_before_everybodys_eyes() -> None:
    round_ = with_discard("6D").play("4 1 take")
    for seat in (0, 1, 2, None):
        zone = round_.zone("drawn", seen_by=seat)
        assert zone is not None
        assert (zone.owner, zone.faces, zone.note) == (1, ("6D",), "from the discard pile")
    assert (round_.top(), round_.discards()) == (None, 0)


def test_a_card_taken_must_be_swapped_in() -> None:
    round_ = with_discard("6D").play("4 1 take")
    assert round_.offered(1) == ["swap"]
    why = "A card from the discard pile has to be swapped in."
    assert round_.refused("5 1 discard").key == why
    round_.play("5 1 swap middle")
    assert (round_.top(), round_.turn) == ("3C", 2)
    assert [spot.card for spot in round_.state.hands[1].spots] == ["2C", "6D", "4C"]


@pytest.mark.parametrize("court", ["JD", "QD"])
def test_a_court_taken_is_a_plain_ten(court: str) -> None:
    round_ = with_discard(court).play("4 1 take")
    assert round_.offered(1) == ["swap"]
    round_.play("5 1 swap left")
    assert round_.hand(1, seen_by=1).faces == (None, None, None)
    assert round_.state.hands[1].total == 10 + 3 + 4


def test_a_king_that_was_played_can_be_taken() -> None:
    round_ = laid(*HANDS, draws="KD 6D", take_discard=True)
    round_.play("0 0 draw\n1 0 king\n2 0 take\n3 0 swap left\n4 0 draw\n5 0 discard")
    assert (round_.turn, round_.extra(), round_.top()) == (1, 0, "6D")
    assert round_.state.hands[0].spots[0].card == "KD"


def test_a_fresh_discard_of_ones_own_may_be_retaken_in_an_extra_draw() -> None:
    round_ = laid(*HANDS, draws="KD 6D", take_discard=True)
    round_.play("0 0 draw\n1 0 king\n2 0 draw\n3 0 swap left\n4 0 take")
    assert (round_.extra(), round_.offered(0)) == (0, ["swap"])
    round_.play("5 0 swap left")
    assert (round_.top(), round_.state.hands[0].spots[0].card) == ("6D", "AS")


def test_taking_needs_no_turning_of_the_pile() -> None:
    round_ = laid(*LOW, *COURTS, draws=" ".join(PLAIN), take_discard=True)
    for turn in range(28):
        round_.play(f"{4 * turn} {turn % 8} draw\n{4 * turn + 1} {turn % 8} discard")
    round_.play("113 4 take")
    assert (round_.pile(), round_.discards()) == (0, 27)
    round_.play("114 4 swap left")
    assert (round_.pile(), round_.discards(), round_.top()) == (0, 28, "JC")
