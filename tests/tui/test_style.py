"""Every style has its looks, in every theme, and without colour what matters can be told."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _EscapeCodeCache

from crisp_lan import arguments
from crisp_lan.tui.paint import STYLES
from crisp_lan.tui.style import LOOKS, THEMES, depth, own_theme, style

PAPER = ("card", "face", "red", "back", "back.edge")
"""Styles that are read on a card, not on the ground."""
READ = ("dim", "strong", "title", "cursor", "marked", "turn", "key", "loud", "loud.key", "warn")


def codes(name: str, colours: ColorDepth, theme: str = "terminal") -> list[str]:
    """The numbers that a terminal is sent for a style."""
    names = " ".join("class:" + part for part in name.split())
    looks = style(theme, colours).get_attrs_for_style_str(names)
    return re.findall(r"\d+", _EscapeCodeCache(colours)[looks])


def light(colour: str) -> float:
    """The relative luminance of a colour such as 1c1c1c (WCAG 2)."""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: str, name: str) -> float:
    looks = style(theme, ColorDepth.DEPTH_8_BIT)
    attrs = looks.get_attrs_for_style_str(f"class:ground class:{name}")
    assert attrs.color is not None
    assert attrs.bgcolor is not None
    one, other = sorted((light(attrs.color), light(attrs.bgcolor)))
    return (other + 0.05) / (one + 0.05)


OWN = [theme for theme in THEMES if theme != "terminal"]


@pytest.mark.parametrize("theme", THEMES)
def test_every_style_of_the_painter_has_looks_and_no_other(theme: str) -> None:
    assert set(THEMES[theme]) == set(STYLES) - {""} | {"ground"}


def test_the_command_line_knows_every_theme() -> None:
    assert tuple(THEMES) == arguments.THEMES


@pytest.mark.parametrize("theme", OWN)
@pytest.mark.parametrize("name", [*READ, "face", "red"])
def test_what_is_to_be_read_is_far_from_its_ground(theme: str, name: str) -> None:
    assert contrast(theme, name) >= (7 if theme == "contrast" else 4.5)


@pytest.mark.parametrize("theme", OWN)
def test_red_and_black_cards_differ_in_lightness_where_colours_may_not_be_told(theme: str) -> None:
    attrs = style(theme, ColorDepth.DEPTH_8_BIT).get_attrs_for_style_str
    red, black = attrs("class:red").color, attrs("class:face").color
    assert red
    assert black
    assert light(red) - light(black) > 0.05


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", LOOKS)
def test_on_sixteen_colours_only_those_of_the_terminals_own_theme_are_used(
    theme: str, name: str
) -> None:
    allowed = {"0", "1", "2", "4", "7", *map(str, range(30, 38)), *map(str, range(40, 48))}
    assert set(codes(name, ColorDepth.DEPTH_4_BIT, theme)) <= allowed
    assert set(codes(name, ColorDepth.DEPTH_8_BIT, "terminal")) <= allowed


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", LOOKS)
def test_without_colour_there_is_none(theme: str, name: str) -> None:
    assert set(codes(name, ColorDepth.MONOCHROME, theme)) <= {"0", "1", "2", "4", "7"}


@pytest.mark.parametrize("name", ["turn", "cursor", "marked", "key", "loud", "warn"])
def test_what_matters_stands_out_without_colour(name: str) -> None:
    assert codes(name, ColorDepth.MONOCHROME) != codes("", ColorDepth.MONOCHROME)


def test_marked_and_under_the_cursor_differ_without_colour() -> None:
    assert codes("marked", ColorDepth.MONOCHROME) != codes("cursor", ColorDepth.MONOCHROME)


@pytest.mark.parametrize("name", ["loud", "loud.bar"])
def test_a_loud_clock_brings_its_own_ground(name: str) -> None:
    assert {"33", "40"} <= set(codes(name, ColorDepth.DEPTH_4_BIT))


@pytest.mark.parametrize(
    ("described", "used"),
    [
        (None, None),
        (256, None),
        (16, ColorDepth.DEPTH_4_BIT),
        (8, ColorDepth.DEPTH_4_BIT),
        (0, ColorDepth.MONOCHROME),
    ],
)
def test_a_terminal_gets_no_more_colours_than_it_has(
    described: int | None, used: ColorDepth | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "COLORTERM", "PROMPT_TOOLKIT_COLOR_DEPTH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("crisp_lan.tui.style.described_colours", lambda: described)
    assert depth(colour=True) is used
    assert depth(colour=False) is ColorDepth.MONOCHROME
    monkeypatch.setenv("NO_COLOR", "1")
    assert depth(colour=True) is None


@pytest.mark.parametrize(
    ("said", "theme"), [("0;15", "light"), ("0;default;7", "light"), ("15;0", "dark"), ("", "dark")]
)
def test_a_terminal_that_says_it_is_light_gets_a_light_table(
    said: str, theme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLORFGBG", said)
    assert own_theme() == theme
    many = ColorDepth.DEPTH_8_BIT
    assert style("", many).style_rules == style(theme, many).style_rules
