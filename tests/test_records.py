"""Records of the arena and of random tables obey RULES.md and RECORD.md; tampered ones do not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import count
from typing import Any

import pytest

from crisp_lan.arena import played
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Choice, Line, Seat
from tests.random_tables import RandomTable, settings
from tests.records import Broken, check

CRISP = GAMES["crisp"]
KINDS = {"game", "deal", "act", "timeout", "seat", "score", "pause", "resume", "end"}
EVERY = {"look", "close", "ready", "draw", "take", "swap", "discard", "jack", "queen", "king"}
EVERY |= {"crisp", "skip", "timeout", "close by time"}


@pytest.mark.parametrize("take_discard", [False, True])
@pytest.mark.parametrize("seats", range(2, 9))
def test_games_of_the_arena_obey_the_rules(seats: int, take_discard: bool) -> None:
    for seed in range(3):
        options = {"take_discard": take_discard, "limit": 50, "draw_time": (30, 45, None)[seed]}
        check(json.dumps(line) for line in played("crisp", seats, LEVELS, options, seed))


LEVELS = ("hard", "anygame", "normal", "easy")


class Patient(RandomTable):
    """A random table where crisp is called seldom, so that rounds get long."""

    def choices(self, seat: Seat) -> Iterator[Choice]:
        for choice in super().choices(seat):
            if choice.name != "crisp" or self.lots.random() < 0.05:
                yield choice


@pytest.mark.parametrize("kind", [RandomTable, Patient])
def test_random_games_with_comings_and_goings_obey_the_rules(kind: type[RandomTable]) -> None:
    for seed in range(30):
        lots = random.Random(seed)
        options = settings(CRISP, lots) | {"limit": lots.choice((1, 20, 50))}
        table = kind(CRISP, lots.randint(2, 8), options, lots).play()
        check(line for line in table.lines if line["kind"] in KINDS)


def did(line: Line) -> str:
    """What a line is about, in a word or two."""
    if line["kind"] != "act":
        return str(line["kind"])
    return line["do"] + (" by time" if line.get("by_time") and line["do"] == "close" else "")


@pytest.fixture(scope="module")
def record() -> list[Line]:
    """The first game of the arena with everything in it."""
    for seed in count():
        options = {"take_discard": True, "limit": 50}
        lines = list(played("crisp", 4, ("anygame",), options, seed))
        if {did(line) for line in lines} >= EVERY:
            return lines
    raise AssertionError


def first(lines: list[Line], what: str, **fields: Any) -> Line:
    return next(line for line in lines if did(line) == what and fields.items() <= line.items())


def drop(what: str) -> Callable[[list[Line]], None]:
    return lambda lines: lines.remove(first(lines, what))


def twice(what: str) -> Callable[[list[Line]], None]:
    return lambda lines: lines.insert(lines.index(first(lines, what)), first(lines, what))


def after(what: str, **line: Any) -> Callable[[list[Line]], None]:
    """Puts an act in after the first line of a kind, at the same time and of the same seat."""

    def put(lines: list[Line]) -> None:
        one = first(lines, what)
        made = {"kind": "act", "t": one["t"], "seat": one["seat"], **line}
        lines.insert(lines.index(one) + 1, made)

    return put


def change(what: str, **fields: Any) -> Callable[[list[Line]], None]:
    return lambda lines: first(lines, what).update(fields)


def later(what: str, millis: int) -> Callable[[list[Line]], None]:
    """Moves one line in time."""

    def move(lines: list[Line]) -> None:
        line = first(lines, what)
        line["t"] = round(line["t"] * 1000 + millis) / 1000

    return move


def add(what: str, field: str, key: str, change: int) -> Callable[[list[Line]], None]:
    def more(lines: list[Line]) -> None:
        first(lines, what)[field][key] += change

    return more


def swap_deck(one: int, other: int) -> Callable[[list[Line]], None]:
    def swapped(lines: list[Line]) -> None:
        deck = first(lines, "deal")["deck"]
        deck[one], deck[other] = deck[other], deck[one]

    return swapped


def other_slot(what: str, field: str) -> Callable[[list[Line]], None]:
    def moved(lines: list[Line]) -> None:
        line = first(lines, what)
        line[field] = "middle" if line[field] != "middle" else "left"

    return moved


def of_next(what: str) -> Callable[[list[Line]], None]:
    """Says that the next seat did it."""

    def changed(lines: list[Line]) -> None:
        line = first(lines, what)
        line["seat"] = (line["seat"] + 1) % 4

    return changed


def called_late(lines: list[Line]) -> None:
    """The call comes when the window is just over, all after it later by as much."""
    at = lines.index(first(lines, "crisp"))
    late = 3 - (lines[at]["t"] - lines[at - 1]["t"])
    for line in lines[at:]:
        line["t"] = round(line["t"] + late, 3)


def start_early(lines: list[Line]) -> None:
    """A bot draws while the window before its turn is open, all after it sooner by as much."""
    waited = (
        at
        for at, line in enumerate(lines)
        if did(line) == "draw" and did(lines[at - 1]) in ("swap", "discard")
        and lines[at - 1]["seat"] != line["seat"] and line["t"] - lines[at - 1]["t"] >= 3
    )  # fmt: skip
    at = next(waited)
    sooner = lines[at]["t"] - lines[at - 1]["t"] - 2.5
    for line in lines[at:]:
        line["t"] = round(line["t"] - sooner, 3)


def wrong_dealer(lines: list[Line]) -> None:
    deals = [line for line in lines if did(line) == "deal"]
    deals[1]["dealer"] = deals[0]["dealer"]


TAMPERED: dict[str, tuple[Callable[[list[Line]], None], str]] = {
    "no game line": (drop("game"), "the first line, and no other, is the game's"),
    "another format": (change("game", format=2), "format is not 1"),
    "a limit of none": (change("game", options={"limit": 0}), "limit"),
    "a card twice in the deck": (change("deal", deck=["AC"] * 52), "not a deck"),
    "two dealt cards exchanged": (swap_deck(0, 1), "the hands were|cannot be done|enters no hand"),
    "two cards of the pile exchanged": (swap_deck(12, 51), "hands were|cannot be done|enters no"),
    "a dealer who dealt before": (wrong_dealer, "turn to deal"),
    "a round left out": (change("deal", round=2), "not numbered in order"),
    "somebody not dealt in": (change("deal", seats=[0, 1, 2]), "had to be dealt in"),
    "a look without a right": (twice("look"), "without a right"),
    "a look at the middle card": (other_slot("look", "slot"), "without a right"),
    "ready twice": (twice("ready"), "ready twice"),
    "a card drawn twice": (twice("draw"), "held already"),
    "two swaps of one card": (twice("swap"), "is held|turn"),
    "a swap into another slot": (other_slot("swap", "slot"), "the hands were|a right"),
    "a discard of nothing": (drop("draw"), "no card is held|has to|something"),
    "a Jack that was another card": (after("draw", do="jack"), "cannot be done with"),
    "a King discarded": (change("king", do="discard"), "cannot be done with K"),
    "a King that gives nothing": (drop("king"), "held already"),
    "a taken card used": (after("take", do="discard"), "swapped in, nothing else"),
    "a Queen for oneself": (
        lambda lines: first(lines, "queen").update(target=first(lines, "queen")["seat"]),
        "another player's card",
    ),
    "a Queen for another card": (other_slot("queen", "target_slot"), "the hands were|right|no "),
    "a skip too many": (twice("skip"), "no look to be skipped"),
    "a look that runs out late": (later("close by time", 1), "missing|runs backwards"),
    "a look that runs out early": (later("close by time", -1), "exactly 5 s|runs backwards"),
    "a look that never runs out": (drop("close by time"), "missing|had to come first"),
    "a clock that runs out early": (later("timeout", -1), "no clock of this seat"),
    "a clock that runs out late": (later("timeout", 1), "missing before"),
    "a clock that never runs out": (drop("timeout"), "missing before"),
    "a time-out of another seat": (change("timeout", seat=9), "had to come first|no clock"),
    "a bot that starts in the window": (start_early, "may not begin before"),
    "a call after 3 s": (called_late, "0 ms after the window closed"),
    "a call of another seat": (of_next("crisp"), "no crisp window is open|after the window closed"),
    "a second call": (twice("crisp"), "called crisp|called already"),
    "no call": (drop("crisp"), "may not begin before|not over|turn"),
    "an act of somebody unknown": (change("draw", seat=7), "not dealt in"),
    "an act that is none": (change("swap", do="peek"), "no act called"),
    "time running backwards": (later("draw", -60_000), "backwards"),
    "half a millisecond": (change("draw", t=0.0005), "whole number of milliseconds"),
    "an act in a pause": (after("draw", kind="pause", by="host"), "in a pause"),
    "a score too low": (add("score", "scores", "0", -1), "the scores are"),
    "a total too low": (add("score", "totals", "0", -1), "the totals are"),
    "a change too low": (add("score", "delta", "0", -1), "the scores change by"),
    "nobody called": (change("score", caller=None), "the caller was"),
    "a score written late": (later("score", 1), "not written when the round ends"),
    "no score": (drop("score"), "its score is missing"),
    "other winners": (change("end", winners=[]), "the winners are"),
    "an end at other scores": (add("end", "scores", "1", 1), "the scores are"),
    "an end in the middle": (
        lambda lines: lines.insert(20, {**lines[-1], "t": lines[19]["t"]}),
        "the scores are|the game goes on",
    ),
    "something after the end": (twice("end"), "after the end"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_record_is_caught(record: list[Line], what: str) -> None:
    tamper, sentence = TAMPERED[what]
    lines = deepcopy(record)
    tamper(lines)
    with pytest.raises(Broken, match=sentence) as caught:
        check(lines)
    assert str(caught.value).startswith("line ")


def test_the_record_that_is_tampered_with_is_right_before(record: list[Line]) -> None:
    check(record)


def test_an_interrupted_record_is_right_as_far_as_it_goes(record: list[Line]) -> None:
    for length in range(1, len(record)):
        check(record[:length])


def test_what_is_no_record_is_caught() -> None:
    for lines in ([], ["{"], ["[]"], [{"kind": "game"}], [{}]):
        with pytest.raises(Broken):
            check(lines)


Act = tuple[float, int, str]


def people(seats: int, *acts: Act, draw_time: int | None = 45, take: bool = False) -> list[Line]:
    """A game of people: ready at 0, then seat 1 (A) draws and discards at 0, then these acts."""
    numbers = [rank + suit for rank in "A23456789T" for suit in "CDHS"]
    courts = [rank + suit for rank in "JQK" for suit in "CDHS"]
    named = [{"seat": seat, "name": f"P{seat}", "by": "person"} for seat in range(seats)]
    head = {"format": 1, "id": "g", "game": "crisp", "software": "0", "seats": named}
    options = {"limit": 100, "draw_time": draw_time, "take_discard": take}
    lines: list[Line] = [
        {"kind": "game", **head, "started": "2026-01-01T00:00:00Z", "options": options},
        {"kind": "deal", "t": 0.0, "round": 1, "seats": list(range(seats)), "dealer": 0},
    ]
    lines[1]["deck"] = numbers + courts
    ready = [(0.0, seat, "ready") for seat in range(seats)]
    for t, seat, do in (*ready, (0.0, 1, "draw"), (0.0, 1, "discard"), *acts):
        kind = {"timeout": "timeout", "left": "seat", "nobody": "seat"}.get(do, "act")
        lines.append({"kind": kind, "t": t, "seat": seat, "by" if kind == "seat" else "do": do})
    return lines


ALLOWED: dict[str, list[Line]] = {
    "a call at 2.999": people(2, (2.999, 1, "crisp")),
    "the next at 2.0": people(2, (2.0, 0, "draw")),
    "the next from the call on": people(2, (0.5, 1, "crisp"), (0.5, 0, "draw")),
    "a call while the next plays": people(
        2, (2.0, 0, "draw"), (2.5, 1, "crisp"), (9.0, 0, "discard")
    ),
    "a call after the next has played": people(
        3, (2.1, 2, "draw"), (2.4, 2, "discard"), (2.8, 1, "crisp"), (2.8, 0, "draw")
    ),
    "the next calls first": people(
        2, (2.1, 0, "draw"), (2.4, 0, "discard"), (2.7, 0, "crisp"), (2.7, 1, "draw")
    ),
    "a start at once after a time-out": people(2, (47.0, 0, "timeout"), (47.0, 1, "draw")),
    "a time-out 60 s after going, without a clock": people(
        2, (5.0, 0, "nobody"), (65.0, 0, "timeout"), draw_time=None
    ),
    "the clock goes on for who is away": people(2, (5.0, 0, "nobody"), (47.0, 0, "timeout")),
    "a leaver is timed out when the window is over": people(
        3, (1.0, 2, "left"), (3.0, 2, "timeout"), (3.0, 0, "draw")
    ),
    "a leaver is timed out at a call": people(
        3, (1.0, 2, "left"), (1.5, 1, "crisp"), (1.5, 2, "timeout"), (1.5, 0, "draw")
    ),
    "a discard is taken": people(2, (2.0, 0, "take"), take=True),
}

FORBIDDEN: dict[str, tuple[list[Line], str]] = {
    "a call at 3.0": (people(2, (3.0, 1, "crisp")), "called 0 ms after the window closed"),
    "the next at 1.9": (people(2, (1.9, 0, "draw")), "may not begin before 2000 ms"),
    "a call after the own next draw": (
        people(2, (2.0, 0, "draw"), (2.1, 0, "discard"), (4.1, 1, "draw"), (4.1, 1, "crisp")),
        "no crisp window is open",
    ),
    "a further turn after the last final turn": (
        people(2, (2.1, 0, "draw"), (2.4, 0, "discard"), (2.8, 1, "crisp"), (2.9, 1, "draw")),
        "its score is missing",
    ),
    "a call after the next has called": (
        people(2, (2.1, 0, "draw"), (2.4, 0, "discard"), (2.7, 0, "crisp"), (2.8, 1, "crisp")),
        "called already",
    ),
    "a call after a time-out": (
        people(2, (47.0, 0, "timeout"), (47.0, 0, "crisp")),
        "no crisp window is open",
    ),
    "a clock that runs from the end of the turn before": (
        people(2, (45.0, 0, "timeout")),
        "no clock of this seat",
    ),
    "a clock where there is none": (
        people(2, (47.0, 0, "timeout"), draw_time=None),
        "no clock of this seat",
    ),
    "an act of who is away": (people(2, (5.0, 0, "nobody"), (5.1, 0, "draw")), "nobody is"),
    "a leaver timed out in the window": (
        people(3, (1.0, 2, "left"), (1.0, 2, "timeout")),
        "no clock of this seat",
    ),
    "taking where it is off": (people(2, (2.0, 0, "take")), "is off"),
}


@pytest.mark.parametrize("what", ALLOWED)
def test_what_the_rules_allow_is_right(what: str) -> None:
    check(ALLOWED[what])


@pytest.mark.parametrize("what", FORBIDDEN)
def test_what_the_rules_forbid_is_caught(what: str) -> None:
    lines, sentence = FORBIDDEN[what]
    check(lines[:-1])
    with pytest.raises(Broken, match=f"line {len(lines)}: .*{sentence}"):
        check(lines)
