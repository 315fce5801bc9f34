"""The long runs of `day`, `soak` and `idle`, for a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system import idle, soak
from tests.system.day import ROOM, day

pytestmark = pytest.mark.system


@pytest.mark.parametrize(("game", "hours"), [("crisp", 0.5), ("briscola", 0.3), ("crisps", 0.3)])
def test_a_table_obeys_the_laws_whoever_comes_and_goes_and_keeps_nothing(
    game: str, hours: float
) -> None:
    report = day(game, hours)
    assert report.done["steps"] > 100
    assert all(report.done[what] for what in ("returns", "resends", "refusals", "timeout"))
    assert report.growth < ROOM, str(report)


def test_bots_play_at_a_table_that_takes_no_more_and_no_more(tmp_path: Path) -> None:
    report = soak.measured(tmp_path, 0.2)
    assert report.holds, str(report)


def test_nobodys_doing_anything_costs_next_to_nothing(tmp_path: Path) -> None:
    [report] = idle.measured(tmp_path, 0.2, [idle.LOBBY], settled=5)
    # The budget is for a machine of their own, and `idle` holds them to it; beside other tests the
    # same work takes up to twice the time.
    assert report.table.keeps_to(2 * idle.TABLE), str(report)
    assert all(screen.keeps_to(2 * idle.SCREEN) for screen in report.screens), str(report)
