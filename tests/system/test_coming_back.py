"""Back to the same seat after quitting, Ctrl-C, kill -9: with the host's rights, at any address."""

from __future__ import annotations

import json
import os
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.pseudo import Pseudo
from tests.system.running import (
    COMMAND,
    LOOPBACK,
    HeadlessTable,
    Program,
    announced,
    headless,
    list_with,
    program,
)
from tests.system.test_host_screen import hosting

pytestmark = pytest.mark.system
TABLE = f"Zebra {os.getpid()}"
HOW = [(how, "address") for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
HOW += [(signal.SIGKILL, by) for by in ("address", "name", "id")]


@contextmanager
def player(folder: Path, *where: str, name: str = "Ayu") -> Iterator[Program]:
    """Somebody who plays line by line on the one machine that all the tests’ players share."""
    own = ("--plain", f"--name={name}", f"--data={folder / 'own'}", *LOOPBACK)
    with program(folder, "join", *where, *own) as running:
        yield running


@contextmanager
def open_table(folder: Path) -> Iterator[HeadlessTable]:
    with headless(folder, f"--table={TABLE}", *LOOPBACK) as table:
        yield table


def seats_taken(table: HeadlessTable) -> list[str]:
    return [line["name"] for line in table.journal("sit")]


def kept(folder: Path) -> list[dict[str, object]]:
    return [json.loads(path.read_text()) for path in (folder / "own" / "seats").glob("*.json")]


def quit_with(running: Program, answer: str) -> None:
    running.type("quit")
    running.says("Quit?", "2) ")
    running.type(answer)
    assert running.ended() == 0


def test_who_quits_comes_back_to_the_same_seat_as_the_host(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        with player(tmp_path, table.address) as ayu:
            ayu.says("1 Ayu: you, host, not ready")
            quit_with(ayu, "2")
            way = re.search(
                r"crisp-lan (join \S+ --data \S+) brings you back to your seat", ayu.out
            )
            assert way
            assert table.address in way[1]
        with program(tmp_path, *way[1].split(), "--plain", *LOOPBACK) as again:
            again.says("1 Ayu: you, host, not ready")
        assert seats_taken(table) == ["Ayu"]


@pytest.mark.parametrize(("how", "by"), HOW)
def test_however_a_client_ended_its_seat_waits(
    how: signal.Signals, by: str, tmp_path: Path
) -> None:
    with open_table(tmp_path) as table:
        where = {"address": table.address, "name": TABLE, "id": f"--id={table.opened['id']}"}[by]
        with player(tmp_path, table.address) as ayu:
            ayu.says("1 Ayu: you, host, not ready")
            ayu.process.send_signal(how)
            ayu.ended()
        if by != "address":
            announced(tmp_path, table, *LOOPBACK)
        with player(tmp_path, where) as again:
            again.says("1 Ayu: you, host, not ready")
        assert seats_taken(table) == ["Ayu"]


def test_two_clients_on_one_machine_have_two_seats(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        with player(tmp_path, table.address) as one:
            one.says("1 Ayu: you, host, not ready")
            with player(tmp_path, table.address) as other:
                other.says("2 Ayu (2): you, not ready")
        with player(tmp_path, table.address, name="Budi") as budi:
            budi.says("3 Budi: you, not ready")
        assert seats_taken(table) == ["Ayu", "Ayu (2)", "Budi"]


def test_a_seat_that_was_given_up_and_one_at_a_closed_table_are_not_kept(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        with player(tmp_path, table.address) as ayu:
            ayu.says("1 Ayu: you, host, not ready")
            with player(tmp_path, table.address, name="Budi") as budi:
                budi.says("2 Budi: you, not ready")
                assert len(kept(tmp_path)) == 2
                quit_with(budi, "2")
                assert "brings you back" not in budi.out
            assert [seat["player"] for seat in kept(tmp_path)] == ["Ayu"]
            quit_with(ayu, "1")
            assert "brings you back" not in ayu.out
        assert kept(tmp_path) == []
        assert table.ended() == 0


def test_watchers_and_bots_keep_nothing(tmp_path: Path) -> None:
    with open_table(tmp_path) as table:
        own = (f"--data={tmp_path / 'own'}", *LOOPBACK)
        with (
            program(tmp_path, "join", table.address, "--watch", "--plain", *own) as watcher,
            program(tmp_path, "bot", table.address, *own),
        ):
            watcher.says("bot, normal")
        assert not (tmp_path / "own" / "seats").exists()


def test_the_token_is_nowhere_but_in_its_file(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with open_table(tmp_path) as table:
        with player(tmp_path, table.address, f"--log={log}") as ayu:
            ayu.says("1 Ayu: you, host, not ready")
            (seat,) = kept(tmp_path)
            token = str(seat["token"])
            proc = Path("/proc") / str(ayu.pid)
            told = [(proc / "cmdline").read_text(), (proc / "environ").read_text()]
            ayu.process.kill()
            ayu.ended()
        with player(tmp_path, table.address, f"--log={log}") as again:
            again.says("1 Ayu: you, host, not ready")
        told += [ayu.out, ayu.err, again.out, again.err, table.out, table.err, log.read_text()]
        told += [path.read_text() for path in (table.games / "tables").iterdir()]
        assert token not in "".join(told)


def test_the_list_puts_the_table_with_ones_own_seat_first(tmp_path: Path) -> None:
    own = [f"--data={tmp_path / 'own'}", *LOOPBACK]
    with headless(tmp_path, f"--table=A {TABLE}", *LOOPBACK), open_table(tmp_path) as table:
        with player(tmp_path, table.address) as ayu:
            ayu.says("1 Ayu: you, host, not ready")
            ayu.process.kill()
            ayu.ended()
        with program(tmp_path, "join", "--plain", *own) as again:
            own_seat = f"\n1  {TABLE}: your seat, Crisp, 1 of 8, lobby, {table.address}\n"
            list_with(again, own_seat, f"  A {TABLE}: ")
            again.type("nonsense")
            again.says("nonsense is neither an address nor a table in the list.")
            again.type("192.0.2.1:99999")
            again.says("99999 is not a port: one is from 1 to 65535.")
        with Pseudo([*COMMAND[1:], "join", *own]) as screen:
            screen.wait_for("your seat   Crisp   1 of 8", "(type one, such as")
            for keys, told in (
                ("no such table\r", "no such table is neither an address nor a table in the list."),
                ("\x1b", "(type one, such as"),
                ("192.0.2.1:0\r", "0 is not a port: one is from 1 to 65535."),
                ("\x1b", "(type one, such as"),
            ):
                screen.press(keys)
                screen.wait_for(told)
                time.sleep(0.1)
            screen.press("\r")
            screen.wait_for("Players: 1 of 8", "Ayu", "you")
        assert seats_taken(table) == ["Ayu"]


def test_a_killed_host_screen_comes_back_as_the_host(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        host.terminal.process.kill()
        host.terminal.process.wait()
        where = f"{host.address}:{host.port}"
        words = [*COMMAND[1:], "join", where, f"--data={tmp_path}", "--name=Ayu", *LOOPBACK]
        with Pseudo(words) as again:
            again.wait_for("Players: 1 of", "you · host")
            again.press("q")
            again.wait_for("End the table for all")
            again.press("1")
            assert again.ended() == 0
            assert again.afterwards == "The table is closed."
