"""What a player has before him, as a value: every message gives the next `Screen`.

    see(screen, message, at)    the host has said something
    judged(screen, text, …)     a deal has been checked
    lost(screen, at)            the connection broke and is being made anew

No rules live here. Moments (`at`) are monotonic seconds of this machine. What a key does is in
pressing.py, what may be picked in picking.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from crisp_lan.game.rules import (
    Act,
    Choice,
    Clock,
    Pick,
    Player,
    TableView,
    Text,
    View,
    Zone,
)
from crisp_lan.net.messages import Bye, FromHost, Hello, No, Show, Welcome
from crisp_lan.text import harmless
from crisp_lan.tui.guide import READ, Guide, lesson, noticed
from crisp_lan.tui.moving import FRAME, LASTS, Move, moves
from crisp_lan.tui.wording import worded

HELD = 0.7
"""A key that acted and comes again within so many seconds is still being held down."""
LOG_LENGTH = 60
NOTE_AGE = 60.0
"""Seconds after which a note leaves the log of a running round."""
WORD_AGE = 6.0
"""Seconds for which a refusal stays on the screen."""
TALK = "a"
"""The key with which a player begins to say something."""
HOST_ENDS = "end"
"""The table-level act that only the quit question offers."""


@dataclass(frozen=True, slots=True)
class Send:
    """The player acts."""

    act: Act


@dataclass(frozen=True, slots=True)
class Quit:
    """The player goes. `leave`: gives the seat up for good; `end`: ends the table for all."""

    leave: bool = False
    end: bool = False


@dataclass(frozen=True, slots=True)
class Speak:
    """The player says something to all at the table."""

    words: str


Wish: TypeAlias = Send | Speak | Quit


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log, and when it came."""

    words: str
    at: float


@dataclass(frozen=True, slots=True)
class Picking:
    """A choice that is being made: picks so far, or the candidates that are marked.

    `cursor` and `marked` are places among the candidates. What is marked stays while the host is
    asked and when it refuses, so that the player can mend it.
    """

    choice: Choice
    picks: tuple[Pick, ...] = ()
    marked: frozenset[int] = frozenset()
    cursor: int = 0

    @property
    def marks(self) -> bool:
        """Whether cards are marked, rather than one thing picked after the other."""
        return self.choice.sets


@dataclass(frozen=True, slots=True)
class Known:
    """What a key has stood for in this match; `of_round`: in a round, not at the table."""

    key: str
    choice: Choice
    of_round: bool


@dataclass(frozen=True, slots=True)
class Screen:
    """All that is shown, but the size of the window and the moment.

    `passcode` is what others need to join, `code` the table code; "" if there is none.
    `came` is when `show` left the host; `moving` are the cards that have been on their way since
    `moved_at`, where `motion` is to be seen. `lost_at` is set while there is no connection: when
    the table was heard last; `farewell` when the host has said goodbye, `over` if it is for good.
    `asking` is "help", "quit" or ""; `page` is that of the help. `guide` is what is explained.
    `saying` is what has been typed of what is to be said, None while nothing is.
    `sent` holds the offer and the last done serial at which an act went out, until it is answered.
    `verdict` is what was found of the deal that was checked last; `doubt` says what did not fit.
    `known` is what has been on offer, by key. `held` is the key that is still held down if it comes
    again within `hold` seconds; `twice`: it has come twice already. `alarm` rises when the bell
    should ring once.
    """

    ascii: bool = False
    motion: bool = False
    table_name: str = ""
    addresses: tuple[str, ...] = ()
    port: int = 0
    passcode: str = ""
    code: str = ""
    show: Show | None = None
    came: float = 0.0
    moving: tuple[Move, ...] = ()
    moved_at: float = 0.0
    log: tuple[Line, ...] = ()
    lost_at: float | None = None
    farewell: str = ""
    over: bool = False
    word: str = ""
    word_at: float = 0.0
    picking: Picking | None = None
    asking: str = ""
    saying: str | None = None
    page: int = 0
    guide: Guide = field(default_factory=Guide)
    sent: tuple[int, int] | None = None
    verdict: Line | None = None
    doubt: str = ""
    known: tuple[Known, ...] = ()
    held: str = ""
    held_at: float = 0.0
    hold: float = HELD
    twice: bool = False
    alarm: int = 0

    @property
    def view(self) -> View | None:
        """The round as this player sees it. Without the table no look stays open: the table
        closes it in time, and nobody sees a card for longer by losing the connection."""
        view = self.show.view if self.show else None
        return view.without_looks() if view and (self.lost_at is not None or self.over) else view

    @property
    def seat(self) -> int | None:
        """This player's seat; None while watching."""
        return self.show.seat if self.show else None

    @property
    def players(self) -> tuple[Player, ...]:
        """Who sits at the table, by seat."""
        return self.show.table.players if self.show else ()

    @property
    def my_turn(self) -> bool:
        """Whether the round waits for this player."""
        return self.view is not None and self.seat is not None and self.view.turn == self.seat

    @property
    def is_host(self) -> bool:
        """Whether this player may end the table."""
        return any(choice.name == HOST_ENDS for choice in on_offer(self))

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """What counts down here: what is loud for this player, then what else is theirs, then
        everybody's, then what others have: a loud one, and what the seat on turn has."""
        if not self.show or self.lost_at is not None or self.over:
            return ()
        clocks = (self.view.clocks if self.view else ()) + self.show.table.clocks
        whose = {None, self.seat, self.view.turn if self.view else None}
        shown = [clock for clock in clocks if clock.loud or clock.seat in whose]
        return tuple(sorted(shown, key=self._urgency))

    def _urgency(self, clock: Clock) -> tuple[bool, int, bool, int]:
        rank = (self.seat, None).index(clock.seat) if clock.seat in (self.seat, None) else 2
        return not self.is_alarm(clock), rank, not clock.loud, clock.ends

    def is_alarm(self, clock: Clock) -> bool:
        """Whether a clock must not be missed by this player."""
        return clock.loud and clock.seat in (self.seat, None)

    @property
    def banner(self) -> str:
        """What must not be missed of the round now, "" if nothing."""
        paused = self.show is not None and self.show.table.paused
        return "" if paused else self._loud(self.view)

    @property
    def notice(self) -> str:
        """What must not be missed of the table, "" if nothing: a deal that is not right, too."""
        told = self._loud(self.show.table if self.show else None)
        return " ".join(filter(None, [self.doubt, told]))

    def _loud(self, shown: View | TableView | None) -> str:
        told = shown.banner if shown and self.lost_at is None and not self.over else None
        return worded(told, self.players, self.ascii) if told else ""


# ---------------------------------------------------------------- the host speaks


def see(screen: Screen, message: FromHost, at: float) -> Screen:
    """The screen after a message that left the host at `at`, as well as that is known."""
    match message:
        case Hello():
            return replace(screen, table_name=harmless(message.name))
        case Welcome():
            name = harmless(message.name) or screen.table_name
            met = replace(screen, addresses=message.addresses, port=message.port, table_name=name)
            met = replace(met, passcode=harmless(message.passcode))
            return replace(met, lost_at=None, farewell="", sent=None)
        case Show():
            return _shown(screen, message, at)
        case No():
            answered = replace(screen, sent=None) if message.serial else screen
            return told(answered, message.why, at)
        case Bye():
            farewell = worded(message.why, screen.players, screen.ascii)
            return replace(_let_go(screen), farewell=farewell, over=not message.again)
        case _:
            return screen


def judged(screen: Screen, text: Text, fits: bool, at: float) -> Screen:
    """What was found of a deal; one that is not right is shown until another one is."""
    words = worded(text, screen.players, screen.ascii)
    line = Line(words, at)
    log = (*screen.log, line)[-LOG_LENGTH:]
    doubt = "" if fits else words
    alarm = screen.alarm + (not fits)
    return replace(screen, log=log, verdict=line, doubt=doubt, alarm=alarm)


def lost(screen: Screen, at: float) -> Screen:
    """The table was heard last at `at`; what was last known stays on the screen."""
    return replace(_let_go(screen), lost_at=at if screen.lost_at is None else screen.lost_at)


def _let_go(screen: Screen) -> Screen:
    return replace(screen, picking=None, asking="", saying=None, sent=None)


def told(screen: Screen, why: Text, at: float) -> Screen:
    """The screen with a last word, which stays for WORD_AGE seconds."""
    return replace(screen, word=worded(why, screen.players, screen.ascii), word_at=at)


def _shown(screen: Screen, show: Show, at: float) -> Screen:
    answered = screen.sent != (show.offer, show.done)
    after = replace(
        screen, show=show, came=at, lost_at=None, sent=None if answered else screen.sent
    )
    taken = answered and screen.sent is not None
    picking = None if taken else _still(screen.picking, after)
    after = replace(after, log=_logged(screen, after, at), picking=picking, known=_known(after))
    if moving := _moving(screen, after):
        after = replace(after, moving=moving, moved_at=at)
    keys = {choice.name: key for key, choice in keyed(after)}
    after = replace(after, guide=noticed(after.guide, show, keys, at, taken))
    return replace(after, alarm=screen.alarm + _rings(screen, after))


def _logged(before: Screen, after: Screen, at: float) -> tuple[Line, ...]:
    assert after.show is not None
    same_round = before.show is not None and before.show.table.round == after.show.table.round
    kept = before.log if same_round else ()
    new = tuple(Line(worded(note, after.players, after.ascii), at) for note in after.show.notes)
    return (*kept, *new)[-LOG_LENGTH:]


def _moving(before: Screen, after: Screen) -> tuple[Move, ...]:
    """The cards that this step has moved."""
    if not (after.motion and before.view and after.view and after.show) or after.view.sheet:
        return ()
    return moves(before.view, after.view, after.show.notes)


def _still(picking: Picking | None, after: Screen) -> Picking | None:
    """What was being picked, if that choice is offered as before."""
    return picking if picking and picking.choice in on_offer(after) else None


def _known(after: Screen) -> tuple[Known, ...]:
    """What each key stands for, or stood for last; with a match goes what its rounds offered."""
    assert after.show is not None
    known = {one.key: one for one in after.known if in_match(after) or not one.of_round}
    of_round = after.view.choices if after.view else ()
    known |= {key: Known(key, choice, choice in of_round) for key, choice in keyed(after)}
    return tuple(known.values())


def _rings(before: Screen, after: Screen) -> bool:
    return (after.my_turn and not before.my_turn) or bool(_loud_tags(after) - _loud_tags(before))


def _loud_tags(screen: Screen) -> set[tuple[int, str]]:
    tags = screen.view.tags if screen.view else ()
    return {(tag.seat, tag.text.key) for tag in tags if tag.loud}


# ---------------------------------------------------------------- what is asked of a screen


def left(screen: Screen, clock: Clock, at: float) -> int:
    """Milliseconds left on a clock: never less than none, never more than it began with."""
    if screen.show is None:
        return 0
    elapsed = 0 if screen.show.table.paused else max(0, round((at - screen.came) * 1000))
    return max(0, min(clock.total, clock.ends - screen.show.now - elapsed))


def recent(screen: Screen, at: float) -> tuple[str, ...]:
    """The lines of the log that may be read now, oldest first.

    In a round old ones fade: it is a game of memory. Afterwards everything may be read.
    """
    if screen.show is None or screen.show.table.phase != "round":
        return tuple(line.words for line in screen.log)
    return tuple(line.words for line in screen.log if at - line.at < NOTE_AGE)


def word(screen: Screen, at: float) -> str:
    """Why the last thing tried was not possible, for a few seconds."""
    return screen.word if at - screen.word_at < WORD_AGE else ""


def keyed(screen: Screen) -> tuple[tuple[str, Choice], ...]:
    """The choices on offer, each with its key: its own, or the first free letter of its name.

    No game has more of them than there are letters: what a table offers beyond that has no key.
    """
    taken = {"q", "?", TALK}
    out: list[tuple[str, Choice]] = []
    for choice in on_offer(screen):
        key = next((key for key in _keys_for(choice) if key not in taken), "")
        if key and choice.name != HOST_ENDS:
            taken.add(key)
            out.append((key, choice))
    return tuple(out)


def _keys_for(choice: Choice) -> Iterator[str]:
    if choice.key:
        yield choice.key
    yield from (c for c in choice.name.lower() if "a" <= c <= "z")
    yield from "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"


def on_offer(screen: Screen) -> tuple[Choice, ...]:
    """What the host offers, the round's choices before those of the table."""
    if screen.show is None or screen.lost_at is not None or screen.over:
        return ()
    return (screen.view.choices if screen.view else ()) + screen.show.table.choices


def may_talk(screen: Screen) -> bool:
    """Whether what this player says is heard at the table."""
    return screen.seat is not None and screen.lost_at is None and not screen.over


def own_hand(screen: Screen) -> Zone | None:
    """The player's first row of cards: the one that slots and marks refer to."""
    return hand_of(screen, screen.seat)


def hand_of(screen: Screen, seat: int | None) -> Zone | None:
    """A seat's first row of cards, where it has one."""
    zones = screen.view.zones if screen.view else ()
    return next((zone for zone in zones if zone.owner == seat and seat is not None), None)


def in_match(screen: Screen) -> bool:
    """Whether a match runs."""
    return screen.show is not None and screen.show.table.phase != "lobby"


def _step(screen: Screen, clock: Clock, millis: int) -> float:
    """Seconds after which a clock is shown again; a loud one is seen running out."""
    if clock.loud:
        return 0.1 if screen.motion else 0.5
    return (millis - 1) % 1000 / 1000 + 0.001


def next_change(screen: Screen, at: float) -> float | None:
    """Seconds after which the passing of time alone changes the screen; None: never."""
    waits: list[float] = []
    if screen.lost_at is not None:
        waits.append(1.0 - (at - screen.lost_at) % 1.0)
    if screen.show and not screen.show.table.paused:
        for clock in screen.clocks:
            millis = left(screen, clock, at)
            if millis:
                waits.append(_step(screen, clock, millis))
    if screen.moving and at < screen.moved_at + LASTS:
        waits.append(FRAME)
    if word(screen, at):
        waits.append(screen.word_at + WORD_AGE - at)
    if lesson(screen.guide, at) and not screen.guide.holds:
        waits.append(screen.guide.since + READ - at)
    if screen.show and screen.show.table.phase == "round":
        waits += [age for line in screen.log if (age := line.at + NOTE_AGE - at) > 0]
    return min(waits, default=None)
