"""How tests that run side by side share the machine.

A test marked `alone` holds a limit of a few seconds, which says something only where nothing else
wants the cores. Such tests come first, one after the other; the other workers wait for them. No
other test is held to a time, those with generated inputs (hypothesis) neither.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

try:
    import fcntl
except ImportError:  # Windows, where system tests do not run
    fcntl = None  # type: ignore[assignment]

DOOR = Path(__file__)
ROOM = DOOR.with_name("conftest.py")
"""Two files to lock: any that are there will do."""

settings.register_profile(
    "shared", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared")

_held = ExitStack()
_alone = False


def wants_alone(item: pytest.Item | None) -> bool:
    return item is not None and item.get_closest_marker("alone") is not None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not wants_alone(item))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    global _alone
    if "PYTEST_XDIST_WORKER" in os.environ and fcntl and not _alone:
        _alone = wants_alone(item)
        _take(fcntl.LOCK_EX if _alone else fcntl.LOCK_SH)
    result = yield
    _alone = _alone and wants_alone(nextitem)
    if not _alone:
        _held.close()
    return result


def _take(lock: int) -> None:
    """Waits for the machine. Whoever waits for all of it keeps the door, so that nobody passes."""
    with DOOR.open("rb") as door:
        fcntl.flock(door, fcntl.LOCK_EX)
        fcntl.flock(_held.enter_context(ROOM.open("rb")), lock)
