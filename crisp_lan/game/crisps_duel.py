"""Crisps!: two players climb over each other's plays, and the first empty hand takes a point.

A card is its rank alone, and there are four of each, so cards are told apart by nothing. What can
be played is a `Combination`; `_combination` says what some cards are and `_follows` what may come
after what. All that is offered, refused and skipped is decided by these two.

A turn is one of three: to lead, to follow, or to pick a card after the other has passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crisp_lan.game.rules import (
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

RANKS = ("1", "2", "3", "4", "5", "6", "7", "8", "9", "C")
CRISP = "C"
COPIES = 4
HAND = 12
OUT = 4
"""Cards that stay out of a deal, unseen."""
POINTS = 3
GRACE: Millis = 60_000

_HEIGHT = {rank: height for height, rank in enumerate(RANKS, start=1)}
_DECK = tuple(rank for rank in RANKS for _ in range(COPIES))


@dataclass(frozen=True, slots=True)
class Combination:
    """What some cards are: `kind` of it, how many cards, the rank that counts, a Crisp in it."""

    kind: str
    size: int
    top: Card
    crisp: bool

    @property
    def special(self) -> bool:
        return self.kind == "special"


@dataclass(frozen=True, slots=True)
class Hand:
    """A player's cards, low to high. `since`: when `by` last changed."""

    seat: Seat
    by: By
    since: Millis
    cards: tuple[Card, ...]

    @property
    def present(self) -> bool:
        return self.by in ("person", "bot")


@dataclass(frozen=True, slots=True)
class State:
    """A deal. `turn` is the place of who is on turn since `since`; `starter` that of who began.

    `trick` is the play that has to be beaten, and then `leader` the place of who made it; under
    it and in the tricks before lie the `played` cards. While `picks` the winner of the trick picks
    a card. The top of the `deck` is its first card; `up` lies open.
    """

    turn_time: Millis | None
    crisps_run: bool
    auto_skip: bool
    open_draw: bool
    starter: int
    hands: tuple[Hand, Hand]
    out: tuple[Card, ...]
    deck: tuple[Card, ...]
    up: Card | None
    turn: int
    since: Millis
    trick: tuple[Card, ...] = ()
    played: tuple[Card, ...] = ()
    picks: bool = False
    winner: int | None = None

    @property
    def leader(self) -> int:
        """The place of who made the play on the table."""
        return self.turn if self.picks or self.winner is not None else 1 - self.turn

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return self.hands[self.turn].seat

    def place(self, seat: Seat) -> int | None:
        """Where a seat's hand is; None for a seat that is not dealt in."""
        return next((place for place, hand in enumerate(self.hands) if hand.seat == seat), None)

    def with_hand(self, place: int, hand: Hand) -> State:
        one, other = self.hands
        return replace(self, hands=(hand, other) if place == 0 else (one, hand))

    def combination(self, cards: Iterable[Card]) -> Combination | None:
        """What the cards are by the rules of this table."""
        return _combination(cards, self.crisps_run)


class CrispsDuel:
    """The rules of Crisps!, for the table. Satisfies `rules.Game[State]`."""

    key = "crisps"
    title = "Crisps!"
    goal = "Climb over what lies there, and be the first to play your last card."
    seats: tuple[int, ...] = (2,)
    options: tuple[Option, ...] = (
        Option("turn_time", "Seconds for each turn", "--turn-time", (30, 45, 60, None), 45),
        Option(
            "face_up_draw", "One card to draw lies face up", "--no-face-up", (True, False), True
        ),
        Option(
            "runs_with_crisps",
            "A Crisp may follow the 9 in a run",
            "--runs-with-crisps",
            (False, True),
            False,
        ),
        Option(
            "auto_skip",
            "Who cannot follow passes by itself",
            "--auto-skip",
            (False, True),
            False,
        ),
    )
    dealer_field = "starter"
    lowest_wins = False
    seats_stay = True
    fields: Mapping[str, tuple[str, ...]] = {"play": ("cards*",), "pick": ("from",)}

    def cards(self, seats: int) -> tuple[Card, ...]:
        """Four of each rank, low to high."""
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
        """Twelve cards each by turns, the starter's first; four out, one turned up."""
        starter = seats.index(dealer)
        one, other = (
            Hand(seat, by[seat], now, _sorted(deck[place ^ starter : 2 * HAND : 2]))
            for place, seat in enumerate(seats)
        )
        rest = tuple(deck[2 * HAND + OUT :])
        turn_time, open_draw = options["turn_time"], bool(options["face_up_draw"])
        state = State(
            turn_time=None if turn_time is None else 1000 * turn_time,
            crisps_run=bool(options["runs_with_crisps"]),
            auto_skip=bool(options["auto_skip"]),
            open_draw=open_draw,
            starter=starter,
            hands=(one, other),
            out=tuple(deck[2 * HAND : 2 * HAND + OUT]),
            deck=rest,
            up=None,
            turn=starter,
            since=now,
        )
        return Step(_turned_up(state), (Note("{seat} starts.", {"seat": dealer}),))

    def apply(self, state: State, now: Millis, seat: Seat, act: Act) -> Step[State]:
        """The position after an offered act; any other is refused with the reason."""
        place = state.place(seat)
        if place is None:
            raise Refused("You are not in this round.")
        for choice in _choices(state, place):
            if choice.name == act.name and act.picks in choice.picks:
                return _ACTS[act.name](state, now, *act.picks)
        raise _refusal(state, place, act)

    def presence(self, state: State, now: Millis, seat: Seat, by: By) -> Step[State]:
        """Who plays the seat from now on."""
        place = state.place(seat)
        if place is None or state.hands[place].by == by:
            return Step(state)
        return Step(state.with_hand(place, replace(state.hands[place], by=by, since=now)))

    def wake_at(self, state: State) -> Millis | None:
        """The end of the turn's clock, if one runs."""
        clock = _turn_clock(state)
        return None if clock is None else clock[0]

    def wake(self, state: State) -> Step[State]:
        """The turn's time is over."""
        now = self.wake_at(state)
        assert now is not None, "no clock runs"
        return _timed_out(state, now)

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know: its own hand, the play on the table, and the card turned up."""
        over = state.winner is not None
        place = None if seat is None else state.place(seat)
        return View(
            seat,
            "Reveal" if over else "Pick" if state.picks else "Follow" if state.trick else "Lead",
            turn=None if over else state.seat,
            zones=tuple(_zones(state, place)),
            choices=() if place is None else _choices(state, place),
            clocks=tuple(_clocks(state)),
            tags=(Tag(state.hands[state.starter].seat, Text("started")),),
            facts=tuple(_facts(state)),
            sheet=_sheet(state) if over else (),
        )

    def laid_open(self, state: State) -> View:
        """Both hands, the top of the deck, and what was left out of the deal."""
        public = self.view(state, None)
        out = Text("Out of the deal: {card}", {"card": " ".join(_sorted(state.out))})
        return replace(public, zones=tuple(_open_zones(state)), facts=(out, *public.facts))

    def outcome(self, state: State) -> Outcome | None:
        """A point for the empty hand."""
        if state.winner is None:
            return None
        seat = state.hands[state.winner].seat
        delta = {hand.seat: int(hand.seat == seat) for hand in state.hands}
        return Outcome(
            Text("{seat} has no card left: a point.", {"seat": seat}), delta, {"winner": seat}
        )

    def verdict(
        self, scores: Mapping[Seat, int], options: Mapping[str, Setting]
    ) -> tuple[Seat, ...] | None:
        """Who has three points."""
        return tuple(seat for seat, score in scores.items() if score >= POINTS) or None

    def last_standing(
        self, there: Sequence[Seat], seats: Sequence[Seat]
    ) -> tuple[Seat, ...] | None:
        """The one who is left."""
        return tuple(there) if len(there) < 2 else None

    def target(self, options: Mapping[str, Setting], seats: int) -> int:
        """Three points."""
        return POINTS

    def next_dealer(self, seats: Sequence[Seat], last: Seat, scores: Mapping[Seat, int]) -> Seat:
        """Who has the lower score starts; at equal scores, who did not start last."""
        return min(seats, key=lambda seat: (scores[seat], seat == last))


CRISPS = CrispsDuel()


# What cards are, and what follows what


def _sorted(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(cards, key=_HEIGHT.__getitem__))


def _combination(cards: Iterable[Card], crisps_run: bool) -> Combination | None:
    """What some cards are, None if they cannot be played together."""
    counts = Counter(cards)
    ranks, copies = _sorted(counts), set(counts.values())
    if not ranks or len(copies) > 1:
        return None
    each, top = copies.pop(), ranks[-1]
    crisp = top == CRISP
    if len(ranks) == 1:
        kind = {1: "single", 2: "pair"}.get(each, "special")
        return Combination(kind, each, top, crisp)
    if _HEIGHT[top] - _HEIGHT[ranks[0]] != len(ranks) - 1 or (crisp and not crisps_run):
        return None
    kind, least = {1: ("run", 3), 2: ("pairs", 2)}.get(each, ("", len(RANKS) + 1))
    return Combination(kind, each * len(ranks), top, crisp) if len(ranks) >= least else None


def _follows(new: Combination, old: Combination) -> bool:
    """Whether a play may be made after another."""
    if new.special and old.special:
        return (new.size, _HEIGHT[new.top]) > (old.size, _HEIGHT[old.top])
    if new.special:
        return old.crisp
    same = (new.kind, new.size) == (old.kind, old.size)
    return same and _HEIGHT[new.top] >= _HEIGHT[old.top]


def _plays(state: State, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Every set of the cards, low to high, that may be played now; none of them twice."""
    old = state.combination(state.trick)
    for several in _sets(Counter(cards)):
        new = state.combination(several)
        if new is not None and (old is None or _follows(new, old)):
            yield several


def _sets(counts: Mapping[Card, int]) -> Iterator[tuple[Card, ...]]:
    """All that may be a combination: equal cards, and as many of each rank in a row."""
    for first, rank in enumerate(RANKS):
        for copies in range(1, counts[rank] + 1):
            yield (rank,) * copies
        for copies in (1, 2):
            for last in range(first + 1, len(RANKS) + 1):
                if counts[RANKS[last - 1]] < copies:
                    break
                if last - first > 1:
                    yield tuple(rank for rank in RANKS[first:last] for _ in range(copies))


# What a seat may do

_PASS = Choice("pass", "Pass", key="k")
_PICK = Choice("pick", "Take the face-up card or one from the deck", (("up",), ("deck",)), key="t")


def _choices(state: State, place: int) -> tuple[Choice, ...]:
    hand = state.hands[place]
    if state.winner is not None or state.turn != place or not hand.present:
        return ()
    if state.picks:
        return (_PICK,)
    plays = tuple(_plays(state, hand.cards))
    play = (Choice("play", "Play cards", plays, key="y", sets=True),) if plays else ()
    return (*play, _PASS) if state.trick else play


# Why not


def _refusal(state: State, place: int, act: Act) -> Refused:
    """The reason, from the own hand and what everybody sees."""
    if state.winner is not None:
        return Refused("The round is over.")
    if not state.hands[place].present:
        return Refused("Nobody plays this seat now.")
    if state.turn != place:
        return Refused("It is not your turn.")
    if act.name == "pick" and not state.picks:
        return Refused("There is nothing to take now.")
    if act.name in ("play", "pass") and state.picks:
        return Refused("Take a card first.")
    if act.name == "pass" and not act.picks:
        return Refused("Who leads has to play something.")
    if act.name == "play":
        return _play_refusal(state, state.hands[place].cards, act.picks)
    return Refused("That is not among your choices.")


def _play_refusal(state: State, hand: Sequence[Card], picks: Sequence[Pick]) -> Refused:
    cards = [pick for pick in picks if isinstance(pick, str)]
    if not picks:
        return Refused("Mark the cards that you want to play.")
    if len(cards) < len(picks) or Counter(cards) - Counter(hand):
        return Refused("You do not hold these cards.")
    new, old = state.combination(cards), state.combination(state.trick)
    if new is None:
        return _no_combination(cards)
    if old is not None and not _follows(new, old):
        return _no_follow(new, old)
    return Refused("Name the cards in the order of your hand.")


def _no_combination(cards: Sequence[Card]) -> Refused:
    if _combination(cards, crisps_run=True) is not None:
        return Refused("A Crisp cannot be part of a run.")
    if len(cards) == 2:
        return Refused("Two cards have to be equal.")
    return Refused("Play equal cards, a run of three or more, or a run of pairs.")


_NEEDED = {
    "single": "A single card is needed.",
    "pair": "A pair is needed.",
    "run": "A run of {n} cards is needed.",
    "pairs": "A run of {n} pairs is needed.",
}
_SAME_LENGTH = {
    "run": "A run needs the same length: {n}.",
    "pairs": "A run of pairs needs as many pairs: {n}.",
}


def _no_follow(new: Combination, old: Combination) -> Refused:
    if old.special:
        key = "More than {n} equal cards are needed, or {n} higher than {card}."
        return Refused(key, {"n": old.size, "card": old.top})
    if new.special:
        return Refused("Three or four equal cards only follow a play with a Crisp.")
    if new.kind != old.kind:
        return Refused(_NEEDED[old.kind], {"n": _length(old)})
    if new.size != old.size:
        return Refused(_SAME_LENGTH[old.kind], {"n": _length(old)})
    return Refused("Equal or higher than {card} is needed.", {"card": old.top})


def _length(play: Combination) -> int:
    return play.size // 2 if play.kind == "pairs" else play.size


# What a seat does. All of these are offered acts: nothing is checked again.


def _play(state: State, now: Millis, *picks: Card) -> Step[State]:
    hand = state.hands[state.turn]
    cards, kept = _parted(hand.cards, picks)
    note = Note("{seat} plays {card}.", {"seat": hand.seat, "card": " ".join(cards)})
    state = state.with_hand(state.turn, replace(hand, cards=kept))
    state = replace(state, trick=cards, played=state.played + state.trick)
    if not kept:
        return Step(replace(state, winner=state.turn), (note,))
    state = replace(state, turn=1 - state.turn, since=now)
    if state.auto_skip and not _can_be_followed(state):
        return _skipped(state, now, note)
    return Step(state, (note,))


def _parted(cards: Sequence[Card], picks: Sequence[Card]) -> tuple[tuple[Card, ...], ...]:
    """The picked ones of some cards, and those that are left."""
    wanted = Counter(picks)
    picked: list[Card] = []
    kept: list[Card] = []
    for card in cards:
        (picked if wanted[card] > 0 else kept).append(card)
        wanted[card] -= 1
    return tuple(picked), tuple(kept)


def _can_be_followed(state: State) -> bool:
    """Whether the deck, without all that has been played in this deal, holds a higher play."""
    unplayed = Counter(_DECK) - Counter(state.played + state.trick)
    return any(_plays(state, list(unplayed.elements())))


def _skipped(state: State, now: Millis, note: Note) -> Step[State]:
    """The follower passes by itself."""
    line: Line = {"kind": "act", "seat": state.seat, "do": "pass", "auto": True}
    skips = Note("Nothing can beat that: {seat} passes.", {"seat": state.seat})
    step = _trick_over(state, now)
    return Step(step.state, (note, skips, *step.notes), (line,))


def _pass(state: State, now: Millis) -> Step[State]:
    note = Note("{seat} passes.", {"seat": state.seat})
    step = _trick_over(state, now)
    return replace(step, notes=(note, *step.notes))


def _trick_over(state: State, now: Millis) -> Step[State]:
    """Who played last is on turn: to pick a card, or with no choice of cards to lead."""
    state = replace(state, turn=1 - state.turn, since=now, picks=True)
    if state.up is not None:
        return Step(state)
    if not state.deck:
        return Step(_to_lead(state))
    winner, other = state.hands[state.turn].seat, state.hands[1 - state.turn].seat
    first, second = state.deck[:2]
    notes = (
        Note("{seat} and then {other} draw from the deck.", {"seat": winner, "other": other}),
        Note("You draw {card}.", {"card": first}, (winner,)),
        Note("You draw {card}.", {"card": second}, (other,)),
    )
    return Step(_drawn(replace(state, deck=state.deck[2:]), first, second), notes)


def _pick(state: State, now: Millis, source: str) -> Step[State]:
    top, up = state.deck[0], state.up
    assert up is not None
    winner, other = state.hands[state.turn].seat, state.hands[1 - state.turn].seat
    values: dict[str, Value] = {"seat": winner, "other": other, "card": up}
    if source == "up":
        key = "{seat} takes the face-up {card}, and {other} the top of the deck."
        drawer, cards = other, (up, top)
    else:
        key = "{seat} takes the top of the deck, and {other} the face-up {card}."
        drawer, cards = winner, (top, up)
    state = replace(state, deck=state.deck[1:], up=None, since=now)
    notes = (Note(key, values), Note("You draw {card}.", {"card": top}, (drawer,)))
    return Step(_drawn(state, *cards), notes)


def _drawn(state: State, first: Card, second: Card) -> State:
    """The winner of the trick has got the first card, the other the second."""
    for place, card in ((state.turn, first), (1 - state.turn, second)):
        hand = state.hands[place]
        state = state.with_hand(place, replace(hand, cards=_sorted((*hand.cards, card))))
    return _to_lead(_turned_up(state))


def _turned_up(state: State) -> State:
    if not state.open_draw or not state.deck:
        return state
    return replace(state, up=state.deck[0], deck=state.deck[1:])


def _to_lead(state: State) -> State:
    return replace(state, trick=(), played=state.played + state.trick, picks=False)


_ACTS: Mapping[str, Callable[..., Step[State]]] = {"play": _play, "pass": _pass, "pick": _pick}


# What time does


def _turn_clock(state: State) -> tuple[Millis, Millis] | None:
    """When the turn has to be done, and since when; None while no clock runs.

    Who has left has no time at all; who is away from a table without a clock has a minute.
    """
    if state.winner is not None:
        return None
    hand = state.hands[state.turn]
    present_since = max(state.since, hand.since)
    if hand.by == "left":
        return present_since, present_since
    if state.turn_time is not None:
        return state.since + state.turn_time, state.since
    return (present_since + GRACE, present_since) if hand.by == "nobody" else None


def _timed_out(state: State, now: Millis) -> Step[State]:
    """A follower passes, a leader plays the lowest card, a picker takes the one face up."""
    seat = state.seat
    if state.picks:
        step = _pick(state, now, "up")
    elif state.trick:
        step = _pass(state, now)
    else:
        step = _play(state, now, state.hands[state.turn].cards[0])
    note = Note("{seat} runs out of time.", {"seat": seat})
    line: Line = {"kind": "timeout", "seat": seat}
    return Step(step.state, (note, *step.notes), (line, *step.lines))


# What is seen


def _zones(state: State, place: int | None) -> Iterator[Zone]:
    for other, hand in enumerate(state.hands):
        known = other == place or state.winner is not None
        yield Zone(
            "hand", hand.seat, hand.cards if known else (None,) * len(hand.cards), len(hand.cards)
        )
    yield from _middle(state, ())


def _open_zones(state: State) -> Iterator[Zone]:
    for hand in state.hands:
        yield Zone("hand", hand.seat, hand.cards, len(hand.cards))
    yield from _middle(state, state.deck[:1])


def _middle(state: State, top: tuple[Card, ...]) -> Iterator[Zone]:
    """What does not lie in hands; `top` is what may be seen of the deck."""
    if state.open_draw:
        up = () if state.up is None else (state.up,)
        yield Zone("face-up card", None, up, len(up))
    yield Zone("deck", None, top, len(state.deck))
    leader = state.hands[state.leader].seat
    count = len(state.trick)
    yield Zone("on the table", None, state.trick, count, seats=(leader,) * count)


def _clocks(state: State) -> Iterator[Clock]:
    if (clock := _turn_clock(state)) is not None and clock[1] < clock[0]:
        yield Clock("turn", state.seat, clock[0], clock[0] - clock[1])


def _facts(state: State) -> Iterator[Text]:
    old = state.combination(state.trick)
    if old is not None and not state.picks and state.winner is None:
        yield _to_beat(old)


def _to_beat(old: Combination) -> Text:
    values: dict[str, Value] = {"card": old.top, "n": _length(old)}
    match old.kind:
        case "single":
            return Text("single card, {card} or higher", values)
        case "pair":
            return Text("pair, {card} or higher", values)
        case "run":
            return Text("run of {n}, {card} or higher", values)
        case "pairs":
            return Text("run of {n} pairs, {card} or higher", values)
        case _:
            return Text("{n} equal above {card}, or more", values)


def _sheet(state: State) -> tuple[tuple[str, tuple[tuple[Seat, int], ...]], ...]:
    left = tuple((hand.seat, len(hand.cards)) for hand in state.hands)
    points = tuple((hand.seat, int(not hand.cards)) for hand in state.hands)
    return (("cards left", left), ("points", points))
