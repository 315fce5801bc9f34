"""The deck that all make together: commitments that bind, an order that follows, and from all."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from crisp_lan.game.crisp import CRISP
from crisp_lan.lots import HOST, LOTS, Lots, Openings, commitment, in_order

DECK = CRISP.cards(2)
SECRETS = st.binary(min_size=32, max_size=32)
EVERYBODY = st.lists(SECRETS, min_size=1, max_size=9)


def openings(*secrets: bytes, table: str = "K7Q2MX", deal: int = 1) -> Openings:
    """Of the host and of seats 0, 1, …"""
    drawn = dict(zip((HOST, *map(str, range(8))), secrets))
    made = {who: commitment(table, deal, who, secret) for who, secret in drawn.items()}
    return Openings(table, deal, made, {who: secret.hex() for who, secret in drawn.items()})


def dealt(made: Openings) -> tuple[int, list[str]]:
    lots, cards = made.lots(), list(DECK)
    lots.shuffle(cards)
    return lots.first, cards


@given(EVERYBODY)
def test_every_card_is_in_the_deck_once_and_the_same_secrets_give_the_same_deck(
    secrets: list[bytes],
) -> None:
    first, cards = dealt(openings(*secrets))
    assert sorted(cards) == sorted(DECK)
    assert (first, cards) == dealt(openings(*secrets))
    assert 0 <= first < 840


@given(EVERYBODY, st.data())
def test_one_other_bit_of_anybody_gives_another_deck(secrets: list[bytes], data: Any) -> None:
    who = data.draw(st.integers(0, len(secrets) - 1))
    bit = data.draw(st.integers(0, 255))
    other = list(secrets)
    other[who] = (int.from_bytes(secrets[who], "big") ^ 1 << bit).to_bytes(32, "big")
    assert dealt(openings(*other))[1] != dealt(openings(*secrets))[1]


def test_another_table_or_deal_gives_another_deck() -> None:
    secrets = [bytes([n]) * 32 for n in range(3)]
    decks = [
        dealt(openings(*secrets, table=table, deal=deal))[1]
        for table, deal in (("a", 1), ("b", 1), ("a", 11), ("a1", 1))
    ]
    assert len({tuple(deck) for deck in decks}) == 4


@given(EVERYBODY)
def test_openings_that_were_committed_to_fit(secrets: list[bytes]) -> None:
    made = openings(*secrets)
    assert made.unfit() == ()
    assert Openings.read(made.written) == made


@given(SECRETS, SECRETS, SECRETS)
def test_whose_secret_is_another_or_is_missing_is_found(host: bytes, a: bytes, b: bytes) -> None:
    made = openings(host, a)
    if a != b:
        assert replace(made, secrets={**made.secrets, "0": b.hex()}).unfit() == ("0",)
    assert replace(made, secrets={HOST: host.hex()}).unfit() == ("0",)
    assert replace(made, commitments={HOST: made.commitments[HOST]}).unfit() == ("0",)
    assert replace(made, secrets={"0": a.hex()}).unfit() == (HOST,)
    assert replace(made, deal=2).unfit() == (HOST, "0")


def test_nobody_can_pass_off_the_commitment_of_another_as_theirs() -> None:
    secret = bytes(32)
    made = {commitment("t", deal, who, secret) for deal in (1, 2) for who in (HOST, "0", "1")}
    assert len(made) == 6


def test_the_host_comes_first_and_then_the_seats_by_number() -> None:
    assert in_order(["10", "2", HOST, "0"]) == [HOST, "0", "2", "10"]


def test_each_card_lies_on_top_as_often_as_any_other() -> None:
    tops, dealers = Counter[str](), Counter[int]()
    for n in range(5200):
        first, cards = dealt(openings(n.to_bytes(32, "big")))
        tops[cards[0]] += 1
        dealers[first % 7] += 1
    assert len(tops) == 52
    chi = sum((count - 100) ** 2 / 100 for count in tops.values())
    assert 20 < chi < 100  # 51 degrees of freedom: beyond, one time in 20,000
    assert all(abs(count - 5200 / 7) < 130 for count in dealers.values())


@pytest.mark.parametrize(
    "odd",
    [
        None,
        7,
        [],
        {},
        {"table": "t", "deal": 1, "commitments": {}},
        {"table": 1, "deal": 1, "commitments": {}, "secrets": {}},
        {"table": "\ud800", "deal": 1, "commitments": {}, "secrets": {}},
        {"table": "t", "deal": 10**5000, "commitments": {}, "secrets": {}},
        {"table": "t", "deal": True, "commitments": {}, "secrets": {}},
        {"table": "t", "deal": 1, "commitments": [], "secrets": {}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"0": "00"}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"0": "0" * 63 + "\n"}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"0": "A" * 64}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"-1": "0" * 64}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"me": "0" * 64}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"٣": "0" * 64}},
        {"table": "t", "deal": 1, "commitments": {}, "secrets": {"00": "0" * 64}},
    ],
)
def test_what_cannot_be_openings_is_none(odd: Any) -> None:
    with pytest.raises(ValueError, match="no openings"):
        Openings.read(odd)


def test_a_word_that_would_favour_some_numbers_is_skipped() -> None:
    lots = Lots(hashlib.sha256())
    lots._words = iter((2**64 - 1, 2**64 - 2**64 % LOTS, 5, 2**64 - 2**64 % LOTS - 1))
    assert lots._below(LOTS) == 5
    assert lots._below(LOTS) == LOTS - 1
