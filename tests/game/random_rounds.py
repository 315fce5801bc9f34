"""Rounds of any game played by lots under a virtual clock.

Everything that can come between a deal and an outcome comes at random times: offered acts, early
and late, deadlines left to fire, players who go away, come back, leave or are played by a bot.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from crisp_lan.game.cards import shuffled
from crisp_lan.game.rules import (
    Act,
    By,
    Game,
    Millis,
    Refused,
    Seat,
    Setting,
    Step,
    act_of,
    record_of,
)
from tests.game.laws import told_apart

DELAYS = (0, 0, 1, 200, 500, 1000, 1900, 1999, 2000, 2001, 2500, 2999, 3000, 3001, 3100, 6000)
RARE: Mapping[str, float] = {"crisp": 0.03}
"""Acts that would soon end every round, and how often one is done when it could be."""
LONGEST = 250
"""After so many happenings a round is left as it is; not every round has an end."""


@dataclass(frozen=True)
class Cause:
    """What somebody outside the rules did: an act, or a change of who plays a seat."""

    now: Millis
    seat: Seat
    act: Act | None = None
    by: By | None = None


@dataclass(frozen=True)
class Moment:
    """A position, when it came about, by what (None: a deadline fired), and what came with it."""

    now: Millis
    cause: Cause | None
    step: Step[Any]

    @property
    def state(self) -> Any:
        return self.step.state


@dataclass
class RandomRound:
    """One round. `causes` are kept, so that it can be played again."""

    game: Game[Any]
    count: int
    lots: random.Random
    comings: float = 0.03
    now: Millis = 0
    causes: list[Cause] = field(default_factory=list)
    refused: Callable[[Any, Cause], None] = lambda state, cause: None

    def __post_init__(self) -> None:
        self.seats = tuple(sorted(self.lots.sample(range(9), self.count)))
        self.dealer = self.lots.choice(self.seats)
        self.options: dict[str, Setting] = {
            option.name: self.lots.choice(option.values) for option in self.game.options
        }
        self.deck = shuffled(told_apart(self.game.cards(self.count)), self.lots)
        players: tuple[By, ...] = ("person", "person", "person", "bot", "nobody")
        self.by: dict[Seat, By] = {seat: self.lots.choice(players) for seat in self.seats}
        self.dealt_by = dict(self.by)

    def deal(self) -> Step[Any]:
        scores = dict.fromkeys(self.seats, 0)
        return self.game.deal(
            self.seats, self.dealer, scores, self.options, self.deck, 0, self.dealt_by
        )

    def moments(self) -> Iterator[Moment]:
        """Every position of the round as it comes about, the first included."""
        step = self.deal()
        yield Moment(0, None, step)
        for _ in range(LONGEST):
            if self.game.outcome(step.state) is not None:
                return
            for moment in self.happening(step.state):
                step = moment.step
                yield moment

    def happening(self, state: Any) -> Iterator[Moment]:
        """The next thing that happens, after the deadlines that come before it."""
        cause = self.cause(state)
        until = self.game.wake_at(state) if cause is None else cause.now
        assert until is not None, "nothing can happen any more"
        while (due := self.game.wake_at(state)) is not None and due <= until:
            assert due >= self.now, "a deadline in the past"
            self.now = due
            step = self.game.wake(state)
            yield Moment(due, None, step)
            state = step.state
        if cause is not None and self.game.outcome(state) is None:
            self.now = cause.now
            yield from self.caused(state, cause)

    def caused(self, state: Any, cause: Cause) -> Iterator[Moment]:
        try:
            step = after(self.game, state, cause)
        except Refused:
            self.refused(state, cause)
            return
        self.causes.append(cause)
        if cause.by is not None:
            self.by[cause.seat] = cause.by
        yield Moment(cause.now, cause, step)

    def cause(self, state: Any) -> Cause | None:
        """Something to do soon; None: time alone goes on. An act may come too late to be taken."""
        at = self.now + self.lots.choice(DELAYS)
        if self.lots.random() < self.comings:
            return self.coming(at)
        acts = [
            (seat, choice)
            for seat in self.seats
            for choice in self.game.view(state, seat).choices
            if self.lots.random() < RARE.get(choice.name, 1)
        ]
        if acts and (self.lots.random() < 0.9 or self.game.wake_at(state) is None):
            seat, choice = self.lots.choice(acts)
            return Cause(at, seat, Act(choice.name, self.lots.choice(choice.picks)))
        return None if self.game.wake_at(state) is not None else self.coming(at)

    def coming(self, at: Millis) -> Cause:
        """Somebody comes or goes; the last who has not left stays."""
        staying = [seat for seat in self.seats if self.by[seat] != "left"]
        seat = self.lots.choice(staying)
        others = ["person"] * 6 + ["bot"] * 2 + ["nobody"] * 3
        if len(staying) > 1:
            others.append("left")
        by = self.lots.choice([other for other in others if other != self.by[seat]])
        return Cause(at, seat, by=cast(By, by))


def after(game: Game[Any], state: Any, cause: Cause) -> Step[Any]:
    """The step that a cause leads to. Raises Refused."""
    if cause.act is None:
        assert cause.by is not None
        return game.presence(state, cause.now, cause.seat, cause.by)
    return game.apply(state, cause.now, cause.seat, cause.act)


def played_again(round_: RandomRound) -> Iterator[Moment]:
    """The positions after each cause when it is read from a record and told to a new round."""
    game, state = round_.game, round_.deal().state
    for cause in round_.causes:
        while (due := game.wake_at(state)) is not None and due <= cause.now:
            state = game.wake(state).state
        if cause.act is not None:
            line = json.loads(json.dumps(record_of(game, cause.act)))
            cause = Cause(cause.now, cause.seat, act_of(game, line))
        step = after(game, state, cause)
        yield Moment(cause.now, cause, step)
        state = step.state
