"""Whatever a table sends of the right types, the player's screen copes with it or hangs up."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from crisp_lan.game.rules import Choice, Clock, Note, Result, Standing, Tag, Text, View, Zone
from crisp_lan.net.codec import LIMIT, RemoteProtocolError, decode, encode
from crisp_lan.net.coherence import LONGEST, WAYS, incoherence
from crisp_lan.net.messages import Show
from crisp_lan.text import cells
from crisp_lan.tui import plain, typed
from crisp_lan.tui.model import Screen, next_change, see
from crisp_lan.tui.paint import rows
from crisp_lan.tui.pressing import press
from tests.net.samples import full_show
from tests.tui import views

KEYS = ("1", "2", "9", "s", "u", "m", "o", "p", "l", "down", "right", "space", "enter", "12", "?")
LINES = ("hand", "scores", "status", "help", "1", "s 1 2", "quit")
SIZES = ((80, 24), (120, 40), (50, 12))
STRANGE = (
    "",
    "\x1b[2J\x07",
    "\x9b31m\u202e",
    "a" * 900,
    "{seat}{0.x}%s",
    "\r\n",
    "q",
    "é\u0301" * 9,
)
PHASES = ("lobby", "shuffle", "round", "reveal", "bot", "nobody", "left")
NUMBERS = (-(2**63), -1, 0, 1, 8, 255, 256, 2**53, 2**64 - 1)
SOON = 3.0
"""Seconds of computing for two pictures of the heaviest show: five times what they take."""


def bases() -> list[Show]:
    """Shows of every phase, that are then spoilt."""
    open_hands = views.hands(5, faces=[("TD", "QH", None)] * 5)
    trick = Zone("trick", None, ("TD", "5C"), 2, seats=(0, 1))
    sheet = (("total", tuple((seat, seat) for seat in range(5))), ("crisp", ((0, -3),)))
    choices = (
        views.SWAP,
        views.queen([1, 2]),
        views.LOOK,
        Choice("meld", "x", (("TD",),), "m", True),
    )
    clocks = (Clock("crisp window", 0, 4_000, 3_000, loud=True, mine="{left}"),)
    tags, facts = (Tag(1, Text("deals"), loud=True),), (Text("Trump {suit}", {"suit": "D"}),)
    running = View(0, "Play", 0, (*open_hands, trick), choices, clocks, tags, facts, (), Text("x"))
    told = (Note("{card} {millis} {slot} {suit} {other}", {"card": "TD", "slot": "left"}),)
    won, labels = (Result("A", 3, True, False),), ("Points", "Draw time", "Take")
    evening = (Standing("A", 2, 1),)
    lobby = views.table(5, phase="lobby", results=won, labels=labels, evening=evening)
    over = View(0, "Reveal", None, open_hands, sheet=sheet)
    return [
        full_show(),
        views.shown(None, lobby),
        views.shown(over, views.table(5, phase="reveal")),
        views.shown(running, views.table(5), notes=told),
    ]


def spoilt(lots: random.Random, part: Any, chance: float) -> Any:
    """The same with some parts replaced by others of their type."""
    if isinstance(part, dict):
        return {k: v if k == "type" else spoilt(lots, v, chance) for k, v in part.items()}
    if isinstance(part, list):
        inner = [spoilt(lots, one, chance) for one in part]
        if lots.random() < chance:
            return lots.choice((inner[:-1], inner * 2, inner * 30, inner[1:] + inner[:1], []))
        return inner
    if lots.random() >= chance:
        return part
    if isinstance(part, bool):
        return not part
    if isinstance(part, str):
        return lots.choice((*STRANGE, *PHASES))
    return lots.choice((*NUMBERS, None)) if isinstance(part, int) else lots.choice(NUMBERS)


def shown_everywhere(show: Show, keys: Sequence[str], ascii: bool) -> Screen:
    """Painted at all sizes, told line by line, and played by some keys."""
    before = views.screen(bases()[3], 0.5, ascii)
    after = see(before, show, 1.0)
    plain.news(before, after, 1.0)
    plain.clock_news(after, 1.0, 3.0)
    next_change(after, 1.5)
    for columns, lines in SIZES:
        painted = rows(after, columns, lines, 1.1)
        assert [sum(cells(text) for _, text in row) for row in painted] == [columns] * lines
        assert all(text.isprintable() for row in painted for _, text in row)
    for line in LINES:
        typed.heard(after, line, 2.0)
    screen = after
    for at, key in enumerate(keys):
        old, (screen, _wish) = screen, press(screen, key, 2.0 + at)
        plain.news(old, screen, 2.0 + at)
        rows(screen, 80, 24, 2.0 + at)
    return screen


def test_a_spoilt_show_is_refused_or_shown() -> None:
    lots = random.Random(3)
    plain_shows = [msgspec.msgpack.decode(encode(show)) for show in bases()]
    shown = refused = 0
    for _ in range(500):
        spoil = spoilt(lots, lots.choice(plain_shows), lots.choice((0.01, 0.03, 0.1)))
        payload = msgspec.msgpack.encode(spoil)
        try:
            show = decode(payload, "host")
        except RemoteProtocolError:
            continue
        assert isinstance(show, Show)
        if len(payload) > LIMIT["host"] or incoherence(show):
            refused += 1
        else:
            shown_everywhere(show, lots.choices(KEYS, k=8), ascii=lots.random() < 0.3)
            shown += 1
    assert min(shown, refused) > 50


def _around(**fields: Any) -> Show:
    return views.shown(View(0, "Play", 0, views.hands(5)), views.table(5, **fields))


def _seen(**fields: Any) -> Show:
    plain_view = View(0, "Play", 0, views.hands(5))
    return views.shown(replace(plain_view, **fields), views.table(5))


def _told(*notes: Note) -> Show:
    return views.shown(View(0, "Play", 0, views.hands(5)), views.table(5), notes=notes)


MANY = range(LONGEST)
HEAVY: dict[str, Callable[[], Show]] = {
    "many players": lambda: _around(players=tuple(views.player(f"n{n}") for n in MANY)),
    "many zones": lambda: _seen(zones=tuple(Zone("x", 0, ("TD",) * 9, 9) for _ in MANY)),
    "many spreads": lambda: _seen(zones=tuple(Zone("x", None, ("TD",) * 5, 9) for _ in MANY)),
    "many cards": lambda: _seen(
        zones=tuple(
            Zone("hand", n, ("TD",) * LONGEST, 1, ("a",) * LONGEST, ("b",) * LONGEST)
            for n in range(5)
        )
    ),
    "many tags": lambda: _seen(tags=tuple(Tag(1, Text(f"tag {n}")) for n in MANY)),
    "many facts": lambda: _seen(facts=tuple(Text("fact " * 30) for _ in MANY)),
    "many clocks": lambda: _seen(clocks=tuple(Clock("x", 0, n, 9, loud=True) for n in MANY)),
    "many choices": lambda: _seen(choices=tuple(Choice(f"c{n}", "x", key="s") for n in MANY)),
    "many ways": lambda: _seen(
        choices=(Choice("swap", "x", tuple((f"w{n}",) for n in range(WAYS)), "s"),)
    ),
    "many columns": lambda: _seen(sheet=tuple((f"c{n}", ((0, n),)) for n in MANY)),
    "a value put in often": lambda: _told(Note("{a}" * 3_000, {"a": "x" * 50_000})),
    "a sentence without end": lambda: _told(Note("a " * 30_000)),
    "a word without end": lambda: _told(Note("a" * 60_000)),
    "a letter with marks without end": lambda: _told(Note("a" + "\u0301" * 30_000)),
    "a banner without end": lambda: _around(banner=Text("b " * 30_000)),
    "a goal without end": lambda: _around(phase="lobby", goal="b " * 30_000),
    "a name without end": lambda: _around(players=(views.player("n" * 60_000),) * 5),
    "a card without end": lambda: _seen(zones=(Zone("hand", 0, ("T" * 60_000,), 1),)),
}


@pytest.mark.parametrize("make", HEAVY.values(), ids=HEAVY)
def test_the_heaviest_show_is_on_the_screen_soon(make: Callable[[], Show]) -> None:
    show = make()
    assert not incoherence(show)
    began = time.process_time()
    screen = see(Screen(), show, 1.0)
    rows(screen, 80, 24, 1.0)
    rows(press(screen, "s", 2.0)[0], 80, 24, 2.0)
    plain.news(Screen(), screen, 2.0)
    assert time.process_time() - began < SOON
