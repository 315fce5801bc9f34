"""Plays a deal of Briscola on in imagined worlds, to see which card does best.

A world is a position that the present one may be: every hand, and the stock in its order. In each,
all cards that may be played now are tried, and the rest is played by rules of thumb, each player
knowing its own cards and the sides that it can know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from crisp_lan.bots.briscola_cards import POINTS, Thumb
from crisp_lan.game.rules import Card

WIDTH = 6.0
"""By how many points more the odds of winning a deal are e times better."""

Friends = Sequence[Sequence[bool]]
"""For each player, counted in order of play from the own seat, whom it takes to be on its side."""


@dataclass(slots=True)
class World:
    """Hands in order of play, the own one first; the top of the `stock` is its last card.

    It is the turn of the player at `turn`. `best` holds the trick that lies there, which the player
    at `holder` played; `stake` is what it counts, and `left` how many are still to play to it.
    `points` are those already won. When `called` falls, everybody knows the sides: `after`, which
    are the true ones. The own side wins with more points than `need`; None: with more than any
    other.
    """

    thumb: Thumb
    hands: Sequence[Sequence[Card]]
    stock: Sequence[Card]
    turn: int
    best: Card
    holder: int
    stake: int
    left: int
    points: Sequence[int]
    friends: Friends
    called: Card
    after: Friends
    need: float | None

    def played(self, card: Card | None = None) -> list[int]:
        """Everybody's points at the end, when this card is played now."""
        hands, stock = [list(hand) for hand in self.hands], list(self.stock)
        points, friends, thumb = list(self.points), self.friends, self.thumb
        best, holder, stake, left = self.best, self.holder, self.stake, self.left
        turn, count = self.turn, len(hands)
        card = card or thumb.choice(hands[turn], "", False, 0, 0)
        while True:
            hands[turn].remove(card)
            stake += POINTS[card]
            if not best or card in thumb.higher[best]:
                best, holder = card, turn
            if card == self.called:
                friends = self.after
            left -= 1
            turn = (turn + 1) % count
            if not left:
                points[holder] += stake
                if stock:
                    for step in range(count):
                        hands[(holder + step) % count].append(stock.pop())
                if not hands[holder]:
                    return points
                best, stake, left, turn = "", 0, count, holder
            mine = friends[turn]
            foes = 0
            for step in range(1, left):
                foes += not mine[(turn + step) % count]
            card = thumb.choice(hands[turn], best, mine[holder], stake, foes)

    def worth(self, card: Card | None = None) -> float:
        """About how likely the own side wins when this card is played now."""
        points = self.played(card)
        mine = sum(n for n, ours in zip(points, self.after[0]) if ours)
        need = self.need
        if need is None:
            need = (mine + max(points[1:])) / 2
        return 1 / (1 + exp((need - mine) / WIDTH))
