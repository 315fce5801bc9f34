"""One control that fills the terminal with painted rows, at whatever size it has just now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window

Row: TypeAlias = Sequence[tuple[str, str]]
"""Pieces of text, each with the name of its style."""


def filled_with(rows: Callable[[int, int], Sequence[Row]]) -> Layout:
    """A layout of nothing but `rows(columns, lines)`, asked for whenever it is drawn.

    A lone window is shown at any size: prompt_toolkit never says "Window too small" for it.
    """
    return Layout(Window(_Picture(rows), always_hide_cursor=True))


class _Picture(UIControl):
    def __init__(self, rows: Callable[[int, int], Sequence[Row]]) -> None:
        self._rows = rows

    def create_content(self, width: int, height: int) -> UIContent:
        painted = [_styled(row) for row in self._rows(width, height)] or [[]]
        return UIContent(painted.__getitem__, len(painted), show_cursor=False)


def _styled(row: Row) -> StyleAndTextTuples:
    return [(_classes(style), text) for style, text in row]


def _classes(style: str) -> str:
    return " ".join("class:" + name for name in style.split())
