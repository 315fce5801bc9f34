"""How the painter's words for styles look.

Only the terminal's own eight colours, bold, underline and reverse: they follow its theme, dark or
light, and are there on the poorest. Nothing is said by colour alone; without colour the rest stays.
"""

from __future__ import annotations

from prompt_toolkit.output import ColorDepth, create_output
from prompt_toolkit.styles import Style

LOOKS = {
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
    "turn": "bold ansigreen",
    "key": "bold",
    "bar": "ansigreen",
    "loud": "bold reverse fg:ansiyellow bg:ansiblack",
    "loud.bar": "noreverse",
    "loud.key": "noreverse",
    "warn": "bold ansired",
}
"""The looks of each of the painter's styles. A loud clock has a ground of its own, dark or light;
without colour it is reversed."""

STYLE = Style.from_dict(LOOKS)


def depth(colour: bool) -> ColorDepth | None:
    """None leaves it to the terminal, and to NO_COLOR."""
    return None if colour else ColorDepth.MONOCHROME


def colours() -> int:
    """How many colours this terminal is taken to have; 2 is none."""
    depth = ColorDepth.from_env() or create_output().get_default_color_depth()
    return int(2 ** _BITS[depth])


_BITS = {
    ColorDepth.DEPTH_1_BIT: 1,
    ColorDepth.DEPTH_4_BIT: 4,
    ColorDepth.DEPTH_8_BIT: 8,
    ColorDepth.DEPTH_24_BIT: 24,
}
