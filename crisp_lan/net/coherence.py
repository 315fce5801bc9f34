"""Whether a show can be shown: what a table says of seats, cards and choices must fit together.

Types alone are checked by the codec. A screen looks players up by their seats and remarks by their
cards, and takes time for each thing listed: a table that tells of what cannot be is no table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from crisp_lan.game.rules import Choice, Pick, Seat, View, Zone
from crisp_lan.net.messages import Show

LONGEST = 256
"""The entries of any list in a show, at most; games have up to thirty."""
WAYS = 1024
"""The lists of picks of one choice, at most; games offer up to a hundred."""
PICKS = PICK = 32
"""The picks of an act, and the signs of one that is text, at most: the message has no more room."""


def incoherence(show: Show) -> str:
    """What of a show cannot be; "" if all can."""
    zones = show.view.zones if show.view else ()
    choices = show.table.choices + (show.view.choices if show.view else ())
    players = len(show.table.players)
    if max(map(len, _lists(show))) > LONGEST:
        return "a list that is too long"
    if not {None, *range(players)}.issuperset(_seats(show)):
        return "a seat that is none"
    if len(show.table.labels) not in (0, len(show.table.options)):
        return "options and labels that do not match"
    if not all(map(_matches, zones)):
        return "cards and remarks that do not match"
    if not all(map(_can_be_made, choices)):
        return "a choice that nobody can make"
    return ""


def _lists(show: Show) -> Iterator[Sequence[object]]:
    table = show.table
    yield from (table.players, table.options, table.winners, table.results)
    yield from (table.choices, table.clocks, table.seats, show.notes)
    yield from (table.labels, table.evening)
    if view := show.view:
        yield from (view.zones, view.choices, view.clocks, view.tags, view.facts, view.sheet)
        yield from (zone.faces for zone in view.zones)
        yield from (column for _name, column in view.sheet)


def _seats(show: Show) -> Iterator[Seat | None]:
    yield show.seat
    yield from show.table.winners
    yield from (clock.seat for clock in show.table.clocks)
    if show.view is not None:
        yield from _seats_of(show.view)


def _seats_of(view: View) -> Iterator[Seat | None]:
    yield from (view.seat, view.turn)
    yield from (clock.seat for clock in view.clocks)
    yield from (tag.seat for tag in view.tags)
    yield from (seat for _name, column in view.sheet for seat, _number in column)
    for zone in view.zones:
        yield zone.owner
        yield from zone.seats


def _matches(zone: Zone) -> bool:
    """Whether there is nothing, or something for each card."""
    lengths = (0, len(zone.faces))
    return (
        len(zone.slots) in lengths
        and len(zone.marks) in lengths
        and len(zone.seats) in lengths
        and zone.count >= 0
    )


def _can_be_made(choice: Choice) -> bool:
    """Whether there is a key for it, or none is asked for, and something to send."""
    key, ways = choice.key, choice.picks
    if key and not (len(key) == 1 and key.isascii() and key.isalpha()):
        return False
    if not 1 <= len(ways) <= WAYS or max(map(len, ways)) > PICKS:
        return False
    return all(map(_can_be_sent, {pick for picks in ways for pick in picks}))


def _can_be_sent(pick: Pick) -> bool:
    """Whether a `do` has room for it."""
    return 0 <= pick <= 255 if isinstance(pick, int) else len(pick) <= PICK
