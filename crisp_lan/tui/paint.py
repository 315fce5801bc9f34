"""A `Screen` as rows of styled text: `rows(screen, columns, lines, at)`.

The rows fill the window exactly. A span is a style's name and a text; STYLES lists the names, and
whoever shows the rows gives them their looks. Nothing is told by a style alone.
"""

from __future__ import annotations

from crisp_lan.game.rules import Zone
from crisp_lan.text import harmless
from crisp_lan.tui.blocks import Block, Row, blank, block, broken, ends, fit, listed, printed, tall
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_end import end_block
from crisp_lan.tui.paint_foot import foot
from crisp_lan.tui.paint_guide import help_block, with_lesson
from crisp_lan.tui.paint_lobby import addresses, lobby_block, player_words
from crisp_lan.tui.paint_moving import with_moves
from crisp_lan.tui.paint_round import round_block
from crisp_lan.tui.paint_seats import other_seats, status_words
from crisp_lan.tui.wording import face, name_of, number
from crisp_lan.words import _, filled, n_

STYLES = {
    "": "plain text",
    "dim": "less important",
    "strong": "more important",
    "title": "the row at the top, and headings",
    "rule": "a line across the table",
    "card": "the edge of a card",
    "face": "a card's rank and suit, black",
    "red": "a card's rank and suit, red",
    "back": "the pattern on the back of a card",
    "back.edge": "its edge",
    "cursor": "what Enter would pick",
    "marked": "a card marked to be played",
    "turn": "whose turn it is",
    "key": "a key that does something",
    "bar": "the part of a bar that is full",
    "loud": "a banner, or the words of a loud clock: must not be missed",
    "loud.bar": "its bar",
    "loud.key": "the key that answers it",
    "warn": "what the player must be told",
}
LEAST_COLUMNS = 80
LEAST_LINES = 24
FOOT = 6
"""The most lines that the foot takes as a rule."""


def rows(screen: Screen, columns: int, lines: int, at: float) -> list[Row]:
    """The whole window at the moment `at`: exactly `lines` rows of `columns` cells."""
    painted = _painted(screen, columns, lines, at)
    return printed(with_moves(screen, painted, at), screen.ascii)


def _painted(screen: Screen, columns: int, lines: int, at: float) -> Block:
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        return _small(screen, columns, lines, at)
    below = with_lesson(screen, foot(screen, columns, at), columns, at)
    room = lines - 1 - len(below)
    body = _body(screen, columns, room, at, lines - 1 - FOOT)
    return block([_header(screen, columns), *body, *below], columns)


def _body(screen: Screen, columns: int, lines: int, at: float, usual: int) -> Block:
    if screen.asking == "help":
        return help_block(screen, columns, lines)
    if screen.show is None:
        return _waiting(_("Joining the table …"), columns, lines)
    if screen.show.table.phase == "lobby":
        return lobby_block(screen, columns, lines, at)
    if screen.view is None:
        return _waiting(_("The cards are being shuffled …"), columns, lines)
    if screen.view.sheet:
        return end_block(screen, columns, lines, at)
    return round_block(screen, columns, lines, at, usual)


def _header(screen: Screen, columns: int) -> Row:
    """Game, table, round and phase, the target, and where the table can be reached."""
    p = pen(screen.ascii)
    words: list[str] = []
    if screen.show is not None:
        table = screen.show.table
        words.append(_(table.title))
        if table.phase != "lobby":
            words.append(filled(_("round {n}"), {"n": table.round}))
            words += [_(screen.view.phase)] if screen.view else []
            if table.target is not None:
                words.append(filled(_("up to {n}"), {"n": table.target}))
        words += [_("paused")] if table.paused else []
        if screen.seat is None:
            words.append(_("watching"))
        elif table.phase != "lobby" and not screen.players[screen.seat].playing:
            words.append(_("you play next"))
        words += [_("repeatable deals")] if table.repeatable else []
    words += [harmless(screen.table_name)] if screen.table_name else []
    spots = addresses(screen)
    right = spots[0] if spots else ""
    line = ends([("", f" {p.between.join(words)}")], [("", f"{right} ")], columns)
    return [("title", "".join(text for _style, text in line))]


def _waiting(words: str, columns: int, lines: int) -> Block:
    above = blank(columns, lines // 2)
    return tall([*above, fit([("strong", words)], columns, "center")], lines)


def _small(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """Too small a window: what it needs, and all that a player must know, in words."""
    below = with_lesson(screen, foot(screen, columns, at), columns, at)
    room = max(1, lines - len(below))
    if screen.asking == "help":
        return block([*help_block(screen, columns, room), *below][:lines], columns)
    needs = filled(
        _("The table needs {columns} × {lines}; this window has {width} × {height}."),
        {"columns": LEAST_COLUMNS, "lines": LEAST_LINES, "width": columns, "height": lines},
    )
    told = [part for words in _bare(screen, columns) for part in broken(words, columns)]
    head = broken(needs, columns)[:room]
    told = [*head, *told[-(room - len(head)) :]] if room > len(head) else head
    above = block(([("strong", line)] for line in told), columns)
    return tall(block([*above, *below], columns), lines)


def _bare(screen: Screen, columns: int) -> list[str]:
    """Everybody in a few words, the cards in the middle, and at last the own cards, as text."""
    between = pen(screen.ascii).between
    view = screen.view
    if view is None:
        words = [player_words(screen, seat, player) for seat, player in enumerate(screen.players)]
        told = [_line_of(screen, seat, ", ".join(each)) for seat, each in enumerate(words)]
        return listed(told, between, columns, len(told))
    out = [_line_of(screen, s, ", ".join(status_words(screen, s))) for s in other_seats(screen)]
    out = listed(out, between, columns, len(out))
    if screen.seat is not None:
        out.append(_line_of(screen, screen.seat, ", ".join(status_words(screen, screen.seat))))
    middle = between.join(_cards_of(screen, zone) for zone in view.zones if zone.owner is None)
    own = [_cards_of(screen, zone) for zone in view.zones if zone.owner == screen.seat is not None]
    return [*out, *filter(None, [middle]), *own]


def _line_of(screen: Screen, seat: int, words: str) -> str:
    score = screen.players[seat].score
    points = "" if score is None else f" {number(score)}"
    name = f"{seat + 1} {name_of(seat, screen.players)}{points}"
    return f"{name}: {words}" if words else name


def _cards_of(screen: Screen, zone: Zone) -> str:
    """A row of cards in words: what lies where, or how many."""
    cards = []
    for place, card in enumerate(zone.faces):
        sign = face(card, screen.ascii) if card else "?"
        slot = f"{place + 1} {_(zone.slots[place])} " if zone.slots else ""
        mark = f" ({_(zone.marks[place])})" if zone.marks and zone.marks[place] else ""
        cards.append(slot + sign + mark)
    count = [] if zone.count == len(zone.faces) else [n_("{n} card", "{n} cards", zone.count)]
    return f"{_(zone.name)}: {', '.join([*count, *cards])}"
