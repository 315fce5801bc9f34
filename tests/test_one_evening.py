"""Ten games in a row at one table, another one each time: nothing of the game before shows."""

from __future__ import annotations

import random
from dataclasses import replace

from crisp_lan.check import folded
from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import TableView, View
from crisp_lan.game.state import Table
from tests.random_tables import RandomTable


def shown(table: Table) -> list[tuple[TableView, View | None]]:
    """All that anybody is shown, but for the standings of the game before."""
    seats = (None, *range(len(table.chairs)))
    return [
        (replace(views.table_view(table, s), results=()), views.round_view(table, s)) for s in seats
    ]


def begun(table: Table, seed: int) -> Table:
    """The table with its first round dealt by that seed."""
    lots = random.Random(seed)
    deck = shuffled(matches.deck(table), lots)
    return matches.deal(table, 0, deck, lots.getrandbits(32)).table


def test_each_game_of_an_evening_begins_like_the_first_one_at_a_new_table() -> None:
    evening = RandomTable(GAMES["crisp"], 2, {}, random.Random(3), comings=False)
    evening.table = replace(evening.table, games=GAMES)
    evening.play()
    for number, key in zip(range(9), ["briscola", "crisps", "crisp"] * 3):
        evening.now = 0
        evening.take(tables.choose(evening.table, key))
        lobby = evening.table
        evening.take(matches.begin(evening.table))
        new = tables.opened(GAMES[key], {}, 2, starts_by_itself=True, stand_in="hard", games=GAMES)
        new = matches.begin(replace(new, chairs=lobby.chairs, host=lobby.host)).table
        assert shown(begun(evening.table, number)) == shown(begun(new, number))
        while evening.table.phase != "lobby":
            evening.one_thing()
    *_, last = folded(evening.lines)
    assert last == evening.table
