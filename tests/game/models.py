"""Crisp counted a second time, without looking at how the game does it.

`scored` adds up hands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from crisp_lan.game.rules import Card

POINTS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}


def scored(hands: Mapping[int, Sequence[Card]], caller: int) -> dict[int, int]:
    """What each seat's score changes by."""
    sums = {}
    for seat, (left, middle, right) in hands.items():
        sums[seat] = sum(POINTS.get(c[0]) or int(c[0]) for c in (left, middle, right))
    better = [seat for seat in sums if seat != caller and sums[seat] <= sums[caller]]
    return sums | {caller: sums[caller] + (5 if better else -5)}
