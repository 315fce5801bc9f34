"""Acts a second of the rules alone."""

from __future__ import annotations

import random
import time

from benchmarks.play import next_act
from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Choice, TableView
from crisp_lan.game.state import Table

SECONDS = 2.0


def run() -> None:
    for seats in (2, 8):
        rate = acts_a_second(seats)
        print(f"rules, {seats} seats: {rate:,.0f} acts a second with all choices and views built")


def acts_a_second(seats: int) -> float:
    """Plays rounds in virtual time; only acts and the views after them are timed."""
    lots = random.Random(1)
    table = tables.opened(GAMES["crisp"], {"limit": 10**6}, seats, starts_by_itself=True)
    for seat in range(seats):
        table = tables.sit(table, 0, f"Player {seat + 1}", "person").table
    shown = _Shown()
    now, acts, spent, offers = 0, 0, 0.0, shown.offers(table)
    while spent < SECONDS:
        if matches.wants_deck(table):
            cards = list(matches.deck(table))
            lots.shuffle(cards)
            table = matches.deal(table, now, cards, lots.getrandbits(32)).table
        elif (chosen := next_act(offers, lots, calls_one_in=8)) is not None:
            began = time.process_time()
            table = tables.apply(table, now, *chosen).table
            offers = shown.offers(table)
            spent += time.process_time() - began
            acts += 1
            continue
        else:
            now = matches.wake_at(table) or now
            table = matches.wake(table).table
        offers = shown.offers(table)
    return acts / spent


class _Shown:
    """Builds what every seat is shown, as the referee does."""

    def __init__(self) -> None:
        self._table: Table | None = None
        self._around: list[TableView] = []

    def offers(self, table: Table) -> list[tuple[Choice, ...]]:
        """The choices in it, seat by seat."""
        if self._table is None or not views.same_around(self._table, table):
            self._around = [views.table_view(table, seat) for seat in range(len(table.chairs))]
        self._table = table
        in_round = [views.round_view(table, seat) for seat in range(len(table.chairs))]
        return [
            around.choices + (view.choices if view else ())
            for around, view in zip(self._around, in_round)
        ]
