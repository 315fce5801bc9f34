"""Laws 4 and 8 on the wire: every byte that every seat and a watcher is sent, over random rounds.

A second reading of RULES.md says from the journal alone who may see which face when. And in another
world, where cards that a seat never saw have changed places, it must be sent the very same bytes.

CRISP_LAN_TAPPED_GAMES sets how many rounds are played.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import trio
from trio.testing import MockClock

from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import Card, Line, Seat
from crisp_lan.net.codec import decode
from crisp_lan.net.messages import No, Show
from tests.net.hall import Hall, Stacked, Tapped, later, open_hall

GAMES = int(os.environ.get("CRISP_LAN_TAPPED_GAMES", "12"))
DECK = CRISP.cards(2)
PACKED_CARD = re.compile(rb"\xa2([A2-9TJQK][CDHS])")
PAUSES = (0.0, 0.0, 0.1, 0.5, 1.0, 2.0, 2.0, 2.0, 2.9, 3.0, 5.0, 11.0, 46.0)


@dataclass(frozen=True)
class Deed:
    """After a pause, a seat does something, or goes away and comes back."""

    pause: float
    seat: Seat
    act: str = ""
    picks: tuple[int | str, ...] = ()
    serial: int = 0


@dataclass
class Tap:
    """All that was sent to one place: payloads in order, over however many connections."""

    seat: Seat | None
    payloads: list[bytes] = field(default_factory=list)

    def of_play(self) -> Iterator[bytes]:
        """What was sent before all cards were laid open, without the tokens."""
        for payload in self.payloads:
            message = decode(payload, "host")
            if isinstance(message, Show) and message.table.phase not in ("lobby", "round"):
                return
            if isinstance(message, Show | No):
                yield payload


@dataclass
class Round:
    """One round as it went."""

    taps: list[Tap]
    deeds: list[Deed]
    lines: list[Line]
    written: list[int]


def frames(raw: bytes) -> Iterator[bytes]:
    while raw:
        end = 4 + int.from_bytes(raw[:4], "big")
        yield raw[4:end]
        raw = raw[end:]


async def play_round(
    seats: int, deck: Sequence[Card], lots: random.Random, script: list[Deed] | None = None
) -> Round:
    """A round by lots, or by what was done in an earlier one."""
    options = {"take_discard": lots.random() < 0.5}
    async with open_hall(seats, lots=Stacked(deck), by_itself=True, limit=1, **options) as hall:
        watcher = await hall.seat("W", watch=True)
        players = [await hall.seat(f"P{seat}") for seat in range(seats)]
        ever = [watcher, *players]
        deeds: list[Deed] = []
        for deed in script if script is not None else invented(hall, players, lots):
            await later(deed.pause)
            deeds.append(deed)
            await do(hall, players, deed)
            ever += [player for player in players if player not in ever]
        taps = [Tap(seat) for seat in (None, *range(seats))]
        for client in ever:
            tap = taps[0 if client is watcher else 1 + int(client.show.seat or 0)]
            tap.payloads += frames(bytes(client.bytes))
        return Round(taps, deeds, hall.journal.all, hall.written)


def invented(hall: Hall, players: list[Tapped], lots: random.Random) -> Iterator[Deed]:
    while hall.referee.table.phase == "round":
        pause = lots.choice(PAUSES)
        acting = [seat for seat, player in enumerate(players) if player.acts]
        if not acting or lots.random() < 0.03:
            yield Deed(pause, lots.randrange(len(players)), "" if lots.random() < 0.3 else "draw")
            continue
        seat = lots.choice(acting)
        names = sorted({act.name for act in players[seat].acts} - {"crisp"})
        if not names or (lots.random() < 0.08 and "crisp" in players[seat].offered):
            names = ["crisp"]
        name = lots.choice(names)
        act = lots.choice([act for act in players[seat].acts if act.name == name])
        yield Deed(pause, seat, act.name, act.picks)


async def do(hall: Hall, players: list[Tapped], deed: Deed) -> None:
    player = players[deed.seat]
    if deed.act:
        await player.does(deed.act, *deed.picks)
    else:
        await player.cut()
        await later(1)
        players[deed.seat] = await hall.seat("back", token=player.token)


def on_virtual_time(
    seats: int, deck: Sequence[Card], seed: int, script: list[Deed] | None = None
) -> Round:
    return trio.run(
        partial(play_round, seats, deck, random.Random(seed), script),
        clock=MockClock(autojump_threshold=0),
    )


# ---------------------------------------------------------------- law 8


class Rights:
    """Who may see what, read from the journal: looks that are open, and the card in hand."""

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


def check_faces(tap: Tap, played: Round) -> int:
    """Every face that was sent had a right to be seen; gives how many there were."""
    rights, read, seen = Rights(), 0, 0
    for payload in tap.of_play():
        message = decode(payload, "host")
        if not isinstance(message, Show) or message.view is None:
            assert not PACKED_CARD.findall(payload)
            continue
        upto = played.written[message.version - 1]
        for line in played.lines[read:upto]:
            rights.read(line)
        read = max(read, upto)
        if message.view.phase != "First look":
            rights.first_look_over()
        shown: Counter[bytes] = Counter()
        for zone in message.view.zones:
            for place, face in enumerate(zone.faces):
                if face is None:
                    continue
                slot = zone.slots[place] if zone.slots else ""
                now = message.now / 1000
                assert rights.may_see(tap.seat, zone.name, zone.owner, slot, now), (zone, slot)
                shown[face.encode()] += 1
        assert Counter(PACKED_CARD.findall(payload)) == shown, "a card outside the zones"
        seen += sum(shown.values())
    return seen


def test_no_seat_is_sent_a_face_that_it_has_no_right_to_see() -> None:
    seen: Counter[str] = Counter()
    for seed in range(GAMES):
        lots = random.Random(seed)
        deck = lots.sample(DECK, 52)
        played = on_virtual_time(2 + seed % 7, deck, seed)
        for tap in played.taps:
            seen["watcher" if tap.seat is None else "seat"] += check_faces(tap, played)
        seen.update(line["do"] for line in played.lines if line["kind"] == "act")
        seen.update(line["kind"] for line in played.lines)
    assert seen["seat"] > seen["watcher"] > 0
    assert all(
        seen[do] for do in ("look", "jack", "queen", "king", "take", "crisp", "timeout", "seat")
    )


# ---------------------------------------------------------------- law 4


def faces_sent(tap: Tap) -> set[Card]:
    return {card.decode() for payload in tap.of_play() for card in PACKED_CARD.findall(payload)}


def another_world(deck: Sequence[Card], seen: set[Card], lots: random.Random) -> list[Card]:
    """The deck with the cards that were never seen mixed, among those that play alike."""
    other = list(deck)
    for alike in ("A23456789T", "J", "Q", "K"):
        places = [n for n, card in enumerate(deck) if card not in seen and card[0] in alike]
        for place, card in zip(places, lots.sample([deck[n] for n in places], len(places))):
            other[place] = card
    return other


def test_a_seat_is_sent_the_same_bytes_whatever_the_cards_are_that_it_may_not_know() -> None:
    for seed in range(GAMES // 2):
        lots = random.Random(seed)
        seats = 2 + seed % 5
        deck = lots.sample(DECK, 52)
        here = on_virtual_time(seats, deck, seed)
        for tap in here.taps:
            changed = another_world(deck, faces_sent(tap), lots)
            there = on_virtual_time(seats, changed, seed, here.deeds)
            same = there.taps[here.taps.index(tap)]
            assert list(same.of_play()) == list(tap.of_play())
            assert changed != list(deck)
