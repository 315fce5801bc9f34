"""Saying something: by a key or a line, to all, and no key of the game meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from crisp_lan.game.rules import Act, Text
from crisp_lan.net.messages import MOST_SAID, PHRASES, No
from crisp_lan.tui.lines import phrase_lines
from crisp_lan.tui.model import TALK, Screen, Send, Speak, lost, see
from crisp_lan.tui.pressing import press
from crisp_lan.tui.typed import heard
from tests.tui import views
from tests.tui.test_model import again, keys
from tests.tui.test_paint import text_of


def typing(screen: Screen, text: str) -> Screen:
    return keys(screen, TALK, *("space" if sign == " " else sign for sign in text))[0]


def test_a_digit_says_a_phrase() -> None:
    for n, phrase in enumerate(PHRASES, 1):
        screen, wish = keys(views.holding(2), TALK, str(n))
        assert wish == Speak(phrase)
        assert screen.saying is None


def test_own_words_are_said_as_they_are_typed() -> None:
    screen, wish = press(typing(views.holding(2), "Dx? q 1s"), "enter", 11.0)
    assert wish == Speak("Dx? q 1s")
    assert screen.saying is None
    assert keys(views.holding(2), TALK, "space", "3", "enter")[1] == Speak("3")


@pytest.mark.parametrize("scene", [views.lobby, views.holding, views.window, views.round_end])
def test_no_key_does_anything_else_while_something_is_said(
    scene: Callable[[int], Screen],
) -> None:
    before = scene(3)
    screen, _wish = keys(before, TALK, "x")
    for key in "abcdefghijklmnopqrstuvwxyz?0123456789":
        screen, wish = press(screen, key, 12.0)
        assert wish is None
    for key in ("up", "left", "@key.1", "pageup"):
        assert press(screen, key, 12.0) == (screen, None)
    assert (screen.picking, screen.asking, screen.sent) == (None, "", None)
    assert press(screen, "escape", 12.0)[0].saying is None


def test_words_can_be_taken_back_sign_by_sign_and_are_not_too_long() -> None:
    screen = typing(views.holding(2), "ab")
    assert keys(screen, "backspace")[0].saying == "a"
    assert keys(screen, "backspace", "backspace", "backspace")[0].saying is None
    assert keys(screen, "backspace", "backspace", "enter")[1] is None
    long = typing(views.holding(2), "y" * (MOST_SAID + 9))
    assert keys(long, "enter")[1] == Speak("y" * MOST_SAID)


def test_words_may_begin_with_the_letter_that_begins_them() -> None:
    assert typing(views.holding(2), f"{TALK}nd so").saying == f"{TALK}nd so"


def test_a_choice_that_is_being_made_is_still_there_afterwards() -> None:
    picking, _wish = keys(views.holding(2), "s")
    screen, _wish = keys(picking, TALK, "1")
    assert screen.picking == picking.picking
    assert keys(screen, "1")[1] == Send(Act("swap", ("left",)))


def test_watchers_and_who_has_lost_the_table_cannot_talk() -> None:
    for screen in (views.watching(3), lost(views.holding(2), 1.0)):
        assert keys(screen, TALK)[0].saying is None
        assert heard(screen, "say hello", 1.0).keys == ()
        assert "talk" not in text_of(screen)
    assert lost(typing(views.holding(2), "x"), 1.0).saying is None


def test_words_that_are_refused_leave_an_act_on_its_way() -> None:
    sent, wish = keys(again(views.holding(2), view={"choices": (views.DRAW,)}), "d")
    assert isinstance(wish, Send)
    refused = see(sent, No(0, Text("You say a lot at once. Wait a moment.")), 11.0)
    assert refused.sent == sent.sent is not None
    assert refused.word.startswith("You say a lot")


def test_a_line_says_what_follows_the_word_as_it_is() -> None:
    screen = views.holding(2)
    for line, said in (
        ("say Du bist dran", "Du bist dran"),
        ("SAY d", "d"),
        ("say 2", PHRASES[1]),
        ("say 99", "99"),
        (f"{TALK} quit", "quit"),
    ):
        meant = heard(screen, line, 1.0)
        assert press(screen, " ".join(meant.keys), 1.0)[1] == Speak(said)


def test_the_word_alone_tells_what_can_be_said() -> None:
    assert heard(views.holding(2), "say", 1.0).said == tuple(phrase_lines())
    assert phrase_lines()[0].startswith("1) Good call!  2) ")


def test_a_line_may_talk_while_the_table_has_not_answered() -> None:
    sent, _wish = keys(again(views.holding(2), view={"choices": (views.DRAW,)}), "d")
    assert heard(sent, "say 1", 11.0).keys == ("say Good call!",)
