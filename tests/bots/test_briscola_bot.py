"""The Briscola player: what it plays and bids, from views made by hand and in whole games."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

import pytest

from crisp_lan import bots
from crisp_lan.arena import arena, played
from crisp_lan.bots.briscola import BriscolaBot
from crisp_lan.game.rules import Act, Choice, Pick, Seat, Tag, Text, View, Zone
from tests.test_arena import Watched

LEVELS = ("easy", "normal", "hard")


def view(
    mine: str,
    trick: str = "",
    *,
    trump: str = "H",
    counts: Sequence[int] = (),
    stock: int = 33,
    tags: Mapping[Seat, str] | None = None,
    called: str = "",
    last: str = "",
) -> View:
    """What seat 0 is shown; the trick was led by the seats that play before it."""
    cards = tuple(mine.split())
    lying = tuple(trick.split())
    counts = counts or ((3, 2) if lying else (3, 3))
    count = len(counts)
    seats = tuple((len(lying) - n) % count for n in range(len(lying)))
    zones = [Zone("hand", 0, cards, len(cards))]
    zones += [Zone("hand", s, (None,) * counts[s], counts[s]) for s in range(1, count)]
    zones.append(Zone("trick", None, lying, len(lying), seats=seats))
    if stock:
        zones += [Zone("trump card", None, ("7H",), 1), Zone("stock", None, (), stock)]
    if last:
        zones.append(Zone("last trick", None, tuple(last.split()), len(last.split())))
    facts = [Text("Trump: {suit}", {"suit": trump})]
    if called:
        facts.append(Text("Called card: {card}", {"card": called}))
    return View(
        seat=0,
        phase="Play",
        turn=0,
        zones=tuple(zones),
        choices=(Choice("play", "", tuple((card,) for card in cards)),),
        tags=tuple(Tag(seat, Text(key, {})) for seat, key in (tags or {}).items()),
        facts=tuple(facts),
    )


def answer(shown: View, level: str = "normal") -> Act | None:
    bot = BriscolaBot(level)
    bot.see(shown, ())
    chosen = bot.choose(shown)
    assert chosen == bot.choose(shown)
    return chosen


def card(shown: View, level: str = "normal") -> Pick:
    act = answer(shown, level)
    assert act is not None
    assert act.name == "play"
    return act.picks[0]


@pytest.mark.parametrize("level", LEVELS)
def test_it_takes_many_points_with_a_low_trump(level: str) -> None:
    assert card(view("2H AH 4C", "AS"), level) == "2H"


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_it_takes_with_a_high_card_of_the_suit_rather_than_a_trump(level: str) -> None:
    assert card(view("2H 3S 4C", "KS"), level) == "3S"


@pytest.mark.parametrize("level", ["easy", "normal"])
def test_it_gives_no_trump_for_a_trick_without_points(level: str) -> None:
    assert card(view("2H AH 4C", "5S"), level) == "4C"


@pytest.mark.parametrize("level", LEVELS)
def test_it_leads_a_card_that_costs_nothing(level: str) -> None:
    assert card(view("AH 3S 4C"), level) == "4C"


SIDES = {0: "side A", 1: "side B", 2: "side A", 3: "side B"}


def test_it_gives_points_to_its_partner_and_none_to_the_other_side() -> None:
    partner_holds = view("AS 4C JD", "4D AD 5D", counts=(3, 2, 2, 2), tags=SIDES)
    assert card(partner_holds) == "AS"
    others_hold = view("AS 4C JD", "AD 4D 3D", counts=(3, 2, 2, 2), tags=SIDES)
    assert card(others_hold) == "4C"


DECLARES = "plays for {card}"


def test_a_secret_partner_gives_points_to_the_declarer_and_others_do_not() -> None:
    five = {"counts": (3, 2, 2, 2, 2), "stock": 0, "tags": {1: DECLARES}}
    trick = "4D 5D 6D AD"
    partner = view("KH 3S 4C", trick, called="KH", **five)  # type: ignore[arg-type]
    assert card(partner) == "3S"
    other = view("QC 3S 4C", trick, called="KH", **five)  # type: ignore[arg-type]
    assert card(other) == "4C"


def test_hard_plays_the_end_with_two_to_the_last_point() -> None:
    bot = BriscolaBot("hard")
    rest = "AH 3H KH QH JH 7H 6H 5H 4H 2H AC 3C KC QC JC 7C 6C 5C 4C 2C"
    rest += " AD 3D KD QD JD 7D 6D 5D 4D 2D KS QS JS 7S 6S 5S"
    gone = [one for one in rest.split() if one not in ("AD", "4D", "2H")]
    shown = view("AD 2H", counts=(2, 2), stock=0, last=" ".join(gone))
    bot.see(shown, ())
    assert bot.choose(shown) == Act("play", ("AD",))


def auction(mine: str, *picks: tuple[str, str]) -> View:
    cards = tuple(mine.split())
    zones = [Zone("hand", 0, cards, 8), *(Zone("hand", s, (None,) * 8, 8) for s in range(1, 5))]
    bids = (Choice("bid", "", picks),) if picks else ()
    return View(0, "Auction", 0, tuple(zones), (*bids, Choice("pass", "")))


ALL = tuple((rank, "61") for rank in "A3KQJ76542")


def test_it_bids_on_a_long_strong_suit_for_a_card_that_it_lacks() -> None:
    assert answer(auction("AC 3C QC JC 7C 6C AD 2S", *ALL)) == Act("bid", ("K", "61"))


def test_it_passes_with_a_weak_hand_and_when_nothing_can_be_bid() -> None:
    assert answer(auction("4C 5C 6D 7D 2S 4S 5H QH", *ALL)) == Act("pass")
    assert answer(auction("AC 3C QC JC 7C 6C AD 2S", ("2", "62"))) == Act("pass")
    assert answer(auction("AC 3C QC JC 7C 6C AD 2S")) == Act("pass")


def test_it_names_its_strong_suit() -> None:
    shown = auction("AC 3C QC JC 7C 6C AD 2S")
    naming = View(
        0,
        "Naming the suit",
        0,
        shown.zones,
        (Choice("call", "", tuple((suit,) for suit in "CDHS")),),
        facts=(Text("Bid: {rank}", {"rank": "K"}),),
    )
    assert answer(naming) == Act("call", ("C",))


def test_it_swaps_for_the_turned_card_whenever_it_may() -> None:
    shown = view("7H AS 4C")
    swap = Choice("swap_trump", "", (("7H",),))
    offered = View(0, "Play", 0, shown.zones, (*shown.choices, swap), facts=shown.facts)
    assert answer(offered) == Act("swap_trump", ("7H",))


def test_a_watcher_does_nothing() -> None:
    assert BriscolaBot("normal").choose(View(None, "Play", 0, ())) is None


@pytest.mark.parametrize("seats", range(2, 7))
def test_it_chooses_what_is_offered_and_games_end(
    seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    taught = bots.player
    monkeypatch.setattr(bots, "player", lambda *asked: Watched(taught(*asked)))
    monkeypatch.setattr("crisp_lan.bots.briscola._EFFORT", 200)
    for swap in (False, True):
        options = {"trump_swap": swap, "first_to": 1}
        lines = list(played("briscola", seats, (*LEVELS, "anygame"), options, seats))
        assert lines[-1]["kind"] == "end"


@pytest.mark.parametrize(
    ("seats", "level", "least"), [(2, "easy", 0.8), (3, "easy", 0.6), (6, "normal", 0.6)]
)
def test_every_level_beats_anygame_clearly(seats: int, level: str, least: float) -> None:
    found = arena("briscola", 40, seats, [level, "anygame"], {"first_to": 1}, seed=3)
    assert found[0].level == level
    assert found[0].share >= least


@pytest.mark.parametrize(
    ("better", "worse", "games"), [("hard", "normal", 10), ("normal", "easy", 30)]
)
def test_a_level_beats_the_one_below_it(better: str, worse: str, games: int) -> None:
    found = arena("briscola", games, 2, [better, worse], {}, seed=3)
    assert found[0].level == better
    assert found[0].share > 0.55


def test_it_thinks_as_long_whatever_it_holds() -> None:
    lots = random.Random(1)
    holder, other = view("KH 3S 4C", called="KH"), view("QH 3S 4C", called="KH")
    spans = [
        [bots.pace(shown, Act("play", (str(shown.choices[0].picks[0][0]),)), random.Random(n))
         for n in range(20)]
        for shown in (holder, other)
    ]  # fmt: skip
    assert spans[0] == spans[1]
    assert bots.pace(holder, Act("pass"), lots) >= 1200
