"""Every sentence and word for players is there in every language, with the same fields.

A new msgid needs an entry in crisp_lan/locale/{de,id}/LC_MESSAGES/crisp_lan.po; the catalogues are
compiled when the package is installed.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from crisp_lan import words
from crisp_lan.cli import _COMMANDS, run
from crisp_lan.tui.model import Screen
from crisp_lan.tui.paint_foot import span
from crisp_lan.tui.typed import heard
from crisp_lan.tui.wording import seconds
from crisp_lan.words import LANGUAGES, _, n_, speak
from tests import msgids
from tests.tui import views
from tests.tui.test_paint import text_of

LOCALE = msgids.PACKAGE / "locale"
TRANSLATED = [language for language in LANGUAGES if language != "en"]
FIELD = re.compile(r"\{\w+\}")


def catalogue(language: str) -> Catalog:
    with (LOCALE / language / "LC_MESSAGES" / "crisp_lan.po").open("rb") as file:
        return read_po(file, locale=language)


def entries(language: str) -> list[Message]:
    return [message for message in catalogue(language) if message.id]


def several(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def compiled(folder: Path) -> Path:
    """This folder, with all catalogues in it as programs read them."""
    for language in TRANSLATED:
        file = folder / language / "LC_MESSAGES" / "crisp_lan.mo"
        file.parent.mkdir(parents=True)
        with file.open("wb") as written:
            write_mo(written, catalogue(language))
    return folder


@pytest.fixture(params=TRANSLATED)
def spoken(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The process speaks this language, from catalogues compiled for the test."""
    monkeypatch.setattr(words, "_LOCALE", compiled(tmp_path))
    monkeypatch.setattr(words, "_catalogue", words._catalogue)
    return speak(request.param)


def test_tenths_and_hundredths_have_the_readers_sign(spoken: str) -> None:
    assert span(1840, tenths=True)[:3] == "1,8"
    assert seconds(210) == "0,21"
    assert seconds(3000) == "3"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_msgid_is_translated_and_nothing_is_left_over(language: str) -> None:
    wanted = msgids.in_source() | msgids.in_games()
    there = {key for message in entries(language) for key in several(message.id)}
    assert wanted - there == set(), "missing"
    assert there - wanted == set(), "no longer used"


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_is_filled_and_has_the_same_fields(language: str) -> None:
    for message in entries(language):
        assert not message.fuzzy, message.id
        fields = set(FIELD.findall(several(message.id)[-1]))
        for text in several(message.string):
            assert text.strip(), message.id
            assert set(FIELD.findall(text)) == fields, message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_ends_as_its_sentence_does(language: str) -> None:
    for message in entries(language):
        for text in several(message.string):
            assert (text[-1] in ".!?…:") == (several(message.id)[0][-1] in ".!?…:"), message.id


@pytest.mark.parametrize("language", TRANSLATED)
def test_the_words_that_can_be_typed_are_single_and_different(language: str) -> None:
    typed = ("hand", "scores", "status", "help", "back", "quit")
    there = catalogue(language)
    in_language = [str(there[word].string) for word in typed]  # type: ignore[index]
    assert all(" " not in word for word in in_language)
    assert len({word.casefold() for word in in_language}) == len(typed)


def test_a_language_is_spoken_with_its_plurals(spoken: str) -> None:
    one, many = {"de": ("1 Karte", "2 Karten"), "id": ("1 kartu", "2 kartu")}[spoken]
    assert (n_("{n} card", "{n} cards", 1), n_("{n} card", "{n} cards", 2)) == (one, many)
    assert _("") == ""


def test_a_whole_table_is_told_in_the_language(spoken: str) -> None:
    shown = text_of(views.first_look(8))
    told = {
        "de": (
            *("Nachziehstapel", "Erster Blick", "sieht an: rechts", "2 Mitte", "[r] Bereit"),
            *("Ansehen (du) 3 s", "Lea sieht sich die linke Karte an."),
        ),
        "id": ("tumpukan", "Melihat awal", "melihat: kanan", "2 tengah", "[r] Siap"),
    }[spoken]
    assert all(words in shown for words in told)
    assert "looking" not in shown


def test_the_commands_of_plain_mode_are_understood_in_the_language_and_in_english(
    spoken: str,
) -> None:
    screen = views.holding(2)
    for word in ({"de": "hand", "id": "kartu"}[spoken], "hand"):
        assert heard(screen, word, 0.0).said
    assert heard(screen, {"de": "beenden", "id": "keluar"}[spoken], 0.0).keys[-1] == "q"


@pytest.mark.parametrize("command", [None, *_COMMANDS])
def test_help_fits_80_columns_in_the_language(
    command: str | None, spoken: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([f"--lang={spoken}", *([command] if command else []), "--help"]) == 0
    out = capsys.readouterr().out
    assert {"de": "\nBeispiele:\n", "id": "\ncontoh:\n"}[spoken] in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_names_stay_readable_in_a_lobby_of_long_words(spoken: str) -> None:
    shown = text_of(views.lobby(8))
    assert all(f" {n} {name}" in shown for n, name in enumerate(views.NAMES, 1))


class Longer(gettext.NullTranslations):
    """A language in which everything takes 40 % more room."""

    def gettext(self, message: str) -> str:
        return message + "~" * round(len(message) * 0.4)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        (
            views.lobby,
            ("Players: 8 of 8~", "7 Farida Wulandari", "take discard~~~~~", "[q] quit~~"),
        ),
        (views.first_look, ("looking~~~: right", "may look~~~", "2 middle~~", "[r] Ready~~")),
        (views.holding, ("Extra draws left: 1~~~", "from the", "31 s~~", "[x] Discard it~~~~")),
        (views.window, ("CRISP WINDOW~~~~~ (YOU~)", "[c] Call crisp~~~~", "has the turn~~~~~")),
        (views.round_end, ("total~~", "−5", "8 to go", "next round~~~~ 13 s~~")),
    ],
)
def test_a_language_of_longer_words_fits_the_smallest_window(
    scene: Callable[[int], Screen], told: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_catalogue", Longer())
    shown = text_of(scene(8))
    assert [text for text in told if text not in shown] == []
