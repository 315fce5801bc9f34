"""The terminal shows screens, hands on keys by name, and rings; at any size."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
import trio

from crisp_lan.tui.app import TYPED_AHEAD, Paint, Terminal
from crisp_lan.tui.guest import run_application, run_with_terminal
from crisp_lan.tui.layout import Row
from crisp_lan.tui.model import Screen
from tests.tui.emulator import PATIENCE, Emulator, emulator


def name_and_size(screen: Screen, columns: int, lines: int, at: float) -> list[Row]:
    return [[("", "Table "), ("name", screen.table_name)], [("", f"{columns}×{lines}")]]


def shown(
    script: Callable[[Terminal[Screen], Emulator], Awaitable[None]],
    paint: Paint[Screen] = name_and_size,
    typing: bool = False,
) -> Emulator:
    """Runs the script beside a terminal that shows a screen."""
    with emulator() as seen:
        screen = Screen(table_name="Ayu & <b>")
        terminal = Terminal(
            screen,
            paint,
            typing=lambda screen: typing,
            input=seen.input,
            output=seen.output,
        )

        async def both() -> None:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run_application, terminal.application)
                await script(terminal, seen)
                nursery.cancel_scope.cancel()

        run_with_terminal(both)
        return seen


async def heard(terminal: Terminal[Screen], wanted: int) -> list[str]:
    """The names of so many keys, as a listener hears them."""
    send, receive = trio.open_memory_channel[str](100)
    terminal.listen(send.send_nowait)
    with trio.fail_after(PATIENCE):
        return [await receive.receive() for _ in range(wanted)]


def test_names_are_shown_as_they_are() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Table Ayu & <b>", "80×24")

    shown(script)


def test_wide_and_joining_signs_have_the_cells_that_they_are_counted_with() -> None:
    def paint(screen: Screen, columns: int, lines: int, at: float) -> list[Row]:
        return [[("", "日本 e\u0301|"), ("name", "x")], [("", "1234567"), ("name", "x")]]

    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("1234567x")
        first, second = seen.cells[:2]
        assert [row[7].data for row in (first, second)] == ["x", "x"]
        assert "".join(cell.data for cell in first[:8]) == "日本 é|x"

    shown(script, paint)


def test_next_screen_takes_the_place_of_the_one_before() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Ayu")
        terminal.show(Screen(table_name="Budi"))
        await seen.shows("Table Budi")
        assert "Ayu" not in seen.text

    shown(script)


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        ("d", ["d"]),
        ("D?é7", ["d", "?", "é", "7"]),
        (" \r\n", ["space", "enter", "enter"]),
        ("\x7f\x08\x1b[3~", ["backspace"] * 3),
        ("\x1b[A\x1b[B\x1bOC\x1b[D", ["up", "down", "right", "left"]),
        ("\x1b[5~\x1b[6~\x1b[H\x1bOF", ["pageup", "pagedown", "home", "end"]),
        ("\x1b", ["escape"]),
        ("\x1bd", ["escape", "d"]),
        ("a\x1b[200~crisp\x1b[201~b", ["a", "b"]),
        ("a\x01\x02\x0e\x10\x12\x1b[15~\tb", ["a", "b"]),
    ],
)
def test_keys_come_by_their_plain_names(keys: str, names: list[str]) -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Table")
        seen.input.send_text(keys)
        assert await heard(terminal, len(names)) == names

    shown(script)


def test_where_a_text_is_typed_letters_come_as_they_are_typed() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Table")
        seen.input.send_text("Dé Ñ\r")
        assert await heard(terminal, 5) == ["D", "é", "space", "Ñ", "enter"]

    shown(script, typing=True)


def test_keys_typed_before_anybody_listens_are_kept_but_not_without_end() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        send, receive = trio.open_memory_channel[None](100)
        pressed = terminal.application.key_processor.after_key_press
        pressed.add_handler(lambda _: send.send_nowait(None))
        seen.input.send_text("x" * 50 + "y")
        for _ in range(51):
            await receive.receive()
        assert await heard(terminal, TYPED_AHEAD) == ["x"] * (TYPED_AHEAD - 1) + ["y"]

    shown(script)


def test_bell_rings_once_for_each_alarm_and_never_on_a_redraw() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Ayu")
        for name in "Budi", "Citra", "Dewi":
            terminal.show(Screen(table_name=name, alarm=1))
            terminal.redraw()
            await seen.shows(name)
        terminal.show(Screen(table_name="Eka", alarm=2))
        await seen.shows("Eka")

    assert shown(script).written.count("\a") == 2


def test_a_silent_terminal_never_rings() -> None:
    with emulator() as seen:
        terminal = Terminal(
            Screen(), name_and_size, bell=False, input=seen.input, output=seen.output
        )
        terminal.show(replace(Screen(), alarm=1))
        assert "\a" not in seen.written


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 6), (7, 3), (1, 1), (200, 60)])
def test_any_size_is_painted_and_nothing_else_is_ever_said(columns: int, lines: int) -> None:
    def paint(screen: Screen, width: int, height: int, at: float) -> list[Row]:
        return [[("", "#" * width)]] * height

    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("#" * 80)
        seen.resize(columns, lines)
        terminal.redraw()
        await seen.shows("\n".join(["#" * columns] * lines))
        assert set(seen.text) <= {"#", "\n"}

    shown(script, paint)


def test_nothing_is_drawn_while_nothing_changes() -> None:
    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await seen.shows("Ayu")
        drawn = terminal.application.render_counter
        await trio.sleep(0.3)
        assert terminal.application.render_counter == drawn

    shown(script)


def test_an_error_in_painting_ends_the_run() -> None:
    def paint(screen: Screen, columns: int, lines: int, at: float) -> list[Row]:
        raise ZeroDivisionError(screen.table_name)

    async def script(terminal: Terminal[Screen], seen: Emulator) -> None:
        await trio.sleep_forever()

    with pytest.raises(BaseExceptionGroup) as raised:
        shown(script, paint)
    assert raised.group_contains(ZeroDivisionError)
