"""`rules`: how the games are played, in the player's language."""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from crisp_lan.arguments import Command, Example, one_of
from crisp_lan.commands.player import chosen_looks, in_menu
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Game
from crisp_lan.words import _, filled, n_, own_command, speak

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.rulebook import Piece
    from crisp_lan.tui.blocks import Block


def _rules_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "game",
        nargs="?",
        type=one_of(tuple(GAMES)),
        metavar="|".join(GAMES),
        help=_("which game; else all of them in a line each"),
    )


def _rules(args: argparse.Namespace) -> int:
    from crisp_lan.rulebook import rules

    if args.game is None:
        _list()
        return 0
    game = GAMES[args.game]
    return _show(game, rules(game.key, speak(args.lang)) or _in_short(game), args)


def _list() -> None:
    """The games, what each is about, and how its rules are asked for."""
    from crisp_lan.tui.blocks import broken

    for game in GAMES.values():
        print(f"{_(game.title)} ({_players(game)})")
        print(*(f"  {line}" for line in broken(_(game.goal), _columns() - 2)), sep="\n")
        print(f"  {own_command()} rules {game.key}")


def _players(game: Game[Any]) -> str:
    least, most = game.seats[0], game.seats[-1]
    if least == most:
        return n_("{n} player", "{n} players", most)
    return filled(_("{least} to {most} players"), {"least": least, "most": most})


def _in_short(game: Game[Any]) -> tuple[Piece, ...]:
    """What a game without a text of its own says of itself."""
    from crisp_lan.rulebook import Piece

    return (
        Piece("title", ((_(game.title),),)),
        Piece("paragraph", ((_players(game),),)),
        Piece("paragraph", ((_(game.goal),),)),
    )


def _show(game: Game[Any], text: tuple[Piece, ...], args: argparse.Namespace) -> int:
    """Prints the text; a screenful after the other where it is longer than the screen."""
    from crisp_lan.front import attempt, has_screen
    from crisp_lan.rulebook import typeset

    looks, set_for = chosen_looks(args), partial(typeset, text)
    block = set_for(_columns())
    fits = len(block) < shutil.get_terminal_size().lines and not in_menu(args)
    if looks.plain or not has_screen() or fits:
        from crisp_lan.tui.wording import lettered

        signs = lettered if looks.ascii else str
        for row in block:
            print(signs("".join(words for _style, words in row)))
        return 0
    title = filled(_("The rules of {game}"), {"game": _(game.title)})
    return attempt(lambda: _read(title, set_for, looks), looks)


def _read(title: str, set_for: Callable[[int], Block], looks: Looks) -> None:
    from crisp_lan.asking import asked
    from crisp_lan.tui import reader

    asked(reader.Reader(title, set_for, looks.ascii), reader.rows, reader.press, looks)


def _columns() -> int:
    return shutil.get_terminal_size().columns


RULES = Command(
    "read how a game is played",
    (
        Example("rules", "the games, in a line each"),
        Example("rules briscola", "one of them, from the deal to who wins"),
    ),
    _rules_arguments,
    _rules,
)
