"""Finding each other across a bridge, beside other software, and on broken networks."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.system.avahi import avahi, resolved
from tests.system.netns import Net, bridge
from tests.system.pseudo import TOP

pytestmark = pytest.mark.system
PROGRAM = [sys.executable, str(TOP / "tests" / "system" / "discovery_program.py")]
PATIENCE = 40.0


class Told:
    """The lines of JSON that a program prints, as they come."""

    def __init__(self, net: Net, machine: str, *words: str) -> None:
        self.process = net.popen(
            machine,
            [*PROGRAM, *words],
            env={**os.environ, "PYTHONPATH": str(TOP)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def wait_for(self, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """The first line that is as wanted."""
        deadline = time.monotonic() + PATIENCE
        told: dict[str, Any] = {}
        while True:
            try:
                told = json.loads(self._lines.get(timeout=deadline - time.monotonic()))
            except (queue.Empty, ValueError):
                raise AssertionError(f"last told: {told}") from None
            if wanted(told):
                return told

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0


def announced(told: dict[str, Any]) -> bool:
    return told["problem"] is None


def lists(*ids: str) -> Callable[[dict[str, Any]], bool]:
    return lambda told: set(told["tables"]) == set(ids)


def test_a_table_is_found_across_the_bridge_and_gone_with_its_host() -> None:
    with bridge("host", "guest") as net:
        guest = Told(net, "guest", "browse")
        host = Told(net, "host", "announce", "abc", "Ayu's table")
        host.wait_for(announced)
        table = guest.wait_for(lists("abc"))["tables"]["abc"]
        assert table["table"] == "Ayu's table"
        assert set(table["addresses"]) == {"10.77.0.1", "fd77::1"}
        host.end()
        guest.wait_for(lists())


def test_two_hosts_with_one_name_are_two_tables() -> None:
    with bridge("ayu", "budi", "guest") as net:
        Told(net, "ayu", "announce", "abc", "Table").wait_for(announced)
        budi = Told(net, "budi", "announce", "def", "Table").wait_for(announced)
        assert budi["name"] == "Table (2)"
        Told(net, "guest", "browse").wait_for(lists("abc", "def"))


def test_a_host_back_from_a_cut_cable_is_found_by_who_came_meanwhile() -> None:
    with bridge("host", "guest") as net:
        Told(net, "host", "announce", "abc", "Table").wait_for(announced)
        net.cut("host")
        guest = Told(net, "guest", "browse")
        guest.wait_for(lambda told: told["problem"] is None)
        time.sleep(2)
        net.restore("host")
        guest.wait_for(lists("abc"))


def test_announcing_and_searching_wait_for_a_network_and_outlive_its_loss() -> None:
    with bridge("host", "guest") as net:
        net.ip("host", "address", "flush", "dev", "eth0")
        host, guest = Told(net, "host", "announce", "abc", "Table"), Told(net, "guest", "browse")
        host.wait_for(lambda told: told["problem"] == "This machine is on no network.")
        net.ip("host", "address", "add", "10.77.0.31/24", "dev", "eth0")
        guest.wait_for(lists("abc"))

        net.ip("guest", "address", "flush", "dev", "eth0")
        guest.wait_for(lambda told: told["problem"] == "This machine is on no network.")
        net.ip("guest", "address", "add", "10.77.0.32/24", "dev", "eth0")
        assert guest.wait_for(lists("abc"))["tables"]["abc"]["addresses"] == ["10.77.0.31"]


HOLD_5353 = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("", 5353))
print("held", flush=True)
input()
"""


def test_with_port_5353_taken_the_reason_is_said_and_the_table_announced_when_it_is_free() -> None:
    with bridge("host") as net:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        other = net.popen("host", [sys.executable, "-c", HOLD_5353], **pipes)
        assert other.stdout
        assert other.stdout.readline() == "held\n"
        host = Told(net, "host", "announce", "abc", "Table")
        host.wait_for(lambda told: "5353" in str(told["problem"]))
        other.communicate("\n")
        host.wait_for(announced)


@pytest.mark.timed
def test_a_dead_interface_that_comes_later_is_announced_too_and_delays_no_call() -> None:
    with bridge("host", "guest") as net:
        Told(net, "host", "announce", "abc", "Table")
        Told(net, "host", "answer", "abc").wait_for(bool)
        guest = Told(net, "guest", "browse")
        addresses = guest.wait_for(lists("abc"))["tables"]["abc"]["addresses"]
        assert set(addresses) == {"10.77.0.1", "fd77::1"}
        net.dead_end("host", "10.99.0.1")
        net.dead_end("guest", "10.99.0.2")
        told = guest.wait_for(lambda told: "10.99.0.1" in str(told))
        assert set(told["tables"]["abc"]["addresses"]) == {"10.77.0.1", "fd77::1", "10.99.0.1"}
        started = time.monotonic()
        call = Told(net, "guest", "dial", "10.99.0.1", "10.77.0.1", "27477", "abc")
        assert call.wait_for(bool) == {"address": "10.77.0.1"}
        assert time.monotonic() - started < 3


def test_bound_to_one_interface_a_table_is_announced_there_alone() -> None:
    with bridge("host", "guest") as net:
        net.dead_end("host", "10.99.0.1")
        dead = Told(net, "host", "announce", "dead", "Dead end", "10.99.0.1")
        live = Told(net, "host", "announce", "abc", "Table", "10.77.0.1")
        for host in (dead, live):
            host.wait_for(announced)
        found = Told(net, "guest", "browse", "10.77.0.2").wait_for(lists("abc"))
        assert found["tables"]["abc"]["addresses"] == ["10.77.0.1"]


def test_a_stranger_at_one_of_the_addresses_does_not_take_the_call() -> None:
    with bridge("host", "guest") as net:
        net.dead_end("guest", "172.17.0.1")
        for answering in (
            Told(net, "guest", "answer", "stranger"),
            Told(net, "host", "answer", "abc"),
        ):
            answering.wait_for(bool)
        call = Told(net, "guest", "dial", "172.17.0.1", "10.77.0.1", "27477", "abc")
        assert call.wait_for(bool) == {"address": "10.77.0.1"}


def test_refused_and_unreachable_are_different_sentences() -> None:
    with bridge("host", "guest") as net:
        refused = Told(net, "guest", "dial", "10.77.0.1", "27477", "")
        nowhere = Told(net, "guest", "dial", "198.51.100.7", "27477", "")
        assert refused.wait_for(bool)["text"].startswith("No table is open at")
        assert nowhere.wait_for(bool)["text"].startswith("There is no way to")


def test_debians_avahi_sees_the_service_and_its_txt(tmp_path: Path) -> None:
    with bridge("host", "peer") as net, avahi(net, "peer", tmp_path) as browse:
        Told(net, "host", "announce", "abc", "Table 2.0").wait_for(announced)
        line = resolved(browse, '"id=abc"')
        for part in ('"id=abc"', '"table=Table 2.0"', '"players=1"', '"seats=8"', '"phase=lobby"'):
            assert part in line
        for part in ("crisp-abc.local", "10.77.0.1", "27477", '"passcode=no"', '"protocol=1"'):
            assert part in line
