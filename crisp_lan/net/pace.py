"""How often somebody may do something: a few times at once, and then with breaks between."""

from __future__ import annotations

import math

import trio


class Pace:
    """Lets `burst` through at once, and then `rate` a second. Who comes too early waits, or is
    told so."""

    def __init__(self, burst: int, rate: float) -> None:
        self._each = 1 / rate
        self._credit = (burst - 1) / rate
        self._paid_until = -math.inf

    @property
    def rested(self) -> bool:
        """Whether it is as if nobody had come yet."""
        return trio.current_time() >= self._paid_until

    def lets_through(self) -> bool:
        """Whether the next may go now, and then it has gone."""
        now = trio.current_time()
        if now < self._paid_until - self._credit:
            return False
        self._paid_until = max(self._paid_until, now) + self._each
        return True

    async def wait(self) -> None:
        """Returns when the next may go; whoever gives up waiting has used nothing up."""
        while not self.lets_through():  # noqa: ASYNC110
            await trio.sleep_until(self._paid_until - self._credit)  # another may go first


class Paces:
    """A pace for each address: what its connections do together."""

    def __init__(self, burst: int, rate: float) -> None:
        self._limits = burst, rate
        self._paces: dict[str, Pace] = {}

    def of(self, address: str) -> Pace:
        """The pace of an address, to be asked for anew each time: it is kept while it counts."""
        if address not in self._paces:
            self._paces = {a: pace for a, pace in self._paces.items() if not pace.rested}
            self._paces[address] = Pace(*self._limits)
        return self._paces[address]
