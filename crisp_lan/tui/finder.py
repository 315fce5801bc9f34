"""The tables found on the network as a value: a list to choose from, and an address to type.

press(finder, key)                 the next finder, and what was chosen: a table, an address,
                                   QUIT, or None for nothing yet
rows(finder, columns, lines, at)   what is shown
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from crisp_lan.game.rules import Text
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL
from crisp_lan.text import harmless
from crisp_lan.tui.blocks import Block, Row, block, broken, ends, tall
from crisp_lan.tui.wording import worded
from crisp_lan.words import _, filled

QUIT: Literal["quit"] = "quit"
QUIET = 3.0
"""Seconds of silence after which the screen says that nothing was heard, and what to do."""
LONGEST = 60

Chosen: TypeAlias = Listing | Text | Literal["quit"] | None


@dataclass(frozen=True, slots=True)
class Finder:
    """What has been found so far; `chosen` is the id of the table that Enter would join.

    `typed` is an address being typed. `titles` are the games' names by key.
    """

    titles: Mapping[str, str]
    began: float
    listings: tuple[Listing, ...] = ()
    problem: Text | None = None
    chosen: str = ""
    typed: str = ""
    ascii: bool = False
    alarm: int = 0

    @property
    def cursor(self) -> int:
        ids = [listing.id for listing in self.listings]
        return ids.index(self.chosen) if self.chosen in ids else 0


def found(finder: Finder, listings: Mapping[str, Listing], problem: Text | None) -> Finder:
    """The finder after the network was heard again; the table chosen stays chosen."""
    ordered = sorted(listings.values(), key=lambda one: (one.table.casefold(), one.id))
    return replace(finder, listings=tuple(ordered), problem=problem)


def press(finder: Finder, key: str) -> tuple[Finder, Chosen]:
    """The finder after a key, and what was chosen. A Text is an address that was typed."""
    if key == "enter" and finder.typed:
        return finder, Text(finder.typed)
    if key == "enter" and finder.listings:
        return finder, finder.listings[finder.cursor]
    if key in ("up", "down") and finder.listings:
        step = 1 if key == "down" else -1
        n = (finder.cursor + step) % len(finder.listings)
        return replace(finder, chosen=finder.listings[n].id), None
    if key == "escape" and finder.typed:
        return replace(finder, typed=""), None
    if key == "escape" or (key == "q" and not finder.typed):
        return finder, QUIT
    if key == "backspace":
        return replace(finder, typed=finder.typed[:-1]), None
    if len(key) == 1 and len(finder.typed) < LONGEST:
        return replace(finder, typed=finder.typed + key), None
    return finder, None


def rows(finder: Finder, columns: int, lines: int, at: float) -> Block:
    """The list in exactly so many rows and columns."""
    title: Row = [("title", f" {_('Tables on this network')}".ljust(columns))]
    listed: Block = [_listed(finder, n, columns) for n in range(len(finder.listings))]
    if not listed:
        listed = [
            [("strong" if finder.problem else "", f" {line}")]
            for line in broken(_silence(finder, at), columns - 2)
        ]
    below: Block = [
        [("", " "), ("strong", _("Address:")), ("", f" {finder.typed}"), ("cursor", " ")],
        [("rule", ("-" if finder.ascii else "─") * columns)],
        [("dim", " " + line) for line in [_("Up, Down choose · Enter joins · Esc quits")]],
    ]
    room = max(0, lines - len(below))
    return block([*tall(block([title, [], *listed], columns), room), *below][:lines], columns)


def _silence(finder: Finder, at: float) -> str:
    if finder.problem is not None:
        return worded(finder.problem, (), finder.ascii)
    if at - finder.began < QUIET:
        return _("Looking for tables …")
    return _(
        "No table heard on this network yet. Still listening; or type the address from the"
        " host’s screen, such as 192.168.1.20:27477."
    )


def _listed(finder: Finder, n: int, columns: int) -> Row:
    listing = finder.listings[n]
    title = finder.titles.get(listing.game, harmless(listing.game))
    seats = filled(_("{n} of {size}"), {"n": listing.players, "size": listing.seats})
    words = [_(title), seats, _(listing.phase)]
    words += [_("passcode")] if listing.passcode else []
    if listing.protocol != PROTOCOL:
        words = [filled(_("needs crisp-lan {version}"), {"version": listing.version})]
    here = n == finder.cursor
    left: Row = [("", " > " if here else "   "), ("cursor" if here else "strong", listing.table)]
    right: Row = [("", "   ".join(words) + "   "), ("dim", listing.spot + " ")]
    return ends(left, right, columns)
