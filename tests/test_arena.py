"""The arena: bots at a real table in virtual time."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from crisp_lan import bots
from crisp_lan.arena import Played, arena, bounds, played, standings
from crisp_lan.bots import Bot, crisp_ahead
from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.rules import Act, Line, Note, Refused, View
from crisp_lan.journal import write_record
from tests import records

LEVELS = ("hard", "normal", "easy", "anygame")


class Watched:
    """A bot that is watched: it chooses what is offered, and the same when it is asked twice."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        self.bot.see(view, notes, match)

    def choose(self, view: View) -> Act | None:
        act = self.bot.choose(view)
        assert act is None or any(
            act.name == choice.name and act.picks in choice.picks for choice in view.choices
        )
        assert self.bot.choose(view) == act
        return act


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hard bots think of fewer worlds, where it does not matter how well they play."""
    monkeypatch.setattr(crisp_ahead, "_TURNS", 40)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("seats", range(2, 9))
def test_bots_choose_what_is_offered_and_games_end(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = bots.player
    monkeypatch.setattr(bots, "player", lambda *asked: Watched(taught(*asked)))
    for take in (False, True):
        lines = list(played("crisp", seats, LEVELS, {"take_discard": take}, seats))
        assert lines[-1]["kind"] == "end"


@pytest.mark.usefixtures("quick")
def test_levels_alone_and_together_end_their_games() -> None:
    for levels in (*LEVELS, LEVELS[:3]):
        lines = list(played("crisp", 3, [levels] if isinstance(levels, str) else levels, {}, 1))
        assert max(lines[-1]["scores"].values()) >= 100


@pytest.mark.usefixtures("quick")
def test_the_same_seed_gives_the_same_game_to_the_byte() -> None:
    assert game(7) == game(7)
    assert game(7) != game(8)


def game(seed: int) -> list[Line]:
    return list(played("crisp", 3, LEVELS, {"limit": 50}, seed))


@pytest.mark.parametrize("game", ["crisp --limit 20", "briscola --first-to 1", "crisps"])
def test_hard_bots_do_the_same_in_every_process(game: str, tmp_path: Path) -> None:
    words = f"-m crisp_lan arena --games 1 --levels hard --game {game} --record".split()
    kept = []
    for hashes in ("1", "2"):
        folder = tmp_path / hashes
        environment = {**os.environ, "PYTHONHASHSEED": hashes}
        subprocess.run([sys.executable, *words, str(folder)], env=environment, check=True)
        kept.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert kept[0] == kept[1]
    assert len(kept[0]) == 1


def test_every_level_beats_anygame_clearly() -> None:
    for level in LEVELS[:3]:
        found = arena("crisp", 40, 2, [level, "anygame"], {"limit": 30}, seed=3)
        assert found[0].level == level
        assert found[0].share >= 0.8


@pytest.mark.parametrize(("better", "worse"), [("hard", "normal"), ("normal", "easy")])
def test_a_level_beats_the_one_below_it(better: str, worse: str) -> None:
    found = arena("crisp", 40, 2, [better, worse], {}, seed=3)
    assert found[0].level == better
    assert found[0].share > 0.55


@pytest.mark.usefixtures("quick")
def test_thinking_times_let_clocks_run_out_now_and_then() -> None:
    kinds = [line["kind"] for seed in range(12) for line in game(seed)]
    assert 0 < kinds.count("timeout") < kinds.count("act") / 50


def test_levels_move_on_by_one_seat_from_game_to_game(tmp_path: Path) -> None:
    arena("crisp", 3, 3, ["hard", "easy"], {"limit": 1}, seed=1, record=tmp_path / "games")
    first = [
        path.read_text().splitlines()[0] for path in sorted((tmp_path / "games").glob("*.jsonl"))
    ]
    assert [line.count("bot:hard") for line in first] == [2, 1, 2]


def test_records_are_written_as_they_were_played(tmp_path: Path) -> None:
    arena("crisp", 2, 2, ["normal"], {"limit": 1}, seed=4, record=tmp_path)
    paths = sorted(tmp_path.iterdir())
    assert [path.name for path in paths] == ["game-0001.jsonl", "game-0002.jsonl"]
    for number, path in enumerate(paths, 1):
        records.check(path.read_text().splitlines())
        again = tmp_path / "again"
        with again.open("w") as file:
            write_record(file, played("crisp", 2, ["normal"], {"limit": 1}, f"4-{number}"))
        assert path.read_text() == again.read_text()


def test_two_processes_find_what_one_does() -> None:
    one = arena("crisp", 12, 2, ["hard", "anygame"], {"limit": 20}, seed=5)
    assert one == arena("crisp", 12, 2, ["hard", "anygame"], {"limit": 20}, seed=5, processes=2)


def test_standings_share_a_win_that_is_shared() -> None:
    games = [
        Played(("hard", "easy"), (0, 1), (40, 40)),
        Played(("easy", "hard"), (1,), (100, 50)),
    ]
    hard, easy = standings(games)
    assert (hard.level, hard.wins, hard.share, hard.mean) == ("hard", 1.5, 0.75, 45)
    assert (easy.level, easy.wins, easy.share, easy.mean) == ("easy", 0.5, 0.25, 70)
    assert hard.least < hard.share < hard.most


def test_a_level_is_measured_by_the_games_it_was_in() -> None:
    games = [Played(("hard", "easy"), (0,), (40, 60)), Played(("easy", "normal"), (1,), (60, 40))]
    assert {standing.level: standing.share for standing in standings(games)} == {
        "hard": 1,
        "normal": 1,
        "easy": 0,
    }


def test_the_bounds_of_a_share_are_wilsons() -> None:
    least, most = bounds(80, 100)
    assert round(least, 3) == 0.711
    assert round(most, 3) == 0.867


def test_an_arena_for_one_or_nine_is_refused() -> None:
    for seats in (1, 9):
        with pytest.raises(Refused):
            arena("crisp", 1, seats, ["hard"], {}, seed=1)


def test_the_cards_of_a_seed_are_the_same_whoever_plays() -> None:
    decks = [
        next(line["deck"] for line in played("crisp", 2, [level], {}, 9) if line["kind"] == "deal")
        for level in LEVELS
    ]
    assert all(deck == decks[0] for deck in decks)
