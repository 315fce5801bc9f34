"""A round in a wide window: the others sit round the table, seen from this player's place.

What sits where, and how large, follows from the window and the number of players alone, so that
nothing jumps in a round; only the cards in the middle take the room that is left for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.tui.blocks import Block, beside, blank, block, flowed, tall, width_of
from crisp_lan.tui.cards import HEIGHT, WIDTH
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_cards import GAP, own_blocks, room_of, spread_middle
from crisp_lan.tui.paint_own import LOG, log_block, own_title
from crisp_lan.tui.paint_seats import (
    WIDEST,
    Plan,
    hand_width,
    open_width,
    other_seats,
    panel,
    seat_zones,
)

MIDDLE = 5
"""The least rows for the cards in the middle."""
ASIDE = 5
"""Columns of a card that is shown beside a hand."""
FEET = 2
"""Rows below the own cards, kept free so that nothing moves when something is said there."""
WATCHED = 4
"""Rows of the log where nobody's own cards lie beside it."""

PLANS = (
    Plan("large", 2, "huge"),
    Plan("small", 2, "huge"),
    Plan("small", 2, "large"),
    Plan("small", 1, "large"),
)
"""From the roomiest to the tightest; the first that fits is taken."""


def around_block(screen: Screen, columns: int, lines: int, at: float, usual: int) -> Block:
    """The round in exactly that many columns and lines, of which `usual` are always there.

    Nothing if it does not fit.
    """
    for plan in PLANS if other_seats(screen) else ():
        if picture := _planned(screen, columns, lines, at, plan, usual):
            return picture
    return []


def _planned(screen: Screen, columns: int, lines: int, at: float, plan: Plan, usual: int) -> Block:
    left, top, right = _places(other_seats(screen))
    side = max([min(columns // 4, WIDEST), *(open_width(screen, seat) for seat in [*left, *right])])
    wide = _top_width(screen, top, columns, side)
    title = own_title(screen, columns)
    above = plan.panel * bool(top) + len(title)
    needed = max(MIDDLE, plan.panel * len(left))
    own = own_blocks(screen, columns - LOG - 2, plan.own)
    least = max(map(len, own), default=WATCHED)
    kept = max(least, HEIGHT[plan.own] + FEET) if own else WATCHED
    middle = min(usual - kept, lines - least) - above
    roomy = _has_room(screen, top, wide, plan) and _has_room(screen, [*left, *right], side, plan)
    if usual - kept - above < needed or middle < needed or not roomy:
        return []
    below = lines - above - middle
    centre = spread_middle(screen, columns - 2 * (side + GAP), middle)
    if not centre:
        return []
    panels = [panel(screen, seat, wide, plan) for seat in top]
    sides = [
        [row for seat in seats for row in panel(screen, seat, side, plan)]
        for seats in (left[::-1], right)
    ]
    row = [_centred(rows, middle, side) for rows in (sides[0], centre, sides[1])]
    picture = [*block(beside(panels, 1), columns, "center"), *block(beside(row, GAP), columns)]
    return [*picture, *title, *_below(screen, own, columns, below, at)]


def _has_room(screen: Screen, seats: Sequence[int], width: int, plan: Plan) -> bool:
    """Whether the panels have room for each hand, and for a card beside it that may come; small
    cards move together."""
    if width < 0 or plan.others == "small":
        return width >= 0
    hands = [seat_zones(screen, seat)[0] for seat in seats]
    return all(WIDTH[plan.others] * len(hand.faces) + ASIDE < width for hand in hands)


def _places(seats: Sequence[int]) -> tuple[list[int], list[int], list[int]]:
    """Who sits at the left, beyond the table, and at the right, clockwise."""
    sides = 0 if len(seats) < 2 else 1 if len(seats) < 6 else 2
    end = len(seats) - sides
    return list(seats[:sides]), list(seats[sides:end]), list(seats[end:])


def _top_width(screen: Screen, seats: Sequence[int], columns: int, side: int) -> int:
    """The columns of each panel beyond the table; less than none where there is not enough."""
    most = columns // max(1, len(seats)) - 1
    wanted = max([side, *(hand_width(screen, seat) + 1 for seat in seats)])
    needed = max((open_width(screen, seat) for seat in seats), default=0)
    return min(most, wanted) if needed <= most else -1


def _centred(rows: Block, height: int, width: int) -> Block:
    """The rows with as many blank ones above as below; nothing is a blank rectangle."""
    width = width_of(rows[0]) if rows else width
    above = (height - len(rows)) // 2
    return tall([*blank(width, above), *rows], height) if rows else blank(width, height)


def _below(screen: Screen, own: Sequence[Block], columns: int, height: int, at: float) -> Block:
    """The own hand in the middle of the row, or as far right as the log beside it needs."""
    if not own:
        return tall(log_block(screen, columns, height, at) or blank(columns), height)
    hand, wide = width_of(own[0][0]), room_of(own, len(own) - 1)
    before = max(LOG, min((columns - hand) // 2, columns - wide))
    cards = flowed(own, columns - before, GAP)
    log = log_block(screen, before - 1, height, at) or blank(before - 1)
    return beside([tall(log, height), tall(cards, height)], 1)
