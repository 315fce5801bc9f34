"""RULES.md §1, First look, and looks as windows that the host keeps."""

from __future__ import annotations

from tests.game.tabletop import Round, laid

HANDS = ("AS 5H KD", "2C 3C 4C", "7C 8C 9C")


def looking() -> Round:
    return laid(*HANDS, ready=False)


def test_everyone_may_look_at_left_and_right_and_be_ready() -> None:
    round_ = looking()
    assert round_.phase == "First look"
    assert round_.turn is None
    for seat in range(3):
        assert round_.offered(seat) == ["look", "ready"]
        assert round_.choice(seat, "look").picks == (("left",), ("right",))


def test_a_look_shows_the_card_to_that_player_alone() -> None:
    round_ = looking().play("1.0 0 look left")
    assert round_.hand(0, seen_by=0).faces == ("AS", None, None)
    assert all(round_.seen(other) == set() for other in (1, 2, None))


def test_others_see_that_and_where_a_look_happens() -> None:
    round_ = looking().play("1.0 0 look right")
    for other in (0, 1, 2, None):
        assert round_.hand(0, seen_by=other).marks[2] == "looking"
    note = round_.told("{seat} looks at the {slot} card.")[0]
    assert (note.values, note.to) == ({"seat": 0, "slot": "right"}, None)


def test_only_the_owner_is_reminded_of_rights_not_used() -> None:
    round_ = looking()
    assert round_.hand(0, seen_by=0).marks == ("may look", "", "may look")
    assert round_.hand(0, seen_by=1).marks == ("", "", "")


def test_both_looks_may_be_open_at_once() -> None:
    round_ = looking().play("1.0 0 look left\n1.0 0 look right")
    assert round_.hand(0, seen_by=0).faces == ("AS", None, "KD")
    assert round_.choice(0, "close").picks == (("left",), ("right",))


def test_a_look_lasts_5_s_and_its_closing_is_recorded() -> None:
    round_ = looking().play("1.0 0 look left")
    assert round_.clocks()["look"] == (0, 6.0)
    assert round_.until(5.999).seen(0) == {"AS"}
    assert round_.until(6.0).seen(0) == set()
    assert round_.lines == [
        {"kind": "act", "seat": 0, "do": "close", "slot": "left", "by_time": True}
    ]


def test_a_look_can_be_closed_by_hand_and_is_never_given_again() -> None:
    round_ = looking().play("1.0 0 look left\n2.0 0 close left")
    assert round_.seen(0) == set()
    assert round_.refused("2.1 0 look left").key == "That is not among your choices."
    assert round_.choice(0, "look").picks == (("right",),)


def test_the_middle_card_stays_unknown() -> None:
    assert looking().refused("1.0 0 look middle").key == "That is not among your choices."


def test_coming_back_inside_a_look_shows_it_again_and_after_it_never() -> None:
    round_ = looking().play("1.0 0 look left\n2.0 0 is nobody\n3.0 0 is person")
    assert round_.seen(0) == {"AS"}
    round_.play("4.0 0 is nobody\n7.0 0 is person")
    assert round_.seen(0) == set()
    assert round_.choice(0, "look").picks == (("right",),)


def test_ready_gives_up_looks_not_taken_but_leaves_an_open_one() -> None:
    round_ = looking().play("1.0 0 look left\n2.0 0 ready")
    assert round_.offered(0) == ["close"]
    assert round_.seen(0) == {"AS"}
    assert round_.tags("ready") == [0]
    assert round_.refused("2.1 0 look right").key == "You have no look left to take."
    assert round_.refused("2.1 0 ready").key == "You are ready already."


def test_the_last_ready_begins_play_and_closes_looks() -> None:
    round_ = looking().play("1.0 0 look left\n2.0 0 ready\n2.0 1 ready\n3.0 2 ready")
    assert round_.phase == "Play"
    assert round_.seen(0) == set()
    assert round_.lines == []
    assert round_.offered(0) == ["draw"]
    assert round_.refused("3.1 0 ready").key == "The first look is over."


def test_play_begins_30_s_after_the_deal_at_the_latest() -> None:
    round_ = looking().play("1.0 0 ready\n29.0 1 look left")
    assert round_.clocks()["first look"] == (None, 30.0)
    assert round_.until(29.999).phase == "First look"
    assert round_.until(30.0).phase == "Play"
    assert round_.seen(1) == set()
    assert round_.offered(1) == []
    assert round_.clocks() == {"draw": (0, 75.0)}


def test_a_look_that_ends_with_the_first_look_is_recorded_before_it() -> None:
    round_ = looking().play("25.0 1 look left").until(30.0)
    assert [line["do"] for line in round_.lines] == ["close"]
    assert round_.phase == "Play"


def test_absent_players_are_not_waited_for() -> None:
    round_ = looking().play("1.0 1 is nobody\n2.0 0 ready\n3.0 2 ready")
    assert round_.phase == "Play"


def test_play_begins_when_the_only_one_not_ready_goes_away() -> None:
    round_ = looking().play("1.0 0 ready\n2.0 2 ready\n3.0 1 is left")
    assert round_.phase == "Play"


def test_with_nobody_there_the_first_look_waits_for_its_end() -> None:
    round_ = looking().play("1.0 0 is nobody\n2.0 1 is nobody\n3.0 2 is nobody")
    assert round_.until(29.999).phase == "First look"
    assert round_.until(30.0).phase == "Play"


def test_nobody_may_draw_or_call_in_the_first_look() -> None:
    round_ = looking()
    assert round_.refused("1.0 0 draw").key == "The first look is not over yet."
    assert (
        round_.refused("1.0 0 crisp").key == "You can call in the {millis} s after a turn of yours."
    )
