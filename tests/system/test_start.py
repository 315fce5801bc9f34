"""`crisp-lan` alone at a real terminal: the menu, what it leads to, and the way back."""

from __future__ import annotations

import re
import signal
import time
from pathlib import Path

import pytest

from tests.kept_games import keep, record_of
from tests.system.panes import tmux
from tests.system.pseudo import Pseudo
from tests.system.running import COMMAND, own_loopback
from tests.system.test_terminal import FIRST_PICTURE, TRIES

pytestmark = pytest.mark.system

MENU = ("[h] Open a table", "[q] Quit")


def menu(data: Path, *words: str, **given: object) -> Pseudo:
    everywhere = [f"--data={data}", "--lang=en", *words]
    return Pseudo(["-m", "crisp_lan", *everywhere], **given)  # type: ignore[arg-type]


def test_the_menu_comes_back_after_each_thing_and_quitting_restores_the_terminal(
    tmp_path: Path,
) -> None:
    keep(tmp_path, "t", record_of("crisp"))
    with menu(tmp_path) as terminal:
        terminal.wait_for(*MENU)
        terminal.press("l")
        terminal.wait_for("step 1 of 83")
        terminal.press("q")
        terminal.wait_for(*MENU, " > [l] Look at a past game")
        terminal.press("r2")
        terminal.wait_for("The rules of Briscola", "An Italian game of tricks")
        terminal.press("q")
        terminal.wait_for(*MENU)
        terminal.press("\x1b[B\r")
        assert terminal.ended() == 0
        assert terminal.is_sane()
        assert terminal.afterwards == ""


def test_a_game_against_bots_is_begun_and_its_last_word_is_on_the_menu(tmp_path: Path) -> None:
    with menu(tmp_path) as terminal:
        terminal.wait_for(*MENU)
        terminal.press("b")
        terminal.wait_for("[1] Crisp", "[3] Crisps!")
        terminal.press("1")
        terminal.wait_for("First look", "[l] Look at a card", "Welcome!", "[-] no more hints")
        terminal.press("-")
        terminal.wait_for("No more hints in this game.")
        terminal.press("q")
        terminal.wait_for("[1] End the table for all")
        terminal.press("1")
        terminal.wait_for(*MENU, "The table is closed.")
        terminal.press("b1")
        terminal.wait_for("First look", "[l] Look at a card")
        assert "Welcome!" not in terminal.text
        terminal.press("q1")
        terminal.wait_for(*MENU, "The table is closed.")
        terminal.press("q")
        assert terminal.ended() == 0
        assert terminal.is_sane()


def test_what_fails_is_told_on_the_menu(tmp_path: Path) -> None:
    with menu(tmp_path) as terminal:
        terminal.wait_for(*MENU)
        terminal.press("l")
        terminal.wait_for(*MENU, "No game is kept in")
        terminal.press("q")
        assert terminal.ended() == 0
        assert re.search(rb"1049l((?!1049h).)*No game is kept in", terminal.written, re.DOTALL)


def test_rules_that_would_fit_the_window_are_read_all_the_same(tmp_path: Path) -> None:
    with menu(tmp_path, lines=200) as terminal:
        terminal.wait_for(*MENU)
        terminal.press("r1")
        terminal.wait_for("The rules of Crisp", "[Space] one page")
        terminal.press("q")
        terminal.wait_for(*MENU)
        terminal.press("q")
        assert terminal.ended() == 0


@pytest.mark.parametrize("where", ["menu", "rules"])
@pytest.mark.parametrize(
    ("number", "why"), [(signal.SIGINT, "Stopped."), (signal.SIGTERM, "Stopped from outside.")]
)
def test_a_signal_ends_it_all_wherever_it_comes(
    number: signal.Signals, why: str, where: str, tmp_path: Path
) -> None:
    with menu(tmp_path) as terminal:
        terminal.wait_for(*MENU)
        if where == "rules":
            terminal.press("r1")
            terminal.wait_for("The rules of Crisp")
        terminal.process.send_signal(number)
        assert terminal.ended() == 0
        assert terminal.is_sane()
        assert terminal.afterwards == why


def test_a_closed_window_ends_it(tmp_path: Path) -> None:
    with menu(tmp_path) as terminal:
        terminal.wait_for(*MENU)
        terminal.close()
        assert terminal.ended() == 0


@pytest.mark.parametrize("given", [{"environment": {"TERM": "dumb"}}, {"words": ["--plain"]}])
def test_line_by_line_the_menu_goes_by_numbers(given: dict[str, object], tmp_path: Path) -> None:
    words = given.get("words", [])
    others = {name: value for name, value in given.items() if name != "words"}
    with menu(tmp_path, *words, **others) as terminal:  # type: ignore[misc]
        terminal.says("3  Play against bots: on this machine; your first game explains itself")
        terminal.says("Type a number; q quits.")
        terminal.press("4\n")
        terminal.says("No game is kept in")
        terminal.press("5\n")
        terminal.says("Type a number; q goes back.")
        terminal.press("3\n")
        terminal.says("A game of climbing for 2 players.")
        terminal.press("3\n")
        terminal.says("2  Briscola: Win tricks")
        terminal.press("1\n")
        terminal.says("Look at a card [l]")
        terminal.press("quit\n")
        terminal.says("1) End the table for all")
        terminal.press("1\n")
        terminal.wait_for("The table is closed.", "6  Quit", "Type a number; q quits.")
        terminal.press("\x04")
        assert terminal.ended() == 0
        assert not re.search(rb"\x1b|\r(?!\n)|\x08", terminal.written)


def test_two_people_find_each_other_by_the_menu_alone(tmp_path: Path) -> None:
    with own_loopback() as start, tmux(tmp_path, start) as server:
        ayu = server.pane("ayu", [*COMMAND, f"--data={tmp_path / 'ayu'}"])
        ayu.wait_for(*MENU)
        ayu.type("h")
        ayu.wait_for("Join from another machine", "[r] Ready")
        budi = server.pane("budi", [*COMMAND, f"--data={tmp_path / 'budi'}"])
        budi.wait_for(*MENU)
        budi.press("Down", "Enter")
        budi.wait_for("Tables on this network", "1 of 8", "lobby")
        budi.press("Enter")
        budi.wait_for("Players: 2 of 8")
        budi.type("q")
        budi.wait_for("Quit?")
        budi.type("1")
        budi.wait_for(*MENU)
        budi.type("q")
        assert budi.exit_code() == 0
        ayu.type("q")
        ayu.wait_for("[1] End the table for all")
        ayu.type("1")
        ayu.wait_for(*MENU, "The table is closed.")
        ayu.type("q")
        assert ayu.exit_code() == 0


@pytest.mark.timed
def test_the_menu_comes_as_soon_as_any_first_picture(tmp_path: Path) -> None:
    times: list[float] = []
    while len(times) < TRIES and min(times, default=9.9) > FIRST_PICTURE:
        with menu(tmp_path) as terminal:
            terminal.wait_for(*MENU)
            times.append(time.monotonic() - terminal.started)
            terminal.press("q")
            assert terminal.ended() == 0
    assert min(times) <= FIRST_PICTURE
