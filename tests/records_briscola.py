"""A second opinion on Briscola: whether a game's record obeys RULES.md §2 and RECORD.md.

Written from those two pages alone, like `records.py`, whose reading of matches it shares.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests import records
from tests.records import People, by_seat, need
from tests.records_turns import Turns

RANKS = ["2", "4", "5", "6", "7", "J", "Q", "K", "3", "A"]
"""From the lowest to the highest."""
WORTH = dict(zip("AKQJ3", (11, 4, 3, 2, 10)))
SUITS = ["C", "D", "H", "S"]


def worth(cards: list[str]) -> int:
    return sum(WORTH.get(rank, 0) for rank, _ in cards)


class Record(records.Record):
    """A record of Briscola read so far."""

    seats = range(2, 7)

    def check_options(self) -> None:
        told = self.options
        need(set(told) >= {"first_to", "turn_time", "partners_see_hands", "trump_swap"}, "options")
        need(told["first_to"] in (1, 3, 5), "no such number of deals")
        need(told["turn_time"] in (30, 45, 60, None), "no such turn time")
        need(type(told["partners_see_hands"]) is bool, "partners_see_hands is not true or false")
        need(type(told["trump_swap"]) is bool, "trump_swap is not true or false")

    def dealt_in(self) -> list[int]:
        """Seats stay for the match."""
        return sorted(self.people.by)

    def turn_to_deal(self, seats: list[int]) -> list[int]:
        return seats if self.dealer is None else [(self.dealer - 1) % len(seats)]

    def dealt(self, seats: list[int], dealer: int, deck: list[str]) -> Any:
        gone = {3: {"2C"}, 6: {"2C", "2D", "2H", "2S"}}.get(len(seats), set())
        whole = {rank + suit for rank in RANKS for suit in SUITS} - gone
        need(len(deck) == len(whole) and set(deck) == whole, "not the deck for so many players")
        return Deal(seats, dealer, deck, self.options, self.people, self.now)

    def read_act(self, line: Mapping[str, Any]) -> None:
        super().read_act(line)
        self.forget_if_void()

    def read_timeout(self, line: Mapping[str, Any]) -> None:
        super().read_timeout(line)
        self.forget_if_void()

    def forget_if_void(self) -> None:
        """A void deal has no score line."""
        if self.round.over and self.round.trump is None:
            self.round_is_done()

    def read_score(self, line: Mapping[str, Any]) -> None:
        deal = self.round
        need(deal is not None and deal.over, "a score, but the deal is not over")
        need(self.now == deal.over_at, "the score is not written when the deal ends")
        need(line["round"] == self.rounds, "the score of another round")
        result = deal.five_handed() if len(deal.seats) == 5 else deal.plain()
        for name, value in result.items():
            told = by_seat(line[name]) if name in ("points", "delta") else line[name]
            need(told == value, f"{name} had to be {value}")
        self.scored(line, result["delta"])

    def decide(self) -> None:
        goal = 11 if len(self.scores) == 5 else self.options["first_to"]
        top = max(self.scores.values())
        if top >= goal:
            self.winners = [seat for seat, score in self.scores.items() if score == top]

    def left_alone(self) -> list[int] | None:
        there = self.people.staying()
        if len(self.scores) in (4, 6):
            parities = {seat % 2 for seat in there}
            if len(parities) == 2:
                return None
            return [seat for seat in self.dealt_in() if seat % 2 in parities]
        return there if len(there) < 2 else None


class Deal(Turns):
    """A deal as it stands: hands, the trick, what everybody won, and whose turn it is."""

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
        self.first = self.right_of(dealer)
        self.hands: dict[int, list[str]] = {seat: [] for seat in seats}
        self.won: dict[int, list[str]] = {seat: [] for seat in seats}
        cards = iter(deck)
        for _ in range(8 if len(seats) == 5 else 3):
            for seat in self.order(self.first):
                self.hands[seat].append(next(cards))
        rest = list(cards)
        self.trump: str | None = rest[0][1] if rest else None
        self.stock = rest[1:] + rest[:1]
        self.turn, self.since = self.first, now
        self.trick: list[tuple[int, str]] = []
        self.passed: set[int] = set()
        self.bid: tuple[str, int] | None = None
        self.bidder: int | None = None
        self.called: str | None = None
        self.partner: int | None = None
        self.over, self.over_at = False, 0

    def right_of(self, seat: int) -> int:
        return (seat - 1) % len(self.seats)

    def order(self, first: int) -> list[int]:
        """All seats in playing order from the first."""
        return [(first - k) % len(self.seats) for k in range(len(self.seats))]

    @property
    def auction(self) -> bool:
        all_but_one = self.bid is not None and len(self.passed) == len(self.seats) - 1
        return len(self.seats) == 5 and not all_but_one

    # -------------------------------------------------- time

    def timeout(self, now: int, seat: int) -> None:
        need(seat == self.turn and self.runs_out() == now, "no clock of this seat runs out now")
        if self.auction:
            self.make_pass(now)
        elif self.trump is None:
            held = {s: sum(card[1] == s for card in self.hands[seat]) for s in SUITS}
            most = [s for s in SUITS if held[s] == max(held.values())]
            self.make_call(now, most[0])
        else:
            self.make_play(now, self.lowest(seat))

    def lowest(self, seat: int) -> str:
        """Fewest points, then lowest rank, no trump before a trump, then by suit."""
        left = list(self.hands[seat])
        for order in (
            lambda card: WORTH.get(card[0], 0),
            lambda card: RANKS.index(card[0]),
            lambda card: int(card[1] == self.trump),
            lambda card: SUITS.index(card[1]),
        ):
            least = min(map(order, left))
            left = [card for card in left if order(card) == least]
        return left[0]

    # -------------------------------------------------- acts

    def act(self, now: int, line: Mapping[str, Any]) -> None:
        seat, do = line["seat"], line["do"]
        need(seat in self.seats, "an act of a seat that is not dealt in")
        need(self.people.present(seat), "an act of a seat where nobody is")
        need(seat == self.turn, f"it is seat {self.turn}'s turn")
        done = getattr(self, f"do_{do}", None)
        need(done is not None, f"there is no act called {do!r}")
        done(now, seat, line)

    def do_bid(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.auction, "a bid, but there is no auction")
        rank, target = line["rank"], line["target"]
        need(rank in RANKS and type(target) is int, "that is no bid")
        if self.bid is not None and self.bid[0] == "2":
            need(rank == "2" and self.bid[1] < target <= 120, "a target does not rise")
        else:
            need(target == 61, "the target is 61")
            lower = self.bid is None or RANKS.index(rank) < RANKS.index(self.bid[0])
            need(lower, "the rank is not lower")
        self.bid, self.bidder = (rank, target), seat
        self.go_on_bidding(now)

    def do_pass(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.auction, "a pass, but there is no auction")
        self.make_pass(now)

    def make_pass(self, now: int) -> None:
        self.passed.add(self.turn)
        self.go_on_bidding(now)

    def go_on_bidding(self, now: int) -> None:
        self.since = now
        if len(self.passed) == len(self.seats):
            self.over, self.over_at = True, now
        elif not self.auction:
            assert self.bidder is not None
            self.turn = self.bidder
        else:
            self.turn = next(
                s for s in [*self.order(self.turn)[1:], self.turn] if s not in self.passed
            )

    def do_call(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(not self.auction and self.trump is None, "no suit is to be named")
        need(line["suit"] in SUITS, "no such suit")
        self.make_call(now, line["suit"])

    def make_call(self, now: int, suit: str) -> None:
        assert self.bid is not None
        self.trump, self.called = suit, self.bid[0] + suit
        self.partner = next(s for s in self.seats if self.called in self.hands[s])
        self.turn, self.since = self.first, now

    def do_swap_trump(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.options["trump_swap"], "swapping the trump is off")
        need(bool(self.stock), "no turned card lies there")
        card, turned, hand = line["card"], self.stock[-1], self.hands[seat]
        good = {"7": "A3KQJ", "2": "7654"}.get(card[0], "")
        need(card in hand and card[1] == self.trump, "no trump of the hand")
        need(turned[0] in good, f"{card} is not good for {turned}")
        hand[hand.index(card)], self.stock[-1] = turned, card

    def do_play(self, now: int, seat: int, line: Mapping[str, Any]) -> None:
        need(self.trump is not None, "a card, but there is no trump yet")
        need(line["card"] in self.hands[seat], "a card that the seat does not hold")
        self.make_play(now, line["card"])

    def make_play(self, now: int, card: str) -> None:
        self.hands[self.turn].remove(card)
        self.trick.append((self.turn, card))
        self.turn, self.since = self.right_of(self.turn), now
        if len(self.trick) == len(self.seats):
            self.end_trick(now)

    def end_trick(self, now: int) -> None:
        led = self.trick[0][1][1]
        of_trump = [played for played in self.trick if played[1][1] == self.trump]
        able = of_trump or [played for played in self.trick if played[1][1] == led]
        winner, _ = max(able, key=lambda played: RANKS.index(played[1][0]))
        self.won[winner] += [card for _, card in self.trick]
        self.trick, self.turn = [], winner
        if self.stock:
            for seat in self.order(winner):
                self.hands[seat].append(self.stock.pop(0))
        if not any(self.hands.values()):
            self.over, self.over_at = True, now

    # -------------------------------------------------- the end

    def plain(self) -> dict[str, Any]:
        """What the score line says with two, three, four or six."""
        points = {seat: worth(self.won[seat]) for seat in self.seats}
        if len(self.seats) in (4, 6):
            side = [sum(points[s] for s in self.seats if s % 2 == odd) for odd in (0, 1)]
            points = {seat: side[seat % 2] for seat in self.seats}
            winners = [seat for seat in self.seats if points[seat] >= 61]
        elif len(self.seats) == 2:
            winners = [seat for seat in self.seats if points[seat] >= 61]
        else:
            top = [seat for seat in self.seats if points[seat] == max(points.values())]
            winners = top if len(top) == 1 else []
        delta = {seat: 1 if seat in winners else 0 for seat in self.seats}
        return {"points": points, "winners": winners, "delta": delta}

    def five_handed(self) -> dict[str, Any]:
        assert self.bid is not None
        points = {seat: worth(self.won[seat]) for seat in self.seats}
        declarer, target = self.bidder, self.bid[1]
        partner = None if self.partner == declarer else self.partner
        taken = sum(points[seat] for seat in {declarer, self.partner} if seat is not None)
        stakes = dict.fromkeys(self.seats, -1)
        if partner is None:
            stakes[declarer or 0] = 4
        else:
            stakes[declarer or 0], stakes[partner] = 2, 1
        sign = (1 if taken >= target else -1) * (2 if taken in (0, 120) else 1)
        ahead = [seat for seat in self.seats if stakes[seat] * sign > 0]
        return {
            "points": points,
            "winners": ahead,
            "delta": {seat: stake * sign for seat, stake in stakes.items()},
            "declarer": declarer,
            "partner": partner,
            "target": target,
        }
