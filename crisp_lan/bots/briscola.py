"""A Briscola player from views and notes alone.

It weighs each card by what the trick would bring its side, whoever may still beat it, less what the
card is worth keeping for. Whose points count how much is a weight from −1 to 1 for each seat: in
Chiamata, as long as nobody knows the partner, that is how likely a seat is on its side.

A secret partner knows itself by its own hand, and simply has other weights: it plays in the same
time, and says nothing.

**Memory.** `easy` knows the cards that lie open now; the others remember every card that their seat
was shown since the deal. `hard` also plays the end of a game of two exactly, once what it has not
seen is the other's hand.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from crisp_lan.bots.match import UNTOLD, Match
from crisp_lan.game.cards import SUITS
from crisp_lan.game.rules import Act, Card, Choice, Note, Pick, Seat, View, Zone

DEALS = "{seat} deals."
BID = "Bid: {rank}"
CALLED = "Called card: {card}"
TRUMP = "Trump: {suit}"
DECLARES = "plays for {card}"
JOINS = "plays with {other}"
ALONE = "plays alone"

_STRENGTH = "A3KQJ76542"
_POINTS = {"A": 11, "3": 10, "K": 4, "Q": 3, "J": 2}
_POWER = {"A": 8.0, "3": 7.0, "K": 4.5, "Q": 4.2, "J": 4.0, "7": 3.8, "6": 3.7, "5": 3.6}
_LOW_POWER = 3.5
"""What a trump is good for beyond its own points, which it brings home whenever it is played."""
_BROUGHT_HOME = 0.45
"""How much of a plain card's points its side gets when it is kept."""
_WORTH_A_TRUMP = 10
"""For so many points anybody who has a trump will play it."""
_STRONG = {"A": 2.2, "3": 1.8, "K": 1.2, "Q": 1.0, "J": 1.0}
_FIRST_BID = 4.0
_EACH_RANK = 0.45
"""How strong a suit has to be for the first bid, and how much more for each rank below."""


@dataclass(frozen=True, slots=True)
class _Level:
    """`remembers`: the cards that are gone. `finishes`: two-handed, it plays the end exactly."""

    remembers: bool
    finishes: bool


_LEVELS: Mapping[str, _Level] = {
    "easy": _Level(remembers=False, finishes=False),
    "normal": _Level(remembers=True, finishes=False),
    "hard": _Level(remembers=True, finishes=True),
}


class BriscolaBot:
    """One Briscola player of a level. It draws no lots: what it was shown decides what it does."""

    def __init__(self, level: str) -> None:
        self._level = _LEVELS[level]
        self._seen: set[Card] = set()

    def see(self, view: View, notes: Sequence[Note], match: Match = UNTOLD) -> None:
        """Remembers every card that its seat is shown."""
        if not self._level.remembers or any(note.key == DEALS for note in notes):
            self._seen.clear()
        self._seen |= {face for zone in view.zones for face in zone.faces if face}

    def choose(self, view: View) -> Act | None:
        """What it does now."""
        offered = {choice.name: choice for choice in view.choices}
        if view.seat is None or not offered:
            return None
        mine = [face for face in _hand(view, view.seat).faces if face]
        if "pass" in offered:
            return _bid(mine, offered.get("bid"))
        if "call" in offered:
            rank = str(_fact(view, BID, "rank"))
            return Act("call", (max(SUITS, key=lambda suit: _wish(mine, rank + suit)),))
        if "swap_trump" in offered:
            return Act("swap_trump", offered["swap_trump"].picks[0])
        return Act("play", (self._card(view, view.seat, mine),))

    def _card(self, view: View, me: Seat, mine: Sequence[Card]) -> Card:
        trump = str(_fact(view, TRUMP, "suit"))
        position = _Position.of(view, me, trump, self._unseen(view))
        theirs = [zone for zone in view.zones if zone.name == "hand" and zone.owner != me]
        known = len(theirs) == 1 and theirs[0].count == len(position.unseen)
        if self._level.finishes and known:
            return _finish(mine, position.unseen, position.trick, trump)
        return max(mine, key=position.worth)

    def _unseen(self, view: View) -> tuple[Card, ...]:
        """The cards that others may hold, or the stock."""
        players = sum(zone.name == "hand" for zone in view.zones)
        return tuple(card for card in _deck(players) if card not in self._seen)


def _deck(players: int) -> tuple[Card, ...]:
    gone = {3: ("2C",), 6: tuple("2" + suit for suit in SUITS)}.get(players, ())
    cards = (rank + suit for suit in SUITS for rank in _STRENGTH)
    return tuple(card for card in cards if card not in gone)


def points(cards: Collection[Card]) -> int:
    """What cards count."""
    return sum(_POINTS.get(card[0], 0) for card in cards)


def beats(card: Card, other: Card, trump: str) -> bool:
    """Whether a card beats the best one played before it."""
    if card[1] == other[1]:
        return _STRENGTH.index(card[0]) < _STRENGTH.index(other[0])
    return card[1] == trump


def _hand(view: View, seat: Seat) -> Zone:
    return next(zone for zone in view.zones if zone.name == "hand" and zone.owner == seat)


def _fact(view: View, key: str, field: str) -> Pick:
    return next((fact.values[field] for fact in view.facts if fact.key == key), "")


# The play


@dataclass(frozen=True, slots=True)
class _Position:
    """A trick to be played to: who holds it so far, and who comes after with how many cards."""

    me: Seat
    trump: str
    unseen: tuple[Card, ...]
    trick: tuple[Card, ...]
    seats: tuple[Seat, ...]
    following: tuple[tuple[Seat, int], ...]
    weights: Mapping[Seat, float]

    @classmethod
    def of(cls, view: View, me: Seat, trump: str, unseen: tuple[Card, ...]) -> _Position:
        trick = next(zone for zone in view.zones if zone.name == "trick")
        hands = [zone for zone in view.zones if zone.name == "hand" and zone.owner is not None]
        at = next(place for place, zone in enumerate(hands) if zone.owner == me)
        ahead = [hands[(at - step) % len(hands)] for step in range(1, len(hands))]
        following = tuple(
            (zone.owner, zone.count)
            for zone in ahead
            if zone.owner is not None and zone.owner not in trick.seats
        )
        faces = tuple(face for face in trick.faces if face)
        return cls(me, trump, unseen, faces, trick.seats, following, _weights(view, me))

    def worth(self, card: Card) -> float:
        """What playing the card may be expected to bring, less what it is worth keeping for."""
        owner, best = self._holder()
        if not best or beats(card, best, self.trump):
            owner, best = self.me, card
        stake = points(self.trick) + points((card,)) + 1.0
        expected, likely = 0.0, 1.0
        for seat, count in self.following:
            chance = self._chance(seat, owner, best, count, stake)
            expected += likely * chance * self.weights[seat] * stake
            likely *= 1 - chance
        return expected + likely * self.weights[owner] * stake - self._kept(card)

    def _holder(self) -> tuple[Seat, Card]:
        """Who holds the trick so far, with which card; "" where none lies there."""
        owner, best = self.me, ""
        for seat, card in zip(self.seats, self.trick):
            if not best or beats(card, best, self.trump):
                owner, best = seat, card
        return owner, best

    def _chance(self, seat: Seat, owner: Seat, best: Card, count: int, stake: float) -> float:
        """How likely a seat that plays later takes the trick from who holds it."""
        allied = self.weights[seat] * self.weights[owner] > 0
        if allied or not self.unseen:
            return 0.0
        higher = [card for card in self.unseen if beats(card, best, self.trump)]
        willing = min(1.0, stake / _WORTH_A_TRUMP)
        weight = sum(willing if card[1] == self.trump else 1.0 for card in higher)
        return 1 - (1 - weight / len(self.unseen)) ** count

    def _kept(self, card: Card) -> float:
        """What the card would bring later."""
        own = points((card,))
        if card[1] == self.trump:
            return own + _POWER.get(card[0], _LOW_POWER)
        return own * _BROUGHT_HOME


def _weights(view: View, me: Seat) -> dict[Seat, float]:
    """How much the points of each seat count for this one."""
    seats = [zone.owner for zone in view.zones if zone.name == "hand" and zone.owner is not None]
    sides = {tag.seat: tag.text.key for tag in view.tags if tag.text.key.startswith("side ")}
    if sides:
        return {seat: 1.0 if sides[seat] == sides[me] else -1.0 for seat in seats}
    declarer = next((tag.seat for tag in view.tags if tag.text.key == DECLARES), None)
    if declarer is None:
        others = -1.0 if len(seats) == 2 else -0.6
        return {seat: 1.0 if seat == me else others for seat in seats}
    return _chiamata_weights(view, me, declarer, seats)


def _chiamata_weights(
    view: View, me: Seat, declarer: Seat, seats: Sequence[Seat]
) -> dict[Seat, float]:
    partner = next((tag.seat for tag in view.tags if tag.text.key in (JOINS, ALONE)), None)
    if partner is None and _fact(view, CALLED, "card") in _hand(view, me).faces:
        partner = me
    if partner is not None:
        declaring = {declarer, partner}
        return {seat: 1.0 if (seat in declaring) == (me in declaring) else -1.0 for seat in seats}
    if me == declarer:
        return {seat: 1.0 if seat == me else -0.5 for seat in seats}
    return {seat: 1.0 if seat == me else -1.0 if seat == declarer else 0.4 for seat in seats}


def _finish(
    mine: Sequence[Card], theirs: Sequence[Card], trick: Sequence[Card], trump: str
) -> Card:
    """The best card when the other's hand is known and there is no stock."""
    if trick:
        return max(mine, key=lambda card: -_met(trick[0], card, theirs, mine, trump))
    return max(mine, key=lambda card: _led(card, mine, theirs, trump))


def _led(card: Card, mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    """The lead in points, at best, of who leads a card, over the rest of the deal."""
    return min(_met(card, reply, _without(mine, card), theirs, trump) for reply in theirs)


def _met(led: Card, reply: Card, mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    """The same once the other has met the card that was led; `mine` are those left of who led."""
    taken, theirs = points((led, reply)), _without(theirs, reply)
    if beats(reply, led, trump):
        return -taken - _ahead(theirs, mine, trump)
    return taken + _ahead(mine, theirs, trump)


def _ahead(mine: Sequence[Card], theirs: Sequence[Card], trump: str) -> int:
    return max((_led(card, mine, theirs, trump) for card in mine), default=0)


def _without(cards: Sequence[Card], card: Card) -> tuple[Card, ...]:
    return tuple(other for other in cards if other != card)


# The auction


def _bid(mine: Sequence[Card], bids: Choice | None) -> Act:
    """The first bid that the hand is good for, or a pass."""
    for rank, target in bids.picks if bids else ():
        if int(target) > 61:
            break
        asked = _FIRST_BID + _EACH_RANK * _STRENGTH.index(str(rank))
        if max(_wish(mine, f"{rank}{suit}") for suit in SUITS) >= asked:
            return Act("bid", (rank, target))
    return Act("pass")


def _wish(mine: Sequence[Card], called: Card) -> float:
    """How good a suit would be as trump with a card of it called from another's hand."""
    if called in mine:
        return 0.0
    of_suit = sum(_STRONG.get(card[0], 0.8) for card in mine if card[1] == called[1])
    return of_suit + sum(0.5 for card in mine if card[0] == "A" and card[1] != called[1])
