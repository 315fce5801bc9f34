"""Deals of Crisps! for tests, and the rules of its plays told a second time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import Any

from crisp_lan.game.crisps_duel import CRISPS, State
from crisp_lan.game.rules import Act, By, Card, Note, Refused, Seat, Setting, Step, View

Cards = tuple[Card, ...]

RANKS = tuple("123456789C")
DEFAULTS: dict[str, Setting] = {option.name: option.default for option in CRISPS.options}


def cards(text: str) -> Cards:
    """`4 4 C` as cards."""
    return tuple(text.split())


def order(play: Cards) -> Cards:
    return tuple(sorted(play, key=RANKS.index))


class Deal:
    """One deal with chosen hands; the rest of the cards lies as it comes, or as is said."""

    def __init__(
        self,
        first: str = "",
        second: str = "",
        draws: str = "",
        by: Mapping[Seat, By] | None = None,
        **options: Setting,
    ) -> None:
        self.now = 0
        self.notes: tuple[Note, ...] = ()
        self.lines: tuple[dict[str, Any], ...] = ()
        deck = self.deck(cards(first), cards(second), cards(draws))
        step = CRISPS.deal(
            (0, 1), 0, {0: 0, 1: 0}, DEFAULTS | options, deck, 0, by or {0: "person", 1: "person"}
        )
        self.state: State = step.state
        self.dealt = self.state
        if first:
            self.hold(cards(first), cards(second))

    @staticmethod
    def deck(first: Cards, second: Cards, draws: Cards) -> Cards:
        rest = list((Counter(CRISPS.cards(2)) - Counter(first + second + draws)).elements())
        hands = [[*hand, *(rest.pop() for _ in range(12 - len(hand)))] for hand in (first, second)]
        alternating = [card for pair in zip(*hands) for card in pair]
        out = [rest.pop() for _ in range(4)]
        return (*alternating, *out, *draws, *rest)

    def hold(self, *hands: Cards) -> None:
        """Both hold these cards alone; the others of their hands are out."""
        out = list(self.state.out)
        for place, hand in enumerate(hands):
            old = self.state.hands[place]
            out += (Counter(old.cards) - Counter(hand)).elements()
            self.state = self.state.with_hand(place, replace(old, cards=order(hand)))
        self.state = replace(self.state, out=tuple(out))

    def take(self, step: Step[State]) -> Deal:
        self.state, self.notes, self.lines = step.state, step.notes, step.lines
        return self

    def does(self, seat: Seat, name: str, *picks: str, after: int = 0) -> Deal:
        self.now += after
        return self.take(CRISPS.apply(self.state, self.now, seat, Act(name, picks)))

    def plays(self, seat: Seat, text: str) -> Deal:
        return self.does(seat, "play", *cards(text))

    def why_not(self, seat: Seat, name: str, *picks: str | int) -> str:
        """Why an act is refused, its numbers and cards put in."""
        try:
            CRISPS.apply(self.state, self.now, seat, Act(name, picks))
        except Refused as refused:
            return refused.text.key.format_map(refused.text.values)
        raise AssertionError("not refused")

    def becomes(self, seat: Seat, by: By, at: int) -> Deal:
        self.now = at
        return self.take(CRISPS.presence(self.state, at, seat, by))

    def wakes(self) -> Deal:
        at = CRISPS.wake_at(self.state)
        assert at is not None
        self.now = at
        return self.take(CRISPS.wake(self.state))

    def view(self, seat: Seat | None) -> View:
        return CRISPS.view(self.state, seat)

    def hand(self, seat: Seat) -> Cards:
        return self.state.hands[seat].cards

    def can_play(self, seat: Seat) -> set[Cards]:
        """The sets that a seat is offered to play."""
        offers = [choice for choice in self.view(seat).choices if choice.name == "play"]
        plays = [tuple(map(str, picks)) for choice in offers for picks in choice.picks]
        assert len(plays) == len(set(plays))
        return set(plays)

    def row(self, seat: Seat | None, name: str) -> tuple[Card | None, ...]:
        return next(zone.faces for zone in self.view(seat).zones if zone.name == name)


@cache
def every_play(crisps_run: bool) -> Mapping[Cards, tuple[str, int, int]]:
    """All that can be played at all, by its cards: the kind, how many cards, and the height."""
    plays: dict[Cards, tuple[str, int, int]] = {}
    for height, rank in enumerate(RANKS):
        plays[rank,] = ("single", 1, height)
        plays[rank, rank] = ("pair", 2, height)
        plays[(rank,) * 3] = ("special", 3, height)
        plays[(rank,) * 4] = ("special", 4, height)
    last = 10 if crisps_run else 9
    for low, high in combinations(range(last + 1), 2):
        row = RANKS[low:high]
        if len(row) >= 3:
            plays[row] = ("row", len(row), high - 1)
        if len(row) >= 2:
            twice = tuple(rank for rank in row for _ in "12")
            plays[twice] = ("double row", len(twice), high - 1)
    return plays


def may_follow(new: Cards, old: Cards, crisps_run: bool) -> bool:
    """RULES.md §3 in its own order: like on like, a Special on a Crisp, a Special on a Special."""
    kind, size, height = every_play(crisps_run)[new]
    old_kind, old_size, old_height = every_play(crisps_run)[old]
    if kind == "special" and old_kind == "special":
        return size > old_size or (size == old_size and height > old_height)
    if kind == "special":
        return "C" in old
    if old_kind == "special":
        return False
    return kind == old_kind and size == old_size and height >= old_height


def subsets(hand: Cards) -> set[Cards]:
    return {order(some) for n in range(1, len(hand) + 1) for some in combinations(hand, n)}
