"""The table line by line, for pipes, slow lines and screen readers. Pure, like the painted screen.

    news(before, after, at)         what two screens differ in, as new lines
    clock_news(screen, since, at)   what is said of a clock because time went by

What a typed line means is in typed.py, what it may ask for in lines.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from crisp_lan.game.rules import Card, Clock, TableView, Text, View, Zone
from crisp_lan.text import harmless
from crisp_lan.tui.lines import (
    choice_lines,
    help_lines,
    option_line,
    passcode_lines,
    sheet_lines,
    zone_line,
)
from crisp_lan.tui.model import Picking, Screen, keyed, left
from crisp_lan.tui.paint_end import waiting_words
from crisp_lan.tui.paint_foot import clock_words, quiet_words, span
from crisp_lan.tui.paint_guide import lesson_lines
from crisp_lan.tui.paint_lobby import addresses, lobby_words, player_words, watching_words
from crisp_lan.tui.picking import (
    candidates,
    question,
    quit_ways,
    removal,
    removal_ways,
    staying,
)
from crisp_lan.tui.wording import (
    face,
    lettered,
    name_of,
    number,
    worded,
)
from crisp_lan.words import _, filled

SAID = (10_000, 5_000)
"""Milliseconds left at which a clock is said again."""
WORTH_SAYING = 15_000
"""Only clocks that began with so many milliseconds are."""

_AWAY, _BACK = "{seat} is away.", "{seat} is back."
_STEPS_IN = "A bot plays for {seat}."


# ---------------------------------------------------------------- what is new


def news(before: Screen, after: Screen, at: float) -> list[str]:
    """What has happened between two screens, each thing a line."""
    lines = [*_of_the_link(before, after, at)]
    if after.verdict is not None and after.verdict is not before.verdict:
        lines.append(after.verdict.words)
    if after.show is not None and after.show is not before.show:
        lines += _of_the_table(before, after)
        told = _told(after)
        lines += told
        lines += [line for line in _presences(before, after) if line not in told]
        if after.notice and after.notice != before.notice and after.notice not in told:
            lines.append(after.notice)
        lines += _new_round(before, after)
        lines += _of_the_round(before, after, at)
        lines += lesson_lines(before, after)
    if after.word and (after.word, after.word_at) != (before.word, before.word_at):
        lines.append(after.word)
    return _typed(after, [*lines, *_asked(before, after)])


def _typed(screen: Screen, lines: list[str]) -> list[str]:
    return [lettered(line) for line in lines] if screen.ascii else lines


def _of_the_link(before: Screen, after: Screen, at: float) -> Iterator[str]:
    lost = after.lost_at is not None and before.lost_at is None
    if after.lost_at is None and before.lost_at is not None:
        yield _("The table is there again.")
    if after.farewell and after.farewell != before.farewell:
        yield after.farewell
    if lost:
        yield quiet_words(after, at)
    if (lost or (after.over and not before.over)) and (scores := _scores_so_far(after)):
        yield scores


def _scores_so_far(screen: Screen) -> str:
    """Everybody's score in the match that has been broken off, as one line; "" without one."""
    told = [
        f"{harmless(player.name)} {number(player.score)}"
        for player in screen.players
        if player.score is not None
    ]
    scores = {"scores": ", ".join(told)}
    return filled(_("The scores so far: {scores}."), scores) if told else ""


def _told(after: Screen) -> list[str]:
    assert after.show is not None
    count = len(after.show.notes)
    return [line.words for line in after.log[-count:]] if count else []


def _of_the_table(before: Screen, after: Screen) -> Iterator[str]:
    assert after.show is not None
    old, new = before.show.table if before.show else None, after.show.table
    if old is None:
        yield f"{_(new.title)}: {_(new.goal)}"
        yield from (f"crisp-lan join {spot}" for spot in addresses(after)[:2])
        yield from passcode_lines(after)
    watched = before.show.watchers if before.show else ()
    if after.show.watchers != watched:
        yield watching_words(after) or _("Nobody is watching any more.")
    if new.repeatable and (old is None or not old.repeatable):
        yield _("The deals of this table can be repeated.")
    if new.phase == "lobby":
        yield from _of_the_lobby(after, old, new)
        entered = old is None or old.phase != "lobby"
        if (why := lobby_words(after)) and (entered or why != lobby_words(before)):
            yield why


def _presences(before: Screen, after: Screen) -> Iterator[str]:
    """Who has gone away in a match, or come back, and for whom a bot plays."""
    for seat, (old, new) in enumerate(zip(before.players, after.players)):
        if old.playing and new.playing and old.by != new.by and new.by != "left":
            steps_in = new.by == "bot" and not old.level
            key = _STEPS_IN if steps_in else _AWAY if new.by == "nobody" else _BACK
            yield worded(Text(key, {"seat": seat}), after.players, after.ascii)


def _new_round(before: Screen, after: Screen) -> Iterator[str]:
    assert after.show is not None
    old, new = before.show.table if before.show else None, after.show.table
    if new.phase != "lobby" and (old is None or old.round != new.round):
        yield filled(_("round {n}"), {"n": new.round})


def _of_the_lobby(after: Screen, old: TableView | None, new: TableView) -> Iterator[str]:
    entered = old is None or old.phase != "lobby"
    known = set() if old is None or entered else set(enumerate(old.players))
    for seat, player in enumerate(new.players):
        if (seat, player) not in known:
            words = ", ".join(player_words(after, seat, player))
            yield f"{seat + 1} {harmless(player.name)}: {words}"
    agreed = set() if old is None or entered else set(old.options)
    for name, value in new.options:
        if (name, value) not in agreed:
            yield option_line(after, name, value)


def _of_the_round(before: Screen, after: Screen, at: float) -> Iterator[str]:
    assert after.show is not None
    view, old = after.view, before.view
    if view is not None:
        if view.phase != (old.phase if old else ""):
            yield _(view.phase)
        if not view.sheet:
            yield from _faces(after, old, view)
        elif old is None or not old.sheet:
            yield from sheet_lines(after, view)
        if after.banner != before.banner and (after.my_turn or not before.banner):
            yield from filter(None, [after.banner])
        yield from _turn(before, after, at)
        if (waiting := waiting_words(after)) and not waiting_words(before):
            yield waiting
    yield from _loud(before, after, at)
    offers = choice_lines(after)
    acted = before.show is not None and after.show.done != before.show.done
    shuffles = after.show.table.phase == "shuffle"
    if not shuffles and (acted or not _still_told(before, after)):
        yield from offers


def _still_told(before: Screen, after: Screen) -> bool:
    """Whether the choices that were told last still have their numbers and are all that matters:
    where people sit down one after the other, what only comes behind them is not told each time."""
    told, now = ([(key, choice.label) for key, choice in keyed(s)] for s in (before, after))
    in_lobby = after.show is not None and after.show.table.phase == "lobby"
    return now[: len(told)] == told if in_lobby and told else now == told


def _faces(after: Screen, old: View | None, view: View) -> Iterator[str]:
    """The cards that have come to light since; a whole row of them as one line."""
    known = {(zone.name, zone.owner): zone.faces for zone in (old.zones if old else ())}
    for zone in view.zones:
        owner = "" if zone.owner in (None, after.seat) else _owner(after, zone)
        fresh = _fresh(zone, known.get((zone.name, zone.owner), ()))
        if len(fresh) > 1 and len(fresh) == zone.count:
            yield owner + zone_line(after, zone)
        else:
            for where, card in fresh:
                yield f"{owner}{_(zone.name)}{where}: {face(card, after.ascii)}"


def _fresh(zone: Zone, was: Sequence[Card | None]) -> list[tuple[str, Card]]:
    """The faces that were not seen before, each with its place where places have names."""
    if zone.slots:
        pairs = zip_longest(zone.slots, zone.faces, was[: len(zone.faces)])
        return [(f" {_(slot)}", card) for slot, card, old in pairs if card and card != old]
    return [("", card) for card in (Counter(zone.faces) - Counter(was)).elements() if card]


def _owner(screen: Screen, zone: Zone) -> str:
    return "" if zone.owner is None else f"{name_of(zone.owner, screen.players)}, "


def _turn(before: Screen, after: Screen, at: float) -> Iterator[str]:
    view = after.view
    if view is None or view.turn is None or (before.view and before.view.turn == view.turn):
        return
    if not after.my_turn:
        yield f"{name_of(view.turn, after.players)} {_('has the turn')}"
        return
    clocks = [c for c in after.clocks if c.seat == view.turn and not c.loud]
    told = ", ".join(clock_words(after, clock, at) for clock in clocks)
    yield " ".join(filter(None, [_("Your turn."), told[:1].upper() + told[1:]]))


def _loud(before: Screen, after: Screen, at: float) -> Iterator[str]:
    running = {(clock.name, clock.seat, clock.ends) for clock in before.clocks}
    for clock in after.clocks:
        if clock.loud and (clock.name, clock.seat, clock.ends) not in running:
            yield clock_words(after, clock, at)


def _asked(before: Screen, after: Screen) -> list[str]:
    """What the player is asked because of a key."""
    if after.asking != before.asking:
        if after.asking == "quit":
            ways = [f"{n}) {words}" for n, (words, _quit) in enumerate(quit_ways(after), 1)]
            return [_("Quit?"), *ways, f"{_('back')}) {staying(after)}"]
        if after.asking == "help":
            return help_lines(after)
    if _step(after.picking) != _step(before.picking):
        if asked := removal(after):
            return [asked, "  ".join(f"{n}) {words}" for n, words in enumerate(removal_ways(), 1))]
        if after.picking:
            offers = [f"{c.number}) {c.label}" for c in candidates(after)]
            return [f"{question(after)} {'  '.join(offers)}"]
        if after.sent is None and before.sent is None and after.show is before.show:
            return choice_lines(after)
    return []


def _step(picking: Picking | None) -> Picking | None:
    """What is asked for, whatever is marked of it so far."""
    return picking and replace(picking, marked=frozenset(), cursor=0)


# ---------------------------------------------------------------- what time brings


def clock_news(screen: Screen, since: float, at: float) -> list[str]:
    """What must be said of this player's clocks, and of a lost table, because time went from
    `since` to `at`."""
    if screen.lost_at is not None and not screen.over:
        more = _silences(at - screen.lost_at) > _silences(since - screen.lost_at)
        return _typed(screen, [quiet_words(screen, at)] if more else [])
    lines = [
        f"{_(clock.name)}: {span(points[-1])}"
        for clock in screen.clocks
        if clock.seat in (None, screen.seat) and clock.total >= WORTH_SAYING
        if (points := _passed(screen, clock, since, at))
    ]
    return _typed(screen, lines)


def _silences(gone: float) -> int:
    """How often a silence of so many seconds is told after it has begun: at 10, at 30 seconds, and
    each minute."""
    return (gone >= 10) + (gone >= 30) + int(max(0.0, gone) // 60)


def _passed(screen: Screen, clock: Clock, since: float, at: float) -> list[int]:
    return [p for p in SAID if left(screen, clock, at) <= p < left(screen, clock, since)]
