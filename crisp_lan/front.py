"""What comes before an evening and after it: the log, the player's face, and the last word.

The first picture needs neither trio nor the table; both are loaded while it is shown. By the time
the last word is printed, the terminal is as it was.
"""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from crisp_lan.crashes import report, scene
from crisp_lan.game.rules import Text
from crisp_lan.text import printable
from crisp_lan.tui.guest import (
    SIGNALS,
    Reason,
    Stopped,
    keys_of,
    run_with_terminal,
    stray_lines_into,
)
from crisp_lan.tui.wording import worded
from crisp_lan.words import _, filled

if TYPE_CHECKING:
    from trio import TaskStatus

    from crisp_lan.lessons import Learned
    from crisp_lan.session import Ending, Joining, Seat
    from crisp_lan.tui.app import Terminal
    from crisp_lan.tui.guide import Guide
    from crisp_lan.tui.model import Screen

log = logging.getLogger(__name__)


def _nothing_to_explain() -> Guide:
    from crisp_lan.tui.guide import Guide

    return Guide()


@dataclass(frozen=True, slots=True)
class Looks:
    """How a player wants to see the table. `log` is the file for what is not for players.

    `heard` is told the last word, too, and whether the run was ended from outside; `learned`, what
    the `guide` has explained.
    """

    plain: bool = False
    ascii: bool = False
    colour: bool = True
    theme: str = ""
    motion: bool = True
    bell: bool = True
    log: Path | None = None
    heard: Callable[[str, bool], None] = lambda last, stopped: None
    guide: Callable[[], Guide] = _nothing_to_explain
    learned: Callable[[Learned], None] = lambda learned: None


def has_screen() -> bool:
    """Whether there is a terminal that can be drawn on."""
    able = os.name == "nt" or os.environ.get("TERM", "dumb") not in ("dumb", "unknown", "")
    return able and sys.stdin.isatty() and sys.stdout.isatty()


def _no_way_back() -> str:
    return ""


def spend_evening(join: Joining, looks: Looks, way_back: Callable[[], str] = _no_way_back) -> int:
    """Plays at the table that `join` leads to, prints how it ended, and returns the exit code."""
    return attempt(lambda: evening(join, looks), looks, way_back)


def evening(join: Joining, looks: Looks) -> Ending:
    """Plays at the table that `join` leads to. Raises what went wrong, or Stopped, in groups."""
    from crisp_lan.tui.model import Screen

    screen = Screen(ascii=looks.ascii, guide=looks.guide())
    if looks.plain or not has_screen():
        return _line_by_line(screen, join, looks)
    return _full_screen(screen, join, looks)


def attempt(
    play: Callable[[], Ending | None], looks: Looks, way_back: Callable[[], str] = _no_way_back
) -> int:
    """Does what a player sits before, prints how it ended, and returns the exit code.

    `way_back` is the sentence that leads back to a seat that was kept, "" if there is none.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    stopped = False
    try:
        _log_into(looks.log)
        ending = play()
        code, why, kept = (ending.code, ending.why, ending.kept) if ending else (0, "", False)
    except Exception as error:
        stopped = isinstance(_first(error), Stopped)
        code, why = _explained(error, looks)
        kept = True
    last = f"{why} {way_back() if kept else ''}".strip()
    _say(last, sys.stderr if code else sys.stdout)
    looks.heard(last, stopped)
    return code


def _say(sentence: str, stream: TextIO) -> None:
    """Says it, where there is still somebody to read; what cannot be written is let go."""
    try:
        stream.write(printable(sentence) + "\n" if sentence else "")
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


_STOPPED: dict[Reason, Text] = {
    "interrupted": Text("Stopped."),
    "terminated": Text("Stopped from outside."),
    "hung up": Text("The terminal is gone."),
}


def _first(error: Exception) -> BaseException:
    """The error itself, or the first of a group."""
    first: BaseException = error
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first


def _explained(error: Exception, looks: Looks) -> tuple[int, str]:
    """The exit code and the sentence for an error; one that was foreseen brings its own words."""
    first = _first(error)
    if isinstance(first, Stopped):
        return 0, _(_STOPPED[first.why].key)
    if isinstance(first, OSError) and first.errno in (errno.EPIPE, errno.EIO):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 0, ""
    foreseen = getattr(first, "text", None)
    if isinstance(foreseen, Text):
        return 1, worded(foreseen, (), looks.ascii)
    if isinstance(first, OSError) and first.filename == str(looks.log):
        values = {"file": str(looks.log), "reason": first.strerror or ""}
        return 1, filled(_("The log {file} cannot be written: {reason}."), values)
    log.error("the session broke:\n%s", report(error))
    broke = filled(_("Something in crisp-lan broke: {error}."), {"error": scene(error)})
    more = _("More is in {file}.") if looks.log else _("Start it with --log FILE to learn more.")
    return 1, f"{broke} {filled(more, {'file': str(looks.log)})}"


def _log_into(file: Path | None) -> None:
    """Warnings and the like go to the log, for they would be in the middle of the table."""
    logging.captureWarnings(True)
    if file is not None:
        file.touch(mode=0o600)
        logging.basicConfig(
            filename=file, level=logging.INFO, format="%(asctime)s %(name)s %(message)s"
        )
    else:
        logging.getLogger().addHandler(logging.NullHandler())


# ---------------------------------------------------------------- the whole screen


def _full_screen(screen: Screen, join: Joining, looks: Looks) -> Ending:
    from crisp_lan.tui import paint
    from crisp_lan.tui.app import Terminal

    screen = replace(screen, motion=looks.motion)
    terminal = Terminal(
        *(screen, paint.rows),
        bell=looks.bell,
        colour=looks.colour,
        theme=looks.theme,
        mouse=lambda screen: screen.view is not None,
        typing=lambda screen: screen.saying is not None,
    )
    with stray_lines_into(looks.log):
        return run_with_terminal(
            _on_terminal,
            terminal,
            screen,
            join,
            looks.learned,
            first=terminal.application,
            load=["crisp_lan.session"],
        )


async def _on_terminal(
    terminal: Terminal[Screen], screen: Screen, join: Joining, learned: Callable[[Learned], None]
) -> Ending:
    from crisp_lan.session import Session

    async with keys_of(terminal) as keys:
        session = Session(screen, terminal, keys, stays=True, learned=learned)
        return await session.run(join)


# ---------------------------------------------------------------- line by line


def _line_by_line(screen: Screen, join: Joining, looks: Looks) -> Ending:
    import trio

    return trio.run(_on_lines, screen, join, looks)


async def _on_lines(screen: Screen, join: Joining, looks: Looks) -> Ending:
    """A file that ends leaves the player sitting; who types the end goes."""
    import trio

    from crisp_lan.session import Session
    from crisp_lan.tui.model import Quit
    from crisp_lan.tui.teletype import Teletype

    typed, keys = trio.open_memory_channel[str](0)
    face = Teletype(screen, sys.stdout, bell=looks.bell and sys.stdout.isatty())
    session = Session(screen, face, keys, stays=False, learned=looks.learned)

    async def listen() -> None:
        await face.listen(sys.stdin.fileno(), typed)
        if sys.stdin.isatty():
            session.quit(Quit())

    async with trio.open_nursery() as nursery:

        @asynccontextmanager
        async def joined() -> AsyncIterator[Seat]:
            """What is typed before somebody sits here may be the answer to a question."""
            async with join() as seat:
                nursery.start_soon(listen)
                yield seat

        await nursery.start(_heed_signals)
        ending = await session.run(joined)
        nursery.cancel_scope.cancel()
    return ending


async def _heed_signals(task_status: TaskStatus[None]) -> None:
    """Raises Stopped when the run is to end from outside."""
    import trio

    known = {getattr(signal, name): why for name, why in SIGNALS.items() if hasattr(signal, name)}
    with trio.open_signal_receiver(*known) as signals:
        task_status.started()
        async for number in signals:
            raise Stopped(known[number])
