"""Time-outs, seats whose players are away or have left, and whole matches with them."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.briscola import BRISCOLA
from crisp_lan.game.cards import shuffled
from crisp_lan.game.rules import Act, Line
from crisp_lan.game.state import Table
from tests.game.briscola_tables import dealt, laid


@pytest.mark.parametrize(
    ("hand", "lowest"),
    [
        ("AC 3C 4C", "4C"),
        ("2C 4C 5C", "2C"),
        ("7C KD JS", "7C"),
        ("JC QC KC", "JC"),
        ("2H 4C AC", "2H"),
        ("4H 4S AC", "4S"),
        ("4S 4C AC", "4C"),
        ("5S 5D AC", "5D"),
        ("AC AS 3D", "3D"),
        ("AH AS 3H", "3H"),
    ],
)
def test_when_time_is_up_the_lowest_card_is_played(hand: str, lowest: str) -> None:
    deal = laid(hand, "6C 6D 6S", turned="7H").wait(45)
    assert deal.lines == [{"kind": "timeout", "seat": 0}]
    assert [note.values["card"] for note in deal.told("{seat} plays {card}.")] == [lowest]
    assert deal.turn == 1


def test_each_turn_has_a_clock_of_its_own() -> None:
    deal = laid("AC 3C 4C", "6C 6D 6S", turned="7H").wait(30)
    deal.play("0 AC").wait(44.9)
    assert deal.lines == []
    (clock,) = deal.view(None).clocks
    assert (clock.name, clock.seat, clock.total) == ("turn", 1, 45_000)
    deal.wait(0.1)
    assert deal.lines == [{"kind": "timeout", "seat": 1}]


def test_in_the_auction_time_passes() -> None:
    deal = dealt(5, turn_time=30).wait(30)
    assert deal.told("{seat} passes.")[0].values == {"seat": 0}
    assert deal.turn == 4


def test_in_the_auction_time_passes_for_all_and_the_deal_is_void() -> None:
    deal = dealt(5, turn_time=30).wait(150)
    assert deal.over
    assert len(deal.lines) == 5


@pytest.mark.parametrize(
    ("hand", "suit"),
    [
        ("2C 4C 5C 6C 7C AD AH AS", "C"),
        ("2S 4S 5S AC 3C AD 3D AH", "S"),
        ("2S 4S 5S AC AD 3D KD AH", "D"),
        ("2H 4H 5H 2S 4S 5S AC AD", "H"),
    ],
)
def test_time_names_the_suit_of_which_the_declarer_holds_most(hand: str, suit: str) -> None:
    deck = [card for card in BRISCOLA.cards(5) if card not in hand.split()]
    rows = [hand, *(" ".join(deck[n : n + 8]) for n in range(0, 32, 8))]
    deal = laid(*rows).bids("K - - - -").wait(45)
    assert deal.facts()["Trump: {suit}"] == suit
    assert deal.lines == [{"kind": "timeout", "seat": 0}]


def test_without_a_clock_nothing_runs_out_for_who_is_there() -> None:
    deal = dealt(2, turn_time=None).wait(10_000)
    assert deal.lines == []
    assert deal.view(None).clocks == ()


def test_without_a_clock_who_is_away_has_a_minute_from_going() -> None:
    deal = dealt(2, turn_time=None).wait(100).is_played(0, "nobody").wait(59.9)
    assert deal.lines == []
    deal.wait(0.1)
    assert deal.lines == [{"kind": "timeout", "seat": 0}]


def test_without_a_clock_who_is_away_has_a_minute_from_the_turns_start() -> None:
    deal = dealt(2, turn_time=None).is_played(1, "nobody").wait(100)
    deal.do(0, "play", deal.choices(0)["play"][0][0]).wait(59.9)
    assert deal.lines == []
    assert deal.wait(0.1).lines == [{"kind": "timeout", "seat": 1}]


def test_who_comes_back_within_the_minute_plays_on() -> None:
    deal = dealt(2, turn_time=None).is_played(0, "nobody").wait(59).is_played(0, "person")
    assert deal.wait(1000).lines == []
    assert "play" in deal.choices(0)


def test_with_a_clock_who_is_away_has_the_normal_time() -> None:
    deal = dealt(2).wait(10).is_played(0, "nobody").wait(34.9)
    assert deal.lines == []
    assert deal.wait(0.1).lines == [{"kind": "timeout", "seat": 0}]


def test_who_has_left_is_played_at_once_each_turn() -> None:
    deal = laid("AC 3C 4C", "6C 6D 6S", turned="7H").is_played(1, "left").wait(5)
    assert deal.lines == []
    deal.play("0 AC").wait(0)
    assert deal.lines == [{"kind": "timeout", "seat": 1}]
    assert deal.told("{seat} runs out of time.") == []


def test_a_deal_that_everybody_left_is_played_out_at_once() -> None:
    deal = dealt(3)
    for seat in deal.seats:
        deal.is_played(seat, "left")
    deal.wait(0)
    assert deal.over
    assert len(deal.lines) == 39


def match(seats: int, **options: int) -> Table:
    table = tables.opened(BRISCOLA, options, seats, starts_by_itself=True)
    for number in range(seats):
        table = tables.sit(table, 0, f"P{number}", "person", host=number == 0).table
    return with_cards_dealt(table)


def with_cards_dealt(table: Table) -> Table:
    deck = shuffled(matches.deck(table), random.Random(1))
    return matches.deal(table, 0, deck, 0).table


def ends(table: Table, leavers: Sequence[int]) -> list[Line]:
    """The lines of the end when these leave one after the other, if the match ends by it."""
    lines: list[Line] = []
    for seat in leavers:
        step = tables.leave(table, 0, seat)
        table = step.table
        lines += [line for line in step.lines if line["kind"] == "end"]
    return lines


@pytest.mark.parametrize(
    ("seats", "leavers", "winners"),
    [
        (2, [0], [1]),
        (3, [0, 2], [1]),
        (4, [1, 3], [0, 2]),
        (4, [0, 1, 2], [1, 3]),
        (5, [0, 1, 2, 3], [4]),
        (6, [0, 2, 4], [1, 3, 5]),
    ],
)
def test_leaving_ends_the_match_when_nobody_is_left_to_play_against(
    seats: int, leavers: list[int], winners: list[int]
) -> None:
    (end,) = ends(match(seats), leavers)
    assert end["winners"] == winners


@pytest.mark.parametrize(("seats", "leavers"), [(3, [0]), (4, [0, 1]), (5, [1, 2, 3]), (6, [0, 1])])
def test_seats_stay_dealt_in_while_there_is_somebody_to_play_against(
    seats: int, leavers: list[int]
) -> None:
    table = match(seats, first_to=5)
    assert ends(table, leavers) == []
    for seat in leavers:
        table = tables.leave(table, 0, seat).table
    table = until_dealt_again(table)
    view = views.round_view(table, None)
    assert view is not None
    assert sum(zone.name == "hand" for zone in view.zones) == seats


def until_dealt_again(table: Table) -> Table:
    """Plays on by time alone until the second round is dealt."""
    while not matches.wants_deck(table):
        table = matches.wake(table).table
    return with_cards_dealt(table)


def test_a_void_deal_takes_a_round_number_and_the_next_dealer_deals() -> None:
    table = match(5)
    lines: list[Line] = []
    dealer = table.dealer
    while not matches.wants_deck(table):
        view = views.round_view(table, None)
        assert view is not None
        if view.turn is None:
            step = matches.wake(table)
        else:
            step = tables.apply(table, 0, view.turn, Act("pass"))
        table = step.table
        lines += step.lines
    assert [line["kind"] for line in lines] == ["act"] * 5
    table = with_cards_dealt(table)
    assert table.round == 2
    assert table.dealer == (dealer - 1) % 5
