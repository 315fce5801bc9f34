"""RULES.md §1: Jack, Queen and King."""

from __future__ import annotations

from itertools import product

import pytest

from crisp_lan.game.crisp import SLOTS
from tests.game.tabletop import laid

HANDS = ("AS 5H KD", "2C 3C 4C", "7C 8C 9C")


# Jack


def test_a_jack_opens_a_look_at_the_own_middle_card() -> None:
    round_ = laid(*HANDS, draws="JD").play("0.0 0 draw\n1.0 0 jack")
    assert round_.hand(0, seen_by=0).faces == (None, "5H", None)
    assert round_.seen(1) == round_.seen(None) == {"JD"}
    assert round_.hand(0, seen_by=1).marks == ("", "looking", "")
    assert round_.top() == "JD"
    assert round_.offered(0) == ["close"]


def test_the_turn_ends_when_the_jacks_look_is_closed() -> None:
    round_ = laid(*HANDS, draws="JD").play("0.0 0 draw\n1.0 0 jack")
    assert round_.turn == 0
    assert "draw" not in round_.clocks()
    round_.play("3.0 0 close middle")
    assert round_.seen(0) == {"JD"}
    assert round_.clocks() == {"crisp window": (0, 6.0), "next turn": (1, 5.0)}


def test_the_jacks_look_closes_by_itself_after_5_s_and_the_turn_ends_then() -> None:
    round_ = laid(*HANDS, draws="JD").play("0.0 0 draw\n1.0 0 jack").until(6.0)
    assert round_.clocks() == {"crisp window": (0, 9.0), "next turn": (1, 8.0)}
    assert round_.lines == [
        {"kind": "act", "seat": 0, "do": "close", "slot": "middle", "by_time": True}
    ]


def test_a_jack_can_be_discarded_unused() -> None:
    round_ = laid(*HANDS, draws="JD").play("0.0 0 draw")
    assert round_.offered(0) == ["jack", "discard"]
    round_.play("1.0 0 discard")
    assert (round_.top(), round_.turn, round_.seen(0)) == ("JD", 1, {"JD"})


def test_a_jack_may_look_at_a_middle_card_that_is_known() -> None:
    round_ = laid(*HANDS, draws="KC JD JH").play("""
        0.0 0 draw
        1.0 0 king
        2.0 0 draw
        3.0 0 jack
        4.0 0 close middle
        5.0 0 draw
        6.0 0 jack
    """)
    assert round_.hand(0, seen_by=0).faces == (None, "5H", None)


# Queen


@pytest.mark.parametrize(("slot", "other_slot"), list(product(SLOTS, SLOTS)))
def test_a_queen_swaps_any_slot_with_any_slot_blind(slot: str, other_slot: str) -> None:
    round_ = laid(*HANDS, draws="QD").play(f"0.0 0 draw\n1.0 0 queen {slot} 2 {other_slot}")
    mine, theirs = SLOTS.index(slot), SLOTS.index(other_slot)
    given, got = HANDS[0].split()[mine], HANDS[2].split()[theirs]
    assert round_.state.hands[0].spots[mine].card == got
    assert round_.state.hands[2].spots[theirs].card == given
    assert all(round_.seen(seat) == {"QD"} for seat in (0, 1, 2, None))
    may_look = {0: slot != "middle", 2: other_slot != "middle"}
    for seat, right in may_look.items():
        assert ("look" in round_.offered(seat)) == right
    assert (round_.turn == 0) == (slot != "middle")


def test_a_queen_offers_every_slot_with_every_slot_of_every_other() -> None:
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw")
    assert round_.offered(0) == ["queen", "discard"]
    assert set(round_.choice(0, "queen").picks) == set(product(SLOTS, (1, 2), SLOTS))


def test_the_turn_stays_open_for_the_look_that_a_queen_gives() -> None:
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw\n1.0 0 queen left 1 middle")
    assert round_.offered(0) == ["look", "skip"]
    assert round_.clocks() == {"look choice": (0, 11.0)}
    round_.play("10.0 0 look left")
    assert round_.seen(0) == {"QD", "3C"}
    assert round_.clocks() == {"look": (0, 15.0)}
    assert round_.until(15.0).clocks()["crisp window"] == (0, 18.0)


def test_a_queens_look_not_opened_for_10_s_is_skipped() -> None:
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw\n1.0 0 queen left 1 middle").until(11.0)
    assert round_.lines == [{"kind": "act", "seat": 0, "do": "skip", "by_time": True}]
    assert round_.clocks()["crisp window"] == (0, 14.0)


def test_skipping_ends_the_turn_and_keeps_the_right() -> None:
    round_ = laid(*HANDS, draws="QD 6D").play("""
        0.0 0 draw
        1.0 0 queen left 1 middle
        2.0 0 skip
        4.0 1 draw
        4.5 0 look left
    """)
    assert round_.seen(0) == {"QD", "3C"}
    assert round_.turn == 1
    assert round_.until(9.5).seen(0) == {"QD"}
    assert round_.refused("9.6 0 look left").key == "You have no look left to take."


def test_the_other_player_may_look_out_of_turn_and_holds_nothing_up() -> None:
    round_ = laid(*HANDS, draws="QD 6D").play("0.0 0 draw\n1.0 0 queen middle 2 right")
    assert round_.told("You may look at your new {slot} card.")[0].to == (2,)
    assert round_.hand(2, seen_by=2).marks == ("", "", "may look")
    assert round_.hand(2, seen_by=0).marks == ("", "", "")
    round_.play("1.5 2 look right\n3.0 1 draw\n4.0 1 discard")
    assert round_.seen(2) == {"6D", "5H"}
    assert round_.until(6.5).seen(2) == {"6D"}
    assert round_.turn == 2


def test_the_receiver_sees_a_card_that_its_owner_never_saw() -> None:
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw\n1.0 0 queen middle 1 left\n2.0 1 look left")
    assert round_.seen(1) == {"QD", "5H"}
    assert round_.seen(0) == {"QD"}


def test_a_right_is_lost_when_its_card_leaves_the_slot() -> None:
    round_ = laid(*HANDS, draws="QD 6D").play("""
        0.0 0 draw
        1.0 0 queen middle 1 left
        3.0 1 draw
        4.0 1 swap left
    """)
    assert "look" not in round_.offered(1)


def test_an_open_look_closes_when_its_card_leaves_the_slot_and_writes_no_line() -> None:
    round_ = laid(*HANDS, draws="QD 6D QH").play("""
        0.0 0 draw
        1.0 0 queen middle 2 left
        3.0 1 draw
        4.0 1 discard
        5.0 2 look left
    """)
    assert "5H" in round_.seen(2)
    round_.play("6.0 2 draw\n7.0 2 queen left 0 left")
    assert round_.seen(2) == {"QH"}
    assert round_.offered(2) == ["look", "skip"]
    assert round_.lines == []
    assert round_.until(17.0).lines == [{"kind": "act", "seat": 2, "do": "skip", "by_time": True}]


def test_no_right_follows_a_card_through_a_second_swap() -> None:
    round_ = laid(*HANDS, draws="QD QH").play("""
        0.0 0 draw
        1.0 0 queen middle 1 left
        3.0 1 draw
        4.0 1 queen left 2 middle
        5.0 1 skip
    """)
    assert round_.choice(1, "look").picks == (("left",),)
    assert "look" not in round_.offered(2)
    assert round_.play("5.5 1 look left").seen(1) == {"QH", "8C"}


def test_a_right_ends_at_the_reveal() -> None:
    round_ = laid("AS 5H KD", "2C 3C 4C", draws="6D QD").play("""
        0.0 0 draw
        1.0 0 discard
        1.5 0 crisp
        2.0 1 draw
        3.0 1 queen middle 0 left
    """)
    assert round_.over
    assert round_.offered(0) == []


def test_in_a_swap_with_looks_on_both_sides_only_the_players_own_holds_the_turn() -> None:
    round_ = laid(*HANDS, draws="QD").play("0.0 0 draw\n1.0 0 queen left 1 right")
    assert round_.offered(1) == ["look"]
    round_.play("2.0 0 look left\n3.0 0 close left")
    assert round_.turn == 1
    assert round_.play("4.0 1 look right").seen(1) == {"QD", "AS"}


def test_another_look_of_ones_own_does_not_end_the_turn() -> None:
    round_ = laid(*HANDS, draws="QD 6D 8D QH").play("""
        0.0 0 draw
        1.0 0 queen middle 2 left
        3.0 1 draw
        3.5 1 discard
        5.5 2 draw
        6.0 2 discard
        8.0 0 draw
        8.5 0 queen right 2 right
        9.0 2 look left
        9.5 2 close left
    """)
    assert round_.turn == 0
    assert round_.offered(0) == ["look", "skip"]
    assert round_.offered(2) == ["look"]


# King


def test_a_king_must_be_used_and_gives_two_extra_draws() -> None:
    round_ = laid(*HANDS, draws="KC 6D 7D").play("0.0 0 draw")
    assert round_.offered(0) == ["king"]
    round_.play("1.0 0 king")
    assert (round_.top(), round_.extra(), round_.offered(0)) == ("KC", 2, ["draw"])
    round_.play("2.0 0 draw")
    assert (round_.extra(), round_.offered(0)) == (1, ["swap", "discard"])
    round_.play("3.0 0 discard\n4.0 0 draw")
    assert round_.extra() == 0
    assert round_.play("5.0 0 swap left").turn == 1


def test_a_further_king_adds_two_so_that_a_turn_has_at_most_9_draws() -> None:
    round_ = laid("AS 5H 9D", "2D 3D 4D", draws="KC KD KH KS 6D 7D 8D 6H 7H")
    for at in range(4):
        round_.play(f"{at} 0 draw\n{at}.5 0 king")
    assert round_.extra() == 5
    for at in range(4, 9):
        assert round_.turn == 0
        round_.play(f"{at} 0 draw\n{at}.5 0 discard")
    assert round_.turn == 1
    assert len(round_.told("{seat} draws.")) == 9


def test_extra_draws_are_offered_after_a_look() -> None:
    round_ = laid(*HANDS, draws="KC JD QD").play("0.0 0 draw\n1.0 0 king\n2.0 0 draw\n3.0 0 jack")
    assert round_.refused("3.5 0 draw").key == "Your look comes first."
    round_.play("4.0 0 close middle")
    assert (round_.offered(0), round_.extra()) == (["draw"], 1)
    assert round_.clocks() == {"draw": (0, 49.0)}
    round_.play("5.0 0 draw\n6.0 0 queen right 1 middle\n7.0 0 look right\n8.0 0 close right")
    assert round_.turn == 1


def test_a_king_is_an_act_of_its_own_and_its_first_extra_draw_another() -> None:
    round_ = laid(*HANDS, draws="KC 6D").play("0.0 0 draw\n1.0 0 king")
    assert round_.zone("drawn") is None
    assert round_.pile() == 52 - 9 - 1
