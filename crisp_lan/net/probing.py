"""Trying out what finding tables needs: multicast on one network, and the two ports."""

from __future__ import annotations

import secrets
import socket
import struct
from contextlib import closing, suppress
from dataclasses import dataclass

import trio

from crisp_lan.game.rules import Text
from crisp_lan.net.listening import CannotListen, listeners
from crisp_lan.net.networks import own
from crisp_lan.spots import PORT

GROUP, MDNS_PORT = "224.0.0.251", 5353
ASKED = ("_services._dns-sd._udp.local", "_crisp-lan._tcp.local")
"""What everybody answers who speaks multicast DNS, and what tables answer."""
TIMES = 2
LONGEST = 9000
_POINTER, _INTERNET = 12, 1

_CANNOT_ASK = (
    "{device}: multicast cannot be used there: {reason}. Choose another network with --bind, or"
    " join by address."
)
_KEPT_IN = "{device}: a firewall on this machine lets no multicast out: allow UDP port 5353."


@dataclass(frozen=True, slots=True)
class Echo:
    """What was heard on one network after asking there: our own words, and those of others.

    `trouble` says why nothing could be asked.
    """

    own: bool = False
    others: bool = False
    trouble: Text | None = None


async def echo(address: str, device: str, seconds: float) -> Echo:
    """Asks by multicast on the network of this IPv4 address, and listens for so long."""
    try:
        with trio.socket.from_stdlib_socket(_asking(address, device)) as asking:
            return await _heard(asking, seconds)
    except PermissionError:
        return Echo(trouble=Text(_KEPT_IN, {"device": device}))
    except OSError as error:
        reason = error.strerror or str(error)
        return Echo(trouble=Text(_CANNOT_ASK, {"device": device, "reason": reason}))


async def _heard(asking: trio.socket.SocketType, seconds: float) -> Echo:
    ours = {str(ip) for ip, _device in own()}
    word = f"doctor-{secrets.token_hex(8)}"
    by_us: set[bool] = set()
    with trio.move_on_after(seconds) as patience:
        for n in range(1, TIMES + 1):
            await asking.sendto(_questions(*ASKED, f"{word}.local"), (GROUP, MDNS_PORT))
            with trio.move_on_at(patience.deadline - seconds * (1 - n / TIMES)):
                while len(by_us) < 2:
                    packet, sender = await asking.recvfrom(LONGEST)
                    if word.encode() in packet:
                        by_us.add(True)
                    elif sender[0] not in ours:
                        by_us.add(False)
    return Echo(True in by_us, False in by_us)


def _asking(address: str, device: str) -> socket.socket:
    """A socket on the port that all who speak multicast DNS share, on one network."""
    asking = _shared()
    try:
        if device and hasattr(socket, "SO_BINDTODEVICE"):
            with suppress(OSError):
                asking.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
        here, group = socket.inet_aton(address), socket.inet_aton(GROUP)
        for option, value in (
            (socket.IP_ADD_MEMBERSHIP, group + here),
            (socket.IP_MULTICAST_IF, here),
            (socket.IP_MULTICAST_TTL, b"\xff"),
            (socket.IP_MULTICAST_LOOP, b"\x01"),
        ):
            asking.setsockopt(socket.IPPROTO_IP, option, value)
        asking.bind(("", MDNS_PORT))
    except BaseException:
        asking.close()
        raise
    return asking


def _shared() -> socket.socket:
    """A socket that lets others have its port as well."""
    sharing = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sharing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "SO_REUSEPORT"):
        with suppress(OSError):
            sharing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    return sharing


def _questions(*names: str) -> bytes:
    """A DNS message that asks for the pointers at these names."""
    message = struct.pack("!6H", 0, 0, len(names), 0, 0, 0)
    for name in names:
        labels = [label.encode() for label in name.split(".")]
        message += b"".join(bytes([len(label)]) + label for label in labels) + b"\0"
        message += struct.pack("!2H", _POINTER, _INTERNET)
    return message


def shares_mdns_port() -> bool:
    """Whether UDP port 5353 can be had beside whoever has it already."""
    with closing(_shared()) as sharing:
        try:
            sharing.bind(("", MDNS_PORT))
        except OSError:
            return False
    return True


async def game_port_free(bind: str | None) -> bool:
    """Whether a table could listen on the usual port now."""
    try:
        listening = await listeners(bind, PORT)
    except CannotListen:
        return False
    for listener in listening:
        await listener.aclose()
    return True
