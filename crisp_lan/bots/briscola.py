"""A Briscola player from views and notes alone.

- `easy` forgets all cards but those that lie open; it takes points where it can, and else plays
  what is low.
- `normal` goes by rules of thumb: what the trick would bring its side, whoever may still beat the
  card, and whether that is worth a trump. It keeps nothing else for later, and counts no cards.
- `hard` remembers every card, infers from each play what others hold (`briscola_beliefs`), and
  plays the deal on in worlds that fit (`briscola_ahead`), for each card and for its bids. It plays
  the end of a game of two exactly, once what it has not seen is the other's hand.

A secret partner knows itself by its own hand, and simply has other aims: it plays in the same time,
and says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from crisp_lan.bots.briscola_ahead import World
from crisp_lan.bots.briscola_beliefs import Beliefs
from crisp_lan.bots.briscola_cards import STRENGTH
from crisp_lan.bots.briscola_table import BID, HALF, Table, fact
from crisp_lan.bots.briscola_tricks import by_thumb, finish, simplest
from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.bots.sampling import best
from crisp_lan.game.cards import SUITS
from crisp_lan.game.rules import Act, Card, Choice, Note, View

_STRONG = {"A": 2.2, "3": 1.8, "K": 1.2, "Q": 1.0, "J": 1.0}
_FIRST_BID = 4.0
_EACH_RANK = 0.45
"""How strong a suit has to be for the first bid, and how much more for each rank below."""
_EFFORT = 2400
"""How many cards `hard` plays in its mind before it does anything."""
_DARES = 0.5
"""How likely it has to be that it wins as the declarer before it bids."""
_TRIED = 40
"""How often it plays a deal before it bids."""


class BriscolaBot:
    """One Briscola player of a level. It draws no lots: what it was shown decides what it does."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._beliefs = Beliefs()

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Remembers what its seat is shown."""
        if view.seat is not None:
            self._beliefs.see(view, notes, Table.of(view, view.seat))

    def choose(self, view: View) -> Act | None:
        """What it does now."""
        offered = {choice.name: choice for choice in view.choices}
        if view.seat is None or not offered:
            return None
        table = Table.of(view, view.seat)
        if "pass" in offered:
            return self._bid(table, offered.get("bid"))
        if "call" in offered:
            return Act("call", (self._named(table, str(fact(view, BID, "rank"))),))
        if "swap_trump" in offered:
            return Act("swap_trump", offered["swap_trump"].picks[0])
        return Act("play", (self._card(table),))

    def _card(self, table: Table) -> Card:
        if self._level == "easy":
            return simplest(table)
        if self._level == "normal":
            return by_thumb(table)
        unseen = self._beliefs.hidden(table)
        if len(table.seats) == 2 and len(table.hands[table.seats[1]]) == len(unseen):
            return finish(table.mine, unseen, [card for _, card in table.trick], table.trump)
        left = sum(map(len, table.hands.values())) + len(table.turned) + table.stock
        worlds = self._beliefs.worlds(table, 0, Random(0))
        return best(table.mine, worlds, World.worth, _EFFORT // left)

    # The auction

    def _bid(self, table: Table, bids: Choice | None) -> Act:
        """A bid that the hand is good for, or a pass; it never bids for more than half."""
        ranks = [str(rank) for rank, target in bids.picks if int(target) == HALF] if bids else []
        if self._level != "hard":
            bid = next((rank for rank in ranks if _spare(table.mine, rank) >= 0), None)
        else:
            bid = max(ranks, key=lambda rank: _spare(table.mine, rank), default=None)
            if bid and self._chance(table, bid, _suit(table.mine, bid)) < _DARES:
                bid = None
        return Act("bid", (bid, str(HALF))) if bid else Act("pass")

    def _named(self, table: Table, rank: str) -> str:
        """The suit that would be best as trump."""
        if self._level != "hard":
            return _suit(table.mine, rank)
        suits = sorted(SUITS, key=lambda suit: -_wish(table.mine, rank + suit))
        return max(suits[:2], key=lambda suit: self._chance(table, rank, suit))

    def _chance(self, table: Table, rank: str, suit: str) -> float:
        """How likely it wins when it calls this card."""
        table = replace(table, trump=suit).declared(table.seats[0], rank + suit, HALF)
        first = 0 if table.dealer is None else table.seats.index(table.dealer) + 1
        worlds = self._beliefs.worlds(table, first % len(table.seats), Random(0))
        return sum(next(worlds).worth() for _ in range(_TRIED)) / _TRIED


def _suit(mine: Sequence[Card], rank: str) -> str:
    """In which suit a card of this rank is best called."""
    return max(SUITS, key=lambda suit: _wish(mine, rank + suit))


def _spare(mine: Sequence[Card], rank: str) -> float:
    """How much stronger than it has to be a hand is for a bid."""
    asked = _FIRST_BID + _EACH_RANK * STRENGTH.index(rank)
    return _wish(mine, rank + _suit(mine, rank)) - asked


def _wish(mine: Sequence[Card], called: Card) -> float:
    """How good a suit would be as trump with a card of it called from another's hand."""
    if called in mine:
        return 0.0
    of_suit = sum(_STRONG.get(card[0], 0.8) for card in mine if card[1] == called[1])
    return of_suit + sum(0.5 for card in mine if card[0] == "A" and card[1] != called[1])
