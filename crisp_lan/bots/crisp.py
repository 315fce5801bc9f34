"""A Crisp player from views and notes alone.

It gives away or replaces what it takes for its highest card, and wants to know its cards. The
levels differ in what they know of the table and in when they call; at the latest they call when
twelve laps brought nothing.

- `easy` and `normal` forget, their own cards too, and of others they only take it that a card kept
  is low (`crisp_memory`). They call when their chance of being lowest alone, after everybody's
  final turn, is good: `normal` at four in five, `easy` when it is all but sure, often too late.
- `hard` forgets nothing, counts the cards, the flip included, infers what others hold from all they
  do (`crisp_beliefs`), and weighs each call against waiting (`crisp_ahead`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crisp_lan.bots.crisp_ahead import better_called
from crisp_lan.bots.crisp_beliefs import Beliefs
from crisp_lan.bots.crisp_memory import Memory, Weights, is_certain, mean, normal, value
from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.rules import Act, Choice, Note, Pick, Seat, View

LAST_LAP = 12
"""A round that has gone on for so many of its turns is called, whatever it holds."""

_ON_ITS_OWN = ("look", "close", "king")
"""Done whenever offered: a right to look is worth using, and the rest has no other choice."""
_OTHERWISE = ("draw", "skip", "ready")


@dataclass(frozen=True, slots=True)
class _Level:
    """How a level plays: laps until its own and others' cards fade, and the chance it calls at.

    `counts`: it counts the cards, infers what others hold, and weighs each call.
    """

    own: int | None
    others: int | None
    counts: bool = False
    calls_at: float = 1.0


_LEVELS: Mapping[str, _Level] = {
    "easy": _Level(own=2, others=1, calls_at=0.97),
    "normal": _Level(own=2, others=1, calls_at=0.8),
    "hard": _Level(own=None, others=None, counts=True),
}

_CURIOSITY = 0.5
"""What knowing a card of its own is worth to it, in points."""
_QUEEN_WORTH = 0.3
"""The fewest points it must expect of a swap with another's card."""


class CrispBot:
    """One Crisp player of a level. It draws no lots: what it was shown decides what it does."""

    def __init__(self, level: str) -> None:
        self._level = _LEVELS[level]
        self._memory = Memory(self._level.own, self._level.others, self._level.counts)
        self._beliefs = Beliefs(self._memory) if self._level.counts else None
        self._match = UNTOLD
        self._guess = (self._beliefs or self._memory).guess

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Remembers what its seat is shown."""
        self._match = match
        (self._beliefs or self._memory).see(view, notes)

    def choose(self, view: View) -> Act | None:
        """What it does now; None to let a call be."""
        offered = {choice.name: choice for choice in view.choices}
        me = view.seat
        if me is None or not offered:
            return None
        if "crisp" in offered and self._calls(me):
            return Act("crisp")
        for name in _ON_ITS_OWN:
            if name in offered:
                return Act(name, offered[name].picks[0])
        return self._played(me, offered) or self._drawn(me, offered)

    def _calls(self, me: Seat) -> bool:
        if self._memory.laps >= LAST_LAP:
            return True
        if self._beliefs is not None:
            return better_called(self._beliefs, self._memory, me, self._match)
        return self._chance_lowest(me) >= self._level.calls_at

    def _chance_lowest(self, me: Seat) -> float:
        """How likely the own total is below everybody's, after they had a final turn each."""
        draw = self._memory.unseen()
        others = [
            _more_than(_totals(_after_a_turn(self._hand(seat), draw)))
            for seat in self._memory.seats
            if seat != me
        ]
        chance = 0.0
        for total, likely in enumerate(_totals(self._hand(me))):
            for more in others:
                likely *= more[total]
            chance += likely
        return chance

    def _hand(self, seat: Seat) -> list[Weights]:
        return [self._guess(seat, slot) for slot in self._memory.slots]

    def _played(self, me: Seat, offered: Mapping[str, Choice]) -> Act | None:
        """What it does with the card it holds, if it holds one."""
        if "queen" in offered:
            return self._best_exchange(me, offered["queen"]) or Act("discard")
        if "jack" in offered:
            middle = self._guess(me, "middle")
            return Act("discard" if is_certain(middle) else "jack")
        if "swap" in offered:
            points = value(self._memory.held(me))
            worst = max(offered["swap"].picks, key=lambda picks: self._spared(me, picks[0], points))
            if "discard" in offered and self._spared(me, worst[0], points) <= 0:
                return Act("discard")
            return Act("swap", worst)
        return None

    def _spared(self, me: Seat, slot: Pick, points: float) -> float:
        """How many points fewer a card of so many points brings in place of the one in a slot."""
        there = self._guess(me, str(slot))
        return mean(there) - points + (0 if is_certain(there) else _CURIOSITY)

    def _best_exchange(self, me: Seat, queen: Choice) -> Act | None:
        def gain(picks: tuple[Pick, ...]) -> float:
            own, other, theirs = picks
            given = mean(self._guess(me, str(own)))
            return given - mean(self._guess(int(other), str(theirs)))

        best = max(queen.picks, key=gain)
        return Act("queen", best) if gain(best) >= _QUEEN_WORTH else None

    def _drawn(self, me: Seat, offered: Mapping[str, Choice]) -> Act | None:
        if "take" in offered and self._takes(me):
            return Act("take")
        return next((Act(name) for name in _OTHERWISE if name in offered), None)

    def _takes(self, me: Seat) -> bool:
        """Whether the top discard spares more than a draw may be expected to."""
        slots = self._memory.slots
        points = value(self._memory.top_discard())
        spared = max(self._spared(me, slot, points) for slot in slots)
        hoped = sum(
            likely * max(0.0, *(self._spared(me, slot, drawn) for slot in slots))
            for drawn, likely in enumerate(self._memory.next_draw(), 1)
        )
        return spared > hoped


def _totals(hand: Sequence[Weights]) -> list[float]:
    """How likely each total is, by the total."""
    sums = [1.0]
    for weights in hand:
        longer = [0.0] * (len(sums) + 10)
        for total, likely in enumerate(sums):
            if likely:
                for points, weight in enumerate(weights, 1):
                    longer[total + points] += likely * weight
        sums = longer
    return sums


def _more_than(totals: Sequence[float]) -> list[float]:
    """For each total, how likely a higher one is."""
    higher = [0.0] * len(totals)
    for total in range(len(totals) - 2, -1, -1):
        higher[total] = higher[total + 1] + totals[total + 1]
    return higher


def _after_a_turn(hand: Sequence[Weights], draw: Weights) -> list[Weights]:
    """The hand when its highest card may be replaced by a lower one from the draw pile."""
    worst = max(range(len(hand)), key=lambda place: mean(hand[place]))
    return [
        _lower_of(weights, draw) if place == worst else weights
        for place, weights in enumerate(hand)
    ]


def _lower_of(one: Weights, other: Weights) -> Weights:
    """How likely each value is for the lower of two cards."""
    return normal(
        weight * sum(other[place:]) + other[place] * sum(one[place + 1 :])
        for place, weight in enumerate(one)
    )
