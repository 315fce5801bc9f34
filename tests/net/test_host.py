"""A whole host in this process, over loopback and in real time: opening, joining, ending."""

from __future__ import annotations

import errno
import os
import resource
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import Act, Refused, Text
from crisp_lan.journal import journals, read
from crisp_lan.net import listening
from crisp_lan.net.calling import Network, Target
from crisp_lan.net.client import Lost, at_table
from crisp_lan.net.host import HostFailed, run_host
from crisp_lan.net.hosting import CLOSED, NO_JOURNAL, Hosting, HostSettings, OpenTable
from crisp_lan.net.messages import Bye, Join, Show
from tests.net.loopback import PATIENCE

LOOPBACK = "127.0.0.1"


@asynccontextmanager
async def hosting(folder: Path, **changed: Any) -> AsyncIterator[tuple[OpenTable, list[Text]]]:
    """A table that can be joined, and why it ended, once it has."""
    given: dict[str, Any] = {"port": 0, "bind": LOOPBACK, "announce": False} | changed
    settings = HostSettings(CRISP, "Ayu's table", folder, **given)
    told, opened = trio.open_memory_channel[OpenTable](1)
    ended: list[Text] = []

    async def host_it() -> None:
        ended.append(await run_host(settings, told.send_nowait))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(host_it)
        with trio.fail_after(PATIENCE):
            table = await opened.receive()
        yield table, ended
        nursery.cancel_scope.cancel()


async def until_ended(ended: list[Text]) -> None:
    with trio.fail_after(PATIENCE):
        while not ended:
            await trio.lowlevel.checkpoint()


def target(opened: OpenTable) -> Target:
    return Target(opened.addresses, opened.port, opened.id)


@pytest.mark.timed
async def test_a_signal_ends_the_table_with_a_goodbye_and_a_whole_journal(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (opened, ended):
        async with at_table(target(opened), Join("Ayu"), Network(LOOPBACK)) as client:
            assert isinstance(await client.receive(), Show)
            started = trio.current_time()
            os.kill(os.getpid(), signal.SIGTERM)
            news = await client.receive()
            assert isinstance(news, Bye)
            assert news.why == CLOSED
        await until_ended(ended)
        assert trio.current_time() - started < 2
    [path] = journals(tmp_path)
    kinds = [line["kind"] for line in read(path)]
    assert kinds == ["table", "sit", "token", "closed"]
    assert path.stat().st_mode & 0o077 == 0


async def test_the_hosts_screen_gets_its_key_over_a_pipe(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    async with hosting(tmp_path, key_fd=theirs) as (opened, ended):
        with os.fdopen(ours) as pipe:
            key = pipe.readline().strip()
        async with at_table(target(opened), Join("Ayu", key=key), Network(LOOPBACK)) as client:
            show = await client.receive()
            assert isinstance(show, Show)
            assert show.table.players[0].host
            with trio.fail_after(PATIENCE):
                client.act(Act("end"))
                while not isinstance(news := await client.receive(), Bye):
                    pass
        assert not news.again
        await until_ended(ended)
    assert key.encode() not in b"".join(path.read_bytes() for path in journals(tmp_path))


async def test_players_of_a_match_look_on_for_a_table_that_a_signal_ended(tmp_path: Path) -> None:
    async with (
        hosting(tmp_path, size=2, starts_by_itself=True) as (opened, _ended),
        at_table(target(opened), Join("Ayu"), Network(LOOPBACK)) as ayu,
        at_table(target(opened), Join("Budi"), Network(LOOPBACK)),
    ):
        while not (isinstance(news := await ayu.receive(), Show) and news.table.phase == "round"):
            pass
        os.kill(os.getpid(), signal.SIGTERM)
        while isinstance(news, Show):
            news = await ayu.receive()
        assert news == Lost(CLOSED)


class Full(trio.abc.Listener[trio.SocketStream]):
    """A listener of a process that can open nothing more."""

    async def accept(self) -> trio.SocketStream:
        await trio.lowlevel.checkpoint()
        raise OSError(errno.EMFILE, "Too many open files")

    async def aclose(self) -> None:
        await trio.lowlevel.checkpoint()


async def test_that_nothing_can_be_accepted_is_one_line_and_no_traceback(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async def nobody(stream: trio.SocketStream) -> None:
        await trio.aclose_forcefully(stream)

    with listening.logged_briefly(), trio.move_on_after(5):
        await trio.serve_listeners(nobody, [Full()])
    [record] = caplog.records
    assert "EMFILE" in record.getMessage()
    assert "Traceback" not in caplog.text


def test_a_table_may_open_as_much_as_the_system_allows() -> None:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        listening.allow_many()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (before[1], before[1])
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.skipif(not socket.has_dualstack_ipv6(), reason="this machine has no IPv6")
async def test_any_port_is_the_same_over_both_families() -> None:
    listeners = await listening.listeners(None, 0)
    ports = {listener.socket.getsockname()[1] for listener in listeners}
    families = {listener.socket.family for listener in listeners}
    for listener in listeners:
        await listener.aclose()
    assert len(ports) == 1
    assert families == {socket.AF_INET, socket.AF_INET6}


async def test_the_next_port_is_taken_if_the_usual_one_is_not_free(tmp_path: Path) -> None:
    first = await listening.listeners(LOOPBACK, None)
    second = await listening.listeners(LOOPBACK, None)
    assert listening.port_of(first) != listening.port_of(second)
    for listener in (*first, *second):
        await listener.aclose()


async def test_a_port_that_was_asked_for_and_is_taken_is_said_so(tmp_path: Path) -> None:
    taken = await listening.listeners(LOOPBACK, 0)
    settings = HostSettings(CRISP, "T", tmp_path, port=listening.port_of(taken), bind=LOOPBACK)
    with pytest.raises(HostFailed) as failed:
        await run_host(settings, lambda opened: None)
    assert "taken" in failed.value.text.key
    await taken[0].aclose()


@pytest.mark.parametrize(
    ("changed", "words"),
    [({"bind": "192.0.2.1"}, "not an address of this machine"), ({"size": 9}, "players")],
)
async def test_what_cannot_be_opened_is_said_in_a_sentence(
    changed: dict[str, Any], words: str, tmp_path: Path
) -> None:
    settings = HostSettings(CRISP, "T", tmp_path, **({"port": 0} | changed))
    with pytest.raises((HostFailed, Refused)) as failed:
        await run_host(settings, lambda opened: None)
    assert words in failed.value.text.key


async def test_a_folder_that_takes_no_journal_is_said_so(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    settings = HostSettings(CRISP, "T", blocked, port=0, bind=LOOPBACK, announce=False)
    with pytest.raises(HostFailed) as failed:
        await run_host(settings, lambda opened: None)
    assert failed.value.text.values["folder"] == str(blocked)


async def test_a_journal_that_fails_in_two_places_at_once_ends_the_table_and_says_why(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail() -> None:
        raise OSError(errno.EIO, "Input/output error")

    failing = SimpleNamespace(run=fail)
    table: Any = SimpleNamespace(_journal=failing, _referee=failing)
    assert await Hosting._judge(table) == NO_JOURNAL
    assert caplog.messages == ["the journal cannot be kept: Input/output error"]
