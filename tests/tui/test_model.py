"""The screen as a value: what messages and keys make of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from crisp_lan.game.rules import Act, Choice, Clock, Note, Tag, Text, View
from crisp_lan.net.messages import Bye, Hello, No, Pong, Show, Welcome
from crisp_lan.tui import model, picking, pressing
from crisp_lan.tui.model import Quit, Screen, Send, Wish, left, lost, recent, see
from crisp_lan.tui.picking import removal
from crisp_lan.tui.pressing import press
from tests.tui import views


def again(
    screen: Screen, at: float = 0.0, view: Any = None, table: Any = None, **show: Any
) -> Screen:
    """The screen after one more Show with these changes."""
    last = screen.show
    assert last is not None
    plain = {name: getattr(last, name) for name in last.__struct_fields__}
    plain |= {"version": last.version + 1, "notes": ()} | show
    if view is not None:
        assert last.view is not None
        plain["view"] = replace(last.view, **view)
    if table is not None:
        plain["table"] = replace(last.table, **table)
    return see(screen, Show(**plain), at)


def keys(screen: Screen, *pressed: str, at: float = 10.0) -> tuple[Screen, Wish | None]:
    wish = None
    for key in pressed:
        screen, wish = press(screen, key, at)
    return screen, wish


def acted(screen: Screen, *pressed: str) -> Wish | None:
    return keys(screen, *pressed)[1]


# ---------------------------------------------------------------- keys and choices


def removing(lobby: bool = False) -> Screen:
    """The host, who is about to take Ayu from the table."""
    return keys(views.lobby(3) if lobby else views.holding(3), "m", "2")[0]


@pytest.mark.parametrize("lobby", [True, False])
def test_the_host_is_asked_before_somebody_is_taken_from_the_table(lobby: bool) -> None:
    asked = removing(lobby)
    assert removal(asked).startswith("Take Ayu from the table?")
    assert ("for good" in removal(asked)) == (not lobby)
    assert keys(asked, "1", at=12.0)[1] == Send(Act("remove", (1,)))
    for key in ("2", "escape", "enter", "3"):
        after, wish = keys(asked, key, at=12.0)
        assert wish is None
        assert bool(removal(after)) == (key in ("enter", "3"))


def test_a_digit_pressed_twice_takes_nobody_from_the_table() -> None:
    picks = ((0,), (2,))
    screen = again(views.holding(3), table={"choices": (replace(views.REMOVE, picks=picks),)})
    screen, _wish = press(keys(screen, "m")[0], "1", 10.0)
    screen, wish = press(screen, "1", 10.1)
    assert wish is None
    assert removal(screen).startswith("Take Lea from the table?")


def test_nobody_is_asked_about_somebody_who_has_gone() -> None:
    asked = removing()
    assert not removal(again(asked, table={"choices": (replace(views.REMOVE, picks=((2,),)),)}))


def test_a_key_sends_the_choice_it_stands_for() -> None:
    assert acted(views.holding(2), "x") == Send(Act("discard"))
    assert acted(views.window(2), "c") == Send(Act("crisp"))


def test_a_key_without_a_choice_does_nothing() -> None:
    assert acted(views.holding(2), "d") is None
    assert acted(views.holding(2), "1") is None


def test_a_choice_with_places_asks_which_and_a_digit_answers() -> None:
    screen, wish = keys(views.holding(2), "s")
    assert wish is None
    assert [c.label for c in picking.candidates(screen)] == ["left", "middle", "right"]
    assert picking.question(screen) == "Which card?"
    assert acted(screen, "2") == Send(Act("swap", ("middle",)))


def test_a_place_keeps_its_digit_when_others_are_not_on_offer() -> None:
    two_of_three = replace(views.LOOK, picks=(("middle",), ("right",)))
    screen, _wish = keys(again(views.first_look(2), view={"choices": (two_of_three,)}), "l")
    assert [(c.key, c.label) for c in picking.candidates(screen)] == [
        ("2", "middle"),
        ("3", "right"),
    ]
    assert acted(screen, "1") is None
    assert acted(screen, "3") == Send(Act("look", ("right",)))


def test_the_queen_is_picked_step_by_step() -> None:
    screen, _wish = keys(views.holding(4, "QH"), "u", "1")
    assert picking.question(screen) == "Which player?"
    assert [(c.key, c.label) for c in picking.candidates(screen)] == [
        ("2", "Ayu"),
        ("3", "Ben"),
        ("4", "Chandra"),
    ]
    screen, _wish = keys(screen, "3")
    assert [(c.label, c.spot) for c in picking.chosen(screen)] == [("left", (0, 0)), ("Ben", None)]
    assert picking.question(screen) == "Which of their cards?"
    assert [c.spot for c in picking.candidates(screen)] == [(2, 0), (2, 1), (2, 2)]
    assert acted(screen, "3") == Send(Act("queen", ("left", 2, "right")))


def test_arrows_and_enter_pick_as_well() -> None:
    assert acted(views.holding(2), "s", "right", "right", "enter") == Send(Act("swap", ("right",)))
    assert acted(views.holding(2), "s", "left", "enter") == Send(Act("swap", ("right",)))


@pytest.mark.parametrize("back", ["escape", "backspace"])
def test_a_step_is_taken_back_and_then_the_choice(back: str) -> None:
    screen, _wish = keys(views.holding(4, "QH"), "u", "1", back)
    assert screen.picking is not None
    assert screen.picking.picks == ()
    screen, _wish = keys(screen, back)
    assert screen.picking is None


def test_another_choice_may_be_made_in_the_middle_of_one() -> None:
    assert acted(views.holding(2), "s", "x") == Send(Act("discard"))


def test_what_is_being_picked_stays_while_it_is_offered() -> None:
    picking, _wish = keys(views.holding(4, "QH"), "u", "1")
    assert again(picking, version=9).picking == picking.picking
    assert again(picking, view={"choices": (views.DRAW,)}).picking is None


def test_cards_are_marked_in_any_order_and_played_together() -> None:
    screen, _wish = keys(views.climbing(), "y", "3", "2")
    assert acted(screen, "enter") == Send(Act("play", ("2", "2")))


def test_a_mark_is_taken_back_by_the_same_key() -> None:
    assert acted(views.climbing(), "y", "2", "3", "3", "enter") == Send(Act("play", ("2",)))


def test_cards_beyond_the_tenth_are_marked_with_arrows_and_space() -> None:
    pressed = ["y", *["left"] * 3, "space", "left", "space", "left", "space", "enter"]
    assert acted(views.climbing(), *pressed) == Send(Act("play", ("9", "9", "9")))
    assert acted(views.climbing(), "y", "12", "14", "enter") == Send(Act("play", ("9", "9")))


def test_any_marked_cards_are_sent_and_stay_marked_when_the_host_says_why_not() -> None:
    screen, wish = keys(views.climbing(), "y", "2", "1", "enter")
    assert wish == Send(Act("play", ("1", "2")))
    assert keys(screen, "3")[0].picking == screen.picking
    why = Text("A run needs the same length: {n}.", {"n": 4})
    screen = model.see(screen, No(1, why), 10.0)
    assert model.word(screen, 10.0) == "A run needs the same length: 4."
    assert screen.picking.marked == {0, 1}
    assert acted(screen, "1", "3", "enter") == Send(Act("play", ("2", "2")))


def test_marks_are_gone_once_the_cards_are_played_even_where_the_same_is_offered_again() -> None:
    screen, _wish = keys(views.climbing(), "y", "1", "enter")
    assert again(screen, version=9).picking == screen.picking
    assert again(screen, done=screen.show.done + 1).picking is None


def test_nothing_is_sent_while_nothing_is_marked() -> None:
    screen, wish = keys(views.climbing(), "y", "enter")
    assert wish is None
    assert model.word(screen, 10.0) == "Mark the cards."
    assert model.word(screen, 10.0 + model.WORD_AGE) == ""


def test_a_card_is_picked_by_any_of_its_places_in_the_hand() -> None:
    pairs = Choice("play", "Play", (("2", "2"), ("5", "5")), key="y")
    screen = again(views.climbing(), view={"choices": (pairs,)})
    assert acted(screen, "y", "3") == Send(Act("play", ("2", "2")))


def test_what_is_a_number_itself_is_picked_by_that_number() -> None:
    bids = (*((rank, "61") for rank in "3KJ72"), ("2", "75"), ("2", "110"))
    screen = again(views.trick(), view={"choices": (Choice("bid", "Bid", bids, key="i"),)})
    asked, _wish = keys(screen, "i")
    numbered = {candidate.pick: candidate.key for candidate in picking.candidates(asked)}
    assert numbered == {"3": "3", "K": "1", "J": "4", "7": "7", "2": "2"}
    assert acted(screen, "i", "3") == Send(Act("bid", ("3", "61")))
    assert acted(screen, "i", "2") is None
    assert acted(screen, "i", "2", "75") == Send(Act("bid", ("2", "75")))


def test_choices_without_a_free_key_get_a_letter_of_their_name() -> None:
    offered = tuple(Choice(name, name) for name in ("quit", "queue", "u", "u2"))
    screen = again(views.holding(2), view={"choices": offered}, table={"choices": ()})
    assert [key for key, _choice in model.keyed(screen)] == ["u", "e", "b", "c"]


def test_options_levels_and_players_are_picked_as_words() -> None:
    screen, _wish = keys(views.lobby(2), "o")
    assert [c.label for c in picking.candidates(screen)] == ["limit", "draw time", "take discard"]
    assert acted(screen, "1", "2") == Send(Act("set", ("limit", "150")))
    assert acted(views.lobby(2), "b", "3") == Send(Act("bot", ("hard",)))


# ---------------------------------------------------------------- one act at a time


def test_nothing_is_sent_before_the_last_act_was_answered() -> None:
    screen, _wish = keys(views.holding(2), "x")
    assert acted(screen, "s", "1") is None
    assert acted(again(screen), "s", "1") is None
    assert acted(again(screen, done=4), "s", "1") == Send(Act("swap", ("left",)))
    assert acted(again(screen, offer=6), "s", "1") == Send(Act("swap", ("left",)))
    refused = see(screen, No(4, Text("It is not your turn.")), 0.0)
    assert acted(refused, "s", "1") == Send(Act("swap", ("left",)))


def test_coming_back_to_the_table_lets_act_again() -> None:
    screen, _wish = keys(views.holding(2), "x")
    back = again(see(lost(screen, 11.0), Welcome("token", (), 1), 15.0), 15.0)
    assert acted(back, "s", "1") == Send(Act("swap", ("left",)))


def test_a_key_held_down_acts_once() -> None:
    screen, wish = press(views.lobby(2), "r", 0.0)
    assert wish == Send(Act("ready"))
    unready = Choice("unready", "Not ready yet", key="r")
    screen = again(screen, 0.02, table={"choices": (unready,)}, offer=6, done=4)
    for tick in range(1, 100):
        screen, wish = press(screen, "r", 0.5 + tick * 0.03)
        assert wish is None
    assert press(screen, "r", 10.0)[1] == Send(Act("unready"))


def test_who_taps_the_same_key_in_vain_acts_with_the_next_tap() -> None:
    screen, _wish = press(views.lobby(2), "r", 0.0)
    screen, wish = press(again(screen, 0.02, offer=6, done=4), "r", 0.6)
    assert wish is None
    assert press(screen, "r", 0.9)[1] == Send(Act("ready"))


def test_the_same_key_acts_again_after_another() -> None:
    screen, _wish = press(views.lobby(2), "r", 0.0)
    screen = again(screen, 0.02, offer=6, done=4)
    screen, _wish = press(screen, "left", 0.1)
    assert press(screen, "r", 0.2)[1] == Send(Act("ready"))
    assert keys(again(screen, offer=7), "r", pressing.RELEASE, at=0.2)[0].held == ""


def test_a_choice_of_the_round_with_one_way_left_is_made_at_once() -> None:
    assert acted(views.first_look(2), "l") == Send(Act("look", ("right",)))
    assert acted(views.first_look(2), "h") == Send(Act("close", ("left",)))
    assert acted(views.lobby(2), "m") is None


@pytest.mark.parametrize("key", ["enter", "1"])
def test_a_key_held_down_takes_one_step_of_a_choice(key: str) -> None:
    screen, wish = press(views.holding(4, "QH"), "u", 0.0)
    for tick in (0.0, *(0.4 + 0.03 * n for n in range(50))):
        screen, wish = press(screen, key, 1.0 + tick)
        assert wish is None
    assert screen.picking is not None
    assert screen.picking.picks == ("left",)
    assert press(screen, "2", 3.0)[0].picking.picks == ("left", 1)  # type: ignore[union-attr]


def test_the_same_key_in_a_hurry_takes_two_steps_but_never_a_whole_queen() -> None:
    screen, _wish = press(views.holding(4, "QH"), "u", 0.0)
    for at, steps in ((1.0, 1), (1.1, 2), (1.2, 2)):
        screen, wish = press(screen, "2", at)
        assert wish is None
        assert len(screen.picking.picks) == steps  # type: ignore[union-attr]


def test_a_line_of_keys_is_pressed_one_by_one_up_to_what_it_asks_for() -> None:
    queen = Act("queen", ("middle", 1, "middle"))
    line = f"{pressing.RELEASE} u 2 2 2 x"
    assert press(views.holding(4, "QH"), line, 0.0)[1] == Send(queen)


# ---------------------------------------------------------------- too early, too late


def test_a_key_that_comes_too_late_asks_the_host_which_says_by_how_much() -> None:
    closed = again(views.window(3), view={"choices": (), "clocks": ()})
    screen, wish = keys(closed, "c")
    assert wish == Send(Act("crisp"))
    told = see(screen, No(4, Text("Your call came {millis} s after.", {"millis": 210})), 11.0)
    assert model.word(told, 11.0) == "Your call came 0.21 s after."


def test_who_taps_too_early_acts_with_the_tap_that_is_in_time() -> None:
    early = again(views.holding(3), view={"choices": (views.DRAW,)})
    early = again(early, view={"choices": ()})
    soon = Text("You may start in {millis} s.", {"millis": 300})
    screen, wish = press(early, "d", 1.0)
    assert wish == Send(Act("draw"))
    screen = see(screen, No(4, soon), 1.01)
    screen, wish = press(screen, "d", 1.04)
    assert (wish, model.word(screen, 1.04)) == (None, "You may start in 0.3 s.")
    screen = again(screen, view={"choices": (views.DRAW,)})
    assert press(screen, "d", 1.3)[1] == Send(Act("draw"))


def test_a_key_of_a_choice_with_picks_or_of_the_table_is_answered_at_once() -> None:
    for screen, key in (
        (again(views.holding(3), view={"choices": ()}), "s"),
        (again(views.holding(3), table={"choices": ()}), "p"),
    ):
        after, wish = keys(screen, key)
        assert wish is None
        assert model.word(after, 10.0) == "That is not possible now."


def test_what_was_being_picked_stays_when_something_else_comes_too_late() -> None:
    screen = again(views.window(3), view={"choices": (views.LOOK,)})
    picking, _wish = keys(screen, "l")
    screen, wish = keys(picking, "c")
    assert (screen.picking, wish) == (picking.picking, Send(Act("crisp")))


def test_with_the_match_goes_what_its_keys_stood_for() -> None:
    lobby = again(again(views.window(3), table={"phase": "lobby"}, view={"choices": ()}))
    assert acted(again(lobby, table={"phase": "round"}), "c") is None
    assert acted(lost(again(views.window(3), view={"choices": ()}), 1.0), "c") is None


# ---------------------------------------------------------------- quitting and help


def test_a_player_who_quits_is_asked_once() -> None:
    screen = again(views.holding(2), table={"choices": ()})
    asked, wish = keys(screen, "q")
    assert (asked.asking, wish) == ("quit", None)
    assert acted(asked, "1") == Quit()
    assert acted(asked, "2") == Quit(leave=True)
    assert keys(asked, "escape")[0].asking == ""


def test_the_host_is_asked_what_becomes_of_the_table() -> None:
    asked, _wish = keys(views.holding(2), "q")
    assert acted(asked, "1") == Quit(end=True)
    assert acted(asked, "2") == Quit()


def test_who_has_no_seat_in_the_match_is_not_asked_to_keep_one() -> None:
    scene = views.window(3)
    late = replace(scene.players[0], playing=False, score=None)
    table = {"players": (late, *scene.players[1:]), "choices": ()}
    asked, _wish = keys(again(scene, table=table), "q")
    assert picking.quit_ways(asked) == (("Leave the table", Quit(leave=True)),)
    assert (picking.staying(asked), picking.staying(views.lobby(2))) == ("play on", "back")


def test_a_number_that_is_not_on_offer_is_answered() -> None:
    for screen in (keys(views.holding(2), "s")[0], keys(views.holding(2), "q")[0]):
        assert model.word(keys(screen, "7")[0], 10.0) == "That is not possible now."


def test_while_quitting_is_asked_no_card_is_played() -> None:
    assert acted(views.holding(2), "q", "x") is None


def test_a_held_q_asks_and_does_not_answer() -> None:
    screen = views.holding(2)
    for tick in range(20):
        screen, wish = press(screen, "q", tick * 0.03)
        assert wish is None
    assert screen.asking == "quit"


def test_who_only_watches_or_has_lost_the_table_quits_at_once() -> None:
    assert acted(views.watching(3), "q") == Quit()
    assert acted(Screen(), "q") == Quit()
    assert acted(lost(views.holding(2), 1.0), "q") == Quit()


def test_help_closes_with_any_key_and_a_choice_still_acts() -> None:
    helped, _wish = keys(views.holding(2), "?")
    assert helped.asking == "help"
    assert keys(helped, "escape")[0].asking == ""
    assert keys(helped, "?", at=20.0)[0].asking == ""
    closed, wish = keys(helped, "x")
    assert (closed.asking, wish) == ("", Send(Act("discard")))


# ---------------------------------------------------------------- the link


def test_a_lost_link_offers_nothing_and_keeps_what_was_seen() -> None:
    screen = lost(lost(views.holding(2), 5.0), 7.0)
    assert screen.lost_at == 5.0
    assert screen.view is not None
    assert model.keyed(screen) == ()
    assert see(screen, Welcome("token", (), 27477), 9.0).lost_at is None


def test_who_is_welcomed_knows_the_tables_name_and_its_passcode() -> None:
    hello = see(Screen(), Hello(1, "crisp-lan 1", "a1b2", ""), 0.0)
    met = see(hello, Welcome("token", (), 1, "Lea's\x1b table", "48\u202e2913"), 0.0)
    assert (met.table_name, met.passcode) == ("Lea's table", "482913")
    told = see(Screen(), Hello(1, "crisp-lan 1", "a1b2", "Lea's table"), 0.0)
    assert see(told, Welcome("token", (), 1), 0.0).table_name == "Lea's table"


def test_goodbye_says_why_and_whether_it_is_for_good() -> None:
    screen = see(views.holding(2), Bye(Text("The host has ended the table.")), 1.0)
    assert (screen.over, screen.farewell) == (True, "The host has ended the table.")
    assert not see(views.holding(2), Bye(Text("Back soon."), again=True), 1.0).over


def test_heartbeats_change_nothing() -> None:
    screen = views.holding(2)
    assert see(screen, Pong(3), 1.0) == screen


# ---------------------------------------------------------------- clocks


@pytest.mark.parametrize(
    ("at", "millis"), [(0.0, 31_400), (0.4, 31_000), (31.4, 0), (99.0, 0), (-50.0, 31_400)]
)
def test_time_left_counts_down_from_what_the_host_said(at: float, millis: int) -> None:
    screen = views.holding(2)
    assert left(screen, screen.clocks[0], at) == millis


def test_time_left_is_never_more_than_the_whole() -> None:
    screen = again(views.holding(2), now=0)
    assert left(screen, screen.clocks[0], 0.0) == 45_000


def test_a_pause_stops_every_clock() -> None:
    screen = again(views.holding(2), 5.0, now=105_000, table={"paused": True})
    assert left(screen, screen.clocks[0], 500.0) == 26_400
    assert model.next_change(screen, 500.0) is None


def test_my_loud_clock_comes_first_then_mine_then_everybodys() -> None:
    clocks = (
        Clock("theirs", 1, 9, 9, loud=True),
        Clock("ours", None, 20, 9),
        Clock("mine", 0, 30, 9),
        Clock("mine, loud", 0, 40, 9, loud=True),
    )
    screen = again(views.holding(2), view={"clocks": clocks})
    assert [c.name for c in screen.clocks] == ["mine, loud", "mine", "ours", "theirs"]


def test_of_others_clocks_only_the_one_on_turn_and_loud_ones_are_shown() -> None:
    clocks = (Clock("a", 1, 9, 9), Clock("b", 2, 20, 9), Clock("c", 2, 30, 9, loud=True))
    screen = again(views.holding(3), view={"turn": 1, "clocks": clocks})
    assert [clock.name for clock in screen.clocks] == ["c", "a"]
    assert lost(screen, 1.0).clocks == ()


def test_the_screen_changes_by_time_only_when_something_runs() -> None:
    assert model.next_change(views.lobby(2), 1.0) is None
    quiet = again(views.holding(2), view={"clocks": ()}, notes=())
    assert model.next_change(quiet, 1.0) == pytest.approx(model.NOTE_AGE - 1.0)
    assert model.next_change(quiet, model.NOTE_AGE + 1.0) is None
    assert model.next_change(views.holding(2), 0.0) == pytest.approx(0.4)
    window = views.window(2)
    assert model.next_change(replace(window, motion=True), 0.0) == pytest.approx(0.1)
    assert model.next_change(window, 0.0) == pytest.approx(0.5)
    assert model.next_change(lost(quiet, 100.0), 100.25) == pytest.approx(0.75)


# ---------------------------------------------------------------- the bell


def test_the_bell_rings_once_when_it_becomes_my_turn() -> None:
    waiting = again(views.holding(3), view={"turn": 1})
    mine = again(waiting, view={"turn": 0})
    assert mine.alarm == waiting.alarm + 1
    assert again(mine).alarm == mine.alarm


def test_the_bell_rings_once_when_somebody_calls() -> None:
    before = again(views.holding(3), view={"turn": 1})
    assert again(before, view={"tags": (Tag(2, Text("called crisp")),)}).alarm == before.alarm
    tags = (Tag(2, Text("called crisp"), loud=True),)
    called = again(before, view={"tags": tags})
    assert called.alarm == before.alarm + 1
    assert again(called, view={"tags": tags}).alarm == called.alarm
    assert again(before, view={"tags": tags, "turn": 0}).alarm == before.alarm + 1


# ---------------------------------------------------------------- the log


def test_the_log_of_a_running_round_forgets() -> None:
    screen = again(views.holding(2), 50.0, notes=(Note("{seat} draws.", {"seat": 1}),))
    assert len(recent(screen, 50.0)) == 3
    assert recent(screen, 70.0) == ("Ayu draws.",)
    assert recent(screen, 111.0) == ()


def test_the_log_may_be_read_whole_after_the_round() -> None:
    over = again(views.holding(2), 3.0, table={"phase": "reveal"})
    assert len(recent(over, 300.0)) == 2


def test_a_new_round_begins_with_an_empty_log() -> None:
    deals = (Note("{seat} deals.", {"seat": 1}),)
    screen = again(views.holding(2), 1.0, table={"round": 4}, notes=deals)
    assert recent(screen, 1.0) == ("Ayu deals.",)


def test_names_and_sentences_from_the_network_are_made_harmless() -> None:
    note = Note("\x1b[2J{name} \u202eleaves.", {"name": "<b>{seat}%s\x07\u200b"})
    screen = again(views.holding(2), 1.0, notes=(note,))
    assert recent(screen, 1.0)[-1] == "[2J<b>{seat}%s leaves."


def test_a_view_without_a_seat_is_never_my_turn() -> None:
    view = View(None, "Play", None, ())
    screen = views.screen(views.shown(view, views.table(2), seat=None))
    assert not screen.my_turn
