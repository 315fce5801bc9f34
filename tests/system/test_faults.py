"""Faults strike a game and change nothing of it: a sample of the fault matrix, and its own eyes.

`python -m tests.system.fault_matrix` plays every fault in every phase.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.system import netns
from tests.system.fault_cells import DEAF, STOPPED, Cell, Told
from tests.system.fault_compare import faults_found, outlived, references, times
from tests.system.fault_matrix import all_cells, play
from tests.system.fault_player import PHASES

SAMPLE = (
    Cell("lobby", "table kill -9, --resume"),
    Cell("first look", "client kill -9, started again"),
    Cell("card held", "link cut 15 s"),
    Cell("crisp window", "link cut 3 s"),
    Cell("King’s extra draw", "30 % loss"),
    Cell("final turns", STOPPED),
    Cell("first look", "host’s address changed"),
    Cell("reveal", "host’s screen kill -9"),
)
OUTLIVED = ("card held", "crisp window")


@pytest.mark.system
def test_eight_cells_of_the_fault_matrix_hold(tmp_path: Path) -> None:
    if netns.missing():
        pytest.skip(netns.missing())
    matrix = play(SAMPLE, tmp_path, at_once=len(SAMPLE))
    assert {cell: found for cell, found in matrix.faults.items() if found} == {}
    for cell in SAMPLE:
        late = outlived(matrix.played[cell], cell, matrix.played)
        assert late == (cell.phase in OUTLIVED), cell


def test_the_matrix_has_every_fault_in_every_phase_and_what_it_is_compared_with() -> None:
    cells = all_cells()
    assert len(cells) == len(PHASES) * 12
    assert all(not one.fault for cell in cells for one in references(cell))


# ---------------------------------------------------------------- what the matrix would find


CELL = Cell("King’s extra draw", "client kill -9, started again")
GAME: list[dict[str, Any]] = [
    {"kind": "game", "seats": [{"seat": 0, "name": "Ayu", "by": "person"}]},
    {"kind": "deal", "t": 0.0, "round": 1, "deck": ["KS"]},
    {"kind": "act", "t": 1.0, "seat": 0, "do": "look", "slot": "left"},
    {"kind": "act", "t": 2.0, "seat": 0, "do": "close", "slot": "left"},
    {"kind": "act", "t": 3.0, "seat": 0, "do": "ready"},
    {"kind": "act", "t": 5.0, "seat": 0, "do": "draw"},
    {"kind": "act", "t": 6.0, "seat": 0, "do": "king"},
    {"kind": "seat", "t": 7.0, "seat": 0, "by": "nobody"},
    {"kind": "seat", "t": 12.0, "seat": 0, "by": "person"},
    {"kind": "act", "t": 13.0, "seat": 0, "do": "draw"},
    {"kind": "act", "t": 14.0, "seat": 1, "do": "draw"},
    {"kind": "score", "t": 15.0, "round": 1, "hands": {"0": ["2S"]}},
    {"kind": "end", "t": 16.0, "winners": [0]},
]
HAND = {"name": "hand", "owner": 0, "slots": ["left"], "faces": [None], "marks": [""]}
DRAW = {"name": "draw", "seat": 0, "ends": 36_000}


def _show(at: float, seat: int, by: str = "person", phase: str = "round") -> dict[str, Any]:
    table = {"phase": phase, "players": [{"by": by}], "clocks": [], "paused": False}
    view = {
        "zones": [copy.deepcopy(HAND)],
        "clocks": [dict(DRAW)],
        "sheet": [],
        "choices": ["draw"],
    }
    seen = {"now": int(1000 * at), "seat": seat, "version": int(at), "table": table, "view": view}
    return {"at": at, "news": "show", "seen": seen}


def _told() -> Told:
    """A game in which Ayu is away from 7 to 12."""
    ayu = [_show(6.1, 0), _show(12.1, 0), _show(15.1, 0, phase="reveal")]
    budi = [_show(6.1, 1), _show(7.1, 1, "nobody"), _show(12.1, 1), _show(15.1, 1, phase="reveal")]
    return Told(copy.deepcopy(GAME), {"Ayu": ayu, "Budi": budi, "Citra": []}, 7.0, 10.0)


def _found(spoil: Callable[[Told], None]) -> list[str]:
    told = _told()
    spoil(told)
    return list(faults_found(CELL, told, {one: _told() for one in references(CELL)}))


def test_an_equal_game_holds_and_its_times_are_told() -> None:
    assert _found(lambda told: None) == []
    away, said, back = times(CELL, _told())
    assert (round(away or 0, 1), said, round(back or 0, 1)) == (0.1, None, 2.1)


def _view(told: Told, name: str, number: int) -> Any:
    return told.reports[name][number]["seen"]["view"]


SPOILT: dict[str, tuple[Callable[[Told], Any], str]] = {
    "an act that is done twice": (
        lambda told: told.record.insert(10, dict(told.record[9])),
        "another game",
    ),
    "a second look": (
        lambda told: told.record.insert(4, {**GAME[2], "t": 2.5}),
        "another game",
    ),
    "a time-out": (
        lambda told: told.record.insert(9, {"kind": "timeout", "t": 12.5, "seat": 0}),
        "another game",
    ),
    "another hand": (lambda told: told.record[-2].update(hands={"0": ["3S"]}), "another game"),
    "others who wait": (lambda told: told.record[10].update(t=18.9), "came 5.9 s after"),
    "others who are away": (
        lambda told: told.record[7].update(seat=1),
        "but the fault is Ayu’s alone",
    ),
    "a long reveal": (lambda told: told.record[-1].update(t=35.002), "the reveal lasted 20.002 s"),
    "a face after the look": (
        lambda told: _view(told, "Ayu", 1)["zones"][0].update(faces=["2S"]),
        "seat 0 sees a face",
    ),
    "a clock that began anew": (
        lambda told: _view(told, "Ayu", 1)["clocks"][0].update(ends=42_000),
        "of the clocks",
    ),
    "another choice": (lambda told: _view(told, "Ayu", 1).update(choices=[]), "choices was"),
    "another card at the end": (
        lambda told: _view(told, "Budi", 3)["zones"][0].update(faces=["4S"]),
        "at the end",
    ),
    "an absence that is seen late": (
        lambda told: told.reports["Budi"][1].update(at=17.5),
        "the others saw after 10.5 s",
    ),
    "a late return": (lambda told: told.reports["Ayu"][1].update(at=21.0), "was back 11.0 s"),
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_a_fault_must_not_do_is_found(what: str) -> None:
    spoil, sentence = SPOILT[what]
    assert any(sentence in found for found in _found(spoil)), _found(spoil)


def test_a_player_who_never_reads_is_held_to_one_who_sleeps() -> None:
    assert references(Cell("lobby", DEAF)) == [Cell("lobby", stops="asleep")]
