"""Drawing hidden cards by lot, and finding what does best."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random

from crisp_lan.bots.sampling import best, drawn


def test_places_are_drawn_as_often_as_they_weigh() -> None:
    lots = Random(1)
    found = Counter(drawn([1.0, 2.0, 1.0], 1, lots)[0] for _ in range(2000))
    assert 900 < found[1] < 1100
    assert sorted(drawn([1.0, 5.0, 1.0], 3, lots)) == [0, 1, 2]


def test_what_does_best_is_found_within_the_effort() -> None:
    asked: Counter[str] = Counter()

    def worth(world: int, option: str) -> float:
        asked[option] += 1
        return (option == "good") + (world * len(option)) % 3 / 4

    assert best(["bad", "worse", "good", "terrible"], count(), worth, 60) == "good"
    assert 60 <= asked.total() < 64
    assert asked["good"] > 2 * min(asked.values())


def test_a_single_option_needs_no_thought() -> None:
    assert best([7], iter(()), lambda world, option: 0.0, 100) == 7
