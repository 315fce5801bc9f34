"""Hands of Crisps! as numbers, what can be played from them, and how far they are from empty.

A hand has four bits for each rank, from 1 to Crisp, the lowest first, and the fourth is never set:
to play cards is to subtract, and one subtraction tells whether a hand holds them.

It is parted into plays, each of which costs the less the likelier it wins its trick. The cost of
the cheapest parting is how far the hand is from empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from crisp_lan.game.rules import Card, Pick

RANKS = "123456789C"
COPIES = 4
CRISP = len(RANKS) - 1

Hand: TypeAlias = int

UNIT = tuple(1 << 4 * place for place in range(len(RANKS)))
_GUARD = 8 * sum(UNIT)

_CONTROL = 0.9
"""The part of a play's cost that is spared when it wins for sure."""
_CARD = 0.3
"""What each card costs besides, in plays."""
_LONG = 0.2
_LOW = 0.2
"""How much sooner a lead is made for each card more, and for each rank lower."""
_LEAD = 2.0
"""How many plays it is worth to lead next: seldom does it pay to pass. Found by trying."""
_KNOWN = 1 << 16
"""How many hands it remembers the cost of."""


@dataclass(frozen=True, slots=True, eq=False)
class Play:
    """Cards to be played together: so many `copies` of so many `ranks` in a row, up to `top`.

    There is one of each: `play_of` finds it.
    """

    copies: int
    ranks: int
    top: int
    cards: Hand = field(init=False)
    price: float = field(init=False)
    """What it costs to have it still to play from the lead."""

    def __post_init__(self) -> None:
        cards = self.copies * sum(UNIT[self.top - self.ranks + 1 : self.top + 1])
        object.__setattr__(self, "cards", cards)
        object.__setattr__(self, "price", 1 - _CONTROL * self._wins() + _CARD * self.size)

    def _wins(self) -> float:
        """How likely it wins its trick, by what it is alone."""
        height = (self.top + 1) / len(RANKS)
        if self.special:
            return 0.9
        if self.ranks > 1:
            return min(0.95, 0.4 + 0.3 * height + 0.05 * self.size)
        return 0.8 * height**3 if self.copies == 1 else 0.2 + 0.7 * height**2

    @property
    def size(self) -> int:
        return self.copies * self.ranks

    @property
    def special(self) -> bool:
        return self.copies > 2

    def follows(self, other: Play) -> bool:
        """Whether it may be played after another."""
        if self.special and other.special:
            return (self.copies, self.top) > (other.copies, other.top)
        if self.special:
            return other.top == CRISP
        same = (self.copies, self.ranks) == (other.copies, other.ranks)
        return same and self.top >= other.top


def _all_plays() -> Iterator[Play]:
    for top in range(len(RANKS)):
        for copies in range(1, COPIES + 1):
            yield Play(copies, 1, top)
        for copies, least in ((1, 3), (2, 2)):
            for ranks in range(least, top + 2):
                yield Play(copies, ranks, top)


_PLAYS = tuple(_all_plays())
_BY_NUMBERS = {(play.copies, play.ranks, play.top): play for play in _PLAYS}
_FROM = tuple(
    tuple(play for play in _PLAYS if play.top - play.ranks + 1 == low) for low in range(len(RANKS))
)
_AFTER = {play: tuple(new for new in _PLAYS if new.follows(play)) for play in _PLAYS}


def hand_of(cards: Iterable[Card | Pick | None]) -> Hand:
    """Some cards as a hand."""
    return sum(UNIT[RANKS.index(str(card))] for card in cards)


def places(hand: Hand) -> list[int]:
    """The place of each card of a hand among the ranks, low to high."""
    return [place for place in range(len(RANKS)) for _ in range(hand >> 4 * place & 7)]


def play_of(cards: Sequence[Card | Pick]) -> Play:
    """The play that some offered cards are."""
    there = places(hand_of(cards))
    ranks = len(set(there))
    return _BY_NUMBERS[len(there) // ranks, ranks, there[-1]]


def holds(hand: Hand, play: Play) -> bool:
    """Whether all cards of a play are in a hand."""
    return (hand | _GUARD) - play.cards & _GUARD == _GUARD


def playable(hand: Hand, onto: Play | None, runs: bool) -> list[Play]:
    """All that may be played after something, or led (None); `runs`: Crisps may be in runs."""
    return [
        play
        for play in (_AFTER[onto] if onto else _PLAYS)
        if holds(hand, play) and (runs or play.top < CRISP or play.ranks == 1)
    ]


@lru_cache(_KNOWN)
def cost(hand: Hand, runs: bool) -> float:
    """How far a hand is from empty: the cheapest way to part it into plays."""
    if not hand:
        return 0.0
    low = (hand & -hand).bit_length() - 1 >> 2
    return min(
        play.price + cost(hand - play.cards, runs)
        for play in _FROM[low]
        if holds(hand, play) and (runs or play.top < CRISP or play.ranks == 1)
    )


def left_by(hand: Hand, play: Play | None, leads: bool, runs: bool) -> float:
    """How good a play is, the less the better: what it leaves, and None, a pass, gives away."""
    if play is None:
        return cost(hand, runs) + _LEAD
    if play.cards == hand:
        return -1.0
    rest = cost(hand - play.cards, runs)
    return rest + play.price - _LONG * play.size + _LOW * play.top if leads else rest


@lru_cache(_KNOWN)
def chosen(hand: Hand, onto: Play | None, runs: bool) -> Play | None:
    """What leaves the least; None is a pass."""
    passing = () if onto is None else (None,)
    options: tuple[Play | None, ...] = (*playable(hand, onto, runs), *passing)
    return min(options, key=lambda play: left_by(hand, play, onto is None, runs))


def hoped(hand: Hand, unseen: Sequence[int]) -> float:
    """What a hand is likely to cost with one more of the unseen cards, which are given by place."""
    return sum(cost(hand + UNIT[place], False) for place in unseen) / len(unseen)
