import pytest

from crisp_lan.bots.crisp import LAST_LAP, CrispBot
from crisp_lan.game.rules import Act, Choice, View
from tests.bots.views import SLOTS, crisp_view, draws, queens, swaps


def bot(left: str = "4C", right: str = "9S", level: str = "hard") -> CrispBot:
    """A bot that had its first look at left and right."""
    player = CrispBot(level)
    player.see(crisp_view(phase="First look", turn=None, own=(left, None, None)), ())
    player.see(crisp_view(phase="First look", turn=None, own=(None, None, right)), ())
    return player


def holding(player: CrispBot, card: str, *choices: str) -> Act | None:
    player.see(crisp_view(drawn=card), [draws(0)])
    return answer(player, crisp_view(*choices, drawn=card))


def answer(player: CrispBot, view: View) -> Act | None:
    player.see(view, ())
    chosen = player.choose(view)
    assert chosen == player.choose(view)
    return chosen


def test_it_looks_at_left_and_right_closes_both_and_is_ready() -> None:
    player = CrispBot("normal")
    first = {"phase": "First look", "turn": None}
    both = Choice("look", "", (("left",), ("right",)))
    assert answer(player, crisp_view(both, "ready", **first)) == Act("look", ("left",))
    right = Choice("look", "", (("right",),))
    assert answer(player, crisp_view(right, "close", "ready", **first)) == Act("look", ("right",))
    close = Choice("close", "", (("left",),))
    assert answer(player, crisp_view(close, "ready", **first)) == Act("close", ("left",))
    assert answer(player, crisp_view("ready", **first)) == Act("ready")


def test_it_swaps_a_low_card_for_its_highest() -> None:
    assert holding(bot(), "2D", "swap", "discard") == Act("swap", ("right",))


def test_it_prefers_a_middling_card_to_one_it_does_not_know() -> None:
    assert holding(bot("AC", "2S"), "4D", "swap", "discard") == Act("swap", ("middle",))


def test_it_discards_a_high_card() -> None:
    assert holding(bot(), "TD", "swap", "discard") == Act("discard")


def test_it_swaps_a_high_card_in_where_it_must() -> None:
    taken = holding(bot("AC", "2S"), "KD", "swap")
    assert taken == Act("swap", ("middle",))


def test_it_gives_its_highest_card_for_a_card_that_another_kept() -> None:
    player = bot()
    player.see(crisp_view(turn=1, drawn="", holder=1), [draws(1)])
    player.see(crisp_view(discards=1, top="9C"), [swaps(1, "middle")])
    assert holding(player, "QD", "queen", "discard") == Act("queen", ("right", 1, "middle"))


def test_it_gives_no_low_hand_away() -> None:
    player = bot("AC", "2S")
    player.see(crisp_view(turn=1, drawn="3H"), [draws(0)])
    player.see(crisp_view(turn=1), [swaps(0, "middle")])
    assert holding(player, "QD", "queen", "discard") == Act("discard")


def test_it_uses_a_jack_to_see_a_card_it_does_not_know() -> None:
    assert holding(bot(), "JD", "jack", "discard") == Act("jack")


def test_it_discards_a_jack_when_it_knows_its_middle_card() -> None:
    player = bot()
    player.see(crisp_view(own=(None, "5D", None)), ())
    assert holding(player, "JD", "jack", "discard") == Act("discard")


def test_it_plays_a_king() -> None:
    assert holding(bot(), "KD", "king") == Act("king")


def test_it_takes_a_good_discard_and_leaves_a_bad_one() -> None:
    for top, expected in (("2D", "take"), ("8D", "draw")):
        view = crisp_view("draw", "take", discards=1, top=top)
        assert answer(bot(), view) == Act(expected)


def test_it_takes_what_beats_the_draw_that_it_knows() -> None:
    player = bot("AC", "2S")
    player.see(crisp_view(turn=1, left=1), ())
    view = crisp_view("draw", "take", left=0, discards=2, top="5D")
    player.see(crisp_view(turn=1, left=0, discards=1, top="9H"), ())
    assert answer(player, view) == Act("take")


def test_it_uses_a_right_to_look_in_anothers_turn() -> None:
    right = Choice("look", "", (("right",),))
    assert answer(bot(), crisp_view(right, turn=1)) == Act("look", ("right",))


def test_it_calls_with_a_hand_that_is_hardly_beaten() -> None:
    player = bot("AC", "2S")
    player.see(crisp_view(drawn="AH"), [draws(0)])
    player.see(crisp_view(turn=1), [swaps(0, "middle")])
    assert answer(player, crisp_view("crisp", turn=1)) == Act("crisp")


def test_it_lets_the_call_be_with_a_hand_that_is_easily_beaten() -> None:
    assert answer(bot("TC", "9S"), crisp_view("crisp", turn=1)) is None


def test_it_does_not_call_against_a_hand_it_knows_to_be_lower() -> None:
    player = bot("AC", "2S")
    for slot in SLOTS:
        player.see(crisp_view(turn=1), [queens(0, "left", 1, slot)])
        player.see(crisp_view(own=("AD", None, None)), ())
    assert answer(player, crisp_view("crisp", turn=1)) is None


@pytest.mark.parametrize("level", ["easy", "normal", "hard"])
def test_it_calls_at_the_latest_when_twelve_laps_brought_nothing(level: str) -> None:
    player = bot("TC", "9S", level)
    called = []
    for _ in range(LAST_LAP):
        player.see(crisp_view(turn=0), ())
        called.append(answer(player, crisp_view("crisp", turn=1)))
    assert called == [None] * (LAST_LAP - 1) + [Act("crisp")]


def test_easy_waits_longer_with_a_call_than_hard() -> None:
    answers = {}
    for level in ("easy", "hard"):
        player = bot("3C", "4S", level)
        player.see(crisp_view(turn=0, drawn="4H"), [draws(0)])
        player.see(crisp_view(turn=1), [swaps(0, "middle")])
        answers[level] = answer(player, crisp_view("crisp", turn=1))
    assert answers == {"easy": None, "hard": Act("crisp")}
