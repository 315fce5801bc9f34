"""One question on the whole screen: what is typed, answered, and shown."""

from __future__ import annotations

from crisp_lan.text import cells
from crisp_lan.tui.question import LONGEST, Question, press, rows

ASKED = Question("Passcode", "This table asks for a passcode. Ask the host for it.")


def typed(question: Question, *keys: str) -> tuple[Question, str | None]:
    answer = None
    for key in keys:
        question, answer = press(question, key, 80, 24)
    return question, answer


def shown(question: Question, columns: int = 80, lines: int = 24) -> list[str]:
    painted = ["".join(text for _, text in row) for row in rows(question, columns, lines, 0.0)]
    assert [cells(line) for line in painted] == [columns] * lines
    return [line.strip() for line in painted]


def test_enter_answers_with_what_was_typed() -> None:
    assert typed(ASKED, *"48", "backspace", *"82", "space", *"913", "enter")[1] == "482 913"


def test_enter_alone_answers_nothing() -> None:
    assert typed(ASKED, "enter")[1] is None
    assert typed(ASKED, "space", "enter")[1] is None


def test_escape_does_not_want_to_answer() -> None:
    assert typed(ASKED, *"48", "escape")[1] == ""


def test_other_keys_and_more_than_a_passcode_has_are_not_typed() -> None:
    assert typed(ASKED, "up", "4", "left", "q")[0].typed == "4q"
    assert len(typed(ASKED, *"x" * 99)[0].typed) == LONGEST


def test_the_question_its_reason_and_what_is_typed_are_shown() -> None:
    lines = shown(typed(ASKED, *"482")[0])
    assert lines[0] == "Passcode"
    assert lines[2] == "This table asks for a passcode. Ask the host for it."
    assert lines[-3] == "Passcode: 482"
    assert lines[-1] == "[Enter] join  [Esc] back"


def test_a_small_window_shows_where_to_type() -> None:
    assert "Passcode: 4" in shown(typed(ASKED, "4")[0], 30, 5)
