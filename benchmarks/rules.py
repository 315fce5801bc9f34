"""Acts a second of the rules alone."""

from __future__ import annotations

import random
import time

from benchmarks.play import next_act
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES

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
    now, acts, spent, shown = 0, 0, 0.0, _shown(table)
    while spent < SECONDS:
        offers = [seen.choices + (view.choices if view else ()) for seen, view in shown]
        if tables.wants_deck(table):
            cards = list(tables.deck(table))
            lots.shuffle(cards)
            table = tables.deal(table, now, cards, lots.getrandbits(32)).table
        elif (chosen := next_act(offers, lots, calls_one_in=8)) is None:
            now = tables.wake_at(table) or now
            table = tables.wake(table).table
        else:
            began = time.process_time()
            table = tables.apply(table, now, *chosen).table
            shown = _shown(table)
            spent += time.process_time() - began
            acts += 1
            continue
        shown = _shown(table)
    return acts / spent


def _shown(table: tables.Table):  # type: ignore[no-untyped-def]
    return [
        (tables.view(table, seat), tables.round_view(table, seat))
        for seat in range(len(table.chairs))
    ]
