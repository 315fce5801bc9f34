"""A Crisps! player from views and notes alone.

- `easy` leads its lowest cards, follows with the lowest that it can, and takes what lies open.
- `normal` parts its hand into plays (`crisps_hands`), and does what leaves the least behind.
- `hard` remembers all cards that it was shown, and tries what `normal` would think of first in
  worlds that fit (`crisps_ahead`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from random import Random

from crisp_lan.bots.crisps_ahead import World
from crisp_lan.bots.crisps_hands import (
    COPIES,
    CRISP,
    RANKS,
    UNIT,
    Play,
    cost,
    hand_of,
    hoped,
    left_by,
    play_of,
)
from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.bots.sampling import best
from crisp_lan.game.rules import Act, Card, Choice, Note, Pick, View, Zone

PLAYED = "{seat} plays {card}."
TOOK_OPEN = "{seat} takes the face-up {card}, and {other} the top of the deck."
TOOK_TOP = "{seat} takes the top of the deck, and {other} the face-up {card}."

_TRIED = 6
"""Among how many plays it chooses, at most."""
_EFFORT = 100
"""How many deals it plays on in its mind before it does anything."""

_Picks = tuple[Pick, ...]


class CrispsDuelBot:
    """One Crisps! player of a level. It draws no lots: what it was shown decides what it does."""

    def __init__(self, level: str) -> None:
        self._level = level
        self._forget()

    def _forget(self) -> None:
        self._gone: Counter[Card] = Counter()
        self._theirs: Counter[Card] = Counter()

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Remembers what was played in this deal, and which open cards the other took."""
        if view.phase == "Reveal":
            self._forget()
            return
        for note in notes:
            cards = Counter(str(note.values.get("card", "")).split())
            if note.key == PLAYED:
                self._gone += cards
                if note.values["seat"] != view.seat:
                    self._theirs -= cards
            elif note.key in (TOOK_OPEN, TOOK_TOP):
                taker = note.values["seat" if note.key == TOOK_OPEN else "other"]
                if taker != view.seat:
                    self._theirs += cards

    def choose(self, view: View) -> Act | None:
        """What it does now; None while nothing is offered."""
        offered = {choice.name: choice for choice in view.choices}
        if "pick" in offered:
            return self._picked(view)
        if "play" in offered:
            return self._played(view, offered)
        return Act("pass") if "pass" in offered else None

    def _picked(self, view: View) -> Act:
        """The card that lies open, where it makes the hand cheaper than one unseen is likely to."""
        hand = hand_of(_hand(view))
        takes = self._level == "easy" or cost(hand + hand_of(_open(view)), False) <= hoped(
            hand, self._unseen(view)
        )
        return Act("pick", ("up" if takes else "deck",))

    def _played(self, view: View, offered: Mapping[str, Choice]) -> Act:
        """What is lowest, what leaves the least behind, or what wins most often."""
        if self._level == "easy":
            return _simple(offered, len(_hand(view)))
        hand, leads = hand_of(_hand(view)), "pass" not in offered
        acts: dict[Play | None, Act] = {
            play_of(picks): Act("play", picks) for picks in offered["play"].picks
        }
        if not leads:
            acts[None] = Act("pass")
        runs = any(play and play.ranks > 1 and play.top == CRISP for play in acts)
        options = sorted(acts, key=lambda play: left_by(hand, play, leads, runs))
        first = options[0]
        if self._level == "normal" or (first and first.cards == hand):
            return acts[first]
        return acts[best(options[:_TRIED], self._worlds(view, runs), World.wins, _EFFORT)]

    def _worlds(self, view: View, runs: bool) -> Iterator[World]:
        """Positions that the present one may be, without end."""
        lots, mine, unseen = Random(0), hand_of(_hand(view)), self._unseen(view)
        held = _other(view).count
        known = list(self._theirs.elements())[:held]
        missing = held - len(known)
        under = _zone(view, "deck").count
        up = next((RANKS.index(card) for card in _open(view)), None)
        lying = [face for face in _zone(view, "on the table").faces if face]
        onto = play_of(lying) if lying else None
        while True:
            lots.shuffle(unseen)
            theirs = hand_of(known) + sum(UNIT[place] for place in unseen[:missing])
            yield World(mine, theirs, onto, up, unseen[missing : missing + under], runs)

    def _unseen(self, view: View) -> list[int]:
        """The cards that may be anywhere, by place among the ranks."""
        seen = Counter(_hand(view)) + self._gone + self._theirs + Counter(_open(view))
        return [place for place, rank in enumerate(RANKS) for _ in range(COPIES - seen[rank])]


def _simple(offered: Mapping[str, Choice], held: int) -> Act:
    """The whole hand if that can be; else the lowest cards, as many of them as there are."""

    def order(picks: _Picks) -> tuple[bool, int, int]:
        play = play_of(picks)
        return play.size < held, play.top, -play.size

    return Act("play", min(offered["play"].picks, key=order))


def _hand(view: View) -> tuple[Card, ...]:
    own = next(zone for zone in view.zones if zone.name == "hand" and zone.owner == view.seat)
    return tuple(card for card in own.faces if card is not None)


def _other(view: View) -> Zone:
    return next(zone for zone in view.zones if zone.name == "hand" and zone.owner != view.seat)


def _open(view: View) -> list[Card]:
    """The card to draw that lies face up, where there is one."""
    up = [zone.faces for zone in view.zones if zone.name == "face-up card"]
    return [face for faces in up for face in faces if face]


def _zone(view: View, name: str) -> Zone:
    return next(zone for zone in view.zones if zone.name == name)
