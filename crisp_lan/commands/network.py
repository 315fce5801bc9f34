"""`tables` and `doctor`: what is on this network, and why something is not."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from crisp_lan.arguments import (
    Command,
    Example,
    Failed,
    network_arguments,
    or_else,
    seconds,
    typed_address,
)
from crisp_lan.commands.player import data_folder, known, log_to, shows_suits
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Text
from crisp_lan.journal import json_text
from crisp_lan.text import printable
from crisp_lan.words import _

if TYPE_CHECKING:
    from crisp_lan.net.listing import Listing


def _tables_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument(
        "--wait",
        type=seconds,
        default=2.0,
        metavar="S",
        help=or_else(_("seconds to listen"), 2),
    )
    network_arguments(parser)


def _tables(args: argparse.Namespace) -> int:
    import trio

    from crisp_lan.net.discovery import NOTHING_HEARD
    from crisp_lan.net.search import searching
    from crisp_lan.seeking import explained

    async def heard() -> tuple[list[Listing], str]:
        async with searching(args.bind, known(args)) as search:
            await trio.sleep(args.wait)
            problem = explained(search.problem, search) if search.problem else ""
            return list(search.tables.values()), problem

    listings, problem = trio.run(heard)
    if args.json:
        print(json_text([_listed(listing) for listing in listings]))
        return 0
    for listing in sorted(listings, key=lambda one: (one.table, one.id)):
        print(printable(_table_line(listing)))
    if not listings:
        raise Failed(Text("{reason}", {"reason": problem}) if problem else NOTHING_HEARD)
    if problem:
        print(printable(problem), file=sys.stderr)
    return 0


def _table_line(listing: Listing) -> str:
    from crisp_lan.net.messages import PROTOCOL
    from crisp_lan.tui.finder import version_words

    seats = f"{listing.players}/{listing.seats}" if listing.seats else ""
    title = GAMES[listing.game].title if listing.game in GAMES else listing.game
    phase = _("passcode") if listing.passcode else _(listing.phase)
    phase = phase if listing.protocol == PROTOCOL else version_words(listing)
    return f"{listing.table:24} {title:10} {seats:>5}  {phase:8} {listing.spot}"


def _listed(listing: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(listing)


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "where",
        nargs="?",
        type=typed_address,
        metavar=_("ADDRESS[:PORT]"),
        help=_("where a table should be, from the host’s screen"),
    )
    network_arguments(parser)


def _doctor(args: argparse.Namespace) -> int:
    import logging

    import trio

    from crisp_lan.doctor import Finding, lines, on_network
    from crisp_lan.machine import on_machine
    from crisp_lan.net.calling import Target

    log_to(getattr(args, "log", None), logging.WARNING)
    grades = set()

    def say(finding: Finding) -> None:
        grades.add(finding.grade)
        print(*lines(finding), sep="\n", flush=True)

    for finding in on_machine(data_folder(args), args.lang, shows_suits()):
        say(finding)
    typed = Target((args.where[0],), args.where[1]) if args.where else None
    trio.run(on_network, args.bind, typed, known(args), say)
    return 1 if "fault" in grades else 0


TABLES = Command(
    "list the tables on this network",
    (
        Example("tables", "what is heard in two seconds"),
        Example("tables --wait 10 --json", "listen longer, for programs"),
    ),
    _tables_arguments,
    _tables,
)
DOCTOR = Command(
    "find out why no table is seen",
    (
        Example("doctor", "what is in the way on this machine"),
        Example("doctor 192.168.1.20", "try the address on the host’s screen"),
    ),
    _doctor_arguments,
    _doctor,
)
