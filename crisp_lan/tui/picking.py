"""A choice that is being made: what may be picked next, and how the player is asked for it.

The host offers choices, each with the complete list of what may be picked. What there is to pick
next follows from that list and the picks so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from crisp_lan.game.rules import Choice, Pick, Setting, Zone
from crisp_lan.text import harmless
from crisp_lan.tui.model import Picking, Quit, Screen, hand_of, in_match, keyed, own_hand
from crisp_lan.tui.points import card_at, seat_point
from crisp_lan.tui.wording import pick_words, setting_words
from crisp_lan.words import _, filled

REMOVES = "remove"
"""The table-level act that takes somebody from the table, of which the player is asked again."""
SETS, ADDS_BOT = "set", "bot"
"""The table-level acts by which the host sets an option, and adds a bot of some level."""
DIGITS = "1234567890"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that may be picked now, with the number that it is shown with, from 1.

    `spot` is the seat and the place in its hand where a card lies that is to be picked.
    """

    pick: Pick
    number: int
    label: str
    spot: tuple[int, int] | None = None

    @property
    def key(self) -> str:
        """Its digit, "" where digits have run out."""
        return DIGITS[self.number - 1] if self.number <= len(DIGITS) else ""


def candidates(screen: Screen) -> tuple[Candidate, ...]:
    """What may be picked next, in the choice that is being made."""
    picking = screen.picking
    if picking is None:
        return ()
    if picking.marks:
        return _markable(screen)
    step = len(picking.picks)
    ways = (p for p in picking.choice.picks if p[:step] == picking.picks)
    open_ways = [p for p in ways if len(p) > step]
    picks = tuple(dict.fromkeys(p[step] for p in open_ways))
    return tuple(_candidate(screen, picking, n, pick) for n, pick in zip(_numbers(picks), picks))


def chosen(screen: Screen) -> tuple[Candidate, ...]:
    """What has been picked so far, in the choice that is being made."""
    picking = screen.picking
    return tuple(
        _candidate(screen, Picking(picking.choice, picking.picks[:n]), 0, pick)
        for n, pick in enumerate(picking.picks if picking else ())
        if picking
    )


def _markable(screen: Screen) -> tuple[Candidate, ...]:
    """Every card of the hand: the host says which go together."""
    hand = own_hand(screen)
    return tuple(
        _on_table(screen, hand, place, card)
        for place, card in enumerate(hand.faces if hand else ())
        if hand and card is not None
    )


def _numbers(picks: Sequence[Pick]) -> Iterator[int]:
    """A number for each: what is a digit itself keeps it, the others get those that are left."""
    digits = set(DIGITS[:9]) & set(map(str, picks))
    others = (n for n in count(1) if str(n) not in digits)
    for pick in picks:
        yield int(pick) if str(pick) in digits else next(others)


def _candidate(screen: Screen, picking: Picking, n: int, pick: Pick) -> Candidate:
    if isinstance(pick, int):
        return _plain(screen, pick + 1, pick)
    whose = _whose(picking)
    hand = hand_of(screen, screen.seat if whose is None else whose)
    for row in (hand.slots, hand.faces) if hand else ():
        if hand and pick in row:
            return _on_table(screen, hand, row.index(pick), pick)
    return _plain(screen, n, pick)


def _on_table(screen: Screen, hand: Zone, place: int, pick: Pick) -> Candidate:
    assert hand.owner is not None
    return replace(_plain(screen, place + 1, pick), spot=(hand.owner, place))


def _plain(screen: Screen, n: int, pick: Pick) -> Candidate:
    label = pick_words(pick, screen.players, screen.ascii)
    if (option := _option(screen)) and isinstance(pick, str) and pick != option[0]:
        label = setting_words(option[0], pick)
    return Candidate(pick, n, label)


def _option(screen: Screen) -> tuple[str, Setting] | None:
    """The option of the table that is being set, and what it is."""
    picking = screen.picking
    if picking is None or screen.show is None or picking.choice.name != SETS or not picking.picks:
        return None
    options = screen.show.table.options
    return next((option for option in options if option[0] == picking.picks[0]), None)


def pointed_at(screen: Screen, point: str) -> tuple[str, ...]:
    """The keys that a click stands for: it picks what lies there, in the choice that is being made
    or in the only one of the round in which it can be picked."""
    if screen.picking:
        return _number_at(screen, point)
    ways = [
        (key, *numbers)
        for key, choice in keyed(screen)
        if of_round(screen, choice) and not only_picks(screen, choice)
        if (numbers := _number_at(replace(screen, picking=Picking(choice)), point))
    ]
    return ways[0] if len(ways) == 1 else ()


def _number_at(screen: Screen, point: str) -> tuple[str, ...]:
    """What picks the card or the player at a point; a player's card can pick the player first."""
    card = card_at(point)
    for one in candidates(screen):
        if one.spot and one.spot == card:
            return (str(one.number),)
        if one.spot is None and isinstance(one.pick, int):
            if seat_point(one.pick) == point:
                return (str(one.number),)
            if card and card[0] == one.pick:
                return (str(one.number), str(card[1] + 1))
    return ()


def option_words(screen: Screen) -> str:
    """What the option changes that is being set, or at which the cursor is; "" if there is none."""
    picking = screen.picking
    if picking is None or picking.choice.name != SETS:
        return ""
    ways = candidates(screen)
    name = picking.picks[0] if picking.picks else ways[picking.cursor].pick if ways else ""
    return label_of(screen, name)


def label_of(screen: Screen, name: Pick) -> str:
    """What an option changes, as the table says it; "" if it does not."""
    table = screen.show.table if screen.show else None
    labels = zip(table.options, table.labels) if table else ()
    return next((harmless(_(label)) for (known, _value), label in labels if known == name), "")


def question(screen: Screen) -> str:
    """What the next step of a choice asks for."""
    first = next(iter(candidates(screen)), None)
    picking = screen.picking
    if first is None or picking is None:
        return ""
    if picking.marks:
        return _("Mark the cards.")
    if isinstance(first.pick, int):
        return _("Which player?")
    if picking.choice.name == ADDS_BOT:
        return _("How good?")
    if option := _option(screen):
        return filled(_("Now {value}. Which one?"), {"value": setting_words(*option)})
    if first.spot is None:
        return _("Which one?")
    return _("Which of their cards?") if _whose(picking) is not None else _("Which card?")


def removal(screen: Screen) -> str:
    """What the player is asked before somebody is taken from the table, "" if nothing."""
    picking = screen.picking
    if picking is None or not must_confirm(picking.choice, picking.picks):
        return ""
    values = {"name": pick_words(picking.picks[0], screen.players, screen.ascii)}
    if in_match(screen):
        return filled(_("Take {name} from the table? The seat is gone for good."), values)
    return filled(_("Take {name} from the table?"), values)


def removal_ways() -> tuple[str, str]:
    """The answers to that, with the digits 1 and 2."""
    return _("Yes, remove"), _("No")


def must_confirm(choice: Choice, picks: tuple[Pick, ...]) -> bool:
    """Whether the player is asked once more before this is sent."""
    return choice.name == REMOVES and bool(picks) and picks in choice.picks


def _whose(picking: Picking) -> int | None:
    last = picking.picks[-1] if picking.picks else None
    return last if isinstance(last, int) else None


def quit_ways(screen: Screen) -> tuple[tuple[str, Quit], ...]:
    """The answers to the quit question, in order; none of them: play on."""
    if screen.is_host:
        return (
            (_("End the table for all"), Quit(end=True)),
            (_("Leave it running and come back later"), Quit()),
        )
    if in_match(screen) and screen.seat is not None and not screen.players[screen.seat].playing:
        return ((_("Leave the table"), Quit(leave=True)),)
    return (
        (_("Keep my seat and come back later"), Quit()),
        (_("Give up my seat"), Quit(leave=True)),
    )


def staying(screen: Screen) -> str:
    """What it means to answer the quit question with no."""
    return _("play on") if in_match(screen) else _("back")


def only_picks(screen: Screen, choice: Choice) -> tuple[tuple[Pick, ...], ...]:
    """The picks with which a choice is made at once: there are no others. What concerns the table
    is asked all the same, and so are cards to be marked."""
    at_once = choice.picks == ((),) or (of_round(screen, choice) and len(choice.picks) == 1)
    return choice.picks if at_once and not choice.sets else ()


def of_round(screen: Screen, choice: Choice) -> bool:
    """Whether a choice is one of the round, not of the table."""
    return screen.view is not None and choice in screen.view.choices
