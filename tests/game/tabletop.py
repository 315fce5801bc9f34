"""A round of Crisp laid out and played from a script, the way a rule book tells an example.

    round = laid("AS 5H KD", "2C 3C 4C", draws="9D 6D")     # seats 0 and 1; 9D is drawn first
    round.play(\"""
        0.0 0 draw
        1.5 0 swap left
        3.5 1 draw
    \""")

A line of a script is the time in seconds, the seat, and an act with its picks; `2.5 1 is nobody`
changes who plays the seat. Before each, all deadlines up to its time fire. Seat 0 begins, and time
0.0 is the beginning of its turn, unless the round is laid with `ready=False`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import pytest

from crisp_lan.game.cards import french
from crisp_lan.game.crisp import CRISP, State
from crisp_lan.game.rules import (
    Act,
    By,
    Card,
    Choice,
    Clock,
    Line,
    Note,
    Outcome,
    Refused,
    Seat,
    Setting,
    Step,
    Text,
    View,
    Zone,
)

OPTIONS: Mapping[str, Setting] = {"limit": 100, "draw_time": 45, "take_discard": False}


def deck_for(hands: Sequence[str], draws: str = "", rest: Sequence[Card] = french()) -> list[Card]:
    """A deck that deals these hands to seats 0, 1, … with the last seat dealing."""
    rows = [hand.split() for hand in hands]
    top = [row[slot] for slot in range(3) for row in rows] + draws.split()
    assert len(set(top)) == len(top), "a card is named twice"
    return top + [card for card in rest if card not in top]


class Round:
    """A round that runs: its state, and all notes and record lines so far."""

    def __init__(
        self,
        deck: Sequence[Card],
        seats: Sequence[Seat],
        dealer: Seat,
        options: Mapping[str, Setting],
        by: Mapping[Seat, By],
    ) -> None:
        self.notes: list[Note] = []
        self.lines: list[Line] = []
        self.state: State
        scores = dict.fromkeys(seats, 0)
        self.take(CRISP.deal(seats, dealer, scores, {**OPTIONS, **options}, deck, 0, by))

    def take(self, step: Step[State]) -> None:
        self.state = step.state
        self.notes += step.notes
        self.lines += step.lines

    def until(self, seconds: float) -> Round:
        """Lets time go on: fires every deadline that is due."""
        while (due := CRISP.wake_at(self.state)) is not None and due <= millis(seconds):
            self.take(CRISP.wake(self.state))
        return self

    def play(self, script: str) -> Round:
        for line in filter(None, map(str.strip, script.splitlines())):
            self.do(line)
        return self

    def do(self, line: str) -> None:
        time, seat, word, *picks = line.split()
        self.until(float(time))
        now = millis(float(time))
        if word == "is":
            self.take(CRISP.presence(self.state, now, int(seat), cast(By, picks[0])))
        else:
            act = Act(word, tuple(int(pick) if pick.isdigit() else pick for pick in picks))
            self.take(CRISP.apply(self.state, now, int(seat), act))

    def refused(self, line: str) -> Text:
        """Plays a line that is to be refused; the reason."""
        return self.refusal(line).text

    def refusal(self, line: str) -> Refused:
        self.until(float(line.split()[0]))
        before = self.state
        with pytest.raises(Refused) as refusal:
            self.do(line)
        assert self.state is before
        return refusal.value

    def view(self, seat: Seat | None) -> View:
        return CRISP.view(self.state, seat)

    def offered(self, seat: Seat) -> list[str]:
        return [choice.name for choice in self.view(seat).choices]

    def choice(self, seat: Seat, name: str) -> Choice:
        return next(choice for choice in self.view(seat).choices if choice.name == name)

    def hand(self, seat: Seat, seen_by: Seat | None) -> Zone:
        zones = self.view(seen_by).zones
        return next(z for z in zones if z.name == "hand" and z.owner == seat)

    def seen(self, seat: Seat | None) -> set[Card]:
        """Every face in a seat's view."""
        return {face for zone in self.view(seat).zones for face in zone.faces if face is not None}

    def zone(self, name: str, seen_by: Seat | None = None) -> Zone | None:
        return next((z for z in self.view(seen_by).zones if z.name == name), None)

    def pile(self) -> int:
        return cast(Zone, self.zone("draw pile")).count

    def discards(self) -> int:
        return cast(Zone, self.zone("discard pile")).count

    def top(self) -> Card | None:
        faces = cast(Zone, self.zone("discard pile")).faces
        return faces[0] if faces else None

    def clocks(self) -> dict[str, tuple[Seat | None, float]]:
        """Each clock that runs: whose it is and when it ends, in seconds."""
        return {clock.name: (clock.seat, clock.ends / 1000) for clock in self.view(None).clocks}

    def clock(self, name: str) -> Clock:
        return next(clock for clock in self.view(None).clocks if clock.name == name)

    def tags(self, word: str) -> list[Seat]:
        return [tag.seat for tag in self.view(None).tags if tag.text.key == word]

    def extra(self) -> int:
        facts = [fact for fact in self.view(None).facts if fact.key.startswith("Extra draws")]
        return cast(int, facts[0].values["n"]) if facts else 0

    @property
    def turn(self) -> Seat | None:
        return self.view(None).turn

    @property
    def phase(self) -> str:
        return self.view(None).phase

    @property
    def over(self) -> bool:
        return self.outcome is not None

    @property
    def outcome(self) -> Outcome | None:
        return CRISP.outcome(self.state)

    def told(self, key: str) -> list[Note]:
        return [note for note in self.notes if note.key == key]


def laid(
    *hands: str,
    draws: str = "",
    ready: bool = True,
    by: Sequence[By] = (),
    **options: Setting,
) -> Round:
    """A round with these hands; each seat is played by a person unless `by` says otherwise."""
    seats = range(len(hands))
    players: dict[Seat, By] = {seat: by[seat] if by else "person" for seat in seats}
    opened = Round(deck_for(hands, draws), seats, len(hands) - 1, options, players)
    if ready:
        for seat in seats:
            if players[seat] in ("person", "bot"):
                opened.do(f"0 {seat} ready")
    return opened


def millis(seconds: float) -> int:
    return round(seconds * 1000)
