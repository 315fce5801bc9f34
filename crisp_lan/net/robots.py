"""Bots at a table: ordinary clients that think at a human pace, and the child process of a table.

A table's own bots are played by one process beside it. It is told over its standard input which
bots to bring, one JSON object a line, and ends when that is closed. It reaches the table as anybody
does, so what a bot knows is what a seat is sent.
"""

from __future__ import annotations

import json
import logging
import math
import random
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import cycle

import trio

from crisp_lan import bots
from crisp_lan.bots.match import Match
from crisp_lan.crashes import scene
from crisp_lan.game.rules import Act, TableView, Text, View
from crisp_lan.net.calling import Network, Target, Ways
from crisp_lan.net.client import Back, Client, Lost, News, TurnedAway, at_table
from crisp_lan.net.codec import WireError
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.messages import Bye, Join, No, Show

NAMES = ("Ada", "Bruno", "Clio", "Dewi", "Emil", "Fatma", "Gustav", "Hana", "Ivo", "Juno")
PATIENCE = 30.0
"""Seconds that a bot looks for a table it has lost."""
AFTER_REFUSAL = 1.0
RESTART = 1.0
LAST_MOMENT = 1.0

COMMAND = (sys.executable, "-P", "-m", "crisp_lan", "bots")

log = logging.getLogger(__name__)


async def play_bot(
    target: Target,
    name: str,
    level: str,
    key: str = "",
    ways: Ways | None = None,
    passcode: str = "",
) -> Text:
    """Plays until the table says bye or is gone for long; returns the reason.

    A bot of the table, which has a key, plays match after match; any other leaves after one.
    Raises what `at_table` raises if the bot cannot join.
    """
    join = Join(name, key=key, level=level)
    async with at_table(target, join, ways or Network(), passcode=passcode) as client:
        return await _Robot(client, level, stays=bool(key)).play()


class _Robot:
    """One bot's seat: what it has been shown, and what it is about to do."""

    def __init__(self, client: Client, level: str, stays: bool) -> None:
        self._client = client
        self._level = level
        self._stays = stays
        self._lots = random.Random()
        self._bot: bots.Bot | None = None
        self._shown: Show | None = None
        self._act: Act | None = None
        self._act_at = math.inf
        self._lost: Lost | None = None
        self._give_up_at = math.inf

    async def play(self) -> Text:
        while True:
            with trio.move_on_at(min(self._act_at, self._give_up_at)):
                news = await self._client.receive()
                if isinstance(news, Bye):
                    return news.why
                self._take_in(news)
                continue
            if self._lost is not None:
                return self._lost.why
            self._do()

    def _take_in(self, news: News) -> None:
        if isinstance(news, Show):
            self._see(news)
        elif isinstance(news, No):
            self._act_at = trio.current_time() + AFTER_REFUSAL
            self._act = self._choice()
        elif isinstance(news, Lost):
            self._lost, self._give_up_at = news, trio.current_time() + PATIENCE
            self._act, self._act_at = None, math.inf
        elif isinstance(news, Back):
            self._lost, self._give_up_at = None, math.inf

    def _see(self, show: Show) -> None:
        shown_at = trio.current_time()
        if show.table.phase == "lobby":
            if self._bot is not None and not self._stays:
                self._client.leave()
            self._bot = None
        elif show.view is not None and show.view.seat is not None:
            if self._bot is None:
                self._bot = bots.player(show.table.game, self._level, self._lots)
            try:
                self._bot.see(show.view, show.notes, _match(show.table))
            except Exception as error:
                self._bot = self._knowing_no_game(show.view, error)
        self._shown = show
        self._think(self._choice(), shown_at)

    def _choice(self) -> Act | None:
        view = self._shown.view if self._shown else None
        if self._bot is None or view is None or not view.choices:
            return None
        try:
            return self._bot.choose(view)
        except Exception as error:
            self._bot = self._knowing_no_game(view, error)
            return self._bot.choose(view)

    def _knowing_no_game(self, view: View, error: Exception) -> bots.Bot:
        """Who plays on where a table shows what the game's bot can make no sense of."""
        log.error("a bot does not understand the table: %s", scene(error))
        bot = bots.player("", bots.ANYGAME, self._lots)
        bot.see(view, ())
        return bot

    def _think(self, act: Act | None, shown_at: float) -> None:
        """Means to do this after a while; what was meant before and still is, goes on.

        The while begins when the offer came: how long it took to choose, nobody can tell.
        """
        if act == self._act:
            return
        self._act, self._act_at = act, math.inf
        if act is not None and self._shown is not None and self._shown.view is not None:
            pause = bots.pace(self._shown.view, act, self._lots) / 1000
            self._act_at = shown_at + pause

    def _do(self) -> None:
        act, self._act, self._act_at = self._act, None, math.inf
        if act is not None:
            self._client.act(act)


def _match(table: TableView) -> Match:
    """What the table's view says of the match."""
    scores = {s: p.score for s, p in enumerate(table.players) if p.score is not None}
    return Match(scores, table.target)


# ---------------------------------------------------------------- the table's own bots


@dataclass(frozen=True, slots=True)
class Wanted:
    """A bot for the child process to bring: one line of its input."""

    addresses: Sequence[str]
    port: int
    table: str
    fingerprint: str
    name: str
    level: str
    key: str


class OwnBots:
    """The table's side of the child process; it is started for the first bot."""

    def __init__(self, target: Target, died: Callable[[], None]) -> None:
        """`died`: the process ended with all its bots, and a new one will take orders."""
        self._target = target
        self._died = died
        self._names = cycle(NAMES)
        self._order, self._orders = trio.open_memory_channel[bytes](math.inf)

    def bring(self, level: str, key: str) -> None:
        """Orders a bot that joins with this key."""
        wanted = Wanted(**asdict(self._target), name=next(self._names), level=level, key=key)
        self._order.send_nowait(json.dumps(asdict(wanted)).encode() + b"\n")

    async def run(self) -> None:
        """Passes the orders on until cancelled, which ends the process."""
        while True:
            order = await self._orders.receive()
            await self._feed(order)
            log.warning("the bots’ process ended; another one takes over")
            self._died()
            await trio.sleep(RESTART)

    async def _feed(self, order: bytes) -> None:
        """One process, from its first order until it dies."""
        process = await _opened()
        assert process.stdin is not None
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_until_dead, process, nursery.cancel_scope)
                while True:
                    await process.stdin.send_all(order)
                    order = await self._orders.receive()
        except* trio.BrokenResourceError:
            pass
        finally:
            await _end(process)


async def _opened() -> trio.Process:
    """The child process, once the system can start one."""
    while True:
        try:
            return await trio.lowlevel.open_process(
                COMMAND, stdin=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            log.warning("the bots’ process cannot be started: %s", error.strerror)
        await trio.sleep(RESTART)


async def _until_dead(process: trio.Process, scope: trio.CancelScope) -> None:
    await process.wait()
    scope.cancel()


async def _end(process: trio.Process) -> None:
    """Closes the child's input, and kills what does not end by that."""
    assert process.stdin is not None
    with trio.CancelScope(shield=True):
        await trio.aclose_forcefully(process.stdin)
        with trio.move_on_after(LAST_MOMENT):
            await process.wait()
        if process.returncode is None:
            process.kill()
            await process.wait()


async def play_all(next_line: Callable[[], Awaitable[str]], ways: Ways | None = None) -> None:
    """The child process: plays the bots that the lines order, until there are no more lines."""
    async with trio.open_nursery() as nursery:
        while line := await next_line():
            nursery.start_soon(_play_one, Wanted(**json.loads(line)), ways)
        nursery.cancel_scope.cancel()


async def _play_one(wanted: Wanted, ways: Ways | None) -> None:
    target = Target(tuple(wanted.addresses), wanted.port, wanted.table, wanted.fingerprint)
    try:
        await play_bot(target, wanted.name, wanted.level, wanted.key, ways)
    except (NotReached, TurnedAway, WireError) as error:
        log.warning("a bot of the table could not join: %s", error.text.key)


async def line_of_stdin() -> str:
    """The next line of this process's input, "" at its end."""
    return await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
