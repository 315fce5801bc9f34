"""The menu: every key, what is told line by line, and whole screens in each language.

After a change that is meant: `CRISP_LAN_GOLDEN=write ./play test tests/tui/test_menu.py` writes the
screens of golden/menu/ anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from crisp_lan.cli import parser
from crisp_lan.commands.start import _menu
from crisp_lan.front import Looks
from crisp_lan.text import cells
from crisp_lan.tui.menu import QUIT, Entry, Menu, lines, press, rows
from crisp_lan.words import LANGUAGES

GOLDEN = Path(__file__).parent / "golden" / "menu"

GAMES = (Entry("1", "Crisp", words=("rules", "crisp")), Entry("2", "Other", words=("rules", "o")))
ENTRIES = (
    Entry("h", "Open", "for others", ("host",)),
    Entry("r", "Rules", "how it goes", inner=GAMES),
    Entry("q", "Quit"),
)
MENU = Menu("crisp-lan", "1.0", "A game.", ENTRIES)


def keyed(before: Menu, *keys: str) -> Menu:
    for key in keys:
        before, chosen = press(before, key, 80, 24)
        assert chosen is None
    return before


def shown(of: Menu, columns: int = 80, height: int = 24) -> list[str]:
    return ["".join(text for _, text in row).rstrip() for row in rows(of, columns, height, 0.0)]


# ---------------------------------------------------------------- keys


def test_enter_chooses_what_the_arrows_have_come_to_and_they_go_round() -> None:
    assert press(MENU, "enter", 80, 24)[1] == ENTRIES[0]
    assert keyed(MENU, "down", "down", "down").cursor == 0
    assert press(keyed(MENU, "up"), "enter", 80, 24)[1] == QUIT


@pytest.mark.parametrize("key", ["h", "1"])
def test_a_letter_or_a_number_chooses_at_once_and_takes_the_cursor_along(key: str) -> None:
    menu, chosen = press(keyed(MENU, "down"), key, 80, 24)
    assert (menu.cursor, chosen) == (0, ENTRIES[0])


def test_an_entry_with_more_opens_a_menu_of_them() -> None:
    inner = keyed(MENU, "r")
    assert (inner.about, inner.entries, inner.cursor) == ("Rules", GAMES, 0)
    assert press(inner, "2", 80, 24)[1] == GAMES[1]
    assert inner.top == replace(MENU, cursor=1)


@pytest.mark.parametrize("key", ["escape", "q"])
def test_escape_and_q_go_one_step_back_and_from_the_first_menu_out(key: str) -> None:
    assert keyed(MENU, "r", key) == replace(MENU, cursor=1)
    assert press(MENU, key, 80, 24)[1] == QUIT


@pytest.mark.parametrize("key", ["z", "0", "9", "space", "left", ""])
def test_other_keys_do_nothing(key: str) -> None:
    assert keyed(MENU, key) == MENU


def test_how_the_last_thing_ended_is_told_until_the_next_key() -> None:
    told = replace(MENU, word="The table is closed.")
    assert " The table is closed." in shown(told)
    assert keyed(told, "down").word == ""


def test_every_entry_stands_for_a_command_and_words_that_it_takes() -> None:
    entries = _menu(Looks()).entries
    spelt = [each for entry in entries for each in (entry, *entry.inner) if each.words]
    for entry in spelt:
        given = parser().parse_args(entry.words)
        assert given.command == entry.words[0]
    tables = [parser().parse_args(entry.words) for entry in entries[2].inner]
    assert [(one.game, one.bots, one.seats) for one in tables] == [
        ("crisp", 3, 4),
        ("briscola", 3, 4),
        ("crisps", 1, 2),
    ]
    assert all((one.bind, one.no_announce) == ("127.0.0.1", True) for one in tables)


# ---------------------------------------------------------------- what is shown


def test_line_by_line_every_entry_has_its_number() -> None:
    assert list(lines(MENU)) == [
        "A game.",
        "1  Open: for others",
        "2  Rules: how it goes",
        "3  Quit",
        "Type a number; q quits.",
    ]
    assert list(lines(keyed(MENU, "r")))[-1] == "Type a number; q goes back."


@pytest.mark.parametrize("speak", LANGUAGES, indirect=True)
@pytest.mark.parametrize("scene", ["first", "bots", "rules"])
def test_a_screen_looks_as_it_was_approved(scene: str, speak: str) -> None:
    keys = {"first": (), "bots": ("b",), "rules": ("r", "down")}[scene]
    screen = shown(keyed(_menu(Looks()), *keys))
    file = GOLDEN / f"{scene}-{speak}-80x24.txt"
    text = "".join(line + "\n" for line in screen)
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


@pytest.mark.parametrize("speak", LANGUAGES, indirect=True)
@pytest.mark.parametrize("columns", [3, 40, 80, 140])
@pytest.mark.parametrize("height", [1, 8, 24, 50])
def test_the_menu_fills_a_window_of_any_size(columns: int, height: int, speak: str) -> None:
    painted = rows(keyed(_menu(Looks()), "b"), columns, height, 0.0)
    assert [cells("".join(text for _, text in row)) for row in painted] == [columns] * height


@pytest.mark.parametrize("speak", LANGUAGES, indirect=True)
def test_every_entry_can_be_read_in_a_small_window(speak: str) -> None:
    menu = _menu(Looks())
    screen = "\n".join(shown(menu, 40, 9))
    assert [entry.label for entry in menu.entries if entry.label not in screen] == []


def test_letters_alone_suffice() -> None:
    assert all(line.isascii() for line in shown(replace(MENU, ascii=True)))


def test_no_golden_screen_is_left_over() -> None:
    wanted = {f"{s}-{lang}-80x24" for s in ("first", "bots", "rules") for lang in LANGUAGES}
    assert {file.stem for file in GOLDEN.glob("*.txt")} == wanted
