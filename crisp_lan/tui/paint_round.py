"""A round on the table: the others, the middle, the own cards and a short log."""

from __future__ import annotations

from crisp_lan.tui.blocks import Block
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_above import above_block
from crisp_lan.tui.paint_around import around_block
from crisp_lan.tui.paint_own import WIDE


def round_block(screen: Screen, columns: int, lines: int, at: float, usual: int = 0) -> Block:
    """The round in exactly that many columns and lines; `usual`: those that are always there."""
    picture = around_block(screen, columns, lines, at, usual or lines) if columns >= WIDE else []
    return picture or above_block(screen, columns, lines, at)
