"""What tests of screens share."""

from __future__ import annotations

import gettext
import io

import pytest
from babel.messages.mofile import write_mo

from crisp_lan import words
from tests.test_catalogue import catalogue


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """The process speaks this language."""
    language = str(request.param)
    compiled = io.BytesIO()
    if language != "en":
        write_mo(compiled, catalogue(language))
        compiled.seek(0)
    spoken = gettext.GNUTranslations(compiled) if language != "en" else gettext.NullTranslations()
    monkeypatch.setattr(words, "_catalogue", spoken)
    return language
