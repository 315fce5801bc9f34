"""Cards as text, decks, and the one shuffle.

A card of the 52-card deck is its rank and its suit: `TD` is the ten of diamonds. A game may use
other cards; a card is only ever text that is the same for the same card.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from crisp_lan.game.rules import Card

SUITS = "CDHS"
RANKS = "A23456789TJQK"


def french(ranks: str = RANKS) -> tuple[Card, ...]:
    """A French deck of the given ranks, suit by suit."""
    return tuple(rank + suit for suit in SUITS for rank in ranks)


def shuffled(deck: Sequence[Card], lots: random.Random) -> tuple[Card, ...]:
    """The deck in an order drawn by `lots`; every order is as likely as any other."""
    cards = list(deck)
    lots.shuffle(cards)
    return tuple(cards)
