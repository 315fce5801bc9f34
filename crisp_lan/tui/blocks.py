"""Styled text as rectangles: rows of spans, blocks of rows of one width, and laying them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

from crisp_lan.text import cells, cut, printable
from crisp_lan.tui.wording import lettered

Span: TypeAlias = tuple[str, str]
"""A style's name and a text; the styles are listed in paint.py."""
Row: TypeAlias = list[Span]
Block: TypeAlias = list[Row]


def printed(rows: Block, ascii: bool) -> Block:
    """The rows with nothing in them that could steer a terminal; `ascii`: in plain signs."""
    signs = lettered if ascii else str
    return [[(style, signs(printable(text))) for style, text in row] for row in rows]


def width_of(row: Row) -> int:
    """The cells that a row takes."""
    return sum([cells(text) for _, text in row])


def fit(row: Row, width: int, align: str = "left") -> Row:
    """The row in exactly `width` cells: cut at the end, or padded; `align`: left, right, center."""
    missing = width - width_of(row)
    if missing == 0:
        return row
    if missing < 0:
        return _shortened(row, width)
    before = {"left": 0, "right": missing, "center": missing // 2}[align]
    return _spaces(before) + row + _spaces(missing - before)


def _shortened(row: Row, width: int) -> Row:
    out: Row = []
    room = width
    for style, text in row:
        if cells(text) >= room:
            kept = cut(text, room) if cells(text) > room else text
            out.append((style, kept))
            return out + _spaces(room - cells(kept))
        out.append((style, text))
        room -= cells(text)
    return out


def _spaces(n: int) -> Row:
    return [("", " " * n)] if n > 0 else []


def ends(left: Row, right: Row, width: int) -> Row:
    """One row at the left edge and one at the right; the left one is cut where they would meet."""
    right = fit(right, min(width, width_of(right)))
    room = width - width_of(right)
    return fit(left, room - 1) + _spaces(1) + right if room > 1 else right


def blank(width: int, height: int = 1) -> Block:
    """An empty rectangle."""
    return [_spaces(width) for _ in range(height)]


def block(rows: Iterable[Row], width: int | None = None, align: str = "left") -> Block:
    """The rows as a rectangle, by default as wide as the widest."""
    listed = list(rows)
    wide = max(map(width_of, listed), default=0) if width is None else width
    return [fit(row, wide, align) for row in listed]


def tall(rows: Block, height: int) -> Block:
    """The block in exactly `height` rows."""
    width = width_of(rows[0]) if rows else 0
    return rows[:height] + blank(width, height - len(rows))


def beside(blocks: Sequence[Block], gap: int) -> Block:
    """The blocks next to each other, their tops on one line."""
    shown = [rows for rows in blocks if rows]
    height = max(map(len, shown), default=0)
    out = blank(0, height)
    for n, rows in enumerate(shown):
        for line, row in zip(out, tall(rows, height)):
            line += (_spaces(gap) if n else []) + row
    return out


def flowed(blocks: Sequence[Block], width: int, gap: int, align: str = "left") -> Block:
    """The blocks next to each other, in as many bands below each other as they need."""
    bands: list[list[Block]] = [[]]
    for rows in filter(None, blocks):
        taken = sum(width_of(other[0]) + gap for other in bands[-1])
        if bands[-1] and taken + width_of(rows[0]) > width:
            bands.append([])
        bands[-1].append(rows)
    return block((row for band in bands for row in beside(band, gap)), width, align)


def laid(rows: Block, piece: Block, column: int, line: int) -> Block:
    """The rows with a piece over them, whose top left corner is at that column and line."""
    out = list(rows)
    for n, over in enumerate(piece, line):
        if 0 <= n < len(out):
            row, right = out[n], column + width_of(over)
            out[n] = [*_between(row, 0, column), *over, *_between(row, right, width_of(row))]
    return out


def _between(row: Row, start: int, end: int) -> Row:
    """The cells of a row from one column up to another; half of a wide sign is a blank."""
    out: Row = []
    at = 0
    for style, text in row:
        kept = ""
        for sign in text:
            width = cells(sign)
            inside = min(end, at + width) - max(start, at)
            kept += sign if inside == width else " " * inside
            at += width
        out += [(style, kept)] if kept else []
    return out


def wrapped(items: Iterable[Row], width: int, gap: str) -> Block:
    """The items one after the other, a new row before each that would not fit."""
    rows: list[Row] = []
    for item in items:
        if rows and width_of(rows[-1]) + cells(gap) + width_of(item) <= width:
            rows[-1] += [("", gap), *item]
        else:
            rows.append(list(item))
    return block(rows, width)


def broken(text: str, width: int) -> list[str]:
    """A sentence in lines of at most `width` cells, broken between words."""
    lines: list[str] = []
    for word in text.split():
        if lines and cells(lines[-1]) + 1 + cells(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(cut(word, width))
    return lines


def listed(items: Sequence[str], between: str, width: int, height: int) -> list[str]:
    """The items in at most `height` lines, the sign `between` them; the last line may be cut.

    A line is rather broken between items than within one.
    """
    for count in range(len(items), -1, -1):
        lines = _items(items[:count], between, width)
        if len(lines) <= height - (count < len(items)):
            rest = [cut(between.join(items[count:]), width)] if count < len(items) else []
            return lines + rest
    return []


def _items(items: Sequence[str], between: str, width: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        if lines and cells(lines[-1] + between + item) <= width:
            lines[-1] += between + item
        else:
            lines += broken(item, width)
    return lines
