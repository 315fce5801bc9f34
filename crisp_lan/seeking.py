"""Which table a player means: an address, a name, an id, or one chosen from those found."""

from __future__ import annotations

import ipaddress
import re
import sys
import time
from collections.abc import Mapping
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
from crisp_lan.tui import finder as finders
from crisp_lan.tui.app import Terminal
from crisp_lan.tui.finder import Chosen, Finder
from crisp_lan.tui.guest import run_application, run_with_terminal, stray_lines_into
from crisp_lan.tui.wording import worded
from crisp_lan.words import _

Titles: TypeAlias = Mapping[str, str]
"""The games' names by key."""

PORT = 27477
KEYS = 16
LOOK = 5.0
"""Seconds to look for a table that was named."""

_PORT = re.compile(r"(?P<host>[^:\[\]\s]+|\[[^\]\s]+\])(?::(?P<port>[0-9]{1,5}))?")


def typed_address(text: str) -> Target | None:
    """The target that an address with or without a port is; None for what reads like a name."""
    try:
        return Target((str(ipaddress.ip_address(text.strip("[]"))),), PORT)
    except ValueError:
        pass
    match = _PORT.fullmatch(text)
    if match is None or not (match["port"] or "." in text or text == "localhost"):
        return None
    port = int(match["port"] or PORT)
    return Target((match["host"].strip("[]"),), port) if 0 < port < 65536 else None


def meant(
    where: str | None, table_id: str | None, bind: str | None, looks: Looks, titles: Titles
) -> Target | None:
    """The table that a player means; where none is named, the one chosen from those found.

    None if the player chose none. Raises NotReached.
    """
    if where or table_id:
        return trio.run(sought, where, table_id, bind, LOOK)
    if looks.plain or not has_screen():
        return choose_by_line(titles, bind)
    return choose(titles, bind, looks)


async def sought(
    where: str | None, table_id: str | None, bind: str | None, seconds: float
) -> Target:
    """The table at an address, or the one of that name or id as soon as it is heard; any table,
    where nothing is named. Raises NotReached."""
    if where and not table_id and (target := typed_address(where)):
        return target
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


class Choosing:
    """A player before the list of tables, which goes on changing."""

    def __init__(self, terminal: Terminal[Finder], finder: Finder) -> None:
        self._terminal = terminal
        self._finder = finder

    async def run(self, bind: str | None) -> Chosen:
        """What the player chose."""
        typed, keys = trio.open_memory_channel[str](KEYS)
        self._terminal.listen(partial(_typed, typed))
        async with browsing(bind) as network, trio.open_nursery() as nursery:
            nursery.start_soon(run_application, self._terminal.application)
            nursery.start_soon(self._follow, network)
            chosen: Chosen = None
            async for key in keys:
                finder, chosen = finders.press(self._finder, key)
                self._show(finder)
                if chosen is not None:
                    break
            nursery.cancel_scope.cancel()
        return chosen

    async def _follow(self, network: Found) -> None:
        while True:
            changed = network.changed
            self._show(finders.found(self._finder, network.tables, network.problem))
            with trio.move_on_after(finders.QUIET):
                await changed.wait()

    def _show(self, finder: Finder) -> None:
        self._finder = finder
        self._terminal.show(finder)


def _typed(keys: trio.MemorySendChannel[str], key: str) -> None:
    with suppress(trio.WouldBlock):
        keys.send_nowait(key)


def choose(titles: Titles, bind: str | None, looks: Looks) -> Target | None:
    """The table that the player chooses on the whole terminal; None: none of them."""
    finder = Finder(titles, time.monotonic(), ascii=looks.ascii)
    terminal = Terminal(finder, finders.rows, bell=looks.bell, colour=looks.colour)
    with stray_lines_into(looks.log):
        chosen = run_with_terminal(Choosing(terminal, finder).run, bind, first=terminal.application)
    return _target(chosen)


def choose_by_line(titles: Titles, bind: str | None) -> Target | None:
    """The table that the player chooses by its number in a list, or by typing an address."""
    while True:
        print(_("Looking for tables …"), flush=True)
        listings, problem = trio.run(_heard, bind)
        if not listings:
            print(worded(problem or NOTHING_HEARD, ()))
        for n, listing in enumerate(listings, 1):
            print(f"{n}  {listing.table}  {_(titles.get(listing.game, listing.game))}")
        print(_("Type a number, an address, or Enter to look again; q quits."), flush=True)
        line = sys.stdin.readline()
        answer = line.strip()
        if not line or answer == "q":
            return None
        if answer.isascii() and answer.isdecimal() and 0 < int(answer) <= len(listings):
            return target_of(listings[int(answer) - 1])
        if target := typed_address(answer):
            return target


async def _heard(bind: str | None) -> tuple[list[Listing], Text | None]:
    async with browsing(bind) as network:
        await trio.sleep(finders.QUIET)
        return sorted(network.tables.values(), key=lambda one: one.table), network.problem


def _target(chosen: Chosen) -> Target | None:
    if isinstance(chosen, Listing):
        return target_of(chosen)
    if isinstance(chosen, Text):
        if target := typed_address(chosen.key):
            return target
        raise NotReached(Text("{text} is not an address.", {"text": chosen.key}))
    return None
