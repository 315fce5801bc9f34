"""Announces a table, or searches for tables, and prints what happens as lines of JSON.

discovery_program.py announce ID NAME [BIND]     until a signal; lines {"name", "problem"}
discovery_program.py browse [BIND]               until a signal; lines {"tables", "problem"}
discovery_program.py dial ADDRESS… PORT ID       connects; {"address"} or {"text", "reasons"}
discovery_program.py answer ID                   answers on port 27477 with its id; {"listening"}
"""

from __future__ import annotations

import json
import signal
import sys
from dataclasses import asdict
from typing import Any

import trio

from crisp_lan.net.dialling import NotReached, dial
from crisp_lan.net.discovery import Announcement, Found, announced, browsing
from crisp_lan.net.listing import Listing

PORT = 27477


def say(**fields: Any) -> None:
    sys.stdout.write(json.dumps(fields, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def problem(on_air: Announcement | Found) -> str | None:
    return on_air.problem.key if on_air.problem else None


async def announce(table_id: str, name: str, bind: str | None = None) -> None:
    table = Listing(table_id, name, "crisp", 1, 8, "lobby", 1, "0.1.0", False, (), PORT)
    async with announced(table, bind) as announcement:
        while True:
            changed = announcement.changed
            await changed.wait()
            say(name=announcement.name, problem=problem(announcement))


async def browse(bind: str | None = None) -> None:
    async with browsing(bind) as found:
        while True:
            changed = found.changed
            tables = {key: asdict(table) for key, table in found.tables.items()}
            say(tables=tables, problem=problem(found))
            await changed.wait()


async def call(*words: str) -> None:
    *addresses, port, wanted_id = words
    try:
        stream = await dial(
            addresses, int(port), open=trio.open_tcp_stream, greet=greet, wanted_id=wanted_id
        )
    except NotReached as error:
        reasons = {address: reason.key for address, reason in error.reasons.items()}
        say(text=error.text.key, reasons=reasons)
    else:
        say(address=stream.socket.getpeername()[0])
        await stream.aclose()


async def greet(stream: trio.SocketStream) -> str:
    return bytes(await stream.receive_some(64)).decode()


async def answer(table_id: str) -> None:
    async def serve(stream: trio.SocketStream) -> None:
        await stream.send_all(table_id.encode())
        await stream.aclose()

    listeners = await trio.open_tcp_listeners(PORT)
    say(listening=PORT)
    await trio.serve_listeners(serve, listeners)


async def until_a_signal(what: Any, *words: str) -> None:
    async with trio.open_nursery() as nursery:
        with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            nursery.start_soon(finish, nursery, what, *words)
            await anext(signals)
            nursery.cancel_scope.cancel()


async def finish(nursery: trio.Nursery, what: Any, *words: str) -> None:
    await what(*words)
    nursery.cancel_scope.cancel()


if __name__ == "__main__":
    kinds = {"announce": announce, "browse": browse, "dial": call, "answer": answer}
    trio.run(until_a_signal, kinds[sys.argv[1]], *sys.argv[2:])
