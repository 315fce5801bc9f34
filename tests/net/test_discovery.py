"""Announcing and finding for real, on loopback, and what networks may throw at it."""

from __future__ import annotations

import errno
import gc
import logging
import secrets
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import ifaddr
import pytest
import trio
from zeroconf import IPVersion, ServiceInfo, Zeroconf

from crisp_lan.game.rules import Text
from crisp_lan.net import discovery, networks
from crisp_lan.net.discovery import Announcement, Found, announced, browsing
from crisp_lan.net.listing import Listing
from tests.net.loopback import PATIENCE

HERE = "127.0.0.1"


def listing(table: str = "Ayu's table", **changes: Any) -> Listing:
    fresh = Listing(
        id=secrets.token_hex(8),
        table=table,
        game="crisp",
        players=1,
        seats=8,
        phase="lobby",
        protocol=1,
        version="0.1.0",
        passcode=False,
        addresses=(HERE,),
        port=27477,
    )
    return replace(fresh, **changes)


async def until(on_air: Found | Announcement, true: Callable[[], bool]) -> None:
    """Waits for something to become true; a change is told whenever it may have."""
    with trio.fail_after(PATIENCE):
        while True:
            changed = on_air.changed
            if true():
                return
            await changed.wait()


@pytest.fixture
def unprobed(monkeypatch: Any) -> None:
    """Without the 1.2 s in which somebody could say that a name is taken."""
    monkeypatch.setattr(discovery, "PROBES", 0)


@asynccontextmanager
async def on_air(table: Listing) -> AsyncIterator[Announcement]:
    async with announced(table, HERE) as announcement:
        with trio.fail_after(PATIENCE):
            await announcement.changed.wait()
        assert announcement.problem is None
        yield announcement


async def test_a_table_is_found_follows_its_updates_and_goes_with_a_goodbye() -> None:
    table = listing("Táble 2.0 & <b>{0}%s")
    async with browsing(HERE) as found:
        async with on_air(table) as announcement:
            await until(found, lambda: table.id in found.tables)
            assert found.tables[table.id] == table

            later = replace(table, players=3, phase="Play")
            announcement.update(later)
            await until(found, lambda: found.tables.get(table.id) == later)
        await until(found, lambda: table.id not in found.tables)


async def test_the_second_table_of_a_name_gets_a_number_and_both_are_listed(
    unprobed: None, monkeypatch: Any
) -> None:
    name = f"Ayu {secrets.token_hex(3)}"
    first, second = listing(name), listing(name)
    async with browsing(HERE) as found, on_air(first) as one:
        await until(found, lambda: first.id in found.tables)
        # What was announced just now is told again after a second, on a busy machine still later.
        monkeypatch.setattr(discovery, "PROBES", 12)
        async with on_air(second) as other:
            await until(found, lambda: {first.id, second.id} <= found.tables.keys())
            assert (one.name, other.name) == (name, f"{name} (2)")
            assert found.tables[first.id].table == name
            assert found.tables[second.id].table == f"{name} (2)"


@asynccontextmanager
async def unaware(table: Listing) -> AsyncIterator[Announcement]:
    """On air by a name that somebody has: who hears of that in time goes, and comes again."""
    while True:
        async with on_air(table) as announcement:
            if announcement.name == table.table:
                yield announcement
                return


async def test_of_two_tables_that_took_one_name_on_networks_joined_later_one_yields(
    unprobed: None,
) -> None:
    name = f"Ayu {secrets.token_hex(3)}"
    winner, loser = sorted((listing(name), listing(name)), key=lambda table: table.id)
    async with browsing(HERE) as found, on_air(loser) as yielding, unaware(winner) as staying:
        await until(yielding, lambda: yielding.name == f"{name} (2)")
        await until(found, lambda: {winner.id, loser.id} <= found.tables.keys())
        assert staying.name == name


HARD_NAMES = ["x" * 64, "\N{GRINNING FACE}" * 16, "a\nb\x1b[2J", "", "...", "_sub", "\x07\x00"]


async def test_hosting_never_fails_because_of_a_name(unprobed: None) -> None:
    tables = [listing(name) for name in HARD_NAMES]
    async with AsyncExitStack() as stack:
        found = await stack.enter_async_context(browsing(HERE))
        for table in tables:
            await stack.enter_async_context(announced(table, HERE))
        await until(found, lambda: {table.id for table in tables} <= found.tables.keys())
        assert all(table.table.isprintable() for table in found.tables.values())


@contextmanager
def hostile(txt: bytes, label: str) -> Iterator[None]:
    """Another program's announcement, with a TXT record of its own choice."""
    with closing(Zeroconf(interfaces=[HERE], ip_version=IPVersion.V4Only)) as zc:
        service = f"{label}.{discovery.SERVICE}"
        info = ServiceInfo(
            discovery.SERVICE,
            service,
            port=1,
            properties=txt,
            server=f"{label}.local.",
            parsed_addresses=[HERE],
        )
        zc.register_service(info, cooperating_responders=True)
        yield


def txt_bytes(*fields: bytes) -> bytes:
    return b"".join(bytes([len(field)]) + field for field in fields)


async def test_hostile_announcements_are_made_harmless_or_left_out() -> None:
    table_id, label = secrets.token_hex(8), secrets.token_hex(8)
    bad = txt_bytes(
        b"id=" + table_id.encode(),
        b"table=\x1b]52;c;eA==\x07\xe2\x80\xaeAyu\xff" + b"x" * 200,
        b"players=-1",
        b"seats=99999999999999999999",
        b"protocol=one",
        b"passcode",
        b"=",
    )
    broken = txt_bytes(b"id=../../etc") + b"\xff"
    with hostile(bad, label), hostile(broken, label + "-broken"):
        async with browsing(HERE) as found:
            await until(found, lambda: table_id in found.tables)
            (heard,) = (found.tables[key] for key in found.tables if key == table_id)
    assert heard.table.isprintable()
    assert len(heard.table) < 30
    assert (heard.players, heard.seats, heard.protocol, heard.passcode) == (0, 0, 0, False)


async def test_the_tables_listed_are_bounded(unprobed: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(discovery, "MOST_TABLES", 0)
    table = listing()
    async with browsing(HERE) as found, on_air(table):
        await trio.sleep(0.3)
        assert found.tables == {}


async def test_a_table_that_falls_silent_leaves_the_list(unprobed: None, monkeypatch: Any) -> None:
    monkeypatch.setattr(discovery, "RECORD_SECONDS", 1)
    monkeypatch.setattr(discovery, "ASK_SECONDS", 0.5)
    monkeypatch.setattr(discovery, "LOOK_UP_SECONDS", 0.3)
    table = listing()
    async with browsing(HERE) as found, on_air(table):
        await until(found, lambda: table.id in found.tables)
        monkeypatch.setattr(Zeroconf, "async_send", lambda *args, **options: None)
        await until(found, lambda: table.id not in found.tables)


@pytest.mark.timed
@pytest.mark.parametrize("seconds", [0, 0.1, 0.5])
async def test_leaving_while_still_registering_is_quick_quiet_and_complete(
    seconds: float, monkeypatch: Any, capfd: Any
) -> None:
    monkeypatch.setattr(discovery, "PROBES", 1)
    table = listing()
    async with browsing(HERE) as found:
        with trio.fail_after(discovery.GOODBYE_SECONDS + seconds):
            async with announced(table, HERE):
                await trio.sleep(seconds)
        await trio.sleep(0.1)
        await until(found, lambda: table.id not in found.tables)
    gc.collect()
    assert capfd.readouterr() == ("", "")


async def test_a_busy_port_is_a_reason_and_the_table_is_announced_when_it_is_free(
    unprobed: None,
    monkeypatch: Any,
) -> None:
    def busy(**options: object) -> None:
        raise OSError(errno.EADDRINUSE, "Address already in use")

    monkeypatch.setattr(discovery, "WATCH_SECONDS", 0.1)
    monkeypatch.setattr(discovery, "Zeroconf", busy)
    table = listing()
    async with announced(table, HERE) as announcement, browsing(HERE) as found:
        await until(announcement, lambda: announcement.problem == discovery.PORT_TAKEN)
        await until(found, lambda: found.problem == discovery.PORT_TAKEN)
        monkeypatch.setattr(discovery, "Zeroconf", Zeroconf)
        await until(found, lambda: table.id in found.tables)
        assert found.problem is None
        await until(announcement, lambda: announcement.problem is None)


async def test_a_network_that_stays_away_is_logged_once_and_not_again_every_few_seconds(
    monkeypatch: Any, caplog: Any
) -> None:
    tried = 0

    def nowhere(bind: str | None) -> networks.Reach:
        nonlocal tried
        tried += 1
        raise networks.NoNetwork

    monkeypatch.setattr(discovery, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(discovery, "reach", nowhere)
    caplog.set_level(logging.INFO)
    async with browsing(HERE) as found:
        await until(found, lambda: tried > 3)
    assert [record.message for record in caplog.records] == [
        "not on air: This machine is on no network."
    ]
    assert not caplog.records[0].exc_info


async def test_without_a_network_the_reason_is_said_and_it_goes_on_when_there_is_one(
    unprobed: None,
    monkeypatch: Any,
) -> None:
    def nowhere(bind: str | None) -> networks.Reach:
        raise networks.NoNetwork

    monkeypatch.setattr(discovery, "WATCH_SECONDS", 0.1)
    monkeypatch.setattr(discovery, "reach", nowhere)
    table = listing()
    async with browsing(HERE) as found, announced(table, HERE) as announcement:
        await until(found, lambda: found.problem == networks.NO_NETWORK)
        monkeypatch.setattr(discovery, "reach", networks.reach)
        await until(found, lambda: table.id in found.tables)
        monkeypatch.setattr(discovery, "reach", nowhere)
        await until(announcement, lambda: announcement.problem == networks.NO_NETWORK)
        await until(found, lambda: found.problem is not None and not found.tables)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (OSError(errno.ENODEV, "No such device"), networks.NO_NETWORK),
        (ExceptionGroup("", [OSError(errno.EADDRINUSE, "")]), discovery.PORT_TAKEN),
        (
            RuntimeError("bad\x1b[2J"),
            Text("The network does not let it happen: {error}.", {"error": "bad[2J"}),
        ),
    ],
)
def test_every_failure_becomes_a_sentence(error: Exception, reason: Text) -> None:
    assert discovery._reason(error) == reason


def machine(*adapters: tuple[str, list[str]]) -> Callable[[], list[Any]]:
    """A machine with these adapters and addresses, as ifaddr tells of them."""

    def ip(address: str) -> ifaddr.IP:
        return ifaddr.IP((address, 0, 0) if ":" in address else address, 24, "")

    return lambda: [SimpleNamespace(name=name, ips=[*map(ip, ips)]) for name, ips in adapters]


LAPTOP = machine(
    ("lo", ["127.0.0.1", "::1"]),
    ("wlan0", ["fe80::1%3", "fd00::9", "192.168.1.20"]),
    ("tun0", ["10.8.0.2"]),
)


def test_every_address_but_loopback_and_link_local_ipv6_is_announced(monkeypatch: Any) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", LAPTOP)
    for everywhere in (None, "0.0.0.0", "::"):
        here = networks.reach(everywhere)
        assert here.interfaces == ("192.168.1.20", "10.8.0.2")
        assert here.addresses == ("192.168.1.20", "10.8.0.2", "fd00::9")


@pytest.mark.parametrize(
    ("bind", "interface", "device"),
    [
        ("10.8.0.2", "10.8.0.2", "tun0"),
        ("fd00::9", "192.168.1.20", "wlan0"),
        ("127.0.0.1", "127.0.0.1", "lo"),
        ("::1", "127.0.0.1", "lo"),
    ],
)
def test_a_bound_address_alone_is_announced_on_its_network_alone(
    bind: str, interface: str, device: str, monkeypatch: Any
) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", LAPTOP)
    assert networks.reach(bind) == networks.Reach((interface,), (bind,), device)


def test_a_machine_on_no_network_says_so_and_still_shows_an_address(monkeypatch: Any) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", machine(("lo", ["127.0.0.1", "::1"])))
    with pytest.raises(networks.NoNetwork) as caught:
        networks.reach(None)
    assert caught.value.text == networks.NO_NETWORK
    assert networks.addresses(None) == ("127.0.0.1",)


def test_an_address_that_is_not_of_this_machine_is_named(monkeypatch: Any) -> None:
    monkeypatch.setattr(ifaddr, "get_adapters", LAPTOP)
    with pytest.raises(networks.NoNetwork) as caught:
        networks.reach("192.168.1.99")
    assert caught.value.text.values == {"address": "192.168.1.99"}


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "fe80::1", "224.0.0.251", "127.0.0.1"])
def test_addresses_that_cannot_be_meant_for_us_are_not_dialled(address: str) -> None:
    assert not networks.dialable(address, loopback=False)


@pytest.mark.parametrize("address", ["192.168.1.20", "fd00::9", "fe80::1%3"])
def test_other_addresses_are_dialled(address: str) -> None:
    assert networks.dialable(address, loopback=False)
