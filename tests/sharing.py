"""How tests that run side by side share the machine.

A test marked `timed` holds a limit of a few seconds, which says something only where nobody keeps
the cores busy. Such tests come first, and no other begins before the last of them has ended. No
other test is held to a time, those with generated inputs (hypothesis) neither.

Hundreds of processes are started: what one has compiled is kept for the others, whatever the
environment says of that, and one worker compiles the tests before the others read them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator

import pytest
from hypothesis import HealthCheck, settings

try:
    import fcntl
except ImportError:  # Windows, where system tests do not run
    fcntl = None  # type: ignore[assignment]

settings.register_profile(
    "shared", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("shared")

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

_timed = os.open(__file__, os.O_RDONLY)
"""Locked, shared, by each worker that runs timed tests; before, by the one that collects first."""
_beside = fcntl is not None and "PYTEST_XDIST_WORKER" in os.environ


def is_timed(item: pytest.Item | None) -> bool:
    return item is not None and item.get_closest_marker("timed") is not None


def order(item: pytest.Item) -> int:
    """Timed tests, then those that wait for processes, then those that compute."""
    return 0 if is_timed(item) else 1 if item.get_closest_marker("system") else 2


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    if not _beside:
        return (yield)
    try:
        fcntl.flock(_timed, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        fcntl.flock(_timed, fcntl.LOCK_SH)
    try:
        return (yield)
    finally:
        fcntl.flock(_timed, fcntl.LOCK_UN)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=order)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, object, object]:
    if _beside:
        fcntl.flock(_timed, fcntl.LOCK_SH if is_timed(item) else fcntl.LOCK_EX)
    if _beside and not is_timed(item):
        fcntl.flock(_timed, fcntl.LOCK_UN)
    result = yield
    if _beside and not is_timed(nextitem):
        fcntl.flock(_timed, fcntl.LOCK_UN)
    return result
