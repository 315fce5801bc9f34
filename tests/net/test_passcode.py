"""The passcode: who knows it gets in, and nobody else learns anything about it."""

from __future__ import annotations

import hmac
import threading
from typing import Any

import pytest
import trio
import trio.lowlevel
from spake2.ed25519_basic import Element, L, add_elements, xform_affine_to_extended
from spake2.ed25519_group import Ed25519Group
from spake2.parameters.ed25519 import ParamsEd25519 as PARAMS
from spake2.spake2 import finalize_SPAKE2
from trio.testing import MockClock, wait_all_tasks_blocked

from crisp_lan.net.passcode import (
    DIGITS,
    OF_ALL,
    OF_ONE,
    WITHIN,
    Asker,
    Joiner,
    Tries,
    aside,
    new_passcode,
    plain,
)

TABLE = "0123456789abcdef"
TABLES_OWN = "a" * 64
ANOTHERS = "b" * 64
NOT_A_HALF = (
    *("", "00", "zz" * 32, "ff" * 32, "00" * 32, "00" * 31, "00" * 33, "01" + "00" * 31),
    *("02" + "00" * 31, "ö" * 64, "\ud800" * 64, "0x" + "11" * 31),
)


def conversation(joiner: Joiner, asker: Asker) -> tuple[str | None, bool]:
    """What the host confirms, and whether the joiner believes it."""
    proof = joiner.proof(asker.message)
    assert proof is not None
    answer = asker.proof(joiner.message, proof)
    return answer, answer is not None and joiner.believes(answer)


def test_who_knows_the_passcode_and_who_asks_for_it_believe_each_other() -> None:
    joiner, asker = Joiner("482913", TABLE, TABLES_OWN), Asker("482913", TABLE, TABLES_OWN)
    _answer, believed = conversation(joiner, asker)
    assert believed


@pytest.mark.parametrize(
    ("passcode", "table", "fingerprint"),
    [("482914", TABLE, TABLES_OWN), ("482913", "f" * 16, TABLES_OWN), ("482913", TABLE, ANOTHERS)],
    ids=["another passcode", "another table", "another certificate"],
)
def test_nothing_is_confirmed_to_who_has(passcode: str, table: str, fingerprint: str) -> None:
    joiner = Joiner(passcode, table, fingerprint)
    assert conversation(joiner, Asker("482913", TABLE, TABLES_OWN)) == (None, False)


def test_a_host_that_does_not_know_the_passcode_is_not_believed() -> None:
    joiner, asker = Joiner("482913", TABLE, TABLES_OWN), Asker("000000", TABLE, TABLES_OWN)
    proof = joiner.proof(asker.message)
    assert proof is not None
    assert not joiner.believes(proof), "its own words sent back"
    assert not joiner.believes("00" * 32)


def test_every_message_is_64_hex_digits() -> None:
    joiner, asker = Joiner("482913", TABLE, TABLES_OWN), Asker("482913", TABLE, TABLES_OWN)
    mine = joiner.proof(asker.message)
    assert mine is not None
    theirs = asker.proof(joiner.message, mine)
    assert theirs is not None
    for message in (joiner.message, asker.message, mine, theirs):
        assert len(bytes.fromhex(message)) == 32
        assert len(message) == 64


@pytest.mark.parametrize("message", NOT_A_HALF)
def test_a_malformed_message_is_a_wrong_passcode(message: str) -> None:
    assert Asker("482913", TABLE, TABLES_OWN).proof(message, "00" * 32) is None
    joiner = Joiner("482913", TABLE, TABLES_OWN)
    assert joiner.proof(message) is None
    assert not joiner.believes("00" * 32)


@pytest.mark.parametrize("proof", NOT_A_HALF)
def test_a_malformed_proof_is_a_wrong_passcode(proof: str) -> None:
    joiner, asker = Joiner("482913", TABLE, TABLES_OWN), Asker("482913", TABLE, TABLES_OWN)
    assert asker.proof(joiner.message, proof) is None
    assert joiner.proof(asker.message) is not None
    assert not joiner.believes(proof)


def test_a_half_sent_back_to_its_sender_is_a_wrong_passcode() -> None:
    joiner, asker = Joiner("482913", TABLE, TABLES_OWN), Asker("482913", TABLE, TABLES_OWN)
    assert joiner.proof(joiner.message) is None
    assert asker.proof(asker.message, "00" * 32) is None


# ---------------------------------------------------------------- somebody in between


def test_who_passes_messages_on_under_another_certificate_brings_about_nothing() -> None:
    """The joiner sees the certificate of the one in between, the host its own."""
    joiner, asker = Joiner("4829", TABLE, ANOTHERS), Asker("4829", TABLE, TABLES_OWN)
    assert conversation(joiner, asker) == (None, False)


class Seen:
    """What somebody in between has seen of a joiner, to whom he showed a certificate of his own."""

    def __init__(self, joiner: Joiner, half: str) -> None:
        self.halves = bytes.fromhex(joiner.message), bytes.fromhex(half)
        self.proof = joiner.proof(half)
        assert self.proof is not None

    def fits(self, passcode: str, shared: bytes) -> bool:
        """Whether the proof comes of this passcode and this shared point."""
        ids = b"crisp-lan joiner", f"crisp-lan table {TABLE} {ANOTHERS}".encode()
        key = finalize_SPAKE2(*ids, *self.halves, shared, passcode.encode())
        return hmac.digest(key, b"joiner", "sha256").hex() == self.proof


def test_no_guess_can_be_tested_on_what_was_passed_on() -> None:
    """Who has no secret of either side can only try points that he knows for the shared one."""
    joiner, asker = Joiner("4829", TABLE, ANOTHERS), Asker("4829", TABLE, TABLES_OWN)
    seen = Seen(joiner, asker.message)
    mine, theirs = map(Ed25519Group.bytes_to_element, seen.halves)
    points = mine, theirs, mine.add(theirs), PARAMS.M, PARAMS.N, Ed25519Group.Base
    known = [Ed25519Group.Zero.to_bytes(), *(point.to_bytes() for point in points)]
    assert [n for n in range(10_000) for at in known if seen.fits(f"{n:04}", at)] == []
    unblinded = theirs.add(PARAMS.N.scalarmult(-scalar("4829")))
    shared = unblinded.scalarmult(joiner._half.xy_scalar).to_bytes()
    assert seen.fits("4829", shared), "with the joiner's secret it would fit"


@pytest.mark.parametrize(
    ("guess", "codes", "found"),
    [("1234", range(10_000), []), ("4829", range(4800, 4900), ["4829"])],
    ids=["a wrong guess", "a right guess"],
)
def test_who_plays_the_host_can_test_one_guess_alone(
    guess: str, codes: range, found: list[str]
) -> None:
    """He knows the secret of his half, so he has the shared point of each passcode."""
    host = Asker(guess, TABLE, ANOTHERS)
    seen = Seen(Joiner("4829", TABLE, ANOTHERS), host.message)
    secret = host._half.xy_scalar
    his = Ed25519Group.bytes_to_element(seen.halves[0]).scalarmult(secret)
    blinding = Multiples(PARAMS.M.scalarmult(secret))
    fitting = [
        code
        for code in (f"{n:04}" for n in codes)
        if seen.fits(code, blinding.added(his, -scalar(code)))
    ]
    assert fitting == found


def scalar(passcode: str) -> int:
    return int(Ed25519Group.password_to_scalar(passcode.encode()))


class Multiples:
    """Multiples of a point, byte by byte: ten thousand of them in seconds."""

    def __init__(self, point: Any) -> None:
        self._rows: list[list[Any]] = []
        for _ in range(32):
            row = [xform_affine_to_extended((0, 1))]
            for _ in range(256):
                row.append(add_elements(row[-1], point.XYTZ))
            self._rows.append(row)
            point = Element(row.pop())

    def added(self, point: Any, times: int) -> bytes:
        """The point and so many times this one, as bytes."""
        total = point.XYTZ
        for row, byte in zip(self._rows, (times % L).to_bytes(32, "little")):
            total = add_elements(total, row[byte])
        return bytes(Element(total).to_bytes())


# ---------------------------------------------------------------- codes and tries


def test_passcodes_are_six_digits_and_not_the_same() -> None:
    passcodes = {new_passcode() for _ in range(200)}
    assert len(passcodes) > 190
    assert all(len(code) == DIGITS and code.isdigit() and code.isascii() for code in passcodes)


@pytest.mark.parametrize("typed", ["482913", " 482 913\n", "482-913", "４８２９１３"])
def test_a_passcode_may_be_typed_in_many_ways(typed: str) -> None:
    assert plain(typed) == "482913"


def test_a_passcode_of_words_has_no_capitals() -> None:
    assert plain("Straße 7") == plain("STRASSE7")
    assert plain("– !") == ""


async def test_an_address_has_five_wrong_passcodes_in_five_minutes(
    autojump_clock: MockClock,
) -> None:
    tries = Tries()
    assert [tries.begin("10.0.0.2") for _ in range(OF_ONE + 1)] == [True] * OF_ONE + [False]
    assert tries.begin("10.0.0.3"), "another address"
    await trio.sleep(WITHIN - 1)
    assert not tries.begin("10.0.0.2")
    await trio.sleep(1)
    assert tries.begin("10.0.0.2")


async def test_many_addresses_have_no_more_than_forty_in_all(autojump_clock: MockClock) -> None:
    tries = Tries()
    assert all(tries.begin(f"10.0.0.{n}") for n in range(OF_ALL))
    assert not tries.begin("10.0.1.1")
    await trio.sleep(WITHIN)
    assert tries.begin("10.0.1.1")


async def test_right_passcodes_are_not_counted(autojump_clock: MockClock) -> None:
    tries = Tries()
    for _ in range(2 * OF_ALL):
        assert tries.begin("10.0.0.2")
        tries.right("10.0.0.2")
    assert all(tries.begin("10.0.0.2") for _ in range(OF_ONE))
    assert not tries.begin("10.0.0.2")


async def test_a_try_that_took_longer_than_it_counts_does_no_harm(
    autojump_clock: MockClock,
) -> None:
    tries = Tries()
    assert tries.begin("10.0.0.2")
    await trio.sleep(WITHIN)
    assert tries.begin("10.0.0.3")
    tries.right("10.0.0.2")
    assert tries.begin("10.0.0.2")


async def test_the_loop_goes_on_while_a_step_is_computed() -> None:
    gone_on = threading.Event()
    steps: list[bool] = []

    async def compute() -> None:
        steps.append(await aside(gone_on.wait, 60))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(compute)
        await wait_all_tasks_blocked()
        gone_on.set()
    assert steps == [True]
