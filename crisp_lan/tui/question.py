"""One question that a player answers by typing, alone on the screen, as a value.

press(question, key, columns, lines)  the next question, and what was answered: None for nothing yet
rows(question, columns, lines, at)    what is shown
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from crisp_lan.tui.blocks import Block, block, broken, tall
from crisp_lan.tui.points import key_span
from crisp_lan.words import _

LONGEST = 64


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, why, and what has been typed so far."""

    asks: str
    why: str
    typed: str = ""
    ascii: bool = False
    alarm: int = 0


def press(question: Question, key: str, columns: int, lines: int) -> tuple[Question, str | None]:
    """The question after a key, and the answer to it; "" from who does not want to answer."""
    if key == "enter" and question.typed.strip():
        return question, question.typed.strip()
    if key == "escape":
        return question, ""
    if key == "backspace":
        return replace(question, typed=question.typed[:-1]), None
    sign = " " if key == "space" else key
    if len(sign) == 1 and len(question.typed) < LONGEST:
        return replace(question, typed=question.typed + sign), None
    return question, None


def rows(question: Question, columns: int, lines: int, at: float) -> Block:
    """The question in exactly so many rows and columns."""
    head: Block = [[("title", f" {question.asks}".ljust(columns))], []]
    head += [[("", " "), ("strong", line)] for line in broken(question.why, columns - 2)]
    below: Block = [
        [("", f" {question.asks}: "), ("strong", question.typed), ("cursor", " ")],
        [("rule", ("-" if question.ascii else "─") * columns)],
        [("", " "), *key_span("Enter", _("join")), ("", "  "), *key_span("Esc", _("back"))],
    ]
    room = max(0, lines - len(below))
    return block([*tall(block(head, columns), room), *below][:lines], columns)
