"""Terminals side by side: found, joined and played by keys alone, as people do it."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.system.by_keys import Evening, Plan, briscola, crisp, crisps, keep
from tests.system.panes import tmux
from tests.system.running import own_loopback, record_in

pytestmark = pytest.mark.system

FACE = re.compile(r"[♣♦♥♠│┌]|\b[A2-9TJQK][CDHS]\b|\bhand\b")
"""A card, or the frame or the words that it is shown in."""

DEALS = "--deal-seed=1"
"""Cards with which each screen comes up: somebody draws one that may be swapped in, and somebody
holds several that go together."""


@pytest.mark.parametrize(
    "plan",
    [crisp(DEALS, limit=1, patience=1), briscola(DEALS, first_to=1), crisps(DEALS)],
    ids=["three-play-crisp", "four-play-briscola", "two-play-crisps"],
)
def test_people_play_a_game_by_keys_and_see_the_same_standings(tmp_path: Path, plan: Plan) -> None:
    with own_loopback() as start, tmux(tmp_path, start) as server:
        evening = Evening(server, tmp_path, plan)
        seen = evening.play(seconds=600.0)
        assert set(seen[0]) == set(plan.names)
        assert all(each == seen[0] for each in seen)
        assert evening.close() == [0] * len(plan.names)
        kept = evening.left_behind
        assert len(kept) > 2 * len(plan.names)
        assert not [text for text in kept if FACE.search(text)]
    record = record_in(tmp_path / "Ayu")
    assert [seat["name"] for seat in record[0]["seats"]] == list(plan.names)
    scores = {str(seat): seen[0][name] for seat, name in enumerate(plan.names)}
    assert record[-1]["scores"] == scores
    assert set(evening.screens) == set(plan.screens)
    if folder := os.environ.get("CRISP_LAN_SCREENS"):
        keep(evening.screens, Path(folder))
