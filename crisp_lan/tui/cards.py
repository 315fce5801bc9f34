"""Cards drawn as boxes of two sizes, as a joined row, or as text, whichever there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from crisp_lan.game.rules import Card
from crisp_lan.text import cells, cut
from crisp_lan.tui.blocks import Block, Row, beside, block, fit
from crisp_lan.tui.wording import face, is_red

Size: TypeAlias = Literal["large", "small", "text"]
WIDTH: dict[Size, int] = {"large": 7, "small": 5, "text": 3}
HEIGHT: dict[Size, int] = {"large": 5, "small": 3, "text": 1}


@dataclass(frozen=True, slots=True)
class Pen:
    """The signs that tables are drawn with."""

    corners: str
    across: str
    down: str
    tees: str
    back: str
    dot: str
    full: str
    rest: str
    thick: str
    turn: str
    between: str
    then: str


LINES = Pen("╭╮╰╯", "─", "│", "┬┴", "░", "•", "█", "░", "━", "▶", " · ", " → ")
LETTERS = Pen("++++", "-", "|", "++", ":", "o", "#", ".", "=", ">", ", ", " > ")


def pen(ascii: bool) -> Pen:
    """Lines and blocks, or letters alone."""
    return LETTERS if ascii else LINES


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card to be drawn: its face or None, whether it has a remark, and how it is picked out."""

    card: Card | None
    remark: bool = False
    cursor: bool = False
    marked: bool = False

    @property
    def style(self) -> str:
        """How its edge is drawn."""
        return "cursor" if self.cursor else "marked" if self.marked else "card"


def card_block(drawn: Drawn, size: Size, ascii: bool) -> Block:
    """One card."""
    if size == "text":
        return [[_inner(drawn, 3, ascii)]]
    p, width, height = pen(ascii), WIDTH[size] - 2, HEIGHT[size] - 2
    edge = drawn.style
    top = [(edge, p.corners[0] + p.across * width + p.corners[1])]
    bottom = [(edge, p.corners[2] + p.across * width + p.corners[3])]
    middle = [
        [(edge, p.down), span, (edge, p.down)] for span in _middle(drawn, width, height, ascii)
    ]
    return [top, *middle, bottom]


def _middle(drawn: Drawn, width: int, height: int, ascii: bool) -> list[tuple[str, str]]:
    if height == 1:
        return [_inner(drawn, width, ascii)]
    if drawn.card is None:
        back = [("back", pen(ascii).back * width)] * height
        back[height // 2] = _inner(drawn, width, ascii)
        return back
    style, sign = _style(drawn.card), face(drawn.card, ascii)
    suit = sign[-1] if len(sign) > 1 else ""
    return [
        (style, f"{sign[:-1] or sign} ".ljust(width)),
        (style, suit.center(width)),
        (style, f" {sign[:-1] or sign}".rjust(width)),
    ]


def _inner(drawn: Drawn, width: int, ascii: bool) -> tuple[str, str]:
    if drawn.card is None:
        p = pen(ascii)
        return ("back", (p.dot if drawn.remark else p.back).center(width, p.back))
    sign = cut(face(drawn.card, ascii), width)
    return _style(drawn.card), " " * (width - cells(sign)) + sign


def _style(card: Card) -> str:
    return "red" if is_red(card) else "face"


def empty_block(size: Size, ascii: bool) -> Block:
    """The place of a pile where no card lies."""
    if size == "text":
        return [[("dim", pen(ascii).across * 3)]]
    width, height = WIDTH[size], HEIGHT[size]
    p = pen(ascii)
    top = p.corners[0] + p.across + " " * (width - 4) + p.across + p.corners[1]
    bottom = p.corners[2] + p.across + " " * (width - 4) + p.across + p.corners[3]
    inside: Block = [[("dim", " " * width)] for _ in range(height - 2)]
    return [[("dim", top)], *inside, [("dim", bottom)]]


def row_of_cards(
    cards: Sequence[Drawn],
    size: Size,
    ascii: bool,
    feet: Sequence[Sequence[Row]] = (),
    gap: int = 1,
) -> Block:
    """The cards beside each other, each with its own lines (all equally many) below it."""
    columns: list[Block] = []
    for n, drawn in enumerate(cards):
        foot = list(feet[n]) if feet else []
        rows = [*card_block(drawn, size, ascii), *foot]
        columns.append(block(rows, align="center"))
    return beside(columns, gap)


def joined_cards(cards: Sequence[Drawn], ascii: bool, feet: Sequence[Sequence[Row]] = ()) -> Block:
    """Many cards in little room: boxes that share their edges, four cells a card."""
    p = pen(ascii)
    n = len(cards)
    top = p.corners[0] + p.tees[0].join([p.across * 3] * n) + p.corners[1]
    bottom = p.corners[2] + p.tees[1].join([p.across * 3] * n) + p.corners[3]
    inside: Row = [("card", p.down)]
    for drawn in cards:
        inside += [_inner(drawn, 3, ascii), ("card", p.down)]
    rows: Block = [[("card", top)], inside, [("card", bottom)]]
    for line in range(max(map(len, feet), default=0)):
        rows.append([("", " "), *(span for foot in feet for span in fit(foot[line], 4))])
    return block(rows)
