import pytest

from crisp_lan.bots.crisp_beliefs import Belief, Beliefs
from crisp_lan.bots.crisp_memory import Memory, certain, mean
from crisp_lan.game.rules import Note
from tests.bots.views import SLOTS, crisp_view, draws, queens, swaps

OUT = (4.0,) * 9 + (16.0,)


def looks(seat: int, slot: str) -> Note:
    return Note("{seat} looks at the {slot} card.", {"seat": seat, "slot": slot})


def discards(seat: int) -> Note:
    return Note("{seat} discards the drawn card.", {"seat": seat})


def calls(seat: int) -> Note:
    return Note("{seat} calls crisp {millis} s after the end of the turn.", {"seat": seat})


def watching() -> Beliefs:
    """The beliefs of seat 0: both have looked at their outer cards, a four and a queen its own."""
    beliefs = Beliefs(Memory(None, None, counts=True))
    first = {"phase": "First look", "turn": None}
    beliefs.see(crisp_view(own=("4C", None, None), **first), [looks(1, "left")])
    beliefs.see(crisp_view(own=(None, None, "QS"), **first), [looks(1, "right")])
    beliefs.see(crisp_view(turn=1), ())
    return beliefs


def swapped(beliefs: Beliefs, slot: str, old: str) -> None:
    beliefs.see(crisp_view(turn=1, drawn="", holder=1, left=45), [draws(1)])
    beliefs.see(crisp_view(turn=0, discards=1, top=old, left=45), [swaps(1, slot)])


def discarded(beliefs: Beliefs, card: str) -> None:
    beliefs.see(crisp_view(turn=1, drawn="", holder=1, left=45), [draws(1)])
    beliefs.see(crisp_view(turn=0, discards=1, top=card, left=45), [discards(1)])


def points(beliefs: Beliefs) -> list[float]:
    return [mean(beliefs.guess(1, slot)) for slot in SLOTS]


def test_at_first_others_cards_are_as_likely_as_what_is_out() -> None:
    beliefs = watching()
    for slot in SLOTS:
        assert beliefs.guess(1, slot) == pytest.approx(beliefs.guess(0, "middle"))


def test_a_card_kept_for_a_low_one_is_lower_still() -> None:
    for_nine, for_four = watching(), watching()
    swapped(for_nine, "left", "9D")
    swapped(for_four, "left", "4D")
    assert points(for_four)[0] < points(for_nine)[0] < points(watching())[0]


def test_who_gives_a_middling_card_away_has_no_higher_one_that_it_has_seen() -> None:
    beliefs, before = watching(), points(watching())
    swapped(beliefs, "left", "5D")
    assert points(beliefs)[2] < before[2] - 1.5
    assert points(beliefs)[1] == pytest.approx(before[1], abs=0.2)


def test_who_knows_its_hand_and_discards_a_low_card_has_low_ones() -> None:
    beliefs = watching()
    beliefs.see(crisp_view(turn=1), [looks(1, "middle")])
    discarded(beliefs, "4D")
    assert all(expected < 5 for expected in points(beliefs))


def test_who_does_not_know_its_hand_and_discards_a_middling_card_may_hold_anything_there() -> None:
    beliefs = watching()
    discarded(beliefs, "8D")
    left, middle, right = points(beliefs)
    assert left < middle
    assert right < middle


def test_what_a_player_has_not_seen_tells_nothing() -> None:
    beliefs = watching()
    discarded(beliefs, "8D")
    assert beliefs.guess(1, "middle") == pytest.approx(beliefs.guess(0, "middle"))


def test_a_discarded_court_tells_nothing_of_the_other_cards() -> None:
    beliefs, before = watching(), points(watching())
    discarded(beliefs, "JD")
    assert points(beliefs) == pytest.approx(before, abs=0.1)


def test_who_calls_is_low_and_who_lets_it_be_is_not() -> None:
    called, quiet = watching(), watching()
    discarded(called, "8D")
    discarded(quiet, "8D")
    called.see(crisp_view(phase="Final turns", turn=0, discards=1, top="8D", left=45), [calls(1)])
    quiet.see(crisp_view(turn=0, drawn="2H", discards=1, top="8D", left=44), [draws(0)])
    assert sum(points(called)) < sum(points(quiet)) - 2


def test_a_card_given_with_a_queen_is_known_in_the_other_hand() -> None:
    beliefs = watching()
    beliefs.see(crisp_view(turn=1), [queens(0, "right", 1, "left")])
    assert beliefs.guess(1, "left") == certain(10)


def test_a_card_got_with_a_queen_is_what_it_was_thought_to_be() -> None:
    beliefs = watching()
    swapped(beliefs, "left", "5D")
    before = beliefs.guess(1, "left")
    view = crisp_view(turn=1, discards=2, top="QD", left=44)
    beliefs.see(view, [queens(0, "middle", 1, "left")])
    assert beliefs.guess(0, "middle") == pytest.approx(before)


def test_a_card_that_another_took_from_the_discards_is_known() -> None:
    beliefs = watching()
    taken = Note("{seat} takes the discard.", {"seat": 1})
    beliefs.see(crisp_view(turn=1, drawn="3D", holder=1), [taken])
    beliefs.see(crisp_view(turn=0, discards=1, top="9C"), [swaps(1, "middle")])
    assert beliefs.guess(1, "middle") == certain(3)


def test_what_contradicts_all_that_was_inferred_starts_from_nothing() -> None:
    belief = Belief((True, True, True))
    belief.swapped(0, old=9, new=2)
    belief.swapped(0, old=7, new=1)
    assert belief.sure == [None, None, None]
    assert mean(belief.slots(OUT)[1]) > 6


def test_a_new_round_is_begun_without_a_thought() -> None:
    beliefs = watching()
    swapped(beliefs, "left", "2D")
    beliefs.see(crisp_view(phase="Reveal", turn=None), ())
    beliefs.see(crisp_view(phase="First look", turn=None), ())
    assert points(beliefs) == pytest.approx([points(watching())[1]] * 3, abs=0.2)
