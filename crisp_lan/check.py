"""Plays a record again by the rules: what was written must be what follows.

Some lines are causes (an act, a deal, who plays a seat); the others follow from them and the time
(time-outs, scores, the end). The causes are handed to the table as they were to the host; each
line that the table then produces must be the next one read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, By, Line, Millis, Note, Seat, act_of
from crisp_lan.game.state import Chair, Table, TableStep
from crisp_lan.journal import BESIDE


class Wrong(Exception):
    """A record that the rules do not lead to, from line `number` on."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number}, {why}")
        self.number = number


def folded(lines: Iterable[Line]) -> Iterator[Table]:
    """The table after each line of a journal, or of one game's record.

    Raises Wrong at the first line that does not follow from those before it.
    """
    return (step.table for step in retold(lines))


def retold(lines: Iterable[Line], due: list[Line] | None = None) -> Iterator[TableStep]:
    """The table after each line, and the notes of all that happened since the line before.

    `due`, an empty list, holds what must come after each line. Raises Wrong like `folded`.
    """
    table: Table | None = None
    due = [] if due is None else due
    for number, line in enumerate(lines, 1):
        notes: tuple[Note, ...] = ()
        try:
            if table is None:
                table = beginning(line)
            elif line["kind"] not in BESIDE:
                table, notes = _after(table, line, due)
        except Exception as error:  # whatever a falsified line leads to: it is wrong
            raise Wrong(number, f"{line}: {error!r}") from error
        yield TableStep(table, notes)


def beginning(line: Line) -> Table:
    """The table at the first line: of a journal (`table`) or of a record (`game`)."""
    game = GAMES[line["game"]]
    if line["kind"] == "table":
        return tables.opened(
            game,
            line["options"],
            line["size"],
            starts_by_itself=line["starts_by_itself"],
            repeatable=line["repeatable"],
            once=line.get("once", False),
            stand_in=line.get("stand_in", ""),
            games=GAMES,
        )
    chairs = tuple(
        Chair(s["seat"], s["name"], *_by(s["by"]), hosted=s.get("hosted", False), playing=True)
        for s in line["seats"]
    )
    return Table(
        game,
        line["options"],
        len(chairs),
        chairs=chairs,
        next_id=len(chairs),
        phase="shuffle",
        match=1,
        scores={chair.id: 0 for chair in chairs},
    )


def _after(table: Table, line: Line, due: list[Line]) -> tuple[Table, tuple[Note, ...]]:
    """The table after one more line, and its notes; `due` are the lines that must still come."""
    notes: tuple[Note, ...] = ()
    for step in steps(table, line, due):
        table, notes = step.table, notes + step.notes
    return table, notes


def steps(table: Table, line: Line, due: list[Line]) -> Iterator[TableStep]:
    """What happens up to a line, one thing at a time: whatever is due before it, and its cause.

    `due` are the lines that must still come. Raises ValueError where this line does not follow, and
    what else a falsified line leads to.
    """
    now = _millis(line)
    while not due and (wakes := matches.wake_at(table)) is not None and wakes <= now:
        step = matches.wake(table)
        table = step.table
        due += step.lines
        yield step
    if not due:
        step = _CAUSES[line["kind"]](table, line, now)
        due += step.lines
        yield step
    if not due or line | due[0] != line:
        raise ValueError(f"this does not follow, but {due[:1]}")
    del due[0]


def _sit(table: Table, line: Line, now: Millis) -> TableStep:
    by, level = _by(line["by"])
    return tables.sit(
        table, now, line["name"], by, level=level, hosted=line["hosted"], host=line["host"]
    )


def _leave(table: Table, line: Line, now: Millis) -> TableStep:
    return tables.leave(table, now, _seat(table, line))


def _presence(table: Table, line: Line, now: Millis) -> TableStep:
    seat = _seat(table, line)
    by, level = _by(line["by"])
    if by == "left":
        return tables.leave(table, now, seat)
    return tables.presence(table, now, seat, by, level)


def _deal(table: Table, line: Line, now: Millis) -> TableStep:
    first = line["seats"].index(line[table.game.dealer_field])
    return matches.deal(table, now, line["deck"], first)


def _act(table: Table, line: Line, now: Millis) -> TableStep:
    return tables.apply(table, now, _seat(table, line), act_of(table.game, line))


def _at_table(table: Table, line: Line, now: Millis) -> TableStep:
    return tables.apply(table, now, _seat(table, line), Act(line["kind"]))


def _pause(table: Table, line: Line, now: Millis) -> TableStep:
    if line.get("again"):
        return matches.pause_again(table, now)
    return matches.pause(table, now, line["by"])


def _seat(table: Table, line: Line) -> Seat:
    """The seat that a line is about, named by its number or by its chair."""
    if "seat" in line:
        return range(len(table.chairs)).index(line["seat"])
    return [chair.id for chair in table.chairs].index(line["chair"])


_CAUSES: dict[str, Callable[[Table, Line, Millis], TableStep]] = {
    "sit": _sit,
    "leave": _leave,
    "chair": _presence,
    "seat": _presence,
    "ready": _at_table,
    "unready": _at_table,
    "deal": _deal,
    "act": _act,
    "next": _at_table,
    "ask": _at_table,
    "game": lambda table, line, now: matches.begin(table),
    "choose": lambda table, line, now: tables.choose(table, line["game"]),
    "set": lambda table, line, now: tables.agree(table, line["option"], line["value"]),
    "exchange": lambda table, line, now: tables.exchange(table, *line["chairs"]),
    "pause": _pause,
    "resume": lambda table, line, now: matches.resume(table, now, line["by"]),
    "closed": lambda table, line, now: tables.close(table),
}


def _by(recorded: str) -> tuple[By, str]:
    by, _, level = recorded.partition(":")
    return by, level  # type: ignore[return-value]


def _millis(line: dict[str, Any]) -> Millis:
    return round(float(line.get("t", 0)) * 1000)
