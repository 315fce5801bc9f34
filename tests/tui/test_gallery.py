"""The look of every game: real tables in three sizes and three languages, kept as text.

golden/gallery/ has a file for each game, number of players and size: the screens in English whole,
of the other languages, and of one with longer words than any, the rows that differ. They are
checked by eye. After a change that is meant, of a translation too:
`CRISP_LAN_GOLDEN=write ./play test tests/tui/test_gallery.py` writes them anew; read the difference
before you commit it.
"""

from __future__ import annotations

import gettext
import io
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo

from crisp_lan import words
from crisp_lan.game.catalogue import GAMES
from crisp_lan.text import cells
from crisp_lan.tui.model import Screen, see
from crisp_lan.tui.paint import rows
from crisp_lan.tui.points import Place, card_point, places
from crisp_lan.words import LANGUAGES
from tests.example_game import HIGHEST
from tests.test_catalogue import Longer, catalogue
from tests.tui.gallery import seen, told_to_first

GOLDEN = Path(__file__).parent / "golden" / "gallery"
SIZES = ((80, 24), (100, 30), (140, 40))
TABLES = [
    *(("crisp", 2), ("crisp", 8), ("briscola", 2), ("briscola", 5), ("briscola", 6)),
    *(("crisps", 2), ("highest", 2), ("highest", 4)),
]
"""Each game with the fewest and the most players, and Briscola's auction with five."""
KNOWN = {**GAMES, HIGHEST.key: HIGHEST}
LATER = 0.7
"""Seconds after the last word of the table."""


@cache
def spoken(language: str) -> gettext.NullTranslations:
    if language == "en":
        return gettext.NullTranslations()
    if language == "longer":
        return Longer()
    compiled = io.BytesIO()
    write_mo(compiled, catalogue(language))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def pictures(game: str, players: int, columns: int, lines: int) -> Iterator[str]:
    """Every scene in every language, as lines of a file."""
    for scene, told in told_to_first(KNOWN[game], players).items():
        english: list[str] = []
        for language in (*LANGUAGES, "longer"):
            words._catalogue = spoken(language)
            painted = rows(seen(told), columns, lines, told[-1].now / 1000 + LATER)
            texts = ["".join(text for _style, text in row) for row in painted]
            assert [cells(text) for text in texts] == [columns] * lines
            texts = [text.rstrip() for text in texts]
            yield f"==== {scene} · {language}"
            if language == "en":
                english = texts
                yield from english
            else:
                yield from (
                    f"{n:2}|{text}"
                    for n, (text, one) in enumerate(zip(texts, english), 1)
                    if text != one
                )


ALL = [(*table, *size) for table in TABLES for size in SIZES]


@pytest.mark.parametrize(("game", "players", "columns", "lines"), ALL)
def test_a_table_looks_as_it_was_approved(
    game: str, players: int, columns: int, lines: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_catalogue", words._catalogue)
    shown = "".join(line + "\n" for line in pictures(game, players, columns, lines))
    file = GOLDEN / f"{game}-{players}-{columns}x{lines}.txt"
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        file.write_text(shown, encoding="utf-8")
    assert shown == file.read_text(encoding="utf-8")


def test_no_table_is_left_over() -> None:
    names = {f"{game}-{n}-{columns}x{lines}" for game, n, columns, lines in ALL}
    assert {file.stem for file in GOLDEN.glob("*.txt")} == names


@pytest.mark.parametrize("players", [2, 3, 5, 8])
@pytest.mark.parametrize(("columns", "lines"), [(100, 30), (140, 40)])
def test_no_hand_moves_in_a_whole_round(players: int, columns: int, lines: int) -> None:
    told = told_to_first(KNOWN["crisp"], players)["end"]
    screen = Screen()
    seen_at: set[tuple[Place, ...]] = set()
    for show in told[:-1]:
        at = show.now / 1000
        screen = see(screen, show, at)
        if screen.view:
            found = places(rows(screen, columns, lines, at))
            seen_at.add(tuple(found[card_point(seat, 0)] for seat in range(players)))
    assert len({tuple((each.left, each.right) for each in hands) for hands in seen_at}) == 1
    for hand in zip(*seen_at):
        tops = {place.top for place in hand}
        assert max(tops) - min(tops) <= 1, "more than a foot that takes a row more than usual"
