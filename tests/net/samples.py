"""Messages for tests: any of a type, drawn by hypothesis, and a full table of eight."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any

import msgspec
from hypothesis import strategies as st

from crisp_lan.game.rules import Choice, Clock, Note, Player, TableView, Tag, Text, View, Zone
from crisp_lan.net.messages import Show

SLOTS = ("left", "middle", "right")


def any_of(kind: Any, limits: msgspec.Meta | None = None) -> st.SearchStrategy[Any]:
    """Any value of a type that messages are made of, within the limits that it names."""
    limits = limits or msgspec.Meta()
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Annotated:
        return any_of(inner[0], inner[1])
    if origin in (typing.Union, types.UnionType):
        return st.one_of([any_of(one) for one in inner])
    if origin is typing.Literal:
        return st.sampled_from(inner)
    if origin is tuple and inner[-1] is Ellipsis:
        most = min(limits.max_length or 3, 3)
        return st.lists(any_of(inner[0]), max_size=most).map(tuple)
    if origin is tuple:
        return st.tuples(*map(any_of, inner))
    if origin is not None and issubclass(origin, Mapping):
        return st.dictionaries(any_of(inner[0]), any_of(inner[1]), max_size=3)
    if kind is int:
        least = -(2**53) if limits.ge is None else int(limits.ge)
        return st.integers(least, 2**53 if limits.le is None else int(limits.le))
    if kind is str and limits.pattern:
        assert limits.pattern == "^[0-9a-f]{64}$"
        return st.binary(min_size=32, max_size=32).map(bytes.hex)
    if kind is str:
        return st.text(st.characters(exclude_categories=["Cs"]), max_size=limits.max_length or 20)
    if kind is bool or kind is type(None):
        return st.just(None) if kind is not bool else st.booleans()
    assert dataclasses.is_dataclass(kind) or issubclass(kind, msgspec.Struct)
    hints = typing.get_type_hints(kind, include_extras=True)
    fields = {name: hint for name, hint in hints.items() if not name.startswith("_")}
    return st.builds(kind, **{name: any_of(hint) for name, hint in fields.items()})


def full_show() -> Show:
    """What a seat sees of a table of eight that holds a Queen."""
    hands = [Zone("hand", seat, (None,) * 3, 3, SLOTS, ("",) * 3) for seat in range(8)]
    swaps = tuple(
        (own, other, theirs) for own in SLOTS for other in range(1, 8) for theirs in SLOTS
    )
    view = View(
        seat=0,
        phase="Play",
        turn=0,
        zones=(
            *hands,
            Zone("draw pile", None, (), 27),
            Zone("discard pile", None, ("TD",), 1),
            Zone("drawn", 0, ("QH",), 1, note="from the draw pile"),
        ),
        choices=(
            Choice("queen", "Use the Queen: swap two cards blind", swaps, "u"),
            Choice("discard", "Discard it unused", key="x"),
        ),
        clocks=(Clock("draw", 0, 45_000, 45_000),),
        tags=(Tag(7, Text("deals")),),
        facts=(Text("Extra draws left: {n}", {"n": 1}),),
    )
    names = ("Ayu", "Budi", "Citra", "Dewi", "Eka", "Fajar", "Gita", "Hadi")
    table = TableView(
        phase="round",
        game="crisp",
        title="Crisp",
        goal="Hold the lowest hand, and say so.",
        size=8,
        players=tuple(
            Player(name, "person", "", name == "Ayu", False, True, 12, 1) for name in names
        ),
        options=(("limit", 100), ("draw_time", 45), ("take_discard", False)),
        round=3,
        target=100,
        paused=False,
        repeatable=False,
        winners=(),
        results=(),
        choices=(Choice("pause", "Pause", key="p"),),
        clocks=(),
    )
    return Show(412, 73_250, 31, 17, 0, table, view, (Note("{seat} draws.", {"seat": 0}),))
