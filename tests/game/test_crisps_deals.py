"""Crisps!: dealing, tricks and draws, passing by itself, the point, and the match."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Outcome, Text
from tests.game.crisps_tables import DEFAULTS, Cards, Deal, cards, may_follow, order, subsets


def told(deal: Deal, seat: int | None) -> list[str]:
    """What a seat was told last, in words."""
    heard = [one for one in deal.notes if one.to is None or seat in one.to]
    return [one.key.format_map(one.values) for one in heard]


def test_forty_cards_are_four_of_each_of_ten_ranks() -> None:
    assert Counter(CRISPS.cards(2)) == dict.fromkeys("123456789C", 4)


@pytest.mark.parametrize("starter", [0, 1])
def test_cards_are_dealt_by_turns_from_the_starter_then_four_out_and_one_up(starter: int) -> None:
    deck = CRISPS.cards(2)[::-1]
    step = CRISPS.deal((0, 1), starter, {0: 0, 1: 0}, DEFAULTS, deck, 0, {0: "person", 1: "person"})
    state = step.state
    assert state.hands[starter].cards == order(deck[0:24:2])
    assert state.hands[1 - starter].cards == order(deck[1:24:2])
    assert (state.out, state.up, state.deck) == (deck[24:28], deck[28], deck[29:])
    view = CRISPS.view(state, starter)
    assert (view.phase, view.turn) == ("Lead", starter)
    assert {choice.name for choice in view.choices} == {"play"}


def test_who_leads_may_not_pass_and_who_follows_may() -> None:
    deal = Deal("4 4 4 9", "5 6")
    assert deal.why_not(0, "pass") == "Who leads has to play something."
    assert deal.can_play(0) == {("4",), ("4", "4"), ("4", "4", "4"), ("9",)}
    deal.plays(0, "4 4 4")
    assert [choice.name for choice in deal.view(1).choices] == ["pass"]
    assert deal.why_not(0, "play", "9") == "It is not your turn."


def test_the_card_that_lies_open_is_taken_publicly_and_the_passer_draws_unseen() -> None:
    deal = Deal("4 9", "5 6", draws="7 8 1")
    deal.plays(0, "9").does(1, "pass")
    assert deal.view(0).phase == "Pick"
    assert deal.why_not(1, "pick", "up") == "It is not your turn."
    assert deal.why_not(0, "play", "4") == "Take a card first."
    deal.does(0, "pick", "up")
    assert (deal.hand(0), deal.hand(1)) == (cards("4 7"), cards("5 6 8"))
    public = "0 takes the face-up 7, and 1 the top of the deck."
    assert told(deal, None) == told(deal, 0) == [public]
    assert told(deal, 1) == [public, "You draw 8."]
    assert deal.row(None, "face-up card") == ("1",)
    assert (deal.view(None).phase, deal.view(None).turn) == ("Lead", 0)


def test_the_top_of_the_deck_is_taken_privately_and_the_passer_gets_the_open_card() -> None:
    deal = Deal("4 9", "5 6", draws="7 8 1")
    deal.plays(0, "4").plays(1, "5").does(0, "pass").does(1, "pick", "deck")
    assert (deal.hand(0), deal.hand(1)) == (cards("7 9"), cards("6 8"))
    public = "1 takes the top of the deck, and 0 the face-up 7."
    assert told(deal, None) == told(deal, 0) == [public]
    assert told(deal, 1) == [public, "You draw 8."]
    assert deal.row(0, "hand") == cards("7 9")
    assert deal.view(0).turn == 1


@pytest.mark.parametrize("face_up_draw", [True, False])
def test_twelve_cards_serve_six_passes_and_then_play_goes_on(face_up_draw: bool) -> None:
    draws = "1 1 2 2 3 3 1 1 2 2 3 3"
    deal = Deal("9 9 9 C C C C", "4 4 5 5 6 6 7", draws=draws, face_up_draw=face_up_draw)
    for lead in ("9", "9", "9", "C", "C", "C"):
        assert len(deal.hand(1)) + len(deal.state.deck) > 7
        deal.plays(0, lead).does(1, "pass")
        if face_up_draw:
            deal.does(0, "pick", "up")
    assert deal.hand(0) == cards("1 1 2 2 3 3 C")
    assert deal.hand(1) == cards("1 1 2 2 3 3 4 4 5 5 6 6 7")
    assert (deal.state.deck, deal.state.up) == ((), None)
    deal.plays(0, "C").does(1, "pass")
    assert deal.hand(0) == cards("1 1 2 2 3 3")
    assert deal.view(0).phase == "Lead"
    assert deal.why_not(0, "pick", "deck") == "There is nothing to take now."


def test_without_an_open_card_both_draw_unseen_the_winner_first() -> None:
    deal = Deal("4 9", "5 6", draws="7 8 1", face_up_draw=False)
    assert "face-up card" not in [zone.name for zone in deal.view(0).zones]
    assert len(deal.state.deck) == 12
    deal.plays(0, "9").does(1, "pass")
    assert (deal.hand(0), deal.hand(1)) == (cards("4 7"), cards("5 6 8"))
    public = ["1 passes.", "0 and then 1 draw from the deck."]
    assert told(deal, None) == public
    assert told(deal, 0) == [*public, "You draw 7."]
    assert told(deal, 1) == [*public, "You draw 8."]
    assert (deal.view(0).phase, deal.view(0).turn) == ("Lead", 0)


def test_nobody_sees_the_others_cards_nor_what_is_out_nor_the_deck() -> None:
    deal = Deal("4 9", "5 6", draws="7 8 1")
    assert deal.row(0, "hand") == cards("4 9")
    seen = [zone for zone in deal.view(0).zones if zone.owner == 1]
    assert (seen[0].faces, seen[0].count) == ((None, None), 2)
    assert {zone.name: zone.faces for zone in deal.view(None).zones if zone.owner is None} == {
        "face-up card": ("7",),
        "deck": (),
        "on the table": (),
    }


def test_an_empty_hand_ends_the_deal_at_once_and_brings_a_point() -> None:
    deal = Deal("4", "C C", auto_skip=True)
    deal.plays(0, "4")
    assert deal.lines == ()
    assert CRISPS.outcome(deal.state) == Outcome(
        Text("{seat} has no card left: a point.", {"seat": 0}), {0: 1, 1: 0}, {"winner": 0}
    )
    view = deal.view(1)
    assert (view.phase, view.turn, view.choices, view.clocks) == ("Reveal", None, (), ())
    assert view.sheet == (("cards left", ((0, 0), (1, 2))), ("points", ((0, 1), (1, 0))))
    assert [zone.faces for zone in deal.view(0).zones if zone.owner == 1] == [("C", "C")]
    assert next(zone for zone in view.zones if zone.name == "on the table").seats == (0,)
    assert deal.why_not(1, "pass") == "The round is over."


def test_what_lies_on_the_table_says_who_played_it_and_what_beats_it() -> None:
    deal = Deal("4 4 5 5 9", "6")
    deal.plays(0, "4 4 5 5")
    zone = next(zone for zone in deal.view(1).zones if zone.name == "on the table")
    assert (zone.faces, zone.seats) == (cards("4 4 5 5"), (0, 0, 0, 0))
    facts = [fact.key.format_map(fact.values) for fact in deal.view(None).facts]
    assert facts == ["run of 2 pairs, 5 or higher"]


# ---------------------------------------------------------------- passing by itself


def skips(deal: Deal) -> bool:
    return any(line["kind"] == "act" for line in deal.lines)


def test_who_cannot_follow_with_any_unplayed_card_passes_by_itself() -> None:
    deal = Deal("C C C C 1", "9 9", draws="7 8 1", auto_skip=True).plays(0, "C C C C")
    assert deal.lines == ({"kind": "act", "seat": 1, "do": "pass", "auto": True},)
    assert told(deal, None)[1] == "Nothing can beat that: 1 passes."
    assert (deal.view(0).phase, deal.view(0).turn) == ("Pick", 0)


def test_nobody_passes_by_itself_where_the_host_did_not_say_so() -> None:
    deal = Deal("C C C C 1", "9 9").plays(0, "C C C C")
    assert deal.lines == ()
    assert deal.view(1).turn == 1


def test_who_cannot_follow_with_his_own_cards_does_not_pass_by_itself() -> None:
    """He holds nothing, but for all that is public he might."""
    deal = Deal("9 1", "2", auto_skip=True).plays(0, "9")
    assert not skips(deal)
    assert [choice.name for choice in deal.view(1).choices] == ["pass"]


@pytest.mark.parametrize("out", ["", "C", "C C", "C C C", "C C C C", "9 9 9 C C C C"])
def test_skipping_goes_by_what_was_played_not_by_where_the_rest_lies(out: str) -> None:
    """A pair of 9 can be followed while two 9 or two Crisps have not been played."""
    played = cards(out)
    deal = Deal("9 9 1", "2 2", auto_skip=True)
    everything = Counter(CRISPS.cards(2)) - Counter(played) - Counter(cards("9 9"))
    follows = any(
        may_follow(new, cards("9 9"), crisps_run=False)
        for new in subsets(tuple(card for card in everything.elements() if card in "9C"))
        if len(new) == 2 and len(set(new)) == 1
    )
    deal.state = replace(deal.state, played=played)
    deal.plays(0, "9 9")
    assert skips(deal) == (not follows)


def worlds(deal: Deal) -> list[Deal]:
    """The same public game with other cards in the other's hand, in the deck and out."""
    state = deal.state
    hidden = order((*state.hands[1].cards, *state.deck, *state.out))
    made = []
    for turn in range(0, len(hidden), 5):
        cards_: Cards = (*hidden[turn:], *hidden[:turn])
        n, m = len(state.hands[1].cards), len(state.deck)
        other = Deal(auto_skip=True)
        hand = replace(state.hands[1], cards=order(cards_[:n]))
        other.state = replace(state.with_hand(1, hand), deck=cards_[n : n + m], out=cards_[n + m :])
        made.append(other)
    return made


def test_skipping_tells_nothing_of_hidden_cards() -> None:
    for played, lead in product(("", "9 C C", "9 9 C C C C", "C C C"), ("9", "9 9", "8", "C")):
        deal = Deal("8 9 9 C", "1 2 3", draws="4 5", auto_skip=True)
        deal.state = replace(deal.state, played=cards(played))
        results = {skips(world.plays(0, lead)) for world in worlds(deal)}
        assert len(results) == 1, (played, lead)


# ---------------------------------------------------------------- the match


def test_the_lower_score_starts_and_at_equal_scores_who_did_not_start_last() -> None:
    for scores, last, starts in (((0, 1), 0, 0), ((2, 1), 1, 1), ((1, 1), 0, 1), ((2, 2), 1, 0)):
        assert CRISPS.next_dealer((0, 1), last, dict(enumerate(scores))) == starts


def test_three_points_win_also_after_two_all() -> None:
    for scores, winners in (((2, 2), None), ((3, 2), (0,)), ((2, 3), (1,)), ((0, 0), None)):
        assert CRISPS.verdict(dict(enumerate(scores)), DEFAULTS) == winners
    assert CRISPS.target(DEFAULTS, 2) == 3


def test_who_is_left_alone_wins() -> None:
    assert CRISPS.last_standing((1,), (0, 1)) == (1,)
    assert CRISPS.last_standing((0, 1), (0, 1)) is None
