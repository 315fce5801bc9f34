"""`crisp-lan replay --check`: a game that was kept is checked again, deck by deck."""

from __future__ import annotations

import random
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from trio.testing import MockClock

from crisp_lan import cli
from crisp_lan.game.rules import Line
from crisp_lan.journal import records
from tests.kept_games import KEYS, keep, record_of
from tests.net.hall import open_hall
from tests.net.test_fair_deal import (  # noqa: F401
    on_to_the_next,
    play_round,
    started,
    the_same_bytes_each_time,
)


@pytest.fixture
async def record() -> list[Line]:
    """A match between three who have made the decks together, on the clock of the test."""
    async with open_hall(fair=True, limit=30) as hall:
        players = await started(hall, 3)
        while players[0].show.table.phase != "lobby":
            await play_round(players, random.Random(1))
            await on_to_the_next(players)
        (kept,) = records(hall.journal.all)
    return kept


def checked(
    data: Path, record: list[Line], capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    keep(data, "t", record)
    code = cli.run(["replay", "--check", "--data", str(data)])
    return (code, *capsys.readouterr())


async def test_a_game_whose_decks_all_have_made_is_right(
    autojump_clock: MockClock,
    record: list[Line],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = "Deal checked: all follows by the rules, and every deck from what everybody drew.\n"
    assert checked(tmp_path, record, capsys) == (0, said, "")


def bend(line: Line, field: str) -> Any:
    if field == "secrets":
        line["fair"]["secrets"]["1"] = "0" * 64
    elif field == "deck":
        line["deck"][:2] = reversed(line["deck"][:2])
    elif field == "fair":
        line["fair"] = "nothing"


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("secrets", "somebody opened something else than was committed to"),
        ("deck", "the deck is not the one that all have made together"),
        ("fair", "what the host has written down does not follow by the rules"),
    ],
)
async def test_what_does_not_fit_is_said_with_its_round(
    autojump_clock: MockClock,
    record: list[Line],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    field: str,
    why: str,
) -> None:
    bent = deepcopy(record)
    bend(next(line for line in bent if line["kind"] == "deal"), field)
    code, printed, error = checked(tmp_path, bent, capsys)
    assert (code, printed) == (1, "")
    assert f"In round 1: The deal is not right: {why}." in error


@pytest.mark.parametrize("key", KEYS)
def test_a_game_whose_decks_the_host_alone_has_made_follows_by_the_rules(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = "All follows by the rules. Decks that only the host has made cannot be checked.\n"
    assert checked(tmp_path, record_of(key), capsys) == (0, said, "")


def test_a_game_that_does_not_follow_by_the_rules_is_not_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = [line for line in record_of("crisp") if line.get("do") != "draw"]
    code, _printed, error = checked(tmp_path, record, capsys)
    assert code == 1
    assert "does not follow by the rules" in error
