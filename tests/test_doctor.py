"""What a doctor tells of the machine, and how it is put; the network is examined on networks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from crisp_lan import doctor, machine, words
from crisp_lan.doctor import Finding, lines
from crisp_lan.game.rules import Text
from crisp_lan.machine import on_machine
from crisp_lan.net.probing import Echo
from crisp_lan.text import cells
from crisp_lan.words import speak


@pytest.fixture(autouse=True)
def _in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "_catalogue", words._catalogue)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")


def found(folder: Path, language: str | None = None, suits: bool = True) -> list[str]:
    """The findings, each in one line."""
    findings = on_machine(folder, language, suits)
    return [" ".join(" ".join(lines(finding)).split()) for finding in findings]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A terminal of 80 by 24."""
    for stream in (sys.stdin, sys.stdout):
        monkeypatch.setattr(stream, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(machine.shutil, "get_terminal_size", lambda: os.terminal_size((80, 24)))
    monkeypatch.setattr(machine, "colours", lambda: 256)
    monkeypatch.setenv("TERM", "xterm-256color")
    return monkeypatch


def test_a_machine_in_good_order_has_no_fault(tmp_path: Path, screen: pytest.MonkeyPatch) -> None:
    told = found(tmp_path / "new")
    assert not [finding for finding in told if finding.startswith("fault")]
    assert "ok The terminal xterm-256color has 80 columns, 24 rows and 256 colours." in told
    assert any(finding.startswith("ok Games and seats are kept in ") for finding in told)
    assert list((tmp_path / "new").iterdir()) == []


def test_a_window_that_is_too_small_is_told(tmp_path: Path, screen: pytest.MonkeyPatch) -> None:
    screen.setattr(machine.shutil, "get_terminal_size", lambda: os.terminal_size((79, 24)))
    assert any(
        finding.startswith("warning The terminal has 79 columns and 24 rows; a table needs 80")
        for finding in found(tmp_path)
    )


def test_a_terminal_that_cannot_be_drawn_on_is_told(
    tmp_path: Path, screen: pytest.MonkeyPatch
) -> None:
    screen.setenv("TERM", "dumb")
    assert any("warning The terminal (TERM=dumb)" in finding for finding in found(tmp_path))


def test_a_folder_that_cannot_be_written_is_a_fault() -> None:
    told = found(Path("/dev/null/games"))
    assert any(
        finding.startswith("fault /dev/null/games cannot be written: Not a directory.")
        and "--data" in finding
        for finding in told
    )


def test_an_encoding_without_suits_is_told(tmp_path: Path) -> None:
    told = found(tmp_path, suits=False)
    assert any(finding.startswith("warning The encoding ") for finding in told)


def test_the_language_is_told_and_where_it_comes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert any("The language is English, by LANG=en_GB.UTF-8." in one for one in found(tmp_path))
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    assert any("Deutsch" in one and "LANG=de_DE.UTF-8" in one for one in found(tmp_path))
    assert any("Bahasa Indonesia" in one and "--lang id" in one for one in found(tmp_path, "id"))


def test_a_firewall_that_is_on_is_told_with_the_command_that_lets_tables_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "_ufw_on", lambda: True)
    command = "sudo ufw allow 27477/tcp && sudo ufw allow 5353/udp"
    assert f"warning The firewall ufw is on: {command} lets tables through." in found(tmp_path)
    monkeypatch.setattr(machine, "_ufw_on", lambda: False)
    monkeypatch.setattr(machine, "_runs", lambda program: True)
    assert any("--add-port=27477/tcp --add-port=5353/udp" in one for one in found(tmp_path))


def test_that_a_program_runs_is_seen_by_its_name() -> None:
    own = Path("/proc/self/comm").read_text().strip()
    assert machine._runs(own)
    assert not machine._runs("no-such-program")


def test_what_was_heard_is_graded() -> None:
    graded = (
        (Echo(own=True, others=True), "ok"),
        (Echo(own=True), "warning"),
        (Echo(), "fault"),
        (Echo(trouble=Text("It cannot be asked.")), "fault"),
    )
    for heard, grade in graded:
        assert doctor._of_multicast(heard, "192.0.2.1", "wlan0").grade == grade
    assert doctor._of_multicast(Echo(own=True), "127.0.0.1", "lo").grade == "ok"


@pytest.mark.parametrize("language", ["en", "de", "id"])
def test_a_finding_fits_80_columns_with_its_grade_before_it(language: str) -> None:
    speak(language)
    for grade in ("ok", "warning", "fault"):
        first, *rest = lines(Finding(grade, Text("{name}", {"name": "word " * 40})))  # type: ignore[arg-type]
        indent = len(first) - len(first.split(maxsplit=1)[1])
        assert all(len(line) < 80 for line in (first, *rest))
        assert all(line[:indent].isspace() and line[indent:].startswith("word") for line in rest)
        assert " ".join((first, *rest)).count("word") == 40


@pytest.mark.parametrize("sign", ["x", "ü", "界"])
def test_a_path_is_told_whole_however_long_it_is(sign: str) -> None:
    path = "/" + "/".join(sign * 20 for _folder in range(9))
    told = lines(Finding("ok", Text("Games and seats are kept in {folder}.", {"folder": path})))
    assert all(cells(line) < 80 for line in told)
    assert path + "." in "".join(line[len("warning  ") :] for line in told)


def test_what_comes_from_the_network_is_printed_harmless() -> None:
    finding = Finding("ok", Text("{table} answers at {address}.", {"table": "\x1b[2J\u202eA"}))
    assert all(line.isprintable() for line in lines(finding))
