"""A whole game of each kind line by line: players who see nothing but lines, in three languages."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.system.running import LOOPBACK, Program, headless, program, waited_for

pytestmark = pytest.mark.system

GAMES: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "crisp": (("--limit=1",), ("r", "c", "n", "h", "k", "d", "x", "u")),
    "briscola": (("--first-to=1",), ("n", "y 1")),
    "crisps": ((), ("n", "k", "t 1", "y 1")),
}
"""How to have a short game, and what is typed of what is on offer: the first that is."""
LONGEST = 120.0
OFFERS = re.compile(r"^1\) .*\[\w\].*$", re.M)
WORDS = ("status", "hand", "scores", "help", "say", "say 1")


class Reader:
    """Somebody who reads the lines, and types when there is something to choose."""

    def __init__(self, program: Program, lines: Sequence[str], words: Sequence[str]) -> None:
        self.program = program
        self._lines = lines
        self._words = list(words)
        self._read = 0

    def glance(self) -> None:
        """Reads what is new, to the last whole line."""
        new = self.program.out[self._read :].rpartition("\n")[0]
        offers = OFFERS.findall(new)
        keys = re.findall(r"\[(\w)\]", offers[-1]) if offers else []
        line = next((line for line in self._lines if line[0] in keys), "")
        if line:
            self._read += len(new)
            for each in (*self._words, line):
                self.program.type(each)
            self._words = []


def by_lines(folder: Path, address: str, name: str, language: str, *more: str) -> Sequence[str]:
    own = (f"--name={name}", f"--lang={language}", f"--data={folder / name}")
    return ("join", address, "--plain", *own, *more, *LOOPBACK)


def on_an_old_machine(words: Sequence[str], **given: Any) -> subprocess.Popen[Any]:
    """Where the suits cannot be shown."""
    old = {"PYTHONIOENCODING": "cp1252", "LANG": "C", "LC_ALL": "C", "TERM": "dumb"}
    given["env"] |= old
    return subprocess.Popen(words, **given)


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_lines(game: str, tmp_path: Path) -> None:
    options, lines = GAMES[game]
    words = (f"--game={game}", "--seats=2", "--once", "--deal-seed=3", *options, *LOOPBACK)
    with (
        headless(tmp_path, *words) as table,
        program(
            *(tmp_path, *by_lines(tmp_path, table.address, "Wati", "en", "--watch")),
            start=on_an_old_machine,
        ) as watcher,
        program(tmp_path, *by_lines(tmp_path, table.address, "Ayu", "id")) as ayu,
    ):
        watcher.says("1 Ayu")
        with program(tmp_path, *by_lines(tmp_path, table.address, "Budi", "de")) as budi:
            ayu.says("Budi")
            players = [Reader(ayu, lines, WORDS), Reader(budi, lines, ())]

            def over() -> bool:
                for player in players:
                    player.glance()
                return table.process.poll() is not None

            waited_for(over, lambda: f"the end in vain; Ayu read:\n{ayu.out}", LONGEST)
            assert [one.ended() for one in (ayu, budi, watcher)] == [0, 0, 0]
        assert table.record()[-1]["kind"] == "end"
    for one in (ayu, budi, watcher):
        assert one.err == ""
        assert all(line.isprintable() for line in one.out.split("\n"))
    assert watcher.out.isascii()
    assert "?" not in watcher.out
    assert "Ayu: Seruan jitu!" in ayu.out
    assert "Ayu: Gut gerufen!" in budi.out
    assert "Ayu: Good call!" in watcher.out
    assert "Permainan selesai." in ayu.out
    assert "Das Spiel ist aus." in budi.out
    assert "The game is over." in watcher.out
