"""A seat of a round in words and cards: whose turn, who is away, what everybody knows of it."""

from __future__ import annotations

from dataclasses import replace

from crisp_lan.game.rules import Player, Zone
from crisp_lan.text import harmless
from crisp_lan.tui.blocks import Row, ends
from crisp_lan.tui.cards import Drawn, pen
from crisp_lan.tui.model import Screen
from crisp_lan.tui.picking import candidates, chosen
from crisp_lan.tui.wording import number, worded
from crisp_lan.words import _


def other_seats(screen: Screen) -> list[int]:
    """Everybody in the round but this player, clockwise from the left neighbour."""
    count = len(screen.players)
    start = -1 if screen.seat is None else screen.seat
    dealt_in = {zone.owner for zone in screen.view.zones} if screen.view else set()
    around = [(start + 1 + n) % count for n in range(count)]
    return [seat for seat in around if seat != screen.seat and seat in dealt_in]


def title_row(screen: Screen, seat: int, width: int) -> Row:
    """Whose turn, the seat's number, the name, and the score at the right end."""
    score = screen.players[seat].score
    right: Row = [] if score is None else [("", number(score))]
    return ends(name_row(screen, seat), [*right, ("", " ")], width)


def name_row(screen: Screen, seat: int) -> Row:
    """Whose turn, the seat's number and the name."""
    turn = screen.view is not None and screen.view.turn == seat
    words = f"{seat + 1} {harmless(screen.players[seat].name)}"
    sign = pen(screen.ascii).turn if turn else " "
    return [("turn", sign), (_name_style(screen, seat), words)]


def _name_style(screen: Screen, seat: int) -> str:
    """How a player's name is set: picked, on turn, away, or plain."""
    picking = screen.picking
    offered = candidates(screen)
    if picking and picking.cursor < len(offered) and offered[picking.cursor].pick == seat:
        return "cursor"
    if any(one.pick == seat for one in chosen(screen)):
        return "marked"
    if screen.view is not None and screen.view.turn == seat:
        return "turn"
    return "dim" if screen.players[seat].by in ("nobody", "left") else "strong"


def status_words(screen: Screen, seat: int) -> list[str]:
    """All that must be known of a seat, in words, the most pressing first."""
    view = screen.view
    words: list[str] = []
    if view and view.turn == seat:
        words.append(_("your turn") if seat == screen.seat else _("has the turn"))
    words += presence_words(screen.players[seat])
    words += [
        worded(tag.text, screen.players, screen.ascii)
        for tag in (view.tags if view else ())
        if tag.seat == seat
    ]
    zones = [zone for zone in (view.zones if view else ()) if zone.owner == seat]
    words += [text for zone in zones[:1] if seat != screen.seat for text in _remarks(zone)]
    words += [_zone_words(zone) for zone in zones[1:] if seat != screen.seat or not zone.faces]
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


def _zone_words(zone: Zone) -> str:
    """What a further row of cards is; how many, where they are not shown as cards."""
    count = "" if zone.faces else str(zone.count)
    return " ".join(filter(None, (_(zone.name), count, _(zone.note))))


def plain_cards(zone: Zone) -> list[Drawn]:
    """The cards of a row, none of them picked out."""
    marks = zone.marks or ("",) * len(zone.faces)
    return [Drawn(card, bool(mark)) for card, mark in zip(zone.faces, marks)]


def hand_cards(screen: Screen, zone: Zone) -> list[Drawn]:
    """The cards of a seat's hand, with the cursor and the marks of what is being picked."""
    cards = plain_cards(zone)
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
