"""Bots that find a table by themselves play there until it closes."""

from __future__ import annotations

import pytest

from tests.system.conftest import GameOfBots

pytestmark = pytest.mark.system
LONGEST = 240.0


def test_bots_find_a_table_play_there_and_all_end_well(game_of_bots: GameOfBots) -> None:
    table = game_of_bots.table
    assert table.ended(LONGEST) == 0
    assert [bot.ended() for bot in game_of_bots.bots] == [0, 0]
    assert all(bot.err == "" for bot in game_of_bots.bots)
    assert "Traceback" not in table.err
    record = table.record()
    assert sorted(seat["by"] for seat in record[0]["seats"]) == ["bot:normal"] * 3
    assert record[-1]["kind"] == "end"
