"""A text that is longer than the window: every key, and what is shown."""

from __future__ import annotations

import pytest

from crisp_lan.text import cells
from crisp_lan.tui.blocks import Block
from crisp_lan.tui.reader import QUIT, Reader, press, rows


def text(columns: int) -> Block:
    """A hundred rows, and twice as many where there is only half the width."""
    return [[("", f"row {n}")] for n in range(1, 101 if columns >= 80 else 201)]


READER = Reader("The rules of Crisp", text)


def keyed(before: Reader, *keys: str) -> Reader:
    for key in keys:
        before, ends = press(before, key, 80, 24)
        assert ends is None
    return before


def shown(of: Reader, columns: int = 80, lines: int = 24) -> list[str]:
    return ["".join(words for _style, words in row).rstrip() for row in rows(of, columns, lines, 0)]


def test_a_screen_has_a_title_the_text_and_the_keys() -> None:
    screen = shown(READER)
    assert len(screen) == 24
    assert screen[0].startswith(" The rules of Crisp")
    assert screen[0].endswith("lines 1 to 20 of 100")
    assert screen[1:21] == [f"row {n}" for n in range(1, 21)]
    assert screen[-2].strip().startswith("[arrows] one line  [Space] one page")
    assert "[q] quit" in screen[-1]


@pytest.mark.parametrize(
    ("keys", "first"),
    [
        (["down"], 2),
        (["enter", "down", "up"], 2),
        (["up"], 1),
        (["space"], 20),
        (["pagedown", "pagedown"], 39),
        (["space", "b"], 1),
        (["space", "pageup", "pageup"], 1),
        (["end"], 81),
        (["end", "space", "down"], 81),
        (["end", "up"], 80),
        (["end", "home"], 1),
        (["z", "?"], 1),
    ],
)
def test_keys_move_within_the_text_and_a_page_keeps_a_row_in_sight(
    keys: list[str], first: int
) -> None:
    assert shown(keyed(READER, *keys))[1] == f"row {first}"


@pytest.mark.parametrize("key", ["q", "escape"])
def test_q_and_escape_end_it(key: str) -> None:
    assert press(READER, key, 80, 24)[1] == QUIT


def test_a_window_may_change_its_size_and_the_end_stays_at_the_foot() -> None:
    at_end = keyed(READER, "end")
    assert shown(at_end, lines=60)[56] == "row 100"
    narrow = shown(at_end, 40, 10)
    assert narrow[1] == "row 81"
    assert all(cells(line) <= 40 for line in narrow)
    assert len(shown(READER, 10, 2)) == 2
    assert keyed(Reader("", lambda _columns: [[("", "one")]]), "end", "space").top == 0


def test_letters_alone_suffice() -> None:
    of = Reader("Crisp", lambda _columns: [[("", "– “a”")]], ascii=True)
    assert all(line.isascii() for line in shown(of))
