"""A round on the table: the others above, the middle and the own cards below, and a short log.

Nothing here knows a game. A seat's first row of cards is its hand; further rows of others are told
in words. In the middle, a row of at most one face is a pile, any other is cards side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from crisp_lan.game.rules import Text, Zone
from crisp_lan.text import cells, cut
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    blank,
    block,
    broken,
    fit,
    flowed,
    listed,
    tall,
    width_of,
)
from crisp_lan.tui.cards import (
    HEIGHT,
    WIDTH,
    Drawn,
    Size,
    card_block,
    empty_block,
    joined_cards,
    pen,
    row_of_cards,
)
from crisp_lan.tui.model import Screen, own_hand, recent
from crisp_lan.tui.paint_seats import (
    hand_cards,
    name_row,
    other_seats,
    plain_cards,
    status_words,
    title_row,
)
from crisp_lan.tui.wording import name_of, worded
from crisp_lan.words import _, n_

PANEL = 19
"""The least width of a player's panel."""
WIDEST = 34
"""The width that it takes at most, unless an open hand needs more."""
CAPTION = 12
"""The least width of the words at a pile."""
HELD = 16
"""The width of a drawn card with its words, kept free while there is none."""
SLOT = 10
"""The least width of a named place, so that a remark below it moves nothing."""
LOG = 26
"""The least width of a log that stands beside the cards."""
UNDER = 8
"""The most cells of a name under a card."""
GAP = 3
"""Between two blocks of cards."""
WIDE = 100
"""From so many columns the log stands beside the cards."""


def round_block(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """The round in exactly that many columns and lines."""
    log_beside = columns >= WIDE
    width = columns - LOG - 1 if log_beside else columns
    for plan in PLANS:
        above = _others(screen, columns, plan)
        title = _own_title(screen, columns)
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


@dataclass(frozen=True, slots=True)
class Plan:
    """How much room things take: the others' cards, words below them, the own cards."""

    others: Size
    words: int
    own: Size


PLANS = (
    Plan("small", 2, "large"),
    Plan("small", 1, "large"),
    Plan("text", 2, "large"),
    Plan("text", 2, "small"),
    Plan("text", 1, "small"),
    Plan("text", 1, "text"),
)
"""From the roomiest to the tightest; the first that fits is taken."""


# ---------------------------------------------------------------- the others


def _others(screen: Screen, columns: int, plan: Plan) -> Block:
    seats = other_seats(screen)
    if not seats:
        return []
    least = max(PANEL, *(_open_width(screen, seat) for seat in seats))
    bands = -(-len(seats) // max(1, columns // (least + 1)))
    each = -(-len(seats) // bands)
    width = min(columns // each, max(WIDEST, least + 1)) - 1
    panels = [_panel(screen, seat, width, plan) for seat in seats]
    rows: Block = []
    for first in range(0, len(panels), each):
        rows += block(beside(panels[first : first + each], 1), columns, "center")
    return rows


def _open_width(screen: Screen, seat: int) -> int:
    """The width that a hand needs so that every card of it can be seen, where it lies open."""
    zones = [zone for zone in screen.view.zones if zone.owner == seat] if screen.view else []
    faces = zones[0].faces if zones else ()
    held = sum(len(zone.faces) for zone in zones[1:])
    return 2 + 4 * len(faces) + 5 * held if None not in faces else 0


def _panel(screen: Screen, seat: int, width: int, plan: Plan) -> Block:
    zones = [zone for zone in screen.view.zones if zone.owner == seat] if screen.view else []
    rows = [title_row(screen, seat, width), *_panel_cards(screen, zones, width - 1, plan.others)]
    between = pen(screen.ascii).between
    words = listed(status_words(screen, seat), between, width - 1, plan.words)
    rows += [[("", f" {line}")] for line in words]
    return tall(block(rows, width), 1 + plan.words + HEIGHT[plan.others])


def _panel_cards(screen: Screen, zones: Sequence[Zone], width: int, size: Size) -> Block:
    """A hand, and beside it other cards that the player holds."""
    held = [card for zone in zones[1:] for card in plain_cards(zone)]
    row = [_panel_hand(screen, zone, width - 5 * len(held), size) for zone in zones[:1]]
    row += [_aside([("", "+"), *card_block(card, "text", screen.ascii)[0]], size) for card in held]
    return [[("", " "), *cards] for cards in beside(row, 1)]


def _panel_hand(screen: Screen, zone: Zone, width: int, size: Size) -> Block:
    cards = hand_cards(screen, zone)
    if zone.count > len(cards) or len(cards) * 4 + 1 > width:
        back = card_block(Drawn(None), size, screen.ascii)
        return beside([back, _aside([("", f"x {zone.count}")], size)], 1)
    if size == "small" and len(cards) * WIDTH["small"] > width:
        return joined_cards(cards, screen.ascii)
    return row_of_cards(cards, size, screen.ascii, gap=1 if size == "text" else 0)


def _aside(row: Row, size: Size) -> Block:
    """A row of text at the middle of the cards beside it."""
    return block([*blank(0, HEIGHT[size] // 2), row])


# ---------------------------------------------------------------- the middle and the own cards


def _own_title(screen: Screen, columns: int) -> Block:
    """A rule across the table that says who I am, how I stand, and what everybody must know.

    What everybody must know is never cut: it has a row of its own where it finds no room.
    """
    p = pen(screen.ascii)
    facts = [worded(fact, screen.players, screen.ascii) for fact in _facts(screen)]
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
    return [
        ("", " "),
        *name_row(screen, screen.seat),
        ("", f"{pen(screen.ascii).between.join(told)} "),
    ]


def _facts(screen: Screen) -> Sequence[Text]:
    return screen.view.facts if screen.view else ()


def _cards(screen: Screen, width: int, plan: Plan) -> Block:
    zones = screen.view.zones if screen.view else ()
    middle = [zone for zone in zones if zone.owner is None]
    own = [zone for zone in zones if screen.seat is not None and zone.owner == screen.seat]
    own = [*own[:1], *(zone for zone in own[1:] if zone.faces)]
    piles = [_pile(screen, zone) for zone in middle if _is_pile(zone)]
    stacks = [piles[n : n + 2] for n in range(0, len(piles), 2)]
    blocks = [block(row for pile in stack for row in pile) for stack in stacks]
    blocks += [_spread(screen, zone, width - 1) for zone in middle if not _is_pile(zone)]
    blocks += [
        _hand(screen, zone, width - 1, plan.own) if n == 0 else _held(screen, zone, plan.own)
        for n, zone in enumerate(own)
    ]
    rows = [[("", " "), *_trimmed(row)] for row in flowed(blocks, width - 1, GAP)]
    lasting = blocks[: len(blocks) - len(own[1:])]
    kept = 1 + sum(width_of(each[0]) + GAP for each in lasting if each) + HELD
    return block(rows, min(width, max([kept, *map(width_of, rows)])))


def _trimmed(row: Row) -> Row:
    """The row without the blanks at its end."""
    while row and not row[-1][1].strip():
        row = row[:-1]
    return row


def _is_pile(zone: Zone) -> bool:
    return len(zone.faces) <= 1 and not zone.seats


def _pile(screen: Screen, zone: Zone) -> Block:
    if zone.count == 0:
        drawn = empty_block("small", screen.ascii)
    else:
        card = zone.faces[0] if zone.faces else None
        drawn = card_block(Drawn(card), "small", screen.ascii)
    words = [*_caption(zone.name), n_("{n} card", "{n} cards", zone.count), *_caption(zone.note)]
    return beside([drawn, block([[("", text)] for text in words[:3]])], 1)


def _caption(words: str) -> list[str]:
    """The words in lines, narrow, but with no word cut."""
    told = _(words)
    return broken(told, max([CAPTION, *map(cells, told.split())]))


def _spread(screen: Screen, zone: Zone, width: int) -> Block:
    """Cards side by side in the middle, with who played them."""
    names = [name_of(seat, screen.players) for seat in zone.seats]
    one = names[:1] if len(names) > 1 and len(set(zone.seats)) == 1 else []
    below = [cut(name, UNDER) for name in names if not one] or [""] * len(zone.faces)
    feet: list[list[Row]] = [[[("", name)]] for name in below]
    note = [f"({_(zone.note)})"] if zone.note else []
    words = pen(screen.ascii).between.join([" ".join([_(zone.name), *note]), *one])
    return block(
        [[("dim", words)], *_side_by_side(screen, plain_cards(zone), "small", feet, width)]
    )


def _hand(screen: Screen, zone: Zone, width: int, size: Size) -> Block:
    """The player's own hand: numbers for the keys, the names of places, remarks."""
    feet = [_feet(screen, zone, place) for place in range(len(zone.faces))]
    return _side_by_side(screen, hand_cards(screen, zone), size, feet, width)


def _feet(screen: Screen, zone: Zone, place: int) -> list[Row]:
    drawn = hand_cards(screen, zone)[place]
    label = f"{'>' if drawn.cursor else ''}{place + 1}{'*' if drawn.marked else ''}"
    if zone.slots:
        label += f" {_(zone.slots[place])}"
    style = "strong" if drawn.style == "card" else drawn.style
    rows: list[Row] = [[(style, label)]]
    if zone.marks:
        rows.append([("dim", _(zone.marks[place]))])
    least = SLOT if zone.slots else 0
    return [fit(row, max(least, width_of(row)), "center") for row in rows]


def _held(screen: Screen, zone: Zone, size: Size) -> Block:
    """Another row of cards before the player, such as the one just drawn."""
    cards = row_of_cards(plain_cards(zone), size, screen.ascii)
    words = broken(f"{_(zone.name)} {_(zone.note)}", HELD)
    return block([*cards, *([("", line)] for line in words)], align="center")


def _side_by_side(
    screen: Screen, drawn: list[Drawn], size: Size, feet: list[list[Row]], width: int
) -> Block:
    """The cards as large as asked for, or as there is room."""
    sizes: tuple[Size, ...] = ("large", "small") if size == "large" else (size,)
    for tried in sizes:
        columns = [max(WIDTH[tried], *(width_of(row) for row in foot)) for foot in feet]
        if sum(columns) + len(columns) <= width:
            return row_of_cards(drawn, tried, screen.ascii, feet)
    if size != "text" and len(drawn) * 4 + 1 <= width:
        return joined_cards(drawn, screen.ascii, feet)
    each = [row_of_cards([card], "text", screen.ascii, [foot]) for card, foot in zip(drawn, feet)]
    return flowed(each, width, 1) if each else blank(width)


# ---------------------------------------------------------------- the log


def _log(screen: Screen, width: int, height: int, at: float) -> Block:
    """The last sentences of the log that fit whole, the newest at the bottom and plain."""
    rows: Block = []
    for words in reversed(recent(screen, at)):
        lines = broken(words, width - 1)
        if len(rows) + len(lines) > height:
            break
        rows = [[("", " "), ("dim" if rows else "", line)] for line in lines] + rows
    return block(rows, width)
