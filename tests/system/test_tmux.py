"""Three terminals side by side: found, joined and played by keys alone, as people do it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.system.by_keys import NAMES, SCREENS, Evening, keep
from tests.system.panes import tmux
from tests.system.running import own_loopback, record_in

pytestmark = pytest.mark.system


def test_three_people_play_a_game_by_keys_and_see_the_same_standings(tmp_path: Path) -> None:
    with own_loopback() as start, tmux(tmp_path, start) as server:
        evening = Evening(server, tmp_path, limit=1, low=9.0, patience=1)
        seen = evening.play(seconds=60.0)
        assert set(seen[0]) == set(NAMES)
        assert seen[0] == seen[1] == seen[2]
        assert evening.close() == [0, 0, 0]
    record = record_in(tmp_path / "Ayu")
    assert [seat["name"] for seat in record[0]["seats"]] == list(NAMES)
    assert record[-1]["scores"] == {str(seat): seen[0][name] for seat, name in enumerate(NAMES)}
    assert set(evening.screens) == set(SCREENS)
    if folder := os.environ.get("CRISP_LAN_SCREENS"):
        keep(evening.screens, Path(folder))
