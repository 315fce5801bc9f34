"""A line that a player types: the keys that it stands for, and what is answered at once.

A line is a number for a choice, its letter or the first letters of its name, and what is picked
after it, by number or name ("s 1", "swap left"); or one of the words hand, scores, status, code,
help, quit and back; or "say" and what is to be said. Each is understood in English and in the
player's language.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from crisp_lan.game.rules import Choice
from crisp_lan.net.messages import PHRASES
from crisp_lan.text import harmless
from crisp_lan.tui.guide import LEAVE
from crisp_lan.tui.lines import (
    WORDS,
    choice_lines,
    code_lines,
    hand_lines,
    help_lines,
    phrase_lines,
    score_lines,
    status_lines,
)
from crisp_lan.tui.model import TALK, Picking, Screen, keyed, may_talk
from crisp_lan.tui.picking import candidates, only_picks
from crisp_lan.tui.pressing import RELEASE, SAYS
from crisp_lan.tui.wording import lettered
from crisp_lan.words import _, filled


@dataclass(frozen=True, slots=True)
class Heard:
    """What a typed line comes to: a line of keys for the screen, and lines to answer with."""

    keys: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


def heard(screen: Screen, line: str, at: float) -> Heard:
    """What a typed line means now."""
    meant = _meant(screen, line, at)
    return Heard(meant.keys, tuple(map(lettered, meant.said)) if screen.ascii else meant.said)


def _meant(screen: Screen, line: str, at: float) -> Heard:
    first, _space, rest = harmless(line).partition(" ")
    if _always(first.casefold()) in ("say", TALK):
        return _saying(screen, rest)
    words = harmless(line).casefold().split()
    if not words:
        return Heard((RELEASE, "enter")) if screen.picking else Heard(said=_at_hand(screen))
    if len(words) == 1 and (answer := _answer(screen, words[0], at)):
        return answer
    if words == [LEAVE]:
        return Heard((RELEASE, LEAVE))
    if screen.sent is not None:
        return Heard(said=(_("One moment: the table has not answered yet."),))
    if screen.picking or screen.asking:
        words = _numbered(screen, screen.picking, words)
        return Heard((RELEASE, *_afresh(screen.picking), *words, *_entered(screen.picking, words)))
    return _choosing(screen, words)


def _saying(screen: Screen, words: str) -> Heard:
    """What is said to all; alone, the word asks what can be said with a number."""
    if not may_talk(screen):
        return Heard(said=(_("That is not possible now."),))
    if words.isascii() and words.isdecimal() and 1 <= int(words[:4]) <= len(PHRASES):
        words = PHRASES[int(words) - 1]
    return Heard((SAYS + words,)) if words else Heard(said=tuple(phrase_lines()))


def _at_hand(screen: Screen) -> tuple[str, ...]:
    return tuple(choice_lines(screen)) or (_("Nothing to do for you now."),)


def _answer(screen: Screen, word: str, at: float) -> Heard | None:
    """The answer to one of the words that are always understood."""
    match _always(word):
        case "quit":
            return Heard((RELEASE, "q"))
        case "back":
            return Heard((RELEASE, "escape"))
        case "help" | "?":
            return Heard(said=tuple(help_lines(screen)))
        case "hand":
            return Heard(said=tuple(hand_lines(screen)))
        case "scores":
            return Heard(said=tuple(score_lines(screen)))
        case "code":
            return Heard(said=tuple(code_lines(screen)))
        case "status":
            return Heard(said=tuple(status_lines(screen, at)))
    return None


def _always(word: str) -> str:
    """One of WORDS in the player's language as it is in English; any other word as it is."""
    return next((known for known in WORDS if word in (known, _(known).casefold())), word)


def _choosing(screen: Screen, words: list[str]) -> Heard:
    """A choice, and perhaps what is picked with it."""
    first, rest = words[0], words[1:]
    offers = list(enumerate(keyed(screen), 1))
    for n, (key, choice) in offers:
        if first in (str(n), key.casefold(), choice.name):
            return _chosen(screen, key, choice, rest)
    if first == "q":
        return Heard((RELEASE, "q"))
    for known in screen.known:
        if first in (known.key.casefold(), known.choice.name):
            return Heard((RELEASE, known.key))
    begun = [(key, choice) for _n, (key, choice) in offers if _begins(first, choice)]
    if len(begun) == 1:
        return _chosen(screen, *begun[0], rest)
    unknown = filled(_("“{word}” means nothing now. Type help."), {"word": first})
    if begun:
        several = ", ".join(_(choice.label) for _key, choice in begun)
        unknown = filled(_("“{word}” may be: {several}."), {"word": first, "several": several})
    return Heard(said=(unknown, *choice_lines(screen)))


def _begins(word: str, choice: Choice) -> bool:
    """Whether a word is the first letters of a choice, as it is read or as the table calls it."""
    return _(choice.label).casefold().startswith(word) or choice.name.startswith(word)


def _chosen(screen: Screen, key: str, choice: Choice, rest: list[str]) -> Heard:
    rest = _numbered(screen, Picking(choice), rest)
    if rest and not _fits(replace(screen, picking=Picking(choice)), rest[0]):
        return Heard(said=(_("That is not possible now."), *choice_lines(screen)))
    return Heard((RELEASE, key, *rest, *_entered(Picking(choice), rest)))


def _numbered(screen: Screen, picking: Picking | None, words: Sequence[str]) -> list[str]:
    """The words, with those that name something to be picked, or begin its name, as its number."""
    keys: list[str] = []
    for word in words:
        ways = candidates(replace(screen, picking=picking))
        named = [way for way in ways if word in (str(way.number), str(way.pick).casefold())]
        named = named or [way for way in ways if way.label.casefold().startswith(word)]
        if picking is None or picking.marks or len(named) != 1:
            keys.append(word)
        else:
            keys.append(str(named[0].number))
            picking = replace(picking, picks=(*picking.picks, named[0].pick))
    return [key for key in keys if key != TALK]


def _fits(picking: Screen, number: str) -> bool:
    """Whether what is picked with a choice can be; one that is made at once does not ask."""
    assert picking.picking is not None
    one = only_picks(picking, picking.picking.choice)
    fitting = [word for c in candidates(picking) for word in (str(c.number), c.pick)]
    return one in ((), ((),)) or number in fitting


def _afresh(picking: Picking | None) -> tuple[str, ...]:
    """A line names all the cards to play; what a line before it marked counts no more."""
    return ("backspace",) if picking and picking.marked else ()


def _entered(picking: Picking | None, words: list[str]) -> tuple[str, ...]:
    """Marked cards are played at the end of the line that marks them."""
    return ("enter",) if picking and picking.marks and words else ()
