"""What a good Crisp player infers about the hands of others.

Another hand is a table of odds: a number for every three values that may lie in it. Each thing its
player does multiplies the odds (Bayes) with how likely a sensible player would do it holding these
three. Who swaps gives its highest card for a lower one, and everybody sees the one that goes; who
discards a card holds none above it; who lets a call be has no low hand, and who calls has one.

A player acts on what it has seen, and it is public who looked at which card and swapped where. A
card that its player has not seen tells nothing and is taken for an average one.

The odds are only what was inferred. How many cards of each value are still out is multiplied in
when they are asked for, so it is right whatever has been seen since.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import product
from math import exp
from typing import TypeAlias

from crisp_lan.bots.crisp_memory import (
    CALLS,
    DISCARDS,
    DRAWS,
    LOOKS,
    QUEENS,
    SWAPS,
    TAKES,
    Memory,
    Weights,
    is_certain,
    normal,
    value,
)
from crisp_lan.game.rules import Card, Note, Seat, View

Three: TypeAlias = tuple[int, int, int]
"""The values of a hand, from left to right."""
Seen: TypeAlias = tuple[float, float, float]
"""What its player takes a hand for."""

UNKNOWN = 6.5
"""What a card counts for a player that has not seen it: the average of the deck."""
CURIOSITY = 0.5
"""How much rather than a card of the same value it replaces one that it does not know."""

_CARE = 1.2
"""How surely a player does what spares points, for each point that it spares."""
_SLIP = 0.04
"""How often a player does anything at all."""
_TENS = 0.25
"""The part of the cards that count ten which can be kept from the draw pile."""
_SPREAD = 1.5
"""By how many points players differ in when they call."""
_CALLING = 0.9
"""How surely a player calls with a very low hand."""
_HANDS: tuple[Three, ...] = tuple(product(range(1, 11), range(1, 11), range(1, 11)))


def call_line(players: int) -> float:
    """The total up to which a player calls that only looks at its own cards.

    Players of whom each knows its own hand alone do best about there, and little worse around it.
    """
    return 6 + 12 / players


class Belief:
    """What is thought of one other hand.

    `sure` are values that are known for certain; `knows`: whether its player has seen the card.
    """

    def __init__(self, knows: Sequence[bool]) -> None:
        self.sure: list[int | None] = [None, None, None]
        self.knows = list(knows)
        self._odds: dict[Three, float] = dict.fromkeys(_HANDS, 1.0)

    def swapped(self, slot: int, old: int, new: int | None) -> None:
        """Its player put a card in the place of an `old` one; None where it was not shown."""
        after: dict[Three, float] = {}
        for hand, odds in self._odds.items():
            if hand[slot] != old:
                continue
            seen = self._seen(hand)
            for card in range(1, 11) if new is None else (new,):
                likely = _slipping(_swaps(seen, card) * _gives(seen)[slot], 1 / 6)
                if new is None and card == 10:
                    likely *= _TENS
                after[_with(hand, slot, card)] = odds * likely
        self._lies(slot, new, after)
        self.knows[slot] = True

    def let_go(self, card: int) -> None:
        """Its player discarded a card that it could have swapped in."""
        self._weigh(lambda seen: _slipping(1 - _swaps(seen, card), 1 / 2))

    def gave(self, slot: int) -> None:
        """Its player chose this card to give it away with a Queen."""
        self._weigh(lambda seen: _slipping(_gives(seen)[slot], 1 / 3))

    def called(self, line: float) -> None:
        """Its player called crisp."""
        self._weigh(lambda seen: _slipping(_calls(sum(seen), line), 1 / 2))

    def kept_quiet(self, line: float) -> None:
        """Its player could have called, and did not."""
        self._weigh(lambda seen: 1 - _CALLING * _calls(sum(seen), line))

    def got(self, slot: int, weights: Weights, unseen: Weights) -> None:
        """With a Queen another card came to lie there; `weights` is what is thought of it."""
        known = weights.index(1.0) + 1 if is_certain(weights) else None
        rest: dict[Three, float] = {}
        for hand, odds in self._odds.items():
            if self.sure[slot] is None:
                odds *= unseen[hand[slot] - 1]
            others = _with(hand, slot, 0)
            rest[others] = rest.get(others, 0.0) + odds
        after = {
            _with(hand, slot, card): odds * (1.0 if known else weight / unseen[card - 1])
            for hand, odds in rest.items()
            for card, weight in enumerate(weights, 1)
            if weight
        }
        self._lies(slot, known, after)
        self.knows[slot] = False

    def hands(self, out: Sequence[float]) -> dict[Three, float]:
        """How likely each hand is, not scaled; `out` is how many cards of each value are out."""
        ones, counts = (1.0,) * 11, (0.0, *out)
        left, middle, right = (counts if sure is None else ones for sure in self.sure)
        return {
            hand: odds * left[hand[0]] * middle[hand[1]] * right[hand[2]]
            for hand, odds in self._odds.items()
        }

    def slots(self, out: Sequence[float]) -> tuple[Weights, ...]:
        """How likely each value is for each of the cards."""
        weights = [[0.0] * 10 for _ in range(3)]
        for hand, odds in self.hands(out).items():
            for place, card in enumerate(hand):
                weights[place][card - 1] += odds
        return tuple(
            normal(likely)
            if sure is None
            else tuple(float(sure == points) for points in range(1, 11))
            for likely, sure in zip(weights, self.sure)
        )

    def _seen(self, hand: Three) -> Seen:
        a, b, c = self.knows
        return (hand[0] if a else UNKNOWN, hand[1] if b else UNKNOWN, hand[2] if c else UNKNOWN)

    def _weigh(self, likely: Callable[[Seen], float]) -> None:
        self._keep({hand: odds * likely(self._seen(hand)) for hand, odds in self._odds.items()})

    def _lies(self, slot: int, known: int | None, after: dict[Three, float]) -> None:
        """A new card lies there. What contradicts all that was thought starts from nothing."""
        self.sure[slot] = known
        if not after:
            self.sure = [None, None, None]
        self._keep(after or dict.fromkeys(_HANDS, 1.0))

    def _keep(self, odds: dict[Three, float]) -> None:
        """The highest odds are 1, and what is as good as impossible is dropped."""
        most = max(odds.values())
        self._odds = {hand: part / most for hand, part in odds.items() if part > most / 1e6}


class Beliefs:
    """All that one seat remembers of the round, and what it infers about each other hand."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._phase = ""
        self._forget_round()

    def _forget_round(self) -> None:
        self._hands: dict[Seat, Belief] = {}
        self._turn: Seat | None = None
        self._may_call: Seat | None = None
        self._slots: tuple[str, ...] = ()
        self._known: dict[Seat, tuple[Weights, ...]] = {}

    def see(self, view: View, notes: Sequence[Note]) -> None:
        """Takes in what the seat is shown."""
        if view.phase == "First look" and self._phase != "First look":
            self._forget_round()
        self._phase = view.phase
        self._meet(view)
        got = [card for note in notes for card in self._hear(note, view)]
        self._memory.see(view, notes)
        for slot, weights in got:
            self._memory.suppose(view.seat, slot, weights)
        if view.turn != self._turn:
            self._may_call, self._turn = self._turn, view.turn
        self._known.clear()

    def guess(self, seat: Seat, slot: str) -> Weights:
        """What it thinks of one card on the table."""
        if seat not in self._hands:
            return self._memory.guess(seat, slot)
        if seat not in self._known:
            self._known[seat] = self._hands[seat].slots(self._memory.out())
        return self._known[seat][self._slots.index(slot)]

    def hand(self, seat: Seat) -> Belief:
        """What it thinks of another hand."""
        return self._hands[seat]

    def _meet(self, view: View) -> None:
        """Who comes in late takes it that everybody has looked at the two outer cards."""
        late = view.phase != "First look"
        for zone in view.zones:
            if zone.name == "hand" and zone.owner is not None and zone.owner != view.seat:
                self._slots = zone.slots
                if zone.owner not in self._hands:
                    self._hands[zone.owner] = Belief((late, False, late))

    def _hear(self, note: Note, view: View) -> list[tuple[str, Weights]]:
        """Infers from what was done; returns what came into the own hand."""
        seat = note.values.get("seat")
        if not isinstance(seat, int):
            return []
        if note.key in (DRAWS, TAKES):
            self._nobody_called(view)
        if seat in self._hands:
            self._judge(self._hands[seat], note, seat, view)
        return self._exchange(note, seat, view) if note.key == QUEENS else []

    def _nobody_called(self, view: View) -> None:
        """A draw ends the time to call of whose turn it was before."""
        quiet, self._may_call = self._may_call, None
        if quiet in self._hands and view.phase == "Play":
            self._hands[quiet].kept_quiet(self._line())

    def _judge(self, belief: Belief, note: Note, seat: Seat, view: View) -> None:
        slot = self._slots.index(str(note.values["slot"])) if "slot" in note.values else 0
        held, top = self._memory.held(seat), _top(view)
        if note.key == LOOKS:
            belief.knows[slot] = True
        elif note.key == SWAPS:
            belief.swapped(slot, value(top), value(held) if held else None)
        elif note.key == DISCARDS and top[0] not in "JQK":
            belief.let_go(value(top))
        elif note.key == QUEENS:
            belief.gave(slot)
        elif note.key == CALLS:
            belief.called(self._line())
        self._known.pop(seat, None)

    def _exchange(self, note: Note, seat: Seat, view: View) -> list[tuple[str, Weights]]:
        """A Queen's two cards, each with what is thought of it, lie in each other's places."""
        one = (seat, str(note.values["slot"]))
        other = (int(note.values["other"]), str(note.values["other_slot"]))
        found = []
        for (owner, slot), weights in ((one, self.guess(*other)), (other, self.guess(*one))):
            if owner in self._hands:
                belief = self._hands[owner]
                belief.got(self._slots.index(slot), weights, normal(self._memory.out()))
            else:
                found.append((slot, weights))
        return found

    def _line(self) -> float:
        return call_line(len(self._hands) + 1)


def _top(view: View) -> Card:
    pile = next(zone for zone in view.zones if zone.name == "discard pile")
    return (pile.faces[-1] if pile.faces else None) or ""


def _with(hand: Three, slot: int, card: int) -> Three:
    left, middle, right = hand
    return (
        (card, middle, right),
        (left, card, right),
        (left, middle, card),
    )[slot]


def _slipping(likely: float, by_chance: float) -> float:
    return likely * (1 - _SLIP) + by_chance * _SLIP


def _unloved(card: float) -> float:
    return card + CURIOSITY if card == UNKNOWN else card


@cache
def _swaps(seen: Seen, card: int) -> float:
    """How likely a player swaps this card in."""
    return 1 / (1 + exp(_CARE * (card - max(map(_unloved, seen)))))


@cache
def _gives(seen: Seen) -> Weights:
    """How likely it gives each card away, if it does one."""
    return normal(exp(_CARE * _unloved(card)) for card in seen)


@cache
def _calls(total: float, line: float) -> float:
    return 1 / (1 + exp((total - line) / _SPREAD))
