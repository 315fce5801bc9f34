"""Who may see which card when: a second reading of RULES.md, from the lines of the journal alone.

Crisp is read here. For the other two games `tests/records_*.py` say where each card lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from crisp_lan.game.rules import Card, Line, Seat, View, Zone
from tests import records

RECORD = ("game", "deal", "act", "timeout", "seat", "pause", "resume", "score", "end")


class Rights:
    """What may be seen at the table after the lines that were read. `lain`: the cards
    that have lain open in the middle, in the deal before this one and in this."""

    def __init__(self) -> None:
        self.record: Any = None
        self.deal: Any = None
        self.looks = Looks()
        self.game = ""
        self.lain: list[set[Card]] = [set(), set()]

    def read(self, line: Line) -> None:
        kind = line["kind"]
        if kind == "game":
            self.record, self.game, self.deal = records.reader(line), line["game"], None
        if kind not in RECORD or self.record is None:
            return
        if kind == "deal":
            self.lain = [self.lain[-1], set()]
        open_before = list(self.open())
        self.record.read(line)
        self.looks.read(line)
        self.deal = self.record.round or self.deal
        self.lain[-1].update(
            open_before, self.open(), line.get("cards", ()), [line.get("card", "")]
        )

    @property
    def named(self) -> set[Card]:
        """The cards of which everybody may be told: the one called, too, wherever it is."""
        called = getattr(self.deal, "called", None)
        return set().union(*self.lain) | ({called} if called else set())

    def open(self) -> Iterator[Card]:
        """The cards that lie open in the middle, or have been won."""
        if self.deal is None:
            return
        if self.game == "briscola":
            yield from (card for _, card in self.deal.trick)
            for won in self.deal.won.values():
                yield from won
            yield from self.deal.stock[-1:]
        elif self.game == "crisps":
            yield from self.deal.there
            yield from self.deal.gone
            yield from self.deal.draws[:1] if self.record.options["face_up_draw"] else ()

    @property
    def running(self) -> bool:
        """Whether a round runs, of which not everything may be told."""
        round_ = None if self.record is None or self.record.ended else self.record.round
        return round_ is not None and not round_.over

    def dealt_in(self, seat: Seat | None) -> Seat | None:
        return seat if self.deal is not None and seat in self.deal.hands else None

    def check(self, seat: Seat | None, view: View, now: int) -> int:
        """Every face in the view has a right to be there; gives how many there are."""
        if self.game == "crisp" and view.phase != "First look":
            self.looks.first_look_over()
        for zone in view.zones:
            if self.running and any(zone.faces):
                self.check_zone(self.dealt_in(seat), zone, now / 1000)
        return sum(face is not None for zone in view.zones for face in zone.faces)

    def check_zone(self, seat: Seat | None, zone: Zone, t: float) -> None:
        if self.game == "crisp":
            for place, face in enumerate(zone.faces):
                slot = zone.slots[place] if zone.slots else ""
                seen = face is None or self.looks.may_see(seat, zone.name, zone.owner, slot, t)
                assert seen, (seat, zone, t)
        else:
            lying = (
                self.briscola(seat, zone) if self.game == "briscola" else self.crisps(seat, zone)
            )
            assert sorted(map(str, zone.faces)) == sorted(lying), (seat, zone, lying)

    def briscola(self, seat: Seat | None, zone: Zone) -> Sequence[Card]:
        """The faces that a zone may show."""
        deal = self.deal
        if zone.name == "hand" and zone.owner is not None:
            teams = len(deal.hands) in (4, 6) and self.record.options["partners_see_hands"]
            partner = teams and not deal.stock and seat is not None and not (zone.owner - seat) % 2
            return deal.hands[zone.owner] if seat == zone.owner or partner else []
        if zone.name == "last trick":
            wins = [won[-len(deal.hands) :] for won in deal.won.values()]
            return next((won for won in wins if sorted(won) == sorted(map(str, zone.faces))), [])
        middle = {"trick": [card for _, card in deal.trick], "trump card": deal.stock[-1:]}
        return middle.get(zone.name, [])

    def crisps(self, seat: Seat | None, zone: Zone) -> Sequence[Card]:
        """The faces that a zone may show."""
        if zone.name == "hand" and zone.owner is not None:
            hand: Sequence[Card] = self.deal.hands[zone.owner] if seat == zone.owner else []
            return hand
        up = self.deal.draws[:1] if self.record.options["face_up_draw"] else []
        middle = {"on the table": self.deal.there, "face-up card": up}
        return middle.get(zone.name, [])


class Looks:
    """Crisp: looks that are open, and the card in hand."""

    LOOK = 5.0

    def __init__(self) -> None:
        self.may: set[tuple[Seat, str]] = set()
        self.open: dict[tuple[Seat, str], float] = {}
        self.drawn: tuple[Seat, bool] | None = None
        self.first_look = True

    def read(self, line: Line) -> None:
        if line["kind"] == "deal":
            self.__init__()  # type: ignore[misc]
            self.may = {(seat, slot) for seat in line["seats"] for slot in ("left", "right")}
        elif line["kind"] == "timeout":
            self.first_look_over()
            self.drawn = None
        elif line["kind"] == "act":
            self.read_act(line, line["seat"], line["do"])

    def read_act(self, line: Line, seat: Seat, do: str) -> None:
        place = (seat, line.get("slot", ""))
        if do == "look":
            assert place in self.may, f"{place} looked at without a right"
            self.may.remove(place)
            self.open[place] = line["t"]
        elif do == "close":
            self.open.pop(place, None)
        elif do == "ready":
            self.may = {right for right in self.may if right[0] != seat}
        elif do in ("draw", "take"):
            self.first_look_over()
            self.drawn = (seat, do == "take")
        elif do in ("swap", "discard", "jack", "queen", "king"):
            self.drawn = None
            self.moved(place)
        if do == "jack":
            self.open[(seat, "middle")] = line["t"]
        if do == "queen":
            other = (line["target"], line["target_slot"])
            self.moved(other)
            self.may |= {right for right in (place, other) if right[1] != "middle"}

    def moved(self, place: tuple[Seat, str]) -> None:
        self.may.discard(place)
        self.open.pop(place, None)

    def first_look_over(self) -> None:
        if self.first_look:
            self.first_look = False
            self.may, self.open = set(), {}

    def may_see(
        self, seat: Seat | None, zone: str, owner: Seat | None, slot: str, t: float
    ) -> bool:
        if zone == "discard pile":
            return True
        if zone == "drawn":
            return self.drawn == (owner, True) or (self.drawn == (owner, False) and owner == seat)
        opened = self.open.get((owner if owner is not None else -1, slot))
        return owner == seat and opened is not None and t <= opened + self.LOOK
