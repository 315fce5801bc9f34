"""A whole match of every game, played through the screen alone: by keys, and by typed lines."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.match import begin, deal, deck, wake, wake_at, wants_deck
from crisp_lan.game.rules import Act, Choice
from crisp_lan.game.state import Table, TableStep
from crisp_lan.game.table import apply, opened, sit
from crisp_lan.game.views import round_view, table_view
from crisp_lan.net.messages import Show
from crisp_lan.text import cells
from crisp_lan.tui.model import Screen, Send, keyed, own_hand, see
from crisp_lan.tui.paint import rows
from crisp_lan.tui.picking import candidates
from crisp_lan.tui.plain import news
from crisp_lan.tui.pressing import RELEASE, press
from crisp_lan.tui.typed import heard

BESIDE = ("pause", "ask", "remove")
"""What may be done at the table and brings no match to its end."""

Player = Callable[[Screen, random.Random], Act]


class Evening:
    """One table and a screen for each seat and for a watcher."""

    def __init__(self, key: str, players: int, lots: random.Random) -> None:
        self.lots = lots
        self.now = 0
        self.version = 0
        self.table = opened(GAMES[key], {})
        for n in range(players):
            self.table = sit(self.table, 0, f"player {n}", "person", host=n == 0).table
        self.screens: dict[int | None, Screen] = {
            seat: Screen() for seat in (None, *range(players))
        }
        self.lines: list[str] = []
        self.tell(begin(self.table))

    def tell(self, step: TableStep) -> None:
        """Everybody sees the next table."""
        self.table = step.table
        self.version += 1
        for seat, before in self.screens.items():
            notes = tuple(n for n in step.notes if n.to is None or seat in n.to)
            around, seen = table_view(self.table, seat), round_view(self.table, seat)
            show = Show(
                *(self.version, self.now, self.version, self.version),
                *(seat, around, seen, notes),
            )
            after = see(before, show, self.now / 1000)
            self.lines += news(before, after, self.now / 1000)
            self.screens[seat] = after

    def go_on(self, player: Player) -> None:
        """Somebody who can acts, or the next deadline comes."""
        if wants_deck(self.table):
            cards = shuffled(deck(self.table), self.lots)
            return self.tell(deal(self.table, self.now, cards, 0))
        able = [seat for seat, screen in self.screens.items() if _offers(screen)]
        due = wake_at(self.table)
        if due is not None and (not able or self.lots.random() < 0.1):
            self.now = due
            return self.tell(wake(self.table))
        seat = self.lots.choice(able)
        assert seat is not None
        act = player(self.screens[seat], self.lots)
        return self.tell(apply(self.table, self.now, seat, act))


def _offers(screen: Screen) -> bool:
    return any(choice.name not in BESIDE for _key, choice in keyed(screen))


def by_keys(screen: Screen, lots: random.Random) -> Act:
    """Some choice, made with keys as a player would."""
    key, choice = lots.choice(
        [(k, choice) for k, choice in keyed(screen) if choice.name not in BESIDE]
    )
    keys = [key, *marks(screen, choice, lots)]
    for _step in range(20):
        screen, wish = press(screen, keys.pop(0), 0.0)
        if isinstance(wish, Send):
            return wish.act
        keys = keys or [lots.choice([candidate.key for candidate in candidates(screen)])]
    raise AssertionError("a choice has no end")


def by_lines(screen: Screen, lots: random.Random) -> Act:
    """Some choice, typed as numbers."""
    offers = [(n, c) for n, (_key, c) in enumerate(keyed(screen), 1) if c.name not in BESIDE]
    number, choice = lots.choice(offers)
    line = " ".join([str(number), *marks(screen, choice, lots)[:-1]])
    for _step in range(9):
        meant = heard(screen, line, 0.0)
        assert meant.keys[0] == RELEASE
        screen, wish = press(screen, " ".join(meant.keys), 0.0)
        if isinstance(wish, Send):
            return wish.act
        line = str(lots.choice([candidate.number for candidate in candidates(screen)]))
    raise AssertionError("a choice has no end")


def marks(screen: Screen, choice: Choice, lots: random.Random) -> list[str]:
    """The keys that mark one of the sets on offer, and Enter; none where nothing is marked."""
    hand = own_hand(screen)
    if not choice.sets or hand is None:
        return []
    left, keys = list(lots.choice(choice.picks)), []
    for number, card in enumerate(hand.faces, 1):
        if card in left:
            left.remove(card)
            keys.append(str(number))
    return [*keys, "enter"]


@pytest.mark.parametrize("player", [by_keys, by_lines])
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_is_played_through_the_screen(game: str, player: Player) -> None:
    evening = Evening(
        game, 2 if 2 in GAMES[game].seats else min(GAMES[game].seats), random.Random(7)
    )
    for step in range(3000):
        evening.go_on(player)
        if evening.table.phase == "lobby":
            break
        if step % 7 == 0:
            _check_pictures(evening)
    assert evening.table.results
    assert all(line.isprintable() for line in evening.lines)
    _check_pictures(evening)


@pytest.mark.parametrize("game", GAMES)
def test_the_fullest_table_is_painted_in_every_position(game: str) -> None:
    evening = Evening(game, max(GAMES[game].seats), random.Random(8))
    while evening.table.phase != "reveal":
        evening.go_on(by_keys)
        _check_pictures(evening)


def _check_pictures(evening: Evening) -> None:
    for screen in evening.screens.values():
        for row in rows(screen, 80, 24, evening.now / 1000):
            assert sum(cells(text) for _style, text in row) == 80


@pytest.mark.parametrize("game", GAMES)
def test_no_round_end_is_cut_at_80_columns(game: str) -> None:
    evening = Evening(game, min(GAMES[game].seats), random.Random(7))
    while evening.table.phase != "lobby":
        evening.go_on(by_keys)
        if evening.table.phase == "reveal":
            view = evening.screens[0].view
            titles = [name for name, _numbers in view.sheet] + ["score", "place"]
            pictures = [
                ["".join(text for _style, text in row) for row in rows(screen, 80, 24, 0.0)]
                for screen in evening.screens.values()
            ]
            for picture in pictures:
                [heading] = [line for line in picture if "player " in line and "place" in line]
                assert all(title in heading for title in titles)
                won = sum(line.count("wins") for line in picture[2:-4])
                assert not evening.table.winners or won
    assert evening.table.results


def test_two_screens_of_one_table_differ_in_no_public_matter() -> None:
    evening = Evening("crisp", 4, random.Random(9))
    for _step in range(60):
        evening.go_on(by_keys)
    tables = {_public(screen, evening.table) for screen in evening.screens.values()}
    assert len(tables) == 1


def _public(screen: Screen, table: Table) -> str:
    assert screen.view is not None
    middle = [zone for zone in screen.view.zones if zone.owner is None]
    return repr((screen.view.phase, screen.view.turn, screen.view.tags, middle, table.round))
