"""Bots against bots, in one process, without a network, in virtual time.

A game is played at a real table (`game.table`) by bots that get the same views and notes as over a
network. How long each thinks is drawn from the seed: at a person's pace as a rule, now and then so
long that a window, a look or a clock runs out. The same seed gives the same game, to the byte.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from multiprocessing import get_context
from pathlib import Path

from crisp_lan import bots
from crisp_lan.bots import Bot
from crisp_lan.bots.match import Match
from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Act, Choice, Line, Millis, Note, Seat, Setting, View
from crisp_lan.game.state import TableStep
from crisp_lan.journal import game_line, write_record

_STARTED = "1970-01-01T00:00:00+00:00"
"""Virtual time has no date; a fixed one lets the same seed write the same record."""

_DAWDLES = 1 / 20
_DOZES = 1 / 400
_DAWDLING: Millis = 8_000
_DOZING: Millis = 90_000


@dataclass(frozen=True, slots=True)
class Played:
    """One game of the arena: who sat where, who won, with how many points."""

    levels: tuple[str, ...]
    winners: tuple[Seat, ...]
    scores: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """How one level did: a shared win counts as its part of one.

    `games` are those it took part in; `least` and `most` bound what its `share` of wins in them
    would be in the long run (95 %); `mean` is its mean score, each of its seats counted.
    """

    level: str
    games: int
    wins: float
    share: float
    least: float
    most: float
    mean: float


def arena(
    game_key: str,
    games: int,
    seats: int,
    levels: Sequence[str],
    options: Mapping[str, Setting],
    seed: int,
    record: Path | None = None,
    processes: int = 1,
) -> list[Standing]:
    """Plays the games, with the levels dealt round the seats and moving on by one each game.

    `record` is a folder to write one record a game into. Raises Refused for a setting or a number
    of players that the game cannot be played with, and OSError if the folder cannot be written.
    """
    tables.opened(GAMES[game_key], options, seats)
    if record is not None:
        record.mkdir(parents=True, exist_ok=True)
    tasks = [
        _Task(
            game_key,
            n,
            tuple(levels[(n + s) % len(levels)] for s in range(seats)),
            dict(options),
            seed,
            record,
        )
        for n in range(games)
    ]
    if processes == 1:
        return standings(list(map(_one_game, tasks)))
    with get_context("spawn").Pool(processes) as pool:
        return standings(pool.map(_one_game, tasks, chunksize=5))


def standings(games: Sequence[Played]) -> list[Standing]:
    """What each level won, the best first."""
    levels = dict.fromkeys(level for game in games for level in game.levels)
    found = [_standing(level, games) for level in levels]
    return sorted(found, key=lambda standing: -standing.share)


def _standing(level: str, games: Sequence[Played]) -> Standing:
    entered = [game for game in games if level in game.levels]
    scores = [
        score
        for game in entered
        for player, score in zip(game.levels, game.scores, strict=True)
        if player == level
    ]
    wins = sum(
        sum(game.levels[seat] == level for seat in game.winners) / len(game.winners)
        for game in entered
        if game.winners
    )
    share, (least, most) = wins / len(entered), bounds(wins, len(entered))
    return Standing(level, len(entered), wins, share, least, most, sum(scores) / len(scores))


def bounds(wins: float, games: int) -> tuple[float, float]:
    """Wilson's interval for a share, at 95 %."""
    z2 = 1.96**2
    share, scale = wins / games, 1 + z2 / games
    middle = (share + z2 / (2 * games)) / scale
    half = sqrt(z2 * (share * (1 - share) / games + z2 / (4 * games * games))) / scale
    return middle - half, middle + half


@dataclass(frozen=True, slots=True)
class _Task:
    game_key: str
    number: int
    levels: tuple[str, ...]
    options: dict[str, Setting]
    seed: int
    record: Path | None


def _one_game(task: _Task) -> Played:
    seed = f"{task.seed}-{task.number + 1}"
    lines = list(played(task.game_key, len(task.levels), task.levels, task.options, seed))
    if task.record is not None:
        path = task.record / f"game-{task.number + 1:04}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            write_record(file, lines)
    end = lines[-1]
    scores = tuple(end["scores"][str(seat)] for seat in range(len(task.levels)))
    return Played(task.levels, tuple(end["winners"]), scores)


def played(
    game_key: str,
    seats: int,
    levels: Sequence[str],
    options: Mapping[str, Setting],
    seed: int | str,
) -> Iterator[Line]:
    """The record lines of one game, as they come about; the levels are dealt round the seats."""
    match = _Match(game_key, seats, levels, options, str(seed))
    yield from match.lines()


@dataclass(slots=True)
class _Place:
    """A bot at the table: the offer it has, its answer, and when it will give it."""

    bot: Bot
    offer: tuple[Choice, ...] = ()
    answer: Act | None = None
    at: Millis = 0


class _Match:
    """One match from the first seat taken to its end."""

    def __init__(
        self,
        game_key: str,
        seats: int,
        levels: Sequence[str],
        options: Mapping[str, Setting],
        seed: str,
    ) -> None:
        self._id = f"arena-{seed}"
        self._cards = random.Random(f"cards {seed}")
        self._thinking = random.Random(f"thinking {seed}")
        self._levels = [levels[seat % len(levels)] for seat in range(seats)]
        self._table = tables.opened(GAMES[game_key], options, seats, starts_by_itself=True)
        self._places = [
            _Place(bots.player(game_key, level, random.Random(f"bot {seat} {seed}")))
            for seat, level in enumerate(self._levels)
        ]
        self._target = GAMES[game_key].target(self._table.options, seats)
        self._now: Millis = 0

    def lines(self) -> Iterator[Line]:
        for level in self._levels:
            step = tables.sit(self._table, 0, level.capitalize(), "bot", level=level)
            yield from self._taken(step)
        while self._table.phase != "lobby":
            yield from self._taken(self._next())

    def _taken(self, step: TableStep) -> Iterator[Line]:
        self._table = step.table
        for seat, place in enumerate(self._places):
            view = views.round_view(step.table, seat)
            if view:
                self._shown(place, view, [n for n in step.notes if n.to is None or seat in n.to])
        for line in step.lines:
            if line["kind"] == "game":
                yield game_line(line, self._id) | {"started": _STARTED}
            elif "t" in line:
                yield line

    def _shown(self, place: _Place, view: View, notes: Sequence[Note]) -> None:
        place.bot.see(view, notes, Match(self._table.scores, self._target))
        if view.choices == place.offer:
            return
        place.offer = view.choices
        place.answer = place.bot.choose(view) if view.choices else None
        if place.answer:
            place.at = self._now + self._thought(view, place.answer)

    def _thought(self, view: View, act: Act) -> Millis:
        """How long a bot thinks: as long as at a table, and now and then too long."""
        lots = self._thinking
        extra = 0
        if lots.random() < _DAWDLES:
            extra = lots.randrange(_DAWDLING)
        if lots.random() < _DOZES:
            extra = lots.randrange(_DOZING)
        return bots.pace(view, act, lots) + extra

    def _next(self) -> TableStep:
        """What comes next: a deal, a deadline, or the act of the bot that has thought it out."""
        table = self._table
        if matches.wants_deck(table):
            deck = shuffled(matches.deck(table), self._cards)
            return matches.deal(table, self._now, deck, self._cards.getrandbits(32))
        wakes = matches.wake_at(table)
        acting = [(p.at, seat) for seat, p in enumerate(self._places) if p.answer]
        at, seat = min(acting, default=(0, 0))
        if wakes is not None and (not acting or wakes <= at):
            self._now = wakes
            return matches.wake(table)
        return self._acted(at, seat)

    def _acted(self, at: Millis, seat: Seat) -> TableStep:
        place, self._now = self._places[seat], at
        answer = place.answer
        assert answer is not None, "nobody acts and nothing runs out"
        place.offer, place.answer = (), None
        return tables.apply(self._table, at, seat, answer)
