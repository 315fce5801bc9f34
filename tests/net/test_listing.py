"""What is announced of a table, and what is left of a foreign announcement."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crisp_lan.net.listing import (
    MOST_ADDRESSES,
    Listing,
    instance_names,
    listing_of,
    merged,
    txt_of,
)

TABLE = Listing(
    id="3f9a0c5d",
    table="Ayu's table",
    game="crisp",
    players=2,
    seats=8,
    phase="lobby",
    protocol=1,
    version="0.1.0",
    passcode=False,
    addresses=("192.168.1.20", "fd00::9"),
    port=27477,
    fingerprint="ab" * 32,
)


def wire(listing: Listing) -> dict[bytes, bytes | None]:
    return {name.encode(): text.encode() for name, text in txt_of(listing).items()}


def test_a_table_is_read_as_it_was_announced() -> None:
    assert listing_of(wire(TABLE), TABLE.addresses, TABLE.port) == TABLE


def test_a_table_with_a_passcode_tells_nothing_of_its_game() -> None:
    closed = replace(TABLE, passcode=True)
    assert not wire(closed).keys() & {b"players", b"seats", b"phase"}
    told = replace(closed, players=0, seats=0, phase="")
    assert listing_of(wire(closed), TABLE.addresses, TABLE.port) == told


@pytest.mark.parametrize(
    "print", [None, b"", b"ab", b"AB" * 32, b"zz" * 32, b"ab" * 33, b"\xff" * 64]
)
def test_a_fingerprint_that_is_none_is_not_believed(print: bytes | None) -> None:
    txt = wire(TABLE) | {b"fingerprint": print}
    heard = listing_of(txt, TABLE.addresses, TABLE.port)
    assert heard is not None
    assert heard.fingerprint == ""


def test_no_field_outgrows_a_txt_record() -> None:
    txt = txt_of(replace(TABLE, table="\N{GRINNING FACE}" * 500, version="v" * 500))
    assert all(len(f"{name}={text}".encode()) <= 255 for name, text in txt.items())


@pytest.mark.parametrize("table_id", [b"", b"../../etc", b"a.b", b"x" * 33, b"\xff", b"a b", None])
def test_without_a_proper_id_there_is_no_table(table_id: bytes | None) -> None:
    assert listing_of({**wire(TABLE), b"id": table_id}, TABLE.addresses, TABLE.port) is None


def test_without_an_address_or_a_port_there_is_no_table() -> None:
    assert listing_of(wire(TABLE), (), TABLE.port) is None
    assert listing_of(wire(TABLE), TABLE.addresses, 0) is None
    assert listing_of(wire(TABLE), TABLE.addresses, None) is None


@pytest.mark.parametrize("number", [b"", b"-1", b"1.5", b"two", b"9" * 30, "٣".encode(), None])
def test_a_number_that_is_none_counts_as_nought(number: bytes | None) -> None:
    bad = {**wire(TABLE), b"players": number, b"seats": number, b"protocol": number}
    listing = listing_of(bad, TABLE.addresses, TABLE.port)
    assert listing is not None
    assert (listing.players, listing.seats, listing.protocol) == (0, 0, 0)


def test_a_table_without_a_name_goes_by_its_id() -> None:
    listing = listing_of({b"id": b"abc"}, ("10.0.0.1",), 1)
    assert listing == Listing("abc", "abc", "", 0, 0, "", 0, "", False, ("10.0.0.1",), 1)


@given(st.dictionaries(st.sampled_from(list(wire(TABLE))), st.none() | st.binary(max_size=255)))
def test_no_txt_record_raises_or_steers_a_terminal(fields: dict[bytes, bytes | None]) -> None:
    listing = listing_of({**fields, b"id": b"abc"}, ("10.0.0.1",), 1)
    assert listing is not None
    for text in (listing.table, listing.game, listing.phase, listing.version):
        assert text.isprintable()
        assert len(text) <= 100


def test_a_table_heard_twice_keeps_all_its_addresses() -> None:
    again = replace(TABLE, addresses=("10.8.0.2", "192.168.1.20"), players=3)
    (table,) = merged([TABLE, again]).values()
    assert table.addresses == ("192.168.1.20", "fd00::9", "10.8.0.2")
    assert table.players == 3


def test_a_table_that_moved_to_another_port_has_only_its_new_addresses() -> None:
    moved = replace(TABLE, addresses=("10.8.0.2",), port=27478)
    assert merged([TABLE, moved]) == {TABLE.id: moved}


def test_who_announces_another_fingerprint_adds_no_addresses() -> None:
    other = replace(TABLE, addresses=("192.0.2.66",), fingerprint="cd" * 32)
    assert merged([TABLE, other])[TABLE.id].addresses == ("192.0.2.66",)
    assert merged([other, TABLE])[TABLE.id].addresses == TABLE.addresses


def test_addresses_are_counted() -> None:
    many = tuple(f"10.0.0.{n}" for n in range(200))
    listing = listing_of(wire(TABLE), many, 1)
    assert listing is not None
    assert len(listing.addresses) == MOST_ADDRESSES
    (both,) = merged([listing, replace(listing, addresses=many[100:])]).values()
    assert len(both.addresses) == MOST_ADDRESSES


def first_names(table: str, count: int = 12) -> list[tuple[str, str]]:
    return list(islice(instance_names(table, "3f9a0c5d"), count))


def test_a_name_that_is_taken_gets_a_number() -> None:
    assert first_names("Ayu", 3) == [("Ayu", "Ayu"), ("Ayu (2)",) * 2, ("Ayu (3)",) * 2]


@given(st.text(max_size=100))
def test_every_name_fits_a_dns_label_with_its_number(table: str) -> None:
    for label, _ in first_names(table):
        assert 0 < len(label.encode()) <= 63
        assert label.isprintable()
        assert "." not in label
        assert not label.startswith("_")


def test_a_long_name_is_cut_between_characters_with_room_for_a_number() -> None:
    (label, _), (second, _) = first_names("\N{GRINNING FACE}" * 16, 2)
    assert label == "\N{GRINNING FACE}" * 14
    assert second == label + " (2)"


@pytest.mark.parametrize(("table", "label"), [("Table 2.0", "Table 2․0"), ("_sub", "sub")])
def test_what_zeroconf_would_take_apart_is_avoided(table: str, label: str) -> None:
    assert first_names(table, 1) == [(label, table)]
