"""Whole processes on different machines: found across a bridge, cut off, and back again."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.system.avahi import avahi, resolved
from tests.system.netns import Net, bridge
from tests.system.running import (
    HeadlessTable,
    Program,
    headless,
    list_with,
    listed,
    program,
    record_in,
    waited_for,
)

pytestmark = pytest.mark.system
OUTAGE = 15.0
AWAY_WITHIN = 10.0


@contextmanager
def player(net: Net, machine: str, folder: Path) -> Iterator[Program]:
    """Somebody who joins line by line, by the number of the table in the list."""
    start = partial(net.popen, machine)
    with program(folder, "join", "--plain", f"--name={machine}", start=start) as joined:
        list_with(joined, "1  Root's table")
        joined.type("1")
        joined.says("Ready")
        yield joined


def test_a_host_across_the_bridge_is_seen_by_debians_avahi_and_listed(tmp_path: Path) -> None:
    with (
        bridge("host", "guest") as net,
        avahi(net, "guest", tmp_path) as browse,
        headless(tmp_path, "--table=Table 2.0", start=partial(net.popen, "host")) as table,
    ):
        line = resolved(browse, '"players=0"')
        wanted = {"id": table.opened["id"], "table": "Table 2.0", "game": "crisp", "seats": 8}
        wanted |= {"phase": "lobby", "protocol": 1, "version": "0.1.0", "passcode": "no"}
        for name, value in wanted.items():
            assert f'"{name}={value}"' in line
        assert line.split(";")[6:9] == [
            f"crisp-{table.opened['id']}.local",
            "10.77.0.1",
            str(table.opened["port"]),
        ]
        start = partial(net.popen, "guest")
        with program(tmp_path, "bot", start=start):
            resolved(browse, '"players=1"')
            tables = listed(tmp_path, table.opened["id"], "--json", start=start)
        (listing,) = json.loads(tables.out)
        assert listing["id"] == table.opened["id"]
        assert listing["players"] == 1
        assert set(listing["addresses"]) == {"10.77.0.1", "fd77::1"}


@pytest.mark.timed
def test_cut_off_in_its_own_turn_a_player_comes_back_to_seat_and_clock(tmp_path: Path) -> None:
    with (
        bridge("host", "ayu", "budi") as net,
        headless(
            tmp_path, "--seats=2", "--deal-seed=11", start=partial(net.popen, "host")
        ) as table,
        player(net, "ayu", tmp_path) as ayu,
        player(net, "budi", tmp_path) as budi,
    ):
        people = {"ayu": ayu, "budi": budi}
        turn, other = begun(people)
        cut, watching = people[turn], people[other]
        seat = number_of(turn, cut)
        before, since = seconds_left(cut), time.monotonic()
        net.cut(turn)
        waited_for(
            lambda: re.search(rf"{turn}: .*away", told(watching, "status", "draw pile")),
            lambda: f"the absence in vain; it said:\n{watching.out}",
            AWAY_WITHIN,
        )
        cut.says("No word from the table for", seconds=AWAY_WITHIN)
        time.sleep(max(0.0, since + OUTAGE - time.monotonic()))
        net.restore(turn)
        cut.says("The table is there again.")
        gone = time.monotonic() - since
        assert seconds_left(cut) == pytest.approx(before - gone, abs=1.6)
        assert number_of(turn, cut) == seat
        cut.type("d")
        cut.says("Discard")
        watching.says("draws.")
        assert_kept(table, seat - 1, gone)


def begun(people: dict[str, Program]) -> tuple[str, str]:
    """Begins the game; whose turn it is, and who is the other."""
    for person in people.values():
        person.says("First look")
        person.type("r")
    waited_for(
        lambda: any("Your turn." in person.out for person in people.values()),
        lambda: "a first turn in vain",
    )
    names = sorted(people, key=lambda name: "Your turn." not in people[name].out)
    return names[0], names[1]


def told(person: Program, word: str, piece: str) -> str:
    """What somebody is told who asks for it."""
    before = len(person.out)
    person.type(word)
    return person.says(piece, after=before)


def seconds_left(person: Program) -> float:
    """What is left on the own draw clock."""
    found = re.search(r"draw \(you\) (\d+) s", told(person, "status", "draw (you)"))
    assert found
    return float(found[1])


def number_of(name: str, person: Program) -> int:
    """The number of somebody's seat, from 1, as they see it."""
    found = re.search(rf"^(\d) {name}:", told(person, "status", "draw (you)"), re.MULTILINE)
    assert found
    return int(found[1])


def assert_kept(table: HeadlessTable, seat: int, gone: float) -> None:
    """The record tells of the outage, and of a draw after it on the clock that had run on."""
    lines = record_in(table.games, "--spoil")
    (away,) = [line for line in lines if line.get("by") == "nobody"]
    (back,) = [line for line in lines if line["kind"] == "seat" and line["by"] == "person"]
    (draw,) = [line for line in lines if line.get("do") == "draw"]
    assert away["seat"] == back["seat"] == draw["seat"] == seat
    assert draw["t"] >= back["t"] >= away["t"]
    assert back["t"] - gone < away["t"] < AWAY_WITHIN + 2
    assert not [line for line in lines if line["kind"] == "timeout"]
