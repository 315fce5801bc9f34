import random

import pytest

from crisp_lan.bots import pace
from crisp_lan.game.rules import Act, Clock, Millis, View
from tests.bots.views import crisp_view


def paces(view: View, act: Act, times: int = 300) -> list[Millis]:
    lots = random.Random(5)
    return [pace(view, act, lots) for _ in range(times)]


def test_a_bot_takes_a_persons_time_and_varies_it() -> None:
    found = paces(crisp_view("swap", "discard", drawn="4C"), Act("discard"))
    assert min(found) > 1000
    assert max(found) < 5000
    assert len(set(found)) > 200


def test_its_delay_does_not_tell_which_card_it_drew() -> None:
    held = [
        (crisp_view("king", drawn="KC"), Act("king")),
        (crisp_view("queen", "discard", drawn="QC"), Act("queen", ("left", 1, "left"))),
        (crisp_view("jack", "discard", drawn="JC"), Act("jack")),
        (crisp_view("swap", "discard", drawn="2C"), Act("swap", ("left",))),
        (crisp_view("swap", "discard", drawn="9C"), Act("discard")),
    ]
    assert len({tuple(paces(view, act)) for view, act in held}) == 1


@pytest.mark.parametrize(("one", "other"), [("draw", "take"), ("look", "skip")])
def test_its_delay_does_not_tell_what_it_is_going_to_choose(one: str, other: str) -> None:
    view = crisp_view(one, other, discards=1, top="3C")
    assert paces(view, Act(one)) == paces(view, Act(other))


def test_a_call_comes_well_within_the_window() -> None:
    window = Clock("crisp window", 0, ends=50_000, total=3000, loud=True)
    found = paces(crisp_view("crisp", turn=1, clocks=(window,)), Act("crisp"))
    assert min(found) > 400
    assert max(found) <= 2250


def test_it_thinks_no_longer_than_its_shortest_clock_allows() -> None:
    clocks = (Clock("draw", 0, 9000, 2000), Clock("draw", 1, 9000, 100))
    assert max(paces(crisp_view("swap", drawn="4C", clocks=clocks), Act("swap", ("left",)))) == 1500
