"""The words of a command line, read: the parser and its help, and the games' own options."""

from __future__ import annotations

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.options import setting_of, setting_text
from crisp_lan.game.rules import Game, Option, Problem, Refused, Setting, Text
from crisp_lan.spots import PORT, WrongSpot, typed_spot
from crisp_lan.text import harmless, printable
from crisp_lan.words import LANGUAGES, _, filled, own_command

THEMES = ("dark", "light", "contrast", "colorblind", "terminal")
"""The names of themes; the last one has the terminal's own colours."""
LONGEST_WAIT = 3600
"""Seconds."""
NEAR = 0.6
"""How much alike words are of which one may have been meant for the other."""


class Example(NamedTuple):
    """The words of a command line after the program's name, and what they are for."""

    words: str
    about: str


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it is for, examples, its own arguments, and what it does."""

    about: str
    examples: tuple[Example, ...]
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


class Failed(Problem):
    """The thing asked for could not be done; `text` says what and what to do."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of 79 columns, in the language of the player."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=79)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        known = {"options": _("options"), "positional arguments": _("what to name")}
        super().start_section(known.get(heading or "", heading))


class Parser(argparse.ArgumentParser):
    """Help that fits 80 columns, and wrong usage in a sentence of ours."""

    def __init__(self, **given: Any) -> None:
        helps = given.pop("add_help", True)
        super().__init__(
            formatter_class=_Help,
            allow_abbrev=False,
            add_help=False,
            exit_on_error=False,
            **given,
        )
        self._commands: dict[str, Parser] = {}
        if helps:
            self.add_argument("-h", "--help", action="help", help=_("show this help and end"))

    def add_commands(self, named: Mapping[str, Command]) -> None:
        """Every command with its own arguments."""
        commands = self.add_subparsers(dest="command", metavar=_("COMMAND"))
        for name, command in named.items():
            self._commands[name] = commands.add_parser(
                name,
                help=_(command.about),
                description=_(command.about),
                epilog=shown(command.examples),
                parents=[general()],
            )
            command.arguments(self._commands[name])

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        try:
            return super().parse_known_args(args, namespace)
        except argparse.ArgumentError as error:
            named = error.argument_name or ""
            if error.message == "expected one argument":
                self.refuse(filled(_("{option} needs a value."), {"option": named}))
            where = f"{named}: " if named.startswith("-") else ""
            self.refuse(f"{where}{error.message}.")

    def refuse_word(self, word: str, command: str | None) -> NoReturn:
        """Ends with a sentence about a word that nothing here takes."""
        if command is not None:
            self._commands[command].refuse_word(word, None)
        flag = word.partition("=")[0]
        if not flag.startswith("-"):
            self.refuse(filled(_("{word} is one word too many."), {"word": word}))
        known = re.findall(r"--([a-z-]+)", self.format_help())
        close = difflib.get_close_matches(flag.lstrip("-"), known, 1, NEAR)
        missing = filled(_("There is no option {word} here."), {"word": flag})
        self.refuse(missing, *(f"--{name}" for name in close))

    def refuse(self, sentence: str, nearest: str = "") -> NoReturn:
        """Ends as wrong usage, with what may have been meant or where help is."""
        hint = _("Did you mean {nearest}?") if nearest else _("See {command} --help.")
        hint = filled(hint, {"nearest": nearest, "command": self.prog})
        self.exit(2, f"{self.prog}: {sentence} {hint}\n")

    def error(self, message: str) -> NoReturn:
        self.refuse(f"{message}.")


def shown(examples: Sequence[Example]) -> str:
    """Examples as the help ends with them, one in a line."""
    typed = [f"{own_command()} {example.words}".rstrip() for example in examples]
    width = max(len(line) for line in typed)
    lines = [f"  {line:{width}}  {_(each.about)}" for line, each in zip(typed, examples)]
    return "\n".join([_("examples") + ":", *lines])


def general() -> Parser:
    """What every command takes, before it or after."""
    general = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = general.add_argument_group(_("everywhere"))
    group.add_argument(
        "--lang",
        type=one_of(LANGUAGES),
        metavar="|".join(LANGUAGES),
        help=_("the language of this player"),
    )
    group.add_argument("--plain", action="store_true", help=_("line by line, no full screen"))
    group.add_argument("--ascii", action="store_true", help=_("letters for suits and lines"))
    group.add_argument("--no-color", action="store_true", help=_("no colours"))
    group.add_argument(
        "--theme",
        type=one_of(THEMES),
        metavar="|".join(THEMES),
        help=_("which colours"),
    )
    group.add_argument("--no-motion", action="store_true", help=_("nothing moves by itself"))
    group.add_argument("--no-bell", action="store_true", help=_("no sound"))
    group.add_argument("--data", type=Path, metavar=_("DIR"), help=_("where games are kept"))
    group.add_argument("--log", type=Path, metavar=_("FILE"), help=_("write a log to this file"))
    return general


def one_of(known: Sequence[str]) -> Callable[[str], str]:
    """Reads one of these words."""

    def chosen(text: str) -> str:
        if text not in known:
            values: dict[str, int | str] = {"text": harmless(text), "known": ", ".join(known)}
            raise argparse.ArgumentTypeError(filled(_("{text} is none of {known}"), values))
        return text

    return chosen


def or_else(about: str, default: object) -> str:
    """What an option is for, and what it is if nobody says so."""
    values: dict[str, int | str] = {"about": about, "default": str(default)}
    return filled(_("{about} (default: {default})"), values)


def number(least: int, most: int) -> Callable[[str], int]:
    """Reads a whole number within these bounds."""

    def read(text: str) -> int:
        is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(most))
        value = int(text) if is_number else -1
        if not least <= value <= most:
            sentence = _("{text} is not a whole number from {least} to {most}")
            values: dict[str, int | str] = {"text": text, "least": least, "most": most}
            raise argparse.ArgumentTypeError(filled(sentence, values))
        return value

    return read


def seconds(text: str) -> float:
    """Reads a number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value <= LONGEST_WAIT:
        sentence = _("{text} is not a number of seconds from 0 to {most}")
        raise argparse.ArgumentTypeError(filled(sentence, {"text": text, "most": LONGEST_WAIT}))
    return value


def game_arguments(parser: argparse.ArgumentParser) -> None:
    """Which game, and the options of each, as the games themselves name them."""
    parser.add_argument(
        "--game",
        type=one_of(tuple(GAMES)),
        default="crisp",
        metavar="|".join(GAMES),
        help=or_else(_("which game"), "crisp"),
    )
    options = {option.flag: option for game in GAMES.values() for option in game.options}
    groups: dict[str, argparse._ArgumentGroup] = {}
    for option in options.values():
        having = [game for game in GAMES.values() if option in game.options]
        title = ", ".join(game.title for game in having)
        group = groups.get(title) or parser.add_argument_group(title)
        groups[title] = group
        _option_argument(group, option)


def _option_argument(group: argparse._ArgumentGroup, option: Option) -> None:
    about = _(option.label)
    if isinstance(option.default, bool):
        group.add_argument(
            option.flag,
            dest=option.flag,
            action="store_const",
            const="off" if option.default else "on",
            help=filled(_("turn off: {about}"), {"about": about}) if option.default else about,
        )
    else:
        values = ["off" if value is None else str(value) for value in option.values]
        values += ["N"] if option.least is not None else []
        group.add_argument(
            option.flag,
            dest=option.flag,
            metavar="|".join(values),
            help=or_else(about, setting_text(option.default)),
        )


def chosen_game(args: argparse.Namespace) -> tuple[Game[Any], dict[str, Setting]]:
    """The game asked for and its options. Exits as wrong usage if they do not fit."""
    game = GAMES[args.game]
    given = {flag: text for flag, text in vars(args).items() if flag.startswith("--") and text}
    try:
        options = {
            option.name: setting_of(option, given.pop(option.flag))
            for option in game.options
            if option.flag in given
        }
        if given:
            values = {"flag": next(iter(given)), "game": game.title}
            raise Refused("{flag} is not an option of {game}.", values)
    except Refused as refused:
        raise wrong(refused.text) from None
    return game, options


def wrong(text: Text) -> SystemExit:
    """Says what is wrong with the words that were typed; to be raised."""
    print(printable(f"{own_command()}: {filled(_(text.key), text.values)}"), file=sys.stderr)
    return SystemExit(2)


def network_arguments(parser: argparse.ArgumentParser) -> None:
    """Which network is searched."""
    parser.add_argument(
        "--bind", type=address, metavar=_("ADDRESS"), help=_("search on this network only")
    )


def target_arguments(parser: argparse.ArgumentParser) -> None:
    """Which table is meant."""
    parser.add_argument(
        "where",
        nargs="?",
        type=spot_or_name,
        metavar=_("TABLE|ADDRESS[:PORT]"),
        help=filled(_("else: what is found; the usual port is {port}"), {"port": PORT}),
    )
    parser.add_argument("--id", metavar=_("TABLE"), help=_("the table's id"))
    network_arguments(parser)


def spot_or_name(text: str) -> str:
    """The name of a table, or an address with a port that can be one."""
    try:
        typed_spot(text)
    except WrongSpot as error:
        sentence = filled(_(error.text.key), error.text.values)
        raise argparse.ArgumentTypeError(sentence.rstrip(".")) from None
    return text


def address(text: str) -> str:
    """An address of this machine as it is typed."""
    import ipaddress

    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        sentence = filled(_("{text} is not an address."), {"text": text})
        raise argparse.ArgumentTypeError(sentence.rstrip(".")) from None


def typed_address(text: str) -> tuple[str, int]:
    """An address, and a port that can be one."""
    if typed := typed_spot(spot_or_name(text)):
        return typed
    sentence = filled(_("{text} is not an address."), {"text": text})
    raise argparse.ArgumentTypeError(sentence.rstrip("."))
