"""Screens as hosts would make them: built by hand, of Crisp and of games that do not exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from crisp_lan.game.rules import (
    Choice,
    Clock,
    Note,
    Player,
    Result,
    Standing,
    TableView,
    Tag,
    Text,
    View,
    Zone,
)
from crisp_lan.net.messages import Hello, Show, Welcome
from crisp_lan.tui.model import Screen, see

NAMES = ("Lea", "Ayu", "Ben", "Chandra", "Dewi", "Emil", "Farida Wulandari", "Gustav")
SLOTS = ("left", "middle", "right")

DRAW = Choice("draw", "Draw", key="d")
TAKE = Choice("take", "Take the discard", key="t")
SWAP = Choice("swap", "Swap it in", tuple((slot,) for slot in SLOTS), key="s")
DISCARD = Choice("discard", "Discard it", key="x")
CALL = Choice("crisp", "Call crisp", key="c")
LOOK = Choice("look", "Look at a card", (("left",), ("right",)), key="l")
CLOSE = Choice("close", "Close the look", (("left",),), key="h")
READY = Choice("ready", "Ready", key="r")
PAUSE = Choice("pause", "Pause", key="p")
REMOVE = Choice("remove", "Remove from the table", ((1,), (2,)), key="m")
END = Choice("end", "End the table for all")


def queen(others: Sequence[int]) -> Choice:
    picks = tuple((mine, seat, theirs) for mine in SLOTS for seat in others for theirs in SLOTS)
    return Choice("queen", "Use the Queen: swap two cards blind", picks, key="u")


def player(name: str, **changes: Any) -> Player:
    plain = Player(name, "person", "", host=False, ready=False, playing=True, score=0, place=1)
    return replace(plain, **changes)


def players(count: int) -> tuple[Player, ...]:
    """People and bots with scores; the first is the host, the third away, the last a bot."""
    seats = [player(NAMES[n], score=(7 * n + 12) % 94) for n in range(count)]
    seats[0] = replace(seats[0], host=True)
    if count > 2:
        seats[2] = replace(seats[2], by="nobody")
    seats[-1] = replace(seats[-1], by="bot", level="normal")
    return placed(seats)


def placed(seats: Sequence[Player]) -> tuple[Player, ...]:
    """The players with the places that their scores give them; the lowest leads."""
    scores = sorted(one.score for one in seats if one.score is not None)
    return tuple(
        replace(one, place=None if one.score is None else scores.index(one.score) + 1)
        for one in seats
    )


def table(count: int, **changes: Any) -> TableView:
    plain = TableView(
        phase="round",
        game="crisp",
        title="Crisp",
        goal="Three cards each, face down: the lowest total wins.",
        size=8,
        players=players(count),
        options=(("limit", 100), ("draw_time", 45), ("take_discard", False)),
        round=3,
        target=100,
        paused=False,
        repeatable=False,
        winners=(),
        results=(),
        choices=(PAUSE, REMOVE, END),
        clocks=(),
        seats=(2, 3, 4, 5, 6, 7, 8),
    )
    return replace(plain, **changes)


def hands(count: int, mine: Sequence[str] = ("", "", ""), faces: Any = None) -> tuple[Zone, ...]:
    nothing = ("", "", "")
    return tuple(
        Zone(
            "hand",
            seat,
            faces[seat] if faces else (None, None, None),
            3,
            slots=SLOTS,
            marks=tuple(mine) if seat == 0 else nothing,
        )
        for seat in range(count)
    )


def piles(draw: int, discard: int, top: str | None) -> tuple[Zone, ...]:
    return (
        Zone("draw pile", None, (), draw),
        Zone("discard pile", None, (top,) if top else (), discard),
    )


def shown(view: View | None, around: TableView, seat: int | None = 0, **changes: Any) -> Show:
    plain = Show(1, 100_000, 5, 3, seat, around, view, ())
    return Show(
        **{
            **{name: getattr(plain, name) for name in plain.__struct_fields__},
            **changes,
        }
    )


def screen(show: Show, at: float = 0.0, ascii: bool = False, **more: Any) -> Screen:
    """What a player sees who joined and then got `show`."""
    blank = Screen(ascii=ascii, **more)
    named = see(blank, Hello(1, "crisp-lan 1", "a1b2", "Lea's table"), at)
    met = see(named, Welcome("token", ("192.168.1.17", "10.0.0.4"), 27477), at)
    return see(met, show, at)


def locked(screen: Screen) -> Screen:
    """The same at a table with a passcode, whose certificate is known."""
    return replace(screen, passcode="482913", code="8968 0302 4493 4543 6626")


def notes(*told: tuple[str, dict[str, Any]]) -> tuple[Note, ...]:
    return tuple(Note(key, values) for key, values in told)


# ---------------------------------------------------------------- Crisp


def lobby(count: int, ascii: bool = False) -> Screen:
    seats = tuple(
        replace(one, playing=False, score=None, ready=n % 2 == 1 or one.by == "bot")
        for n, one in enumerate(players(count))
    )
    options = (("limit", "50"), ("limit", "150"), ("draw_time", "30"), ("take_discard", "on"))
    choices = (
        Choice("ready", "Ready", key="r"),
        Choice("start", "Start", key="g"),
        Choice("set", "Change an option", options, key="o"),
        Choice("bot", "Add a bot", (("easy",), ("normal",), ("hard",)), key="b"),
        REMOVE,
        END,
    )
    results = (Result("Ayu", 31, True, False), Result("Lea", 104, False, False))
    around = table(count, phase="lobby", players=seats, round=0, choices=choices, results=results)
    told = notes(("{name} sits down.", {"name": "Ayu"}))
    return screen(shown(None, around, notes=told), ascii=ascii)


def evening(count: int) -> Screen:
    """A lobby after three games, with what its options change, and people who look on."""
    held = lobby(count).show
    assert held is not None
    evening = (Standing("Ayu", 3, 2), Standing("Lea", 3, 1), Standing("Ben", 2, 0))
    labels = (
        "Points that end the game",
        "Seconds for each draw",
        "Cards may be taken from the discard pile, too",
    )
    pairs = tuple((one, other) for one in range(count) for other in range(count) if one != other)
    more = (
        Choice("start", "One more game", key="g"),
        Choice("game", "Play another game", (("Briscola",),), key="v"),
        Choice("exchange", "Exchange two seats", pairs, key="x"),
    )
    others = [choice for choice in held.table.choices if choice.name != "start"]
    around = replace(
        held.table, labels=labels, evening=evening, choices=(*others[:1], *more, *others[1:])
    )
    told = notes(("{seat}: {phrase}", {"seat": 1, "phrase": "Well played!"}))
    return screen(shown(None, around, notes=told, watchers=("Eve", "Wira")))


def first_look(count: int, ascii: bool = False) -> Screen:
    mine = ("looking", "", "may look")
    zones = list(hands(count, mine))
    zones[0] = replace(zones[0], faces=("7H", None, None))
    zones[-1] = replace(zones[-1], marks=("", "", "looking"))
    view = View(
        0,
        "First look",
        None,
        (*zones, *piles(52 - 3 * count, 0, None)),
        (replace(LOOK, picks=(("right",),)), CLOSE, READY),
        (Clock("first look", None, 121_000, 30_000), Clock("look", 0, 103_200, 5_000)),
        (Tag(1, Text("deals")), Tag(1, Text("ready"))),
    )
    told = notes(
        ("{seat} deals.", {"seat": 1}),
        ("{seat} is ready.", {"seat": 1}),
        ("{seat} looks at the {slot} card.", {"seat": 0, "slot": "left"}),
    )
    return screen(shown(view, table(count), notes=told), ascii=ascii)


def holding(count: int, card: str = "4S", ascii: bool = False) -> Screen:
    drawn = Zone("drawn", 0, (card,), 1, note="from the draw pile")
    view = View(
        0,
        "Play",
        0,
        (*hands(count), *piles(48 - 3 * count, 3, "TD"), drawn),
        (queen(range(1, count)), DISCARD) if card[0] == "Q" else (SWAP, DISCARD),
        (Clock("draw", 0, 131_400, 45_000),),
        (Tag(1, Text("deals")),),
        (Text("Extra draws left: {n}", {"n": 1}),),
    )
    told = notes(
        ("{seat} discards the drawn card.", {"seat": count - 1}),
        ("{seat} draws.", {"seat": 0}),
    )
    return screen(shown(view, table(count), notes=told), ascii=ascii)


def window(count: int, mine: bool = True, ascii: bool = False) -> Screen:
    caller, following = (0, 1) if mine else (1, 2 % count)
    view = View(
        0,
        "Play",
        following,
        (*hands(count), *piles(47 - 3 * count, 4, "9C")),
        (CALL,) if mine else (),
        (
            Clock(
                *("crisp window", caller, 101_800, 3_000),
                loud=True,
                theirs="{seat} may still call: {left}",
            ),
            Clock(
                *("next turn", following, 100_800, 2_000),
                mine="you may start in {left}",
                theirs="{seat} may start in {left}",
            ),
        ),
        (Tag(1, Text("deals")),),
    )
    told = notes(("{seat} swaps the {slot} card.", {"seat": caller, "slot": "right"}))
    return screen(shown(view, table(count), notes=told), ascii=ascii)


def final_turns(count: int, ascii: bool = False) -> Screen:
    last = count - 1
    drawn = Zone("drawn", last, ("KD",), 1, note="from the discard pile")
    view = View(
        0,
        "Final turns",
        last,
        (*hands(count), *piles(44 - 3 * count, 6, "2H"), drawn),
        (),
        (Clock("draw", last, 109_000, 45_000),),
        (
            Tag(1, Text("deals")),
            Tag(0, Text("called crisp"), loud=True),
            Tag(last, Text("final turn to come")),
        ),
        banner=Text("You called crisp: everybody else has one last turn."),
    )
    told = notes(
        ("{seat} calls crisp {millis} s after the end of the turn.", {"seat": 0, "millis": 640}),
        ("{seat} takes the discard.", {"seat": last}),
    )
    return screen(shown(view, table(count), notes=told), ascii=ascii)


def round_end(count: int, ascii: bool = False) -> Screen:
    deck = ("AC", "2D", "3H", "4S", "5C", "6D", "7H", "8S", "9C", "TD", "JH", "QS")
    faces = [tuple(deck[(seat + 4 * k) % len(deck)] for k in range(3)) for seat in range(count)]
    totals = tuple((seat, 9 + 3 * seat) for seat in range(count))
    view = View(
        0,
        "Reveal",
        None,
        (*hands(count, faces=faces), *piles(40 - 3 * count, 9, "KD")),
        (),
        (),
        (Tag(1, Text("deals")), Tag(0, Text("called crisp"), loud=True)),
        sheet=(("total", totals), ("crisp", ((0, -5),))),
    )
    told = notes(
        ("{seat} called crisp and has the lowest total alone: {total}.", {"seat": 0, "total": 9}),
    )
    seats = list(players(count))
    seats[-1] = replace(seats[-1], score=92)
    around = table(
        count,
        phase="reveal",
        players=placed(seats),
        choices=(Choice("next", "Go on", key="n"), PAUSE, REMOVE, END),
        clocks=(Clock("next round", None, 114_000, 20_000),),
    )
    return screen(shown(view, around, notes=told), ascii=ascii)


def watching(count: int) -> Screen:
    """A watcher's screen: nobody's cards, nothing to do."""
    held = final_turns(count).show
    assert held is not None
    assert held.view is not None
    around = replace(held.table, choices=())
    return screen(shown(replace(held.view, seat=None), around, seat=None))


# ---------------------------------------------------------------- games that do not exist


def trick() -> Screen:
    """A trick game of four: a trump, a stock, a trick, won cards, and a face-up hand."""
    own = Zone("hand", 0, ("AS", "3H", "7C"), 3)
    others = tuple(Zone("hand", seat, (None,) * 3, 3) for seat in (1, 2, 3))
    won = tuple(Zone("won", seat, (), 4 * seat) for seat in range(4))
    hands_first = tuple(zone for pair in zip((own, *others), won) for zone in pair)
    view = View(
        0,
        "Play",
        0,
        (
            *hands_first,
            Zone("stock", None, (), 12),
            Zone("trump", None, ("JH",), 1),
            Zone("trick", None, ("KS", "2S", "TD"), 3, seats=(1, 2, 3)),
        ),
        (Choice("play", "Play a card", (("AS",), ("3H",), ("7C",)), key="y"),),
        (Clock("turn", 0, 120_000, 45_000),),
        (Tag(0, Text("first side")), Tag(2, Text("first side"))),
        (Text("Trump: {suit}", {"suit": "H"}),),
    )
    around = table(4, game="example", title="Tricks", target=3)
    told = notes(("{seat} plays {card}.", {"seat": 3, "card": "TD"}))
    return screen(shown(view, around, notes=told))


CLIMBING = ("1", "2", "2", "3", "4", "5", "5", "6", "7", "7", "8", "9", "9", "9", "C", "C")


def climbing(cards: Sequence[str] = CLIMBING) -> Screen:
    """A climbing game of two: many cards in the hand, sets of which are marked."""
    singles = tuple((card,) for card in dict.fromkeys(cards))
    sets = (*singles, ("2", "2"), ("5", "5"), ("7", "7"), ("9", "9"), ("9", "9", "9"))
    view = View(
        0,
        "Trick",
        0,
        (
            Zone("hand", 0, tuple(cards), len(cards)),
            Zone("hand", 1, (), 12),
            Zone("stock", None, (), 10),
            Zone("face-up card", None, ("4",), 1),
            Zone("on the table", None, ("1", "1"), 2, seats=(1, 1)),
        ),
        (Choice("play", "Play", sets, key="y", sets=True), Choice("pass", "Pass", key="p")),
        (Clock("turn", 0, 120_000, 45_000),),
    )
    around = table(2, game="example", title="Climbing", target=3)
    return screen(shown(view, around))
