"""Sentences with their values put in, as this player reads them: names, cards, places, spans."""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.game.rules import Card, Note, Pick, Player, Setting, Text, Value
from crisp_lan.text import harmless
from crisp_lan.words import _, filled

_SIGNS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def worded(text: Text | Note, players: Sequence[Player], ascii: bool = False) -> str:
    """The sentence in the reader's language, made harmless, its values shown for what they are."""

    def shown(field: str, value: Value) -> str:
        return harmless(_value(field, value, players, ascii))

    return filled(harmless(_(text.key)), text.values, shown)


def _value(field: str, value: Value, players: Sequence[Player], ascii: bool) -> str:
    if isinstance(value, int):
        if field in ("seat", "other") or field.endswith("by_seat"):
            return name_of(value, players)
        return seconds(value) if field == "millis" else number(value)
    if field == "card" or field.endswith("_card"):
        return " ".join(face(card, ascii) for card in value.split())
    if field == "slot" or field.endswith("_slot"):
        return _place(value)
    if field == "phrase":
        return _(value)
    return suit_sign(value, ascii) if field == "suit" else value


def _place(slot: str) -> str:
    """A place in a sentence, where a language may need another form of the word."""
    told = _(key := f"{slot} (of a card)")
    return _(slot) if told == key else told


def name_of(seat: int, players: Sequence[Player]) -> str:
    """A player's name, or the seat's number where nobody is known to sit there."""
    if 0 <= seat < len(players):
        return harmless(players[seat].name)
    return filled(_("seat {n}"), {"n": seat + 1})


def pick_words(pick: Pick, players: Sequence[Player], ascii: bool = False) -> str:
    """Something that can be picked: a player, a card, or a word such as a place or a level."""
    if isinstance(pick, int):
        return name_of(pick, players)
    return face(pick, ascii) if _has_suit(pick) else harmless(_(pick.replace("_", " ")))


def setting_words(name: str, value: Setting | str) -> str:
    """An option's value as people read it, given as it is or as it is typed."""
    if value is None or value is False or value == "off":
        return _("off")
    if value is True or value == "on":
        return _("on")
    return filled(_("{n} s"), {"n": value}) if name.endswith("_time") else harmless(str(value))


def face(card: Card, ascii: bool = False) -> str:
    """A card as two or three signs: `10♠`, or `10S` where only letters can be shown."""
    if _has_suit(card):
        rank = "10" if card[0] == "T" else card[0]
        return rank + suit_sign(card[1], ascii)
    return harmless(card)


def suit_sign(suit: str, ascii: bool = False) -> str:
    """A suit's sign, or its letter."""
    return suit if ascii else _SIGNS.get(suit, harmless(suit))


def is_red(card: Card) -> bool:
    """Whether a card is of a red suit."""
    return _has_suit(card) and card[1] in "DH"


def _has_suit(card: Card) -> bool:
    return len(card) == 2 and card[1] in _SIGNS


_LETTERED = str.maketrans("…·–—−×“”„‚‘’", ".|---x\"\"\"'''")


def lettered(text: str) -> str:
    """Our own typographic signs as plain ones, for terminals that know letters alone."""
    return text.translate(_LETTERED)


def number(n: int) -> str:
    """A number with a true minus sign."""
    return f"−{-n}" if n < 0 else str(n)


def elapsed(millis: int) -> str:
    """How far on it is in a match: `0:05`, `12:34`, `1:02:03`."""
    minutes, second = divmod(millis // 1000, 60)
    hour, minute = divmod(minutes, 60)
    return f"{hour}:{minute:02}:{second:02}" if hour else f"{minute}:{second:02}"


def seconds(millis: int) -> str:
    """A span in seconds, to the hundredth: `0.21`, `3`."""
    return decimal(f"{millis / 1000:.2f}".rstrip("0").rstrip("."))


def decimal(number: str) -> str:
    """A number as the reader writes it: `1.8`, or `1,8`."""
    sign = _("0.5")[1]
    return number.replace(".", sign)


def percent(share: float, digits: int = 0) -> str:
    """A share as the reader writes it: `62.5%`, or `62,5 %`."""
    return decimal(f"{100 * share:.{digits}f}") + _("50%")[2:]
