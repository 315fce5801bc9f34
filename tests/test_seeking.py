"""Which table a player means, and what is told of one that cannot be meant."""

from __future__ import annotations

import pytest

from crisp_lan import seeking
from crisp_lan.front import Looks
from crisp_lan.net.client import Target
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


@pytest.mark.parametrize(("answer", "name"), [("2", "Ours"), ("ours", "Ours"), ("3", "Untold")])
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
