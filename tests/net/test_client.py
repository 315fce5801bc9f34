"""Clients that lose their table and find it again, over memory streams and the virtual clock."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from crisp_lan.game.rules import Act, Text
from crisp_lan.lots import HOST, commitment
from crisp_lan.net.calling import Call, Network, Target
from crisp_lan.net.client import Back, Client, Lost, TurnedAway, at_table
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL, Bye, Commits, Hello, Join, No, Show
from crisp_lan.net.protocol import Connection
from crisp_lan.net.secure import ANOTHER, Identity, identity_at
from tests.net.hall import ID, KEY, PLAIN, Hall, Stacked, Stream, later, open_hall, settled
from tests.net.loopback import answering

ANYWHERE = Target(("192.0.2.1",), 27477, "K7Q2")


class Wire:
    """A network with one table on it, whose streams can be cut, dulled and forbidden."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.streams: list[tuple[Stream, Stream]] = []
        self.targets: list[Target] = []
        self.open = True
        self.listing: Listing | None = None
        self.patience = 0.0
        """Seconds until nobody answers."""

    async def call(self, target: Target) -> Call:
        self.targets.append(target)
        if not self.open or (self.listing and target.port != self.listing.port):
            await trio.sleep(self.patience)
            raise NotReached(Text("no answer"))
        self.streams.append(self.hall.connect())
        return Call(self.streams[-1][0])

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        assert table_id == "K7Q2"
        return self.listing

    async def cut(self) -> None:
        await trio.aclose_forcefully(self.streams[-1][0])

    def dull(self) -> None:
        """From now on nothing comes through either way, and nobody is told so."""
        for stream in self.streams[-1]:
            stream.send_stream.send_all_hook = partial(_swallow, stream)


async def _swallow(stream: Stream) -> None:
    stream.send_stream.get_data_nowait()


async def until(client: Client, wanted: Callable[[Any], bool]) -> list[Any]:
    """The news up to the one that is wanted."""
    heard: list[Any] = []
    with trio.fail_after(60):
        while not heard or not wanted(heard[-1]):
            heard.append(await client.receive())
    return heard


def of(kind: type[Any]) -> Callable[[Any], bool]:
    return lambda news: isinstance(news, kind)


def offering(act: str) -> Callable[[Any], bool]:
    def offers(news: Any) -> bool:
        if not isinstance(news, Show):
            return False
        choices = news.table.choices + (news.view.choices if news.view else ())
        return any(choice.name == act for choice in choices)

    return offers


async def test_a_client_joins_and_acts(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall, at_table(ANYWHERE, Join("Ayu"), Wire(hall)) as client:
        await until(client, offering("ready"))
        client.act(Act("ready"))
        await until(client, offering("unready"))
        assert client.hello.name == "Ayu's table"
        assert client.target.addresses == ("192.0.2.1",)


@pytest.mark.parametrize("how", ["cut", "dull"])
async def test_a_lost_link_is_found_again_with_the_same_seat(
    how: str, autojump_clock: MockClock
) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            before = (await until(client, of(Show)))[-1]
            start = trio.current_time()
            await wire.cut() if how == "cut" else wire.dull()
            await until(client, of(Lost))
            assert trio.current_time() - start < 7
            heard = await until(client, of(Show))
            assert isinstance(heard[0], Back)
            assert heard[-1].seat == before.seat
            assert len(hall.referee.table.chairs) == 1


async def test_an_act_that_was_not_answered_is_done_once_after_coming_back(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        wire = Wire(hall)
        ayu = await hall.seat("Ayu")
        async with at_table(ANYWHERE, Join("Budi"), wire) as client:
            await until(client, offering("look"))
            client.act(Act("ready"))
            await ayu.does("ready")
            await until(client, offering("draw"))
            wire.dull()
            client.act(Act("draw"))
            await until(client, of(Back))
            await until(client, offering("swap"))
            assert len(hall.journal.acts("draw")) == 1


async def test_an_act_that_was_taken_but_not_answered_is_not_done_again(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        wire = Wire(hall)
        ayu = await hall.seat("Ayu")
        async with at_table(ANYWHERE, Join("Budi"), wire) as client:
            await until(client, offering("look"))
            client.act(Act("ready"))
            await ayu.does("ready")
            await until(client, offering("draw"))
            client.act(Act("draw"))
            await wire.cut()
            heard = await until(client, offering("swap"))
            assert not any(isinstance(news, No) for news in heard)
            assert len(hall.journal.acts("draw")) == 1


async def test_a_client_draws_anew_for_each_attempt_at_a_deck(autojump_clock: MockClock) -> None:
    async with open_hall(2, fair=True, by_itself=True) as hall:
        ayu = await hall.seat("Ayu")
        ayu.opens = False
        async with at_table(ANYWHERE, Join("Budi"), hall) as client:
            await until(client, offering("look"))
        (made,) = [line["fair"] for line in hall.journal.all if line["kind"] == "deal"]
        before = ayu.all(Commits)[0]
        assert set(made["secrets"]) == {HOST, "1"}
        secret = bytes.fromhex(made["secrets"]["1"])
        assert commitment(ID, before.deal, "1", secret) != dict(before.commitments)[1]


async def test_a_table_that_moved_is_searched_by_its_id(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            await until(client, of(Show))
            wire.open = False
            await wire.cut()
            await until(client, of(Lost))
            await later(20)
            addresses = ("192.0.2.99",)
            wire.listing = Listing(
                "K7Q2", "T", "crisp", 1, 4, "lobby", 1, "0", False, addresses, 4711
            )
            wire.open = True
            await until(client, of(Back))
            assert wire.targets[-1] == Target(addresses, 4711, "K7Q2")


async def test_a_table_that_moved_is_found_while_nobody_answers_where_it_was(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            await until(client, of(Show))
            wire.listing = Listing(
                "K7Q2", "T", "crisp", 1, 4, "lobby", 1, "0", False, ("192.0.2.99",), 4711
            )
            wire.patience = 5
            await wire.cut()
            await until(client, of(Lost))
            with trio.fail_after(3):
                await until(client, of(Back))
            assert len(wire.streams) == 2


async def test_the_loss_is_told_once_however_long_it_lasts(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            await until(client, of(Show))
            wire.open = False
            await wire.cut()
            await later(30)
            wire.open = True
            heard = await until(client, of(Back))
            assert len([news for news in heard if isinstance(news, Lost)]) == 1


async def test_what_is_said_is_said_once_and_not_again_after_coming_back(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        budi = await hall.seat("Budi")
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            await until(client, of(Show))
            client.say("Hi")
            await wire.cut()
            client.say("Is anybody there?")
            await until(client, of(Back))
            await later(3)
        words = [note.values.get("words") for show in budi.all(Show) for note in show.notes]
        assert [said for said in words if said] in (["Hi"], [])


async def test_leaving_is_answered_by_bye_and_then_there_is_no_more_news(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall, at_table(ANYWHERE, Join("Ayu"), Wire(hall)) as client:
        await until(client, of(Show))
        client.leave()
        await until(client, of(Bye))
        with pytest.raises(trio.EndOfChannel):
            await client.receive()
        assert not hall.referee.table.chairs


async def test_the_tables_end_is_the_clients_end(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        host = await hall.seat("Ayu", key=KEY)
        async with at_table(ANYWHERE, Join("Budi"), Wire(hall)) as client:
            await until(client, of(Show))
            await host.does("end")
            heard = await until(client, of(Bye))
            assert heard[-1].why == hall.ended


async def test_who_is_turned_away_hears_why(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        with pytest.raises(TurnedAway) as turned_away:
            async with at_table(ANYWHERE, Join("Eve", key="guess"), Wire(hall)):
                pass
        assert turned_away.value.text.key == "That key is not from this table."


async def test_a_table_that_is_not_there_is_said_to_be_so(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        wire.open = False
        with pytest.raises(NotReached):
            async with at_table(ANYWHERE, Join("Ayu"), wire):
                pass


async def test_an_act_answers_the_offer_that_was_received_last(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall, at_table(ANYWHERE, Join("Ayu"), Wire(hall)) as client:
        await until(client, offering("ready"))
        client.act(Act("ready"))
        client.act(Act("ready"))
        await settled()
        heard = await until(client, of(No))
        assert [news.serial for news in heard if isinstance(news, No)] == [2]


async def test_what_was_read_with_the_hello_is_not_lost(autojump_clock: MockClock) -> None:
    ours, theirs = memory_stream_pair()
    host = Connection("host")
    greeting = Hello(PROTOCOL, "x", "K7Q2", "T")
    await theirs.send_all(host.send(greeting) + b"more")
    call = Call(ours)
    assert await call.hello() == greeting
    assert (await call.receive_some()).endswith(b"more")


class Kept:
    """Keeps a seat in memory, as a client's keeper does on disk."""

    def __init__(self, token: str = "") -> None:
        self.tokens = {"K7Q2": token}
        self.addresses: Sequence[str] = ()

    def token(self, table: str) -> str:
        return self.tokens.get(table, "")

    def keep(
        self, table: str, token: str, addresses: Sequence[str], port: int, fingerprint: str
    ) -> None:
        self.tokens[table] = token
        self.addresses = addresses

    def give_up(self) -> None:
        self.tokens.clear()


async def test_a_client_comes_back_to_the_seat_that_was_kept(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with open_hall(4) as hall:
        async with at_table(ANYWHERE, Join("Ayu"), Wire(hall), kept) as client:
            await until(client, of(Show))
        assert kept.tokens == {"K7Q2": client.token}
        assert kept.addresses[0] == "192.0.2.1"
        await settled()
        assert hall.referee.table.chairs[0].by == "nobody"
        elsewhere = Target(("192.0.2.77",), 4711)
        async with at_table(elsewhere, Join("Ayu"), Wire(hall), kept) as client:
            assert (await until(client, of(Show)))[-1].seat == 0
            assert [chair.by for chair in hall.referee.table.chairs] == ["person"]


async def test_a_seat_that_the_table_does_not_know_any_more_is_taken_anew(
    autojump_clock: MockClock,
) -> None:
    kept = Kept("of another evening")
    async with (
        open_hall(4) as hall,
        at_table(ANYWHERE, Join("Ayu"), Wire(hall), kept) as client,
    ):
        await until(client, of(Show))
        assert kept.tokens == {"K7Q2": client.token}
        assert client.token not in ("", "of another evening")


async def test_a_seat_that_is_given_up_is_not_kept(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with open_hall(4) as hall, at_table(ANYWHERE, Join("Ayu"), Wire(hall), kept) as client:
        await until(client, of(Show))
        client.leave()
        assert not kept.tokens
        await until(client, of(Bye))
        assert not kept.tokens


async def test_a_seat_is_not_kept_when_the_table_has_said_goodbye(
    autojump_clock: MockClock,
) -> None:
    kept = Kept()
    async with open_hall(4) as hall:
        host = await hall.seat("Ayu", key=KEY)
        async with at_table(ANYWHERE, Join("Budi"), Wire(hall), kept) as client:
            await until(client, of(Show))
            await host.does("end")
            await until(client, of(Bye))
    assert not kept.tokens


async def test_a_watcher_has_no_seat_to_keep(autojump_clock: MockClock) -> None:
    kept = Kept()
    async with (
        open_hall(4) as hall,
        at_table(ANYWHERE, Join("Ayu", watch=True), Wire(hall), kept) as client,
    ):
        await until(client, of(Show))
    assert kept.tokens == {"K7Q2": ""}


async def test_who_knows_why_the_table_is_silent_is_believed(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        wire = Wire(hall)
        async with at_table(ANYWHERE, Join("Ayu"), wire) as client:
            await until(client, of(Show))
            wire.open = False
            await client.explain(Text("It has stopped."))
            await wire.cut()
            heard = [await client.receive(), await client.receive()]
            assert heard == [Lost(Text("It has stopped."))] * 2


# ---------------------------------------------------------------- over the real network


async def test_a_port_where_nobody_listens_is_told_from_a_network_without_a_way() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        for addresses in (("127.0.0.1",), ("localhost",)):
            with pytest.raises(NotReached) as raised:
                await Network().call(Target(addresses, port))
            assert raised.value.text.key.startswith("No table is open at {address}")


async def test_a_port_that_swallows_all_is_told_from_one_that_refuses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("crisp_lan.net.dialling.DIAL_SECONDS", 0.3)
    with (
        socket.create_server(("127.0.0.1", 0), backlog=0) as full,
        socket.create_connection(full.getsockname()),
        pytest.raises(NotReached) as raised,
    ):
        await Network().call(Target(("127.0.0.1",), full.getsockname()[1]))
    assert raised.value.text.key.startswith("No answer from {address}")


async def test_a_name_that_no_machine_has_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*name: object, **options: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", asked)
    with pytest.raises(NotReached) as raised:
        await Network().call(Target(("nobody.invalid",), 27477))
    assert raised.value.text.key.startswith("No machine is called {address}")


# ---------------------------------------------------------------- whose certificate it is


@pytest.fixture(scope="module")
def identities(tmp_path_factory: pytest.TempPathFactory) -> tuple[Identity, Identity]:
    folder = tmp_path_factory.mktemp("tables")
    return identity_at(folder / "own.pem"), identity_at(folder / "another.pem")


async def test_a_table_is_known_by_its_certificate(
    identities: tuple[Identity, Identity],
) -> None:
    own, _another = identities
    async with answering(own) as (spot, _said):
        for pinned in ("", own.fingerprint):
            async with await Network().call(replace(spot, fingerprint=pinned)) as call:
                assert call.fingerprint == own.fingerprint
                assert call.peer == ("127.0.0.1",)


async def test_who_shows_another_certificate_than_was_announced_is_told_nothing(
    identities: tuple[Identity, Identity],
) -> None:
    own, another = identities
    async with answering(another) as (spot, said):
        with pytest.raises(NotReached) as raised:
            await Network().call(replace(spot, fingerprint=own.fingerprint))
    assert raised.value.text == ANOTHER
    assert said == []


async def test_a_table_that_was_known_by_another_certificate_is_told_nothing(
    identities: tuple[Identity, Identity],
) -> None:
    own, another = identities
    known = {"K7Q2": own.fingerprint}
    async with answering(another) as (spot, said):
        with pytest.raises(NotReached) as raised:
            await Network(trusted=lambda table: known.get(table, "")).call(spot)
    assert raised.value.text == ANOTHER
    assert said == []


async def test_the_table_wins_the_race_against_who_shows_another_certificate(
    identities: tuple[Identity, Identity],
) -> None:
    own, another = identities
    async with (
        answering(another, host="127.0.0.2") as (near, said),
        answering(own, host="127.0.0.3", port=near.port) as (far, _said),
    ):
        both = replace(far, addresses=near.addresses + far.addresses, fingerprint=own.fingerprint)
        async with await Network().call(both) as call:
            assert call.peer == far.addresses
    assert said == []
