"""People at terminals, one kind for each game: they see what a screen shows, and press its keys."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Sequence

from tests.system.panes import Pane

HAND_MOVES = 0.2
"""Seconds from one key to the next."""
SAME_KEY = 0.8
"""Seconds from one key to the same again, so that it is not taken for held down."""


class Person:
    """Somebody at a terminal, who presses at each glance what seems best, if anything."""

    def __init__(self, pane: Pane) -> None:
        self.pane = pane
        self.text = ""
        self._last = ""
        self._last_at = 0.0

    def glance(self) -> None:
        """Looks at the screen, and presses keys."""
        self.text = self.pane.steady_text
        self._remember()
        passed = time.monotonic() - self._last_at
        if passed < HAND_MOVES or (self._last in self._offered() and passed < SAME_KEY):
            return
        if keys := self._wish(self._offered()):
            self.pane.press(*keys)
            self._last, self._last_at = keys[-1], time.monotonic()

    def _offered(self) -> set[str]:
        return set(re.findall(r"\[(\w)\]", self.text))

    def _remember(self) -> None:
        """What is worth keeping of what is seen now."""

    def _wish(self, offered: set[str]) -> Sequence[str]:
        """The keys to be pressed now, by their names; a text is a key for each letter."""
        raise NotImplementedError


# ---------------------------------------------------------------- Crisp


SLOTS = ("left", "middle", "right")
UNKNOWN = 6.5
"""What a card that was never seen is taken for: the mean of the deck."""


class CrispPerson(Person):
    """Remembers the own cards, and gets rid of the highest.

    They call crisp when they believe to have no more than `low`, or after `patience` turns.
    """

    def __init__(self, pane: Pane, name: str, other: int, low: float, patience: int) -> None:
        super().__init__(pane)
        self._name = name
        self._other = other
        self._low = low
        self._patience = patience
        self._new_round()

    def _new_round(self) -> None:
        self._cards: dict[str, int] = {}
        self._looked: set[str] = set()
        self._turns = 0

    def _remember(self) -> None:
        for slot, face in zip(SLOTS, self._faces()):
            if worth := value(face):
                self._cards[slot] = worth
        for slot, other in re.findall(r"with the (\w+) card of (\w+)\.", self.text):
            if other == self._name:
                self._cards.pop(slot, None)

    def _faces(self) -> list[str]:
        """The own cards as they lie there, and the drawn one."""
        rows = (re.findall(r"│([^│]{5})│", line) for line in self.text.splitlines())
        return next((row for row in rows if len(row) >= len(SLOTS)), [])

    def _wish(self, offered: set[str]) -> Sequence[str]:
        if "n" in offered:
            self._new_round()
            return "n"
        if "First look" in self.text:
            return self._first_look(offered)
        if "c" in offered and (self._believed() <= self._low or self._turns >= self._patience):
            return "c"
        if "h" in offered:
            return "h" if self._seen_all_open() else ""
        if "l" in offered and "k" in offered:
            return "l1"
        return self._turn(offered)

    def _first_look(self, offered: set[str]) -> str:
        for slot, number in (("left", "1"), ("right", "3")):
            if "l" in offered and slot not in self._looked:
                self._looked.add(slot)
                return "l" + number
        return "r" if "r" in offered and self._seen_all_open() else ""

    def _seen_all_open(self) -> bool:
        return all(slot in self._cards for slot in self._looked)

    def _believed(self) -> float:
        return sum(self._cards.get(slot, UNKNOWN) for slot in SLOTS)

    def _turn(self, offered: set[str]) -> str:
        if "d" in offered:
            return "d"
        held = value((self._faces() + [""] * 4)[3])
        if not held or not offered & {"s", "x", "u"}:
            return ""
        if "u" in offered and (keys := self._special(offered)):
            return keys
        if "s" in offered and held < max(self._cards.get(slot, UNKNOWN) for slot in SLOTS):
            return self._swap(held)
        self._turns += 1
        return "x"

    def _special(self, offered: set[str]) -> str:
        """A King must be used; a Jack is of use once; a Queen gets rid of a high card."""
        if "x" not in offered:
            return "u"
        if "J" in self._faces()[3] and "middle" not in self._cards:
            self._looked.add("middle")
            self._turns += 1
            return "u"
        worst = max(SLOTS, key=lambda slot: self._cards.get(slot, 0))
        if "Q" in self._faces()[3] and self._cards.get(worst, 0) >= 9:
            del self._cards[worst]
            self._looked.discard(worst)
            self._turns += 1
            return f"u{SLOTS.index(worst) + 1}{self._other}{3 if self._other == 2 else 2}"
        return ""

    def _swap(self, held: int) -> str:
        worst = max(SLOTS, key=lambda slot: self._cards.get(slot, UNKNOWN))
        self._cards[worst] = held
        self._turns += 1
        return f"s{SLOTS.index(worst) + 1}"


def value(face: str) -> int:
    """A face's points, by its corner; 0 for a back or no card."""
    corner = face.strip()
    if corner in ("J", "Q", "K"):
        return 10
    return 1 if corner == "A" else int(corner) if corner.isdecimal() else 0


# ---------------------------------------------------------------- Briscola


CHEAPEST_FIRST = "24567JQK3A"


class BriscolaPerson(Person):
    """Plays the card with the fewest points, and no trump where there is another."""

    def _wish(self, offered: set[str]) -> Sequence[str]:
        if "n" in offered:
            return "n"
        hand, trump = own_hand(self.text), re.search(r"Trump: (.)", self.text)
        if "y" not in offered or not hand or not trump:
            return ""
        cost = [(card[1] == trump[1], CHEAPEST_FIRST.index(card[0])) for card in hand]
        return f"y{cost.index(min(cost)) + 1}"


def own_hand(text: str) -> list[str]:
    """The player's cards as they lie there: those that have their numbers, from 1, below them."""
    lines = text.splitlines()
    for below in range(len(lines) - 1, 2, -1):
        found = list(re.finditer(r"(?<!\S)>?(\d+)\*?(?!\S)", lines[below]))
        counted = [int(one[1]) for one in found]
        if "╯" in lines[below - 1] and counted and counted == list(range(1, len(found) + 1)):
            cards = [_card(lines[below - 3], lines[below - 2], one.start(1)) for one in found]
            if all(cards):
                return cards
    return []


def _card(above: str, corner: str, column: int) -> str:
    """A card's sign, or, of a large card, its corner and the suit above that; "" for no card."""
    left, right = corner.rfind("│", 0, column), corner.find("│", column)
    suit = above[left + 1 : right] if above[right : right + 1] == "│" else ""
    return corner[left + 1 : right].strip() + suit.strip() if 0 <= left < right else ""


# ---------------------------------------------------------------- Crisps!


RANKS = "123456789C"


class CrispsPerson(Person):
    """Leads as many cards as go together, follows with the lowest that go, and else passes.

    The cards are marked at one glance, and played at the next, when they are seen to be marked.
    """

    def _wish(self, offered: set[str]) -> Sequence[str]:
        if "Mark the cards." in self.text:
            return ["Enter"] if re.search(r"\d\*", self.text) else ["Escape"]
        if "n" in offered:
            return "n"
        if "t" in offered:
            return "t1"
        hand = own_hand(self.text)
        if "y" in offered and (several := self._several(hand, "k" in offered)):
            return ["y", *_marking(hand, several)]
        return "k" if "k" in offered else ""

    def _several(self, hand: Sequence[str], follows: bool) -> str:
        """The cards to play; "" to pass."""
        if not follows:
            return _most(hand) if hand else ""
        kinds = r"(single card|pair|run)(?: of (\d+))?( pairs)?, (\w) or higher"
        found = re.search(kinds, self.text)
        if found is None:
            return ""
        kind, length, of_pairs, top = found.groups()
        return _lowest(hand, int(length or 1), 2 if kind == "pair" or of_pairs else 1, top)


def _lowest(hand: Sequence[str], length: int, copies: int, top: str) -> str:
    """The lowest row of so many ranks, each so often, that ends there or higher; else ""."""
    counts = Counter(hand)
    for last in range(max(RANKS.index(top), length - 1), len(RANKS)):
        row = RANKS[last + 1 - length : last + 1]
        if all(counts[rank] >= copies for rank in row) and (length == 1 or "C" not in row):
            return "".join(rank * copies for rank in row)
    return ""


def _most(hand: Sequence[str]) -> str:
    """As many cards as can be played together, the lowest of those."""
    equal = [rank * count for rank, count in Counter(hand).items()]
    rows = [_lowest(hand, n, copies, "1") for copies in (1, 2) for n in range(4 - copies, 10)]
    return max([*equal, *rows], key=len)


def _marking(hand: Sequence[str], several: str) -> list[str]:
    """The keys that mark these cards of a hand: digits, and arrows where they have run out."""
    wanted = Counter(several)
    places: list[int] = []
    for place, card in enumerate(hand):
        if wanted[card] > 0:
            wanted[card] -= 1
            places.append(place)
    keys: list[str] = []
    cursor = len(hand)
    for place in sorted((place for place in places if place >= DIGITS), reverse=True):
        keys += [*["Left"] * (cursor - place), "Space"]
        cursor = place
    return [*keys, *(str(place + 1)[-1] for place in places if place < DIGITS)]


DIGITS = 10
"""So many cards have a digit, the tenth the 0."""
