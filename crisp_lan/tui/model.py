"""What a player has before him, as a value: every message and every key gives the next `Screen`.

    see(screen, message, at)    the host has said something
    judged(screen, text, …)     a deal has been checked
    press(screen, key, at)      a key; what it asks for is a Send, a Quit, or nothing
    lost(screen, at)            the connection broke and is being made anew

No rules live here. The host offers choices, each with the complete list of what may be picked; a
key stands for a choice, digits and arrows walk through what may be picked. Moments (`at`) are
monotonic seconds of this machine. Keys are names: a letter, a digit, "enter", "escape",
"backspace", "space", "up", "down", "left", "right", "?"; a number such as "12" picks like a digit.

After an act nothing more is sent until the host has answered, and a key held down takes one step.
A key of something that is not on offer asks the host all the same, which says why not, and by how
much it was too early or too late.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TypeAlias

from crisp_lan.game.rules import (
    LOOKING,
    Act,
    Choice,
    Clock,
    Pick,
    Player,
    Setting,
    TableView,
    Text,
    View,
    Zone,
)
from crisp_lan.net.messages import Bye, FromHost, Hello, No, Show, Welcome
from crisp_lan.text import harmless
from crisp_lan.tui.wording import pick_words, setting_words, worded
from crisp_lan.words import _, filled

HELD = 0.7
"""A key that acted and comes again within so many seconds is still being held down."""
AGAIN = 0.25
"""Once it has come a second time, a key that is held down comes at shorter intervals than this."""
REPEAT = 0.1
"""A key that did nothing yet is held down if it comes so soon again; else somebody taps it."""
QUICK = 0.15
"""No keyboard repeats a held key so soon after its first press: it has been pressed twice."""
LOG_LENGTH = 60
NOTE_AGE = 60.0
"""Seconds after which a note leaves the log of a running round."""
WORD_AGE = 6.0
"""Seconds for which a refusal stays on the screen."""
REMOVES = "remove"
"""The table-level act that takes somebody from the table, of which the player is asked again."""
HOST_ENDS = "end"
"""The table-level act that only the quit question offers."""
SETS, ADDS_BOT = "set", "bot"
"""The table-level acts by which the host sets an option, and adds a bot of some level."""
DIGITS = "1234567890"
RELEASE = "release"
"""A key that only says that no other is held down any more. At the head of a line of keys, with
spaces between them, it says that all were pressed one by one, and none is held."""


@dataclass(frozen=True, slots=True)
class Send:
    """The player acts."""

    act: Act


@dataclass(frozen=True, slots=True)
class Quit:
    """The player goes. `leave`: gives the seat up for good; `end`: ends the table for all."""

    leave: bool = False
    end: bool = False


Wish: TypeAlias = Send | Quit


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
class Candidate:
    """One thing that may be picked now, with the number that it is shown with, from 1.

    `spot` is the seat and the place in its hand where a card lies that is to be picked.
    """

    pick: Pick
    number: int
    label: str
    spot: tuple[int, int] | None = None

    @property
    def key(self) -> str:
        """Its digit, "" where digits have run out."""
        return DIGITS[self.number - 1] if self.number <= len(DIGITS) else ""


@dataclass(frozen=True, slots=True)
class Screen:
    """All that is shown, but the size of the window and the moment.

    `passcode` is what others need to join, `code` the table code; "" if there is none.
    `came` is when `show` left the host. `lost_at` is set while there is no connection: when the
    table was heard last; `farewell` when the host has said goodbye, `over` if it is for good.
    `asking` is "help", "quit" or "".
    `sent` holds the offer and the last done serial at which an act went out, until it is answered.
    `verdict` is what was found of the deal that was checked last; `doubt` says what did not fit.
    `known` is what has been on offer, by key. `held` is the key that is still held down if it comes
    again within `hold` seconds; `twice`: it has come twice already. `alarm` rises when the bell
    should ring once.
    """

    ascii: bool = False
    table_name: str = ""
    addresses: tuple[str, ...] = ()
    port: int = 0
    passcode: str = ""
    code: str = ""
    show: Show | None = None
    came: float = 0.0
    log: tuple[Line, ...] = ()
    lost_at: float | None = None
    farewell: str = ""
    over: bool = False
    word: str = ""
    word_at: float = 0.0
    picking: Picking | None = None
    asking: str = ""
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
        return _covered(view) if view and (self.lost_at is not None or self.over) else view

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
        return any(choice.name == HOST_ENDS for choice in _offered(self))

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
            return _told(replace(screen, sent=None), message.why, at)
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


def _covered(view: View) -> View:
    zones = (
        replace(z, faces=tuple(None if m == LOOKING else f for f, m in zip(z.faces, z.marks)))
        if LOOKING in z.marks
        else z
        for z in view.zones
    )
    return replace(view, zones=tuple(zones))


def _let_go(screen: Screen) -> Screen:
    return replace(screen, picking=None, asking="", sent=None)


def _told(screen: Screen, why: Text, at: float) -> Screen:
    return replace(screen, word=worded(why, screen.players, screen.ascii), word_at=at)


def _shown(screen: Screen, show: Show, at: float) -> Screen:
    answered = screen.sent != (show.offer, show.done)
    after = replace(
        screen, show=show, came=at, lost_at=None, sent=None if answered else screen.sent
    )
    taken = answered and screen.sent is not None
    picking = None if taken else _still(screen.picking, after)
    after = replace(after, log=_logged(screen, after, at), picking=picking, known=_known(after))
    return replace(after, alarm=screen.alarm + _rings(screen, after))


def _logged(before: Screen, after: Screen, at: float) -> tuple[Line, ...]:
    assert after.show is not None
    same_round = before.show is not None and before.show.table.round == after.show.table.round
    kept = before.log if same_round else ()
    new = tuple(Line(worded(note, after.players, after.ascii), at) for note in after.show.notes)
    return (*kept, *new)[-LOG_LENGTH:]


def _still(picking: Picking | None, after: Screen) -> Picking | None:
    """What was being picked, if that choice is offered as before."""
    return picking if picking and picking.choice in _offered(after) else None


def _known(after: Screen) -> tuple[Known, ...]:
    """What each key stands for, or stood for last; with a match goes what its rounds offered."""
    assert after.show is not None
    known = {one.key: one for one in after.known if _in_match(after) or not one.of_round}
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
    """The choices on offer, each with its key: its own, or the first free letter of its name."""
    taken = {"q", "?"}
    out: list[tuple[str, Choice]] = []
    for choice in _offered(screen):
        if choice.name != HOST_ENDS:
            key = next(k for k in _keys_for(choice) if k not in taken)
            taken.add(key)
            out.append((key, choice))
    return tuple(out)


def _keys_for(choice: Choice) -> Iterator[str]:
    if choice.key:
        yield choice.key
    yield from (c for c in choice.name.lower() if "a" <= c <= "z")
    yield from "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ"


def _offered(screen: Screen) -> tuple[Choice, ...]:
    if screen.show is None or screen.lost_at is not None or screen.over:
        return ()
    return (screen.view.choices if screen.view else ()) + screen.show.table.choices


def own_hand(screen: Screen) -> Zone | None:
    """The player's first row of cards: the one that slots and marks refer to."""
    return _hand(screen, screen.seat)


def _hand(screen: Screen, seat: int | None) -> Zone | None:
    zones = screen.view.zones if screen.view else ()
    return next((zone for zone in zones if zone.owner == seat and seat is not None), None)


def candidates(screen: Screen) -> tuple[Candidate, ...]:
    """What may be picked next, in the choice that is being made."""
    picking = screen.picking
    if picking is None:
        return ()
    if picking.marks:
        return _markable(screen)
    step = len(picking.picks)
    ways = (p for p in picking.choice.picks if p[:step] == picking.picks)
    open_ways = [p for p in ways if len(p) > step]
    picks = tuple(dict.fromkeys(p[step] for p in open_ways))
    return tuple(_candidate(screen, picking, n, pick) for n, pick in zip(_numbers(picks), picks))


def chosen(screen: Screen) -> tuple[Candidate, ...]:
    """What has been picked so far, in the choice that is being made."""
    picking = screen.picking
    return tuple(
        _candidate(screen, Picking(picking.choice, picking.picks[:n]), 0, pick)
        for n, pick in enumerate(picking.picks if picking else ())
        if picking
    )


def _markable(screen: Screen) -> tuple[Candidate, ...]:
    """Every card of the hand: the host says which go together."""
    hand = own_hand(screen)
    return tuple(
        _on_table(screen, hand, place, card)
        for place, card in enumerate(hand.faces if hand else ())
        if hand and card is not None
    )


def _numbers(picks: Sequence[Pick]) -> Iterator[int]:
    """A number for each: what is a digit itself keeps it, the others get those that are left."""
    digits = set(DIGITS[:9]) & set(map(str, picks))
    others = (n for n in count(1) if str(n) not in digits)
    for pick in picks:
        yield int(pick) if str(pick) in digits else next(others)


def _candidate(screen: Screen, picking: Picking, n: int, pick: Pick) -> Candidate:
    if isinstance(pick, int):
        return _plain(screen, pick + 1, pick)
    whose = _whose(picking)
    hand = _hand(screen, screen.seat if whose is None else whose)
    for row in (hand.slots, hand.faces) if hand else ():
        if hand and pick in row:
            return _on_table(screen, hand, row.index(pick), pick)
    return _plain(screen, n, pick)


def _on_table(screen: Screen, hand: Zone, place: int, pick: Pick) -> Candidate:
    assert hand.owner is not None
    return replace(_plain(screen, place + 1, pick), spot=(hand.owner, place))


def _plain(screen: Screen, n: int, pick: Pick) -> Candidate:
    label = pick_words(pick, screen.players, screen.ascii)
    if (option := _option(screen)) and isinstance(pick, str):
        label = setting_words(option[0], pick)
    return Candidate(pick, n, label)


def _option(screen: Screen) -> tuple[str, Setting] | None:
    """The option of the table that is being set, and what it is."""
    picking = screen.picking
    if picking is None or screen.show is None or picking.choice.name != SETS or not picking.picks:
        return None
    options = screen.show.table.options
    return next((option for option in options if option[0] == picking.picks[0]), None)


def question(screen: Screen) -> str:
    """What the next step of a choice asks for."""
    first = next(iter(candidates(screen)), None)
    picking = screen.picking
    if first is None or picking is None:
        return ""
    if picking.marks:
        return _("Mark the cards.")
    if isinstance(first.pick, int):
        return _("Which player?")
    if picking.choice.name == ADDS_BOT:
        return _("How good?")
    if option := _option(screen):
        return filled(_("Now {value}. Which one?"), {"value": setting_words(*option)})
    if first.spot is None:
        return _("Which one?")
    return _("Which of their cards?") if _whose(picking) is not None else _("Which card?")


def removal(screen: Screen) -> str:
    """What the player is asked before somebody is taken from the table, "" if nothing."""
    picking = screen.picking
    if picking is None or not _must_confirm(picking.choice, picking.picks):
        return ""
    values = {"name": pick_words(picking.picks[0], screen.players, screen.ascii)}
    if _in_match(screen):
        return filled(_("Take {name} from the table? The seat is gone for good."), values)
    return filled(_("Take {name} from the table?"), values)


def removal_ways() -> tuple[str, str]:
    """The answers to that, with the digits 1 and 2."""
    return _("Yes, remove"), _("No")


def _must_confirm(choice: Choice, picks: tuple[Pick, ...]) -> bool:
    return choice.name == REMOVES and picks in choice.picks


def _whose(picking: Picking) -> int | None:
    last = picking.picks[-1] if picking.picks else None
    return last if isinstance(last, int) else None


def quit_ways(screen: Screen) -> tuple[tuple[str, Quit], ...]:
    """The answers to the quit question, in order; none of them: play on."""
    if screen.is_host:
        return (
            (_("End the table for all"), Quit(end=True)),
            (_("Leave it running and come back later"), Quit()),
        )
    if _in_match(screen) and screen.seat is not None and not screen.players[screen.seat].playing:
        return ((_("Leave the table"), Quit(leave=True)),)
    return (
        (_("Keep my seat and come back later"), Quit()),
        (_("Give up my seat"), Quit(leave=True)),
    )


def staying(screen: Screen) -> str:
    """What it means to answer the quit question with no."""
    return _("play on") if _in_match(screen) else _("back")


def _in_match(screen: Screen) -> bool:
    return screen.show is not None and screen.show.table.phase != "lobby"


def next_change(screen: Screen, at: float) -> float | None:
    """Seconds after which the passing of time alone changes the screen; None: never."""
    waits: list[float] = []
    if screen.lost_at is not None:
        waits.append(1.0 - (at - screen.lost_at) % 1.0)
    if screen.show and not screen.show.table.paused:
        for clock in screen.clocks:
            millis = left(screen, clock, at)
            if millis:
                waits.append(0.1 if clock.loud else (millis - 1) % 1000 / 1000 + 0.001)
    if word(screen, at):
        waits.append(screen.word_at + WORD_AGE - at)
    if screen.show and screen.show.table.phase == "round":
        waits += [age for line in screen.log if (age := line.at + NOTE_AGE - at) > 0]
    return min(waits, default=None)


# ---------------------------------------------------------------- the player presses a key


def press(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    """The screen after a key, or a line of keys, and what the player asks for with it."""
    if key.startswith(RELEASE):
        return _line(screen, key.split()[1:], at)
    again = key == screen.held and at - screen.held_at < screen.hold
    twice = again and _in_a_hurry(screen, at)
    if again and not twice:
        return replace(screen, held_at=at, hold=min(screen.hold, AGAIN), twice=True), None
    after, wish = _pressed(replace(screen, held="", word=""), key, at)
    if isinstance(wish, Send) and after.show:
        after = replace(after, sent=(after.show.offer, after.show.done))
    if isinstance(wish, Send) or _steps(after.picking) > _steps(screen.picking):
        tried = isinstance(wish, Send) and not _on_offer(screen, wish.act)
        hold = REPEAT if tried else HELD
        after = replace(after, held=key, held_at=at, hold=hold, twice=twice)
    return after, wish


def _on_offer(screen: Screen, act: Act) -> bool:
    return any(choice.name == act.name for choice in _offered(screen))


def _in_a_hurry(screen: Screen, at: float) -> bool:
    """Whether the same key was pressed a second time, for the next thing to pick."""
    picks = screen.picking is not None and not removal(screen)
    return picks and not screen.twice and at - screen.held_at < QUICK


def _line(screen: Screen, keys: Sequence[str], at: float) -> tuple[Screen, Wish | None]:
    """The screen after keys of which none is held, up to the first that asks for something."""
    wish: Wish | None = None
    screen = replace(screen, held="")
    for key in keys:
        if wish is None:
            screen, wish = press(replace(screen, held=""), key, at)
    return screen, wish


def _steps(picking: Picking | None) -> int:
    """How far a choice is being made."""
    return 1 + len(picking.picks) if picking else 0


def _pressed(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    if screen.asking == "quit":
        return _answered(screen, key, at)
    if key == "?":
        asking = "" if screen.asking else "help"
        return replace(screen, asking=asking, held=key, held_at=at, hold=HELD), None
    if screen.asking == "help" and key in ("escape", "enter", "space"):
        return replace(screen, asking=""), None
    screen = replace(screen, asking="")
    if key == "q":
        return _asked_to_quit(screen, key, at)
    if screen.sent is not None:
        return screen, None
    chosen = next((choice for k, choice in keyed(screen) if k == key), None)
    if chosen is not None:
        return _chosen(screen, chosen)
    if known := _not_on_offer(screen, key):
        return _tried(screen, known, at)
    return _picked(screen, key, at) if screen.picking else (screen, None)


def _not_on_offer(screen: Screen, key: str) -> Known | None:
    """What a key has stood for, where the table can be asked for it."""
    if screen.show is None or screen.lost_at is not None or screen.over:
        return None
    return next((one for one in screen.known if one.key == key), None)


def _tried(screen: Screen, known: Known, at: float) -> tuple[Screen, Wish | None]:
    """The host, which has the times, says why not; at the table it needs no times."""
    if known.of_round and known.choice.picks == ((),):
        return screen, Send(Act(known.choice.name))
    return _told(screen, Text("That is not possible now."), at), None


def _asked_to_quit(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    if screen.seat is None or screen.lost_at is not None or screen.over:
        return screen, Quit()
    return replace(screen, asking="quit", held=key, held_at=at, hold=HELD), None


def _answered(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    ways = quit_ways(screen)
    if 1 <= _number(key) <= len(ways):
        return replace(screen, asking=""), ways[_number(key) - 1][1]
    if key in ("escape", "backspace", "q", "n"):
        return replace(screen, asking=""), None
    return _told(screen, Text("That is not possible now."), at), None


def _chosen(screen: Screen, choice: Choice) -> tuple[Screen, Wish | None]:
    if picks := only_picks(screen, choice):
        return replace(screen, picking=None), Send(Act(choice.name, picks[0]))
    return replace(screen, picking=Picking(choice)), None


def only_picks(screen: Screen, choice: Choice) -> tuple[tuple[Pick, ...], ...]:
    """The picks with which a choice is made at once: there are no others. What concerns the table
    is asked all the same, and so are cards to be marked."""
    at_once = choice.picks == ((),) or (_of_round(screen, choice) and len(choice.picks) == 1)
    return choice.picks if at_once and not choice.sets else ()


def _of_round(screen: Screen, choice: Choice) -> bool:
    return screen.view is not None and choice in screen.view.choices


def _picked(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    picking, offered = screen.picking, candidates(screen)
    assert picking is not None
    if key in ("escape", "backspace"):
        return replace(screen, picking=_back(picking, key)), None
    if removal(screen):
        return _confirmed(screen, picking, key, at)
    if key in ("left", "up", "right", "down"):
        step = 1 if key in ("right", "down") else -1
        cursor = (picking.cursor + step) % max(1, len(offered))
        return replace(screen, picking=replace(picking, cursor=cursor)), None
    if picking.marks:
        return _marked(screen, picking, key, at)
    place = picking.cursor if key in ("enter", "space") else _place(screen, offered, key)
    if place is None:
        return _told(screen, Text("That is not possible now."), at), None
    return _stepped(screen, picking, offered[place].pick)


def _confirmed(screen: Screen, picking: Picking, key: str, at: float) -> tuple[Screen, Wish | None]:
    if key == "1":
        return replace(screen, picking=None), Send(Act(picking.choice.name, picking.picks))
    if key == "2":
        return replace(screen, picking=None), None
    return _told(screen, Text("That is not possible now."), at), None


def _back(picking: Picking, key: str) -> Picking | None:
    """One step back; from the first step, out of the choice."""
    if picking.marked:
        return replace(picking, marked=frozenset())
    return Picking(picking.choice, picking.picks[:-1]) if picking.picks else None


def _place(screen: Screen, offered: tuple[Candidate, ...], key: str) -> int | None:
    """Where among the candidates a number points; a card may lie at several places of the hand."""
    number = _number(key)
    for place, candidate in enumerate(offered):
        if candidate.number == number or (candidate.spot is None and candidate.pick == key):
            return place
    hand = own_hand(screen)
    if hand and number and number <= len(hand.faces):
        card = hand.faces[number - 1]
        return next((n for n, c in enumerate(offered) if c.pick == card), None)
    return None


def _number(key: str) -> int:
    """The number that a key stands for: the digit 0 is ten; 0 where it is no number."""
    if not (key.isascii() and key.isdecimal()):
        return 0
    return 10 if key == "0" else int(key[:4])


def _stepped(screen: Screen, picking: Picking, pick: Pick) -> tuple[Screen, Wish | None]:
    """One thing more is picked; in a round, what then has one way left is done at once."""
    picks, choice = (*picking.picks, pick), picking.choice
    ways = [way for way in choice.picks if way[: len(picks)] == picks]
    if _must_confirm(choice, picks):
        return replace(screen, picking=Picking(choice, picks)), None
    if picks in ways or (len(ways) == 1 and _of_round(screen, choice)):
        return replace(screen, picking=None), Send(Act(choice.name, ways[0]))
    return replace(screen, picking=Picking(picking.choice, picks)), None


def _marked(screen: Screen, picking: Picking, key: str, at: float) -> tuple[Screen, Wish | None]:
    offered = candidates(screen)
    if key == "enter":
        return _played(screen, picking, at)
    numbered = (n for n, candidate in enumerate(offered) if candidate.number == _number(key))
    place = picking.cursor if key == "space" else next(numbered, None)
    if place is None or place >= len(offered):
        return screen, None
    marked = picking.marked ^ {place}
    return replace(screen, picking=replace(picking, marked=marked, cursor=place)), None


def _played(screen: Screen, picking: Picking, at: float) -> tuple[Screen, Wish | None]:
    """The marked cards are sent, in the order of the hand; the host knows whether they can be."""
    offered = candidates(screen)
    cards = tuple(offered[place].pick for place in sorted(picking.marked))
    if not cards:
        return _told(screen, Text("Mark the cards."), at), None
    return screen, Send(Act(picking.choice.name, cards))
