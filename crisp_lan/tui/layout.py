"""One window that fills the terminal with painted rows, at whatever size it has just now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.data_structures import Point
from prompt_toolkit.layout import Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import _CHAR_CACHE, Char, Screen, WritePosition
from prompt_toolkit.mouse_events import MouseEvent, MouseEventType

from crisp_lan.tui.points import looks_of, point_at

if TYPE_CHECKING:
    from prompt_toolkit.key_binding.key_bindings import NotImplementedOrNone

Row: TypeAlias = Sequence[tuple[str, str]]
"""Pieces of text, each with the name of its style, and perhaps a point."""


def filled_with(
    rows: Callable[[int, int], Sequence[Row]], point: Callable[[str], None] = lambda point: None
) -> Layout:
    """A layout of nothing but `rows(columns, lines)`, asked for whenever it is drawn.

    `point` is told each point of the picture that is clicked on. A lone window is shown at any
    size: prompt_toolkit never says "Window too small" for it.
    """
    return Layout(_Picture(rows, point))


class _Picture(Window):
    """Puts the rows' signs on the screen by itself: a general window takes twice as long, and a
    player waits for it. Rows that are as they were are taken over as they are."""

    def __init__(
        self, rows: Callable[[int, int], Sequence[Row]], point: Callable[[str], None]
    ) -> None:
        super().__init__(always_hide_cursor=True)
        self._rows = rows
        self._point = point
        self._painted: Sequence[Row] = []
        self._signs: list[dict[int, Char]] = []

    def write_to_screen(
        self,
        screen: Screen,
        mouse_handlers: MouseHandlers,
        write_position: WritePosition,
        parent_style: str,
        erase_bg: bool,
        z_index: int | None,
    ) -> None:
        columns, lines = write_position.width, write_position.height
        before = dict(zip(map(tuple, self._painted), self._signs))
        self._painted = self._rows(columns, lines)[:lines]
        self._signs = [before.get(tuple(row)) or _signs(row, columns) for row in self._painted]
        screen.data_buffer.update(enumerate(self._signs))  # type: ignore[arg-type]
        screen.width, screen.height = columns, lines
        screen.visible_windows_to_write_positions[self] = write_position
        screen.set_cursor_position(self, Point(0, 0))
        screen.show_cursor = False
        mouse_handlers.set_mouse_handler_for_range(0, columns, 0, lines, self._clicked)

    def _clicked(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        where = mouse_event.position
        if mouse_event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        if where.y < len(self._painted) and (point := point_at(self._painted[where.y], where.x)):
            self._point(point)
        return None


def _signs(row: Row, columns: int) -> dict[int, Char]:
    """The cells of a row; the second one of a wide sign is empty, a sign of no width joins."""
    signs: dict[int, Char] = {}
    column = 0
    for style, text in row:
        looks = _looks(style)
        for sign in text:
            char = _CHAR_CACHE[sign, looks]
            if char.width == 0 and column:
                last = signs[column - 1]
                signs[column - 1] = _CHAR_CACHE[last.char + sign, last.style]
                continue
            signs[column] = char
            for n in range(1, char.width):
                signs[column + n] = _CHAR_CACHE["", looks]
            column += char.width
    ground = _CHAR_CACHE[" ", _looks("")]
    return signs | dict.fromkeys(range(column, columns), ground)


@lru_cache(maxsize=4096)
def _looks(style: str) -> str:
    return " ".join("class:" + name for name in ("ground", *looks_of(style)))
