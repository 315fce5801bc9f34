"""What a key does: `press(screen, key, at)` gives the next screen, and what is asked for with it.

A key stands for a choice; digits and arrows walk through what may be picked. Keys are names: a
letter, a digit, "enter", "escape", "backspace", "space", "up", "down", "left", "right", "?"; a
number such as "12" picks like a digit; a point (see points.py) is a click on what is there; a line
that begins with SAYS is said as it is. What comes of it is a Send, a Speak, a Quit, or nothing.

After an act nothing more is sent until the host has answered, and a key held down takes one step.
A key of something that is not on offer asks the host all the same, which says why not, and by how
much it was too early or too late.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from crisp_lan.game.rules import Act, Choice, Pick, Text
from crisp_lan.net.messages import MOST_SAID, PHRASES
from crisp_lan.tui.guide import LEAVE, leave
from crisp_lan.tui.model import (
    HELD,
    TALK,
    Known,
    Picking,
    Quit,
    Screen,
    Send,
    Speak,
    Wish,
    keyed,
    may_talk,
    on_offer,
    own_hand,
    told,
)
from crisp_lan.tui.picking import (
    Candidate,
    candidates,
    must_confirm,
    of_round,
    only_picks,
    pointed_at,
    quit_ways,
    removal,
)

SAYS = "say "
"""At the head of a line: what follows is said as it is."""
AGAIN = 0.25
"""Once it has come a second time, a key that is held down comes at shorter intervals than this."""
REPEAT = 0.1
"""A key that did nothing yet is held down if it comes so soon again; else somebody taps it."""
QUICK = 0.15
"""No keyboard repeats a held key so soon after its first press: it has been pressed twice."""
TURNS = {"space": 1, "down": 1, "pagedown": 1, "up": -1, "pageup": -1}
"""Keys that turn the pages of the help."""
RELEASE = "release"
"""A key that only says that no other is held down any more. At the head of a line of keys, with
spaces between them, it says that all were pressed one by one, and none is held."""


def press(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    """The screen after a key, or a line of keys, and what the player asks for with it."""
    if key.startswith(RELEASE):
        return _line(screen, key.split()[1:], at)
    if key.startswith(SAYS):
        return screen, Speak(key.removeprefix(SAYS)[:MOST_SAID])
    if screen.saying is not None:
        return _said(screen, screen.saying, key)
    if key.startswith("@"):
        return _line(screen, pointed_at(screen, key), at)
    again = key == screen.held and at - screen.held_at < screen.hold
    twice = again and _in_a_hurry(screen, at)
    if again and not twice:
        return replace(screen, held_at=at, hold=min(screen.hold, AGAIN), twice=True), None
    after, wish = _pressed(replace(screen, held="", word=""), key, at)
    if isinstance(wish, Send) and after.show:
        after = replace(after, sent=(after.show.offer, after.show.done))
    if isinstance(wish, Send) or _steps(after.picking) > _steps(screen.picking):
        names = {choice.name for choice in on_offer(screen)}
        hold = REPEAT if isinstance(wish, Send) and wish.act.name not in names else HELD
        after = replace(after, held=key, held_at=at, hold=hold, twice=twice)
    return after, wish


def _said(screen: Screen, typed: str, key: str) -> tuple[Screen, Wish | None]:
    """A key of what is being said: it stands for itself alone, whatever else it does at the table.

    A digit as the first sign says a phrase; after a space it is a digit.
    """
    quiet = replace(screen, saying=None)
    if key == "escape" or (key == "backspace" and not typed):
        return quiet, None
    if key == "enter":
        return quiet, Speak(typed.strip()) if typed.strip() else None
    if not typed and 1 <= _number(key) <= len(PHRASES):
        return quiet, Speak(PHRASES[_number(key) - 1])
    sign = " " if key == "space" else key
    if key == "backspace":
        typed = typed[:-1]
    elif len(sign) == 1 and len(typed) < MOST_SAID:
        typed += sign
    return replace(screen, saying=typed), None


def _in_a_hurry(screen: Screen, at: float) -> bool:
    """Whether the same key was pressed a second time, for the next thing to pick."""
    picks = screen.picking is not None and not removal(screen)
    return picks and not screen.twice and at - screen.held_at < QUICK


def _line(screen: Screen, keys: Sequence[str], at: float) -> tuple[Screen, Wish | None]:
    """The screen after keys of which none is held, up to the first that asks for something."""
    wish: Wish | None = None
    screen = replace(screen, held="")
    for key in keys:
        if wish is None:
            screen, wish = press(replace(screen, held=""), key, at)
    return screen, wish


def _steps(picking: Picking | None) -> int:
    """How far a choice is being made."""
    return 1 + len(picking.picks) if picking else 0


def _pressed(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    if screen.asking == "quit":
        return _answered(screen, key, at)
    if key == "?":
        asking = "" if screen.asking else "help"
        return replace(screen, asking=asking, page=0, held=key, held_at=at, hold=HELD), None
    if screen.asking == "help" and key in TURNS:
        return replace(screen, page=screen.page + TURNS[key]), None
    if screen.asking == "help" and key in ("escape", "enter"):
        return replace(screen, asking=""), None
    screen = replace(screen, asking="")
    if key == TALK and may_talk(screen):
        return replace(screen, saying=""), None
    if key == "q":
        return _asked_to_quit(screen, key, at)
    if key == LEAVE and screen.guide.game:
        why = Text("No more hints in this game. Press ? for the rules of the moment.")
        return told(replace(screen, guide=leave(screen.guide)), why, at), None
    if screen.sent is not None:
        return screen, None
    chosen = next((choice for k, choice in keyed(screen) if k == key), None)
    if chosen is not None:
        return _chosen(screen, chosen)
    if known := _not_on_offer(screen, key):
        return _tried(screen, known, at)
    return _picked(screen, key, at) if screen.picking else (screen, None)


def _not_on_offer(screen: Screen, key: str) -> Known | None:
    """What a key has stood for, where the table can be asked for it."""
    if screen.show is None or screen.lost_at is not None or screen.over:
        return None
    return next((one for one in screen.known if one.key == key), None)


def _tried(screen: Screen, known: Known, at: float) -> tuple[Screen, Wish | None]:
    """The host, which has the times, says why not; at the table it needs no times."""
    if known.of_round and known.choice.picks == ((),):
        return screen, Send(Act(known.choice.name))
    return told(screen, Text("That is not possible now."), at), None


def _asked_to_quit(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    if screen.seat is None or screen.lost_at is not None or screen.over:
        return screen, Quit()
    return replace(screen, asking="quit", held=key, held_at=at, hold=HELD), None


def _answered(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    ways = quit_ways(screen)
    if 1 <= _number(key) <= len(ways):
        return replace(screen, asking=""), ways[_number(key) - 1][1]
    if key in ("escape", "backspace", "q", "n"):
        return replace(screen, asking=""), None
    return told(screen, Text("That is not possible now."), at), None


def _chosen(screen: Screen, choice: Choice) -> tuple[Screen, Wish | None]:
    if picks := only_picks(screen, choice):
        return replace(screen, picking=None), Send(Act(choice.name, picks[0]))
    return replace(screen, picking=Picking(choice)), None


def _picked(screen: Screen, key: str, at: float) -> tuple[Screen, Wish | None]:
    picking, ways = screen.picking, candidates(screen)
    assert picking is not None
    if key in ("escape", "backspace"):
        return replace(screen, picking=_back(picking, key)), None
    if removal(screen):
        return _confirmed(screen, picking, key, at)
    if key in ("left", "up", "right", "down"):
        step = 1 if key in ("right", "down") else -1
        cursor = (picking.cursor + step) % max(1, len(ways))
        return replace(screen, picking=replace(picking, cursor=cursor)), None
    if picking.marks:
        return _marked(screen, picking, key, at)
    place = picking.cursor if key in ("enter", "space") else _place(screen, ways, key)
    if place is None or place >= len(ways):
        return told(screen, Text("That is not possible now."), at), None
    return _stepped(screen, picking, ways[place].pick)


def _confirmed(screen: Screen, picking: Picking, key: str, at: float) -> tuple[Screen, Wish | None]:
    if key == "1":
        return replace(screen, picking=None), Send(Act(picking.choice.name, picking.picks))
    if key == "2":
        return replace(screen, picking=None), None
    return told(screen, Text("That is not possible now."), at), None


def _back(picking: Picking, key: str) -> Picking | None:
    """One step back; from the first step, out of the choice."""
    if picking.marked:
        return replace(picking, marked=frozenset())
    return Picking(picking.choice, picking.picks[:-1]) if picking.picks else None


def _place(screen: Screen, ways: tuple[Candidate, ...], key: str) -> int | None:
    """Where among the candidates a number points; a card may lie at several places of the hand."""
    number = _number(key)
    for place, candidate in enumerate(ways):
        if candidate.number == number or (candidate.spot is None and candidate.pick == key):
            return place
    hand = own_hand(screen)
    if hand and number and number <= len(hand.faces):
        card = hand.faces[number - 1]
        return next((n for n, c in enumerate(ways) if c.pick == card), None)
    return None


def _number(key: str) -> int:
    """The number that a key stands for: the digit 0 is ten; 0 where it is no number."""
    if not (key.isascii() and key.isdecimal()):
        return 0
    return 10 if key == "0" else int(key[:4])


def _stepped(screen: Screen, picking: Picking, pick: Pick) -> tuple[Screen, Wish | None]:
    """One thing more is picked; in a round, what then has one way left is done at once."""
    picks, choice = (*picking.picks, pick), picking.choice
    ways = [way for way in choice.picks if way[: len(picks)] == picks]
    if must_confirm(choice, picks):
        return replace(screen, picking=Picking(choice, picks)), None
    if picks in ways or (len(ways) == 1 and of_round(screen, choice)):
        return replace(screen, picking=None), Send(Act(choice.name, ways[0]))
    return replace(screen, picking=Picking(picking.choice, picks)), None


def _marked(screen: Screen, picking: Picking, key: str, at: float) -> tuple[Screen, Wish | None]:
    cards = candidates(screen)
    if key == "enter":
        return _played(screen, picking, at)
    numbered = (n for n, candidate in enumerate(cards) if candidate.number == _number(key))
    place = picking.cursor if key == "space" else next(numbered, None)
    if place is None or place >= len(cards):
        return screen, None
    marked = picking.marked ^ {place}
    return replace(screen, picking=replace(picking, marked=marked, cursor=place)), None


def _played(screen: Screen, picking: Picking, at: float) -> tuple[Screen, Wish | None]:
    """The marked cards are sent, in the order of the hand; the host knows whether they can be."""
    cards = candidates(screen)
    picks = tuple(cards[place].pick for place in sorted(picking.marked))
    if not picks:
        return told(screen, Text("Mark the cards."), at), None
    return screen, Send(Act(picking.choice.name, picks))
