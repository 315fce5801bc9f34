"""The guided round, as a value: what is explained to a player when it first comes up.

    noticed(guide, show, keys, at)   the guide after the host has shown something
    lesson(guide, at)                what is explained now
    rules_of(guide, show)            what the rules say of the moment

It knows a game by its lessons alone, and the round by what this player is shown of it. Only who
plays against bots is guided: among people, nobody wants to be read to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from crisp_lan.lessons import Learned, Lesson
from crisp_lan.net.messages import Show
from crisp_lan.rulebook import Piece
from crisp_lan.words import filled

READ = 12.0
"""Seconds for which a lesson stays when its occasion is over."""
LEAVE = "-"
"""The key that ends the guided round; no choice has it."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What there is to explain of a game, in the player's language, and what has been.

    `lesson` came at `since`, as `words`; `holds`: its occasion is there still. `game`: in whose
    guided round the player is, "" in none.
    """

    lessons: Callable[[str], tuple[Lesson, ...]] = lambda game: ()
    learned: Learned = field(default_factory=Learned)
    game: str = ""
    lesson: Lesson | None = None
    words: str = ""
    since: float = 0.0
    holds: bool = False


def is_over(guide: Guide, game: str) -> bool:
    """Whether the guided round of a game has been left, or has come to its end."""
    there = guide.lessons(game)
    end = [(game, one.occasion) for one in there[-1:]]
    return game in guide.learned.left or set(end) <= guide.learned.heard


def noticed(
    guide: Guide, show: Show, keys: Mapping[str, str], at: float, acted: bool = False
) -> Guide:
    """The guide after `show`; `keys` are those of what is on offer, by its name.

    A lesson stays while its occasion does, but what may be done now is explained at once. Who has
    `acted` has understood.
    """
    game, now = show.table.game, _occasions(show)
    if not _alone(show) or game in guide.learned.left:
        return replace(guide, game="", lesson=None)
    done = acted and guide.lesson is not None and _is_choice(guide.lesson)
    holds = guide.lesson is not None and not done and _holds(guide.lesson, now, keys)
    stays = guide.lesson if holds or not acted else None
    guide = replace(guide, game=game, lesson=stays, holds=holds)
    for one in guide.lessons(game):
        known = (game, one.occasion) in guide.learned.heard
        if known or one.occasion not in now or not one.words or not _told_of(one) <= set(keys):
            continue
        if not holds or _is_choice(one):
            return _taught(guide, one, keys, at)
    return guide


def _occasions(show: Show) -> set[str]:
    view = show.view
    if view is None:
        return set()
    choices = {f"choice {choice.name}" for choice in view.choices}
    return choices | {f"phase {view.phase}"} | {f"note {note.key}" for note in show.notes}


def _alone(show: Show) -> bool:
    """Whether this player has nobody but bots to play with."""
    players = [player for player in show.table.players if player.playing]
    mine = None if show.seat is None else show.table.players[show.seat]
    return show.view is not None and mine in players and sum(not p.level for p in players) == 1


def _is_choice(lesson: Lesson) -> bool:
    return lesson.occasion.startswith("choice ")


def _holds(lesson: Lesson, now: set[str], keys: Mapping[str, str]) -> bool:
    """Whether its occasion is there, and something still to be done of what it tells."""
    told = _told_of(lesson)
    return lesson.occasion in now and (not told or not told.isdisjoint(keys))


def _told_of(lesson: Lesson) -> set[str]:
    """The choices whose keys a lesson names."""
    return set(re.findall(r"\{(\w+)\}", lesson.words))


def _taught(guide: Guide, one: Lesson, keys: Mapping[str, str], at: float) -> Guide:
    words = filled(one.words, {name: f"[{key}]" for name, key in keys.items()})
    heard = guide.learned.heard | {(guide.game, one.occasion)}
    learned = replace(guide.learned, heard=heard)
    return replace(guide, learned=learned, lesson=one, words=words, since=at, holds=True)


def leave(guide: Guide) -> Guide:
    """The guide of a player who wants no more of it in this game."""
    learned = replace(guide.learned, left=guide.learned.left | {guide.game})
    return replace(guide, learned=learned, game="", lesson=None)


def lesson(guide: Guide, at: float) -> str:
    """What is explained now, "" if nothing."""
    shown = guide.lesson is not None and (guide.holds or at - guide.since < READ)
    return guide.words if shown else ""


def rules_of(guide: Guide, show: Show) -> tuple[Piece, ...]:
    """What the rules say of what can be done or happens now, the nearest first."""
    now = _occasions(show)
    parts = [one.rules for one in guide.lessons(show.table.game) if one.occasion in now]
    return tuple(piece for part in dict.fromkeys(parts) for piece in part)
