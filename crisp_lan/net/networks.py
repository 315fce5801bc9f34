"""The networks of this machine: how it is reached, and where multicast goes out."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import ifaddr

from crisp_lan.game.rules import Problem, Text

LOOPBACK = "127.0.0.1"
NO_NETWORK = Text("This machine is on no network.")

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class NoNetwork(Problem):
    """There is nothing to announce or search on, for the reason in `text`."""

    def __init__(self, text: Text = NO_NETWORK) -> None:
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Reach:
    """Where multicast goes out (IPv4 addresses of interfaces), and how this machine is reached.

    `device` is the one interface that a bound address belongs to, "" for all of them.
    """

    interfaces: tuple[str, ...]
    addresses: tuple[str, ...]
    device: str = ""


def reach(bind: str | None) -> Reach:
    """The networks this machine is on, or that of the one bound address. Raises NoNetwork."""
    if bind is None or ipaddress.ip_address(bind).is_unspecified:
        addresses = _everywhere()
        here = Reach(tuple(each for each in addresses if ":" not in each), addresses)
    else:
        here = _bound(ipaddress.ip_address(bind))
    if not here.interfaces:
        raise NoNetwork
    return here


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


def _everywhere() -> tuple[str, ...]:
    """Every address that others can dial, IPv4 first."""
    ips = [ip for ip, _ in own() if not (ip.is_loopback or ip.is_unspecified or _lacks_scope(ip))]
    return tuple(str(ip) for ip in sorted(ips, key=lambda ip: ip.version))


def own() -> Iterator[tuple[Address, str]]:
    """Every address of this machine, with the name of its interface, unless that is down."""
    for adapter in ifaddr.get_adapters():
        if _is_down(adapter.name):
            continue
        for ip in adapter.ips:
            text = ip.ip if isinstance(ip.ip, str) else ip.ip[0]
            yield ipaddress.ip_address(text.split("%")[0]), adapter.name


def _is_down(device: str) -> bool:
    """Whether the system says so: addresses stay where a cable was pulled out."""
    with suppress(OSError):
        return Path("/sys/class/net", device, "operstate").read_text() == "down\n"
    return False


def _bound(bound: Address) -> Reach:
    ours = list(own())
    on = ipaddress.ip_address(LOOPBACK) if bound.is_loopback else bound
    devices = [device for ip, device in ours if ip == on]
    if not devices:
        here = {"address": str(bound)}
        raise NoNetwork(Text("{address} is not an address of this machine.", here))
    beside = [str(ip) for ip, device in ours if device == devices[0] and ip.version == 4]
    interfaces = (str(on),) if on.version == 4 else tuple(beside)
    return Reach(interfaces, (str(bound),), devices[0])


def _lacks_scope(ip: Address) -> bool:
    """A link-local IPv6 address says nothing without the scope, which differs on every machine."""
    return isinstance(ip, ipaddress.IPv6Address) and ip.is_link_local and not ip.scope_id
