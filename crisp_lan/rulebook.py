"""The rules of a game in words: read from one text a language, and set for any width.

A text is a title, headings, paragraphs, lists and tables, with an empty line between them:

    # Title     ## Heading     - an item     | a cell | another |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from crisp_lan.text import cells
from crisp_lan.tui.blocks import Block, Row, broken

Kind: TypeAlias = Literal["title", "heading", "paragraph", "list", "table"]

MOST_COLUMNS = 84
"""Longer lines are hard to read."""
_TEXTS = Path(__file__).with_name("locale")
_MARKS: dict[str, Kind] = {"#": "title", "##": "heading", "-": "list", "|": "table"}
_MARGIN = "  "
_GAP = 3
_LEAST = 24
"""The narrowest column that is still good to read."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of the text. Its rows have one cell each, those of a table several."""

    kind: Kind
    rows: tuple[tuple[str, ...], ...]


def rules(game: str, language: str) -> tuple[Piece, ...]:
    """The rules of a game, in English where they are not in this language; () if nowhere."""
    files = [_TEXTS / each / "rules" / f"{game}.txt" for each in (language, "en")]
    there = [file for file in files if file.is_file()]
    return pieces(there[0].read_text(encoding="utf-8")) if there else ()


def pieces(text: str) -> tuple[Piece, ...]:
    """The parts of a text."""
    return tuple(_piece(part.splitlines()) for part in text.strip().split("\n\n"))


def _piece(lines: Sequence[str]) -> Piece:
    mark, _space, _rest = lines[0].partition(" ")
    kind = _MARKS.get(mark, "paragraph")
    if kind == "paragraph":
        return Piece(kind, ((" ".join(lines),),))
    if kind == "table":
        return Piece(kind, tuple(_row(line) for line in lines))
    items = "\n".join(["", *lines]).split(f"\n{mark} ")[1:]
    return Piece(kind, tuple((" ".join(item.split()),) for item in items))


def _row(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip().strip("|").split("|"))


# ---------------------------------------------------------------- set for a width


def typeset(text: Sequence[Piece], columns: int) -> Block:
    """The text in rows of at most so many columns, an empty one between its parts."""
    width = min(columns, MOST_COLUMNS) - 1
    rows: Block = []
    for piece in text:
        rows += [[], *_set(piece, width)]
    return rows[1:]


def _set(piece: Piece, width: int) -> Block:
    if piece.kind == "table":
        return list(_table(piece.rows, width))
    if piece.kind == "list":
        return [row for (item,) in piece.rows for row in _item(item, width)]
    style = {"title": "title", "heading": "strong", "paragraph": ""}[piece.kind]
    margin = _MARGIN if piece.kind == "paragraph" else " "
    (told,) = piece.rows[0]
    return [[("", margin), (style, line)] for line in broken(told, width - len(margin))]


def _item(item: str, width: int) -> Iterator[Row]:
    first, then = f"{_MARGIN}– ", f"{_MARGIN}  "
    for n, line in enumerate(broken(item, width - len(then))):
        yield [("", (then if n else first) + line)]


def _table(rows: Sequence[Sequence[str]], width: int) -> Iterator[Row]:
    """Columns as wide as their widest cell; the last one is broken where it has to be, and stands
    below the others where it would be too narrow."""
    columns = [max(map(cells, column)) for column in zip(*rows)]
    wide, room = [each + _GAP for each in columns[:-1]], width - 2 * len(_MARGIN)
    beside = room - sum(wide) >= min(columns[-1], _LEAST)
    for *first, last in rows:
        if beside:
            head = "".join(_padded(cell, taken) for cell, taken in zip(first, wide))
        else:
            yield from (_cells(line, "") for line in broken(" ".join(first), room))
            head = _MARGIN
        for line in broken(last, room - cells(head)):
            yield _cells(head, line)
            head = " " * cells(head)


def _cells(head: str, last: str) -> Row:
    return [("", 2 * _MARGIN), ("strong", head), ("", last)]


def _padded(cell: str, room: int) -> str:
    return cell + " " * (room - cells(cell))
