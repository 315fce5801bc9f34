"""`host`: a new table or one that goes on, with a seat at it or, headless, for others."""

from __future__ import annotations

import argparse
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any

from crisp_lan.arguments import (
    Command,
    Example,
    Failed,
    address,
    chosen_game,
    game_arguments,
    number,
    one_of,
    or_else,
    wrong,
)
from crisp_lan.commands.player import (
    chosen_guide,
    chosen_looks,
    data_folder,
    kept_seats,
    log_to,
    login,
    name_argument,
    passcode,
    way_back,
)
from crisp_lan.crashes import report, scene
from crisp_lan.game.options import STAND_IN, setting_text
from crisp_lan.game.rules import Game, Refused, Setting, Text
from crisp_lan.game.state import LEVELS
from crisp_lan.spots import PORT
from crisp_lan.text import safe_name
from crisp_lan.words import _, filled

if TYPE_CHECKING:
    from crisp_lan.net.hosting import OpenTable

AGAIN = ("name", "port", "bind", "no_announce", "headless", "resume", "key_fd")
"""What can be said anew of a table that goes on."""
BOT_LEVEL = "normal"


def _host_arguments(parser: argparse.ArgumentParser) -> None:
    levels, how = "|".join(LEVELS), or_else(_("how they play"), BOT_LEVEL)
    port = filled(_("where it listens (default: {port} or the next; 0: any)"), {"port": PORT})
    parser.add_argument("--table", metavar=_("NAME"), help=_("the table's name"))
    name_argument(parser)
    parser.add_argument("--seats", type=number(2, 8), metavar="N", help=_("start when N are here"))
    parser.add_argument("--bots", type=number(0, 7), default=0, metavar="N", help=_("add N bots"))
    parser.add_argument("--bot-level", type=one_of(LEVELS), metavar=levels, help=how)
    parser.add_argument(
        "--passcode",
        nargs="?",
        const=True,
        type=passcode,
        metavar=_("CODE"),
        help=_("who joins must know this one, or a new one"),
    )
    parser.add_argument("--port", type=number(0, 65535), metavar="PORT", help=port)
    parser.add_argument(
        "--bind", type=address, metavar=_("ADDRESS"), help=_("listen and announce there only")
    )
    parser.add_argument("--no-announce", action="store_true", help=_("not in others' lists"))
    parser.add_argument("--headless", action="store_true", help=_("a table without a screen"))
    parser.add_argument("--once", action="store_true", help=_("end after one game"))
    parser.add_argument(STAND_IN.flag, action="store_true", help=_(STAND_IN.label))
    parser.add_argument(
        "--deal-seed", type=number(0, 2**63), metavar="N", help=_("deals that can be repeated")
    )
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar=_("GAME"),
        help=_("go on with an interrupted table"),
    )
    parser.add_argument("--key-fd", type=number(0, 2**16), help=argparse.SUPPRESS)
    game_arguments(parser)


def _host(args: argparse.Namespace) -> int:
    if args.resume is not None:
        return _resume(args)
    game, options = chosen_game(args)
    if args.seats is not None and args.bots >= args.seats:
        raise wrong(Text("{n} bots leave no seat for a player.", {"n": args.bots}))
    if args.headless:
        return _headless(args, game, options)
    return _sit_at_own(args, _for_table(args, game, options))


def _sit_at_own(args: argparse.Namespace, words: Sequence[str], table: str = "") -> int:
    """A table in a process of its own that is started with these words, and its host's seat.

    `table`: the id of one that goes on; where its host's seat is played already, that is all.
    """
    from crisp_lan.front import spend_evening
    from crisp_lan.opening import NotOpened, TableProcess

    data, keeper = data_folder(args), kept_seats(args)
    try:
        log = data / "table.log"
        process = TableProcess([f"--data={data}", *words], log, goes_on=bool(table))
    except OSError as error:
        values = {"folder": str(data), "reason": error.strerror or ""}
        raise Failed(Text("{folder} cannot be written: {reason}.", values)) from None
    name, bind = args.name or login(), args.bind
    with closing(keeper):
        if table and keeper.is_played(table) and table not in keeper.tables():
            try:
                process.opened()
            except NotOpened as failed:
                raise Failed(failed.text) from None
            print(_("The table goes on, and so does your seat in the window where you play."))
            return 0
        return spend_evening(
            lambda: process.joined(name, bind, keeper),
            chosen_looks(args),
            lambda: way_back(args, keeper),
        )


def _resume(args: argparse.Namespace) -> int:
    """Goes on with a table that was interrupted."""
    from crisp_lan.journal import Unreadable
    from crisp_lan.keeping import NotKept, unfinished

    _refuse_changes(args)
    try:
        path = unfinished(data_folder(args) / "tables", args.resume)
    except Unreadable as error:
        values = {"reason": filled(_(error.text.key), error.text.values)}
        sentence = "{reason} To go on with another table, name it: {command} host --resume GAME."
        raise Failed(Text(sentence, values)) from None
    except NotKept as error:
        raise Failed(error.text) from None
    if not args.headless:
        return _sit_at_own(args, [f"--resume={path.stem}", *_given_place(args)], path.stem)
    from crisp_lan.net.host import Again, resume_host

    announce = not args.no_announce
    again = Again(path, args.port, args.bind, announce=announce, key_fd=args.key_fd)
    return _run_table(args, lambda ready: resume_host(again, ready))


def _refuse_changes(args: argparse.Namespace) -> None:
    """Exits as wrong usage if something is asked for that has been settled at a table."""
    fresh = argparse.ArgumentParser()
    _host_arguments(fresh)
    for name, default in vars(fresh.parse_args([])).items():
        if name not in AGAIN and getattr(args, name) != default:
            flag = name if name.startswith("--") else "--" + name.replace("_", "-")
            raise wrong(Text("{flag} cannot be changed at a table that goes on.", {"flag": flag}))


def _for_table(args: argparse.Namespace, game: Game[Any], options: dict[str, Setting]) -> list[str]:
    """The words with which the process of a new table is started."""
    guided = _is_guided(args, game)
    given = [
        f"--game={game.key}",
        f"--table={_table_name(args)}",
        f"--bots={args.bots}",
        f"--bot-level={args.bot_level or ('easy' if guided else BOT_LEVEL)}",
        *_given_place(args),
    ]
    for flag in ("seats", "deal_seed"):
        if (value := getattr(args, flag)) is not None:
            given.append(f"--{flag.replace('_', '-')}={value}")
    if args.passcode is not None:
        given.append("--passcode" if args.passcode is True else f"--passcode={args.passcode}")
    switches = ("once", "stand_in")
    given += [f"--{flag.replace('_', '-')}" for flag in switches if vars(args)[flag]]
    for option in game.options:
        usual = None if guided and None in option.values else option.default
        value = options.get(option.name, usual)
        if isinstance(option.default, bool):
            given += [option.flag] if value != option.default else []
        else:
            given.append(f"{option.flag}={setting_text(value)}")
    return given


def _is_guided(args: argparse.Namespace, game: Game[Any]) -> bool:
    """Whether a newcomer will be alone with bots on this machine. Then, where nothing else is asked
    for, no clock presses, and the bots are easy ones."""
    from crisp_lan.tui.guide import is_over

    alone = args.bind == "127.0.0.1" and args.seats == args.bots + 1
    return alone and not is_over(chosen_guide(args), game.key)


def _given_place(args: argparse.Namespace) -> list[str]:
    """What was said of where the table is to be."""
    given = [
        f"--{flag}={value}"
        for flag, value in (("port", args.port), ("bind", args.bind), ("lang", args.lang))
        if value is not None
    ]
    return given + (["--no-announce"] if args.no_announce else [])


def _table_name(args: argparse.Namespace) -> str:
    named = filled(_("{name}'s table"), {"name": args.name or login()})
    return safe_name(args.table or named, named)


def _headless(args: argparse.Namespace, game: Game[Any], options: dict[str, Setting]) -> int:
    from crisp_lan.net.host import run_host
    from crisp_lan.net.hosting import HostSettings
    from crisp_lan.net.passcode import new_passcode

    settings = HostSettings(
        game,
        _table_name(args),
        data_folder(args) / "tables",
        options,
        size=args.seats,
        starts_by_itself=args.seats is not None,
        first_is_host=args.seats is None and args.key_fd is None,
        bots=(args.bot_level or BOT_LEVEL,) * args.bots,
        port=args.port,
        bind=args.bind,
        announce=not args.no_announce,
        once=args.once,
        stand_in=(args.bot_level or BOT_LEVEL) if args.stand_in else "",
        deal_seed=args.deal_seed,
        passcode=new_passcode() if args.passcode is True else args.passcode or "",
        key_fd=args.key_fd,
    )
    return _run_table(args, lambda ready: run_host(settings, ready))


def _run_table(
    args: argparse.Namespace, run: Callable[[Callable[[OpenTable], None]], Awaitable[Text]]
) -> int:
    """Runs a table in this process until it ends; its first line is printed once it is open."""
    import logging
    from dataclasses import asdict

    import trio

    from crisp_lan.net.host import HostFailed

    log_to(getattr(args, "log", None), logging.INFO)

    def ready(opened: OpenTable) -> None:
        print(json.dumps(asdict(opened), ensure_ascii=False), flush=True)

    try:
        trio.run(run, ready)
    except HostFailed as failed:
        raise Failed(failed.text) from None
    except Refused as refused:
        raise wrong(refused.text) from None
    except Exception as error:
        logging.getLogger(__name__).critical("the table broke:\n%s", report(error))
        values = {"error": scene(error)}
        raise Failed(Text("Something in crisp-lan broke: {error}.", values)) from None
    return 0


HOST = Command(
    "open a table and sit down at it",
    (
        Example("host", "a table for whoever comes"),
        Example("host --bots 2 --limit 50", "with two bots, and a short game"),
        Example("host --game briscola --seats 4", "begins when four are there"),
        Example("host --passcode", "only for those who know it"),
        Example("host --resume", "goes on after a crash"),
    ),
    _host_arguments,
    _host,
)
