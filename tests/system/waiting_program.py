"""A player who waits for a table that never answers: what a start costs, and an idle screen."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from crisp_lan.front import Looks, spend_evening


@asynccontextmanager
async def waited_for() -> AsyncIterator[None]:
    import trio

    await trio.sleep_forever()
    yield


if __name__ == "__main__":
    sys.exit(spend_evening(waited_for, Looks()))
