"""A kept game at a real terminal: stepped through, played, and left, by keys alone."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.kept_games import keep, record_of
from tests.system.panes import tmux
from tests.system.pseudo import Pseudo
from tests.system.running import COMMAND, own_loopback

pytestmark = pytest.mark.system


def replaying(data: Path, *words: str) -> Pseudo:
    return Pseudo(["-m", "crisp_lan", "replay", f"--data={data}", "--lang=en", *words])


def test_a_game_is_read_by_keys_and_the_terminal_is_as_it_was(tmp_path: Path) -> None:
    keep(tmp_path, "t", record_of("crisp"))
    with replaying(tmp_path) as terminal:
        terminal.wait_for("Crisp · round 1 · First look", "step 1 of 83", "stopped", "may look")
        terminal.press("\x1b[C")
        terminal.wait_for("Ayu looks at the left card. Ayu sees J♠, the left card.", "step 2 of")
        terminal.press("\x1b[D")
        terminal.wait_for("step 1 of 83")
        terminal.press("n")
        terminal.wait_for("round 2 · First look")
        terminal.press("l")
        terminal.wait_for("Who saw which cards in this round")
        terminal.press("x?")
        terminal.wait_for("to the next round")
        terminal.press("x\x1b[F")
        terminal.wait_for("step 83 of 83", "The game is over. Chandra wins with 24.")
        terminal.press("q")
        assert terminal.ended() == 0
        assert terminal.is_sane()
        assert terminal.afterwards == ""


def test_a_game_plays_by_itself_from_its_beginning_to_its_end(tmp_path: Path) -> None:
    keep(tmp_path, "t", record_of("briscola"))
    with replaying(tmp_path) as terminal:
        terminal.wait_for("step 1 of 42", "stopped")
        terminal.press("++++++ ")
        terminal.wait_for("playing · speed 16")
        terminal.wait_for("step 42 of 42", "stopped", "The game is over.")
        assert b"Dewi plays" in terminal.written
        terminal.press("q")
        assert terminal.ended() == 0


def test_ctrl_c_ends_a_replay_in_good_order(tmp_path: Path) -> None:
    keep(tmp_path, "t", record_of("crisps"))
    with replaying(tmp_path) as terminal:
        terminal.wait_for("step 1 of 78")
        terminal.press(" ")
        terminal.wait_for("playing")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.ended() == 0
        assert terminal.is_sane()
        assert terminal.afterwards == "Stopped."


def test_on_a_dumb_terminal_a_game_is_printed_and_over(tmp_path: Path) -> None:
    keep(tmp_path, "t", record_of("crisp"))
    words = ["-m", "crisp_lan", "replay", f"--data={tmp_path}", "--lang=en"]
    with Pseudo(words, environment={"TERM": "dumb"}) as terminal:
        terminal.says("The game is over.")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.written


def test_a_game_is_read_in_a_pane_and_listed_in_another(tmp_path: Path) -> None:
    keep(tmp_path, "t", record_of("crisp"))
    data = f"--data={tmp_path}"
    with own_loopback() as start, tmux(tmp_path, start) as server:
        listed = server.pane("listed", [*COMMAND, "history", data])
        listed.wait_for("Ayu 30, Budi 27, Chandra 24: won by Chandra.")
        assert listed.exit_code() == 0
        read = server.pane("read", [*COMMAND, "replay", "c0f", data])
        read.wait_for("step 1 of 83")
        read.press("Right", "Right")
        read.wait_for("step 3 of 83", "looking: left")
        read.press("NPage")
        read.wait_for("round 2 · First look")
        read.press("PPage", "Home", "End")
        read.wait_for("The game is over.")
        read.type("q")
        assert read.exit_code() == 0
