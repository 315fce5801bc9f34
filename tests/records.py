"""A second opinion on Crisp: whether a game's record obeys RULES.md §1 and RECORD.md.

Written from those two pages alone, with piles, clocks, windows and sums of its own; it imports
nothing of the project. `check(lines)` raises `Broken` with the line's number and a sentence.

What every game's record has in common is read here too; `records_GAME.py` has the rest of another
game, a `Record` of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from typing import Any

SLOTS = ("left", "middle", "right")
DECK = {rank + suit for rank in "A23456789TJQK" for suit in "CDHS"}
FIRST_LOOK = 30_000
LOOK = 5_000
LOOK_CHOICE = 10_000
WINDOW = 3_000
WAIT = 2_000
GRACE = 60_000
REVEAL = 20_000
BOTS_REVEAL = 3_000
DEALING = 10_000
"""How long the dealing of the next round may take after a reveal (no rule sets it)."""


class Broken(Exception):
    """The record tells of something that cannot have happened, or not then."""


def check(lines: Iterable[str | Mapping[str, Any]]) -> None:
    """Reads a whole record, finished or interrupted. Raises Broken at the first line that errs."""
    record: Record | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        try:
            told = json.loads(line) if isinstance(line, str) else line
            record = record or reader(told)
            record.read(told)
        except Broken as broken:
            raise Broken(f"line {number}: {broken}") from None
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise Broken(f"line {number}: malformed, {error!r}") from None
    if number == 0:
        raise Broken("line 0: an empty record")


def reader(line: Mapping[str, Any]) -> Record:
    """What reads the record that begins with this line."""
    need(line["kind"] == "game", "the first line, and no other, is the game's")
    game = line["game"]
    need(game in ("crisp", "briscola", "crisps"), f"there is no game called {game!r}")
    made: Record = Record() if game == "crisp" else import_module(f"tests.records_{game}").Record()
    return made


def need(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Broken(otherwise)


def points(card: str) -> int:
    return "A23456789".index(card[0]) + 1 if card[0] in "A23456789" else 10


def clockwise(seats: list[int], after: int) -> list[int]:
    """All the seats, beginning with the one after `after` and going round."""
    return [s for s in seats if s > after] + [s for s in seats if s <= after]


@dataclass
class People:
    """Who plays each seat, and since when."""

    by: dict[int, str]
    since: dict[int, int] = field(default_factory=dict)

    def present(self, seat: int) -> bool:
        return self.by[seat] == "person" or self.by[seat].startswith("bot:")

    def staying(self) -> list[int]:
        return [seat for seat in sorted(self.by) if self.by[seat] != "left"]


class Record:
    """A record read so far."""

    seats = range(2, 9)
    dealer_field = "dealer"

    def __init__(self) -> None:
        self.now = 0
        self.people = People({})
        self.options: dict[str, Any] = {}
        self.scores: dict[int, int] = {}
        self.round: Any = None
        self.rounds = 0
        self.dealer: int | None = None
        self.begun = self.paused = self.ended = False
        self.winners: list[int] | None = None
        self.revealed: int | None = None
        self.person_at_reveal = False

    def read(self, line: Mapping[str, Any]) -> None:
        kind = line["kind"]
        known = getattr(self, f"read_{kind}", None)
        if known is None:
            return
        need(self.begun == (kind != "game"), "the first line, and no other, is the game's")
        need(not self.ended, "nothing comes after the end")
        if kind != "game":
            self.pass_time(line)
        known(line)

    def pass_time(self, line: Mapping[str, Any]) -> None:
        millis = line["t"] * 1000
        now = round(millis)
        need(abs(millis - now) < 1e-6, "t is not a whole number of milliseconds")
        need(now >= self.now, "time runs backwards")
        need(now == self.now or not self.paused, "match time goes on in a pause")
        self.now = now
        if self.round and not self.round.over:
            self.round.pass_time(now, line)
        elif self.round and line["kind"] != "score":
            raise Broken("the round is over, and its score is missing")

    # -------------------------------------------------- the lines

    def read_game(self, line: Mapping[str, Any]) -> None:
        need(line["format"] == 1, "format is not 1")
        need(bool(line["id"]) and bool(line["software"]), "id or software is empty")
        need(datetime.fromisoformat(line["started"]).tzinfo is not None, "started has no time zone")
        numbers = [seat["seat"] for seat in line["seats"]]
        need(numbers == list(range(len(numbers))), "seats are not numbered from 0")
        need(len(numbers) in self.seats, "not for so many players")
        need(all(isinstance(seat["name"], str) for seat in line["seats"]), "a seat has no name")
        for seat in line["seats"]:
            self.known_by(seat["by"])
        self.people = People({seat["seat"]: seat["by"] for seat in line["seats"]})
        self.scores = dict.fromkeys(numbers, 0)
        self.options = dict(line["options"])
        self.check_options()
        self.begun = True

    def check_options(self) -> None:
        limit = self.options["limit"]
        need(type(limit) is int and limit >= 1, "the limit is no whole number from 1 up")
        need(self.options["draw_time"] in (30, 45, 60, None), "no such draw time")
        need(type(self.options["take_discard"]) is bool, "take_discard is not true or false")

    def read_deal(self, line: Mapping[str, Any]) -> None:
        need(self.round is None, "a round is running")
        need(self.winners is None, "somebody has won: no further round")
        need(not self.paused, "dealt in a pause")
        need(line["round"] == self.rounds + 1, "the rounds are not numbered in order")
        seats = self.dealt_in()
        need(line["seats"] == seats, f"seats {seats} had to be dealt in")
        dealer = line[self.dealer_field]
        need(dealer in seats, "the dealer is not dealt in")
        turn = self.turn_to_deal(seats)
        need(dealer in turn, f"it was the turn to deal of one of {turn}")
        self.time_of_reveal()
        self.rounds, self.dealer = line["round"], dealer
        self.round = self.dealt(seats, dealer, list(line["deck"]))

    def dealt_in(self) -> list[int]:
        return self.people.staying()

    def turn_to_deal(self, seats: list[int]) -> list[int]:
        """Who may deal the next round."""
        return seats if self.dealer is None else clockwise(seats, self.dealer)[:1]

    def dealt(self, seats: list[int], dealer: int, deck: list[str]) -> Any:
        need(len(deck) == 52 and set(deck) == DECK, "not a deck of 52 cards")
        return Round(seats, dealer, deck, self.options, self.people, self.now)

    def time_of_reveal(self) -> None:
        if self.revealed is None:
            return
        shown = self.now - self.revealed
        need(shown <= REVEAL + DEALING, "the reveal stayed for more than 20 s")
        if not self.person_at_reveal:
            need(shown >= BOTS_REVEAL, "among bots the reveal stays for 3 s")

    def read_act(self, line: Mapping[str, Any]) -> None:
        need(not self.paused, "an act in a pause")
        need(self.round is not None, "an act while no round runs")
        self.round.act(self.now, line)

    def read_timeout(self, line: Mapping[str, Any]) -> None:
        need(not self.paused, "a time-out in a pause")
        need(self.round is not None, "a time-out while no round runs")
        self.round.timeout(self.now, line["seat"])

    def read_seat(self, line: Mapping[str, Any]) -> None:
        seat, by = line["seat"], line["by"]
        self.known_by(by)
        need(seat in self.people.by, "no such seat")
        need(self.people.by[seat] != "left", "who left does not come back")
        self.people.by[seat], self.people.since[seat] = by, self.now
        self.person_at_reveal |= by == "person"
        if self.round:
            self.round.presence_changed(self.now)

    def known_by(self, by: str) -> None:
        known = by in ("person", "nobody", "left") or (by.startswith("bot:") and len(by) > 4)
        need(known, f"nobody is called {by!r}")

    def read_pause(self, line: Mapping[str, Any]) -> None:
        self.known_pauser(line["by"])
        self.paused = True

    def read_resume(self, line: Mapping[str, Any]) -> None:
        self.known_pauser(line["by"])
        need(self.paused or line["by"] == "host", "resumed without a pause")
        self.paused = False

    def known_pauser(self, by: int | str) -> None:
        need(by in ("host", "empty") or by in self.people.by, "paused by nobody known")

    def read_score(self, line: Mapping[str, Any]) -> None:
        need(self.round is not None and self.round.over, "a score, but the round is not over")
        need(self.now == self.round.over_at, "the score is not written when the round ends")
        need(line["round"] == self.rounds, "the score of another round")
        hands, caller = self.round.hands, self.round.caller
        need(by_seat(line["hands"]) == hands, f"the hands were {hands}")
        totals = {seat: sum(points(card) for card in hand) for seat, hand in hands.items()}
        need(by_seat(line["totals"]) == totals, f"the totals are {totals}")
        need(line["caller"] == caller, f"the caller was {caller}")
        delta = dict(totals)
        if caller is not None:
            lowest = all(totals[caller] < totals[seat] for seat in totals if seat != caller)
            delta[caller] += -5 if lowest else 5
        need(by_seat(line["delta"]) == delta, f"the scores change by {delta}")
        self.scored(line, delta)

    def scored(self, line: Mapping[str, Any], delta: Mapping[int, int]) -> None:
        """The round changes the scores by `delta`, and perhaps decides the match."""
        for seat, change in delta.items():
            self.scores[seat] += change
        need(by_seat(line["scores"]) == self.scores, f"the scores are {self.scores}")
        self.round_is_done()
        self.decide()

    def round_is_done(self) -> None:
        self.round, self.revealed = None, self.now
        self.person_at_reveal = "person" in self.people.by.values()

    def decide(self) -> None:
        standing = {seat: self.scores[seat] for seat in self.people.staying()}
        if any(score >= self.options["limit"] for score in standing.values()):
            least = min(standing.values())
            self.winners = [seat for seat, score in standing.items() if score == least]

    def read_end(self, line: Mapping[str, Any]) -> None:
        need(by_seat(line["scores"]) == self.scores, f"the scores are {self.scores}")
        left, alone = self.people.staying(), self.left_alone()
        if self.winners is not None:
            need(line["winners"] == self.winners, f"the winners are {self.winners}")
        elif alone is not None:
            need(line["winners"] == alone, f"the winners are {alone}")
        else:
            deserted = not any(self.people.by[seat] == "person" for seat in left)
            need(
                deserted and "left" in self.people.by.values(),
                "nobody is at the limit and nobody has left: the game goes on",
            )
        self.ended = True

    def left_alone(self) -> list[int] | None:
        """Who has nobody left to play against; None while the game can go on."""
        left = self.people.staying()
        return left if len(left) < 2 else None


def by_seat(numbers: Mapping[str, Any]) -> dict[int, Any]:
    need(all(type(seat) is str for seat in numbers), "a map is keyed by seat as text")
    return {int(seat): number for seat, number in numbers.items()}


@dataclass
class Due:
    """A line that has to come at a time: a time-out, or a look closed or skipped by time."""

    at: int
    seat: int
    do: str
    slot: str | None = None

    def is_met_by(self, line: Mapping[str, Any], now: int) -> bool:
        if now != self.at or line.get("seat") != self.seat:
            return False
        if self.do == "timeout":
            return line["kind"] == "timeout"
        return (
            line["kind"] == "act"
            and line["do"] == self.do
            and line.get("by_time") is True
            and line.get("slot") == self.slot
        )


class Round:
    """A round as it stands: cards, whose turn, what is open, and what is due."""

    def __init__(
        self,
        seats: list[int],
        dealer: int,
        deck: list[str],
        options: Mapping[str, Any],
        people: People,
        now: int,
    ) -> None:
        self.seats, self.options, self.people = seats, options, people
        order = clockwise(seats, dealer)
        n = len(seats)
        self.hands = {seat: [deck[k * n + i] for k in range(3)] for i, seat in enumerate(order)}
        self.pile, self.discards = deck[3 * n :], list[str]()
        self.rights = {(seat, slot) for seat in seats for slot in ("left", "right")}
        self.looks: dict[tuple[int, str], int] = {}
        self.closing: set[tuple[int, str]] = set()
        self.first_look_ends: int | None = now + FIRST_LOOK
        self.ready: set[int] = set()
        self.turn = order[0]
        self.before: tuple[int, bool] = (0, False)
        """When the turn before ended, and whether with a window."""
        self.completed: list[int] = []
        self.windows: dict[int, int] = {}
        self.caller: int | None = None
        self.called_at = 0
        self.final: list[int] | None = None
        self.over = False
        self.over_at = 0
        self.new_turn(order[0])

    def new_turn(self, seat: int) -> None:
        self.turn = seat
        self.started: int | None = None
        self.clock_from = 0
        self.pending = self.draws = 0
        self.held: tuple[str, str] | None = None
        self.turn_look: str | None = None
        """The slot for whose look the turn stays open."""
        self.choose_until: int | None = None
        """When a Queen's look that is not open yet is skipped."""

    # -------------------------------------------------- time

    def pass_time(self, now: int, line: Mapping[str, Any]) -> None:
        """What happens by itself up to now; what had to be written down by now must have been."""
        self.closing = {place for place in self.closing if self.first_look_ends is not None}
        if self.first_look_ends is not None and self.first_look_ends <= now:
            self.end_first_look(self.first_look_ends)
        self.start_turn(now)
        late = [due for due in self.due() if due.at < now]
        need(not late, f"something is missing before: {late}")
        if line["kind"] not in ("act", "timeout"):
            return
        at_once = [due for due in self.due() if due.at == now]
        by_time = [due for due in at_once if due.is_met_by(line, now)]
        need(not at_once or bool(by_time), f"something had to come first: {at_once}")

    def due(self) -> list[Due]:
        """All that has to be written down by itself, if nothing comes before it."""
        open_looks = [Due(ends, seat, "close", slot) for (seat, slot), ends in self.looks.items()]
        if self.first_look_ends is not None:
            return open_looks
        if self.choose_until is not None:
            return [*open_looks, Due(self.choose_until, self.turn, "skip")]
        runs_out = self.turn_runs_out()
        return open_looks + ([] if runs_out is None else [Due(runs_out, self.turn, "timeout")])

    def turn_runs_out(self) -> int | None:
        if self.started is None or self.turn_look is not None:
            return None
        by, since = self.people.by[self.turn], self.people.since.get(self.turn, 0)
        if by == "left":
            return max(self.clock_from, since, self.window_over())
        if self.options["draw_time"] is not None:
            return self.clock_from + self.options["draw_time"] * 1000
        if by == "nobody":
            return max(self.clock_from, max(self.started, since) + GRACE)
        return None

    def start_turn(self, now: int) -> None:
        """Begins the turn once the player may draw: from then on the draw's clock runs."""
        if self.first_look_ends is None and self.started is None and self.may_start() <= now:
            self.started = self.clock_from = self.may_start()

    def may_start(self) -> int:
        earliest = self.window_over()
        if self.people.by[self.turn] == "person":
            earliest = min(earliest, self.before[0] + WAIT)
        return max(earliest, self.people.since.get(self.turn, 0))

    def window_over(self) -> int:
        """When the window is over that the turn before left open, if it did."""
        ended, with_window = self.before
        if self.caller is not None:
            return max(ended, self.called_at)
        return ended + (WINDOW if with_window else 0)

    def end_first_look(self, now: int) -> None:
        self.first_look_ends = None
        self.closing = {place for place, ends in self.looks.items() if ends == now}
        self.looks.clear()
        self.rights.clear()
        self.before = (now, False)

    def presence_changed(self, now: int) -> None:
        if self.first_look_ends is not None:
            self.end_first_look_if_ready(now)
        self.start_turn(now)

    def end_first_look_if_ready(self, now: int) -> None:
        present = {seat for seat in self.seats if self.people.present(seat)}
        if present and present <= self.ready:
            self.end_first_look(now)

    # -------------------------------------------------- acts

    def act(self, now: int, line: Mapping[str, Any]) -> None:
        seat, do = line["seat"], line["do"]
        need(seat in self.seats, "an act of a seat that is not dealt in")
        done = getattr(self, f"do_{do}", None)
        need(done is not None, f"there is no act called {do!r}")
        by_time = line.get("by_time", False)
        need(by_time is False or do in ("close", "skip"), f"no {do} happens by time")
        need(by_time or self.people.present(seat), "an act of a seat where nobody is")
        done(now, seat, line)

    def do_look(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        place = (seat, line["slot"])
        need(place in self.rights, "a look without a right to it")
        self.rights.remove(place)
        self.looks[place] = now + LOOK
        if self.choose_until is not None and place == (self.turn, self.turn_look):
            self.choose_until = None

    def do_close(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        place = (seat, line["slot"])
        if place in self.closing and line.get("by_time"):
            self.closing.remove(place)
            return
        need(place in self.looks, "no such look is open")
        by_time = self.looks.pop(place) == now
        need(by_time == bool(line.get("by_time")), "a look is closed by time exactly 5 s after")
        if self.first_look_ends is None and place == (self.turn, self.turn_look):
            self.turn_look = None
            self.draw_done(now)

    def do_skip(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(seat == self.turn and self.choose_until is not None, "no look to be skipped")
        by_time = self.choose_until == now
        need(by_time == bool(line.get("by_time")), "a look is skipped by time exactly 10 s after")
        self.choose_until = self.turn_look = None
        self.draw_done(now)

    def do_ready(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.first_look_ends is not None, "ready, but the first look is over")
        need(seat not in self.ready, "ready twice")
        self.ready.add(seat)
        self.rights -= {(seat, slot) for slot in SLOTS}
        self.end_first_look_if_ready(now)

    def may_draw(self, seat: int) -> None:
        need(self.first_look_ends is None, "the first look is not over")
        need(seat == self.turn, f"it is seat {self.turn}'s turn")
        need(self.started is not None, f"the turn may not begin before {self.may_start()} ms")
        need(self.held is None, "a card is held already")
        need(self.turn_look is None, "a look holds the turn up")

    def count_draw(self, seat: int) -> None:
        if self.draws:
            need(self.pending > 0, "no draw is left")
            self.pending -= 1
        self.draws += 1
        need(self.draws <= 9, "more than 9 draws in a turn")
        self.windows.pop(seat, None)

    def top_of_pile(self) -> str:
        if not self.pile:
            self.pile, self.discards = self.discards, []
        return self.pile.pop(0)

    def do_draw(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        self.may_draw(seat)
        self.count_draw(seat)
        self.held = (self.top_of_pile(), "pile")

    def do_take(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.options["take_discard"], "taking from the discard pile is off")
        self.may_draw(seat)
        need(bool(self.discards), "nothing to take")
        self.count_draw(seat)
        self.held = (self.discards.pop(), "discards")

    def card_held(self, seat: int, of: str = "") -> str:
        need(seat == self.turn, f"it is seat {self.turn}'s turn")
        need(self.held is not None, "no card is held")
        card, origin = self.held
        if of:
            need(origin == "pile", "a card from the discard pile is swapped in, nothing else")
            need(card[0] in of, f"that cannot be done with {card}")
        return card

    def do_swap(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        card = self.card_held(seat)
        from_pile = self.held is not None and self.held[1] == "pile"
        need(not (from_pile and card[0] in "JQK"), f"{card} was drawn: it enters no hand")
        place = SLOTS.index(line["slot"])
        self.discards.append(self.hands[seat][place])
        self.moved(seat, line["slot"], card)
        self.draw_done(now)

    def moved(self, seat: int, slot: str, card: str) -> None:
        """A card comes into a slot: rights and looks at the one before it are gone."""
        self.hands[seat][SLOTS.index(slot)] = card
        self.rights.discard((seat, slot))
        self.looks.pop((seat, slot), None)

    def do_discard(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        self.discards.append(self.card_held(seat, "A23456789TJQ"))
        self.draw_done(now)

    def do_jack(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        self.discards.append(self.card_held(seat, "J"))
        self.held = None
        self.looks[seat, "middle"] = now + LOOK
        self.turn_look = "middle"

    def do_queen(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        self.discards.append(self.card_held(seat, "Q"))
        self.held = None
        other, mine, theirs = line["target"], line["slot"], line["target_slot"]
        need(other in self.seats and other != seat, "a Queen is for another player's card")
        given = self.hands[seat][SLOTS.index(mine)]
        self.moved(seat, mine, self.hands[other][SLOTS.index(theirs)])
        self.moved(other, theirs, given)
        self.rights |= {(s, t) for s, t in ((seat, mine), (other, theirs)) if t != "middle"}
        if mine == "middle":
            self.draw_done(now)
        else:
            self.turn_look, self.choose_until = mine, now + LOOK_CHOICE

    def do_king(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        self.discards.append(self.card_held(seat, "K"))
        self.pending += 2
        self.draw_done(now)

    def do_crisp(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.caller is None, "crisp was called already in this round")
        need(seat in self.windows, "no crisp window is open for this seat")
        late = now - self.windows[seat]
        need(late < 0, f"called {late} ms after the window closed")
        self.caller, self.called_at = seat, now
        self.windows.clear()
        own_end = len(self.completed) - self.completed[::-1].index(seat)
        since = set(self.completed[own_end:])
        others = [s for s in clockwise(self.seats, seat) if s != seat]
        self.final = [s for s in others if s not in since]
        self.go_round(now)

    # -------------------------------------------------- ends

    def draw_done(self, now: int) -> None:
        self.held = None
        self.clock_from = now
        if not self.pending:
            self.end_turn(now, with_window=True)

    def end_turn(self, now: int, *, with_window: bool) -> None:
        seat = self.turn
        self.completed.append(seat)
        self.before = (now, with_window)
        self.windows.pop(seat, None)
        if self.final is not None:
            self.final.remove(seat)
            self.go_round(now)
            if self.final:
                self.new_turn(self.final[0])
            return
        if with_window:
            self.windows[seat] = now + WINDOW
        self.new_turn(clockwise(self.seats, seat)[0])

    def go_round(self, now: int) -> None:
        """After a call, or a final turn: the round is over when no final turn is left."""
        if not self.final:
            self.over, self.over_at = True, now

    def timeout(self, now: int, seat: int) -> None:
        met = [due for due in self.due() if due.do == "timeout" and due.at == now]
        need(bool(met) and met[0].seat == seat, "no clock of this seat runs out now")
        if self.held is not None:
            self.discards.append(self.held[0])
        elif not self.draws:
            card = self.top_of_pile()
            self.discards.append(card)
        self.end_turn(now, with_window=False)
