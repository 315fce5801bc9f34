"""A journal cut anywhere gives the table of the last act in it, and whole files alone are used."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from crisp_lan import keeping
from crisp_lan.check import Wrong, folded, retold, steps
from crisp_lan.game import match as matches
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line
from crisp_lan.game.state import Table, TableStep
from crisp_lan.journal import BESIDE, Journal, Running, Unreadable, read
from crisp_lan.keeping import Kept, NotKept, kept, unfinished
from crisp_lan.net.gathering import PATIENCE, Gathering
from crisp_lan.net.referee import House, Referee
from tests.net.hall import Lines
from tests.random_tables import RandomTable, settings

KINDS = [("crisp", 3, 44), ("briscola", 2, 44), ("briscola", 4, 44), ("briscola", 5, 33)]
KINDS += [("crisps", 2, 44)]
"""Games with time-outs, pauses, and people who come and go, that are not long."""


def played(key: str, seats: int, seed: int = 44) -> RandomTable:
    """A whole game, and the table after each of its steps."""
    game, lots = GAMES[key], random.Random(seed)
    return RandomTable(game, seats, settings(game, lots), lots).play()


def seen(table: Table) -> list[object]:
    """What every seat, and who watches, sees and may do."""
    seats = (None, *range(len(table.chairs)))
    return [(views.table_view(table, s), views.round_view(table, s)) for s in seats]


def packed(lines: Sequence[Line]) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def taken_up(was: Kept) -> tuple[Referee, Lines]:
    """A referee who goes on with a table, and what is written down by that."""
    journal = Lines()
    referee = Referee(
        was.table, journal, lambda table: random.Random(1), House(), lambda level, key: None
    )
    referee.restore(was)
    return referee, journal


# ---------------------------------------------------------------- what no host has written


BENT: dict[str, tuple[str, Line]] = {
    "a port above all": ("table", {"port": 70_000}),
    "a port far above all": ("table", {"port": 2**70}),
    "a port below none": ("table", {"port": -1}),
    "a table's name without end": ("table", {"table": "x" * 70_000}),
    "a table's name that steers a terminal": ("table", {"table": "\x1b[2J"}),
    "a table's name that is no text": ("table", {"table": "\ud800"}),
    "a passcode without end": ("table", {"passcode": "9" * 70_000}),
    "a name without end": ("sit", {"name": "x" * 70_000}),
    "a name that steers a terminal": ("sit", {"name": "\x1b[2J"}),
    "a name that is no text": ("sit", {"name": "\ud800"}),
    "a name that is a number": ("sit", {"name": 5}),
    "a time after all": ("key", {"hash": "00", "t": 1e300}),
    "a time before all": ("key", {"hash": "00", "t": -1.0}),
}


@pytest.mark.parametrize(("kind", "fields"), BENT.values(), ids=BENT)
def test_a_table_that_nobody_could_be_shown_is_not_gone_on_with(kind: str, fields: Line) -> None:
    opening, *lines = [*played("crisp", 3).lines[:6], {"kind": "key", "hash": "00"}]
    whole = [{"table": "Crisps", "port": 1, "passcode": "", **opening}, *lines]
    assert kept(whole).opening["port"] == 1
    at = next(at for at, line in enumerate(whole) if line["kind"] == kind)
    with pytest.raises(Wrong):
        kept([*whole[:at], {**whole[at], **fields}, *whole[at + 1 :]])


# ---------------------------------------------------------------- every cut


def what_was_due(table: Table, now: int) -> Table:
    """The table when the deadlines of the same moment as its last line have fired too."""
    while (at := matches.wake_at(table)) is not None and at <= now:
        table = matches.wake(table).table
    return table


def gone_on(was: Kept, lines: Sequence[Line]) -> Table:
    """The table that follows from these lines, after what was kept."""
    table, due = was.table, [*was.due]
    for line in lines:
        if line["kind"] not in BESIDE:
            for step in steps(table, line, due):
                table = step.table
    return table


@pytest.fixture
def one_fold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each journal is played again from where the one before it, which it continues, ended."""
    told: list[Line] = []
    due: list[Line] = []
    fold = retold(told, due)

    def longer(lines: list[Line], still: list[Line]) -> Iterator[TableStep]:
        known = len(told)
        assert lines[:known] == told
        told.extend(lines[known:])
        yield from islice(fold, len(told) - known)
        still[:] = due

    monkeypatch.setattr(keeping, "retold", longer)


@pytest.mark.parametrize(("key", "seats", "seed"), KINDS)
@pytest.mark.usefixtures("one_fold")
async def test_cut_after_any_line_the_table_is_that_of_the_last_act(
    key: str, seats: int, seed: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    sat = played(key, seats, seed)
    path, cut = tmp_path / "cut.jsonl", 1
    path.write_bytes(packed(sat.lines[:1]))
    for table, written in sat.steps:
        for _line in written:
            with path.open("ab") as file:
                file.write(packed(sat.lines[cut : cut + 1]))
            cut += 1
            was = kept(read(path))
            assert was.table == table
            referee, journal = taken_up(was)
            there, again = what_was_due(table, was.now), referee.table
            if not matches.wants_deck(there) or there is table:
                assert seen(replace(again, paused=there.paused)) == seen(there)
            if again.paused == "again":
                goes_on = matches.resume(again, was.now, "host").table
                assert goes_on == matches.resume(there, was.now, "host").table
            assert gone_on(was, [*was.due, *journal.all]) == again
    assert cut == len(sat.lines)


@pytest.mark.parametrize(("key", "seats", "seed"), KINDS)
async def test_cut_in_the_middle_of_a_line_that_line_alone_is_lost(
    key: str, seats: int, seed: int, tmp_path: Path, autojump_clock: MockClock
) -> None:
    lines = played(key, seats, seed).lines
    lots = random.Random(1)
    path = tmp_path / "cut.jsonl"
    after = list(folded(lines))
    for cut in range(2, len(lines), 9):
        whole, torn = packed(lines[:cut]), packed(lines[cut : cut + 1])
        path.write_bytes(whole + torn[: lots.randrange(1, len(torn))])
        was = kept(read(path))
        assert was.table == after[cut - 1]
        referee, again = taken_up(was)
        assert kept([*lines[:cut], *was.due, *again.all]).table == referee.table
        journal = Journal.again(path)
        assert journal.mend()
        assert not journal.mend()
        journal.close()
        assert path.read_bytes() == whole


def test_what_a_step_led_to_and_was_not_written_any_more_is_still_due() -> None:
    lines = played("crisp", 3).lines
    scored = next(n for n, line in enumerate(lines) if line["kind"] == "score")
    assert kept(lines[:scored]).due == (lines[scored],)


# ---------------------------------------------------------------- beside the table


OPENING: Line = {
    "kind": "table",
    "format": 1,
    "id": "K7",
    "table": "Ayu's table",
    "game": "crisp",
    "options": {},
    "size": 2,
    "starts_by_itself": False,
    "repeatable": False,
    "port": 27477,
    "bind": None,
    "announce": True,
}
AYU: Line = {"chair": 0, "name": "Ayu", "by": "person", "hosted": False, "host": True}
SAT = [OPENING, {"kind": "sit", **AYU}, {"kind": "token", "chair": 0, "hash": "aa"}]


def test_tokens_serials_keys_and_where_it_was_are_kept() -> None:
    was = kept(
        [
            *SAT,
            {"kind": "key", "hash": "bb"},
            {"kind": "ready", "chair": 0, "done": [0, 1]},
            {"kind": "done", "done": [0, 2]},
            {"kind": "again", "port": 4000, "bind": "127.0.0.1", "announce": False},
        ]
    )
    assert (was.tokens, was.done, was.keys, was.times) == ({0: b"\xaa"}, {0: 2}, (b"\xbb",), 1)
    assert was.opening["port"] == 4000
    assert was.opening["bind"] == "127.0.0.1"
    assert was.opening["table"] == "Ayu's table"


def test_match_time_is_that_of_the_last_line_of_the_match() -> None:
    sat = played("crisp", 3)
    timed = [line for line in sat.lines if "t" in line]
    assert kept(sat.lines).now == round(timed[-1]["t"] * 1000)
    game = next(n for n, line in enumerate(sat.lines) if line["kind"] == "game")
    assert kept(sat.lines[: game + 1]).now == 0


@pytest.mark.parametrize(
    "bent",
    [
        {"kind": "token", "chair": 0, "hash": 7},
        {"kind": "token", "chair": None, "hash": "aa"},
        {"kind": "done", "done": 3},
        {"kind": "ready", "chair": 0, "done": "no"},
        {"kind": "key"},
        {"kind": "again", "port": "27477"},
        {"kind": "again", "bind": "nowhere"},
        {"kind": "nonsense"},
        {"kind": "act", "t": 1.0, "seat": 0, "do": "draw"},
    ],
)
def test_a_falsified_line_is_found_whatever_it_is_for(bent: dict[str, Any]) -> None:
    with pytest.raises(Wrong) as raised:
        kept([*SAT, bent])
    assert raised.value.number == 4


def test_waiting_ends_when_all_are_back_or_when_the_first_has_waited_long_enough() -> None:
    table = replace(kept(SAT).table, phase="round", paused="again")
    gathering = Gathering((1, 2))
    assert not gathering.is_over(table, 10**12)
    gathering.back(1, 1000)
    assert not gathering.is_over(table, PATIENCE + 999)
    assert gathering.is_over(table, PATIENCE + 1000)
    assert gathering.is_over(replace(table, paused=""), 1001)
    assert not gathering.is_over(replace(table, phase="lobby", paused=""), 1001)
    gathering.back(2, 1001)
    assert gathering.is_over(table, 1001)


# ---------------------------------------------------------------- which journal


def keep(folder: Path, name: str, *lines: Line, age: int = 0) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_bytes(packed(lines))
    os.utime(path, ns=(10**18 - age, 10**18 - age))
    return path


CLOSED: Line = {"kind": "closed"}


def test_the_newest_table_that_has_not_ended_goes_on(tmp_path: Path) -> None:
    keep(tmp_path, "a1", *SAT, age=3)
    newest = keep(tmp_path, "b2", *SAT, age=2)
    keep(tmp_path, "c3", *SAT, CLOSED, age=1)
    once = {**OPENING, "once": True}
    keep(tmp_path, "d4", once, *SAT[1:], {"kind": "end", "t": 1.0, "winners": [], "scores": {}})
    assert unfinished(tmp_path) == newest
    assert unfinished(tmp_path, "a").stem == "a1"


def test_a_table_is_named_by_the_id_of_one_of_its_games_too(tmp_path: Path) -> None:
    keep(tmp_path, "a1", *SAT, {"kind": "game", "id": "f00d"}, age=1)
    keep(tmp_path, "b2", *SAT)
    assert unfinished(tmp_path, "f00").stem == "a1"


@pytest.mark.parametrize(("wanted", "told"), [("", "could go on"), ("b", "ended"), ("x", "{id}")])
def test_where_nothing_can_go_on_it_is_said_why(wanted: str, told: str, tmp_path: Path) -> None:
    keep(tmp_path, "b2", *SAT, CLOSED)
    with pytest.raises(NotKept) as raised:
        unfinished(tmp_path, wanted)
    assert told in raised.value.text.key


@pytest.mark.parametrize(
    ("whole", "told"),
    [
        (b"", "empty"),
        (b'{"kind":"table","format":1', "empty"),
        (b"\0\0\0\n", "not a line"),
        (b"[" * 100_000 + b"\n", "not a line"),
        (b'{"kind":"game","format":1}\n', "not the journal of a table"),
        (b'{"kind":"table","format":2,"software":"9.0"}\n', "version {version}"),
        (packed(SAT) + b"nonsense\n" + packed([CLOSED]), "not a line"),
    ],
)
def test_a_file_that_is_no_journal_of_this_version_is_said_to_be_none_and_left_alone(
    whole: bytes, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "a1.jsonl"
    path.write_bytes(whole)
    for wanted in ("", "a1"):
        with pytest.raises(Unreadable) as raised:
            unfinished(tmp_path, wanted)
        assert told in raised.value.text.key
    assert path.read_bytes() == whole


def test_a_file_that_cannot_be_read_is_said_to_be_so(tmp_path: Path) -> None:
    (tmp_path / "a1.jsonl").mkdir()
    with pytest.raises(Unreadable) as raised:
        unfinished(tmp_path)
    assert raised.value.text.values["reason"] == "Is a directory"


def test_a_journal_that_is_written_now_cannot_be_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "a1.jsonl"
    journal = Journal(path, {"id": "a1"})
    with pytest.raises(Running):
        Journal.again(path)
    journal.close()
    Journal.again(path).close()
