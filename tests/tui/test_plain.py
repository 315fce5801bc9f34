"""The table line by line: what is said, and what a typed line means."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from crisp_lan.game.rules import Act, Choice, Clock, Note, Player, Text
from crisp_lan.net.messages import Bye, No, Welcome
from crisp_lan.tui.model import Quit, Screen, Send, Wish, judged, lost, see
from crisp_lan.tui.plain import clock_news, news
from crisp_lan.tui.pressing import press
from crisp_lan.tui.typed import heard
from tests.tui import views
from tests.tui.test_model import again, keys
from tests.tui.test_paint import text_of


def typed(screen: Screen, *lines: str) -> tuple[list[str], list[Wish]]:
    """Everything said in answer to some typed lines, and what they asked for."""
    said: list[str] = []
    wishes: list[Wish] = []
    for line in lines:
        meant = heard(screen, line, 1.0)
        said += meant.said
        if meant.keys:
            after, wish = press(screen, " ".join(meant.keys), 1.0)
            said += news(screen, after, 1.0)
            wishes += [wish] if wish else []
            screen = after
    return said, wishes


def first(screen: Screen) -> list[str]:
    return news(Screen(), screen, 0.0)


# ---------------------------------------------------------------- what is said


def test_joining_says_the_game_who_is_here_and_what_is_agreed() -> None:
    said = first(views.lobby(3))
    assert "Crisp: Three cards each, face down: the lowest total wins." in said
    assert "crisp-lan join 192.168.1.17:27477" in said
    assert "1 Lea: you, host, not ready" in said
    assert "3 Ben: bot, normal" in said
    assert "draw time: 45 s" in said
    assert said[-1].startswith("1) Ready [r]  2) Start [g]")


def test_a_round_is_told_after_what_has_led_to_it() -> None:
    lobby = views.lobby(2)
    begun = (Note("The game begins."), Note("{seat} deals.", {"seat": 1}))
    said = news(lobby, again(lobby, notes=begun, table={"phase": "round", "round": 1}), 0.0)
    assert said[:3] == ["The game begins.", "Ayu deals.", "round 1"]


def test_while_the_cards_are_shuffled_nothing_is_offered() -> None:
    lobby = views.lobby(3)
    shuffling = again(lobby, table={"phase": "shuffle", "choices": (views.REMOVE,)})
    assert not any(line.startswith("1)") for line in news(lobby, shuffling, 0.0))


def test_in_the_lobby_only_what_changes_is_said_again() -> None:
    before = views.lobby(3)
    assert news(before, again(before), 1.0) == []
    players = (*before.players[:1], views.player("Ayu", playing=False), *before.players[2:])
    after = again(before, table={"players": players, "options": (("limit", 50),)})
    assert news(before, after, 1.0) == ["2 Ayu: not ready", "limit: 50"]


def test_in_the_lobby_choices_are_told_again_when_their_numbers_change() -> None:
    before = views.lobby(2)
    assert before.show is not None
    *others, last = before.show.table.choices
    swap = Choice("exchange", "Exchange two seats", ((0, 1), (1, 0)), key="x")
    after = again(before, table={"choices": (*others, swap, last)})
    assert news(before, after, 1.0) == []
    assert news(after, before, 1.0)[-1].startswith("1) Ready [r]  2) Start [g]")
    assert news(again(before, table={"choices": tuple(others[1:])}), before, 1.0) != []


def test_a_turn_begins_with_its_clock_and_what_can_be_done() -> None:
    before = again(views.holding(2), view={"turn": 1, "choices": ()}, table={"choices": ()})
    said = news(before, again(before, view={"turn": 0, "choices": (views.DRAW, views.TAKE)}), 0.0)
    assert said == ["Your turn. Draw (you) 32 s", "1) Draw [d]  2) Take the discard [t]"]


def test_each_note_is_one_line() -> None:
    before = views.holding(2)
    after = again(before, notes=(Note("{seat} draws.", {"seat": 1}), Note("Once more.")))
    assert news(before, after, 0.0) == ["Ayu draws.", "Once more."]


def test_who_goes_away_in_a_match_and_comes_back_is_said() -> None:
    def seats(**changes: Any) -> tuple[Player, ...]:
        return (views.player("Lea"), views.player("Ayu", **changes))

    here = again(views.holding(2), table={"players": seats()})
    away = again(here, table={"players": seats(by="nobody")})
    bot = again(away, table={"players": seats(by="bot", level="normal")})
    left = again(here, table={"players": seats(by="left")})
    assert news(here, away, 0.0) == ["Ayu is away."]
    assert news(away, bot, 0.0) == ["A bot plays for Ayu."]
    assert news(bot, again(bot, table={"players": seats()}), 0.0) == ["Ayu is back."]
    assert news(here, left, 0.0) == []


def test_a_coming_that_a_note_tells_is_said_once() -> None:
    before = again(views.holding(2), table={"players": (views.player("Lea"), views.player("Ayu"))})
    players = (views.player("Lea"), views.player("Ayu", by="nobody"))
    note = Note("{seat} is away.", {"seat": 1})
    after = again(before, table={"players": players}, notes=(note,))
    assert news(before, after, 0.0) == ["Ayu is away."]


def test_a_face_is_said_when_it_comes_to_light_and_not_again() -> None:
    before = again(views.first_look(2), view={"zones": views.hands(2)})
    seen = again(before, view={"zones": views.first_look(2).view.zones})  # type: ignore[union-attr]
    assert "hand left: 7♥" in news(before, seen, 0.0)
    assert news(seen, again(seen), 0.0) == []


def test_the_crisp_window_is_said_when_it_opens() -> None:
    said = first(views.window(2))
    assert "CRISP WINDOW (YOU) 1.8 s" in said
    assert said[-1].startswith("1) Call crisp [c]")


def test_a_banner_is_said_when_it_comes_and_when_it_is_for_me() -> None:
    called = Text("{seat} called crisp: these are the last turns.", {"seat": 1})
    mine = Text("{seat} called crisp: this is your last turn.", {"seat": 1})
    before = again(views.holding(3), view={"turn": 2, "clocks": ()})
    after = again(before, view={"banner": called})
    assert news(before, after, 0.0) == ["Ayu called crisp: these are the last turns."]
    my_turn = again(after, view={"turn": 0, "banner": mine})
    assert news(after, my_turn, 0.0) == ["Ayu called crisp: this is your last turn.", "Your turn."]
    clock = Clock("next turn", 1, 9000, 2000)
    done = again(my_turn, view={"turn": 1, "banner": called, "clocks": (clock,)})
    assert news(my_turn, done, 0.0) == ["Ayu has the turn"]


def test_the_round_end_is_said_hand_by_hand() -> None:
    said = first(views.round_end(2))
    assert "1 Lea: A♣ 5♣ 9♣, total 9, crisp −5, score 12" in said
    assert "2 Ayu: 2♦ 6♦ 10♦, total 12, score 92" in said


def test_points_that_a_call_has_cost_have_their_sign() -> None:
    sheet = (("total", ((0, 9), (1, 12))), ("crisp", ((0, 5),)))
    said = first(again(views.round_end(2), view={"sheet": sheet}))
    assert "1 Lea: A♣ 5♣ 9♣, total 9, crisp +5, score 12" in said


def test_a_clock_is_said_at_ten_and_at_five_seconds() -> None:
    screen = views.holding(2)
    assert clock_news(screen, 0.0, 21.3) == []
    assert clock_news(screen, 21.3, 21.4) == ["draw: 10 s"]
    assert clock_news(screen, 21.4, 26.3) == []
    assert clock_news(screen, 26.3, 26.5) == ["draw: 5 s"]
    assert clock_news(views.final_turns(2), 0.0, 30.0) == []


def test_a_lost_and_found_table_and_a_goodbye_are_said() -> None:
    screen = views.holding(2)
    gone = lost(screen, 1.0)
    assert news(screen, gone, 5.5) == [
        "No word from the table for 4 s. Looking for it …",
        "The scores so far: Lea 12, Ayu 19.",
    ]
    assert news(gone, lost(gone, 6.0), 6.0) == []
    back = see(gone, Welcome("token", (), 27477), 3.0)
    assert news(gone, back, 3.0) == ["The table is there again."]
    why = see(screen, Bye(Text("The table was closed."), again=True), 1.0)
    assert news(screen, lost(why, 1.0), 1.0)[:2] == [
        "The table was closed.",
        "No word from the table for 0 s. Looking for it …",
    ]
    over = see(screen, Bye(Text("The host has ended the table.")), 1.0)
    assert news(screen, over, 1.0) == [
        "The host has ended the table.",
        "The scores so far: Lea 12, Ayu 19.",
    ]


def test_a_table_that_stays_lost_is_told_again_at_fixed_moments() -> None:
    gone = lost(views.holding(2), 100.0)
    told = [clock_news(gone, at - 1, at) for at in range(101, 290)]
    assert [line for lines in told for line in lines] == [
        "No word from the table for 10 s. Looking for it …",
        *(
            f"No word from the table for {n} s. Looking for it … It may be gone for good. q leaves."
            for n in (30, 60, 120, 180)
        ),
    ]
    assert typed(gone, "status")[0][0].startswith("No word from the table for ")
    lobby = views.lobby(2)
    assert news(lobby, lost(lobby, 1.0), 1.0) == [
        "No word from the table for 0 s. Looking for it …"
    ]


def test_a_refusal_is_said_each_time() -> None:
    screen = views.holding(2)
    once = see(screen, No(4, Text("It is not your turn.")), 1.0)
    assert news(screen, once, 1.0) == ["It is not your turn."]
    twice = see(once, No(5, Text("It is not your turn.")), 2.0)
    assert news(once, twice, 2.0) == ["It is not your turn."]


def test_no_line_steers_a_terminal_and_letters_are_enough() -> None:
    scenes = (views.lobby, views.first_look, views.holding, views.window, views.round_end)
    for scene in scenes:
        for line in first(scene(8, ascii=True)) + typed(scene(8, ascii=True), "status")[0]:
            assert line.isascii()
            assert line.isprintable()


# ---------------------------------------------------------------- what is typed


def test_a_choice_is_made_by_number_letter_or_name() -> None:
    for line in ("2", "x", "X", "discard"):
        assert typed(views.holding(2), line)[1] == [Send(Act("discard"))]


def test_what_a_choice_needs_is_asked_or_typed_with_it() -> None:
    said, wishes = typed(views.holding(2), "s", "3")
    assert said[0] == "Which card? 1) left  2) middle  3) right"
    assert wishes == [Send(Act("swap", ("right",)))]
    assert typed(views.holding(2), "1 3")[1] == [Send(Act("swap", ("right",)))]
    queen = Send(Act("queen", ("left", 2, "middle")))
    assert typed(views.holding(4, "QH"), "u 1 3 2")[1] == [queen]


def test_marked_cards_are_played_at_the_end_of_their_line() -> None:
    assert typed(views.climbing(), "y 12 13 14")[1] == [Send(Act("play", ("9", "9", "9")))]
    said, wishes = typed(views.climbing(), "y", "1 16")
    assert wishes == [Send(Act("play", ("1", "C")))]
    assert len(said) == 1


def test_a_line_after_a_refusal_names_all_the_cards_anew() -> None:
    sent, _wish = keys(views.climbing(), "y", "1", "2", "enter")
    refused = see(sent, No(1, Text("Two cards have to be equal.")), 1.0)
    assert news(sent, refused, 1.0) == ["Two cards have to be equal."]
    assert typed(refused, "2 3")[1] == [Send(Act("play", ("2", "2")))]
    assert typed(refused, "y 2 3")[1] == [Send(Act("play", ("2", "2")))]
    assert typed(refused, "")[1] == [Send(Act("play", ("1", "2")))]


def test_back_undoes_a_step() -> None:
    said, wishes = typed(views.holding(2), "s", "back")
    assert wishes == []
    assert said[-1] == (
        "1) Swap it in [s]  2) Discard it [x]  3) Pause [p]  4) Remove from the table [m]"
    )


def test_typing_the_same_line_twice_in_a_hurry_acts_twice() -> None:
    screen, _wish = press(views.lobby(2), "r", 1.0)
    assert typed(again(screen, done=4), "r")[1] == [Send(Act("ready"))]


def test_a_line_that_comes_too_late_is_answered_by_the_table() -> None:
    closed = again(views.window(2), view={"choices": ()})
    assert typed(closed, "c")[1] == [Send(Act("crisp"))]
    assert typed(closed, "crisp")[1] == [Send(Act("crisp"))]
    assert "That is not possible now." in typed(again(closed, table={"choices": ()}), "p")[0]


def test_a_line_that_names_another_card_than_the_one_left_does_nothing() -> None:
    assert typed(views.first_look(2), "l 3")[1] == [Send(Act("look", ("right",)))]
    said, wishes = typed(views.first_look(2), "l 1")
    assert (said[0], wishes) == ("That is not possible now.", [])


def test_whom_the_table_waits_for_is_said_once_the_player_has_seen_enough() -> None:
    before = views.round_end(4)
    seats = (replace(before.players[0], ready=True), *before.players[1:])
    after = again(before, table={"players": seats})
    assert news(before, after, 0.0) == ["Waiting for Ayu."]
    assert "Waiting for" not in text_of(before)
    assert "Waiting for Ayu." in text_of(after)
    assert "Waiting for" not in text_of(see(after, Bye(Text("The table is closed.")), 0.0))


def test_a_line_may_name_the_same_number_again_and_again() -> None:
    queen = Send(Act("queen", ("middle", 1, "middle")))
    assert typed(views.holding(4, "QH"), "u 2 2 2") == ([], [queen])


def test_before_the_table_has_answered_nothing_is_sent() -> None:
    said, wishes = typed(views.holding(2), "x", "s 1")
    assert wishes == [Send(Act("discard"))]
    assert said[-1] == "One moment: the table has not answered yet."


def test_quitting_is_asked_and_answered_by_number() -> None:
    said, wishes = typed(views.holding(2), "quit", "2")
    assert said[0] == "Quit?"
    assert wishes == [Quit()]
    assert typed(views.holding(2), "q", "1")[1] == [Quit(end=True)]
    assert typed(views.holding(2), "quit", "back", "x")[1] == [Send(Act("discard"))]


def test_the_table_code_and_the_passcode_are_told_by_a_word() -> None:
    locked = views.locked(views.lobby(2))
    code = "Table code: 8968 0302 4493 4543 6626 (the same on every screen here)"
    assert typed(locked, "code")[0] == [code, "Passcode: 482913"]
    assert typed(replace(locked, passcode=""), "code")[0] == [code]
    assert "Passcode: 482913" in news(Screen(), locked, 1.0)


def test_hand_scores_status_and_help_are_always_answered() -> None:
    assert typed(views.first_look(2), "hand")[0] == [
        "hand: 1 left 7♥ (looking), 2 middle face down, 3 right face down (may look)"
    ]
    assert typed(views.climbing(["2", "2", "5"]), "hand")[0] == ["hand: 1) 2, 2) 2, 3) 5"]
    assert typed(views.holding(2), "hand")[0][-1] == "drawn: 4♠ (from the draw pile)"
    assert typed(views.holding(2), "scores")[0] == ["1 Lea: 12", "2 Ayu: 19", "up to 100"]
    assert typed(views.lobby(2), "scores")[0][0] == "Ayu: 31"
    status = typed(views.holding(3), "status")[0]
    assert "1 Lea: your turn" in status
    assert "draw pile: 39 cards" in status
    assert "discard pile: 3 cards, 10♦" in status
    assert typed(views.holding(2), "help")[0][-1] == "hand scores status say code help back quit"
    assert typed(Screen(), "hand", "scores", "status", "help")[1] == []


def test_the_host_is_asked_before_somebody_is_taken_from_the_table() -> None:
    asked = "Take Ayu from the table? The seat is gone for good."
    ways = "1) Yes, remove  2) No"
    for lines in (("m 2",), ("m", "2")):
        said, wishes = typed(views.holding(3), *lines)
        assert (said[-2:], wishes) == ([asked, ways], [])
        assert typed(views.holding(3), *lines, "1")[1] == [Send(Act("remove", (1,)))]
        assert typed(views.holding(3), *lines, "2")[1] == []
        said, wishes = typed(views.holding(3), *lines, "back")
        assert (said[-1], wishes) == ("Which player? 2) Ayu  3) Ben", [])


def test_a_pause_is_said_once_with_who_can_go_on() -> None:
    before = views.holding(3)
    asks = Text("{seat} asks for a pause.", {"seat": 1})
    asked = again(before, table={"banner": asks}, notes=(Note(asks.key, asks.values),))
    assert news(before, asked, 0.0) == ["Ayu asks for a pause."]
    can = Text("{seat} has paused the game, and can go on.", {"seat": 0})
    paused = again(asked, table={"paused": True, "banner": can}, view={"choices": ()})
    assert "Lea has paused the game, and can go on." in news(asked, paused, 0.0)


def test_an_empty_line_says_what_can_be_done() -> None:
    assert typed(views.window(2), "")[0] == [
        "1) Call crisp [c]  2) Pause [p]  3) Remove from the table [m]"
    ]
    assert typed(views.watching(2), "")[0] == ["Nothing to do for you now."]


def test_a_line_that_means_nothing_is_answered() -> None:
    said, wishes = typed(views.holding(2), "fold \x1b[2J")
    assert said[0] == "“fold” means nothing now. Type help."
    assert wishes == []


def test_what_was_found_of_a_deal_is_a_line() -> None:
    before = views.round_end(3)
    after = judged(before, Text("Deal checked."), fits=True, at=2.0)
    assert news(before, after, 2.0) == ["Deal checked."]
    assert news(after, after, 3.0) == []


def test_a_choice_can_be_typed_by_its_first_letters() -> None:
    screen = views.holding(3, "QH")
    for line in ("use", "quee 1 2 3", "queen left ayu right", "u le 2 ri"):
        sent = typed(screen, line)[1]
        assert sent in ([], [Send(Act("queen", ("left", 1, "right")))])
    assert typed(screen, "discard")[1] == typed(screen, "dis")[1] == [Send(Act("discard"))]
    assert typed(views.holding(3), "swap mid")[1] == [Send(Act("swap", ("middle",)))]


def test_first_letters_that_several_choices_have_are_asked_about() -> None:
    said, wishes = typed(views.lobby(2), "re")
    assert said[0] == "“re” may be: Ready, Remove from the table."
    assert wishes == []
    assert typed(views.lobby(2), "rea")[1] == [Send(Act("ready"))]


def test_what_can_be_done_next_is_said_after_each_own_act_even_if_it_is_the_same() -> None:
    screen = again(views.trick(), table={"choices": ()})
    sent, wish = press(screen, "y", 1.0)
    sent, wish = press(sent, "1", 1.0)
    assert wish == Send(Act("play", ("AS",)))
    taken = again(sent, done=4, offer=6)
    assert news(sent, taken, 1.0)[-1].startswith("1) Play a card [y]")
    assert news(taken, again(taken), 1.0) == []


def test_the_lobby_says_what_options_change_who_watches_and_how_the_evening_stands() -> None:
    said = first(views.evening(3))
    assert "limit: 100 (Points that end the game)" in said
    assert "Watching: Eve, Wira" in said
    alone = again(views.evening(3), watchers=("Wira",))
    assert news(views.evening(3), alone, 1.0) == ["Watching: Wira"]
    assert news(alone, again(alone, watchers=()), 1.0) == ["Nobody is watching any more."]
    crowd = again(alone, watchers=("Eve", "Wira", "Tono", "Sari", "Nina"))
    assert news(alone, crowd, 1.0) == ["Watching: Eve, Wira, Tono +2"]
    assert typed(views.evening(3), "scores")[0][-1] == (
        "This evening: Ayu 2 of 3 won, Lea 1 of 3 won, Ben 0 of 2 won"
    )
    assert "Watching: Eve, Wira" in typed(views.evening(3), "status")[0]
