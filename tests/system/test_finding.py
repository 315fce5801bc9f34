"""Whole processes that look for a table on networks which keep something back.

What is told differs with what is kept back, and says what to do; nobody waits for long.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.system.netns import Net, bridge
from tests.system.panes import tmux
from tests.system.running import (
    COMMAND,
    HeadlessTable,
    Program,
    announced,
    headless,
    list_with,
    listed,
    program,
    waited_for,
)
from tests.system.test_namespaces import Told

pytestmark = pytest.mark.system
NAME = "Ayu's table"
HOST = "10.77.0.1"

NOTHING_HEARD = "No table heard on this network. Type the address from the host’s screen"
NO_MULTICAST = f"No announcement is heard, but {NAME} answers at {HOST}:"
NO_ANSWER = f"The table is announced, but nothing answers at {HOST}"
OUT_OF_REACH = f"The table is announced, but its machine is out of reach at {HOST}"
NO_TABLE = f"No table is open at {HOST}, port "
"""What is said of each fault, and of no other."""


@contextmanager
def hosted(folder: Path, *words: str) -> Iterator[tuple[Net, HeadlessTable]]:
    """A table on a bridge, with IPv4 alone, so that each fault has one address."""
    with bridge("host", "guest") as net:
        for machine in ("host", "guest"):
            net.ip(machine, "-6", "address", "flush", "dev", "eth0")
        start = partial(net.popen, "host")
        with headless(folder, f"--table={NAME}", *words, start=start) as table:
            yield net, table


@contextmanager
def guest(net: Net, folder: Path, *words: str) -> Iterator[Program]:
    """A crisp-lan of the guest."""
    own = (f"--data={folder / 'guest'}",)
    with program(folder, *words, *own, start=partial(net.popen, "guest")) as running:
        yield running


def heard_of(net: Net, folder: Path, table: HeadlessTable) -> None:
    """Waits until the guest hears of the table: each of the others listens for a while only."""
    announced(folder, table, start=partial(net.popen, "guest"))


def told(net: Net, folder: Path, *words: str, within: float = 8.0) -> str:
    """What a guest is told who fails, within so many seconds."""
    started = time.monotonic()
    with guest(net, folder, *words) as running:
        assert running.ended(within + 5) == 1
    assert time.monotonic() - started < within
    assert "Traceback" not in running.err
    return running.err


def keep_multicast_back(net: Net) -> None:
    """What the host announces does not come to the guest any more."""
    net.drop("guest", "input", f"ip saddr {HOST} udp dport 5353")


def sat_down_once(net: Net, folder: Path, table: HeadlessTable) -> None:
    """The guest types the address, and is gone again with a seat kept."""
    with guest(net, folder, "join", "--plain", "--name=Budi", table.address) as budi:
        budi.says("1 Budi: you")
        budi.process.kill()
        budi.ended()


# ---------------------------------------------------------------- nothing is heard


@pytest.mark.timed
def test_where_nothing_is_heard_it_says_so_soon_and_a_typed_address_works(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, table):
        keep_multicast_back(net)
        assert told(net, tmp_path, "tables", within=4).startswith(NOTHING_HEARD)
        assert told(net, tmp_path, "join", NAME, "--plain").startswith(NOTHING_HEARD)
        with guest(net, tmp_path, "join", "--plain", "--name=Budi") as budi:
            budi.says(NOTHING_HEARD, seconds=6)
            budi.type(table.address)
            budi.says("1 Budi: you")


@pytest.mark.timed
def test_between_devices_kept_apart_nothing_is_heard_and_an_address_gets_no_answer(
    tmp_path: Path,
) -> None:
    with hosted(tmp_path) as (net, table):
        net.drop("guest", "input", f"ip saddr {HOST}")
        assert told(net, tmp_path, "tables", within=4).startswith(NOTHING_HEARD)
        for command in ("join", "bot"):
            words = told(net, tmp_path, command, table.address)
            assert words.startswith(f"No answer from {HOST}")
            assert "keeps its devices apart" in words


@pytest.mark.timed
def test_where_multicast_alone_is_kept_back_a_table_known_from_before_is_listed_and_why(
    tmp_path: Path,
) -> None:
    with hosted(tmp_path) as (net, table):
        sat_down_once(net, tmp_path, table)
        keep_multicast_back(net)
        own = f"--data={tmp_path / 'guest'}"
        tables = listed(tmp_path, NAME, own, start=partial(net.popen, "guest"))
        assert tables.out.split() == [*NAME.split(), table.address]
        assert tables.err.startswith(NO_MULTICAST)
        with guest(net, tmp_path, "join", "--plain", "--name=Budi") as budi:
            budi.says(NO_MULTICAST, f"1  {NAME}: your seat, {table.address}", seconds=6)
            budi.type("1")
            budi.says("1 Budi: you")
            budi.process.kill()
            budi.ended()
        for words in ((NAME,), (f"--id={table.opened['id']}",)):
            with guest(net, tmp_path, "join", *words, "--plain", "--name=Budi") as budi:
                budi.says("1 Budi: you")
                budi.process.kill()
                budi.ended()
        assert [line["name"] for line in table.journal("sit")] == ["Budi"]


# ---------------------------------------------------------------- found, and not reached


@pytest.mark.timed
def test_a_table_whose_port_swallows_all_is_said_to_be_behind_a_firewall(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, table):
        heard_of(net, tmp_path, table)
        net.drop("host", "input", f"tcp dport {table.opened['port']}")
        named = (NAME, f"--id={table.opened['id']}")
        for words in (("join", named[0], "--plain"), ("join", named[1]), ("bot", named[0])):
            assert told(net, tmp_path, *words).startswith(NO_ANSWER)
        assert told(net, tmp_path, "join", table.address).startswith(f"No answer from {HOST}")


@pytest.mark.timed
def test_a_table_whose_machine_has_gone_is_said_to_be_out_of_reach(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, _table):
        with guest(net, tmp_path, "join", "--plain") as budi:
            list_with(budi, f"1  {NAME}")
            net.cut("host")
            net.ip("guest", "neighbour", "flush", "dev", "eth0")
            budi.type("1")
            assert budi.ended(8) == 1
        assert budi.err.startswith(OUT_OF_REACH)
        assert told(net, tmp_path, "bot", f"{HOST}:27477").startswith("No machine is in reach at")


@pytest.mark.timed
@pytest.mark.parametrize("words", [("join", NAME), ("bot", NAME), ("join", "--id=abc"), ("bot",)])
def test_a_table_that_is_announced_where_none_is_open_is_said_to_be_gone(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    with bridge("host", "guest") as net:
        net.ip("host", "-6", "address", "flush", "dev", "eth0")
        Told(net, "host", "announce", "abc", NAME).wait_for(lambda said: said["problem"] is None)
        assert told(net, tmp_path, *words).startswith(NO_TABLE)


# ---------------------------------------------------------------- networks that come and go


def test_a_host_without_a_network_says_so_and_is_found_when_there_is_one(tmp_path: Path) -> None:
    with bridge("host", "guest") as net:
        net.ip("host", "link", "set", "eth0", "down")
        start = partial(net.popen, "host")
        words = ("host", "--plain", f"--table={NAME}", f"--data={tmp_path / 'host'}")
        with program(tmp_path, *words, start=start) as host:
            host.says(
                "This machine is on no network.",
                "Others will not see this table in their lists: tell them its address.",
                "crisp-lan join 127.0.0.1:27477",
            )
            net.ip("host", "link", "set", "eth0", "up")
            host.says(f"This table is at {HOST}:27477 now.")
            start = partial(net.popen, "guest")
            tables = listed(tmp_path, NAME, "--json", "--wait=3", start=start)
            assert [one["table"] for one in json.loads(tables.out)] == [NAME]


def test_a_host_beside_whom_nobody_can_speak_says_so_and_shows_the_address(
    tmp_path: Path,
) -> None:
    with bridge("guest", "other") as net:
        words = ("host", "--plain", f"--table={NAME}")
        with held(net, "DGRAM", 5353), guest(net, tmp_path, *words) as host:
            host.says(
                "Another program keeps UDP port 5353 to itself.",
                "Others will not see this table in their lists: tell them its address.",
                "crisp-lan join 10.77.0.1:27477",
            )
            with program(
                tmp_path,
                "join",
                "10.77.0.1",
                "--plain",
                "--name=Budi",
                f"--data={tmp_path / 'other'}",
                start=partial(net.popen, "other"),
            ) as budi:
                budi.says("2 Budi: you")


def test_a_list_that_is_open_recovers_when_the_network_was_gone(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, _table), tmux(tmp_path, partial(net.popen, "guest")) as server:
        pane = server.pane("list", [*COMMAND, "join", f"--data={tmp_path / 'guest'}"])
        pane.wait_for("Tables on this network", f"> {NAME}")
        net.ip("guest", "link", "set", "eth0", "down")
        pane.wait_for("This machine is on no network.")
        assert NAME not in pane.steady_text
        net.ip("guest", "link", "set", "eth0", "up")
        pane.wait_for(f"> {NAME}")
        shown = pane.steady_text.splitlines()
        assert shown[0].startswith(" Tables on this network")
        assert shown[-1].startswith(" [arrows] choose")


def test_players_notice_nothing_of_other_networks_that_come_and_go(tmp_path: Path) -> None:
    with hosted(tmp_path, "--seats=2", "--bots=1") as (net, table):
        with guest(net, tmp_path, "join", table.address, "--plain", "--name=Budi") as budi:
            budi.says("First look")
            for machine, address in (("host", "10.99.0.1"), ("guest", "10.99.0.2")):
                net.dead_end(machine, address)
            time.sleep(4)
            for machine in ("host", "guest"):
                net.ip(machine, "link", "delete", "dead0")
            time.sleep(4)
            before = len(budi.out)
            budi.type("status")
            budi.says("Budi", after=before)
            assert "No word" not in budi.out
            assert budi.err == ""
        assert "Traceback" not in table.err


DEBIAN = 'hostname debian; mount --bind "$0" /etc/hosts; exec "$@"'


def test_a_host_name_that_means_loopback_is_never_announced(tmp_path: Path) -> None:
    """Debian maps its own name to 127.0.1.1."""
    hosts = tmp_path / "hosts"
    hosts.write_text("127.0.0.1 localhost\n127.0.1.1 debian\n")

    def start(words: list[str], **given: object) -> subprocess.Popen[bytes]:
        private = ["unshare", "--uts", "--mount", "sh", "-c", DEBIAN, str(hosts)]
        return net.popen("host", [*private, *words], **given)

    with bridge("host", "guest") as net:
        resolved = "import socket; print(socket.gethostbyname(socket.gethostname()), flush=True)"
        asked = start([sys.executable, "-c", resolved], stdout=subprocess.PIPE)
        assert asked.communicate()[0] == b"127.0.1.1\n"
        with headless(tmp_path, start=start) as table:
            assert table.opened["addresses"] == [HOST, "fd77::1"]
            beside = partial(net.popen, "guest")
            tables = listed(tmp_path, table.opened["id"], "--json", start=beside)
        (listing,) = json.loads(tables.out)
        assert set(listing["addresses"]) == {HOST, "fd77::1"}


# ---------------------------------------------------------------- doctor


def examined(
    net: Net, folder: Path, *words: str, machine: str = "guest", code: int = 0
) -> list[str]:
    """The findings of a doctor, each in one line."""
    own = (f"--data={folder / machine}",)
    with program(folder, "doctor", *words, *own, start=partial(net.popen, machine)) as doctor:
        doctor.ended()
    assert (doctor.process.returncode, doctor.err) == (code, ""), doctor.out
    assert max(map(len, doctor.out.splitlines())) <= 80
    findings: list[str] = []
    for line in doctor.out.splitlines():
        if line.startswith(" "):
            findings[-1] += " " + line.strip()
        else:
            findings.append(" ".join(line.split()))
    assert {finding.split()[0] for finding in findings} <= {"ok", "warning", "fault"}
    return findings


def test_doctor_finds_a_table_that_can_be_joined_and_nothing_in_the_way(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, table):
        heard_of(net, tmp_path, table)
        found = examined(net, tmp_path)
        assert f"ok {NAME} is announced, and answers at {table.address}." in found
        assert "ok eth0: multicast goes out and is heard, and other machines answer." in found
        assert "ok eth0: 10.77.0.2." in found
        assert not [finding for finding in found if not finding.startswith("ok")]


def test_doctor_tells_multicast_kept_back_from_everything_kept_back(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, table):
        keep_multicast_back(net)
        found = examined(net, tmp_path, table.address)
        assert any(finding.startswith(f"warning {NO_MULTICAST}") for finding in found)
        assert any("but no other machine answers" in finding for finding in found)
        assert any("No table is heard. If one is" in one for one in examined(net, tmp_path))
        sat_down_once(net, tmp_path, table)
        found = examined(net, tmp_path)
        assert any(finding.startswith(f"warning {NO_MULTICAST}") for finding in found)
    with hosted(tmp_path) as (net, table):
        net.drop("guest", "input", f"ip saddr {HOST}")
        found = examined(net, tmp_path, table.address, code=1)
        assert any(finding.startswith(f"fault No answer from {HOST}") for finding in found)


@pytest.mark.timed
def test_doctor_tells_a_port_that_is_blocked_from_one_where_no_table_is(tmp_path: Path) -> None:
    with hosted(tmp_path) as (net, table):
        heard_of(net, tmp_path, table)
        net.drop("host", "input", f"tcp dport {table.opened['port']}")
        started = time.monotonic()
        found = examined(net, tmp_path, code=1)
        assert time.monotonic() - started < 7
        assert any(finding.startswith(f"fault {NAME}: {NO_ANSWER}") for finding in found)
        found = examined(net, tmp_path, f"{HOST}:5", code=1)
        assert any(finding.startswith(f"fault {NO_TABLE}5.") for finding in found)
        net.cut("host")
        found = examined(net, tmp_path, "10.77.0.99", code=1)
        assert any(
            finding.startswith("fault No machine is in reach at 10.77.") for finding in found
        )


FIREWALLS: list[tuple[str, str]] = [
    ("input", "fault eth0: multicast goes out, but is not heard. A firewall on this machine"),
    ("output", "fault eth0: a firewall on this machine lets no multicast out"),
]


@pytest.mark.parametrize(("hook", "said"), FIREWALLS)
def test_doctor_notices_a_firewall_of_this_machine(hook: str, said: str, tmp_path: Path) -> None:
    with bridge("guest") as net:
        net.drop("guest", hook, "udp dport 5353")
        found = examined(net, tmp_path, code=1)
        assert any(finding.startswith(said) for finding in found)


def test_doctor_names_the_networks_and_what_is_odd_about_them(tmp_path: Path) -> None:
    with bridge("guest") as net:
        for device, address in (
            ("tun0", "10.8.0.2"),
            ("docker0", "172.17.0.1"),
            ("eth1", "169.254.7.7"),
        ):
            net.dead_end("guest", address, device)
        found = "\n".join(examined(net, tmp_path))
        for piece in (
            "ok eth0: 10.77.0.1, fd77::1.",
            "warning tun0: 10.8.0.2. This looks like a VPN",
            "ok docker0: 172.17.0.1. This looks like a network inside this machine",
            "warning eth1: 169.254.7.7. The network has given this machine no address",
            "warning This machine is on several networks.",
        ):
            assert piece in found
        bound = "\n".join(examined(net, tmp_path, "--bind=10.77.0.1"))
        assert "ok eth0: 10.77.0.1." in bound
        assert "tun0" not in bound
        assert "several" not in bound
        found = "\n".join(examined(net, tmp_path, "--bind=10.77.0.9", code=1))
        assert "fault 10.77.0.9 is not an address of this machine." in found


def test_doctor_says_that_a_machine_is_on_no_network(tmp_path: Path) -> None:
    with bridge("guest") as net:
        net.ip("guest", "link", "set", "eth0", "down")
        found = examined(net, tmp_path, code=1)
        assert any(finding.startswith("fault This machine is on no network.") for finding in found)


HOLD = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_{kind})
s.bind(("", {port}))
{more}
print("held", flush=True)
input()
"""


@contextmanager
def held(net: Net, kind: str, port: int, more: str = "") -> Iterator[None]:
    """Another program of the guest has this port for itself."""
    code = HOLD.format(kind=kind, port=port, more=more)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    other = net.popen("guest", [sys.executable, "-c", code], **pipes)
    assert other.stdout
    assert other.stdout.readline() == "held\n"
    yield
    other.communicate("\n")


def test_doctor_looks_who_has_the_two_ports(tmp_path: Path) -> None:
    with bridge("guest") as net:
        with held(net, "DGRAM", 5353):
            found = examined(net, tmp_path, code=1)
            assert any("fault Another program keeps UDP port 5353" in one for one in found)
        for more in ("", "s.listen()"):
            with held(net, "STREAM", 27477, more):
                found = examined(net, tmp_path)
                assert any("warning TCP port 27477 is taken by another" in one for one in found)
        assert "ok TCP port 27477 is free for a table." in examined(net, tmp_path)
        start: Callable[..., subprocess.Popen[bytes]] = partial(net.popen, "guest")
        words = ("host", "--headless", f"--table={NAME}", f"--data={tmp_path / 'host'}")
        with program(tmp_path, *words, start=start) as table:
            table.says("\n")
            found = examined(net, tmp_path)
            assert f"ok On TCP port 27477 of this machine the table {NAME} is open." in found
            waited_for(
                lambda: (
                    f"ok {NAME} is announced, and answers at 10.77.0.1:27477."
                    in examined(net, tmp_path)
                ),
                lambda: "the announcement",
            )
