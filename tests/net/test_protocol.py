"""The conversation: who may say what when, in bytes cut anywhere."""

from __future__ import annotations

import random
import typing

import msgpack
import pytest

from crisp_lan.game.rules import Text
from crisp_lan.net.codec import LIMIT, Role, encode
from crisp_lan.net.messages import (
    PROTOCOL,
    Ask,
    Bye,
    Commit,
    Commits,
    Do,
    FromClient,
    FromHost,
    Half,
    Hello,
    Join,
    Leave,
    Message,
    No,
    Open,
    Opened,
    Ping,
    Pong,
    Proof,
    Say,
    Show,
    Shuffle,
    Welcome,
)
from crisp_lan.net.protocol import Connection, LocalProtocolError, RemoteProtocolError, State
from tests.net.samples import full_show

SAMPLES: dict[type[Message], typing.Any] = {
    Hello: Hello(PROTOCOL, "crisp-lan 0", "K7Q2", "Ayu's table"),
    Join: Join("Budi"),
    Ask: Ask(),
    Half: Half("3" * 64),
    Proof: Proof("4" * 64),
    Do: Do(1, 1, "draw", ()),
    Say: Say("Good call!"),
    Leave: Leave(),
    Commit: Commit(1, "0" * 64),
    Open: Open(1, "1" * 64),
    Ping: Ping(5),
    Pong: Pong(5),
    Welcome: Welcome("secret", ("192.168.1.7",), 27477),
    Show: full_show(),
    No: No(1, Text("It is not your turn.")),
    Shuffle: Shuffle(1, 0, "2" * 64),
    Commits: Commits(1, ((0, "0" * 64),)),
    Opened: Opened(0, ("{}",), more=False),
    Bye: Bye(Text("The table is closed."), again=False),
}
OPENING: list[tuple[Role, typing.Any]] = [
    ("host", SAMPLES[Hello]),
    ("client", Hello(PROTOCOL, "crisp-lan 0")),
    ("client", SAMPLES[Join]),
    ("host", SAMPLES[Welcome]),
]
ASKED = [
    *OPENING[:-1],
    ("host", SAMPLES[Ask]),
    ("client", SAMPLES[Half]),
    ("host", SAMPLES[Half]),
    ("client", SAMPLES[Proof]),
    ("host", SAMPLES[Proof]),
    OPENING[-1],
]
EVENING = [
    *OPENING,
    ("host", SAMPLES[Show]),
    ("host", SAMPLES[Shuffle]),
    ("client", SAMPLES[Commit]),
    ("host", SAMPLES[Commits]),
    ("client", SAMPLES[Open]),
    ("client", SAMPLES[Ping]),
    ("host", SAMPLES[Pong]),
    ("client", SAMPLES[Do]),
    ("client", SAMPLES[Say]),
    ("host", SAMPLES[No]),
    ("host", SAMPLES[Opened]),
    ("client", SAMPLES[Leave]),
    ("host", SAMPLES[Show]),
    ("host", SAMPLES[Bye]),
]
REACHED = {
    State.START: OPENING[:0],
    State.GREETED: OPENING[:1],
    State.MET: OPENING[:2],
    State.JOINING: OPENING[:3],
    State.ASKED: ASKED[:4],
    State.TRYING: ASKED[:5],
    State.ANSWERED: ASKED[:6],
    State.PROVEN: ASKED[:7],
    State.ADMITTED: ASKED[:8],
    State.SEATED: OPENING,
    State.LEFT: [*OPENING, ("client", SAMPLES[Leave])],
    State.ENDED: [*OPENING, ("host", SAMPLES[Bye])],
}
ALLOWED = {
    State.START: {("host", Hello)},
    State.GREETED: {("client", Hello), ("host", Bye)},
    State.MET: {("client", Join), ("host", Bye)},
    State.JOINING: {("host", Welcome), ("host", Ask), ("host", Bye)},
    State.ASKED: {("client", Half), ("host", Bye)},
    State.TRYING: {("host", Half), ("host", Bye)},
    State.ANSWERED: {("client", Proof), ("host", Bye)},
    State.PROVEN: {("host", Proof), ("host", Bye)},
    State.ADMITTED: {("host", Welcome), ("host", Bye)},
    State.SEATED: {
        *(("host", kind) for kind in (Show, No, Shuffle, Commits, Opened, Bye)),
        *(("client", kind) for kind in (Do, Say, Commit, Open, Leave)),
    },
    State.LEFT: {("host", kind) for kind in (Show, No, Shuffle, Commits, Opened, Bye)},
    State.ENDED: set(),
}
BEATS = {(role, kind) for role in ("host", "client") for kind in (Ping, Pong)}
for alive in set(ALLOWED) - {State.START, State.GREETED, State.ENDED}:
    ALLOWED[alive] |= BEATS


def pair() -> dict[Role, Connection]:
    return {"host": Connection("host"), "client": Connection("client")}


def other(role: Role) -> Role:
    return "client" if role == "host" else "host"


def taken(connection: Connection) -> list[typing.Any]:
    """Every message that has come in whole."""
    return list(iter(connection.next_message, None))


def framed(payload: bytes) -> bytes:
    return len(payload).to_bytes(4, "big") + payload


def reached(state: State) -> dict[Role, Connection]:
    sides = pair()
    for role, message in REACHED[state]:
        sides[other(role)].receive_data(sides[role].send(message))
        assert taken(sides[other(role)]) == [message]
    return sides


def evening_of(role: Role) -> tuple[bytes, list[typing.Any]]:
    """All bytes that one side of a whole evening sends, and the messages in them."""
    sides, sent = pair(), b""
    for sender, message in EVENING:
        chunk = sides[sender].send(message)
        sides[other(sender)].receive_data(chunk)
        assert taken(sides[other(sender)]) == [message]
        sent += chunk if sender == role else b""
    return sent, [message for sender, message in EVENING if sender == role]


def listener(role: Role) -> Connection:
    """A side that waits for the other's first word."""
    return reached(State.START if role == "client" else State.GREETED)[role]


@pytest.mark.parametrize("state", REACHED)
@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("role", ["host", "client"])
def test_only_what_the_table_allows_is_sent_and_taken(state, kind, role):
    sides = reached(state)
    message = SAMPLES[kind]
    if (role, kind) in ALLOWED[state]:
        sides[other(role)].receive_data(sides[role].send(message))
        assert [type(one) for one in taken(sides[other(role)])] == [kind]
        assert sides["host"].state is sides["client"].state
        return
    with pytest.raises(LocalProtocolError):
        sides[role].send(message)
    assert sides[role].state is state, "a mistake of ours changes nothing"
    sides[other(role)].receive_data(framed(encode(message)))
    if state is State.ENDED:
        assert taken(sides[other(role)]) == []
        return
    with pytest.raises(RemoteProtocolError):
        taken(sides[other(role)])
    assert sides[other(role)].state is State.BROKEN


def test_every_message_has_its_place_in_the_conversation():
    placed = {(role, kind) for moves in ALLOWED.values() for role, kind in moves}
    assert placed == {
        *(("client", kind) for kind in typing.get_args(FromClient)),
        *(("host", kind) for kind in typing.get_args(FromHost)),
    }


def test_the_host_speaks_first():
    with pytest.raises(LocalProtocolError):
        Connection("client").send(SAMPLES[Hello])


@pytest.mark.parametrize("role", ["host", "client"])
def test_bytes_may_be_cut_anywhere(role):
    sent, messages = evening_of(role)
    for cut in range(len(sent) + 1):
        heard, got = listener(other(role)), []
        for piece in (sent[:cut], sent[cut:]):
            heard.receive_data(piece)
            got += follow(heard)
        assert got == messages


@pytest.mark.parametrize("role", ["host", "client"])
def test_bytes_may_come_one_at_a_time(role):
    sent, messages = evening_of(role)
    heard, got = listener(other(role)), []
    for byte in sent:
        heard.receive_data(bytes([byte]))
        got += follow(heard)
    assert got == messages


def follow(heard: Connection) -> list[typing.Any]:
    """What has come, with this side's own lines of the opening said when it is time for them."""
    got = []
    while True:
        if heard.role == "client" and heard.state is State.GREETED:
            heard.send(SAMPLES[Hello])
            heard.send(SAMPLES[Join])
        if heard.role == "host" and heard.state is State.JOINING:
            heard.send(SAMPLES[Welcome])
        message = heard.next_message()
        if message is None:
            return got
        got.append(message)


def test_three_messages_in_one_packet_are_three_messages():
    host = reached(State.SEATED)["host"]
    acts = [Do(1, serial, "draw", ()) for serial in (1, 2, 3)]
    host.receive_data(b"".join(framed(encode(act)) for act in acts))
    assert taken(host) == acts


@pytest.mark.parametrize("role", ["host", "client"])
def test_a_frame_that_is_too_long_is_refused_by_its_length_alone(role):
    heard = reached(State.SEATED)[role]
    heard.receive_data((LIMIT[other(role)] + 1).to_bytes(4, "big"))
    with pytest.raises(RemoteProtocolError, match=f"frame of {LIMIT[other(role)] + 1} bytes"):
        heard.next_message()


def test_a_frame_of_the_largest_size_is_waited_for():
    host = reached(State.SEATED)["host"]
    host.receive_data(LIMIT["client"].to_bytes(4, "big"))
    assert host.next_message() is None
    host.receive_data(b"\xc0" * LIMIT["client"])
    with pytest.raises(RemoteProtocolError, match="ExtraData"):
        host.next_message()


@pytest.mark.parametrize(
    "foreign",
    [
        b"GET / HTTP/1.1\r\nHost: table\r\n\r\n",
        b"SSH-2.0-OpenSSH_9.6\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"\xdd\xff\xff\xff\xff",
        b"\xdb\x7f\xff\xff\xff",
        b"\x00\x00\x00\x00",
        framed(b"\xdd\xff\xff\xff\xff"),
        framed(b"\x91" * 1000),
    ],
)
def test_other_programs_are_turned_away(foreign):
    host = reached(State.GREETED)["host"]
    host.receive_data(foreign)
    with pytest.raises(RemoteProtocolError):
        host.next_message()


@pytest.mark.parametrize("role", ["host", "client"])
@pytest.mark.parametrize("protocol", [PROTOCOL - 1, PROTOCOL + 1, None, "1"])
def test_another_version_is_told_at_hello(role, protocol):
    heard = listener(role)
    theirs = {"type": "hello", "protocol": protocol, "software": "crisp-lan 9"}
    if protocol is None:
        del theirs["protocol"]
    heard.receive_data(framed(msgpack.packb(theirs)))
    with pytest.raises(RemoteProtocolError, match=rf" {PROTOCOL}\b.*crisp-lan"):
        heard.next_message()


def test_a_broken_conversation_stays_broken():
    host = reached(State.SEATED)["host"]
    host.receive_data(framed(b"\xc1"))
    for _ in range(2):
        with pytest.raises(RemoteProtocolError):
            host.next_message()
        host.receive_data(framed(encode(SAMPLES[Do])))
    with pytest.raises(LocalProtocolError):
        host.send(SAMPLES[Show])


def test_the_host_may_tell_why_it_ends_a_broken_conversation():
    host = reached(State.SEATED)["host"]
    host.receive_data(framed(b"\xc1"))
    with pytest.raises(RemoteProtocolError):
        host.next_message()
    assert host.send(SAMPLES[Bye])
    assert host.state is State.ENDED


def test_what_crosses_a_bye_is_thrown_away():
    sides = reached(State.SEATED)
    crossing = sides["client"].send(SAMPLES[Do])
    sides["host"].send(SAMPLES[Bye])
    sides["host"].receive_data(crossing)
    assert taken(sides["host"]) == []


def test_what_crosses_a_leave_still_arrives():
    sides = reached(State.SEATED)
    crossing = sides["host"].send(SAMPLES[Show]) + sides["host"].send(SAMPLES[Ping])
    sides["host"].receive_data(sides["client"].send(SAMPLES[Leave]))
    sides["client"].receive_data(crossing)
    assert taken(sides["client"]) == [SAMPLES[Show], SAMPLES[Ping]]
    assert sides["client"].send(Pong(5))


def test_a_message_that_does_not_fit_its_frame_is_our_own_mistake():
    client = reached(State.SEATED)["client"]
    with pytest.raises(LocalProtocolError, match="bytes"):
        client.send(Do(1, 1, "x", ("🂡" * 32,) * 32))
    assert client.state is State.SEATED


@pytest.mark.parametrize("role", ["host", "client"])
def test_mutated_conversations_are_messages_or_one_error(role):
    lots = random.Random(1717)
    sent, _ = evening_of(other(role))
    for _ in range(600):
        changed = bytearray(sent[: 4000 if role == "client" else None])
        for _ in range(lots.randint(1, 3)):
            changed[lots.randrange(len(changed))] = lots.randrange(256)
        heard = listener(role)
        for start in range(0, len(changed), 512):
            heard.receive_data(bytes(changed[start : start + 512]))
            try:
                follow(heard)
            except RemoteProtocolError:
                assert heard.state is State.BROKEN
                break
