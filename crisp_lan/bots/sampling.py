"""Choosing by simulation: hidden cards drawn by lot, and what does best in many such worlds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import log
from random import Random
from typing import TypeVar

Option = TypeVar("Option")
World = TypeVar("World")

_SOME = 4
"""How many worlds tell enough to drop the options that do worst."""


def drawn(weights: Sequence[float], count: int, lots: Random) -> list[int]:
    """So many different places, each the likelier the more it weighs (Efraimidis–Spirakis)."""
    ranked = sorted(
        (-log(1 - lots.random()) / weight, place) for place, weight in enumerate(weights)
    )
    return [place for _, place in ranked[:count]]


def best(
    options: Sequence[Option],
    worlds: Iterator[World],
    worth: Callable[[World, Option], float],
    effort: int,
) -> Option:
    """The option worth most on average, when `worth` is asked about `effort` times.

    All are tried in the same worlds. Each time the number of worlds has doubled, the half of them
    that did worse is dropped (sequential halving), so that effort goes where it is needed.
    """
    sums = dict.fromkeys(range(len(options)), 0.0)
    tried, stage = 0, _SOME
    while len(sums) > 1 and effort > 0:
        world = next(worlds)
        for place in sums:
            sums[place] += worth(world, options[place])
        effort -= len(sums)
        tried += 1
        if tried == stage and len(sums) > 2:
            ranked = sorted(sums, key=sums.__getitem__, reverse=True)
            sums = {place: sums[place] for place in ranked[: (len(ranked) + 1) // 2]}
            stage *= 2
    return options[max(sums, key=sums.__getitem__)]
