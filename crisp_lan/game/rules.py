"""The words that every game speaks, and what a game is. Open this first.

A game is a value. `apply` takes a position, the time and an act, and gives the next position; it
reads no clock, draws no lots and talks to nobody. Time is *match time*: whole milliseconds since
the match began, standing still in a pause. A deadline is a number in the position; who drives the
game asks for it with `wake_at` and fires it with `wake`.

What players see is built for each of them from nothing by `view`. A hidden card is a *back*, and
backs have no identity: nothing in a view lets anybody follow a card that he may not see.

Sentences are English here and looked up in the reader's language where they are shown, so a
game brings its own words. A value in a sentence is put in by the name of its field:

    seat, other, …by_seat   a seat: the player's name       card, …_card   a card or a combination
    slot, …_slot            a place: looked up as a word    suit           a suit
    millis                  a time span, shown in seconds   phrase         a sentence, looked up
    anything else           a number or text as it is
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar

Seat: TypeAlias = int
Millis: TypeAlias = int
Card: TypeAlias = str
Pick: TypeAlias = int | str
Value: TypeAlias = int | str
By: TypeAlias = Literal["person", "bot", "nobody", "left"]
Setting: TypeAlias = int | bool | None
Line: TypeAlias = dict[str, Any]

LOOKING = "looking"
"""The remark on a card at which its owner looks for a time. The table hides its face in a pause."""

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence to be worded by whoever shows it: English with `{fields}`, and their values."""

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Act:
    """What a seat does: the name of a choice and one of its pick tuples."""

    name: str
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """An offered act, with every pick tuple that will be accepted.

    An int in a tuple is a seat; text is a place, a card, or a word. The picks of a tuple are made
    one after the other. `sets`: they are cards of the own hand, in its order, to be marked and
    played together; any others may be sent as well, to hear why they cannot be played.
    `key` is the letter a keyboard should offer it on, the same for the same thing always.
    """

    name: str
    label: str
    picks: tuple[tuple[Pick, ...], ...] = ((),)
    key: str = ""
    sets: bool = False


@dataclass(frozen=True, slots=True)
class Clock:
    """A countdown that ends at `ends` (match time) and was `total` ms long when it began.

    `seat` is whose it is, None for everybody's. A `loud` one cannot be missed by that player.
    `mine` and `theirs` are how it reads to its owner and to others, as words with the fields
    `{seat}` and `{left}`; where they are empty, name, owner and time are shown.
    """

    name: str
    seat: Seat | None
    ends: Millis
    total: Millis
    loud: bool = False
    mine: str = ""
    theirs: str = ""


@dataclass(frozen=True, slots=True)
class Zone:
    """A row of cards lying somewhere: `faces` holds a card where it may be seen, else None.

    `owner` is the seat it lies before, None for the middle of the table. `count` is how many cards
    are there, which may be more than `faces` shows. `slots`, `marks` and `seats` are empty or as
    long as `faces`: the names by which places are picked, a remark on each card (an English word,
    or ""; LOOKING for one that its owner sees for a short time), and who played it. `note` is a
    remark on the whole.
    """

    name: str
    owner: Seat | None
    faces: tuple[Card | None, ...]
    count: int
    slots: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    seats: tuple[Seat, ...] = ()
    note: str = ""

    def without_looks(self) -> Zone:
        """The same with the cards covered that are looked at."""
        looks = zip(self.faces, self.marks)
        faces = tuple(None if mark == LOOKING else face for face, mark in looks)
        return replace(self, faces=faces)


@dataclass(frozen=True, slots=True)
class Tag:
    """Something everybody knows of one seat: who deals, who called, which side it is on.

    A `loud` one cannot be missed when it comes.
    """

    seat: Seat
    text: Text
    loud: bool = False


@dataclass(frozen=True, slots=True)
class View:
    """All that one seat (None: a watcher) may know of a round, right now.

    `phase` is an English word for the part of the round; `turn` is whose turn it is, if anybody's.
    `facts` are public matters that belong to no seat (the trump, a bid). `sheet` is filled when the
    round is over: columns of the score sheet by name, each a number per seat. `banner` is what must
    not be missed for as long as it is there.
    """

    seat: Seat | None
    phase: str
    turn: Seat | None
    zones: tuple[Zone, ...]
    choices: tuple[Choice, ...] = ()
    clocks: tuple[Clock, ...] = ()
    tags: tuple[Tag, ...] = ()
    facts: tuple[Text, ...] = ()
    sheet: tuple[tuple[str, tuple[tuple[Seat, int], ...]], ...] = ()
    banner: Text | None = None

    def without_looks(self) -> View:
        """The same with the cards covered that are looked at."""
        zones = (zone.without_looks() if LOOKING in zone.marks else zone for zone in self.zones)
        return replace(self, zones=tuple(zones))


@dataclass(frozen=True, slots=True)
class Note:
    """Something that happened, told to the seats in `to`, or to everybody (None).

    Where some may know more than others, there are two notes, never a censored one.
    """

    key: str
    values: Mapping[str, Value] = field(default_factory=dict)
    to: tuple[Seat, ...] | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """One seat as everybody sees it. `playing`: dealt into the match that runs; `score`: in it.
    `ready`: in the lobby, to begin; at a round's end, to go on.

    `level` is a bot's, else "". `host`: holds the host's rights. `place`: its standing in the
    match, 1 is the best, shared by equals; None for who is not or no longer in it.
    """

    name: str
    by: By
    level: str
    host: bool
    ready: bool
    playing: bool
    score: int | None
    place: int | None


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the standings of the match that ended last; they come best first."""

    name: str
    score: int
    won: bool
    left: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """What somebody has won this evening: of how many games at this table, whichever they were."""

    name: str
    games: int
    won: int


@dataclass(frozen=True, slots=True)
class TableView:
    """The table around the round: what one seat (or a watcher) sees of it and may do with it.

    `phase`: `lobby`; `shuffle`, waiting for a deck; `round`; `reveal`, all cards open.
    `size` is how many seats there can be, `target` the score that ends the match, `winners` the
    seats that won it, from the last reveal on. `repeatable`: the decks come from a known seed.
    `seats`: how many can play the game. `banner`: what must not be missed at the table for as long
    as it is there. In the lobby only: `labels`, what each of the options changes, in their order,
    and `evening`, the standings over all games at this table, best first.
    """

    phase: Literal["lobby", "shuffle", "round", "reveal"]
    game: str
    title: str
    goal: str
    size: int
    players: tuple[Player, ...]
    options: tuple[tuple[str, Setting], ...]
    round: int
    target: int | None
    paused: bool
    repeatable: bool
    winners: tuple[Seat, ...]
    results: tuple[Result, ...]
    choices: tuple[Choice, ...]
    clocks: tuple[Clock, ...]
    seats: tuple[int, ...] = ()
    banner: Text | None = None
    labels: tuple[str, ...] = ()
    evening: tuple[Standing, ...] = ()


class Problem(Exception):
    """Something could not be done; `text` says why, and what to do.

    Its string has no values, which may be names or cards: it ends up in logs.
    """

    def __init__(self, text: Text) -> None:
        super().__init__(text.key)
        self.text = text


class Refused(Problem):
    """An act that the rules do not allow now. Nothing has happened.

    `told`: what the others are told of it, where it was a ruling that everybody may see.
    """

    def __init__(
        self, key: str, values: Mapping[str, Value] | None = None, told: Note | None = None
    ) -> None:
        super().__init__(Text(key, values or {}))
        self.told = told


@dataclass(frozen=True, slots=True)
class Step(Generic[S]):
    """What an act, a deadline or a change of presence leads to.

    `lines` are the lines of the game record (RECORD.md) that follow from it beyond the act itself:
    time-outs, and acts that the rules or the clock made for a seat. `t` is added by the table.
    """

    state: S
    notes: tuple[Note, ...] = ()
    lines: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a round ended.

    `delta` is the whole change of each dealt-in seat's score; `record` the game's own fields of the
    record's `score` line, None where the round counts for nobody and has no such line.
    """

    why: Text
    delta: Mapping[Seat, int]
    record: Line | None


@dataclass(frozen=True, slots=True)
class Option:
    """A setting that the host chooses before the match.

    `name` is its field in the record; one that ends in `_time` is a number of seconds.
    `values` are those on offer. Where `least` is given, so is any whole number from there up.
    `flag` is how the command line spells it; for a yes or no, it turns the default round.
    """

    name: str
    label: str
    flag: str
    values: tuple[Setting, ...]
    default: Setting
    least: int | None = None


class Game(Protocol[S]):
    """The rules of one game: all that the table needs to know of it.

    `S` is the position of a round: a frozen dataclass that nobody else looks into.
    """

    key: str
    """Its name in records and on the command line."""
    title: str
    goal: str
    """One sentence for the lobby."""
    seats: tuple[int, ...]
    """The numbers of players it can be played by."""
    options: tuple[Option, ...]
    lowest_wins: bool
    seats_stay: bool
    """Whether a seat that was left is still dealt in, and played as if its time had run out."""
    dealer_field: str
    """The record's name for who deals or starts: `dealer` or `starter`."""
    fields: Mapping[str, tuple[str, ...]]
    """The record's names for the picks of each act that has any. One that ends in `#` is written as
    a number; a last one that ends in `*` takes all that are left, as a list."""

    def cards(self, seats: int) -> tuple[Card, ...]:
        """The whole deck for so many players, in a fixed order."""

    def deal(
        self,
        seats: Sequence[Seat],
        dealer: Seat,
        scores: Mapping[Seat, int],
        options: Mapping[str, Setting],
        deck: Sequence[Card],
        now: Millis,
        by: Mapping[Seat, By],
    ) -> Step[S]:
        """The first position of a round for `seats` (in seating order), `deck[0]` dealt first."""

    def apply(self, state: S, now: Millis, seat: Seat, act: Act) -> Step[S]:
        """The position after an act. Every deadline up to `now` has fired before.

        Raises Refused, and then nothing has happened.
        """

    def presence(self, state: S, now: Millis, seat: Seat, by: By) -> Step[S]:
        """Who plays the seat from now on."""

    def wake_at(self, state: S) -> Millis | None:
        """The next deadline, or None. Not later for asking twice."""

    def wake(self, state: S) -> Step[S]:
        """What happens at `wake_at`: exactly one deadline fires."""

    def view(self, state: S, seat: Seat | None) -> View:
        """What a seat may know and do, built field by field from nothing."""

    def laid_open(self, state: S) -> View:
        """The round with every hand open, every pile's top too, and no choices: for a replay.

        It is nobody's view: nothing that has to do with a table calls it.
        """

    def outcome(self, state: S) -> Outcome | None:
        """How the round ended; None while it runs."""

    def verdict(
        self, scores: Mapping[Seat, int], options: Mapping[str, Setting]
    ) -> tuple[Seat, ...] | None:
        """Who won the match, of the seats still in it; None while it goes on."""

    def last_standing(
        self, there: Sequence[Seat], seats: Sequence[Seat]
    ) -> tuple[Seat, ...] | None:
        """Who wins because, of the `seats` of the match, only those `there` have not left, and they
        have nobody to play against; None while they have."""

    def target(self, options: Mapping[str, Setting], seats: int) -> int | None:
        """The score at which a match of so many players ends, where there is one."""

    def next_dealer(self, seats: Sequence[Seat], last: Seat, scores: Mapping[Seat, int]) -> Seat:
        """Who deals or starts the next round, of the seats dealt in; the first is drawn by lot."""


def record_of(game: Game[Any], act: Act) -> Line:
    """An act as the fields of a record's `act` line."""
    line: Line = {"do": act.name}
    for place, name in enumerate(game.fields.get(act.name, ())):
        if name.endswith("*"):
            line[name[:-1]] = list(act.picks[place:])
        elif name.endswith("#"):
            line[name[:-1]] = int(act.picks[place])
        else:
            line[name] = act.picks[place]
    return line


def act_of(game: Game[Any], line: Mapping[str, Any]) -> Act:
    """The act that a record's `act` line tells of. Raises KeyError where it lacks a field."""
    picks: list[Pick] = []
    for name in game.fields.get(line["do"], ()):
        if name.endswith("*"):
            picks += line[name[:-1]]
        elif name.endswith("#"):
            picks.append(str(line[name[:-1]]))
        else:
            picks.append(line[name])
    return Act(line["do"], tuple(picks))
