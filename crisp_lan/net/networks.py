"""The networks of this machine: how it is reached, and where multicast goes out."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import ifaddr

from crisp_lan.game.rules import Text

LOOPBACK = "127.0.0.1"
NO_NETWORK = Text("This machine is on no network.")
_NOT_OURS = "{address} is not an address of this machine."

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class NoNetwork(Exception):
    """There is nothing to announce or search on, for the reason in `text`."""

    def __init__(self, text: Text = NO_NETWORK) -> None:
        super().__init__(text.key)
        self.text = text


@dataclass(frozen=True, slots=True)
class Reach:
    """Where multicast goes out (IPv4 addresses of interfaces), and how this machine is reached."""

    interfaces: tuple[str, ...]
    addresses: tuple[str, ...]


def reach(bind: str | None) -> Reach:
    """The networks this machine is on, or that of the one bound address. Raises NoNetwork."""
    if bind is None or ipaddress.ip_address(bind).is_unspecified:
        addresses = _everywhere()
        interfaces = [address for address in addresses if ":" not in address]
    else:
        addresses, interfaces = [bind], _multicast_beside(ipaddress.ip_address(bind))
    if not interfaces:
        raise NoNetwork
    return Reach(tuple(interfaces), tuple(addresses))


def addresses(bind: str | None) -> tuple[str, ...]:
    """The addresses to show to those who want to join: never none, without a network loopback."""
    try:
        return reach(bind).addresses
    except NoNetwork:
        return (bind or LOOPBACK,)


def dialable(address: str, loopback: bool) -> bool:
    """Whether an announced address can be meant for us; loopback only if we search there."""
    ip = ipaddress.ip_address(address)
    if ip.is_unspecified or ip.is_multicast or _lacks_scope(ip):
        return False
    return loopback or not ip.is_loopback


def _everywhere() -> list[str]:
    """Every address that others can dial, IPv4 first."""
    ips = [ip for ip, _ in _own() if not (ip.is_loopback or ip.is_unspecified or _lacks_scope(ip))]
    return [str(ip) for ip in sorted(ips, key=lambda ip: ip.version)]


def _own() -> Iterator[tuple[Address, str]]:
    for adapter in ifaddr.get_adapters():
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            yield ipaddress.ip_address(text.split("%")[0]), adapter.name


def _multicast_beside(bound: Address) -> list[str]:
    if bound.is_loopback:
        return [LOOPBACK]
    own = list(_own())
    adapters = {adapter for ip, adapter in own if ip == bound}
    if not adapters:
        raise NoNetwork(Text(_NOT_OURS, {"address": str(bound)}))
    if bound.version == 4:
        return [str(bound)]
    return [str(ip) for ip, adapter in own if adapter in adapters and ip.version == 4]


def _lacks_scope(ip: Address) -> bool:
    """A link-local IPv6 address says nothing without the scope, which differs on every machine."""
    return isinstance(ip, ipaddress.IPv6Address) and ip.is_link_local and not ip.scope_id
