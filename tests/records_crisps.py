"""A second opinion on Crisps!: whether a game's record obeys RULES.md §3 and RECORD.md.

Written from those two pages alone, like `records.py`, whose reading of matches it shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from tests import records
from tests.records import People, by_seat, need
from tests.records_turns import Turns

WORTH = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "C": 10}
WHOLE = sorted(4 * list(WORTH))


class Record(records.Record):
    """A record of Crisps! read so far."""

    seats = range(2, 3)
    dealer_field = "starter"

    def check_options(self) -> None:
        need(self.options["turn_time"] in (30, 45, 60, None), "no such turn time")
        for name in ("face_up_draw", "runs_with_crisps", "auto_skip"):
            need(type(self.options[name]) is bool, f"{name} is not true or false")

    def dealt_in(self) -> list[int]:
        """Seats stay for the match."""
        return [0, 1]

    def turn_to_deal(self, seats: list[int]) -> list[int]:
        """Who may start: the lower score, at equal scores not who started last."""
        if self.scores[0] != self.scores[1]:
            return [min(self.scores, key=self.scores.__getitem__)]
        return [0, 1] if self.dealer is None else [1 - self.dealer]

    def dealt(self, seats: list[int], dealer: int, deck: list[str]) -> Any:
        need(sorted(deck) == WHOLE, "not four of each rank")
        return Deal(dealer, deck, self.options, self.people, self.now)

    def read_score(self, line: Mapping[str, Any]) -> None:
        deal = self.round
        need(deal is not None and deal.over, "a score, but the deal is not over")
        need(self.now == deal.over_at, "the score is not written when the deal ends")
        need(line["round"] == self.rounds, "the score of another round")
        need(line["winner"] == deal.winner, f"the winner was {deal.winner}")
        delta = {seat: 1 if seat == deal.winner else 0 for seat in (0, 1)}
        need(by_seat(line["delta"]) == delta, f"the scores change by {delta}")
        self.scored(line, delta)

    def decide(self) -> None:
        if 3 in self.scores.values():
            self.winners = [seat for seat, score in self.scores.items() if score == 3]


def what(cards: list[str], crisps_run: bool) -> tuple[str, int]:
    """The kind of an Ordinary, its length in it, or `special`; and the rank that counts."""
    values = sorted(WORTH[card] for card in cards)
    n, top = len(values), values[-1]
    if values[0] == top:
        need(n <= 4, "more than four equal cards")
        return ("single", "pair", "special", "special")[n - 1], top
    need(crisps_run or top < 10, "a Crisp in a run")
    if all(b == a + 1 for a, b in pairwise(values)):
        need(n >= 3, "a run of two")
        return f"run of {n}", top
    ones, twos = values[::2], values[1::2]
    need(ones == twos and all(b == a + 1 for a, b in pairwise(ones)), f"{cards} is no play")
    return f"run of {n // 2} pairs", top


def beats(new: list[str], old: list[str], crisps_run: bool) -> bool:
    (kind, top), (old_kind, old_top) = what(new, crisps_run), what(old, crisps_run)
    if kind != "special":
        return kind == old_kind and top >= old_top
    if old_kind != "special":
        return "C" in old
    return len(new) > len(old) or (len(new) == len(old) and top > old_top)


def is_beatable(old: list[str], pool: list[str], crisps_run: bool) -> bool:
    """Whether a play that beats it can be made of the pool."""
    counts = {rank: pool.count(rank) for rank in WORTH}
    kind, old_top = what(old, crisps_run)
    equal = [[rank] * n for rank in WORTH for n in range(1, counts[rank] + 1)]
    if any(beats(cards, old, crisps_run) for cards in equal):
        return True
    if not kind.startswith("run"):
        return False
    each = 2 if kind.endswith("pairs") else 1
    long = len(old) // each
    highest = 10 if crisps_run else 9
    return any(
        all(counts[rank] >= each for rank, worth in WORTH.items() if top - long < worth <= top)
        for top in range(old_top, highest + 1)
    )


class Deal(Turns):
    """A deal as it stands: hands, what lies there, the draws, and whose turn it is."""

    def __init__(
        self,
        starter: int,
        deck: list[str],
        options: Mapping[str, Any],
        people: People,
        now: int,
    ) -> None:
        self.options, self.people = options, people
        self.hands = {starter: deck[:24:2], 1 - starter: deck[1:24:2]}
        self.draws = deck[28:]
        """The first lies open, where one does."""
        self.turn, self.since = starter, now
        self.there: list[str] = []
        self.gone: list[str] = []
        """All that has been played."""
        self.picking = self.skip = self.over = False
        self.over_at, self.winner = 0, starter

    # -------------------------------------------------- time

    def pass_time(self, now: int, line: Mapping[str, Any]) -> None:
        if self.skip:
            told = line["kind"] == "act" and line["do"] == "pass" and line.get("auto") is True
            need(told and now == self.since, "the follower had to pass by itself")
            return
        super().pass_time(now, line)

    def timeout(self, now: int, seat: int) -> None:
        need(seat == self.turn and self.runs_out() == now, "no clock of this seat runs out now")
        if self.picking:
            self.make_pick(now, "up")
        elif self.there:
            self.make_pass(now)
        else:
            self.make_play(now, [min(self.hands[seat], key=WORTH.__getitem__)])

    # -------------------------------------------------- acts

    def act(self, now: int, line: Mapping[str, Any]) -> None:
        seat, do = line["seat"], line["do"]
        need(seat in (0, 1), "an act of a seat that is not dealt in")
        need(seat == self.turn, f"it is seat {self.turn}'s turn")
        need(bool(line.get("auto")) == self.skip, "passed by itself, or not, against the rules")
        need(self.skip or self.people.present(seat), "an act of a seat where nobody is")
        need(do in ("play", "pass", "pick"), f"there is no act called {do!r}")
        need(self.picking == (do == "pick"), "a card had to be picked, or had not")
        if do == "play":
            self.check_play(seat, line["cards"])
            self.make_play(now, line["cards"])
        elif do == "pass":
            need(bool(self.there), "who leads may not pass")
            self.make_pass(now)
        else:
            need(line["from"] in ("up", "deck"), "a card is picked from nowhere known")
            self.make_pick(now, line["from"])

    def check_play(self, seat: int, cards: list[str]) -> None:
        held = self.hands[seat]
        need(len(cards) > 0, "nothing is played")
        need(all(cards.count(c) <= held.count(c) for c in cards), "cards that are not held")
        runs = self.options["runs_with_crisps"]
        what(cards, runs)
        need(not self.there or beats(cards, self.there, runs), f"{cards} after {self.there}")

    def make_play(self, now: int, cards: list[str]) -> None:
        for card in cards:
            self.hands[self.turn].remove(card)
        self.gone += cards
        self.there = cards
        if not self.hands[self.turn]:
            self.over, self.over_at, self.winner = True, now, self.turn
            return
        self.turn, self.since = 1 - self.turn, now
        if self.options["auto_skip"]:
            pool = list(WHOLE)
            for card in self.gone:
                pool.remove(card)
            self.skip = not is_beatable(cards, pool, self.options["runs_with_crisps"])

    def make_pass(self, now: int) -> None:
        self.turn, self.since, self.skip = 1 - self.turn, now, False
        if self.draws and self.options["face_up_draw"]:
            self.picking = True
            return
        self.there = []
        for seat in (self.turn, 1 - self.turn):
            self.hands[seat] += self.draws[:1]
            del self.draws[:1]

    def make_pick(self, now: int, source: str) -> None:
        up, top = self.draws[:2]
        del self.draws[:2]
        mine, theirs = (up, top) if source == "up" else (top, up)
        self.hands[self.turn].append(mine)
        self.hands[1 - self.turn].append(theirs)
        self.there, self.picking, self.since = [], False, now
