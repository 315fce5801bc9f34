"""The host’s own screen: the terminal is sane however it ends, and the table lives beside it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import trio

from crisp_lan.net.calling import Network, Target
from crisp_lan.net.client import at_table
from crisp_lan.net.hosting import CLOSED
from crisp_lan.net.messages import Join, Show
from tests.system.honest import Honest, until
from tests.system.pseudo import Pseudo
from tests.system.running import LOOPBACK, program, record_in, waited_for

pytestmark = pytest.mark.system

KEPT = "brings you back to your seat."
SECOND_SEAT_BEGINS = "--deal-seed=9"


class Hosting:
    """A host at a terminal, and the process of the table."""

    def __init__(self, terminal: Pseudo, folder: Path) -> None:
        self.terminal = terminal
        self._folder = folder
        found = re.search(r"crisp-lan join ([0-9.]+):([0-9]+)", terminal.text)
        assert found
        self.address, self.port = found[1], int(found[2])
        (self.table_pid,) = self._processes("--headless")

    def _processes(self, word: str) -> list[int]:
        """The ids of our processes with this word among their arguments."""
        found = []
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                words = path.read_bytes().split(b"\0")  # others' words need not be UTF-8
                if {word.encode(), f"--data={self._folder}".encode()}.issubset(words):
                    found.append(int(path.parent.name))
        return found

    @property
    def stands(self) -> bool:
        """Whether the table's process is still there."""
        return bool(self._processes("--headless"))

    @property
    def target(self) -> Target:
        return Target((self.address,), self.port)

    def end(self) -> None:
        for pid in self._processes("--headless"):
            os.kill(pid, signal.SIGKILL)


@contextmanager
def hosting(folder: Path, *words: str) -> Iterator[Hosting]:
    """A table that was opened at a terminal."""
    own = ("--name=Ayu", "--port=0", "--no-announce", f"--data={folder}", *LOOPBACK)
    with Pseudo(["-m", "crisp_lan", "host", *own, *words]) as terminal:
        terminal.wait_for("Players: 1 of", "[q] quit")
        host = Hosting(terminal, folder)
        try:
            yield host
        finally:
            host.end()


@contextmanager
def joined(host: Hosting, folder: Path, name: str) -> Iterator[Pseudo]:
    """Somebody at another terminal, who has typed the address."""
    where = f"{host.address}:{host.port}"
    own = (f"--name={name}", f"--data={folder / name}", *LOOPBACK)
    with Pseudo(["-m", "crisp_lan", "join", where, *own]) as terminal:
        terminal.wait_for("Players:", "[q] quit")
        yield terminal


def test_what_lies_where_the_host_stands_is_never_run(tmp_path: Path) -> None:
    for name in ("crisp_lan", "json"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('run by mistake')\n")

    def start(words: list[str], **given: Any) -> subprocess.Popen[bytes]:
        return subprocess.Popen([words[0], "-P", *words[1:]], cwd=tmp_path, **given)

    own = ("--name=Ayu", "--port=0", "--no-announce", f"--data={tmp_path / 'own'}", *LOOPBACK)
    with program(tmp_path, "host", "--plain", "--bots=1", *own, start=start) as host:
        host.says("Ada sits down.")
        host.type("quit")
        host.says("1) End the table for all")
        host.type("1")
        assert host.ended() == 0


# ---------------------------------------------------------------- the screen's end


def test_the_host_may_end_the_table_for_all(tmp_path: Path) -> None:
    with hosting(tmp_path) as host, joined(host, tmp_path, "Budi") as budi:
        for key in ("q", "1"):
            host.terminal.press(key)
            time.sleep(0.1)
        assert host.terminal.ended() == 0
        assert host.terminal.afterwards == "The table is closed."
        assert host.terminal.is_sane()
        waited_for(lambda: not host.stands, lambda: "the table's end")
        budi.wait_for("The host has ended the table.")
        budi.press("q")
        assert budi.ended() == 0
        assert budi.afterwards == "The host has ended the table."
        assert budi.is_sane()


def test_the_host_may_leave_the_table_running_and_join_it_again(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        for key in ("q", "2"):
            host.terminal.press(key)
            time.sleep(0.1)
        assert host.terminal.ended() == 0
        assert f"crisp-lan join {host.address}:{host.port} " in host.terminal.afterwards
        assert host.terminal.afterwards.endswith(KEPT)
        assert host.terminal.is_sane()
        assert host.stands
        with joined(host, tmp_path, "Ayu") as again:
            again.wait_for("Ayu", "away", "you")
            again.press("\x03")
            assert again.ended() == 0


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("\x03", "Stopped."),
        (signal.SIGINT, "Stopped."),
        (signal.SIGTERM, "Stopped from outside."),
        (signal.SIGHUP, "The terminal is gone."),
    ],
)
def test_the_table_outlives_its_hosts_screen(
    how: str | signal.Signals, why: str, tmp_path: Path
) -> None:
    with hosting(tmp_path) as host:
        if isinstance(how, str):
            host.terminal.press(how)
        else:
            host.terminal.process.send_signal(how)
        assert host.terminal.ended() == 0
        assert host.terminal.afterwards.startswith(
            f"{why} While the table is open, crisp-lan join "
        )
        assert host.terminal.afterwards.endswith(KEPT)
        assert host.terminal.is_sane()
        assert host.stands
        with joined(host, tmp_path, "Budi") as budi:
            budi.wait_for("Ayu", "away", "Budi")


def test_the_table_outlives_its_hosts_closed_window(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        host.terminal.close()
        assert host.terminal.ended() == 0
        assert host.stands


async def test_others_play_on_when_the_hosts_screen_is_killed(tmp_path: Path) -> None:
    with hosting(tmp_path, "--seats=2", SECOND_SEAT_BEGINS) as host:
        async with (
            at_table(host.target, Join("Budi"), Network("127.0.0.1")) as client,
            trio.open_nursery() as nursery,
        ):
            budi = Honest(client, lambda: False, 0)
            host.terminal.process.kill()
            nursery.start_soon(budi.play)
            await until(lambda: budi.shows and is_away(budi.shows[-1], 0))
            await until(lambda: "discard" in done_by(record_in(tmp_path, "--spoil"), 1))
            nursery.cancel_scope.cancel()
        assert host.stands


def is_away(show: Show, seat: int) -> bool:
    return show.table.players[seat].by == "nobody"


def done_by(record: list, seat: int) -> list[str]:
    """What a seat has done, in order."""
    return [line["do"] for line in record if line["kind"] == "act" and line["seat"] == seat]


# ---------------------------------------------------------------- the table's end


def test_a_table_that_is_closed_from_outside_is_said_on_every_screen(tmp_path: Path) -> None:
    with hosting(tmp_path) as host, joined(host, tmp_path, "Budi") as budi:
        os.kill(host.table_pid, signal.SIGTERM)
        for terminal in (host.terminal, budi):
            terminal.wait_for(CLOSED.key)
            terminal.press("q")
            assert terminal.ended() == 0
            assert terminal.afterwards == CLOSED.key
            assert terminal.is_sane()


def test_a_killed_table_is_missed_and_looked_for_until_the_player_goes(tmp_path: Path) -> None:
    with hosting(tmp_path) as host, joined(host, tmp_path, "Budi") as budi:
        os.kill(host.table_pid, signal.SIGKILL)
        for terminal in (host.terminal, budi):
            terminal.wait_for("Looking for it …")
            if terminal is host.terminal:
                terminal.wait_for("Your table has stopped:")
            else:
                assert "Your table has stopped:" not in terminal.text
            terminal.press("q")
            assert terminal.ended() == 0
            assert terminal.is_sane()
