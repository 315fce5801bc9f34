"""Cards drawn as boxes of three sizes, as a joined row, or as text, whichever there is room for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from crisp_lan.game.rules import Card
from crisp_lan.text import cells, cut
from crisp_lan.tui.blocks import Block, Row, Span, beside, block, fit
from crisp_lan.tui.wording import face, is_red

Size: TypeAlias = Literal["huge", "large", "small", "text"]
SIZES: tuple[Size, ...] = ("huge", "large", "small", "text")
WIDTH: dict[Size, int] = {"huge": 9, "large": 7, "small": 5, "text": 3}
HEIGHT: dict[Size, int] = {"huge": 7, "large": 5, "small": 3, "text": 1}


@dataclass(frozen=True, slots=True)
class Pen:
    """The signs that tables are drawn with. `edge` and `picked` are corners, across and down."""

    edge: str
    picked: str
    tees: str
    back: str
    dot: str
    full: str
    rest: str
    thick: str
    turn: str
    between: str
    then: str

    @property
    def across(self) -> str:
        """A thin line across."""
        return self.edge[4]


LINES = Pen("╭╮╰╯─│", "┏┓┗┛━┃", "┬┴", "░", "•", "█", "░", "━", "▶", " · ", " → ")
LETTERS = Pen("++++-|", "####=#", "++", ":", "o", "#", ".", "=", ">", ", ", " > ")


def pen(ascii: bool) -> Pen:
    """Lines and blocks, or letters alone."""
    return LETTERS if ascii else LINES


@dataclass(frozen=True, slots=True)
class Drawn:
    """A card to be drawn: its face or None, whether it has a remark, and how it is picked out.

    `point` is where it can be pointed at, and found on the picture (see points.py).
    """

    card: Card | None
    remark: bool = False
    cursor: bool = False
    marked: bool = False
    point: str = ""

    @property
    def picked(self) -> bool:
        """Whether its edge is a heavy one."""
        return self.cursor or self.marked

    @property
    def style(self) -> str:
        """How its edge is drawn."""
        plain = "back.edge" if self.card is None else "card"
        return "cursor" if self.cursor else "marked" if self.marked else plain

    def span(self, style: str, text: str) -> Span:
        """A part of the card's picture."""
        return (f"{style} {self.point}" if self.point else style), text


def card_block(drawn: Drawn, size: Size, ascii: bool) -> Block:
    """One card."""
    if size == "text":
        return [[_text(drawn, ascii)]]
    width, height = WIDTH[size] - 2, HEIGHT[size] - 2
    return _framed(drawn, _inside(drawn, width, height, ascii), width, ascii)


def _framed(drawn: Drawn, inside: Sequence[Span], width: int, ascii: bool) -> Block:
    p = pen(ascii)
    signs = p.picked if drawn.picked else p.edge
    across, down = signs[4] * width, drawn.span(drawn.style, signs[5])
    top = [drawn.span(drawn.style, signs[0] + across + signs[1])]
    bottom = [drawn.span(drawn.style, signs[2] + across + signs[3])]
    return [top, *([down, drawn.span(*span), down] for span in inside), bottom]


def _inside(drawn: Drawn, width: int, height: int, ascii: bool) -> list[Span]:
    if height == 1:
        return [_inner(drawn, width, ascii)]
    if drawn.card is None:
        return _back(drawn, width, height, ascii)
    style, sign = _style(drawn.card), face(drawn.card, ascii)
    rank, suit = (sign[:-1], sign[-1]) if len(sign) > 1 else (sign, "")
    rank = cut(rank, width)
    space = " " * (width - cells(rank))
    inside: list[Span] = [(style, " " * width)] * height
    inside[0], inside[-1] = (style, rank + space), (style, space + rank)
    inside[height // 2] = (style, suit.center(width))
    return inside


def _back(drawn: Drawn, width: int, height: int, ascii: bool) -> list[Span]:
    """A pattern, with a margin on the largest; a remark is a sign in the middle of it."""
    p = pen(ascii)
    margin = 1 if height > 3 else 0
    inside = [p.back * (width - 2 * margin)] * height
    if drawn.remark:
        inside[height // 2] = p.dot.center(width - 2 * margin, p.back)
    return [("back", line.center(width)) for line in inside]


def _inner(drawn: Drawn, width: int, ascii: bool) -> Span:
    if drawn.card is None:
        p = pen(ascii)
        return ("back", (p.dot if drawn.remark else p.back).center(width, p.back))
    sign = cut(face(drawn.card, ascii), width)
    return _style(drawn.card), " " * (width - cells(sign)) + sign


def _text(drawn: Drawn, ascii: bool) -> Span:
    """A card as text; one that is picked out stands in brackets, or reversed where its sign is."""
    style, text = _inner(drawn, 3, ascii)
    if not drawn.picked:
        return drawn.span(style, text)
    return drawn.span(drawn.style, f"[{text[1]}]" if drawn.card is None else text)


def _style(card: Card) -> str:
    return "red" if is_red(card) else "face"


def empty_block(size: Size, ascii: bool) -> Block:
    """The place of a pile where no card lies."""
    if size == "text":
        return [[("dim", pen(ascii).across * 3)]]
    width, height = WIDTH[size], HEIGHT[size]
    signs = pen(ascii).edge
    stub, gap = signs[4], " " * (width - 4)
    top = signs[0] + stub + gap + stub + signs[1]
    bottom = signs[2] + stub + gap + stub + signs[3]
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
    edge = "back.edge" if all(drawn.card is None for drawn in cards) else "card"
    top = p.edge[0] + p.tees[0].join([p.across * 3] * n) + p.edge[1]
    bottom = p.edge[2] + p.tees[1].join([p.across * 3] * n) + p.edge[3]
    inside: Row = [(edge, p.edge[5])]
    for drawn in cards:
        inside += [drawn.span(*_inner(drawn, 3, ascii)), (edge, p.edge[5])]
    rows: Block = [[(edge, top)], inside, [(edge, bottom)]]
    for line in range(max(map(len, feet), default=0)):
        rows.append([("", " "), *(span for foot in feet for span in fit(foot[line], 4))])
    return block(rows)
