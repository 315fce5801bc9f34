"""What people type, made harmless: once where it enters, and again wherever it is shown."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from wcwidth import wcwidth

NAME_CELLS = 20
"""The widest name of a player or a table, in terminal cells."""
NAME_LENGTH = 64
"""The longest, in code points: some take no cell. Messages have no place for more."""
READ = 500
"""Code points of a foreign text that are read at all: a value may be put into a sentence often."""

_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕһүԁԛԝӏαβεικνορτυχ",
    "abekmhopctyxijshydqwlabeikvoptux",
)
_LOOKALIKE_CAPITALS = str.maketrans("I1|0ІΖΗΙΜΝΥ", "lllolZHlMNY")
"""Signs that look like other letters than their small ones do."""


def harmless(text: str) -> str:
    """The text without what could steer a terminal, reorder a line or hide in one, cut at READ."""
    kept = (
        " " if c in "\t\n\r\v\f\u2028\u2029" else c
        for c in unicodedata.normalize("NFC", text[:READ]).translate(_DISPUTED)
        if c in "\t\n\r\v\f\u2028\u2029" or unicodedata.category(c) not in _UNSEEN
    )
    return _unstacked(" ".join("".join(kept).split()))


def printable(text: str) -> str:
    """A line as it may be printed, whatever a table has put into it; its spaces stay."""
    if text.isprintable():
        return text
    return "".join(c for c in text if unicodedata.category(c) not in _UNSEEN)


_BLANK = (
    *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x13441, 0x13442),
    *(0x16FE4, 0x1D159, *range(0x180B, 0x1810)),
)
"""Letters, marks and signs by their category, of which nothing is to be seen."""

_DISPUTED: dict[int, str | None] = {
    **dict.fromkeys(range(0xFE00, 0xFE10)),
    **dict.fromkeys(range(0xE0100, 0xE01F0)),
    **dict.fromkeys(range(0x1F3FB, 0x1F400)),
    **dict.fromkeys(_BLANK),
    **{0x1F1E6 + n: chr(ord("A") + n) for n in range(26)},
}
"""Signs that make their neighbours wider in some terminals only: presentation selectors and skin
tones go, and a flag becomes its two letters."""

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def _unstacked(text: str) -> str:
    """No more than two combining marks on one letter."""
    out: list[str] = []
    marks = 0
    for c in text:
        marks = marks + 1 if unicodedata.combining(c) else 0
        if marks <= 2:
            out.append(c)
    return "".join(out)


@lru_cache(maxsize=4096)
def cells(text: str) -> int:
    """How many terminal cells a harmless text takes, counted sign by sign as the screen does."""
    return sum(max(wcwidth(c), 0) for c in text)


def cut(text: str, width: int) -> str:
    """The text in at most `width` cells, with an ellipsis where something was cut."""
    if cells(text) <= width:
        return text
    room, out = width - 1, ""
    for c in text:
        if cells(out + c) > room:
            break
        out += c
    return out.rstrip() + "…" if width > 0 else ""


def safe_name(text: str, otherwise: str) -> str:
    """A name as the table keeps it: harmless and not too long; `otherwise` if nothing is left."""
    name = harmless(text)[:NAME_LENGTH]
    if not any(wcwidth(c) > 0 and not c.isspace() for c in name):
        return otherwise
    return cut(name, NAME_CELLS)


def same_name(one: str, other: str) -> bool:
    """Whether people would take two names for the same: read aloud, or looked at."""
    return not _folded(one).isdisjoint(_folded(other))


def _folded(name: str) -> set[str]:
    plain = unicodedata.normalize("NFKC", harmless(name))
    read, looked_at = plain, plain.translate(_LOOKALIKE_CAPITALS)
    return {fold.casefold().translate(_LOOKALIKES) for fold in (read, looked_at)}
