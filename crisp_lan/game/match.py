"""The course of a match at a table. Pure, like a game.

    lobby ──start──▶ shuffle ──deal──▶ round ──outcome──▶ reveal ──┬─▶ shuffle   (the match goes on)
      ▲                                                            └─▶ lobby     (somebody has won)
      └──────────────────────── too few are left ◀── any phase of a match

`now` is match time: 0 when a match starts, standing still while the table is paused. Who drives
the table keeps that clock, hands in a deck when `wants_deck`, fires `wake` at `wake_at`, and writes
down the lines of each step before anybody hears of it: the journal's, and in a match the record's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from crisp_lan.game.rules import By, Card, Line, Millis, Note, Outcome, Result, Seat, Standing, Step
from crisp_lan.game.state import Chair, Table, TableStep, dealt_in, in_match, onlookers, seconds

REVEAL: Millis = 20_000
"""The longest that a round's end stays on the table while people look at it (RULES.md)."""
REVEAL_OF_BOTS: Millis = 3_000
MISSES = 2
"""After so many time-outs in a row of somebody away a bot steps in, where the table wants that."""


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
        "t": seconds(now),
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
    return TableStep(table, (), (line,)).then(played(table, now, step))


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
        return played(table, now, table.game.wake(table.state))
    return _gone_on(table, now)


def played(table: Table, now: Millis, step: Step[Any]) -> TableStep:
    """The table after something happened in the round."""
    lines = tuple({"t": seconds(now), **line} for line in step.lines)
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
    counted = replace(step, table=table.with_chair(seat, chair))
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
        line: Line = {"kind": "score", "t": seconds(now), "round": table.round}
        line |= outcome.record | {"delta": _by_seat(outcome.delta), "scores": _by_seat(scores)}
        lines = (line,)
    why = Note(outcome.why.key, outcome.why.values)
    won = (
        Note("{seat} wins with {n}.", {"seat": seat, "n": scores[seat]})
        for seat in table.winners or ()
    )
    return TableStep(table, (why, *won), lines)


def revealed(table: Table, now: Millis) -> TableStep:
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
        "t": seconds(now),
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


def ended_early(table: Table, now: Millis) -> TableStep:
    """The match is over at once when one is left, or only bots of the table."""
    there = in_match(table)
    alone = table.game.last_standing(there, tuple(table.scores))
    if table.winners is None and alone is not None:
        return _ended(table, now, alone)
    if all(table.chairs[seat].hosted for seat in there):
        return _ended(table, now, table.winners or ())
    return TableStep(table)


def attended(table: Table, now: Millis) -> TableStep:
    """A match without anybody stands still; one that somebody came back to goes on."""
    if table.phase == "lobby":
        return TableStep(table)
    if not table.paused and not _anybody(table):
        return pause(table, now, "empty")
    if table.paused == "empty" and _anybody(table):
        return resume(table, now, "empty")
    return revealed(table, now)


def _anybody(table: Table) -> bool:
    """Whether a person, or a bot that came by itself, is at the table."""
    return any(
        chair.present and not chair.hosted and not chair.stand_in
        for chair in table.chairs
        if chair.playing
    )


def pause(table: Table, now: Millis, by: str | Seat) -> TableStep:
    """Match time stands still. `by`: "host", another seat, or "empty" when nobody is there."""
    line: Line = {"kind": "pause", "t": seconds(now), "by": by}
    paused = by if isinstance(by, str) else "player"
    who = table.host if by == "host" else table.chairs[by].id if isinstance(by, int) else None
    stopped = replace(table, paused=paused, paused_by=who, asking=())
    return TableStep(stopped, (Note("The table is paused."),), (line,))


def pause_again(table: Table, now: Millis) -> TableStep:
    """Match time stands still because the host was started again, until people are back."""
    line: Line = {"kind": "pause", "t": seconds(now), "by": "host", "again": True}
    return TableStep(replace(table, paused="again"), (), (line,))


def resume(table: Table, now: Millis, by: str | Seat) -> TableStep:
    """Match time goes on. `by`: "host", another seat, or "empty" when somebody is there again."""
    line: Line = {"kind": "resume", "t": seconds(now), "by": by}
    running = replace(table, paused="", paused_by=None)
    step = TableStep(running, (Note("The game goes on."),), (line,))
    return step.then(revealed(running, now))


def _by_seat(numbers: Mapping[Seat, int]) -> dict[str, int]:
    return {str(seat): n for seat, n in numbers.items()}
