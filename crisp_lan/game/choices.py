"""What a seat may do with the table, beside what the round offers."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from typing import Any

from crisp_lan.game.options import setting_text
from crisp_lan.game.rules import Choice, Game, Seat
from crisp_lan.game.state import LEVELS, Chair, Table, asked_for, can_start, host_here


def choices(table: Table, seat: Seat | None) -> tuple[Choice, ...]:
    """All that is offered to a seat, each with every pick that will be accepted."""
    if seat is None:
        return ()
    chair = table.chairs[seat]
    host = chair.id == table.host
    offered: list[Choice] = []
    if table.phase == "lobby" and not table.done:
        offered += _lobby_choices(table, chair)
    elif table.phase == "reveal" and chair.playing and seat not in table.seen:
        offered.append(Choice("next", "Go on", key="n"))
    if host and (away := _bot_choice(table)):
        offered.append(away)
    if table.phase in ("round", "reveal") and not table.paused:
        offered += _pause_choices(table, seat)
    if table.paused and (host or (chair.playing and not host_here(table))):
        offered.append(Choice("resume", "Go on after the pause", key="p"))
    if host and (others := _others(table, seat)) and not table.done:
        offered.append(Choice("remove", "Remove from the table", others, key="m"))
    if host:
        offered.append(Choice("end", "End the table for all"))
    return tuple(offered)


def _pause_choices(table: Table, seat: Seat) -> Iterable[Choice]:
    """The host pauses, and others ask for it: once, until it is granted or the next round comes.
    With the host away they need not ask."""
    chair = table.chairs[seat]
    if chair.id == table.host:
        yield Choice("pause", "Grant the pause" if asked_for(table) else "Pause", key="p")
    elif chair.playing and chair.by == "person":
        if not host_here(table):
            yield Choice("pause", "Pause", key="p")
        elif seat not in table.asking:
            yield Choice("ask", "Ask for a pause", key="p")


def _lobby_choices(table: Table, chair: Chair) -> Iterable[Choice]:
    if chair.ready:
        yield Choice("unready", "Not ready yet", key="r")
    else:
        yield Choice("ready", "Ready", key="r")
    host = chair.id == table.host
    if (host or not host_here(table)) and can_start(table, chair):
        yield Choice("start", "One more game" if table.results else "Start", key="g")
    if not host:
        return
    yield Choice(
        "set",
        "Change an option",
        tuple(
            (option.name, setting_text(value))
            for option in table.game.options
            for value in option.values
            if value != table.options[option.name]
        ),
        key="o",
    )
    if others := _other_games(table):
        picks = tuple((game.title,) for game in others)
        yield Choice("game", "Play another game", picks, key="v")
    if len(table.chairs) < table.size:
        yield Choice("bot", "Add a bot", tuple((level,) for level in LEVELS), key="b")
    if len(table.chairs) > 1:
        pairs = tuple(permutations(range(len(table.chairs)), 2))
        yield Choice("exchange", "Exchange two seats", pairs, key="x")


def _others(table: Table, seat: Seat) -> tuple[tuple[Seat], ...]:
    """The seats that the host may take from the table: all others that have not been left; none in
    a match against bots alone, which wait for nobody."""
    if table.phase != "lobby" and all(c.level for s, c in enumerate(table.chairs) if s != seat):
        return ()
    return tuple((s,) for s, c in enumerate(table.chairs) if s != seat and c.by != "left")


def _other_games(table: Table) -> list[Game[Any]]:
    """What else can be played at this table, with the number of seats that was asked for."""
    return [
        game
        for game in table.games.values()
        if game.key != table.game.key and table.wanted in (None, *game.seats)
    ]


def _bot_choice(table: Table) -> Choice | None:
    """A bot for a seat whose player is away; the player takes it back by coming."""
    away = [s for s, c in enumerate(table.chairs) if c.playing and c.by == "nobody"]
    if table.phase == "lobby" or not away:
        return None
    picks = tuple((seat, level) for seat in away for level in LEVELS)
    return Choice("bot", "Let a bot play for somebody away", picks, key="b")
