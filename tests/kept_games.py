"""Games that were kept: one of each, as records in kept/, and the journals that hold them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from crisp_lan.game.rules import Line
from crisp_lan.journal import Journal

FOLDER = Path(__file__).parent / "kept"
KEYS = ("crisp", "briscola", "crisps")


def record_of(key: str) -> list[Line]:
    """The record of a game between people, as it was played."""
    return [json.loads(line) for line in (FOLDER / f"{key}.jsonl").read_text().splitlines()]


def keep(data: Path, name: str, *records: Sequence[Line]) -> Path:
    """Keeps the games as those of one table, in the data folder of a player; returns the file."""
    game = records[0][0]["game"] if records else "crisp"
    path = data / "tables" / f"{name}.jsonl"
    journal = Journal(path, {"id": name, "game": game})
    for record in records:
        journal.write(record)
    journal.close()
    return path
