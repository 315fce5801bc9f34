"""An evening at a fake table on a real terminal; some keys (MISDEEDS) break things."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from crisp_lan import front
from crisp_lan.game.rules import Act, Clock, Note, Text
from crisp_lan.net.client import Lost, NotReached
from crisp_lan.net.messages import Bye
from crisp_lan.tui import app, paint
from crisp_lan.tui.layout import Row
from crisp_lan.tui.model import Screen
from tests.fake_table import DRAW, FAREWELL, Table, show

broken: list[str] = []
table: list[Table] = []
HELD = "KD and token-of-a-seat"
WAY_BACK = "It leads back to your seat."
CLOCKS = (Clock("draw", 0, 30_000, 30_000),)


class Answering(Table):
    """A table that answers: to an act, and to whoever leaves."""

    def act(self, act: Act) -> None:
        super().act(act)
        note = Note("{seat} draws.", {"seat": 0})
        self.says.send_nowait(show(notes=(note,), done=len(self.acts)))

    def leave(self) -> None:
        close_table()


class Terminal(app.Terminal[Screen]):
    """A terminal with keys that break things."""

    def listen(self, take: Callable[[str], None]) -> None:
        def misled(key: str) -> None:
            MISDEEDS.get(key, lambda: take(key))()

        super().listen(misled)


def break_handler() -> None:
    raise RuntimeError(f"the handler broke over {HELD}")


def break_painting() -> None:
    broken.append("the painting broke")
    table[0].says.send_nowait(show(DRAW))


def close_table() -> None:
    table[0].says.send_nowait(Bye(Text(FAREWELL)))


def lose_table() -> None:
    table[0].says.send_nowait(Lost(Text("Nothing is heard from the table.")))


def write_stray_lines() -> None:
    os.write(2, b"a stray line\n" * 30)
    warnings.warn("a stray warning", stacklevel=1)


MISDEEDS = {
    "!": break_handler,
    "@": break_painting,
    "#": close_table,
    "$": lose_table,
    "%": write_stray_lines,
}


def painted(screen: Screen, columns: int, lines: int, at: float) -> Sequence[Row]:
    if broken:
        raise RuntimeError(broken[0])
    return whole_rows(screen, columns, lines, at)


@asynccontextmanager
async def joined() -> AsyncIterator[Table]:
    if "nowhere" in sys.argv:
        raise NotReached(Text("No table is open at {address}.", {"address": "192.0.2.7"}))
    table.append(Answering())
    table[0].says.send_nowait(show(DRAW, clocks=CLOCKS))
    async with table[0].joined() as seat:
        yield seat


if __name__ == "__main__":
    whole_rows, paint.rows = paint.rows, painted
    app.Terminal = Terminal
    looks = front.Looks(plain="plain" in sys.argv, log=Path(sys.argv[1]))
    sys.exit(front.spend_evening(joined, looks, lambda: WAY_BACK if table else ""))
