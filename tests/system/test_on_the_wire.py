"""Who listens on the network, and who stands in between: what they read, and who notices."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.system.netns import Net, bridge
from tests.system.running import (
    HeadlessTable,
    announced,
    environment,
    headless,
    program,
    record_in,
    waited_for,
)
from tests.system.test_plain_game import Reader

pytestmark = pytest.mark.system

LISTEN = """
import socket, sys
with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3)) as wire:
    with open(sys.argv[1], "ab", buffering=0) as file:
        print("ready", flush=True)
        while True:
            file.write(wire.recv(65535))
"""
SAY = "import socket, sys; socket.create_connection((sys.argv[1], int(sys.argv[2]))).sendall(b'{}')"
ALOUD = b"this much is readable"
CARDS = re.compile(rb"(\xa2[A2-9TJQK][CDHS]){2}")
"""Two cards of a list, one after the other, as MessagePack has them."""
READABLE = re.compile(rb"[ -~]{24,}")
"""More letters in a row than come about by chance."""
ANOTHER = "shows another certificate than this table’s"
BETWEEN = 27500


@contextmanager
def listening(net: Net, machine: str, file: Path) -> Iterator[None]:
    """All that goes through a machine's network is written to the file."""
    command = [sys.executable, "-c", LISTEN, str(file)]
    with net.popen(machine, command, stdout=subprocess.PIPE) as listener:
        try:
            assert listener.stdout
            assert listener.stdout.readline() == b"ready\n"
            yield
        finally:
            listener.kill()


def test_who_listens_during_a_game_reads_no_name_no_card_and_no_token(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    with bridge("host", "guest") as net, listening(net, "host", heard):
        there = partial(net.popen, "guest")
        words = ("--no-announce", "--seats=2", "--limit=1", "--once", "--table=Table of Zebras")
        with headless(tmp_path, *words, start=partial(net.popen, "host")) as table:
            place = (table.opened["addresses"][0], str(table.opened["port"]))
            say = SAY.format(ALOUD.decode())
            net.run("guest", [sys.executable, "-c", say, *place], check=True)
            data = f"--data={tmp_path / 'own'}"
            with (
                program(tmp_path, "bot", table.address, "--name=Quagga", start=there) as bot,
                program(
                    *(tmp_path, "join", table.address, "--name=Okapi", "--plain", data), start=there
                ) as player,
            ):
                player.says("Ready")
                [seat] = (tmp_path / "own" / "seats").glob("*.json")
                token = json.loads(seat.read_text())["token"]
                reader = Reader(player, ("r", "h", "k", "d", "x", "u"), ())

                def drawn() -> bool:
                    reader.glance()
                    return "Quagga draws." in player.out

                waited_for(drawn, lambda: f"a draw of the bot's:\n{player.out}", 60)
                assert "Play" in player.out
                player.type("quit")
                player.says("2) Give up my seat")
                player.type("2")
                assert bot.ended(60) == 0
            assert table.ended() == 0
            fingerprint = bytes.fromhex(table.opened["fingerprint"])
        record = record_in(table.games)
    names = {seat["name"] for seat in record[0]["seats"]}
    assert names == {"Quagga", "Okapi"}
    wire = heard.read_bytes()
    assert ALOUD in wire
    assert len(wire) > 20_000
    for secret in (*names, token, "Zebras", "faces", "welcome", "commit"):
        assert secret.encode() not in wire, secret
    assert fingerprint not in wire
    assert not CARDS.search(wire)
    assert not [run for run in READABLE.findall(wire) if ALOUD not in run]


# ---------------------------------------------------------------- in between


@contextmanager
def between(net: Net, table: HeadlessTable, file: Path) -> Iterator[str]:
    """Where eve passes connections on to the table, reading along into the file."""
    there = (net.address("host"), str(table.opened["port"]), str(file))
    command = [sys.executable, "-m", "tests.system.between_program", str(BETWEEN), *there]
    given = {"stdout": subprocess.PIPE, "env": environment()}
    with net.popen("eve", command, **given) as eve:
        try:
            assert eve.stdout
            assert eve.stdout.readline() == b"ready\n"
            yield f"{net.address('eve')}:{BETWEEN}"
        finally:
            eve.kill()


def turned_to_eve(net: Net, table: HeadlessTable) -> None:
    """What the guest sends to the table goes to eve, and only IPv4 leads anywhere."""
    net.drop("guest", "output", "ip6 daddr fd77::/64")
    net.nft("guest", "add table ip crisp")
    net.nft("guest", "add chain ip crisp out { type nat hook output priority -100; }")
    here, there = net.address("host"), f"{net.address('eve')}:{BETWEEN}"
    rule = f"ip daddr {here} tcp dport {table.opened['port']} dnat to {there}"
    net.nft("guest", f"add rule ip crisp out {rule}")


def test_a_second_certificate_in_the_middle_is_refused_with_a_sentence(tmp_path: Path) -> None:
    read = tmp_path / "read"
    with (
        bridge("host", "guest", "eve") as net,
        headless(tmp_path, start=partial(net.popen, "host")) as table,
        between(net, table, read),
    ):
        there = partial(net.popen, "guest")
        announced(tmp_path, table, start=there)
        turned_to_eve(net, table)
        wanted = ("join", f"--id={table.opened['id']}", "--name=Okapi", "--plain")
        with program(tmp_path, *wanted, start=there) as player:
            assert player.ended() == 1
            assert ANOTHER in player.err
        assert read.read_bytes() == b""
        assert not table.journal("sit")


def test_a_known_table_with_another_certificate_is_refused_at_a_typed_address(
    tmp_path: Path,
) -> None:
    read = tmp_path / "read"
    own = ("--name=Okapi", "--plain", f"--data={tmp_path / 'own'}")
    with (
        bridge("host", "guest", "eve") as net,
        headless(tmp_path, start=partial(net.popen, "host")) as table,
        between(net, table, read) as eve,
    ):
        there = partial(net.popen, "guest")
        with program(tmp_path, "join", table.address, *own, start=there) as player:
            player.says("Ready")
        with program(tmp_path, "join", eve, *own, start=there) as player:
            assert player.ended() == 1
            assert ANOTHER in player.err
        [seat] = (tmp_path / "own" / "seats").glob("*.json")
        assert json.loads(seat.read_text())["token"].encode() not in read.read_bytes()
        assert b"Okapi" not in read.read_bytes()


def test_with_a_passcode_nobody_gets_in_through_who_stands_in_between(tmp_path: Path) -> None:
    """That what eve reads tests no guess is shown in tests/net/test_passcode.py."""
    read = tmp_path / "read"
    with (
        bridge("host", "guest", "eve") as net,
        headless(tmp_path, "--passcode=482913", start=partial(net.popen, "host")) as table,
        between(net, table, read) as eve,
    ):
        there = partial(net.popen, "guest")
        wanted = ("--name=Okapi", "--plain", "--passcode=482913")
        with program(tmp_path, "join", eve, *wanted, start=there) as player:
            player.says("That is not the passcode of this table.")
        messages = re.findall(rb"\xa4type.(ask|half|proof|bye|welcome|show)", read.read_bytes())
        assert set(messages) == {b"ask", b"half", b"proof", b"bye"}
        assert b"482913" not in read.read_bytes()
        with program(tmp_path, "join", table.address, *wanted, start=there) as player:
            player.says("Ready", "Passcode: 482913")
