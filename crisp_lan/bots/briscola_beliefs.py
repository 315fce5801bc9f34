"""What a Briscola player remembers of a deal, and what it infers about the cards that are hidden.

For each other seat, every card has a weight: how much likelier than an average one it lies in that
hand. Each play multiplies it (Bayes) by how likely a sensible player would have played what it did,
had it held that card too: who lets a rich trick go has no trump for it. A card drawn from the stock
may be any, and draws the weights together again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp
from random import Random

from crisp_lan.bots.briscola_ahead import World
from crisp_lan.bots.briscola_cards import POINTS, Thumb, deck, points
from crisp_lan.bots.briscola_table import ALL_POINTS, Sides, Table, holding
from crisp_lan.bots.sampling import drawn
from crisp_lan.game.rules import Card, Note, Seat, View

DEALS = "{seat} deals."
PLAYS = "{seat} plays {card}."
TAKES = "{seat} takes the trick."
LAST_DRAW = "{seat} draws the turned {card}."
SWAPS = "{seat} swaps {card} for the turned {turned_card}."

_HAND = 3
"""Cards in a hand as long as there is a stock."""
_CARE = 4.0
"""By how many points a card has to be better for its being played to be e times likelier."""
_SLIP = 0.15
"""How often anything is played all the same."""
_DECLARED = 2.5
"""How much likelier the declarer has a trump than another seat."""


class Beliefs:
    """All that one seat was shown since the deal, and what it makes of it."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._seen: set[Card] = set()
        self._points: dict[Seat, int] = {}
        self._known: dict[Seat, set[Card]] = {}
        self._weights: dict[Seat, dict[Card, float]] = {}
        self._lying: list[tuple[Seat, Card]] = []

    def see(self, view: View, notes: Sequence[Note], table: Table) -> None:
        """Takes in what the seat is shown."""
        for note in notes:
            if note.key == DEALS:
                self._forget()
            elif "seat" in note.values:
                self._hear(note, int(note.values["seat"]), table)
        for zone in view.zones:
            self._seen.update(face for face in zone.faces if face)

    def _hear(self, note: Note, seat: Seat, table: Table) -> None:
        if note.key == PLAYS:
            self._played(seat, str(note.values["card"]), table)
        elif note.key == TAKES:
            self._points[seat] = self._points.get(seat, 0) + points(card for _, card in self._lying)
            self._lying.clear()
            if table.declarer is None and len(table.hands[seat]) == _HAND:
                self._drew(table)
        elif note.key in (LAST_DRAW, SWAPS) and seat != table.seats[0]:
            card = note.values["turned_card" if note.key == SWAPS else "card"]
            self._known.setdefault(seat, set()).add(str(card))

    def _played(self, seat: Seat, card: Card, table: Table) -> None:
        self._known.get(seat, set()).discard(card)
        if seat != table.seats[0]:
            weights = self._weights[seat] = self._of(seat, table)
            odds = self._odds(seat, card, table.sides, table)
            if table.called and seat != table.declarer:
                partner = self._odds(seat, card, table.parted(seat), table)
                weights[table.called] *= sum(partner.values()) / sum(odds.values())
            for other, likely in odds.items():
                weights[other] *= likely
        self._lying.append((seat, card))

    def _odds(self, seat: Seat, card: Card, sides: Sides, table: Table) -> dict[Card, float]:
        """For each hidden card, how likely this one was played rather than that."""
        thumb = Thumb.of(table.trump)
        holder, best = holding(self._lying, table.trump, seat)
        stake = points(lies for _, lies in self._lying)
        played = {seat, *(player for player, _ in self._lying)}
        foes = len(set(table.seats) - played - sides[seat])

        def worth(card: Card) -> float:
            return thumb.worth(card, best, holder in sides[seat], stake, foes)

        mine = worth(card)
        return {
            other: _SLIP + (1 - _SLIP) / (1 + exp((worth(other) - mine) / _CARE))
            for other in self.hidden(table)
        }

    def _of(self, seat: Seat, table: Table) -> dict[Card, float]:
        if seat in self._weights:
            return self._weights[seat]
        long = table.trump if seat == table.declarer else ""
        return {card: _DECLARED if card[1] == long else 1.0 for card in POINTS}

    def _drew(self, table: Table) -> None:
        """One of the cards in each hand comes from the stock."""
        hidden = self.hidden(table)
        for weights in self._weights.values():
            mean = sum(weights[card] for card in hidden) / max(1, len(hidden))
            for card in hidden:
                weights[card] = ((_HAND - 1) * weights[card] / mean + 1) / _HAND

    def hidden(self, table: Table) -> list[Card]:
        """The cards that others may hold, or the stock."""
        return [card for card in deck(len(table.seats)) if card not in self._seen]

    def _closed(self, table: Table) -> list[Card]:
        """The same, as many as there have to be: who was away may have missed a card."""
        hidden = self.hidden(table)
        closed = table.stock + sum(face is None for hand in table.hands.values() for face in hand)
        if len(hidden) + sum(map(len, self._known.values())) != closed:
            self._known.clear()
            if len(hidden) < closed:
                hidden = [card for card in deck(len(table.seats)) if card not in table.open]
        return hidden

    def worlds(self, table: Table, turn: int, lots: Random) -> Iterator[World]:
        """Positions that the present one may be, as likely as they seem, without end."""
        thumb, hidden, others = Thumb.of(table.trump), self._closed(table), list(table.seats[1:])
        won = [self._points.get(seat, 0) for seat in table.seats]
        holder, best = holding(table.trick, table.trump, table.seats[0])
        while True:
            lots.shuffle(others)
            hands, rest = {table.seats[0]: table.mine}, hidden
            for seat in others:
                sure = [face for face in table.hands[seat] if face]
                sure = sure or sorted(self._known.get(seat, ()))
                weights = self._of(seat, table)
                missing = len(table.hands[seat]) - len(sure)
                got = [rest[at] for at in drawn([weights[c] for c in rest], missing, lots)]
                hands[seat] = [*sure, *got]
                rest = [card for card in rest if card not in got]
            rest = rest[:]
            lots.shuffle(rest)
            now = after = table.sides
            if table.called and table.declarer is not None:
                partner = next((s for s in table.seats if table.called in hands[s]), table.declarer)
                after = table.parted(partner)
                now = {**now, partner: after[partner]}
            yield World(
                thumb,
                [hands[seat] for seat in table.seats],
                [*table.turned, *rest[: table.stock]],
                turn,
                best,
                table.seats.index(holder),
                points(card for _, card in table.trick),
                len(table.seats) - len(table.trick),
                won,
                _matrix(table.seats, now),
                table.called,
                _matrix(table.seats, after),
                _need(table, after),
            )


def _need(table: Table, sides: Sides) -> float | None:
    """With more points than these the own side wins; None: with more than any other."""
    if table.declarer is None:
        return None if len(table.seats) == 3 else ALL_POINTS / 2
    declares = table.declarer in sides[table.seats[0]]
    return table.target - 0.5 if declares else ALL_POINTS - table.target + 0.5


def _matrix(seats: Sequence[Seat], sides: Sides) -> list[list[bool]]:
    return [[other in sides[seat] for other in seats] for seat in seats]
