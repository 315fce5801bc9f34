"""An evening at one table: seats exchanged, one more game, and what has been won so far."""

from __future__ import annotations

import pytest

from crisp_lan.check import folded
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.options import STAND_IN
from crisp_lan.game.rules import Refused, Standing
from crisp_lan.game.state import Table
from crisp_lan.game.views import STANDINGS
from tests.game.test_table import Sitting


def names(table: Table) -> list[str]:
    return [chair.name for chair in table.chairs]


def after_a_game(sitting: Sitting) -> Sitting:
    """A match for one point: seat 1 wins it."""
    sitting.begin().round_over()
    for seat in range(len(sitting.table.chairs)):
        sitting.do(seat, "next")
    assert sitting.table.phase == "lobby"
    return sitting


def test_the_host_exchanges_two_seats_and_everybody_reads_who() -> None:
    sitting = Sitting("Ayu", "Budi", "Cici")
    step = sitting.do(0, "exchange", 0, 2)
    assert names(sitting.table) == ["Cici", "Budi", "Ayu"]
    assert views.table_view(sitting.table, 2).players[2].host
    assert step.lines == ({"kind": "exchange", "chairs": [0, 2]},)
    [note] = step.notes
    assert (note.values, note.to) == ({"seat": 0, "other": 2}, None)


def test_seats_are_exchanged_by_the_host_alone_and_in_the_lobby_alone() -> None:
    sitting = Sitting("Ayu")
    assert "exchange" not in sitting.offered(0)
    sitting.sit("Budi")
    assert "exchange" in sitting.offered(0)
    assert "exchange" not in sitting.offered(1) | sitting.offered(None)
    assert "exchange" not in sitting.begin().offered(0)
    with pytest.raises(Refused):
        sitting.do(0, "exchange", 0, 1)


def test_an_exchange_is_folded_from_the_journal() -> None:
    table = tables.opened(GAMES["crisp"], {}, games=GAMES)
    opening = {
        "kind": "table",
        "game": "crisp",
        "options": dict(table.options),
        "size": 8,
        "starts_by_itself": False,
        "repeatable": False,
    }
    lines = [opening]
    for name in ("Ayu", "Budi"):
        step = tables.sit(table, 0, name, "person", host=not table.chairs)
        table, lines = step.table, [*lines, *step.lines]
    step = tables.exchange(table, 1, 0)
    *_, last = folded([*lines, *step.lines])
    assert names(last) == names(step.table) == ["Budi", "Ayu"]


def test_after_a_game_one_key_of_the_host_begins_another() -> None:
    sitting = after_a_game(Sitting("Ayu", "Budi", points=1))
    [start] = [c for c in views.table_view(sitting.table, 0).choices if c.name == "start"]
    assert start.label == "One more game"
    assert sitting.do(0, "start").table.match == 2


def test_the_standings_count_all_games_at_the_table() -> None:
    sitting = after_a_game(Sitting("Ayu", "Budi", points=1))
    [winner] = [name for name in ("Ayu", "Budi") if sitting.table.results[0].name == name]
    [other] = {"Ayu", "Budi"} - {winner}
    first = (Standing(winner, 1, 1), Standing(other, 1, 0))
    assert views.table_view(sitting.table, 0).evening == first
    after_a_game(sitting)
    assert views.table_view(sitting.table, None).evening == (
        Standing(winner, 2, 2),
        Standing(other, 2, 0),
    )


def test_who_has_gone_stays_in_the_standings_and_who_has_not_played_is_in_none() -> None:
    sitting = after_a_game(Sitting("Ayu", "Budi", points=1))
    sitting.take(tables.leave(sitting.table, 0, 1))
    sitting.sit("Cici")
    assert {one.name for one in views.table_view(sitting.table, 0).evening} == {"Ayu", "Budi"}


def test_a_game_that_nobody_has_won_counts_for_nobody() -> None:
    sitting = Sitting("Ayu", points=1)
    sitting.sit("X", bot=True, hosted=True)
    sitting.sit("Y", bot=True, hosted=True)
    sitting.begin()
    sitting.take(tables.leave(sitting.table, 0, 0))
    assert sitting.table.phase == "lobby"
    assert views.table_view(sitting.table, None).evening == ()


def test_standings_and_what_options_change_are_told_in_the_lobby_alone() -> None:
    sitting = after_a_game(Sitting("Ayu", "Budi", points=1))
    seen = views.table_view(sitting.table, 0)
    assert len(seen.labels) == len(seen.options) > 0
    sitting.begin()
    seen = views.table_view(sitting.table, 0)
    assert seen.labels == seen.evening == ()


def test_no_more_standings_are_told_than_there_is_room_for() -> None:
    sitting = Sitting("Ayu", "Budi", points=1)
    for n in range(STANDINGS):
        after_a_game(sitting)
        sitting.take(tables.leave(sitting.table, 0, 1))
        sitting.sit(f"P{n}")
    assert len(views.table_view(sitting.table, 0).evening) == STANDINGS


def test_every_option_says_what_it_changes_the_tables_own_too() -> None:
    for game in GAMES.values():
        table = tables.opened(game, {}, stand_in="easy")
        seen = views.table_view(table, None)
        assert seen.labels == (*(option.label for option in game.options), STAND_IN.label)
