"""Which table a player means: an address, a name, an id, or one chosen from those found."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TypeAlias

import trio

from crisp_lan.asking import asked, attended
from crisp_lan.front import Looks, has_screen
from crisp_lan.game.rules import Text
from crisp_lan.net.calling import Target, target_of
from crisp_lan.net.codec import other_version
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.discovery import NOTHING_HEARD
from crisp_lan.net.listing import Listing, meant_by
from crisp_lan.net.search import Known, Search, searching
from crisp_lan.spots import WrongSpot, typed_spot
from crisp_lan.text import printable
from crisp_lan.tui import finder as finders
from crisp_lan.tui import question as questions
from crisp_lan.tui.app import Terminal
from crisp_lan.tui.finder import Finder
from crisp_lan.tui.guest import keys_of
from crisp_lan.tui.question import Question
from crisp_lan.tui.wording import worded
from crisp_lan.words import _

Titles: TypeAlias = Mapping[str, str]
"""The games' names by key."""

LOOK = 5.0
"""Seconds to look for a table that was named."""
OTHERS = 1.0
"""Seconds in which another table may be heard whose name begins like the one found."""


def meant(
    where: str | None,
    table_id: str | None,
    bind: str | None,
    looks: Looks,
    titles: Titles,
    known: Known,
) -> Target | None:
    """The table that a player means; where none is named, the one chosen from those found.

    `known` are the tables at which a seat waits for this player. None if the player chose none.
    Raises NotReached.
    """
    if where or table_id:
        if table_id or not typed_spot(where or ""):
            print(_("Looking for tables …"), flush=True)
        return trio.run(sought, where, table_id, bind, LOOK, known)
    if looks.plain or not has_screen():
        return choose_by_line(titles, bind, known)
    return choose(titles, bind, looks, known)


async def sought(
    where: str | None, table_id: str | None, bind: str | None, seconds: float, known: Known
) -> Target:
    """The table at an address, or the one of that name or id as soon as it is found; any table,
    where nothing is named. The beginning of a name will do, if no other one heard begins so.
    Raises NotReached."""
    if where and not table_id and (typed := typed_spot(where)):
        return Target((typed[0],), typed[1])
    name = where or ""

    def meant() -> list[Listing]:
        listed = search.tables.values()
        return meant_by(name, [one for one in listed if table_id in (None, one.id)])

    async with searching(bind, known) as search:
        with trio.move_on_after(seconds) as patience:
            while True:
                changed = search.changed
                for listing in meant():
                    if not name or listing.is_named(name):
                        return target_of(listing)
                    patience.deadline = min(patience.deadline, trio.current_time() + OTHERS)
                await changed.wait()
        begun = meant()
        if len(begun) == 1:
            return target_of(begun[0])
        raise NotReached(_why_not_found(search, name or table_id or "", begun))


def _why_not_found(search: Search, name: str, several: Sequence[Listing]) -> Text:
    """What is in the way of finding any table, else what is heard of those of that name."""
    if several:
        names = ", ".join(sorted(one.table for one in several))
        return Text(_SEVERAL, {"name": name, "names": names})
    if search.problem is not None:
        return Text("{reason}", {"reason": explained(search.problem, search)})
    return Text(_NOT_HEARD, {"name": name}) if name and search.tables else NOTHING_HEARD


def explained(problem: Text, search: Search) -> str:
    """A problem of a search in words, with what to do where nothing at all was found."""
    return worded(problem, ()) if search.tables else finders.trouble(problem)


_NOT_HEARD = (
    "No table “{name}” is heard on this network. See what is there with {command} tables, or type"
    " the address from the host’s screen."
)
_SEVERAL = "Several tables begin with {name}: {names}. Type more of the name."
_NOT_LISTED = "{text} is neither an address nor a table in the list."


def _typed_target(text: str) -> Target:
    """The table at an address that was typed before the list. Raises WrongSpot."""
    typed = typed_spot(text)
    if typed is None:
        raise WrongSpot(Text(_NOT_LISTED, {"text": text}))
    return Target((typed[0],), typed[1])


class Choosing:
    """A player before the list of tables, which goes on changing."""

    def __init__(self, terminal: Terminal[Finder], finder: Finder, known: Known) -> None:
        self._terminal = terminal
        self._finder = finder
        self._known = known

    async def run(self, bind: str | None) -> Target | None:
        """The table that the player chose; None: none of them."""
        async with (
            keys_of(self._terminal) as keys,
            searching(bind, self._known) as search,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._follow, search)
            target = await self._chosen(keys)
            nursery.cancel_scope.cancel()
        return target

    async def _chosen(self, keys: trio.MemoryReceiveChannel[str]) -> Target | None:
        """Goes on until something was chosen that can be dialled, or the player goes."""
        async for key in keys:
            finder, chosen = finders.press(self._finder, key)
            self._show(finder)
            if chosen == finders.QUIT:
                break
            try:
                if isinstance(chosen, Listing):
                    return _compatible(chosen)
                if isinstance(chosen, Text):
                    return _typed_target(chosen.key)
            except (WrongSpot, NotReached) as wrong:
                self._show(finders.told(finder, wrong.text))
        return None

    async def _follow(self, search: Search) -> None:
        while True:
            changed = search.changed
            mine = _ids(self._known)
            self._show(finders.found(self._finder, search.tables, search.problem, mine))
            with trio.move_on_after(finders.QUIET):
                await changed.wait()

    def _show(self, finder: Finder) -> None:
        self._finder = finder
        self._terminal.show(finder)


def _ids(known: Known) -> frozenset[str]:
    return frozenset(target.table for target in known())


def _compatible(listing: Listing) -> Target:
    """The table that was chosen. Raises NotReached where its announcement tells that this program
    cannot speak with it; one that does not say is asked."""
    if listing.protocol and (trouble := other_version(listing.protocol, "host")):
        raise NotReached(trouble)
    return target_of(listing)


def choose(titles: Titles, bind: str | None, looks: Looks, known: Known) -> Target | None:
    """The table that the player chooses on the whole terminal; None: none of them."""
    finder = Finder(titles, time.monotonic(), ascii=looks.ascii)

    async def choosing(terminal: Terminal[Finder]) -> Target | None:
        return await Choosing(terminal, finder, known).run(bind)

    return attended(finder, finders.rows, choosing, looks)


def choose_by_line(titles: Titles, bind: str | None, known: Known) -> Target | None:
    """The table that the player chooses by its number in a list, or by typing an address."""
    while True:
        print(_("Looking for tables …"), flush=True)
        own = _ids(known)
        listings, problem = trio.run(_heard, bind, known, own)
        if problem or not listings:
            print(printable(problem or worded(NOTHING_HEARD, ())))
        for n, listing in enumerate(listings, 1):
            words = ", ".join(finders.words_of(listing, titles, own))
            print(printable(f"{n}  {listing.table}: {words}, {listing.spot}"))
        print(_("Type a number, an address, or Enter to look again; q quits."), flush=True)
        line = sys.stdin.readline()
        answer = line.strip()
        if not line or answer == "q":
            return None
        if target := _answered(answer, listings):
            return target


def ask_passcode(why: Text, looks: Looks) -> str | None:
    """The passcode that a player types, "" from who does not want to; None if nobody can."""
    if looks.plain or not has_screen():
        print(printable(worded(why, ())), _("Passcode:"), sep="\n", flush=True)
        line = _line()
        return line.strip() if line else None
    question = Question(_("Passcode"), worded(why, (), looks.ascii), ascii=looks.ascii)
    _question, answer = asked(question, questions.rows, questions.press, looks)
    return answer


def _line() -> str:
    """The next line that is typed, and no more: what follows it is the table's."""
    line = b""
    while (sign := os.read(sys.stdin.fileno(), 1)) not in (b"", b"\n"):
        line += sign
    return (line + sign).decode(errors="replace")


def _answered(answer: str, listings: list[Listing]) -> Target | None:
    """The table that a line means; None, with a word about it, if it means none."""
    if answer.isascii() and answer.isdecimal() and 0 < int(answer) <= len(listings):
        named = listings[int(answer) - 1 : int(answer)]
    else:
        named = meant_by(answer, listings) if answer else []
    try:
        if len(named) == 1:
            return _compatible(named[0])
        return _typed_target(answer) if answer else None
    except (WrongSpot, NotReached) as wrong:
        print(worded(wrong.text, ()), flush=True)
        return None


async def _heard(bind: str | None, known: Known, mine: frozenset[str]) -> tuple[list[Listing], str]:
    """The tables found within a while, and what is in the way of finding more, or ""."""
    async with searching(bind, known) as search:
        await trio.sleep(finders.QUIET)
        problem = explained(search.problem, search) if search.problem else ""
        return list(finders.ordered(search.tables, mine)), problem
