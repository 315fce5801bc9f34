"""`replay` and `history`: the games that are kept here."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from crisp_lan.arguments import Command, Example, Failed
from crisp_lan.commands.player import chosen_looks, data_folder
from crisp_lan.game.rules import Text
from crisp_lan.text import harmless, printable
from crisp_lan.words import _, filled

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.history import Game


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    which = _("the game's id or how it begins; else the newest")
    parser.add_argument("id", nargs="?", metavar=_("GAME"), help=which)
    parser.add_argument("--json", action="store_true", help=_("print the record as JSON Lines"))
    right = _("check that decks and cards were right")
    parser.add_argument("--check", action="store_true", help=right)
    parser.add_argument("--spoil", action="store_true", help=_("even while the game runs"))


def _replay(args: argparse.Namespace) -> int:
    from crisp_lan.journal import write_record

    game = _kept_game(data_folder(args), args.id)
    if game.status == "running" and not args.spoil:
        raise Failed(Text("That game is still running. Add --spoil to see its cards."))
    if args.check:
        return _check(game)
    if args.json:
        write_record(sys.stdout, game.record)
        return 0
    return _read(game, chosen_looks(args))


def _check(game: Game) -> int:
    """Says whether all follows by the rules, and the decks from what all drew. Raises Failed."""
    from crisp_lan.fair import audited

    verdict, number = audited(game.record)
    reason = filled(_(verdict.text.key), verdict.text.values)
    if not verdict.fits:
        raise Failed(Text("In round {n}: {reason}", {"n": number, "reason": reason}))
    print(reason)
    return 0


def _read(game: Game, looks: Looks) -> int:
    """Shows a game's moments to who sits before the terminal."""
    from crisp_lan.front import attempt
    from crisp_lan.history import last_word, when
    from crisp_lan.moments import moments
    from crisp_lan.replaying import read
    from crisp_lan.session import Ending
    from crisp_lan.tui.replay import Replay

    seen = moments(game.record, last_word(game))
    if not seen:
        raise Failed(Text("There is nothing to be seen of game {id}.", {"id": game.id}))

    def show() -> Ending:
        read(Replay(seen, when(game.began), looks.ascii), looks)
        return Ending(0, "")

    return attempt(show, looks)


def _kept_game(data: Path, wanted: str | None) -> Game:
    from crisp_lan.history import kept, named

    games, _troubles = kept(data / "tables")
    meant = named(games, wanted)
    if len(meant) == 1:
        return meant[0]
    if wanted is None:
        raise Failed(Text("No game is kept in {folder} yet.", {"folder": str(data)}))
    values = {"id": harmless(wanted), "folder": str(data)}
    if not meant:
        raise Failed(Text("No game {id} is kept in {folder}.", values))
    values["ids"] = ", ".join(game.id for game in meant)
    raise Failed(Text("{id} may be any of these games: {ids}.", values))


def _history_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("each game a JSON object in a line"))


def _history(args: argparse.Namespace) -> int:
    from crisp_lan.history import as_line, kept, lines
    from crisp_lan.journal import json_text

    games, troubles = kept(data_folder(args) / "tables")
    for trouble in troubles:
        print(printable(filled(_(trouble.key), trouble.values)), file=sys.stderr)
    if args.json:
        for game in games:
            print(json_text(as_line(game)))
        return 0
    if not games:
        print(filled(_("No game is kept in {folder} yet."), {"folder": str(data_folder(args))}))
        return 0
    for line in lines(games):
        print(line)
    return 0


REPLAY = Command(
    "look at a game that was kept here, all cards open",
    (
        Example("replay", "the newest game, step by step"),
        Example("replay --check", "whether its decks and cards were right"),
        Example("replay --json", "its record, for programs"),
    ),
    _replay_arguments,
    _replay,
)
HISTORY = Command(
    "list the games kept here, and who won",
    (
        Example("history", "the games, and how the players stand"),
        Example("history --json", "for programs"),
    ),
    _history_arguments,
    _history,
)
