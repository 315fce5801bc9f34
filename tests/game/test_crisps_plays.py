"""Crisps!: what can be played, what follows what, and what is said of everything else."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations_with_replacement

import pytest

from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Act, Refused
from tests.game.crisps_tables import RANKS, Cards, Deal, cards, every_play, may_follow, subsets

RUNS = (False, True)


def facing(old: str | Cards, hand: str | Cards, runs_with_crisps: bool = False) -> Deal:
    """Seat 1 has led something, and seat 0 may follow with a hand."""
    deal = Deal(runs_with_crisps=runs_with_crisps)
    old = cards(old) if isinstance(old, str) else old
    hand = cards(hand) if isinstance(hand, str) else hand
    deal.state = replace(deal.state, trick=old)
    deal.state = deal.state.with_hand(0, replace(deal.state.hands[0], cards=hand))
    return deal


def hands_up_to(size: int) -> list[Cards]:
    return [
        hand
        for n in range(1, size + 1)
        for hand in combinations_with_replacement(RANKS, n)
        if max(map(hand.count, hand)) <= 4
    ]


@pytest.mark.parametrize("runs", RUNS)
def test_all_hands_of_six_cards_lead_and_follow_as_brute_force_says(runs: bool) -> None:
    lots, olds, deal = random.Random(3), list(every_play(runs)), Deal(runs_with_crisps=runs)
    for hand in hands_up_to(6):
        holding = deal.state.with_hand(0, replace(deal.state.hands[0], cards=hand))
        can = subsets(hand) & every_play(runs).keys()
        deal.state = replace(holding, trick=())
        assert deal.can_play(0) == can
        old = lots.choice(olds)
        deal.state = replace(holding, trick=old)
        assert deal.can_play(0) == {new for new in can if may_follow(new, old, runs)}


@pytest.mark.parametrize("runs", RUNS)
def test_each_play_follows_each_other_as_the_second_telling_says(runs: bool) -> None:
    everything = tuple(CRISPS.cards(2))
    for old in every_play(runs):
        follow = {new for new in every_play(runs) if may_follow(new, old, runs)}
        assert facing(old, everything, runs).can_play(0) == follow, old


def test_pairs_in_a_row_four_equal_cards_and_a_run_are_three_things() -> None:
    for old in ("4 4 5 5", "4 4 4 4", "3 4 5"):
        for new in ("4 4 5 5", "4 4 4 4", "3 4 5"):
            follows = cards(new) in facing(old, new).can_play(0)
            assert follows == (new == old != "4 4 4 4"), (new, old)


@pytest.mark.parametrize(
    ("new", "old", "follows"),
    [
        ("1 1 1 1", "C C C", True),
        ("9 9 9", "C C C", False),
        ("C C C", "9 9 9", True),
        ("9 9 9", "9 9 9", False),
        ("C C C C", "9 9 9 9", True),
        ("C C C", "1 1 1 1", False),
        ("1 1 1", "C", True),
        ("1 1 1", "C C", True),
        ("1 1 1", "9", False),
        ("C", "C", True),
        ("C C", "9 9", True),
        ("C C", "C", False),
        ("5", "5", True),
        ("4", "5", False),
        ("5 5 6 6", "4 4 5 5", True),
        ("3 4 5 6", "3 4 5", False),
    ],
)
def test_what_follows_what(new: str, old: str, follows: bool) -> None:
    assert (cards(new) in facing(old, new).can_play(0)) == follows


@pytest.mark.parametrize("runs", RUNS)
def test_nothing_follows_four_crisps(runs: bool) -> None:
    everything = tuple(CRISPS.cards(2))
    assert facing("C C C C", everything, runs).can_play(0) == set()


def test_a_crisp_is_in_runs_only_where_the_host_said_so_and_then_a_special_follows() -> None:
    assert cards("7 8 9 C") not in facing("", "7 8 9 C").can_play(0)
    assert cards("7 8 9 C") in facing("", "7 8 9 C", True).can_play(0)
    assert cards("9 9 C C") in facing("", "9 9 C C", True).can_play(0)
    assert cards("1 1 1") in facing("8 9 C", "1 1 1", True).can_play(0)
    assert cards("1 1 1") not in facing("7 8 9", "1 1 1", True).can_play(0)
    assert cards("1 9 C") not in facing("", "1 9 C", True).can_play(0)


@pytest.mark.parametrize(
    ("old", "play", "why"),
    [
        ("", "8 9 C", "A Crisp cannot be part of a run."),
        ("", "7 8", "Two cards have to be equal."),
        ("", "3 4 5 7", "Play equal cards, a run of three or more, or a run of pairs."),
        ("", "3 3 4", "Play equal cards, a run of three or more, or a run of pairs."),
        ("", "", "Mark the cards that you want to play."),
        ("", "6 6", "You do not hold these cards."),
        ("", "left", "You do not hold these cards."),
        ("", "5 4 3", "Name the cards in the order of your hand."),
        ("4", "3 3", "A single card is needed."),
        ("4 4", "7", "A pair is needed."),
        ("4 5 6", "3 3", "A run of 3 cards is needed."),
        ("2 2 3 3", "3 4 5", "A run of 2 pairs is needed."),
        ("1 2 3 4", "3 4 5", "A run needs the same length: 4."),
        ("2 2 3 3 4 4", "3 3 4 4", "A run of pairs needs as many pairs: 3."),
        ("9", "8", "Equal or higher than 9 is needed."),
        ("5 6 7", "3 4 5", "Equal or higher than 7 is needed."),
        ("9", "1 1 1", "Three or four equal cards only follow a play with a Crisp."),
        ("2 2 2", "1 1 1", "More than 3 equal cards are needed, or 3 higher than 2."),
        ("2 2 2", "C", "More than 3 equal cards are needed, or 3 higher than 2."),
    ],
)
def test_a_refusal_says_what_is_wrong(old: str, play: str, why: str) -> None:
    deal = facing(old, "1 1 1 3 3 4 4 5 6 7 7 8 8 9 C")
    assert deal.why_not(0, "play", *cards(play)) == why


def test_numbers_are_no_cards() -> None:
    assert facing("", "1 2 3").why_not(0, "play", 1) == "You do not hold these cards."


def test_every_set_of_own_cards_that_is_not_offered_is_refused_with_a_sentence() -> None:
    hand = cards("1 1 2 3 3 4 9 C C C")
    for old in ("", "2", "3 3", "1 2 3", "2 2 3 3", "C", "1 1 1"):
        deal = facing(old, hand)
        for some in subsets(hand) - deal.can_play(0):
            assert deal.why_not(0, "play", *some).endswith(".")


def test_a_refusal_is_the_same_whatever_the_other_holds() -> None:
    one, other = facing("4 5 6", "3 3 4 7"), facing("4 5 6", "3 3 4 7")
    other.state = other.state.with_hand(
        1, replace(other.state.hands[1], cards=other.state.deck[:9])
    )
    for play in subsets(cards("3 3 4 7")):
        answers = set()
        for deal in (one, other):
            with pytest.raises(Refused) as refused:
                CRISPS.apply(deal.state, 0, 0, Act("play", play))
            answers.add(str(refused.value.text))
        assert len(answers) == 1
