"""Every sentence and word that is looked up in a catalogue, read off the source and off games."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.match import begin, deal, deck, wake, wake_at, wants_deck
from crisp_lan.game.rules import Act, Choice, View
from crisp_lan.game.state import LEVELS, Table
from crisp_lan.game.table import apply, opened, sit
from crisp_lan.game.views import round_view, table_view
from crisp_lan.tui.lines import WORDS

PACKAGE = Path(__file__).parent.parent / "crisp_lan"
WORDED = {
    "_": (0,),
    "n_": (0, 1),
    "Text": (0,),
    "Note": (0,),
    "Refused": (0,),
    "Choice": (1,),
    "Clock": (0,),
    "Zone": (0,),
    "View": (1,),
    "Option": (1,),
    "Command": (0,),
    "Example": (1,),
}
"""Calls whose arguments at these places are msgids."""
ATTRIBUTES = ("title", "goal")
PHASES = ("lobby", "shuffle", "round", "reveal")
"""How the phase of a table is told in the list of tables."""
SENTENCE = re.compile(r"[A-Z{“].* .*[.!?…]", re.DOTALL)
"""A literal of this form is a sentence for players, whatever becomes of it first."""
NO_WORDS = re.compile(r"(\{\w+\}|\W|_)*")


def in_source() -> set[str]:
    """The literals in the source that players read."""
    found = {key for path in PACKAGE.rglob("*.py") for key in _in_file(path)} | set(WORDS)
    return {key for key in found if not NO_WORDS.fullmatch(key)}


def _in_file(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    told |= {id(inner) for call in _logged(tree) for inner in ast.walk(call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for place in WORDED.get(_name(node.func), ()):
                yield from _literals(node.args[place]) if place < len(node.args) else ()
            if _name(node.func) == "Option":
                yield from (key.replace("_", " ") for key in _literals(node.args[0]))
        elif isinstance(node, ast.Assign) and _name(node.targets[0]) in ATTRIBUTES:
            yield from _literals(node.value)
        elif id(node) not in told:
            yield from (key for key in _literals(node) if SENTENCE.fullmatch(key))


def _logged(tree: ast.AST) -> Iterator[ast.Call]:
    """Calls that write to the log, or raise what no player reads."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            of_log = isinstance(function, ast.Attribute) and _name(function.value) == "log"
            if of_log or _name(function) in ("RuntimeError", "AssertionError"):
                yield node


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else str(getattr(node, "attr", ""))


def _literals(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)


def in_games(rounds: int = 2) -> set[str]:
    """What is said in rounds of every game, played at random by every number of players."""
    found = {*PHASES, *LEVELS}
    for game in GAMES.values():
        for count, seed in product(game.seats, range(rounds)):
            found |= _in_round(game, count, random.Random(seed))
    return {key for key in found if key and not NO_WORDS.fullmatch(key)}


def _in_round(game: Any, count: int, lots: random.Random) -> set[str]:
    table = opened(game, {o.name: lots.choice(o.values) for o in game.options})
    for number in range(count):
        table = sit(table, 0, f"P{number}", "person", host=number == 0).table
    step = begin(table)
    found = {note.key for note in step.notes} | _on_table(step.table)
    now = 0
    for _turn in range(400):
        if wants_deck(step.table):
            step = deal(step.table, now, shuffled(deck(step.table), lots), lots.randrange(99))
        else:
            now, step = _gone_on(step.table, now, lots)
        found |= {note.key for note in step.notes} | _on_table(step.table)
        if step.table.phase != "round" and step.table.round > 0 and step.table.outcome:
            break
    return found


def _gone_on(table: Table, now: int, lots: random.Random) -> tuple[int, Any]:
    """Some offered act, or the next deadline."""
    offers = [
        (seat, choice)
        for seat in range(len(table.chairs))
        if (seen := round_view(table, seat))
        for choice in seen.choices
    ]
    due = wake_at(table)
    if due is not None and (not offers or lots.random() < 0.2):
        return due, wake(table)
    seat, choice = lots.choice(offers)
    return now, apply(table, now, seat, _act(choice, lots))


def _act(choice: Choice, lots: random.Random) -> Act:
    return Act(choice.name, lots.choice(choice.picks))


def _on_table(table: Table) -> set[str]:
    found: set[str] = set()
    for seat in (None, *range(len(table.chairs))):
        around = table_view(table, seat)
        found |= {choice.label for choice in around.choices}
        found |= {clock.name for clock in around.clocks}
        seen = round_view(table, seat)
        found |= _in_view(seen) if seen else set()
    return found


def _in_view(seen: View) -> set[str]:
    found = {seen.phase}
    for zone in seen.zones:
        found |= {zone.name, zone.note, *zone.slots, *zone.marks}
        found |= {f"{slot} (of a card)" for slot in zone.slots}
    found |= {choice.label for choice in seen.choices} | {clock.name for clock in seen.clocks}
    picks = [pick for choice in seen.choices for several in choice.picks for pick in several]
    found |= {pick for pick in picks if isinstance(pick, str) and pick.islower()}
    found |= {words for clock in seen.clocks for words in (clock.mine, clock.theirs)}
    found |= {seen.banner.key} if seen.banner else set()
    found |= {tag.text.key for tag in seen.tags} | {fact.key for fact in seen.facts}
    return found | {name for name, _column in seen.sheet}
