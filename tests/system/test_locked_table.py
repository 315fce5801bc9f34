"""Tables with a passcode, as programs: who is asked, what is typed, and where it does not stand."""

from __future__ import annotations

import json
import signal
import stat
from pathlib import Path

import pytest

from crisp_lan.net.secure import table_code
from tests.system.pseudo import Pseudo
from tests.system.running import LOOPBACK, environment, headless, listed, program
from tests.system.test_host_screen import hosting

pytestmark = pytest.mark.system
CODE = "482913"
LARGE = "┗━┫ ┣━┫ ┏━┛ ┗━┫   ┃ ╺━┫"
"""The middle row of the code in large signs."""


def test_a_passcode_that_was_not_chosen_is_told_first_and_the_list_tells_nothing_else(
    tmp_path: Path,
) -> None:
    with headless(tmp_path, "--passcode", *LOOPBACK) as table:
        code = table.opened["passcode"]
        assert len(code) == 6
        assert code.isdecimal()
        with program(tmp_path, "bot", table.address, f"--passcode={code}", *LOOPBACK):
            tables = listed(tmp_path, table.opened["id"], "--json", *LOOPBACK)
            [own] = [one for one in json.loads(tables.out) if one["id"] == table.opened["id"]]
            assert own["passcode"] is True
            assert (own["players"], own["seats"], own["phase"]) == (0, 0, "")
            told = listed(tmp_path, table.address, *LOOPBACK).out.splitlines()
            [line] = [line for line in told if table.address in line]
            assert "passcode" in line
        assert code not in table.err


def test_a_bot_without_the_passcode_is_told_what_to_do(tmp_path: Path) -> None:
    with headless(tmp_path, f"--passcode={CODE}", *LOOPBACK) as table:
        for given, why in (
            ([], "This table asks for a passcode. Ask the host for it."),
            (["--passcode=000000"], "That is not the passcode of this table."),
        ):
            with program(tmp_path, "bot", table.address, *given, *LOOPBACK) as bot:
                assert bot.ended() == 1
                assert why in bot.err
                assert bot.err.rstrip().endswith("Then give it with --passcode CODE.")
                assert bot.err.count("\n") == 1
        assert "a wrong passcode from 127.0.0.1" in table.err
        assert not table.journal("sit")


def test_a_player_is_asked_line_by_line_until_it_is_right(tmp_path: Path) -> None:
    with headless(tmp_path, f"--passcode={CODE}", "--table=Zebras", *LOOPBACK) as table:
        words = ("join", table.address, "--plain", "--name=Okapi", *LOOPBACK)
        data = f"--data={tmp_path / 'own'}"
        with program(tmp_path, *words, data) as player:
            player.says("This table asks for a passcode. Ask the host for it.", "Passcode:")
            player.type("000000")
            player.says("That is not the passcode of this table. Ask the host for it.")
            player.type(" 482 913 ")
            player.says("1 Okapi: you, host, not ready", f"Passcode: {CODE}")
            player.type("code")
            player.says(f"Table code: {table_code(table.opened['fingerprint'])}")
            player.type("ready")
            player.says("1 Okapi: you, host, ready")
        with program(tmp_path, *words, data) as again:
            again.says("1 Okapi: you, host, not ready", f"Passcode: {CODE}")
        other = f"--data={tmp_path / 'other'}"
        with program(tmp_path, *words, other, f"--passcode={CODE}") as second:
            second.says("2 Okapi (2): you")


def test_a_player_is_asked_on_the_whole_screen(tmp_path: Path) -> None:
    with headless(tmp_path, f"--passcode={CODE}", *LOOPBACK) as table:
        data = f"--data={tmp_path / 'own'}"
        words = ["-m", "crisp_lan", "join", table.address, "--name=Okapi", data, *LOOPBACK]
        with Pseudo(words, environment=dict(environment())) as player:
            player.wait_for("This table asks for a passcode.")
            player.press("000000\r")
            player.wait_for("That is not the passcode of this table.")
            player.press(f"{CODE}\r")
            player.wait_for("Players: 1 of 8", LARGE)
            player.press("?")
            player.wait_for(f"Table code  {table_code(table.opened['fingerprint'])}")
        with Pseudo([*words, "--name=Zebra"], environment=dict(environment())) as other:
            other.wait_for("This table asks for a passcode.")
            other.press("\x1b")
            assert other.ended() == 0


def test_the_host_is_shown_the_passcode_in_large_and_is_not_asked(tmp_path: Path) -> None:
    with hosting(tmp_path, f"--passcode={CODE}") as host:
        host.terminal.wait_for("Passcode:", LARGE, "you · host")


def test_a_table_that_goes_on_has_its_passcode_and_its_certificate_still(tmp_path: Path) -> None:
    with headless(tmp_path, f"--passcode={CODE}", *LOOPBACK) as table:
        opened = table.opened
        folder = table.games / "tables"
        for kept in folder.iterdir():
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        table.process.send_signal(signal.SIGKILL)
        table.ended()
    with headless(tmp_path, "--resume", *LOOPBACK) as table:
        for name in ("id", "passcode", "fingerprint"):
            assert table.opened[name] == opened[name]
        with program(tmp_path, "bot", table.address, *LOOPBACK) as bot:
            assert bot.ended() == 1
            assert "This table asks for a passcode." in bot.err
