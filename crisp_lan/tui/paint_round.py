"""A round on the table: the others, the middle, the own cards and a short log.

In a wide window the others sit round the table, else they stand above it. Either way there are
plans from the roomiest to the tightest, and the first that fits is taken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crisp_lan.text import cells
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    blank,
    block,
    broken,
    flowed,
    listed,
    tall,
    width_of,
)
from crisp_lan.tui.cards import HEIGHT, Size, pen
from crisp_lan.tui.model import Screen, own_hand, recent
from crisp_lan.tui.paint_cards import GAP, own_blocks, room_of, spread_middle, stacked_middle
from crisp_lan.tui.paint_seats import (
    hand_width,
    name_row,
    open_width,
    other_seats,
    panel,
    status_words,
    word_lines,
)
from crisp_lan.tui.wording import worded
from crisp_lan.words import _, n_

PANEL = 19
"""The least width of a player's panel."""
WIDEST = 34
"""The width that it takes at most, unless an open hand needs more."""
SIDE = 24
"""The least width of a panel that stands at the side of the table."""
LOG = 26
"""The least width of a log that stands beside the cards."""
WATCHED = 4
"""Rows of the log where nobody's own cards lie beside it."""
FEET = 2
"""Rows below the own cards, kept free so that nothing moves when something is said there."""
LEAST_MIDDLE = 30
"""The least width of the middle between the others."""
WIDE = 100
"""From so many columns the others sit round the table, and the log stands beside the cards."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much room things take: the others' cards, words below them, the own cards, and the
    cards in the middle."""

    others: Size
    words: int
    own: Size
    middle: Size = "small"


AROUND = (
    Plan("large", 2, "huge", "large"),
    Plan("small", 2, "huge", "large"),
    Plan("small", 2, "large", "large"),
    Plan("small", 2, "large"),
    Plan("small", 1, "large"),
)
ABOVE = (
    Plan("small", 2, "large"),
    Plan("small", 1, "large"),
    Plan("text", 2, "large"),
    Plan("text", 2, "small"),
    Plan("text", 1, "small"),
    Plan("text", 1, "text"),
)
"""From the roomiest to the tightest."""


def round_block(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """The round in exactly that many columns and lines."""
    for plan in AROUND if columns >= WIDE and other_seats(screen) else ():
        if picture := _around(screen, columns, lines, at, plan):
            return picture
    return _above(screen, columns, lines, at)


# ---------------------------------------------------------------- the others round the table


def _around(screen: Screen, columns: int, lines: int, at: float, plan: Plan) -> Block:
    """The table seen from this player's place; nothing if that does not fit."""
    left, top, right = _places(other_seats(screen))
    side = _panel_width(screen, [*left, *right], SIDE, WIDEST)
    wide = _panel_width(screen, top, WIDEST, columns // max(1, len(top)) - 1)
    centre = columns - 2 * (side + GAP)
    fits = centre >= LEAST_MIDDLE and (wide + 1) * len(top) <= columns
    if not (fits and _told_whole(screen, [*left, *right], side, plan)):
        return []
    if not _told_whole(screen, top, wide, plan):
        return []
    panels = [panel(screen, seat, wide, plan.others, plan.words) for seat in top]
    above = block(beside(panels, 1), columns, "center")
    title = _own_title(screen, columns)
    below = _own_and_log(screen, columns, at, plan)
    middle = spread_middle(screen, centre, plan.middle)
    sides = [_side(screen, seats, side, plan) for seats in (left[::-1], right)]
    height = max(len(middle), *map(len, sides))
    spare = lines - len(above) - height - len(title) - len(below)
    if spare < 0 or any(width_of(row) > columns for row in below):
        return []
    height += spare
    row = [
        _centred(rows, width, height)
        for rows, width in zip((sides[0], middle, sides[1]), (side, centre, side))
    ]
    return [*above, *block(beside(row, GAP), columns), *title, *below]


def _panel_width(screen: Screen, seats: Sequence[int], least: int, most: int) -> int:
    """Wide enough for the cards of each of the seats, if that is not too much; open ones always."""
    wanted = max((hand_width(screen, seat) for seat in seats), default=0)
    needed = max((open_width(screen, seat) for seat in seats), default=0)
    return max(needed + 1, min(most, max(least, wanted + 1)))


def _places(seats: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Who sits at the left, beyond the table, and at the right, clockwise."""
    sides = 0 if len(seats) < 2 else 1 if len(seats) < 6 else 2
    end = len(seats) - sides
    return list(seats[:sides]), list(seats[sides:end]), list(seats[end:])


def _told_whole(screen: Screen, seats: Sequence[int], width: int, plan: Plan) -> bool:
    return all(len(word_lines(screen, seat, width)) <= plan.words for seat in seats)


def _side(screen: Screen, seats: Sequence[int], width: int, plan: Plan) -> Block:
    """Panels above each other."""
    return [row for seat in seats for row in panel(screen, seat, width, plan.others, plan.words)]


def _centred(rows: Block, width: int, height: int) -> Block:
    above = (height - len(rows)) // 2
    return [*blank(width, above), *rows, *blank(width, height - len(rows) - above)]


def _own_and_log(screen: Screen, columns: int, at: float, plan: Plan) -> Block:
    """The own hand in the middle of the row, or as far right as the log beside it needs."""
    blocks = own_blocks(screen, columns - LOG - 2, plan.own)
    if not blocks:
        return _log(screen, columns, WATCHED, at)
    hand, wide = width_of(blocks[0][0]), room_of(blocks, len(blocks) - 1)
    before = max(LOG, min((columns - hand) // 2, columns - wide))
    own = flowed(blocks, max(wide, hand), GAP)
    height = max(len(own), HEIGHT[plan.own] + FEET)
    log = _log(screen, before - 1, height, at) or blank(before - 1)
    return beside([log, tall(own, height)], 1)


# ---------------------------------------------------------------- the others above


def _above(screen: Screen, columns: int, lines: int, at: float) -> Block:
    log_beside = columns >= WIDE
    width = columns - LOG - 1 if log_beside else columns
    title = _own_title(screen, columns)
    for plan in ABOVE:
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
        log = _log(screen, columns - wide - 1, lines - len(above), at)
        return tall([*above, *beside([cards, log], 1)], lines)
    above = [*above, *title, *cards]
    log = _log(screen, columns, max(0, lines - len(above)), at)
    return [*tall(above, lines - len(log)), *log]


def _others(screen: Screen, columns: int, plan: Plan) -> Block:
    seats = other_seats(screen)
    if not seats:
        return []
    least = max(PANEL, *(open_width(screen, seat) for seat in seats))
    bands = -(-len(seats) // max(1, columns // (least + 1)))
    each = -(-len(seats) // bands)
    width = min(columns // each, max(WIDEST, least + 1)) - 1
    panels = [panel(screen, seat, width, plan.others, plan.words) for seat in seats]
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


# ---------------------------------------------------------------- the own title, the log


def _own_title(screen: Screen, columns: int) -> Block:
    """A rule across the table that says who I am, how I stand, and what everybody must know.

    What everybody must know is never cut: it has a row of its own where it finds no room.
    """
    p = pen(screen.ascii)
    told = screen.view.facts if screen.view else ()
    facts = [worded(fact, screen.players, screen.ascii) for fact in told]
    right: Row = [("strong", f" {p.between.join(facts)} "), ("rule", p.across * 2)] if facts else []
    left: Row = [("rule", p.across * 2), *_own_words(screen)]
    on_turn = 0 if screen.my_turn else cells(p.between + _("your turn"))
    below: Block = []
    if facts and width_of(left) + on_turn + width_of(right) > columns:
        right, below = (
            [],
            [[("strong", f" {line}")] for line in listed(facts, p.between, columns - 1, 2)],
        )
    room = columns - width_of(left) - width_of(right)
    return block([[*left, ("rule", p.across * max(0, room)), *right], *below], columns)


def _own_words(screen: Screen) -> Row:
    """Who I am and how I stand; nothing for a watcher."""
    if screen.seat is None or own_hand(screen) is None:
        return []
    score = screen.players[screen.seat].score
    points = [] if score is None else [n_("{n} point", "{n} points", score)]
    told = ["", _("you"), *points, *status_words(screen, screen.seat)]
    style = "turn" if screen.my_turn else ""
    words = (style, f"{pen(screen.ascii).between.join(told)} ")
    return [(style, " "), *name_row(screen, screen.seat), words]


def _log(screen: Screen, width: int, height: int, at: float) -> Block:
    """The last sentences of the log that fit whole, the newest at the bottom and plain."""
    rows: Block = []
    for words in reversed(recent(screen, at)):
        lines = broken(words, width - 1)
        if len(rows) + len(lines) > height:
            break
        rows = [[("", " "), ("dim" if rows else "", line)] for line in lines] + rows
    return block(rows, width)
