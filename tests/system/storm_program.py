"""The storm of `tests.system.storm` on PORT for SECONDS; prints what came of it."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field

import trio

from crisp_lan.net.calling import Call
from crisp_lan.net.codec import WireError
from crisp_lan.net.door import TOO_MANY_JOINS
from crisp_lan.net.link import Link, linked
from crisp_lan.net.messages import PROTOCOL, Bye, Do, Hello, Join, Message, Show, Welcome
from crisp_lan.net.secure import Secured, open_stream, secured_client
from tests.system.honest import liked

HERE, KNOCKING, ASKING = "127.0.0.1", "127.0.0.66", "127.0.0.67"
RETURNS = 200
"""In a minute."""
AT_LEAST = 21
"""Returns, however slow the machine: one more than strangers may come at once."""
STAYS = 0.1
"""Seconds that who returns stays each time."""
KNOCKS = 1000
AT_ONCE = 50
PATIENCE = 10.0


@dataclass
class Storm:
    """`returned`: the seconds from each call to the first show; `failed`: how many got none.

    `heard`: of those who `asked` for a seat without a token, who was not told that they are too
    many; `seconds`: from the first of them to the last.
    """

    returned: list[float] = field(default_factory=list)
    failed: int = 0
    knocked: int = 0
    asked: int = 0
    heard: int = 0
    seconds: float = 0.0


async def main(port: int, seconds: float) -> None:
    storm = Storm()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_return, port, seconds, storm)
        nursery.start_soon(_knock_all, port, storm)
        nursery.start_soon(_ask_all, port, storm)
    sys.stdout.write(json.dumps(asdict(storm)) + "\n")


async def _return(port: int, seconds: float, storm: Storm) -> None:
    """The eighth player, who plays a little each time, and comes more often than a stranger may."""
    token, until = "", trio.current_time() + seconds
    while trio.current_time() < until or len(storm.returned) + storm.failed < AT_LEAST:
        due = trio.current_time() + 60 / RETURNS
        try:
            with trio.fail_after(PATIENCE):
                token = await _stay(port, token, storm)
        except (WireError, trio.TooSlowError):
            storm.failed += 1
        await trio.sleep_until(due)


async def _stay(port: int, token: str, storm: Storm) -> str:
    """Comes with the token, plays for a moment, and is cut off; the token to come back with."""
    called = trio.current_time()
    stream = await open_stream(HERE, port)
    async with linked(Call(stream), "client") as link:
        await link.receive()
        link.send_nowait(Hello(PROTOCOL, "storm"))
        link.send_nowait(Join("Hadi", token=token))
        welcome = await link.receive()
        if not isinstance(welcome, Welcome):
            storm.failed += 1
            return token
        with trio.move_on_after(PATIENCE) as staying:
            shown = False
            while True:
                message = await link.receive()
                if isinstance(message, Show):
                    if not shown:
                        shown = True
                        storm.returned.append(trio.current_time() - called)
                        staying.deadline = trio.current_time() + STAYS
                    _play(link, message)
        await trio.aclose_forcefully(stream)
    return welcome.token


def _play(link: Link, show: Show) -> None:
    view = show.view
    if act := liked(show.table.choices + (view.choices if view else ())):
        link.send_nowait(Do(show.offer, show.done + 1, act.name, act.picks))


async def _knock_all(port: int, storm: Storm) -> None:
    await _all_at_once(lambda: _knock(port, storm))


async def _knock(port: int, storm: Storm) -> None:
    """Half a hello, and no more until the table hangs up."""
    with suppress(WireError, trio.BrokenResourceError):
        storm.knocked += 1
        async with await _called(port, KNOCKING) as stream:
            await stream.send_all(b"\x00\x00\x00\x40\x84\xa4type\xa5hel")
            while await stream.receive_some(4096):
                pass


async def _ask_all(port: int, storm: Storm) -> None:
    began = trio.current_time()
    await _all_at_once(lambda: _ask(port, storm))
    storm.seconds = trio.current_time() - began


async def _ask(port: int, storm: Storm) -> None:
    """A seat, please: all is said but a token. Who was cut off for the next has had no answer."""
    answer: Message | None = None
    storm.asked += 1
    with suppress(WireError):
        async with linked(Call(await _called(port, ASKING)), "client") as link:
            await link.receive()
            link.send_nowait(Hello(PROTOCOL, "storm"))
            link.send_nowait(Join("Mallory"))
            answer = await link.receive()
    if answer is not None:
        storm.heard += not (isinstance(answer, Bye) and answer.why.key == TOO_MANY_JOINS.key)


async def _all_at_once(do: Callable[[], Awaitable[None]]) -> None:
    """KNOCKS times, as fast as it goes, AT_ONCE side by side."""
    left = KNOCKS

    async def some() -> None:
        nonlocal left
        while left:
            left -= 1
            await do()

    async with trio.open_nursery() as nursery:
        for _ in range(AT_ONCE):
            nursery.start_soon(some)


async def _called(port: int, own: str) -> Secured:
    return await secured_client(await trio.open_tcp_stream(HERE, port, local_address=own))


if __name__ == "__main__":
    trio.run(main, int(sys.argv[1]), float(sys.argv[2]))
