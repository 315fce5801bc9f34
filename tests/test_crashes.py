"""Crash reports and logs say where something broke, and no card, token or anybody's words."""

from __future__ import annotations

import argparse
import logging
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from trio.testing import MockClock

from crisp_lan.arguments import Failed
from crisp_lan.commands.host import _run_table
from crisp_lan.crashes import report, scene
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.net.messages import Bye, Show
from tests.net.evening import Kind, play
from tests.net.hall import KEY, Hall, Tapped, later
from tests.random_tables import settings

FACE = re.compile(r"\b[A2-9TJQK][CDHS]\b|[♣♦♥♠]")
SECRET = "the card KD and the token dG9rZW4"


def broken() -> BaseException:
    try:
        try:
            raise KeyError(SECRET)
        except KeyError as error:
            raise ExceptionGroup("more", [ValueError(SECRET), error]) from error
    except ExceptionGroup as group:
        return group


def test_a_report_has_the_way_and_the_kinds_and_no_words() -> None:
    told = report(broken())
    assert "KD" not in told
    assert "token dG9" not in told
    assert told.count("KeyError") >= 2
    assert "ValueError" in told
    assert "test_crashes.py" in told
    assert "in broken" in told


def test_a_scene_is_the_first_error_and_its_line() -> None:
    assert re.fullmatch(r"ValueError at test_crashes\.py:\d+", scene(broken()))


def test_a_table_that_breaks_down_says_so_without_words(caplog: pytest.LogCaptureFixture) -> None:
    async def run(ready: object) -> Any:
        raise ExceptionGroup("more", [ValueError(SECRET)])

    with pytest.raises(Failed) as failed:
        _run_table(argparse.Namespace(), run)
    told = str(failed.value.text) + caplog.text
    assert "ValueError at test_crashes.py" in told
    assert "KD" not in told


# ---------------------------------------------------------------- while games go on


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    caplog.set_level(logging.DEBUG)
    yield caplog
    assert not FACE.search(caplog.text)


@pytest.mark.parametrize("game", GAMES)
def test_logs_of_whole_evenings_hold_no_face_no_token_and_nobodys_words(
    game: str, logged: pytest.LogCaptureFixture
) -> None:
    tokens = set()
    for seed in range(4):
        lots = random.Random(seed)
        kind = Kind(GAMES[game], max(2, min(GAMES[game].seats)), settings(GAMES[game], lots))
        evening = play(kind, seed, fair=seed % 2 == 1)
        tokens |= {person.token for person in evening.people if person.token}
    assert tokens
    assert logged.records
    assert not [token for token in tokens if token in logged.text]
    assert "P0" not in logged.text


async def seated(hall: Hall, count: int) -> list[Tapped]:
    """So many in a game that has begun."""
    seats = [await hall.seat(f"P{n}", key="" if n else KEY) for n in range(count)]
    for seat in seats[1:]:
        assert await seat.does("ready") is None
    assert await seats[0].does("start") is None
    return seats


@pytest.mark.parametrize("game", GAMES)
async def test_rules_that_break_over_an_act_tell_no_card_in_log_or_goodbye(
    game: str,
    logged: pytest.LogCaptureFixture,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import trio

    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, tables.opened(GAMES[game], {}), random.Random(1))
        nursery.start_soon(hall.run)
        seats = await seated(hall, 2)
        rules = type(GAMES[game])

        def apply(self: object, state: object, *words: object) -> object:
            raise ValueError(f"{state!r} {seats[0].token}")

        monkeypatch.setattr(rules, "apply", apply)
        await seats[1].does("pass")
        await later(1)
        goodbye = seats[1].last(Bye)
        assert not FACE.search(str(goodbye.why))
        assert goodbye.again
        assert not seats[0].closed
        assert seats[0].last(Show).table.players[1].by == "nobody"
        nursery.cancel_scope.cancel()
    assert f"ValueError at {'test_crashes.py'}" in logged.text
    assert seats[0].token not in logged.text
