"""No absent player holds up a table: whatever was going on when they went, the game ends.

One player is there and does what is on offer; nobody else presses anything, and time does the rest.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.briscola import BRISCOLA
from crisp_lan.game.cards import shuffled
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Act, Choice, Game, Millis, Seat, Setting
from crisp_lan.game.state import Table, TableStep

PATIENCE: Millis = 100 * 3600 * 1000
"""No match here takes longer: of five to 11 points, four of whom take 60 s for each card."""
HURRY = ("crisp", "next", "resume", "start", "ready")
"""What ends something is done as soon as it can be."""
BESIDE = ("pause", "ask", "remove", "end", "bot", "set", "game", "unready")
SHORT: dict[str, dict[str, Setting]] = {
    "crisp": {"limit": 1},
    "briscola": {"first_to": 1},
    "crisps": {},
}
TIMES = {"crisp": "draw_time", "briscola": "turn_time", "crisps": "turn_time"}


class Evening:
    """A match among people: all play by lot until somebody goes away."""

    def __init__(self, game: Game[Any], count: int, time: int | None, lots: random.Random):
        self.lots = lots
        self.now: Millis = 0
        self.clock_stands = False
        options = {**SHORT[game.key], TIMES[game.key]: time}
        self.table = tables.opened(game, options, count, starts_by_itself=True)
        for seat in range(count):
            self.take(tables.sit(self.table, 0, f"P{seat}", "person", host=seat == 0))

    def take(self, step: TableStep) -> None:
        self.table = step.table

    def offers(self, seat: Seat) -> list[Choice]:
        view = views.round_view(self.table, seat)
        around = views.table_view(self.table, seat).choices
        return [
            *(view.choices if view else ()),
            *(choice for choice in around if choice.name not in BESIDE),
        ]

    def goes(self, *seats: Seat) -> None:
        for seat in seats:
            self.take(tables.presence(self.table, self.now, seat, "nobody"))

    def go_on(self, *here: Seat) -> None:
        """The next thing that comes about if only those `here` press anything."""
        if matches.wants_deck(self.table):
            deck = shuffled(matches.deck(self.table), self.lots)
            self.take(matches.deal(self.table, self.now, deck, self.lots.getrandbits(32)))
            return
        due = matches.wake_at(self.table)
        able = [(seat, choice) for seat in here for choice in self.offers(seat)]
        if due is not None and (due <= self.now or not able):
            self.now = due
            self.take(matches.wake(self.table))
        else:
            assert able, "nothing is on offer, and nothing runs out"
            self.act([one for one in able if one[1].name in HURRY] or able)

    def act(self, able: list[tuple[Seat, Choice]]) -> None:
        seat, choice = self.lots.choice(able)
        act = Act(choice.name, self.lots.choice(choice.picks))
        self.take(tables.apply(self.table, self.now, seat, act))
        self.now += 50

    def ends(self, *here: Seat) -> None:
        """Goes on to the end of the match."""
        while self.table.phase != "lobby":
            assert self.now < PATIENCE
            self.go_on(*here)
        assert self.table.results


Moment = Callable[[Evening], Seat | None]
"""Whose moment it is, if it is that moment: the seat that is in the middle of something."""


def offered(name: str, phase: str = "") -> Moment:
    """Somebody may do that now (in that phase of the round)."""

    def whose(evening: Evening) -> Seat | None:
        for seat in range(len(evening.table.chairs)):
            view = views.round_view(evening.table, seat)
            if view and phase in ("", view.phase) and any(c.name == name for c in view.choices):
                return seat
        return None

    return whose


def extra_draws(evening: Evening) -> Seat | None:
    view = views.round_view(evening.table, None)
    waits = view and any(fact.key.startswith("Extra draws") for fact in view.facts)
    return view.turn if view and waits else None


def of_table(phase: str) -> Moment:
    """The table is in that phase; it is everybody's."""
    return lambda evening: 0 if evening.table.phase == phase else None


def host_pauses(evening: Evening) -> Seat | None:
    """In the middle of a turn the host pauses."""
    view = views.round_view(evening.table, None)
    if evening.now < 1000 or view is None or view.turn is None or any(c.loud for c in view.clocks):
        return None
    evening.take(tables.apply(evening.table, evening.now, 0, Act("pause")))
    return 0


EVERY = {
    "shuffle": of_table("shuffle"),
    "reveal": of_table("reveal"),
    "pause": host_pauses,
}
MOMENTS: dict[str, dict[str, Moment]] = {
    "crisp": {
        **EVERY,
        "first look": offered("look", "First look"),
        "first look open": offered("close", "First look"),
        "turn": offered("draw", "Play"),
        "card held": offered("swap", "Play"),
        "jack look open": offered("close", "Play"),
        "queen": offered("queen"),
        "queen look to take": offered("skip"),
        "king draws": extra_draws,
        "window": offered("crisp"),
        "final turns": offered("draw", "Final turns"),
    },
    "briscola": {**EVERY, "turn": offered("play")},
    "chiamata": {
        **EVERY,
        "auction": offered("bid"),
        "naming the suit": offered("call"),
        "turn": offered("play"),
    },
    "crisps": {
        **EVERY,
        "lead": offered("play", "Lead"),
        "follow": offered("pass", "Follow"),
        "pick": offered("pick"),
    },
}


def cases() -> Iterator[tuple[Game[Any], int, int | None, str]]:
    for game, counts, kind in (
        (CRISP, (2, 3, 8), "crisp"),
        (BRISCOLA, (2, 3, 4, 6), "briscola"),
        (BRISCOLA, (5,), "chiamata"),
        (CRISPS, (2,), "crisps"),
    ):
        for count, moment in product(counts, MOMENTS[kind]):
            for time in (30,) if kind == "chiamata" else (30, None):
                yield game, count, time, f"{kind}: {moment}"


CASES = {f"{case[3]}, {case[1]} players, {case[2]} s": case for case in cases()}


def at(moment: Moment, game: Game[Any], count: int, time: int | None) -> tuple[Evening, Seat]:
    """A match that has come to that moment, and whose it is."""
    for seed in range(400):
        evening = Evening(game, count, time, random.Random(seed))
        everybody = range(count)
        for _step in range(120):
            if (seat := moment(evening)) is not None:
                return evening, seat
            if evening.table.phase == "lobby":
                break
            _calmly(evening, everybody)
    raise AssertionError("that moment never comes")


def _calmly(evening: Evening, everybody: range) -> None:
    """The next thing, and nobody calls."""
    able = [(s, c) for s in everybody for c in evening.offers(s) if c.name != "crisp"]
    due = matches.wake_at(evening.table)
    if able and (due is None or due > evening.now):
        evening.act(able)
    else:
        evening.go_on(*(everybody if evening.lots.random() < 0.1 else ()))


@pytest.mark.parametrize(("game", "count", "time", "told"), CASES.values(), ids=CASES)
def test_a_game_ends_whoever_goes_away_in_the_middle_of_something(
    game: Game[Any], count: int, time: int | None, told: str
) -> None:
    kind, _, name = told.partition(": ")
    moment = MOMENTS[kind][name]
    evening, whose = at(moment, game, count, time)
    before = evening.table, evening.now
    one_stays, another_stays = whose, (whose + 1) % count
    for absent in (
        [whose],
        [another_stays],
        [s for s in range(count) if s != one_stays],
        [s for s in range(count) if s != another_stays],
    ):
        evening.table, evening.now = before
        evening.goes(*absent)
        evening.ends(*(seat for seat in range(count) if seat not in absent))


@pytest.mark.parametrize(
    ("game", "count", "time", "told"),
    [case for case in CASES.values() if case[2] == 30],
    ids=[name for name, case in CASES.items() if case[2] == 30],
)
def test_a_player_takes_the_seat_back_from_a_bot_at_once(
    game: Game[Any], count: int, time: int | None, told: str
) -> None:
    kind, _, name = told.partition(": ")
    evening, whose = at(MOMENTS[kind][name], game, count, time)
    before = evening.table
    shown = [views.round_view(before, seat) for seat in range(count)]
    offered = evening.offers(whose)
    evening.goes(whose)
    evening.take(tables.presence(evening.table, evening.now, whose, "bot", "hard"))
    assert evening.table.chairs[whose].recorded == "bot:hard"
    evening.take(tables.presence(evening.table, evening.now, whose, "person"))
    assert evening.table.chairs == before.chairs
    assert evening.offers(whose) == offered
    if name != "window":  # there the one who is next may begin after the window alone
        assert [views.round_view(evening.table, seat) for seat in range(count)] == shown


# ---------------------------------------------------------------- before a match


def lobby(*names: str, size: int | None = None, host: bool = True) -> Table:
    table = tables.opened(CRISP, {}, size, starts_by_itself=size is not None)
    for number, name in enumerate(names):
        table = tables.sit(table, 0, name, "person", host=host and number == 0).table
    return table


def test_with_the_host_away_the_others_start() -> None:
    table = lobby("A", "B", "C")
    table = tables.presence(table, 0, 0, "nobody").table
    table = tables.apply(table, 0, 1, Act("ready")).table
    assert tables.apply(table, 0, 2, Act("start")).table.phase == "shuffle"


def test_who_is_away_need_not_be_ready() -> None:
    table = tables.presence(lobby("A", "B", "C"), 0, 2, "nobody").table
    table = tables.apply(table, 0, 1, Act("ready")).table
    assert tables.apply(table, 0, 0, Act("start")).table.phase == "shuffle"


@pytest.mark.parametrize("host", [True, False])
def test_a_table_of_fixed_size_starts_without_who_is_away_if_somebody_wants_that(
    host: bool,
) -> None:
    table = lobby("A", "B", "C", size=4, host=host)
    table = tables.presence(table, 0, 0, "nobody").table
    table = tables.apply(table, 0, 1, Act("ready")).table
    assert tables.apply(table, 0, 2, Act("start")).table.phase == "shuffle"


def test_the_seat_of_who_is_away_goes_to_a_newcomer_and_the_game_starts() -> None:
    table = tables.presence(lobby("A", "B", size=3), 0, 1, "nobody").table
    table = tables.sit(table, 0, "C", "person").table
    assert table.phase == "lobby"
    table = tables.sit(table, 0, "D", "person").table
    assert [chair.name for chair in table.chairs] == ["A", "C", "D"]
    assert table.phase == "shuffle"
