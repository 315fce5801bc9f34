"""The command line: words, exit codes and sentences; never a traceback for what was typed."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import socket
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from crisp_lan import __version__, words
from crisp_lan.bots import ANYGAME
from crisp_lan.cli import run
from crisp_lan.game.state import LEVELS
from crisp_lan.net import discovery, search
from tests.system.running import (
    COMMAND,
    LOOPBACK,
    PATIENCE,
    announced,
    environment,
    headless,
    listed,
    program,
    waited_for,
)
from tests.test_catalogue import compiled

TABLE = f"Table 2.{os.getpid()}"
"""Nobody else on this machine announces this name."""
COMMANDS = ("host", "join", "bot", "tables", "replay", "history", "arena", "rules", "doctor")


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Games of its own, in English, and no log or language left behind."""
    monkeypatch.setenv("CRISP_LAN_DATA", str(tmp_path / "games"))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(words, "_catalogue", words._catalogue)
    before = logging.root.handlers[:]
    yield
    for handler in set(logging.root.handlers) - set(before):
        logging.root.removeHandler(handler)
        handler.close()


# ---------------------------------------------------------------- help and wrong usage


@pytest.mark.parametrize("command", COMMANDS)
def test_help_fits_80_columns_and_shows_an_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"\nexamples:\n  crisp-lan {command}" in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_the_whole_help_lists_the_commands_but_not_the_hidden_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["--help"]) == 0
    out = capsys.readouterr().out
    assert re.findall(r"^    (\w+)  ", out, re.MULTILINE) == list(COMMANDS)
    assert max(len(line) for line in out.splitlines()) <= 80


def test_without_a_command_the_help_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == 2
    assert "usage: crisp-lan" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "nearest"),
    [("hots", "host"), ("jion", "join"), ("table", "tables"), ("rply", "replay")],
)
def test_a_command_that_is_none_is_answered_with_the_nearest(
    word: str, nearest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([word]) == 2
    err = capsys.readouterr().err
    assert err == f"crisp-lan: There is no command {word}. Did you mean {nearest}?\n"


def test_a_word_near_to_no_command_is_answered_with_where_help_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["192.168.1.20"]) == 2
    assert "See crisp-lan --help." in capsys.readouterr().err


def test_the_help_names_defaults_and_hides_what_is_no_players_business(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for command in COMMANDS:
        assert run([command, "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    for default in ("27477 or the next", "game (default: 100)", "draw (default: 45)"):
        assert default in out
    assert f"who plays: {', '.join((*LEVELS, ANYGAME))} (default: normal,easy)" in out
    assert not re.search(r"\{\w+\}|--key-fd|crisp-lan bots", out)


def test_the_help_is_in_the_players_language(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(words, "_LOCALE", compiled(tmp_path))
    assert run(["--lang=de", "host", "--help"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Aufruf: crisp-lan host ")
    assert "\nOptionen:\n" in out
    assert run(["--lang=de", "host", "--limt"]) == 2
    err = capsys.readouterr().err
    assert err.startswith("crisp-lan host: Die Option --limt gibt es hier nicht.")


WRONG = [
    ("host --seats 9", "9 is not a whole number from 2 to 8"),
    ("host --seats 1", "from 2 to 8"),
    ("host --bots -1", "from 0 to 7"),
    ("host --bots 3 --seats 3", "3 bots leave no seat for a player."),
    ("host --port 70000", "from 0 to 65535"),
    (
        "host --limit 0",
        "--limit cannot be 0. Choose from: 50, 100, 150, or any number from 1 to 1000000.",
    ),
    ("host --limit 1000001", "any number from 1 to 1000000."),
    (f"host --limit {'9' * 5000}", "any number from 1 to 1000000."),
    (f"host --seats {'9' * 5000}", "is not a whole number from 2 to 8"),
    ("host --limit many", "--limit cannot be many."),
    ("host --draw-time 31", "--draw-time cannot be 31. Choose from: 30, 45, 60, off."),
    ("host --game chess", "chess"),
    ("host --bind zebra", "zebra is not an address"),
    ("host --deal-seed x", "x is not a whole number"),
    ("host --bot-level godlike", "godlike"),
    ("host --headless --bind zebra", "zebra is not an address"),
    ("join --bind zebra", "zebra is not an address"),
    ("join here there", "there is one word too many."),
    ("join 192.0.2.1:99999", "99999 is not a port: one is from 1 to 65535."),
    ("join 192.0.2.1:0", "0 is not a port"),
    ("bot 192.0.2.1:70000", "70000 is not a port"),
    ("host --resume --limit 50", "--limit cannot be changed at a table that goes on."),
    ("host --headless --resume K7 --bots 2", "--bots cannot be changed at a table that goes on."),
    ("host --resume K7 F2", "F2 is one word too many"),
    ("host --limt 5", "There is no option --limt here. Did you mean --limit?"),
    ("tables --timeout 1", "There is no option --timeout here. See crisp-lan tables --help."),
    ("host --zebra", "There is no option --zebra here. See crisp-lan host --help."),
    ("host --key", "There is no option --key here. See"),
    ("host --name", "--name needs a value."),
    ("--plain zebra", "There is no command zebra. See"),
    ("--lang de zebra", "zebra"),
    ("bots --help", "There is no command bots. Did you mean bot?"),
    ("bot --level godlike", "godlike"),
    ("tables --wait soon", "soon is not a number of seconds from 0 to 3600"),
    ("tables --wait -1", "-1 is not a number of seconds"),
    ("tables --wait nan", "nan is not a number of seconds"),
    ("tables --wait inf", "inf is not a number of seconds"),
    ("arena --seats 1", "from 2 to 8"),
    ("arena --games 0", "0 is not a whole number"),
    ("arena --levels easy,godlike", "There is no level godlike"),
    ("replay --nonsense", "--nonsense"),
    ("--lang xx tables", "xx"),
    ("host --no-announce=yes", "--no-announce"),
    ("rules chess", "chess is none of crisp, briscola, crisps"),
    ("rules crisp briscola", "briscola is one word too many."),
    ("doctor Ayu", "Ayu is not an address."),
    ("doctor 192.0.2.1:0", "0 is not a port"),
    ("doctor --bind zebra", "zebra is not an address"),
]


@pytest.mark.parametrize(("line", "piece"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_usage_is_a_sentence(
    line: str, piece: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("crisp-lan")
    assert piece in captured.err
    assert captured.err.count("\n") == 1


# ---------------------------------------------------------------- what fails


def test_a_place_without_a_table_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as deaf:  # takes a port, so that nobody else does, and does not listen
        deaf.bind(("127.0.0.1", 0))
        assert run(["bot", f"127.0.0.1:{deaf.getsockname()[1]}", *LOOPBACK]) == 1
    assert capsys.readouterr().err.startswith("No table is open at 127.0.0.1")


def test_a_name_that_no_machine_has_is_said_to_be_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bot", "nobody.invalid:27477", *LOOPBACK]) == 1
    assert capsys.readouterr().err.startswith("No machine is called nobody.invalid here.")


def test_somebody_elses_door_is_not_taken_for_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        words = [*COMMAND, "bot", f"127.0.0.1:{other.getsockname()[1]}", *LOOPBACK]
        bot = subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE, text=True)
        try:
            with other.accept()[0] as caller:
                caller.sendall(b"SSH-2.0-OpenSSH_9.2\r\n")
                _, err = bot.communicate(timeout=PATIENCE)
        finally:
            bot.kill()
            bot.wait()
    assert bot.returncode == 1
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_an_address_that_is_not_this_machines_cannot_be_hosted_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["host", "--headless", "--bind", "192.0.2.1"]) == 1
    assert capsys.readouterr().err == "192.0.2.1 is not an address of this machine.\n"


@pytest.mark.parametrize("more", [[], ["--headless"]])
@pytest.mark.parametrize(
    ("words", "file", "told"),
    [
        (["--resume"], None, "No table that could go on is kept in "),
        (["--resume", "K7"], None, "No table and no game K7 is kept in "),
        (["--resume"], b"", "K7.jsonl is empty. To go on with another table, name it:"),
        (["--resume", "K7"], b"a poem\n", "K7.jsonl is not a line of a journal."),
        (["--resume"], b'{"kind":"table","format":2}\n', "was written by version ?"),
    ],
)
def test_where_no_table_can_go_on_it_is_said_why(
    words: list[str],
    file: bytes | None,
    told: str,
    more: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "tables" / "K7.jsonl"
    path.parent.mkdir()
    if file is not None:
        path.write_bytes(file)
    assert run(["host", *words, *more, f"--data={tmp_path}", "--plain", *LOOPBACK]) == 1
    captured = capsys.readouterr()
    assert told in captured.err
    assert captured.err.count("\n") == 1
    assert captured.out == ""
    assert file is None or path.read_bytes() == file


def test_a_port_that_is_taken_is_said_to_be_so(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert run(["host", "--headless", f"--port={port}", "--no-announce", *LOOPBACK]) == 1
    assert capsys.readouterr().err.startswith(f"Port {port} is taken.")


@pytest.mark.parametrize("words", [["host", "--headless"], ["host"], ["arena", "--games=1"]])
def test_a_folder_that_cannot_be_written_is_said_to_be_so(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    flag = "--record" if words[0] == "arena" else "--data"
    assert run([*words, f"{flag}=/dev/null/games"]) == 1
    err = capsys.readouterr().err
    assert "/dev/null/games" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [["host", "--headless", "--no-announce"], ["bot", "127.0.0.1:1"]])
def test_a_log_that_cannot_be_written_is_said_to_be_so(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    logging.root.handlers, kept = [], logging.root.handlers
    try:
        assert run([*words, "--log=/dev/null/log", *LOOPBACK]) == 1
    finally:
        logging.root.handlers = kept
    assert capsys.readouterr().err == "The log /dev/null/log cannot be written: Not a directory.\n"


@pytest.mark.parametrize("command", ["bot", "join"])
def test_a_log_is_for_its_owner_alone(command: str, tmp_path: Path) -> None:
    log = tmp_path / "log"
    logging.root.handlers, kept = [], logging.root.handlers
    try:
        assert run([command, "127.0.0.1:1", f"--log={log}", *LOOPBACK]) == 1
    finally:
        for handler in logging.root.handlers:
            handler.close()
        logging.root.handlers = kept
        logging.captureWarnings(False)
    assert stat.S_IMODE(log.stat().st_mode) == 0o600


# ---------------------------------------------------------------- games that are kept


def test_where_no_game_is_kept_replay_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", "--json"]) == 1
    assert capsys.readouterr().err.startswith("No game is kept in ")
    assert run(["replay", "abc", "--json"]) == 1
    assert capsys.readouterr().err.startswith("No game abc is kept in ")


def test_foreign_and_broken_files_are_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "games" / "tables"
    folder.mkdir(parents=True)
    for name, content in (("a", b""), ("b", b"\xff\xfe{"), ("c", b'{"kind": "table"}\n[1]\n')):
        (folder / f"{name}.jsonl").write_bytes(content)
    assert run(["replay", "--json"]) == 1
    assert capsys.readouterr().err.startswith("No game is kept in ")


def test_the_arena_prints_who_won_and_writes_records(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["arena", "--games=2", "--limit=1", f"--record={tmp_path}", "--levels=easy,anygame"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "easy" in out
    assert "anygame" in out
    assert len(list(tmp_path.glob("game-*.jsonl"))) == 2


@pytest.mark.parametrize(
    ("language", "share"), [("en", "100.0%"), ("de", "100,0\N{NO-BREAK SPACE}%")]
)
def test_the_arena_writes_numbers_as_the_reader_does(
    language: str,
    share: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(words, "_LOCALE", compiled(tmp_path))
    line = ["arena", f"--lang={language}", "--games=2", "--limit=1", "--levels=anygame,anygame"]
    assert run(line) == 0
    head, row, _rate = capsys.readouterr().out.splitlines()
    assert share in row
    assert len(head) == len(row)


# ---------------------------------------------------------------- rules


def test_rules_without_a_game_lists_them_and_how_to_ask(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["rules"]) == 0
    out = capsys.readouterr().out
    for title, command in (("Crisp (2 to 8 players)", "crisp"), ("Crisps! (2 players)", "crisps")):
        assert f"{title}\n" in out
        assert f"  crisp-lan rules {command}\n" in out
    assert max(map(len, out.splitlines())) <= 80


def test_rules_of_a_game_are_printed_whole_where_there_is_no_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    assert run(["rules", "briscola"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(" Briscola\n\n  An Italian game of tricks")
    assert "    declarer alone       +4    −4\n" in out
    assert out.splitlines()[-1].endswith("it has won.")
    assert max(map(len, out.splitlines())) <= 60
    assert "\x1b" not in out


def test_rules_are_in_the_players_language_and_in_letters_where_asked(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["--lang=de", "rules", "crisp"]) == 0
    assert "Wenn der Nachziehstapel leer ist" in capsys.readouterr().out
    assert run(["--ascii", "--lang=id", "rules", "crisp"]) == 0
    out = capsys.readouterr().out
    assert "Kalau tumpukan ambil habis" in out
    assert out.isascii()


# ---------------------------------------------------------------- whole processes


def whole(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs a crisp-lan to its end."""
    return subprocess.run(
        [*COMMAND, *words],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.system
def test_the_version_is_one_line() -> None:
    version = whole("--version")
    assert (version.returncode, version.stdout) == (0, f"crisp-lan {__version__}\n")


@pytest.mark.system
def test_who_stops_reading_ends_it_without_a_word() -> None:
    read, write = os.pipe()
    os.close(read)
    words = [*COMMAND, "arena", "--games=1", "--limit=1"]
    plain = environment() | {"PYTHONUNBUFFERED": ""}
    ended = subprocess.run(words, env=plain, stdout=write, stderr=subprocess.PIPE, timeout=PATIENCE)
    os.close(write)
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("line", ["tables --wait 60", "bot nobody", "join nobody"])
def test_ctrl_c_ends_a_search_without_a_word(
    line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pressed = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))

    def begun(bind: str | None) -> AbstractAsyncContextManager[discovery.Found]:
        pressed.start()
        return discovery.browsing(bind)

    monkeypatch.setattr(search, "browsing", begun)
    try:
        assert run([*line.split(), *LOOPBACK]) == 130
    finally:
        pressed.cancel()
        pressed.join()
    said = "Looking for tables …\n" if line.startswith("join") else ""
    assert capsys.readouterr() == (said, "")


@pytest.mark.system
def test_tables_lists_what_is_open_and_its_json_holds_all_of_it(tmp_path: Path) -> None:
    with headless(tmp_path, f"--table={TABLE}", "--seats=3", *LOOPBACK) as table:
        tables = listed(tmp_path, table.opened["id"], "--json", "--wait=2", *LOOPBACK)
        shown = {one["id"]: one for one in json.loads(tables.out)}
        assert shown[table.opened["id"]] == {
            "id": table.opened["id"],
            "table": TABLE,
            "game": "crisp",
            "players": 0,
            "seats": 3,
            "phase": "lobby",
            "protocol": 1,
            "version": __version__,
            "passcode": False,
            "addresses": ["127.0.0.1"],
            "port": table.opened["port"],
            "fingerprint": table.opened["fingerprint"],
        }
        line = next(
            line
            for line in listed(tmp_path, table.address, "--wait=2", *LOOPBACK).out.splitlines()
            if line.endswith(table.address)
        )
        assert line.split() == [*TABLE.split(), "Crisp", "0/3", "lobby", table.address]


@pytest.mark.system
@pytest.mark.parametrize("how", ["address", "name", "id"])
def test_a_table_is_joined_by_address_by_name_and_by_id(how: str, tmp_path: Path) -> None:
    with headless(tmp_path, f"--table={TABLE}", *LOOPBACK) as table:
        if how != "address":
            announced(tmp_path, table, *LOOPBACK)
        where = {
            "address": [table.address],
            "name": [TABLE],
            "id": [f"--id={table.opened['id']}"],
        }[how]
        with program(tmp_path, "join", *where, "--plain", "--name=Ayu", *LOOPBACK) as ayu:
            ayu.says("1 Ayu: you, host, not ready", f"crisp-lan join {table.address}")
            ayu.type("quit")
            ayu.says("1) End the table for all")
            ayu.type("1")
            assert ayu.ended() == 0
            assert ayu.err == ""
        assert table.ended() == 0


@pytest.mark.system
def test_a_watcher_sees_the_table_and_takes_no_seat(tmp_path: Path) -> None:
    with headless(tmp_path, *LOOPBACK) as table:
        own = ("--plain", *LOOPBACK)
        with (
            program(tmp_path, "join", table.address, "--watch", *own) as watcher,
            program(tmp_path, "join", table.address, "--name=Ayu", *own) as ayu,
        ):
            watcher.says("1 Ayu: host, not ready")
            assert "Ready [r]" not in watcher.out
            watcher.type("quit")
            assert watcher.ended() == 0
            ayu.says("1 Ayu: you, host, not ready")
        assert [line["name"] for line in table.journal("sit")] == ["Ayu"]


@pytest.mark.system
def test_where_all_seats_are_taken_the_way_to_watch_is_told(tmp_path: Path) -> None:
    with headless(tmp_path, "--seats=2", "--bots=1", *LOOPBACK) as table:
        own = ("--plain", f"--data={tmp_path}", *LOOPBACK)
        with program(tmp_path, "join", table.address, "--name=Ayu", *own) as ayu:
            ayu.says("Look at a card [l]")
            late = whole("join", table.address, "--name=Budi", *own)
    command = f"crisp-lan join {table.address} --watch"
    assert late.returncode == 1
    assert late.stderr == f"All 2 seats are taken. You can watch: {command}\n"


@pytest.mark.system
def test_a_host_whose_tables_name_is_taken_is_told_the_one_it_goes_by(tmp_path: Path) -> None:
    name, own = f"Two of {os.getpid()}", ("--plain", "--port=0", f"--data={tmp_path}", *LOOPBACK)
    with headless(tmp_path, f"--table={name}", *LOOPBACK) as first:
        announced(tmp_path, first, *LOOPBACK)
        with program(tmp_path, "host", f"--table={name}", *own) as second:
            second.says(f"Others see this table as “{name} (2)”: another table has its name.")
            second.type("quit")
            second.says("1) End the table for all")
            second.type("1")
            assert second.ended() == 0


@pytest.mark.system
@pytest.mark.parametrize("command", ["join", "bot"])
@pytest.mark.parametrize("name", ["x" * 100, "\udcff\udcfeAyu", "\u1160" * 100 + "A"])
def test_any_name_can_be_joined_with(command: str, name: str, tmp_path: Path) -> None:
    with (
        headless(tmp_path, *LOOPBACK) as table,
        program(tmp_path, command, table.address, f"--name={name}", *LOOPBACK),
    ):
        waited_for(
            lambda: table.journal("sit"),
            lambda: "somebody to sit down",
        )


@pytest.mark.system
def test_a_name_with_control_characters_is_made_harmless_everywhere(tmp_path: Path) -> None:
    with headless(tmp_path, "--table=a\x1b]52;c;aGk=\x07b", *LOOPBACK) as table:
        assert table.opened["table"].isprintable()
        with program(
            tmp_path, "join", table.address, "--plain", "--name=\x1b[2J\u202eAyu\x9b", *LOOPBACK
        ) as ayu:
            ayu.says("not ready")
            assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", ayu.out)
