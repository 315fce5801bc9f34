"""Cards on their way: what moves follows from what everybody may see, and no face ever does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from crisp_lan.game.rules import Note, Zone
from crisp_lan.tui.model import Screen, lost, next_change, see
from crisp_lan.tui.moving import LASTS, Move
from crisp_lan.tui.paint import rows
from crisp_lan.tui.points import looks_of
from tests.tui import views
from tests.tui.test_model import again

SWAP = Note("{seat} swaps the {slot} card.", {"seat": 0, "slot": "right"})
QUEEN = Note("", {"seat": 1, "slot": "left", "other": 2, "other_slot": "right"})


def moving(before: Screen, after: Screen, *notes: Note) -> Screen:
    """The screen on which `before` was seen, and then `after` with these notes."""
    assert after.show is not None
    assert after.view is not None
    show = views.shown(after.view, after.show.table, notes=notes)
    return see(replace(before, motion=True), show, 0.0)


def with_counts(screen: Screen, *more: Zone, **counts: int) -> Screen:
    """The same with so many cards on some piles, and with more rows of cards."""
    assert screen.view is not None
    zones = [
        replace(zone, count=counts.get(zone.name.replace(" ", "_"), zone.count))
        for zone in screen.view.zones
    ]
    return again(screen, view={"zones": (*zones, *more)})


def picture(screen: Screen, at: float, columns: int = 140, lines: int = 40) -> list[str]:
    painted = rows(screen, columns, lines, at)
    return ["".join(text for _style, text in row) for row in painted]


DRAWN = Zone("drawn", 0, (None,), 1)


def test_a_drawn_card_comes_from_its_pile() -> None:
    screen = moving(views.window(4), with_counts(views.window(4), DRAWN, draw_pile=34))
    assert screen.moving == (Move("@zone.draw_pile", "@seat.0"),)


def test_a_swap_leads_through_the_place_that_is_named_onto_the_other_pile() -> None:
    holding = with_counts(views.window(4), DRAWN, discard_pile=3)
    assert moving(holding, views.window(4), SWAP).moving == (
        Move("@seat.0", "@card.0.2"),
        Move("@card.0.2", "@zone.discard_pile"),
    )


def test_a_played_card_goes_from_the_hand_to_the_trick() -> None:
    before = views.trick()
    assert before.view is not None
    zones = [
        replace(zone, faces=zone.faces[1:], count=2)
        if zone.name == "hand" and zone.owner == 0
        else replace(zone, faces=("AS", *zone.faces), count=4, seats=(0, *zone.seats))
        if zone.name == "trick"
        else zone
        for zone in before.view.zones
    ]
    screen = moving(before, again(before, view={"zones": tuple(zones)}))
    assert screen.moving == (Move("@card.0.2", "@zone.trick"),)


def test_what_several_rows_gave_or_got_is_not_moved() -> None:
    assert moving(views.holding(4), views.window(4), SWAP).moving == ()


def test_two_cards_that_are_swapped_cross() -> None:
    screen = moving(views.window(4), views.window(4), QUEEN)
    assert screen.moving == (Move("@card.1.0", "@card.2.2"), Move("@card.2.2", "@card.1.0"))


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (100, 30), (140, 40)])
def test_a_card_on_its_way_is_a_back_and_no_row_gets_longer(columns: int, lines: int) -> None:
    still = picture(views.window(8), 1.0, columns, lines)
    screen = moving(views.window(8), views.window(8), QUEEN)
    for share in (0.1, 0.5, 0.9):
        painted = rows(screen, columns, lines, screen.moved_at + share * LASTS)
        texts = ["".join(text for _style, text in row) for row in painted]
        assert texts != still
        assert [len(text) for text in texts] == [columns] * lines
        on_top = [text for row in painted for style, text in row if "cursor" in looks_of(style)]
        assert not set("".join(on_top)) - set("┏━┓┃┗┛[░]")
    assert picture(screen, screen.moved_at + LASTS, columns, lines)[:-6] == still[:-6]


def test_nothing_moves_where_the_player_wants_no_motion() -> None:
    screen = again(views.window(4), notes=(QUEEN,))
    assert screen.moving == ()
    assert next_change(screen, 0.0) == 0.5


def test_a_moving_card_is_shown_again_and_again_until_it_is_there() -> None:
    screen = moving(views.holding(4), views.holding(4), QUEEN)
    waits = [next_change(screen, screen.moved_at + at) for at in (0.0, 0.4, LASTS)]
    assert waits[0] == waits[1] == 0.06
    assert waits[2] != 0.06


def test_a_lost_table_and_a_rounds_end_move_nothing() -> None:
    screen = lost(moving(views.window(4), views.window(4), QUEEN), 1.0)
    assert picture(screen, 0.4) == picture(replace(screen, moving=()), 0.4)
    assert moving(views.window(4), views.round_end(4), QUEEN).moving == ()
