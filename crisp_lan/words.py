"""Sentences in the reader's language: gettext catalogues, and values put into them."""

from __future__ import annotations

import gettext as _gettext
import locale
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from crisp_lan.game.rules import Value

LANGUAGES = ("en", "de", "id")
_LOCALE = Path(__file__).with_name("locale")
_FIELD = re.compile(r"\{(\w+)\}")

_catalogue: _gettext.NullTranslations = _gettext.NullTranslations()


def speak(language: str | None = None) -> str:
    """Chooses the language of this process, by default the locale's; returns which it is."""
    global _catalogue
    chosen = language or _locale_language()
    _catalogue = _gettext.translation("crisp_lan", _LOCALE, [chosen], fallback=True)
    return chosen


def locale_setting() -> str:
    """The setting that names this process's language, such as `LANG=de_DE.UTF-8`; "" for none."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if _code(value := os.environ.get(name, "")):
            return f"{name}={value}"
    return ""


def _locale_language() -> str:
    code = _code(locale_setting().partition("=")[2] or locale.getlocale()[0] or "")
    return code if code in LANGUAGES else "en"


def _code(value: str) -> str:
    return value.split(":")[0].split("_")[0].split(".")[0]


def _(key: str) -> str:
    """The sentence in the reader's language; the key itself where there is none."""
    return _catalogue.gettext(key) if key else ""


def n_(one: str, many: str, n: int) -> str:
    """The sentence in the right number, with `{n}` put in."""
    return filled(_catalogue.ngettext(one, many, n), {"n": n})


def own_command() -> str:
    """What the player typed to start this program: from a checkout, ./play says so."""
    typed = os.environ.get("CRISP_LAN_COMMAND", "")
    return typed if typed.isprintable() and typed else "crisp-lan"


def filled(
    sentence: str,
    values: Mapping[str, Value],
    shown: Callable[[str, Value], str] = lambda name, value: str(value),
) -> str:
    """The sentence with each `{field}` replaced by its shown value; unknown fields stay.

    `{command}` is what this player types to start the program, whoever the sentence comes from.
    Only names are replaced: a sentence or a value from the network is never a format string.
    """
    values = {"command": own_command(), **values}
    return _FIELD.sub(lambda m: shown(m[1], values[m[1]]) if m[1] in values else m[0], sentence)
