"""A table that says what a test has it say, as a client shows it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import trio

from crisp_lan.game.rules import Act, Choice, Clock, Note, Player, TableView, View
from crisp_lan.net.client import News
from crisp_lan.net.messages import Hello, Show, Welcome

DRAW = Choice("draw", "Draw", ((),), "d")
END = Choice("end", "End the table", ((),))
FAREWELL = "The host has ended the table."


def show(
    *choices: Choice,
    clocks: tuple[Clock, ...] = (),
    seat: int | None = 0,
    notes: tuple[Note, ...] = (),
    done: int = 0,
) -> Show:
    """What the table says: Ayu and Budi, in a round."""
    players = tuple(Player(name, "person", "", False, True, True, 0, 1) for name in ("Ayu", "Budi"))
    table = TableView(
        phase="round",
        game="crisp",
        title="Crisp",
        goal="",
        size=8,
        players=players,
        options=(),
        round=1,
        target=100,
        paused=False,
        repeatable=False,
        winners=(),
        results=(),
        choices=tuple(choice for choice in choices if choice.name == "end"),
        clocks=(),
    )
    of_round = tuple(choice for choice in choices if choice.name != "end")
    view = View(seat, "Play", 1, (), of_round, clocks)
    return Show(1, 0, 1, done, seat, table, view, notes)


class Table:
    """A table as its client shows it; the test says what it says."""

    def __init__(self) -> None:
        self.hello = Hello(1, "fake", "id", "Ayu's table")
        self.welcome = Welcome("token", ("192.0.2.7",), 27477)
        self.fingerprint = "ab" * 32
        self.trip = 0.0
        self.acts: list[Act] = []
        self.said: list[str] = []
        self.left = self.closed = False
        self.says, self._news = trio.open_memory_channel[News](100)

    @asynccontextmanager
    async def joined(self) -> AsyncIterator[Table]:
        try:
            yield self
            await trio.sleep(0.5)  # What is still to be written.
            self.closed = True
        finally:
            self.says.close()

    async def receive(self) -> News:
        return await self._news.receive()

    def act(self, act: Act) -> None:
        self.acts.append(act)

    def say(self, words: str) -> None:
        self.said.append(words)

    def leave(self) -> None:
        self.left = True
