"""The laws of docs/design.md, for every game in the catalogue and every number of players.

Law 7, the golden transcripts, is in test_golden.py; the journal's side of law 3 and the size of
messages are tested where there are a journal and messages.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Game, Seat, View
from tests.game.laws import Laws, faces
from tests.game.random_rounds import Cause, Moment, RandomRound, played_again

ROUNDS = 2

TABLES = [
    pytest.param(game, count, id=f"{game.key}-{count}")
    for game in GAMES.values()
    for count in game.seats
]


def rounds(game: Game[Any], count: int) -> Iterator[tuple[RandomRound, Laws, random.Random]]:
    for number in range(ROUNDS):
        lots = random.Random(f"{game.key} {count} {number}")
        round_ = RandomRound(game, count, lots)
        yield round_, Laws(game, round_.seats, random.Random(number)), lots


def settled(game: Game[Any], moment: Moment) -> bool:
    """Whether every deadline up to the moment has fired, as it has whenever somebody acts."""
    due = game.wake_at(moment.state)
    return due is None or due > moment.now


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_cards_are_conserved_and_something_can_happen(game: Game[Any], count: int) -> None:
    for round_, laws, _ in rounds(game, count):
        for moment in round_.moments():
            laws.cards_are_conserved(moment.state)
            laws.something_can_happen(moment.state)


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_exactly_what_is_offered_is_taken(game: Game[Any], count: int) -> None:
    for round_, laws, lots in rounds(game, count):

        def refused(state: Any, cause: Cause, laws: Laws = laws) -> None:
            assert cause.act is not None
            assert cause.act not in laws.offered(state, cause.seat)
            laws.refused(state, cause.now, cause.seat, [cause.act])

        round_.refused = refused
        for moment in round_.moments():
            laws.watch(moment.state)
            if settled(game, moment):
                laws.exactly_the_offered_is_taken(
                    moment.state, moment.now, lots.choice(round_.seats)
                )


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_playing_a_record_again_gives_the_same_positions_and_views(
    game: Game[Any], count: int
) -> None:
    for round_, _, _ in rounds(game, count):
        caused = [moment for moment in round_.moments() if moment.cause is not None]
        again = list(played_again(round_))
        assert [moment.step for moment in caused] == [moment.step for moment in again]
        for one, other in zip(caused, again):
            for seat in (*round_.seats, None):
                assert game.view(one.state, seat) == game.view(other.state, seat)


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_what_a_seat_does_not_know_changes_nothing_that_it_sees(
    game: Game[Any], count: int
) -> None:
    for round_, laws, lots in rounds(game, count):
        for moment in round_.moments():
            laws.watch(moment.state)
            seat: Seat | None = lots.choice([*round_.seats, None])
            if settled(game, moment) and lots.random() < 0.5:
                laws.hidden_worlds_are_alike(moment.state, moment.now, seat, laws.known[seat])


@pytest.mark.parametrize("count", GAMES["crisp"].seats)
def test_crisp_reminds_nobody_of_a_card_that_he_has_seen(count: int) -> None:
    """Law 4 again: a card that a seat has seen and sees no more is as hidden as any other."""
    for round_, laws, lots in rounds(GAMES["crisp"], count):
        for moment in round_.moments():
            laws.watch(moment.state)
            seat: Seat | None = lots.choice([*round_.seats, None])
            if settled(round_.game, moment) and lots.random() < 0.5:
                laws.hidden_worlds_are_alike(moment.state, moment.now, seat, ())


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_coming_back_is_never_a_second_look(game: Game[Any], count: int) -> None:
    for round_, laws, lots in rounds(game, count):
        for moment in round_.moments():
            seat = lots.choice(round_.seats)
            by = round_.by[seat]
            if by in ("person", "bot") and settled(game, moment):
                laws.coming_back_shows_no_more(moment.state, moment.now, seat, by)


@pytest.mark.parametrize(("game", "count"), TABLES)
def test_laid_open_a_round_shows_every_face_that_anybody_sees_and_no_back(
    game: Game[Any], count: int
) -> None:
    for round_, _, _ in rounds(game, count):
        for moment in round_.moments():
            open_view = game.laid_open(moment.state)
            assert open_view.choices == ()
            shown = [face for zone in open_view.zones for face in zone.faces]
            assert None not in shown
            for seat in (*round_.seats, None):
                view = game.view(moment.state, seat)
                assert faces(view) <= faces(open_view)
                assert rows_of(view) == rows_of(open_view)


def rows_of(view: View) -> list[tuple[str, Seat | None, int]]:
    """Where how many cards lie."""
    return [(zone.name, zone.owner, zone.count) for zone in view.zones]
