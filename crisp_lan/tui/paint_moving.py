"""Cards on their way, over the finished picture; always as backs."""

from __future__ import annotations

from collections.abc import Mapping

from crisp_lan.tui.blocks import Block, laid
from crisp_lan.tui.cards import HEIGHT, WIDTH, Drawn, Size, card_block
from crisp_lan.tui.model import Screen
from crisp_lan.tui.moving import LASTS
from crisp_lan.tui.points import Place, card_at, card_point, places, seat_point


def with_moves(screen: Screen, rows: Block, at: float) -> Block:
    """The picture with the cards that are on their way at this moment."""
    done = (at - screen.moved_at) / LASTS
    if not screen.moving or not 0 <= done < 1 or screen.lost_at is not None:
        return rows
    found = places(rows)
    for move in screen.moving:
        start, end = _place(found, move.start), _place(found, move.end)
        if start and end:
            rows = _laid(rows, start, end, done * done * (3 - 2 * done), screen.ascii)
    return rows


def _laid(rows: Block, start: Place, end: Place, share: float, ascii: bool) -> Block:
    """A card over the picture, as far on its way from one place to another as `share` says."""
    size: Size = "small" if min(start.lines, end.lines) >= HEIGHT["small"] else "text"
    across, down = (
        one * (1 - share) + other * share for one, other in zip(start.middle, end.middle)
    )
    piece = card_block(Drawn(None, cursor=True), size, ascii)
    return laid(rows, piece, round(across - WIDTH[size] / 2), round(down - HEIGHT[size] / 2))


def _place(found: Mapping[str, Place], point: str) -> Place | None:
    """Where a point is; a card that is not shown is where its seat is."""
    card = card_at(point)
    if point in found or card is None:
        return found.get(point)
    seat = card[0]
    return found.get(card_point(seat, 0), found.get(seat_point(seat)))
