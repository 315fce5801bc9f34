"""A deal of Briscola laid out and played from a script, the way a rule book tells an example.

    deal = laid("AC 3C KC", "2D 4D 5D", turned="7H", stock="6D 6S")
    deal.play("0 AC  1 2D")

Seat 0 leads and the seat to its left deals, so play goes 0, n-1, …, 1, and hands are given by seat.
Every act comes a second after the one before it; `wait` lets time alone go on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from crisp_lan.game.briscola import BRISCOLA, Contract, State
from crisp_lan.game.rules import (
    Act,
    By,
    Card,
    Line,
    Note,
    Outcome,
    Pick,
    Refused,
    Seat,
    Setting,
    Step,
    Text,
    View,
    Zone,
)

OPTIONS: Mapping[str, Setting] = {
    "first_to": 3,
    "turn_time": 45,
    "partners_see_hands": True,
    "trump_swap": False,
}


def in_order(first: Seat, seats: int) -> list[Seat]:
    """The seats in order of play."""
    return [(first - step) % seats for step in range(seats)]


def deck_for(hands: Sequence[str], turned: str, stock: str) -> list[Card]:
    """A deck that deals these hands, turns that card up and has this stock, topmost first."""
    rows = [hand.split() for hand in hands]
    order = in_order(0, len(hands))
    top = [rows[seat][n] for n in range(len(rows[0])) for seat in order]
    top += turned.split() + stock.split()
    assert len(set(top)) == len(top), "a card is named twice"
    return top + [card for card in BRISCOLA.cards(len(hands)) if card not in top]


class Deal:
    """A deal that runs: its state, and all notes and record lines so far."""

    def __init__(self, deck: Sequence[Card], seats: int, options: Mapping[str, Setting]) -> None:
        self.now = 0
        self.seats = range(seats)
        self.notes: list[Note] = []
        self.lines: list[Line] = []
        self.state: State
        scores = dict.fromkeys(self.seats, 0)
        by: dict[Seat, By] = dict.fromkeys(self.seats, "person")
        self.take(BRISCOLA.deal(self.seats, 1, scores, {**OPTIONS, **options}, deck, 0, by))

    def take(self, step: Step[State]) -> None:
        self.state = step.state
        self.notes += step.notes
        self.lines += step.lines

    def wait(self, seconds: float) -> Deal:
        """Lets time go on, and fires every deadline that is due."""
        self.now += round(seconds * 1000)
        while (due := BRISCOLA.wake_at(self.state)) is not None and due <= self.now:
            self.take(BRISCOLA.wake(self.state))
        return self

    def play(self, script: str) -> Deal:
        """Plays cards: a seat and its card, and so on."""
        words = script.split()
        for seat, card in zip(words[::2], words[1::2], strict=True):
            self.do(int(seat), "play", card)
        return self

    def do(self, seat: Seat, name: str, *picks: Pick) -> Deal:
        self.wait(1)
        self.take(BRISCOLA.apply(self.state, self.now, seat, Act(name, picks)))
        return self

    def refused(self, seat: Seat, name: str, *picks: Pick) -> Text:
        """The reason why an act is refused."""
        before = self.state
        with pytest.raises(Refused) as refusal:
            BRISCOLA.apply(before, self.now, seat, Act(name, picks))
        assert self.state is before
        return refusal.value.text

    def is_played(self, seat: Seat, by: By) -> Deal:
        """Another plays the seat from now on."""
        self.take(BRISCOLA.presence(self.state, self.now, seat, by))
        return self

    def bids(self, script: str) -> Deal:
        """Bids and passes in turn: a rank (`K`), a target for the 2 (`70`), or `-`."""
        for word in script.split():
            seat = self.turn
            assert seat is not None
            if word == "-":
                self.do(seat, "pass")
            elif word.isdigit() and len(word) > 1:
                self.do(seat, "bid", "2", word)
            else:
                self.do(seat, "bid", word, "61")
        return self

    def play_out(self) -> Deal:
        """Plays to the end, each the first card it is offered."""
        while not self.over:
            seat = self.turn
            assert seat is not None
            self.do(seat, "play", self.choices(seat)["play"][0][0])
        return self

    def view(self, seat: Seat | None) -> View:
        return BRISCOLA.view(self.state, seat)

    def choices(self, seat: Seat) -> dict[str, tuple[tuple[Pick, ...], ...]]:
        return {choice.name: choice.picks for choice in self.view(seat).choices}

    def zone(
        self, name: str, owner: Seat | None = None, seen_by: Seat | None = None
    ) -> Zone | None:
        zones = self.view(seen_by).zones
        return next((z for z in zones if z.name == name and z.owner == owner), None)

    def hand(self, seat: Seat, seen_by: Seat | None = None) -> str:
        """A hand as it is seen, `--` for a back; by default as its owner sees it."""
        zone = self.zone("hand", seat, seat if seen_by is None else seen_by)
        assert zone is not None
        return " ".join(face or "--" for face in zone.faces)

    def cards_in_hand(self, seat: Seat) -> set[Card]:
        return set(self.hand(seat).split())

    def tags(self, seat: Seat) -> list[str]:
        return [tag.text.key for tag in self.view(None).tags if tag.seat == seat]

    def facts(self) -> dict[str, object]:
        return {fact.key: [*fact.values.values(), ""][0] for fact in self.view(None).facts}

    def told(self, key: str) -> list[Note]:
        return [note for note in self.notes if note.key == key]

    @property
    def turn(self) -> Seat | None:
        return self.view(None).turn

    @property
    def phase(self) -> str:
        return self.view(None).phase

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        return BRISCOLA.outcome(self.state)

    @property
    def delta(self) -> list[int]:
        """What the scores change by, seat by seat."""
        assert self.outcome is not None
        return [self.outcome.delta[seat] for seat in self.seats]

    @property
    def points(self) -> list[int]:
        """The points of the record, seat by seat."""
        assert self.outcome is not None
        assert self.outcome.record is not None
        return [self.outcome.record["points"][str(seat)] for seat in self.seats]


def laid(*hands: str, turned: str = "", stock: str = "", **options: Setting) -> Deal:
    """A deal with these hands."""
    return Deal(deck_for(hands, turned, stock), len(hands), options)


def dealt(seats: int, **options: Setting) -> Deal:
    """A deal of the unshuffled deck."""
    return Deal(BRISCOLA.cards(seats), seats, options)


def at_the_last_trick(
    won: Sequence[Sequence[Card]], contract: Contract | None = None, trump: str = "H"
) -> Deal:
    """A deal in which everything has been won like this but one trick, which brings no points."""
    count = len(won)
    deal = dealt(count)
    last = ("4C", "5C", "6C", "7C", "4D", "5D")[:count]
    hands = tuple(
        replace(hand, cards=(card,), won=tuple(cards))
        for hand, card, cards in zip(deal.state.hands, last, won, strict=True)
    )
    deal.state = replace(
        deal.state, hands=hands, stock=(), trump=trump, auction=None, contract=contract
    )
    return deal


def cards_worth(*points: int) -> list[list[Card]]:
    """Cards with points, all different, for each of these sums."""
    pool = [rank + suit for rank in "A3KQJ" for suit in "CDHS"]
    found: list[list[Card]] = []
    for sum_ in points:
        cards = _worth(pool, sum_)
        assert cards is not None, f"no cards are worth {sum_}"
        pool = [card for card in pool if card not in cards]
        found.append(cards)
    return found


def _worth(pool: Sequence[Card], points: int) -> list[Card] | None:
    if points <= 0 or not pool:
        return [] if points == 0 else None
    first, rest = pool[0], pool[1:]
    value = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}[first[0]]
    taken = _worth(rest, points - value)
    return [first, *taken] if taken is not None else _worth(rest, points)
