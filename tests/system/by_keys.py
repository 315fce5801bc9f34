"""Three people at three terminals, who see what a screen shows and play by its keys alone.

python -m tests.system.by_keys --limit 50 --screens docs/screens

plays a whole game and keeps one screen each of the lobby, a turn, the crisp window and a round's
end as text.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.system.panes import Pane, Tmux, tmux
from tests.system.running import COMMAND, LOOPBACK, Start, own_loopback

NAMES = ("Ayu", "Budi", "Chandra")
SLOTS = ("left", "middle", "right")
UNKNOWN = 6.5
"""What a card that was never seen is taken for: the mean of the deck."""
GLANCE = 0.15
"""Seconds between two glances at a screen."""
HAND_MOVES = 0.3
"""Seconds from one key to the next."""

SCREENS = {
    "lobby": ("Options", "3 Chandra"),
    "turn": ("your turn", "drawn from the", "[s] Swap it in"),
    "crisp-window": ("CRISP WINDOW (YOU)", "[c] Call crisp"),
    "round-end": ("Reveal", "called crisp", "total"),
}
"""What a screen that is worth keeping shows."""


class Person:
    """Somebody at a terminal: what they see, and what they remember of their own cards.

    They call crisp when they believe to have no more than `low`, or after `patience` turns.
    """

    def __init__(self, pane: Pane, seat: int, low: float, patience: int) -> None:
        self.pane = pane
        self.text = ""
        self._others = [n for n in range(len(NAMES)) if n != seat]
        self._name = NAMES[seat]
        self._low = low
        self._patience = patience
        self._free_at = 0.0
        self._new_round()

    def _new_round(self) -> None:
        self._cards: dict[str, int] = {}
        self._looked: set[str] = set()
        self._turns = 0

    def glance(self) -> None:
        """Looks at the screen, and presses what seems best, if anything."""
        self.text = self.pane.text
        self._remember()
        if time.monotonic() >= self._free_at and (keys := self._wish()):
            self.pane.type(keys)
            self._free_at = time.monotonic() + HAND_MOVES

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

    def _wish(self) -> str:
        offered = set(re.findall(r"\[(\w)\]", self.text))
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
            other = self._others[0] + 1
            return f"u{SLOTS.index(worst) + 1}{other}{3 if other == 2 else 2}"
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


class Evening:
    """A table, three people at it, and the screens that were worth keeping."""

    def __init__(self, tmux: Tmux, folder: Path, limit: int, low: float, patience: int) -> None:
        self.screens: dict[str, str] = {}
        self._tmux = tmux
        self._folder = folder
        self._limit = limit
        self._people: list[Person] = []
        self._care = (low, patience)

    def play(self, seconds: float) -> list[dict[str, int]]:
        """From the first command to the standings; these as each of the three sees them."""
        self._sit_down("host", f"--limit={self._limit}", "--port=0")
        self._people[0].pane.wait_for("Players: 1 of 8")
        for _ in NAMES[1:]:
            self._join()
        self._people[0].pane.wait_for("3 Chandra")
        self._glance_round()
        for person in self._people[1:]:
            person.pane.type("r")
        self._people[0].pane.wait_for("[g] Start")
        self._people[0].pane.type("g")
        self._play_on(seconds)
        return [standings(person.pane.wait_for("Last game")) for person in self._people]

    def close(self) -> list[int]:
        """The host ends the table, the others see so and go; their exit codes."""
        host, *others = [person.pane for person in self._people]
        host.type("q")
        host.wait_for("End the table for all")
        host.type("1")
        for other in others:
            other.wait_for("The host has ended the table.")
            other.type("q")
        return [pane.exit_code() for pane in (host, *others)]

    def _sit_down(self, *words: str) -> None:
        seat = len(self._people)
        own = ("--name", NAMES[seat], f"--data={self._folder / NAMES[seat]}", *LOOPBACK)
        pane = self._tmux.pane(NAMES[seat], [*COMMAND, *words, *own])
        self._people.append(Person(pane, seat, *self._care))

    def _join(self) -> None:
        """Finds the table in the list, and chooses it."""
        self._sit_down("join")
        pane = self._people[-1].pane
        pane.wait_for("Ayu's table")
        while "> Ayu's table" not in pane.text:
            pane.press("Down")
            time.sleep(GLANCE)
        pane.press("Enter")
        pane.wait_for("Players:")

    def _play_on(self, seconds: float) -> None:
        limit = time.monotonic() + seconds
        while not all("Last game" in person.text for person in self._people):
            assert time.monotonic() < limit, "\n".join(person.text for person in self._people)
            self._glance_round()
            time.sleep(GLANCE)

    def _glance_round(self) -> None:
        for person in self._people:
            person.glance()
            for name, pieces in SCREENS.items():
                if all(piece in person.text for piece in pieces):
                    self.screens.setdefault(name, person.text)


def standings(text: str) -> dict[str, int]:
    """The last game's scores, as a lobby shows them."""
    _, _, below = text.partition("Last game")
    found = re.findall(r"(\w+) +(?:wins)? +(−?\d+)$", below, re.MULTILINE)
    return {name: int(score.replace("−", "-")) for name, score in found}


def keep(screens: dict[str, str], folder: Path) -> None:
    """Writes the screens there as text files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in screens.items():
        (folder / f"{name}.txt").write_text(text.rstrip() + "\n", encoding="utf-8")


def main(words: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description="Three people play a whole game by keys.")
    parser.add_argument("--limit", type=int, default=50)
    parser.add_argument("--screens", type=Path, help="keep one screen of each kind in this folder")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name, own_loopback() as start:
        play(Path(name), args.limit, args.screens, start)


def play(folder: Path, limit: int, screens: Path | None, start: Start) -> None:
    with tmux(folder, start) as server:
        evening = Evening(server, folder, limit, low=9.0, patience=6)
        began = time.monotonic()
        seen = evening.play(seconds=3600)
        sys.stdout.write(f"{seen[0]} after {time.monotonic() - began:.0f} s\n")
        assert seen[0] == seen[1] == seen[2]
        assert evening.close() == [0, 0, 0]
    if screens is not None:
        keep(evening.screens, screens)


if __name__ == "__main__":
    main(sys.argv[1:])
