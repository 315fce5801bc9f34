"""Something on the whole terminal, for as long as somebody attends to it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypeVar

from crisp_lan.front import Looks
from crisp_lan.tui.app import Paint, Seen, Terminal
from crisp_lan.tui.guest import keys_of, run_with_terminal, stray_lines_into

S = TypeVar("S", bound=Seen)
A = TypeVar("A")
Attend: TypeAlias = Callable[[Terminal[S]], Awaitable[A]]
"""What goes on in front of a terminal, and what comes of it."""
Press: TypeAlias = Callable[[S, str, int, int], tuple[S, A | None]]
"""What a key in a window of so many columns and lines makes of something, and what it chooses."""


def attended(seen: S, paint: Paint[S], attend: Attend[S, A], looks: Looks) -> A:
    """Shows something while `attend` goes on. Raises what that raises, or Stopped."""
    terminal = Terminal(seen, paint, bell=looks.bell, colour=looks.colour, theme=looks.theme)
    with stray_lines_into(looks.log):
        return run_with_terminal(attend, terminal, first=terminal.application)


def asked(seen: S, paint: Paint[S], press: Press[S, A], looks: Looks) -> tuple[S, A]:
    """Shows something until a key chooses: what is then seen, and the choice. Raises Stopped."""

    async def attend(terminal: Terminal[S]) -> tuple[S, A]:
        now = seen
        async with keys_of(terminal) as keys:
            while True:
                now, choice = press(now, await keys.receive(), *terminal.size)
                terminal.show(now)
                if choice is not None:
                    return now, choice

    return attended(seen, paint, attend, looks)
