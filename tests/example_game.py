"""A tiny game of the tests: one card each, keep it or change it once; the highest takes a point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from crisp_lan.game.cards import RANKS, french
from crisp_lan.game.rules import (
    Act,
    By,
    Card,
    Choice,
    Clock,
    Millis,
    Note,
    Option,
    Outcome,
    Refused,
    Seat,
    Setting,
    Step,
    Text,
    View,
    Zone,
)

TURN: Millis = 10_000


@dataclass(frozen=True, slots=True)
class Position:
    seats: tuple[Seat, ...]
    hands: tuple[Card, ...]
    stock: tuple[Card, ...]
    turn: int
    since: Millis
    changed: bool = False


class Highest:
    key = "highest"
    title = "Highest"
    goal = "Have the highest card."
    seats: tuple[int, ...] = (2, 3, 4)
    options = (Option("points", "Points to win", "--points", (1, 3), 1, least=1),)
    lowest_wins = False
    seats_stay = False
    dealer_field = "dealer"
    fields: Mapping[str, tuple[str, ...]] = {}

    def cards(self, seats: int) -> tuple[Card, ...]:
        return french()

    def deal(
        self,
        seats: Sequence[Seat],
        dealer: Seat,
        scores: Mapping[Seat, int],
        options: Mapping[str, Setting],
        deck: Sequence[Card],
        now: Millis,
        by: Mapping[Seat, By],
    ) -> Step[Position]:
        n = len(seats)
        return Step(Position(tuple(seats), tuple(deck[:n]), tuple(deck[n:]), 0, now))

    def apply(self, state: Position, now: Millis, seat: Seat, act: Act) -> Step[Position]:
        if self.outcome(state) or state.seats[state.turn] != seat or act.picks:
            raise Refused("It is not your turn.")
        note = Note("{seat} is done.", {"seat": seat})
        if act.name == "keep":
            return Step(replace(state, turn=state.turn + 1, since=now), (note,))
        if act.name == "change":
            hands = list(state.hands)
            hands[state.turn] = state.stock[0]
            return Step(
                replace(
                    state,
                    hands=tuple(hands),
                    stock=state.stock[1:],
                    turn=state.turn + 1,
                    since=now,
                ),
                (note,),
            )
        raise Refused("It is not your turn.")

    def presence(self, state: Position, now: Millis, seat: Seat, by: By) -> Step[Position]:
        return Step(state)

    def wake_at(self, state: Position) -> Millis | None:
        return None if self.outcome(state) else state.since + TURN

    def wake(self, state: Position) -> Step[Position]:
        seat = state.seats[state.turn]
        late = replace(state, turn=state.turn + 1, since=state.since + TURN)
        return Step(late, (), ({"kind": "timeout", "seat": seat},))

    def view(self, state: Position, seat: Seat | None) -> View:
        over = self.outcome(state) is not None
        turn = None if over else state.seats[state.turn]
        zones = [
            Zone("hand", s, (card if over or s == seat else None,), 1)
            for s, card in zip(state.seats, state.hands, strict=True)
        ]
        zones.append(Zone("draw pile", None, (), len(state.stock)))
        mine = seat is not None and seat == turn
        return View(
            seat,
            "Reveal" if over else "Play",
            turn,
            tuple(zones),
            (Choice("keep", "Keep it", key="k"), Choice("change", "Change it", key="c"))
            if mine
            else (),
            () if over else (Clock("draw", turn, state.since + TURN, TURN),),
        )

    def laid_open(self, state: Position) -> View:
        hands = [Zone("hand", s, (c,), 1) for s, c in zip(state.seats, state.hands, strict=True)]
        pile = Zone("draw pile", None, state.stock[:1], len(state.stock))
        return replace(self.view(state, None), zones=(*hands, pile))

    def outcome(self, state: Position) -> Outcome | None:
        if state.turn < len(state.seats):
            return None
        ranks = [RANKS.index(card[0]) for card in state.hands]
        best = max(ranks)
        delta = {s: int(rank == best) for s, rank in zip(state.seats, ranks, strict=True)}
        return Outcome(Text("All cards are open."), delta, {"hands": list(state.hands)})

    def verdict(
        self, scores: Mapping[Seat, int], options: Mapping[str, Setting]
    ) -> tuple[Seat, ...] | None:
        best = max(scores.values())
        if best < int(options["points"] or 0):
            return None
        return tuple(seat for seat, score in scores.items() if score == best)

    def last_standing(
        self, there: Sequence[Seat], seats: Sequence[Seat]
    ) -> tuple[Seat, ...] | None:
        return tuple(there) if len(there) < 2 else None

    def target(self, options: Mapping[str, Setting], seats: int) -> int | None:
        return int(options["points"] or 0)

    def next_dealer(self, seats: Sequence[Seat], last: Seat, scores: Mapping[Seat, int]) -> Seat:
        return next((seat for seat in seats if seat > last), seats[0])


HIGHEST = Highest()
