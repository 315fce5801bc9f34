"""The menu that opens where no command is given, as a value: entries, and the one Enter chooses.

press(menu, key, columns, lines)   the next menu, and what was chosen: an entry, QUIT, or None
rows(menu, columns, lines, at)     what is shown
lines(menu)                        the same line by line
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from crisp_lan.text import cells
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    block,
    broken,
    ends,
    fit,
    printed,
    tall,
    width_of,
    wrapped,
)
from crisp_lan.tui.cards import Drawn, card_block, pen
from crisp_lan.tui.points import key_span
from crisp_lan.words import _

QUIT: Literal["quit"] = "quit"
_HAND = (Drawn("AH"), Drawn(None), Drawn("4S"))
"""Crisp as it is after the first look: the middle card is unknown."""
_LEAST = 20
"""The narrowest column that is still good to read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something to choose, by a key of its own: a command's words, or a menu of more entries.

    One with neither is the way out.
    """

    key: str
    label: str
    about: str = ""
    words: tuple[str, ...] = ()
    inner: tuple[Entry, ...] = ()


Chosen: TypeAlias = Entry | Literal["quit"] | None


@dataclass(frozen=True, slots=True)
class Menu:
    """Entries of which one has the cursor; `above` is the menu from which this one was opened.

    `about` is told above the entries, `word` below them: how the last thing ended.
    """

    title: str
    version: str
    about: str
    entries: tuple[Entry, ...]
    ascii: bool = False
    above: Menu | None = None
    cursor: int = 0
    word: str = ""
    alarm: int = 0

    @property
    def top(self) -> Menu:
        """The menu with which it began."""
        return self.above.top if self.above else self


def press(menu: Menu, key: str, columns: int, lines: int) -> tuple[Menu, Chosen]:
    """The menu after a key, and what was chosen. Digits choose, too; unknown keys do nothing."""
    menu, count = replace(menu, word=""), len(menu.entries)
    if key in ("up", "down"):
        step = 1 if key == "down" else -1
        return replace(menu, cursor=(menu.cursor + step) % count), None
    if key in ("escape", "q"):
        return (menu.above, None) if menu.above else (menu, QUIT)
    if key == "enter":
        return _choose(menu, menu.cursor)
    for n, entry in enumerate(menu.entries):
        if key in (entry.key, str(n + 1)):
            return _choose(menu, n)
    return menu, None


def _choose(menu: Menu, n: int) -> tuple[Menu, Chosen]:
    menu, entry = replace(menu, cursor=n), menu.entries[n]
    if entry.inner:
        inner = replace(menu, about=entry.label, entries=entry.inner, above=menu, cursor=0)
        return inner, None
    return menu, entry if entry.words else QUIT


def rows(menu: Menu, columns: int, lines: int, at: float) -> list[Row]:
    """The menu in exactly so many rows and columns."""
    title = ends([("", f" {menu.title}")], [("", f"{menu.version} ")], columns)
    head: Row = [("title", "".join(text for _style, text in title))]
    below: Block = [
        *([("strong", f" {line}")] for line in broken(menu.word, columns - 2)),
        [("rule", pen(menu.ascii).across * columns)],
        [("", " "), *wrapped(_keys(menu), columns - 1, "  ")[0]],
    ]
    room = max(0, lines - 1 - len(below))
    painted = [head, *tall(block(_body(menu, columns, room), columns), room), *below][:lines]
    return printed(block(painted, columns), menu.ascii)


def _body(menu: Menu, columns: int, lines: int) -> Block:
    """The entries; above them what the menu is about and a picture, if there is room for it."""
    entries = [_entry(menu, n, columns) for n in range(len(menu.entries))]
    listed = [row for entry in entries for row in entry]
    if len(listed) > lines:
        return [entry[0] for entry in entries]
    about: Block = [[("strong", line)] for line in broken(menu.about, max(_LEAST, columns - 34))]
    hand = beside([card_block(each, "large", menu.ascii) for each in _HAND], 0)
    for top in (beside([hand, [[], *about]], 3), about):
        if len(top) + len(listed) + 2 <= lines:
            return [[], *([("", "   "), *row] for row in top), [], *listed]
    return listed


def _entry(menu: Menu, n: int, columns: int) -> Block:
    """An entry with what it is about beside it, where there is room for that."""
    entry, here = menu.entries[n], n == menu.cursor
    wide = max(cells(each.label) for each in menu.entries) + 3
    key: Row = [("", " > " if here else "   "), ("key", f"[{entry.key}]"), ("", " ")]
    label = fit([("cursor" if here else "", entry.label)], wide)
    room = columns - width_of(key) - wide - 2
    told = broken(entry.about, room) if room >= _LEAST else []
    below: Block = [[("", " " * (columns - room - 2)), ("dim", line)] for line in told[1:]]
    return [[*key, *label, ("dim", "".join(told[:1]))], *below]


def _keys(menu: Menu) -> list[Row]:
    back = _("back") if menu.above else _("quit")
    return [
        key_span(_("arrows"), _("choose")),
        key_span("Enter", _("this one")),
        key_span("Esc", back),
    ]


def lines(menu: Menu) -> Iterator[str]:
    """What there is to choose, each with its number."""
    yield menu.about
    for n, entry in enumerate(menu.entries, 1):
        yield f"{n}  {entry.label}" + (f": {entry.about}" if entry.about else "")
    back = _("Type a number; q goes back.") if menu.above else _("Type a number; q quits.")
    yield back
