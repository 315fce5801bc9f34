"""Whole matches at a table by lots: calls, time-outs on every row, pauses, leaving, coming back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, By, Choice, Game, Line, Millis, Refused, Seat, Setting
from crisp_lan.game.state import Table, TableStep
from crisp_lan.journal import game_line

NEVER = 10**12


@dataclass
class RandomTable:
    """One table that plays a match; `lines` is its journal, `tables` the table after each line."""

    game: Game[Any]
    seats: int
    options: dict[str, Setting]
    lots: random.Random
    comings: bool = True
    now: Millis = 0
    lines: list[Line] = field(default_factory=list)
    steps: list[tuple[Table, tuple[Line, ...]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.table = tables.opened(
            *(self.game, self.options, self.seats),
            starts_by_itself=True,
            stand_in="hard",
            games=GAMES,
        )
        self.lines.append(
            {
                "kind": "table",
                "format": 1,
                "game": self.game.key,
                "options": dict(self.options),
                "size": self.seats,
                "starts_by_itself": True,
                "repeatable": False,
                "stand_in": "hard",
            }
        )

    def take(self, step: TableStep) -> None:
        self.table = step.table
        lines = [game_line(line, "g") if line["kind"] == "game" else line for line in step.lines]
        self.lines += lines
        self.steps.append((self.table, step.lines))

    def play(self) -> RandomTable:
        """Plays until the match is over."""
        for seat in range(self.seats):
            bot = self.lots.random() < 0.2 and seat > 0
            self.take(
                tables.sit(
                    self.table,
                    0,
                    f"P{seat}",
                    "bot" if bot else "person",
                    level="normal" if bot else "",
                    hosted=bot and self.lots.random() < 0.5,
                    host=seat == 0,
                )
            )
        while self.table.phase != "lobby":
            self.one_thing()
        return self

    def one_thing(self) -> None:
        """The next thing that happens: a deal, an act, a deadline, a coming or going, a pause."""
        if matches.wants_deck(self.table):
            deck = shuffled(matches.deck(self.table), self.lots)
            return self.take(matches.deal(self.table, self.now, deck, self.lots.getrandbits(32)))
        wakes = matches.wake_at(self.table)
        if wakes is not None and wakes <= self.now:
            return self.take(matches.wake(self.table))
        if self.table.paused or (self.comings and self.lots.random() < 0.02):
            return self.coming()
        at = self.now + self.lots.choice((0, 1, 200, 999, 1000, 1999, 2000, 2999, 3000, 3100, 9000))
        acting = self.someone()
        if wakes is not None and (wakes <= at or acting is None):
            self.now = wakes
            return self.take(matches.wake(self.table))
        if acting is None:
            return self.coming()
        self.now = at
        return self.act(*acting)

    def someone(self) -> tuple[Seat, Choice] | None:
        offered = [
            (seat, choice)
            for seat, chair in enumerate(self.table.chairs)
            if chair.playing and chair.present
            for choice in self.choices(seat)
        ]
        return self.lots.choice(offered) if offered else None

    def choices(self, seat: Seat) -> Iterator[Choice]:
        view = views.round_view(self.table, seat)
        yield from view.choices if view else ()
        yield from (c for c in views.table_view(self.table, seat).choices if c.name == "next")

    def act(self, seat: Seat, choice: Choice) -> None:
        before = self.table
        try:
            self.take(
                tables.apply(
                    before, self.now, seat, Act(choice.name, self.lots.choice(choice.picks))
                )
            )
        except Refused:
            assert self.table is before
            raise

    def coming(self) -> None:
        """Somebody goes, comes back or leaves, or pauses; the host goes on; hours may pass."""
        seats = [s for s, c in enumerate(self.table.chairs) if c.playing and c.by != "left"]
        seat = self.lots.choice(seats)
        chair = self.table.chairs[seat]
        if self.table.paused in ("host", "player"):
            return self.take(matches.resume(self.table, self.now, "host"))
        pauses = [
            c for c in views.table_view(self.table, seat).choices if c.name in ("ask", "pause")
        ]
        if self.lots.random() < 0.2 and pauses:
            return self.act(seat, pauses[0])
        if self.lots.random() < 0.05:
            return self.take(tables.leave(self.table, self.now, seat))
        by: By = "nobody"
        if chair.by == "nobody":
            by = "bot" if chair.level or self.lots.random() < 0.3 else "person"
        elif chair.stand_in:
            by = "person"
        return self.take(tables.presence(self.table, self.now, seat, by, chair.level or "easy"))


def settings(game: Game[Any], lots: random.Random) -> dict[str, Setting]:
    """Every option by lot."""
    return {option.name: lots.choice(option.values) for option in game.options}
