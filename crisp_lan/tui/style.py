"""How the painter's words for styles look: themes, each with a ground of its own, and the poorest.

A theme needs 256 colours. A terminal with fewer, or a player who wants its own, gets LOOKS: only
the terminal's eight colours, bold, underline and reverse, which follow its theme, dark or light,
and are there everywhere. Nothing is said by colour alone; without colour the rest stays.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.styles import Style

LOOKS = {
    "ground": "",
    "dim": "dim",
    "strong": "bold",
    "title": "bold underline",
    "rule": "dim",
    "card": "",
    "face": "bold",
    "red": "bold ansired",
    "back": "ansicyan",
    "back.edge": "ansicyan",
    "cursor": "reverse",
    "marked": "bold underline ansigreen",
    "turn": "bold reverse ansigreen",
    "key": "bold",
    "bar": "ansigreen",
    "loud": "bold reverse fg:ansiyellow bg:ansiblack",
    "loud.bar": "noreverse",
    "loud.key": "noreverse",
    "warn": "bold ansired",
}
"""The looks of each of the painter's styles on any terminal. A loud clock has a ground of its own,
dark or light; without colour it is reversed."""

_DARK = {
    "ground": "bg:#1c1c1c #d0d0d0",
    "dim": "#949494",
    "strong": "bold #ffffff",
    "title": "bold bg:#303030 #eeeeee",
    "rule": "#5f5f5f",
    "card": "bg:#eeeeee #767676",
    "face": "bold bg:#eeeeee #121212",
    "red": "bold bg:#eeeeee #d70000",
    "back": "bg:#005f87 #0087af",
    "back.edge": "bg:#005f87 #87afd7",
    "cursor": "bold bg:#ffd75f #121212",
    "marked": "bold bg:#87d787 #121212",
    "turn": "bold bg:#005f5f #ffffff",
    "key": "bold #ffd787",
    "bar": "#5faf87",
    "loud": "bold bg:#ffaf00 #000000",
    "loud.bar": "bg:#3a3a3a #ffaf00",
    "loud.key": "bg:#000000 #ffffff",
    "warn": "bold #ff8787",
}
_LIGHT = {
    "ground": "bg:#eeeeee #1c1c1c",
    "dim": "#626262",
    "strong": "bold #000000",
    "title": "bold bg:#d0d0d0 #000000",
    "rule": "#9e9e9e",
    "card": "bg:#ffffff #767676",
    "face": "bold bg:#ffffff #000000",
    "red": "bold bg:#ffffff #d70000",
    "back": "bg:#5f87af #87afd7",
    "back.edge": "bg:#5f87af #ffffff",
    "cursor": "bold bg:#ffaf00 #000000",
    "marked": "bold bg:#5fd787 #000000",
    "turn": "bold bg:#005f5f #ffffff",
    "key": "bold #005f87",
    "bar": "#00875f",
    "loud": "bold bg:#870000 #ffffff",
    "loud.bar": "bg:#d0d0d0 #870000",
    "loud.key": "bg:#ffffff #000000",
    "warn": "bold #af0000",
}
_CONTRAST = {
    "ground": "bg:#000000 #ffffff",
    "dim": "",
    "strong": "bold",
    "title": "bold bg:#ffffff #000000",
    "rule": "",
    "card": "bg:#ffffff #000000",
    "face": "bold bg:#ffffff #000000",
    "red": "bold bg:#ffffff #af0000",
    "back": "bg:#0000af #ffffff",
    "back.edge": "bg:#0000af #ffffff",
    "cursor": "bold bg:#ffff00 #000000",
    "marked": "bold underline bg:#00ff00 #000000",
    "turn": "bold bg:#00ffff #000000",
    "key": "bold #ffff00",
    "bar": "#ffffff",
    "loud": "bold bg:#ffff00 #000000",
    "loud.bar": "bg:#000000 #ffff00",
    "loud.key": "bg:#000000 #ffffff",
    "warn": "bold bg:#af0000 #ffffff",
}
_COLOURBLIND = {
    **_DARK,
    "card": "bg:#ffffff #767676",
    "face": "bold bg:#ffffff #000000",
    "red": "bold bg:#ffffff #af5f00",
    "back": "bg:#444444 #6c6c6c",
    "back.edge": "bg:#444444 #bcbcbc",
    "cursor": "bold bg:#ffaf00 #000000",
    "marked": "bold bg:#87d7ff #000000",
    "turn": "bold bg:#005f87 #ffffff",
    "bar": "#5fafd7",
    "warn": "bold #ffaf5f",
}
"""Blue and orange in place of green and red, and far apart in lightness."""

THEMES: Mapping[str, Mapping[str, str]] = {
    "dark": _DARK,
    "light": _LIGHT,
    "contrast": _CONTRAST,
    "colorblind": _COLOURBLIND,
    "terminal": LOOKS,
}
"""By the names that the command line has for them."""


def style(theme: str, depth: ColorDepth) -> Style:
    """The looks of a theme with so many colours; "" is the one that goes with the terminal."""
    if depth in (ColorDepth.DEPTH_1_BIT, ColorDepth.DEPTH_4_BIT):
        return Style.from_dict(LOOKS)
    return Style.from_dict(dict(THEMES[theme or own_theme()]))


def own_theme() -> str:
    """Light on a terminal that says that it is, else dark."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if ground in ("7", "15") else "dark"


def depth(colour: bool) -> ColorDepth | None:
    """How many colours to use where the player or the terminal's description says so; None leaves
    it to the terminal, and to NO_COLOR."""
    if not colour:
        return ColorDepth.MONOCHROME
    if ColorDepth.from_env() is not None or os.environ.get("COLORTERM"):
        return None
    known = described_colours()
    if known is None or known >= 256:
        return None
    return ColorDepth.DEPTH_4_BIT if known >= 8 else ColorDepth.MONOCHROME


def described_colours() -> int | None:
    """How many colours the system's description of this terminal has; None where there is none."""
    try:
        import curses
    except ImportError:
        return None
    try:
        curses.setupterm(fd=1)
    except curses.error:
        return None
    return max(0, curses.tigetnum("colors"))


def colours() -> int:
    """How many colours this terminal is taken to have; 2 is none."""
    used = depth(colour=True) or ColorDepth.from_env()
    return int(2 ** _BITS[used or create_output().get_default_color_depth()])


_BITS = {
    ColorDepth.DEPTH_1_BIT: 1,
    ColorDepth.DEPTH_4_BIT: 4,
    ColorDepth.DEPTH_8_BIT: 8,
    ColorDepth.DEPTH_24_BIT: 24,
}
