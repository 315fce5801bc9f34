"""What a game explains to its newcomers: read from one text a language, and what a player has had.

A text is set like the rules of the game (see rulebook.py). Each heading names an occasion, and the
heading in the rules under which more is said of it; the paragraph below is the lesson, which may be
missing:

    ## choice draw · Your turn

Occasions are `phase …`, a phase of the round; `choice …`, the name of what is offered; `note …`,
what is told. `{draw}` in a lesson is the key of that choice. Of several occasions at once the first
in the text counts, and the last lesson is the end of the guided round.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from crisp_lan.rulebook import Piece, pieces, rules

BETWEEN = " · "
_TEXTS = Path(__file__).with_name("locale")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is explained on an occasion, "" if nothing, and the part of the rules it is from."""

    occasion: str
    words: str
    rules: tuple[Piece, ...]


@cache
def lessons(game: str, language: str) -> tuple[Lesson, ...]:
    """The lessons of a game, in English where they are not in this language; () if nowhere."""
    for each in (language, "en"):
        file = _TEXTS / each / "lessons" / f"{game}.txt"
        if file.is_file():
            return tuple(_lessons(pieces(file.read_text(encoding="utf-8")), rules(game, each)))
    return ()


def _lessons(text: tuple[Piece, ...], rules: tuple[Piece, ...]) -> Iterator[Lesson]:
    for piece, after in zip(text, (*text[1:], None)):
        if piece.kind == "heading":
            occasion, _between, heading = _words(piece).rpartition(BETWEEN)
            words = _words(after) if after and after.kind == "paragraph" else ""
            yield Lesson(occasion, words, part(rules, heading))


def _words(piece: Piece) -> str:
    ((words,),) = piece.rows
    return words


def part(rules: tuple[Piece, ...], heading: str) -> tuple[Piece, ...]:
    """The part of the rules under a heading, with it; () if there is none."""
    starts = [n for n, piece in enumerate(rules) if piece.kind == "heading"]
    for start, end in zip(starts, (*starts[1:], len(rules))):
        if _words(rules[start]) == heading:
            return rules[start:end]
    return ()


# ---------------------------------------------------------------- what a player has had


@dataclass(frozen=True, slots=True)
class Learned:
    """The lessons that a player has had, each a game and an occasion, and the games of which no
    more are wanted."""

    heard: frozenset[tuple[str, str]] = frozenset()
    left: frozenset[str] = frozenset()


def learned(folder: Path) -> Learned:
    """What is kept in this folder; nothing where it cannot be read."""
    with suppress(OSError, ValueError, TypeError, AttributeError):
        kept = json.loads(_file(folder).read_text(encoding="utf-8"))
        heard = {(str(g), str(o)) for g, occasions in kept["heard"].items() for o in occasions}
        return Learned(frozenset(heard), frozenset(map(str, kept["left"])))
    return Learned()


def keep(folder: Path, now: Learned) -> None:
    """Keeps it beside what is kept already. Where the disk does not let it, nothing is."""
    before = learned(folder)
    heard: dict[str, list[str]] = {}
    for game, occasion in sorted(before.heard | now.heard):
        heard.setdefault(game, []).append(occasion)
    whole = {"heard": heard, "left": sorted(before.left | now.left)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh = _file(folder).with_suffix(".new")
        fresh.write_text(json.dumps(whole, ensure_ascii=False) + "\n", encoding="utf-8")
        fresh.replace(_file(folder))
    except OSError as error:
        log.warning("what has been explained cannot be kept: %s", error.strerror)


def _file(folder: Path) -> Path:
    return folder / "lessons.json"
