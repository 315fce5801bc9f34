"""Why no table is seen: what can be found out without root, and what to do about it.

    machine.on_machine(…)   at once: program, language, terminal, data folder, firewall
    on_network(…)           within a few seconds: networks, multicast, ports, tables

Everything found is said at once, in the order in which it is known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal, TypeAlias

import trio

from crisp_lan.game.rules import Text
from crisp_lan.net.calling import Target, target_of
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.discovery import browsing
from crisp_lan.net.listing import Listing
from crisp_lan.net.networks import NO_NETWORK, NoNetwork, Reach, own, reach
from crisp_lan.net.probing import Echo, echo, game_port_free, shares_mdns_port
from crisp_lan.net.search import Known, called, not_heard_of, within
from crisp_lan.spots import PORT
from crisp_lan.text import cells
from crisp_lan.tui.blocks import broken
from crisp_lan.tui.finder import trouble
from crisp_lan.tui.wording import worded
from crisp_lan.words import _

Grade: TypeAlias = Literal["ok", "warning", "fault"]
LISTEN = 2.0
"""Seconds to listen on every network."""
ANSWER = 3.3
"""Seconds for a table to answer: a machine that is gone is known to be after three."""
NEAR = 0.5
"""Seconds for a table on this machine."""
WIDTH = 79

VPNS = ("tun", "tap", "wg", "ppp", "utun", "tailscale", "zt", "ipsec", "nordlynx", "proton", "vpn")
INNER = ("docker", "br-", "virbr", "veth", "vmnet", "vboxnet", "lxc", "lxd", "podman", "cni")
"""How interfaces begin that lead to virtual machines and containers of this machine."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found out, and what to do about it."""

    grade: Grade
    text: Text


Answer: TypeAlias = Listing | Text
"""The table that was called, or why it does not answer."""
Say: TypeAlias = Callable[[Finding], None]


def lines(finding: Finding) -> list[str]:
    """A finding as it is printed."""
    grades = [_("ok"), _("warning"), _("fault")]
    room = max(map(len, grades)) + 2
    grade = {"ok": grades[0], "warning": grades[1], "fault": grades[2]}[finding.grade]
    text = broken(_parted(worded(finding.text, ()), WIDTH - room), WIDTH - room)
    return [f"{mark:{room}}{line}" for mark, line in zip([grade, *[""] * len(text)], text)]


def _parted(text: str, width: int) -> str:
    """The text with words, such as paths, that are too long for a line in several parts."""
    parts = []
    for word in text.split():
        parts.append("")
        for sign in word:
            if cells(parts[-1] + sign) > width:
                parts.append("")
            parts[-1] += sign
    return " ".join(parts)


async def on_network(bind: str | None, typed: Target | None, known: Known, say: Say) -> None:
    """What is found out by trying; with `bind`, on that address's network only.

    `typed`: where a table should be, by the player's word.
    """
    here = _told_networks(bind, say)
    shared = shares_mdns_port()
    say(Finding("ok", Text(_SHARED)) if shared else Finding("fault", Text(_HELD)))
    if here is not None or bind is None:
        say(await _game_port(bind))
    async with trio.open_nursery() as nursery:
        if here is not None and shared:
            nursery.start_soon(_try_multicast, here, say)
            nursery.start_soon(_try_tables, bind, typed, known, say)
        elif typed is not None:
            say(_of_call(await _answer(typed), bind))


_SHARED = "UDP port 5353 can be shared with other programs, as it must."
_HELD = (
    "Another program keeps UDP port 5353 to itself, so tables are neither announced nor heard. End"
    " that program, or join by address."
)


def _told_networks(bind: str | None, say: Say) -> Reach | None:
    """Tells of the networks that this machine is on; None if it is on none."""
    try:
        here = reach(bind)
    except NoNetwork as none:
        say(Finding("fault", Text(_ALONE) if none.text == NO_NETWORK else none.text))
        return None
    devices = _by_device(here.addresses)
    for device, addresses in devices.items():
        say(_of_network(device, addresses))
    if sum(not _is_inner(device) for device in devices) > 1:
        say(Finding("warning", Text(_SEVERAL)))
    return here


def _of_network(device: str, addresses: Sequence[str]) -> Finding:
    """One network; of what is odd about it, what matters most."""
    values = {"device": device, "addresses": ", ".join(addresses)}
    ips = [ip_address(address) for address in addresses]
    if ips[0].is_loopback:
        return Finding("ok", Text("{device}: {addresses}, this machine alone.", values))
    if all(ip.version == 6 for ip in ips):
        return Finding("warning", Text(_WITHOUT_IPV4, values))
    if any(ip.version == 4 and ip.is_link_local for ip in ips):
        return Finding("warning", Text(_GIVEN_NONE, values))
    if device.lower().startswith(VPNS):
        return Finding("warning", Text(_VPN, values))
    return Finding("ok", Text(_INNER if _is_inner(device) else "{device}: {addresses}.", values))


_ALONE = (
    "This machine is on no network. Join the Wi-Fi of the others, or plug a cable in. Tables of"
    " this machine alone are found with --bind 127.0.0.1."
)
_SEVERAL = (
    "This machine is on several networks. Tables are announced and heard on all of them; if yours"
    " is not seen, choose its network with --bind."
)
_WITHOUT_IPV4 = (
    "{device}: {addresses}, without IPv4. No table is announced or heard there: join by address."
)
_GIVEN_NONE = (
    "{device}: {addresses}. The network has given this machine no address: join it again, or look"
    " at its router."
)
_VPN = (
    "{device}: {addresses}. This looks like a VPN, where the others seldom are. If no table is"
    " seen, switch it off, or choose the right network with --bind."
)
_INNER = "{device}: {addresses}. This looks like a network inside this machine, for containers."


def _by_device(addresses: Iterable[str]) -> dict[str, list[str]]:
    devices: dict[str, list[str]] = {}
    for ip, device in own():
        if str(ip) in addresses:
            devices.setdefault(device, []).append(str(ip))
    return devices


def _is_inner(device: str) -> bool:
    return device.lower().startswith(INNER)


async def _game_port(bind: str | None) -> Finding:
    values = {"port": str(PORT)}
    if await game_port_free(bind):
        return Finding("ok", Text("TCP port {port} is free for a table.", values))
    near = "127.0.0.1" if bind is None or ip_address(bind).is_unspecified else bind
    try:
        table = (await called(Target((near,), PORT), NEAR)).table
    except NotReached:
        sentence = (
            "TCP port {port} is taken by another program: a table opened here has the next free"
            " one. Its screen shows which; others need it with the address."
        )
        return Finding("warning", Text(sentence, values))
    sentence = "On TCP port {port} of this machine the table {table} is open."
    return Finding("ok", Text(sentence, {**values, "table": table}))


async def _try_multicast(here: Reach, say: Say) -> None:
    """Asks on every network of the machine, side by side, and tells what came back."""
    places = [(str(ip), device) for ip, device in own() if str(ip) in here.interfaces]
    echoes: dict[str, Echo] = {}

    async def ask(address: str, device: str) -> None:
        echoes[address] = await echo(address, device, LISTEN)

    async with trio.open_nursery() as nursery:
        for place in places:
            nursery.start_soon(ask, *place)
    for address, device in places:
        say(_of_multicast(echoes[address], address, device))


def _of_multicast(heard: Echo, address: str, device: str) -> Finding:
    values = {"device": device}
    if heard.trouble is not None:
        return Finding("fault", heard.trouble)
    if not heard.own:
        sentence = (
            "{device}: multicast goes out, but is not heard. A firewall on this machine keeps it"
            " from coming in: allow UDP port 5353."
        )
        return Finding("fault", Text(sentence, values))
    if ip_address(address).is_loopback:
        return Finding("ok", Text("{device}: multicast goes out and is heard.", values))
    if heard.others:
        sentence = "{device}: multicast goes out and is heard, and other machines answer."
        return Finding("ok", Text(sentence, values))
    sentence = (
        "{device}: multicast goes out and is heard here, but no other machine answers. Perhaps"
        " none is there; or the Wi-Fi keeps multicast back, or its devices apart, as guest networks"
        " do."
    )
    return Finding("warning", Text(sentence, values))


async def _try_tables(bind: str | None, typed: Target | None, known: Known, say: Say) -> None:
    """Listens, calls the tables heard, known, or said to be somewhere, and tells who answers."""
    others = [typed] if typed else [near for each in known() if (near := within(bind, each))]
    answers: dict[Target, Answer] = {}

    async def call(target: Target) -> None:
        answers[target] = await _answer(target)

    async with trio.open_nursery() as nursery:
        for target in others:
            nursery.start_soon(call, target)
        async with browsing(bind) as network:
            await trio.sleep(LISTEN)
            heard, problem = network.tables, network.problem
        for listing in heard.values():
            nursery.start_soon(call, target_of(listing))
    for listing in heard.values():
        say(_of_table(listing, answers[target_of(listing)]))
    for answer in (answers[target] for target in others):
        if (typed or isinstance(answer, Listing)) and not _is_among(answer, heard):
            say(_of_call(answer, bind))
    if problem is not None:
        say(Finding("fault", Text("{reason}", {"reason": trouble(problem)})))
    elif typed is None and not heard and not any(isinstance(a, Listing) for a in answers.values()):
        say(Finding("warning", Text(_NOTHING_HEARD)))


_NOTHING_HEARD = (
    "No table is heard. If one is open, {command} doctor ADDRESS tries its address from the host’s"
    " screen."
)


async def _answer(target: Target) -> Answer:
    """The table that answers, or why none does."""
    try:
        return await called(target, ANSWER)
    except NotReached as failed:
        return failed.text


def _of_table(listing: Listing, answer: Answer) -> Finding:
    values = {"table": listing.table, "address": listing.spot}
    if isinstance(answer, Listing):
        return Finding("ok", Text("{table} is announced, and answers at {address}.", values))
    return Finding("fault", Text("{table}: {reason}", {**values, "reason": worded(answer, ())}))


def _of_call(answer: Answer, bind: str | None) -> Finding:
    """A table that was called where it should be, and is not heard of."""
    if not isinstance(answer, Listing):
        return Finding("fault", answer)
    if blocked := not_heard_of(answer, bind):
        return Finding("warning", blocked)
    values = {"table": answer.table, "address": answer.spot}
    return Finding("ok", Text("{table} answers at {address}.", values))


def _is_among(answer: Answer, heard: Mapping[str, Listing]) -> bool:
    return isinstance(answer, Listing) and answer.id in heard
