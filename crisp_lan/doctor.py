"""Why no table is seen: what can be found out without root, and what to do about it.

    on_machine(…)   at once: program, language, terminal, data folder, firewall
    on_network(…)   within a few seconds: networks, multicast, ports, tables

Everything found is said at once, in the order in which it is known.
"""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Literal, TypeAlias

import trio

from crisp_lan import __version__
from crisp_lan.front import has_screen
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
from crisp_lan.tui.paint import LEAST_COLUMNS, LEAST_LINES
from crisp_lan.tui.style import colours
from crisp_lan.tui.wording import worded
from crisp_lan.words import LANGUAGES, _, locale_setting, speak

Grade: TypeAlias = Literal["ok", "warning", "fault"]
LISTEN = 2.0
"""Seconds to listen on every network."""
ANSWER = 3.3
"""Seconds for a table to answer: a machine that is gone is known to be after three."""
NEAR = 0.5
"""Seconds for a table on this machine."""
WIDTH = 79

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "id": "Bahasa Indonesia"}
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


# ---------------------------------------------------------------- the machine


def on_machine(data: Path, language: str | None, suits: bool) -> Iterator[Finding]:
    """What can be found out at once. `suits`: whether the encoding has the suits."""
    yield _program()
    yield _language(language)
    yield _encoding(suits)
    yield _terminal()
    yield _folder(data)
    yield _firewall()


def _program() -> Finding:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.release()}"
    values = {"version": __version__, "python": python, "system": system}
    return Finding("ok", Text("crisp-lan {version} on {python}, {system}.", values))


def _language(asked: str | None) -> Finding:
    values = {
        "language": LANGUAGE_NAMES[speak(asked)],
        "source": f"--lang {asked}" if asked else locale_setting() or _("the system"),
        "known": ", ".join(LANGUAGES),
    }
    sentence = "The language is {language}, by {source}. Choose with --lang: {known}."
    return Finding("ok", Text(sentence, values))


def _encoding(suits: bool) -> Finding:
    encoding = {"encoding": sys.stdout.encoding or "?"}
    if suits:
        return Finding("ok", Text("The encoding {encoding} has the signs of the suits.", encoding))
    sentence = (
        "The encoding {encoding} has no signs for the suits: letters stand for them. A UTF-8 locale"
        " brings them, such as LANG=C.UTF-8."
    )
    return Finding("warning", Text(sentence, encoding))


def _terminal() -> Finding:
    term = os.environ.get("TERM", "")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("ok", Text("This is no terminal: a table is told line by line here."))
    if not has_screen():
        sentence = "The terminal (TERM={term}) cannot be drawn on: a table is told line by line."
        return Finding("warning", Text(sentence, {"term": term}))
    columns, rows = shutil.get_terminal_size()
    values: dict[str, int | str] = {
        "term": term or platform.system(),
        "columns": columns,
        "rows": rows,
        "colours": str(colours()),
        "least_columns": LEAST_COLUMNS,
        "least_rows": LEAST_LINES,
    }
    if columns < LEAST_COLUMNS or rows < LEAST_LINES:
        sentence = (
            "The terminal has {columns} columns and {rows} rows; a table needs {least_columns} and"
            " {least_rows}. Make the window larger, or use --plain."
        )
        return Finding("warning", Text(sentence, values))
    sentence = "The terminal {term} has {columns} columns, {rows} rows and {colours} colours."
    return Finding("ok", Text(sentence, values))


def _folder(data: Path) -> Finding:
    values = {"folder": str(data)}
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=data) as tried:
            tried.write(bytes(4096))
    except OSError as error:
        sentence = (
            "{folder} cannot be written: {reason}. Games and seats are kept there: mend that, or"
            " choose another folder with --data."
        )
        return Finding("fault", Text(sentence, {**values, "reason": error.strerror or ""}))
    return Finding("ok", Text("Games and seats are kept in {folder}.", values))


_LET_IN = {
    "ufw": f"sudo ufw allow {PORT}/tcp && sudo ufw allow 5353/udp",
    "firewalld": f"sudo firewall-cmd --add-port={PORT}/tcp --add-port=5353/udp",
}


def _firewall() -> Finding:
    """What can be told of a firewall without its rules, which root alone may read."""
    for name, on in (("ufw", _ufw_on()), ("firewalld", _runs("firewalld"))):
        if on:
            sentence = "The firewall {name} is on: {command} lets tables through."
            return Finding("warning", Text(sentence, {"name": name, "command": _LET_IN[name]}))
    tools = [tool for tool in ("nft", "iptables", "ufw", "firewall-cmd") if _found(tool)]
    values = {"names": ", ".join(tools), "port": str(PORT)}
    if tools:
        sentence = (
            "No firewall service is known to run, but there may be rules ({names}). If so, allow"
            " TCP port {port} on the host’s machine, and UDP port 5353 on every one."
        )
        return Finding("ok", Text(sentence, values))
    sentence = (
        "If this machine has a firewall, allow TCP port {port} on the host’s machine, and UDP port"
        " 5353 on every one."
    )
    return Finding("ok", Text(sentence, values))


def _found(tool: str) -> bool:
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    return shutil.which(tool, path=path) is not None


def _ufw_on() -> bool:
    with suppress(OSError):
        return "ENABLED=yes" in Path("/etc/ufw/ufw.conf").read_text(errors="replace").split()
    return False


def _runs(program: str) -> bool:
    """Whether a process of this name runs, where the system lets everybody see that."""
    for name in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if name.read_text(errors="replace").strip() == program:
                return True
    return False


# ---------------------------------------------------------------- the network


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
