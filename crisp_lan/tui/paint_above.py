"""A round in a narrow window: the others stand above, the middle and the own cards below."""

from __future__ import annotations

from crisp_lan.tui.blocks import Block, Row, beside, blank, block, flowed, tall, width_of
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_cards import GAP, own_blocks, room_of, stacked_middle
from crisp_lan.tui.paint_own import LOG, WIDE, log_block, own_title
from crisp_lan.tui.paint_seats import WIDEST, Plan, open_width, other_seats, panel

PANEL = 19
"""The least width of a player's panel."""

PLANS = (
    Plan("small", 2, "large"),
    Plan("small", 1, "large"),
    Plan("text", 2, "large"),
    Plan("text", 2, "small"),
    Plan("text", 1, "small"),
    Plan("text", 1, "text"),
)
"""From the roomiest to the tightest; the first that fits is taken."""


def above_block(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """The round in exactly that many columns and lines."""
    log_beside = columns >= WIDE
    width = columns - LOG - 1 if log_beside else columns
    title = own_title(screen, columns)
    for plan in PLANS:
        above = _others(screen, columns, plan)
        cards = _cards(screen, width, plan)
        told = 0 if log_beside else 1 if screen.banner or screen.notice else 2
        spare = lines - len(above) - len(title) - len(cards) - told
        if spare >= 0:
            break
    if log_beside:
        airs = blank(columns, min(2, spare // 2))
        above = [*airs[1:], *above, *airs, *title]
        wide = max(map(width_of, cards), default=0)
        log = log_block(screen, columns - wide - 1, lines - len(above), at)
        return tall([*above, *beside([cards, log], 1)], lines)
    above = [*above, *title, *cards]
    log = log_block(screen, columns, max(0, lines - len(above)), at)
    return [*tall(above, lines - len(log)), *log]


def _others(screen: Screen, columns: int, plan: Plan) -> Block:
    seats = other_seats(screen)
    if not seats:
        return []
    least = max(PANEL, *(open_width(screen, seat) for seat in seats))
    bands = -(-len(seats) // max(1, columns // (least + 1)))
    each = -(-len(seats) // bands)
    width = min(columns // each, max(WIDEST, least + 1)) - 1
    panels = [panel(screen, seat, width, plan) for seat in seats]
    rows: Block = []
    for first in range(0, len(panels), each):
        rows += block(beside(panels[first : first + each], 1), columns, "center")
    return rows


def _cards(screen: Screen, width: int, plan: Plan) -> Block:
    own = own_blocks(screen, width - 1, plan.own)
    blocks = [*stacked_middle(screen, width - 1), *own]
    rows = [[("", " "), *_trimmed(row)] for row in flowed(blocks, width - 1, GAP)]
    kept = 1 + room_of(blocks, max(0, len(own) - 1))
    return block(rows, min(width, max([kept, *map(width_of, rows)])))


def _trimmed(row: Row) -> Row:
    """The row without the blanks at its end."""
    while row and not row[-1][1].strip():
        row = row[:-1]
    return row
