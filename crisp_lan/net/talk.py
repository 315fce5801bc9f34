"""What people at a table say to each other."""

from __future__ import annotations

from crisp_lan.game.rules import Note, Seat
from crisp_lan.net.messages import PHRASES
from crisp_lan.text import cells, cut, harmless

WIDEST = 100
"""Cells of what somebody says at once."""


def said(seat: Seat, words: str) -> Note | None:
    """What a seat says, as all are told it; a phrase so that each reads their own language. None
    if nothing of it can be seen."""
    shown = cut(harmless(words), WIDEST)
    if shown in PHRASES:
        return Note("{seat}: {phrase}", {"seat": seat, "phrase": shown})
    return Note("{seat}: {words}", {"seat": seat, "words": shown}) if cells(shown) else None
