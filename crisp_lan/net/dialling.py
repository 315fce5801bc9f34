"""Connecting to a table by several addresses side by side, until the right one answers.

Addresses lie: a dead interface's swallows everything, and one that belongs to another machine in
this network leads to a stranger, perhaps sooner than the right one leads home. So the other side's
identity is part of the race.
"""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TypeVar

import trio

from crisp_lan.game.rules import Problem, Text, Value

DIAL_SECONDS = 5.0

_log = logging.getLogger(__name__)
R = TypeVar("R", bound=trio.abc.AsyncResource)


class NotReached(Problem):
    """No address led to the table: `text` says what to do, `reasons` why, for each address."""

    def __init__(self, text: Text, reasons: Mapping[str, Text] | None = None) -> None:
        super().__init__(text)
        self.reasons = reasons or {}


REFUSED = Text("no table is open there")
SILENT = Text("no answer")
GONE = Text("that machine is out of reach")
NO_WAY = Text("no way there from this network")
NO_SUCH_NAME = Text("no machine of that name")
STRANGER = Text("somebody else answered")


async def dial(
    addresses: Sequence[str],
    port: int,
    *,
    open: Callable[[str, int], Awaitable[R]],
    greet: Callable[[R], Awaitable[str]],
    wanted_id: str = "",
    stagger: float = 0.2,
    patience: float | None = None,
) -> R:
    """The connection to the first address where the wanted table answers; "" takes any table.

    `greet` returns the id that the other side claims, or raises NotReached with a sentence of its
    own. An address gets `patience` seconds, or DIAL_SECONDS, and a head start of `stagger` seconds
    before the next one is tried beside it. Raises NotReached.
    """
    won: list[R] = []
    reasons: dict[str, Text] = {}

    async def attempt(address: str, failed: trio.Event) -> None:
        try:
            with trio.fail_after(DIAL_SECONDS if patience is None else patience):
                connection = await _greeted(await open(address, port), greet, wanted_id)
        except (OSError, trio.TooSlowError, NotReached, *_HUNG_UP) as error:
            _log.info("no table at %s: %r", address, error)
            reasons[address] = _why(error)
            failed.set()
        else:
            if won:
                await trio.aclose_forcefully(connection)
            else:
                won.append(connection)
                nursery.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as nursery:
            for address in addresses:
                failed = trio.Event()
                nursery.start_soon(attempt, address, failed)
                with trio.move_on_after(stagger):
                    await failed.wait()
    except BaseException:
        for connection in won:
            await trio.aclose_forcefully(connection)
        raise
    if won:
        return won[0]
    raise NotReached(_what_to_do(addresses, port, bool(wanted_id), reasons), reasons)


_HUNG_UP = (trio.BrokenResourceError, trio.ClosedResourceError, trio.EndOfChannel)


async def _greeted(connection: R, greet: Callable[[R], Awaitable[str]], wanted_id: str) -> R:
    try:
        if await greet(connection) != wanted_id and wanted_id:
            raise NotReached(STRANGER)
    except BaseException:
        await trio.aclose_forcefully(connection)
        raise
    return connection


def _why(error: BaseException) -> Text:
    """The reason in a few words; trio keeps the real one in `__cause__`."""
    if isinstance(error, NotReached):
        return error.text
    if isinstance(error, BaseExceptionGroup):
        return _why(error.exceptions[0])
    if isinstance(error, OSError) and error.__cause__ is not None:
        return _why(error.__cause__)
    if isinstance(error, OSError) and error.errno in _OUT_OF_REACH:
        return GONE
    for kind, reason in _REASONS:
        if isinstance(error, kind):
            return reason
    return NO_WAY


_OUT_OF_REACH = {getattr(errno, name, None) for name in ("EHOSTUNREACH", "EHOSTDOWN")} - {None}
_REASONS: tuple[tuple[type[Exception], Text], ...] = (
    (ConnectionRefusedError, REFUSED),
    (TimeoutError, SILENT),
    (trio.TooSlowError, SILENT),
    (socket.gaierror, NO_SUCH_NAME),
    (ConnectionError, STRANGER),
    *((hung_up, STRANGER) for hung_up in _HUNG_UP),
)


def _what_to_do(
    addresses: Sequence[str], port: int, announced: bool, reasons: Mapping[str, Text]
) -> Text:
    """One sentence for all the addresses: of their reasons, the one that says most."""
    for reason in reasons.values():
        if reason not in _OF_THE_NETWORK:
            return reason
    values: dict[str, Value] = {"address": ", ".join(addresses), "port": port}
    for reason, sentence in _SENTENCES:
        if reason in reasons.values():
            known = _KNOWN.get(reason.key) if announced else None
            return Text((known or sentence).key, values)
    return Text("There is no address to dial.")


_OF_THE_NETWORK = (REFUSED, SILENT, GONE, NO_WAY, NO_SUCH_NAME, STRANGER)
_KNOWN = {
    SILENT.key: Text(
        "The table is announced, but nothing answers at {address}. A firewall on the host’s machine"
        " may block TCP port {port}: allow it there, then try again."
    ),
    GONE.key: Text(
        "The table is announced, but its machine is out of reach at {address}. It may sleep or have"
        " left the network, or its firewall turns TCP port {port} away: look there."
    ),
}
"""What is said instead of a table whose id is known, so that the address was not typed."""
_SENTENCES = (
    (
        SILENT,
        Text(
            "No answer from {address}, port {port}. Compare it with the host’s screen. A firewall"
            " there may block the port, or the Wi-Fi keeps its devices apart, as guest networks do."
        ),
    ),
    (
        REFUSED,
        Text(
            "No table is open at {address}, port {port}. It may have ended, or moved to another"
            " port: look at the host’s screen."
        ),
    ),
    (
        GONE,
        Text(
            "No machine is in reach at {address}. Compare it with the host’s screen. Are you both"
            " on the same network? Guest Wi-Fi often keeps devices apart."
        ),
    ),
    (
        NO_WAY,
        Text(
            "There is no way to {address} from here. Are you both on the same network? Guest Wi-Fi"
            " often keeps devices apart."
        ),
    ),
    (
        NO_SUCH_NAME,
        Text(
            "No machine is called {address} here. Type the address in numbers, as on the host’s"
            " screen."
        ),
    ),
    (
        STRANGER,
        Text(
            "Something else answers at {address}, port {port}. The table may have ended: look at"
            " the list again, or at the host’s screen."
        ),
    ),
)
