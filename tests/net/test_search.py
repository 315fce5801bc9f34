"""Tables of which nothing is heard, called where somebody sat before, under a virtual clock."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import msgpack
import pytest
import trio
from trio.testing import MockClock

from crisp_lan.game.rules import Text
from crisp_lan.net import search as searches
from crisp_lan.net.calling import Target
from crisp_lan.net.dialling import SILENT, NotReached
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL, Hello
from crisp_lan.net.protocol import Connection
from crisp_lan.net.search import NOT_HEARD_OF, Search, called
from crisp_lan.net.secure import Identity, identity_at
from tests.net.loopback import answering

FAR = "192.0.2.7"


def listing(name: str, address: str = FAR, seats: int = 8) -> Listing:
    return Listing(name, name, "crisp", 1, seats, "lobby", 1, "0.1.0", False, (address,), 27477)


@dataclass
class Heard:
    """What is announced."""

    tables: dict[str, Listing] = field(default_factory=dict)
    problem: Text | None = None
    changed: trio.Event = field(default_factory=trio.Event)


@dataclass
class Around:
    """A network with these tables, by address; each is called in a second."""

    there: dict[str, Listing]
    calls: list[tuple[str, ...]] = field(default_factory=list)

    async def called(self, target: Target, patience: float) -> Listing:
        self.calls.append(target.addresses)
        await trio.sleep(1)
        if target.addresses[0] in self.there:
            return self.there[target.addresses[0]]
        raise NotReached(SILENT)


@pytest.fixture
def around(monkeypatch: pytest.MonkeyPatch) -> Around:
    network = Around({FAR: listing("K7Q2", seats=0)})
    monkeypatch.setattr(searches, "called", network.called)
    return network


def seats(*targets: Target) -> searches.Known:
    return lambda: targets


MINE = Target(("127.0.0.1", FAR), 27477, "K7Q2")


@asynccontextmanager
async def running(
    heard: Heard, known: searches.Known, bind: str | None = None
) -> AsyncIterator[Search]:
    search = Search(heard, known, bind)  # type: ignore[arg-type]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(search.run)
        yield search
        nursery.cancel_scope.cancel()


async def test_an_unheard_table_that_answers_is_listed_and_the_sentence_says_why(
    around: Around, autojump_clock: MockClock
) -> None:
    heard = Heard()
    async with running(heard, seats(Target((FAR,), 27477, "K7Q2"))) as search:
        changed = search.changed
        assert search.tables == {}
        await changed.wait()
        await trio.sleep(2.5)
        assert search.tables == {"K7Q2": around.there[FAR]}
        assert search.problem == Text(NOT_HEARD_OF, {"table": "K7Q2", "address": f"{FAR}:27477"})
        around.there.clear()
        await trio.sleep(searches.CALL_AGAIN + 2)
        assert (search.tables, search.problem) == ({}, None)


async def test_a_table_that_is_heard_is_not_called(
    around: Around, autojump_clock: MockClock
) -> None:
    heard = Heard({"K7Q2": listing("K7Q2")})
    async with running(heard, seats(MINE)) as search:
        await trio.sleep(10)
        assert around.calls == []
        assert search.tables == heard.tables


async def test_what_is_heard_says_more_than_a_greeting(
    around: Around, autojump_clock: MockClock
) -> None:
    heard = Heard()
    async with running(heard, seats(MINE)) as search:
        await trio.sleep(3)
        heard.tables["K7Q2"] = listing("K7Q2")
        assert search.tables["K7Q2"].seats == 8
        assert search.problem is None


async def test_where_something_else_is_heard_nothing_is_said_of_multicast(
    around: Around, autojump_clock: MockClock
) -> None:
    async with running(Heard({"Other": listing("Other")}), seats(MINE)) as search:
        around.there["127.0.0.1"] = around.there[FAR]
        await trio.sleep(3)
        assert set(search.tables) == {"K7Q2", "Other"}
        assert search.problem is None


async def test_a_table_on_loopback_says_nothing_of_the_network(
    around: Around, autojump_clock: MockClock
) -> None:
    around.there["127.0.0.1"] = listing("K7Q2", "127.0.0.1", seats=0)
    async with running(Heard(), seats(MINE)) as search:
        await trio.sleep(3)
        assert set(search.tables) == {"K7Q2"}
        assert search.problem is None


@pytest.mark.parametrize(
    ("bind", "there"),
    [
        (None, ("127.0.0.1", FAR)),
        ("0.0.0.0", ("127.0.0.1", FAR)),
        ("127.0.0.1", ("127.0.0.1",)),
        ("192.0.2.1", (FAR,)),
    ],
)
async def test_a_search_bound_to_one_address_calls_nobody_elsewhere(
    bind: str | None, there: tuple[str, ...], around: Around, autojump_clock: MockClock
) -> None:
    async with running(Heard(), seats(MINE), bind):
        await trio.sleep(1.5)
        assert around.calls == [there]


async def test_a_slow_table_keeps_no_other_from_the_list(
    around: Around, autojump_clock: MockClock
) -> None:
    slow = [Target((f"192.0.2.{n}",), 1, f"T{n}") for n in range(20, 40)]
    async with running(Heard(), seats(MINE, *slow)) as search:
        around.there["127.0.0.1"] = around.there[FAR]
        await trio.sleep(2.1)
        assert set(search.tables) == {"K7Q2"}
        assert len(around.calls) == searches.MOST_CALLED


@pytest.mark.parametrize(
    ("protocol", "told", "what"),
    [
        (PROTOCOL - 1, PROTOCOL - 1, "Ask the host to update crisp-lan."),
        (PROTOCOL + 1, PROTOCOL + 1, "Update crisp-lan on your machine."),
        (str(PROTOCOL), str(PROTOCOL), "Install the same version of crisp-lan on both machines."),
        (None, "?", "Install the same version of crisp-lan on both machines."),
    ],
)
async def test_a_table_of_another_version_is_refused_with_both_and_what_to_do(
    protocol: object, told: object, what: str, identity: Identity
) -> None:
    theirs = {"type": "hello", "protocol": protocol, "software": "crisp-lan 9", "table": "K7Q2"}
    if protocol is None:
        del theirs["protocol"]
    payload = msgpack.packb(theirs)
    why = await answered(identity, len(payload).to_bytes(4, "big") + payload)
    assert isinstance(why, Text)
    assert why.values == {"table": told, "program": PROTOCOL}
    assert why.key.endswith(what)


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return identity_at(tmp_path_factory.mktemp("table") / "table.pem")


async def answered(identity: Identity, greeting: bytes) -> Listing | Text:
    """The table that is called where this comes as a greeting, or why it is none."""
    async with answering(identity, greeting) as (spot, _said):
        try:
            return await called(replace(spot, table="K7Q2"), 60.0)
        except NotReached as failed:
            return failed.text


async def test_a_greeting_is_made_harmless(identity: Identity) -> None:
    bad = Hello(1, "crisp-lan 9\x1b[2J", "K7Q2", "\x1b]52;c;eA==\x07\u202eAyu" + "x" * 40)
    found = await answered(identity, Connection("host").send(bad))
    assert isinstance(found, Listing)
    assert found.table.isprintable()
    assert len(found.table) <= 20
    assert found.version == "9[2J"
    assert found.addresses == ("127.0.0.1",)
