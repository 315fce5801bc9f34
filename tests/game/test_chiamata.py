"""Briscola Chiamata: the auction, the called card and its secret holder, and the score."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from msgspec.msgpack import encode

from crisp_lan.game.briscola import BRISCOLA, Contract, State
from crisp_lan.game.cards import shuffled
from crisp_lan.game.rules import Act, Card, Seat
from tests.game.briscola_tables import Deal, at_the_last_trick, cards_worth, dealt
from tests.game.laws import told, with_cards

BIDS = [(rank, "61") for rank in "A3KQJ76542"]


def test_the_dealers_right_bids_first_any_rank_from_the_ace_down() -> None:
    deal = dealt(5)
    assert (deal.phase, deal.turn) == ("Auction", 0)
    assert list(deal.choices(0)["bid"]) == BIDS
    assert deal.choices(0)["pass"] == ((),)
    assert deal.facts() == {}


def test_each_bid_is_a_lower_rank_down_to_the_two_and_then_a_higher_target() -> None:
    deal = dealt(5)
    for n in range(10):
        seat = deal.turn
        assert seat is not None
        assert list(deal.choices(seat)["bid"]) == BIDS[n:]
        deal.do(seat, "bid", *BIDS[n])
    for target in range(62, 121):
        seat = deal.turn
        assert seat is not None
        assert deal.choices(seat)["bid"] == tuple(("2", str(t)) for t in range(target, 121))
        deal.do(seat, "bid", "2", str(target))
    seat = deal.turn
    assert seat is not None
    assert list(deal.choices(seat)) == ["pass"]
    assert deal.refused(seat, "bid", "2", "121").key == "Nobody can bid more than that."


def test_ranks_and_targets_can_be_left_out() -> None:
    deal = dealt(5).bids("K 4 2 70 120")
    assert deal.facts() == {"Bid: {rank}": "2", "Points to reach: {n}": 120}
    assert [note.key for note in deal.notes[-2:]] == ["{seat} bids {rank} for {points} points."] * 2


@pytest.mark.parametrize(
    ("before", "bid", "reason"),
    [
        ("", ("A", "62"), "A bid is a rank from A down to 2, for {points} points."),
        ("", ("8", "61"), "A bid is a rank from A down to 2, for {points} points."),
        ("", ("2", "70"), "A bid is a rank from A down to 2, for {points} points."),
        ("K", ("K", "61"), "A bid has to be a rank below {rank}."),
        ("K", ("A", "61"), "A bid has to be a rank below {rank}."),
        ("K", ("Q", "70"), "A bid has to be a rank below {rank}."),
        ("2", ("2", "61"), "A bid has to be for more than {points} points."),
        ("2 70", ("2", "70"), "A bid has to be for more than {points} points."),
    ],
)
def test_a_bid_that_is_not_higher_is_refused(
    before: str, bid: tuple[str, str], reason: str
) -> None:
    deal = dealt(5).bids(before)
    seat = deal.turn
    assert seat is not None
    assert deal.refused(seat, "bid", *bid).key == reason


def test_a_pass_is_final_and_the_last_who_has_not_passed_names_the_suit() -> None:
    deal = dealt(5).bids("A - 3 - -")
    assert deal.turn == 0
    deal.bids("K")
    assert deal.turn == 3
    assert deal.tags(0) == ["highest bid"]
    assert deal.tags(4) == ["passed"]
    deal.bids("-")
    assert (deal.phase, deal.turn) == ("Naming the suit", 0)
    assert deal.tags(0) == ["names the suit"]
    assert deal.choices(0) == {"call": (("C",), ("D",), ("H",), ("S",))}


def test_the_last_to_speak_may_bid_when_all_others_have_passed() -> None:
    deal = dealt(5).bids("- - - -")
    assert deal.turn == 1
    assert (deal.bids("7").phase, deal.turn) == ("Naming the suit", 1)


def test_when_all_pass_the_deal_is_void() -> None:
    deal = dealt(5).bids("- - - - -")
    assert deal.outcome is not None
    assert deal.outcome.record is None
    assert deal.delta == [0] * 5
    assert deal.view(None).sheet == ()


def test_nothing_is_played_before_the_suit_is_named() -> None:
    deal = dealt(5)
    assert deal.refused(0, "play", "AC").key == "The auction is not over."
    deal.bids("A - - - -")
    assert deal.refused(0, "play", "AC").key == "Name one of the four suits first."
    assert deal.refused(0, "call", "X").key == "Name one of the four suits first."


def test_the_suit_makes_the_trump_and_the_called_card_and_the_dealers_right_leads() -> None:
    deal = dealt(5).bids("- A - - -").do(4, "call", "S")
    assert deal.turn == 0
    assert deal.facts() == {
        "Trump: {suit}": "S",
        "Called card: {card}": "AS",
        "Points to reach: {n}": 61,
        "Alone or with whom: open": "",
    }
    assert deal.tags(4)[0] == "plays for {card}"
    assert deal.refused(0, "bid", "3", "61").key == "There is nothing to bid for now."


def called(seed: int, holder: Seat) -> tuple[Deal, Card]:
    """A deal in which seat 0 called an ace, trump spades, that lies at seat `holder`."""
    deck = list(shuffled(BRISCOLA.cards(5), random.Random(seed)))
    places = [n for n in range(40) if (-n) % 5 == holder]
    here, there = deck.index("AS"), places[3]
    deck[here], deck[there] = deck[there], deck[here]
    return Deal(deck, 5, {}).bids("A - - - -").do(0, "call", "S"), "AS"


def until_it_falls(deal: Deal, card: Card) -> None:
    while not deal.told(FALLS) and not deal.told(ALONE):
        seat = deal.turn
        assert seat is not None
        assert "Alone or with whom: open" in deal.facts()
        deal.do(seat, "play", deal.choices(seat)["play"][-1][0])


FALLS = "That is the called card: {seat} plays with {other}."
ALONE = "That is the called card: {seat} plays alone."


@pytest.mark.parametrize("holder", [1, 2, 3, 4])
def test_the_partner_is_told_when_the_called_card_falls(holder: Seat) -> None:
    deal, card = called(1, holder)
    assert all("plays with {other}" not in deal.tags(seat) for seat in deal.seats)
    until_it_falls(deal, card)
    assert [note.values for note in deal.told(FALLS)] == [{"seat": holder, "other": 0}]
    assert "plays with {other}" in deal.tags(holder)
    assert "Alone or with whom: open" not in deal.facts()


def test_a_declarer_with_the_called_card_plays_alone_and_only_then_is_it_told() -> None:
    deal, card = called(1, 0)
    until_it_falls(deal, card)
    assert "plays alone" in deal.tags(0)
    deal.play_out()
    assert deal.outcome is not None
    assert deal.outcome.record is not None
    assert deal.outcome.record["partner"] is None
    assert sorted(map(abs, deal.delta)) in ([1, 1, 1, 1, 4], [2, 2, 2, 2, 8])


@pytest.mark.parametrize(("one", "other"), list(permutations(range(5), 2)))
def test_who_holds_the_called_card_changes_nothing_for_others_before_it_falls(
    one: Seat, other: Seat
) -> None:
    """Law 4 for the secret partner: in one world it lies at one seat, in the other at another."""
    deal, card = called(2, one)
    instead = sorted(deal.cards_in_hand(other))[0]
    here = deal.state
    there: State = with_cards(here, {(card, 0): instead, (instead, 0): card})
    now = deal.now
    while True:
        assert BRISCOLA.wake_at(here) == BRISCOLA.wake_at(there)
        for seat in (None, *(seat for seat in range(5) if seat not in (one, other))):
            view = BRISCOLA.view(here, seat)
            assert view == BRISCOLA.view(there, seat)
            assert repr(view) == repr(BRISCOLA.view(there, seat))
            assert len(encode(view)) == len(encode(BRISCOLA.view(there, seat)))
        turn, now = BRISCOLA.view(here, None).turn, now + 1000
        assert turn is not None
        cards = set(here.hands[turn].cards) & set(there.hands[turn].cards) - {card, instead}
        if not cards:
            return
        act = Act("play", (min(cards),))
        ours = BRISCOLA.apply(here, now, turn, act)
        theirs = BRISCOLA.apply(there, now, turn, act)
        assert told(ours.notes, None) == told(theirs.notes, None)
        assert ours.lines == theirs.lines
        here, there = ours.state, theirs.state


def test_a_position_does_not_name_the_partner_before_the_card_falls() -> None:
    deal, _ = called(1, 3)
    assert deal.state.contract == Contract(0, "A", 61, partner=None)


def ended(
    declarer: int, partner: int, target: int = 61, *, with_: int | None = 2, others: int = 0
) -> Deal:
    """Seat 0 declares and takes so many points, the partner and seat 1 the others."""
    rest = 120 - declarer - partner - others
    won = cards_worth(declarer, others, partner, rest, 0)
    contract = Contract(0, "K", target, partner=0 if with_ is None else with_)
    return at_the_last_trick(won, contract).play_out()


@pytest.mark.parametrize(
    ("declarer", "partner", "target", "delta"),
    [
        (41, 20, 61, [2, -1, 1, -1, -1]),
        (40, 20, 61, [-2, 1, -1, 1, 1]),
        (21, 40, 61, [2, -1, 1, -1, -1]),
        (45, 20, 65, [2, -1, 1, -1, -1]),
        (44, 20, 65, [-2, 1, -1, 1, 1]),
        (100, 20, 61, [4, -2, 2, -2, -2]),
        (100, 20, 120, [4, -2, 2, -2, -2]),
        (98, 20, 120, [-2, 1, -1, 1, 1]),
        (0, 0, 61, [-4, 2, -2, 2, 2]),
    ],
)
def test_the_declarers_side_needs_the_target_and_all_120_double(
    declarer: int, partner: int, target: int, delta: list[int]
) -> None:
    deal = ended(declarer, partner, target)
    assert deal.delta == delta
    assert deal.points[:3] == [declarer, 0, partner]
    assert deal.outcome is not None
    assert deal.outcome.record is not None
    assert deal.outcome.record["winners"] == [s for s in deal.seats if delta[s] > 0]
    assert deal.outcome.record["declarer"] == 0
    assert deal.outcome.record["partner"] == 2
    assert deal.outcome.record["target"] == target


@pytest.mark.parametrize(
    ("points", "delta"),
    [
        (61, [4, -1, -1, -1, -1]),
        (60, [-4, 1, 1, 1, 1]),
        (120, [8, -2, -2, -2, -2]),
        (0, [-8, 2, 2, 2, 2]),
    ],
)
def test_alone_the_declarer_wins_or_loses_four(points: int, delta: list[int]) -> None:
    deal = ended(points, 0, with_=None)
    assert deal.delta == delta
    assert deal.outcome is not None
    assert deal.outcome.record is not None
    assert deal.outcome.record["partner"] is None


def test_the_sheet_shows_each_seats_own_points_and_what_the_scores_change_by() -> None:
    points, change = ended(41, 20).view(None).sheet
    assert points == ("points", ((0, 41), (1, 0), (2, 20), (3, 59), (4, 0)))
    assert change == ("score change", ((0, 2), (1, -1), (2, 1), (3, -1), (4, -1)))


def test_cards_won_are_counted_for_each_seat_alone() -> None:
    deal, card = called(1, 2)
    until_it_falls(deal, card)
    counts = [tag.text.values["n"] for tag in deal.view(None).tags if "n" in tag.text.values]
    assert sum(int(n) for n in counts) % 5 == 0
    assert counts == [len(hand.won) for hand in deal.state.hands]


def test_hands_are_backs_to_others_in_the_auction() -> None:
    deal = dealt(5)
    assert deal.hand(1, seen_by=0) == " ".join(["--"] * 8)
