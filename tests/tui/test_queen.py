"""A Queen is blind on every screen: all nine pairs of places, every picture on the way there."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from crisp_lan.game.crisp import SLOTS
from crisp_lan.tui import plain
from crisp_lan.tui.model import Screen, see
from crisp_lan.tui.paint import rows
from crisp_lan.tui.pressing import press
from tests.game.tabletop import Round, laid
from tests.tui import views

HANDS = ("AS 5H KD", "2C 3C 4C")
FACES = [rank + sign for rank, sign in zip("A5K234", "♠♥♦♣♣♣")]


def shown(round_: Round, seat: int | None, before: Screen | None) -> Screen:
    """What that seat's screen shows of the round as it is."""
    show = views.shown(round_.view(seat), views.table(2), seat)
    return views.screen(show) if before is None else see(before, show, 0.0)


def pictures(slot: str, other_slot: str) -> Iterator[str]:
    """Every picture on the three screens, key by key, until the swap is done."""
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw")
    screens: dict[int | None, Screen] = {seat: shown(round_, seat, None) for seat in (0, 1, None)}
    actor = screens[0]
    for key in ("u", str(SLOTS.index(slot) + 1), "2", str(SLOTS.index(other_slot) + 1)):
        yield text_of(actor)
        actor, _wish = press(actor, key, 1.0)
    yield text_of(actor)
    round_.play(f"1.0 0 queen {slot} 1 {other_slot}")
    for seat, before in screens.items():
        after = shown(round_, seat, before)
        yield text_of(after)
        yield "\n".join(plain.news(before, after, 2.0))


def text_of(screen: Screen) -> str:
    return "\n".join("".join(text for _, text in row) for row in rows(screen, 80, 24, 1.0))


@pytest.mark.parametrize(("slot", "other_slot"), list(product(SLOTS, SLOTS)))
def test_no_picture_on_the_way_of_a_swap_shows_a_card_that_is_swapped(
    slot: str, other_slot: str
) -> None:
    seen = list(pictures(slot, other_slot))
    assert any("Q♦" in picture for picture in seen)
    assert not [(face, picture) for picture in seen for face in FACES if face in picture]
