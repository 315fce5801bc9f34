"""Points, who wins the deal, and who wins the match."""

from __future__ import annotations

import pytest

from crisp_lan.game.briscola import BRISCOLA
from tests.game.briscola_tables import OPTIONS, Deal, at_the_last_trick, cards_worth, dealt

DECK = (
    "2D KC 3C QH KH 4H 4D 3H 4C 5S 4S 3S 5H 5D 2C KD AD JH 6S 7H "
    "7C 6C 2S 6H QC AC KS 2H QS JD 5C 7S AS QD JC JS 6D 3D AH 7D"
)
COUNTED = """
    0 KH  1 4H   0  4
    0 2D  1 4C   0  0
    0 5S  1 4S   0  0
    0 3C  1 5H   0 10
    0 5D  1 2C   0  0
    0 KD  1 AD   1 15
    1 KC  0 6S   1  4
    1 7H  0 3H   0 10
    0 7C  1 2S   0  0
    0 6C  1 QC   1  3
    1 JH  0 6H   1  2
    1 2H  0 QS   1  3
    1 QH  0 5C   1  3
    1 7S  0 AS   0 11
    0 KS  1 JD   1  6
    1 JC  0 QD   0  5
    0 3D  1 JS   0 12
    0 3S  1 4D   1 10
    1 AC  0 6D   0 11
    0 7D  1 AH   0 11
"""
"""A game with diamonds as trump, counted by hand: who plays what, who takes it, for how much."""


def test_a_game_counted_by_hand() -> None:
    deal, won = Deal(DECK.split(), 2, {}), [0, 0]
    for row in COUNTED.split("\n")[1:-1]:
        *plays, winner, points = row.split()
        deal.play(" ".join(plays))
        won[int(winner)] += int(points)
        assert deal.over or deal.turn == int(winner)
        assert [hand.points for hand in deal.state.hands] == won
    assert deal.points == won == [74, 46]
    assert deal.delta == [1, 0]


@pytest.mark.parametrize("seats", BRISCOLA.seats)
def test_all_points_of_a_deck_are_120(seats: int) -> None:
    deal = dealt(seats)
    if seats == 5:
        deal.bids("A - - - -").do(0, "call", "C")
    deal.play_out()
    assert sum(hand.points for hand in deal.state.hands) == 120


def ended(*points: int) -> Deal:
    return at_the_last_trick(cards_worth(*points)).play_out()


@pytest.mark.parametrize(("points", "delta"), [((61, 59), [1, 0]), ((59, 61), [0, 1])])
def test_with_two_61_points_win(points: tuple[int, int], delta: list[int]) -> None:
    deal = ended(*points)
    assert (deal.points, deal.delta) == (list(points), delta)
    assert deal.outcome is not None
    assert deal.outcome.record == {
        "points": {"0": points[0], "1": points[1]},
        "winners": [delta.index(1)],
    }


def test_60_to_60_counts_for_nobody() -> None:
    deal = ended(60, 60)
    assert deal.delta == [0, 0]
    assert deal.outcome is not None
    assert deal.outcome.record == {"points": {"0": 60, "1": 60}, "winners": []}
    assert deal.outcome.why.values == {"points": 60}


@pytest.mark.parametrize(
    ("points", "delta"),
    [
        ((50, 40, 30), [1, 0, 0]),
        ((39, 40, 41), [0, 0, 1]),
        ((45, 45, 30), [0, 0, 0]),
        ((30, 45, 45), [0, 0, 0]),
        ((40, 40, 40), [0, 0, 0]),
    ],
)
def test_with_three_the_most_points_win_and_a_tie_counts_for_nobody(
    points: tuple[int, ...], delta: list[int]
) -> None:
    assert ended(*points).delta == delta


@pytest.mark.parametrize(
    ("points", "shown", "delta"),
    [
        ((31, 40, 30, 19), [61, 59, 61, 59], [1, 0, 1, 0]),
        ((0, 61, 59, 0), [59, 61, 59, 61], [0, 1, 0, 1]),
        ((60, 0, 0, 60), [60, 60, 60, 60], [0, 0, 0, 0]),
        ((21, 20, 20, 19, 20, 20), [61, 59] * 3, [1, 0] * 3),
        ((20, 20, 20, 20, 20, 20), [60, 60] * 3, [0, 0] * 3),
    ],
)
def test_sides_need_61_points_together(
    points: tuple[int, ...], shown: list[int], delta: list[int]
) -> None:
    deal = ended(*points)
    assert (deal.points, deal.delta) == (shown, delta)


@pytest.mark.parametrize("seats", [4, 6])
def test_sides_are_named_by_words(seats: int) -> None:
    deal = dealt(seats)
    for seat in deal.seats:
        assert ("side B" if seat % 2 else "side A") in deal.tags(seat)


def test_the_cards_that_a_side_won_are_counted_together() -> None:
    deal = dealt(4)
    for _ in range(4):
        seat = deal.turn
        assert seat is not None
        deal.do(seat, "play", deal.choices(seat)["play"][0][0])
    winner = deal.turn
    assert winner is not None
    counts = {
        tag.seat: tag.text.values["n"] for tag in deal.view(None).tags if "n" in tag.text.values
    }
    assert counts == {seat: 4 if (seat - winner) % 2 == 0 else 0 for seat in deal.seats}


def test_the_sheet_shows_the_points_and_all_cards_lie_open() -> None:
    deal = ended(70, 50)
    assert deal.phase == "Reveal"
    assert deal.view(None).sheet == (("points", ((0, 70), (1, 50))),)
    won = deal.zone("won cards", 0)
    assert won is not None
    assert sum(won.count for seat in (0, 1) if (won := deal.zone("won cards", seat))) == 22


@pytest.mark.parametrize("goal", [1, 3, 5])
def test_the_match_ends_with_as_many_deals_as_agreed(goal: int) -> None:
    options = {**OPTIONS, "first_to": goal}
    assert BRISCOLA.verdict({0: goal - 1, 1: goal - 1}, options) is None
    assert BRISCOLA.verdict({0: goal - 1, 1: goal}, options) == (1,)
    assert BRISCOLA.verdict({0: goal, 1: 0, 2: goal, 3: 0}, options) == (0, 2)
    assert BRISCOLA.target(options, 4) == goal


def test_five_play_to_eleven_whatever_the_option_says_and_share_a_tie() -> None:
    options = {**OPTIONS, "first_to": 1}
    assert BRISCOLA.target(options, 5) == 11
    assert BRISCOLA.verdict({0: 10, 1: -4, 2: -4, 3: -2, 4: 0}, options) is None
    assert BRISCOLA.verdict({0: 11, 1: 11, 2: -9, 3: -9, 4: -4}, options) == (0, 1)
    assert BRISCOLA.verdict({0: 12, 1: 11, 2: -9, 3: -9, 4: -5}, options) == (0,)


@pytest.mark.parametrize(
    ("seats", "there", "winners"),
    [
        (2, (0, 1), None),
        (2, (1,), (1,)),
        (3, (0, 2), None),
        (3, (2,), (2,)),
        (5, (1, 4), None),
        (5, (4,), (4,)),
        (4, (0, 1), None),
        (4, (0, 2), (0, 2)),
        (4, (3,), (1, 3)),
        (6, (0, 5), None),
        (6, (1, 5), (1, 3, 5)),
        (4, (), ()),
    ],
)
def test_who_is_left_with_nobody_to_play_against_wins_with_the_whole_side(
    seats: int, there: tuple[int, ...], winners: tuple[int, ...] | None
) -> None:
    assert BRISCOLA.last_standing(there, range(seats)) == winners
