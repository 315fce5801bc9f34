"""Links over streams in memory, under a clock that jumps, and a few over loopback."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import msgspec
import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair

from crisp_lan.game.rules import Note, Text
from crisp_lan.net.codec import LIMIT, WireError
from crisp_lan.net.link import OUTBOX, Link, LinkLost, linked
from crisp_lan.net.messages import (
    PROTOCOL,
    Bye,
    Do,
    Hello,
    Join,
    Leave,
    No,
    Ping,
    Pong,
    Show,
    Welcome,
)
from crisp_lan.net.protocol import Connection, LocalProtocolError, RemoteProtocolError
from crisp_lan.net.secure import Identity, Secured, identity_at, open_stream, secured_host
from tests.net.samples import full_show

GREETING = Hello(PROTOCOL, "crisp-lan 0", "K7Q2", "Ayu's table")
BYE = Bye(Text("The table is closed."))


class Hand:
    """A client worked by hand: a bare stream, and nothing said or read by itself."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self.stream = stream
        self.protocol = Connection("client")

    async def says(self, *messages: Any) -> None:
        await self.stream.send_all(b"".join(map(self.protocol.send, messages)))

    async def hears(self) -> Any:
        while (message := self.protocol.next_message()) is None:
            chunk = await self.stream.receive_some(65_536)
            assert chunk, "closed before the message came"
            self.protocol.receive_data(chunk)
        return message

    async def comes(self) -> None:
        assert await self.hears() == GREETING
        await self.says(Hello(PROTOCOL, "hand"), Join("Budi"))
        assert isinstance(await self.hears(), Welcome)


async def greet(host: Link) -> None:
    host.send_nowait(GREETING)
    assert isinstance(await host.receive(), Hello)
    assert isinstance(await host.receive(), Join)
    host.send_nowait(Welcome("secret", (), 27477))


async def come(client: Link) -> None:
    assert await client.receive() == GREETING
    client.send_nowait(Hello(PROTOCOL, "crisp-lan 0"))
    client.send_nowait(Join("Budi"))
    assert isinstance(await client.receive(), Welcome)


@asynccontextmanager
async def seated() -> AsyncIterator[tuple[Link, Link]]:
    """Both ends of a link with somebody at the table."""
    near, far = memory_stream_pair()
    async with linked(near, "host") as host, linked(far, "client") as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(greet, host)
            nursery.start_soon(come, client)
        yield host, client


@asynccontextmanager
async def seated_hand(
    pair: Any = memory_stream_pair,
) -> AsyncIterator[tuple[Link, Hand]]:
    """A host's link with a hand at its other end."""
    near, far = pair()
    hand = Hand(far)
    async with linked(near, "host") as host:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(greet, host)
            nursery.start_soon(hand.comes)
        yield host, hand


async def lost(link: Link) -> LinkLost:
    """Receives until the link is lost, and says why it was."""
    while True:
        try:
            await link.receive()
        except LinkLost as error:
            return error


async def asked(hand: Hand, seconds: float) -> int:
    """How often the host asks for a sign of life in that time."""
    pings = 0
    with trio.move_on_after(seconds):
        while True:
            pings += isinstance(await hand.hears(), Ping)
    return pings


async def deaf(hand: Hand, every: float = 1) -> None:
    """Asks for signs of life and reads none, as long as its stream is open."""
    with suppress(trio.BrokenResourceError):
        while True:
            await hand.says(*[Ping(1)] * 100)
            await trio.sleep(every)


async def test_acts_and_shows_go_through():
    async with seated() as (host, client):
        client.send_nowait(Do(1, 1, "draw", ()))
        assert await host.receive() == Do(1, 1, "draw", ())
        host.send_nowait(full_show())
        assert await client.receive() == full_show()


async def test_three_messages_in_one_packet_are_received_one_by_one():
    async with seated_hand() as (host, hand):
        acts = [Do(1, serial, "draw", ()) for serial in (1, 2, 3)]
        await hand.says(*acts)
        assert [await host.receive() for _ in acts] == acts


async def test_one_byte_at_a_time_is_received_alike():
    async with seated_hand() as (host, hand), trio.open_nursery() as nursery:

        async def dribble() -> None:
            for byte in hand.protocol.send(Do(1, 1, "draw", ())):
                await hand.stream.send_all(bytes([byte]))
                await trio.testing.wait_all_tasks_blocked()

        nursery.start_soon(dribble)
        assert await host.receive() == Do(1, 1, "draw", ())


async def test_receiving_what_is_there_lets_others_run():
    async with seated_hand() as (host, hand):
        await hand.says(*(Do(1, serial, "draw", ()) for serial in range(100)))
        turns = 0
        async with trio.open_nursery() as nursery:

            async def count() -> None:
                nonlocal turns
                while True:
                    turns += 1
                    await trio.lowlevel.checkpoint()

            nursery.start_soon(count)
            for _ in range(100):
                await host.receive()
            nursery.cancel_scope.cancel()
        assert turns >= 99


async def test_a_ping_is_answered_and_not_handed_on(autojump_clock: MockClock):
    async with seated_hand() as (host, hand):
        await hand.says(Ping(7), Do(1, 1, "draw", ()))
        assert isinstance(await host.receive(), Do)
        assert await hand.hears() == Pong(7)


async def test_the_way_there_and_back_is_measured(autojump_clock: MockClock):
    async with seated_hand() as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(lost, host)
        for _ in range(3):
            asked = await hand.hears()
            await trio.sleep(0.4)
            await hand.says(Pong(asked.number - 1), Pong(asked.number))
        await trio.testing.wait_all_tasks_blocked()
        assert host.trip == pytest.approx(0.4)
        await hand.stream.aclose()


async def test_two_links_keep_each_other_alive(autojump_clock: MockClock):
    async with seated() as (host, client), trio.open_nursery() as nursery:
        nursery.start_soon(lost, host)
        nursery.start_soon(lost, client)
        await trio.sleep(1800)
        assert host.silence <= 2
        assert client.silence <= 2
        await host.aclose()


async def test_a_peer_that_vanished_is_noticed_within_ten_seconds(autojump_clock: MockClock):
    async with seated_hand() as (host, _):
        start = trio.current_time()
        error = await lost(host)
        assert 8 <= trio.current_time() - start <= 10
        assert error.text.key == "No word from the other side for {millis} s."


async def test_a_table_that_vanished_is_noticed_within_ten_seconds(autojump_clock: MockClock):
    near, _far = memory_stream_pair()
    async with linked(near, "client") as client:
        start = trio.current_time()
        await lost(client)
        assert 8 <= trio.current_time() - start <= 10


async def test_every_byte_is_a_sign_of_life(autojump_clock: MockClock):
    async with seated_hand() as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(lost, host)
        for byte in b"\x00\x00\x00\x10" + b"\x00" * 8:
            await hand.stream.send_all(bytes([byte]))
            await trio.sleep(5)
        assert host.silence <= 5
        await hand.stream.aclose()


async def test_a_peer_that_never_reads_is_given_up_after_five_seconds(autojump_clock: MockClock):
    async with seated_hand(lockstep_stream_pair) as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(deaf, hand)
        host.send_nowait(full_show())
        start = trio.current_time()
        error = await lost(host)
        assert 5 <= trio.current_time() - start <= 7
        assert str(error) == "The other side does not keep up."
        nursery.cancel_scope.cancel()


async def test_a_full_outbox_gives_up_that_link_alone():
    refusal = No(1, Text("x" * 2000))
    async with seated_hand(lockstep_stream_pair) as (stuck, _), seated() as (host, client):
        for _ in range(OUTBOX // 2000 + 2):
            stuck.send_nowait(refusal)
            await trio.lowlevel.checkpoint()
        assert str(await lost(stuck)) == "The other side does not keep up."
        stuck.send_nowait(full_show())
        host.send_nowait(full_show())
        assert await client.receive() == full_show()


async def test_of_shows_that_wait_the_last_is_sent_with_the_notes_of_all():
    shows = [
        msgspec.structs.replace(full_show(), version=n, notes=(Note("{n}", {"n": n}),))
        for n in range(1000)
    ]
    async with seated_hand(lockstep_stream_pair) as (host, hand):
        host.send_nowait(shows[0])
        await trio.testing.wait_all_tasks_blocked()
        for show in shows[1:40]:
            host.send_nowait(show)
        host.send_nowait(No(1, Text("no")))
        for show in shows[40:]:
            host.send_nowait(show)
        assert await hand.hears() == shows[0]
        second = await hand.hears()
        assert second == msgspec.structs.replace(
            shows[39], notes=tuple(note for show in shows[1:40] for note in show.notes)
        )
        assert await hand.hears() == No(1, Text("no"))
        later: list[Show] = []
        while not later or later[-1].version < 999:
            later.append(await hand.hears())
        assert [n for show in later for n in show.notes] == [n for s in shows[40:] for n in s.notes]
        assert len(later) < 12


async def test_a_peer_that_reads_nothing_for_three_seconds_keeps_its_place(
    autojump_clock: MockClock,
):
    async with seated_hand(lockstep_stream_pair) as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(lost, host)
        for n in range(3000):
            host.send_nowait(msgspec.structs.replace(full_show(), version=n, notes=()))
            await trio.sleep(0.001)
        heard: list[Any] = []
        while not heard or heard[-1].version < 2999:
            heard += [m for m in [await hand.hears()] if isinstance(m, Show)]
        assert len(heard) < 10
        nursery.cancel_scope.cancel()


async def test_whatever_a_client_says_too_much_of_is_read_later(autojump_clock: MockClock):
    async with seated_hand() as (host, hand):
        start = trio.current_time()
        await hand.says(*[Ping(n) for n in range(400)], Do(1, 1, "draw", ()))
        assert await host.receive() == Do(1, 1, "draw", ())
        assert 8 <= trio.current_time() - start <= 10
        assert host.silence < 8


async def test_a_peer_that_asks_for_ever_and_never_reads_fills_no_memory(
    autojump_clock: MockClock,
):
    async with seated_hand(lockstep_stream_pair) as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(deaf, hand, 0)
        assert str(await lost(host)) == "The other side does not keep up."


async def test_a_cancelled_send_closes_the_link(autojump_clock: MockClock):
    with trio.move_on_after(1):
        async with seated_hand(lockstep_stream_pair) as (host, hand):
            host.send_nowait(full_show())
            await trio.sleep_forever()
    host.send_nowait(full_show())
    with pytest.raises(LinkLost):
        await host.receive()
    assert await hand.hears() == full_show(), "it was under way"
    assert await hand.stream.receive_some() == b"", "and nothing came after it"


async def test_a_failed_send_closes_the_link():
    async with seated_hand() as (host, hand):
        await hand.stream.aclose()
        host.send_nowait(full_show())
        host.send_nowait(full_show())
        assert str(await lost(host)) == "The connection was cut."


async def test_a_bye_that_has_come_is_read_though_sending_fails():
    near, far = memory_stream_pair()
    async with linked(near, "client") as client:
        table = Connection("host")
        await far.send_all(table.send(GREETING))
        await client.receive()
        await far.send_all(table.send(BYE))
        await far.receive_stream.aclose()
        client.send_nowait(Hello(PROTOCOL, "crisp-lan 0"))
        await trio.testing.wait_all_tasks_blocked()
        assert await client.receive() == BYE


async def test_closing_writes_what_waits():
    near, far = memory_stream_pair()
    hand = Hand(far)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hand.comes)
        async with linked(near, "host") as host:
            await greet(host)
            host.send_nowait(full_show())
            host.send_nowait(BYE)
    assert await hand.hears() == full_show()
    assert await hand.hears() == BYE
    assert await far.receive_some() == b""


async def test_closing_waits_a_second_and_no_longer(autojump_clock: MockClock):
    async with seated_hand(lockstep_stream_pair) as (host, _):
        host.send_nowait(BYE)
        start = trio.current_time()
        await host.aclose()
        assert trio.current_time() - start == pytest.approx(1)


async def test_after_a_bye_the_other_side_has_time_to_close(autojump_clock: MockClock):
    async with seated_hand() as (host, hand), trio.open_nursery() as nursery:
        host.send_nowait(BYE)
        nursery.start_soon(deaf, hand)
        start = trio.current_time()
        await lost(host)
        assert 2 <= trio.current_time() - start <= 4
        nursery.cancel_scope.cancel()


async def test_what_is_sent_after_a_bye_goes_nowhere():
    async with seated() as (host, client):
        host.send_nowait(BYE)
        host.send_nowait(full_show())
        assert await client.receive() == BYE
        client.send_nowait(Do(1, 1, "draw", ()))
        await client.aclose()
        await lost(host)


async def test_what_is_done_after_leaving_goes_nowhere():
    async with seated() as (host, client):
        for message in (Leave(), Do(1, 1, "draw", ()), Leave()):
            client.send_nowait(message)
        assert await host.receive() == Leave()
        host.send_nowait(full_show())
        assert await client.receive() == full_show()
        await client.aclose()
        await lost(host)


async def test_a_broken_conversation_does_not_trip_up_who_sends_to_all():
    async with seated_hand() as (host, hand):
        await hand.stream.send_all(b"GET / HTTP/1.1\r\n\r\n")
        with pytest.raises(RemoteProtocolError) as caught:
            await host.receive()
        host.send_nowait(full_show())
        host.send_nowait(Bye(caught.value.text))
        assert await hand.hears() == Bye(caught.value.text)


async def test_our_own_mistakes_are_told_to_us():
    near, _far = memory_stream_pair()
    async with linked(near, "client") as client:
        with pytest.raises(LocalProtocolError):
            client.send_nowait(Join("Budi"))


async def test_a_machine_that_slept_does_not_think_the_other_side_silent(
    mock_clock: MockClock,
):
    async with seated_hand() as (host, hand):
        await trio.testing.wait_all_tasks_blocked()
        mock_clock.jump(60)
        await trio.testing.wait_all_tasks_blocked()
        await hand.says(Do(1, 1, "draw", ()))
        assert isinstance(await host.receive(), Do)


async def test_an_error_of_the_caller_comes_out_as_it_is():
    near, far = memory_stream_pair()
    with pytest.raises(KeyError):
        async with linked(near, "host"):
            raise KeyError
    assert await far.receive_some() == b""


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return identity_at(tmp_path_factory.mktemp("table") / "table.pem")


async def test_a_client_and_a_table_meet_over_loopback(identity: Identity):
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listeners[0].socket.getsockname()[1]

    async def serve(stream: trio.abc.Stream) -> None:
        async with linked(await secured_host(stream, identity), "host") as host:
            await greet(host)
            assert isinstance(await host.receive(), Do)
            host.send_nowait(full_show())
            await lost(host)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        stream = await open_stream("127.0.0.1", port, identity.fingerprint)
        async with linked(stream, "client") as client:
            await come(client)
            client.send_nowait(Do(1, 1, "draw", ()))
            assert isinstance(await client.receive(), Show)
        nursery.cancel_scope.cancel()


async def over_loopback(identity: Identity) -> tuple[Secured, Secured]:
    """A host's stream and a client's, on real sockets."""
    near: list[Secured] = []
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")

    async def accept() -> None:
        near.append(await secured_host(await listener.accept(), identity))

    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(accept)
        far = await open_stream("127.0.0.1", listener.socket.getsockname()[1])
    return near[0], far


async def test_a_frame_of_64_kib_goes_through_the_network_whole(identity: Identity):
    near, far = await over_loopback(identity)
    why = Bye(Text("x" * (LIMIT["host"] - 100)))
    async with linked(near, "host") as host, linked(far, "client") as client:
        host.send_nowait(GREETING)
        host.send_nowait(why)
        assert await client.receive() == GREETING
        assert await client.receive() == why


@asynccontextmanager
async def seated_over_loopback(identity: Identity) -> AsyncIterator[tuple[Link, Link]]:
    """A host's link and a client's that has joined, on real sockets."""
    near, far = await over_loopback(identity)
    async with linked(near, "host") as host, linked(far, "client") as client:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(greet, host)
            nursery.start_soon(come, client)
        yield host, client


async def test_more_than_a_socket_takes_at_once_arrives_whole_and_in_order(identity: Identity):
    refusals = [No(n, Text("x" * 4000)) for n in range(60)]
    async with seated_over_loopback(identity) as (host, client):
        for refusal in refusals:
            host.send_nowait(refusal)
        assert [await client.receive() for _ in refusals] == refusals


async def test_a_socket_that_is_closed_does_not_trip_up_who_sends(identity: Identity):
    async with seated_over_loopback(identity) as (host, client):
        await client.aclose()
        for _ in range(3):
            host.send_nowait(full_show())
            await trio.lowlevel.checkpoint()
        await lost(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "two..dots"])
async def test_what_cannot_be_reached_is_one_error(host: str):
    with trio.socket.socket() as mute:
        await mute.bind(("127.0.0.1", 0))
        port = mute.getsockname()[1]
        with pytest.raises(WireError, match=f"{host}:{port} cannot be reached") as caught:
            await open_stream(host, port)
    assert isinstance(caught.value.__cause__, OSError | UnicodeError)


async def test_a_host_asks_for_a_sign_of_life_only_who_says_nothing(
    autojump_clock: MockClock,
) -> None:
    async with seated_hand() as (host, hand), trio.open_nursery() as nursery:
        nursery.start_soon(lost, host)
        assert await asked(hand, 7.5) == 3
        nursery.start_soon(talks, hand)
        assert await asked(hand, 60) == 0
        nursery.cancel_scope.cancel()


async def talks(hand: Hand) -> None:
    while True:
        await hand.says(Pong(1))
        await trio.sleep(1)
