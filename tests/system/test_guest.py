"""However it ends, the terminal is as it was, and only then is the reason printed."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from tests.system.pseudo import TOP, Pseudo

pytestmark = pytest.mark.system
PROGRAM = str(TOP / "tests" / "system" / "guest_program.py")
HOW = "late"


def started(how: str, tmp_path: Path) -> Pseudo:
    return Pseudo([PROGRAM, how, str(tmp_path / "log")])


@pytest.mark.parametrize(
    ("key", "reason"),
    [("q", "quit"), ("h", "error: broken handler"), ("t", "error: broken text")],
)
def test_a_key_ends_it(key: str, reason: str, tmp_path: Path) -> None:
    with started(HOW, tmp_path) as terminal:
        terminal.wait_for("It is on")
        terminal.press(key)
        assert terminal.ended() == 0
        assert reason in terminal.afterwards
        assert terminal.is_sane()


@pytest.mark.parametrize(
    ("number", "reason"),
    [
        (signal.SIGINT, "stopped: interrupted"),
        (signal.SIGTERM, "stopped: terminated"),
        (signal.SIGHUP, "stopped: hung up"),
    ],
)
def test_a_signal_ends_it(number: signal.Signals, reason: str, tmp_path: Path) -> None:
    with started(HOW, tmp_path) as terminal:
        terminal.wait_for("It is on")
        terminal.process.send_signal(number)
        assert terminal.ended() == 0
        assert reason in terminal.afterwards
        assert terminal.is_sane()


@pytest.mark.parametrize(
    ("how", "reason"), [("trio", "error: broken task"), ("first", "error: broken from the start")]
)
def test_an_error_outside_the_keys_ends_it(how: str, reason: str, tmp_path: Path) -> None:
    with started(how, tmp_path) as terminal:
        assert terminal.ended() == 0
        assert reason in terminal.afterwards
        assert terminal.is_sane()


def test_a_closed_window_ends_it(tmp_path: Path) -> None:
    with started(HOW, tmp_path) as terminal:
        terminal.wait_for("It is on")
        terminal.close()
        assert terminal.ended() == 0


def test_stray_lines_go_to_the_log_and_leave_the_screen_alone(tmp_path: Path) -> None:
    with started(HOW, tmp_path) as terminal:
        terminal.wait_for("It is on")
        terminal.press("s")
        terminal.press("q")
        assert terminal.ended() == 0
        assert b"stray" not in terminal.written
        logged = (tmp_path / "log").read_text()
        assert logged.count("a stray line\n") == 50
        assert "another stray line" in logged
        assert "a stray warning" in logged
