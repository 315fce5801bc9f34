import random
from collections import Counter

from crisp_lan import bots
from crisp_lan.bots.anygame import OUT_OF_TURN, AnyGame
from crisp_lan.game.rules import Act, Choice, View
from tests.bots.views import crisp_view

OFFERED = (Choice("play", "", (("7C",), ("2D",), ("4S",))), Choice("pass", ""))


def answers(view: View, times: int = 2000) -> Counter[Act | None]:
    lots = random.Random(1)
    found: Counter[Act | None] = Counter()
    for _ in range(times):
        player = AnyGame(lots)
        player.see(view, ())
        found[player.choose(view)] += 1
    return found


def test_every_choice_is_as_likely_as_any_other_and_so_is_each_pick() -> None:
    found = answers(crisp_view(*OFFERED))
    assert 900 < found[Act("pass")] < 1100
    for card in ("7C", "2D", "4S"):
        assert 260 < found[Act("play", (card,))] < 410


def test_it_always_acts_in_its_own_turn_and_when_it_is_nobodys() -> None:
    assert None not in answers(crisp_view(*OFFERED, turn=0))
    assert None not in answers(crisp_view(*OFFERED, turn=None))


def test_it_takes_one_in_eight_offers_of_anothers_turn() -> None:
    found = answers(crisp_view("crisp", turn=1), times=4000)
    assert 0.1 < found[Act("crisp")] / 4000 < 0.15
    assert OUT_OF_TURN == 1 / 8


def test_its_answer_stays_while_the_offer_does() -> None:
    player = AnyGame(random.Random(2))
    view = crisp_view(*OFFERED)
    player.see(view, ())
    first = player.choose(view)
    for _ in range(20):
        player.see(view, ())
        assert player.choose(view) == first


def test_it_lets_be_what_is_not_offered() -> None:
    player = AnyGame(random.Random(3))
    player.see(crisp_view(), ())
    assert player.choose(crisp_view()) is None


def test_a_game_that_no_bot_was_taught_is_played_by_lot() -> None:
    assert isinstance(bots.player("tarock", "hard", random.Random(1)), AnyGame)
    assert isinstance(bots.player("crisp", bots.ANYGAME, random.Random(1)), AnyGame)
    assert not isinstance(bots.player("crisp", "easy", random.Random(1)), AnyGame)
