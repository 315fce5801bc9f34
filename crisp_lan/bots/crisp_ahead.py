"""Weighs a call of crisp against waiting, by playing the round on in imagined worlds.

A world is a position that the present one may be: hands as likely as they are believed to be, and
the cards that are out in a draw pile. In each, the round is played on twice: with a call now, and
with a turn for everybody until somebody's cards, as far as seen, are as low as `call_line`. All
play as sensible players do, knowing what they have seen.

What is compared is the chance to win the match with the scores that come of it. So being lowest, by
how much, and the five points for it count for what they change there: shortly before the limit, who
leads plays safe, and who is behind does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from random import Random

from crisp_lan.bots.crisp_beliefs import CURIOSITY, UNKNOWN, Beliefs, Three, call_line
from crisp_lan.bots.crisp_memory import Memory, is_certain
from crisp_lan.bots.match import Match
from crisp_lan.game.rules import Seat

_JACK, _QUEEN, _KING = 11, 12, 13
_TENS = (10, _JACK, _QUEEN, _KING)
_MIDDLE = 1
_LAPS = 6
_LIMIT = 100
_A_ROUND = 12
"""What a round costs who comes off worst in the match, in points."""
_LUCK = 6.5
"""How many points ahead make odds of e to 1 when one round is to come."""
_TURNS = 400
"""How many worlds there are times how many players: more players take longer."""
_FORESIGHT = 1.3
"""What waiting is worth beyond what the imagined player, who calls by its own hand alone, makes of
it: the bot will then know more about the others. In points; found in the arena."""


def better_called(beliefs: Beliefs, memory: Memory, me: Seat, match: Match) -> bool:
    """Whether a call now may be expected to bring more than waiting. The same worlds each time."""
    lots = Random(0)
    seats = _from(me, memory.seats)
    limit, before = match.target or _LIMIT, [match.scores.get(seat, 0) for seat in seats]
    call = wait = 0.0
    for world in worlds(beliefs, memory, me, _TURNS // len(seats), lots):
        called = world.copy().called(0, lots)
        mine, *theirs = world.waited(call_line(len(seats)), lots)
        call += winning([a + b for a, b in zip(before, called)], limit)
        wait += winning([a + b for a, b in zip(before, (mine - _FORESIGHT, *theirs))], limit)
    return call >= wait


def winning(scores: Sequence[float], limit: int) -> float:
    """How likely the first of these scores wins the match, or the part of it when it is shared.

    While it goes on, points count the less the more rounds are to come.
    """
    highest, lowest = max(scores), min(scores)
    if highest >= limit:
        return scores.count(lowest) ** -1 if scores[0] == lowest else 0.0
    width = _LUCK * sqrt(max(1.0, (limit - highest) / _A_ROUND))
    odds = [exp((lowest - score) / width) for score in scores]
    return odds[0] / sum(odds)


def _from(me: Seat, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    at = seats.index(me)
    return (*seats[at:], *seats[:at])


@dataclass(slots=True)
class World:
    """Hands from the own one on, clockwise: values, and which of them their players have seen.

    `coming` is the draws in order, the next one last: ranks from 1 to 13, or 0 for any of `out`.
    """

    hands: list[list[int]]
    knows: list[list[bool]]
    coming: list[int]
    out: list[int]

    def copy(self) -> World:
        hands, knows = [hand[:] for hand in self.hands], [seen[:] for seen in self.knows]
        return World(hands, knows, self.coming[:], self.out[:])

    def called(self, caller: int, lots: Random) -> list[int]:
        """Everybody's score of the round, when this player calls and all others had their turn."""
        players = len(self.hands)
        for step in range(1, players):
            self._turn((caller + step) % players, True, lots)
        totals = [sum(hand) for hand in self.hands]
        lowest = min(totals)
        alone = totals[caller] == lowest and totals.count(lowest) == 1
        totals[caller] += -5 if alone else 5
        return totals

    def waited(self, line: float, lots: Random) -> list[int]:
        """Everybody's score of the round, when the first player lets the call be."""
        players = len(self.hands)
        for turn in range(1, _LAPS * players + 1):
            player = turn % players
            self._turn(player, False, lots)
            if sum(self._seen(player)) <= line:
                return self.called(player, lots)
        return [sum(hand) for hand in self.hands]

    def _seen(self, player: int) -> list[float]:
        cards = zip(self.hands[player], self.knows[player])
        return [card if known else UNKNOWN for card, known in cards]

    def _turn(self, player: int, last: bool, lots: Random) -> None:
        """The highest card goes for a lower one. Before the `last`, knowing more is worth a bit."""
        draws = 1
        while draws and (card := self._drawn(lots)):
            draws += 1 if card == _KING else -1
            if card == _JACK:
                self.knows[player][_MIDDLE] = True
            elif card != _KING:
                seen = self._seen(player)
                worst = max(seen)
                slot = seen.index(worst)
                if card == _QUEEN:
                    if worst >= UNKNOWN:
                        self._exchange(player, slot, lots)
                elif card < worst + (CURIOSITY if worst == UNKNOWN and not last else 0):
                    self.hands[player][slot], self.knows[player][slot] = card, True

    def _exchange(self, player: int, slot: int, lots: Random) -> None:
        """A Queen: any card of anybody. Whoever gets a card at the side looks at it."""
        players = len(self.hands)
        other = (player + 1 + int(lots.random() * (players - 1))) % players
        place = int(lots.random() * 3)
        mine, theirs = self.hands[player], self.hands[other]
        mine[slot], theirs[place] = theirs[place], mine[slot]
        self.knows[player][slot] = slot != _MIDDLE
        self.knows[other][place] = place != _MIDDLE

    def _drawn(self, lots: Random) -> int:
        """The rank of the next card; 0 when none is left to draw."""
        card = self.coming.pop() if self.coming else None
        if card or card is None or not self.out:
            return card or 0
        at = int(lots.random() * len(self.out))
        self.out[at], self.out[-1] = self.out[-1], self.out[at]
        return self.out.pop()


def worlds(beliefs: Beliefs, memory: Memory, me: Seat, times: int, lots: Random) -> list[World]:
    """So many positions that the present one may be."""
    seats = _from(me, memory.seats)
    own = [memory.guess(me, slot) for slot in memory.slots]
    knows = [[is_certain(guess) for guess in own]]
    shown = [knows[0]]
    columns: list[Iterable[Three]] = [
        zip(*(lots.choices(range(1, 11), guess, k=times) for guess in own))
    ]
    for seat in seats[1:]:
        belief = beliefs.hand(seat)
        hands = belief.hands(memory.out())
        columns.append(lots.choices(list(hands), list(hands.values()), k=times))
        knows.append(belief.knows)
        shown.append([sure is not None for sure in belief.sure])
    coming = memory.coming()[::-1]
    out = [rank for rank, n in enumerate(memory.left(), 1) for _ in range(n)]
    return [_world(hands, knows, shown, coming, out, lots) for hands in zip(*columns)]


def _world(
    hands: Sequence[Three],
    knows: Sequence[Sequence[bool]],
    shown: Sequence[Sequence[bool]],
    coming: list[int],
    out: list[int],
    lots: Random,
) -> World:
    """The cards that lie in these hands, and were not `shown`, cannot be drawn."""
    out = out[:]
    for hand, was_shown in zip(hands, shown):
        for card, known in zip(hand, was_shown):
            rank = card if card < 10 else lots.choice(_TENS)
            if not known and rank in out:
                out.remove(rank)
    return World([list(hand) for hand in hands], [list(seen) for seen in knows], coming[:], out)
