"""`join` and `bot`: a seat at a table, for a player or for a computer."""

from __future__ import annotations

import argparse
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing
from typing import TYPE_CHECKING

from crisp_lan.arguments import Command, Example, Failed, one_of, or_else, target_arguments
from crisp_lan.commands.player import (
    chosen_looks,
    kept_seats,
    known,
    log_to,
    login,
    name_argument,
    passcode,
    player_name,
    way_back,
)
from crisp_lan.crashes import report
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Text
from crisp_lan.game.state import LEVELS
from crisp_lan.game.table import FULL
from crisp_lan.spots import spot
from crisp_lan.words import _, filled, own_command

if TYPE_CHECKING:
    from crisp_lan.front import Looks
    from crisp_lan.net.calling import Target
    from crisp_lan.net.client import Client, TurnedAway
    from crisp_lan.session import Ending


def _join_arguments(parser: argparse.ArgumentParser) -> None:
    target_arguments(parser)
    name_argument(parser)
    _passcode_argument(parser)
    parser.add_argument("--watch", action="store_true", help=_("look on without a seat"))


def _passcode_argument(parser: argparse.ArgumentParser) -> None:
    help = _("the table's, if it asks for one")
    parser.add_argument("--passcode", type=passcode, metavar=_("CODE"), help=help)


def _join(args: argparse.Namespace) -> int:
    from crisp_lan.front import attempt, evening
    from crisp_lan.net.calling import Network
    from crisp_lan.net.client import at_table
    from crisp_lan.net.messages import Join
    from crisp_lan.seeking import meant
    from crisp_lan.session import Ending

    looks, bind, keeper = chosen_looks(args), args.bind, kept_seats(args)
    titles = {key: game.title for key, game in GAMES.items()}
    join = Join(args.name or login(), watch=args.watch)

    def play() -> Ending:
        target = meant(args.where, args.id, bind, looks, titles, known(args, args.name))
        if target is None:
            return Ending(0, "")
        seats = None if args.watch else keeper
        ways = Network(bind, trusted=keeper.fingerprint)

        def sit(passcode: str) -> Ending:
            joining = at_table(target, join, ways, seats, passcode)
            return evening(lambda: _let_in(target, joining), looks)

        return _with_passcode(sit, args.passcode or "", looks)

    with closing(keeper):
        return attempt(play, looks, lambda: way_back(args, keeper))


def _with_passcode(sit: Callable[[str], Ending], passcode: str, looks: Looks) -> Ending:
    """Sits down, with what the player types for as long as the table wants another passcode."""
    from crisp_lan.net.client import PasscodeWanted
    from crisp_lan.seeking import ask_passcode
    from crisp_lan.session import Ending

    while True:
        try:
            return sit(passcode)
        except* PasscodeWanted as wanted:
            away = _first(wanted)
        answer = ask_passcode(away.text, looks)
        if answer is None:
            raise Failed(_needs_passcode(away))
        if not answer:
            return Ending(0, "")
        passcode = answer


def _first(group: ExceptionGroup[TurnedAway]) -> TurnedAway:
    """The one thing that went wrong."""
    error = group.exceptions[0]
    return _first(error) if isinstance(error, ExceptionGroup) else error


def _needs_passcode(away: TurnedAway) -> Text:
    """What a program is told that cannot ask its user."""
    sentence = "{reason} Then give it with --passcode CODE."
    return Text(sentence, {"reason": filled(_(away.text.key), away.text.values)})


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
    target_arguments(parser)
    _passcode_argument(parser)
    parser.add_argument("--name", type=player_name, metavar=_("NAME"), help=_("the bot's name"))
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

    from crisp_lan.net.calling import Network
    from crisp_lan.net.client import PasscodeWanted, TurnedAway
    from crisp_lan.net.codec import WireError
    from crisp_lan.net.dialling import NotReached
    from crisp_lan.net.robots import NAMES, PATIENCE, play_bot
    from crisp_lan.seeking import sought

    log_to(getattr(args, "log", None), logging.WARNING)
    bind = args.bind
    name = args.name or random.choice(NAMES)

    async def play() -> Text:
        target = await sought(args.where, args.id, bind, PATIENCE, known(args))
        trusted = kept_seats(args).fingerprint
        ways = Network(bind, trusted=trusted)
        return await play_bot(target, name, args.level, ways=ways, passcode=args.passcode or "")

    try:
        trio.run(play)
    except PasscodeWanted as wanted:
        raise Failed(_needs_passcode(wanted)) from None
    except (NotReached, TurnedAway, WireError) as error:
        raise Failed(error.text) from None
    return 0


def play_bots() -> int:
    """The child process of a table: plays the bots that its standard input asks for."""
    import logging

    import trio

    from crisp_lan.net.robots import line_of_stdin, play_all

    log_to(None, logging.WARNING)
    try:
        trio.run(play_all, line_of_stdin)
    except Exception as error:
        logging.getLogger(__name__).critical("the bots broke:\n%s", report(error))
        return 1
    return 0


JOIN = Command(
    "sit down at a table that another machine hosts",
    (
        Example("join", "choose from the tables that are found"),
        Example("join 192.168.1.20:27477", "by the address on the host’s screen"),
        Example("join --watch", "look on without a seat"),
    ),
    _join_arguments,
    _join,
)
BOT = Command(
    "have a computer player join a table",
    (
        Example("bot --level hard", "a strong one, at the table that is found"),
        Example("bot 192.168.1.20:27477", "by the address on the host’s screen"),
    ),
    _bot_arguments,
    _bot,
)
