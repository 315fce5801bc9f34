"""Seven play on while many come back and strangers knock: `tests.system.storm`, for a while."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.system import storm

pytestmark = pytest.mark.system


async def test_who_returns_is_never_limited_and_strangers_are_and_seven_play_on(
    tmp_path: Path,
) -> None:
    report = await storm.measured(tmp_path, 15)
    assert report.storm.knocked == report.storm.asked == 1000
    assert len(report.storm.returned) > 20
    assert not report.storm.failed
    assert 0 < report.storm.heard <= report.allowed
    assert len(report.fanouts) > 100
    assert storm.percentile(report.fanouts, 50) < storm.BUDGET  # the tail is the other tests'
