"""What a Crisp bot remembers: cards it was shown, followed by what was said aloud.

A card that its seat saw once, in a look, drawn, or taken from the discard pile by anybody, is
known. From there it is followed by the notes alone: a card swapped in replaces the one before, and
a Queen's two cards change places, known or not. What was never seen is a guess: a card kept from
the draw pile is probably low, one given away with a Queen probably high.

**Forgetting.** How long a known card stays known is counted in laps, by the level's two numbers:
one for the bot's own cards, one for other hands. After as many laps without seeing it again, the
bot still remembers whether the card was low (up to 3), middling (up to 7) or high; after as many
again, nothing. A level that counts keeps the whole discard pile in mind too, which tells it what
is still out, and the order of the draw pile once the discards were turned over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from crisp_lan.game.rules import Card, Note, Seat, View

Weights = tuple[float, ...]
"""How likely each value from 1 to 10 is: ten numbers that sum to 1."""
Place = tuple[Seat, str]

DRAWS = "{seat} draws."
TAKES = "{seat} takes the discard."
DISCARDS = "{seat} discards the drawn card."
LOOKS = "{seat} looks at the {slot} card."
CALLS = "{seat} calls crisp {millis} s after the end of the turn."
SWAPS = "{seat} swaps the {slot} card."
QUEENS = "{seat} swaps blind: the {slot} card with the {other_slot} card of {other}."

_RANKS = "A23456789TJQK"
_DECK = (4,) * 9 + (16,)
_KEPT = (10, 10, 9.5, 8.5, 7, 5, 3, 1.5, 0.7, 0.3)
_GIVEN = (0.3, 0.5, 0.7, 1, 1.5, 2.5, 4, 6, 8, 40)
_THIRDS = ((1, 3), (4, 7), (8, 10))


def value(card: Card) -> int:
    """What a card counts in a hand."""
    return {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def normal(weights: Iterable[float]) -> Weights:
    """The weights scaled so that they sum to 1."""
    given = tuple(weights)
    whole = sum(given)
    return tuple(weight / whole for weight in given)


def certain(points: int) -> Weights:
    """A card of which the value is known."""
    return tuple(1.0 if points == known else 0.0 for known in range(1, 11))


def is_certain(weights: Weights) -> bool:
    """Whether the value is known."""
    return max(weights) == 1.0


def mean(weights: Weights) -> float:
    """The value to be expected."""
    return sum(points * weight for points, weight in enumerate(weights, 1))


UNSEEN = normal(_DECK)
KEPT = normal(_KEPT)
GIVEN = normal(_GIVEN)


def _vague(weights: Weights) -> Weights:
    """What is left of a known value when it starts to fade: low, middling or high."""
    points = weights.index(1.0) + 1
    least, most = next(third for third in _THIRDS if third[0] <= points <= third[1])
    return normal(float(least <= other <= most) for other in range(1, 11))


@dataclass(slots=True)
class _Guess:
    """What is thought of one card in a hand; None: nothing at all. `lap`: when it was seen."""

    weights: Weights | None
    lap: int


@dataclass(slots=True)
class Piles:
    """The discards from the oldest on, and the draws that follow from them; "" is not known."""

    discards: list[Card] = field(default_factory=list)
    coming: list[Card] = field(default_factory=list)
    left: int = 0

    def see(self, left: int, discarded: int, top: Card) -> Card:
        """Takes in both counts and the top discard; returns the card last drawn, if known."""
        drawn = ""
        if left > self.left:
            drawn = self.discards[0] if self.discards else ""
            self.coming, self.discards = self.discards[1:], []
            del self.coming[: max(len(self.coming) - left, 0)]
        elif left < self.left:
            gone = self.coming[: self.left - left]
            drawn = gone[-1] if gone else ""
            del self.coming[: self.left - left]
        self.left = left
        self._count(discarded, top)
        return drawn

    def _count(self, discarded: int, top: Card) -> None:
        del self.discards[discarded:]
        self.discards += [""] * (discarded - len(self.discards))
        if discarded:
            self.discards[-1] = top


class Memory:
    """What one seat remembers of the round that runs.

    `own` and `others` are the laps after which a known card starts to fade, None: never. `counts`:
    it keeps the discard pile in mind.
    """

    def __init__(self, own: int | None, others: int | None, counts: bool) -> None:
        self._lasts = {True: own, False: others}
        self._counts = counts
        self._phase = ""
        self._turn: Seat | None = None
        self._forget_round()

    def _forget_round(self) -> None:
        self.laps = 0
        self.seats: tuple[Seat, ...] = ()
        self.slots: tuple[str, ...] = ()
        self._guesses: dict[Place, _Guess] = {}
        self._held: dict[Seat, Card] = {}
        self._piles = Piles()

    def see(self, view: View, notes: Sequence[Note]) -> None:
        """Takes in what the seat is shown."""
        if view.phase == "First look" and self._phase != "First look":
            self._forget_round()
        self._phase = view.phase
        drawn = self._see_piles(view)
        for note in notes:
            self._hear(note, view.seat, drawn)
        self._see_faces(view)
        if view.turn == view.seat != self._turn:
            self.laps += 1
            self._fade(view.seat)
        self._turn = view.turn

    def guess(self, seat: Seat, slot: str) -> Weights:
        """What it thinks of one card on the table."""
        return self._thought(self._guesses.get((seat, slot)))

    def held(self, seat: Seat) -> Card:
        """The card that a seat has drawn or taken, "" where it was not shown."""
        return self._held.get(seat, "")

    def left(self) -> list[int]:
        """How many cards of each rank, from ace to king, it has not seen."""
        left = [4] * len(_RANKS)
        for card in (*self._piles.discards, *self._piles.coming, *self._held.values()):
            if card:
                left[_RANKS.index(card[0])] -= 1
        for guess in self._guesses.values():
            if guess.weights and is_certain(guess.weights):
                points = guess.weights.index(1.0) + 1
                tens = range(9, len(_RANKS))
                rank = points - 1 if points < 10 else max(tens, key=left.__getitem__)
                left[rank] -= 1
        return left

    def out(self) -> list[float]:
        """How many cards of each value it has not seen; never quite none, for it may be wrong."""
        left = self.left()
        return [max(n, 0.001) for n in (*left[:9], sum(left[9:]))]

    def unseen(self) -> Weights:
        """How likely each value is for a card of which nothing is known."""
        return normal(self.out()) if self._counts else UNSEEN

    def coming(self) -> list[int]:
        """The ranks (1 to 13) of the draws that follow, through the next flip; 0: not known."""
        piles = self._piles
        unknown = [""] * (piles.left - len(piles.coming))
        coming = (*piles.coming, *unknown, *piles.discards)
        return [_RANKS.index(card[0]) + 1 if card else 0 for card in coming]

    def suppose(self, seat: Seat | None, slot: str, weights: Weights) -> None:
        """Takes over what was inferred about a card that it has not seen."""
        if seat is not None and not is_certain(self.guess(seat, slot)):
            self._guesses[seat, slot] = _Guess(weights, self.laps)

    def top_discard(self) -> Card:
        """The card on top of the discard pile."""
        return self._piles.discards[-1]

    def next_draw(self) -> Weights:
        """What it expects on top of the draw pile."""
        piles = self._piles
        known = piles.coming[:1] or ([] if piles.left else piles.discards[:1])
        if self._counts and known and known[0]:
            return certain(value(known[0]))
        return self.unseen()

    def _thought(self, guess: _Guess | None) -> Weights:
        return (guess and guess.weights) or self.unseen()

    def _see_piles(self, view: View) -> Card:
        left = next((zone.count for zone in view.zones if zone.name == "draw pile"), 0)
        pile = next((zone for zone in view.zones if zone.name == "discard pile"), None)
        top = (pile.faces[-1] or "") if pile and pile.faces else ""
        if not self._piles.left and not self._piles.discards:
            self._piles.left = left
        return self._piles.see(left, pile.count if pile else 0, top)

    def _hear(self, note: Note, me: Seat | None, drawn: Card) -> None:
        seat = note.values.get("seat")
        if not isinstance(seat, int):
            return
        if note.key == DRAWS:
            self._held[seat] = drawn if self._counts else ""
        elif note.key == SWAPS:
            self._place(seat, str(note.values["slot"]))
        elif note.key == QUEENS:
            self._exchange(me, seat, note)

    def _place(self, seat: Seat, slot: str) -> None:
        card = self.held(seat)
        weights = certain(value(card)) if card else KEPT
        self._guesses[seat, slot] = _Guess(weights, self.laps)

    def _exchange(self, me: Seat | None, seat: Seat, note: Note) -> None:
        one = (seat, str(note.values["slot"]))
        other = (int(note.values["other"]), str(note.values["other_slot"]))
        mine, theirs = self._guesses.get(one), self._guesses.get(other)
        if seat != me and not (mine and mine.weights and is_certain(mine.weights)):
            mine = _Guess(GIVEN, self.laps)
        self._guesses[one] = theirs or _Guess(None, self.laps)
        self._guesses[other] = mine or _Guess(None, self.laps)

    def _see_faces(self, view: View) -> None:
        hands = {zone.owner: zone for zone in view.zones if zone.name == "hand"}
        drawn = {zone.owner: zone for zone in view.zones if zone.name == "drawn"}
        self.seats = tuple(seat for seat in hands if seat is not None)
        self.slots = next((zone.slots for zone in hands.values()), ())
        self._held = {
            seat: drawn[seat].faces[0] or self.held(seat) for seat in self.seats if seat in drawn
        }
        for seat in self.seats:
            for slot, face in zip(self.slots, hands[seat].faces):
                if face:
                    self._guesses[seat, slot] = _Guess(certain(value(face)), self.laps)

    def _fade(self, me: Seat | None) -> None:
        for (seat, _), guess in self._guesses.items():
            lasts = self._lasts[seat == me]
            if lasts is None or guess.weights is None:
                continue
            age = self.laps - guess.lap
            if age >= 2 * lasts:
                guess.weights = None
            elif age >= lasts and is_certain(guess.weights):
                guess.weights = _vague(guess.weights)
