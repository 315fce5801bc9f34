"""Connections at the door of a table: good ones, bad ones, and that none touches another."""

from __future__ import annotations

import logging

import msgpack
import pytest
import trio
from trio.testing import MockClock

from crisp_lan.game.rules import Text
from crisp_lan.net import door
from crisp_lan.net.codec import LIMIT, encode
from crisp_lan.net.link import BURST
from crisp_lan.net.members import RETURNS, WATCHERS_OF_ONE, Member
from crisp_lan.net.messages import (
    PROTOCOL,
    Bye,
    Commit,
    Hello,
    Join,
    Leave,
    No,
    Open,
    Ping,
    Pong,
    Say,
    Show,
    Welcome,
)
from crisp_lan.net.protocol import Connection
from crisp_lan.net.referee import Heard, Referee
from tests.net.hall import (
    KEY,
    PLAIN,
    Hall,
    Stacked,
    Tapped,
    later,
    open_hall,
    playing,
    settled,
)


async def bare(hall: Hall, packet: bytes = b"", address: str = "192.0.2.66") -> Tapped:
    """A connection that sends these bytes, whatever they are, or none."""
    client = Tapped(*hall.connect(address))
    hall.nursery.start_soon(client.listen)
    await settled()
    if packet:
        client.into.put_data(packet)
        await settled()
    return client


def framed(plain: object) -> bytes:
    payload: bytes = msgpack.packb(plain)
    return len(payload).to_bytes(4, "big") + payload


def hello(**changed: object) -> dict[str, object]:
    return {"type": "hello", "protocol": PROTOCOL, "software": "x"} | changed


JOIN = {"type": "join", "name": "Eve"}
BAD_GREETINGS = {
    "a length beyond the limit": b"\xdd\xff\xff\xff\xff",
    "a map of two billion": (6).to_bytes(4, "big") + b"\xdf\x7f\xff\xff\xff\x00",
    "HTTP": b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    "ssh": b"SSH-2.0-OpenSSH_9.9\r\n",
    "TLS": bytes.fromhex("16030100f5010000f10303"),
    "no map": framed([1, 2, 3]),
    "deep": framed([[[[[[[[[[1]]]]]]]]]]),
    "a thousand lists": (1000).to_bytes(4, "big") + b"\x91" * 1000,
    "join first": framed(JOIN),
    "a protocol above": framed(hello(protocol=PROTOCOL + 1)),
    "a protocol below": framed(hello(protocol=PROTOCOL - 1)),
    "a protocol of text": framed(hello(protocol=str(PROTOCOL))),
    "no protocol": framed({"type": "hello", "software": "x"}),
    "an unknown message": framed(hello()) + framed({"type": "hack"}),
    "a number for a name": framed(hello()) + framed({"type": "join", "name": 7}),
    "a field too many": framed(hello()) + framed(JOIN | {"seat": 0}),
    "hello twice": framed(hello()) + framed(hello()),
}


@pytest.mark.parametrize("packet", BAD_GREETINGS.values(), ids=BAD_GREETINGS)
async def test_a_bad_greeting_is_answered_closed_and_felt_by_nobody(
    packet: bytes, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with open_hall(4) as hall:
        ayu = await hall.seat("Ayu")
        shows = len(ayu.all(Show))
        bad = await bare(hall, packet)
        await later(15)
        assert bad.closed
        assert len(ayu.all(Show)) == shows
        assert not ayu.closed
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize(
    ("protocol", "told", "what"),
    [
        (PROTOCOL - 1, PROTOCOL - 1, "Update crisp-lan on your machine."),
        (PROTOCOL + 1, PROTOCOL + 1, "Ask the host to update crisp-lan."),
        (str(PROTOCOL), str(PROTOCOL), "Install the same version of crisp-lan on both machines."),
        (None, "?", "Install the same version of crisp-lan on both machines."),
    ],
)
async def test_another_version_is_told_both_versions_and_what_to_do(
    protocol: object, told: object, what: str, autojump_clock: MockClock
) -> None:
    theirs = hello(protocol=protocol)
    if protocol is None:
        del theirs["protocol"]
    async with open_hall(4) as hall:
        old = await bare(hall, framed(theirs))
        why = old.last(Bye).why
        assert why.values == {"table": PROTOCOL, "program": told}
        assert why.key.endswith(what)


BAD_ACTS = {
    "a forged time": {"type": "do", "offer": 1, "serial": 1, "act": "draw", "picks": [], "now": 5},
    "a forged seat": {"type": "do", "offer": 1, "serial": 1, "act": "draw", "picks": [], "seat": 0},
    "the clock is up": {"type": "timeout"},
    "a slot of true": {"type": "do", "offer": 1, "serial": 1, "act": "swap", "picks": [True]},
    "a slot below zero": {"type": "do", "offer": 1, "serial": 1, "act": "swap", "picks": [-1]},
    "a huge serial": {"type": "do", "offer": 1, "serial": 2**64 - 1, "act": "draw", "picks": []},
    "a missing field": {"type": "do", "offer": 1, "serial": 1, "act": "draw"},
    "another join": JOIN,
}


@pytest.mark.parametrize("plain", BAD_ACTS.values(), ids=BAD_ACTS)
async def test_a_player_who_breaks_the_protocol_is_away_and_the_others_play_on(
    plain: object, autojump_clock: MockClock
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        state = hall.referee.table.state
        ayu.into.put_data(framed(plain))
        await later(1)
        assert ayu.all(Bye)
        assert budi.show.table.players[0].by == "nobody"
        assert await budi.does("draw") is None
        assert hall.referee.table.state is not state
        again = await hall.seat("Ayu", token=ayu.token)
        assert again.show.seat == 0


async def test_bytes_one_at_a_time_and_messages_all_at_once_work_alike(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        whole = await hall.seat("Ayu")
        slow = await bare(hall)
        messages = (Hello(PROTOCOL, "slow"), Join("Budi"))
        packet = b"".join(slow.protocol.send(message) for message in messages)
        for n in range(len(packet)):
            slow.into.put_data(packet[n : n + 1])
            await settled()
        assert whole.show.seat == 0
        assert slow.show.seat == 1


async def test_who_does_not_join_in_time_is_closed(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        silent = await bare(hall)
        greeted = await bare(hall)
        greeted.say(Hello(PROTOCOL, "slow"))
        await later(door.HANDSHAKE + 1)
        assert silent.closed
        assert greeted.closed


async def test_two_hundred_half_open_connections_keep_nobody_out(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        ayu = await hall.seat("Ayu")
        crowd = [await bare(hall, address=f"192.0.2.{n % 9}") for n in range(200)]
        assert sum(not one.closed for one in crowd) <= door.OUTSIDE
        budi = await hall.seat("Budi", address="192.0.2.3")
        assert budi.show.seat == 1
        assert not ayu.closed


@pytest.mark.parametrize(
    "packet", [b"GET / HTTP/1.1\r\n\r\n", framed(hello()) + framed({"type": "?"})]
)
async def test_who_broke_the_protocol_keeps_a_place_until_the_socket_is_closed(
    packet: bytes, autojump_clock: MockClock
) -> None:
    async with open_hall(4) as hall:
        crowd = [await bare(hall, packet, "192.0.2.66") for _ in range(40)]
        assert sum(not one.closed for one in crowd) <= door.OUTSIDE_OF_ONE
        others = [await bare(hall, packet, f"192.0.2.{n}") for n in range(100, 200)]
        assert sum(not one.closed for one in crowd + others) <= door.OUTSIDE
        ayu = await hall.seat("Ayu")
        assert ayu.show.seat == 0


async def test_who_was_turned_away_keeps_a_place_until_the_socket_is_closed(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        packet = framed(hello()) + framed(JOIN | {"key": "guess"})
        crowd = [await bare(hall, packet, "192.0.2.66") for _ in range(80)]
        assert sum(not one.closed for one in crowd) <= door.OUTSIDE_OF_ONE


async def test_a_crowd_at_the_door_pushes_out_its_own_and_nobody_elses(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        ayu = await bare(hall, address="192.0.2.1")
        for n in range(200):
            await bare(hall, address=f"192.0.2.{60 + n % 20}")
        assert not ayu.closed
        ayu.say(Hello(PROTOCOL, "slow"), Join("Ayu"))
        await settled()
        assert ayu.show.seat == 0


async def test_who_is_cut_off_while_the_table_has_much_to_hear_leaves_no_ghost(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hear = Referee.hear

    async def hear_later(self: Referee, member: Member, message: Heard) -> None:
        await trio.lowlevel.checkpoint()
        await hear(self, member, message)

    monkeypatch.setattr(Referee, "hear", hear_later)
    async with open_hall(4) as hall:
        await hall.seat("Ayu")
        [connection] = hall.door._connected
        connection.scope.cancel()
        await settled()
        assert not hall.referee.members


async def test_watchers_give_way_to_one_another_and_never_keep_a_seat_from_anybody(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        near = [await hall.seat("Eve", address="192.0.2.66", watch=True) for _ in range(12)]
        assert [bool(one.all(Bye)) for one in near] == [True] * 4 + [False] * 8
        far = [await hall.seat("Eve", address=f"192.0.2.{100 + n}", watch=True) for n in range(40)]
        assert sum(not one.all(Bye) for one in near + far) == 32
        assert not far[-1].all(Bye)
        seats = [await hall.seat(f"P{n}") for n in range(4)]
        assert [seat.show.seat for seat in seats] == [0, 1, 2, 3]


async def test_a_seat_that_comes_back_without_end_waits_and_is_never_refused(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        ayu, eve = await hall.seat("Ayu"), await hall.seat("Eve")
        shows, start = len(ayu.all(Show)), trio.current_time()
        for _ in range(60):
            await eve.cut()
            eve = await hall.seat("Eve", token=eve.token)
            while not eve.all(Show):
                await later(0.05)
        assert eve.show.seat == 1
        assert trio.current_time() - start == pytest.approx((60 - RETURNS) / 4, abs=0.5)
        assert len(ayu.all(Show)) - shows == 120


async def test_two_hundred_returns_in_a_minute_are_not_slowed(autojump_clock: MockClock) -> None:
    async with open_hall(4) as hall:
        await hall.seat("Ayu")
        eve = await hall.seat("Eve")
        for _ in range(200):
            await eve.cut()
            eve = await hall.seat("Eve", token=eve.token)
            assert eve.show.seat == 1
            await later(0.3)


async def test_pings_before_and_after_the_join_are_answered_no_faster_than_anything_else(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        early = await bare(hall)
        early.say(Hello(PROTOCOL, "x"), *(Ping(n) for n in range(1000)))
        seated = await hall.seat("Eve")
        seated.say(*(Ping(n) for n in range(1000)))
        await later(2)
        for one in (early, seated):
            assert BURST <= len(one.all(Pong)) <= 3 * BURST
            assert not one.closed


async def test_joins_from_one_address_are_limited_and_nobody_elses(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        host = await hall.seat("Ayu", key=KEY)
        kept = await hall.seat("Budi")
        assert await visits(hall, 50) == door.JOINS
        await later(3)
        assert await visits(hall, 50) == 3 * door.JOINS_A_SECOND
        await kept.cut()
        again = await hall.seat("Budi", token=kept.token, address="192.0.2.66")
        assert again.show.seat is not None
        assert await again.does("ready") is None
        assert await host.does("start") is None


async def visits(hall: Hall, times: int) -> int:
    """How many of so many that come, and go again, are let in."""
    let_in = 0
    for n in range(times):
        visitor = await hall.seat(f"V{n}", address="192.0.2.66")
        if visitor.all(Welcome):
            let_in += 1
            await visitor.cut()
        else:
            assert visitor.last(Bye).why.key == door.TOO_MANY_JOINS.key
    return let_in


async def test_who_says_too_much_is_listened_to_later(autojump_clock: MockClock) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        ayu.say(*(ayu.doing("crisp") for _ in range(200)))
        await settled()
        assert len(ayu.heard) < 3 * BURST
        assert await budi.does("draw") is None
        await later(6)
        assert not ayu.closed


async def test_an_exception_in_one_connection_stays_there_and_is_logged_without_words(
    autojump_clock: MockClock,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accept = Connection._accept

    def failing(self: Connection, payload: bytes) -> object:
        if self.role == "client":
            return accept(self, payload)
        raise ValueError("the card KD and the token are secret")

    async with open_hall(4) as hall:
        ayu, budi = await hall.seat("Ayu"), await hall.seat("Budi")
        with monkeypatch.context() as patched:
            patched.setattr(Connection, "_accept", failing)
            budi.into.put_data(framed({"type": "ping", "number": 1}))
            await settled()
        assert budi.closed
        assert not ayu.closed
        assert ayu.show.table.players[1].by == "nobody"
    [record] = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert "ValueError" in record.getMessage()
    assert "KD" not in caplog.text


async def test_a_message_that_the_table_chokes_on_costs_its_sender_alone(
    autojump_clock: MockClock,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def failing(*args: object) -> None:
        raise KeyError("KD")

    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        with monkeypatch.context() as patched:
            patched.setattr("crisp_lan.game.table.apply", failing)
            await budi.does("draw")
        assert budi.last(Bye).again
        assert await ayu.does("crisp") is not None
        assert not ayu.closed
    assert "KD" not in caplog.text


@pytest.mark.parametrize("many", [1, 7])
async def test_sockets_closed_in_the_middle_of_telling_take_only_their_seats_along(
    many: int, autojump_clock: MockClock
) -> None:
    async with open_hall(8, lots=Stacked(PLAIN), by_itself=True) as hall:
        seats = await playing(hall, *(f"P{n}" for n in range(8)))
        seats[1].say(seats[1].doing("draw"))
        for seat in seats[-many:]:
            await trio.aclose_forcefully(seat.stream)
        await settled()
        away = [n for n, p in enumerate(seats[0].show.table.players) if p.by == "nobody"]
        assert away == list(range(8 - many, 8))


async def test_a_client_that_vanishes_without_a_word_is_away_within_ten_seconds(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2, lots=Stacked(PLAIN), by_itself=True) as hall:
        ayu, budi = await playing(hall, "Ayu", "Budi")
        budi.mute = True
        await later(10)
        assert ayu.show.table.players[1].by == "nobody"
        await later(45)
        assert hall.journal.all[-1]["kind"] == "timeout"


async def test_a_client_that_never_reads_is_dropped_and_delays_nobody(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(2) as hall:
        ayu = await hall.seat("Ayu")
        stuck, theirs = trio.testing.lockstep_stream_pair()
        hall.nursery.start_soon(hall.door.admit, theirs, "192.0.2.9")
        protocol = Connection("client")
        while protocol.next_message() is None:
            protocol.receive_data(await stuck.receive_some(4096))
        packet = protocol.send(Hello(PROTOCOL, "x")) + protocol.send(Join("Budi"))
        with trio.move_on_after(1):
            await stuck.send_all(packet)
        await settled()
        assert len(ayu.show.table.players) == 2
        for _ in range(5):
            heard = len(ayu.all(Show))
            await ayu.does("ready")
            await ayu.does("unready")
            assert len(ayu.all(Show)) >= heard + 2
        await later(10)
        assert ayu.show.table.players[1].by == "nobody"


def test_a_greeting_names_the_table_and_fits_every_version() -> None:
    greeting = door.hello("K7Q2", "Ayu's table")
    assert greeting.table == "K7Q2"
    assert len(Connection("host").send(greeting)) < LIMIT["host"]


async def test_many_connections_of_one_address_are_heard_no_more_than_a_few(
    autojump_clock: MockClock,
) -> None:
    """Watchers and others who have no seat share what one address may say; seats do not."""
    async with open_hall(4) as hall:
        ayu = await hall.seat("Ayu", address="192.0.2.66")
        crowd = [
            await hall.seat(f"E{n}", address="192.0.2.66", watch=True)
            for n in range(WATCHERS_OF_ONE)
        ]
        for one in crowd:
            one.say(*(one.doing("draw") for _ in range(450)))
        strangers = [await bare(hall, address="192.0.2.66") for _ in range(door.OUTSIDE_OF_ONE)]
        for one in strangers:
            one.say(Hello(PROTOCOL, "tapped"), *(Ping(n) for n in range(450)))
        await later(9)
        answers = sum(len(one.all(No) + one.all(Pong)) for one in crowd + strangers)
        assert answers <= door.HEARD * 10 + door.HEARD
        assert answers > door.HEARD * 5
        assert not any(one.closed for one in crowd)
        began = trio.current_time()
        assert await ayu.does("ready") is None
        assert trio.current_time() - began < 0.01


async def test_connections_of_one_address_without_end_wait_and_nobody_elses_do(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4) as hall:
        knocks = 0
        for _ in range(500):
            one = await bare(hall, address="192.0.2.66")
            knocks += bool(one.all(Hello))
            await one.cut()
            await later(0.001)
        assert knocks <= door.ARRIVALS + door.ARRIVALS_A_SECOND
        ayu = await hall.seat("Ayu", address="192.0.2.7")
        assert ayu.show.seat == 0
        await later(60)
        assert (await hall.seat("Eve", address="192.0.2.66")).show.seat == 1


REFUSED_TO_WATCHERS = [
    *("ready", "start", "set", "game", "bot", "exchange", "remove"),
    *("next", "ask", "pause", "resume", "end"),
    *("look", "close", "draw", "take", "swap", "discard", "jack", "queen", "king", "skip", "crisp"),
]
STATES = ("lobby", "round", "paused", "reveal")


async def in_state(hall: Hall, state: str) -> list[Tapped]:
    """Two players at a table that has come so far."""
    seats = [await hall.seat("Ayu", key=KEY), await hall.seat("Budi")]
    if state == "lobby":
        return seats
    assert await seats[1].does("ready") is None
    assert await seats[0].does("start") is None
    if state == "paused":
        assert await seats[0].does("pause") is None
    elif state == "reveal":
        for seat in seats:
            assert await seat.does("ready") is None
        for act in ("draw", "discard", "crisp"):
            assert await seats[1].does(act) is None
        for act in ("draw", "discard"):
            assert await seats[0].does(act) is None
    assert seats[0].show.table.phase == ("round" if state == "paused" else state)
    return seats


def everything(one: Tapped) -> list[object]:
    """A message of each kind, and each act with picks that somebody might be offered."""
    hex_ = "0f" * 32
    picks = ((), ("left",), (0,), (1,), ("limit", "50"), ("hard",), ("left", 0, "left"))
    acts = [one.doing(act, *pick) for act in REFUSED_TO_WATCHERS for pick in picks]
    return [*acts, Say("Good call!"), Commit(1, hex_), Open(1, hex_), Pong(1), Ping(2)]


@pytest.mark.parametrize("state", STATES)
async def test_a_watcher_can_do_nothing_but_watch(state: str, autojump_clock: MockClock) -> None:
    async with open_hall(4, lots=Stacked(PLAIN)) as hall:
        seats = await in_state(hall, state)
        watcher = await hall.seat("Eve", address="192.0.2.66", watch=True)
        await later(2)
        before, lines = hall.referee.table, len(hall.journal.all)
        shows = [len(seat.all(Show)) for seat in seats]
        for message in everything(watcher):
            watcher.say(message)
            await later(0.05)
        assert hall.referee.table is before
        assert len(hall.journal.all) == lines
        assert [len(seat.all(Show)) for seat in seats] == shows
        said = len(REFUSED_TO_WATCHERS) * 7 + 1
        assert [no.why.key for no in watcher.all(No)] == ["You are watching."] * said
        await watcher.leaves()
        assert hall.referee.table is before
        assert [len(seat.all(Show)) for seat in seats] == [count + 1 for count in shows]
        assert seats[0].show.watchers == ()


@pytest.mark.parametrize("said", ["nothing", "hello"])
@pytest.mark.parametrize("state", STATES)
async def test_who_has_not_joined_can_do_nothing_at_all(
    state: str, said: str, autojump_clock: MockClock
) -> None:
    """Each message is tried on a connection of its own, for the first wrong one ends it."""
    async with open_hall(4, lots=Stacked(PLAIN)) as hall:
        seats = await in_state(hall, state)
        before = hall.referee.table
        shows = [len(seat.all(Show)) for seat in seats]
        for n, message in enumerate([*everything(seats[0]), Leave(), Bye(Text("Bye."))]):
            one = await bare(hall, address=f"192.0.2.{100 + n % 100}")
            if said == "hello":
                one.say(Hello(PROTOCOL, "x"))
            one.into.put_data(framed_message(message))
            await settled()
            if said == "hello" and isinstance(message, Ping | Pong):
                assert not one.all(Bye)
            else:
                assert one.last(Bye).why.key.startswith("The other side broke the protocol")
            assert not one.all(Show)
            await one.cut()
        assert hall.referee.table is before
        assert [len(seat.all(Show)) for seat in seats] == shows


def framed_message(message: object) -> bytes:
    payload = encode(message)  # type: ignore[arg-type]
    return len(payload).to_bytes(4, "big") + payload
