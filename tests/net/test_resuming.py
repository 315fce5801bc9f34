"""A whole host that goes on from a journal on disk: same id, same place, nothing overwritten."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from crisp_lan.journal import read
from crisp_lan.net import listening
from crisp_lan.net.calling import Network
from crisp_lan.net.client import Client, at_table
from crisp_lan.net.host import Again, HostFailed, resume_host
from crisp_lan.net.hosting import OpenTable
from crisp_lan.net.messages import Join, Show
from tests.net.loopback import PATIENCE, port_kept
from tests.net.test_host import LOOPBACK, hosting, target


@asynccontextmanager
async def going_on(path: Path, **given: Any) -> AsyncIterator[OpenTable]:
    """The table of that journal, once it can be joined again."""
    told, opened = trio.open_memory_channel[OpenTable](1)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(resume_host, Again(path, **given), told.send_nowait)
        with trio.fail_after(PATIENCE):
            table = await opened.receive()
        yield table
        nursery.cancel_scope.cancel()


@pytest.fixture
def port() -> Iterator[int]:
    with port_kept() as number:
        yield number


next_port = port


async def interrupted(folder: Path, **changed: Any) -> tuple[OpenTable, Path, str]:
    """A table with Ayu at it that nobody has closed, its journal, and Ayu's token."""
    async with (
        hosting(folder, **changed) as (opened, _ended),
        at_table(target(opened), Join("Ayu"), Network(LOOPBACK)) as client,
    ):
        token = client.token
    return opened, folder / f"{opened.id}.jsonl", token


async def shown(client: Client) -> Show:
    with trio.fail_after(PATIENCE):
        while not isinstance(news := await client.receive(), Show):
            pass
    return news


async def refusal(path: Path, **given: Any) -> str:
    """Why that journal cannot be gone on with; it must stay as it is."""
    before = await trio.Path(path).read_bytes()
    with pytest.raises(HostFailed) as raised:
        await resume_host(Again(path, **given), lambda opened: None)
    assert await trio.Path(path).read_bytes() == before
    return raised.value.text.key


async def test_id_name_place_and_seat_are_as_they_were(tmp_path: Path, port: int) -> None:
    was, path, token = await interrupted(tmp_path, first_is_host=True, port=port)
    async with going_on(path) as opened:
        assert opened == was
        join = Join("somebody", token=token)
        async with at_table(target(opened), join, Network(LOOPBACK)) as client:
            show = await shown(client)
            assert show.seat == 0
            assert show.table.players[0].name == "Ayu"
            assert show.table.players[0].host


async def test_a_port_that_is_taken_is_said_to_the_host(
    tmp_path: Path, port: int, next_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listening, "PORT", next_port)
    _was, path, token = await interrupted(tmp_path, first_is_host=True, port=port)
    taken = await listening.listeners(LOOPBACK, port)
    async with taken[0], going_on(path) as opened:
        assert opened.port == next_port
        join = Join("Ayu", token=token)
        async with at_table(target(opened), join, Network(LOOPBACK)) as client:
            notes = (await shown(client)).notes
            assert any(note.values == {"wanted": port, "port": next_port} for note in notes)
    async with going_on(path) as opened_again:
        assert opened_again.port == next_port


async def test_a_port_that_is_asked_for_and_taken_is_refused(tmp_path: Path, port: int) -> None:
    _was, path, _token = await interrupted(tmp_path, port=port)
    async with (await listening.listeners(LOOPBACK, port))[0]:
        assert "is taken" in await refusal(path, port=port)


async def test_another_address_may_be_given(tmp_path: Path) -> None:
    _was, path, _token = await interrupted(tmp_path)
    async with going_on(path, bind="127.0.0.2") as opened:
        assert opened.addresses == ("127.0.0.2",)
    again = [line for line in read(path) if line["kind"] == "again"]
    assert [line["bind"] for line in again] == ["127.0.0.2"]


async def test_a_torn_last_line_is_cut_off_and_said(tmp_path: Path) -> None:
    _was, path, token = await interrupted(tmp_path, first_is_host=True)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"kind":"ready","cha')
    async with going_on(path) as opened:
        assert path.read_bytes().startswith(whole + b'{"kind":"again"')
        join = Join("Ayu", token=token)
        async with at_table(target(opened), join, Network(LOOPBACK)) as client:
            assert any("torn" in note.key for note in (await shown(client)).notes)


async def test_a_table_that_is_open_is_refused(tmp_path: Path) -> None:
    async with hosting(tmp_path) as (opened, _ended):
        path = tmp_path / f"{opened.id}.jsonl"
        assert "is open already" in await refusal(path)


def with_line(line: dict[str, Any]) -> Callable[[bytes], bytes]:
    return lambda whole: whole + json.dumps(line).encode() + b"\n"


@pytest.mark.parametrize(
    ("bend", "told"),
    [
        (lambda whole: b"", "is empty"),
        (lambda whole: b"a poem\n", "not a line of a journal"),
        (lambda whole: whole.replace(b'"format":1', b'"format":2', 1), "cannot read"),
        (lambda whole: whole.replace(b'"port":', b'"port":"x","was":', 1), "does not follow"),
        (with_line({"kind": "act", "t": 1.0, "seat": 0, "do": "draw"}), "does not follow"),
        (with_line({"kind": "sit"}), "does not follow"),
    ],
)
async def test_a_journal_that_is_none_or_wrong_is_refused_and_left_as_it_is(
    bend: Callable[[bytes], bytes], told: str, tmp_path: Path
) -> None:
    _was, path, _token = await interrupted(tmp_path)
    path.write_bytes(bend(path.read_bytes()))
    assert told in await refusal(path)


async def test_a_journal_that_cannot_be_written_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _was, path, _token = await interrupted(tmp_path)
    opening = os.open

    def read_only(name: Path, flags: int, *more: int) -> int:
        if flags & (os.O_WRONLY | os.O_RDWR):
            raise OSError(30, "Read-only file system")
        return opening(name, flags, *more)

    monkeypatch.setattr(os, "open", read_only)
    assert "No journal can be kept" in await refusal(path)


async def test_a_screens_key_is_kept_as_a_hash_and_good_after_going_on(tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    async with hosting(tmp_path, key_fd=theirs) as (opened, _ended):
        with os.fdopen(ours) as pipe:
            key = pipe.readline().strip()
    path = tmp_path / f"{opened.id}.jsonl"
    assert key.encode() not in path.read_bytes()
    async with (
        going_on(path) as opened,
        at_table(target(opened), Join("Ayu", key=key), Network(LOOPBACK)) as client,
    ):
        assert (await shown(client)).table.players[0].host


async def test_bots_that_were_asked_for_and_never_came_come_now(tmp_path: Path) -> None:
    async with hosting(tmp_path, bots=("easy", "hard")) as (opened, _ended):
        pass
    path = tmp_path / f"{opened.id}.jsonl"
    came = sum(line["kind"] == "sit" for line in read(path))
    assert came < 2
    async with (
        going_on(path) as opened,
        at_table(target(opened), Join("Ayu"), Network(LOOPBACK)) as client,
    ):
        with trio.fail_after(PATIENCE):
            while len((await shown(client)).table.players) < 3:
                pass
