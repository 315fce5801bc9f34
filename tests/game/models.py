"""Crisp told a second time, without a look at how the game does it.

`scored` adds up hands. `Shadow` follows a round like somebody beside the table with a deck of his
own, who hears what is played: where each card lies, and who has a look open at which.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from crisp_lan.game.rules import Act, Card, Line, Millis, Seat

POINTS = {"A": 1, "T": 10, "J": 10, "Q": 10, "K": 10}
PLACES = ["left", "middle", "right"]


def scored(hands: Mapping[int, Sequence[Card]], caller: int) -> dict[int, int]:
    """What each seat's score changes by."""
    sums = {}
    for seat, (left, middle, right) in hands.items():
        sums[seat] = sum(POINTS.get(c[0]) or int(c[0]) for c in (left, middle, right))
    better = [seat for seat in sums if seat != caller and sums[seat] <= sums[caller]]
    return sums | {caller: sums[caller] + (5 if better else -5)}


class Shadow:
    """Hands, piles and looks of a round, moved by what is played and by the lines it leads to."""

    def __init__(self, deck: Sequence[Card], seats: Collection[Seat], dealer: Seat) -> None:
        self.pile = list(deck)
        self.discards: list[Card] = []
        self.hands: dict[Seat, list[Card]] = {seat: [] for seat in seats}
        order = [s for s in seats if s > dealer] + [s for s in seats if s <= dealer]
        for _ in range(3):
            for seat in order:
                self.hands[seat].append(self.pile.pop(0))
        self.held: Card | None = None
        self.holder: Seat | None = None
        self.public = False
        self.extra = 0
        self.rights = {(seat, place) for seat in seats for place in ("left", "right")}
        self.looks: dict[tuple[Seat, str], Millis] = {}
        self.caller: Seat | None = None

    def first_look_is_over(self) -> None:
        self.rights.clear()
        self.looks.clear()

    def hear(self, now: Millis, line: Line) -> None:
        """Follows a line that came from the rules or the clock."""
        if line["kind"] == "timeout":
            self.times_out(line["seat"])
        elif line["do"] == "close":
            assert self.looks.pop((line["seat"], line["slot"])) == now

    def times_out(self, seat: Seat) -> None:
        if self.held is None and not self.extra:
            self.pick_up(seat)
        if self.held is not None:
            self.put_down()
        self.extra = 0

    def see(self, now: Millis, seat: Seat, act: Act) -> None:
        """Follows what a seat does."""
        picks = [str(pick) for pick in act.picks]
        match act.name:
            case "draw":
                self.extra = max(0, self.extra - 1)
                self.pick_up(seat)
            case "take":
                self.extra = max(0, self.extra - 1)
                self.held, self.holder, self.public = self.discards.pop(), seat, True
            case "discard":
                self.put_down()
            case "king":
                self.extra += 2
                self.put_down()
            case "jack":
                self.put_down()
                self.looks[seat, "middle"] = now + 5000
            case "swap":
                self.swap(seat, picks[0])
            case "queen":
                self.queen((seat, picks[0]), (int(picks[1]), picks[2]))
            case "look":
                self.rights.remove((seat, picks[0]))
                self.looks[seat, picks[0]] = now + 5000
            case "close":
                del self.looks[seat, picks[0]]
            case "ready":
                self.rights -= {(seat, "left"), (seat, "right")}
            case "crisp":
                self.caller = seat

    def pick_up(self, seat: Seat) -> None:
        if not self.pile:
            self.pile, self.discards = self.discards, []
        self.held, self.holder, self.public = self.pile.pop(0), seat, False

    def put_down(self) -> None:
        assert self.held is not None
        self.discards.append(self.held)
        self.held = self.holder = None

    def swap(self, seat: Seat, place: str) -> None:
        assert self.held is not None
        hand, index = self.hands[seat], PLACES.index(place)
        hand[index], self.held = self.held, hand[index]
        self.put_down()
        self.moved(seat, place)

    def queen(self, mine: tuple[Seat, str], theirs: tuple[Seat, str]) -> None:
        (seat, place), (other, other_place) = mine, theirs
        i, j = PLACES.index(place), PLACES.index(other_place)
        one, another = self.hands[seat], self.hands[other]
        one[i], another[j] = another[j], one[i]
        self.put_down()
        for owner, where in (mine, theirs):
            self.moved(owner, where)
            if where != "middle":
                self.rights.add((owner, where))

    def moved(self, seat: Seat, place: str) -> None:
        self.rights.discard((seat, place))
        self.looks.pop((seat, place), None)

    def faces(self, seat: Seat | None) -> list[tuple[Card | None, ...]]:
        """What a seat sees, row by row: hands, both piles, and the card held."""
        rows: list[tuple[Card | None, ...]] = [
            tuple(
                card if owner == seat and (owner, place) in self.looks else None
                for place, card in zip(PLACES, hand)
            )
            for owner, hand in self.hands.items()
        ]
        rows += [(), tuple(self.discards[-1:])]
        if self.held is not None:
            rows.append((self.held if self.public or self.holder == seat else None,))
        return rows
