"""Between the others and this player: a rule that says how he stands, and a short log."""

from __future__ import annotations

from crisp_lan.text import cells
from crisp_lan.tui.blocks import Block, Row, block, broken, listed, width_of
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import Screen, own_hand, recent
from crisp_lan.tui.paint_seats import is_loud, name_row, status_words
from crisp_lan.tui.wording import worded
from crisp_lan.words import _, n_

LOG = 26
"""The least width of a log that stands beside the cards."""
WIDE = 100
"""From so many columns the others sit round the table, and the log stands beside the cards."""


def own_title(screen: Screen, columns: int) -> Block:
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
    turn = "turn" if screen.my_turn else ""
    style = turn or ("warn" if is_loud(screen, screen.seat) else "")
    words = (style, f"{pen(screen.ascii).between.join(told)} ")
    return [(turn, " "), *name_row(screen, screen.seat), words]


def log_block(screen: Screen, width: int, height: int, at: float) -> Block:
    """The last sentences of the log that fit whole, the newest at the bottom and plain."""
    rows: Block = []
    for words in reversed(recent(screen, at)):
        lines = broken(words, width - 1)
        if len(rows) + len(lines) > height:
            break
        rows = [[("", " "), ("dim" if rows else "", line)] for line in lines] + rows
    return block(rows, width)
