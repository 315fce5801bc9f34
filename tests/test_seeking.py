"""Which table a player means, and what is told of one that cannot be meant."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
import trio
from trio.testing import MockClock

from crisp_lan import seeking
from crisp_lan.front import Looks
from crisp_lan.net.calling import Target
from crisp_lan.net.dialling import NotReached
from crisp_lan.net.listing import Listing
from crisp_lan.net.messages import PROTOCOL
from crisp_lan.seeking import _answered


def listing(name: str, protocol: int = PROTOCOL) -> Listing:
    return Listing(name, name, "crisp", 2, 8, "lobby", protocol, "9.9", False, ("192.0.2.1",), 1)


LISTED = [listing("Newer", PROTOCOL + 1), listing("Ours"), listing("Untold", 0)]


@pytest.mark.parametrize("answer", ["1", "newer"])
def test_a_table_of_another_version_is_refused_before_it_is_dialled(
    answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _answered(answer, LISTED) is None
    assert capsys.readouterr().out == (
        f"The table speaks protocol {PROTOCOL + 1}, your program {PROTOCOL}."
        " Update crisp-lan on your machine.\n"
    )


@pytest.mark.parametrize(
    ("answer", "name"), [("2", "Ours"), ("ours", "Ours"), ("3", "Untold"), ("OU", "Ours")]
)
def test_a_table_is_meant_by_number_or_name_and_asked_if_it_tells_no_version(
    answer: str, name: str
) -> None:
    assert _answered(answer, LISTED) == Target(("192.0.2.1",), 1, name)


@pytest.mark.parametrize(
    ("where", "told"), [("Ours", "Looking for tables …\n"), ("192.0.2.1:1", "")]
)
def test_who_names_a_table_is_told_that_it_is_looked_for(
    where: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    ours = Target(("192.0.2.1",), 1)

    async def found(*asked: object) -> Target:
        return ours

    monkeypatch.setattr(seeking, "sought", found)
    assert seeking.meant(where, None, None, Looks(), {}, lambda: ()) == ours
    assert capsys.readouterr().out == told


def hearing(monkeypatch: pytest.MonkeyPatch, *heard: tuple[float, str]) -> None:
    """After so many seconds each, tables of these names are heard."""

    @asynccontextmanager
    async def searching(bind: object, known: object) -> AsyncIterator[SimpleNamespace]:
        search = SimpleNamespace(tables={}, problem=None, changed=trio.Event())

        async def hear() -> None:
            for seconds, name in heard:
                await trio.sleep(seconds)
                search.tables[name] = listing(name)
                told, search.changed = search.changed, trio.Event()
                told.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(hear)
            yield search
            nursery.cancel_scope.cancel()

    monkeypatch.setattr(seeking, "searching", searching)


@pytest.mark.parametrize(
    ("where", "found", "after"),
    [
        ("ayu’s table", "Ayu’s table", 0.1),
        ("Ayu", "Ayu’s table", 1.1),
        ("Budi", "Budi", 2.1),
        ("", "Ayu’s table", 0.1),
    ],
)
async def test_a_table_is_found_by_its_name_or_by_what_begins_no_other(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, where: str, found: str, after: float
) -> None:
    hearing(monkeypatch, (0.1, "Ayu’s table"), (1.5, "Budi’s table"), (0.5, "Budi"))
    began = trio.current_time()
    target = await seeking.sought(where, None, None, 5, lambda: ())
    assert target.table == found
    assert trio.current_time() - began == pytest.approx(after)


async def test_a_name_that_begins_several_means_none_of_them(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    hearing(monkeypatch, (0.1, "Ayu’s table"), (0.5, "Ayu (2)"))
    with pytest.RaisesGroup(NotReached) as failed:
        await seeking.sought("ayu", None, None, 5, lambda: ())
    text = failed.value.exceptions[0].text
    assert text.values == {"name": "ayu", "names": "Ayu (2), Ayu’s table"}
