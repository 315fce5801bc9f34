"""Which table a player means: an address, a name, an id, or one chosen from those found."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TypeAlias

import trio

from crisp_lan.front import Looks, has_screen
from crisp_lan.game.rules import Text
from crisp_lan.net.client import Target, find, target_of
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.discovery import NOTHING_HEARD, Found, browsing
from crisp_lan.net.listing import Listing
from crisp_lan.spots import WrongSpot, typed_spot
from crisp_lan.tui import finder as finders
from crisp_lan.tui.app import Terminal
from crisp_lan.tui.finder import Finder
from crisp_lan.tui.guest import run_application, run_with_terminal, stray_lines_into
from crisp_lan.tui.wording import worded
from crisp_lan.words import _

Titles: TypeAlias = Mapping[str, str]
"""The games' names by key."""
Mine: TypeAlias = Callable[[], frozenset[str]]
"""The ids of the tables at which a seat waits for this player."""

KEYS = 16
LOOK = 5.0
"""Seconds to look for a table that was named."""


def meant(
    where: str | None,
    table_id: str | None,
    bind: str | None,
    looks: Looks,
    titles: Titles,
    mine: Mine,
) -> Target | None:
    """The table that a player means; where none is named, the one chosen from those found.

    None if the player chose none. Raises NotReached.
    """
    if where or table_id:
        return trio.run(sought, where, table_id, bind, LOOK)
    if looks.plain or not has_screen():
        return choose_by_line(titles, bind, mine)
    return choose(titles, bind, looks, mine)


async def sought(
    where: str | None, table_id: str | None, bind: str | None, seconds: float
) -> Target:
    """The table at an address, or the one of that name or id as soon as it is heard; any table,
    where nothing is named. Raises NotReached."""
    if where and not table_id and (typed := typed_spot(where)):
        return Target((typed[0],), typed[1])
    listing = await find(bind, seconds, table_id=table_id or "", name=where or "")
    if listing is not None:
        return target_of(listing)
    if not where and not table_id:
        raise NotReached(NOTHING_HEARD)
    raise NotReached(Text(_NOT_HEARD, {"name": where or table_id or ""}))


_NOT_HEARD = (
    "No table {name} is heard on this network. See what is there with crisp-lan tables, or type"
    " the address from the host’s screen."
)
_NOT_LISTED = "{text} is neither an address nor a table in the list."


def _typed_target(text: str) -> Target:
    """The table at an address that was typed before the list. Raises WrongSpot."""
    typed = typed_spot(text)
    if typed is None:
        raise WrongSpot(Text(_NOT_LISTED, {"text": text}))
    return Target((typed[0],), typed[1])


class Choosing:
    """A player before the list of tables, which goes on changing."""

    def __init__(self, terminal: Terminal[Finder], finder: Finder, mine: Mine) -> None:
        self._terminal = terminal
        self._finder = finder
        self._mine = mine

    async def run(self, bind: str | None) -> Target | None:
        """The table that the player chose; None: none of them."""
        typed, keys = trio.open_memory_channel[str](KEYS)
        self._terminal.listen(partial(_typed, typed))
        async with browsing(bind) as network, trio.open_nursery() as nursery:
            nursery.start_soon(run_application, self._terminal.application)
            nursery.start_soon(self._follow, network)
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
            if isinstance(chosen, Listing):
                return target_of(chosen)
            if isinstance(chosen, Text):
                try:
                    return _typed_target(chosen.key)
                except WrongSpot as wrong:
                    self._show(finders.told(finder, wrong.text))
        return None

    async def _follow(self, network: Found) -> None:
        while True:
            changed = network.changed
            mine = self._mine()
            self._show(finders.found(self._finder, network.tables, network.problem, mine))
            with trio.move_on_after(finders.QUIET):
                await changed.wait()

    def _show(self, finder: Finder) -> None:
        self._finder = finder
        self._terminal.show(finder)


def _typed(keys: trio.MemorySendChannel[str], key: str) -> None:
    with suppress(trio.WouldBlock):
        keys.send_nowait(key)


def choose(titles: Titles, bind: str | None, looks: Looks, mine: Mine) -> Target | None:
    """The table that the player chooses on the whole terminal; None: none of them."""
    finder = Finder(titles, time.monotonic(), ascii=looks.ascii)
    terminal = Terminal(finder, finders.rows, bell=looks.bell, colour=looks.colour)
    with stray_lines_into(looks.log):
        choosing = Choosing(terminal, finder, mine)
        return run_with_terminal(choosing.run, bind, first=terminal.application)


def choose_by_line(titles: Titles, bind: str | None, mine: Mine) -> Target | None:
    """The table that the player chooses by its number in a list, or by typing an address."""
    while True:
        print(_("Looking for tables …"), flush=True)
        own = mine()
        listings, problem = trio.run(_heard, bind, own)
        if not listings:
            print(finders.trouble(problem) if problem else worded(NOTHING_HEARD, ()))
        for n, listing in enumerate(listings, 1):
            words = ", ".join(finders.words_of(listing, titles, own))
            print(f"{n}  {listing.table}: {words}, {listing.spot}")
        print(_("Type a number, an address, or Enter to look again; q quits."), flush=True)
        line = sys.stdin.readline()
        answer = line.strip()
        if not line or answer == "q":
            return None
        if target := _answered(answer, listings):
            return target


def _answered(answer: str, listings: list[Listing]) -> Target | None:
    """The table that a line means; None, with a word about it, if it means none."""
    if answer.isascii() and answer.isdecimal() and 0 < int(answer) <= len(listings):
        return target_of(listings[int(answer) - 1])
    if named := next((one for one in listings if one.table.casefold() == answer.casefold()), None):
        return target_of(named)
    try:
        return _typed_target(answer) if answer else None
    except WrongSpot as wrong:
        print(worded(wrong.text, ()), flush=True)
        return None


async def _heard(bind: str | None, mine: frozenset[str]) -> tuple[list[Listing], Text | None]:
    async with browsing(bind) as network:
        await trio.sleep(finders.QUIET)
        return list(finders.ordered(network.tables, mine)), network.problem
