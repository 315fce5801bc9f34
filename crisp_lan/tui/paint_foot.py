"""The foot of every screen: what runs out, what may be done with which key, and a last word."""

from __future__ import annotations

from crisp_lan.game.rules import Choice, Clock
from crisp_lan.net.messages import PHRASES
from crisp_lan.text import cells, harmless
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    blank,
    block,
    broken,
    fit,
    tall,
    width_of,
    wrapped,
)
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import TALK, Screen, keyed, left, may_talk, word
from crisp_lan.tui.picking import (
    DIGITS,
    Candidate,
    candidates,
    chosen,
    option_words,
    question,
    quit_ways,
    removal,
    removal_ways,
    staying,
)
from crisp_lan.tui.points import key_point, key_span, number_point, pointed
from crisp_lan.tui.wording import decimal, name_of
from crisp_lan.words import _, filled

ROWS = 4
"""The most rows for keys: a host's lobby has so many."""
WAYS = 2
"""So many rows are there for what may be picked."""
HOPELESS = 30
"""Seconds without the table after which it is said that it may not come back."""


def foot(screen: Screen, columns: int, at: float) -> Block:
    """A banner, two rows of clocks, two or three of keys, and what the player must be told."""
    return [
        *_banner_rows(screen, columns),
        *clock_rows(screen, columns, at),
        *key_rows(screen, columns),
        *_message_rows(screen, columns, at),
    ]


def _banner_rows(screen: Screen, columns: int) -> Block:
    lines = broken(" ".join(filter(None, [screen.notice, screen.banner])), columns - 3)
    return [[("loud", _spread(f"   {line}", columns))] for line in lines]


def _spread(text: str, columns: int) -> str:
    """The text in exactly so many cells."""
    return "".join(part for _style, part in fit([("", text)], columns))


# ---------------------------------------------------------------- clocks


def clock_rows(screen: Screen, columns: int, at: float) -> Block:
    """What counts down, in words and as bars; an alarm fills both rows from edge to edge."""
    clocks = screen.clocks
    if not clocks:
        return blank(columns, 2)
    if screen.is_alarm(clocks[0]):
        return _alarm(screen, clocks, columns, at)
    half = (columns - 3) // 2
    if len(clocks) == 2 and all(cells(_clock_text(screen, c, at)) <= half for c in clocks):
        return block(beside([_counted(screen, clock, half, at) for clock in clocks], 1), columns)
    between = pen(screen.ascii).between
    others = between.join(clock_words(screen, clock, at) for clock in clocks[1:])
    words = between.join(filter(None, [_clock_text(screen, clocks[0], at), others]))
    return [
        fit([("", " "), (_clock_style(screen, clocks[0]), words)], columns),
        _bar(screen, columns, _share(screen, clocks[0], at)),
    ]


def _counted(screen: Screen, clock: Clock, width: int, at: float) -> Block:
    """A clock in words, and its bar below."""
    words: Row = [("", " "), (_clock_style(screen, clock), _clock_text(screen, clock, at))]
    return [fit(words, width), _bar(screen, width, _share(screen, clock, at))]


def _clock_text(screen: Screen, clock: Clock, at: float) -> str:
    return _paused(screen) + clock_words(screen, clock, at)


def _clock_style(screen: Screen, clock: Clock) -> str:
    return "strong" if clock.seat == screen.seat else ""


def _share(screen: Screen, clock: Clock, at: float) -> float:
    """How much of a clock is left, of one."""
    return left(screen, clock, at) / clock.total if clock.total else 0.0


def _alarm(screen: Screen, clocks: tuple[Clock, ...], columns: int, at: float) -> Block:
    """The first clock, with the keys of the round in reverse, and what else counts down."""
    told = f"   {_clock_text(screen, clocks[0], at)}   "
    keys: Row = []
    for key, choice in _of_round(screen):
        words = f" [{key}] {_(choice.label)} "
        keys += [*pointed([("loud.key", words)], key_point(key)), ("loud", " ")]
    others = pen(screen.ascii).between.join(clock_words(screen, clock, at) for clock in clocks[1:])
    missing = columns - cells(told) - width_of(keys)
    if cells(others) + 2 > missing:
        others = ""
    rest = others.rjust(missing - 2 + len(others) - cells(others)) + "  " if missing > 2 else ""
    p, full = pen(screen.ascii), round(_share(screen, clocks[0], at) * columns)
    bar = p.full * full + p.rest * (columns - full)
    return [fit([("loud", told), *keys, ("loud", rest)], columns), [("loud.bar", bar)]]


def _of_round(screen: Screen) -> list[tuple[str, Choice]]:
    offered = screen.view.choices if screen.view else ()
    return [(key, choice) for key, choice in keyed(screen) if choice in offered]


def clock_words(screen: Screen, clock: Clock, at: float) -> str:
    """How a clock reads to this player; else its name, whose it is, and what is left."""
    told = span(left(screen, clock, at), tenths=clock.loud or clock.total < 5000)
    mine = clock.seat == screen.seat
    if sentence := clock.mine if mine else clock.theirs:
        who = name_of(-1 if clock.seat is None else clock.seat, screen.players)
        return filled(harmless(_(sentence)), {"seat": who, "left": told})
    words = _(clock.name)
    if clock.seat is not None:
        words += f" ({_('you') if mine else name_of(clock.seat, screen.players)})"
    return f"{words.upper() if screen.is_alarm(clock) else words} {told}"


def span(millis: int, tenths: bool = False) -> str:
    """Time left as people read it: `1.8 s`, `32 s`, `1:05`."""
    if tenths:
        return filled(_("{n} s"), {"n": decimal(f"{millis / 1000:.1f}")})
    whole = -(-millis // 1000)
    if whole < 60:
        return filled(_("{n} s"), {"n": whole})
    return f"{whole // 60}:{whole % 60:02}"


def _paused(screen: Screen) -> str:
    paused = screen.show is not None and screen.show.table.paused
    return _("paused") + pen(screen.ascii).between if paused else ""


def _bar(screen: Screen, columns: int, share: float) -> Row:
    p, room = pen(screen.ascii), columns - 2
    full = round(share * room)
    return [("", " "), ("bar", p.thick * full), ("dim", p.across * (room - full)), ("", " ")]


# ---------------------------------------------------------------- keys


def key_rows(screen: Screen, columns: int) -> Block:
    """The choices with their keys, or how the one that is being made goes on."""
    if screen.saying is not None:
        rows = _saying_rows(screen.saying, columns - 1)
    elif screen.asking == "quit":
        rows = _quit_rows(screen, columns)
    elif asked := removal(screen):
        rows = _removal_rows(asked, columns)
    elif screen.picking:
        rows = _picking_rows(screen, columns)
    else:
        rows = wrapped(_offers(screen), columns - 1, "  ")
    return [fit([("", " "), *row], columns) for row in tall(rows, min(ROWS, max(2, len(rows))))]


def _offers(screen: Screen) -> list[Row]:
    dimmed = screen.sent is not None
    offers = [key_span(key, _(choice.label), dimmed) for key, choice in keyed(screen)]
    talk = [key_span(TALK, _("talk"), True)] if may_talk(screen) else []
    return [*offers, *talk, key_span("?", _("help"), True), key_span("q", _("quit"), True)]


def _saying_rows(typed: str, width: int) -> Block:
    """What is being said; before that is begun, what can be said with a digit."""
    said: Row = [("strong", _("To all:")), ("", " ")]
    keys = key_span("Enter", _("say it"), True), key_span("Esc", _("back"), True)
    if typed:
        room = width - width_of(said) - 2
        shown = next(typed[n:] for n in range(len(typed) + 1) if cells(typed[n:]) <= room)
        return [[*said, ("", shown), ("cursor", " ")], *wrapped(keys, width, "  ")]
    phrases = [key_span(DIGITS[n], _(phrase)) for n, phrase in enumerate(PHRASES)]
    own: Row = [("", _("or your own words"))]
    return wrapped([said[:1], *phrases, own, *keys], width, "  ")


def _picking_rows(screen: Screen, columns: int) -> Block:
    picking = screen.picking
    assert picking is not None
    p = pen(screen.ascii)
    about = [[("dim", line)] for line in broken(option_words(screen), columns - 2)]
    done = p.then.join([_picked_words(screen, one) for one in chosen(screen)])
    asked: Row = [("", f"  {question(screen)}")]
    top: Row = [("strong", f"{done}{p.then}…" if done else _(picking.choice.label)), *asked]
    whole: Row = [("strong", _(picking.choice.label) + p.between), *top] if done else top
    top = whole if width_of(whole) < columns else top
    return [fit(top, columns - 1), *_ways(screen, columns - 1), *about]


def _ways(screen: Screen, width: int) -> Block:
    """What may be picked and with which keys; of too many, those from the cursor on."""
    picking = screen.picking
    assert picking is not None
    offers = [_offer(one, n == picking.cursor) for n, one in enumerate(candidates(screen))]
    back = key_span("Esc", _("back"), True)
    if picking.marks:
        digits = f"1-{min(9, len(offers))}" + (" 0" if len(offers) > 9 else "")
        moving: Row = [
            ("key", f"[{digits}]"),
            ("", " "),
            *key_span(_("arrows") + " Space", _("mark"), True),
        ]
        return wrapped([moving, key_span("Enter", _("play them"), True), back], width, "  ")
    last = [key_span("Enter", _("this one"), True), back]
    rows = wrapped([*offers, *last], width, "  ")
    if len(rows) <= WAYS:
        return rows
    start, more = picking.cursor, [[("dim", "…")]]
    before = more if start else []
    for end in range(min(len(offers), start + WAYS * width), start, -1):
        after = more if end < len(offers) else []
        rows = wrapped([*before, *offers[start:end], *after, *last], width, "  ")
        if len(rows) <= WAYS:
            break
    return rows


def _offer(one: Candidate, cursor: bool) -> Row:
    """Something that may be picked, with its key while there are digits."""
    key = [("key", f"[{one.key}]")] if one.key else []
    row = [*key, ("", ">" if cursor else " "), ("cursor" if cursor else "", one.label)]
    return pointed(row, number_point(one.number))


def _picked_words(screen: Screen, one: Candidate) -> str:
    """Something that has been picked, and whose card it is."""
    mine = one.spot is not None and one.spot[0] == screen.seat
    return f"{_('you')}: {one.label}" if mine else one.label


def _quit_rows(screen: Screen, columns: int) -> Block:
    ways = [key_span(DIGITS[n], words) for n, (words, _quit) in enumerate(quit_ways(screen))]
    rows = wrapped([*ways, key_span("Esc", staying(screen))], columns - 1, "  ")
    return [fit([("strong", _("Quit?"))], columns - 1), *rows]


def _removal_rows(asked: str, columns: int) -> Block:
    ways = [key_span(DIGITS[n], words) for n, words in enumerate(removal_ways())]
    head: Block = [[("strong", line)] for line in broken(asked, columns - 2)]
    return [*head, *wrapped(ways, columns - 1, "  ")]


# ---------------------------------------------------------------- the last word


def _message_rows(screen: Screen, columns: int, at: float) -> Block:
    """A lost connection, a goodbye, or why the last thing was refused; one row if there is none."""
    lines = broken(message(screen, at), columns - 2) or [""]
    return [fit([("", " "), ("warn", line)], columns) for line in lines[:3]]


def message(screen: Screen, at: float) -> str:
    """What the player must be told now, "" if nothing."""
    if screen.over:
        return screen.farewell
    if screen.lost_at is not None:
        return " ".join(filter(None, [screen.farewell, quiet_words(screen, at)]))
    return screen.farewell or word(screen, at)


def quiet_words(screen: Screen, at: float) -> str:
    """For how long nothing has been heard of a lost table, and what is done about it."""
    gone = 0.0 if screen.lost_at is None else max(0.0, at - screen.lost_at)
    quiet = filled(_("No word from the table for {n} s. Looking for it …"), {"n": int(gone)})
    hopeless = [_("It may be gone for good. q leaves.")] if gone >= HOPELESS else []
    return " ".join([quiet, *hopeless])
