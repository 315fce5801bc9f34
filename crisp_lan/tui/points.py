"""What on a picture can be pointed at: a span's style may hold a point beside its looks.

    @key.d       does what the key does       @card.2.1    the second card of seat 2's hand
    @seat.2      whatever else is seat 2's    @zone.stock  a row of cards in the middle

With a mouse a point is pressed like a key; a card on its way from one point to another is drawn
where the picture has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crisp_lan.text import cells
from crisp_lan.tui.blocks import Block, Row, Span

_NAMED = {"Esc": "escape", "Enter": "enter", "Space": "space"}


def key_point(key: str) -> str:
    """The point of a key that is shown by this name, "" where it stands for several keys."""
    name = _NAMED.get(key, key if len(key) == 1 else "")
    return f"@key.{name}" if name else ""


def key_span(key: str, label: str, dimmed: bool = False) -> Row:
    """A key in brackets and what it does."""
    row: Row = [("key", f"[{key}]"), ("dim" if dimmed else "", f" {label}")]
    return pointed(row, key_point(key))


def card_point(seat: int, place: int) -> str:
    """The point of a card in a seat's hand."""
    return f"@card.{seat}.{place}"


def card_at(point: str) -> tuple[int, int] | None:
    """The seat, and the place in its hand, of a card's point."""
    kind, *where = point.split(".")
    return (int(where[0]), int(where[1])) if kind == "@card" else None


def number_point(number: int) -> str:
    """The point of what is picked with a number, of several digits too."""
    return f"@key.{number}"


def seat_point(seat: int) -> str:
    """The point of a seat's name, and of what it holds beside its hand."""
    return f"@seat.{seat}"


def zone_point(name: str) -> str:
    """The point of a row of cards in the middle."""
    return "@zone." + "_".join(name.split())


def pointed(row: Row, point: str) -> Row:
    """The row with a point on everything in it."""
    return [(f"{style} {point}" if point else style, text) for style, text in row]


def looks_of(style: str) -> list[str]:
    """The names of looks in a style."""
    return [name for name in style.split() if not name.startswith("@")]


def point_of(style: str) -> str:
    """The point in a style, "" if there is none."""
    return next((name for name in style.split() if name.startswith("@")), "")


def point_at(row: Sequence[Span], column: int) -> str:
    """The point under a cell of a row, "" if there is none."""
    for style, text in row:
        column -= cells(text)
        if column < 0:
            return point_of(style)
    return ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a point is on a picture: from its first column and line up to its last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def lines(self) -> int:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        """Column and line."""
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def places(rows: Block) -> dict[str, Place]:
    """Where each point is on a picture."""
    found: dict[str, Place] = {}
    for line, row in enumerate(rows):
        column = 0
        for style, text in row:
            width = cells(text)
            if "@" in style and width:
                here = Place(column, line, column + width, line + 1)
                point = point_of(style)
                found[point] = _both(found.get(point, here), here)
            column += width
    return found


def _both(one: Place, other: Place) -> Place:
    return Place(
        *(min(one.left, other.left), min(one.top, other.top)),
        *(max(one.right, other.right), max(one.bottom, other.bottom)),
    )


def key_of(point: str) -> str:
    """The key that a click on a point stands for: that of the point, or the point itself."""
    return point.removeprefix("@key.")
