"""Whoever answers on this machine: with some certificate, and with some greeting."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import trio

from crisp_lan.net.calling import Target
from crisp_lan.net.link import LinkLost
from crisp_lan.net.listening import port_of
from crisp_lan.net.messages import PROTOCOL, Hello
from crisp_lan.net.protocol import Connection
from crisp_lan.net.secure import Identity, secured_host

PATIENCE = 60.0
"""Seconds in which what a test waits for must have come, however busy the machine is."""
GREETING = Connection("host").send(Hello(PROTOCOL, "x", "K7Q2", "Ayu's table"))


@contextmanager
def port_kept() -> Iterator[int]:
    """A port on which tables may come and go: the system gives it to nobody else meanwhile."""
    with socket.socket() as keeper:
        keeper.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        keeper.bind(("127.0.0.1", 0))
        yield int(keeper.getsockname()[1])


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
