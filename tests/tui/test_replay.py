"""A replay: every key, how it goes on by itself, and whole screens, kept as text in golden/replay/.

After a change that is meant: `CRISP_LAN_GOLDEN=write ./play test tests/tui/test_replay.py` writes
the screens anew; read the difference before you commit it.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from crisp_lan.moments import moments
from crisp_lan.text import cells
from crisp_lan.tui.replay import (
    LONGEST,
    SHORTEST,
    SPEEDS,
    Moment,
    Replay,
    gone_on,
    lines,
    press,
    rows,
    wait,
)
from tests.kept_games import KEYS, record_of

GOLDEN = Path(__file__).parent / "golden" / "replay"
SIZES = ((80, 24), (100, 30))


@cache
def game(key: str) -> tuple[Moment, ...]:
    return moments(record_of(key))


def replay(key: str = "crisp", **changes: object) -> Replay:
    return replace(Replay(game(key), "2026-07-24 20:15"), **changes)  # type: ignore[arg-type]


def at(words: str, key: str = "crisp", **changes: object) -> Replay:
    """The replay at the first moment whose log line has these words."""
    places = range(len(game(key)))
    place = next(n for n in places if words in shown(replay(key, place=n)).splitlines()[-6])
    return replay(key, place=place, **changes)


def keyed(before: Replay, *keys: str) -> Replay:
    for key in keys:
        before, ends = press(before, key)
        assert not ends
    return before


def shown(of: Replay, columns: int = 80, height: int = 24) -> str:
    return "\n".join("".join(text for _, text in row) for row in rows(of, columns, height, 0.0))


# ---------------------------------------------------------------- keys


def test_arrows_step_forward_and_back_and_stay_at_both_ends() -> None:
    assert keyed(replay(), "right", "right", "left").place == 1
    assert keyed(replay(), "left").place == 0
    assert keyed(replay(), "end", "right").place == replay().last


def test_home_and_end_go_to_the_first_and_the_last_moment() -> None:
    assert keyed(replay(place=7), "end").place == replay().last
    assert keyed(replay(place=7), "home").place == 0


@pytest.mark.parametrize("key", ["n", "pagedown"])
def test_next_round_is_one_key_and_after_the_last_the_end(key: str) -> None:
    first, second = replay().round_starts
    assert keyed(replay(place=first + 3), key).place == second
    assert keyed(replay(place=second), key).place == replay().last


@pytest.mark.parametrize("key", ["p", "pageup"])
def test_round_before_is_reached_by_way_of_the_start_of_this_one(key: str) -> None:
    first, second = replay().round_starts
    assert keyed(replay(place=second + 3), key).place == second
    assert keyed(replay(place=second), key).place == first
    assert keyed(replay(place=first), key).place == first


def test_space_plays_and_stops_and_at_the_end_begins_anew() -> None:
    assert keyed(replay(), "space").playing
    assert not keyed(replay(), "space", "space").playing
    again = keyed(replay(), "end", "space")
    assert (again.place, again.playing) == (0, True)


@pytest.mark.parametrize("key", ["right", "left", "n", "p", "home", "end", "l", "?"])
def test_who_steps_or_reads_stops_the_playing(key: str) -> None:
    assert not keyed(replay(place=5, playing=True), key).playing


def test_plus_and_minus_change_the_speed_within_bounds_while_it_plays() -> None:
    before = replay(playing=True)
    assert SPEEDS[keyed(before, "+").speed] == 2
    assert SPEEDS[keyed(before, "=", "+").speed] == 4
    assert SPEEDS[keyed(before, "-").speed] * 2 == 1
    assert keyed(before, "+").playing
    assert keyed(before, *["+"] * 20).speed == len(SPEEDS) - 1
    assert keyed(before, *["-"] * 20).speed == 0
    assert "speed 1/4" in shown(keyed(before, *["-"] * 20))


def test_q_and_escape_quit_and_unknown_keys_do_nothing() -> None:
    for key in ("q", "escape"):
        assert press(replay(), key)[1]
    assert press(replay(), "z") == (replay(), False)


@pytest.mark.parametrize(("key", "told"), [("?", "to the next round"), ("l", "Who saw which")])
def test_a_page_is_closed_by_any_key_and_quit_by_q(key: str, told: str) -> None:
    page = keyed(replay(place=5), key)
    assert told in shown(page)
    assert press(page, "right") == (replay(place=5), False)
    assert press(page, "q")[1]


def test_every_key_that_the_screen_names_is_explained_on_the_help_page() -> None:
    told = shown(keyed(replay(), "?"))
    for words in ("one step back", "play the game on", "faster", "next round", "beginning", "when"):
        assert words in told


# ---------------------------------------------------------------- playing by itself


def test_a_replay_that_stands_waits_for_nothing() -> None:
    assert wait(replay()) is None
    assert wait(keyed(replay(), "end", "left", "space", "right")) is None


def test_a_moment_stays_as_long_as_it_was_but_neither_too_long_nor_too_short() -> None:
    waits = [wait(replay(place=n, playing=True)) for n in range(replay().last)]
    assert min(filter(None, waits)) == SHORTEST
    assert max(filter(None, waits)) == LONGEST
    now = [moment.show.now for moment in game("crisp")]
    between = next(n for n in range(len(now)) if 1000 < now[n + 1] - now[n] < 2000)
    assert waits[between] == (now[between + 1] - now[between]) / 1000
    fast = replay(place=between, playing=True, speed=len(SPEEDS) - 1)
    assert wait(fast) == waits[between] / float(SPEEDS[-1])


def test_playing_goes_through_every_moment_and_stops_at_the_last() -> None:
    playing, places = keyed(replay(), "space"), []
    while wait(playing) is not None:
        playing = gone_on(playing)
        places.append(playing.place)
    assert places == list(range(1, replay().last + 1))
    assert not playing.playing


# ---------------------------------------------------------------- what is shown


def test_a_look_says_who_saw_which_card_and_the_card_is_marked_as_looked_at() -> None:
    told = shown(at("looks at the left card"))
    assert "Ayu looks at the left card. Ayu sees J♠, the left card." in told
    assert "looking: left" in told


def test_looks_page_lists_who_saw_what_and_when_up_to_this_moment_of_this_round() -> None:
    first, second = replay().round_starts
    page = shown(keyed(replay(place=first + 2), "l"))
    assert page.count(" sees ") == 2
    assert "0:00 Ayu sees J♠, the left card." in page
    assert "Nobody has seen a card" in shown(keyed(replay(place=second), "l"))


def test_too_small_a_window_says_what_it_needs_and_shows_all_cards_in_words() -> None:
    told = shown(replay(place=3), 60, 16)
    assert "this window has 60 × 16" in told
    assert all(f"{name}, hand: " in told for name in ("Ayu", "Budi", "Chandra"))
    assert "[q] quit" in told


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("columns", "height"), [*SIZES, (60, 16), (20, 5), (300, 90)])
def test_every_moment_fills_the_window_exactly(key: str, columns: int, height: int) -> None:
    for place in range(len(game(key))):
        for asking in ("", "help", "looks"):
            painted = rows(replay(key, place=place, asking=asking), columns, height, 0.0)
            assert [sum(cells(text) for _, text in row) for row in painted] == [columns] * height


@pytest.mark.parametrize("key", KEYS)
def test_no_card_of_a_hand_is_ever_out_of_sight(key: str) -> None:
    for columns, height in SIZES:
        for place, moment in enumerate(game(key)):
            if moment.show.view and not moment.show.view.sheet:
                assert "░" not in shown(replay(key, place=place), columns, height)


def test_letters_do_for_who_has_no_other_signs() -> None:
    for place in range(len(game("crisp"))):
        assert shown(replay(place=place, ascii=True)).isascii()
    assert all(line.isascii() for line in lines(game("crisp"), ascii=True))


# ---------------------------------------------------------------- whole screens

SCENES = {
    "crisp-look": at("looks at the left card"),
    "crisp-drawn": at("draws. "),
    "crisp-queen": at("swaps blind"),
    "crisp-round-end": replay(place=replay().round_starts[1] - 1),
    "crisp-end": keyed(replay(), "end"),
    "briscola-trick": at("plays", "briscola"),
    "briscola-end": keyed(replay("briscola"), "end"),
    "crisps-start": replay("crisps"),
    "crisps-pick": at("top of the deck", "crisps"),
    "crisps-end": keyed(replay("crisps"), "end"),
}
OTHERS = {
    "help-80x24": (keyed(replay(place=5), "?"), 80, 24),
    "looks-80x24": (keyed(at("calls crisp"), "l"), 80, 24),
    "playing-ascii-80x24": (keyed(replay(place=5, ascii=True), "space", "+"), 80, 24),
    "small-60x16": (replay(place=5), 60, 16),
}
ALL = {
    f"{name}-{columns}x{height}": (scene, columns, height)
    for name, scene in SCENES.items()
    for columns, height in SIZES
} | OTHERS


@pytest.mark.parametrize("name", ALL)
def test_a_screen_looks_as_it_was_approved(name: str) -> None:
    painted = "".join(line.rstrip() + "\n" for line in shown(*ALL[name]).splitlines())
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        file.write_text(painted, encoding="utf-8")
    assert painted == file.read_text(encoding="utf-8")


def test_no_golden_screen_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(ALL)


# ---------------------------------------------------------------- line by line


def test_line_by_line_a_whole_game_is_told_with_its_times_and_all_cards() -> None:
    told = list(lines(game("crisp")))
    for line in (
        "  0:00  Ayu looks at the left card.",
        "  0:00  Ayu sees J♠, the left card.",
        "  2:39  The game is over.",
    ):
        assert line in told
    hands = [line for line in told if "hand: 1 left " in line]
    assert len(hands) == 6
    assert all(" left face down" not in line for line in told)
    assert sum(", total " in line for line in told) == 6
