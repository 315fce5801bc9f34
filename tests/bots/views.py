"""Views of Crisp made by hand, as seat 0 of two would get them."""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.game.rules import Choice, Clock, Note, View, Zone

SLOTS = ("left", "middle", "right")


def crisp_view(
    *choices: str | Choice,
    phase: str = "Play",
    turn: int | None = 0,
    own: Sequence[str | None] = (None, None, None),
    looking: Sequence[str] = (),
    left: int = 46,
    discards: int = 0,
    top: str = "",
    drawn: str | None = None,
    holder: int = 0,
    clocks: tuple[Clock, ...] = (),
) -> View:
    """What seat 0 is shown: its own open cards, the piles, the card that `holder` holds."""
    marks = tuple("looking" if slot in looking else "" for slot in SLOTS)
    zones = [
        Zone("hand", 0, tuple(own), 3, slots=SLOTS, marks=marks),
        Zone("hand", 1, (None,) * 3, 3, slots=SLOTS, marks=("", "", "")),
        Zone("draw pile", None, (), left),
        Zone("discard pile", None, (top,) if discards else (), discards),
    ]
    if drawn is not None:
        zones.append(Zone("drawn", holder, (drawn or None,), 1))
    offered = tuple(c if isinstance(c, Choice) else plain(c) for c in choices)
    return View(0, phase, turn, tuple(zones), offered, clocks)


def plain(name: str) -> Choice:
    """The choice of a name as Crisp offers it, with all that may be picked."""
    if name in ("swap", "look", "close"):
        return Choice(name, name, tuple((slot,) for slot in SLOTS))
    if name == "queen":
        return Choice(name, name, tuple((mine, 1, theirs) for mine in SLOTS for theirs in SLOTS))
    return Choice(name, name)


def draws(seat: int) -> Note:
    return Note("{seat} draws.", {"seat": seat})


def swaps(seat: int, slot: str) -> Note:
    return Note("{seat} swaps the {slot} card.", {"seat": seat, "slot": slot})


def queens(seat: int, slot: str, other: int, other_slot: str) -> Note:
    return Note(
        "{seat} swaps blind: the {slot} card with the {other_slot} card of {other}.",
        {"seat": seat, "slot": slot, "other": other, "other_slot": other_slot},
    )
