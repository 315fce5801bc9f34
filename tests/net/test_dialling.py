"""Dialling all addresses side by side, on made-up connections and under a virtual clock."""

from __future__ import annotations

import errno
import socket
from dataclasses import dataclass, field

import pytest
import trio

from crisp_lan.game.rules import Text
from crisp_lan.net import dialling
from crisp_lan.net.dialling import NotReached, dial


@dataclass
class Line(trio.abc.AsyncResource):
    """A connection to an address; open until closed."""

    address: str
    closed: bool = False

    async def aclose(self) -> None:
        self.closed = True
        await trio.lowlevel.checkpoint()


@dataclass
class Network:
    """Who answers where: seconds until it connects and the id it claims, or an error."""

    ids: dict[str, tuple[float, str] | Exception]
    lines: list[Line] = field(default_factory=list)
    tried: list[tuple[str, float]] = field(default_factory=list)

    async def open(self, address: str, port: int) -> Line:
        self.tried.append((address, round(trio.current_time(), 1)))
        answer = self.ids[address]
        if isinstance(answer, OSError | ExceptionGroup):
            raise OSError("all attempts to connect failed") from answer
        await trio.sleep(answer[0] if isinstance(answer, tuple) else 0)
        self.lines.append(Line(address))
        return self.lines[-1]

    async def greet(self, line: Line) -> str:
        answer = self.ids[line.address]
        await trio.lowlevel.checkpoint()
        if isinstance(answer, Exception):
            raise answer
        return answer[1]

    async def dial(self, wanted_id: str = "right") -> Line:
        start = trio.current_time()
        try:
            return await dial(
                list(self.ids), 27477, open=self.open, greet=self.greet, wanted_id=wanted_id
            )
        finally:
            self.tried = [(address, round(at - start, 1)) for address, at in self.tried]
            self.open_lines = [line for line in self.lines if not line.closed]

    async def reason(self, wanted_id: str = "right") -> NotReached:
        with pytest.raises(NotReached) as caught:
            await self.dial(wanted_id)
        assert self.open_lines == []
        return caught.value


NEVER = 1e6
REFUSED = ConnectionRefusedError(errno.ECONNREFUSED, "refused")


async def test_a_dead_address_first_costs_a_fifth_of_a_second(autojump_clock: object) -> None:
    network = Network({"10.0.0.1": (NEVER, ""), "10.0.0.2": (0, "right"), "10.0.0.3": (0, "right")})
    line = await network.dial()
    assert line.address == "10.0.0.2"
    assert network.tried == [("10.0.0.1", 0), ("10.0.0.2", 0.2)]
    assert network.open_lines == [line]


async def test_a_refusal_lets_the_next_start_at_once(autojump_clock: object) -> None:
    network = Network({"10.0.0.1": REFUSED, "10.0.0.2": (0, "right")})
    await network.dial()
    assert network.tried == [("10.0.0.1", 0), ("10.0.0.2", 0)]


async def test_a_stranger_who_answers_first_does_not_win(autojump_clock: object) -> None:
    network = Network({"172.17.0.1": (0, "wrong"), "10.0.0.2": (1, "right")})
    line = await network.dial()
    assert line.address == "10.0.0.2"
    assert network.open_lines == [line]


async def test_of_two_right_answers_in_one_moment_one_is_closed(autojump_clock: object) -> None:
    network = Network({"10.0.0.1": (0.4, "right"), "10.0.0.2": (0.2, "right")})
    line = await network.dial()
    assert network.open_lines == [line]


async def test_a_typed_address_takes_whatever_table_answers(autojump_clock: object) -> None:
    line = await Network({"10.0.0.1": (0, "any")}).dial(wanted_id="")
    assert line.address == "10.0.0.1"


async def test_each_address_has_its_own_reason(autojump_clock: object) -> None:
    network = Network(
        {
            "10.0.0.1": REFUSED,
            "10.0.0.2": (NEVER, ""),
            "10.0.0.3": (0, "wrong"),
            "10.0.0.4": OSError(errno.ENETUNREACH, "no route"),
            "10.0.0.5": trio.EndOfChannel(),
            "host.local": socket.gaierror(-2, "unknown"),
            "10.0.0.7": ExceptionGroup("", [TimeoutError(errno.ETIMEDOUT, "timed out")]),
            "10.0.0.8": OSError(errno.EHOSTUNREACH, "no route to host"),
        }
    )
    error = await network.reason()
    assert error.reasons == {
        "10.0.0.1": dialling.REFUSED,
        "10.0.0.2": dialling.SILENT,
        "10.0.0.3": dialling.STRANGER,
        "10.0.0.4": dialling.NO_WAY,
        "10.0.0.5": dialling.STRANGER,
        "host.local": dialling.NO_SUCH_NAME,
        "10.0.0.7": dialling.SILENT,
        "10.0.0.8": dialling.GONE,
    }


@pytest.mark.parametrize(
    "failing",
    [
        REFUSED,
        TimeoutError(errno.ETIMEDOUT, "timed out"),
        OSError(errno.EHOSTUNREACH, "no route to host"),
        OSError(errno.ENETUNREACH, "no route"),
        socket.gaierror(-2, "unknown"),
        trio.BrokenResourceError(),
    ],
)
async def test_every_failure_has_a_sentence_of_its_own(
    failing: Exception, autojump_clock: object
) -> None:
    error = await Network({"10.0.0.1": failing}).reason()
    sentences = [*dialling._KNOWN.values(), *(text for _, text in dialling._SENTENCES)]
    assert error.text.key in [sentence.key for sentence in sentences]
    assert error.text.values == {"address": "10.0.0.1", "port": 27477}


async def test_silence_is_a_firewall_if_announced_and_perhaps_a_mistake_if_typed(
    autojump_clock: object,
) -> None:
    network = Network({"10.0.0.1": (NEVER, "")})
    announced, typed = await network.reason("right"), await network.reason("")
    assert announced.text.key.startswith("The table is announced, but nothing answers")
    assert typed.text.key.startswith("No answer from {address}")


async def test_a_machine_out_of_reach_sleeps_if_announced_and_is_another_if_typed(
    autojump_clock: object,
) -> None:
    network = Network({"10.0.0.1": OSError(errno.EHOSTUNREACH, "no route to host")})
    announced, typed = await network.reason("right"), await network.reason("")
    assert announced.text.key.startswith("The table is announced, but its machine is out of reach")
    assert typed.text.key.startswith("No machine is in reach at {address}")


async def test_who_has_less_time_waits_less(autojump_clock: object) -> None:
    network = Network({"10.0.0.1": (NEVER, "")})
    started = trio.current_time()
    with pytest.raises(NotReached):
        await dial(["10.0.0.1"], 1, open=network.open, greet=network.greet, patience=2)
    assert trio.current_time() - started == pytest.approx(2, abs=0.1)


async def test_what_the_other_side_said_comes_before_what_the_network_did(
    autojump_clock: object,
) -> None:
    said = Text("This table speaks version {theirs}.", {"theirs": 2})
    network = Network({"10.0.0.1": (NEVER, ""), "10.0.0.2": NotReached(said)})
    error = await network.reason()
    assert error.text == said
    assert error.reasons["10.0.0.2"] == said


async def test_a_cancelled_call_leaves_nothing_open(autojump_clock: object) -> None:
    network = Network({"10.0.0.1": (0.1, "right"), "10.0.0.2": (NEVER, "")})

    async def silent(line: Line) -> str:
        await trio.sleep_forever()
        raise AssertionError

    with trio.move_on_after(1):
        await dial(list(network.ids), 1, open=network.open, greet=silent)
    assert [line.closed for line in network.lines] == [True]


async def test_real_sockets_give_their_real_reason() -> None:
    async def greet(stream: trio.SocketStream) -> str:
        raise AssertionError

    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))
        port = mute.getsockname()[1]
        with pytest.raises(NotReached) as caught:
            await dial(["127.0.0.1"], port, open=trio.open_tcp_stream, greet=greet)
    assert caught.value.reasons == {"127.0.0.1": dialling.REFUSED}
