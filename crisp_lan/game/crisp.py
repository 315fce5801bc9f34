"""Crisp: three cards face down, draw and swap by memory, and call when yours is the lowest total.

A round is a `State`: every dealt-in seat's `Hand`, the two piles and the `Turn` that runs. A seat's
place in `State.hands` stays the same for the whole round, whoever leaves.

A card in a hand lies in a `Spot`, and the right to look at it and the look itself lie there with
it. A card that moves gets a new spot, so both end by themselves: nobody can look at a card twice,
nor at another card than the one that the right was for.

What may be done is said in one place, `_choices`; an act that is not among them is refused, and
`_refusal` then finds the words. What time does is said in one place, `_deadlines`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from operator import itemgetter
from typing import TypeAlias

from crisp_lan.game.cards import french
from crisp_lan.game.rules import (
    LOOKING,
    Act,
    By,
    Card,
    Choice,
    Clock,
    Line,
    Millis,
    Note,
    Option,
    Outcome,
    Pick,
    Refused,
    Seat,
    Setting,
    Step,
    Tag,
    Text,
    Value,
    View,
    Zone,
)

SLOTS = ("left", "middle", "right")
FIRST_LOOK: Millis = 30_000
LOOK: Millis = 5_000
LOOK_CHOICE: Millis = 10_000
WINDOW: Millis = 3_000
HEAD_START: Millis = 2_000
GRACE: Millis = 60_000
BONUS = 5

_VALUES = {rank: min(value, 10) for value, rank in enumerate("A23456789TJQK", start=1)}
_DECK = french()

_LATE = "Your call came {millis} s after the window closed."
_DREW = "Your call came {millis} s after your draw. Call when your turn is over."
_TIMED_OUT = "Your turn ran out of time {millis} s ago, so you cannot call after it."
_RULINGS = {
    _LATE: "{seat} calls crisp {millis} s after the window closed: that does not count.",
    _DREW: "{seat} calls crisp {millis} s after drawing: that does not count.",
    _TIMED_OUT: "{seat} calls crisp {millis} s after running out of time: that does not count.",
}
"""What everybody is told of a call that is refused."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A card in a hand; `may_look`: an unused right to see it; `closes`: of the look now open."""

    card: Card
    may_look: bool = False
    closes: Millis | None = None


@dataclass(frozen=True, slots=True)
class Hand:
    """A seat of this round. `since`: when `by` last changed.

    `window`: the end of its last turn, while it may still call; else `shut` is why it may not (a
    sentence), and since when.
    """

    seat: Seat
    by: By
    since: Millis
    spots: tuple[Spot, ...]
    ready: bool = False
    window: Millis | None = None
    shut: tuple[str, Millis] | None = None

    @property
    def present(self) -> bool:
        return self.by in ("person", "bot")

    @property
    def total(self) -> int:
        return sum(_VALUES[spot.card[0]] for spot in self.spots)


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn that runs or comes next.

    It came to `place` at `came`, when the turn before ended; at `free` the window of that one is
    over. It is open from `opens` on; `since`: when the player could make the present draw. `card`
    is held, `taken` from the discard pile or drawn; `extra` draws follow. `hold` is the slot of a
    look that keeps the turn from going on: to be opened by `choose_by`, or open.
    """

    place: int
    came: Millis
    free: Millis
    opens: Millis
    is_open: bool
    since: Millis
    card: Card | None = None
    taken: bool = False
    extra: int = 0
    hold: str | None = None
    choose_by: Millis | None = None

    @property
    def begun(self) -> bool:
        """Whether a card has been drawn in it."""
        return self.card is not None or self.extra > 0 or self.hold is not None


@dataclass(frozen=True, slots=True)
class State:
    """A round. The top of `pile` is its first card, the top of `discards` its last.

    `first_look` is the end of the first look, None once it is over; until then there is no `turn`.
    """

    draw_time: Millis | None
    take_discard: bool
    dealer: Seat
    hands: tuple[Hand, ...]
    pile: tuple[Card, ...]
    discards: tuple[Card, ...] = ()
    first_look: Millis | None = None
    turn: Turn | None = None
    caller: int | None = None
    called: Millis = 0
    over: bool = False

    @property
    def running(self) -> Turn:
        assert self.turn is not None, "no turn runs"
        return self.turn

    def place(self, seat: Seat) -> int | None:
        """Where a seat's hand is; None for a seat that is not dealt in."""
        return next((place for place, hand in enumerate(self.hands) if hand.seat == seat), None)

    def with_hand(self, place: int, hand: Hand) -> State:
        return replace(self, hands=(*self.hands[:place], hand, *self.hands[place + 1 :]))

    def with_spot(self, place: int, slot: str, spot: Spot) -> State:
        hand, index = self.hands[place], SLOTS.index(slot)
        spots = (*hand.spots[:index], spot, *hand.spots[index + 1 :])
        return self.with_hand(place, replace(hand, spots=spots))

    def spot(self, place: int, slot: str) -> Spot:
        return self.hands[place].spots[SLOTS.index(slot)]


class Crisp:
    """The rules of Crisp, for the table. Satisfies `rules.Game[State]`."""

    key = "crisp"
    title = "Crisp"
    goal = "Three cards each, face down: remember, swap, and call crisp with the lowest total."
    seats: tuple[int, ...] = (2, 3, 4, 5, 6, 7, 8)
    options: tuple[Option, ...] = (
        Option("limit", "Points that end the game", "--limit", (50, 100, 150), 100, least=1),
        Option("draw_time", "Seconds for each draw", "--draw-time", (30, 45, 60, None), 45),
        Option(
            "take_discard",
            "Cards may be taken from the discard pile, too",
            "--take-discard",
            (False, True),
            False,
        ),
    )
    dealer_field = "dealer"
    lowest_wins = True
    seats_stay = False
    fields: Mapping[str, tuple[str, ...]] = {
        "look": ("slot",),
        "close": ("slot",),
        "swap": ("slot",),
        "queen": ("slot", "target", "target_slot"),
    }

    def cards(self, seats: int) -> tuple[Card, ...]:
        """The 52 cards, whatever the number of players."""
        return _DECK

    def deal(
        self,
        seats: Sequence[Seat],
        dealer: Seat,
        scores: Mapping[Seat, int],
        options: Mapping[str, Setting],
        deck: Sequence[Card],
        now: Millis,
        by: Mapping[Seat, By],
    ) -> Step[State]:
        """Three cards each from the dealer's left on, and 30 s of first look."""
        count, first = len(seats), _after(seats, dealer)
        hands = []
        for place, seat in enumerate(seats):
            left, middle, right = deck[(place - first) % count : 3 * count : count]
            spots = (Spot(left, may_look=True), Spot(middle), Spot(right, may_look=True))
            hands.append(Hand(seat, by[seat], now, spots))
        draw_time = options["draw_time"]
        state = State(
            draw_time=None if draw_time is None else 1000 * draw_time,
            take_discard=bool(options["take_discard"]),
            dealer=dealer,
            hands=tuple(hands),
            pile=tuple(deck[3 * count :]),
            first_look=now + FIRST_LOOK,
        )
        return Step(state, (Note("{seat} deals.", {"seat": dealer}),))

    def apply(self, state: State, now: Millis, seat: Seat, act: Act) -> Step[State]:
        """The position after an offered act; any other is refused with the reason."""
        place = state.place(seat)
        if place is None:
            raise Refused("You are not in this round.")
        for choice in _choices(state, place):
            if choice.name == act.name and act.picks in choice.picks:
                return _ACTS[act.name](state, now, place, *act.picks)
        raise _refusal(state, now, place, act)

    def presence(self, state: State, now: Millis, seat: Seat, by: By) -> Step[State]:
        """Who plays the seat from now on; a turn that has not begun may have to wait for it."""
        place = state.place(seat)
        if place is None or state.hands[place].by == by:
            return Step(state)
        state = state.with_hand(place, replace(state.hands[place], by=by, since=now))
        if state.over:
            return Step(state)
        if all(hand.by == "left" for hand in state.hands):
            return _revealed(state)
        if state.turn is None:
            return _if_all_ready(state, now)
        if state.turn.place == place:
            state = replace(state, turn=_reopened(state.turn, now, by))
        return Step(state)

    def wake_at(self, state: State) -> Millis | None:
        """The next deadline; None once the round is over or only a choice can move it on."""
        return min((at for at, _ in _deadlines(state)), default=None)

    def wake(self, state: State) -> Step[State]:
        """Fires the earliest deadline; of equal ones, the first in the order of `_deadlines`."""
        _, fire = min(_deadlines(state), key=itemgetter(0))
        return fire()

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know: faces of looks it has open, its drawn card, the top discard."""
        public = _SEEN_BY_ALL.of(state)
        place = None if seat is None else state.place(seat)
        if place is None:
            return public
        return View(
            seat=seat,
            phase=public.phase,
            turn=public.turn,
            zones=_own_zones(state, place, public.zones),
            choices=_choices(state, place),
            clocks=public.clocks,
            tags=public.tags,
            facts=public.facts,
            sheet=public.sheet,
            banner=_banner(state, place),
        )

    def laid_open(self, state: State) -> View:
        """All hands with the rights and looks on them, the card held, and what is drawn next."""
        return replace(_SEEN_BY_ALL.of(state), zones=tuple(_open_zones(state)))

    def outcome(self, state: State) -> Outcome | None:
        """Totals and the caller's ±5. A round that everybody left counts for nobody."""
        if not state.over:
            return None
        if state.caller is None:
            return Outcome(_LEFT, {hand.seat: 0 for hand in state.hands}, None)
        caller = state.hands[state.caller]
        delta = {hand.seat: hand.total for hand in state.hands}
        delta[caller.seat] += _bonus(state, state.caller)
        record: Line = {
            "hands": {str(hand.seat): [spot.card for spot in hand.spots] for hand in state.hands},
            "totals": {str(hand.seat): hand.total for hand in state.hands},
            "caller": caller.seat,
        }
        return Outcome(_judged(state, state.caller), delta, record)

    def verdict(
        self, scores: Mapping[Seat, int], options: Mapping[str, Setting]
    ) -> tuple[Seat, ...] | None:
        """Once a seat has reached the limit: all who share the lowest score."""
        limit = self.target(options, len(scores))
        if all(score < limit for score in scores.values()):
            return None
        lowest = min(scores.values())
        return tuple(seat for seat, score in scores.items() if score == lowest)

    def last_standing(
        self, there: Sequence[Seat], seats: Sequence[Seat]
    ) -> tuple[Seat, ...] | None:
        """The one who is left."""
        return tuple(there) if len(there) < 2 else None

    def target(self, options: Mapping[str, Setting], seats: int) -> int:
        """The limit."""
        limit = options["limit"]
        assert limit is not None, "Crisp is always played to a limit"
        return limit

    def next_dealer(self, seats: Sequence[Seat], last: Seat, scores: Mapping[Seat, int]) -> Seat:
        """The next seat clockwise."""
        return seats[_after(seats, last)]


CRISP = Crisp()

_LEFT = Text("Everybody has left.")


def _after(seats: Sequence[Seat], seat: Seat) -> int:
    """The place of the next of `seats` clockwise from a seat, which need not be one of them."""
    return next((place for place, other in enumerate(seats) if other > seat), 0)


# What a seat may do


_DRAW = Choice("draw", "Draw", key="d")
_TAKE = Choice("take", "Take the discard", key="t")
_SWAP = Choice("swap", "Swap it in", tuple((slot,) for slot in SLOTS), key="s")
_DISCARD = Choice("discard", "Discard it", key="x")
_DISCARD_UNUSED = Choice("discard", "Discard it unused", key="x")
_JACK = Choice("jack", "Use the Jack: look at your middle card", key="u")
_KING = Choice("king", "Use the King: two extra draws", key="u")
_READY = Choice("ready", "Ready", key="r")
_SKIP = Choice("skip", "Go on without looking", key="k")
_CRISP = Choice("crisp", "Call crisp", key="c")


@cache
def _look_choice(slots: tuple[str, ...]) -> Choice:
    return Choice("look", "Look at a card", tuple((slot,) for slot in slots), key="l")


@cache
def _close_choice(slots: tuple[str, ...]) -> Choice:
    return Choice("close", "Close the look", tuple((slot,) for slot in slots), key="h")


@cache
def _queen_choice(others: tuple[Seat, ...]) -> Choice:
    picks: tuple[tuple[Pick, ...], ...] = tuple(
        (slot, other, other_slot) for slot in SLOTS for other in others for other_slot in SLOTS
    )
    return Choice("queen", "Use the Queen: swap two cards blind", picks, key="u")


def _choices(state: State, place: int) -> tuple[Choice, ...]:
    hand = state.hands[place]
    if state.over or not hand.present:
        return ()
    choices = []
    spots = tuple(zip(SLOTS, hand.spots))
    if rights := tuple(slot for slot, spot in spots if spot.may_look):
        choices.append(_look_choice(rights))
    if looks := tuple(slot for slot, spot in spots if spot.closes is not None):
        choices.append(_close_choice(looks))
    if state.turn is None:
        if not hand.ready:
            choices.append(_READY)
    elif state.turn.place == place and state.turn.is_open:
        choices += _turn_choices(state, state.turn, hand.seat)
    if hand.window is not None:
        choices.append(_CRISP)
    return tuple(choices)


def _turn_choices(state: State, turn: Turn, seat: Seat) -> tuple[Choice, ...]:
    if turn.hold is not None:
        return () if turn.choose_by is None else (_SKIP,)
    if turn.card is None:
        return (_DRAW, _TAKE) if state.take_discard and state.discards else (_DRAW,)
    if turn.taken:
        return (_SWAP,)
    match turn.card[0]:
        case "J":
            return (_JACK, _DISCARD_UNUSED)
        case "Q":
            others = tuple(hand.seat for hand in state.hands if hand.seat != seat)
            return (_queen_choice(others), _DISCARD_UNUSED)
        case "K":
            return (_KING,)
        case _:
            return (_SWAP, _DISCARD)


# Why not


def _refusal(state: State, now: Millis, place: int, act: Act) -> Refused:
    if state.over:
        return Refused("The round is over.")
    if not state.hands[place].present:
        return Refused("Nobody plays this seat now.")
    if any(choice.name == act.name for choice in _choices(state, place)):
        return Refused("That is not among your choices.")
    match act.name:
        case "crisp":
            return _call_refusal(state, now, place)
        case "look":
            return Refused("You have no look left to take.")
        case "close":
            return Refused("You have no look open.")
        case "ready":
            first_look = state.turn is None
            return Refused("You are ready already." if first_look else "The first look is over.")
    if state.turn is None:
        return Refused("The first look is not over yet.")
    if state.turn.place != place:
        return Refused("It is not your turn.")
    if not state.turn.is_open:
        return Refused("You may start in {millis} s.", {"millis": state.turn.opens - now})
    return _turn_refusal(state, state.turn, act)


def _call_refusal(state: State, now: Millis, place: int) -> Refused:
    """Every refused call says the host's times, to everybody."""
    hand = state.hands[place]
    if state.caller == place:
        return Refused("You have called already, {millis} s ago.", {"millis": now - state.called})
    times: dict[str, Value] = {"millis": WINDOW}
    key = "You can call in the {millis} s after a turn of yours."
    ruling = "{seat} calls crisp before a turn: that does not count."
    if state.caller is not None:
        times = {"other": state.hands[state.caller].seat, "millis": now - state.called}
        key = "{other} called crisp {millis} s before you."
        ruling = "{seat} calls crisp {millis} s after {other}: that does not count."
    elif hand.shut is not None:
        key, since = hand.shut
        times, ruling = {"millis": now - since}, _RULINGS[key]
    return Refused(key, times, Note(ruling, {"seat": hand.seat, **times}))


def _turn_refusal(state: State, turn: Turn, act: Act) -> Refused:
    if turn.hold is not None:
        return Refused("Your look comes first.")
    if act.name in ("draw", "take"):
        if turn.card is not None:
            return Refused("Play the card you hold first.")
        if not state.take_discard:
            return Refused("Taking from the discard pile is off at this table.")
        return Refused("The discard pile is empty.")
    if turn.card is None:
        return Refused("Draw a card first.")
    if turn.taken:
        return Refused("A card from the discard pile has to be swapped in.")
    if act.name == "discard":
        return Refused("A King has to be used.")
    if act.name == "swap" and turn.card[0] in "JQK":
        return Refused("A Jack, Queen or King that you draw cannot be swapped in.")
    return Refused("The card you hold cannot do that.")


# What a seat does. All of these are offered acts: nothing is checked again. The notes name no card
# that goes on the discard pile: it is turned over unshuffled, and a list would foretell the draws.


def _look(state: State, now: Millis, place: int, slot: str) -> Step[State]:
    state = state.with_spot(place, slot, Spot(state.spot(place, slot).card, closes=now + LOOK))
    turn = state.turn
    if turn is not None and turn.place == place and turn.hold == slot:
        state = replace(state, turn=replace(turn, choose_by=None))
    seat = state.hands[place].seat
    return Step(state, (Note("{seat} looks at the {slot} card.", {"seat": seat, "slot": slot}),))


def _close(state: State, now: Millis, place: int, slot: str) -> Step[State]:
    state = state.with_spot(place, slot, Spot(state.spot(place, slot).card))
    turn = state.turn
    if turn is not None and turn.place == place and turn.hold == slot:
        return _go_on(state, now)
    return Step(state)


def _ready(state: State, now: Millis, place: int) -> Step[State]:
    hand = state.hands[place]
    spots = tuple(replace(spot, may_look=False) for spot in hand.spots)
    hand = replace(hand, ready=True, spots=spots)
    note = Note("{seat} is ready.", {"seat": hand.seat})
    return _if_all_ready(state.with_hand(place, hand), now, note)


def _draw(state: State, now: Millis, place: int) -> Step[State]:
    state, card, notes = _drawn(state)
    note = Note("{seat} draws.", {"seat": state.hands[place].seat})
    return Step(_holding(state, now, card, taken=False), (*notes, note))


def _take(state: State, now: Millis, place: int) -> Step[State]:
    card = state.discards[-1]
    state = replace(state, discards=state.discards[:-1])
    note = Note("{seat} takes the discard.", {"seat": state.hands[place].seat})
    return Step(_holding(state, now, card, taken=True), (note,))


def _swap(state: State, now: Millis, place: int, slot: str) -> Step[State]:
    card = state.running.card
    assert card is not None
    old = state.spot(place, slot).card
    state = _discarded(state.with_spot(place, slot, Spot(card)), old)
    values: dict[str, Value] = {"seat": state.hands[place].seat, "slot": slot}
    return _go_on(state, now, Note("{seat} swaps the {slot} card.", values))


def _discard(state: State, now: Millis, place: int) -> Step[State]:
    note = Note("{seat} discards the drawn card.", {"seat": state.hands[place].seat})
    return _go_on(_discarded(state), now, note)


def _jack(state: State, now: Millis, place: int) -> Step[State]:
    state = _discarded(state)
    state = replace(state, turn=replace(state.running, hold="middle"))
    return _look(state, now, place, "middle")


def _queen(
    state: State, now: Millis, place: int, slot: str, target: Seat, target_slot: str
) -> Step[State]:
    other = state.place(target)
    assert other is not None
    mine, theirs = state.spot(place, slot).card, state.spot(other, target_slot).card
    state = state.with_spot(place, slot, Spot(theirs, may_look=slot != "middle"))
    state = state.with_spot(other, target_slot, Spot(mine, may_look=target_slot != "middle"))
    state = _discarded(state)
    values: dict[str, Value] = {
        "seat": state.hands[place].seat,
        "slot": slot,
        "other": target,
        "other_slot": target_slot,
    }
    key = "{seat} swaps blind: the {slot} card with the {other_slot} card of {other}."
    notes = [Note(key, values)]
    if target_slot != "middle":
        notes.append(
            Note("You may look at your new {slot} card.", {"slot": target_slot}, (target,))
        )
    if slot == "middle":
        return _go_on(state, now, *notes)
    turn = replace(state.running, hold=slot, choose_by=now + LOOK_CHOICE)
    return Step(replace(state, turn=turn), tuple(notes))


def _king(state: State, now: Millis, place: int) -> Step[State]:
    state = _discarded(state)
    state = replace(state, turn=replace(state.running, extra=state.running.extra + 2))
    note = Note("{seat} gets two extra draws.", {"seat": state.hands[place].seat})
    return _go_on(state, now, note)


def _skip(state: State, now: Millis, place: int) -> Step[State]:
    note = Note("{seat} goes on without looking.", {"seat": state.hands[place].seat})
    return _go_on(state, now, note)


def _crisp(state: State, now: Millis, place: int) -> Step[State]:
    """The call: who has not had a turn since the caller's is due one more, the running one too."""
    caller = state.hands[place]
    assert caller.window is not None
    values = {"seat": caller.seat, "millis": now - caller.window}
    note = Note("{seat} calls crisp {millis} s after the end of the turn.", values)
    hands = tuple(
        hand if hand.window is None else replace(hand, window=None) for hand in state.hands
    )
    turn = state.running
    turn = replace(turn, free=min(turn.free, now))
    if not turn.is_open:
        turn = replace(turn, opens=now, is_open=True, since=now)
    state = replace(state, hands=hands, turn=turn, caller=place, called=now)
    return _revealed(state, note) if turn.place == place else Step(state, (note,))


_ACTS: Mapping[str, Callable[..., Step[State]]] = {
    "look": _look,
    "close": _close,
    "ready": _ready,
    "draw": _draw,
    "take": _take,
    "swap": _swap,
    "discard": _discard,
    "jack": _jack,
    "queen": _queen,
    "king": _king,
    "skip": _skip,
    "crisp": _crisp,
}


# The piles and the card held


def _drawn(state: State) -> tuple[State, Card, tuple[Note, ...]]:
    """The top of the draw pile, which is the turned-over discard pile where it is empty."""
    notes: tuple[Note, ...] = ()
    if not state.pile:
        state = replace(state, pile=state.discards, discards=())
        notes = (Note("The draw pile is empty: the discard pile is turned over."),)
    return replace(state, pile=state.pile[1:]), state.pile[0], notes


def _holding(state: State, now: Millis, card: Card, taken: bool) -> State:
    turn = state.running
    if not turn.begun:
        # Its window has closed by then: no turn comes round in 3 s.
        hand = replace(state.hands[turn.place], shut=(_DREW, now))
        state = state.with_hand(turn.place, hand)
    turn = replace(turn, card=card, taken=taken, extra=max(turn.extra - 1, 0))
    return replace(state, turn=turn)


def _discarded(state: State, card: Card | None = None) -> State:
    """The card held is gone: it, or the one it replaced, is the top discard."""
    turn = state.running
    card = card or turn.card
    assert card is not None
    turn = replace(turn, card=None, taken=False)
    return replace(state, discards=(*state.discards, card), turn=turn)


# How the round goes on


def _if_all_ready(state: State, now: Millis, *notes: Note) -> Step[State]:
    present = [hand for hand in state.hands if hand.present]
    if present and all(hand.ready for hand in present):
        return _begun(state, now, *notes)
    return Step(state, notes)


def _begun(state: State, now: Millis, *notes: Note) -> Step[State]:
    """The first look is over, for everybody; the seat left of the dealer may draw."""
    seats = [hand.seat for hand in state.hands]
    turn = Turn(_after(seats, state.dealer), now, now, opens=now, is_open=True, since=now)
    note = Note("The first look is over: {seat} begins.", {"seat": seats[turn.place]})
    return Step(replace(_without_looks(state), first_look=None, turn=turn), (*notes, note))


def _go_on(state: State, now: Millis, *notes: Note) -> Step[State]:
    """A draw is done: the next one that is due, or the end of the turn."""
    turn = replace(state.running, since=now, hold=None, choose_by=None)
    state = replace(state, turn=turn)
    return Step(state, notes) if turn.extra else _ended(state, now, *notes)


def _ended(state: State, now: Millis, *notes: Note, timed_out: bool = False) -> Step[State]:
    """The turn is over: with a crisp window, but after a time-out or a call."""
    place = state.running.place
    after = (place + 1) % len(state.hands)
    if after == state.caller:
        return _revealed(state, *notes)
    window = state.caller is None and not timed_out
    shut = (_TIMED_OUT, now) if timed_out else None
    hand = replace(state.hands[place], window=now if window else None, shut=shut)
    free = now + WINDOW if window else now
    opens = _opening(now, free, state.hands[after].by)
    turn = Turn(after, now, free, opens, is_open=not window, since=now)
    return Step(replace(state.with_hand(place, hand), turn=turn), notes)


def _opening(came: Millis, free: Millis, by: By) -> Millis:
    """When a turn opens: a person may cut into the window before it, nobody else may."""
    return min(came + HEAD_START, free) if by == "person" else free


def _reopened(turn: Turn, now: Millis, by: By) -> Turn:
    """The turn when another plays it from now on.

    What has begun goes on, and whoever goes away keeps a turn that is open. A bot that steps in
    has to wait like any bot.
    """
    if turn.begun or (turn.is_open and (by != "bot" or turn.free <= now)):
        return turn
    return replace(turn, opens=max(now, _opening(turn.came, turn.free, by)), is_open=False)


def _revealed(state: State, *notes: Note) -> Step[State]:
    """The round is over: no look, no window, no turn is left. Its outcome says the rest."""
    hands = tuple(replace(hand, window=None, shut=None) for hand in state.hands)
    state = replace(
        _without_looks(replace(state, hands=hands)), first_look=None, turn=None, over=True
    )
    return Step(state, notes)


def _without_looks(state: State) -> State:
    hands = tuple(
        replace(hand, spots=tuple(Spot(spot.card) for spot in hand.spots)) for hand in state.hands
    )
    return replace(state, hands=hands)


# What time does

_Deadline: TypeAlias = tuple[Millis, Callable[[], Step[State]]]


def _deadlines(state: State) -> Iterator[_Deadline]:
    """Every deadline and what it does. Of those due at the same time, the first here fires first:

    an open look closes, a Queen's look is not taken, a crisp window closes, the first look ends,
    the turn opens, its clock runs out.
    """
    for place, hand in enumerate(state.hands):
        for slot, spot in zip(SLOTS, hand.spots):
            if spot.closes is not None:
                yield spot.closes, partial(_look_ran_out, state, spot.closes, place, slot)
    turn = state.turn
    if turn is not None and turn.choose_by is not None:
        yield turn.choose_by, partial(_look_not_taken, state, turn.choose_by)
    for place, hand in enumerate(state.hands):
        if hand.window is not None:
            yield hand.window + WINDOW, partial(_window_closed, state, place, hand.window + WINDOW)
    if state.first_look is not None:
        yield state.first_look, partial(_begun, state, state.first_look)
    if turn is not None and not turn.is_open:
        yield turn.opens, partial(_turn_opened, state)
    elif (clock := _draw_clock(state)) is not None:
        yield clock[0], partial(_timed_out, state, clock[0])


def _draw_clock(state: State) -> tuple[Millis, Millis] | None:
    """When the present draw has to be done, and since when; None while no such clock runs.

    Who has left has no time at all, but the window before the turn is not cut short. Who is away
    from a table without a clock has a minute.
    """
    turn = state.turn
    if turn is None or not turn.is_open or turn.hold is not None:
        return None
    hand = state.hands[turn.place]
    if hand.by == "left":
        start = max(turn.since, hand.since, turn.free)
        return start, start
    if state.draw_time is not None:
        return turn.since + state.draw_time, turn.since
    if hand.by == "nobody":
        start = max(turn.opens, hand.since)
        return start + GRACE, start
    return None


def _look_ran_out(state: State, now: Millis, place: int, slot: str) -> Step[State]:
    line = _by_time(state.hands[place].seat, "close", slot=slot)
    return replace(_close(state, now, place, slot), lines=(line,))


def _look_not_taken(state: State, now: Millis) -> Step[State]:
    place = state.running.place
    line = _by_time(state.hands[place].seat, "skip")
    return replace(_skip(state, now, place), lines=(line,))


def _by_time(seat: Seat, do: str, **picks: str) -> Line:
    return {"kind": "act", "seat": seat, "do": do, **picks, "by_time": True}


def _window_closed(state: State, place: int, now: Millis) -> Step[State]:
    hand = replace(state.hands[place], window=None, shut=(_LATE, now))
    return Step(state.with_hand(place, hand))


def _turn_opened(state: State) -> Step[State]:
    turn = state.running
    return Step(replace(state, turn=replace(turn, is_open=True, since=turn.opens)))


def _timed_out(state: State, now: Millis) -> Step[State]:
    """The turn ends where it stands, without a window, and nothing drawn has an effect."""
    turn = state.running
    hand = state.hands[turn.place]
    key = "{seat} runs out of time: the extra draws are lost."
    flipped: tuple[Note, ...] = ()
    if not turn.begun:
        state, card, flipped = _drawn(state)
        state = _discarded(state, card)
        key = "{seat} runs out of time: the top card is discarded."
    elif turn.card is not None:
        state = _discarded(state)
        key = "{seat} runs out of time: the card goes to the discard pile."
    if hand.by == "left":
        key = "{seat} has left: the turn passes."
    step = _ended(state, now, *flipped, Note(key, {"seat": hand.seat}), timed_out=True)
    return replace(step, lines=({"kind": "timeout", "seat": hand.seat},))


# The score


def _bonus(state: State, caller: int) -> int:
    totals = [hand.total for hand in state.hands]
    mine = totals.pop(caller)
    return -BONUS if mine < min(totals) else BONUS


def _judged(state: State, caller: int) -> Text:
    values = {"seat": state.hands[caller].seat, "points": BONUS}
    if _bonus(state, caller) < 0:
        return Text("{seat} called crisp with the lowest total: {points} points off.", values)
    key = "{seat} called crisp, but not alone with the lowest total: {points} points more."
    return Text(key, values)


# What is seen


def _phase(state: State) -> str:
    if state.over:
        return "Reveal"
    if state.turn is None:
        return "First look"
    return "Play" if state.caller is None else "Final turns"


class _SeenByAll:
    """What everybody may know of the position that was asked for last: all seats ask for the same
    one, so it is built once for them."""

    def __init__(self) -> None:
        self._last: tuple[State, View] | None = None

    def of(self, state: State) -> View:
        last = self._last
        if last is None or last[0] is not state:
            last = self._last = state, _public_view(state)
        return last[1]


_SEEN_BY_ALL = _SeenByAll()


def _public_view(state: State) -> View:
    turn = None if state.over else state.turn
    return View(
        seat=None,
        phase=_phase(state),
        turn=None if turn is None else state.hands[turn.place].seat,
        zones=tuple(_public_zones(state)),
        clocks=() if state.over else tuple(_clocks(state)),
        tags=tuple(_tags(state)),
        facts=(Text("Extra draws left: {n}", {"n": turn.extra}),) if turn and turn.extra else (),
        sheet=_sheet(state) if state.over else (),
        banner=_banner(state, None),
    )


def _banner(state: State, place: int | None) -> Text | None:
    """That crisp was called, until the cards lie open; and whose last turn runs, to that seat."""
    if state.caller is None or state.over:
        return None
    values: dict[str, Value] = {"seat": state.hands[state.caller].seat}
    if place == state.caller:
        return Text("You called crisp: everybody else has one last turn.")
    if place is not None and place == state.running.place:
        return Text("{seat} called crisp: this is your last turn.", values)
    return Text("{seat} called crisp: these are the last turns.", values)


def _public_zones(state: State) -> Iterator[Zone]:
    for hand in state.hands:
        yield _open_hand(hand) if state.over else _closed_hand(hand, own=False)
    yield Zone("draw pile", None, (), len(state.pile))
    yield Zone("discard pile", None, state.discards[-1:], len(state.discards))
    turn = state.turn
    if turn is not None and turn.card is not None:
        yield _drawn_card(state.hands[turn.place].seat, turn, own=False)


def _open_zones(state: State) -> Iterator[Zone]:
    for hand in state.hands:
        yield _open_hand(hand)
    yield Zone("draw pile", None, state.pile[:1], len(state.pile))
    yield Zone("discard pile", None, state.discards[-1:], len(state.discards))
    turn = state.turn
    if turn is not None and turn.card is not None:
        yield _drawn_card(state.hands[turn.place].seat, turn, own=True)


def _own_zones(state: State, place: int, zones: tuple[Zone, ...]) -> tuple[Zone, ...]:
    """The zones with what the player at this place alone may see in them."""
    if state.over:
        return zones
    hand, turn = state.hands[place], state.turn
    own = (*zones[:place], _closed_hand(hand, own=True), *zones[place + 1 :])
    if turn is None or turn.card is None or turn.place != place:
        return own
    return (*own[:-1], _drawn_card(hand.seat, turn, own=True))


def _drawn_card(owner: Seat, turn: Turn, own: bool) -> Zone:
    face = turn.card if turn.taken or own else None
    where = "from the discard pile" if turn.taken else "from the draw pile"
    return Zone("drawn", owner, (face,), 1, note=where)


def _open_hand(hand: Hand) -> Zone:
    faces = tuple(spot.card for spot in hand.spots)
    return Zone("hand", hand.seat, faces, 3, SLOTS, _marks(hand, own=True))


def _closed_hand(hand: Hand, own: bool) -> Zone:
    """Backs, but for the looks that are open in one's own hand."""
    marks = _marks(hand, own)
    if not own or LOOKING not in marks:
        return _backs(hand.seat, marks)
    faces = tuple(None if spot.closes is None else spot.card for spot in hand.spots)
    return Zone("hand", hand.seat, faces, 3, SLOTS, marks)


def _marks(hand: Hand, own: bool) -> tuple[str, ...]:
    """The looks that are open, and those that the player may still take."""
    return tuple(
        LOOKING if spot.closes is not None else "may look" if own and spot.may_look else ""
        for spot in hand.spots
    )


@cache
def _backs(seat: Seat, marks: tuple[str, ...]) -> Zone:
    return Zone("hand", seat, (None, None, None), 3, SLOTS, marks)


_MAY_CALL = "{seat} may still call: {left}"
_MY_START = "you may start in {left}"
_THEIR_START = "{seat} may start in {left}"


def _clocks(state: State) -> Iterator[Clock]:
    if state.first_look is not None:
        yield Clock("first look", None, state.first_look, FIRST_LOOK)
    for hand in state.hands:
        if hand.window is not None:
            ends = hand.window + WINDOW
            yield Clock("crisp window", hand.seat, ends, WINDOW, loud=True, theirs=_MAY_CALL)
        for spot in hand.spots:
            if spot.closes is not None:
                yield Clock("look", hand.seat, spot.closes, LOOK)
    turn = state.turn
    if turn is None:
        return
    seat = state.hands[turn.place].seat
    if not turn.is_open:
        total = turn.opens - turn.came
        yield Clock("next turn", seat, turn.opens, total, mine=_MY_START, theirs=_THEIR_START)
    elif turn.choose_by is not None:
        yield Clock("look choice", seat, turn.choose_by, LOOK_CHOICE)
    elif (clock := _draw_clock(state)) is not None:
        ends, start = clock
        if start < ends:
            yield Clock("draw", seat, ends, ends - start)


def _tags(state: State) -> Iterator[Tag]:
    yield Tag(state.dealer, Text("deals"))
    if state.caller is not None:
        yield Tag(state.hands[state.caller].seat, Text("called crisp"), loud=True)
    if state.over:
        return
    if state.turn is None:
        for hand in state.hands:
            if hand.ready:
                yield Tag(hand.seat, Text("ready"))
    elif state.caller is not None:
        count = len(state.hands)
        for steps in range(1, (state.caller - state.turn.place) % count):
            hand = state.hands[(state.turn.place + steps) % count]
            yield Tag(hand.seat, Text("final turn to come"))


def _sheet(state: State) -> tuple[tuple[str, tuple[tuple[Seat, int], ...]], ...]:
    totals = ("total", tuple((hand.seat, hand.total) for hand in state.hands))
    if state.caller is None:
        return (totals,)
    seat = state.hands[state.caller].seat
    return (totals, ("crisp", ((seat, _bonus(state, state.caller)),)))
