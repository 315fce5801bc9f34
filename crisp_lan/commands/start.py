"""The menu of what can be done, where no command is given; each entry is a command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from crisp_lan import __version__
from crisp_lan.arguments import Failed
from crisp_lan.commands.player import chosen_looks
from crisp_lan.game.catalogue import GAMES
from crisp_lan.text import printable
from crisp_lan.words import _, filled

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.tui.menu import Chosen, Entry, Menu

Run: TypeAlias = Callable[[Sequence[str], argparse.Namespace], int]
"""Runs a command with its own words, and with what was said for all of them."""
ALONE = ("--bind=127.0.0.1", "--no-announce")
OPPONENTS = 3
"""Bots at a table for one player, where the game has so many seats."""


def has_terminal() -> bool:
    """Whether somebody sits there who could choose."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def start(args: argparse.Namespace, run: Run) -> int:
    """Runs what is chosen, one after the other, until the player quits; 0."""
    from crisp_lan.front import attempt, has_screen

    looks = chosen_looks(args)
    ask = _by_line if looks.plain or not has_screen() else _by_key
    return attempt(lambda: _evening(_menu(looks), ask, looks, args, run), looks)


def _evening(
    menu: Menu,
    ask: Callable[[Menu, Looks], tuple[Menu, Chosen]],
    looks: Looks,
    args: argparse.Namespace,
    run: Run,
) -> None:
    while True:
        menu, chosen = ask(menu, looks)
        if chosen is None or chosen == "quit":
            return
        word, stopped = _spent(chosen, args, run)
        if stopped:
            return
        menu = replace(menu.top, word=word)


def _spent(entry: Entry, args: argparse.Namespace, run: Run) -> tuple[str, bool]:
    """Runs the command of an entry; its last word, and whether it was stopped from outside."""
    heard: list[tuple[str, bool]] = [("", False)]
    given = argparse.Namespace(**vars(args), heard=lambda *last: heard.append(last))
    try:
        run(entry.words, given)
    except Failed as failed:
        sentence = printable(filled(_(failed.text.key), failed.text.values))
        print(sentence, file=sys.stderr)
        return sentence, False
    return heard[-1]


def _by_key(menu: Menu, looks: Looks) -> tuple[Menu, Chosen]:
    from crisp_lan.asking import asked
    from crisp_lan.tui import menu as menus

    return asked(menu, menus.rows, menus.press, looks)


def _by_line(menu: Menu, looks: Looks) -> tuple[Menu, Chosen]:
    from crisp_lan.tui import menu as menus
    from crisp_lan.tui.wording import lettered

    chosen: Chosen = None
    while chosen is None:
        for line in menus.lines(menu):
            print(printable(lettered(line) if looks.ascii else line), flush=True)
        answer = sys.stdin.readline()
        if not answer:
            return menu, menus.QUIT
        menu, chosen = menus.press(menu, answer.strip().lower(), 0, 0)
    return menu, chosen


def _menu(looks: Looks) -> Menu:
    from crisp_lan.tui.menu import Entry, Menu

    entries = (
        Entry("h", _("Open a table"), _("for the people on your network"), ("host",)),
        Entry("j", _("Join a table"), _("one that is found here, or by its address"), ("join",)),
        Entry(
            "b",
            _("Play against bots"),
            _("on this machine; your first game explains itself"),
            inner=_games(_against_bots),
        ),
        Entry("l", _("Look at a past game"), _("step by step, all cards open"), ("replay",)),
        Entry(
            "r",
            _("Read the rules"),
            ", ".join(_(game.title) for game in GAMES.values()),
            inner=_games(lambda key: ("rules", key)),
        ),
        Entry("q", _("Quit")),
    )
    about = _("Crisp, a card game of memory and bluff, for the people on your network.")
    return Menu("crisp-lan", __version__, about, entries, looks.ascii)


def _games(words: Callable[[str], tuple[str, ...]]) -> tuple[Entry, ...]:
    """The games, and with which words something is done with each."""
    from crisp_lan.tui.menu import Entry

    return tuple(
        Entry(str(n), _(game.title), _(game.goal), words(game.key))
        for n, game in enumerate(GAMES.values(), 1)
    )


def _against_bots(key: str) -> tuple[str, ...]:
    """A table that starts at once, for one player and bots."""
    bots = min(OPPONENTS, GAMES[key].seats[-1] - 1)
    return ("host", f"--game={key}", f"--bots={bots}", f"--seats={bots + 1}", *ALONE)
