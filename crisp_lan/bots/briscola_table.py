"""What a Briscola player sees of a deal, read off its view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from crisp_lan.bots.briscola_cards import beats
from crisp_lan.game.rules import Card, Pick, Seat, View, Zone

BID = "Bid: {rank}"
CALLED = "Called card: {card}"
TRUMP = "Trump: {suit}"
TARGET = "Points to reach: {n}"
DEALER = "deals"
DECLARES = "plays for {card}"
JOINS = "plays with {other}"
ALONE = "plays alone"

HALF = 61
ALL_POINTS = 120

Sides: TypeAlias = Mapping[Seat, frozenset[Seat]]
"""For each seat, whom it takes to be on its side, itself too."""

_NOTHING = Zone("", None, (), 0)


@dataclass(frozen=True, slots=True)
class Table:
    """What one seat sees. `seats` are in order of play, from the own one on.

    `trick` is who played what, `turned` the card under the `stock`. With five there is a `declarer`
    who needs `target` points, and the card that it `called`: "" once that was played, for then
    everybody knows the `sides`. `dealer` is None where the view does not tell.
    """

    seats: tuple[Seat, ...]
    hands: Mapping[Seat, tuple[Card | None, ...]]
    dealer: Seat | None
    trump: str
    trick: tuple[tuple[Seat, Card], ...]
    turned: tuple[Card, ...]
    stock: int
    sides: Sides
    declarer: Seat | None = None
    called: Card = ""
    target: int = HALF

    @classmethod
    def of(cls, view: View, me: Seat) -> Table:
        """The table as a seat sees it."""
        hands = {z.owner: z.faces for z in view.zones if z.name == "hand" and z.owner is not None}
        middle = {zone.name: zone for zone in view.zones if zone.owner is None}
        tags = {tag.text.key: tag.seat for tag in view.tags}
        around, at = tuple(hands), list(hands).index(me)
        trick = middle.get("trick", _NOTHING)
        table = cls(
            tuple(around[(at - step) % len(around)] for step in range(len(around))),
            hands,
            tags.get(DEALER),
            str(fact(view, TRUMP, "suit")),
            tuple((seat, str(card)) for seat, card in zip(trick.seats, trick.faces)),
            tuple(card for card in middle.get("trump card", _NOTHING).faces if card),
            middle.get("stock", _NOTHING).count,
            _teams(view) or {seat: frozenset((seat,)) for seat in hands},
        )
        if DECLARES not in tags:
            return table
        called, target = str(fact(view, CALLED, "card")), int(fact(view, TARGET, "n") or HALF)
        table = table.declared(tags[DECLARES], called, target)
        partner = tags.get(JOINS, tags.get(ALONE))
        return table if partner is None else replace(table, sides=table.parted(partner), called="")

    def declared(self, declarer: Seat, called: Card, target: int) -> Table:
        """The same when a seat has called a card: who is not the declarer takes all others for its
        side, and the declarer nobody."""
        others = frozenset(self.seats) - {declarer}
        sides = dict.fromkeys(others, others) | {declarer: frozenset((declarer,))}
        return replace(self, declarer=declarer, called=called, target=target, sides=sides)

    def parted(self, partner: Seat) -> Sides:
        """The sides when this one is the declarer's partner."""
        declaring = frozenset(seat for seat in self.seats if seat in (partner, self.declarer))
        others = frozenset(self.seats) - declaring
        return {seat: declaring if seat in declaring else others for seat in self.seats}

    @property
    def open(self) -> set[Card]:
        """The cards that lie open for the own seat now."""
        hands = (card for hand in self.hands.values() for card in hand if card)
        return {*hands, *self.turned, *(card for _, card in self.trick)}

    @property
    def mine(self) -> list[Card]:
        """The own hand."""
        return [card for card in self.hands[self.seats[0]] if card]


def holding(trick: Sequence[tuple[Seat, Card]], trump: str, leader: Seat) -> tuple[Seat, Card]:
    """Who holds a trick so far, with which card; who leads, with "", where none lies there."""
    owner, best = leader, ""
    for seat, card in trick:
        if not best or beats(card, best, trump):
            owner, best = seat, card
    return owner, best


def _teams(view: View) -> dict[Seat, frozenset[Seat]]:
    side = {tag.seat: tag.text.key for tag in view.tags if tag.text.key.startswith("side ")}
    return {seat: frozenset(s for s in side if side[s] == side[seat]) for seat in side}


def fact(view: View, key: str, field: str) -> Pick:
    """What a fact of the view says; "" where it is not there."""
    return next((fact.values[field] for fact in view.facts if fact.key == key), "")
