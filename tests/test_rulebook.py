"""The rules in words: complete and alike in every language, true to the games, and well set."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from babel.messages.pofile import read_po

from crisp_lan.game.catalogue import GAMES
from crisp_lan.rulebook import MOST_COLUMNS, Piece, rules, typeset
from crisp_lan.text import cells
from crisp_lan.words import LANGUAGES
from tests.msgids import PACKAGE

TRANSLATED = [language for language in LANGUAGES if language != "en"]
NUMBER = re.compile(r"[+−]?\d+")
EACH = [(game, language) for game in GAMES for language in LANGUAGES]


def words_of(piece: Piece) -> str:
    return " ".join(cell for row in piece.rows for cell in row)


def whole(game: str, language: str) -> str:
    return " ".join(map(words_of, rules(game, language)))


def table_of_options(game: str, language: str) -> dict[str, str]:
    """The table after the heading of what a host can choose."""
    for piece in rules(game, language):
        if piece.kind == "table" and any("45" in row[-1] for row in piece.rows):
            return dict(piece.rows)
    raise AssertionError("no table of options")


def worded_option(name: str, language: str) -> str:
    key = name.replace("_", " ")
    if language == "en":
        return key
    with (PACKAGE / "locale" / language / "LC_MESSAGES" / "crisp_lan.po").open("rb") as file:
        return str(read_po(file)[key].string)  # type: ignore[index]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", TRANSLATED)
def test_the_rules_have_the_same_parts_and_numbers_in_every_language(
    game: str, language: str
) -> None:
    english, translated = rules(game, "en"), rules(game, language)
    assert len(english) == len(translated)
    for one, other in zip(english, translated):
        assert (one.kind, [len(row) for row in one.rows]) == (
            other.kind,
            [len(row) for row in other.rows],
        )
        for row, its in zip(one.rows, other.rows):
            told, said = (NUMBER.findall(" ".join(cells)) for cells in (row, its))
            assert Counter(told) == Counter(said), (row, its)


@pytest.mark.parametrize(("game", "language"), EACH)
def test_a_text_is_its_own_languages_and_has_no_mark_left(game: str, language: str) -> None:
    file = PACKAGE / "locale" / language / "rules" / f"{game}.txt"
    assert file.is_file()
    assert rules(game, language)[0].rows == ((GAMES[game].title,),)
    assert not re.search(r"[#|*{}]|(^| )- ", whole(game, language))


@pytest.mark.parametrize(("game", "language"), EACH)
def test_every_option_is_told_by_the_name_it_has_in_the_lobby(game: str, language: str) -> None:
    table = table_of_options(game, language)
    options = GAMES[game].options
    assert set(table) == {worded_option(option.name, language) for option in options}
    for option in options:
        told = NUMBER.findall(table[worded_option(option.name, language)])
        known = [v for v in (*option.values, option.default) if v and v is not True]
        assert {str(value) for value in known} <= set(told), option.name


@pytest.mark.parametrize(("game", "language"), EACH)
def test_the_numbers_of_players_are_told_at_once(game: str, language: str) -> None:
    seats = GAMES[game].seats
    told = NUMBER.findall(words_of(rules(game, language)[1]))
    assert told[: 2 if len(seats) > 1 else 1] == [str(n) for n in sorted({seats[0], seats[-1]})]


WORDS = {
    ("crisp", "en"): ("draw pile", "discard pile", "Jack", "Queen", "King", "clockwise"),
    ("crisp", "de"): ("Nachziehstapel", "Ablagestapel", "Bube", "Dame", "König", "Geber"),
    ("crisp", "id"): ("tumpukan ambil", "tumpukan buangan", "Jack", "Queen", "King", "bandar"),
    ("briscola", "en"): ("trump", "trick", "declarer", "counter-clockwise", "Chiamata"),
    ("briscola", "de"): ("Trumpf", "Stich", "Dame", "Partner", "Chiamata"),
    ("briscola", "id"): ("trump", "suit", "Raja", "Ratu", "rekan", "Chiamata"),
    ("crisps", "en"): ("pair", "run", "pass", "Crisp"),
    ("crisps", "de"): ("Paar", "Folge", "pass", "Crisp"),
    ("crisps", "id"): ("pasangan", "urutan", "lewat", "Crisp"),
}


@pytest.mark.parametrize(("game", "language"), WORDS)
def test_the_terms_are_those_of_the_game_in_that_language(game: str, language: str) -> None:
    told = whole(game, language)
    assert [word for word in WORDS[game, language] if word not in told] == []


def test_the_numbers_of_the_rules_are_there() -> None:
    wanted = {
        "crisp": "2 8 52 1 9 10 5 30 3 +5 −5 100 50 150 20 60",
        "briscola": "40 52 120 11 10 4 3 2 61 60 39 36 8 62 +2 −2 +1 −1 +4 −4",
        "crisps": "40 12 4 1 11 9 6 3",
    }
    for game, numbers in wanted.items():
        assert set(numbers.split()) <= set(NUMBER.findall(whole(game, "en"))), game


@pytest.mark.parametrize(("game", "language"), EACH)
@pytest.mark.parametrize("columns", [40, 80, 200])
def test_the_text_fits_any_width_and_no_line_is_too_long_to_read(
    game: str, language: str, columns: int
) -> None:
    rows = ["".join(text for _, text in row) for row in typeset(rules(game, language), columns)]
    assert max(map(cells, rows)) <= min(columns, MOST_COLUMNS)
    assert not any("…" in row for row in rows)
    assert " ".join(" ".join(rows).split()).count(" ") > 200


def test_lists_hang_and_tables_align() -> None:
    text = (
        Piece("title", (("A game",),)),
        Piece("list", (("one two three four five six seven eight",), ("nine",))),
        Piece("table", (("a", "one two three four five six"), ("bcd", "seven"))),
    )
    rows = ["".join(words for _, words in row) for row in typeset(text, 35)]
    assert rows == [
        " A game",
        "",
        "  – one two three four five six",
        "    seven eight",
        "  – nine",
        "",
        "    a     one two three four five",
        "          six",
        "    bcd   seven",
    ]


def test_a_column_that_would_be_too_narrow_stands_below() -> None:
    table = Piece(
        "table", (("a word or two of which too many", "one two three four five"), ("bcd", "six"))
    )
    rows = ["".join(words for _, words in row) for row in typeset((table,), 32)]
    assert [row.rstrip() for row in rows] == [
        "    a word or two of which too",
        "    many",
        "      one two three four five",
        "    bcd",
        "      six",
    ]


def test_what_is_not_there_in_a_language_is_in_english_and_what_is_nowhere_is_nothing() -> None:
    assert rules("crisp", "xx") == rules("crisp", "en")
    assert rules("chess", "de") == ()
