"""A table as it stands: its chairs, what is agreed, the match; and what follows from that alone.

A *chair* has an id that is its own for as long as it stands; a *seat* is its place in the row. In a
match the players have seats 0…n-1 and keep them; whoever comes later gets a chair behind them,
watches, and plays the next match.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeAlias

from crisp_lan.game.rules import (
    By,
    Game,
    Line,
    Millis,
    Note,
    Outcome,
    Result,
    Seat,
    Setting,
    Standing,
)

LEVELS = ("easy", "normal", "hard")
Phase: TypeAlias = Literal["lobby", "shuffle", "round", "reveal"]


@dataclass(frozen=True, slots=True)
class Chair:
    """Who has a seat. `hosted`: one of the table's own bots, for whose sake nothing goes on.

    `stand_in`: the level of the bot that plays for somebody who is away, else "". `missed`: the
    time-outs in a row of somebody away, counted where a bot may step in.
    """

    id: int
    name: str
    by: By
    level: str = ""
    hosted: bool = False
    ready: bool = False
    playing: bool = False
    stand_in: str = ""
    missed: int = 0

    @property
    def present(self) -> bool:
        return self.by in ("person", "bot")

    @property
    def recorded(self) -> str:
        """Who plays the seat, in the record's words."""
        return f"bot:{self.stand_in or self.level}" if self.by == "bot" else self.by


@dataclass(frozen=True, slots=True)
class Table:
    """The whole table. `game.table` and `game.match` make the next one from it.

    `games` are those that can be played here, by key; `wanted` is the number of seats that was
    asked for, None for as many as the game allows.
    `host` is the id of the chair that holds the host's rights; `match` counts the matches begun,
    `round` those of the match; `winners` is None until the match is decided. `evening`: what each
    chair has won here, by its id, also when it is gone. `paused` says why it
    stands still: "host", "player" (one of the others), "empty" (nobody there), "again" (the host
    was started again), "disk" (there is no room to write anything down) or ""; `paused_by` is the
    id of the chair that paused it, if one did. `asking`: the seats that ask for a pause.
    `once`: there is one match here, and no more. `stand_in`: the level of the bot that steps in by
    itself for somebody away, "" for none.
    `over`: the host has closed the table.
    """

    game: Game[Any]
    options: Mapping[str, Setting]
    size: int
    starts_by_itself: bool = False
    repeatable: bool = False
    once: bool = False
    stand_in: str = ""
    games: Mapping[str, Game[Any]] = field(default_factory=dict)
    wanted: int | None = None
    chairs: tuple[Chair, ...] = ()
    next_id: int = 0
    host: int | None = None
    phase: Phase = "lobby"
    match: int = 0
    round: int = 0
    dealer: Seat = 0
    scores: Mapping[Seat, int] = field(default_factory=dict)
    state: Any = None
    outcome: Outcome | None = None
    seen: frozenset[Seat] = frozenset()
    reveal_ends: Millis = 0
    winners: tuple[Seat, ...] | None = None
    results: tuple[Result, ...] = ()
    evening: Mapping[int, Standing] = field(default_factory=dict)
    paused: str = ""
    paused_by: int | None = None
    asking: tuple[Seat, ...] = ()
    over: bool = False

    @property
    def done(self) -> bool:
        """Whether the only match that there is here is over."""
        return self.once and self.match > 0 and self.phase == "lobby"

    def with_chair(self, seat: Seat, chair: Chair) -> Table:
        """The table with another chair at that place."""
        return replace(self, chairs=(*self.chairs[:seat], chair, *self.chairs[seat + 1 :]))


@dataclass(frozen=True, slots=True)
class TableStep:
    """The next table, what can be told of it, and what must be written down.

    `bot` is the level of a bot that is wanted, else "": to sit down, or to play on the chair with
    the id `chair`.
    """

    table: Table
    notes: tuple[Note, ...] = ()
    lines: tuple[Line, ...] = ()
    bot: str = ""
    chair: int | None = None

    def then(self, following: TableStep) -> TableStep:
        """This step and the one after it as one."""
        notes, lines = self.notes + following.notes, self.lines + following.lines
        wanted = following if following.bot else self
        return TableStep(following.table, notes, lines, wanted.bot, wanted.chair)


def in_match(table: Table) -> tuple[Seat, ...]:
    """The seats that play on: dealt into the match and not left."""
    return tuple(s for s, c in enumerate(table.chairs) if c.playing and c.by != "left")


def dealt_in(table: Table) -> tuple[Seat, ...]:
    """The seats that get cards in the next round, and are ranked."""
    return tuple(table.scores) if table.game.seats_stay else in_match(table)


def onlookers(table: Table) -> list[Seat]:
    """The people for whom a round's end stays on the table."""
    return [s for s, c in enumerate(table.chairs) if c.playing and c.by == "person"]


def host_here(table: Table) -> bool:
    """Whether the host is at the table; a bot that plays for the host has no rights."""
    return any(
        chair.id == table.host and chair.present and not chair.stand_in for chair in table.chairs
    )


def seat_of(table: Table, chair: int | None) -> Seat | None:
    """The seat of a chair, if it stands."""
    return next((s for s, c in enumerate(table.chairs) if c.id == chair), None)


def asked_for(table: Table) -> list[Seat]:
    """Who asks for a pause, of those who are still here."""
    return [seat for seat in table.asking if table.chairs[seat].by == "person"]


def can_start(table: Table, starter: Chair | None = None) -> bool:
    """Enough are here, and everybody who is here is ready (who starts it need not say so)."""
    here = [chair for chair in table.chairs if chair.present]
    return len(here) in table.game.seats and all(c.ready for c in here if c is not starter)


def seconds(now: Millis) -> float:
    """Match time as lines have it."""
    return now / 1000
