"""Records of Crisps!, of the arena and of random tables, obey the rules; tampered ones do not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import product
from typing import Any

import pytest

from crisp_lan.arena import played
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Choice, Line, Seat, Setting
from tests.random_tables import RandomTable, settings
from tests.records import Broken, check

CRISPS = GAMES["crisps"]
LEVELS = ("hard", "anygame", "normal", "easy")
KINDS = {"game", "deal", "act", "timeout", "seat", "score", "pause", "resume", "end"}
OPTIONS: list[dict[str, Setting]] = [
    dict(zip(("face_up_draw", "runs_with_crisps", "auto_skip"), values))
    for values in product((False, True), repeat=3)
]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda o: "-".join(k for k in o if o[k]))
def test_games_of_the_arena_obey_the_rules(options: dict[str, Setting]) -> None:
    for seed, levels in enumerate((LEVELS[:2], LEVELS[2:], ("anygame",), ("normal",))):
        told = options | {"turn_time": (30, 45, 60, None)[seed]}
        check(json.dumps(line) for line in played("crisps", 2, levels, told, seed))


class Cautious(RandomTable):
    """A random table where one seldom passes, so that hands get empty in time."""

    def choices(self, seat: Seat) -> Iterator[Choice]:
        for choice in super().choices(seat):
            if choice.name != "pass" or self.lots.random() < 0.3:
                yield choice


@pytest.mark.parametrize("kind", [RandomTable, Cautious])
def test_random_games_with_comings_and_goings_obey_the_rules(kind: type[RandomTable]) -> None:
    for seed in range(25):
        lots = random.Random(seed)
        table = kind(CRISPS, 2, settings(CRISPS, lots), lots).play()
        check(line for line in table.lines if line["kind"] in KINDS)


def did(line: Line) -> str:
    if line["kind"] != "act":
        return str(line["kind"])
    return "skip" if line.get("auto") else str(line["do"])


@cache
def record(face_up: bool) -> tuple[Line, ...]:
    """A game with all of it in it."""
    wanted = {"play", "pass", "skip", "timeout"} | ({"pick"} if face_up else set())
    options: dict[str, Setting] = {"face_up_draw": face_up, "auto_skip": True, "turn_time": 30}
    for seed in range(1000):
        lines = tuple(played("crisps", 2, ("anygame",), options, seed))
        if {did(line) for line in lines} >= wanted and len(lines) > 60:
            return lines
    raise AssertionError


Tamper = Callable[[list[Line]], None]


def first(lines: list[Line], what: str, **fields: Any) -> Line:
    return next(line for line in lines if did(line) == what and fields.items() <= line.items())


def drop(what: str) -> Tamper:
    return lambda lines: lines.remove(first(lines, what))


def twice(what: str) -> Tamper:
    return lambda lines: lines.insert(lines.index(first(lines, what)), first(lines, what))


def change(what: str, **fields: Any) -> Tamper:
    return lambda lines: first(lines, what).update(fields)


def later(what: str, millis: int) -> Tamper:
    def moved(lines: list[Line]) -> None:
        line = first(lines, what)
        line["t"] = round(line["t"] * 1000 + millis) / 1000

    return moved


def before(what: str, **line: Any) -> Tamper:
    """Puts an act of the seat in before its first line of a kind."""

    def put(lines: list[Line]) -> None:
        one = first(lines, what)
        made = {"kind": "act", "t": one["t"], "seat": one["seat"], **line}
        lines.insert(lines.index(one), made)

    return put


def lead(*cards: str) -> Tamper:
    return lambda lines: lines[2].update(do="play", cards=list(cards))


def dealt(*hand: str) -> Tamper:
    """Gives the starter these cards first, and has others in their place."""

    def given(lines: list[Line]) -> None:
        deck = lines[1]["deck"]
        for place, card in enumerate(hand):
            other = deck.index(card, 2 * place)
            deck[2 * place], deck[other] = deck[other], deck[2 * place]

    return given


def both(*tampers: Tamper) -> Tamper:
    def all_of(lines: list[Line]) -> None:
        for tamper in tampers:
            tamper(lines)

    return all_of


def wrong_starter(lines: list[Line]) -> None:
    deals = [line for line in lines if did(line) == "deal"]
    deals[1]["starter"] = 1 - deals[1]["starter"]


TAMPERED: dict[str, tuple[Tamper, str]] = {
    "three at the table": (
        lambda lines: lines[0]["seats"].append({"seat": 2, "name": "x", "by": "person"}),
        "not for so many",
    ),
    "a turn time that is none": (
        lambda lines: lines[0]["options"].update(turn_time=20),
        "no such turn time",
    ),
    "an option that is a number": (
        lambda lines: lines[0]["options"].update(auto_skip=1),
        "auto_skip is not",
    ),
    "five of a rank": (change("deal", deck=["1"] * 40), "not four of each"),
    "the winner starts again": (wrong_starter, "turn to deal"),
    "cards that nobody holds": (lead("1", "1", "1", "1", "1"), "not held"),
    "nothing played": (lead(), "nothing is played"),
    "no combination": (both(dealt("1", "3"), lead("1", "3")), "a run of two|is no play"),
    "a run of two": (both(dealt("1", "2"), lead("1", "2")), "a run of two"),
    "a run of a pair and a single": (
        both(dealt("1", "1", "2"), lead("1", "1", "2")),
        "is no play",
    ),
    "a Crisp in a run": (both(dealt("8", "9", "C"), lead("8", "9", "C")), "a Crisp in a run"),
    "who leads passes": (before("play", do="pass"), "who leads may not pass"),
    "the other's turn": (twice("play"), "it is seat"),
    "picked too soon": (before("play", do="pick", **{"from": "up"}), "picked, or had not"),
    "not picked": (drop("pick"), "picked, or had not|it is seat|missing"),
    "picked from the hand": (change("pick", **{"from": "hand"}), "from nowhere"),
    "passed by itself for no reason": (change("pass", auto=True), "against the rules"),
    "not passed by itself": (drop("skip"), "had to pass by itself"),
    "passed by hand where nothing follows": (change("skip", auto=False), "had to pass by itself"),
    "passed by itself later": (later("skip", 1), "had to pass by itself|backwards"),
    "a clock that runs out early": (later("timeout", -1), "no clock of this seat|backwards"),
    "a clock that runs out late": (later("timeout", 1), "a time-out is missing"),
    "a clock that never runs out": (drop("timeout"), "a time-out is missing"),
    "an unknown act": (change("play", do="fly"), "no act called"),
    "another winner": (
        lambda lines: first(lines, "score").update(winner=1 - first(lines, "score")["winner"]),
        "the winner was",
    ),
    "two points": (
        lambda lines: first(lines, "score")["delta"].update({"0": 2}),
        "the scores change by",
    ),
    "a score too low": (
        lambda lines: first(lines, "score")["scores"].update({"0": -1}),
        "the scores are",
    ),
    "no score": (drop("score"), "its score is missing"),
    "a score written late": (later("score", 1), "not written when the deal ends"),
    "other winners": (change("end", winners=[]), "the winners are"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_tampered_record_is_caught(what: str) -> None:
    tamper, sentence = TAMPERED[what]
    lines = deepcopy(list(record(True)))
    tamper(lines)
    with pytest.raises(Broken, match=sentence):
        check(lines)


@pytest.mark.parametrize("face_up", [True, False])
def test_an_interrupted_record_is_right_as_far_as_it_goes(face_up: bool) -> None:
    lines = record(face_up)
    for length in range(1, len(lines) + 1, 7):
        check(lines[:length])


def test_a_draw_in_the_wrong_order_is_found_by_what_is_played_from_it() -> None:
    lines = deepcopy(list(record(False)))
    deck = first(lines, "deal")["deck"]
    deck[28:40] = deck[28:40][::-1]
    with pytest.raises(Broken):
        check(lines)
