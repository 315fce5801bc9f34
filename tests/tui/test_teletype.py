"""Line by line: what is new is printed once, what is typed becomes keys."""

from __future__ import annotations

import io
import os
from dataclasses import replace

import trio
from msgspec import structs

from crisp_lan.game.rules import Clock
from crisp_lan.tui.model import Screen, see
from crisp_lan.tui.pressing import RELEASE
from crisp_lan.tui.teletype import Teletype
from tests.fake_table import DRAW, show

CLOCK = Clock("draw", 0, 30_000, 30_000)


class Reader:
    """Who reads what a teletype prints, at moments of his own."""

    def __init__(self, *, bell: bool = False) -> None:
        self.moment = 0.0
        self.out = io.StringIO()
        self.teletype = Teletype(Screen(), self.out, bell=bell, now=lambda: self.moment)

    @property
    def text(self) -> str:
        return self.out.getvalue()


def test_a_screen_is_told_once() -> None:
    reader = Reader()
    screen = see(Screen(), show(DRAW), 0.0)
    for _ in range(3):
        reader.teletype.show(screen)
        reader.teletype.redraw()
    assert reader.text.count("Draw [d]") == 1


def test_a_clock_is_told_once_though_news_come_just_then() -> None:
    reader = Reader()
    reader.teletype.show(see(Screen(), show(DRAW, clocks=(CLOCK,)), 0.0))
    for second in range(25):
        reader.moment = float(second)
        reader.teletype.redraw()
    reader.moment = 25.5
    reader.teletype.show(see(Screen(), show(DRAW), 25.5))
    assert reader.text.count("10 s") == 1
    assert reader.text.count("5 s") == 1


def test_bell_rings_once_for_each_alarm_and_only_if_wanted() -> None:
    for bell in (True, False):
        reader = Reader(bell=bell)
        screen = replace(Screen(), alarm=1)
        reader.teletype.show(screen)
        reader.teletype.show(screen)
        assert reader.text.count("\a") == bell


def test_nothing_that_a_table_sends_steers_the_terminal() -> None:
    reader = Reader()
    shown = show(replace(DRAW, label="Draw\x1b]52;c;aGk=\x07", key="\x9b"))
    steering = replace(shown.table, title="Crisp\x1b[2J\u202e")
    reader.teletype.show(see(Screen(), structs.replace(shown, table=steering), 0.0))
    assert "Crisp[2J" in reader.text
    assert reader.text.replace("\n", "").isprintable()


async def test_typed_lines_become_keys_until_the_file_ends() -> None:
    reader = Reader()
    reader.teletype.show(see(Screen(), show(DRAW), 0.0))
    source, typing = os.pipe()
    typed, keys = trio.open_memory_channel[str](100)
    for piece in (b"\xff nonsense\nd", b"\nq", b"uit\n", b"never finished"):
        os.write(typing, piece)
    os.close(typing)
    await reader.teletype.listen(source, typed)
    os.close(source)
    typed.close()
    assert [key async for key in keys] == [f"{RELEASE} d", f"{RELEASE} q"]
    assert "Type help" in reader.text
