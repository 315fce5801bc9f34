"""Which card to play to a trick of Briscola: by what it brings, and exactly at a deal's end."""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.bots.briscola_cards import POINTS, Thumb, beats, points
from crisp_lan.bots.briscola_table import Table, holding
from crisp_lan.game.rules import Card, Seat


def simplest(table: Table) -> Card:
    """Takes points from the others, with a trump if need be; else plays the lowest card of all."""
    owner, best = holding(table.trick, table.trump, table.seats[0])
    rich = points(card for _, card in table.trick) > 0
    if rich and owner not in _friends(table):
        taking = [card for card in table.mine if beats(card, best, table.trump)]
        if plain := [card for card in taking if card[1] != table.trump]:
            return max(plain, key=POINTS.__getitem__)
        if taking:
            return min(taking, key=POINTS.__getitem__)
    return min(table.mine, key=lambda card: (POINTS[card], card[1] == table.trump))


def by_thumb(table: Table) -> Card:
    """What rules of thumb say to who keeps trumps alone."""
    owner, best = holding(table.trick, table.trump, table.seats[0])
    friends = _friends(table)
    played = {table.seats[0], *(seat for seat, _ in table.trick)}
    foes = len(set(table.seats) - played - friends)
    stake = points(card for _, card in table.trick)
    return Thumb.of(table.trump, False).choice(table.mine, best, owner in friends, stake, foes)


def _friends(table: Table) -> frozenset[Seat]:
    """Whom the own seat takes to be on its side; a secret partner knows."""
    me = table.seats[0]
    return table.parted(me)[me] if table.called in table.mine else table.sides[me]


def finish(mine: Sequence[Card], theirs: Sequence[Card], trick: Sequence[Card], trump: str) -> Card:
    """The best card when the other's hand is known and there is no stock."""
    if trick:
        return max(mine, key=lambda card: -_met(trick[0], card, theirs, mine, trump))
    return max(mine, key=lambda card: _led(card, mine, theirs, trump))


def _led(card: Card, mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    """The lead in points, at best, of who leads a card, over the rest of the deal."""
    return min(_met(card, reply, _without(mine, card), theirs, trump) for reply in theirs)


def _met(led: Card, reply: Card, mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    """The same once the other has met the card that was led; `mine` are those left of who led."""
    taken, theirs = points((led, reply)), _without(theirs, reply)
    if beats(reply, led, trump):
        return -taken - _ahead(theirs, mine, trump)
    return taken + _ahead(mine, theirs, trump)


def _ahead(mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    return max((_led(card, mine, theirs, trump) for card in mine), default=0)


def _without(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in cards if other != card)
