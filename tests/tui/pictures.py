"""The pictures of docs/pictures/: what a terminal shows of a few real tables, drawn as PNG.

`python -m tests.tui.pictures` draws them anew. It needs Pillow (`pip install .[pictures]`) and the
font DejaVu Sans Mono, which has the suits and the lines.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyte
from PIL import Image, ImageDraw, ImageFont

from crisp_lan.game.catalogue import GAMES
from crisp_lan.tui.app import Terminal
from crisp_lan.tui.guest import run_with_terminal
from crisp_lan.tui.layout import Row
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint import rows
from crisp_lan.tui.pressing import press
from tests.tui.emulator import Emulator, emulator
from tests.tui.gallery import seen, told_to_first

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "pictures"
FONTS = Path("/usr/share/fonts/truetype/dejavu")
SIZE, WIDE, HIGH = 15, 9, 17
"""Of the letters, and of a cell, in pixels."""
COLOURS = 255
"""So many are enough, and make the files small."""
LATER = 0.7
PICTURES = {
    "crisp-turn": ("crisp", 5, "turn", "dark", 120, 36),
    "crisp-window": ("crisp", 8, "window", "light", 100, 30),
    "briscola-trick": ("briscola", 4, "window", "dark", 120, 36),
    "crisps-set": ("crisps", 2, "turn", "colorblind", 100, 30),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        game, players, scene, theme, columns, lines = PICTURES[name]
        told = told_to_first(GAMES[game], players)[scene]
        at = told[-1].now / 1000 + LATER
        screen = replace(seen(told), log=seen(told).log[-9:])
        for key in ("y", "4", "5", "6") if game == "crisps" else ():
            screen, _wish = press(screen, key, at)
        drawn(shown(screen, theme, columns, lines, at)).quantize(COLOURS).save(
            FOLDER / f"{name}.png", optimize=True
        )


def shown(
    screen: Screen, theme: str, columns: int, lines: int, at: float
) -> list[list[pyte.screens.Char]]:
    """The cells of a terminal that shows a screen."""

    def paint(screen: Screen, columns: int, lines: int, now: float) -> Sequence[Row]:
        return rows(screen, columns, lines, at)

    with emulator(columns, lines) as terminal:
        table = Terminal(screen, paint, theme=theme, input=terminal.input, output=terminal.output)
        return run_with_terminal(_cells, terminal, first=table.application)


async def _cells(terminal: Emulator) -> list[list[pyte.screens.Char]]:
    await terminal.shows("\n", "[")
    return terminal.cells


def drawn(cells: Sequence[Sequence[pyte.screens.Char]]) -> Image.Image:
    """The cells as a picture."""
    plain = ImageFont.truetype(FONTS / "DejaVuSansMono.ttf", SIZE)
    bold = ImageFont.truetype(FONTS / "DejaVuSansMono-Bold.ttf", SIZE)
    picture = Image.new("RGB", (WIDE * len(cells[0]), HIGH * len(cells)))
    pencil = ImageDraw.Draw(picture)
    for y, row in enumerate(cells):
        for x, cell in enumerate(row):
            ink, ground = f"#{cell.fg}", f"#{cell.bg}"
            left, top = x * WIDE, y * HIGH
            pencil.rectangle((left, top, left + WIDE - 1, top + HIGH - 1), fill=ground)
            font = bold if cell.bold else plain
            pencil.text((left, top), cell.data, fill=ink, font=font)
    return picture


if __name__ == "__main__":
    main()
