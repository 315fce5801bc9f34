"""The rules at a real terminal: read screen by screen where they are longer than it."""

from __future__ import annotations

import pytest

from tests.system.pseudo import Pseudo

pytestmark = pytest.mark.system


def reading(*words: str, **given: object) -> Pseudo:
    return Pseudo(["-m", "crisp_lan", "--lang=en", "rules", "crisp", *words], **given)  # type: ignore[arg-type]


def test_long_rules_are_read_by_keys_and_the_terminal_is_as_it_was() -> None:
    with reading() as terminal:
        terminal.wait_for("The rules of Crisp", "A game of memory and bluff", "[Space] one page")
        terminal.press(" ")
        terminal.wait_for("lines 20 to 39 of")
        terminal.press("\x1b[F")
        terminal.wait_for("Somebody is away", "The last one left has won.")
        terminal.resize(60, 30)
        terminal.wait_for_end_of("The last one left has won.")
        terminal.press("\x1b[F")
        terminal.wait_for("left has won.", "lines 113 to 138 of 138")
        terminal.press("q")
        assert terminal.ended() == 0
        assert terminal.is_sane()
        assert terminal.afterwards == ""


@pytest.mark.parametrize(
    "given", [{"lines": 200}, {"environment": {"TERM": "dumb"}}, {"words": ["--plain"]}]
)
def test_rules_that_fit_or_have_no_screen_are_printed(given: dict[str, object]) -> None:
    words = given.pop("words", [])
    with reading(*words, **given) as terminal:  # type: ignore[misc]
        terminal.says("The last one left has won.")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.written
