"""Whoever answers on this machine: with some certificate, and with some greeting."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import trio

from crisp_lan.net.calling import Target
from crisp_lan.net.link import LinkLost
from crisp_lan.net.listening import port_of
from crisp_lan.net.messages import PROTOCOL, Hello
from crisp_lan.net.protocol import Connection
from crisp_lan.net.secure import Identity, secured_host

GREETING = Connection("host").send(Hello(PROTOCOL, "x", "K7Q2", "Ayu's table"))


@asynccontextmanager
async def answering(
    identity: Identity, greeting: bytes = GREETING, host: str = "127.0.0.1", port: int = 0
) -> AsyncIterator[tuple[Target, list[bytes]]]:
    """Where that is, and what has been said there after the greeting."""
    said: list[bytes] = []
    [listener] = await trio.open_tcp_listeners(port, host=host)

    async def serve(stream: trio.SocketStream) -> None:
        with suppress(LinkLost, trio.BrokenResourceError):
            secured = await secured_host(stream, identity)
            await secured.send_all(greeting)
            while chunk := await secured.receive_some():
                said.append(chunk)

    async with trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, serve, [listener])
        yield Target((host,), port_of([listener])), said
        nursery.cancel_scope.cancel()
