"""Listening sockets: the same port over IPv4 and IPv6, where the machine has both."""

from __future__ import annotations

import errno
import ipaddress
from collections.abc import Iterable

import trio

from crisp_lan.game.rules import Text

PORT = 27477
_PORTS = 50
"""How many numbers are tried from PORT on, before any will do."""
_ATTEMPTS = 20


class CannotListen(Exception):
    """No socket could be opened; `text` says why and what to do."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


async def listeners(bind: str | None, port: int | None) -> list[trio.SocketListener]:
    """Listens on one address, or on all. `port`: None for the usual or the next free, 0 for any.

    Raises CannotListen.
    """
    last: OSError | None = None
    for number in _numbers(port):
        try:
            return await _on_port(bind, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CannotListen(_why(error, bind, number)) from error
            last = error
    raise CannotListen(_why(last, bind, port or 0)) from last


def port_of(listening: list[trio.SocketListener]) -> int:
    """The number that all of them listen on."""
    return int(listening[0].socket.getsockname()[1])


def _numbers(port: int | None) -> Iterable[int]:
    if port is None:
        return (*range(PORT, PORT + _PORTS), *([0] * _ATTEMPTS))
    return (port,) if port else [0] * _ATTEMPTS


async def _on_port(bind: str | None, number: int) -> list[trio.SocketListener]:
    """Raises OSError if the number is taken for any of the addresses."""
    if bind is not None and not ipaddress.ip_address(bind).is_unspecified:
        return await trio.open_tcp_listeners(number, host=bind)
    listening: list[trio.SocketListener] = []
    try:
        for everywhere in ("0.0.0.0", "::"):
            try:
                listening += await trio.open_tcp_listeners(number, host=everywhere)
            except OSError as error:
                if error.errno not in _NO_SUCH_FAMILY:
                    raise
            else:
                number = port_of(listening)
    except BaseException:
        for listener in listening:
            await listener.aclose()
        raise
    if not listening:
        raise OSError(errno.EADDRNOTAVAIL, "no address to listen on")
    return listening


_NO_SUCH_FAMILY = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL, errno.EPROTONOSUPPORT)


def _why(error: OSError | None, bind: str | None, port: int) -> Text:
    if error is not None and error.errno == errno.EADDRNOTAVAIL:
        return Text("{address} is not an address of this machine.", {"address": bind or ""})
    if error is not None and error.errno == errno.EACCES:
        return Text("Port {port} is for the system alone: choose one above 1023.", {"port": port})
    return Text("Port {port} is taken. Choose another one, or leave --port out.", {"port": port})
