"""What the painter guarantees for any screen, any name and any window."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_toolkit.utils import get_cwidth

from crisp_lan.game.rules import Choice, Clock, Note, Tag, Text, Zone
from crisp_lan.net.messages import Bye, No
from crisp_lan.text import cells
from crisp_lan.tui.blocks import broken, ends, fit, listed, width_of
from crisp_lan.tui.cards import Drawn, card_block
from crisp_lan.tui.model import Screen, judged, lost, see
from crisp_lan.tui.paint import STYLES, rows
from crisp_lan.tui.points import looks_of
from crisp_lan.tui.pressing import press
from tests.tui import views
from tests.tui.test_model import again

SCENES = (
    views.lobby(2),
    views.lobby(8),
    views.first_look(8),
    views.holding(8, "QH"),
    views.window(5),
    views.final_turns(8),
    views.round_end(6),
    views.watching(8),
    views.trick(),
    views.climbing(),
    Screen(),
)
NAMES = (
    "日本の友達",
    "👩‍👩‍👧‍👦🇩🇪👍🏽",
    "é́́́ñ",
    "مرحبا بالعالم",
    "Tom & <b>{0}%s",
    "W" * 60,
    "",
    "a\x1b[31m",
)


MY_START = Clock("next turn", 0, 102_000, 2_000, mine="you may start in {left}")
THEIR_WINDOW = Clock(
    "crisp window", 1, 103_000, 3_000, loud=True, theirs="{seat} may still call: {left}"
)


TOLD = (Note("{seat} draws.", {"seat": 0}),)


def text_of(screen: Screen, columns: int = 80, lines: int = 24, at: float = 1.0) -> str:
    painted = rows(screen, columns, lines, at)
    return "\n".join("".join(text for _style, text in row) for row in painted)


def named(screen: Screen, names: tuple[str, ...]) -> Screen:
    if screen.show is None:
        return screen
    players = tuple(
        replace(one, name=names[seat % len(names)]) for seat, one in enumerate(screen.players)
    )
    return again(screen, table={"players": players})


def test_nothing_that_a_table_sends_steers_the_terminal() -> None:
    lobby = views.lobby(2)
    assert lobby.show is not None
    choice = replace(lobby.show.table.choices[0], label="Draw\x1b[2J\u202e", key="\x9b")
    steered = again(lobby, table={"title": "Crisp\x1b]52;c;aGk=\x07", "choices": (choice,)})
    assert "Draw[2J" in text_of(steered)
    assert text_of(steered).replace("\n", "").isprintable()


@given(
    st.sampled_from(SCENES),
    st.lists(st.text(max_size=30) | st.sampled_from(NAMES), min_size=1).map(tuple),
    st.integers(1, 150),
    st.integers(1, 50),
    st.lists(st.sampled_from("louqyd123?"), max_size=4),
)
@settings(max_examples=150)
def test_every_row_fills_the_window_exactly(
    screen: Screen, names: tuple[str, ...], columns: int, lines: int, pressed: list[str]
) -> None:
    screen = named(screen, names)
    for n, key in enumerate(pressed):
        screen, _wish = press(screen, key, n * 2.0)
    painted = rows(screen, columns, lines, 10.0)
    assert len(painted) == lines
    for row in painted:
        assert width_of(row) == columns
        assert sum(get_cwidth(text) for _style, text in row) == columns
        assert {name for style, _text in row for name in looks_of(style)} <= set(STYLES)
        assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for _style, text in row for c in text)


@pytest.mark.parametrize("scene", [views.lobby, views.first_look, views.window, views.round_end])
def test_letters_alone_are_enough(scene: Callable[..., Screen]) -> None:
    for keys in ("", "?", "q", "l"):
        shown = scene(8, ascii=True)
        for key in keys:
            shown, _wish = press(shown, key, 1.0)
        assert text_of(shown, 80, 24).isascii()


def test_a_window_too_small_says_what_is_needed_and_keeps_clock_and_keys() -> None:
    shown = text_of(views.window(8), 50, 12)
    assert "80 × 24" in shown
    assert "50 × 12" in shown
    assert "CRISP WINDOW (YOU) 0.8 s" in shown
    assert "[c] Call crisp" in shown
    assert "[c] Call crisp" in text_of(views.window(8), 40, 5)


def test_a_window_too_small_still_tells_the_whole_table_in_words() -> None:
    shown = " ".join(text_of(views.final_turns(3), 60, 20).split())
    for told in (
        *("2 Ayu 19: away", "3 Ben 26: has the turn"),
        *("1 Lea 12: called crisp", "draw pile: 35 cards", "discard pile: 6 cards, 2♥"),
        *("hand: 1 left ?, 2 middle ?, 3 right ?", "everybody else has one last turn"),
    ):
        assert told.replace("19: away", "19: deals") in shown
    assert "your turn" in text_of(views.holding(8), 60, 20)
    assert "2 Ayu: bot, normal" in text_of(views.lobby(2), 60, 20)
    helped, _wish = press(views.holding(3), "?", 1.0)
    assert "[s] Swap it in" in text_of(helped, 60, 20)


def test_the_lobby_says_why_nobody_can_start() -> None:
    lobby = views.lobby(3)
    assert lobby.show is not None
    ready = tuple(replace(one, ready=True) for one in lobby.players)
    stuck = lobby.show.table.choices[:1]
    asked = (ready[0], replace(ready[1], ready=False), ready[2])
    alone = ready[:1]
    for players, seats, told in (
        (asked, (2, 3), "Waiting for Ayu."),
        (ready, (2, 3), "Waiting for Lea."),
        (alone, (2, 3), "1 more player is needed."),
        (alone, (3, 4), "2 more players are needed."),
        (ready, (2,), "Crisp is for so many players: 2."),
    ):
        table = {"players": players, "seats": seats, "choices": stuck, "results": ()}
        stays = again(lobby, table=table)
        assert told in text_of(stays)
        assert told not in text_of(see(stays, Bye(Text("The table is closed.")), 0.0))
    assert "Waiting" not in text_of(lobby)


def test_whom_all_wait_for_is_asked_to_be_ready() -> None:
    lobby = views.lobby(3)
    assert lobby.show is not None
    host, guest, bot = lobby.show.table.players
    players = (replace(guest, ready=False), replace(host, ready=True), bot)
    asked = again(lobby, table={"players": players, "seats": (2, 3), "choices": ()})
    assert "Say when you are ready." in text_of(asked)
    assert "Waiting for" not in text_of(asked)


def test_a_table_that_this_machine_alone_reaches_says_so() -> None:
    for address, alone in (("127.0.0.1", True), ("::1", True), ("192.168.1.7", False)):
        shown = text_of(replace(views.lobby(2), addresses=(address,)))
        assert ("Join from this machine alone:" in shown) == alone
        assert ("Join from another machine:" in shown) != alone


def test_options_have_units_and_the_present_value_is_said() -> None:
    assert "draw time     45 s" in text_of(views.lobby(2))
    screen = views.lobby(2)
    for n, key in enumerate("o2"):
        screen, _wish = press(screen, key, n * 1.0)
    assert "Change an option · draw time → …  Now 45 s. Which one?" in text_of(screen)
    assert "[1]>30 s" in text_of(screen)
    screen, _wish = press(views.lobby(2), "b", 1.0)
    assert "How good?" in text_of(screen)


def test_a_look_shows_the_face_only_while_the_view_does() -> None:
    screen = views.first_look(3)
    assert "♥" in text_of(screen)
    closed = again(screen, view={"zones": (*views.hands(3), *views.piles(43, 0, None))})
    assert "♥" not in text_of(closed)


def test_a_loud_clock_fills_the_width_and_names_the_key_of_its_owner() -> None:
    painted = rows(views.window(8), 80, 24, 1.0)
    loud = [row for row in painted if row[0][0].startswith("loud")]
    assert [width_of(row) for row in loud] == [80, 80]
    assert ("loud.key @key.c", " [c] Call crisp ") in loud[0]


def test_a_loud_clock_of_somebody_else_is_a_line_in_words() -> None:
    painted = rows(views.window(8, mine=False), 80, 24, 1.0)
    assert not any(style.startswith("loud") for row in painted for style, _text in row)
    assert "Ayu may still call: 0.8 s" in text_of(views.window(8, mine=False))
    following = again(views.window(2), view={"turn": 0, "clocks": (MY_START, THEIR_WINDOW)})
    assert "you may start in 1.0 s" in text_of(following)
    assert "Ayu may still call: 2.0 s" in text_of(following)


def test_two_clocks_have_a_bar_each_and_others_looks_none() -> None:
    mine, all_of_us, theirs = (
        Clock("look", 0, 104_000, 5_000),
        Clock("first look", None, 121_000, 30_000),
        Clock("look", 1, 102_000, 5_000),
    )
    shown = text_of(again(views.first_look(8), view={"clocks": (all_of_us, theirs, mine)}))
    assert " look (you) 3 s " in shown
    assert shown.index("look (you)") < shown.index("first look 20 s")
    assert re.search("━─+ +━+─", shown)
    assert "look (Ayu)" not in shown


def test_a_banner_is_loud_for_as_long_as_the_view_has_it() -> None:
    told = Text("{seat} called crisp: this is your last turn.", {"seat": 1})
    screen = again(views.holding(8), view={"banner": told})
    loud = [row for row in rows(screen, 80, 24, 1.0) if row[0][0] == "loud"]
    assert [row[0][1].strip() for row in loud] == ["Ayu called crisp: this is your last turn."]
    assert "Ayu called crisp: this is your last turn." in " ".join(text_of(screen, 40, 12).split())
    assert "last turn" not in text_of(lost(screen, 1.0))


def test_a_pause_is_loud_for_as_long_as_it_lasts_and_the_last_turns_are_told_after_it() -> None:
    last_turn = Text("{seat} called crisp: this is your last turn.", {"seat": 1})
    can = Text("{seat} has paused the game. {other} can go on.", {"seat": 1, "other": 0})
    asks = Text("{seat} asks for a pause.", {"seat": 1})
    screen = again(views.holding(8), view={"banner": last_turn}, table={"banner": asks})
    assert loud(screen) == ["Ayu asks for a pause. Ayu called crisp: this is your last turn."]
    screen = again(screen, table={"banner": can, "paused": True})
    assert loud(screen) == ["Ayu has paused the game. Lea can go on."]
    assert loud(again(screen, table={"banner": None, "paused": False})) == [
        "Ayu called crisp: this is your last turn."
    ]


def loud(screen: Screen) -> list[str]:
    painted = rows(screen, 80, 24, 1.0)
    return [row[0][1].strip() for row in painted if row[0][0] == "loud"]


def test_who_is_to_be_taken_from_the_table_is_asked_about_at_the_foot() -> None:
    asked = press(press(views.holding(8), "m", 0.0)[0], "2", 0.0)[0]
    shown = text_of(asked)
    assert "Take Ayu from the table? The seat is gone for good." in shown
    assert "[1] Yes, remove  [2] No" in shown


def test_eight_players_fit_into_the_smallest_window() -> None:
    shown = text_of(views.final_turns(8))
    for told in ("2 Ayu", "deals", "away", "called crisp", "▶8 Gustav", "+ K♦"):
        assert told in shown


def test_who_looks_where_is_told_in_words() -> None:
    shown = text_of(views.first_look(4))
    assert "looking: right" in shown
    assert "░•░" in shown
    assert "may look" in shown


def test_a_refusal_is_shown_for_a_few_seconds() -> None:
    screen = see(views.holding(2), No(4, Text("It is not your turn.")), 5.0)
    assert "It is not your turn." in text_of(screen, at=6.0)
    assert "It is not your turn." not in text_of(screen, at=20.0)


@pytest.mark.parametrize(
    "scene", [views.first_look, views.holding, views.window, views.final_turns, views.round_end]
)
def test_eight_scores_stay_on_the_screen_of_a_lost_table(scene: Callable[[int], Screen]) -> None:
    screen = scene(8)
    shown = text_of(lost(screen, 10.0), at=17.5)
    assert "No word from the table for 7 s. Looking for it …" in shown
    for player in screen.players:
        assert re.search(rf"{player.name[:11]}\S*.*?\b{player.score}\b", shown), player.name


def test_the_last_standings_stay_on_the_screen_of_a_lost_lobby() -> None:
    shown = text_of(lost(views.lobby(8), 10.0), at=17.5)
    assert "No word from the table for 7 s. Looking for it …" in shown
    assert "Last game" in shown
    assert re.search(r"Ayu +wins  31", shown)


def test_no_look_is_longer_for_losing_the_table() -> None:
    assert "♥" in text_of(views.first_look(2))
    assert "♥" not in text_of(lost(views.first_look(2), 10.0), at=10.5)
    assert "♠" in text_of(lost(views.holding(2), 10.0), at=10.5)


def test_a_lost_table_is_said_with_the_scores_still_there() -> None:
    shown = text_of(lost(views.holding(3), 10.0), at=17.5)
    assert "No word from the table for 7 s. Looking for it …" in shown
    assert "12 points" in shown
    assert "draw (you)" not in shown
    assert "q leaves" not in shown
    hopeless = text_of(lost(views.holding(3), 10.0), at=41.0)
    assert "It may be gone for good. q leaves." in " ".join(hopeless.split())
    gone = see(views.round_end(3), Bye(Text("The host has ended the table.")), 1.0)
    assert "The host has ended the table." in text_of(gone)


def test_the_log_takes_the_free_width_and_begins_with_a_whole_sentence() -> None:
    told = tuple(Note(f"Sentence {n} goes on and on, and ends here.") for n in range(20))
    screen = again(views.holding(2), notes=told)
    assert "Sentence 19 goes on and on, and ends here." in text_of(screen, 140, 40)
    for columns, lines in ((80, 24), (100, 24), (100, 30), (140, 40)):
        log = _lines(screen, columns, lines)
        first = next(line for line in log if "Sentence" in line or "ends here" in line)
        assert "Sentence" in first


def test_nothing_moves_when_a_card_is_drawn_or_a_remark_comes() -> None:
    holding, waiting = views.holding(2), views.window(2)
    marked = again(waiting, view={"zones": views.first_look(2).view.zones})  # type: ignore[union-attr]
    for columns, lines in ((80, 24), (100, 30), (140, 40)):
        places = [
            [
                (n, line.index("2 middle"))
                for n, line in enumerate(_lines(screen, columns, lines))
                if "2 middle" in line
            ]
            for screen in (holding, waiting, marked)
        ]
        assert places[0] == places[1] == places[2]
    logs = [
        next(line.index("Lea dr") for line in _lines(screen, 100, 30) if "Lea draws" in line)
        for screen in (again(holding, notes=TOLD), again(waiting, notes=TOLD))
    ]
    assert len(set(logs)) == 1


def _lines(screen: Screen, columns: int, lines: int) -> list[str]:
    return text_of(screen, columns, lines).splitlines()


def test_what_everybody_must_know_is_never_cut() -> None:
    tags = tuple(Tag(0, Text(f"long remark {n}")) for n in range(3))
    told = (Text("Trump: {suit}", {"suit": "H"}), Text("Points to reach: {n}", {"n": 61}))
    for turn in (0, 1):
        shown = text_of(again(views.trick(), view={"tags": tags, "facts": told, "turn": turn}))
        assert "\n Trump: ♥ · Points to reach: 61" in shown


def test_why_a_game_cannot_start_is_said_however_long_the_standings_are() -> None:
    scene = views.lobby(8)
    shown = text_of(again(scene, table={"seats": (2,), "choices": (), "title": "Climbing"}))
    assert "Climbing is for so many players: 2." in shown


def test_cards_of_one_player_say_so_once_and_a_long_name_pushes_no_cards_apart() -> None:
    scene = views.climbing()
    players = (replace(scene.players[0], name="Maximilian"), *scene.players[1:])
    for seats, told in (((0, 0), r"played · Maximilian\n"), ((0, 1), r"Maximil… +Ayu\n")):
        row = Zone("played", None, ("5", "5"), 2, seats=seats)
        zones = (*(scene.view.zones if scene.view else ())[:2], row)
        shown = text_of(again(scene, view={"zones": zones}, table={"players": players}))
        assert re.search(told, re.sub(" +\n", "\n", shown))


def test_where_nobody_holds_a_card_at_the_end_there_is_no_place_for_cards() -> None:
    scene = views.round_end(2)
    zones = tuple(Zone("hand", seat, (), 0) for seat in (0, 1))
    tags = (Tag(0, Text("a rather long remark")),)
    assert "cards" in text_of(scene)
    shown = text_of(again(scene, view={"zones": zones, "tags": tags}))
    assert "cards" not in shown
    assert "a rather long remark " in shown


def test_of_more_ways_than_fit_those_from_the_cursor_on_are_shown() -> None:
    bids = Choice("bid", "Bid", tuple((str(n),) for n in range(62, 121)), key="i")
    screen, _wish = press(again(views.trick(), view={"choices": (bids,)}), "i", 1.0)
    for n in range(62, 121):
        shown = text_of(screen)
        assert f">{n}" in shown
        assert "[Enter] this one" in shown
        assert "[Esc] back" in shown
        screen, _wish = press(screen, "right", 1.0)


def test_repeatable_deals_and_pauses_are_told_in_every_phase() -> None:
    for scene in (views.lobby(2), views.holding(2), views.round_end(2)):
        shown = text_of(again(scene, table={"repeatable": True, "paused": True}), 100, 30)
        assert "repeatable deals" in shown
        assert "paused" in shown


def test_the_address_is_on_every_screen() -> None:
    for scene in (views.lobby(2), views.holding(8), views.round_end(8)):
        assert "192.168.1.17:27477" in text_of(scene)


def test_an_address_that_is_too_long_for_large_digits_is_still_there() -> None:
    screen = replace(views.lobby(2), addresses=("fd00:1234:5678:9abc:def0:1234:5678:9abc",))
    assert "crisp-lan join [fd00:1234:5678:9abc:def0:1234:5678:9abc]:27477" in text_of(screen)


def test_the_round_end_tells_totals_changes_winners_and_who_is_near() -> None:
    shown = text_of(again(views.round_end(8), table={"winners": (0,)}))
    for told in ("total", "−5", "wins", "8 to go", "up to 100"):
        assert told in shown


def test_a_table_between_rounds_shows_that_cards_are_shuffled() -> None:
    show = views.shown(None, views.table(3, phase="shuffle"))
    assert "The cards are being shuffled …" in text_of(views.screen(show))


def test_long_remarks_of_a_seat_are_cut_with_a_sign() -> None:
    tags = tuple(Tag(1, Text(f"remark number {n}")) for n in range(9))
    shown = text_of(again(views.holding(8), view={"tags": tags}))
    assert "remark number 1 ·…" in shown


def test_the_ten_and_unknown_cards_fit_a_card() -> None:
    for card in ("TD", "AS", "C", "7", None):
        for size in ("large", "small", "text"):
            drawn = card_block(Drawn(card), size, ascii=False)  # type: ignore[arg-type]
            assert len({width_of(row) for row in drawn}) == 1


def test_rows_are_cut_by_cells_and_not_by_letters() -> None:
    assert fit([("", "日本語")], 5) == [("", "日本…")]
    assert width_of(fit([("", "日本"), ("dim", "語語")], 6)) == 6
    assert width_of(ends([("", "a" * 50)], [("", "12")], 20)) == 20


def test_sentences_are_broken_between_words() -> None:
    assert broken("one two three", 7) == ["one two", "three"]
    assert listed(["one two", "three"], " · ", 20, 2) == ["one two · three"]
    assert listed(["one two", "three"], " · ", 9, 2) == ["one two", "three"]
    assert listed(["one two", "three", "four"], " · ", 9, 2) == ["one two", "three ·…"]
    assert listed(["one two", "three four five"], " · ", 9, 2) == ["one two", "three fo…"]
    assert all(cells(line) <= 4 for line in broken("extraordinary", 4))


def test_who_sat_down_during_a_game_is_told_that_the_next_one_is_theirs() -> None:
    scene = views.window(3)
    late = replace(scene.players[0], playing=False, score=None)
    waiting = again(scene, table={"players": (late, *scene.players[1:])})
    assert "you play next" in text_of(waiting)


def test_a_deal_that_is_right_is_a_line_and_one_that_is_not_a_banner_until_another_is() -> None:
    told = "The deal is not right: the deck is not the one that all have made together."
    right = judged(views.round_end(6), Text("Deal checked."), fits=True, at=1.0)
    assert "Deal checked." in text_of(right)
    wrong = judged(right, Text(told), fits=False, at=1.0)
    assert told in " ".join(text_of(again(wrong)).split())
    loud = [row for row in rows(wrong, 80, 24, 1.0) if ("loud" in {style for style, _ in row})]
    assert told in " ".join("".join(text for _style, text in row) for row in loud)
    assert wrong.alarm == right.alarm + 1
    assert judged(wrong, Text("Deal checked."), fits=True, at=1.0).notice == ""
