"""How often somebody may do something: a few times at once, and then with breaks between."""

from __future__ import annotations

import math

import trio


class Pace:
    """Lets `burst` through at once, and then `rate` a second. Who comes too early waits."""

    def __init__(self, burst: int, rate: float) -> None:
        self._each = 1 / rate
        self._credit = (burst - 1) / rate
        self._paid_until = -math.inf

    async def wait(self) -> None:
        """Returns when the next may go; whoever gives up waiting has used nothing up."""
        while trio.current_time() < (due := self._paid_until - self._credit):  # noqa: ASYNC110
            await trio.sleep_until(due)  # another who waits may go first
        self._paid_until = max(self._paid_until, trio.current_time()) + self._each
