"""The settings of a game: what they can be, and how people type them."""

from __future__ import annotations

from typing import Any

from crisp_lan.game.rules import Game, Option, Refused, Setting

STAND_IN = Option(
    "bot_when_away",
    "a bot plays for who is away and has missed two turns",
    "--stand-in",
    (False, True),
    False,
)
"""The one option that is the table's own, whatever is played there."""
MOST = 1_000_000
"""The highest number that an option can be, where it may be any."""


def defaults(game: Game[Any]) -> dict[str, Setting]:
    """Every option of a game as it is if nobody changes it, by name."""
    return {option.name: option.default for option in game.options}


def option_of(game: Game[Any], name: str) -> Option:
    """The option of that name. Raises Refused if the game has none."""
    for option in game.options:
        if option.name == name:
            return option
    raise Refused("{game} has no option {name}.", {"game": game.title, "name": name})


def checked(option: Option, value: Setting) -> None:
    """Raises Refused if the option cannot have this value."""
    on_offer = any(value == v and type(value) is type(v) for v in option.values)
    free = option.least is not None and type(value) is int and option.least <= value <= MOST
    if not on_offer and not free:
        raise _cannot_be(option, setting_text(value))


def _cannot_be(option: Option, value: str) -> Refused:
    """Says what an option can be instead."""
    key = "{flag} cannot be {value}. Choose from: {values}."
    if option.least is not None:
        key = (
            "{flag} cannot be {value}. Choose from: {values}, or any number from {least} to {most}."
        )
    values = ", ".join(setting_text(each) for each in option.values)
    bounds = {"least": option.least or 0, "most": MOST}
    return Refused(key, {"flag": option.flag, "value": value, "values": values, **bounds})


def setting_text(value: Setting) -> str:
    """A setting as people type it: 45, on, off."""
    if value is None or value is False:
        return "off"
    return "on" if value is True else str(value)


def setting_of(option: Option, text: str) -> Setting:
    """The setting that somebody typed. Raises Refused if the option cannot have it."""
    known = {setting_text(value): value for value in option.values}
    is_number = text.isascii() and text.isdecimal() and len(text) <= len(str(MOST))
    value = known[text] if text in known else int(text) if is_number else text
    if isinstance(value, str):
        raise _cannot_be(option, value)
    checked(option, value)
    return value
