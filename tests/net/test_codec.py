"""Bytes that are messages, and all those that are not."""

from __future__ import annotations

import contextlib
import math
import random
import tracemalloc
import typing
from typing import Any

import msgpack
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from crisp_lan.game.rules import Note, Text
from crisp_lan.net.codec import (
    DEPTH,
    LIMIT,
    LocalProtocolError,
    RemoteProtocolError,
    decode,
    decode_hello,
    encode,
)
from crisp_lan.net.messages import PROTOCOL, Bye, Do, FromClient, FromHost, Hello, Join, Ping, Show
from tests.net.samples import any_of, full_show

DO = {"type": "do", "offer": 3, "serial": 4, "act": "swap", "picks": ["left"]}
JOIN = {"type": "join", "name": "Ayu", "token": "", "key": "", "level": "", "watch": False}
HELLO = {"type": "hello", "protocol": PROTOCOL, "software": "crisp-lan 1", "table": "", "name": ""}
MISSING = object()


def packed(plain: Any, **changes: Any) -> bytes:
    """A payload with some fields changed, added or, where MISSING, left out."""
    changed = {**plain, **changes}
    whole: bytes = msgpack.packb({k: v for k, v in changed.items() if v is not MISSING})
    return whole


def nested(depth: int) -> Any:
    whole: Any = 1
    for _ in range(depth):
        whole = [whole]
    return whole


def depth_of(plain: Any) -> int:
    inner = plain.values() if isinstance(plain, dict) else plain if isinstance(plain, list) else ()
    return 1 + max(map(depth_of, inner), default=0) if isinstance(plain, dict | list) else 0


@pytest.mark.parametrize("kind", typing.get_args(FromClient))
@given(st.data())
def test_every_message_of_a_client_comes_back_as_it_was(kind, data):
    message = data.draw(any_of(kind))
    assert decode(encode(message), "client") == message
    assert len(encode(message)) <= LIMIT["client"]


@pytest.mark.parametrize("kind", typing.get_args(FromHost))
@settings(max_examples=40)
@given(st.data())
def test_every_message_of_a_host_comes_back_as_it_was(kind, data):
    message = data.draw(any_of(kind))
    assert decode(encode(message), "host") == message


def test_a_full_table_fits_well_into_a_frame():
    whole = encode(full_show())
    assert decode(whole, "host") == full_show()
    assert len(whole) < LIMIT["host"] / 8


def test_no_message_is_nested_deeper_than_its_side_may():
    assert depth_of(msgpack.unpackb(encode(full_show()))) == 6 < DEPTH["host"]
    assert depth_of(DO) == 2 < DEPTH["client"]


def test_the_order_of_fields_does_not_matter():
    assert decode(packed(dict(reversed(DO.items()))), "client") == Do(3, 4, "swap", ("left",))


def test_fields_with_a_default_may_be_left_out():
    assert decode(packed({"type": "join", "name": "Ayu"}), "client") == Join("Ayu")


REFUSED = {
    "an array of four thousand million": b"\xdd\xff\xff\xff\xff",
    "text of two thousand million": b"\xdb\x7f\xff\xff\xff",
    "a map of four thousand million": b"\xdf\xff\xff\xff\xff",
    "a thousand arrays": b"\x91" * 1000 + b"\x01",
    "a thousand arrays without an end": b"\x91" * 1000,
    "a thousand maps": b"\x81\xa1a" * 1000 + b"\x01",
    "nothing": b"",
    "nil": b"\xc0",
    "a number": b"\x01",
    "a list": msgpack.packb([DO]),
    "a byte that msgpack does not use": b"\xc1",
    "something after the message": packed(DO) + b"\x01",
    "half a message": packed(DO)[:-3],
    "a number as a key": packed({**DO, 3: 1}),
    "a list as a key": b"\x81\x91\x01\x01",
    "a map as a key": b"\x81\x81\x01\x01\x01",
    "bytes as a key": packed({**DO, b"x": 1}),
    "no bytes as a key": packed({**DO, b"": 1}),
    "a key twice": b"\x83" + packed({"type": "ping"})[1:] + (b"\xa6number\x01" * 2),
    "the type twice": b"\x83" + (packed({"type": "ping"})[1:] * 2) + b"\xa6number\x01",
    "no type": packed(DO, type=MISSING),
    "an unknown type": packed(DO, type="draw"),
    "a type in capitals": packed(DO, type="Do"),
    "a number for a type": packed(DO, type=1),
    "another side's message": packed({"type": "no", "serial": 1, "why": {"key": "", "values": {}}}),
    "a field too many": packed(DO, seat=2),
    "a missing field": packed(DO, serial=MISSING),
    "true for an offer": packed(DO, offer=True),
    "a fraction for an offer": packed(DO, offer=3.5),
    "a whole fraction for an offer": packed(DO, offer=3.0),
    "text for an offer": packed(DO, offer="3"),
    "no number for an offer": packed(DO, offer=math.nan),
    "infinity for an offer": packed(DO, offer=math.inf),
    "nothing for an offer": packed(DO, offer=None),
    "a negative offer": packed(DO, offer=-1),
    "an offer of 2**53 + 1": packed(DO, offer=2**53 + 1),
    "an offer of 2**64 - 1": packed(DO, offer=2**64 - 1),
    "bytes for an act": packed(DO, act=b"swap"),
    "a number for an act": packed(DO, act=7),
    "an act of 33 letters": packed(DO, act="x" * 33),
    "an act that is no UTF-8": packed(DO).replace(b"swap", b"\xff\xfe\xfd\xfc"),
    "a lone surrogate": packed(DO).replace(b"\xa4swap", b"\xa3\xed\xa0\x80"),
    "text for picks": packed(DO, picks="left"),
    "a map for picks": packed(DO, picks={"slot": "left"}),
    "true for a slot": packed(DO, picks=[True]),
    "nothing for a slot": packed(DO, picks=[None]),
    "no number for a slot": packed(DO, picks=[math.nan]),
    "slot -1": packed(DO, picks=[-1]),
    "seat 256": packed(DO, picks=[256]),
    "a list for a slot": packed(DO, picks=[["left"]]),
    "a pick of 33 letters": packed(DO, picks=["x" * 33]),
    "33 picks": packed(DO, picks=["left"] * 33),
    "five levels in a field too many": packed(DO, x=nested(4)),
    "an extension": packed(DO, picks=[msgpack.ExtType(5, b"")]),
    "an extension with bytes in it": packed(DO, picks=[msgpack.ExtType(5, b"abc")]),
    "a timestamp": packed(DO, offer=msgpack.Timestamp(1, 0)),
    "a number for a name": packed(JOIN, name=3),
    "a name of 65 letters": packed(JOIN, name="x" * 65),
    "text for watch": packed(JOIN, watch="yes"),
    "a number for watch": packed(JOIN, watch=1),
}


@pytest.mark.parametrize("payload", REFUSED.values(), ids=REFUSED)
def test_what_is_no_message_of_a_client_is_refused(payload):
    with pytest.raises(RemoteProtocolError) as caught:
        decode(payload, "client")
    said = str(caught.value)
    assert said.isascii()
    assert said.isprintable()
    assert len(said) < 200


@pytest.mark.parametrize("payload", [one for one in REFUSED.values() if len(one) < 4000])
def test_what_is_refused_takes_no_memory(payload):
    tracemalloc.start()
    with contextlib.suppress(RemoteProtocolError):
        decode(payload, "client")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 512 * 1024


def test_depth_is_refused_before_fields_are_looked_at():
    with pytest.raises(RemoteProtocolError, match="too deep"):
        decode(packed(DO, x=nested(4)), "client")
    with pytest.raises(RemoteProtocolError, match="unknown field"):
        decode(packed(DO, x=nested(3)), "client")


def test_an_act_of_the_largest_size_is_taken():
    largest = Do(2**53, 2**53, "x" * 32, (*["🂡" * 32] * 31, 255))
    payload = encode(largest)
    assert len(payload) > LIMIT["client"], "so the frame's limit, not a field's, decides"
    assert decode(payload, "client") == largest


def test_quotes_of_foreign_bytes_cannot_steer_a_terminal():
    with pytest.raises(RemoteProtocolError) as caught:
        decode(packed(DO, type="\x1b]52;c;x\x07\u202e\x9b"), "client")
    assert str(caught.value).isascii()
    assert str(caught.value).isprintable()


HOST_REFUSED = {
    "a show without its table": {"type": "show", "version": 1},
    "text that is a list": {"type": "bye", "why": ["x"], "again": False},
    "values nested": {"type": "bye", "why": {"key": "a", "values": {"x": [1]}}},
    "true for a value": {"type": "bye", "why": {"key": "a", "values": {"x": True}}},
    "a number for a key": {"type": "bye", "why": {"key": "a", "values": {1: 1}}},
    "a client's message": DO,
}


@pytest.mark.parametrize("plain", HOST_REFUSED.values(), ids=HOST_REFUSED)
def test_what_is_no_message_of_a_host_is_refused(plain):
    with pytest.raises(RemoteProtocolError):
        decode(packed(plain), "host")


@pytest.mark.parametrize("deep", [b"\x91" * 60_000, b"\x81\xa1a" * 20_000], ids=["lists", "maps"])
def test_a_host_cannot_nest_a_client_to_death(deep):
    with pytest.raises(RemoteProtocolError):
        decode(packed({"type": "bye", "x": 1})[:-1] + deep + b"\x01", "host")


def test_a_host_may_say_more_than_this_version_knows():
    why = {"key": "Bye.", "values": {}, "tone": "warm"}
    later = packed({"type": "bye", "why": why, "again": True, "wait": [1, {"a": 2}]})
    assert decode(later, "host") == Bye(Text("Bye."), again=True)


def test_what_msgpack_cannot_carry_is_our_own_mistake():
    with pytest.raises(LocalProtocolError):
        encode(Ping(2**64))
    with pytest.raises(LocalProtocolError):
        encode(Join("\ud800"))
    with pytest.raises(LocalProtocolError):
        encode(Bye(Text("x", {"x": object()})))  # type: ignore[dict-item]


def test_a_hello_of_a_later_version_of_the_same_protocol_is_read():
    theirs = packed(HELLO, software="x" * 99, name=MISSING, table=7, colours=["red"])
    assert decode_hello(theirs, "client") == Hello(PROTOCOL, "x" * 32, "", "")


HERE, THERE, BOTH = "on your machine", "Ask the host", "on both machines"


@pytest.mark.parametrize(
    ("sender", "protocol", "shown", "remedy"),
    [
        ("host", PROTOCOL + 1, PROTOCOL + 1, HERE),
        ("host", PROTOCOL - 1, PROTOCOL - 1, THERE),
        ("host", MISSING, "?", BOTH),
        ("host", "1", "1", BOTH),
        ("host", 1.0, "?", BOTH),
        ("host", True, "?", BOTH),
        ("client", PROTOCOL + 1, PROTOCOL + 1, THERE),
        ("client", PROTOCOL - 1, PROTOCOL - 1, HERE),
        ("client", MISSING, "?", BOTH),
        ("client", "\x1b[2J", "\\x1b[2J", BOTH),
        ("client", None, "?", BOTH),
        ("client", 2**64 - 1, 2**64 - 1, THERE),
    ],
)
def test_another_version_is_refused_with_both_and_what_to_do(sender, protocol, shown, remedy):
    with pytest.raises(RemoteProtocolError) as caught:
        decode_hello(packed(HELLO, protocol=protocol), sender)
    table, program = (shown, PROTOCOL) if sender == "host" else (PROTOCOL, shown)
    assert caught.value.text.values == {"table": table, "program": program}
    assert remedy in caught.value.text.key


def mutated(payload: bytes, lots: random.Random) -> bytes:
    changed = bytearray(payload)
    for _ in range(lots.randint(1, 4)):
        place = lots.randrange(len(changed) + 1)
        lots.choice(
            [
                lambda at: changed.__setitem__(slice(at, at + 1), [lots.randrange(256)]),
                lambda at: changed.__delitem__(slice(at, at + lots.randint(1, 5))),
                lambda at: changed.__setitem__(slice(at, at), lots.randbytes(lots.randint(1, 5))),
                lambda at: changed.extend(changed[at:]),
            ]
        )(place)
    return bytes(changed)


@pytest.mark.parametrize("sender", ["client", "host"])
def test_mutated_bytes_are_a_message_or_refused(sender):
    lots = random.Random(27477)
    whole = {
        "client": [packed(DO), packed(JOIN), packed(HELLO), encode(Ping(77))],
        "host": [encode(full_show()), encode(Bye(Text("{n} left.", {"n": 1}))), packed(HELLO)],
    }[sender]
    kinds = typing.get_args(FromClient if sender == "client" else FromHost)
    passed = 0
    for _ in range(4000):
        try:
            message = decode(mutated(lots.choice(whole), lots), sender)
        except RemoteProtocolError:
            continue
        passed += 1
        assert isinstance(message, kinds)
        encode(message)
        repr(message)
    assert 0 < passed < 4000


@given(st.binary(max_size=200), st.sampled_from(["client", "host"]))
@example(b"GET / HTTP/1.1\r\n\r\n", "client")
@example(b"SSH-2.0-OpenSSH_9.6\r\n", "client")
@example(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "client")
def test_random_bytes_are_a_message_or_refused(payload, sender):
    for read in (decode, decode_hello):
        with contextlib.suppress(RemoteProtocolError):
            assert read(payload, sender)


def test_the_notes_of_a_show_keep_whom_they_are_for():
    notes = (Note("{seat} draws.", {"seat": 1}), Note("You draw {card}.", {"card": "TD"}, (1,)))
    shown = decode(encode(Show(1, 2, 3, 4, None, full_show().table, None, notes)), "host")
    assert isinstance(shown, Show)
    assert shown.notes == notes
    assert shown.view is None
