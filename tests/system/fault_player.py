"""A player that is a script, in a process of its own that can be stopped and killed.

It plays by what it sees alone, so one that was killed goes on as if it had looked away. All that it
hears goes to its standard output as lines of JSON, with the time on this machine's steady clock.
What it is to do is its one argument, a `Part` as JSON.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

import msgpack
import msgspec
import trio

from crisp_lan.game.rules import Act
from crisp_lan.net.calling import Call, Network, Target
from crisp_lan.net.client import Client, News, at_table
from crisp_lan.net.codec import WireError
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.messages import Join, Ping, Show
from crisp_lan.seats import SeatKeeper

Seen: TypeAlias = Mapping[str, Any]
"""A Show as plain maps and lists."""
Stops: TypeAlias = Literal["", "late", "asleep", "deaf"]

THINKING = 0.5
"""Seconds from an offer to the act."""
HESITATING = 2.0
"""The same in the phase in which a fault is to strike: it strikes meanwhile."""
KNOCKING = 2.0
"""Seconds between two pings of who never reads."""
SLOW_AT = 38
"""The cards in the draw pile before the first seat's second turn."""


@dataclass(frozen=True, slots=True)
class Part:
    """What a player is to do.

    `looks`: looks at its right card, then at its left one, the whole time; `follows`: is ready only
    after the first seat. It calls when no more than `calls` cards are in the draw pile, and lets
    `slow` seconds pass before the draw of its second turn. `stops`, when `phase` is reached: "late"
    does nothing in it, "asleep" nothing from then on, "deaf" never reads again but gives signs of
    life. Others than the first seat have no phase.
    """

    addresses: tuple[str, ...]
    port: int
    name: str
    seats: str
    phase: str = ""
    calls: int = 0
    looks: bool = False
    follows: bool = False
    slow: float = 0.0
    stops: Stops = ""


# ---------------------------------------------------------------- where the game is


def pile(seen: Seen) -> int:
    """How many cards are in the draw pile; 0 where there is none."""
    zones = seen["view"]["zones"] if seen["view"] else ()
    return next((zone["count"] for zone in zones if zone["name"] == "draw pile"), 0)


def _held(seen: Seen) -> bool:
    return any(zone["name"] == "drawn" for zone in seen["view"]["zones"])


def _window(seen: Seen) -> bool:
    """The first seat's window after its second turn, also when the next player has drawn in it."""
    clocks = seen["view"]["clocks"]
    open_now = any((c["name"], c["seat"]) == ("crisp window", 0) for c in clocks)
    return open_now and SLOW_AT - 2 <= pile(seen) < SLOW_AT


def _in_lobby(seen: Seen) -> bool:
    return seen["table"]["phase"] == "lobby" and len(seen["table"]["players"]) == 2


_IN_ROUND: dict[str, Callable[[Seen], bool]] = {
    "first look": lambda seen: seen["view"]["zones"][0]["marks"][0] == "looking",
    "King’s extra draw": lambda seen: any(f["values"] == {"n": 2} for f in seen["view"]["facts"]),
    "card held": lambda seen: (
        seen["view"]["turn"] == 0 and _held(seen) and pile(seen) == SLOW_AT - 1
    ),
    "crisp window": _window,
    "final turns": lambda seen: (
        seen["view"]["phase"] == "Final turns" and seen["view"]["turn"] == 0 and not _held(seen)
    ),
}
PHASES = ("lobby", *_IN_ROUND, "reveal")


def reached(phase: str, seen: Seen) -> bool:
    """Whether the first seat is in this phase, as everybody may see."""
    now = seen["table"]["phase"]
    if phase in _IN_ROUND:
        return now == "round" and _IN_ROUND[phase](seen)
    return _in_lobby(seen) if phase == "lobby" else now == phase


# ---------------------------------------------------------------- what is done there


def wish(part: Part, seen: Seen) -> Act | None:
    """What the player does next, if anything."""
    table, view = seen["table"], seen["view"]
    if table["paused"] or table["phase"] not in ("round", "reveal"):
        return None
    choices = (*table["choices"], *view["choices"])
    offered = {choice["name"]: choice["picks"] for choice in choices}
    if "next" in offered:
        return Act("next")
    if "ready" in offered:
        return _first_look(part, view, offered)
    if "crisp" in offered and pile(seen) <= part.calls:
        return Act("crisp")
    if part.looks and "swap" in offered and (slot := _place(view)):
        return Act("swap", (slot,))
    return next((Act(name) for name in _BY_LIKING if name in offered), None)


_BY_LIKING = ("skip", "king", "discard", "draw")


def _first_look(part: Part, view: Any, offered: Mapping[str, Any]) -> Act | None:
    if part.looks and "close" in offered:
        return Act("close", ("right",)) if ["right"] in offered["close"] else None
    if part.looks and "look" in offered:
        return Act("look", ("right",) if ["right"] in offered["look"] else ("left",))
    ready = any(tag["seat"] == 0 and tag["text"]["key"] == "ready" for tag in view["tags"])
    return Act("ready") if ready or not part.follows else None


def _place(view: Any) -> str:
    """Where a card that was drawn is swapped in: each suit has its place, and spades have none."""
    (drawn,) = (zone["faces"][0] for zone in view["zones"] if zone["name"] == "drawn")
    return {"C": "left", "D": "middle", "H": "right", "S": ""}[drawn[1]]


# ---------------------------------------------------------------- the player


class Player:
    """Plays a part at a table until the table says goodbye, or it goes deaf."""

    def __init__(self, part: Part, client: Client) -> None:
        self.deaf = False
        self._part = part
        self._client = client
        self._seen: Seen = {}
        self._wish: Act | None = None
        self._due = math.inf
        self._awaited = 0
        self._asleep = False

    async def play(self) -> None:
        while not self.deaf:
            with trio.move_on_at(math.inf if self._awaited else self._due):
                try:
                    news = await self._client.receive()
                except trio.EndOfChannel:
                    return
                self._hear(news)
                continue
            assert self._wish is not None, "only a wish is ever due"
            self._client.act(self._wish)
            self._awaited = self._seen["done"] + 1

    def _hear(self, news: News) -> None:
        told = {"at": time.monotonic(), "news": type(news).__name__.lower()}
        line = json.dumps({**told, "seen": msgspec.to_builtins(news)})
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        if isinstance(news, Show):
            self._seen = json.loads(line)["seen"]
            if news.done >= self._awaited:
                self._awaited = 0
            self._think()
        elif told["news"] == "no":
            self._awaited = 0
            self._wish = None
            self._think()

    def _think(self) -> None:
        part, seen = self._part, self._seen
        there = reached(part.phase, seen)
        self._asleep |= there and part.stops == "asleep"
        self.deaf = there and part.stops == "deaf"
        new = wish(part, seen)
        if self._asleep or (there and part.stops == "late"):
            new = None
        if new is None or new != self._wish:
            self._wish = new
            self._due = math.inf if new is None else trio.current_time() + self._pause(there, new)

    def _pause(self, there: bool, new: Act) -> float:
        slow = self._part.slow if new.name == "draw" and pile(self._seen) == SLOW_AT else 0.0
        return slow + (HESITATING if there else THINKING)


class Kept(Call):
    """A call that is not hung up when its link is closed, if its player has gone deaf."""

    deaf = False

    async def aclose(self) -> None:
        if not self.deaf:
            await super().aclose()


class Keeping(Network):
    """The network, for one who may go deaf: `call` made the latest call."""

    latest: Kept

    async def call(self, target: Target) -> Call:
        self.latest = Kept(await super().call(target))
        return self.latest


async def knock(call: Call) -> None:
    """Gives signs of life for ever, and reads nothing."""
    for number in range(1000, 10**6):
        whole = msgpack.packb(msgspec.to_builtins(Ping(number)))
        await call.send_all(len(whole).to_bytes(4, "big") + whole)
        await trio.sleep(KNOCKING)


async def main(part: Part) -> None:
    target, network = Target(part.addresses, part.port), Keeping()
    with closing(SeatKeeper(Path(part.seats), part.name)) as keeper:
        async with at_table(target, Join(part.name), network, keeper) as client:
            player = Player(part, client)
            await player.play()
            network.latest.deaf = player.deaf
        if player.deaf:
            await knock(network.latest)


if __name__ == "__main__":
    try:
        trio.run(main, msgspec.json.decode(sys.argv[1], type=Part))
    except (NotReached, WireError) as error:
        sys.exit(str(error.text))
