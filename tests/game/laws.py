"""The laws of docs/design.md as far as one game alone can break them, for any game.

They know a game by its protocol only. Positions are opened up field by field where a law is about
what lies in them: a position names each card of the deck exactly once.

Where a deck has equal cards, rounds are dealt from one whose cards can be told apart by these laws
alone (`told_apart`). A game moves the cards it was dealt, so each can be followed where it goes.
"""

from __future__ import annotations

import copy
import random
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from typing import Any, TypeAlias, TypeVar

from crisp_lan.game.rules import (
    Act,
    By,
    Card,
    Game,
    Millis,
    Note,
    Refused,
    Seat,
    Step,
    Text,
    View,
)

T = TypeVar("T")

One: TypeAlias = tuple[Card, int]
"""One card of a deck, whichever others are equal to it."""


class Copy(str):
    """A card equal to others, with a number that only the laws know."""

    number: int


def told_apart(deck: Sequence[Card]) -> tuple[Card, ...]:
    """The deck, with copies that can be told apart where it has equal cards."""
    if len(set(deck)) == len(deck):
        return tuple(deck)
    copies = tuple(Copy(card) for card in deck)
    for number, copy_ in enumerate(copies):
        copy_.number = number
    return copies


def one(card: Card) -> One:
    """Which card of the deck it is."""
    return str(card), getattr(card, "number", 0)


@dataclass
class Laws:
    """The laws, held against the positions of one round as they come about."""

    game: Game[Any]
    seats: Collection[Seat]
    lots: random.Random
    acts: dict[Act, None] = field(default_factory=dict)
    """All acts that have been offered to anybody so far: what somebody might try."""
    known: dict[Seat | None, set[One]] = field(default_factory=lambda: defaultdict(set))
    """All cards that each seat has been shown so far."""

    def watch(self, state: Any) -> None:
        """Remembers what was offered and shown in a position."""
        for seat in (*self.seats, None):
            view = self.game.view(state, seat)
            self.acts |= dict.fromkeys(acts_of(view))
            self.known[seat] |= faces(view)

    def cards_are_conserved(self, state: Any) -> None:
        """Law 1: each card of the deck is in exactly one place."""
        deck = Counter(self.game.cards(len(self.seats)))
        lying = [card for card in leaves(state) if card in deck]
        assert Counter(lying) == deck
        assert len(set(map(one, lying))) == len(lying)

    def refused(self, state: Any, now: Millis, seat: Seat, acts: Collection[Act]) -> None:
        """Law 2: the acts are refused and leave the position as it was."""
        before = copy.deepcopy(state)
        assert all(isinstance(self.tried(state, now, seat, act), Text) for act in acts)
        assert state == before

    def tried(self, state: Any, now: Millis, seat: Seat, act: Act) -> Step[Any] | Text:
        """What an act leads to: a step, or the reason why it is refused."""
        try:
            return self.game.apply(state, now, seat, act)
        except Refused as refusal:
            return refusal.text

    def hidden_worlds_are_alike(
        self, state: Any, now: Millis, seat: Seat | None, known: Collection[One]
    ) -> None:
        """Law 4: two cards that a seat does not know change places, and it cannot tell.

        Not from what it sees now, nor from what it sees and is told while everybody plays on,
        until one of the two is shown to it; nor from the reason why an act of its own is refused.
        """
        deck = set(self.game.cards(len(self.seats)))
        cards = {one(card): card for card in leaves(state) if card in deck}
        hidden = sorted(cards.keys() - faces(self.game.view(state, seat)) - set(known))
        if len(hidden) < 2:
            return
        this, that = self.lots.sample(hidden, 2)
        here, there = state, with_cards(state, {this: cards[that], that: cards[this]})
        for _ in range(5):
            self.alike(here, there, now, seat)
            following = self.both_go_on(here, there, now)
            if following is None:
                return
            now, ours, theirs = following
            may_differ = self.time_chose(here, there, ours)
            here, there = ours.state, theirs.state
            shown = faces(self.game.view(here, seat)) | faces(self.game.view(there, seat))
            if {this, that} & shown:
                return
            if told(ours.notes, seat) != told(theirs.notes, seat):
                assert may_differ
                return
        self.alike(here, there, now, seat)

    def alike(self, here: Any, there: Any, now: Millis, seat: Seat | None) -> None:
        """A seat sees the same in two worlds, and may do the same."""
        assert self.game.view(here, seat) == self.game.view(there, seat)
        assert self.game.wake_at(here) == self.game.wake_at(there)
        if seat is not None:
            for act in some(self.acts, 3, self.lots):
                ours, theirs = (self.tried(world, now, seat, act) for world in (here, there))
                assert isinstance(ours, Step) == isinstance(theirs, Step)
                assert isinstance(ours, Step) or ours == theirs

    def both_go_on(
        self, here: Any, there: Any, now: Millis
    ) -> tuple[Millis, Step[Any], Step[Any]] | None:
        """The same happening in two worlds: an act that is offered in both, or a deadline."""
        due = self.game.wake_at(here)
        if due is None or (due > now and self.lots.random() < 0.8):
            for seat in some(self.seats, 9, self.lots):
                in_both = self.offered(there, seat)
                for act in some(self.offered(here, seat), 3, self.lots):
                    if act in in_both:
                        apply = self.game.apply
                        return now, apply(here, now, seat, act), apply(there, now, seat, act)
        return None if due is None else (due, self.game.wake(here), self.game.wake(there))

    def time_chose(self, here: Any, there: Any, step: Step[Any]) -> bool:
        """Whether time acted for a seat that can tell the two worlds apart: by its own cards, as
        the seat itself might have done, and that may tell what any choice of its tells."""
        acted = {line["seat"] for line in step.lines if line["kind"] == "timeout"}
        return any(self.game.view(here, seat) != self.game.view(there, seat) for seat in acted)

    def something_can_happen(self, state: Any) -> None:
        """Law 5: until the outcome there is a choice for some seat or a deadline; then neither."""
        choices = any(self.offered(state, seat) for seat in self.seats)
        if self.game.outcome(state) is None:
            assert choices or self.game.wake_at(state) is not None
        else:
            assert not choices
            assert self.game.wake_at(state) is None

    def exactly_the_offered_is_taken(self, state: Any, now: Millis, seat: Seat) -> None:
        """Law 6: an offered act is accepted, and every other is refused."""
        can = self.offered(state, seat)
        for act in some(can, 3, self.lots):
            assert isinstance(self.tried(state, now, seat, act), Step)
        others = [*some(self.acts, 4, self.lots), Act("fly")]
        others += [Act(act.name, (*act.picks, "left")) for act in some(can, 1, self.lots)]
        self.refused(state, now, seat, [act for act in others if act not in can])

    def coming_back_shows_no_more(self, state: Any, now: Millis, seat: Seat, by: By) -> None:
        """Law 8: a lost connection is never a second look."""
        view = self.game.view(state, seat)
        away = self.game.presence(state, now, seat, "nobody").state
        back = self.game.view(self.game.presence(away, now, seat, by).state, seat)
        if self.game.view(away, seat).phase == view.phase:
            assert back == view
        elif self.game.outcome(away) is None:
            assert faces(back) <= faces(view)

    def offered(self, state: Any, seat: Seat) -> list[Act]:
        """Every act that a seat is offered."""
        return acts_of(self.game.view(state, seat))


def acts_of(view: View) -> list[Act]:
    return [Act(choice.name, picks) for choice in view.choices for picks in choice.picks]


def faces(view: View) -> set[One]:
    """Every card that a view shows."""
    return {one(face) for zone in view.zones for face in zone.faces if face is not None}


def told(notes: Collection[Note], seat: Seat | None) -> list[Note]:
    """The notes that a seat gets."""
    return [note for note in notes if note.to is None or seat in note.to]


def leaves(value: Any) -> Iterator[Any]:
    """Everything in a position that has no parts."""
    if is_dataclass(value):
        for part in fields(value):
            yield from leaves(getattr(value, part.name))
    elif isinstance(value, Mapping):
        for part in (*value.keys(), *value.values()):
            yield from leaves(part)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def with_cards(value: Any, instead: Mapping[One, Card]) -> Any:
    """The position with cards replaced by others wherever they lie."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {
            part.name: with_cards(getattr(value, part.name), instead) for part in fields(value)
        }
        return replace(value, **parts)
    if isinstance(value, Mapping):
        return {with_cards(k, instead): with_cards(v, instead) for k, v in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return type(value)(with_cards(part, instead) for part in value)
    return instead.get(one(value), value) if isinstance(value, str) else value


def some(things: Collection[T], most: int, lots: random.Random) -> list[T]:
    """A few of the things by lot."""
    return lots.sample(list(things), min(most, len(things)))
