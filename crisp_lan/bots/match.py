"""What everybody at a table knows of the match that a round belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from crisp_lan.game.rules import Seat


@dataclass(frozen=True, slots=True)
class Match:
    """The scores before this round, and the one that ends the match, where there is one."""

    scores: Mapping[Seat, int] = field(default_factory=dict)
    target: int | None = None


UNTOLD = Match()
"""Of a bot that was told nothing of it."""
