"""A game that is one file and one line of the catalogue: everything else works by itself."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from crisp_lan import cli
from crisp_lan.arena import played
from crisp_lan.check import folded
from crisp_lan.game import table as tables
from crisp_lan.game.catalogue import GAMES
from crisp_lan.journal import Journal
from crisp_lan.net.calling import Target
from crisp_lan.net.client import at_table
from crisp_lan.net.messages import Bye, Join, Show
from crisp_lan.net.referee import House
from crisp_lan.net.robots import play_bot
from crisp_lan.tui import model, paint, plain
from crisp_lan.tui.model import Screen
from crisp_lan.tui.pressing import press
from tests.example_game import HIGHEST
from tests.net.hall import KEY, Hall

TARGET = Target((), 0, "")


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HIGHEST.key, HIGHEST)


class Player:
    """A person at a screen, who presses the first key on offer, and reads it both ways."""

    def __init__(self) -> None:
        self.screen = Screen()
        self.pictures: list[str] = []
        self.lines: list[str] = []
        self.at = 0.0

    def sees(self, show: Show) -> None:
        self.at += 1.0
        after = model.see(self.screen, show, self.at)
        self.lines += plain.news(self.screen, after, self.at)
        self.screen = after
        rows = paint.rows(after, 80, 24, self.at)
        self.pictures.append("\n".join("".join(text for _, text in row) for row in rows))

    def presses(self, *wanted: str) -> model.Send | None:
        """The first of the wanted keys that is on offer."""
        for key in wanted:
            if key in dict(model.keyed(self.screen)):
                self.screen, wish = press(self.screen, key, self.at + 5.0)
                return wish if isinstance(wish, model.Send) else None
        return None


async def test_it_is_hosted_joined_shown_and_played_to_the_end(autojump_clock: MockClock) -> None:
    async with trio.open_nursery() as nursery:
        table = tables.opened(HIGHEST, {"points": 1}, 2, starts_by_itself=True, once=True)
        hall = Hall(nursery, table, house=House((), 0, KEY))
        nursery.start_soon(hall.run)
        player = Player()
        async with at_table(TARGET, Join("Ayu", key=KEY), hall) as seat:
            nursery.start_soon(play_bot, TARGET, "Budi", "easy", "", hall)
            while True:
                news = await seat.receive()
                if isinstance(news, Bye):
                    break
                if isinstance(news, Show):
                    player.sees(news)
                    if wish := player.presses("k", "n"):
                        seat.act(wish.act)
    pictures = "\n".join(player.pictures)
    for shown in ("Highest", "[k] Keep it", "[c] Change it", "draw pile", "Reveal", "[n] Go on"):
        assert shown in pictures
    assert any("Keep it" in line for line in player.lines)
    assert [line["kind"] for line in hall.journal.all].count("end") == 1
    kept = list(hall.journal.all)
    assert list(folded(kept[next(n for n, x in enumerate(kept) if x["kind"] == "game") :]))


def test_it_is_recorded_and_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = list(played("highest", 3, ["easy"], {"points": 3}, 1))
    journal = Journal(tmp_path / "tables" / "t.jsonl", {"id": "t", "game": "highest"})
    journal.write(record)
    journal.close()
    assert cli.run(["replay", "--json", "--data", str(tmp_path)]) == 0
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == record


def test_its_options_are_on_the_command_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    words = ["arena", "--game", "highest", "--points", "3", "--games", "2", "--seats", "2"]
    assert cli.run([*words, "--levels", "anygame"]) == 0
    assert "anygame" in capsys.readouterr().out
    assert cli.run(["arena", "--game", "highest", "--limit", "3"]) == 2
    assert "--limit" in capsys.readouterr().err
