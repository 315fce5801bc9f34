"""How often somebody may do something, under a clock that jumps."""

from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock

from crisp_lan.net.pace import Pace


async def test_a_burst_goes_at_once_and_what_follows_at_the_rate(
    autojump_clock: MockClock,
) -> None:
    pace, times = Pace(5, 4), []
    for _ in range(9):
        await pace.wait()
        times.append(trio.current_time())
    assert times[:5] == [times[0]] * 5
    assert [later - times[0] for later in times[5:]] == pytest.approx([0.25, 0.5, 0.75, 1.0])


async def test_who_was_quiet_for_a_while_has_a_burst_again(autojump_clock: MockClock) -> None:
    pace = Pace(5, 4)
    for _ in range(2):
        start = trio.current_time()
        for _ in range(5):
            await pace.wait()
        assert trio.current_time() == start
        await trio.sleep(1.25)


async def test_who_gives_up_waiting_has_used_nothing_up(autojump_clock: MockClock) -> None:
    pace = Pace(1, 1)
    await pace.wait()
    for _ in range(100):
        with trio.move_on_after(0.001):
            await pace.wait()
    await pace.wait()
    assert trio.current_time() == pytest.approx(1.0)


async def test_who_may_not_go_now_uses_nothing_up_by_asking(autojump_clock: MockClock) -> None:
    pace = Pace(2, 1)
    assert pace.rested
    assert [pace.lets_through() for _ in range(50)] == [True, True] + [False] * 48
    await trio.sleep(1)
    assert [pace.lets_through() for _ in range(2)] == [True, False]
    assert not pace.rested
    await trio.sleep(2)
    assert pace.rested
