"""A text that is longer than the window, as a value: which of its rows is at the top.

press(reader, key, columns, lines)   the next reader, and QUIT where a key ends it
rows(reader, columns, lines, at)     what is shown
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from crisp_lan.tui.blocks import Block, Row, block, ends, printed, tall, wrapped
from crisp_lan.tui.cards import pen
from crisp_lan.tui.points import key_span
from crisp_lan.words import _, filled

QUIT: Literal["quit"] = "quit"
END = 10**6
_KEYS = 2
_AROUND = 2 + _KEYS
"""Rows that are not the text's: the title, a line, the keys."""


@dataclass(frozen=True, slots=True)
class Reader:
    """A text, set for so many columns by `typeset`; `top` is the first row that is shown."""

    title: str
    typeset: Callable[[int], Block]
    ascii: bool = False
    top: int = 0
    alarm: int = 0


def press(
    reader: Reader, key: str, columns: int, lines: int
) -> tuple[Reader, Literal["quit"] | None]:
    """The reader after a key in a window of this size, and QUIT if the key ends it."""
    if key in ("q", "escape"):
        return reader, QUIT
    page = max(1, lines - _AROUND - 1)
    steps = {"up": -1, "down": 1, "enter": 1, "home": -END, "end": END}
    steps |= {"pageup": -page, "b": -page, "pagedown": page, "space": page}
    top = reader.top + steps.get(key, 0)
    last = _last(len(reader.typeset(columns)), lines)
    return replace(reader, top=max(0, min(top, last))), None


def _last(height: int, lines: int) -> int:
    """The top row when the text's end is shown."""
    return max(0, height - max(1, lines - _AROUND))


def rows(reader: Reader, columns: int, lines: int, at: float) -> list[Row]:
    """The part of the text that is read, in exactly so many rows and columns."""
    text, room = reader.typeset(columns), max(1, lines - _AROUND)
    top = min(reader.top, _last(len(text), lines))
    shown = text[top : top + room]
    where = {"n": top + 1, "last": top + len(shown), "size": len(text)}
    right = filled(_("lines {n} to {last} of {size}"), where)
    title = ends([("", f" {reader.title}")], [("", f"{right} ")], columns)
    head: Row = [("title", "".join(words for _style, words in title))]
    below: Block = [[("rule", pen(reader.ascii).across * columns)], *_key_rows(columns)]
    painted = [head, *tall(block(shown, columns), room), *below]
    return printed(block(painted[:lines], columns), reader.ascii)


def _key_rows(columns: int) -> Block:
    spans = [
        key_span(_("arrows"), _("one line")),
        key_span("Space", _("one page")),
        key_span("b", _("one page back")),
        key_span("Home End", _("beginning, end")),
        key_span("q", _("quit")),
    ]
    return [[("", " "), *row] for row in tall(wrapped(spans, columns - 1, "  "), _KEYS)]
