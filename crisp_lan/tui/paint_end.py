"""A round's end as a picture: hands open, what each brought, scores, who is near the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from crisp_lan.game.rules import Seat
from crisp_lan.text import cells, harmless
from crisp_lan.tui.blocks import Block, Row, beside, block, broken, fit, tall, width_of
from crisp_lan.tui.cards import WIDTH, Drawn, Size, pen, row_of_cards
from crisp_lan.tui.model import Screen, recent
from crisp_lan.tui.paint_seats import presence_words
from crisp_lan.tui.wording import number, worded
from crisp_lan.words import _, filled

BAR = 8
NEAR = 0.75
"""From this share of the target on, what is missing is said."""


def end_block(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """The sheet of the round in exactly that many columns and lines."""
    seats = [seat for seat, player in enumerate(screen.players) if player.playing]
    height, _size = _row_height(len(seats), lines)
    shape, hands = _fitting(screen, seats, columns, lines)
    size = shape.size
    parts = [[("", " ")], *(_headings(screen, shape))]
    rows: Block = [fit([span for part in parts for span in part], columns)]
    for seat, hand in hands.items():
        told = _seat_block(screen, seat, hand, shape)
        told += [[("dim", f"   {_tag_words(screen, seat)}")]] if size == "text" else []
        rows += tall(block(told, columns), height)
    rows.append([("rule", pen(screen.ascii).across * columns)])
    words = [part for told in recent(screen, at)[-4:] for part in broken(told, columns - 2)]
    below: Block = [[("", " "), ("strong", line)] for line in words]
    below += [[("", f" {line}")] for line in broken(waiting_words(screen), columns - 2)]
    room = max(0, lines - len(rows))
    rows += block(below[-room:] if room else [], columns)
    return tall(rows, lines)


def _fitting(
    screen: Screen, seats: Sequence[Seat], columns: int, lines: int
) -> tuple[Shape, dict[Seat, Block]]:
    """The roomiest sheet of which nothing is cut, with the hands on it; else the narrowest."""
    wide = columns >= 100
    _height, size = _row_height(len(seats), lines)
    named = 4 + max((cells(harmless(screen.players[seat].name)) for seat in seats), default=0)
    tagged = 3 + max((cells(_tag_words(screen, seat)) for seat in seats), default=0)
    most = columns
    for tight, cards, gap in (
        *((False, size, 2), (True, size, 2), (True, "text", 2)),
        *((True, "text", 1), (True, "text", 1)),
    ):
        hands = {seat: _hand(screen, seat, cards, most) for seat in seats}
        held = _widest(hands.values())
        roomy = wide or (cards == "small" and not held)
        told = tagged if cards == "small" else 0
        name = max(told, min(30 if roomy else 20, named if tight else columns))
        shape = Shape(name, cards, held, BAR if wide else 0, gap)
        over = _width(screen, seats, shape) - columns
        if over <= 0:
            break
        most = held - over if gap == 1 else columns
    return shape, hands


def _width(screen: Screen, seats: Sequence[Seat], shape: Shape) -> int:
    """How many columns the sheet takes."""
    numbers = sum(shape.gap + width for _title, width in _columns(screen))
    last = max([cells(_goal(screen)), *(width_of(_last(screen, seat, shape)) for seat in seats)])
    return 1 + shape.name + shape.gap + shape.hands + numbers + shape.gap + last


def waiting_words(screen: Screen) -> str:
    """Whose word the table waits for to go on, once this player has given it; else ""."""
    if screen.show is None or screen.over or screen.show.table.phase != "reveal":
        return ""
    mine = None if screen.seat is None else screen.players[screen.seat]
    waiting = [
        harmless(player.name)
        for player in screen.players
        if player.playing and player.by == "person" and not player.ready
    ]
    if (mine and mine.playing and not mine.ready) or not waiting:
        return ""
    return filled(_("Waiting for {names}."), {"names": ", ".join(waiting)})


@dataclass(frozen=True, slots=True)
class Shape:
    """The width of the names, the size of the cards, the width of the hands and of the bars, and
    the gap between them."""

    name: int
    size: Size
    hands: int
    bar: int
    gap: int


def _widest(hands: Iterable[Block]) -> int:
    """The width of the hands with their heading; none where nobody holds a card."""
    widest = max((width_of(row) for hand in hands for row in hand), default=0)
    return max(cells(_("cards")), widest) if widest else 0


def _row_height(seats: int, lines: int) -> tuple[int, Size]:
    """How many rows each seat gets, and how its cards are drawn."""
    room = (lines - 4) // max(1, seats)
    if room >= 3:
        return min(room, 4), "small"
    return max(1, room), "text"


def _headings(screen: Screen, shape: Shape) -> list[Row]:
    numbers = [
        [("dim", title.rjust(width + len(title) - cells(title)))]
        for title, width in _columns(screen)
    ]
    gap: Row = [("", " " * shape.gap)]
    cards = fit([("dim", _("cards"))], shape.hands)
    return [
        fit([("dim", "  " + _("player"))], shape.name),
        gap,
        cards,
        *(row for n in numbers for row in (gap, n)),
        gap,
        [("dim", _goal(screen))],
    ]


def _goal(screen: Screen) -> str:
    target = screen.show.table.target if screen.show else None
    return "" if target is None else filled(_("up to {n}"), {"n": target})


def _columns(screen: Screen) -> list[tuple[str, int]]:
    """The titles of the columns of numbers, and how wide each is."""
    titles = [_(name) for name, _numbers in (screen.view.sheet if screen.view else ())]
    return [(title, max(4, cells(title))) for title in [*titles, _("score"), _("place")]]


def _hand(screen: Screen, seat: Seat, size: Size, most: int) -> Block:
    """The cards that a seat holds; written, in as many rows as that many columns ask for."""
    zones = screen.view.zones if screen.view else ()
    hand = next((zone for zone in zones if zone.owner == seat), None)
    if hand is None or not hand.faces:
        return [[]]
    cards = [Drawn(card) for card in hand.faces]
    if size != "text":
        return row_of_cards(cards, size, screen.ascii, gap=0)
    each = max(1, (most + 1) // (WIDTH["text"] + 1))
    rows = (cards[at : at + each] for at in range(0, len(cards), each))
    return [line for row in rows for line in row_of_cards(row, size, screen.ascii)]


def _seat_block(screen: Screen, seat: Seat, hand: Block, shape: Shape) -> Block:
    """One seat's part of the sheet; what is one row high stands at the middle of the cards."""
    mine = "strong" if seat == screen.seat else ""
    names: Block = [[("strong", f"{seat + 1} "), (mine, harmless(screen.players[seat].name))]]
    if shape.size == "small":
        names = [[], *names, [("dim", f"  {_tag_words(screen, seat)}")]]
    numbers = [_middle([row], shape.size) for row in _numbers(screen, seat)]
    cards = block(hand, shape.hands)
    last = _middle([_last(screen, seat, shape)], shape.size)
    parts = [block(names, shape.name), cards, *numbers, last]
    return [[("", " "), *row] for row in beside(parts, shape.gap)]


def _last(screen: Screen, seat: Seat, shape: Shape) -> Row:
    """How far the seat is on its way, and what else there is to say of it."""
    gap: Row = [("", " ")] if shape.bar else []
    bar = _bar(screen, screen.players[seat].score, shape.bar)
    return [*bar, *gap, ("warn", _words(screen, seat))]


def _tag_words(screen: Screen, seat: Seat) -> str:
    tags = [tag.text for tag in (screen.view.tags if screen.view else ()) if tag.seat == seat]
    return pen(screen.ascii).between.join(worded(t, screen.players, screen.ascii) for t in tags)


def _middle(rows: Block, size: Size) -> Block:
    return block([[], *rows] if size == "small" else rows)


def _numbers(screen: Screen, seat: Seat) -> list[Row]:
    """The seat's numbers."""
    rows: list[Row] = []
    columns = _columns(screen)
    for (_name, column), (_title, width) in zip(screen.view.sheet if screen.view else (), columns):
        values = dict(column)
        change = is_change(screen, values)
        text = signed(values[seat], change) if seat in values else ""
        rows.append(fit([("strong" if change else "", text)], width, "right"))
    player = screen.players[seat]
    for (_title, width), n in zip(columns[-2:], (player.score, player.place)):
        rows.append(fit([("strong", "" if n is None else number(n))], width, "right"))
    return rows


def is_change(screen: Screen, column: Mapping[Seat, int]) -> bool:
    """Whether a column is one of changes: not all seats have a number in it."""
    return len(column) < sum(player.playing for player in screen.players)


def signed(n: int, change: bool) -> str:
    """A number, with its sign also where it is a rise."""
    return f"+{n}" if change and n > 0 else number(n)


def _bar(screen: Screen, score: int | None, width: int) -> Row:
    """How far a score is on its way to the target."""
    target = screen.show.table.target if screen.show else None
    if not target or score is None:
        return []
    p, full = pen(screen.ascii), width * max(0, min(score, target)) // target
    return [("bar", p.full * full), ("dim", p.rest * (width - full))]


def _words(screen: Screen, seat: Seat) -> str:
    """Who wins, who is near the target, who is away."""
    assert screen.show is not None
    player, target = screen.players[seat], screen.show.table.target
    words = [_("wins")] if seat in screen.show.table.winners else []
    words += presence_words(player) if player.by != "bot" else []
    if target and player.score is not None and NEAR * target <= player.score < target:
        words.append(filled(_("{n} to go"), {"n": target - player.score}))
    return pen(screen.ascii).between.join(words)
