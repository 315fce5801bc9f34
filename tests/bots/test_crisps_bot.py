"""The Crisps! player: what it leads, follows and picks, and how much better than by lot."""

from __future__ import annotations

import pytest

from crisp_lan.arena import arena, played
from crisp_lan.bots.crisps_ahead import World
from crisp_lan.bots.crisps_duel import CrispsDuelBot
from crisp_lan.bots.crisps_hands import CRISP, chosen, cost, hand_of, holds, play_of, playable
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


def test_normal_does_not_break_a_run_to_follow_with_a_single_card() -> None:
    deal = Deal("2 9 9", "3 4 5 6 7 8 C").plays(0, "2")
    assert does(deal, 1, "normal") == Act("play", ("C",))
    deal = Deal("2 9 9", "4 5 6 7 8 8").plays(0, "2")
    assert does(deal, 1, "normal") == Act("play", ("8",))


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_takes_the_open_card_where_that_fits_the_hand(level: str) -> None:
    fits = Deal("1 2 4 5 9", "8 8", draws="3 1").plays(0, "9").does(1, "pass")
    assert does(fits, 0, level) == Act("pick", ("up",))
    useless = Deal("4 5 6 8 8 9", "7 7", draws="1 2").plays(0, "9").does(1, "pass")
    assert does(useless, 0, level) == Act("pick", ("deck",))


def test_what_some_cards_are() -> None:
    pairs, three = play_of(cards("4 4 5 5")), play_of(cards("C C C"))
    assert (pairs.copies, pairs.ranks, pairs.top, pairs.special) == (2, 2, 4, False)
    assert (three.size, three.top, three.special) == (3, CRISP, True)


def test_a_hand_holds_what_can_be_taken_out_of_it() -> None:
    hand = hand_of(cards("3 4 5 5"))
    assert holds(hand, play_of(cards("3 4 5")))
    assert not holds(hand, play_of(cards("4 4")))
    assert hand - play_of(cards("3 4 5")).cards == hand_of(cards("5"))


def test_what_may_follow_what() -> None:
    hand = hand_of(cards("3 3 3 5 5 C"))
    single = play_of(cards("C"))
    after = {play.cards for play in playable(hand, single, runs=False)}
    assert after == {hand_of(cards("C")), hand_of(cards("3 3 3"))}
    assert playable(hand_of(cards("7 8 9 C")), play_of(cards("7 8 9")), runs=False) == [
        play_of(cards("7 8 9"))
    ]


def test_a_run_is_nearer_to_empty_than_as_many_single_cards() -> None:
    assert cost(hand_of(cards("3 4 5 6")), False) < cost(hand_of(cards("3 5 7 9")), False)
    assert chosen(hand_of(cards("3 4 5")), None, False) == play_of(cards("3 4 5"))


def test_a_world_is_played_on_to_its_end() -> None:
    single, onto = play_of(cards("9")), play_of(cards("8"))
    assert World(hand_of(("9",)), hand_of(("1",)), onto, None, (), False).wins(single) == 1
    assert World(hand_of(("9", "1")), hand_of(("1",)), onto, None, (), False).wins(None) == 0


def test_easy_wins_far_more_often_than_by_lot() -> None:
    best, _ = arena("crisps", 24, 2, ("easy", "anygame"), {}, seed=4)
    assert best.level == "easy"
    assert best.least > 0.65


@pytest.mark.parametrize(
    ("better", "worse", "games"), [("hard", "normal", 12), ("normal", "easy", 30)]
)
def test_a_level_beats_the_one_below_it(better: str, worse: str, games: int) -> None:
    best, _ = arena("crisps", games, 2, (better, worse), {}, seed=4)
    assert best.level == better
    assert best.share > 0.55


@pytest.mark.parametrize("on", [False, True])
def test_it_finishes_games_with_every_option(on: bool) -> None:
    options = {"face_up_draw": not on, "runs_with_crisps": on, "auto_skip": on}
    *_, end = played("crisps", 2, ("normal", "hard"), options, 1)
    assert end["kind"] == "end"
