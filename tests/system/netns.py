"""Small networks of this machine's own: named network namespaces on one bridge.

    with bridge("host", "guest") as net:
        net.popen("host", [...])
        net.cut("guest")

Nothing of it touches the machine's own network: the bridge lives in a namespace too. At the end all
processes that were started in it are gone, and so are the namespaces.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from itertools import count
from typing import Any

import pytest

PATIENCE = 40.0
_numbers = count(1)


@cache
def missing() -> str:
    """Why there can be no network namespaces here; "" if there can."""
    for program, package in (("ip", "iproute2"), ("nft", "nftables")):
        if shutil.which(program) is None:
            return f"the program {program} is missing (Debian: apt install {package})"
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = _unused_name("probe")
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode:
        return f"no network namespaces here: {made.stderr.strip()}"
    _ip("netns", "delete", name)
    return ""


class Net:
    """Machines on one bridge, each with the addresses 10.77.0.n and fd77::n."""

    def __init__(self, machines: Sequence[str]) -> None:
        self._spaces = {machine: _unused_name(machine) for machine in machines}
        self._bridge = _unused_name("bridge")
        self._numbers = {machine: number for number, machine in enumerate(machines, 1)}
        self._processes = ExitStack()

    def address(self, machine: str) -> str:
        return f"10.77.0.{self._numbers[machine]}"

    def there(self, machine: str, words: Sequence[str]) -> list[str]:
        """The words that run a program there."""
        return ["ip", "netns", "exec", self._spaces[machine], *words]

    def run(self, machine: str, words: Sequence[str], **given: Any) -> subprocess.CompletedProcess:
        """Runs a program there to its end, its output captured as text."""
        options = {"capture_output": True, "text": True, "timeout": PATIENCE, **given}
        return subprocess.run(self.there(machine, words), **options)

    def popen(self, machine: str, words: Sequence[str], **given: Any) -> subprocess.Popen[Any]:
        """Starts a program there; if it still runs at the end, it is ended."""
        process = subprocess.Popen(self.there(machine, words), **given)
        self._processes.callback(_ended, process)
        return process

    def ip(self, machine: str, *words: str) -> None:
        """Has `ip` change something there."""
        _ip("-n", self._spaces[machine], *words)

    def cut(self, machine: str) -> None:
        """Pulls the machine's cable out at the bridge: its own addresses stay."""
        _ip("-n", self._bridge, "link", "set", self._port(machine), "down")

    def restore(self, machine: str) -> None:
        _ip("-n", self._bridge, "link", "set", self._port(machine), "up")

    def drop(self, machine: str, hook: str, rule: str) -> None:
        """Has the machine's firewall drop what it lets in ("input") or out ("output")."""
        chain = f"inet crisp {hook}"
        self.nft(machine, "add table inet crisp")
        self.nft(machine, f"add chain {chain} {{ type filter hook {hook} priority 0; }}")
        self.nft(machine, f"add rule {chain} {rule} drop")

    def nft(self, machine: str, words: str) -> None:
        """Has `nft` change something there."""
        self.run(machine, ["nft", words], check=True)

    def dead_end(self, machine: str, address: str, device: str = "dead0") -> None:
        """Gives the machine an interface that is up and leads nowhere."""
        port = f"{device}{self._numbers[machine]}"
        peer = ("type", "veth", "peer", "name", port, "netns", self._bridge)
        self.ip(machine, "link", "add", device, *peer)
        self.ip(machine, "address", "add", f"{address}/24", "dev", device)
        self.ip(machine, "link", "set", device, "up")
        _ip("-n", self._bridge, "link", "set", port, "up")

    def make(self) -> None:
        _ip("netns", "add", self._bridge)
        _ip("-n", self._bridge, "link", "add", "bridge", "type", "bridge", "mcast_snooping", "0")
        _ip("-n", self._bridge, "link", "set", "bridge", "up")
        for machine in self._spaces:
            self._connect(machine)

    def _connect(self, machine: str) -> None:
        space, port = self._spaces[machine], self._port(machine)
        _ip("netns", "add", space)
        peer = ("type", "veth", "peer", "name", port, "netns", self._bridge)
        self.ip(machine, "link", "add", "eth0", *peer)
        self.ip(machine, "link", "set", "lo", "up")
        self.ip(machine, "address", "add", f"{self.address(machine)}/24", "dev", "eth0")
        ipv6 = f"fd77::{self._numbers[machine]}/64"
        self.ip(machine, "address", "add", ipv6, "dev", "eth0", "nodad")
        self.ip(machine, "link", "set", "eth0", "up")
        self.ip(machine, "route", "add", "224.0.0.0/4", "dev", "eth0")
        _ip("-n", self._bridge, "link", "set", port, "master", "bridge", "up")

    def remove(self) -> None:
        self._processes.close()
        for space in (*self._spaces.values(), self._bridge):
            for pid in _output("netns", "pids", space).split():
                os.kill(int(pid), signal.SIGTERM)
            subprocess.run(["ip", "netns", "delete", space], capture_output=True)

    def _port(self, machine: str) -> str:
        return f"port{self._numbers[machine]}"


@contextmanager
def bridge(*machines: str) -> Iterator[Net]:
    """A network with these machines on it; skips the test where there can be none."""
    if missing():
        pytest.skip(missing())
    net = Net(machines)
    try:
        net.make()
        yield net
    finally:
        net.remove()


def _unused_name(name: str) -> str:
    return f"crisp-{os.getpid()}-{next(_numbers)}-{name}"


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, timeout=PATIENCE)


def _output(*words: str) -> str:
    return subprocess.run(["ip", *words], capture_output=True, text=True, timeout=PATIENCE).stdout


def _ended(process: subprocess.Popen[Any]) -> None:
    process.terminate()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe:
            pipe.close()
