"""Records of Briscola, of the arena and of random tables, obey the rules; tampered ones do not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from crisp_lan.arena import played
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line
from tests.random_tables import RandomTable, settings
from tests.records import Broken, check

BRISCOLA = GAMES["briscola"]
LEVELS = ("hard", "anygame", "normal", "easy")
KINDS = {"game", "deal", "act", "timeout", "seat", "score", "pause", "resume", "end"}
TIMES = (30, 45, 60, None)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hard bots think of few worlds: it does not matter here how well they play."""
    monkeypatch.setattr("crisp_lan.bots.briscola._EFFORT", 40)


@pytest.mark.parametrize("seats", BRISCOLA.seats)
@pytest.mark.parametrize("on", [False, True])
def test_games_of_the_arena_obey_the_rules(seats: int, on: bool) -> None:
    for seed, first_to in enumerate((1, 3, 5)):
        options = {"first_to": first_to, "turn_time": TIMES[seed + on], "trump_swap": on}
        lines = played("briscola", seats, LEVELS, options | {"partners_see_hands": not on}, seed)
        check(json.dumps(line) for line in lines)


@pytest.mark.parametrize("seats", BRISCOLA.seats)
def test_random_games_with_comings_and_goings_obey_the_rules(seats: int) -> None:
    for seed in range(6):
        lots = random.Random(seed)
        table = RandomTable(BRISCOLA, seats, settings(BRISCOLA, lots), lots).play()
        check(line for line in table.lines if line["kind"] in KINDS)


def test_random_games_have_everything_in_them_that_the_rules_know() -> None:
    done: set[str] = set()
    for seed in range(12):
        lots = random.Random(seed)
        options = settings(BRISCOLA, lots) | {"trump_swap": True}
        table = RandomTable(BRISCOLA, (2, 5)[seed % 2], options, lots).play()
        done |= {line["do"] if line["kind"] == "act" else line["kind"] for line in table.lines}
        done |= {"left" for line in table.lines if line.get("by") == "left"}
    assert done >= {"play", "bid", "pass", "call", "swap_trump", "timeout", "score", "left", "end"}


@cache
def record(seats: int) -> tuple[Line, ...]:
    """The first game of the arena with time-outs, and with two with a trump swap."""
    for seed in range(1000):
        options = {"trump_swap": True, "first_to": 3, "turn_time": 30}
        lines = tuple(played("briscola", seats, ("hard", "anygame"), options, seed))
        done = {line["do"] if line["kind"] == "act" else line["kind"] for line in lines}
        if done >= ({"timeout", "swap_trump"} if seats == 2 else {"timeout"}):
            return lines
    raise AssertionError


def first(lines: list[Line], what: str) -> Line:
    return next(line for line in lines if what in (line["kind"], line.get("do")))


def change(what: str, **fields: Any) -> Callable[[list[Line]], None]:
    return lambda lines: first(lines, what).update(fields)


def drop(what: str) -> Callable[[list[Line]], None]:
    return lambda lines: lines.remove(first(lines, what))


def twice(what: str) -> Callable[[list[Line]], None]:
    return lambda lines: lines.insert(lines.index(first(lines, what)), first(lines, what))


def later(what: str, millis: int) -> Callable[[list[Line]], None]:
    def moved(lines: list[Line]) -> None:
        line = first(lines, what)
        line["t"] = round(line["t"] * 1000 + millis) / 1000

    return moved


def add(what: str, field: str) -> Callable[[list[Line]], None]:
    def more(lines: list[Line]) -> None:
        first(lines, what)[field]["0"] += 1

    return more


def next_dealer(lines: list[Line]) -> None:
    deals = [line for line in lines if line["kind"] == "deal"]
    deals[1]["dealer"] = (deals[0]["dealer"] + 1) % 3


def another_card(lines: list[Line]) -> None:
    one, other = [line for line in lines if line.get("do") == "play"][:2]
    one["card"], other["card"] = other["card"], one["card"]


Tamper = Callable[[list[Line]], None]
TAMPERED: Mapping[str, tuple[int, Tamper, str]] = {
    "another game": (2, change("game", game="whist"), "no game called"),
    "an option that is none": (2, change("game", options={"first_to": 2}), "options"),
    "a deck of another game": (3, change("deal", deck=["AC"] * 39), "not the deck"),
    "a dealer to the left": (3, next_dealer, "turn to deal"),
    "somebody not dealt in": (3, change("deal", seats=[0, 1]), "had to be dealt in"),
    "a card that another holds": (2, another_card, "does not hold"),
    "a card played twice": (2, twice("play"), "'s turn|does not hold"),
    "a play left out": (2, drop("play"), "'s turn|timed out|time-out|does not hold"),
    "a swap for another card": (2, change("swap_trump", card="AC"), "no trump of|is not good"),
    "a swap done twice": (2, twice("swap_trump"), "no trump of"),
    "a time-out too early": (2, later("timeout", -1), "no clock|backwards"),
    "a time-out too late": (2, later("timeout", 1), "is missing"),
    "no time-out": (2, drop("timeout"), "is missing|first"),
    "more points": (2, add("score", "points"), "points had to be"),
    "another change": (4, add("score", "delta"), "delta had to be"),
    "another score": (6, add("score", "scores"), "the scores are"),
    "other winners": (4, change("score", winners=[0]), "winners had to be"),
    "other winners at the end": (4, change("end", winners=[]), "the winners are"),
    "no score": (2, drop("score"), "score is missing"),
    "a bid that is none": (5, change("bid", rank="8"), "no bid"),
    "a bid of too much": (5, change("bid", target=62), "target is 61|does not rise"),
    "a pass too many": (5, twice("pass"), "'s turn|no auction"),
    "no suit": (5, drop("call"), "no trump yet|turn|time-out"),
    "another suit": (5, change("call", suit="X"), "no such suit"),
    "another partner": (5, change("score", partner=9), "partner had to be"),
    "another target": (5, change("score", target=60), "target had to be"),
    "a play of who is not there": (5, change("play", seat=7), "not dealt in"),
    "an act that is none": (5, change("play", do="sing"), "no act called"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_record_is_caught(what: str) -> None:
    seats, tamper, sentence = TAMPERED[what]
    lines = deepcopy(list(record(seats)))
    tamper(lines)
    with pytest.raises(Broken, match=sentence):
        check(lines)


@pytest.mark.parametrize("seats", BRISCOLA.seats)
def test_an_interrupted_record_is_right_as_far_as_it_goes(seats: int) -> None:
    lines = record(seats)
    for length in range(1, len(lines), len(lines) // 15):
        check(lines[:length])
    check(lines)
