"""What a Briscola player remembers and infers, from plays that it is shown."""

from __future__ import annotations

from itertools import islice
from random import Random

from crisp_lan.bots.briscola_ahead import World
from crisp_lan.bots.briscola_beliefs import Beliefs
from crisp_lan.bots.briscola_cards import deck
from crisp_lan.bots.briscola_table import Table
from crisp_lan.game.rules import Note, View
from tests.bots.test_briscola_bot import DECLARES, view


def plays(seat: int, card: str) -> Note:
    return Note("{seat} plays {card}.", {"seat": seat, "card": card})


def worlds(beliefs: Beliefs, shown: View, count: int = 200) -> list[World]:
    return list(islice(beliefs.worlds(Table.of(shown, 0), 0, Random(1)), count))


def seen(*shown: tuple[View, list[Note]]) -> Beliefs:
    beliefs = Beliefs()
    for one, notes in shown:
        beliefs.see(one, notes, Table.of(one, 0))
    return beliefs


def test_every_card_is_in_one_place_in_each_world() -> None:
    shown = view("2H AH 4C", "AS", counts=(3, 2))
    for world in worlds(seen((shown, [])), shown, 20):
        hidden = [card for hand in world.hands for card in hand] + list(world.stock)
        assert len(hidden) == len(set(hidden)) == 3 + 2 + 1 + 33
        assert world.stock[0] == "7H"
        assert "AS" not in hidden


def test_who_lets_a_rich_trick_go_is_taken_to_have_no_trump() -> None:
    led, thrown = view("2H 5S 4C", "AS", counts=(3, 3)), view("2H 5S 4C", counts=(3, 2))
    beliefs = seen((led, []), (led, [plays(0, "AS")]), (thrown, [plays(1, "4D")]))

    def trumps(some: list[World]) -> float:
        return sum(card[1] == "H" for world in some for card in world.hands[1]) / len(some)

    assert trumps(worlds(beliefs, thrown)) < 0.6 * trumps(worlds(seen((thrown, [])), thrown))


def test_the_turned_card_is_known_to_lie_with_who_drew_it() -> None:
    shown = view("2H AH 4C", counts=(3, 3))
    drew = Note("{seat} draws the turned {card}.", {"seat": 1, "card": "7H"})
    left = ("2H", "AH", "4C", "7H", "4D", "5D")
    gone = " ".join(card for card in deck(2) if card not in left)
    later = view("2H AH 4C", counts=(3, 3), stock=0, last=gone)
    beliefs = seen((shown, []), (later, [drew]))
    assert all("7H" in world.hands[1] for world in worlds(beliefs, later, 20))


def test_a_deal_is_forgotten_when_the_next_is_dealt() -> None:
    beliefs, shown = seen((view("AH 3H KH"), [])), view("2H AC 4C")
    beliefs.see(shown, [Note("{seat} deals.", {"seat": 1})], Table.of(shown, 0))
    assert "3H" in beliefs.hidden(Table.of(shown, 0))


def test_who_was_away_may_have_missed_cards_and_plays_on() -> None:
    shown = view("2H AH 4C", counts=(3, 3))
    drew = Note("{seat} draws the turned {card}.", {"seat": 1, "card": "7H"})
    beliefs = seen((view("2H AH 4C", last="AS KS AD 3D"), [drew]), (shown, []))
    for world in worlds(beliefs, shown, 5):
        assert [len(hand) for hand in world.hands] == [3, 3]


def test_who_gives_the_declarer_points_is_likely_the_partner() -> None:
    tags, counts = {1: DECLARES}, (3, 3, 3, 3, 3)
    before = view("2S 5S 4C", "AD", counts=counts, stock=0, tags=tags, called="KH")
    shown = view("2S 5S 4C", counts=(3, 3, 3, 3, 2), stock=0, tags=tags, called="KH")
    gives = seen((before, [plays(1, "AD")]), (shown, [plays(4, "3C")]))
    keeps = seen((before, [plays(1, "AD")]), (shown, [plays(4, "4S")]))

    def partner(beliefs: Beliefs) -> int:
        table = Table.of(shown, 0)
        seat = table.seats.index(4)
        return sum("KH" in world.hands[seat] for world in worlds(beliefs, shown))

    assert partner(gives) > 1.5 * partner(keeps)


def test_a_card_played_on_in_a_world_brings_what_it_takes() -> None:
    shown = view("AH", "AS", counts=(1, 0), stock=0)
    (world,) = worlds(seen((shown, [])), shown, 1)
    assert world.played("AH") == [22, 0]
    assert world.worth("AH") < 0.5
