"""Tables with a passcode: who gets in, who does not, and who is never asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
import trio
from trio.testing import MockClock, memory_stream_pair

from crisp_lan.game.rules import Text
from crisp_lan.net.calling import Call, Target
from crisp_lan.net.client import Client, PasscodeWanted, TurnedAway, at_table
from crisp_lan.net.door import HANDSHAKE, hello
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import Ask, Bye, FromHost, Half, Join, Proof, Show, Welcome
from crisp_lan.net.passcode import (
    ASKED,
    NOT_ASKED,
    OF_ALL,
    OF_ONE,
    TOO_MANY,
    UNPROVEN,
    WITHIN,
    WRONG,
    Asker,
    Joiner,
)
from crisp_lan.net.protocol import Connection
from crisp_lan.net.referee import House
from tests.net.hall import KEY, Hall, Tapped, later, open_hall, settled

SPOT = Target(("192.0.2.1",), 27477)
HOUSE = House(("192.0.2.1",), 27477, KEY, name="Ayu's table", passcode="482913")


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are computed in the test's own thread: the clock would jump over another one."""

    async def compute(step: Callable[..., Any], *args: Any) -> Any:
        await trio.lowlevel.checkpoint()
        return step(*args)

    monkeypatch.setattr("crisp_lan.net.door.aside", compute)
    monkeypatch.setattr("crisp_lan.net.client.aside", compute)


async def joined(hall: Hall, passcode: str, **join: Any) -> Client:
    """A client that gets in by this passcode, and has heard what there is."""
    async with at_table(SPOT, Join("Budi", **join), hall, passcode=passcode) as client:
        assert isinstance(await client.receive(), Show)
    return client


async def refused(hall: Hall, passcode: str) -> TurnedAway:
    with pytest.raises(TurnedAway) as raised:
        await joined(hall, passcode)
    return raised.value


async def tries(hall: Hall, passcode: str, address: str = "192.0.2.66", **join: Any) -> Tapped:
    """Somebody who tries a passcode, message by message."""
    tapped = await hall.seat("Eve", address, **join)
    joiner = Joiner(passcode, "K7Q2", "")
    tapped.say(Half(joiner.message))
    await settled()
    if not tapped.all(Bye):
        proof = joiner.proof(tapped.last(Half).half)
        assert proof is not None
        tapped.say(Proof(proof))
        await settled()
    return tapped


async def test_who_knows_the_passcode_sits_down(autojump_clock: MockClock) -> None:
    async with open_hall(4, house=HOUSE, passcode="482913") as hall:
        client = await joined(hall, "482 913")
        assert client.welcome.name == "Ayu's table"
        assert client.welcome.passcode == "482913"
        assert (await joined(hall, "482913", watch=True)).token == ""


async def test_nobody_is_told_anything_before_the_passcode(autojump_clock: MockClock) -> None:
    async with open_hall(4, house=HOUSE, passcode="482913") as hall:
        await hall.seat("Ayu", key=KEY)
        tapped = await hall.seat("Eve", "192.0.2.66")
        assert [type(one).__name__ for one in tapped.heard] == ["Hello", "Ask"]
        wrong = await tries(hall, "000000")
        assert wrong.all(Bye) == [Bye(WRONG, again=False)]
        assert not wrong.all(Proof)
        assert not wrong.all(Show)
        for told in (b"Ayu", b"482913"):
            assert told not in tapped.bytes + wrong.bytes


async def test_a_wrong_passcode_is_told_from_none(autojump_clock: MockClock) -> None:
    async with open_hall(4, passcode="482913") as hall:
        for passcode, why in (("", ASKED), ("482914", WRONG)):
            away = await refused(hall, passcode)
            assert isinstance(away, PasscodeWanted)
            assert (away.text, away.again) == (why, False)
        assert not hall.referee.table.chairs


async def test_neither_who_has_a_seat_nor_the_tables_own_are_asked(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(4, passcode="482913") as hall:
        ayu = await hall.seat("Ayu", key=KEY)
        budi = await tries(hall, "482913", "192.0.2.7")
        for n in range(OF_ALL):
            await tries(hall, "000000", f"192.0.2.{100 + n}")
        assert (await tries(hall, "482913", "192.0.2.8")).last(Bye).why == TOO_MANY
        await budi.cut()
        back = await hall.seat("Budi", "192.0.2.7", token=budi.token)
        assert back.show.seat == 1
        hall.referee.send_for_bot("easy")
        [(_level, key)] = hall.bots_wanted
        bot = await hall.seat("Ada", level="easy", key=key)
        assert bot.show.seat == 2
        assert not any(one.all(Ask) for one in (ayu, back, bot))


async def test_a_token_that_is_not_known_opens_nothing(autojump_clock: MockClock) -> None:
    async with open_hall(4, passcode="482913") as hall:
        eve = await hall.seat("Eve", token="guess", key="guess")
        assert eve.all(Ask)
        assert not eve.all(Welcome)


async def test_an_address_has_few_attempts_and_another_one_its_own(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(8, passcode="482913") as hall:
        for n in range(OF_ONE):
            assert (await tries(hall, f"00000{n}")).last(Bye).why == WRONG
        assert (await tries(hall, "482913")).last(Bye).why == TOO_MANY
        assert (await tries(hall, "482913", "192.0.2.67")).all(Show)
        await later(WITHIN)
        assert (await tries(hall, "482913")).all(Show)


async def test_breaking_off_saves_no_attempt(autojump_clock: MockClock) -> None:
    async with open_hall(8, passcode="482913") as hall:
        for _ in range(OF_ONE):
            tapped = await hall.seat("Eve", "192.0.2.66")
            tapped.say(Half(Joiner("000000", "K7Q2", "").message))
            await settled()
            assert tapped.all(Half)
            await tapped.cut()
        assert (await tries(hall, "482913")).last(Bye).why == TOO_MANY


async def test_who_is_asked_and_takes_too_long_is_closed(autojump_clock: MockClock) -> None:
    async with open_hall(8, passcode="482913") as hall:
        slow = await hall.seat("Eve")
        await later(HANDSHAKE - 1)
        assert not slow.closed
        await later(2)
        assert slow.closed


# ---------------------------------------------------------------- others than the table


class Somebody:
    """Who answers in place of the table, and says this, each as soon as it may."""

    def __init__(self, nursery: trio.Nursery, script: Sequence[FromHost]) -> None:
        self.calls = 0
        self._nursery = nursery
        self._script = script

    async def call(self, target: Target) -> Call:
        self.calls += 1
        ours, theirs = memory_stream_pair()
        self._nursery.start_soon(self._say, theirs)
        return Call(ours)

    async def _say(self, stream: trio.abc.Stream) -> None:
        side = Connection("host")
        for message in (hello("K7Q2"), *self._script):
            while not side.may_send(type(message)):
                side.receive_data(bytes(await stream.receive_some()))
                list(iter(side.next_message, None))
            await stream.send_all(side.send(message))

    async def search(self, table_id: str, seconds: float) -> Listing | None:
        return None


ASKER = Asker("000000", "K7Q2", "")


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ([Ask(), Half(ASKER.message), Proof("0" * 64)], UNPROVEN),
        ([Ask(), Half("0" * 64)], UNPROVEN),
        ([Ask(), Half(ASKER.message), Bye(TOO_MANY)], TOO_MANY),
        ([Welcome("token", (), 0)], NOT_ASKED),
    ],
    ids=["a wrong proof", "no point", "too many", "no question"],
)
async def test_who_does_not_know_the_passcode_is_not_taken_for_the_table(
    script: list[FromHost], why: Text, autojump_clock: MockClock
) -> None:
    async with trio.open_nursery() as nursery:
        somebody = Somebody(nursery, script)
        with pytest.raises(TurnedAway) as raised:
            async with at_table(SPOT, Join("Budi"), somebody, passcode="482913"):
                pass
    assert (raised.value.text, raised.value.again) == (why, False)
    assert not isinstance(raised.value, PasscodeWanted)
    assert somebody.calls == 1
