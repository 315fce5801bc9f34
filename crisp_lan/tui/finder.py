"""The tables found on the network as a value: a list to choose from, and an address to type.

press(finder, key)                 the next finder, and what was chosen: a table, what was typed,
                                   QUIT, or None for nothing yet
rows(finder, columns, lines, at)   what is shown
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from crisp_lan.game.rules import Text
from crisp_lan.net.listing import Listing, meant_by
from crisp_lan.net.messages import PROTOCOL
from crisp_lan.spots import EXAMPLE
from crisp_lan.text import harmless
from crisp_lan.tui.blocks import Block, Row, block, broken, ends, printed, tall
from crisp_lan.tui.points import key_span
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

    `typed` is an address being typed, `word` what is wrong with it. `titles` are the games' names
    by key, `mine` the ids of the tables at which a seat waits for this player.
    """

    titles: Mapping[str, str]
    began: float
    listings: tuple[Listing, ...] = ()
    problem: Text | None = None
    mine: frozenset[str] = frozenset()
    chosen: str = ""
    typed: str = ""
    word: str = ""
    ascii: bool = False
    alarm: int = 0

    @property
    def cursor(self) -> int:
        ids = [listing.id for listing in self.listings]
        return ids.index(self.chosen) if self.chosen in ids else 0


def found(
    finder: Finder,
    listings: Mapping[str, Listing],
    problem: Text | None,
    mine: frozenset[str] = frozenset(),
) -> Finder:
    """The finder after the network was heard again; the table chosen stays chosen."""
    return replace(finder, listings=ordered(listings, mine), problem=problem, mine=mine)


def ordered(listings: Mapping[str, Listing], mine: frozenset[str]) -> tuple[Listing, ...]:
    """The tables by name, those at which a seat waits first."""
    by_name = sorted(listings.values(), key=lambda one: (one.table.casefold(), one.id))
    return tuple(sorted(by_name, key=lambda one: one.id not in mine))


def told(finder: Finder, word: Text) -> Finder:
    """The finder after what was typed turned out to be of no use; it can be mended."""
    return replace(finder, word=worded(word, (), finder.ascii))


def press(finder: Finder, key: str) -> tuple[Finder, Chosen]:
    """The finder after a key, and what was chosen. A Text is what was typed."""
    finder, key = replace(finder, word=""), " " if key == "space" else key
    if key == "enter" and finder.typed.strip():
        return finder, _typed(finder)
    if key == "enter" and finder.listings:
        return finder, finder.listings[finder.cursor]
    if key in ("up", "down") and finder.listings:
        step = 1 if key == "down" else -1
        n = (finder.cursor + step) % len(finder.listings)
        return replace(finder, chosen=finder.listings[n].id), None
    if key == " " and not finder.typed:
        return finder, None
    if key == "escape" and finder.typed:
        return replace(finder, typed=""), None
    if key == "escape" or (key == "q" and not finder.typed):
        return finder, QUIT
    if key == "backspace":
        return replace(finder, typed=finder.typed[:-1]), None
    if len(key) == 1 and len(finder.typed) < LONGEST:
        return replace(finder, typed=finder.typed + key), None
    return finder, None


def _typed(finder: Finder) -> Chosen:
    """The one table that what was typed names, else the typed words themselves."""
    words = finder.typed.strip()
    named = meant_by(words, finder.listings)
    return named[0] if len(named) == 1 else Text(words)


def rows(finder: Finder, columns: int, lines: int, at: float) -> Block:
    """The list in exactly so many rows and columns."""
    title: Row = [("title", f" {_('Tables on this network')}".ljust(columns))]
    listed: Block = [_listed(finder, n, columns) for n in range(len(finder.listings))]
    if not listed:
        listed = [
            [("strong" if finder.problem else "", f" {line}")]
            for line in broken(_silence(finder, at), columns - 2)
        ]
    elif finder.problem is not None:
        why = worded(finder.problem, (), finder.ascii)
        listed += [[], *([("strong", f" {line}")] for line in broken(why, columns - 2))]
    example = filled(_("(type one, such as {address})"), {"address": EXAMPLE})
    hint = ("dim", "" if finder.typed else f" {example}")
    below: Block = [
        *([("warn", f" {line}")] for line in broken(finder.word, columns - 2) or [""]),
        [("", " "), ("strong", _("Address:")), ("", f" {finder.typed}"), ("cursor", " "), hint],
        [("rule", ("-" if finder.ascii else "─") * columns)],
        _keys(),
    ]
    room = max(0, lines - len(below))
    painted = [*tall(block([title, [], *listed], columns), room), *below][:lines]
    return printed(block(painted, columns), finder.ascii)


def _keys() -> Row:
    choose, join = key_span(_("arrows"), _("choose")), key_span("Enter", _("join"))
    return [("", " "), *choose, ("", "  "), *join, ("", "  "), *key_span("Esc", _("back"))]


def trouble(problem: Text, ascii: bool = False) -> str:
    """Why tables cannot be searched for, and what to do instead."""
    instead = _("Tables cannot be searched for: type the address from the host’s screen.")
    return f"{worded(problem, (), ascii)} {instead}"


def _silence(finder: Finder, at: float) -> str:
    if finder.problem is not None:
        return trouble(finder.problem, finder.ascii)
    if at - finder.began < QUIET:
        return _("Looking for tables …")
    return filled(_(_NOTHING_YET), {})


_NOTHING_YET = (
    "No table heard on this network yet. Still listening; or type the address from the host’s"
    " screen, such as 192.168.1.20:27477. {command} doctor looks for the reason."
)


def words_of(listing: Listing, titles: Mapping[str, str], mine: frozenset[str]) -> list[str]:
    """What is told of a table beside its name and its address."""
    words = [_("your seat")] if listing.id in mine else []
    if listing.protocol != PROTOCOL:
        return [*words, version_words(listing)]
    words += [_(titles.get(listing.game, harmless(listing.game)))]
    if listing.seats:
        words += [filled(_("{n} of {size}"), {"n": listing.players, "size": listing.seats})]
    words += [_(listing.phase), _("passcode") if listing.passcode else ""]
    return [word for word in words if word]


def version_words(listing: Listing) -> str:
    """Of a table that speaks another version: whether it is newer than this program, or older."""
    if not listing.protocol:
        return _("of an unknown version")
    newer = listing.protocol > PROTOCOL
    told = _("needs crisp-lan {version}") if newer else _("has an older crisp-lan, {version}")
    return filled(told, {"version": listing.version or "?"})


def _listed(finder: Finder, n: int, columns: int) -> Row:
    listing = finder.listings[n]
    words = words_of(listing, finder.titles, finder.mine)
    here = n == finder.cursor
    left: Row = [("", " > " if here else "   "), ("cursor" if here else "strong", listing.table)]
    right: Row = [("", "   ".join(words) + "   "), ("dim", listing.spot + " ")]
    return ends(left, right, columns)
