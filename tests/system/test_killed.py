"""A table whose process is killed goes on from its journal, and everybody comes back."""

from __future__ import annotations

import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.records import check
from tests.system.killing import Kill, killed
from tests.system.pseudo import Pseudo
from tests.system.running import (
    COMMAND,
    LOOPBACK,
    Program,
    headless,
    journal_lines,
    listed,
    output,
    own_loopback,
    program,
    record_in,
    waited_for,
)
from tests.system.test_host_screen import Hosting, hosting

pytestmark = pytest.mark.system


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


@contextmanager
def gone_on(folder: Path, games: Path, *words: str, **more: object) -> Iterator[Program]:
    """The newest table kept there, in a new process."""
    own = ("host", "--headless", "--resume", f"--data={games}", *words)
    with program(folder, *own, **more) as table:  # type: ignore[arg-type]
        table.says('"port"')
        yield table


def journal(games: Path) -> list[dict[str, object]]:
    (path,) = (games / "tables").glob("*.jsonl")
    return journal_lines(path)


async def test_killed_between_any_lines_a_game_goes_on_to_its_end(tmp_path: Path) -> None:
    kills: list[Kill] = []
    games = await killed(tmp_path, [5, 11, 20], kills.append, calls_from=22)
    assert len(kills) == 3
    assert all(kill.joinable < 10 for kill in kills)
    check_record(games)


def check_record(games: Path) -> None:
    printed = output(["replay", "--json", f"--data={games}"])
    record = [json.loads(line) for line in printed.splitlines()]
    check(printed.splitlines())
    assert record[-1]["kind"] == "end"
    resumes = [line for line in record if line["kind"] == "resume"]
    assert {line["by"] for line in resumes} == {"host"}
    assert not re.search(r'"(done|hash|deal_seed|port|token|key)"', printed)


def test_a_killed_table_that_goes_on_deals_what_it_would_have_dealt(tmp_path: Path) -> None:
    words = ("--seats=2", "--bots=1", "--once", "--limit=1", "--deal-seed=7", *LOOPBACK)
    decks = []
    for name, kills in (("whole", False), ("killed", True)):
        folder = tmp_path / name
        folder.mkdir()
        with headless(folder, *words, "--no-announce") as table:
            if kills:
                kill(table.pid)
                table.ended()
            else:
                bot_plays(folder, table.address)
        if kills:
            with gone_on(folder, table.games) as again:
                opened = json.loads(again.out.splitlines()[0])
                bot_plays(folder, f"127.0.0.1:{opened['port']}")
        waited_for(lambda games=table.games: dealt(games), lambda: "a deal")
        decks.append(dealt(table.games))
    assert decks[0] == decks[1]


def bot_plays(folder: Path, address: str) -> None:
    """Somebody sits down, which begins the game."""
    with program(folder, "join", address, "--plain", f"--data={folder}", *LOOPBACK) as ayu:
        ayu.says("First look")


def dealt(games: Path) -> list[object]:
    return [line["deck"] for line in journal(games) if line["kind"] == "deal"]


# ---------------------------------------------------------------- who comes back


def test_screen_plain_player_and_bot_come_back_without_a_key(tmp_path: Path) -> None:
    with own_loopback() as start:
        words = ("--seats=3", "--limit=1", *LOOPBACK)
        with headless(tmp_path, *words, start=start) as table:
            where = (table.address, *LOOPBACK)
            with (
                program(tmp_path, "join", *where, "--plain", "--name=Ayu", start=start) as ayu,
                program(tmp_path, "join", *where, "--plain", "--name=Budi", start=start) as budi,
                program(tmp_path, "bot", *where, "--name=Clio", start=start) as clio,
            ):
                ayu.says("First look")
                opened = table.opened
                kill(table.pid)
                table.ended()
                for player in (ayu, budi):
                    player.says("No word from the table")
                with gone_on(tmp_path, table.games, start=start) as again:
                    assert json.loads(again.out.splitlines()[0]) == opened
                    for player in (ayu, budi):
                        player.says("The table is there again.")
                    waited_for(
                        lambda: (
                            journal(table.games)[-1]["kind"] != "pause"
                            and "resume" in [line["kind"] for line in journal(table.games)]
                        ),
                        lambda: "going on",
                    )
                    tables = listed(tmp_path, opened["id"], "--json", *LOOPBACK, start=start)
                    (listing,) = json.loads(tables.out)
                    assert listing["id"] == opened["id"]
                    ayu.type("r")
                    budi.type("r")
                    waited_for(
                        lambda: (
                            [line.get("do") for line in journal(table.games)].count("ready") == 3
                        ),
                        lambda: "all to be ready",
                    )
                    assert not [line for line in journal(table.games) if line["kind"] == "seat"]
                    assert clio.process.poll() is None


def test_the_hosts_screen_comes_back_when_the_table_goes_on_elsewhere(tmp_path: Path) -> None:
    with hosting(tmp_path, "--bots=1") as host:
        host.terminal.wait_for("Players: 2 of")
        kill(host.table_pid)
        host.terminal.wait_for("Your table has stopped")
        with gone_on(tmp_path, tmp_path):
            back(host)
            host.terminal.wait_for("[g] Start")
            host.terminal.press("g")
            host.terminal.wait_for("First look")


def back(host: Hosting) -> None:
    """Waits until the host's screen has found its table again."""
    host.terminal.wait_for_end_of("Your table has stopped")


def test_a_host_who_lost_screen_and_table_sits_at_the_same_seat_again(tmp_path: Path) -> None:
    with hosting(tmp_path, "--bots=1") as host:
        host.terminal.wait_for("Players: 2 of", "[g] Start")
        host.terminal.press("g")
        host.terminal.wait_for("First look")
        kill(host.table_pid)
        kill(host.terminal.process.pid)
        host.terminal.process.wait()
        words = [*COMMAND[1:], "host", "--resume", f"--data={tmp_path}"]
        with Pseudo(words) as again:
            again.wait_for("First look", "Ayu")
            waited_for(
                lambda: [line["kind"] for line in journal(tmp_path)].count("resume") == 1,
                lambda: "going on",
            )
            again.press("q")
            again.wait_for("End the table for all")
            again.press("1")
            assert again.ended() == 0
    sat = [line for line in journal(tmp_path) if line["kind"] == "sit"]
    assert len(sat) == 2
    assert journal(tmp_path)[-1]["kind"] == "closed"


def test_with_the_old_screen_still_there_the_new_command_has_the_table_go_on_alone(
    tmp_path: Path,
) -> None:
    with hosting(tmp_path) as host:
        kill(host.table_pid)
        host.terminal.wait_for("Your table has stopped")
        with program(tmp_path, "host", "--resume", f"--data={tmp_path}", "--plain") as again:
            assert again.ended() == 0
            assert again.out == (
                "The table goes on, and so does your seat in the window where you play.\n"
            )
        back(host)
        host.terminal.press("q")
        host.terminal.wait_for("End the table for all")
        host.terminal.press("1")
        assert host.terminal.ended() == 0
    assert journal(tmp_path)[-1]["kind"] == "closed"


def test_a_table_that_is_open_and_one_that_has_ended_are_refused(tmp_path: Path) -> None:
    with headless(tmp_path, *LOOPBACK) as table:
        for more in ((), ("--headless",)):
            words = ("host", "--resume", f"--data={table.games}", "--plain", *more)
            with program(tmp_path, *words) as refused:
                assert refused.ended() == 1
                told = f"That table is open already: crisp-lan join --id {table.opened['id']} "
                assert refused.err.startswith(told)
        table.process.terminate()
        table.ended()
    with program(tmp_path, "host", "--resume", f"--data={table.games}", "--plain") as refused:
        assert refused.ended() == 1
        assert refused.err.startswith("No table that could go on is kept in ")


def test_a_table_ended_by_a_signal_in_a_match_can_go_on(tmp_path: Path) -> None:
    with (
        headless(tmp_path, "--seats=2", "--bots=1", *LOOPBACK) as table,
        program(tmp_path, "join", table.address, "--plain", *LOOPBACK) as ayu,
    ):
        ayu.says("First look")
        table.process.terminate()
        table.ended()
        with gone_on(tmp_path, table.games):
            ayu.says("The table is there again.")
            waited_for(
                lambda: "resume" in [line["kind"] for line in journal(table.games)],
                lambda: "going on",
            )
    record = record_in(table.games, "--spoil")
    assert record[-1]["kind"] in ("resume", "act")


def test_a_torn_line_is_said_in_the_log(tmp_path: Path) -> None:
    with headless(tmp_path, *LOOPBACK) as table:
        kill(table.pid)
        table.ended()
    (path,) = (table.games / "tables").glob("*.jsonl")
    with path.open("ab") as file:
        file.write(b'{"kind":"sit","chair":0,"na')
    with gone_on(tmp_path, table.games) as again:
        waited_for(lambda: "torn" in again.err, lambda: "a word about it")
        assert b'"na' not in path.read_bytes()
