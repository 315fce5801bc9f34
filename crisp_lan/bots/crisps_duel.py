"""A Crisps! player from views and notes alone.

It parts its hand into plays, and a play costs the less the likelier it wins its trick. Each time it
does what leaves the cheapest hand behind, with something for having the lead. How likely a play
wins, the normal one judges by its rank; the hard one counts the cards that it has not seen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import comb, prod
from typing import TypeAlias

from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.rules import Act, Card, Choice, Note, Pick, View, Zone

RANKS = "123456789C"
COPIES = 4
PLAYED = "{seat} plays {card}."
"""The note that tells everybody of a play."""

_CONTROL = 0.9
"""The part of a play's cost that is spared when it wins for sure."""
_CARD = 0.3
"""What each card costs besides, in plays."""
_LONG = 0.2
_LOW = 0.2
"""How much sooner a lead is made for each card more, and for each rank lower."""
_LEAD = 0.2
"""What having the lead is worth, in plays."""
_DRAW = 0.4
"""What the card costs that one gets after a trick, in plays."""
_SPARES = 0.7
"""How often one who could follow is taken not to, as far as a play's rank says so."""

Counts: TypeAlias = tuple[int, ...]
"""How many cards of each rank, from 1 to Crisp."""


@dataclass(frozen=True, slots=True)
class Play:
    """Cards to be played together: so many `copies` of so many `ranks` in a row, up to `top`."""

    copies: int
    ranks: int
    top: int

    @property
    def size(self) -> int:
        return self.copies * self.ranks

    @property
    def special(self) -> bool:
        return self.copies > 2

    def without(self, hand: Counts) -> Counts:
        """What is left of a hand when this is played from it."""
        low = self.top - self.ranks + 1
        return tuple(n - self.copies * (low <= place <= self.top) for place, n in enumerate(hand))


Wins: TypeAlias = Callable[[Play], float]
"""How likely a play wins its trick."""


def counted(cards: Iterable[Card | Pick | None]) -> Counts:
    """How many there are of each rank."""
    counts = Counter(cards)
    return tuple(counts[rank] for rank in RANKS)


def play_of(cards: Sequence[Card | Pick]) -> Play:
    """The play that some offered cards are."""
    there = [place for place, n in enumerate(counted(cards)) if n]
    return Play(len(cards) // len(there), len(there), there[-1])


def plays_from(hand: Counts, low: int) -> Iterator[Play]:
    """Every play of a hand whose lowest rank is at this place."""
    for copies in range(1, hand[low] + 1):
        yield Play(copies, 1, low)
    for copies, least in ((1, 3), (2, 2)):
        top = low
        while top < len(RANKS) - 1 and hand[top] >= copies:
            if top - low + 1 >= least:
                yield Play(copies, top - low + 1, top)
            top += 1


def cost(hand: Counts, wins: Wins, known: dict[Counts, float]) -> float:
    """The cheapest way to part a hand into plays; `known` keeps what has been found with `wins`."""
    if hand not in known:
        low = next((place for place, n in enumerate(hand) if n), None)
        known[hand] = (
            0.0
            if low is None
            else min(
                _price(play, wins) + cost(play.without(hand), wins, known)
                for play in plays_from(hand, low)
            )
        )
    return known[hand]


def _price(play: Play, wins: Wins) -> float:
    """What a play costs that is still to be made from the lead."""
    return 1 - _CONTROL * wins(play) + _CARD * play.size


@cache
def by_rank(play: Play) -> float:
    """How likely a play wins, by what it is alone."""
    height = (play.top + 1) / len(RANKS)
    if play.special:
        return 0.9
    if play.ranks > 1:
        return min(0.95, 0.4 + 0.3 * height + 0.05 * play.size)
    return 0.8 * height**3 if play.copies == 1 else 0.2 + 0.7 * height**2


def by_counting(unseen: Counts, held: int) -> Wins:
    """How likely a play wins when the other holds so many of the cards that were not seen."""

    @cache
    def has(copies: int, place: int) -> float:
        return at_least(copies, unseen[place], sum(unseen), held)

    def follows(play: Play) -> Iterator[float]:
        places = range(len(RANKS))
        if not play.special:
            for top in range(play.top, len(RANKS) if play.ranks == 1 else len(RANKS) - 1):
                yield prod(
                    has(play.copies, place) for place in range(top - play.ranks + 1, top + 1)
                )
        elif play.copies < COPIES:
            yield from (has(COPIES, place) for place in places)
        if play.special:
            yield from (has(play.copies, place) for place in range(play.top + 1, len(RANKS)))
        elif play.top == len(RANKS) - 1:
            yield from (has(3, place) for place in places)

    @cache
    def wins(play: Play) -> float:
        if play.size > held and not (play.top == len(RANKS) - 1 and held >= 3):
            return 1.0
        cannot = prod(1 - chance for chance in follows(play))
        return cannot + (1 - cannot) * _SPARES * by_rank(play)

    return wins


def at_least(least: int, of: int, among: int, drawn: int) -> float:
    """The chance to hold at least so many of `of` cards, with `drawn` cards out of `among`."""
    ways = sum(comb(of, n) * comb(among - of, drawn - n) for n in range(least, min(of, drawn) + 1))
    return ways / comb(among, drawn)


@dataclass(frozen=True, slots=True)
class _Level:
    """Whether a level thinks of the cards that it keeps, and counts those it has not seen."""

    plans: bool
    counts: bool


_LEVELS: Mapping[str, _Level] = {
    "easy": _Level(plans=False, counts=False),
    "normal": _Level(plans=True, counts=False),
    "hard": _Level(plans=True, counts=True),
}


class CrispsDuelBot:
    """One Crisps! player of a level. It draws no lots: what it was shown decides what it does."""

    def __init__(self, level: str) -> None:
        self._level = _LEVELS[level]
        self._played: Counter[Card] = Counter()
        self._known: dict[Counts, float] = {}

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Remembers what was played in this deal."""
        if view.phase == "Reveal":
            self._played.clear()
            return
        for note in notes:
            if note.key == PLAYED:
                self._played.update(str(note.values["card"]).split())

    def choose(self, view: View) -> Act | None:
        """What it does now; None while nothing is offered."""
        offered = {choice.name: choice for choice in view.choices}
        if "pick" in offered:
            return self._picked(view)
        if "play" in offered:
            act = self._planned if self._level.plans else _simple
            return act(view, offered)
        return Act("pass") if "pass" in offered else None

    def _picked(self, view: View) -> Act:
        """The card that lies open, where it makes the hand cheaper than one unseen is likely to."""
        hand, wins = counted(_hand(view)), self._wins(view)
        (up,) = _zone(view, "face-up card").faces
        costs = [self._cost(_with(hand, place), wins) for place in range(len(RANKS))]
        unseen = self._unseen(view)
        hoped = sum(n * price for n, price in zip(unseen, costs)) / sum(unseen)
        return Act("pick", ("up" if costs[RANKS.index(str(up))] <= hoped else "deck",))

    def _planned(self, view: View, offered: Mapping[str, Choice]) -> Act:
        """The play, or the pass, that leaves the cheapest hand behind."""
        hand, wins, leads = counted(_hand(view)), self._wins(view), "pass" not in offered
        left_to_other = _other(view).count

        def price(picks: Sequence[Pick]) -> tuple[float, int]:
            play = play_of(picks)
            rest = play.without(hand)
            if not any(rest):
                return (-1.0, 0)
            kept = self._cost(rest, wins)
            if leads:
                return (kept + _price(play, wins) - _LONG * play.size + _LOW * play.top, play.top)
            return (kept + (1 - wins(play)) * _lead_worth(left_to_other), play.top)

        best = min(offered["play"].picks, key=price)
        if not leads:
            draws = _DRAW if _zone(view, "deck").count else 0.0
            passed = self._cost(hand, wins) + draws + _lead_worth(left_to_other)
            if passed < price(best)[0]:
                return Act("pass")
        return Act("play", best)

    def _cost(self, hand: Counts, wins: Wins) -> float:
        return cost(hand, wins, self._known)

    def _wins(self, view: View) -> Wins:
        """How it judges plays; what it has found for other cards counts no more."""
        if not self._level.counts:
            return by_rank
        self._known.clear()
        return by_counting(self._unseen(view), _other(view).count)

    def _unseen(self, view: View) -> Counts:
        """The cards that may be anywhere: not in the own hand, not played, not face up."""
        seen = Counter(_hand(view)) + self._played
        if "face-up card" in (zone.name for zone in view.zones):
            seen.update(card for card in _zone(view, "face-up card").faces if card)
        return tuple(max(0, COPIES - n) for n in counted(seen.elements()))


def _simple(view: View, offered: Mapping[str, Choice]) -> Act:
    """The longest of the lowest when it leads, and the lowest that follows."""

    def order(picks: Sequence[Pick]) -> tuple[int, int]:
        play = play_of(picks)
        return (play.top, -play.size) if "pass" in offered else (play.top - 2 * play.size, 0)

    return Act("play", min(offered["play"].picks, key=order))


def _lead_worth(left_to_other: int) -> float:
    """The fewer cards the other has, the more it is worth not to let him lead."""
    return _LEAD * (1 + 2 / max(1, left_to_other))


def _with(hand: Counts, place: int) -> Counts:
    return (*hand[:place], hand[place] + 1, *hand[place + 1 :])


def _hand(view: View) -> tuple[Card, ...]:
    own = next(zone for zone in view.zones if zone.name == "hand" and zone.owner == view.seat)
    return tuple(card for card in own.faces if card is not None)


def _other(view: View) -> Zone:
    return next(zone for zone in view.zones if zone.name == "hand" and zone.owner != view.seat)


def _zone(view: View, name: str) -> Zone:
    return next(zone for zone in view.zones if zone.name == name)
