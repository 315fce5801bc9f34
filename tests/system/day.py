"""A day at one table, on a clock that jumps: people act, err, come, go, watch, pause and leave.

    python -m tests.system.day --hours 24 --game crisp

All speak real bytes over memory streams. The laws are held against the table as it changes, and
what a table keeps must be no more at the end of the day than after its first hour.
"""

from __future__ import annotations

import argparse
import errno
import gc
import os
import random
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, Line
from crisp_lan.game.state import Table
from crisp_lan.net.messages import PROTOCOL, Bye, Do, Hello, Join, No, Ping, Pong, Show
from tests.game.laws import Laws, leaves
from tests.net.hall import KEY, Hall, Tapped

HOUR = 3_600_000
LOOKS_AGAIN = 60
"""Seconds between two looks at what the table keeps."""
ROOM = 256 * 1024
"""Bytes by which memory may differ from one hour to another."""
PAUSES = (0.0, 0.1, 0.5, 1.0, 2.0, 2.0, 2.5, 3.0, 5.0, 8.0, 15.0, 46.0)
NAMES = ("Ayu", "Budi", "Chandra", "Dewi", "Eka", "Fajar", "Gita", "Hadi")
NOT_FOR_ALL = {"end", "game", "set", "remove", "unready", "pause", "resume", "bot"}


class Guest(Tapped):
    """A client that keeps the last message of each kind alone."""

    name = ""
    own_bot = False

    async def listen(self) -> None:
        try:
            while chunk := await self.stream.receive_some(65_536):
                self.protocol.receive_data(bytes(chunk))
                while (message := self.protocol.next_message()) is not None:
                    self._take(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            pass
        self.closed = True

    def _take(self, message: Any) -> None:
        if isinstance(message, Ping):
            self.say(Pong(message.number))
            return
        self.heard = [one for one in self.heard if type(one) is not type(message)] + [message]

    @property
    def here(self) -> bool:
        return not self.closed and bool(self.all(Show)) and not self.all(Bye)


class Sink:
    """A journal that keeps nothing but how far match time has come, and may have no room."""

    def __init__(self) -> None:
        self.error = 0
        self.kinds: Counter[str] = Counter()
        self.passed = self._last = 0

    def write(self, lines: Sequence[Line]) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        for line in lines:
            self.kinds[line.get("do", line["kind"])] += 1
            if line["kind"] == "game":
                self._last = 0
            now = round(1000 * line.get("t", 0))
            self.passed += max(0, now - self._last)
            self._last = max(self._last, now)


@dataclass
class Kept:
    """What the table keeps at one moment."""

    hour: float
    memory: int
    tasks: int
    holders: int
    offers: int
    keys: int
    links: int

    def __str__(self) -> str:
        return (
            f"hour {self.hour:5.1f}: {self.memory / 1024:8.0f} KiB, {self.tasks} tasks for "
            f"{self.links} links, {self.holders} holders, {self.offers} offers, {self.keys} keys"
        )


@dataclass
class Report:
    """What was found of one day."""

    game: str
    hours: float
    kept: list[Kept] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    @property
    def growth(self) -> int:
        """Bytes by which the second half of the day took more at most than the first."""
        middle = len(self.kept) // 2
        first, second = self.kept[1 : middle + 1], self.kept[middle + 1 :]
        return max(k.memory for k in second) - max(k.memory for k in first)

    def __str__(self) -> str:
        most = ", ".join(f"{what} {n}" for what, n in self.done.most_common())
        kept = "\n".join(f"  {kept}" for kept in self.kept)
        return (
            f"{self.game}: {self.hours:.1f} hours of match time\n{kept}\n  {most}\n"
            f"  the second half took {self.growth / 1024:+.0f} KiB more than the first at most "
            f"(budget {ROOM // 1024} KiB)\n"
        )


class Day:
    """One table, whoever is at it, and chance."""

    def __init__(self, nursery: trio.Nursery, game: str, seed: int) -> None:
        self._lots = random.Random(seed)
        self._game = GAMES[game]
        self._size = max(self._game.seats)
        table = tables.opened(self._game, {}, self._size, games=GAMES)
        self.hall = Hall(nursery, table, self._lots)
        self.journal = Sink()
        self.hall.referee._ledger._journal = self.journal
        self.hall.referee._changed = self._obeys
        self.done: Counter[str] = Counter()
        self._nursery = nursery
        self._guests: list[Guest] = []
        self._away: list[tuple[float, str, str, str]] = []
        """Who comes back when, by name, token and key."""
        self._watchers: list[Guest] = []
        self._last: dict[str, Do] = {}
        self._laws = Laws(self._game, range(self._size), self._lots)

    # ------------------------------------------------------------ laws

    def _obeys(self, table: Table) -> None:
        """The laws that are cheap enough for every step."""
        self.done["steps"] += 1
        if table.state is None:
            return
        deck = Counter(self._game.cards(len(table.scores)))
        assert Counter(card for card in leaves(table.state) if card in deck) == deck
        waits = matches.wake_at(table) is not None
        acts = any(self._choices(table, seat) for seat in range(len(table.chairs)))
        assert acts or waits or table.paused, "nothing can happen any more"

    @staticmethod
    def _choices(table: Table, seat: int) -> bool:
        view = views.round_view(table, seat)
        return bool(view and view.choices)

    async def look(self) -> None:
        """What every client was shown is what it may know now, and the table keeps no more."""
        await wait_all_tasks_blocked()
        referee = self.hall.referee
        for guest in self._guests + self._watchers:
            if guest.here:
                seat = guest.show.seat
                assert guest.show.view == views.round_view(referee.table, seat)
                assert guest.show.table == views.table_view(referee.table, seat)
        standing = [chair for chair in referee.table.chairs if chair.by != "left"]
        stand_ins = [chair for chair in standing if chair.stand_in]
        assert len(referee._holders) <= len(standing) + len(stand_ins)
        assert referee._showing.offered_to == {chair.id for chair in standing}
        assert referee._holders.awaited_bots <= len(self.hall.bots_wanted)
        assert len(self.hall.door._connected) >= len(referee.members)

    def kept(self) -> Kept:
        gc.collect()
        referee = self.hall.referee
        return Kept(
            self.journal.passed / HOUR,
            tracemalloc.get_traced_memory()[0],
            trio.lowlevel.current_statistics().tasks_living,
            len(referee._holders),
            len(referee._showing.offered_to),
            referee._holders.awaited_bots,
            len(self.hall.door._connected),
        )

    # ------------------------------------------------------------ what happens

    async def pass_by(self, hours: float) -> Report:
        """Lets so much match time pass."""
        self._nursery.start_soon(self.hall.run)
        for number, name in enumerate(NAMES[: self._size]):
            await self._sit(name, key=KEY if number == 0 else "")
        report = Report(self._game.key, hours)
        looked, hour = trio.current_time(), 0
        while self.journal.passed < hours * HOUR:
            assert self.hall.ended is None, self.hall.ended
            await trio.sleep(self._lots.choice(PAUSES))
            await self._one_thing()
            if trio.current_time() - looked > LOOKS_AGAIN:
                looked = trio.current_time()
                await self.look()
            if self.journal.passed >= hour * hours * HOUR / 8:
                hour += 1
                report.kept.append(self.kept())
        report.kept.append(self.kept())
        report.done = self.done + self.journal.kinds
        return report

    async def _one_thing(self) -> None:
        await self._come_back()
        await self._bring_bots()
        self._guests = [guest for guest in self._guests if not guest.closed]
        self._watchers = [guest for guest in self._watchers if not guest.closed]
        kinds: dict[Callable[[], Any], float] = {
            self._act: 80,
            self._again: 3,
            self._err: 2,
            self._cut: 4,
            self._leave: 0.2,
            self._newcomer: 2,
            self._watch: 1,
            self._stop_watching: 1,
            self._pause: 0.4,
            self._order_bot: 3,
            self._remove_bot: 1,
            self._end_bots: 0.5,
            self._knock: 0.5,
            self._fill_disk: 0.2,
        }
        [thing] = self._lots.choices(list(kinds), list(kinds.values()))
        await thing()
        if self.hall.referee.table.paused in ("host", "player"):
            await self._resume()

    def _somebody(self) -> Guest | None:
        here = [guest for guest in self._guests if guest.here]
        return self._lots.choice(here) if here else None

    async def _act(self) -> None:
        """Somebody does what is offered; in a lobby all get ready and the host starts."""
        acting = [(guest, acts) for guest in self._guests if (acts := self._wishes(guest))]
        if not acting:
            return
        guest, acts = self._lots.choice(acting)
        act = self._lots.choice(acts)
        do = guest.doing(act.name, *act.picks)
        self._last[guest.name] = do
        guest.say(do)
        self.done["acts sent"] += 1
        await trio.lowlevel.checkpoint()

    def _wishes(self, guest: Guest) -> list[Act]:
        if not guest.here:
            return []
        show = guest.show
        choices = show.table.choices + (show.view.choices if show.view else ())
        acts = [
            Act(choice.name, picks)
            for choice in choices
            if choice.name not in NOT_FOR_ALL
            for picks in choice.picks
        ]
        calls = self._lots.random() < 0.1
        return [act for act in acts if calls or act.name != "crisp"]

    async def _again(self) -> None:
        """What was sent before is sent again, as after a lost link."""
        guest = self._somebody()
        if guest is not None and guest.name in self._last:
            guest.say(self._last[guest.name])
            self.done["resends"] += 1

    async def _err(self) -> None:
        """What is not offered, or not to this seat, is refused."""
        guest = self._somebody()
        if guest is None:
            return
        refusals = guest.all(No)
        do = guest.doing(self._lots.choice(("swap", "play", "fly", "resume")), "nowhere")
        guest.say(do)
        await wait_all_tasks_blocked()
        if guest.here:
            assert guest.all(No) != refusals
            self.done["refusals"] += 1

    async def _cut(self) -> None:
        """A link breaks, and its player comes back after a while."""
        guest = self._somebody()
        if guest is not None and not guest.own_bot:
            back = trio.current_time() + self._lots.choice((0, 1, 5, 20, 100, 300))
            self._away.append((back, guest.name, guest.token, ""))
            self._guests.remove(guest)
            await trio.aclose_forcefully(guest.stream)
            self.done["cuts"] += 1

    async def _come_back(self) -> None:
        now = trio.current_time()
        due = [away for away in self._away if away[0] <= now]
        if not due and not any(guest.here for guest in self._guests):
            due = self._away[:1]
        for away in due:
            self._away.remove(away)
            _, name, token, key = away
            if await self._sit(name, token=token, key=key):
                self.done["returns"] += 1

    async def _leave(self) -> None:
        guest = self._somebody()
        if guest is not None and not guest.own_bot and len(self._guests) > 2:
            await guest.leaves()
            self._guests.remove(guest)
            self.done["leavers"] += 1

    async def _newcomer(self) -> None:
        """There is nearly always somebody to sit down where there is room."""
        people = sum(not guest.own_bot for guest in self._guests)
        if people + len(self._away) < self._size:
            name = self._lots.choice(NAMES)
            if await self._sit(name):
                self.done["newcomers"] += 1

    async def _watch(self) -> None:
        if len(self._watchers) < 5:
            guest = await self._come("Wati", watch=True)
            self._watchers.append(guest)
            self.done["watchers"] += 1

    async def _stop_watching(self) -> None:
        if self._watchers:
            guest = self._watchers.pop(self._lots.randrange(len(self._watchers)))
            await trio.aclose_forcefully(guest.stream)

    async def _pause(self) -> None:
        for guest, _picks in self._offered("pause")[:1]:
            await guest.does("pause")
            self.done["pauses"] += 1
            await trio.sleep(self._lots.choice((1, 60, 600)))

    async def _resume(self) -> None:
        for guest, _picks in self._offered("resume")[:1]:
            await guest.does("resume")

    async def _order_bot(self) -> None:
        """The host has a bot sit down, or play for somebody away."""
        for guest, picks in self._offered("bot"):
            await guest.does("bot", *self._lots.choice(picks))
            self.done["bots ordered"] += 1

    async def _remove_bot(self) -> None:
        """The host takes a bot away, so that there is room for people."""
        for guest, picks in self._offered("remove"):
            bots = [pick for pick in picks if guest.show.table.players[int(pick[0])].level]
            if bots:
                await guest.does("remove", *self._lots.choice(bots))
                self.done["bots removed"] += 1

    def _offered(self, name: str) -> list[tuple[Guest, Sequence[tuple[Any, ...]]]]:
        """Who is offered that by the table, and how."""
        return [
            (guest, choice.picks)
            for guest in self._guests
            if guest.here
            for choice in guest.show.table.choices
            if choice.name == name
        ]

    async def _end_bots(self) -> None:
        """The process that plays the table's own bots dies, and another one takes over."""
        for bot in [guest for guest in self._guests if guest.own_bot]:
            self._guests.remove(bot)
            await trio.aclose_forcefully(bot.stream)
            self.done["bots replaced"] += 1
        await wait_all_tasks_blocked()
        self.hall.referee.replace_bots()

    async def _bring_bots(self) -> None:
        while self.hall.bots_wanted:
            level, key = self.hall.bots_wanted.pop()
            bot = await self._come("Robo", level=level, key=key)
            bot.own_bot = True
            if bot.here:
                self._guests.append(bot)

    async def _knock(self) -> None:
        """A stranger who says half a hello, and no more."""
        _ours, theirs = self.hall.connect("192.0.2.66")
        theirs.receive_stream.put_data(b"\x00\x00\x00\x40\x84")
        self.done["knocks"] += 1

    async def _fill_disk(self) -> None:
        self.journal.error = self._lots.choice((errno.ENOSPC, errno.EDQUOT))
        await trio.sleep(self._lots.choice((1, 30)))
        self.journal.error = 0
        self.done["full disks"] += 1

    async def _sit(self, name: str, **join: Any) -> bool:
        guest = await self._come(name, **join)
        if guest.here:
            self._guests.append(guest)
        return guest.here

    async def _come(self, name: str, **join: Any) -> Guest:
        guest = Guest(*self.hall.connect())
        guest.name = name
        self._nursery.start_soon(guest.listen)
        await wait_all_tasks_blocked()
        guest.say(Hello(PROTOCOL, "day"), Join(name, **join))
        await wait_all_tasks_blocked()
        return guest


async def spent(game: str, hours: float, seed: int) -> Report:
    async with trio.open_nursery() as nursery:
        report = await Day(nursery, game, seed).pass_by(hours)
        nursery.cancel_scope.cancel()
    return report


def day(game: str, hours: float, seed: int = 1) -> Report:
    """So many hours of match time at a full table of that game."""
    tracemalloc.start()
    try:
        clock = MockClock(autojump_threshold=0)
        return trio.run(partial(spent, game, hours, seed), clock=clock)
    finally:
        tracemalloc.stop()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.system.day", description=__doc__)
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--game", choices=list(GAMES), default="crisp")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    report = day(args.game, args.hours, args.seed)
    sys.stdout.write(str(report))
    return 0 if report.growth < ROOM else 1


if __name__ == "__main__":
    sys.exit(main())
