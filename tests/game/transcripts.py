"""Golden transcripts: a round as text, every seat's view after everything that happens.

A file begins with lines of `word value`: the game, its seats, dealer and options, the deck, and who
plays a seat that no person does (`by 1 bot`). Then come the causes, each on a line that begins with
`>`: the time in seconds, the seat, and an act with its picks, `is` and who plays the seat now, or
`wait` for time alone. Lines with `#` are remarks.

All else is what the game answers: notes, lines of the record, what everybody sees, and then what
each seat `sees` otherwise and `may` do. A seat that is not named sees what a watcher sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import (
    Act,
    By,
    Choice,
    Clock,
    Game,
    Millis,
    Note,
    Refused,
    Setting,
    Step,
    View,
    Zone,
)

SETTINGS: dict[str, Setting] = {"off": False, "on": True, "none": None}


@dataclass
class Transcript:
    """A script, and the round as it goes on."""

    head: dict[str, str] = field(default_factory=dict)
    by: dict[int, By] = field(default_factory=dict)
    state: Any = None
    lines: list[str] = field(default_factory=list)

    @property
    def game(self) -> Game[Any]:
        return GAMES[self.head["game"]]

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(map(int, self.head["seats"].split()))

    def read(self, line: str) -> None:
        """Takes one line of a file; what was an answer is dropped and given anew."""
        if line.startswith(">"):
            if self.state is None:
                self.deal()
            self.lines += ["", line]
            self.cause(*line[1:].split())
        elif line.startswith("#"):
            self.lines += [""] * (self.state is not None) + [line]
        elif line and not line.startswith(" "):
            self.lines.append(line)
            word, value = line.split(" ", 1)
            if word == "by":
                seat, by = value.split()
                self.by[int(seat)] = cast(By, by)
            else:
                self.head[word] = (self.head.get(word, "") + " " + value).strip()

    def deal(self) -> None:
        chosen = (part.split("=") for part in self.head["options"].split())
        options = {name: setting(value) for name, value in chosen}
        by = {seat: self.by.get(seat, "person") for seat in self.seats}
        deck = self.head["deck"].split()
        assert sorted(deck) == sorted(self.game.cards(len(self.seats)))
        scores = dict.fromkeys(self.seats, 0)
        dealer = int(self.head["dealer"])
        self.take(self.game.deal(self.seats, dealer, scores, options, deck, 0, by))

    def cause(self, time: str, seat: str, word: str, *rest: str) -> None:
        now = round(float(time) * 1000)
        while (due := self.game.wake_at(self.state)) is not None and due <= now:
            self.lines.append(f"  at {seconds(due)}")
            self.take(self.game.wake(self.state))
        if word == "is":
            self.take(self.game.presence(self.state, now, int(seat), cast(By, rest[0])))
        elif word != "wait":
            self.act(now, int(seat), self.meant(int(seat), word, rest))

    def meant(self, seat: int, word: str, rest: tuple[str, ...]) -> Act:
        """The offered act that reads like this; where none does, numbers are cards or seats."""
        for choice in self.game.view(self.state, seat).choices:
            for picks in choice.picks:
                if choice.name == word and tuple(map(str, picks)) == rest:
                    return Act(word, picks)
        cards = self.game.cards(len(self.seats))
        number = {pick: int(pick) for pick in rest if pick.isdigit() and pick not in cards}
        return Act(word, tuple(number.get(pick, pick) for pick in rest))

    def act(self, now: Millis, seat: int, act: Act) -> None:
        try:
            self.take(self.game.apply(self.state, now, seat, act))
        except Refused as refusal:
            values = dict(refusal.text.values)
            self.lines.append(f"  refused: {refusal.text.key} {values or ''}".rstrip())
            if refusal.told is not None:
                self.lines.append(f"  told: {noted(refusal.told)}")

    def take(self, step: Step[Any]) -> None:
        self.state = step.state
        self.lines += [f"  note: {noted(note)}" for note in step.notes]
        self.lines += [f"  line: {line}" for line in step.lines]
        public = public_parts(self.game.view(self.state, None))
        self.lines += [f"  {part}" for part in public if part]
        for seat in self.seats:
            view = self.game.view(self.state, seat)
            own = [part for part in public_parts(view) if part not in public]
            self.lines += [f"  {seat} sees {part}" for part in own]
            self.lines += [f"  {seat} may {offer(choice)}" for choice in view.choices]
        if (outcome := self.game.outcome(self.state)) is not None:
            why = {outcome.why.key: dict(outcome.why.values)}
            self.lines.append(f"  outcome: {why} {dict(outcome.delta)} {outcome.record}")


def public_parts(view: View) -> list[str]:
    """All of a view but its choices: the phase, each row, and what is said of seats and times."""
    parts = [view.phase + ("" if view.turn is None else f", turn of {view.turn}")]
    parts += [row(zone) for zone in view.zones]
    about = [
        f"{tag.seat} {tag.text.key} {dict(tag.text.values) or ''}".rstrip() for tag in view.tags
    ]
    about += [f"{fact.key} {dict(fact.values)}" for fact in view.facts]
    about += [counted(clock) for clock in view.clocks]
    about += [f"{name} {dict(column)}" for name, column in view.sheet]
    about += [f"banner: {seen.key} {dict(seen.values)}"] if (seen := view.banner) else []
    return [*parts, "; ".join(about)]


def counted(clock: Clock) -> str:
    whose = "" if clock.seat is None else f" of {clock.seat}"
    loud = " (loud)" if clock.loud else ""
    return f"{clock.name}{whose} {seconds(clock.total)} until {seconds(clock.ends)}{loud}"


def offer(choice: Choice) -> str:
    picks = "" if choice.picks == ((),) else f": {picked(choice.picks)}"
    return f"[{choice.key}] {choice.name} ({choice.label}){picks}"


def row(zone: Zone) -> str:
    parts = [zone.name + ("" if zone.owner is None else f" {zone.owner}")]
    marks, seats = zone.marks or ("",) * len(zone.faces), zone.seats or ("",) * len(zone.faces)
    for face, mark, seat in zip(zone.faces, marks, seats):
        remarks = ", ".join(str(remark) for remark in (mark, seat) if remark != "")
        parts.append((face or "--") + (f" ({remarks})" if remarks else ""))
    if zone.count != len(zone.faces):
        parts.append(f"of {zone.count}")
    return " ".join(parts) + (f" {zone.note}" if zone.note else "")


def picked(picks: Sequence[Sequence[int | str]]) -> str:
    shown = ", ".join("+".join(map(str, pick)) for pick in picks[:6])
    return shown if len(picks) <= 6 else f"{shown}, … {len(picks)} in all"


def noted(note: Note) -> str:
    to = "" if note.to is None else f" to {list(note.to)}"
    return f"{note.key} {dict(note.values) or ''}".rstrip() + to


def setting(word: str) -> Setting:
    return SETTINGS[word] if word in SETTINGS else int(word)


def seconds(millis: Millis) -> str:
    return f"{millis / 1000:.3f}"


def told_again(text: str) -> str:
    """The transcript with all answers given anew by the games as they are."""
    transcript = Transcript()
    for line in text.splitlines():
        transcript.read(line)
    return "\n".join(transcript.lines) + "\n"
