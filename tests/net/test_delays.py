"""Delays tell nothing: neither how long a bot thinks, nor when others hear of what was done.

Bots play whole games over memory streams on the virtual clock. Delays are read from the journal,
and what was hidden while they lasted from the second reading of the rules. That the same bytes come
at the same times whatever is hidden, `test_taps.py` shows for acts of people.
"""

from __future__ import annotations

import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import cycle
from types import SimpleNamespace
from typing import TypeAlias

import pytest
import trio
from trio.testing import MockClock

from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line
from crisp_lan.net import robots
from crisp_lan.net.calling import Target
from crisp_lan.net.messages import Show
from crisp_lan.net.robots import play_bot
from tests.net.hall import ID, Hall, Tapped, settled
from tests.net.rights import Rights

Delay: TypeAlias = tuple[str, str, float]
"""What was public (the kind of act awaited), what was hidden, and the seconds it lasted."""

LEVELS = ("hard", "normal", "easy")
SURE = 5.0
"""Standard errors: among fifty classes, chance alone goes so far once in 30,000 runs."""
TABLES: Mapping[str, tuple[int, int]] = {"crisp": (4, 3), "briscola": (4, 6), "crisps": (2, 8)}
"""By how many, and how often, each game is played."""


async def one_game(
    game: str, seats: int, seed: int, levels: Sequence[str] = LEVELS
) -> tuple[list[Line], list[Tapped]]:
    """A match of bots of these levels in turn, and two watchers of it."""
    table = tables.opened(GAMES[game], {}, seats, starts_by_itself=True, once=True)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, table, random.Random(seed))
        over = trio.Event()
        nursery.start_soon(_run, hall, over)
        watchers = [await hall.seat(f"W{n}", watch=True) for n in range(2)]
        target = Target(("192.0.2.1",), 27477, ID)
        for n, level in zip(range(seats), cycle(levels)):
            nursery.start_soon(partial(play_bot, target, f"B{n}", level, "", hall))
            await settled()  # The next one has the next lots, and the next seat.
        with trio.move_on_after(3600):
            await over.wait()
        nursery.cancel_scope.cancel()
    return hall.journal.all, watchers


async def _run(hall: Hall, over: trio.Event) -> None:
    await hall.run()
    over.set()


def played(game: str, monkeypatch: pytest.MonkeyPatch) -> list[list[Line]]:
    """The journals of several games of bots, the same each time."""
    seats, games = TABLES[game]
    lots = random.Random(7)
    for effort in ("briscola._EFFORT", "crisps_duel._EFFORT", "crisp_ahead._TURNS"):
        monkeypatch.setattr(f"crisp_lan.bots.{effort}", 40)
    seeded = SimpleNamespace(Random=lambda: random.Random(lots.random()))
    monkeypatch.setattr(robots, "random", seeded)
    return [
        trio.run(one_game, game, seats, seed, clock=MockClock(autojump_threshold=0))[0]
        for seed in range(games)
    ]


def delays(game: str, lines: list[Line]) -> Iterator[Delay]:
    """How long whoever was on turn took, and by what cards."""
    rights, since, last = Rights(), 0.0, ("", "")
    for line in lines:
        if line["kind"] == "act" and last[1] and line["seat"] == int(last[0]):
            yield awaited(rights, game), last[1], line["t"] - since
        rights.read(line)
        if "t" in line:
            since, last = line["t"], hidden(rights, game)
    assert since


def awaited(rights: Rights, game: str) -> str:
    """What everybody knows is to be done next."""
    if game == "crisp":
        return "play"
    deal = rights.deal
    if game == "briscola":
        return f"{len(deal.trick)}"
    return "pick" if deal.picking else "follow" if deal.there else "lead"


def hidden(rights: Rights, game: str) -> tuple[str, str]:
    """Whose turn it is, and a class of what only that seat knows; "" where it is not asked for."""
    deal = rights.deal
    if not rights.running:
        return "", ""
    if game == "crisp":
        return str(deal.turn), deal.held[0][0] if deal.held else ""
    hand = deal.hands[deal.turn]
    if game == "briscola":
        return str(deal.turn), f"{sum(card[1] == deal.trump for card in hand)} trumps"
    return str(deal.turn), f"{len(set(hand))} ranks"


def telling(delays: list[Delay]) -> float:
    """By how many standard errors a hidden class is quicker or slower than the others, at most."""
    public: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for kind, class_, seconds in delays:
        public[kind][class_].append(seconds)
    found = [0.0]
    for classes in public.values():
        for class_, some in classes.items():
            others = [s for c, rest in classes.items() if c != class_ for s in rest]
            if min(len(some), len(others)) >= 15:
                error = statistics.pvariance(some) / len(some)
                error += statistics.pvariance(others) / len(others)
                found.append(abs(statistics.fmean(some) - statistics.fmean(others)) / error**0.5)
    return max(found)


@pytest.mark.parametrize("game", TABLES)
def test_how_long_a_bot_thinks_does_not_depend_on_what_it_alone_knows(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [delay for lines in played(game, monkeypatch) for delay in delays(game, lines)]
    assert len(found) > 300
    assert 0 < telling(found) < SURE
    [(most, _)] = Counter(class_ for _, class_, _ in found).most_common(1)
    slower = [(kind, class_, s + (class_ == most)) for kind, class_, s in found]
    assert telling(slower) > SURE, "a second more would not have been noticed"


@pytest.mark.parametrize("game", TABLES)
async def test_all_others_hear_of_an_act_at_once_whatever_it_was(
    game: str, autojump_clock: MockClock
) -> None:
    lines, watchers = await one_game(game, TABLES[game][0], 1, ("normal",))
    heard = [[show.now for show in watcher.all(Show)] for watcher in watchers]
    assert heard[0] == heard[1]
    acts = {round(1000 * line["t"]) for line in lines if line["kind"] == "act"}
    assert acts <= set(heard[0])
