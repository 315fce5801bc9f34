"""Briscola for two, three, four or six, and Briscola Chiamata for five.

A deal is a `State`: every seat's `Hand`, the trick on the table, the stock, and with five players
the `Auction`. Play goes counter-clockwise: from each *place* in `State.hands` to the one before it.
A place stays the same for the whole deal, whoever leaves.

The secret partner is nowhere in a position: whoever holds the called card is the partner, and only
when it falls does the position say at which place that was.

What may be done is said in one place, `_choices`; an act that is not among them is refused, and
`_refusal` then finds the words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from crisp_lan.game.cards import SUITS, french
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

STRENGTH = "A3KQJ76542"
"""The ranks, highest first."""
LOWEST = STRENGTH[-1]
GRACE: Millis = 60_000
ALL_POINTS = 120
HALF = 61
CHIAMATA = 5
CHIAMATA_GOAL = 11

_POINTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
_DECK = french("A234567JQK")


@dataclass(frozen=True, slots=True)
class Hand:
    """A seat of this deal: its cards, and those it won, trick by trick in order of play.

    `since`: when `by` last changed.
    """

    seat: Seat
    by: By
    since: Millis
    cards: tuple[Card, ...]
    won: tuple[Card, ...] = ()

    @property
    def present(self) -> bool:
        return self.by in ("person", "bot")

    @property
    def points(self) -> int:
        return sum(_POINTS.get(card[0], 0) for card in self.won)


@dataclass(frozen=True, slots=True)
class Auction:
    """The last bid, a rank and what it has to reach, the place it came from, and who passed."""

    rank: str = ""
    target: int = 0
    bidder: int | None = None
    passed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Contract:
    """What the declarer, the winner of the auction, has to reach, with the card of that rank.

    `partner` is the place at which that card was played, once it was: the declarer's own where the
    declarer plays alone.
    """

    declarer: int
    rank: str
    target: int
    partner: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A deal. The top of `stock` is its first card, the turned one its last.

    It is the `turn` of a place since `since`. The place `leader` led the trick on the table, the
    place `led_last` the one before it, which `leader` won. `trump` is "" until it is known. With
    five there is an `auction` first, then a `contract`.
    """

    turn_time: Millis | None
    partner_look: bool
    trump_swap: bool
    dealer: int
    hands: tuple[Hand, ...]
    stock: tuple[Card, ...]
    trump: str
    turn: int
    since: Millis
    leader: int
    trick: tuple[Card, ...] = ()
    led_last: int | None = None
    auction: Auction | None = None
    contract: Contract | None = None
    over: bool = False

    @property
    def teams(self) -> bool:
        return len(self.hands) in (4, 6)

    @property
    def called(self) -> Card | None:
        """The card that the declarer called."""
        if self.contract is None or not self.trump:
            return None
        return self.contract.rank + self.trump

    def place(self, seat: Seat) -> int | None:
        """Where a seat's hand is; None for a seat that is not dealt in."""
        return next((place for place, hand in enumerate(self.hands) if hand.seat == seat), None)

    def seat(self, place: int) -> Seat:
        return self.hands[place].seat

    def next(self, place: int) -> int:
        """The place that plays after another: the one to its right."""
        return (place - 1) % len(self.hands)

    def with_hand(self, place: int, hand: Hand) -> State:
        return replace(self, hands=(*self.hands[:place], hand, *self.hands[place + 1 :]))


class Briscola:
    """The rules of Briscola, for the table. Satisfies `rules.Game[State]`."""

    key = "briscola"
    title = "Briscola"
    goal = "Win tricks for their points: with more than half of the 120, the deal is yours."
    seats: tuple[int, ...] = (2, 3, 4, 5, 6)
    options: tuple[Option, ...] = (
        Option("first_to", "Deals that win the game", "--first-to", (1, 3, 5), 3),
        Option("turn_time", "Seconds for each turn", "--turn-time", (30, 45, 60, None), 45),
        Option(
            "partners_see_hands",
            "Partners see each other's hands at the end",
            "--no-partner-look",
            (True, False),
            True,
        ),
        Option(
            "trump_swap",
            "A low trump may be swapped for the turned card",
            "--trump-swap",
            (False, True),
            False,
        ),
    )
    dealer_field = "dealer"
    lowest_wins = False
    seats_stay = True
    fields: Mapping[str, tuple[str, ...]] = {
        "play": ("card",),
        "bid": ("rank", "target#"),
        "call": ("suit",),
        "swap_trump": ("card",),
    }

    def cards(self, seats: int) -> tuple[Card, ...]:
        """40 cards; three play without the two of clubs, six without any two."""
        if seats == 3:
            return tuple(card for card in _DECK if card != "2C")
        return tuple(card for card in _DECK if seats != 6 or card[0] != LOWEST)

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
        """Three cards each from the dealer's right on and the trump, or all 40 and an auction."""
        count = len(seats)
        dealt = len(deck) if count == CHIAMATA else 3 * count
        at = seats.index(dealer)
        hands = tuple(
            Hand(seat, by[seat], now, tuple(deck[(at - 1 - place) % count : dealt : count]))
            for place, seat in enumerate(seats)
        )
        turn_time, first = options["turn_time"], (at - 1) % count
        state = State(
            turn_time=None if turn_time is None else 1000 * turn_time,
            partner_look=bool(options["partners_see_hands"]),
            trump_swap=bool(options["trump_swap"]),
            dealer=at,
            hands=hands,
            stock=(*deck[dealt + 1 :], *deck[dealt : dealt + 1]),
            trump="",
            turn=first,
            since=now,
            leader=first,
        )
        note = Note("{seat} deals.", {"seat": dealer})
        if not state.stock:
            return Step(replace(state, auction=Auction()), (note,))
        turned = state.stock[-1]
        up = Note("{card} is turned up: the trump is {suit}.", {"card": turned, "suit": turned[1]})
        return Step(replace(state, trump=turned[1]), (note, up))

    def apply(self, state: State, now: Millis, seat: Seat, act: Act) -> Step[State]:
        """The position after an offered act; any other is refused with the reason."""
        place = state.place(seat)
        if place is None:
            raise Refused("You are not in this round.")
        for choice in _choices(state, place):
            if choice.name == act.name and act.picks in choice.picks:
                return _ACTS[act.name](state, now, place, *act.picks)
        raise _refusal(state, place, act)

    def presence(self, state: State, now: Millis, seat: Seat, by: By) -> Step[State]:
        """Who plays the seat from now on."""
        place = state.place(seat)
        if place is None or state.hands[place].by == by:
            return Step(state)
        return Step(state.with_hand(place, replace(state.hands[place], by=by, since=now)))

    def wake_at(self, state: State) -> Millis | None:
        """When the turn runs out of time; None where it has none, or the deal is over."""
        clock = _turn_clock(state)
        return None if clock is None else clock[0]

    def wake(self, state: State) -> Step[State]:
        """The turn runs out of time: the rules act for the player."""
        clock = _turn_clock(state)
        assert clock is not None, "no clock runs"
        return _timed_out(state, clock[0])

    def view(self, state: State, seat: Seat | None) -> View:
        """What a seat may know: its hand, what lies open, and at the end the partners' hands."""
        place = None if seat is None else state.place(seat)
        return View(
            seat=None if place is None else seat,
            phase=_phase(state),
            turn=None if state.over else state.seat(state.turn),
            zones=tuple(_zones(state, place)),
            choices=() if place is None else _choices(state, place),
            clocks=tuple(_clocks(state)),
            tags=tuple(_tags(state)),
            facts=tuple(_facts(state)),
            sheet=_sheet(state),
        )

    def laid_open(self, state: State) -> View:
        """All hands, and the top of the stock."""
        return replace(self.view(state, None), zones=tuple(_open_zones(state)))

    def outcome(self, state: State) -> Outcome | None:
        """Who won the deal. One in which all passed counts for nobody."""
        if not state.over:
            return None
        if not state.trump:
            why = Text("All pass: the deal counts for nobody.")
            return Outcome(why, {hand.seat: 0 for hand in state.hands}, None)
        winners = _winners(state)
        record: Line = {
            "points": {str(hand.seat): _points(state, p) for p, hand in enumerate(state.hands)},
            "winners": [state.seat(place) for place in winners],
        }
        if (contract := state.contract) is not None:
            partners = [p for p in _sides(state)[0] if p != contract.declarer]
            record |= {
                "declarer": state.seat(contract.declarer),
                "partner": state.seat(partners[0]) if partners else None,
                "target": contract.target,
            }
        return Outcome(_judged(state, winners), _delta(state, winners), record)

    def verdict(
        self, scores: Mapping[Seat, int], options: Mapping[str, Setting]
    ) -> tuple[Seat, ...] | None:
        """Once a seat has reached the goal: all who share the highest score."""
        best = max(scores.values())
        if best < self.target(options, len(scores)):
            return None
        return tuple(seat for seat, score in scores.items() if score == best)

    def last_standing(
        self, there: Sequence[Seat], seats: Sequence[Seat]
    ) -> tuple[Seat, ...] | None:
        """The one who is left, or the side that is still there."""
        if len(seats) not in (4, 6):
            return tuple(there) if len(there) < 2 else None
        sides = [tuple(seats[side::2]) for side in (0, 1)]
        standing = [side for side in sides if set(side) & set(there)]
        if len(standing) == 2:
            return None
        return standing[0] if standing else ()

    def target(self, options: Mapping[str, Setting], seats: int) -> int:
        """As many deals as agreed; with five always 11 points."""
        goal = options["first_to"]
        assert goal is not None, "Briscola is always played to a number of deals"
        return CHIAMATA_GOAL if seats == CHIAMATA else goal

    def next_dealer(self, seats: Sequence[Seat], last: Seat, scores: Mapping[Seat, int]) -> Seat:
        """The seat to the right."""
        return max((seat for seat in seats if seat < last), default=seats[-1])


BRISCOLA = Briscola()


# Which card is higher


def taker(trick: Sequence[Card], trump: str) -> int:
    """Which card of a trick, in order of play, wins it."""
    best = 0
    for at, card in enumerate(trick):
        if _beats(card, trick[best], trump):
            best = at
    return best


def _beats(card: Card, other: Card, trump: str) -> bool:
    """Whether a card beats the best one before it: higher in its suit, or a trump on another."""
    if card[1] == other[1]:
        return STRENGTH.index(card[0]) < STRENGTH.index(other[0])
    return card[1] == trump


def _cheapest(cards: Sequence[Card], trump: str) -> Card:
    """The card that time plays: fewest points, lowest rank, no trump, first suit."""

    def cost(card: Card) -> tuple[int, int, bool, int]:
        rank, suit = card[0], card[1]
        return _POINTS.get(rank, 0), -STRENGTH.index(rank), suit == trump, SUITS.index(suit)

    return min(cards, key=cost)


# What a seat may do


_PASS = Choice("pass", "Pass", key="k")
_CALL = Choice("call", "Name the trump suit", tuple((suit,) for suit in SUITS), key="s")


def _choices(state: State, place: int) -> tuple[Choice, ...]:
    hand, auction = state.hands[place], state.auction
    if state.over or place != state.turn or not hand.present:
        return ()
    if auction is not None:
        bids = _bids(auction)
        return (Choice("bid", "Bid", bids, key="i"), _PASS) if bids else (_PASS,)
    if not state.trump:
        return (_CALL,)
    cards = tuple((card,) for card in _sorted(hand.cards, state.trump))
    play = Choice("play", "Play a card", cards, key="y")
    card = _swap_card(state)
    if card not in hand.cards:
        return (play,)
    return (play, Choice("swap_trump", "Swap for the turned card", ((card,),), key="w"))


def _bids(auction: Auction) -> tuple[tuple[Pick, ...], ...]:
    """Every bid above the last: a lower rank, or a higher target for the lowest rank."""
    if auction.rank == LOWEST:
        return tuple((LOWEST, str(n)) for n in range(auction.target + 1, ALL_POINTS + 1))
    lower = STRENGTH.index(auction.rank) + 1 if auction.rank else 0
    return tuple((rank, str(HALF)) for rank in STRENGTH[lower:])


def _swap_card(state: State) -> Card | None:
    """The trump that may be swapped for the turned card, where one may."""
    if not state.trump_swap or not state.stock:
        return None
    rank = state.stock[-1][0]
    if rank == LOWEST:
        return None
    return ("7" if STRENGTH.index(rank) < STRENGTH.index("7") else LOWEST) + state.trump


# Why not


def _refusal(state: State, place: int, act: Act) -> Refused:
    if state.over:
        return Refused("The round is over.")
    if not state.hands[place].present:
        return Refused("Nobody plays this seat now.")
    if state.turn != place:
        return Refused("It is not your turn.")
    auction = state.auction
    if auction is not None:
        return _bid_refusal(auction) if act.name == "bid" else Refused("The auction is not over.")
    if not state.trump:
        return Refused("Name one of the four suits first.")
    match act.name:
        case "play":
            return Refused("You do not hold that card.")
        case "swap_trump":
            return _swap_refusal(state)
        case "bid" | "pass":
            return Refused("There is nothing to bid for now.")
        case "call":
            return Refused("The trump is known already.")
    return Refused("That is not on offer now.")


def _bid_refusal(auction: Auction) -> Refused:
    if auction.rank != LOWEST:
        if not auction.rank:
            return Refused("A bid is a rank from A down to 2, for {points} points.", _HALF)
        return Refused("A bid has to be a rank below {rank}.", {"rank": auction.rank})
    if auction.target == ALL_POINTS:
        return Refused("Nobody can bid more than that.")
    return Refused("A bid has to be for more than {points} points.", {"points": auction.target})


_HALF: Mapping[str, Value] = {"points": HALF}


def _swap_refusal(state: State) -> Refused:
    if not state.trump_swap:
        return Refused("Swapping for the turned card is off at this table.")
    if not state.stock:
        return Refused("The turned card is gone.")
    return Refused("A turned A, 3, K, Q or J goes for the trump 7, a lower one for the trump 2.")


# What a seat does. All of these are offered acts: nothing is checked again.


def _bid(state: State, now: Millis, place: int, rank: str, target: str) -> Step[State]:
    assert state.auction is not None
    auction = replace(state.auction, rank=rank, target=int(target), bidder=place)
    values: dict[str, Value] = {"seat": state.seat(place), "rank": rank, "points": int(target)}
    above = auction.target > HALF
    key = "{seat} bids {rank} for {points} points." if above else "{seat} bids {rank}."
    return _bid_on(replace(state, auction=auction), now, Note(key, values))


def _pass(state: State, now: Millis, place: int) -> Step[State]:
    assert state.auction is not None
    auction = replace(state.auction, passed=state.auction.passed | {place})
    note = Note("{seat} passes.", {"seat": state.seat(place)})
    return _bid_on(replace(state, auction=auction), now, note)


def _bid_on(state: State, now: Millis, note: Note) -> Step[State]:
    """The auction goes on to the next who has not passed, or is over."""
    auction, count = state.auction, len(state.hands)
    assert auction is not None
    if len(auction.passed) == count:
        return Step(replace(state, over=True), (note,))
    if auction.bidder is not None and len(auction.passed) == count - 1:
        contract = Contract(auction.bidder, auction.rank, auction.target)
        won = Note("{seat} wins the auction.", {"seat": state.seat(auction.bidder)})
        state = replace(state, auction=None, contract=contract, turn=contract.declarer, since=now)
        return Step(state, (note, won))
    following = state.next(state.turn)
    while following in auction.passed:
        following = state.next(following)
    return Step(replace(state, turn=following, since=now), (note,))


def _call(state: State, now: Millis, place: int, suit: str) -> Step[State]:
    state = replace(state, trump=suit, turn=state.leader, since=now)
    assert state.called is not None
    values: dict[str, Value] = {"seat": state.seat(place), "card": state.called, "suit": suit}
    return Step(state, (Note("{seat} calls {card}: the trump is {suit}.", values),))


def _swap_trump(state: State, now: Millis, place: int, card: Card) -> Step[State]:
    hand, turned = state.hands[place], state.stock[-1]
    cards = tuple(turned if held == card else held for held in hand.cards)
    state = replace(
        state.with_hand(place, replace(hand, cards=cards)), stock=(*state.stock[:-1], card)
    )
    values: dict[str, Value] = {"seat": hand.seat, "card": card, "turned_card": turned}
    return Step(state, (Note("{seat} swaps {card} for the turned {turned_card}.", values),))


def _play(state: State, now: Millis, place: int, card: Card) -> Step[State]:
    hand = state.hands[place]
    notes = [Note("{seat} plays {card}.", {"seat": hand.seat, "card": card})]
    cards = tuple(held for held in hand.cards if held != card)
    state = state.with_hand(place, replace(hand, cards=cards))
    state = replace(state, trick=(*state.trick, card), turn=state.next(place), since=now)
    if state.contract is not None and card == state.called:
        notes.append(_fallen(state, state.contract.declarer, place))
        state = replace(state, contract=replace(state.contract, partner=place))
    if len(state.trick) < len(state.hands):
        return Step(state, tuple(notes))
    state, more = _taken(state)
    return Step(state, (*notes, *more))


_ACTS: Mapping[str, Callable[..., Step[State]]] = {
    "bid": _bid,
    "pass": _pass,
    "call": _call,
    "swap_trump": _swap_trump,
    "play": _play,
}


# How the deal goes on


def _fallen(state: State, declarer: int, place: int) -> Note:
    """The called card was played: everybody knows whom the declarer plays with."""
    if place == declarer:
        return Note("That is the called card: {seat} plays alone.", {"seat": state.seat(place)})
    values = {"seat": state.seat(place), "other": state.seat(declarer)}
    return Note("That is the called card: {seat} plays with {other}.", values)


def _taken(state: State) -> tuple[State, list[Note]]:
    """The trick goes to who won it, who draws first where there is a stock, and leads."""
    count, led = len(state.hands), state.leader
    winner = (led - taker(state.trick, state.trump)) % count
    hand = state.hands[winner]
    notes = [Note("{seat} takes the trick.", {"seat": hand.seat})]
    state = state.with_hand(winner, replace(hand, won=hand.won + state.trick))
    state = replace(state, trick=(), led_last=led, leader=winner, turn=winner)
    if state.stock:
        state, drawn = _drawn(state, winner)
        notes += drawn
    return replace(state, over=not state.hands[winner].cards), notes


def _drawn(state: State, first: int) -> tuple[State, list[Note]]:
    """One card each in order of play; the turned one is the last of the stock."""
    count, turned = len(state.hands), state.stock[-1]
    cards = state.stock[:count]
    for step, card in enumerate(cards):
        place = (first - step) % count
        hand = state.hands[place]
        state = state.with_hand(place, replace(hand, cards=(*hand.cards, card)))
    state = replace(state, stock=state.stock[count:])
    if state.stock:
        return state, []
    last = state.seat((first + 1) % count)
    return state, [Note("{seat} draws the turned {card}.", {"seat": last, "card": turned})]


# What time does


def _turn_clock(state: State) -> tuple[Millis, Millis] | None:
    """When the turn runs out of time, and since when that clock runs; None while none does.

    Who has left has no time at all; who is away from a table without a clock has a minute.
    """
    if state.over:
        return None
    hand = state.hands[state.turn]
    start = max(state.since, hand.since)
    if hand.by == "left":
        return start, start
    if state.turn_time is not None:
        return state.since + state.turn_time, state.since
    return (start + GRACE, start) if hand.by == "nobody" else None


def _timed_out(state: State, now: Millis) -> Step[State]:
    """The rules act for a player: the cheapest card, a pass, or the suit with most cards."""
    place, hand = state.turn, state.hands[state.turn]
    if state.auction is not None:
        step = _pass(state, now, place)
    elif not state.trump:
        suits = [card[1] for card in hand.cards]
        step = _call(state, now, place, max(SUITS, key=suits.count))
    else:
        step = _play(state, now, place, _cheapest(hand.cards, state.trump))
    late = Note("{seat} runs out of time.", {"seat": hand.seat})
    notes = step.notes if hand.by == "left" else (late, *step.notes)
    return replace(step, notes=notes, lines=({"kind": "timeout", "seat": hand.seat},))


# Who has won


def _sides(state: State) -> tuple[tuple[int, ...], ...]:
    """The places whose points count together, the declarer's side first."""
    places = range(len(state.hands))
    if state.teams:
        return tuple(places[0::2]), tuple(places[1::2])
    if state.contract is None:
        return tuple((place,) for place in places)
    declaring = (state.contract.declarer, state.contract.partner)
    return (
        tuple(place for place in places if place in declaring),
        tuple(place for place in places if place not in declaring),
    )


def _side_points(state: State, side: Sequence[int]) -> int:
    return sum(state.hands[place].points for place in side)


def _points(state: State, place: int) -> int:
    """The points shown for a place: the side's in teams, else its own."""
    side = next(side for side in _sides(state) if place in side)
    return _side_points(state, side if state.teams else (place,))


def _winners(state: State) -> tuple[int, ...]:
    """The places that won the deal; none of them where the most points are tied."""
    sides = _sides(state)
    if state.contract is not None:
        return sides[0] if _side_points(state, sides[0]) >= state.contract.target else sides[1]
    ranked = sorted(sides, key=lambda side: _side_points(state, side))
    best, second = ranked[-1], ranked[-2]
    return best if _side_points(state, best) > _side_points(state, second) else ()


def _delta(state: State, winners: Sequence[int]) -> dict[Seat, int]:
    """A deal each to the winners; with five, the declarer's gain or loss and its counterpart."""
    contract = state.contract
    if contract is None:
        return {hand.seat: int(place in winners) for place, hand in enumerate(state.hands)}
    declaring, _ = _sides(state)
    unit = 2 if _side_points(state, declaring) in (0, ALL_POINTS) else 1
    won = unit if winners == declaring else -unit

    def share(place: int) -> int:
        if place == contract.declarer:
            return 2 if len(declaring) == 2 else 4
        return 1 if place in declaring else -1

    return {hand.seat: won * share(place) for place, hand in enumerate(state.hands)}


def _judged(state: State, winners: Sequence[int]) -> Text:
    if state.contract is not None:
        return _declarer_judged(state, state.contract, winners)
    points = max(_points(state, place) for place in range(len(state.hands)))
    if not winners:
        return Text("{points} points each at the top: nobody wins the deal.", {"points": points})
    if not state.teams:
        values = {"seat": state.seat(winners[0]), "points": points}
        return Text("{seat} wins the deal with {points} points.", values)
    if winners[0] == 0:
        return Text("Side A wins the deal with {points} points.", {"points": points})
    return Text("Side B wins the deal with {points} points.", {"points": points})


def _declarer_judged(state: State, contract: Contract, winners: Sequence[int]) -> Text:
    declaring, _ = _sides(state)
    values: dict[str, Value] = {
        "seat": state.seat(contract.declarer),
        "points": _side_points(state, declaring),
        "target": contract.target,
    }
    won = winners == declaring
    partners = [place for place in declaring if place != contract.declarer]
    if not partners:
        if won:
            return Text("{seat} alone wins with {points} of {target} points.", values)
        return Text("{seat} alone loses with {points} of {target} points.", values)
    values["other"] = state.seat(partners[0])
    if won:
        return Text("{seat} and {other} win with {points} of {target} points.", values)
    return Text("{seat} and {other} lose with {points} of {target} points.", values)


# What is seen


def _phase(state: State) -> str:
    if state.over:
        return "Reveal"
    if state.auction is not None:
        return "Auction"
    return "Play" if state.trump else "Naming the suit"


def _sorted(cards: Sequence[Card], trump: str) -> tuple[Card, ...]:
    """By suit, trumps last, the highest of each first."""

    def key(card: Card) -> tuple[bool, int, int]:
        return card[1] == trump, SUITS.index(card[1]), STRENGTH.index(card[0])

    return tuple(sorted(cards, key=key))


def _zones(state: State, viewer: int | None) -> Iterator[Zone]:
    for place, hand in enumerate(state.hands):
        if _may_see(state, viewer, place):
            yield _open_hand(state, hand)
        else:
            yield Zone("hand", hand.seat, (None,) * len(hand.cards), len(hand.cards))
    yield from _middle(state, ())


def _open_zones(state: State) -> Iterator[Zone]:
    for hand in state.hands:
        yield _open_hand(state, hand)
    yield from _middle(state, state.stock[:-1][:1])


def _open_hand(state: State, hand: Hand) -> Zone:
    return Zone("hand", hand.seat, _sorted(hand.cards, state.trump), len(hand.cards))


def _middle(state: State, top: tuple[Card, ...]) -> Iterator[Zone]:
    """What does not lie in hands; `top` is what may be seen of the stock."""
    if state.over:
        for hand in state.hands:
            yield Zone("won cards", hand.seat, hand.won, len(hand.won))
        return
    yield _row(state, "trick", state.trick, state.leader)
    if state.stock:
        yield Zone("trump card", None, state.stock[-1:], 1)
        yield Zone("stock", None, top, len(state.stock) - 1)
    if state.led_last is not None:
        won = state.hands[state.leader].won
        yield _row(state, "last trick", won[-len(state.hands) :], state.led_last)


def _row(state: State, name: str, cards: tuple[Card, ...], leader: int) -> Zone:
    count = len(state.hands)
    seats = tuple(state.seat((leader - step) % count) for step in range(len(cards)))
    return Zone(name, None, cards, len(cards), seats=seats)


def _may_see(state: State, viewer: int | None, place: int) -> bool:
    """Whether a hand lies open to a place: its own, a partner's at the end, all when it is over."""
    if state.over or viewer == place:
        return True
    if viewer is None or not state.teams or state.stock:
        return False
    return state.partner_look and viewer % 2 == place % 2


def _clocks(state: State) -> Iterator[Clock]:
    clock = _turn_clock(state)
    if clock is not None and clock[0] > clock[1]:
        ends, start = clock
        yield Clock("turn", state.seat(state.turn), ends, ends - start)


def _tags(state: State) -> Iterator[Tag]:
    yield Tag(state.seat(state.dealer), Text("deals"))
    if state.auction is not None:
        yield from _auction_tags(state, state.auction)
    if state.contract is not None:
        yield from _contract_tags(state, state.contract)
    for place, hand in enumerate(state.hands):
        if state.teams:
            yield Tag(hand.seat, Text("side B" if place % 2 else "side A"))
        if state.trump:
            members = state.hands[place % 2 :: 2] if state.teams else (hand,)
            won = sum(len(member.won) for member in members)
            yield Tag(hand.seat, Text("cards won: {n}", {"n": won}))


def _auction_tags(state: State, auction: Auction) -> Iterator[Tag]:
    for place in sorted(auction.passed):
        yield Tag(state.seat(place), Text("passed"))
    if auction.bidder is not None:
        yield Tag(state.seat(auction.bidder), Text("highest bid"))


def _contract_tags(state: State, contract: Contract) -> Iterator[Tag]:
    seat = state.seat(contract.declarer)
    if state.called is None:
        yield Tag(seat, Text("names the suit"))
    else:
        yield Tag(seat, Text("plays for {card}", {"card": state.called}))
    if contract.partner == contract.declarer:
        yield Tag(seat, Text("plays alone"))
    elif contract.partner is not None:
        yield Tag(state.seat(contract.partner), Text("plays with {other}", {"other": seat}))


def _facts(state: State) -> Iterator[Text]:
    if state.trump:
        yield Text("Trump: {suit}", {"suit": state.trump})
    bid = state.contract or state.auction
    if bid is None or not bid.rank:
        return
    if state.called is None:
        yield Text("Bid: {rank}", {"rank": bid.rank})
    else:
        yield Text("Called card: {card}", {"card": state.called})
    yield Text("Points to reach: {n}", {"n": bid.target})
    if state.contract is not None and state.contract.partner is None:
        yield Text("Alone or with whom: open")


def _sheet(state: State) -> tuple[tuple[str, tuple[tuple[Seat, int], ...]], ...]:
    if not state.over or not state.trump:
        return ()
    points = tuple((hand.seat, _points(state, p)) for p, hand in enumerate(state.hands))
    if state.contract is None:
        return (("points", points),)
    return (
        ("points", points),
        ("score change", tuple(_delta(state, _winners(state)).items())),
    )
