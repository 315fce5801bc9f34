"""Cards on their way: which ones a step has moved, read off two views and what was told of it.

No game is known here. Two places that a note names by seat and slot have changed cards. Else a
step that took from one row of cards alone and gave to another has moved a card between them; where
its note names a place, the card went there, and the one that lay there went on. What cannot be
told so is not moved. A card on its way is always a back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from crisp_lan.game.rules import Note, Value, View, Zone
from crisp_lan.tui.points import card_point, seat_point, zone_point

LASTS = 0.8
"""Seconds that a card is on its way."""
FRAME = 0.06
"""Seconds between two pictures of it."""


@dataclass(frozen=True, slots=True)
class Move:
    """A card's way from one point of the picture to another; where one is not shown, its seat."""

    start: str
    end: str


def moves(before: View, after: View, notes: Sequence[Note]) -> tuple[Move, ...]:
    """What a step has moved."""
    for note in notes:
        if {"seat", "slot", "other", "other_slot"} <= set(note.values):
            here = _named(after, note.values, "seat", "slot")
            there = _named(after, note.values, "other", "other_slot")
            return (Move(here, there), Move(there, here)) if here and there else ()
    lost, gained = _changed(before, after), _changed(after, before)
    if len(lost) != 1 or len(gained) != 1:
        return ()
    start, end = _point(before, lost[0]), _point(after, gained[0])
    for note in notes:
        if note.values.get("seat") == lost[0].owner and "slot" in note.values:
            through = _named(after, note.values, "seat", "slot")
            return (Move(start, through), Move(through, end)) if through else ()
    return (Move(start, end),)


def _changed(more: View, less: View) -> list[Zone]:
    """The rows that have more cards in the one view than in the other."""
    counts = {(zone.owner, zone.name): zone.count for zone in less.zones}
    return [zone for zone in more.zones if zone.count > counts.get((zone.owner, zone.name), 0)]


def _named(view: View, values: Mapping[str, Value], seat: str, slot: str) -> str:
    """The point of the place that a note names, "" where no hand has it."""
    hand = _hand(view, values[seat])
    if hand is None or hand.owner is None or values[slot] not in hand.slots:
        return ""
    return card_point(hand.owner, hand.slots.index(str(values[slot])))


def _hand(view: View, seat: Value | None) -> Zone | None:
    return next((zone for zone in view.zones if zone.owner == seat and seat is not None), None)


def _point(view: View, zone: Zone) -> str:
    """Where the last card of a row lies, or what else a seat holds."""
    if zone.owner is None:
        return zone_point(zone.name)
    if zone is _hand(view, zone.owner):
        return card_point(zone.owner, max(0, len(zone.faces) - 1))
    return seat_point(zone.owner)
