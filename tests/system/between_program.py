"""Somebody in between, with a certificate of his own: passes on what he hears, and reads along.

python -m tests.system.between_program PORT HOST PORT FILE
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import trio

from crisp_lan.net.link import LinkLost
from crisp_lan.net.secure import identity_at, open_stream, secured_host


async def main(port: int, host: str, its_port: int, file: Path) -> None:
    identity = identity_at(file.with_suffix(".pem"))

    async def pass_on(stream: trio.SocketStream) -> None:
        with suppress(LinkLost, trio.BrokenResourceError, trio.ClosedResourceError):
            async with (
                await secured_host(stream, identity) as guest,
                await open_stream(host, its_port) as table,
                trio.open_nursery() as nursery,
            ):
                nursery.start_soon(copy, guest, table, nursery.cancel_scope)
                nursery.start_soon(copy, table, guest, nursery.cancel_scope)

    async def copy(one: trio.abc.Stream, other: trio.abc.Stream, scope: trio.CancelScope) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            while chunk := await one.receive_some():
                with file.open("ab") as read:
                    read.write(chunk)
                await other.send_all(chunk)
        await trio.sleep(0.1)
        scope.cancel()

    listeners = await trio.open_tcp_listeners(port, host="0.0.0.0")
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    await trio.serve_listeners(pass_on, listeners)


if __name__ == "__main__":
    Path(sys.argv[4]).touch()
    trio.run(main, int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), Path(sys.argv[4]))
