"""The cards that do not lie before others: piles and rows in the middle, and this player's own.

Nothing here knows a game. A seat's first row of cards is its hand. In the middle, a row of at most
one face is a pile, any other is cards side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.game.rules import Zone
from crisp_lan.text import cells, cut
from crisp_lan.tui.blocks import Block, Row, beside, blank, block, broken, fit, flowed, width_of
from crisp_lan.tui.cards import (
    SIZES,
    WIDTH,
    Drawn,
    Size,
    card_block,
    empty_block,
    joined_cards,
    pen,
    row_of_cards,
)
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_seats import hand_cards, plain_cards, seat_zones
from crisp_lan.tui.points import seat_point, zone_point
from crisp_lan.tui.wording import name_of
from crisp_lan.words import _, n_

CAPTION = 12
"""The least width of the words at a pile."""
HELD = 16
"""The width of a drawn card with its words, kept free while there is none."""
SLOT = 10
"""The least width of a named place, so that a remark below it moves nothing."""
UNDER = 8
"""The most cells of a name under a card."""
GAP = 3
"""Between two blocks of cards."""


# ---------------------------------------------------------------- the middle


def stacked_middle(screen: Screen, width: int) -> list[Block]:
    """Piles two above each other with their words beside them, then what lies side by side."""
    zones = seat_zones(screen, None)
    piles = [_pile(screen, zone) for zone in zones if _is_pile(zone)]
    stacks = [piles[n : n + 2] for n in range(0, len(piles), 2)]
    blocks = [block(row for pile in stack for row in pile) for stack in stacks]
    return blocks + [_spread(screen, zone, "small", width) for zone in zones if not _is_pile(zone)]


def spread_middle(screen: Screen, width: int, height: int) -> Block:
    """Piles with their words below them and what lies side by side, as large as there is room;
    nothing if there is not."""
    sizes: tuple[Size, ...] = ("large", "small")
    for size in sizes:
        blocks = [
            _standing_pile(screen, zone, size)
            if _is_pile(zone)
            else _spread(screen, zone, size, width)
            for zone in seat_zones(screen, None)
        ]
        shown = flowed(blocks, width, GAP, "center") or blank(width)
        if len(shown) <= height and all(width_of(each[0]) <= width for each in blocks):
            return shown
    return []


def _is_pile(zone: Zone) -> bool:
    return len(zone.faces) <= 1 and not zone.seats


def _pile_card(screen: Screen, zone: Zone, size: Size) -> Block:
    if zone.count == 0:
        return empty_block(size, screen.ascii)
    card = zone.faces[0] if zone.faces else None
    return card_block(Drawn(card, point=zone_point(zone.name)), size, screen.ascii)


def _pile(screen: Screen, zone: Zone) -> Block:
    words = [*_caption(zone.name), n_("{n} card", "{n} cards", zone.count), *_caption(zone.note)]
    drawn = _pile_card(screen, zone, "small")
    return beside([drawn, block([[("", text)] for text in words[:3]])], 1)


def _standing_pile(screen: Screen, zone: Zone, size: Size) -> Block:
    words = [_(zone.name), n_("{n} card", "{n} cards", zone.count), *_caption(zone.note)]
    below: Block = [[("", words[0])], *([("dim", text)] for text in words[1:])]
    return block([*_pile_card(screen, zone, size), *below], align="center")


def _caption(words: str) -> list[str]:
    """The words in lines, narrow, but with no word cut."""
    told = _(words)
    return broken(told, max([CAPTION, *map(cells, told.split())]))


def _spread(screen: Screen, zone: Zone, size: Size, width: int) -> Block:
    """Cards side by side in the middle, with who played them."""
    names = [name_of(seat, screen.players) for seat in zone.seats]
    one = names[:1] if len(names) > 1 and len(set(zone.seats)) == 1 else []
    below = [cut(name, UNDER) for name in names if not one] or [""] * len(zone.faces)
    feet: list[list[Row]] = [[[("", name)]] for name in below]
    note = [f"({_(zone.note)})"] if zone.note else []
    words = pen(screen.ascii).between.join([" ".join([_(zone.name), *note]), *one])
    cards = plain_cards(zone, [zone_point(zone.name)] * len(zone.faces))
    drawn = _side_by_side(screen, cards, size, feet, width)
    return block([[("dim", words)], *drawn])


# ---------------------------------------------------------------- this player's own


def own_blocks(screen: Screen, width: int, size: Size) -> list[Block]:
    """The hand, and beside it what else lies open before this player, such as a drawn card."""
    if screen.seat is None:
        return []
    zones = seat_zones(screen, screen.seat)
    held = [_held(screen, zone, size) for zone in zones[1:] if zone.faces]
    return [*(_hand(screen, zone, width, size) for zone in zones[:1]), *held]


def _hand(screen: Screen, zone: Zone, width: int, size: Size) -> Block:
    """The player's own hand: numbers for the keys, the names of places, remarks."""
    cards = hand_cards(screen, zone)
    feet = [_feet(zone, place, drawn) for place, drawn in enumerate(cards)]
    return _side_by_side(screen, cards, size, feet, width)


def _feet(zone: Zone, place: int, drawn: Drawn) -> list[Row]:
    label = f"{'>' if drawn.cursor else ''}{place + 1}{'*' if drawn.marked else ''}"
    if zone.slots:
        label += f" {_(zone.slots[place])}"
    style = drawn.style if drawn.picked else "strong"
    rows: list[Row] = [[drawn.span(style, label)]]
    if zone.marks:
        rows.append([("dim", _(zone.marks[place]))])
    least = SLOT if zone.slots else 0
    return [fit(row, max(least, width_of(row)), "center") for row in rows]


def _held(screen: Screen, zone: Zone, size: Size) -> Block:
    """Another row of cards before the player, such as the one just drawn."""
    assert zone.owner is not None
    drawn = plain_cards(zone, [seat_point(zone.owner)] * len(zone.faces))
    words = broken(f"{_(zone.name)} {_(zone.note)}", HELD)
    cards = row_of_cards(drawn, size, screen.ascii)
    return block([*cards, *([("", line)] for line in words)], align="center")


def _side_by_side(
    screen: Screen, drawn: list[Drawn], size: Size, feet: list[list[Row]], width: int
) -> Block:
    """The cards as large as asked for, or as there is room."""
    for tried in SIZES[SIZES.index(size) : -1]:
        columns = [max(WIDTH[tried], *(width_of(row) for row in foot)) for foot in feet]
        if sum(columns) + len(columns) <= width:
            return row_of_cards(drawn, tried, screen.ascii, feet)
    if size != "text" and len(drawn) * 4 + 1 <= width:
        return joined_cards(drawn, screen.ascii, feet)
    each = [row_of_cards([card], "text", screen.ascii, [foot]) for card, foot in zip(drawn, feet)]
    return flowed(each, width, 1) if each else blank(width)


def room_of(blocks: Sequence[Block], shown: int) -> int:
    """The width of the blocks beside each other, with room for a held card that is not there.

    `shown`: how many of the last blocks are held cards.
    """
    lasting = blocks[: len(blocks) - shown]
    return sum(width_of(each[0]) + GAP for each in lasting if each) + HELD
