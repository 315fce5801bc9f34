"""`arena`: bots against bots, without a network, in virtual time."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from crisp_lan.arguments import (
    Command,
    Example,
    Failed,
    chosen_game,
    game_arguments,
    number,
    or_else,
    wrong,
)
from crisp_lan.game.rules import Refused, Text
from crisp_lan.game.state import LEVELS
from crisp_lan.tui.wording import decimal, percent
from crisp_lan.words import _, filled

ARENA_LEVELS = (*LEVELS, "anygame")


def _arena_arguments(parser: argparse.ArgumentParser) -> None:
    whole, players = number(1, 10**6), number(2, 8)
    games, seats, seed = _("how many games"), _("how many players"), _("for the same games again")
    known = filled(_("who plays: {levels}"), {"levels": ", ".join(ARENA_LEVELS)})
    usual = "normal,easy"
    add = parser.add_argument
    add("--games", type=whole, default=100, metavar="N", help=or_else(games, 100))
    add("--seats", type=players, default=2, metavar="N", help=or_else(seats, 2))
    add("--levels", default=usual, metavar="A,B,…", help=or_else(known, usual))
    add("--seed", type=number(0, 2**63), default=1, metavar="S", help=or_else(seed, 1))
    parser.add_argument("--record", type=Path, metavar=_("DIR"), help=_("write each game there"))
    game_arguments(parser)


def _arena(args: argparse.Namespace) -> int:
    import time

    from crisp_lan.arena import arena

    game, options = chosen_game(args)
    levels = args.levels.split(",")
    if unknown := next((level for level in levels if level not in ARENA_LEVELS), None):
        values = {"level": unknown, "levels": ", ".join(ARENA_LEVELS)}
        raise wrong(Text("There is no level {level}: choose from {levels}.", values))
    began = time.perf_counter()
    try:
        table = arena(
            game.key,
            args.games,
            args.seats,
            levels,
            options,
            args.seed,
            record=args.record,
            processes=os.cpu_count() or 1,
        )
    except Refused as refused:
        raise wrong(refused.text) from None
    except OSError as error:
        values = {"folder": str(args.record), "reason": error.strerror or ""}
        raise Failed(Text("{folder} cannot be written: {reason}.", values)) from None
    rate = args.games / (time.perf_counter() - began)
    _in_columns("", _("won"), _("of"), _("share"), percent(0.95), _("mean score"))
    for row in table:
        wins, mean = decimal(f"{row.wins:.1f}"), decimal(f"{row.mean:.1f}")
        span = f"{percent(row.least, 1)}–{percent(row.most, 1)}"
        _in_columns(row.level, wins, str(row.games), percent(row.share, 1), span, mean)
    print(filled(_("{rate} games a second"), {"rate": f"{rate:.0f}"}))
    return 0


def _in_columns(level: str, *cells: str) -> None:
    widths = (8, 6, 8, 15, 15)
    print(f"{level:8}", *(f"{cell:>{width}}" for cell, width in zip(cells, widths)))


ARENA = Command(
    "let bots play against bots",
    (
        Example("arena --games 300 --levels hard,easy", "by how much hard is better"),
        Example("arena --game briscola --record games", "keep each game"),
    ),
    _arena_arguments,
    _arena,
)
