"""Every style has its looks, on every terminal, and without colour what matters can be told."""

from __future__ import annotations

import re

import pytest
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import _EscapeCodeCache

from crisp_lan.tui.paint import STYLES
from crisp_lan.tui.style import LOOKS, STYLE, depth


def codes(style: str, colours: ColorDepth) -> list[str]:
    """The numbers that a terminal is sent for a style."""
    names = " ".join("class:" + name for name in style.split())
    sequence = _EscapeCodeCache(colours)[STYLE.get_attrs_for_style_str(names)]
    return re.findall(r"\d+", sequence)


def test_every_style_of_the_painter_has_looks_and_no_other() -> None:
    assert set(LOOKS) == set(STYLES) - {""}


@pytest.mark.parametrize("colours", [ColorDepth.DEPTH_4_BIT, ColorDepth.DEPTH_8_BIT])
@pytest.mark.parametrize("style", LOOKS)
def test_only_the_eight_colours_of_the_terminals_own_theme_are_used(
    style: str, colours: ColorDepth
) -> None:
    allowed = {"0", "1", "2", "4", "7", *map(str, range(30, 38)), *map(str, range(40, 48))}
    assert set(codes(style, colours)) <= allowed


@pytest.mark.parametrize("style", LOOKS)
def test_without_colour_there_is_none(style: str) -> None:
    assert set(codes(style, ColorDepth.MONOCHROME)) <= {"0", "1", "2", "4", "7"}


@pytest.mark.parametrize("style", ["turn", "cursor", "marked", "key", "loud", "warn"])
def test_what_matters_stands_out_without_colour(style: str) -> None:
    assert codes(style, ColorDepth.MONOCHROME) != codes("", ColorDepth.MONOCHROME)


def test_marked_and_under_the_cursor_differ_without_colour() -> None:
    assert codes("marked", ColorDepth.MONOCHROME) != codes("cursor", ColorDepth.MONOCHROME)


@pytest.mark.parametrize("style", ["loud", "loud.bar"])
def test_a_loud_clock_brings_its_own_ground(style: str) -> None:
    assert {"33", "40"} <= set(codes(style, ColorDepth.DEPTH_4_BIT))


def test_colour_is_left_to_the_terminal_unless_the_player_wants_none() -> None:
    assert depth(colour=True) is None
    assert depth(colour=False) is ColorDepth.MONOCHROME
