"""`./play`: what it passes on to crisp-lan, and how it says that it is called."""

from __future__ import annotations

import sys
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from typing import Any

import pytest

from crisp_lan import cli
from crisp_lan.net.discovery import NOTHING_HEARD
from crisp_lan.tui.wording import worded
from crisp_lan.words import filled, own_command
from tests.system.pseudo import TOP

LOCAL = ["--bind", "127.0.0.1", "--no-announce"]


@pytest.fixture(scope="module")
def play() -> Any:
    """The script as a module."""
    loader = SourceFileLoader("play", str(TOP / "play"))
    spec = spec_from_loader("play", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("line", "passed"),
    [
        ("", ["host", "--bots", "3", "--seats", "4", *LOCAL]),
        ("--name Ann", ["host", "--bots", "3", "--seats", "4", *LOCAL, "--name", "Ann"]),
        ("--bots 5 --plain", ["host", "--bots", "5", "--seats", "6", *LOCAL, "--plain"]),
        ("--bots=2 --seats=4", ["host", "--bots", "2", "--seats", "4", *LOCAL]),
        ("--game=crisps", ["host", "--bots", "1", "--seats", "2", *LOCAL, "--game", "crisps"]),
        ("--bots many", ["host", "--bots", "many", "--seats", "4", *LOCAL]),
        ("host --name Ann", ["host", "--name", "Ann"]),
        ("--lang de join", ["--lang", "de", "join"]),
        ("hots", ["hots"]),
        ("--help", ["--help"]),
        ("--version", ["--version"]),
    ],
)
def test_options_alone_belong_to_the_quick_game(line: str, passed: list[str], play: Any) -> None:
    assert play.command_of(line.split()) == passed


def test_the_script_knows_every_command(play: Any) -> None:
    assert tuple(cli._COMMANDS) == play.COMMANDS


def test_without_a_network_what_was_set_up_before_has_to_do(
    play: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def call(words: list[object], **_streams: object) -> int:
        return int("install" in words)

    monkeypatch.setattr(play, "VENV", tmp_path)
    monkeypatch.setattr(play, "PYTHON", tmp_path)
    monkeypatch.setattr(play.subprocess, "call", call)
    with pytest.raises(SystemExit, match="this first time only"):
        play.prepare("play")
    assert "for the first time" in capsys.readouterr().err
    (tmp_path / "play.stamp").write_text("of an older checkout")
    play.prepare("play")
    assert "What was set up before has to do." in capsys.readouterr().err
    assert (tmp_path / "play.stamp").read_text() == "of an older checkout"


@pytest.mark.parametrize(
    ("script", "called"),
    [("./play", "./play"), ("/a b/play", "'/a b/play'"), ("play", "python3 play")],
)
def test_the_script_is_called_as_it_was_typed(
    script: str, called: str, play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", [script])
    assert play.called() == called


def test_sentences_name_the_command_that_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CRISP_LAN_COMMAND", raising=False)
    assert own_command() == "crisp-lan"
    monkeypatch.setenv("CRISP_LAN_COMMAND", "./play")
    assert own_command() == "./play"
    monkeypatch.setenv("CRISP_LAN_COMMAND", "\x1b[2J")
    assert own_command() == "crisp-lan"


def test_help_and_its_examples_are_as_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CRISP_LAN_COMMAND", "./play")
    assert cli.run(["--lang=en", "join", "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("usage: ./play join")
    assert "\n  ./play join --watch" in out
    assert cli.run(["--lang=en", "hots"]) == 2
    assert capsys.readouterr().err.startswith("./play: There is no command hots.")


def test_what_to_do_next_is_told_as_the_program_was_started(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRISP_LAN_COMMAND", "./play")
    assert worded(NOTHING_HEARD, ()).endswith(" ./play doctor looks for the reason.")
    assert filled("{command} {n}", {"command": "sudo ufw", "n": 1}) == "sudo ufw 1"
