"""The Crisps! player: what it leads, follows and picks, and how much better than by lot."""

from __future__ import annotations

import pytest

from crisp_lan.arena import arena, played
from crisp_lan.bots.crisps_duel import (
    COPIES,
    CrispsDuelBot,
    Play,
    at_least,
    by_counting,
    counted,
    play_of,
)
from crisp_lan.game.rules import Act
from tests.game.crisps_tables import Deal, cards

LEVELS = ("easy", "normal", "hard")


def does(deal: Deal, seat: int, level: str) -> Act | None:
    bot = CrispsDuelBot(level)
    bot.see(deal.view(seat), deal.notes)
    return bot.choose(deal.view(seat))


@pytest.mark.parametrize("level", LEVELS)
def test_a_play_that_empties_the_hand_is_made(level: str) -> None:
    assert does(Deal("3 4 5", "9 9"), 0, level) == Act("play", cards("3 4 5"))
    assert does(Deal("4 C", "9 9").plays(0, "4"), 1, level) == Act("play", ("9",))


@pytest.mark.parametrize("level", LEVELS)
def test_it_passes_where_nothing_else_is_offered_and_waits_where_nothing_is(level: str) -> None:
    deal = Deal("9 C", "2 3").plays(0, "9")
    assert does(deal, 1, level) == Act("pass")
    assert does(deal, 0, level) is None


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_does_not_break_a_run_to_follow_with_a_single_card(level: str) -> None:
    deal = Deal("2 9 9", "3 4 5 6 7 8 C").plays(0, "2")
    assert does(deal, 1, level) == Act("play", ("C",))
    deal = Deal("2 9 9", "4 5 6 7 8 8").plays(0, "2")
    assert does(deal, 1, level) == Act("play", ("8",))


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_takes_the_open_card_where_that_fits_the_hand(level: str) -> None:
    fits = Deal("1 2 4 5 9", "8 8", draws="3 1").plays(0, "9").does(1, "pass")
    assert does(fits, 0, level) == Act("pick", ("up",))
    useless = Deal("4 5 6 8 8 9", "7 7", draws="1 2").plays(0, "9").does(1, "pass")
    assert does(useless, 0, level) == Act("pick", ("deck",))


def test_what_some_cards_are() -> None:
    assert play_of(cards("4 4 5 5")) == Play(2, 2, 4)
    assert play_of(cards("C C C")) == Play(3, 1, 9)
    assert Play(1, 3, 4).without(counted(cards("3 4 5 5"))) == counted(cards("5"))


def test_counting_knows_what_cannot_be_followed() -> None:
    wins = by_counting(counted(cards("1 1 2 2 3 3 4 4 8")), 5)
    assert wins(play_of(cards("9"))) == 1
    assert wins(play_of(cards("C"))) == 1
    assert wins(play_of(cards("5 5"))) == 1
    assert wins(play_of(cards("3 3"))) < 1
    assert wins(play_of(cards("1 2 3 4 5 6"))) == 1
    assert at_least(1, COPIES, 8, 5) == pytest.approx(1)
    assert at_least(2, 2, 4, 2) == pytest.approx(1 / 6)


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_wins_far_more_often_than_by_lot(level: str) -> None:
    best, _ = arena("crisps", 24, 2, (level, "anygame"), {}, seed=4)
    assert best.level == level
    assert best.least > 0.65


@pytest.mark.parametrize("on", [False, True])
def test_it_finishes_games_with_every_option(on: bool) -> None:
    options = {"face_up_draw": not on, "runs_with_crisps": on, "auto_skip": on}
    *_, end = played("crisps", 2, ("normal", "hard"), options, 1)
    assert end["kind"] == "end"
