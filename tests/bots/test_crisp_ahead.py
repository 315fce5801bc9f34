from random import Random

from crisp_lan.bots.crisp_ahead import World, better_called, winning, worlds
from crisp_lan.bots.crisp_beliefs import Beliefs
from crisp_lan.bots.crisp_memory import Memory
from crisp_lan.bots.match import UNTOLD, Match
from tests.bots.views import crisp_view, draws, queens, swaps

SEEN = [True, True, True]


def world(mine: list[int], theirs: list[int], *coming: int) -> World:
    """Two hands that their players have seen, and the draws that come."""
    return World([mine, theirs], [SEEN[:], SEEN[:]], list(coming[::-1]), [])


def beliefs(memory: Memory, left: str, right: str, phase: str = "First look") -> Beliefs:
    found = Beliefs(memory)
    found.see(crisp_view(phase=phase, turn=None, own=(left, None, right)), ())
    return found


def test_a_caller_that_is_lowest_alone_gets_five_points_off() -> None:
    assert world([1, 2, 3], [1, 2, 4], 9).called(0, Random(0)) == [1, 7]


def test_a_caller_that_is_tied_gets_five_points_more() -> None:
    assert world([1, 2, 3], [9, 2, 3], 1).called(0, Random(0)) == [11, 6]


def test_a_king_brings_two_more_draws() -> None:
    assert world([1, 2, 3], [9, 9, 3], 13, 1, 2, 1).called(0, Random(0)) == [11, 6]


def test_a_round_that_runs_out_of_cards_is_scored_as_it_lies() -> None:
    assert world([9, 9, 9], [8, 8, 8]).waited(12, Random(0)) == [27, 24]


def test_who_waits_is_called_by_another_who_gets_low() -> None:
    found = world([5, 5, 5], [9, 3, 3], 1, 9).waited(12, Random(0))
    assert found == [15, 2]


def test_draws_after_the_flip_come_in_their_order() -> None:
    memory = Memory(None, None, counts=True)
    memory.see(crisp_view(phase="First look", turn=None, left=2), ())
    memory.see(crisp_view(turn=1, left=1, discards=1, top="7C"), ())
    memory.see(crisp_view(turn=1, left=0, discards=2, top="QD"), ())
    assert memory.coming() == [7, 12]
    memory.see(crisp_view(turn=1, left=1, discards=1, top="2H"), [draws(1)])
    assert memory.coming() == [12, 2]


def test_every_world_holds_the_cards_that_are_out_once() -> None:
    memory = Memory(None, None, counts=True)
    known = beliefs(memory, "AC", "9S")
    for found in worlds(known, memory, 0, 50, Random(0)):
        mine, theirs = found.hands
        assert (mine[0], mine[2]) == (1, 9)
        assert len(found.out) == 46
        cards = [min(card, 10) for card in (*mine, *theirs, *found.out)]
        assert sum(cards) == 4 * sum(range(1, 10)) + 16 * 10


def with_middle(left: str, middle: str, right: str) -> tuple[Beliefs, Memory]:
    memory = Memory(None, None, counts=True)
    known = beliefs(memory, left, right)
    known.see(crisp_view(drawn=middle), [draws(0)])
    known.see(crisp_view(turn=1), [swaps(0, "middle")])
    return known, memory


def test_a_very_low_hand_is_called_and_a_high_one_is_not() -> None:
    assert better_called(*with_middle("AC", "AD", "2S"), me=0, match=UNTOLD)
    assert not better_called(*with_middle("8C", "7D", "9S"), me=0, match=UNTOLD)


def test_no_hand_is_called_against_one_that_is_known_to_be_lower() -> None:
    known, memory = with_middle("4C", "4D", "4S")
    low = [("left", "AD"), ("right", "AH"), ("middle", "AS")]
    for slot, card in low:
        known.see(crisp_view(own=(card, None, None)), ())
        known.see(crisp_view(turn=1), [queens(0, "left", 1, slot)])
    known.see(crisp_view(own=("3D", None, None)), ())
    assert not better_called(known, memory, me=0, match=UNTOLD)


def test_the_same_question_gets_the_same_answer() -> None:
    known, memory = with_middle("3C", "4D", "4S")
    assert len({better_called(known, memory, me=0, match=UNTOLD) for _ in range(3)}) == 1


def test_the_lowest_score_wins_when_the_limit_is_reached_and_equals_share() -> None:
    assert winning([90, 100], 100) == 1
    assert winning([100, 90], 100) == 0
    assert winning([90, 90, 101], 100) == 0.5


def test_points_count_the_more_the_fewer_rounds_are_to_come() -> None:
    assert winning([0, 0], 100) == 0.5
    assert 0.5 < winning([0, 10], 150) < winning([0, 10], 100) < winning([80, 90], 100)


def test_who_wins_the_match_anyway_does_not_risk_five_points_for_a_call() -> None:
    known, memory = with_middle("2C", "3D", "4S")
    assert better_called(known, memory, 0, Match({0: 0, 1: 0}, 100))
    assert not better_called(known, memory, 0, Match({0: 88, 1: 99}, 100))
