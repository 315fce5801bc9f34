"""Bots at a table over real bytes: whole matches on the virtual clock, and the child process."""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from crisp_lan.bots.crisp import CrispBot
from crisp_lan.game.rules import Text
from crisp_lan.net import robots
from crisp_lan.net.calling import Call, Target
from crisp_lan.net.messages import Bye
from crisp_lan.net.robots import OwnBots, Wanted, play_all, play_bot
from tests.net.hall import KEY, Hall, Nowhere, later, open_hall, settled
from tests.net.loopback import PATIENCE

CLOSED = Text("closed")
HERE = Target(("192.0.2.1",), 27477, "K7Q2")


async def play(hall: Hall, name: str, level: str) -> None:
    await play_bot(HERE, name, level, ways=hall)


async def test_bots_that_came_by_themselves_play_a_match_and_go(autojump_clock: MockClock) -> None:
    async with open_hall(3, by_itself=True, limit=1, once=True) as hall:
        with trio.fail_after(3600):
            async with trio.open_nursery() as nursery:
                for name, level in (("A", "easy"), ("B", "normal"), ("C", "hard")):
                    nursery.start_soon(play, hall, name, level)
        await later(4)
        assert hall.ended is not None
        kinds = [line["kind"] for line in hall.journal.all]
        assert kinds.count("end") == 1
        assert "timeout" not in kinds


@pytest.mark.parametrize("part", ["see", "choose"])
async def test_a_bot_that_can_make_no_sense_of_a_table_plays_what_is_offered(
    part: str,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def puzzled(*told: object) -> None:
        raise KeyError("TD")

    monkeypatch.setattr(CrispBot, part, puzzled)
    async with open_hall(2, by_itself=True, limit=1, once=True) as hall:
        with trio.fail_after(3600):
            async with trio.open_nursery() as nursery:
                for name in ("A", "B"):
                    nursery.start_soon(play, hall, name, "hard")
        kinds = [line["kind"] for line in hall.journal.all]
        assert kinds.count("end") == 1
    assert "a bot does not understand the table: KeyError" in caplog.text
    assert "TD" not in caplog.text


async def test_the_tables_own_bots_stay_for_the_next_match(autojump_clock: MockClock) -> None:
    async with open_hall(2, limit=1) as hall:
        host = await hall.seat("Ayu", key=KEY)
        hall.referee.send_for_bot("hard")
        wanted = Wanted(HERE.addresses, HERE.port, HERE.table, "", "Ada", *hall.bots_wanted[0])
        sent, lines = trio.open_memory_channel[str](1)
        hall.nursery.start_soon(play_all, lines.receive, hall)
        await sent.send(json.dumps(asdict(wanted)))
        await settled()
        for _ in range(2):
            assert await host.does("start") is None
            await host.does("ready")
            with trio.fail_after(3600):
                while host.show.table.phase != "lobby":
                    await later(1)
        assert hall.referee.table.match == 2
        assert [player.by for player in host.show.table.players] == ["person", "bot"]
        await sent.send("")
        await later(1)
        assert len(hall.referee.members) == 1


async def test_a_bot_that_cannot_join_does_not_take_the_others_along(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = Wanted((), 1, "", "", "Ada", "easy", "a secret key")
    lines = iter([json.dumps(asdict(wanted)), ""])

    async def next_line() -> str:
        await later(1)
        return next(lines)

    await play_all(next_line, Nowhere())
    assert "could not join" in caplog.text
    assert "secret" not in caplog.text


async def test_a_bot_gives_up_a_table_that_is_gone_for_long(autojump_clock: MockClock) -> None:
    async with open_hall(2) as hall:
        whys: list[str] = []

        async def play_there() -> None:
            whys.append((await play_bot(HERE, "A", "easy", ways=Once(hall))).key)

        hall.nursery.start_soon(play_there)
        await later(1)
        [member] = hall.referee.members
        hall.referee.dismiss_all(Bye(CLOSED, again=True))
        await later(robots.PATIENCE + 2)
        assert whys == [CLOSED.key]
        assert member not in hall.referee.members


class Once(Nowhere):
    """A network on which the table is there for the first call alone."""

    def __init__(self, hall: Hall) -> None:
        self.hall: Hall | None = hall

    async def call(self, target: Target) -> Call:
        if self.hall is None:
            return await super().call(target)
        hall, self.hall = self.hall, None
        return await hall.call(target)


COPIER = """
import os, sys
with open(sys.argv[1], "a") as out:
    print(os.getpid(), file=out, flush=True)
    for line in sys.stdin:
        print(line.strip(), file=out, flush=True)
"""


async def line_of(path: Path, number: int) -> str:
    """The line of a file, once it is there."""

    def wait_for_it() -> str:
        for _ in range(round(PATIENCE / 0.02)):
            lines = path.read_text().splitlines() if path.exists() else []
            if len(lines) > number:
                return lines[number]
            time.sleep(0.02)
        raise AssertionError(f"no line {number}")

    return await trio.to_thread.run_sync(wait_for_it)


async def test_the_bots_process_gets_its_orders_is_replaced_and_ends_with_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = tmp_path / "told"
    monkeypatch.setattr(robots, "COMMAND", (sys.executable, "-c", COPIER, str(told)))
    monkeypatch.setattr(robots, "RESTART", 0.01)
    died = trio.Event()
    own = OwnBots(HERE, died.set)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(own.run)
        own.bring("easy", "k1")
        own.bring("hard", "k2")
        first = Wanted(**json.loads(await line_of(told, 1)))
        second = Wanted(**json.loads(await line_of(told, 2)))
        assert (first.level, first.key, second.key) == ("easy", "k1", "k2")
        assert first.name != second.name
        os.kill(int(await line_of(told, 0)), signal.SIGKILL)
        with trio.fail_after(PATIENCE):
            await died.wait()
        own.bring("easy", "k3")
        pid = int(await line_of(told, 3))
        assert json.loads(await line_of(told, 4))["key"] == "k3"
        nursery.cancel_scope.cancel()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_an_order_is_kept_while_the_system_can_start_no_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    left = [OSError(errno.EMFILE, "Too many open files")] * 2
    start = trio.lowlevel.open_process

    async def start_at_last(*args: Any, **options: Any) -> trio.Process:
        if left:
            raise left.pop()
        return await start(*args, **options)

    told = tmp_path / "told"
    monkeypatch.setattr(robots, "COMMAND", (sys.executable, "-c", COPIER, str(told)))
    monkeypatch.setattr(robots, "RESTART", 0.01)
    monkeypatch.setattr(trio.lowlevel, "open_process", start_at_last)
    own = OwnBots(HERE, lambda: None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(own.run)
        own.bring("easy", "k1")
        assert json.loads(await line_of(told, 1))["key"] == "k1"
        nursery.cancel_scope.cancel()
    assert caplog.text.count("Too many open files") == 2
