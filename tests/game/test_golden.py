"""Law 7: every game has golden transcripts, and still plays them to the letter.

When a change of a game is meant to change what players see, write them anew with

    CRISP_LAN_GOLDEN=write python -m pytest tests/game/test_golden.py

and read the difference as you would read a change of the rules.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from crisp_lan.game.catalogue import GAMES
from tests.game.transcripts import told_again

GOLDEN = Path(__file__).with_name("golden")


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_a_golden_transcript_is_played_to_the_letter(path: Path) -> None:
    before = path.read_text("utf-8")
    now = told_again(before)
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        path.write_text(now, "utf-8")
    else:
        assert now == before


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_golden_transcript(key: str) -> None:
    assert list(GOLDEN.glob(f"{key}-*.txt"))
