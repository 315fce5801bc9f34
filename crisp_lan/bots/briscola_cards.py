"""What Briscola cards count, which beats which, and what one is worth keeping for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from crisp_lan.game.cards import SUITS
from crisp_lan.game.rules import Card

STRENGTH = "A3KQJ76542"
"""The ranks, highest first."""
_COUNTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
_POWER = {"A": 8.0, "3": 7.0, "K": 4.5, "Q": 4.2, "J": 4.0, "7": 3.8, "6": 3.7, "5": 3.6}
_LOW_POWER = 3.5
"""What a trump is good for beyond its own points, which it brings home whenever it is played."""
_BROUGHT_HOME = 0.45
"""How much of a plain card's points its side gets when it is kept."""
_STANDS = 0.5
_TRUMP_STANDS = 0.85
"""How often a card that holds the trick still does after one more opponent."""


def deck(players: int) -> tuple[Card, ...]:
    """All the cards that so many play with."""
    gone = {3: ("2C",), 6: tuple("2" + suit for suit in SUITS)}.get(players, ())
    cards = (rank + suit for suit in SUITS for rank in STRENGTH)
    return tuple(card for card in cards if card not in gone)


POINTS: Mapping[Card, int] = {card: _COUNTS.get(card[0], 0) for card in deck(2)}


def points(cards: Iterable[Card]) -> int:
    """What cards count."""
    return sum(map(POINTS.__getitem__, cards))


def beats(card: Card, other: Card, trump: str) -> bool:
    """Whether a card beats the best one played before it."""
    if card[1] == other[1]:
        return STRENGTH.index(card[0]) < STRENGTH.index(other[0])
    return card[1] == trump


def _kept(card: Card, trump: str) -> float:
    """What a card would bring later."""
    if card[1] == trump:
        return POINTS[card] + _POWER.get(card[0], _LOW_POWER)
    return POINTS[card] * _BROUGHT_HOME


def _roughly_kept(card: Card, trump: str) -> float:
    """The same to who keeps trumps alone, and knows no more of them than their points."""
    return POINTS[card] + _LOW_POWER if card[1] == trump else 0.0


@dataclass(frozen=True, slots=True)
class Thumb:
    """Rules of thumb for one trump, quick enough to play on thousands of tricks with.

    `higher`: the cards that beat a card. `kept`: what it would bring later. `lead`: what leading it
    costs. `stands`: how often it holds the trick after one more opponent.
    """

    higher: Mapping[Card, frozenset[Card]]
    kept: Mapping[Card, float]
    lead: Mapping[Card, float]
    stands: Mapping[Card, float]

    @classmethod
    @cache
    def of(cls, trump: str, exactly: bool = True) -> Thumb:
        """The rules for a trump; not `exactly`: those of who keeps nothing but trumps."""
        cards = deck(2)
        kept = {card: (_kept if exactly else _roughly_kept)(card, trump) for card in cards}
        return cls(
            {card: frozenset(c for c in cards if beats(c, card, trump)) for card in cards},
            kept,
            {card: POINTS[card] + kept[card] for card in cards},
            {card: _TRUMP_STANDS if card[1] == trump else _STANDS for card in cards},
        )

    def worth(self, card: Card, best: Card, allied: bool, stake: int, foes: int) -> float:
        """What a card brings to a trick that `best` holds ("": none lies there), less what it is
        worth keeping for. `foes` come after."""
        if not best:
            return -self.lead[card]
        total = stake + POINTS[card] + 1
        if card in self.higher[best]:
            won = 2 * self.stands[card] ** foes - 1
        else:
            won = 2 * self.stands[best] ** foes - 1 if allied else -1.0
        return total * won - self.kept[card]

    def choice(self, hand: Sequence[Card], best: Card, allied: bool, stake: int, foes: int) -> Card:
        """The card of a hand that is worth most."""
        if len(hand) == 1:
            return hand[0]
        if not best:
            return min(hand, key=self.lead.__getitem__)
        return max(hand, key=lambda card: self.worth(card, best, allied, stake, foes))
