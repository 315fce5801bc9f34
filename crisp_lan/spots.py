"""Where a table is, as people type it and read it: an address and a port."""

from __future__ import annotations

import ipaddress
import re

from crisp_lan.game.rules import Problem, Text

PORT = 27477
"""Where a table is if nobody says otherwise."""
EXAMPLE = f"192.168.1.20:{PORT}"

_SPOT = re.compile(r"(?P<host>[^:\[\]\s]+|\[[^\]\s]+\])(?::(?P<port>[0-9]+))?")


class WrongSpot(Problem):
    """What was typed is no address; `text` says why not."""


def spot(address: str, port: int) -> str:
    """An address and a port as they are typed."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def typed_spot(text: str) -> tuple[str, int] | None:
    """The address and the port that were typed; None for what reads like a table's name.

    Raises WrongSpot for a port that there is not.
    """
    try:
        return str(ipaddress.ip_address(text.strip("[]"))), PORT
    except ValueError:
        pass
    match = _SPOT.fullmatch(text)
    if match is None or not (match["port"] or "." in text or text == "localhost"):
        return None
    port = int((match["port"] or str(PORT))[:6])
    if not 0 < port < 65536:
        raise WrongSpot(Text("{port} is not a port: one is from 1 to 65535.", {"port": port}))
    return match["host"].strip("[]"), port
