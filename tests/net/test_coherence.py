"""What a table tells of must fit together, or its client takes it for none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from crisp_lan.game.rules import Choice, Clock, Note, Tag, Text, Zone
from crisp_lan.net.codec import RemoteProtocolError, encode
from crisp_lan.net.coherence import LONGEST, PICK, PICKS, WAYS
from crisp_lan.net.messages import Show
from crisp_lan.net.protocol import Connection, State
from tests.net.samples import full_show

SHOW = full_show()
VIEW = SHOW.view


def around(**fields: Any) -> Show:
    return structs.replace(SHOW, table=replace(SHOW.table, **fields))


def seen(**fields: Any) -> Show:
    assert VIEW is not None
    return structs.replace(SHOW, view=replace(VIEW, **fields))


def offering(*picks: tuple[int | str, ...], key: str = "s") -> Show:
    return seen(choices=(Choice("swap", "Swap it in", picks, key),))


def hand(**fields: Any) -> Show:
    return seen(zones=(replace(Zone("hand", 0, (None,) * 3, 3), **fields),))


INCOHERENT = {
    "a seat of one's own that is none": structs.replace(SHOW, seat=8),
    "a seat below none": structs.replace(SHOW, seat=-1),
    "a view from a seat that is none": seen(seat=8),
    "a turn of nobody": seen(turn=8),
    "cards before nobody": hand(owner=8),
    "cards played by nobody": hand(seats=(0, 1, 8)),
    "a remark on nobody": seen(tags=(Tag(8, Text("deals")),)),
    "a clock of nobody": seen(clocks=(Clock("draw", 8, 1, 1),)),
    "a clock of nobody at the table": around(clocks=(Clock("next round", -1, 1, 1),)),
    "points of nobody": seen(sheet=(("total", ((8, 1),)),)),
    "a victory of nobody": around(winners=(8,)),
    "fewer labels than options": around(labels=("x",)),
    "fewer places than cards": hand(slots=("left",)),
    "fewer remarks than cards": hand(marks=("looking", "")),
    "more players of cards than cards": hand(seats=(0, 1, 2, 3)),
    "less than no cards": hand(count=-1),
    "a key of two letters": offering((), key="ss"),
    "a key that no keyboard has": offering((), key="\x1b"),
    "a choice of nothing": offering(),
    "more picks than an act has": offering((0,) * (PICKS + 1)),
    "a seat to pick below none": offering((-1,)),
    "a seat to pick above all": offering((256,)),
    "a word to pick without end": offering(("x" * (PICK + 1),)),
    "ways without end": offering(*((n % 256,) for n in range(WAYS + 1))),
    "players without end": around(players=SHOW.table.players * LONGEST),
    "options without end": around(options=(("limit", 1),) * (LONGEST + 1)),
    "choices without end": seen(choices=(Choice("draw", "Draw"),) * (LONGEST + 1)),
    "cards without end": hand(faces=(None,) * (LONGEST + 1)),
    "facts without end": seen(facts=(Text("x"),) * (LONGEST + 1)),
    "notes without end": structs.replace(SHOW, notes=(Note("x"),) * (LONGEST + 1)),
}


def heard(show: Show) -> object:
    client = Connection("client")
    client.state = State.SEATED
    payload = encode(show)
    client.receive_data(len(payload).to_bytes(4, "big") + payload)
    return client.next_message()


@pytest.mark.parametrize("show", INCOHERENT.values(), ids=INCOHERENT)
def test_a_show_that_cannot_be_is_a_broken_protocol(show: Show) -> None:
    with pytest.raises(RemoteProtocolError):
        heard(show)


def test_a_show_of_a_full_table_is_heard() -> None:
    assert isinstance(heard(SHOW), Show)


def test_who_has_gone_may_still_be_named_in_sentences_and_picks() -> None:
    told = structs.replace(offering((8,), (255,)), notes=(Note("{seat} has left.", {"seat": 8}),))
    assert isinstance(heard(told), Show)
