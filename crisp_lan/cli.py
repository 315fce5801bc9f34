"""The command line: words into settings, each command a function; what it needs is loaded there."""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shlex
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crisp_lan import __version__
from crisp_lan.arguments import (
    NEAR,
    Command,
    Parser,
    chosen_game,
    game_arguments,
    general,
    number,
    one_of,
    or_else,
    seconds,
    wrong,
)
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.options import STAND_IN, setting_text
from crisp_lan.game.rules import Game, Refused, Setting, Text
from crisp_lan.game.table import FULL, LEVELS
from crisp_lan.spots import PORT, WrongSpot, spot, typed_spot
from crisp_lan.text import harmless, printable, safe_name
from crisp_lan.words import LANGUAGES, _, filled, own_command, speak

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.history import Game as KeptGame
    from crisp_lan.net.client import Client, Target
    from crisp_lan.net.host import Opened
    from crisp_lan.net.listing import Listing
    from crisp_lan.net.search import Known
    from crisp_lan.seats import SeatKeeper

ARENA_LEVELS = (*LEVELS, "anygame")
OWN_PROCESS = "bots"
"""The command by which a table has its bots played: it is no player's business."""


class Failed(Exception):
    """The thing asked for could not be done; `text` says what and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


def run(words: Sequence[str]) -> int:
    """Runs one command; gives the exit code: 0 fine, 1 failed with a sentence, 2 wrong usage."""
    if list(words) == [OWN_PROCESS]:
        return _bots()
    speak(_early_language(words))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        parser = _parser()
        args, left_over = parser.parse_known_args(_checked(words))
        if left_over:
            parser.refuse_word(left_over[0], args.command)
        if args.command is None:
            parser.print_help(sys.stderr)
            return 2
        speak(args.lang)
        code = _COMMANDS[args.command].run(args)
        sys.stdout.flush()  # what is still to be written may find nobody who reads
        return code
    except Failed as failed:
        print(filled(_(failed.text.key), failed.text.values), file=sys.stderr)
        return 1
    except SystemExit as exit:
        return exit.code if isinstance(exit.code, int) else 2
    except KeyboardInterrupt:
        return 130
    except BaseExceptionGroup as group:
        if group.subgroup(KeyboardInterrupt) is None:
            raise
        return 130
    except BrokenPipeError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _early_language(words: Sequence[str]) -> str | None:
    """The language asked for, so that the help is in it too."""
    for word, following in zip(words, [*words[1:], ""]):
        name, _eq, value = word.partition("=")
        if name == "--lang" and (value or following) in LANGUAGES:
            return value or following
    return None


# ---------------------------------------------------------------- arguments


def _checked(words: Sequence[str]) -> list[str]:
    """The words, if the first that is no option is a command; else the nearest one is named."""
    first = _first_word(words)
    if first and first not in _COMMANDS:
        close = difflib.get_close_matches(first, _COMMANDS, 1, NEAR)
        sentence = filled(_("There is no command {word}."), {"word": harmless(first)})
        Parser(prog="crisp-lan").refuse(sentence, *close)
    return list(words)


def _first_word(words: Sequence[str]) -> str | None:
    """The first word that is neither an option nor the value of one."""
    before = ""
    for word in words:
        if not word.startswith("-") and before not in ("--lang", "--data", "--log"):
            return word
        before = word
    return None


def _parser() -> Parser:
    parser = Parser(
        prog="crisp-lan",
        description=_("Crisp, a card game of memory and bluff, for the people on your network."),
        epilog=_("Example: one types  crisp-lan host  and the others  crisp-lan join"),
        parents=[general()],
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"crisp-lan {__version__}",
        help=_("show the version and end"),
    )
    parser.set_defaults(command=None, lang=None)
    parser.add_commands(_COMMANDS)
    return parser


def _log_to(file: Path | None, level: int) -> None:
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


def _data(args: argparse.Namespace) -> Path:
    """The folder where this player's games and tables are kept."""
    given = getattr(args, "data", None) or os.environ.get("CRISP_LAN_DATA")
    if given:
        return Path(given)
    from platformdirs import user_data_path

    return user_data_path("crisp-lan")


# ---------------------------------------------------------------- replay


def _replay_arguments(parser: argparse.ArgumentParser) -> None:
    which = _("the game's id or how it begins; else the newest")
    parser.add_argument("id", nargs="?", metavar="GAME", help=which)
    parser.add_argument("--json", action="store_true", help=_("print the record as JSON Lines"))
    parser.add_argument("--spoil", action="store_true", help=_("even while the game runs"))


def _replay(args: argparse.Namespace) -> int:
    from crisp_lan.journal import write_record

    game = _kept_game(_data(args), args.id)
    if game.status == "running" and not args.spoil:
        raise Failed(Text("That game is still running. Add --spoil to see its cards."))
    if args.json:
        write_record(sys.stdout, game.record)
        return 0
    return _read(game, _looks(args))


def _read(game: KeptGame, looks: Looks) -> int:
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


def _kept_game(data: Path, wanted: str | None) -> KeptGame:
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


# ---------------------------------------------------------------- history


def _history_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("each game a JSON object in a line"))


def _history(args: argparse.Namespace) -> int:
    from crisp_lan.history import as_line, kept, lines

    games, troubles = kept(_data(args) / "tables")
    for trouble in troubles:
        print(printable(filled(_(trouble.key), trouble.values)), file=sys.stderr)
    if args.json:
        for game in games:
            print(json.dumps(as_line(game), ensure_ascii=False))
        return 0
    if not games:
        print(filled(_("No game is kept in {folder} yet."), {"folder": str(_data(args))}))
        return 0
    for line in lines(games):
        print(line)
    return 0


# ---------------------------------------------------------------- arena


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
    parser.add_argument("--record", type=Path, metavar="DIR", help=_("write each game there"))
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
    print(f"{'':8} {_('won'):>7} {_('of'):>6} {_('share'):>7} {'95 %':>15} {_('mean score'):>11}")
    for row in table:
        print(
            f"{row.level:8} {row.wins:7.1f} {row.games:6} {row.share:7.1%}"
            f" {row.least:7.1%}–{row.most:.1%} {row.mean:11.1f}"
        )
    print(filled(_("{rate} games a second"), {"rate": f"{rate:.0f}"}))
    return 0


# ---------------------------------------------------------------- tables and bots


def _network_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--bind", type=_address, metavar="ADDRESS", help=_("search on this network only")
    )


def _tables_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help=_("for programs"))
    parser.add_argument(
        "--wait",
        type=seconds,
        default=2.0,
        metavar="S",
        help=or_else(_("seconds to listen"), 2),
    )
    _network_arguments(parser)


def _tables(args: argparse.Namespace) -> int:
    import trio

    from crisp_lan.net.discovery import NOTHING_HEARD
    from crisp_lan.net.search import searching
    from crisp_lan.seeking import explained

    async def heard() -> tuple[list[Listing], str]:
        async with searching(args.bind, _known(args)) as search:
            await trio.sleep(args.wait)
            problem = explained(search.problem, search) if search.problem else ""
            return list(search.tables.values()), problem

    listings, problem = trio.run(heard)
    if args.json:
        print(json.dumps([_listed(listing) for listing in listings], ensure_ascii=False))
        return 0
    for listing in sorted(listings, key=lambda one: (one.table, one.id)):
        print(_table_line(listing))
    if not listings:
        raise Failed(Text("{reason}", {"reason": problem}) if problem else NOTHING_HEARD)
    if problem:
        print(problem, file=sys.stderr)
    return 0


def _table_line(listing: Listing) -> str:
    from crisp_lan.net.messages import PROTOCOL
    from crisp_lan.tui.finder import version_words

    seats = f"{listing.players}/{listing.seats}" if listing.seats else ""
    title = GAMES[listing.game].title if listing.game in GAMES else listing.game
    phase = _(listing.phase) if listing.protocol == PROTOCOL else version_words(listing)
    return f"{listing.table:24} {title:10} {seats:>5}  {phase:8} {listing.spot}"


def _listed(listing: Any) -> dict[str, Any]:
    from dataclasses import asdict

    return asdict(listing)


def _address(text: str) -> str:
    """An address of this machine as it is typed."""
    import ipaddress

    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        sentence = filled(_("{text} is not an address."), {"text": text})
        raise argparse.ArgumentTypeError(sentence.rstrip(".")) from None


# ---------------------------------------------------------------- host


def _host_arguments(parser: argparse.ArgumentParser) -> None:
    levels, how = "|".join(LEVELS), or_else(_("how they play"), "normal")
    port = filled(_("where it listens (default: {port} or the next; 0: any)"), {"port": PORT})
    parser.add_argument("--table", metavar="NAME", help=_("the table's name"))
    _name_argument(parser)
    parser.add_argument("--seats", type=number(2, 8), metavar="N", help=_("start when N are here"))
    parser.add_argument("--bots", type=number(0, 7), default=0, metavar="N", help=_("add N bots"))
    parser.add_argument(
        "--bot-level", type=one_of(LEVELS), default="normal", metavar=levels, help=how
    )
    parser.add_argument("--port", type=number(0, 65535), metavar="PORT", help=port)
    parser.add_argument(
        "--bind", type=_address, metavar="ADDRESS", help=_("listen and announce there only")
    )
    parser.add_argument("--no-announce", action="store_true", help=_("not in others' lists"))
    parser.add_argument("--headless", action="store_true", help=_("a table without a screen"))
    parser.add_argument("--once", action="store_true", help=_("end after one game"))
    parser.add_argument(STAND_IN.flag, action="store_true", help=_(STAND_IN.label))
    parser.add_argument(
        "--deal-seed", type=number(0, 2**63), metavar="N", help=_("deals that can be repeated")
    )
    parser.add_argument(
        "--resume", nargs="?", const="", metavar="GAME", help=_("go on with an interrupted table")
    )
    parser.add_argument("--key-fd", type=number(0, 2**16), help=argparse.SUPPRESS)
    game_arguments(parser)


def _name_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--name", type=_name, metavar="YOU", help=or_else(_("your name"), _login()))


def _name(text: str) -> str:
    """A name as a table keeps it, so that it can be sent whatever was typed."""
    return safe_name(text, _("Player"))


def _login() -> str:
    import getpass

    try:
        return getpass.getuser().capitalize()
    except (OSError, KeyError, ImportError):
        return _("Player")


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

    data, keeper = _data(args), _keeper(args)
    try:
        log = data / "table.log"
        process = TableProcess([f"--data={data}", *words], log, goes_on=bool(table))
    except OSError as error:
        values = {"folder": str(data), "reason": error.strerror or ""}
        raise Failed(Text("{folder} cannot be written: {reason}.", values)) from None
    name, bind = args.name or _login(), args.bind
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
            _looks(args),
            lambda: _way_back(args, keeper),
        )


AGAIN = ("name", "port", "bind", "no_announce", "headless", "resume", "key_fd")
"""What can be said anew of a table that goes on."""


def _resume(args: argparse.Namespace) -> int:
    """Goes on with a table that was interrupted."""
    from crisp_lan.journal import Unreadable
    from crisp_lan.keeping import NotKept, unfinished

    _refuse_changes(args)
    try:
        path = unfinished(_data(args) / "tables", args.resume)
    except Unreadable as error:
        values = {"reason": filled(_(error.text.key), error.text.values)}
        sentence = "{reason} To go on with another table, name it: crisp-lan host --resume GAME."
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


def _keeper(args: argparse.Namespace) -> SeatKeeper:
    """What keeps this client's seat; who gives a name comes back to that name's seats alone."""
    from crisp_lan.seats import SeatKeeper

    return SeatKeeper(_data(args) / "seats", args.name or _login(), any_player=not args.name)


def _known(args: argparse.Namespace, player: str | None = None) -> Known:
    """Where the seats are that wait for this player, or for any of this machine."""
    from crisp_lan.net.client import Target
    from crisp_lan.seats import SeatKeeper

    keeper = SeatKeeper(_data(args) / "seats", player or "", any_player=not player)
    return lambda: [Target(each.addresses, each.port, each.table) for each in keeper.waiting()]


def _way_back(args: argparse.Namespace, keeper: SeatKeeper) -> str:
    """How to come back to the seat that is kept, if one is."""
    if keeper.held is None:
        return ""
    words = [own_command(), "join", harmless(keeper.held.spot)]
    if given := getattr(args, "data", None):
        words += ["--data", shlex.quote(str(given))]
    sentence = _("While the table is open, {command} brings you back to your seat.")
    return filled(sentence, {"command": " ".join(words)})


def _for_table(args: argparse.Namespace, game: Game[Any], options: dict[str, Setting]) -> list[str]:
    """The words with which the process of a new table is started."""
    given = [
        f"--game={game.key}",
        f"--table={_table_name(args)}",
        f"--bots={args.bots}",
        f"--bot-level={args.bot_level}",
        *_given_place(args),
    ]
    for flag in ("seats", "deal_seed"):
        if (value := getattr(args, flag)) is not None:
            given.append(f"--{flag.replace('_', '-')}={value}")
    switches = ("once", "stand_in")
    given += [f"--{flag.replace('_', '-')}" for flag in switches if vars(args)[flag]]
    for option in game.options:
        value = options.get(option.name, option.default)
        if isinstance(option.default, bool):
            given += [option.flag] if value != option.default else []
        else:
            given.append(f"{option.flag}={setting_text(value)}")
    return given


def _given_place(args: argparse.Namespace) -> list[str]:
    """What was said of where the table is to be."""
    given = [
        f"--{flag}={value}"
        for flag, value in (("port", args.port), ("bind", args.bind), ("lang", args.lang))
        if value is not None
    ]
    return given + (["--no-announce"] if args.no_announce else [])


def _table_name(args: argparse.Namespace) -> str:
    named = filled(_("{name}'s table"), {"name": args.name or _login()})
    return safe_name(args.table or named, named)


def _headless(args: argparse.Namespace, game: Game[Any], options: dict[str, Setting]) -> int:
    from crisp_lan.net.host import HostSettings, run_host

    settings = HostSettings(
        game,
        _table_name(args),
        _data(args) / "tables",
        options,
        size=args.seats,
        starts_by_itself=args.seats is not None,
        first_is_host=args.seats is None and args.key_fd is None,
        bots=(args.bot_level,) * args.bots,
        port=args.port,
        bind=args.bind,
        announce=not args.no_announce,
        once=args.once,
        stand_in=args.bot_level if args.stand_in else "",
        deal_seed=args.deal_seed,
        key_fd=args.key_fd,
    )
    return _run_table(args, lambda ready: run_host(settings, ready))


def _run_table(
    args: argparse.Namespace, run: Callable[[Callable[[Opened], None]], Awaitable[Text]]
) -> int:
    """Runs a table in this process until it ends; its first line is printed once it is open."""
    import logging
    from dataclasses import asdict

    import trio

    from crisp_lan.net.host import HostFailed

    _log_to(getattr(args, "log", None), logging.INFO)

    def ready(opened: Opened) -> None:
        print(json.dumps(asdict(opened), ensure_ascii=False), flush=True)

    try:
        trio.run(run, ready)
    except HostFailed as failed:
        raise Failed(failed.text) from None
    except Refused as refused:
        raise wrong(refused.text) from None
    return 0


# ---------------------------------------------------------------- join and bot


def _join_arguments(parser: argparse.ArgumentParser) -> None:
    _target_arguments(parser)
    _name_argument(parser)
    parser.add_argument("--watch", action="store_true", help=_("look on without a seat"))


def _target_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "where",
        nargs="?",
        type=_where,
        metavar=_("TABLE|ADDRESS[:PORT]"),
        help=filled(_("else: what is found; the usual port is {port}"), {"port": PORT}),
    )
    parser.add_argument("--id", metavar="TABLE", help=_("the table's id"))
    _network_arguments(parser)


def _where(text: str) -> str:
    """The name of a table, or an address with a port that can be one."""
    try:
        typed_spot(text)
    except WrongSpot as wrong:
        sentence = filled(_(wrong.text.key), wrong.text.values)
        raise argparse.ArgumentTypeError(sentence.rstrip(".")) from None
    return text


def _join(args: argparse.Namespace) -> int:
    from crisp_lan.front import attempt, evening
    from crisp_lan.net.client import Network, at_table
    from crisp_lan.net.messages import Join
    from crisp_lan.seeking import meant
    from crisp_lan.session import Ending

    looks, bind, keeper = _looks(args), args.bind, _keeper(args)
    titles = {key: game.title for key, game in GAMES.items()}
    join = Join(args.name or _login(), watch=args.watch)

    def play() -> Ending:
        target = meant(args.where, args.id, bind, looks, titles, _known(args, args.name))
        if target is None:
            return Ending(0, "")
        seats = None if args.watch else keeper
        return evening(lambda: _let_in(target, at_table(target, join, Network(bind), seats)), looks)

    with closing(keeper):
        return attempt(play, looks, lambda: _way_back(args, keeper))


@asynccontextmanager
async def _let_in(
    target: Target, joining: AbstractAsyncContextManager[Client]
) -> AsyncIterator[Client]:
    """A seat at the table. Where none is free, the way to watch is told."""
    from crisp_lan.net.client import TurnedAway

    try:
        async with joining as client:
            yield client
    except TurnedAway as away:
        if away.text.key != FULL:
            raise
        command = f"{own_command()} join {spot(target.addresses[0], target.port)} --watch"
        values = {**away.text.values, "command": command}
        raise Failed(Text("All {n} seats are taken. You can watch: {command}", values)) from None


def _bot_arguments(parser: argparse.ArgumentParser) -> None:
    _target_arguments(parser)
    parser.add_argument("--name", type=_name, metavar="NAME", help=_("the bot's name"))
    parser.add_argument(
        "--level",
        type=one_of(LEVELS),
        default="normal",
        metavar="|".join(LEVELS),
        help=or_else(_("how it plays"), "normal"),
    )


def _bot(args: argparse.Namespace) -> int:
    import logging
    import random

    import trio

    from crisp_lan.net.client import Network, TurnedAway
    from crisp_lan.net.codec import WireError
    from crisp_lan.net.dialling import NotReached
    from crisp_lan.net.robots import NAMES, PATIENCE, play_bot
    from crisp_lan.seeking import sought

    _log_to(getattr(args, "log", None), logging.WARNING)
    bind = args.bind
    name = args.name or random.choice(NAMES)

    async def play() -> Text:
        target = await sought(args.where, args.id, bind, PATIENCE, _known(args))
        return await play_bot(target, name, args.level, ways=Network(bind))

    try:
        trio.run(play)
    except (NotReached, TurnedAway, WireError) as error:
        raise Failed(error.text) from None
    return 0


def _bots() -> int:
    """The child process of a table: plays the bots that its standard input asks for."""
    import logging

    import trio

    from crisp_lan.net.robots import line_of_stdin, play_all

    _log_to(None, logging.WARNING)
    trio.run(play_all, line_of_stdin)
    return 0


# ---------------------------------------------------------------- doctor


def _doctor_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "where",
        nargs="?",
        type=_typed_address,
        metavar=_("ADDRESS[:PORT]"),
        help=_("where a table should be, from the host’s screen"),
    )
    _network_arguments(parser)


def _typed_address(text: str) -> tuple[str, int]:
    """An address, and a port that can be one."""
    if typed := typed_spot(_where(text)):
        return typed
    sentence = filled(_("{text} is not an address."), {"text": text})
    raise argparse.ArgumentTypeError(sentence.rstrip("."))


def _doctor(args: argparse.Namespace) -> int:
    import logging

    import trio

    from crisp_lan.doctor import Finding, lines, on_machine, on_network
    from crisp_lan.net.client import Target

    _log_to(getattr(args, "log", None), logging.WARNING)
    grades = set()

    def say(finding: Finding) -> None:
        grades.add(finding.grade)
        print(*lines(finding), sep="\n", flush=True)

    for finding in on_machine(_data(args), args.lang, _shows_suits()):
        say(finding)
    typed = Target((args.where[0],), args.where[1]) if args.where else None
    trio.run(on_network, args.bind, typed, _known(args), say)
    return 1 if "fault" in grades else 0


def _looks(args: argparse.Namespace) -> Looks:
    """How this player wants to see the table."""
    from crisp_lan.front import Looks

    return Looks(
        plain=getattr(args, "plain", False),
        ascii=getattr(args, "ascii", False) or not _shows_suits(),
        colour=not getattr(args, "no_color", False),
        bell=not getattr(args, "no_bell", False),
        log=getattr(args, "log", None),
    )


def _shows_suits() -> bool:
    """Whether this terminal's encoding has the suits and the lines of the table."""
    try:
        "♠♥♦♣─│".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


_COMMANDS: dict[str, Command] = {
    "host": Command(
        "open a table and sit down at it",
        "crisp-lan host --bots 2 --limit 50",
        _host_arguments,
        _host,
    ),
    "join": Command(
        "sit down at a table that another machine hosts",
        "crisp-lan join 192.168.1.20:27477",
        _join_arguments,
        _join,
    ),
    "bot": Command(
        "have a computer player join a table", "crisp-lan bot --level hard", _bot_arguments, _bot
    ),
    "tables": Command(
        "list the tables on this network", "crisp-lan tables --json", _tables_arguments, _tables
    ),
    "replay": Command(
        "look at a game that was kept here, all cards open",
        "crisp-lan replay",
        _replay_arguments,
        _replay,
    ),
    "history": Command(
        "list the games kept here, and who won", "crisp-lan history", _history_arguments, _history
    ),
    "arena": Command(
        "let bots play against bots",
        "crisp-lan arena --games 300 --levels hard,easy",
        _arena_arguments,
        _arena,
    ),
    "doctor": Command(
        "find out why no table is seen",
        "crisp-lan doctor 192.168.1.20",
        _doctor_arguments,
        _doctor,
    ),
}
