"""A table: who sits at it, what is agreed, and the match that is played there. Pure, like a game.

    lobby ──start──▶ shuffle ──deal──▶ round ──outcome──▶ reveal ──┬─▶ shuffle   (the match goes on)
      ▲                                                            └─▶ lobby     (somebody has won)
      └──────────────────────── too few are left ◀── any phase of a match

A *chair* has an id that is its own for as long as it stands; a *seat* is its place in the row. In a
match the players have seats 0…n-1 and keep them; whoever comes later gets a chair behind them,
watches, and plays the next match. Chairs are only moved or taken away in the lobby.

`now` is match time: 0 when a match starts, standing still while the table is paused. Who drives
the table keeps that clock, hands in a deck when `wants_deck`, fires `wake` at `wake_at`, and writes
down the lines of each step before anybody hears of it: the journal's, and in a match the record's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crisp_lan.game.choices import choices
from crisp_lan.game.options import (
    checked,
    defaults,
    option_of,
    setting_of,
)
from crisp_lan.game.rules import (
    Act,
    By,
    Card,
    Game,
    Line,
    Millis,
    Note,
    Outcome,
    Refused,
    Result,
    Seat,
    Setting,
    Standing,
    Step,
    record_of,
)
from crisp_lan.game.state import Chair, Table, TableStep, can_start, dealt_in, in_match, onlookers
from crisp_lan.text import same_name

REVEAL: Millis = 20_000
"""The longest that a round's end stays on the table while people look at it (RULES.md)."""
REVEAL_OF_BOTS: Millis = 3_000
MISSES = 2
"""After so many time-outs in a row of somebody away a bot steps in, where the table wants that."""
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
    seated = replace(table, chairs=_with(table, seat, chair))
    if not chair.playing:
        line: Line = {"kind": "chair", "chair": chair.id, "by": chair.recorded}
        return _begun_by_itself(TableStep(seated, (), (line,)))
    line = {"kind": "seat", "t": _seconds(now), "seat": seat, "by": chair.recorded}
    step = TableStep(seated, (), (line,)).then(_ended_early(seated, now))
    if step.table.phase == "round":
        told = table.game.presence(table.state, now, seat, by)
        step = step.then(_played(step.table, now, told))
    return step.then(_attended(step.table, now))


def _ended_early(table: Table, now: Millis) -> TableStep:
    """The match is over at once when one is left, or only bots of the table."""
    there = in_match(table)
    alone = table.game.last_standing(there, tuple(table.scores))
    if table.winners is None and alone is not None:
        return _ended(table, now, alone)
    if all(table.chairs[seat].hosted for seat in there):
        return _ended(table, now, table.winners or ())
    return TableStep(table)


def _attended(table: Table, now: Millis) -> TableStep:
    """A match without anybody stands still; one that somebody came back to goes on."""
    if table.phase == "lobby":
        return TableStep(table)
    if not table.paused and not _anybody(table):
        return pause(table, now, "empty")
    if table.paused == "empty" and _anybody(table):
        return resume(table, now, "empty")
    return _revealed(table, now)


def _anybody(table: Table) -> bool:
    """Whether a person, or a bot that came by itself, is at the table."""
    return any(
        chair.present and not chair.hosted and not chair.stand_in
        for chair in table.chairs
        if chair.playing
    )


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
    line: Line = {"kind": "act", "t": _seconds(now), "seat": seat, **record_of(table.game, act)}
    return TableStep(table, (), (line,)).then(_played(table, now, step))


def _made_ready(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    chair = replace(table.chairs[seat], ready=act.name == "ready")
    line: Line = {"kind": act.name, "chair": chair.id}
    ready = replace(table, chairs=_with(table, seat, chair))
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
    line: Line = {"kind": "next", "t": _seconds(now), "seat": seat}
    seen = replace(table, seen=table.seen | {seat})
    return TableStep(seen, (), (line,)).then(_revealed(seen, now))


def _asked(table: Table, now: Millis, seat: Seat, act: Act) -> TableStep:
    line: Line = {"kind": "ask", "t": _seconds(now), "seat": seat}
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


def pause(table: Table, now: Millis, by: str | Seat) -> TableStep:
    """Match time stands still. `by`: "host", another seat, or "empty" when nobody is there."""
    line: Line = {"kind": "pause", "t": _seconds(now), "by": by}
    paused = by if isinstance(by, str) else "player"
    who = table.host if by == "host" else table.chairs[by].id if isinstance(by, int) else None
    stopped = replace(table, paused=paused, paused_by=who, asking=())
    return TableStep(stopped, (Note("The table is paused."),), (line,))


def pause_again(table: Table, now: Millis) -> TableStep:
    """Match time stands still because the host was started again, until people are back."""
    line: Line = {"kind": "pause", "t": _seconds(now), "by": "host", "again": True}
    return TableStep(replace(table, paused="again"), (), (line,))


def resume(table: Table, now: Millis, by: str | Seat) -> TableStep:
    """Match time goes on. `by`: "host", another seat, or "empty" when somebody is there again."""
    line: Line = {"kind": "resume", "t": _seconds(now), "by": by}
    running = replace(table, paused="", paused_by=None)
    step = TableStep(running, (Note("The game goes on."),), (line,))
    return step.then(_revealed(running, now))


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
    """The next match is of another game, with the options it has by default."""
    game = table.games[key]
    size = max(game.seats) if table.wanted is None else table.wanted
    chosen = replace(table, game=game, options=defaults(game), size=size)
    note = Note("The next game is {game}.", {"game": game.title})
    return TableStep(chosen, (note,), ({"kind": "choose", "game": key},))


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
    agreed = replace(table, options={**table.options, name: value}, chairs=chairs)
    return TableStep(agreed, (note,) if asked else (), (line,))


# ---------------------------------------------------------------- the match


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


def begin(table: Table) -> TableStep:
    """A match begins with everybody who is here; the absent move behind them."""
    here = [replace(c, playing=True, ready=False) for c in table.chairs if c.present]
    absent = [chair for chair in table.chairs if not chair.present]
    table = replace(
        table,
        chairs=(*here, *absent),
        phase="shuffle",
        match=table.match + 1,
        round=0,
        scores=dict.fromkeys(range(len(here)), 0),
        winners=None,
        results=(),
    )
    line: Line = {
        "kind": "game",
        "game": table.game.key,
        "seats": [
            {"seat": s, "name": c.name, "by": c.recorded, "hosted": c.hosted}
            for s, c in enumerate(here)
        ],
        "options": dict(table.options),
    }
    return TableStep(table, (Note("The game begins."),), (line,))


def wants_deck(table: Table) -> bool:
    """Whether the next round waits for a shuffled deck."""
    return table.phase == "shuffle" and not table.paused and not table.over


def deck(table: Table) -> tuple[Card, ...]:
    """The cards of the next round, to be shuffled."""
    return table.game.cards(len(dealt_in(table)))


def deal(table: Table, now: Millis, cards: Sequence[Card], lot: int) -> TableStep:
    """The next round with the shuffled cards; `lot`, any number, draws the first dealer."""
    seats = dealt_in(table)
    dealer = (
        table.game.next_dealer(seats, table.dealer, table.scores)
        if table.round
        else seats[lot % len(seats)]
    )
    line: Line = {
        "kind": "deal",
        "t": _seconds(now),
        "round": table.round + 1,
        "seats": list(seats),
        table.game.dealer_field: dealer,
        "deck": list(cards),
    }
    by = {seat: table.chairs[seat].by for seat in seats}
    scores = {seat: table.scores[seat] for seat in seats}
    step = table.game.deal(seats, dealer, scores, table.options, cards, now, by)
    table = replace(
        table,
        phase="round",
        round=table.round + 1,
        dealer=dealer,
        outcome=None,
        seen=frozenset(),
        asking=(),
    )
    return TableStep(table, (), (line,)).then(_played(table, now, step))


def wake_at(table: Table) -> Millis | None:
    """The next deadline in match time; None while nothing runs out."""
    if table.paused or table.over:
        return None
    if table.phase == "round":
        return table.game.wake_at(table.state)
    return table.reveal_ends if table.phase == "reveal" else None


def wake(table: Table) -> TableStep:
    """What happens at `wake_at`."""
    now = wake_at(table)
    assert now is not None
    if table.phase == "round":
        return _played(table, now, table.game.wake(table.state))
    return _gone_on(table, now)


def _played(table: Table, now: Millis, step: Step[Any]) -> TableStep:
    """The table after something happened in the round."""
    lines = tuple({"t": _seconds(now), **line} for line in step.lines)
    table = replace(table, state=step.state)
    outcome = table.game.outcome(step.state)
    made = _missed(TableStep(table, step.notes, lines))
    return made if outcome is None else made.then(_scored(made.table, now, outcome))


def _missed(step: TableStep) -> TableStep:
    """Time-outs of who is away are counted; after enough of them a bot is wanted, if it may be."""
    table = step.table
    late = (line["seat"] for line in step.lines if line["kind"] == "timeout")
    seat = next((seat for seat in late if table.chairs[seat].by == "nobody"), None)
    if seat is None or not table.stand_in:
        return step
    chair = replace(table.chairs[seat], missed=table.chairs[seat].missed + 1)
    counted = replace(step, table=replace(table, chairs=_with(table, seat, chair)))
    if chair.missed < MISSES:
        return counted
    return replace(counted, bot=table.stand_in, chair=chair.id)


def _scored(table: Table, now: Millis, outcome: Outcome) -> TableStep:
    """The round is over: it is written down, and all cards lie open for a while."""
    scores = {s: score + outcome.delta.get(s, 0) for s, score in table.scores.items()}
    playing = {seat: scores[seat] for seat in dealt_in(table)}
    table = replace(
        table,
        phase="reveal",
        outcome=outcome,
        scores=scores,
        winners=table.game.verdict(playing, table.options),
        reveal_ends=now + (REVEAL if onlookers(table) else REVEAL_OF_BOTS),
    )
    lines: tuple[Line, ...] = ()
    if outcome.record is not None:
        line: Line = {"kind": "score", "t": _seconds(now), "round": table.round}
        line |= outcome.record | {"delta": _by_seat(outcome.delta), "scores": _by_seat(scores)}
        lines = (line,)
    why = Note(outcome.why.key, outcome.why.values)
    won = (
        Note("{seat} wins with {n}.", {"seat": seat, "n": scores[seat]})
        for seat in table.winners or ()
    )
    return TableStep(table, (why, *won), lines)


def _revealed(table: Table, now: Millis) -> TableStep:
    """A round's end goes on to the next when everybody who is here has seen enough."""
    waiting = any(seat not in table.seen for seat in onlookers(table))
    if table.phase != "reveal" or waiting or table.paused:
        return TableStep(table)
    if not onlookers(table):
        ends = min(table.reveal_ends, now + REVEAL_OF_BOTS)
        return TableStep(replace(table, reveal_ends=ends))
    return _gone_on(table, now)


def _gone_on(table: Table, now: Millis) -> TableStep:
    if table.winners is not None:
        return _ended(table, now, table.winners)
    return TableStep(replace(table, phase="shuffle", state=None, outcome=None))


def _ended(table: Table, now: Millis, winners: tuple[Seat, ...]) -> TableStep:
    """The match is over, and the table is a lobby again."""
    line: Line = {
        "kind": "end",
        "t": _seconds(now),
        "winners": list(winners),
        "scores": _by_seat(table.scores),
    }
    results = [
        Result(table.chairs[s].name, score, s in winners, table.chairs[s].by == "left")
        for s, score in table.scores.items()
    ]
    sign = 1 if table.game.lowest_wins else -1
    results.sort(key=lambda one: (one.left, not one.won, sign * one.score))
    ready = not table.starts_by_itself
    chairs = tuple(_up_again(chair, ready) for chair in table.chairs if chair.by != "left")
    lobby = replace(
        table,
        chairs=chairs,
        phase="lobby",
        state=None,
        outcome=None,
        winners=None,
        paused="",
        paused_by=None,
        asking=(),
        results=tuple(results),
        evening=_counted(table, winners),
    )
    return TableStep(lobby, (Note("The game is over."),), (line,))


def _counted(table: Table, winners: tuple[Seat, ...]) -> Mapping[int, Standing]:
    """The evening with the match that ends now; one that nobody has won does not count."""
    evening = dict(table.evening)
    for seat in table.scores if winners else ():
        chair = table.chairs[seat]
        before = evening.get(chair.id, Standing(chair.name, 0, 0))
        evening[chair.id] = Standing(chair.name, before.games + 1, before.won + (seat in winners))
    return evening


def _up_again(chair: Chair, ready: bool) -> Chair:
    """The chair after a match; who played for somebody away has done so.

    `ready`: who has just played is taken to be ready for more, and the host starts by one key.
    """
    by: By = "nobody" if chair.stand_in else chair.by
    up = replace(chair, by=by, playing=False, stand_in="")
    return replace(up, ready=by == "bot" or (ready and chair.playing and up.present))


def _without(table: Table, seat: Seat) -> Table:
    return replace(table, chairs=table.chairs[:seat] + table.chairs[seat + 1 :])


def _with(table: Table, seat: Seat, chair: Chair) -> tuple[Chair, ...]:
    return (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])


def _seconds(now: Millis) -> float:
    return now / 1000


def _by_seat(numbers: Mapping[Seat, int]) -> dict[str, int]:
    return {str(seat): n for seat, n in numbers.items()}
