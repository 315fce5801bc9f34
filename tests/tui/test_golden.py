"""Whole screens, kept as text in golden/ and checked by eye.

After a change that is meant: `CRISP_LAN_GOLDEN=write ./play test tests/tui/test_golden.py` writes
them anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from crisp_lan.text import cells
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint import rows
from crisp_lan.tui.pressing import press
from crisp_lan.words import LANGUAGES, speak
from tests.tui import views

GOLDEN = Path(__file__).parent / "golden"
SIZES = ((80, 24), (100, 30))
SCENES = {
    "lobby": views.lobby,
    "first-look": views.first_look,
    "holding": views.holding,
    "window": views.window,
    "final-turns": views.final_turns,
    "round-end": views.round_end,
}


def keyed(screen: Screen, *keys: str) -> Screen:
    for key in keys:
        screen, _wish = press(screen, key, 0.5)
    return screen


OTHERS = {
    "trick-80x24": (views.trick(), 80, 24),
    "climbing-marked-80x24": (keyed(views.climbing(), "y", "2", "3"), 80, 24),
    "queen-picked-80x24": (keyed(views.holding(4, "QH"), "u", "2", "3"), 80, 24),
    "quitting-80x24": (keyed(views.holding(4), "q"), 80, 24),
    "help-code-80x24": (keyed(views.locked(views.holding(4)), "?"), 80, 24),
    "lobby-passcode-80x24": (views.locked(views.lobby(2)), 80, 24),
    "lobby-passcode-8-100x30": (views.locked(views.lobby(8)), 100, 30),
    "help-80x24": (keyed(views.holding(4), "?"), 80, 24),
    "window-60x16": (views.window(8), 60, 16),
    "watching-80x24": (views.watching(8), 80, 24),
    "holding-8-ascii-80x24": (views.holding(8, ascii=True), 80, 24),
    "round-end-2-ascii-80x24": (views.round_end(2, ascii=True), 80, 24),
}
ALL = {
    f"{name}-{players}-{columns}x{lines}": (scene(players), columns, lines)
    for name, scene in SCENES.items()
    for players in (2, 8)
    for columns, lines in SIZES
} | OTHERS


SPOKEN: dict[str, tuple[Callable[[], Screen], int, int]] = {
    "evening-3-80x24": (lambda: views.evening(3), 80, 24),
    "evening-3-100x30": (lambda: views.evening(3), 100, 30),
    "evening-8-140x40": (lambda: views.evening(8), 140, 40),
    "evening-setting-80x24": (lambda: keyed(views.evening(3), "o", "right", "right"), 80, 24),
    "evening-exchanging-80x24": (lambda: keyed(views.evening(3), "x", "1"), 80, 24),
    "talking-80x24": (lambda: keyed(views.window(3), "a"), 80, 24),
    "talking-typed-80x24": (lambda: keyed(views.holding(4), "a", *"Na,", "space", *"d?"), 80, 24),
}
"""Scenes that are kept in each language."""


@pytest.mark.parametrize("name", ALL)
def test_a_screen_looks_as_it_was_approved(name: str) -> None:
    looks_as_approved(name, *ALL[name])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", SPOKEN)
def test_a_screen_looks_as_it_was_approved_in_each_language(
    name: str, language: str, request: pytest.FixtureRequest
) -> None:
    request.addfinalizer(partial(speak, "en"))
    speak(language)
    made, columns, lines = SPOKEN[name]
    looks_as_approved(f"{name}-{language}", made(), columns, lines)


def looks_as_approved(name: str, screen: Screen, columns: int, lines: int) -> None:
    painted = ["".join(text for _style, text in row) for row in rows(screen, columns, lines, 1.0)]
    assert [cells(line) for line in painted] == [columns] * lines
    shown = "".join(line.rstrip() + "\n" for line in painted)
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


def test_no_golden_screen_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == {
        *ALL,
        *(f"{name}-{language}" for name in SPOKEN for language in LANGUAGES),
    }
