"""Acts a second of the rules alone."""

from __future__ import annotations

import random
import time

from benchmarks.play import next_act
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Choice
from crisp_lan.game.table import Table

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
    now, acts, spent, offers = 0, 0, 0.0, _offers(table)
    while spent < SECONDS:
        if tables.wants_deck(table):
            cards = list(tables.deck(table))
            lots.shuffle(cards)
            table = tables.deal(table, now, cards, lots.getrandbits(32)).table
        elif (chosen := next_act(offers, lots, calls_one_in=8)) is not None:
            began = time.process_time()
            table = tables.apply(table, now, *chosen).table
            offers = _offers(table)
            spent += time.process_time() - began
            acts += 1
            continue
        else:
            now = tables.wake_at(table) or now
            table = tables.wake(table).table
        offers = _offers(table)
    return acts / spent


def _offers(table: Table) -> list[tuple[Choice, ...]]:
    """Builds what every seat is shown, as the referee does, and gives the choices in it."""
    public = tables.view(table, None)
    offers = []
    for seat in range(len(table.chairs)):
        seen, view = tables.view(table, seat, public), tables.round_view(table, seat)
        offers.append(seen.choices + (view.choices if view else ()))
    return offers
