"""Who sits here: this player's name, looks, folder and kept seats, as a command line tells them."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from crisp_lan.arguments import Failed, or_else
from crisp_lan.game.rules import Text
from crisp_lan.text import harmless, safe_name
from crisp_lan.words import _, filled, own_command, speak

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.lessons import Learned
    from crisp_lan.net.search import Known
    from crisp_lan.seats import SeatKeeper
    from crisp_lan.tui.guide import Guide


def data_folder(args: argparse.Namespace) -> Path:
    """The folder where this player's games and tables are kept."""
    given = getattr(args, "data", None) or os.environ.get("CRISP_LAN_DATA")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("crisp-lan")


def log_to(file: Path | None, level: int) -> None:
    """What is not for players goes to this file, which others cannot read, else to stderr.

    Raises Failed.
    """
    import logging

    try:
        if file is not None:
            file.touch(mode=0o600)
        logging.basicConfig(filename=file, level=level, format="%(asctime)s %(message)s")
    except OSError as error:
        values = {"file": str(file), "reason": error.strerror or ""}
        raise Failed(Text("The log {file} cannot be written: {reason}.", values)) from None


def name_argument(parser: argparse.ArgumentParser) -> None:
    """The option for this player's name."""
    parser.add_argument(
        "--name",
        type=player_name,
        metavar=_("NAME"),
        help=or_else(_("your name"), _("the login name")),
    )


def player_name(text: str) -> str:
    """A name as a table keeps it, so that it can be sent whatever was typed."""
    return safe_name(text, _("Player"))


def passcode(text: str) -> str:
    """A passcode as it was typed, if that leaves anything to compare."""
    from crisp_lan.net.passcode import LONGEST, plain

    if not plain(text) or len(text) > LONGEST:
        sentence = _("a passcode has letters or digits, and at most {n} signs")
        raise argparse.ArgumentTypeError(filled(sentence, {"n": LONGEST}))
    return text


def login() -> str:
    """The name by which this player is known to the machine."""
    import getpass

    try:
        return getpass.getuser().capitalize()
    except (OSError, KeyError, ImportError):
        return _("Player")


def chosen_looks(args: argparse.Namespace) -> Looks:
    """How this player wants to see the table."""
    from crisp_lan.front import Looks

    looks = Looks(
        plain=getattr(args, "plain", False),
        ascii=getattr(args, "ascii", False) or not shows_suits(),
        colour=not getattr(args, "no_color", False),
        theme=getattr(args, "theme", ""),
        motion=not getattr(args, "no_motion", False),
        bell=not getattr(args, "no_bell", False),
        log=getattr(args, "log", None),
        guide=lambda: chosen_guide(args),
        learned=lambda now: _keep_learned(args, now),
    )
    return replace(looks, heard=args.heard) if in_menu(args) else looks


def chosen_guide(args: argparse.Namespace) -> Guide:
    """What there is to explain to this player, and what has been."""
    from crisp_lan.lessons import learned, lessons
    from crisp_lan.tui.guide import Guide

    language = speak(getattr(args, "lang", None))
    return Guide(lambda game: lessons(game, language), learned(data_folder(args)))


def _keep_learned(args: argparse.Namespace, now: Learned) -> None:
    from crisp_lan.lessons import keep

    keep(data_folder(args), now)


def in_menu(args: argparse.Namespace) -> bool:
    """Whether the menu comes back after the command, over all that it has printed."""
    return "heard" in args


def shows_suits() -> bool:
    """Whether this terminal's encoding has the suits and the lines of the table."""
    try:
        "♠♥♦♣─│".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def kept_seats(args: argparse.Namespace) -> SeatKeeper:
    """What keeps this client's seat; who gives a name comes back to that name's seats alone."""
    from crisp_lan.seats import SeatKeeper

    return SeatKeeper(data_folder(args) / "seats", args.name or login(), any_player=not args.name)


def known(args: argparse.Namespace, player: str | None = None) -> Known:
    """Where the seats are that wait for this player, or for any of this machine."""
    from crisp_lan.net.calling import Target
    from crisp_lan.seats import SeatKeeper

    keeper = SeatKeeper(data_folder(args) / "seats", player or "", any_player=not player)
    return lambda: [
        Target(each.addresses, each.port, each.table, each.fingerprint) for each in keeper.waiting()
    ]


def way_back(args: argparse.Namespace, keeper: SeatKeeper) -> str:
    """How to come back to the seat that is kept, if one is."""
    if keeper.held is None:
        return ""
    words = [own_command(), "join", harmless(keeper.held.spot)]
    if given := getattr(args, "data", None):
        words += ["--data", shlex.quote(str(given))]
    sentence = _("While the table is open, {command} brings you back to your seat.")
    return filled(sentence, {"command": " ".join(words)})
