"""Evenings on a real terminal: however one ends, the terminal is sane and the reason is told."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.fake_table import FAREWELL
from tests.system.pseudo import TOP, Pseudo
from tests.system.running import waited_for

pytestmark = pytest.mark.system
PROGRAM = str(TOP / "tests" / "system" / "session_program.py")
KEPT = "It leads back to your seat."
WAITING = str(TOP / "tests" / "system" / "waiting_program.py")
JOINING = "Joining the table …"
FIRST_PICTURE = 0.6
TRIES = 10


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


def evening(log: Path, *words: str, **given: object) -> Pseudo:
    return Pseudo([PROGRAM, str(log), *words], **given)


def play(terminal: Pseudo) -> None:
    terminal.wait_for("Ayu's table", "[d] Draw")


SHOWN = {"q": "Quit?", "#": FAREWELL, "$": "Looking for it"}
"""What a key brings up before the next one is pressed."""


@pytest.mark.parametrize(
    ("keys", "code", "why"),
    [
        ("q1", 0, KEPT),
        ("q2", 0, "You have given up your seat."),
        ("\x03", 0, "Stopped."),
        ("!", 1, "broke: RuntimeError at session_program.py"),
        ("@", 1, "broke: RuntimeError at session_program.py"),
        ("#q", 0, FAREWELL),
        ("$q", 0, KEPT),
    ],
)
def test_keys_end_it(keys: str, code: int, why: str, log: Path) -> None:
    with evening(log) as terminal:
        play(terminal)
        for key in keys[:-1]:
            terminal.press(key)
            terminal.wait_for(SHOWN[key])
        terminal.press(keys[-1])
        assert terminal.ended() == code
        assert why in terminal.afterwards
        assert terminal.is_sane()


@pytest.mark.parametrize(
    ("number", "why"),
    [
        (signal.SIGINT, "Stopped."),
        (signal.SIGTERM, "Stopped from outside."),
        (signal.SIGHUP, "The terminal is gone."),
    ],
)
def test_signals_end_it(number: signal.Signals, why: str, log: Path) -> None:
    with evening(log) as terminal:
        play(terminal)
        terminal.process.send_signal(number)
        assert terminal.ended() == 0
        assert why in terminal.afterwards
        assert terminal.is_sane()


def test_a_signal_ends_the_waiting_for_a_table_too() -> None:
    with Pseudo([WAITING]) as terminal:
        terminal.wait_for(JOINING)
        terminal.process.terminate()
        assert terminal.ended() == 0
        assert terminal.is_sane()


@pytest.mark.parametrize("words", [(), ("plain",)])
def test_closed_window_ends_it(words: tuple[str, ...], log: Path) -> None:
    with evening(log, *words) as terminal:
        terminal.wait_for("Draw [d]" if words else "[d] Draw")
        terminal.close()
        assert terminal.ended() == 0


def test_table_that_cannot_be_reached_is_a_sentence(log: Path) -> None:
    with evening(log, "nowhere") as terminal:
        assert terminal.ended() == 1
        assert terminal.afterwards == "No table is open at 192.0.2.7."
        assert terminal.is_sane()


def test_log_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    with evening(tmp_path / "missing" / "log") as terminal:
        assert terminal.ended() == 1
        assert "cannot be written: No such file or directory." in terminal.text.replace("\n", "")


def test_errors_are_in_the_log_in_full_and_on_the_terminal_in_a_sentence(log: Path) -> None:
    with evening(log) as terminal:
        play(terminal)
        terminal.press("!")
        assert terminal.ended() == 1
        assert "Traceback" not in terminal.afterwards
        assert str(log) in terminal.afterwards.replace("\n", "")
        assert "KD" not in terminal.afterwards
    assert "break_handler" in log.read_text()
    assert "KD" not in log.read_text()
    assert "token-of-a-seat" not in log.read_text()


def test_stray_lines_and_warnings_do_not_touch_the_screen(log: Path) -> None:
    with evening(log) as terminal:
        play(terminal)
        before = terminal.text.splitlines()[0]
        terminal.press("%")
        terminal.press("?")
        terminal.wait_for("quit; you are asked first")
        assert terminal.text.splitlines()[0] == before
        assert b"stray" not in terminal.written
    assert "a stray line" in log.read_text()
    assert "a stray warning" in log.read_text()


def test_window_may_change_its_size_at_any_time(log: Path) -> None:
    with evening(log) as terminal:
        for columns, lines in ((100, 40), (30, 8), (3, 2), (80, 24)):
            time.sleep(0.1)
            terminal.resize(columns, lines)
        play(terminal)
        terminal.resize(60, 12)
        terminal.wait_for("80 × 24", "[d] Draw")
        terminal.resize(120, 30)
        terminal.wait_for_end_of("80 × 24")
        play(terminal)
        assert "80 × 24" not in terminal.text
        terminal.press("\x03")
        assert terminal.ended() == 0


@pytest.mark.timed
def test_first_picture_comes_soon() -> None:
    times: list[float] = []
    while len(times) < TRIES and min(times, default=9.9) > FIRST_PICTURE:
        with Pseudo([WAITING]) as terminal:
            terminal.wait_for(JOINING)
            times.append(time.monotonic() - terminal.started)
            terminal.press("q")
            assert terminal.ended() == 0
    assert min(times) <= FIRST_PICTURE


def test_an_idle_screen_rests() -> None:
    with Pseudo([WAITING]) as terminal:
        terminal.wait_for(JOINING)
        before = at_rest(terminal.process.pid)
        time.sleep(2.0)
        assert cpu_seconds(terminal.process.pid) - before <= 0.02
        terminal.press("q")
        assert terminal.ended() == 0


def at_rest(pid: int) -> float:
    """Its CPU seconds, once it has loaded what it loads behind its first picture."""
    seen = [cpu_seconds(pid)]

    def rests() -> bool:
        time.sleep(1.0)
        seen.append(cpu_seconds(pid))
        return seen[-1] - seen[-2] <= 0.01

    waited_for(rests, lambda: f"rest; CPU seconds: {seen}")
    return seen[-1]


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


# ---------------------------------------------------------------- line by line


NOT_A_SCREEN: list[dict[str, object]] = [
    {"environment": {"TERM": None}},
    {"environment": {"TERM": "dumb"}},
    {"stdin": subprocess.PIPE},
    {"stdout": subprocess.PIPE},
]


@pytest.mark.parametrize("given", NOT_A_SCREEN)
def test_without_a_screen_the_table_comes_line_by_line(given: dict[str, object], log: Path) -> None:
    with evening(log, **given) as terminal:
        terminal.says("Draw [d]")
        terminal.press("d\n")
        terminal.says("Ayu draws.")
        terminal.press("quit\n")
        terminal.says("1) Keep my seat")
        terminal.press("1\n")
        terminal.says(KEPT)
        assert terminal.ended() == 0
        assert not re.search(rb"\x1b|\r(?!\n)|\x08", terminal.written)


def test_lines_may_end_without_the_table_but_typing_the_end_is_going(log: Path) -> None:
    with evening(log, "plain") as terminal:
        terminal.wait_for("Draw [d]")
        terminal.press("\x04")
        assert terminal.ended() == 0
        assert KEPT in terminal.text


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_the_lines_too(number: signal.Signals, log: Path) -> None:
    with evening(log, "plain") as terminal:
        terminal.wait_for("Draw [d]")
        terminal.process.send_signal(number)
        assert terminal.ended() == 0
        assert KEPT in terminal.text
