"""Screens of real tables: the games are played by lots until something is worth a picture."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.cards import shuffled
from crisp_lan.game.rules import Act, Game
from crisp_lan.game.state import Table, TableStep
from crisp_lan.net.messages import Hello, Show, Welcome
from crisp_lan.tui.model import Screen, see
from tests.tui.views import NAMES

CALL, CALLS = "crisp", 0.2
"""What ends a round is done this seldom, and not before there is a picture of the window."""
LATE = 3
"""The own turn of which there is a picture, if a round has so many."""
Told = tuple[Show, ...]


@dataclass
class Sitting:
    """A table at which all seats act by lot, and what seat 0 is told."""

    table: Table
    lots: random.Random
    now: int = 0

    def __post_init__(self) -> None:
        self.told: list[Show] = []

    def tell(self, step: TableStep) -> None:
        self.table = step.table
        notes = tuple(note for note in step.notes if note.to is None or 0 in note.to)
        around, seen = views.table_view(self.table, 0), views.round_view(self.table, 0)
        version = len(self.told) + 1
        self.told.append(Show(version, self.now, version, version, 0, around, seen, notes))

    def go_on(self) -> None:
        """The next deal, deadline or act."""
        if matches.wants_deck(self.table):
            deck = shuffled(matches.deck(self.table), self.lots)
            return self.tell(matches.deal(self.table, self.now, deck, 0))
        due = matches.wake_at(self.table)
        calls = self.lots.random() < CALLS and _window(self.told) > 0
        offers = [
            (seat, choice)
            for seat, chair in enumerate(self.table.chairs)
            if chair.present
            if (view := views.round_view(self.table, seat)) is not None
            for choice in view.choices
            if choice.name != CALL or calls
        ]
        later = self.now + self.lots.choice((400, 900, 2100))
        if due is not None and (not offers or due <= later):
            self.now = due
            return self.tell(matches.wake(self.table))
        self.now = later
        seat, choice = self.lots.choice(offers)
        act = Act(choice.name, self.lots.choice(choice.picks))
        return self.tell(tables.apply(self.table, self.now, seat, act))


def told_to_first(game: Game[Any], players: int, seed: int = 6) -> Mapping[str, Told]:
    """All that seat 0 is told up to each scene: lobby, turn, window or others, end."""
    sitting = Sitting(tables.opened(game, {}), random.Random(seed))
    for seat in range(players):
        bot = seat == players - 1
        sitting.tell(
            tables.sit(
                *(sitting.table, 0, NAMES[seat], "bot" if bot else "person"),
                level="normal" if bot else "",
                host=seat == 0,
            )
        )
    lobby = tuple(sitting.told)
    sitting.tell(matches.begin(sitting.table))
    if players > 2:
        sitting.tell(tables.presence(sitting.table, 0, 2, "nobody"))
    while sitting.table.phase != "reveal":
        sitting.go_on()
    told = tuple(sitting.told)
    ends = {"turn": _turn(told), "window": _window(told) or _others(told), "end": len(told) - 1}
    return {"lobby": lobby} | {scene: told[: end + 1] for scene, end in ends.items()}


def _turn(told: Sequence[Show]) -> int:
    """An own turn, at its last choice."""
    mine = [n for n, show in enumerate(told) if show.view and show.view.turn == 0 == show.seat]
    able = [n for n in mine if (view := told[n].view) and any(c.picks for c in view.choices)]
    turns = [n for n, after in zip(able, [*able[1:], len(told)]) if after != n + 1]
    return turns[min(LATE, len(turns)) - 1]


def _window(told: Sequence[Show]) -> int:
    """The last moment at which a loud clock of seat 0 has just begun; 0 if there is none."""
    loud = [
        n
        for n, show in enumerate(told)
        for clock in (show.view.clocks if show.view else ())
        if clock.loud and clock.seat == 0 and clock.ends - show.now == clock.total
    ]
    return max(loud, default=0)


def _others(told: Sequence[Show]) -> int:
    """A turn of somebody else at which most cards lie open in the middle."""
    return max(range(len(told)), key=lambda n: (_open(told[n]), -n))


def _open(show: Show) -> int:
    view = show.view
    if view is None or view.turn in (0, None):
        return -1
    return sum(len(zone.faces) for zone in view.zones if zone.owner is None)


def seen(told: Told, ascii: bool = False) -> Screen:
    """What seat 0 has before him then, in the language that is spoken now."""
    screen = see(Screen(ascii=ascii), Hello(1, "crisp-lan 1", "a1b2", "Lea's table"), 0.0)
    screen = see(screen, Welcome("token", ("192.168.1.17",), 27477), 0.0)
    for show in told:
        screen = see(screen, show, show.now / 1000)
    return screen
