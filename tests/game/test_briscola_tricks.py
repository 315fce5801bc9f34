"""Who takes a trick, told a second time without a look at how the game does it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import pytest

from crisp_lan.game.briscola import BRISCOLA, taker
from crisp_lan.game.rules import Card

UPWARDS = "24567JQK3A"


def winner(trick: Sequence[Card], trump: str, led: str) -> Card:
    """Trumps are worth a hundred more, cards that neither follow nor trump are worth nothing."""
    height = {
        card: UPWARDS.index(card[0]) + 1 + 100 * (card[1] == trump)
        if card[1] in (led, trump)
        else 0
        for card in trick
    }
    return max(trick, key=lambda card: height[card])


@pytest.mark.parametrize("trump", "CDHS")
def test_every_pair_of_cards_is_won_as_the_second_reading_says(trump: str) -> None:
    deck = BRISCOLA.cards(2)
    for one, other in product(deck, deck):
        if one != other:
            assert (one, other)[taker((one, other), trump)] == winner((one, other), trump, one[1])


@pytest.mark.parametrize("trump", "CDHS")
def test_every_pair_is_won_so_in_a_trick_that_was_led_in_any_suit(trump: str) -> None:
    deck = BRISCOLA.cards(2)
    for one, other, led in product(deck, deck, "CDHS"):
        lead = f"2{led}"
        if len({one, other, lead}) == 3:
            trick = (lead, one, other)
            assert trick[taker(trick, trump)] == winner(trick, trump, led)


@pytest.mark.parametrize("count", [3, 4, 5, 6])
def test_longer_tricks_are_won_so_too(count: int) -> None:
    lots = random.Random(count)
    for _ in range(3000):
        trick, trump = lots.sample(BRISCOLA.cards(2), count), lots.choice("CDHS")
        assert trick[taker(trick, trump)] == winner(trick, trump, trick[0][1])


def test_examples_of_the_rule_book() -> None:
    assert taker(("KC", "3C"), "H") == 1
    assert taker(("2C", "AD"), "H") == 0
    assert taker(("AC", "2H"), "H") == 1
    assert taker(("2H", "AC"), "H") == 0
    assert taker(("AC", "2H", "4H", "3C"), "H") == 2
