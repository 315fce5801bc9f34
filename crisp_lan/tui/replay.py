"""A game that is over as a value: one moment after the other, with all cards open.

press(replay, key)                the next replay, and whether its reader goes
wait(replay)                      seconds until it goes on by itself; None while it stands
gone_on(replay)                   the replay after that step
rows(replay, columns, lines, at)  what is shown
lines(moments, ascii)             the whole game line by line

The table is painted by the same code as at the game, for a watcher before whom all lies open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from crisp_lan.game.rules import Note, View, Zone
from crisp_lan.net.messages import Show
from crisp_lan.text import cut
from crisp_lan.tui import plain
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    blank,
    block,
    broken,
    ends,
    printed,
    tall,
    width_of,
    wrapped,
)
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import Line, Screen, see
from crisp_lan.tui.paint import LEAST_COLUMNS, LEAST_LINES
from crisp_lan.tui.paint_end import end_block
from crisp_lan.tui.paint_round import round_block
from crisp_lan.tui.points import key_span
from crisp_lan.tui.wording import elapsed, face, name_of, worded
from crisp_lan.words import _, filled

SPEEDS = tuple(Fraction(n, 4) for n in (1, 2, 4, 8, 16, 32, 64))
"""How much faster than it was the game can be played again."""
LONGEST, SHORTEST = 3.0, 0.5
"""Seconds that a moment stays at speed 1, however long or short it was."""
TOLD = 3
"""So many rows are there for what has just happened, and one more in a tall window."""
TALL = 30


@dataclass(frozen=True, slots=True)
class Moment:
    """A position with all cards open, and in its notes what led to it.

    `seen` are those of the notes that say who saw which cards.
    """

    show: Show
    seen: tuple[Note, ...] = ()

    @property
    def round(self) -> int:
        return self.show.table.round


@dataclass(frozen=True, slots=True)
class Replay:
    """The moments of a game, and the one that is shown. `caption` says which game it is.

    `speed` is a place in SPEEDS, `asking` the page that lies over the table.
    """

    moments: tuple[Moment, ...]
    caption: str = ""
    ascii: bool = False
    place: int = 0
    playing: bool = False
    speed: int = SPEEDS.index(Fraction(1))
    asking: Literal["", "help", "looks"] = ""
    alarm: int = 0

    @property
    def moment(self) -> Moment:
        """What is shown now."""
        return self.moments[self.place]

    @property
    def last(self) -> int:
        """The place of the last moment."""
        return len(self.moments) - 1

    @property
    def round_starts(self) -> list[int]:
        """Where each round begins."""
        rounds = [moment.round for moment in self.moments]
        return [n for n, one in enumerate(rounds) if n == 0 or one != rounds[n - 1]]


# ---------------------------------------------------------------- keys and time


def press(replay: Replay, key: str) -> tuple[Replay, bool]:
    """The replay after a key, and whether the key ends it. A key that is unknown does nothing."""
    if replay.asking:
        return replace(replay, asking=""), key == "q"
    if key in ("q", "escape"):
        return replay, True
    if key in _PLACES:
        place = max(0, min(_PLACES[key](replay), replay.last))
        return replace(replay, place=place, playing=False), False
    return _KEYS[key](replay) if key in _KEYS else replay, False


def _toggled(replay: Replay) -> Replay:
    """Plays or stops; at the end it plays from the beginning."""
    if replay.place == replay.last:
        return replace(replay, place=0, playing=True)
    return replace(replay, playing=not replay.playing)


def _faster(replay: Replay, steps: int) -> Replay:
    return replace(replay, speed=max(0, min(replay.speed + steps, len(SPEEDS) - 1)))


def _next_round(replay: Replay) -> int:
    return next((n for n in replay.round_starts if n > replay.place), replay.last)


def _round_before(replay: Replay) -> int:
    """The start of this round; from there, that of the round before."""
    return max((n for n in replay.round_starts if n < replay.place), default=0)


_PLACES: Mapping[str, Callable[[Replay], int]] = {
    "right": lambda replay: replay.place + 1,
    "left": lambda replay: replay.place - 1,
    "home": lambda replay: 0,
    "end": lambda replay: replay.last,
    **dict.fromkeys(("n", "pagedown"), _next_round),
    **dict.fromkeys(("p", "pageup"), _round_before),
}
_KEYS: Mapping[str, Callable[[Replay], Replay]] = {
    "space": _toggled,
    **dict.fromkeys(("+", "="), lambda replay: _faster(replay, 1)),
    **dict.fromkeys(("-", "_"), lambda replay: _faster(replay, -1)),
    "l": lambda replay: replace(replay, asking="looks", playing=False),
    "?": lambda replay: replace(replay, asking="help", playing=False),
}


def wait(replay: Replay) -> float | None:
    """Seconds until the next moment comes by itself; None: it does not."""
    if not replay.playing or replay.place == replay.last:
        return None
    following = replay.moments[replay.place + 1]
    seconds = (following.show.now - replay.moment.show.now) / 1000
    return max(SHORTEST, min(seconds, LONGEST)) / float(SPEEDS[replay.speed])


def gone_on(replay: Replay) -> Replay:
    """The replay one moment later; at the last one it stops."""
    place = min(replay.place + 1, replay.last)
    return replace(replay, place=place, playing=replay.playing and place < replay.last)


# ---------------------------------------------------------------- the whole screen


def rows(replay: Replay, columns: int, lines: int, at: float) -> list[Row]:
    """The whole window: exactly `lines` rows of `columns` cells."""
    return printed(_painted(replay, columns, lines), replay.ascii)


def _painted(replay: Replay, columns: int, lines: int) -> Block:
    foot = block([_timeline(replay, columns), *_key_rows(columns)], columns)
    room = lines - 1 - len(foot)
    if columns < LEAST_COLUMNS or lines < LEAST_LINES:
        told = block(([("", line)] for line in _small(replay, columns, lines)), columns)
        return tall([*tall(told, max(0, lines - len(foot))), *foot], lines)
    head = [_header(replay, columns)]
    if replay.asking == "help":
        return block([*head, *_help(replay, columns, room), *foot], columns)
    if replay.asking == "looks":
        return block([*head, *_looks(replay, columns, room), *foot], columns)
    told = _told(replay, columns, TOLD + (lines >= TALL))
    return block([*head, *_body(replay, columns, room - len(told)), *told, *foot], columns)


def _header(replay: Replay, columns: int) -> Row:
    table, view = replay.moment.show.table, replay.moment.show.view
    words = [_(table.title), filled(_("round {n}"), {"n": table.round})]
    words += [_(view.phase)] if view else []
    words += [] if table.target is None else [filled(_("up to {n}"), {"n": table.target})]
    words += [_("paused")] if table.paused else []
    left = pen(replay.ascii).between.join([*words, _("all cards open")])
    line = ends([("", f" {left}")], [("", f"{replay.caption} ")], columns)
    return [("title", "".join(text for _style, text in line))]


def _body(replay: Replay, columns: int, lines: int) -> Block:
    """The table, with what happened before in this round where there is room for it."""
    show = replay.moment.show
    log = [Line(f"{_time(one)} {_words(one, replay.ascii)}", 0.0) for one in _in_round(replay)]
    screen = Screen(ascii=replay.ascii, show=show, log=tuple(log))
    if show.view is None:
        return blank(columns, lines)
    if show.view.sheet:
        return end_block(replace(screen, log=()), columns, lines, 0.0)
    return round_block(screen, columns, lines, 0.0)


def _in_round(replay: Replay) -> list[Moment]:
    """The moments of this round that came before."""
    return [one for one in replay.moments[: replay.place] if one.round == replay.moment.round]


def _time(moment: Moment) -> str:
    return elapsed(moment.show.now)


def _words(moment: Moment, ascii: bool) -> str:
    players = moment.show.table.players
    return " ".join(worded(note, players, ascii) for note in moment.show.notes)


def _told(replay: Replay, columns: int, height: int) -> Block:
    """What has just happened, in so many rows; the last is cut if there is more."""
    told = broken(_words(replay.moment, replay.ascii), columns - 2)
    if len(told) > height:
        told[height - 1 :] = [cut(" ".join(told[height - 1 :]), columns - 2)]
    return tall(block([[("", " "), ("strong", line)] for line in told], columns), height)


def _timeline(replay: Replay, columns: int) -> Row:
    """When it was, where in the game that is, and whether the game plays on."""
    p = pen(replay.ascii)
    steps = filled(_("step {n} of {size}"), {"n": replay.place + 1, "size": len(replay.moments)})
    speed = filled(_("speed {n}"), {"n": str(SPEEDS[replay.speed])})
    words = [_time(replay.moment), steps, _("playing") if replay.playing else _("stopped"), speed]
    left: Row = [("", " "), ("strong", p.between.join(words)), ("", " ")]
    room = max(0, columns - width_of(left) - 1)
    full = room * replay.place // max(1, replay.last)
    return [*left, ("bar", p.thick * full), ("dim", p.across * (room - full)), ("", " ")]


def _key_rows(columns: int) -> Block:
    spans = [
        key_span(_("arrows"), _("one step")),
        key_span("Space", _("play, stop")),
        key_span("+ -", _("speed")),
        key_span("n p", _("round")),
        key_span("l", _("looks")),
        key_span("?", _("help")),
        key_span("q", _("quit")),
    ]
    return [[("", " "), *row] for row in tall(wrapped(spans, columns - 1, "  "), 2)]


def _help(replay: Replay, columns: int, lines: int) -> Block:
    keys = {
        _("arrows"): _("one step back or forward"),
        "Space": _("play the game on, or stop"),
        "+ -": _("play it faster or slower"),
        "n PgDn": _("to the next round"),
        "p PgUp": _("to the start of this round, then to the round before"),
        "Home End": _("to the beginning or the end of the game"),
        "l": _("who saw which cards in this round, and when"),
        "q": _("quit"),
    }
    names = block([[("key", f"[{key}]")] for key in keys])
    words = block([[("", told)] for told in keys.values()])
    told: Block = [[], *beside([names, words], 2), [], [("dim", _("Any key closes this page."))]]
    return tall(block(([("", "  "), *row] for row in told), columns), lines)


def _looks(replay: Replay, columns: int, lines: int) -> Block:
    """Who has seen which cards in this round so far, and when: the last that fit."""
    title: Block = [[], [("title", _("Who saw which cards in this round"))], []]
    close: Block = [[], [("dim", _("Any key closes this page."))]]
    looks = [
        f"{_time(one)}  {worded(note, one.show.table.players, replay.ascii)}"
        for one in [*_in_round(replay), replay.moment]
        for note in one.seen
    ]
    told = [line for look in looks for line in broken(look, columns - 3)]
    told = told or [_("Nobody has seen a card that the others did not see.")]
    room = max(1, lines - len(title) - len(close))
    shown: Block = [[("", line)] for line in told[-room:]]
    page = (([("", "  "), *row]) for row in [*title, *shown, *close])
    return tall(block(page, columns), lines)


def _small(replay: Replay, columns: int, lines: int) -> list[str]:
    """Too small a window: what has just happened, and who holds what, in words."""
    needs = filled(
        _("The table needs {columns} × {lines}; this window has {width} × {height}."),
        {"columns": LEAST_COLUMNS, "lines": LEAST_LINES, "width": columns, "height": lines},
    )
    told = [_words(replay.moment, replay.ascii), *_hands(replay, replay.moment.show.view), needs]
    return [line for words in told for line in broken(words, columns)]


def _hands(replay: Replay, view: View | None) -> Iterator[str]:
    players = replay.moment.show.table.players
    for zone in view.zones if view else ():
        if zone.faces:
            owner = "" if zone.owner is None else f"{name_of(zone.owner, players)}, "
            yield f"{owner}{_(zone.name)}: {_faces(zone, replay.ascii)}"


def _faces(zone: Zone, ascii: bool) -> str:
    return " ".join(face(card, ascii) for card in zone.faces if card)


# ---------------------------------------------------------------- line by line


def lines(moments: Iterable[Moment], ascii: bool = False) -> Iterator[str]:
    """The whole game as text: each thing that happened a line, with its time."""
    screen = Screen(ascii=ascii)
    for moment in moments:
        after = see(screen, moment.show, 0.0)
        for line in plain.news(screen, after, 0.0):
            yield f"{_time(moment):>6}  {line}"
        screen = after
