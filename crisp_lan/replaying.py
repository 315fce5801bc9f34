"""A game that is kept, before a reader: on the whole terminal, or line by line."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from crisp_lan.asking import attended
from crisp_lan.front import Looks, has_screen
from crisp_lan.text import printable
from crisp_lan.tui import replay as replays
from crisp_lan.tui.app import Terminal
from crisp_lan.tui.guest import keys_of
from crisp_lan.tui.replay import Replay
from crisp_lan.tui.wording import lettered

if TYPE_CHECKING:
    import trio


def read(replay: Replay, looks: Looks) -> None:
    """Shows a game until the reader goes; without a screen, all of it at once."""
    if looks.plain or not has_screen():
        tell(replay)
        return

    async def attend(terminal: Terminal[Replay]) -> None:
        async with keys_of(terminal) as keys:
            await _followed(terminal, replay, keys)

    attended(replay, replays.rows, attend, looks)


def tell(replay: Replay) -> None:
    """Prints the whole game line by line."""
    signs = lettered if replay.ascii else str
    for line in replays.lines(replay.moments, replay.ascii):
        print(signs(printable(line)))


async def _followed(
    terminal: Terminal[Replay], replay: Replay, keys: trio.MemoryReceiveChannel[str]
) -> None:
    """Goes on by itself while the game plays, and with every key, until the reader goes."""
    import trio

    ends = False
    while not ends:
        seconds = replays.wait(replay)
        with trio.move_on_after(inf if seconds is None else seconds) as waiting:
            replay, ends = replays.press(replay, await keys.receive())
        if waiting.cancelled_caught:
            replay = replays.gone_on(replay)
        terminal.show(replay)
