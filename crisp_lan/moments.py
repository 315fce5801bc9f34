"""A game's record as moments to be looked at: all cards open, what happened, and who saw what.

The record is played again by the rules. What changes the table is a moment; the notes of it are
those that everybody got. What one seat alone was told or shown is found out by its own view: the
faces in it that a watcher does not see, as they come to light. So nobody's right to look is worked
out a second time, and no game has to say who looked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from crisp_lan.check import retold
from crisp_lan.game import views
from crisp_lan.game.rules import Card, Line, Millis, Note, Seat, Value, View
from crisp_lan.game.state import Table, TableStep
from crisp_lan.net.messages import Show
from crisp_lan.tui.replay import Moment
from crisp_lan.words import _

WRONG = Note("The record is wrong from here on, so it cannot be shown further.")


def moments(record: Sequence[Line], last_word: Note | None = None) -> tuple[Moment, ...]:
    """The moments of a game, ending with the last word. None where not even a deal can be shown.

    A record that goes wrong is shown as far as it is right.
    """
    return tuple(_Retelling().moments(record, last_word))


class Seen(NamedTuple):
    """A card that a seat sees and others do not: in which row, at which place if it has a name."""

    zone: str
    owner: Seat | None
    slot: str
    card: Card


class _Retelling:
    """One game as it is told: what waits to be told, and what each seat has before its eyes.

    `_labels`: what the acts that there has been a choice of are called.
    """

    def __init__(self) -> None:
        self._show: Show | None = None
        self._notes: list[Note] = []
        self._now: Millis = 0
        self._eyes: dict[Seat, Counter[Seen]] = {}
        self._labels: dict[str, str] = {}

    def moments(self, record: Sequence[Line], last_word: Note | None) -> list[Moment]:
        made: list[Moment] = []
        before: Table | None = None
        try:
            for line, step in zip(record, retold(record)):
                if step.table is not before:
                    made += self._after(line, before, step)
                    before = step.table
        except Exception:  # whatever a falsified line leads to: it is wrong
            last_word = WRONG
        self._notes += [last_word] if last_word else []
        return [*made, self._told(())] if self._notes and self._show else made

    def _after(self, line: Line, before: Table | None, step: TableStep) -> list[Moment]:
        """The moment that a line brings, if any: what happens without cards is told with the next
        that has some, and the end of a match with the cards that lay there last."""
        table = step.table
        self._now = round(float(line.get("t", 0)) * 1000)
        notes = [note for note in step.notes if note.to is None]
        self._notes += _in_words(line, before, notes, self._labels)
        if table.phase == "lobby":
            self._notes += _standings(table)
        nothing_new = not self._notes and before is not None and table.state is before.state
        if table.state is None or nothing_new:
            return []
        self._show = _laid_open(table)
        seen = tuple(self._sights(table))
        return [self._told(seen if line["kind"] != "deal" else ())]

    def _told(self, seen: tuple[Note, ...]) -> Moment:
        assert self._show is not None
        notes, self._notes = (*self._notes, *seen), []
        show = self._show
        return Moment(
            Show(0, self._now, 0, 0, None, show.table, show.view, notes),
            seen,
        )

    def _sights(self, table: Table) -> Iterator[Note]:
        """Who sees a card that others do not, and did not see it a moment ago. Who is away sees
        nothing, and what came meanwhile on coming back."""
        public = table.game.view(table.state, None)
        for seat, chair in enumerate(table.chairs):
            if chair.playing and chair.present:
                view = table.game.view(table.state, seat)
                self._labels |= {choice.name: choice.label for choice in view.choices}
                seen = Counter(_private(view, public))
                fresh = seen - self._eyes.get(seat, Counter())
                self._eyes[seat] = seen
                yield from _sighted(seat, fresh.elements())


def _laid_open(table: Table) -> Show:
    """What a replay shows of a table. No clock runs in it, and nobody is waited for."""
    around = replace(views.table_view(table, None), phase="round", choices=(), clocks=())
    view = replace(table.game.laid_open(table.state), clocks=())
    return Show(0, 0, 0, 0, None, around, view, ())


def _private(view: View, public: View) -> Iterator[Seen]:
    """The faces of a view that a watcher does not see."""
    shown = {(zone.name, zone.owner): zone.faces for zone in public.zones}
    for zone in view.zones:
        others = shown.get((zone.name, zone.owner), ())
        for place, card in enumerate(zone.faces):
            if card is not None and card not in others[place : place + 1]:
                slot = zone.slots[place] if zone.slots else ""
                yield Seen(zone.name, zone.owner, slot, card)


def _sighted(seat: Seat, cards: Iterable[Seen]) -> Iterator[Note]:
    """What a seat has come to see, in words; cards that lie in one row together."""
    rows: dict[tuple[Seat | None, str], list[Card]] = {}
    for one in cards:
        rows.setdefault((one.owner, one.slot), []).append(one.card)
    for (owner, slot), faces in rows.items():
        card = " ".join(faces)
        if owner not in (None, seat):
            yield Note(
                "{seat} sees {card} of {other}.", {"seat": seat, "card": card, "other": owner}
            )
        elif slot:
            yield Note(
                "{seat} sees {card}, the {slot} card.", {"seat": seat, "card": card, "slot": slot}
            )
        else:
            yield Note("{seat} sees {card}.", {"seat": seat, "card": card})


def _in_words(
    line: Line, before: Table | None, notes: list[Note], labels: Mapping[str, str]
) -> list[Note]:
    """What a line says: the notes of it, and what has no note at the table, where all see it. Then
    it is called as it was last, for somebody away has no choices by now."""
    if before is None or line["kind"] not in ("seat", "act") or line.get("by") == "left":
        return notes
    seat = line["seat"]
    if line["kind"] == "seat":
        return [_presence(line["by"], seat, before), *notes]
    if notes:
        return notes
    label = labels.get(line["do"], line["do"])
    values: dict[str, Value] = {"seat": seat, "words": _(label)}
    if line.get("by_time"):
        return [Note("{seat}: {words} (time is up)", values)]
    return [Note("{seat}: {words}", values)]


def _presence(by: str, seat: Seat, before: Table) -> Note:
    if by == "nobody":
        return Note("{seat} is away.", {"seat": seat})
    if by.startswith("bot") and not before.chairs[seat].level:
        return Note("A bot plays for {seat}.", {"seat": seat})
    return Note("{seat} is back.", {"seat": seat})


def _standings(table: Table) -> list[Note]:
    """The end of the match: who won and with how much, and the others."""
    won, lost = "{name} wins with {n}.", "{name} has {n}."
    return [
        Note(won if one.won else lost, {"name": one.name, "n": one.score}) for one in table.results
    ]
