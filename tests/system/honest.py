"""Players that are scripts: ordinary clients over the network that act as soon as they may."""

from __future__ import annotations

import math
import random
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import trio

from crisp_lan.game.rules import Act, Choice
from crisp_lan.net.calling import Network, Target
from crisp_lan.net.client import Client, Lost, News, at_table
from crisp_lan.net.messages import Bye, Join, No, Show
from tests.system.running import HeadlessTable

BY_LIKING = ("next", "close", "skip", "ready", "king", "discard", "swap", "draw")
"""What they do, best first, of what they are offered: no looks, no swaps, a short game."""


class Honest:
    """A player who is at the table; `calls` says whether it calls crisp when it may, `thinks` about
    how many seconds it lets pass before each act.

    `delays` are the seconds from each act to the answer, `acts` when each was sent and the version
    of the table that answered it, `came` when each version came. An act may be refused because
    somebody else was faster; then it is the latest offer that counts.
    """

    def __init__(self, client: Client, calls: Callable[[], bool], thinks: float) -> None:
        self.shows: list[Show] = []
        self.delays: list[float] = []
        self.acts: list[tuple[float, int]] = []
        self.came: list[tuple[float, int]] = []
        self.bye: Bye | None = None
        self.lost: Lost | None = None
        self._client = client
        self._calls = calls
        self._thinks = thinks
        self._lots = random.Random()
        self._act_at = math.inf
        self._acted_at = 0.0
        self._awaited = 0

    async def play(self) -> None:
        """Plays until the table says goodbye."""
        while self.bye is None:
            with trio.move_on_at(self._act_at):
                self._hear(await self._client.receive())
                continue
            self._act(self.shows[-1])

    def _hear(self, news: News) -> None:
        if isinstance(news, Show):
            self.shows.append(news)
            self.came.append((trio.current_time(), news.version))
            self._answered(news)
            self._think()
        elif isinstance(news, No):
            self._awaited = 0
            self._think()
        elif isinstance(news, Lost):
            self.lost = news
        elif isinstance(news, Bye):
            self.bye = news

    def _answered(self, show: Show) -> None:
        if self._awaited and show.done >= self._awaited:
            self.delays.append(trio.current_time() - self._acted_at)
            self.acts.append((self._acted_at, show.version))
            self._awaited = 0

    def _think(self) -> None:
        if self._thinks:
            thinks = self._thinks * self._lots.uniform(0.5, 1.5)
            self._act_at = min(self._act_at, trio.current_time() + thinks)
        else:
            self._act(self.shows[-1])

    def _act(self, show: Show) -> None:
        view, self._act_at = show.view, math.inf
        act = liked(show.table.choices + (view.choices if view else ()), self._calls())
        if act is not None and not self._awaited:
            self._client.act(act)
            self._acted_at = trio.current_time()
            self._awaited = show.done + 1


def liked(choices: tuple[Choice, ...], calls: bool = True) -> Act | None:
    """What is best liked of what is offered."""
    for name in ("crisp", *BY_LIKING) if calls else BY_LIKING:
        for choice in choices:
            if choice.name == name:
                return Act(name, choice.picks[0])
    return None


@asynccontextmanager
async def seated(
    table: HeadlessTable, name: str, calls: Callable[[], bool] = lambda: True, thinks: float = 0
) -> AsyncIterator[Honest]:
    """A player who sits at the table and plays while the block runs."""
    target = Target(tuple(table.opened["addresses"]), table.opened["port"], table.opened["id"])
    async with (
        at_table(target, Join(name), Network("127.0.0.1")) as client,
        trio.open_nursery() as nursery,
    ):
        honest = Honest(client, calls, thinks)
        nursery.start_soon(honest.play)
        yield honest
        nursery.cancel_scope.cancel()


async def until(true: Callable[[], object], seconds: float = 40.0) -> None:
    """Waits until that holds, while the players go on."""
    with trio.fail_after(seconds):
        while not true():  # noqa: ASYNC110
            await trio.sleep(0.01)
