"""Whether a deal was fair: what one client was told of it, against what is opened in the end.

A `Witness` collects what a client is told: who committed to what before the deal, and every view.
When the round's record is opened, it gives a `Case`: the decks are shuffled again, the record is
folded by the rules, and every view must be one that it leads to. That takes milliseconds to tenths
of a second, and may be done in another thread, one case after the other.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from crisp_lan.check import beginning, steps
from crisp_lan.game import views
from crisp_lan.game.rules import Line, Problem, Text, View
from crisp_lan.game.state import Table
from crisp_lan.lots import HOST, Openings, Sealed
from crisp_lan.net.messages import Opened, Show
from crisp_lan.text import harmless

CHECKED = Text("Deal checked.")
PARTLY = Text("You were not there for the whole round: the deal was checked as far as you saw it.")
WITHOUT = Text("Deal checked. The cards were shuffled again without {names}.")
RULES = Text("The deal is not right: what the host has written down does not follow by the rules.")
SHOWN = Text("The deal is not right: you were shown what does not follow from the record.")
DECK = Text("The deal is not right: the deck is not the one that all have made together.")
OPENING = Text("The deal is not right: somebody opened something else than was committed to.")
ANOTHER = Text("The deal is not right: the host has opened another one than you saw made.")
AGAIN = Text("The deal is not right: the host has shuffled again and left nobody out.")
NOT_ASKED = Text("The deal is not right: the host has shuffled and not asked you for your part.")
THROWN_AWAY = Text("The game ended while its deck was being made: that deck is thrown away.")
NOT_MINE = Text(
    "Your part in the deck is missing: it came to the host too late, or the host left it out."
)
HIDDEN = Text("The deal is not right: the host has not opened it after the round.")
RIGHT = Text("Deal checked: all follows by the rules, and every deck from what everybody drew.")
NOT_BY_ALL = Text("All follows by the rules. Decks that only the host has made cannot be checked.")


ATTEMPTS = 257
"""More than any deck is tried: each time somebody is left out."""
LARGEST = 16 * 1024 * 1024
"""The signs of a record that are waited for before it is looked into: many times the longest."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a player is told of a deal; `fits`: nothing speaks against it."""

    text: Text
    fits: bool = True


class Unfair(Problem):
    """A deal is not right; `text` says what does not fit."""


# ---------------------------------------------------------------- what a client is told


@dataclass(slots=True)
class _Deal:
    """A round that has been dealt, as a client knows it.

    `attempts` at its deck, of which the last was dealt. `whole`: the client has been there all the
    time; `plays`: it is dealt in. `views`, each with whether the table was paused. `over`: all
    cards lie open, or the match has ended.
    """

    attempts: Sequence[Sealed]
    whole: bool
    plays: bool
    names: Sequence[str]
    views: list[tuple[View, bool]] = field(default_factory=list)
    over: bool = False


class Witness:
    """What a client has been told and cannot check yet. Nothing here takes time."""

    def __init__(self) -> None:
        self._there = False
        self._now = self._number = 0
        self._attempts: list[Sealed] = []
        self._deals: list[_Deal] = []
        self._lines: list[str] = []
        self._size = 0
        self._reading = _Reading()

    def lose(self) -> None:
        """The table cannot be heard: what happens now is missed."""
        self._there = False
        self._attempts, self._lines = [], []
        for deal in self._deals:
            deal.whole = False

    def seal(self, sealed: Sealed) -> None:
        """All have committed to a deck."""
        if len(self._attempts) < ATTEMPTS:
            self._attempts.append(sealed)

    def see(self, show: Show) -> Verdict | None:
        """A show has come; what is wrong without any look at the record is said at once."""
        if show.table.repeatable and not (self._attempts or self._deals):
            return None
        if show.now < self._now and not self._there:  # a power cut has cost the last second
            self._deals = []
        self._now = show.now
        wrong = HIDDEN if self._hidden() else None
        thrown_away = show.table.phase == "lobby" and bool(self._attempts)
        if show.table.phase == "lobby":
            self._number, self._attempts = 0, []
        elif show.view is not None and self._is_dealt(show):
            self._begin(show)
            wrong = wrong or self._unasked()
        self._there = self._there or show.table.phase != "shuffle"
        self._keep(show)
        if wrong is not None:
            return Verdict(wrong, fits=False)
        return Verdict(THROWN_AWAY) if thrown_away else None

    def _hidden(self) -> bool:
        """Whether a round was over with the show before, and was not opened then; what has begun
        to be opened has time until the next is over."""
        over = [deal for deal in self._deals if deal.over and deal.whole]
        if len(over) <= bool(self._lines):
            return False
        self._deals = [deal for deal in self._deals if not deal.over]
        return True

    def _is_dealt(self, show: Show) -> bool:
        """Whether a round is there that was not before, whatever number the host gives it."""
        running = bool(self._deals) and not self._deals[-1].over
        another = self._number != show.table.round or (show.table.phase == "round" and not running)
        return another or bool(self._attempts)

    def _begin(self, show: Show) -> None:
        for deal in self._deals:
            deal.over = True
        plays = show.view is not None and show.view.seat is not None
        names = [harmless(player.name) for player in show.table.players]
        self._deals.append(_Deal(self._attempts, self._there, plays, names))
        self._number, self._attempts = show.table.round, []

    def _unasked(self) -> Text | None:
        """Whether the round just dealt was dealt without a word before."""
        deal = self._deals[-1]
        if not deal.whole or deal.attempts:
            return None
        deal.whole = False
        return NOT_ASKED

    def _keep(self, show: Show) -> None:
        deal = self._deals[-1] if self._deals else None
        if deal is None or deal.over:
            return
        if show.view is not None and deal.views[-1:] != [(show.view, show.table.paused)]:
            deal.views.append((show.view, show.table.paused))
        deal.over = show.table.phase not in ("round", "shuffle")

    def open(self, opened: Opened) -> Case | None:
        """A piece of the record has come; with the last one: what is to be looked into."""
        if opened.first == 0:
            self._reading, self._lines, self._size = _Reading(), [], 0
        self._lines += opened.lines
        self._size += sum(map(len, opened.lines))
        if opened.more and self._size < LARGEST:
            return None
        lines, self._lines, self._size = self._lines, [], 0
        over = [deal for deal in self._deals if deal.over]
        self._deals = [deal for deal in self._deals if not deal.over]
        return Case(self._reading, lines, over)


# ---------------------------------------------------------------- what is opened


class _Reading:
    """A record as far as it has been folded."""

    def __init__(self) -> None:
        self.table: Table | None = None
        self._due: list[Line] = []

    def read(self, line: Line) -> Iterator[Table]:
        """The table after each thing that has happened up to a line."""
        if self.table is None:
            self.table = beginning(line)
            yield self.table
            return
        for step in steps(self.table, line, self._due):
            self.table = step.table
            yield self.table


class Case:
    """Lines of a record that have been opened, and the deals that they should explain."""

    def __init__(self, reading: _Reading, lines: Sequence[str], deals: Sequence[_Deal]) -> None:
        self._reading = reading
        self._lines = lines
        self._deals = deals
        self._views = deque(seen for deal in deals for seen in deal.views)

    def verdict(self) -> Verdict | None:
        """What there is to say of these deals, None where no round was over. Call it once."""
        try:
            made = self._folded()
            without = [name for deal in self._deals for name in self._compared(deal, made)]
            if self._views:
                raise Unfair(SHOWN)
        except Unfair as unfair:
            return Verdict(unfair.text, fits=False)
        except Exception:  # whatever a falsified record leads to: it is wrong
            return Verdict(RULES, fits=False)
        if not self._deals:
            return None
        if not self._deals[-1].whole:
            return Verdict(PARTLY)
        if without:
            return Verdict(Text(WITHOUT.key, {"names": ", ".join(without)}))
        return Verdict(CHECKED)

    def _folded(self) -> dict[int, Openings]:
        """The openings in these lines, which the decks follow from. Raises Unfair, among others."""
        made = {}
        if self._reading.table is not None:
            self._strike_out(self._reading.table)
        for text in self._lines:
            line = json.loads(text)
            for table in self._reading.read(line):
                self._strike_out(table)
            if line["kind"] == "deal":
                openings = _opened(line)
                made[openings.deal] = openings
                assert self._reading.table is not None
                check_deck(self._reading.table, line, openings)
        return made

    def _strike_out(self, table: Table) -> None:
        """What the client was shown next, if it is this."""
        while self._views:
            view, paused = self._views[0]
            here = replace(table, paused="disk" if paused else "")
            if views.round_view(here, view.seat) != view:
                return
            self._views.popleft()

    def _compared(self, deal: _Deal, made: dict[int, Openings]) -> list[str]:
        """Who was left out when the cards were shuffled again. Raises Unfair."""
        if not deal.attempts:
            return []
        last = deal.attempts[-1]
        openings = made.get(last.deal)
        if openings is None:
            raise Unfair(ANOTHER)
        if openings.commitments != last.commitments:
            raise Unfair(OPENING)
        without = [seat for one, then in pairwise(deal.attempts) for seat in _left_out(one, then)]
        if deal.plays and not last.secret:
            asked = any(attempt.seat is not None for attempt in deal.attempts)
            if asked or deal.whole:
                raise Unfair(NOT_MINE if asked else NOT_ASKED)
        return [deal.names[seat] for seat in without if seat < len(deal.names)]


def _left_out(attempt: Sealed, then: Sealed) -> list[int]:
    """The seats that were not asked again. Raises Unfair if there are none, or new ones."""
    before, after = attempt.commitments.keys(), then.commitments.keys()
    if not after < before:
        raise Unfair(AGAIN)
    return sorted(int(who) for who in before - after if who != HOST)


def _opened(line: Line) -> Openings:
    if "fair" not in line:
        raise Unfair(DECK)
    return Openings.read(line["fair"])


def check_deck(table: Table, line: Line, openings: Openings) -> None:
    """Whether the deck of a deal, and the first dealer, follow from what was opened. Raises Unfair.

    `table` has been dealt this line.
    """
    if openings.unfit():
        raise Unfair(OPENING)
    game, seats = table.game, line["seats"]
    lots, cards = openings.lots(), list(game.cards(len(seats)))
    lots.shuffle(cards)
    first = seats[lots.first % len(seats)]
    if cards != line["deck"] or (line["round"] == 1 and line[game.dealer_field] != first):
        raise Unfair(DECK)


def audited(record: Iterable[Line]) -> tuple[Verdict, int]:
    """Whether a kept record and its decks are right, and the round that it was found out in."""
    reading, number, fair = _Reading(), 0, True
    try:
        for line in record:
            if line["kind"] == "deal":
                number += 1
            for _table in reading.read(line):
                pass
            if line["kind"] == "deal" and "fair" in line:
                assert reading.table is not None
                check_deck(reading.table, line, Openings.read(line["fair"]))
            elif line["kind"] == "deal":
                fair = False
    except Unfair as unfair:
        return Verdict(unfair.text, fits=False), number
    except Exception:  # whatever a falsified record leads to: it is wrong
        return Verdict(RULES, fits=False), number
    return Verdict(RIGHT if fair else NOT_BY_ALL), number
