"""Law 3: a journal, or one game's record, played again by the rules gives the same table."""

from __future__ import annotations

import random
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest

from crisp_lan.check import Wrong, folded
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Game
from crisp_lan.game.state import Table
from crisp_lan.journal import records
from tests.random_tables import RandomTable, settings

EVERY_GAME = [(key, seats) for key, game in GAMES.items() for seats in game.seats]


def played(key: str, seats: int, seed: int) -> RandomTable:
    game: Game[Any] = GAMES[key]
    lots = random.Random(seed)
    return RandomTable(game, seats, settings(game, lots), lots).play()


def seen(table: Table) -> list[object]:
    seats = (None, *range(len(table.chairs)))
    return [(views.table_view(table, s), views.round_view(table, s)) for s in seats]


@pytest.mark.parametrize(("key", "seats"), EVERY_GAME)
def test_a_journal_folds_to_the_same_table_after_every_line(key: str, seats: int) -> None:
    for seed in range(3):
        sat = played(key, seats, seed)
        after = list(folded(sat.lines))
        at = 0
        for table, lines in sat.steps:
            at += len(lines)
            if lines:
                assert after[at] == table
                assert seen(after[at]) == seen(table)


@pytest.mark.parametrize(("key", "seats"), EVERY_GAME)
def test_a_record_alone_folds_to_the_same_end(key: str, seats: int) -> None:
    sat = played(key, seats, 7)
    (record,) = records(sat.lines)
    *_, last = folded(record)
    assert last.phase == "lobby"
    assert last.results == sat.table.results


@pytest.mark.parametrize("kind", ["deal", "act", "timeout", "score", "end", "seat"])
def test_a_line_that_does_not_follow_is_found(kind: str) -> None:
    sat = played("crisp", 3, 1)
    for number, line in enumerate(sat.lines):
        if line["kind"] == kind:
            for bent in bends(line):
                with pytest.raises(Wrong):
                    list(folded([*sat.lines[:number], bent, *sat.lines[number + 1 :]]))
            return
    pytest.fail(f"the game has no line {kind}")


def test_whatever_is_done_to_a_record_it_is_right_or_wrong() -> None:
    (record,) = records(played("crisp", 3, 7).lines)
    lots = random.Random(5)
    odd = (-1, 99, True, None, "x", [], {}, 1.5, "2C")
    for _ in range(400):
        bent = deepcopy(record)
        line = lots.choice(bent)
        line[lots.choice(list(line))] = lots.choice(odd)
        with suppress(Wrong):
            list(folded(bent))


def bends(line: dict[str, Any]) -> list[dict[str, Any]]:
    """The line as somebody might have falsified it."""
    bent = [{**line, "kind": "nonsense"}]
    if line["kind"] in ("score", "end"):
        wrong = deepcopy(line)
        wrong["scores"]["0"] += 1
        bent.append(wrong)
    if line["kind"] in ("timeout", "act"):
        bent.append({**line, "seat": (line["seat"] + 1) % 3})
    if line["kind"] == "deal":
        bent.append({**line, "round": 9})
        bent.append({**line, "deck": [*line["deck"][-1:], *line["deck"][:-1]]})
    return bent
