"""The yardstick: a bare trio process whose clients get the same bytes as those at a table, over
streams that are encrypted as theirs are.

A client first says, in a list, which bytes it wants to be sent one after the other, and hears "ok".
Any other message is an act: it is unpacked, and everybody is sent the next of their bytes.
"""

from __future__ import annotations

from collections import deque
from collections.abc import AsyncIterator
from pathlib import Path
from tempfile import TemporaryDirectory

import msgpack
import trio

from crisp_lan.net.secure import Secured, identity_at, secured_host

CHUNK = 65536


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


async def payloads(stream: trio.abc.ReceiveStream) -> AsyncIterator[bytes]:
    """What comes in, frame by frame."""
    received = bytearray()
    async for chunk in stream:
        received += chunk
        while len(received) >= 4 and len(received) >= (
            end := 4 + int.from_bytes(received[:4], "big")
        ):
            yield bytes(received[4:end])
            del received[:end]


async def main() -> None:
    waiting: dict[Secured, deque[bytes]] = {}
    with TemporaryDirectory() as folder:
        identity = identity_at(Path(folder, "echo.pem"))

    async def converse(connection: trio.SocketStream) -> None:
        stream = await secured_host(connection, identity)
        own = waiting[stream] = deque()
        async for payload in payloads(stream):
            message = msgpack.unpackb(payload)
            if isinstance(message, list):
                own.extend(message)
                await stream.send_all(framed(b"ok"))
            else:
                for other, following in waiting.items():
                    await other.send_all(following.popleft())

    listening = await trio.open_tcp_listeners(0, host="127.0.0.1")
    print(listening[0].socket.getsockname()[1], flush=True)
    await trio.serve_listeners(converse, listening)


if __name__ == "__main__":
    trio.run(main)
