"""What is seen of a table: the table around the round, and the round, by each seat for itself."""

from __future__ import annotations

from dataclasses import fields, replace

from crisp_lan.game.choices import choices
from crisp_lan.game.match import REVEAL, REVEAL_OF_BOTS
from crisp_lan.game.options import STAND_IN, option_of
from crisp_lan.game.rules import (
    Clock,
    Player,
    Seat,
    Setting,
    Standing,
    TableView,
    Text,
    View,
)
from crisp_lan.game.state import Table, asked_for, dealt_in, host_here, onlookers, seat_of

STANDINGS = 12
"""So many lines of the evening's standings are told."""
DISK_FULL = Text(
    "The disk of the host’s machine is full: the table waits, and goes on as soon as there is room."
)
_AROUND = tuple(each.name for each in fields(Table) if each.name != "state")


def same_around(one: Table, other: Table) -> bool:
    """Whether two tables are surely the same but for what has happened in the round."""
    return all(getattr(one, name) is getattr(other, name) for name in _AROUND)


def table_view(table: Table, seat: Seat | None) -> TableView:
    """The table as one seat (None: a watcher) sees it, and what it may do there."""
    return TableView(
        phase=table.phase,
        game=table.game.key,
        title=table.game.title,
        goal=table.game.goal,
        size=table.size,
        players=_players(table),
        options=_agreed(table),
        round=table.round,
        target=table.game.target(table.options, _players_of_match(table)),
        paused=bool(table.paused),
        repeatable=table.repeatable,
        winners=table.winners or (),
        results=table.results,
        choices=choices(table, seat),
        clocks=_clocks(table),
        seats=table.game.seats,
        banner=_banner(table, seat),
        labels=_labels(table),
        evening=_standings(table),
    )


def _agreed(table: Table) -> tuple[tuple[str, Setting], ...]:
    """The options of the game, and of the table, where it has any."""
    stand_in = ((STAND_IN.name, True),) if table.stand_in else ()
    return (*table.options.items(), *stand_in)


def _labels(table: Table) -> tuple[str, ...]:
    """What each of the options changes, while they can be."""
    if table.phase != "lobby":
        return ()
    stand_in = (STAND_IN.label,) if table.stand_in else ()
    return (*(option_of(table.game, name).label for name in table.options), *stand_in)


def _standings(table: Table) -> tuple[Standing, ...]:
    if table.phase != "lobby":
        return ()
    ordered = sorted(table.evening.values(), key=lambda one: (-one.won, one.games))
    return tuple(ordered[:STANDINGS])


def _banner(table: Table, seat: Seat | None) -> Text | None:
    """A pause, by whom, and who can go on; for the host, who asks for one."""
    if table.paused == "disk":
        return DISK_FULL
    if table.paused:
        return _pause_told(table)
    asking = asked_for(table) if seat is not None and seat == seat_of(table, table.host) else ()
    return Text("{seat} asks for a pause.", {"seat": asking[0]}) if asking else None


def _pause_told(table: Table) -> Text:
    if table.paused == "again":
        return Text("The table was started again: it goes on when all are back, or soon.")
    if table.paused == "empty":
        return Text("The game stands still until one of its players is back.")
    who, host = seat_of(table, table.paused_by), seat_of(table, table.host)
    if who is None:
        return Text("The table is paused.")
    if host is None or not host_here(table):
        return Text("{seat} has paused the game. Everybody here can go on.", {"seat": who})
    if who == host:
        return Text("{seat} has paused the game, and can go on.", {"seat": who})
    return Text("{seat} has paused the game. {other} can go on.", {"seat": who, "other": host})


def _players_of_match(table: Table) -> int:
    """How many play the match that runs, or would play the next one."""
    return len(table.chairs if table.phase == "lobby" else table.scores)


def _players(table: Table) -> tuple[Player, ...]:
    places = _places(table)
    return tuple(
        Player(
            c.name,
            c.by,
            c.stand_in or c.level,
            c.id == table.host,
            s in table.seen if table.phase == "reveal" else c.ready,
            c.playing,
            table.scores[s] if c.playing else None,
            places.get(s),
        )
        for s, c in enumerate(table.chairs)
    )


def _places(table: Table) -> dict[Seat, int]:
    """Where each seat that is still in the match stands in it."""
    sign = 1 if table.game.lowest_wins else -1
    scores = {seat: sign * table.scores[seat] for seat in dealt_in(table)}
    ordered = sorted(scores.values())
    return {seat: ordered.index(score) + 1 for seat, score in scores.items()}


def round_view(table: Table, seat: Seat | None) -> View | None:
    """The round as one seat sees it; for who is not dealt in, as a watcher does."""
    if table.state is None:
        return None
    dealt_in = seat is not None and table.chairs[seat].playing
    seen: View = table.game.view(table.state, seat if dealt_in else None)
    return _in_pause(seen) if table.paused else seen


def _in_pause(view: View) -> View:
    """Nothing can be done, and a look that has so many seconds is not longer for the pause."""
    return replace(view.without_looks(), choices=())


def _clocks(table: Table) -> tuple[Clock, ...]:
    if table.phase != "reveal":
        return ()
    total = REVEAL if onlookers(table) else REVEAL_OF_BOTS
    then = "next round" if table.winners is None else "back to the lobby"
    return (Clock(then, None, table.reveal_ends, total),)
