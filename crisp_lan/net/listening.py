"""Listening sockets: the same port over IPv4 and IPv6, and as many connections as there may be."""

from __future__ import annotations

import errno
import ipaddress
import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

import trio

from crisp_lan.game.rules import Problem, Text
from crisp_lan.spots import PORT

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_PORTS = 50
"""How many numbers are tried from PORT on, before any will do."""
_ATTEMPTS = 20
_AGAIN = 60.0
"""Seconds after which it is said again that no connection can be accepted."""


class CannotListen(Problem):
    """No socket could be opened; `text` says why and what to do."""


async def listeners(
    bind: str | None, port: int | None, *, or_next: bool = False
) -> list[trio.SocketListener]:
    """Listens on one address, or on all. `port`: None for the usual or the next free, 0 for any;
    `or_next`: a port that is taken may be any other, as if it was None.

    Raises CannotListen.
    """
    last: OSError | None = None
    numbers = (port, *_numbers(None)) if port and or_next else _numbers(port)
    for number in numbers:
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


# ---------------------------------------------------------------- many connections


def allow_many() -> None:
    """Lets this process open as many sockets as its hard limit is, where there is one."""
    if resource:
        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@contextmanager
def logged_briefly() -> Iterator[None]:
    """That no connection can be accepted now is one line in a minute, without a traceback."""
    trios = logging.getLogger("trio.serve_listeners")
    briefly = _Briefly()
    trios.addFilter(briefly)
    try:
        yield
    finally:
        trios.removeFilter(briefly)


class _Briefly(logging.Filter):
    """Lets a record without its traceback pass, and the next one after a while."""

    _next = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        record.exc_info = None
        if record.created < self._next:
            return False
        self._next = record.created + _AGAIN
        return True
