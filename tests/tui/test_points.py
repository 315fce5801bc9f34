"""What a mouse can point at: a click is a key, or picks the card that lies there."""

from __future__ import annotations

import pytest
import trio

from crisp_lan.game.rules import Act
from crisp_lan.tui.model import Screen, Send
from crisp_lan.tui.paint import rows
from crisp_lan.tui.points import card_point, key_of, places, point_at, seat_point
from crisp_lan.tui.pressing import press
from tests.tui import views
from tests.tui.emulator import PATIENCE, Emulator
from tests.tui.test_app import shown


def clicked(screen: Screen, *points: str) -> tuple[Screen, Send | None]:
    """The screen after clicks, and what the last of them asks for."""
    wish = None
    for n, point in enumerate(points):
        screen, wish = press(screen, key_of(point), 2.0 * n)
    return screen, wish if isinstance(wish, Send) else None


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (100, 30), (140, 40)])
def test_every_card_and_every_key_of_a_screen_can_be_pointed_at(columns: int, lines: int) -> None:
    found = places(rows(views.holding(8), columns, lines, 1.0))
    cards = {card_point(seat, place) for seat in range(8) for place in range(3)}
    assert cards | {"@key.s", "@key.x", "@key.?", "@zone.discard_pile", seat_point(3)} <= set(found)
    for point, where in found.items():
        row = rows(views.holding(8), columns, lines, 1.0)[where.top]
        assert point_at(row, where.left) == point


def test_a_click_on_the_own_card_swaps_it_in() -> None:
    assert clicked(views.holding(4), card_point(0, 2))[1] == Send(Act("swap", ("right",)))


def test_a_click_on_a_key_is_the_key() -> None:
    assert clicked(views.holding(4), "@key.x")[1] == Send(Act("discard"))


def test_a_queen_is_used_by_three_clicks_or_by_two() -> None:
    queen = views.holding(4, "QH")
    swapped = Send(Act("queen", ("left", 2, "middle")))
    player = clicked(queen, "@key.u", card_point(0, 0), seat_point(2), card_point(2, 1))
    assert player[1] == swapped
    assert clicked(queen, card_point(0, 0), card_point(2, 1))[1] == swapped


def test_clicks_mark_cards_and_take_the_marks_back() -> None:
    screen, wish = clicked(views.climbing(), *(card_point(0, n) for n in (1, 2, 4, 4)))
    assert screen.picking is not None
    assert (screen.picking.marked, wish) == (frozenset({1, 2}), None)
    assert clicked(screen, "@key.enter")[1] == Send(Act("play", ("2", "2")))


def test_a_click_where_nothing_can_be_picked_does_nothing() -> None:
    for point in (card_point(1, 0), seat_point(1), "@zone.draw_pile", "@card.9.9", "@"):
        assert clicked(views.holding(4), point) == (views.holding(4), None)


def test_two_clicks_on_one_card_are_one_act() -> None:
    screen, _wish = press(views.holding(4), card_point(0, 2), 1.0)
    assert press(screen, card_point(0, 2), 1.1)[1] is None


def test_the_terminal_has_the_mouse_outside_of_a_round() -> None:
    def paint(screen: Screen, columns: int, lines: int, at: float) -> list[list[tuple[str, str]]]:
        return [[("", "ab"), ("key @key.d", "[d]"), ("", " Draw")]]

    async def script(terminal: object, seen: Emulator) -> None:
        await seen.shows("[d] Draw")

    assert "\x1b[?1000h" not in shown(script, paint).written


def test_a_click_in_the_terminal_comes_as_a_key() -> None:
    from crisp_lan.tui.app import Terminal
    from crisp_lan.tui.guest import run_application, run_with_terminal
    from tests.tui.emulator import emulator

    with emulator() as seen:
        terminal = Terminal(
            views.holding(4), rows, mouse=lambda _: True, input=seen.input, output=seen.output
        )
        heard: list[str] = []

        async def both() -> None:
            send, receive = trio.open_memory_channel[str](10)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(run_application, terminal.application)
                terminal.listen(send.send_nowait)
                await seen.shows("[x] Discard it")
                lines = seen.text.splitlines()
                y, x = next((n, s.index("[x]")) for n, s in enumerate(lines) if "[x]" in s)
                seen.input.send_text(f"\x1b[<0;{x + 2};{y + 1}M\x1b[<0;{x + 2};{y + 1}m")
                with trio.fail_after(PATIENCE):
                    heard.append(await receive.receive())
                nursery.cancel_scope.cancel()

        run_with_terminal(both)
    assert heard == ["x"]
    assert "\x1b[?1000h" in seen.written
    assert seen.written.rfind("\x1b[?1000l") > seen.written.rfind("\x1b[?1000h")
