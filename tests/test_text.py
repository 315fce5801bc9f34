"""What people type, made harmless, and names that people would take for one another."""

from __future__ import annotations

import pytest

from crisp_lan.text import harmless, safe_name, same_name

BLANKS = "\u2800\u115f\u1160\u3164\uffa0\u034f\u17b4\u180b\u180e\u200b\u2060\U0001d159\U000e0041"


@pytest.mark.parametrize("blank", BLANKS)
def test_a_character_that_shows_nothing_counts_as_nothing(blank: str) -> None:
    assert harmless(blank) == ""
    assert safe_name(blank * 3, "Player") == "Player"
    assert safe_name(f"A{blank}yu", "Player") == "Ayu"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ayu", "ayu"),
        ("Ali", "AIi"),
        ("lda", "Ida"),
        ("Ida", "1da"),
        ("IDA", "ida"),
        ("Ayu", "A\N{CYRILLIC SMALL LETTER STRAIGHT U}u"),
        ("AYU", "A\N{CYRILLIC CAPITAL LETTER STRAIGHT U}U"),
        ("Yan", "\N{GREEK CAPITAL LETTER UPSILON}an"),
        ("Nina", "\N{GREEK CAPITAL LETTER NU}ina"),
        ("Ayu", "Ay\N{GREEK SMALL LETTER UPSILON}"),
        ("Otto", "0tto"),
    ],
)
def test_names_that_look_or_read_alike_are_the_same(one: str, other: str) -> None:
    assert same_name(one, other)
    assert same_name(other, one)


@pytest.mark.parametrize(("one", "other"), [("Lia", "Ila"), ("Mia", "Mila"), ("Ayu", "Budi")])
def test_names_that_differ_are_not_the_same(one: str, other: str) -> None:
    assert not same_name(one, other)
