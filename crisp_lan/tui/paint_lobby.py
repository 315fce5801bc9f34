"""The lobby: how others get here, who is here, what is agreed, and how the last match ended."""

from __future__ import annotations

from collections.abc import Sequence

from crisp_lan.game.rules import Player, Standing
from crisp_lan.spots import spot
from crisp_lan.text import cells, cut, harmless
from crisp_lan.tui.blocks import (
    Block,
    Row,
    beside,
    blank,
    block,
    broken,
    ends,
    fit,
    tall,
    width_of,
    wrapped,
)
from crisp_lan.tui.cards import pen
from crisp_lan.tui.model import Screen, recent
from crisp_lan.tui.picking import label_of
from crisp_lan.tui.wording import number, pick_words, setting_words
from crisp_lan.words import _, filled, n_

_LARGE = {
    "0": ("┏━┓", "┃ ┃", "┗━┛"),
    "1": (" ╺┓", "  ┃", "  ╹"),
    "2": ("╺━┓", "┏━┛", "┗━╸"),
    "3": ("╺━┓", "╺━┫", "╺━┛"),
    "4": ("╻ ╻", "┗━┫", "  ╹"),
    "5": ("┏━╸", "┗━┓", "╺━┛"),
    "6": ("┏━╸", "┣━┓", "┗━┛"),
    "7": ("╺━┓", "  ┃", "  ╹"),
    "8": ("┏━┓", "┣━┫", "┗━┛"),
    "9": ("┏━┓", "┗━┫", "╺━┛"),
    ".": (" ", " ", "•"),
    ":": (" ", "•", "•"),
}
LOG = 2
"""Lines of what has happened, and of what was said."""
NAMED = 3
"""So many of those who look on are named; more could be a crowd."""
LABELS, STANDINGS, BRIEF = range(3)
"""How much is told of what is agreed, by the room that there is."""


def lobby_block(screen: Screen, columns: int, lines: int, at: float) -> Block:
    """The lobby in exactly that many columns and lines."""
    assert screen.show is not None
    goal = block(
        ([("dim", f" {line}")] for line in broken(_(screen.show.table.goal), columns - 2)), columns
    )
    told = [line for words in recent(screen, at)[-3:] for line in broken(words, columns - 2)]
    log = block(([("", " "), ("dim", line)] for line in told[-LOG:]), columns)
    head, sides = _fitting(screen, columns, lines - len(log))
    if len(head) + len(goal) + 1 + len(sides) + len(log) <= lines:
        head = [*head, *goal, *blank(columns)]
    return tall([*tall([*head, *sides], lines - len(log)), *log], lines)


def _fitting(screen: Screen, columns: int, lines: int) -> tuple[Block, Block]:
    """The way here, and below it the players and what is agreed: as much of all as has room."""
    why = [[("", " "), ("strong", line)] for line in broken(lobby_words(screen), columns - 2)]
    below = block([[], *why] if why else [], columns)
    half = columns // 2 - 2
    head: Block = []
    sides: Block = []
    for large in (("address", "passcode"), ("passcode",), ()):
        head = _way_here(screen, columns, large)
        for detail in (LABELS, STANDINGS, BRIEF):
            agreed = _agreed(screen, columns - half - 4, detail)
            sides = [*beside([_players(screen, half), agreed], 4), *below]
            if len(head) + len(sides) <= lines:
                return head, sides
    return head, sides


def lobby_words(screen: Screen) -> str:
    """Why nobody can start, or who can; "" for the player who can, and of a table that is over."""
    assert screen.show is not None
    table = screen.show.table
    if screen.over:
        return ""
    here = [player for player in table.players if player.by in ("person", "bot")]
    if not table.seats or any(choice.name == "start" for choice in table.choices):
        return ""
    if len(here) < min(table.seats):
        missing = min(table.seats) - len(here)
        return n_("{n} more player is needed.", "{n} more players are needed.", missing)
    if len(here) not in table.seats:
        numbers = ", ".join(map(str, table.seats))
        return filled(
            _("{game} is for so many players: {numbers}."),
            {"game": _(table.title), "numbers": numbers},
        )
    waiting = [player for player in here if not player.ready and not player.host]
    if screen.seat is not None and table.players[screen.seat] in waiting:
        return _("Say when you are ready.")
    waiting = waiting or [player for player in here if player.host]
    names = ", ".join(harmless(player.name) for player in waiting)
    return filled(_("Waiting for {names}."), {"names": names}) if names else ""


def _way_here(screen: Screen, columns: int, large: Sequence[str]) -> Block:
    """How others join: the address and the passcode, in large signs what is to be and can be."""
    spots = addresses(screen)
    alone = bool(screen.addresses) and all(map(_is_loopback, screen.addresses))
    whence = _("Join from this machine alone:") if alone else _("Join from another machine:")
    items: Block = [
        [("", " "), ("dim", whence)],
        [("", " "), ("strong", " ".join(["crisp-lan join", *spots[:1]]))],
    ]
    rows: Block = [[], *wrapped(items, columns, " "), []]
    if spots and "address" in large and (signs := _signs(spots[0], columns - 3, screen.ascii)):
        rows += [*([("", "   "), *row] for row in signs), []]
    if screen.passcode:
        rows += [*_passcode(screen, columns, "passcode" in large), []]
    if len(spots) > 1:
        others = filled(_("or at {addresses}"), {"addresses": "  ".join(spots[1:4])})
        rows += [[("", " "), ("dim", others)], []]
    return block(rows, columns)


def _is_loopback(address: str) -> bool:
    return address == "::1" or address.startswith("127.")


def _passcode(screen: Screen, columns: int, large: bool) -> Block:
    label: Row = [("", " "), ("dim", _("Passcode:")), ("", "  ")]
    room = columns - width_of(label)
    if large and (signs := _signs(screen.passcode, room, screen.ascii)):
        return beside([block([[], label, []], width_of(label)), signs], 0)
    return [[*label, ("strong", screen.passcode)]]


def _signs(text: str, columns: int, ascii: bool) -> Block:
    """A text in large signs; nothing if that cannot be drawn here."""
    signs = large_text(text, ascii)
    return signs if signs and width_of(signs[0]) < columns else []


def addresses(screen: Screen) -> list[str]:
    """Where the table can be reached, each `address:port`."""
    return [spot(harmless(address), screen.port) for address in screen.addresses]


def large_text(text: str, ascii: bool) -> Block:
    """Digits three rows high; nothing where a sign cannot be drawn so."""
    if ascii or any(sign not in _LARGE for sign in text):
        return []
    return [[("strong", " ".join(_LARGE[sign][line] for sign in text))] for line in range(3)]


def _players(screen: Screen, width: int) -> Block:
    assert screen.show is not None
    table = screen.show.table
    count = filled(_("Players: {n} of {size}"), {"n": len(table.players), "size": table.size})
    rows: Block = [[("title", f" {count}")]]
    for seat, player in enumerate(table.players):
        words = pen(screen.ascii).between.join(player_words(screen, seat, player))
        style = "dim" if player.by in ("nobody", "left") else "strong"
        name: Row = [("", f" {seat + 1} "), (style, harmless(player.name))]
        rows.append(ends(name, [("", cut(words, width - width_of(name) - 1))], width))
    if told := watching_words(screen):
        rows.append([("dim", f" {told}")])
    return block(rows, width)


def watching_words(screen: Screen) -> str:
    """Who looks on, the first by their names; "" if nobody does."""
    watchers = screen.show.watchers if screen.show else ()
    names = ", ".join(map(harmless, watchers[:NAMED]))
    more = f" +{len(watchers) - NAMED}" if len(watchers) > NAMED else ""
    return filled(_("Watching: {names}"), {"names": names + more}) if watchers else ""


def player_words(screen: Screen, seat: int, player: Player) -> list[str]:
    """What the lobby says of somebody."""
    words = [_("you")] if seat == screen.seat else []
    words += [_("host")] if player.host else []
    if player.by == "bot":
        return [*words, _("bot"), *([_(player.level)] if player.level else [])]
    if player.by != "person":
        return [*words, _("away")]
    return [*words, _("ready") if player.ready else _("not ready")]


def _agreed(screen: Screen, width: int, detail: int) -> Block:
    """The options, how the last match ended, and the evening: its standings line by line, or with
    the options' labels, too, or all in a few lines."""
    parts = (_options(screen, width, detail == LABELS), _last_game(screen, width))
    evening = _evening_in_brief(screen, width) if detail == BRIEF else _evening(screen, width)
    return block((row for part in (*parts, evening) for row in part), width)


def _options(screen: Screen, width: int, labelled: bool) -> Block:
    options = screen.show.table.options if screen.show else ()
    names = [pick_words(name, ()) for name, _value in options]
    longest = max(map(cells, names), default=0)
    rows: Block = [[("title", _("Options"))]]
    for told, (name, value) in zip(names, options):
        words = ("strong", setting_words(name, value))
        rows.append([*fit([("", told)], longest), ("", "  "), words])
        about = broken(label_of(screen, name), width - 2) if labelled else []
        rows += [[("dim", f"  {line}")] for line in about]
    return rows


def _last_game(screen: Screen, width: int) -> Block:
    results = screen.show.table.results if screen.show else ()
    rows: Block = [[], [("title", _("Last game"))]] if results else []
    for result in results:
        won = _("wins") if result.won else _("has left") if result.left else ""
        right: Row = [("strong", won), ("", f"  {number(result.score)} ")]
        rows.append(ends([("", harmless(result.name))], right, width))
    return rows


def _evening(screen: Screen, width: int) -> Block:
    evening = screen.show.table.evening if screen.show and _games(screen) > 1 else ()
    rows: Block = [[], [("title", _("This evening"))]] if evening else []
    for one in evening:
        rows.append(ends([("", harmless(one.name))], [("", f"{_won(one)} ")], width))
    return rows


def _evening_in_brief(screen: Screen, width: int) -> Block:
    told = standing_words(screen)
    lines = broken(f"{_('This evening')}: {told}", width) if told else []
    return [[("dim", line)] for line in lines]


def _games(screen: Screen) -> int:
    """How many games somebody has played here: after the first, its standings are the evening's."""
    return max((one.games for one in screen.show.table.evening), default=0) if screen.show else 0


def _won(one: Standing) -> str:
    return filled(_("{won} of {n} won"), {"won": one.won, "n": one.games})


def standing_words(screen: Screen) -> str:
    """The standings of the evening in one line, "" before there are any."""
    evening = screen.show.table.evening if screen.show and _games(screen) > 1 else ()
    return ", ".join(f"{harmless(one.name)} {_won(one)}" for one in evening)
