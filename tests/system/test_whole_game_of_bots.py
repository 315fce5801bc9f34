"""Bots that find a table by themselves play there until it closes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system.running import LOOPBACK, headless, own_loopback, program

pytestmark = pytest.mark.system

LONGEST = 240.0
SHORT_GAME = "--deal-seed=51"
"""Three bots, who take their time, call crisp early after this deal: half a minute, not three."""


def test_bots_find_a_table_play_there_and_all_end_well(tmp_path: Path) -> None:
    words = ("--seats=3", "--bots=1", "--once", "--limit=1", SHORT_GAME, *LOOPBACK)
    with (
        own_loopback() as start,
        headless(tmp_path, *words, start=start) as table,
        program(tmp_path, "bot", *LOOPBACK, start=start) as one,
        program(tmp_path, "bot", *LOOPBACK, start=start) as other,
    ):
        assert table.ended(LONGEST) == 0
        assert (one.ended(), other.ended()) == (0, 0)
        assert (one.err, other.err) == ("", "")
        assert "Traceback" not in table.err
        record = table.record()
    assert sorted(seat["by"] for seat in record[0]["seats"]) == ["bot:normal"] * 3
    assert record[-1]["kind"] == "end"
