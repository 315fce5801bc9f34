"""The lessons of a guided round: alike in every language, true to the games, and kept."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from crisp_lan.arguments import chosen_game
from crisp_lan.cli import parser
from crisp_lan.commands.host import _for_table
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.state import TableStep
from crisp_lan.lessons import Learned, Lesson, keep, learned, lessons
from crisp_lan.rulebook import rules
from crisp_lan.text import cells
from crisp_lan.tui.blocks import broken
from crisp_lan.tui.paint_guide import WIDEST
from crisp_lan.words import LANGUAGES
from tests.random_tables import RandomTable

TRANSLATED = [language for language in LANGUAGES if language != "en"]
EACH = [(game, language) for game in GAMES for language in LANGUAGES]
FIELD = re.compile(r"\{\w+\}")
MOST_LINES = 3
"""A lesson must leave the table its room: with more lines, cards would be drawn smaller."""
LEAVING = {"en": "[-] no more hints", "de": "[-] keine Tipps mehr", "id": "[-] tanpa petunjuk"}


def places(game: str, language: str) -> list[int]:
    """Where in the rules the lessons lead, by the number of the part."""
    whole = rules(game, language)
    return [whole.index(one.rules[0]) for one in lessons(game, language)]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_lessons_are_the_same_in_every_language(game: str, language: str) -> None:
    english, translated = lessons(game, "en"), lessons(game, language)
    assert [one.occasion for one in translated] == [one.occasion for one in english]
    for one, other in zip(english, translated):
        assert sorted(FIELD.findall(other.words)) == sorted(FIELD.findall(one.words))
        assert bool(other.words) == bool(one.words)
        assert other.words != one.words or not one.words
    assert places(game, language) == places(game, "en")


@pytest.mark.parametrize(("game", "language"), EACH)
def test_a_lesson_is_short_and_leads_to_a_part_of_the_rules(game: str, language: str) -> None:
    for one in lessons(game, language):
        assert one.rules[0].kind == "heading", one.occasion
        lines = broken(FIELD.sub("[d]", one.words), WIDEST - 3) or [""]
        fits = cells(f"{lines[-1]}  {LEAVING[language]}") <= WIDEST - 3
        assert len(lines) + (not fits) <= MOST_LINES, one.occasion


@pytest.mark.parametrize("game", GAMES)
def test_the_guided_round_ends_with_the_round(game: str) -> None:
    last = lessons(game, "en")[-1]
    assert last.occasion == "phase Reveal"
    assert last.words


class Learner(RandomTable):
    """A table at which somebody waits for lessons: those that have not come up yet."""

    waiting: list[Lesson]

    def take(self, step: TableStep) -> None:
        super().take(step)
        for seat, _chair in enumerate(self.table.chairs):
            if (view := views.round_view(self.table, seat)) is None:
                continue
            told = {f"note {n.key}" for n in step.notes if n.to is None or seat in n.to}
            offered = {choice.name for choice in view.choices}
            now = {f"phase {view.phase}", *told, *(f"choice {name}" for name in offered)}
            offered |= {choice.name for choice in views.table_view(self.table, seat).choices}
            self.waiting = [
                one for one in self.waiting if one.occasion not in now or not _named(one) <= offered
            ]


def _named(lesson: Lesson) -> set[str]:
    return {field[1:-1] for field in FIELD.findall(lesson.words)}


@pytest.mark.parametrize("game", GAMES)
def test_every_lesson_has_an_occasion_that_comes_up_with_the_keys_it_names(game: str) -> None:
    waiting, lots = list(lessons(game, "en")), random.Random(3)
    options = {
        one.name: isinstance(one.default, bool) or one.values[0] for one in GAMES[game].options
    }
    for seats in (GAMES[game].seats * 8)[::-1]:
        table = Learner(GAMES[game], seats, options, lots, comings=False)
        table.waiting = waiting
        table.play()
        waiting = table.waiting
        if not waiting:
            break
    assert [one.occasion for one in waiting] == []


def test_a_game_without_lessons_has_none_and_a_language_without_them_has_the_english() -> None:
    assert lessons("highest", "en") == ()
    assert lessons("crisp", "xx") == lessons("crisp", "en")


# ---------------------------------------------------------------- what a player has had


HAD = Learned(frozenset({("crisp", "choice draw"), ("crisps", "phase Lead")}), frozenset({"crisp"}))


def test_what_was_explained_is_kept_beside_what_was_before(tmp_path: Path) -> None:
    keep(tmp_path / "new", HAD)
    keep(tmp_path / "new", Learned(frozenset({("briscola", "choice play")})))
    kept = learned(tmp_path / "new")
    assert kept.left == {"crisp"}
    assert kept.heard == HAD.heard | {("briscola", "choice play")}


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe{", b"[]", b'{"heard": 1}', b'{"heard": {"crisp": 3}, "left": []}']
)
def test_a_file_that_cannot_be_read_means_that_nothing_was_explained(
    content: bytes, tmp_path: Path
) -> None:
    (tmp_path / "lessons.json").write_bytes(content)
    assert learned(tmp_path) == Learned()
    keep(tmp_path, HAD)
    assert learned(tmp_path) == HAD


def test_where_nothing_can_be_written_the_game_goes_on() -> None:
    keep(Path("/dev/null/games"), HAD)
    assert learned(Path("/dev/null/games")) == Learned()


# ---------------------------------------------------------------- no clock presses


def opened(tmp_path: Path, line: str) -> list[str]:
    """The words with which the table of a command line would be opened."""
    args = parser().parse_args([*line.split(), f"--data={tmp_path}"])
    return _for_table(args, *chosen_game(args))


def timed(tmp_path: Path, line: str) -> dict[str, str]:
    """How long its turns would be."""
    return dict(word.split("=") for word in opened(tmp_path, line) if "-time=" in word)


ALONE = "host --bots=3 --seats=4 --bind=127.0.0.1"


@pytest.mark.parametrize(
    ("line", "time"),
    [
        (ALONE, "off"),
        (f"{ALONE} --draw-time=30", "30"),
        ("host --bots=3 --bind=127.0.0.1", "45"),
        ("host --bots=2 --seats=4 --bind=127.0.0.1", "45"),
        ("host --bots=3 --seats=4", "45"),
    ],
)
def test_alone_with_bots_the_first_game_has_no_clock_unless_it_was_asked_for(
    line: str, time: str, tmp_path: Path
) -> None:
    assert timed(tmp_path, line) == {"--draw-time": time}


def test_the_bots_of_the_first_game_are_easy_unless_others_were_asked_for(tmp_path: Path) -> None:
    assert "--bot-level=easy" in opened(tmp_path, ALONE)
    assert "--bot-level=hard" in opened(tmp_path, f"{ALONE} --bot-level=hard")
    keep(tmp_path, Learned(left=frozenset({"crisp"})))
    assert "--bot-level=normal" in opened(tmp_path, ALONE)


def test_once_the_guided_round_is_over_turns_have_their_time(tmp_path: Path) -> None:
    keep(tmp_path, Learned(frozenset({("crisp", "choice draw")})))
    assert timed(tmp_path, ALONE) == {"--draw-time": "off"}
    keep(tmp_path, Learned(frozenset({("crisp", "phase Reveal")})))
    assert timed(tmp_path, ALONE) == {"--draw-time": "45"}
    assert timed(tmp_path, f"{ALONE} --game=briscola") == {"--turn-time": "off"}
    keep(tmp_path, Learned(left=frozenset({"briscola"})))
    assert timed(tmp_path, f"{ALONE} --game=briscola") == {"--turn-time": "45"}
