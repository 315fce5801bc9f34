"""A seat of a round in words and cards: whose turn, who is away, what everybody knows of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crisp_lan.game.rules import Player, Zone
from crisp_lan.text import harmless
from crisp_lan.tui.blocks import Block, Row, beside, blank, block, ends, listed, tall
from crisp_lan.tui.cards import (
    HEIGHT,
    WIDTH,
    Drawn,
    Size,
    card_block,
    joined_cards,
    pen,
    row_of_cards,
)
from crisp_lan.tui.model import Screen
from crisp_lan.tui.picking import candidates, chosen
from crisp_lan.tui.points import card_point, looks_of, pointed, seat_point
from crisp_lan.tui.wording import number, worded
from crisp_lan.words import _

WIDEST = 34
"""The most columns of a panel, unless its cards need more."""


def other_seats(screen: Screen) -> list[int]:
    """Everybody in the round but this player, clockwise from the left neighbour."""
    count = len(screen.players)
    start = -1 if screen.seat is None else screen.seat
    dealt_in = {zone.owner for zone in screen.view.zones} if screen.view else set()
    around = [(start + 1 + n) % count for n in range(count)]
    return [seat for seat in around if seat != screen.seat and seat in dealt_in]


# ---------------------------------------------------------------- in words


def title_row(screen: Screen, seat: int, width: int) -> Row:
    """Whose turn, the seat's number, the name, and the score at the right end."""
    score = screen.players[seat].score
    right: Row = [] if score is None else [("", number(score))]
    row = ends(name_row(screen, seat), [*right, ("", " ")], width)
    if not _on_turn(screen, seat):
        return row
    return [(style if looks_of(style) else f"turn {style}".strip(), text) for style, text in row]


def name_row(screen: Screen, seat: int) -> Row:
    """Whose turn, the seat's number and the name."""
    words = f"{seat + 1} {harmless(screen.players[seat].name)}"
    sign = pen(screen.ascii).turn if _on_turn(screen, seat) else " "
    row: Row = [("turn" if sign != " " else "", sign), (_name_style(screen, seat), words)]
    return pointed(row, seat_point(seat))


def _on_turn(screen: Screen, seat: int) -> bool:
    return screen.view is not None and screen.view.turn == seat


def _name_style(screen: Screen, seat: int) -> str:
    """How a player's name is set: picked, on turn, away, or plain."""
    picking = screen.picking
    offered = candidates(screen)
    if picking and picking.cursor < len(offered) and offered[picking.cursor].pick == seat:
        return "cursor"
    if any(one.pick == seat for one in chosen(screen)):
        return "marked"
    if _on_turn(screen, seat):
        return "turn"
    return "dim" if screen.players[seat].by in ("nobody", "left") else "strong"


def status_words(screen: Screen, seat: int, beside_cards: bool = False) -> list[str]:
    """All that must be known of a seat, in words, the most pressing first. `beside_cards`: a card
    that is held is seen, too, so that only where it comes from is told."""
    view = screen.view
    words: list[str] = []
    if view and view.turn == seat:
        words.append(_("your turn") if seat == screen.seat else _("has the turn"))
    tags = [tag for tag in (view.tags if view else ()) if tag.seat == seat]
    told = [worded(tag.text, screen.players, screen.ascii) for tag in tags]
    words += [text for tag, text in zip(tags, told) if tag.loud]
    words += presence_words(screen.players[seat])
    words += [text for tag, text in zip(tags, told) if not tag.loud]
    zones = seat_zones(screen, seat)
    words += [text for zone in zones[:1] if seat != screen.seat for text in _remarks(zone)]
    further = [zone for zone in zones[1:] if seat != screen.seat or not zone.faces]
    words += [_zone_words(zone, beside_cards) for zone in further]
    return words


def presence_words(player: Player) -> list[str]:
    """Who plays a seat, where it is not simply the person."""
    words = {"nobody": _("away"), "left": _("has left"), "bot": _("bot")}
    return [words[player.by]] if player.by in words else []


def _remarks(zone: Zone) -> list[str]:
    """The remarks on single cards, each with its place."""
    return [
        f"{_(mark)}: {_(zone.slots[place]) if zone.slots else place + 1}"
        for place, mark in enumerate(zone.marks)
        if mark
    ]


def _zone_words(zone: Zone, beside_cards: bool) -> str:
    """What a further row of cards is; how many, where they are not shown as cards."""
    if beside_cards and zone.faces and zone.note:
        return _(zone.note)
    count = "" if zone.faces else str(zone.count)
    return " ".join(filter(None, (_(zone.name), count, _(zone.note))))


# ---------------------------------------------------------------- its cards


def seat_zones(screen: Screen, seat: int | None) -> list[Zone]:
    """The rows of cards that lie before a seat, its hand first; None: in the middle."""
    return [zone for zone in screen.view.zones if zone.owner == seat] if screen.view else []


def plain_cards(zone: Zone, points: Sequence[str] = ()) -> list[Drawn]:
    """The cards of a row, none of them picked out, each at its point."""
    marks = zone.marks or ("",) * len(zone.faces)
    points = points or ("",) * len(zone.faces)
    return [
        Drawn(card, bool(mark), point=point) for card, mark, point in zip(zone.faces, marks, points)
    ]


def hand_cards(screen: Screen, zone: Zone) -> list[Drawn]:
    """The cards of a seat's hand, with the cursor and the marks of what is being picked."""
    assert zone.owner is not None
    cards = plain_cards(zone, [card_point(zone.owner, n) for n in range(len(zone.faces))])
    picking = screen.picking
    for n, candidate in enumerate(candidates(screen)):
        if picking and candidate.spot and candidate.spot[0] == zone.owner:
            place = candidate.spot[1]
            cards[place] = replace(
                cards[place], cursor=n == picking.cursor, marked=n in picking.marked
            )
    for one in chosen(screen):
        if one.spot and one.spot[0] == zone.owner:
            cards[one.spot[1]] = replace(cards[one.spot[1]], marked=True)
    return cards


# ---------------------------------------------------------------- as a panel


@dataclass(frozen=True, slots=True)
class Plan:
    """How much room things take: the others' cards, words below them, the own cards."""

    others: Size
    words: int
    own: Size

    @property
    def panel(self) -> int:
        """The rows of a panel."""
        return 1 + HEIGHT[self.others] + self.words


def hand_width(screen: Screen, seat: int) -> int:
    """The width of a panel in which every card of a seat has a place."""
    zones = seat_zones(screen, seat)
    held = sum(len(zone.faces) for zone in zones[1:])
    return 2 + 4 * len(zones[0].faces) + 5 * held if zones else 0


def open_width(screen: Screen, seat: int) -> int:
    """The same where the cards lie open, so that each must be seen."""
    zones = seat_zones(screen, seat)
    return hand_width(screen, seat) if zones and None not in zones[0].faces else 0


def panel(screen: Screen, seat: int, width: int, plan: Plan) -> Block:
    """Another player: name and score, the cards, and rows of words."""
    cards = _panel_cards(screen, seat, width - 1, plan.others)
    style = "warn" if is_loud(screen, seat) else ""
    words = _panel_words(screen, seat, width - 1, plan.words)
    told: Block = [[(style, f" {line}")] for line in words]
    return tall(block([title_row(screen, seat, width), *cards, *told], width), plan.panel)


def _panel_words(screen: Screen, seat: int, width: int, height: int) -> list[str]:
    """What is told of a seat; the sign at its name does for the turn where not all finds room."""
    words, between = status_words(screen, seat, beside_cards=True), pen(screen.ascii).between
    if len(listed(words, between, width, len(words))) > height and _on_turn(screen, seat):
        words = words[1:]
    return listed(words, between, width, height)


def is_loud(screen: Screen, seat: int) -> bool:
    """Whether there is something of the seat that nobody may miss."""
    return any(tag.loud and tag.seat == seat for tag in (screen.view.tags if screen.view else ()))


def _panel_cards(screen: Screen, seat: int, width: int, size: Size) -> Block:
    """A hand, and beside it other cards that the player holds."""
    zones = seat_zones(screen, seat)
    held = [card for zone in zones[1:] for card in plain_cards(zone)]
    row = [_panel_hand(screen, zone, width - 5 * len(held), size) for zone in zones[:1]]
    row += [_aside([("", "+"), *card_block(card, "text", screen.ascii)[0]], size) for card in held]
    return [[("", " "), *cards] for cards in beside(row, 1)]


def _panel_hand(screen: Screen, zone: Zone, width: int, size: Size) -> Block:
    cards = hand_cards(screen, zone)
    if zone.count > len(cards) or len(cards) * 4 + 1 > width:
        back = card_block(Drawn(None), size, screen.ascii)
        return beside([back, _aside([("", f"x {zone.count}")], size)], 1)
    if size != "text" and len(cards) * WIDTH[size] > width:
        return joined_cards(cards, screen.ascii)
    return row_of_cards(cards, size, screen.ascii, gap=1 if size == "text" else 0)


def _aside(row: Row, size: Size) -> Block:
    """A row of text at the middle of the cards beside it."""
    return block([*blank(0, HEIGHT[size] // 2), row])
