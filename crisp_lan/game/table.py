"""What happens at a table: who comes and goes, what each does there, and what is agreed. Pure.

Each function makes the next table, with what is told and written down of that; `game.match` has the
course of a match. Chairs are only moved or taken away in the lobby.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crisp_lan.game.choices import choices
from crisp_lan.game.match import (
    attended,
    begin,
    ended_early,
    pause,
    played,
    resume,
    revealed,
    wake,
    wake_at,
)
from crisp_lan.game.options import (
    checked,
    defaults,
    option_of,
    setting_of,
)
from crisp_lan.game.rules import (
    Act,
    By,
    Game,
    Line,
    Millis,
    Note,
    Refused,
    Seat,
    Setting,
    record_of,
)
from crisp_lan.game.state import Chair, Table, TableStep, can_start, seconds
from crisp_lan.text import same_name

FULL = "All {n} seats are taken."


def opened(
    game: Game[Any],
    options: Mapping[str, Setting],
    size: int | None = None,
    *,
    starts_by_itself: bool = False,
    repeatable: bool = False,
    once: bool = False,
    stand_in: str = "",
    games: Mapping[str, Game[Any]] | None = None,
) -> Table:
    """An empty table. `size`: how many seats it has, by default as many as the game allows.

    `games`: what can be played here afterwards, by key. Raises Refused for a size or a setting that
    the game cannot be played with.
    """
    seats = max(game.seats) if size is None else size
    if seats not in game.seats:
        raise Refused(
            "{game} is for {least} to {most} players.",
            {"game": game.title, "least": min(game.seats), "most": max(game.seats)},
        )
    for name, value in options.items():
        checked(option_of(game, name), value)
    return Table(
        game,
        {**defaults(game), **options},
        seats,
        starts_by_itself,
        repeatable,
        once,
        stand_in,
        games or {game.key: game},
        size,
    )


# ---------------------------------------------------------------- who is here


def sit(
    table: Table,
    now: Millis,
    name: str,
    by: By,
    *,
    level: str = "",
    hosted: bool = False,
    host: bool = False,
) -> TableStep:
    """A newcomer takes the last chair; a name that is taken gets a number.

    Raises Refused when every seat is taken by somebody who is here or is in the match.
    """
    table = _with_room(table)
    chair = Chair(table.next_id, _unique(name, table.chairs), by, level, hosted, ready=by == "bot")
    table = replace(
        table,
        chairs=(*table.chairs, chair),
        next_id=chair.id + 1,
        host=chair.id if host else table.host,
    )
    line: Line = {
        "kind": "sit",
        "chair": chair.id,
        "name": chair.name,
        "by": chair.recorded,
        "hosted": hosted,
        "host": host,
    }
    key = "{name} sits down."
    if table.phase != "lobby":
        key = "{name} watches, and plays the next game."
    step = TableStep(table, (Note(key, {"name": chair.name}),), (line,))
    return _begun_by_itself(step)


def _begun_by_itself(step: TableStep) -> TableStep:
    """A table with a fixed number of seats starts when they are taken, not by its own bots alone:
    at first without a word, later when all are ready again."""
    table = step.table
    here = [chair for chair in table.chairs if chair.present]
    waits = table.starts_by_itself and table.phase == "lobby" and not table.done
    if not waits or len(here) != table.size or all(chair.hosted for chair in here):
        return step
    if table.match and not can_start(table):
        return step
    return step.then(begin(table))


def leave(table: Table, now: Millis, seat: Seat) -> TableStep:
    """Somebody goes for good. In a match the seat and its cards stay until the round is over."""
    return _parted(table, now, seat, "{name} leaves.")


def _parted(table: Table, now: Millis, seat: Seat, told: str) -> TableStep:
    chair = table.chairs[seat]
    note = Note(told, {"name": chair.name})
    table = _inherited(table, seat)
    if not chair.playing:
        line: Line = {"kind": "leave", "chair": chair.id}
        return _begun_by_itself(TableStep(_without(table, seat), (note,), (line,)))
    return TableStep(table, (note,)).then(_seated(table, now, seat, "left"))


def presence(table: Table, now: Millis, seat: Seat, by: By, level: str = "") -> TableStep:
    """Somebody is away, is back or has left, or a bot of that level plays for them."""
    if by == "left":
        return leave(table, now, seat)
    if table.chairs[seat].by in (by, "left"):
        return TableStep(table)
    return _seated(table, now, seat, by, level)


def _seated(table: Table, now: Millis, seat: Seat, by: By, level: str = "") -> TableStep:
    """The seat is played by somebody else from now on, with all that follows."""
    old = table.chairs[seat]
    stand_in = level if by == "bot" and not old.level else ""
    ready = old.ready and by in ("person", "bot")
    chair = replace(old, by=by, ready=ready, stand_in=stand_in, missed=0)
    seated = table.with_chair(seat, chair)
    if not chair.playing:
        line: Line = {"kind": "chair", "chair": chair.id, "by": chair.recorded}
        return _begun_by_itself(TableStep(seated, (), (line,)))
    line = {"kind": "seat", "t": seconds(now), "seat": seat, "by": chair.recorded}
    step = TableStep(seated, (), (line,)).then(ended_early(seated, now))
    if step.table.phase == "round":
        told = table.game.presence(table.state, now, seat, by)
        step = step.then(played(step.table, now, told))
    return step.then(attended(step.table, now))


def _inherited(table: Table, seat: Seat) -> Table:
    """The host's rights, if `seat` holds them, go to the next person clockwise, for it goes."""
    if table.host != table.chairs[seat].id:
        return table
    n = len(table.chairs)
    following = (table.chairs[(seat + k) % n] for k in range(1, n))
    people = [chair for chair in following if not chair.level and chair.by != "left"]
    here = [chair for chair in people if chair.by == "person"]
    return replace(table, host=next((chair.id for chair in here or people), None))


def _with_room(table: Table) -> Table:
    """The table with a free seat for a newcomer; the longest absent give theirs up first."""
    held = [chair for chair in table.chairs if chair.by != "left"]
    if len(held) < table.size:
        return table
    absent = next(
        (s for s, c in enumerate(table.chairs) if c.by == "nobody" and not c.playing), None
    )
    if absent is None:
        raise Refused(FULL, {"n": table.size})
    return _without(_inherited(table, absent), absent)


def _without(table: Table, seat: Seat) -> Table:
    return replace(table, chairs=table.chairs[:seat] + table.chairs[seat + 1 :])


def _unique(name: str, chairs: Sequence[Chair]) -> str:
    numbered = (name, *(f"{name} ({k})" for k in range(2, len(chairs) + 2)))
    return next(n for n in numbered if not any(same_name(n, chair.name) for chair in chairs))


# ---------------------------------------------------------------- what a seat may do


def apply(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    """What a seat does, at the table or in the round. Raises Refused, and nothing has happened."""
    if named := [choice for choice in choices(table, seat) if choice.name == act.name]:
        if not any(act.picks in choice.picks for choice in named):
            raise Refused("That is not on offer now.")
        return _TABLE_ACTS[act.name](table, now, seat, act)
    if table.phase != "round" or not table.chairs[seat].playing:
        raise Refused("Nothing to do for you now.")
    if table.paused:
        raise Refused("The table is paused.")
    step = table.game.apply(table.state, now, seat, act)
    line: Line = {"kind": "act", "t": seconds(now), "seat": seat, **record_of(table.game, act)}
    return TableStep(table, (), (line,)).then(played(table, now, step))


def _made_ready(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    chair = replace(table.chairs[seat], ready=act.name == "ready")
    line: Line = {"kind": act.name, "chair": chair.id}
    ready = table.with_chair(seat, chair)
    return _begun_by_itself(TableStep(ready, (), (line,)))


def _started(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    return begin(table)


def _set(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    name, text = str(act.picks[0]), str(act.picks[1])
    return agree(table, name, setting_of(option_of(table.game, name), text))


def _game_chosen(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    return choose(table, next(g.key for g in table.games.values() if g.title == act.picks[0]))


def _exchanged(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    one, other = (table.chairs[int(pick)].id for pick in act.picks)
    return exchange(table, one, other)


def _bot_wanted(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    *seat_away, level = act.picks
    chair = table.chairs[int(seat_away[0])].id if seat_away else None
    return TableStep(table, bot=str(level), chair=chair)


def _removed(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    """By the host's wish, with all that follows from leaving."""
    return _parted(table, now, int(act.picks[0]), "{name} has been taken from the table.")


def _seen(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    line: Line = {"kind": "next", "t": seconds(now), "seat": seat}
    seen = replace(table, seen=table.seen | {seat})
    return TableStep(seen, (), (line,)).then(revealed(seen, now))


def _asked(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    line: Line = {"kind": "ask", "t": seconds(now), "seat": seat}
    note = Note("{seat} asks for a pause.", {"seat": seat})
    return TableStep(replace(table, asking=(*table.asking, seat)), (note,), (line,))


def _paused(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    return pause(table, now, "host" if table.chairs[seat].id == table.host else seat)


def _resumed(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    return resume(table, now, "host" if table.chairs[seat].id == table.host else seat)


def _closed(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    return close(table)


_TABLE_ACTS = {
    "ready": _made_ready,
    "unready": _made_ready,
    "start": _started,
    "set": _set,
    "game": _game_chosen,
    "bot": _bot_wanted,
    "exchange": _exchanged,
    "remove": _removed,
    "next": _seen,
    "ask": _asked,
    "pause": _paused,
    "resume": _resumed,
    "end": _closed,
}


def held(table: Table) -> Table:
    """The table while nothing can be written down: a match stands still."""
    runs = table.phase != "lobby" and not table.paused
    return replace(table, paused="disk") if runs else table


def held_up(table: Table, now: Millis, came: Mapping[int, tuple[By, str]]) -> TableStep:
    """What there is to write down after a time in which nothing could be, and match time stood.

    What was due by `now` comes about; a match was paused as long as that; then each chair of `came`
    is played by somebody else, with that level, or is left.
    """
    step = TableStep(table)
    while (at := wake_at(step.table)) is not None and at <= now:
        step = step.then(wake(step.table))
    if step.table.phase != "lobby" and not step.table.paused:
        paused = pause(step.table, now, "host")
        step = step.then(TableStep(paused.table, (), paused.lines))
        step = step.then(resume(step.table, now, "host"))
    for id, (by, level) in came.items():
        for seat in [s for s, chair in enumerate(step.table.chairs) if chair.id == id]:
            step = step.then(presence(step.table, now, seat, by, level))
    return step


def close(table: Table) -> TableStep:
    """The host ends the table for all."""
    return TableStep(replace(table, over=True), (), ({"kind": "closed"},))


# ---------------------------------------------------------------- what is agreed


def choose(table: Table, key: str) -> TableStep:
    """The next match is of another game, with the options it has by default, and who was ready for
    something else is asked again."""
    game = table.games[key]
    size = max(game.seats) if table.wanted is None else table.wanted
    note = Note("The next game: {game}", {"game": game.title})
    table, asked = _asked_again(table)
    chosen = replace(table, game=game, options=defaults(game), size=size)
    return TableStep(chosen, (note, *asked), ({"kind": "choose", "game": key},))


def exchange(table: Table, one: int, other: int) -> TableStep:
    """Two chairs, named by their ids, change places in the row."""
    at = {chair.id: seat for seat, chair in enumerate(table.chairs)}
    chairs = list(table.chairs)
    chairs[at[one]], chairs[at[other]] = chairs[at[other]], chairs[at[one]]
    note = Note("{seat} and {other} have exchanged seats.", {"seat": at[one], "other": at[other]})
    line: Line = {"kind": "exchange", "chairs": [one, other]}
    return TableStep(replace(table, chairs=tuple(chairs)), (note,), (line,))


def agree(table: Table, name: str, value: Setting) -> TableStep:
    """An option is set, and who was ready for something else is asked again.

    Raises Refused if there is no such option, or it cannot be that.
    """
    checked(option_of(table.game, name), value)
    line: Line = {"kind": "set", "option": name, "value": value}
    table, asked = _asked_again(table)
    agreed = replace(table, options={**table.options, name: value})
    return TableStep(agreed, asked, (line,))


def _asked_again(table: Table) -> tuple[Table, tuple[Note, ...]]:
    """The table with nobody ready but bots and the host, and what the others are asked."""
    asked = tuple(
        seat
        for seat, chair in enumerate(table.chairs)
        if chair.ready and chair.by != "bot" and chair.id != table.host
    )
    chairs = tuple(
        replace(chair, ready=chair.ready and seat not in asked)
        for seat, chair in enumerate(table.chairs)
    )
    note = Note("What is played has changed: are you still ready?", {}, asked)
    return replace(table, chairs=chairs), (note,) if asked else ()
