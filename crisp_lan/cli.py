"""The command line: which command is meant, its words read, and the exit code."""

from __future__ import annotations

import difflib
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

from crisp_lan import __version__
from crisp_lan.arguments import NEAR, Command, Example, Failed, Parser, general, shown
from crisp_lan.commands.arena import ARENA
from crisp_lan.commands.host import HOST
from crisp_lan.commands.join import BOT, JOIN, play_bots
from crisp_lan.commands.kept import HISTORY, REPLAY
from crisp_lan.commands.network import DOCTOR, TABLES
from crisp_lan.commands.rules import RULES
from crisp_lan.commands.start import has_terminal, start
from crisp_lan.text import harmless, printable
from crisp_lan.words import LANGUAGES, _, filled, own_command, speak

EXAMPLES = (
    Example("", "a menu of all that can be done"),
    Example("host", "one of you opens a table"),
    Example("join", "the others sit down at it"),
)
OWN_PROCESS = "bots"
"""The command by which a table has its bots played: it is no player's business."""


def run(words: Sequence[str]) -> int:
    """Runs one command; gives the exit code: 0 fine, 1 failed with a sentence, 2 wrong usage."""
    if list(words) == [OWN_PROCESS]:
        return play_bots()
    speak(_early_language(words))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        reader = parser()
        args, left_over = reader.parse_known_args(_checked(words))
        if left_over:
            reader.refuse_word(left_over[0], args.command)
        if args.command is None and not has_terminal():
            reader.print_help(sys.stderr)
            return 2
        speak(args.lang)
        code = _COMMANDS[args.command].run(args) if args.command else start(args, _chosen)
        sys.stdout.flush()  # what is still to be written may find nobody who reads
        return code
    except Failed as failed:
        print(printable(filled(_(failed.text.key), failed.text.values)), file=sys.stderr)
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


def _chosen(words: Sequence[str], args: Namespace) -> int:
    """Runs a command that was chosen in the menu, with what was said for all of them."""
    chosen = parser().parse_args(words, args)
    return _COMMANDS[chosen.command].run(chosen)


def _early_language(words: Sequence[str]) -> str | None:
    """The language asked for, so that the help is in it too."""
    for word, following in zip(words, [*words[1:], ""]):
        name, _eq, value = word.partition("=")
        if name == "--lang" and (value or following) in LANGUAGES:
            return value or following
    return None


def _checked(words: Sequence[str]) -> list[str]:
    """The words, if the first that is no option is a command; else the nearest one is named."""
    first = _first_word(words)
    if first and first not in _COMMANDS:
        close = difflib.get_close_matches(first, _COMMANDS, 1, NEAR)
        sentence = filled(_("There is no command {word}."), {"word": harmless(first)})
        Parser(prog=own_command()).refuse(sentence, *close)
    return list(words)


def _first_word(words: Sequence[str]) -> str | None:
    """The first word that is neither an option nor the value of one."""
    before = ""
    for word in words:
        if not word.startswith("-") and before not in ("--lang", "--data", "--log"):
            return word
        before = word
    return None


def parser() -> Parser:
    """What reads a command line, and tells its help."""
    parser = Parser(
        prog=own_command(),
        description=_("Crisp, a card game of memory and bluff, for the people on your network."),
        epilog=shown(EXAMPLES),
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


_COMMANDS: dict[str, Command] = {
    "host": HOST,
    "join": JOIN,
    "bot": BOT,
    "tables": TABLES,
    "replay": REPLAY,
    "history": HISTORY,
    "arena": ARENA,
    "rules": RULES,
    "doctor": DOCTOR,
}
