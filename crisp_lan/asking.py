"""Something on the whole terminal that goes on from key to key, until one of them ends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from crisp_lan.front import Looks
from crisp_lan.tui.app import Paint, Seen, Terminal
from crisp_lan.tui.guest import keys_of, run_with_terminal, stray_lines_into

if TYPE_CHECKING:
    import trio

S = TypeVar("S", bound=Seen)
A = TypeVar("A")
Press: TypeAlias = Callable[[S, str, int, int], tuple[S, A | None]]
"""What a key in a window of so many columns and lines makes of something, and what it chooses."""


def asked(seen: S, paint: Paint[S], press: Press[S, A], looks: Looks) -> tuple[S, A]:
    """Shows something until a key chooses: what is then seen, and the choice. Raises Stopped."""
    terminal = Terminal(seen, paint, bell=looks.bell, colour=looks.colour, theme=looks.theme)

    async def attend() -> tuple[S, A]:
        async with keys_of(terminal) as keys:
            return await _pressed(terminal, seen, press, keys)

    with stray_lines_into(looks.log):
        return run_with_terminal(attend, first=terminal.application)


async def _pressed(
    terminal: Terminal[S], seen: S, press: Press[S, A], keys: trio.MemoryReceiveChannel[str]
) -> tuple[S, A]:
    while True:
        seen, choice = press(seen, await keys.receive(), *terminal.size)
        terminal.show(seen)
        if choice is not None:
            return seen, choice
