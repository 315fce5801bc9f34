"""What is explained: the lesson of the moment, and the page of its keys and rules."""

from __future__ import annotations

from crisp_lan.rulebook import typeset
from crisp_lan.tui.blocks import Block, Row, beside, blank, block, broken, fit, tall, width_of
from crisp_lan.tui.cards import pen
from crisp_lan.tui.guide import LEAVE, lesson, rules_of
from crisp_lan.tui.model import TALK, Screen, keyed, may_talk
from crisp_lan.tui.points import key_span
from crisp_lan.words import _, filled

WIDEST = 78
"""A lesson takes no wider lines, which would be hard to read."""
PRINTED = 79
"""Columns of the rules where lines are printed."""


def with_lesson(screen: Screen, below: Block, columns: int, at: float) -> Block:
    """The foot of the table, below what is explained to a newcomer."""
    told = "" if screen.asking else lesson(screen.guide, at)
    if not told:
        return below
    edge, width = pen(screen.ascii).picked[5], min(columns, WIDEST) - 3
    rows: Block = [[("", line)] for line in broken(told, width)]
    leaving = key_span(LEAVE, _("no more hints"), True)
    if width_of(rows[-1]) + 2 + width_of(leaving) <= width:
        rows[-1] += [("", "  "), *leaving]
    else:
        rows.append(leaving)
    return [*block(([("turn", f" {edge} "), *row] for row in rows), columns), *below]


def lesson_lines(before: Screen, after: Screen) -> list[str]:
    """What is explained from now on, as lines; with the first of a player, how to end it."""
    if not after.guide.lesson or after.guide.lesson is before.guide.lesson:
        return []
    how = [] if before.guide.learned.heard else [_("Type - for no more hints.")]
    return [filled(_("Hint: {text}"), {"text": after.guide.words}), *how]


# ---------------------------------------------------------------- the page of keys and rules


def help_block(screen: Screen, columns: int, lines: int) -> Block:
    """The keys of the moment with those that always work, and its rules; a page at a time."""
    text = _explained(screen, columns - 4)
    room = max(1, lines - 2)
    pages = -(-len(text) // room)
    page = screen.page % pages
    shown = block(([("", "  "), *row] for row in text[page * room :][:room]), columns)
    close: Row = [("", "  "), *key_span("Esc", _("close this page"), True)]
    if pages > 1:
        more = {"n": page + 1, "size": pages}
        turning = key_span("Space", filled(_("next page ({n} of {size})"), more), True)
        close = [("", "  "), *turning, *close]
    return [*tall([*blank(columns), *shown], lines - 1), fit(close, columns)]


def _explained(screen: Screen, columns: int) -> Block:
    p = pen(screen.ascii)
    offers = [key_span(key, _(choice.label)) for key, choice in keyed(screen)]
    talk = [key_span(TALK, _("talk"))] if may_talk(screen) else []
    always = [
        key_span("1-9", _("pick by number")),
        key_span(_("arrows") + " Enter", _("pick by moving")),
        key_span("Esc", _("one step back")),
        *talk,
        key_span("?", _("this page")),
        key_span("q", _("quit; you are asked first")),
    ]
    signs: Block = [
        [("turn", p.turn), ("", "  " + _("whose turn it is"))],
        [("back", p.dot), ("", "  " + _("a card with a remark, such as a look at it"))],
    ]
    now = block([[("title", _("Now"))], *offers], columns // 2)
    text = beside([now, block([[("title", _("Always"))], *always], columns // 2)], 1)
    if screen.show is not None:
        rules = typeset(rules_of(screen.guide, screen.show), columns)
        goal: Block = [[("dim", line)] for line in broken(_(screen.show.table.goal), columns)]
        text += [[], *(rules or goal)]
    return [*text, [], [("title", _("Signs"))], *signs, *_code(screen)]


def _code(screen: Screen) -> Block:
    """What the table is known by, to be compared by voice."""
    if not screen.code:
        return []
    same = ("dim", "  " + _("the same on every screen here"))
    return [[], [("title", _("Table code")), ("", "  "), ("strong", screen.code), same]]


def rule_lines(screen: Screen) -> list[str]:
    """What the rules say of the moment, as lines."""
    rules = typeset(rules_of(screen.guide, screen.show), PRINTED) if screen.show else []
    return [line for row in rules if (line := "".join(text for _style, text in row).strip())]
