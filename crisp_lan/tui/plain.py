"""The table line by line, for pipes, slow lines and screen readers. Pure, like the painted screen.

    news(before, after, at)         what two screens differ in, as new lines
    clock_news(screen, since, at)   what is said of a clock because time went by
    heard(screen, line, at)         a typed line: the keys that it stands for, and answers to it

A line is a number or a letter for a choice, numbers for what is picked after it ("s 1"), or one of
the words hand, scores, status, code, help, quit and back, in English or in the player's language.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from crisp_lan.game.rules import Card, Clock, TableView, Text, View, Zone
from crisp_lan.text import harmless
from crisp_lan.tui.guide import LEAVE
from crisp_lan.tui.model import Picking, Screen, keyed, left
from crisp_lan.tui.paint_end import is_change, signed, waiting_words
from crisp_lan.tui.paint_foot import clock_words, quiet_words, span
from crisp_lan.tui.paint_guide import lesson_lines, rule_lines
from crisp_lan.tui.paint_lobby import addresses, lobby_words, player_words
from crisp_lan.tui.paint_seats import status_words
from crisp_lan.tui.picking import (
    candidates,
    only_picks,
    question,
    quit_ways,
    removal,
    removal_ways,
    staying,
)
from crisp_lan.tui.pressing import RELEASE
from crisp_lan.tui.wording import (
    face,
    lettered,
    name_of,
    number,
    pick_words,
    setting_words,
    worded,
)
from crisp_lan.words import _, filled, n_

_WORDS = ("hand", "scores", "status", "code", "help", "back", "quit")
SAID = (10_000, 5_000)
"""Milliseconds left at which a clock is said again."""
WORTH_SAYING = 15_000
"""Only clocks that began with so many milliseconds are."""

_AWAY, _BACK = "{seat} is away.", "{seat} is back."
_STEPS_IN = "A bot plays for {seat}."


@dataclass(frozen=True, slots=True)
class Heard:
    """What a typed line comes to: a line of keys for the screen, and lines to answer with."""

    keys: tuple[str, ...] = ()
    said: tuple[str, ...] = ()


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
        yield from _passcode_lines(after)
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
            yield f"{pick_words(name, ())}: {setting_words(name, value)}"


def _of_the_round(before: Screen, after: Screen, at: float) -> Iterator[str]:
    view, old = after.view, before.view
    if view is not None:
        if view.phase != (old.phase if old else ""):
            yield _(view.phase)
        if not view.sheet:
            yield from _faces(after, old, view)
        elif old is None or not old.sheet:
            yield from _sheet(after, view)
        if after.banner != before.banner and (after.my_turn or not before.banner):
            yield from filter(None, [after.banner])
        yield from _turn(before, after, at)
        if (waiting := waiting_words(after)) and not waiting_words(before):
            yield waiting
    yield from _loud(before, after, at)
    offers = choice_lines(after)
    if offers and offers != choice_lines(before):
        yield from offers


def _faces(after: Screen, old: View | None, view: View) -> Iterator[str]:
    """The cards that have come to light since; a whole row of them as one line."""
    known = {(zone.name, zone.owner): zone.faces for zone in (old.zones if old else ())}
    for zone in view.zones:
        owner = "" if zone.owner in (None, after.seat) else _owner(after, zone)
        fresh = _fresh(zone, known.get((zone.name, zone.owner), ()))
        if len(fresh) > 1 and len(fresh) == zone.count:
            yield owner + _zone_line(after, zone)
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
    clocks = [c for c in after.clocks if c.seat == view.turn and not c.loud]
    told = ", ".join(clock_words(after, clock, at) for clock in clocks)
    if after.my_turn:
        yield " ".join(filter(None, [_("Your turn."), told[:1].upper() + told[1:]]))
    else:
        whose = f"{name_of(view.turn, after.players)} {_('has the turn')}"
        yield ", ".join(filter(None, [whose, told]))


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


def choice_lines(screen: Screen) -> list[str]:
    """The choices on offer, with their numbers and letters; nothing while none is."""
    offers = [f"{n}) {_(choice.label)} [{key}]" for n, (key, choice) in enumerate(keyed(screen), 1)]
    return ["  ".join(offers)] if offers else []


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


# ---------------------------------------------------------------- what is typed


def heard(screen: Screen, line: str, at: float) -> Heard:
    """What a typed line means now."""
    meant = _meant(screen, line, at)
    return Heard(meant.keys, tuple(_typed(screen, list(meant.said))))


def _meant(screen: Screen, line: str, at: float) -> Heard:
    words = harmless(line).casefold().split()
    if not words:
        return Heard((RELEASE, "enter")) if screen.picking else Heard(said=_at_hand(screen))
    if len(words) == 1 and (answer := _answer(screen, words[0], at)):
        return answer
    if words == [LEAVE]:
        return Heard((RELEASE, LEAVE))
    if screen.sent is not None:
        return Heard(said=(_("One moment: the table has not answered yet."),))
    if screen.picking or screen.asking:
        return Heard((RELEASE, *_afresh(screen.picking), *words, *_entered(screen.picking, words)))
    return _choosing(screen, words)


def _at_hand(screen: Screen) -> tuple[str, ...]:
    return tuple(choice_lines(screen)) or (_("Nothing to do for you now."),)


def _answer(screen: Screen, word: str, at: float) -> Heard | None:
    """The answer to one of the words that are always understood."""
    if word in ("quit", _("quit").casefold()):
        return Heard((RELEASE, "q"))
    if word in ("back", _("back").casefold()):
        return Heard((RELEASE, "escape"))
    if word in ("help", "?", _("help").casefold()):
        return Heard(said=tuple(help_lines(screen)))
    if word in ("hand", _("hand").casefold()):
        return Heard(said=tuple(hand_lines(screen)))
    if word in ("scores", _("scores").casefold()):
        return Heard(said=tuple(score_lines(screen)))
    if word in ("code", _("code").casefold()):
        return Heard(said=tuple(code_lines(screen)))
    if word in ("status", _("status").casefold()):
        return Heard(said=tuple(status_lines(screen, at)))
    return None


def _choosing(screen: Screen, words: list[str]) -> Heard:
    """A choice by its number, letter or name, and perhaps what is picked with it."""
    first, rest = words[0], words[1:]
    for n, (key, choice) in enumerate(keyed(screen), 1):
        if first in (str(n), key.casefold(), choice.name):
            if rest and not _fits(replace(screen, picking=Picking(choice)), rest[0]):
                return Heard(said=(_("That is not possible now."), *choice_lines(screen)))
            return Heard((RELEASE, key, *rest, *_entered(Picking(choice), rest)))
    if first == "q":
        return Heard((RELEASE, "q"))
    for known in screen.known:
        if first in (known.key.casefold(), known.choice.name):
            return Heard((RELEASE, known.key))
    unknown = filled(_("“{word}” means nothing now. Type help."), {"word": first})
    return Heard(said=(unknown, *choice_lines(screen)))


def _fits(picking: Screen, number: str) -> bool:
    """Whether what is picked with a choice can be; one that is made at once does not ask."""
    assert picking.picking is not None
    one = only_picks(picking, picking.picking.choice)
    fitting = [word for c in candidates(picking) for word in (str(c.number), c.pick)]
    return one in ((), ((),)) or number in fitting


def _afresh(picking: Picking | None) -> tuple[str, ...]:
    """A line names all the cards to play; what a line before it marked counts no more."""
    return ("backspace",) if picking and picking.marked else ()


def _entered(picking: Picking | None, words: list[str]) -> tuple[str, ...]:
    """Marked cards are played at the end of the line that marks them."""
    return ("enter",) if picking and picking.marks and words else ()


# ---------------------------------------------------------------- what is asked for


def help_lines(screen: Screen) -> list[str]:
    """What can be typed now."""
    return [
        *choice_lines(screen),
        _("Type the number or the letter of a choice; what it needs can follow: s 1"),
        " ".join(_(word) for word in _WORDS),
        *rule_lines(screen),
    ]


def code_lines(screen: Screen) -> list[str]:
    """What the table is known by, to be compared by voice, and what others need to join."""
    code = f"{_('Table code')}: {screen.code} ({_('the same on every screen here')})"
    return [code, *_passcode_lines(screen)]


def _passcode_lines(screen: Screen) -> list[str]:
    return [f"{_('Passcode:')} {screen.passcode}"] if screen.passcode else []


def hand_lines(screen: Screen) -> list[str]:
    """The player's own cards."""
    zones = screen.view.zones if screen.view and screen.seat is not None else ()
    own = [zone for zone in zones if zone.owner == screen.seat]
    return [_zone_line(screen, zone) for zone in own] or [_("You hold no cards.")]


def _zone_line(screen: Screen, zone: Zone) -> str:
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
    return [*lines, *goal]


def status_lines(screen: Screen, at: float) -> list[str]:
    """The whole table in a few lines."""
    view = screen.view
    lines = [] if screen.lost_at is None else [quiet_words(screen, at)]
    for seat, player in enumerate(screen.players):
        words = status_words(screen, seat) if view else player_words(screen, seat, player)
        lines.append(f"{seat + 1} {harmless(player.name)}: {', '.join(words) or '-'}")
    if view is not None:
        middle = (zone for zone in view.zones if zone.owner is None)
        lines += [_zone_line(screen, zone) for zone in middle]
        lines += [worded(fact, screen.players, screen.ascii) for fact in view.facts]
    elif screen.show is not None and screen.show.table.phase == "lobby":
        lines += filter(None, [lobby_words(screen)])
    lines += [clock_words(screen, clock, at) for clock in screen.clocks]
    return [*lines, *choice_lines(screen)]


def _sheet(after: Screen, view: View) -> Iterator[str]:
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
