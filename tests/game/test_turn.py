"""RULES.md §1, Turn: drawing, swapping, discarding."""

from __future__ import annotations

import pytest

from tests.game.tabletop import laid

HANDS = ("AS 5H KD", "2C 3C 4C", "7C 8C 9C")


def test_only_the_drawer_sees_the_drawn_card_and_all_see_where_it_came_from() -> None:
    round_ = laid(*HANDS, draws="6D").play("0.5 0 draw")
    for seat, face in ((0, "6D"), (1, None), (2, None), (None, None)):
        zone = round_.zone("drawn", seen_by=seat)
        assert zone is not None
        assert (zone.owner, zone.faces, zone.count) == (0, (face,), 1)
        assert zone.note == "from the draw pile"
    assert round_.told("{seat} draws.")[0].values == {"seat": 0}


@pytest.mark.parametrize("card", ["AD", "2D", "5D", "9D", "TD"])
def test_ace_to_ten_are_swapped_in_or_discarded(card: str) -> None:
    round_ = laid(*HANDS, draws=card).play("0.5 0 draw")
    assert round_.offered(0) == ["swap", "discard"]
    assert round_.choice(0, "swap").picks == (("left",), ("middle",), ("right",))


@pytest.mark.parametrize(("slot", "old"), [("left", "AS"), ("middle", "5H"), ("right", "KD")])
def test_a_swap_puts_the_old_card_on_the_discard_pile(slot: str, old: str) -> None:
    round_ = laid(*HANDS, draws="6D").play(f"0.5 0 draw\n1.0 0 swap {slot}")
    assert round_.top() == old
    assert round_.zone("drawn") is None
    assert [spot.card for spot in round_.state.hands[0].spots].count("6D") == 1
    assert round_.seen(0) == {old}
    assert round_.notes[-1].values == {"seat": 0, "slot": slot}


def test_a_discard_leaves_the_hand_as_it_was() -> None:
    round_ = laid(*HANDS, draws="6D").play("0.5 0 draw\n1.0 0 discard")
    assert round_.top() == "6D"
    assert [spot.card for spot in round_.state.hands[0].spots] == ["AS", "5H", "KD"]


def test_a_court_swapped_out_of_a_hand_has_no_power() -> None:
    round_ = laid("AS 5H QD", "2C 3C 4C", draws="6D").play("0.5 0 draw\n1.0 0 swap right")
    assert round_.top() == "QD"
    assert round_.turn == 1


def test_turns_go_clockwise() -> None:
    round_ = laid(*HANDS)
    turns = []
    for at in range(0, 24, 4):
        seat = round_.turn
        turns.append(seat)
        round_.play(f"{at} {seat} draw")
        name = "king" if "king" in round_.offered(seat or 0) else "discard"
        round_.play(f"{at + 1} {seat} {name}")
    assert turns == [0, 1, 2, 0, 1, 2]


def test_one_draw_a_turn() -> None:
    round_ = laid(*HANDS, draws="6D").play("0.5 0 draw")
    assert round_.refused("0.6 0 draw").key == "Play the card you hold first."
    round_.play("0.7 0 discard")
    assert round_.refused("0.8 0 draw").key == "It is not your turn."


def test_two_swaps_are_one_swap() -> None:
    round_ = laid(*HANDS, draws="6D").play("0.5 0 draw\n1.0 0 swap left")
    assert round_.refused("1.0 0 swap right").key == "It is not your turn."


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("1.0 1 draw", "It is not your turn."),
        ("1.0 0 swap left", "Draw a card first."),
        ("1.0 0 discard", "Draw a card first."),
        ("1.0 0 jack", "Draw a card first."),
        ("1.0 0 skip", "Draw a card first."),
        ("1.0 0 close left", "You have no look open."),
        ("1.0 0 look left", "You have no look left to take."),
        ("1.0 0 take", "Taking from the discard pile is off at this table."),
        ("1.0 0 draw left", "That is not among your choices."),
        ("1.0 0 fold", "Draw a card first."),
        ("1.0 7 draw", "You are not in this round."),
    ],
)
def test_what_cannot_be_done_before_drawing_is_refused_with_the_reason(line: str, why: str) -> None:
    assert laid(*HANDS).refused(line).key == why


@pytest.mark.parametrize(
    ("draws", "line", "why"),
    [
        ("6D", "1.0 0 swap top", "That is not among your choices."),
        ("6D", "1.0 0 swap 0", "That is not among your choices."),
        ("6D", "1.0 0 swap", "That is not among your choices."),
        ("6D", "1.0 0 king", "The card you hold cannot do that."),
        ("6D", "1.0 0 queen left 1 left", "The card you hold cannot do that."),
        ("JD", "1.0 0 swap left", "A Jack, Queen or King that you draw cannot be swapped in."),
        ("QD", "1.0 0 swap left", "A Jack, Queen or King that you draw cannot be swapped in."),
        ("QD", "1.0 0 queen left 0 left", "That is not among your choices."),
        ("QD", "1.0 0 queen left 3 left", "That is not among your choices."),
        ("KC", "1.0 0 swap left", "A Jack, Queen or King that you draw cannot be swapped in."),
        ("KC", "1.0 0 discard", "A King has to be used."),
    ],
)
def test_what_the_card_cannot_do_is_refused_with_the_reason(
    draws: str, line: str, why: str
) -> None:
    assert laid(*HANDS, draws=draws).play("0.5 0 draw").refused(line).key == why


def test_notes_of_a_running_round_name_no_card_but_specials_that_are_played() -> None:
    round_ = laid(*HANDS, draws="KC QD 6D JD").play("""
        0.0 0 draw
        1.0 0 king
        2.0 0 draw
        3.0 0 queen middle 1 right
        4.0 0 draw
        5.0 0 swap left
        7.0 1 draw
        8.0 1 jack
        9.0 1 close middle
    """)
    cards = {"".join(map(str, note.values.values())) for note in round_.notes}
    assert not any(card in text for text in cards for card in ("KC", "QD", "6D", "JD", "AS"))
    for word in ("Jack", "Queen", "King", "Ace"):
        named = {note.key for note in round_.notes if word in note.key}
        assert all(key.startswith(f"{{seat}} plays the {word}") for key in named)
