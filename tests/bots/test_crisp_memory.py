import pytest

from crisp_lan.bots.crisp_memory import KEPT, UNSEEN, Memory, certain, mean
from crisp_lan.game.rules import Note, View
from tests.bots.views import crisp_view, draws, queens, swaps


def remembering(own: int | None = None, others: int | None = None, counts: bool = False) -> Memory:
    """A memory that has seen the own left card, a four, and the own right card, a queen."""
    memory = Memory(own, others, counts)
    memory.see(crisp_view(phase="First look", turn=None, own=("4C", None, None)), ())
    memory.see(crisp_view(phase="First look", turn=None, own=(None, None, "QS")), ())
    return memory


def live_a_lap(memory: Memory, **shown: int) -> None:
    memory.see(crisp_view(turn=1, **shown), ())
    memory.see(crisp_view(turn=0, **shown), ())


def test_a_card_seen_once_is_known_when_it_lies_face_down_again() -> None:
    memory = remembering()
    memory.see(crisp_view(), ())
    assert memory.guess(0, "left") == certain(4)
    assert memory.guess(0, "right") == certain(10)
    assert memory.guess(0, "middle") == UNSEEN


def test_a_drawn_card_is_known_where_it_was_swapped_in() -> None:
    memory = remembering()
    memory.see(crisp_view(drawn="2H"), [draws(0)])
    memory.see(crisp_view(turn=1, discards=1, top="QS"), [swaps(0, "right")])
    assert memory.guess(0, "right") == certain(2)


def test_a_card_that_another_took_from_the_discards_is_known_in_that_hand() -> None:
    memory = remembering()
    taken = Note("{seat} takes the discard.", {"seat": 1})
    memory.see(crisp_view(turn=1, drawn="3D", holder=1), [taken])
    memory.see(crisp_view(discards=1, top="9C"), [swaps(1, "middle")])
    assert memory.guess(1, "middle") == certain(3)


def test_a_card_that_another_kept_is_thought_to_be_low() -> None:
    memory = remembering()
    memory.see(crisp_view(turn=1, drawn="", holder=1), [draws(1)])
    memory.see(crisp_view(discards=1, top="9C"), [swaps(1, "middle")])
    assert memory.guess(1, "middle") == KEPT
    assert mean(KEPT) < mean(UNSEEN)


def test_a_queen_carries_what_is_known_along() -> None:
    memory = remembering()
    memory.see(crisp_view(turn=1), [queens(0, "right", 1, "middle")])
    assert memory.guess(1, "middle") == certain(10)
    assert memory.guess(0, "right") == UNSEEN


def test_a_known_card_is_followed_through_two_queens_back_into_the_own_hand() -> None:
    memory = remembering()
    memory.see(crisp_view(turn=1), [queens(0, "left", 1, "right")])
    memory.see(crisp_view(), [queens(1, "right", 0, "middle")])
    assert memory.guess(0, "middle") == certain(4)


def test_a_card_given_away_by_another_is_thought_to_be_high() -> None:
    memory = remembering()
    memory.see(crisp_view(), [queens(1, "left", 0, "left")])
    assert mean(memory.guess(0, "left")) > mean(UNSEEN)
    assert memory.guess(1, "left") == certain(4)


def test_a_new_round_is_begun_with_an_empty_head() -> None:
    memory = remembering()
    memory.see(crisp_view(), ())
    memory.see(crisp_view(phase="Reveal", turn=None, own=("4C", "2D", "QS")), ())
    memory.see(crisp_view(phase="First look", turn=None), ())
    assert memory.guess(0, "left") == UNSEEN
    assert memory.laps == 0


@pytest.mark.parametrize(("laps", "points"), [(1, {4}), (2, {4, 5, 6, 7}), (4, set(range(1, 11)))])
def test_a_card_fades_to_about_how_high_it_was_and_then_to_nothing(
    laps: int, points: set[int]
) -> None:
    memory = remembering(own=2)
    for _ in range(laps):
        live_a_lap(memory)
    likely = {points for points, weight in enumerate(memory.guess(0, "left"), 1) if weight}
    assert likely == points


def test_seeing_a_card_again_refreshes_it() -> None:
    memory = remembering(own=2)
    live_a_lap(memory)
    memory.see(crisp_view(own=("4C", None, None)), ())
    live_a_lap(memory)
    assert memory.guess(0, "left") == certain(4)


def test_a_memory_that_lasts_forgets_nothing_in_twelve_laps() -> None:
    memory = remembering()
    for _ in range(12):
        live_a_lap(memory)
    assert memory.laps == 12
    assert memory.guess(0, "left") == certain(4)


def test_own_cards_and_others_fade_by_their_own_numbers() -> None:
    memory = remembering(own=None, others=1)
    memory.see(crisp_view(turn=1), [queens(0, "right", 1, "middle")])
    live_a_lap(memory)
    live_a_lap(memory)
    assert memory.guess(1, "middle") == UNSEEN
    assert memory.guess(0, "left") == certain(4)


def discarded(memory: Memory, *cards: str, left: int) -> None:
    """Seat 1 draws and discards the cards, down to `left` cards in the draw pile."""
    for n, card in enumerate(cards, 1):
        pile = left + len(cards) - n
        before: View = crisp_view(
            turn=1, left=pile, discards=n - 1, top=cards[n - 2], drawn="", holder=1
        )
        memory.see(before, [draws(1)])
        memory.see(crisp_view(turn=1, left=pile, discards=n, top=card), ())


def test_who_counts_expects_less_of_what_has_gone() -> None:
    memory = remembering(counts=True)
    discarded(memory, "AC", "AD", "AH", "AS", left=42)
    assert memory.unseen()[0] < 0.001
    assert mean(memory.unseen()) > mean(UNSEEN)


def test_who_does_not_count_expects_the_whole_deck() -> None:
    memory = remembering()
    discarded(memory, "AC", "AD", "AH", "AS", left=42)
    assert memory.unseen() == UNSEEN


def test_who_counts_knows_the_draws_after_the_discards_were_turned_over() -> None:
    memory = Memory(None, None, counts=True)
    memory.see(crisp_view(phase="First look", turn=None, left=3), ())
    discarded(memory, "7C", "2D", "5S", left=0)
    assert memory.next_draw() == certain(7)
    memory.see(crisp_view(turn=1, left=2, drawn="", holder=1), [draws(1)])
    assert memory.held(1) == "7C"
    assert memory.next_draw() == certain(2)
    memory.see(crisp_view(left=2, discards=1, top="KC"), [swaps(1, "left")])
    assert memory.guess(1, "left") == certain(7)


def test_a_memory_that_comes_in_the_middle_of_a_round_invents_nothing() -> None:
    memory = Memory(None, None, counts=True)
    memory.see(crisp_view(left=0, discards=20, top="7C"), ())
    assert memory.next_draw() == memory.unseen()
    memory.see(crisp_view(left=19, drawn="4D"), [draws(0)])
    assert memory.held(0) == "4D"
