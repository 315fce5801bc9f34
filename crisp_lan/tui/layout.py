"""One control that fills the terminal with painted rows, at whatever size it has just now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
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
    window = Window(_Picture(rows, point), always_hide_cursor=True, style="class:ground")
    return Layout(window)


class _Picture(UIControl):
    def __init__(
        self, rows: Callable[[int, int], Sequence[Row]], point: Callable[[str], None]
    ) -> None:
        self._rows = rows
        self._point = point
        self._painted: Sequence[Row] = []

    def create_content(self, width: int, height: int) -> UIContent:
        self._painted = self._rows(width, height)
        styled = [_styled(row) for row in self._painted] or [[]]
        return UIContent(styled.__getitem__, len(styled), show_cursor=False)

    def mouse_handler(self, mouse_event: MouseEvent) -> NotImplementedOrNone:
        where = mouse_event.position
        if mouse_event.event_type is not MouseEventType.MOUSE_UP:
            return NotImplemented
        if where.y < len(self._painted) and (point := point_at(self._painted[where.y], where.x)):
            self._point(point)
        return None


def _styled(row: Row) -> StyleAndTextTuples:
    return [(_classes(style), text) for style, text in row]


@lru_cache(maxsize=4096)
def _classes(style: str) -> str:
    return " ".join("class:" + name for name in looks_of(style))
