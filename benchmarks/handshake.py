"""What encryption costs: a handshake with a passcode, and each piece that is sent to eight.

Both sides run in this process, so that the times are those of both together.
"""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import trio

from benchmarks.report import judged, ms, percentile
from benchmarks.table import PLAYERS
from crisp_lan.net.passcode import Asker, Joiner, aside
from crisp_lan.net.secure import Identity, Secured, identity_at, secured_client, secured_host

HANDSHAKES = 40
PIECES = 2000
SIZE = 2500
"""About as long as a view of eight players."""

Ends = tuple[trio.SocketStream, trio.SocketStream]
Give = Callable[[bytes], Awaitable[None]]


def run() -> None:
    trio.run(_measure)


async def _measure() -> None:
    with TemporaryDirectory() as folder:
        identity = identity_at(Path(folder, "table.pem"))
    await _with_passcode(identity)  # loads the library
    plain = [await _without_passcode(identity) for _ in range(HANDSHAKES)]
    whole = [await _with_passcode(identity) for _ in range(HANDSHAKES)]
    print(f"handshake: p50 {ms(median(plain))}, p95 {ms(percentile(plain, 95))}")
    passcode = judged(1000 * percentile(whole, 95), 100, " ms")
    print(f"handshake with passcode: p50 {ms(median(whole))}, p95 {passcode}")
    print(f"{SIZE} bytes to {PLAYERS}, until the last has them (p50, p95):")
    for name, fan_out in FAN_OUTS.items():
        times = await fan_out(identity)
        print(f"  {name:36} {ms(median(times)):>8} {ms(percentile(times, 95)):>8}")


async def _without_passcode(identity: Identity) -> float:
    async with _sockets() as ends:
        began = time.perf_counter()
        await _secured(identity, ends)
        return time.perf_counter() - began


async def _with_passcode(identity: Identity) -> float:
    async with _sockets() as ends:
        began = time.perf_counter()
        host, client = await _secured(identity, ends)
        bound = "482913", "table", identity.fingerprint
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_ask, host, bound)
            joiner = await aside(Joiner, *bound)
            await client.send_all(joiner.message.encode())
            proof = await aside(joiner.proof, await _heard(client))
            await client.send_all(str(proof).encode())
            assert joiner.believes(await _heard(client))
        return time.perf_counter() - began


async def _ask(host: Secured, bound: tuple[str, str, str]) -> None:
    message = await _heard(host)
    asker = await aside(Asker, *bound)
    await host.send_all(asker.message.encode())
    proof = await aside(asker.proof, message, await _heard(host))
    await host.send_all(str(proof).encode())


async def _heard(stream: Secured) -> str:
    return (await stream.receive_some(64)).decode()


# ---------------------------------------------------------------- eight at once


async def _plain_at_once(_identity: Identity) -> list[float]:
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(_sockets()) for _ in range(PLAYERS)]

        async def give(piece: bytes) -> None:
            for near, _far in ends:
                os.write(near.socket.fileno(), piece)

        return await _timed(give, [far for _near, far in ends])


async def _encrypted_at_once(identity: Identity) -> list[float]:
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(_sockets()) for _ in range(PLAYERS)]
        secured = [await _secured(identity, end) for end in ends]

        async def give(piece: bytes) -> None:
            for near, _far in secured:
                near.send_nowait(piece)

        return await _timed(give, [far for _near, far in secured])


async def _encrypted_by_tasks(identity: Identity) -> list[float]:
    """trio's SSLStream on the host's side: a task for each client sends what it is given."""
    async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
        channels, clients = [], []
        for _ in range(PLAYERS):
            near, far = await stack.enter_async_context(_sockets())
            host = trio.SSLStream(near, identity.context, server_side=True)
            async with trio.open_nursery() as shaking:
                shaking.start_soon(host.do_handshake)
                clients.append(await secured_client(far))
            give_one, given = trio.open_memory_channel[bytes](1)
            nursery.start_soon(_pass_on, given, host)
            channels.append(give_one)

        async def give(piece: bytes) -> None:
            for channel in channels:
                channel.send_nowait(piece)

        times = await _timed(give, clients)
        nursery.cancel_scope.cancel()
    return times


async def _pass_on(
    given: trio.MemoryReceiveChannel[bytes], host: trio.SSLStream[trio.SocketStream]
) -> None:
    async for piece in given:
        await host.send_all(piece)


async def _echo(identity: Identity, *, encrypted: bool) -> list[float]:
    """One client after the other, as the yardstick of the fan-out does it."""
    async with AsyncExitStack() as stack:
        ends = [await stack.enter_async_context(_sockets()) for _ in range(PLAYERS)]
        pairs = [await _secured(identity, end) if encrypted else end for end in ends]

        async def give(piece: bytes) -> None:
            for near, _far in pairs:
                await near.send_all(piece)

        return await _timed(give, [far for _near, far in pairs])


FAN_OUTS: dict[str, Callable[[Identity], Awaitable[list[float]]]] = {
    "plain, at once": _plain_at_once,
    "plain, one await after another": partial(_echo, encrypted=False),
    "encrypted, at once": _encrypted_at_once,
    "encrypted, one await after another": partial(_echo, encrypted=True),
    "encrypted, trio.SSLStream and tasks": _encrypted_by_tasks,
}


async def _timed(give: Give, clients: list[trio.abc.Stream]) -> list[float]:
    """Seconds of each piece from its being given until the last client has read it."""
    piece, times = os.urandom(SIZE), []
    read: list[int] = []
    all_have_it = trio.Event()

    async def listen(client: trio.abc.Stream) -> None:
        nonlocal all_have_it
        have = 0
        async for chunk in client:
            have += len(chunk)
            if have % SIZE == 0:
                read.append(have)
                if len(read) == PLAYERS:
                    all_have_it.set()

    async with trio.open_nursery() as nursery:
        for client in clients:
            nursery.start_soon(listen, client)
        await trio.sleep(0.05)
        for _ in range(PIECES):
            read.clear()
            all_have_it = trio.Event()
            began = time.perf_counter()
            await give(piece)
            await all_have_it.wait()
            times.append(time.perf_counter() - began)
        nursery.cancel_scope.cancel()
    return times


async def _secured(identity: Identity, ends: Ends) -> tuple[Secured, Secured]:
    hosts: list[Secured] = []

    async def accept() -> None:
        hosts.append(await secured_host(ends[0], identity))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(accept)
        client = await secured_client(ends[1], identity.fingerprint)
    return hosts[0], client


@asynccontextmanager
async def _sockets() -> AsyncIterator[Ends]:
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        far = await trio.open_tcp_stream("127.0.0.1", listener.socket.getsockname()[1])
        near = await listener.accept()
    async with near, far:
        yield near, far
