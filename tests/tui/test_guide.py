"""The guided round: what is explained when, to whom, and how it ends.

After a change that is meant: `CRISP_LAN_GOLDEN=write ./play test tests/tui/test_guide.py`
writes the screens of golden/guide/ anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from crisp_lan.game.rules import Choice, Note, Player
from crisp_lan.lessons import Learned, lessons
from crisp_lan.net.messages import Show
from crisp_lan.tui.guide import LEAVE, READ, Guide, is_over, lesson
from crisp_lan.tui.model import Screen, Send, next_change, see
from crisp_lan.tui.paint import rows
from crisp_lan.tui.plain import news
from crisp_lan.tui.pressing import press
from crisp_lan.tui.typed import heard
from crisp_lan.words import LANGUAGES
from tests.tui import views
from tests.tui.test_paint import text_of

GOLDEN = Path(__file__).parent / "golden" / "guide"
NEXT = Choice("next", "Go on", key="n")
FIRST_LOOK = "choice look"


def new(language: str = "en", learned: Learned | None = None) -> Guide:
    return Guide(lambda game: lessons(game, language), learned or Learned())


def alone(count: int = 4) -> tuple[Player, ...]:
    """A player, and bots."""
    bots = [replace(one, by="bot", level="normal") for one in views.players(count)[1:]]
    return (views.players(count)[0], *bots)


def shown(phase: str, *choices: Choice, notes: tuple[Note, ...] = (), **changes: object) -> Show:
    """What a player alone with three bots is shown."""
    table = views.table(4, players=alone(), choices=(NEXT, views.END))
    view = replace(views.holding(4).view, phase=phase, choices=choices, clocks=())  # type: ignore[type-var]
    return views.shown(view, table, notes=notes, **changes)  # type: ignore[arg-type]


def newcomer(show: Show, **learned: frozenset[tuple[str, str]]) -> Screen:
    return see(Screen(guide=new(learned=Learned(**learned))), show, 0.0)  # type: ignore[arg-type]


LOOKING = shown("First look", views.LOOK, views.READY)
DRAWING = shown("Play", views.DRAW)
HOLDING = shown("Play", views.SWAP, views.DISCARD)
WAITING = shown("Play")


def told(screen: Screen, at: float = 0.0) -> str:
    """The beginning of what is explained."""
    return lesson(screen.guide, at)[:12]


def test_a_lesson_comes_when_its_occasion_comes_first_and_names_the_keys() -> None:
    screen = newcomer(LOOKING)
    assert "[l] and 3" in lesson(screen.guide, 0.0)
    assert screen.guide.learned.heard == {("crisp", "phase First look")}
    drawing = see(screen, DRAWING, 20.0)
    assert lesson(drawing.guide, 20.0).startswith("Your turn: [d]")
    waiting = see(drawing, WAITING, 21.0)
    assert told(waiting, 60.0) == ""


def test_what_a_player_had_once_is_not_explained_again() -> None:
    had = frozenset({("crisp", "choice draw")})
    assert told(newcomer(DRAWING, heard=had)) == ""
    assert told(newcomer(HOLDING, heard=had)) == "Few points a"


def test_what_may_be_done_now_is_explained_at_once_and_the_rest_when_there_is_time() -> None:
    final = newcomer(shown("Final turns"))
    assert told(final) == "Crisp was ca"
    jack = Choice("jack", "Use the Jack: look at your middle card", key="u")
    assert told(see(final, shown("Final turns", jack, views.DISCARD), 1.0), 1.0) == "A Jack! [u] "
    both = newcomer(shown("First look", views.LOOK, views.READY, views.DRAW))
    assert told(both) == "Your turn: ["


def test_a_note_is_an_occasion() -> None:
    yours = Note("You may look at your new {slot} card.", {"slot": "left"}, (0,))
    assert told(newcomer(shown("Play", views.LOOK, notes=(yours,)))) == "A Queen has "


def test_a_lesson_waits_for_the_keys_that_it_names() -> None:
    assert told(newcomer(shown("First look", views.READY))) == ""


def test_a_lesson_that_time_has_ended_may_still_be_read() -> None:
    window = newcomer(shown("Play", views.CALL))
    over = see(window, WAITING, 3.0)
    assert told(over, 3.0) == told(window) == "After each t"
    assert next_change(over, 3.0) == pytest.approx(READ - 3.0)
    assert told(over, READ) == ""


def test_who_has_done_what_a_lesson_tells_needs_it_no_more() -> None:
    drawing = newcomer(DRAWING, heard=frozenset({("crisp", "choice swap")}))
    acting, wish = press(drawing, "d", 1.0)
    assert isinstance(wish, Send)
    held = see(acting, shown("Play", views.SWAP, offer=6, done=4), 1.1)
    assert told(held, 1.1) == ""


def test_who_may_do_it_again_at_once_has_understood_all_the_same() -> None:
    acting, _wish = press(newcomer(DRAWING), "d", 1.0)
    again = see(acting, shown("Play", views.DRAW, offer=6, done=4), 1.1)
    assert told(again, 1.1) == ""


def test_a_lesson_stays_while_something_of_it_is_to_be_done() -> None:
    looking, _wish = press(newcomer(LOOKING), "l", 0.5)
    looking, wish = press(looking, "1", 0.6)
    assert isinstance(wish, Send)
    looked = see(looking, shown("First look", views.READY, offer=6, done=4), 1.0)
    assert told(looked, 20.0) == "Welcome! Thr"
    ready, wish = press(looked, "r", 20.0)
    assert isinstance(wish, Send)
    assert told(see(ready, shown("First look", offer=7, done=5), 20.1), 20.1) == ""


def test_one_key_ends_it_for_good_and_says_so() -> None:
    screen, wish = press(newcomer(LOOKING), LEAVE, 1.0)
    assert wish is None
    assert screen.word.startswith("No more hints")
    assert told(screen, 1.0) == ""
    assert told(see(screen, DRAWING, 2.0), 2.0) == ""
    assert is_over(screen.guide, "crisp")
    assert not is_over(screen.guide, "briscola")
    again, _wish = press(screen, LEAVE, 3.0)
    assert again.guide == screen.guide


def test_it_is_over_at_the_end_of_the_round() -> None:
    screen = newcomer(DRAWING)
    assert not is_over(screen.guide, "crisp")
    assert is_over(see(screen, shown("Reveal"), 9.0).guide, "crisp")
    assert is_over(new(), "highest")


@pytest.mark.parametrize("seat", [0, None])
def test_among_people_and_for_watchers_nothing_is_explained(seat: int | None) -> None:
    people = views.table(4, choices=(NEXT,))
    around = people if seat == 0 else LOOKING.table
    screen = newcomer(views.shown(LOOKING.view, around, seat))
    assert told(screen) == ""
    assert press(screen, LEAVE, 1.0)[0].word == ""


def test_a_key_of_the_help_or_a_question_is_not_hidden_by_a_lesson() -> None:
    screen = newcomer(LOOKING)
    assert "Welcome!" in text_of(screen)
    for key in ("?", "q"):
        assert "Welcome!" not in text_of(press(screen, key, 1.0)[0])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (100, 30), (60, 16)])
def test_the_table_and_its_clocks_stay_in_sight(language: str, columns: int, lines: int) -> None:
    for one in lessons("crisp", language):
        window = replace(views.window(8), guide=replace(new(), lesson=one, words=one.words))
        window = replace(window, guide=replace(window.guide, holds=True))
        shown = ["".join(text for _, text in row) for row in rows(window, columns, lines, 1.0)]
        whole = " ".join(" ".join(shown).replace("┃", "").split())
        assert one.words in whole
        assert "[c] Call crisp" in whole
        assert "CRISP WINDOW" in whole
        assert len(shown) == lines


# ---------------------------------------------------------------- line by line


def test_line_by_line_a_lesson_is_one_line_and_the_first_says_how_to_end_it() -> None:
    before = Screen(guide=new())
    screen = see(before, LOOKING, 0.0)
    lines = news(before, screen, 0.0)
    assert lines[-2].startswith("Hint: Welcome!")
    assert lines[-1] == "Type - for no more hints."
    then = news(screen, see(screen, DRAWING, 20.0), 20.0)
    assert then[-1].startswith("Hint: Your turn: [d]")
    acting, _wish = press(screen, "r", 1.0)
    waiting = see(acting, shown("Play", offer=6, done=4), 1.0)
    assert news(waiting, see(waiting, DRAWING, 20.0), 20.0)[-1] == then[-1]


def test_line_by_line_a_dash_ends_the_hints() -> None:
    screen = newcomer(LOOKING)
    left, _wish = press(screen, " ".join(heard(screen, "-", 1.0).keys), 1.0)
    assert news(screen, left, 1.0) == [left.word]
    assert left.word.startswith("No more hints")


# ---------------------------------------------------------------- the rules of the moment


def test_help_has_the_rules_of_the_moment_and_turns_its_pages() -> None:
    screen, _wish = press(newcomer(DRAWING), "?", 1.0)
    first = text_of(screen)
    assert "Turns go clockwise. You draw the top card" in first
    assert "[Space] next page (1 of 2)" in first
    then, wish = press(screen, "space", 2.0)
    assert wish is None
    assert "whose turn it is" in text_of(then)
    for keys in (("space", "space"), ("space", "up")):
        turned = screen
        for key in keys:
            turned, _wish = press(turned, key, 2.0)
        assert text_of(turned) == first
    assert press(then, "escape", 3.0)[0].asking == ""


def test_help_says_why_at_each_moment() -> None:
    for show, part in (
        (LOOKING, "The first look"),
        (shown("Play", views.CALL), "Calling crisp"),
        (shown("Play", views.queen((1, 2))), "Jack, Queen and King"),
        (shown("Reveal"), "Points"),
    ):
        lines = text_of(press(newcomer(show), "?", 1.0)[0]).splitlines()
        assert part in [line.strip() for line in lines]


def test_line_by_line_help_ends_with_the_rules_of_the_moment() -> None:
    said = heard(newcomer(DRAWING), "help", 1.0).said
    assert "Your turn" in said
    assert said[-1].startswith("– Use it, if it is a Jack")


# ---------------------------------------------------------------- as it looks


def at_table(scene: Screen, language: str) -> Screen:
    """A scene, for a newcomer who is alone with bots."""
    assert scene.show is not None
    table = replace(scene.show.table, players=alone(4))
    show = views.shown(scene.view, table, notes=scene.show.notes)
    return views.screen(show, guide=new(language))


@pytest.mark.parametrize("speak", LANGUAGES, indirect=True)
@pytest.mark.parametrize("scene", ["first-look", "window", "help"])
def test_a_screen_looks_as_it_was_approved(scene: str, speak: str) -> None:
    of = {"first-look": views.first_look, "window": views.window, "help": views.holding}[scene]
    screen = at_table(of(4), speak)
    if scene == "help":
        screen, _wish = press(screen, "?", 0.5)
    text = "".join(f"{line.rstrip()}\n" for line in text_of(screen).splitlines())
    file = GOLDEN / f"{scene}-{speak}-80x24.txt"
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        file.write_text(text, encoding="utf-8")
    assert text == file.read_text(encoding="utf-8")


def test_no_golden_screen_is_left_over() -> None:
    scenes = ("first-look", "window", "help")
    wanted = {f"{scene}-{language}-80x24" for scene in scenes for language in LANGUAGES}
    assert {file.stem for file in GOLDEN.glob("*.txt")} == wanted
