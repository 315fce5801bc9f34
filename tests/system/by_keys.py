"""People at terminals of their own, who see what a screen shows and play by its keys alone.

python -m tests.system.by_keys --game briscola --screens docs/screens

plays a whole game and keeps one screen of each kind that is worth it as text.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.system.panes import Pane, Tmux, tmux
from tests.system.people import BriscolaPerson, CrispPerson, CrispsPerson, Person
from tests.system.running import COMMAND, LOOPBACK, Start, own_loopback

GLANCE = 0.1
"""Seconds between two glances at a screen."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Who plays what: the host is the first of the `names`, and types the `words`.

    `person` is somebody at a terminal, by seat. `screens` are those worth keeping: by name, what
    such a screen shows, as regular expressions.
    """

    names: tuple[str, ...]
    words: tuple[str, ...]
    person: Callable[[Pane, int], Person]
    screens: dict[str, tuple[str, ...]]


def crisp(*words: str, limit: int = 50, low: float = 9.0, patience: int = 6) -> Plan:
    """Three play Crisp; they call crisp at so few points, or after so many turns."""
    names = ("Ayu", "Budi", "Chandra")

    def person(pane: Pane, seat: int) -> Person:
        other = next(n for n in range(len(names)) if n != seat) + 1
        return CrispPerson(pane, names[seat], other, low, patience)

    screens = {
        "lobby": ("Options", "3 Chandra"),
        "turn": ("your turn", "drawn from the", r"\[s\] Swap it in"),
        "crisp-window": (r"CRISP WINDOW \(YOU\)", r"\[c\] Call crisp"),
        "round-end": ("Reveal", "called crisp", "total"),
    }
    return Plan(names, (f"--limit={limit}", *words), person, screens)


def briscola(*words: str, first_to: int = 3) -> Plan:
    """Four play Briscola, two against two."""
    names = ("Ayu", "Budi", "Chandra", "Dewi")
    screens = {"briscola-trick": ("your turn", "trick +last trick", "Ayu +Dewi +Chandra +[A-Z]")}
    words = ("--game=briscola", f"--first-to={first_to}", *words)
    return Plan(names, words, lambda pane, _seat: BriscolaPerson(pane), screens)


def crisps(*words: str) -> Plan:
    """Two play Crisps!, to three points as always."""
    screens = {
        "crisps-on-the-table": (r", \w or higher", r"\[y\] Play cards  \[k\] Pass"),
        "crisps-marking": ("or higher", "Mark the cards", r"\d\* .*\d\*"),
    }
    words = ("--game=crisps", *words)
    return Plan(("Ayu", "Budi"), words, lambda pane, _seat: CrispsPerson(pane), screens)


GAMES: dict[str, Callable[[], Plan]] = {"crisp": crisp, "briscola": briscola, "crisps": crisps}


class Evening:
    """A table, the people at it, and the screens that were worth keeping."""

    def __init__(self, tmux: Tmux, folder: Path, plan: Plan) -> None:
        self.screens: dict[str, str] = {}
        self._tmux = tmux
        self._folder = folder
        self._plan = plan
        self._people: list[Person] = []

    def play(self, seconds: float) -> list[dict[str, int]]:
        """From the first command to the standings; these as each of the people sees them."""
        self._sit_down("host", *self._plan.words, "--port=0")
        host, names = self._people[0].pane, self._plan.names
        host.wait_for("Players: 1 of ")
        for _ in names[1:]:
            self._join()
        host.wait_for(f"{len(names)} {names[-1]}")
        self._glance_round()
        for person in self._people[1:]:
            person.pane.type("r")
        host.wait_for(*[f"{name}  " for name in names], "[g] Start")
        host.type("g")
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

    @property
    def left_behind(self) -> list[str]:
        """What the terminals have kept, and all logs of players and the table."""
        logs = [path.read_text("utf-8") for path in sorted(self._folder.rglob("*.log"))]
        return [person.pane.scrollback for person in self._people] + logs

    def _sit_down(self, *words: str) -> None:
        seat = len(self._people)
        name = self._plan.names[seat]
        folder = self._folder / name
        own = ("--name", name, f"--data={folder}", f"--log={folder}.log", *LOOPBACK)
        pane = self._tmux.pane(name, [*COMMAND, *words, *own])
        self._people.append(self._plan.person(pane, seat))

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
            for name, pieces in self._plan.screens.items():
                if all(re.search(piece, person.text) for piece in pieces):
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
    parser = argparse.ArgumentParser(description="People play a whole game by keys.")
    parser.add_argument("--game", choices=GAMES, default="crisp")
    parser.add_argument("--screens", type=Path, help="keep one screen of each kind in this folder")
    args = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as name, own_loopback() as start:
        play(Path(name), GAMES[args.game](), args.screens, start)


def play(folder: Path, plan: Plan, screens: Path | None, start: Start) -> None:
    with tmux(folder, start) as server:
        evening = Evening(server, folder, plan)
        began = time.monotonic()
        seen = evening.play(seconds=3600)
        sys.stdout.write(f"{seen[0]} after {time.monotonic() - began:.0f} s\n")
        assert all(each == seen[0] for each in seen)
        assert evening.close() == [0] * len(plan.names)
    if screens is not None:
        keep(evening.screens, screens)


if __name__ == "__main__":
    main(sys.argv[1:])
