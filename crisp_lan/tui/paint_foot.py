"""The foot of every screen: what runs out, what may be done with which key, and a last word."""

from __future__ import annotations

from crisp_lan.game.rules import Choice, Clock
from crisp_lan.text import cells
from crisp_lan.tui.blocks import Block, Row, blank, ends, fit, tall, wrapped
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import (
    DIGITS,
    Candidate,
    Screen,
    candidates,
    chosen,
    keyed,
    left,
    question,
    quit_ways,
    word,
)
from crisp_lan.tui.wording import name_of
from crisp_lan.words import _, filled


def foot(screen: Screen, columns: int, at: float) -> Block:
    """Two rows of clocks, two or three of keys, and one for what the player must be told."""
    return [
        *clock_rows(screen, columns, at),
        *key_rows(screen, columns),
        _message_row(screen, columns, at),
    ]


# ---------------------------------------------------------------- clocks


def clock_rows(screen: Screen, columns: int, at: float) -> Block:
    """What counts down, in words and as a bar; a loud clock fills both rows from edge to edge."""
    clocks = screen.clocks
    if not clocks:
        return blank(columns, 2)
    first = clocks[0]
    share = left(screen, first, at) / first.total if first.total else 0.0
    if first.loud:
        return _loud(screen, clocks, columns, share, at)
    words = pen(screen.ascii).between.join(clock_words(screen, clock, at) for clock in clocks)
    style = "strong" if first.seat == screen.seat else ""
    return [
        fit([("", " "), (style, _paused(screen) + words)], columns),
        _bar(screen, columns, share),
    ]


def _loud(
    screen: Screen, clocks: tuple[Clock, ...], columns: int, share: float, at: float
) -> Block:
    words = "   " + _paused(screen) + clock_words(screen, clocks[0], at)
    if clocks[0].seat == screen.seat:
        words += "".join(f"   [{key}] {_(choice.label)}" for key, choice in _of_round(screen))
    others = pen(screen.ascii).between.join(clock_words(screen, clock, at) for clock in clocks[1:])
    line = ends([("", words)], [("", others + "  ")], columns)
    if cells(words) + cells(others) + 3 > columns:
        line = fit([("", words)], columns)
    text = "".join(span for _style, span in line)
    p, full = pen(screen.ascii), round(share * columns)
    bar = p.full * full + p.rest * (columns - full)
    return [[("loud", text)], [("loud.bar", bar)]]


def _of_round(screen: Screen) -> list[tuple[str, Choice]]:
    offered = screen.view.choices if screen.view else ()
    return [(key, choice) for key, choice in keyed(screen) if choice in offered]


def clock_words(screen: Screen, clock: Clock, at: float) -> str:
    """A clock's name, whose it is, and what is left."""
    millis = left(screen, clock, at)
    words = _(clock.name)
    if clock.seat is not None:
        mine = clock.seat == screen.seat
        words += f" ({_('you') if mine else name_of(clock.seat, screen.players)})"
    tenths = clock.loud or clock.total < 5000
    return f"{words.upper() if clock.loud else words} {span(millis, tenths)}"


def span(millis: int, tenths: bool = False) -> str:
    """Time left as people read it: `1.8 s`, `32 s`, `1:05`."""
    if tenths:
        return filled(_("{n} s"), {"n": f"{millis / 1000:.1f}"})
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
    if screen.asking == "quit":
        rows = _quit_rows(screen, columns)
    elif screen.picking:
        rows = _picking_rows(screen, columns)
    else:
        rows = wrapped(_offers(screen), columns - 1, "  ")
    return [fit([("", " "), *row], columns) for row in tall(rows, min(3, max(2, len(rows))))]


def _offers(screen: Screen) -> list[Row]:
    dimmed = screen.sent is not None
    offers = [key_span(key, _(choice.label), dimmed) for key, choice in keyed(screen)]
    return [*offers, key_span("?", _("help"), True), key_span("q", _("quit"), True)]


def key_span(key: str, label: str, dimmed: bool = False) -> Row:
    """A key in brackets and what it does."""
    return [("key", f"[{key}]"), ("dim" if dimmed else "", f" {label}")]


def _picking_rows(screen: Screen, columns: int) -> Block:
    picking = screen.picking
    assert picking is not None
    p = pen(screen.ascii)
    done = p.then.join([_picked_words(screen, one) for one in chosen(screen)])
    path = p.between.join(filter(None, [_(picking.choice.label), done]))
    top: Row = [("strong", f"{path}{p.then}…" if done else path), ("", f"  {question(screen)}")]
    offers: list[Row] = []
    if not picking.marks:
        for place, candidate in enumerate(candidates(screen)):
            at_cursor = place == picking.cursor
            key = [("key", f"[{candidate.key}]")] if candidate.key else []
            style = "cursor" if at_cursor else ""
            offers.append([*key, ("", ">" if at_cursor else " "), (style, candidate.label)])
    else:
        offers.append(key_span("Space", _("mark"), True))
    offers += [key_span("Enter", _("play them") if picking.marks else _("this one"), True)]
    offers += [key_span("Esc", _("back"), True)]
    return [fit(top, columns - 1), *wrapped(offers, columns - 1, "  ")]


def _picked_words(screen: Screen, one: Candidate) -> str:
    """Something that has been picked, and whose card it is."""
    mine = one.spot is not None and one.spot[0] == screen.seat
    return f"{_('you')}: {one.label}" if mine else one.label


def _quit_rows(screen: Screen, columns: int) -> Block:
    ways = [key_span(DIGITS[n], words) for n, (words, _quit) in enumerate(quit_ways(screen))]
    rows = wrapped([*ways, key_span("Esc", _("play on"))], columns - 1, "  ")
    return [fit([("strong", _("Quit?"))], columns - 1), *rows]


# ---------------------------------------------------------------- the last word


def _message_row(screen: Screen, columns: int, at: float) -> Row:
    """One row for a lost connection, a goodbye, or why the last thing was refused."""
    text = message(screen, at)
    return fit([("", " "), ("warn", text)] if text else [], columns)


def message(screen: Screen, at: float) -> str:
    """What the player must be told now, "" if nothing."""
    if screen.over:
        return screen.farewell
    if screen.lost_at is not None:
        quiet = filled(
            _("No word from the table for {n} s. Looking for it …"),
            {"n": int(max(0.0, at - screen.lost_at))},
        )
        return f"{screen.farewell} {quiet}".strip()
    return screen.farewell or word(screen, at)
