"""The table in lines: what a player who reads or hears it line by line may ask for at any time."""

from __future__ import annotations

from collections.abc import Iterator

from crisp_lan.game.rules import Setting, View, Zone
from crisp_lan.net.messages import PHRASES
from crisp_lan.text import harmless
from crisp_lan.tui.model import Screen, keyed
from crisp_lan.tui.paint_end import is_change, signed
from crisp_lan.tui.paint_foot import clock_words, quiet_words
from crisp_lan.tui.paint_guide import rule_lines
from crisp_lan.tui.paint_lobby import (
    lobby_words,
    player_words,
    standing_words,
    watching_words,
)
from crisp_lan.tui.paint_seats import status_words
from crisp_lan.tui.picking import label_of
from crisp_lan.tui.wording import face, name_of, number, pick_words, setting_words, worded
from crisp_lan.words import _, filled, n_

WORDS = ("hand", "scores", "status", "say", "code", "help", "back", "quit")
"""What is understood at any time, in English and in the player's language."""


def choice_lines(screen: Screen) -> list[str]:
    """The choices on offer, with their numbers and letters; nothing while none is."""
    offers = [f"{n}) {_(choice.label)} [{key}]" for n, (key, choice) in enumerate(keyed(screen), 1)]
    return ["  ".join(offers)] if offers else []


def help_lines(screen: Screen) -> list[str]:
    """What can be typed now."""
    return [
        *choice_lines(screen),
        _("Type the number or the letter of a choice; what it needs can follow: s 1"),
        " ".join(_(word) for word in WORDS),
        *rule_lines(screen),
    ]


def phrase_lines() -> list[str]:
    """What can be said with a number, and how anything else is."""
    phrases = (f"{n}) {_(phrase)}" for n, phrase in enumerate(PHRASES, 1))
    return ["  ".join(phrases), _("Type say and a number, or say and your own words: all read it.")]


def option_line(screen: Screen, name: str, value: Setting) -> str:
    """An option, what it is, and what it changes."""
    label = label_of(screen, name)
    line = f"{pick_words(name, ())}: {setting_words(name, value)}"
    return f"{line} ({label})" if label else line


def code_lines(screen: Screen) -> list[str]:
    """What the table is known by, to be compared by voice, and what others need to join."""
    code = f"{_('Table code')}: {screen.code} ({_('the same on every screen here')})"
    return [code, *passcode_lines(screen)]


def passcode_lines(screen: Screen) -> list[str]:
    """What others need to join, where there is a passcode."""
    return [f"{_('Passcode:')} {screen.passcode}"] if screen.passcode else []


def hand_lines(screen: Screen) -> list[str]:
    """The player's own cards."""
    zones = screen.view.zones if screen.view and screen.seat is not None else ()
    own = [zone for zone in zones if zone.owner == screen.seat]
    return [zone_line(screen, zone) for zone in own] or [_("You hold no cards.")]


def zone_line(screen: Screen, zone: Zone) -> str:
    """A row of cards."""
    cards = []
    for place, card in enumerate(zone.faces):
        label = f"{place + 1}" if zone.slots else f"{place + 1})"
        words = [label] if len(zone.faces) > 1 else []
        words += [_(zone.slots[place])] if zone.slots else []
        words.append(face(card, screen.ascii) if card else _("face down"))
        words += [f"({_(zone.marks[place])})"] if zone.marks and zone.marks[place] else []
        words += [f"({name_of(zone.seats[place], screen.players)})"] if zone.seats else []
        cards.append(" ".join(words))
    what = ", ".join(cards) or "-" if len(cards) == zone.count else _counted(zone, cards)
    return f"{_(zone.name)}: {what}" + (f" ({_(zone.note)})" if zone.note else "")


def _counted(zone: Zone, cards: list[str]) -> str:
    return ", ".join([n_("{n} card", "{n} cards", zone.count), *cards])


def score_lines(screen: Screen) -> list[str]:
    """Everybody's score, and the score that ends the match."""
    if screen.show is None:
        return []
    table = screen.show.table
    lines = [
        f"{seat + 1} {harmless(player.name)}: {number(player.score)}"
        for seat, player in enumerate(table.players)
        if player.score is not None
    ]
    if not lines:
        lines = [f"{harmless(one.name)}: {number(one.score)}" for one in table.results]
    goal = [] if table.target is None else [filled(_("up to {n}"), {"n": table.target})]
    evening = [f"{_('This evening')}: {told}"] if (told := standing_words(screen)) else []
    return [*lines, *goal, *evening]


def status_lines(screen: Screen, at: float) -> list[str]:
    """The whole table in a few lines."""
    view = screen.view
    lines = [] if screen.lost_at is None else [quiet_words(screen, at)]
    for seat, player in enumerate(screen.players):
        words = status_words(screen, seat) if view else player_words(screen, seat, player)
        lines.append(f"{seat + 1} {harmless(player.name)}: {', '.join(words) or '-'}")
    if view is not None:
        middle = (zone for zone in view.zones if zone.owner is None)
        lines += [zone_line(screen, zone) for zone in middle]
        lines += [worded(fact, screen.players, screen.ascii) for fact in view.facts]
    elif screen.show is not None and screen.show.table.phase == "lobby":
        lines += filter(None, [lobby_words(screen)])
    lines += [clock_words(screen, clock, at) for clock in screen.clocks]
    lines += filter(None, [watching_words(screen)])
    return [*lines, *choice_lines(screen)]


def sheet_lines(after: Screen, view: View) -> Iterator[str]:
    """The round's end: each hand, what it brought, and the new score."""
    for seat, player in enumerate(after.players):
        hand = next((zone for zone in view.zones if zone.owner == seat), None)
        if not player.playing or hand is None:
            continue
        cards = " ".join(face(card, after.ascii) for card in hand.faces if card)
        columns = [(name, dict(column)) for name, column in view.sheet]
        sums = [
            f"{_(name)} {signed(column[seat], is_change(after, column))}"
            for name, column in columns
            if seat in column
        ]
        score = [] if player.score is None else [f"{_('score')} {number(player.score)}"]
        won = [_("wins")] if after.show and seat in after.show.table.winners else []
        told = ", ".join(filter(None, [cards, *sums, *score, *won]))
        yield f"{seat + 1} {harmless(player.name)}: {told}"
