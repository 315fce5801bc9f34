"""A record as moments: every card open, what happened in words, and who saw which card."""

from __future__ import annotations

import random
from copy import deepcopy
from typing import Any

import pytest

from crisp_lan.arena import played
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Line, Note
from crisp_lan.journal import records
from crisp_lan.moments import WRONG, moments
from crisp_lan.tui.replay import Moment, Replay, lines, rows
from crisp_lan.tui.wording import worded
from tests.example_game import HIGHEST
from tests.kept_games import KEYS, record_of
from tests.random_tables import RandomTable, settings

EVERY_GAME = [(key, seats) for key, game in GAMES.items() for seats in game.seats]


def by_lots(key: str, seats: int, seed: int) -> list[Line]:
    """The record of a game played by lots, with comings and goings, pauses and time-outs."""
    game, lots = GAMES[key], random.Random(seed)
    (record,) = records(RandomTable(game, seats, settings(game, lots), lots).play().lines)
    return record


def words(moment: Moment) -> list[str]:
    return [worded(note, moment.show.table.players) for note in moment.show.notes]


def told(record: list[Line]) -> list[str]:
    return [sentence for moment in moments(record) for sentence in words(moment)]


@pytest.mark.parametrize(("key", "seats"), EVERY_GAME)
def test_every_record_is_told_to_its_end_with_all_cards_open(key: str, seats: int) -> None:
    record = by_lots(key, seats, 3)
    made = moments(record)
    assert WRONG not in made[-1].show.notes
    assert Note("The game is over.") in made[-1].show.notes
    for moment in made:
        assert moment.show.view is not None
        assert moment.show.notes
        assert moment.show.view.choices == moment.show.view.clocks == ()
        assert None not in [face for zone in moment.show.view.zones for face in zone.faces]
    acts = {round(line["t"] * 1000) for line in record if line["kind"] == "act"}
    times = [moment.show.now for moment in made]
    assert times == sorted(times)
    assert acts <= set(times)


def test_a_look_tells_which_card_was_seen_by_whom_and_where() -> None:
    record = record_of("crisp")
    looks = [line for line in record if line.get("do") == "look"]
    names = [seat["name"] for seat in record[0]["seats"]]
    made = moments(record)
    for line in looks:
        moment = next(m for m in made if m.show.now == round(line["t"] * 1000))
        slot, name = line["slot"], names[line["seat"]]
        assert moment.show.view is not None
        hand = next(z for z in moment.show.view.zones if z.owner == line["seat"])
        card = hand.faces[hand.slots.index(slot)]
        (seen,) = moment.seen
        assert seen.values == {"seat": line["seat"], "card": card, "slot": slot}
        assert f"{name} looks at the {slot} card." in words(moment)


def test_a_jack_and_a_drawn_card_are_seen_by_the_one_who_has_them_alone() -> None:
    record = record_of("crisp")
    made = moments(record)
    for line in record:
        if line.get("do") in ("draw", "jack"):
            moment = next(m for m in made if m.show.now == round(line["t"] * 1000))
            assert [note.values["seat"] for note in moment.seen] == [line["seat"]]


def test_a_card_is_told_once_however_often_the_table_changes_while_it_is_seen() -> None:
    for moment in moments(record_of("briscola")):
        sights = [(note.values["seat"], note.values["card"]) for note in moment.seen]
        assert len(sights) == len(set(sights))
    seen = [
        card
        for moment in moments(record_of("briscola"))
        for note in moment.seen
        if note.key == "{seat} sees {card}."
        for card in str(note.values["card"]).split()
    ]
    assert len(seen) == len(set(seen))


def test_partners_are_told_to_see_each_others_last_cards() -> None:
    sentences = told(record_of("briscola"))
    assert sum(" of Chandra." in sentence for sentence in sentences) == 1
    assert any(s.startswith("Ayu sees ") and s.endswith(" of Chandra.") for s in sentences)


def test_nothing_that_all_can_see_is_told_as_seen_by_one() -> None:
    for key in KEYS:
        for moment in moments(record_of(key)):
            if moment.show.view and moment.show.view.sheet:
                assert not moment.seen


def test_comings_and_goings_and_pauses_are_told() -> None:
    record = record_of("crisp")[:3]
    happened: list[Line] = [
        {"kind": "seat", "seat": 1, "by": "nobody"},
        {"kind": "seat", "seat": 1, "by": "bot:easy"},
        {"kind": "seat", "seat": 1, "by": "person"},
        {"kind": "pause", "by": "host"},
        {"kind": "resume", "by": "host"},
        {"kind": "seat", "seat": 1, "by": "left"},
    ]
    record += [{**line, "t": record[-1]["t"]} for line in happened]
    assert [words(moment) for moment in moments(record)[2:]] == [
        ["Budi is away."],
        ["A bot plays for Budi."],
        ["Budi is back."],
        ["The table is paused."],
        ["The game goes on."],
        ["Budi leaves."],
    ]


def test_what_has_no_words_at_the_table_where_all_see_it_is_told() -> None:
    sentences = told(record_of("crisp"))
    assert "Ayu: Close the look" in sentences
    assert "Budi: Close the look (time is up)" in sentences


def test_a_look_that_ran_out_while_its_player_was_away_is_told_in_words() -> None:
    record = list(record_of("crisp"))
    at = next(n for n, line in enumerate(record) if line.get("do") == "look")
    seat, t = record[at]["seat"], record[at]["t"]
    away = {"kind": "seat", "t": t, "seat": seat, "by": "nobody"}
    out = {**record[at], "t": t + 5, "do": "close", "by_time": True}
    *_, last = moments([*record[: at + 1], away, out])
    name = record[0]["seats"][seat]["name"]
    assert words(last) == [f"{name}: Close the look (time is up)"]


def test_what_only_one_seat_was_told_is_not_told_again() -> None:
    assert not any(sentence.startswith("You ") for key in KEYS for sentence in told(record_of(key)))


def test_who_is_away_sees_nothing_until_coming_back() -> None:
    record = list(played("briscola", 2, ["easy"], {"first_to": 1}, 3))
    at = next(n for n, line in enumerate(record) if line["kind"] == "act")
    away = {"kind": "seat", "t": record[at]["t"], "seat": 1, "by": "nobody"}
    shown = moments([*record[:at], away])
    assert words(shown[-1]) == ["Easy (2) is away."]
    assert [note.values["seat"] for moment in shown for note in moment.seen] == []


def test_an_interrupted_game_is_told_as_far_as_it_went_and_the_last_word_says_so() -> None:
    record = record_of("crisp")[:30]
    last = Note("The game was interrupted here.")
    whole, cut = moments(record_of("crisp")), moments(record, last)
    assert cut[:-1] == whole[: len(cut) - 1]
    assert words(cut[-1]) == ["The game was interrupted here."]
    assert cut[-1].show.view == cut[-2].show.view


def test_a_game_of_which_no_card_was_dealt_has_no_moments() -> None:
    assert moments(record_of("crisp")[:1], Note("The game was interrupted here.")) == ()


def test_a_falsified_record_is_told_as_far_as_it_is_right() -> None:
    record = record_of("crisp")
    acts = [place for place, line in enumerate(record) if line["kind"] == "act"]
    record[acts[30]] |= {"seat": 99}
    made = moments(record)
    assert made[-1].show.notes == (WRONG,)
    assert made[:-1] == moments(record_of("crisp"))[: len(made) - 1]


@pytest.mark.parametrize("key", KEYS)
def test_whatever_is_done_to_a_record_it_can_be_looked_at(key: str) -> None:
    lots = random.Random(5)
    odd: tuple[Any, ...] = (-1, 99, True, None, "x", [], {}, 1.5, "2C", 10**400, "\x1b[2J")
    for _ in range(60):
        bent = deepcopy(record_of(key))
        line = lots.choice(bent)
        line[lots.choice([name for name in line if name != "seats"])] = lots.choice(odd)
        made = moments(bent)
        assert all(line.isprintable() or "\x1b" not in line for line in lines(made))
        for place in range(0, len(made), 9):
            assert len(rows(Replay(made, place=place), 80, 24, 0.0)) == 24


def test_a_fourth_game_is_replayed_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, HIGHEST.key, HIGHEST)
    made = moments(list(played("highest", 3, ["easy"], {"points": 3}, 1)))
    assert words(made[-1])[0] == "The game is over."
    text = "\n".join(lines(made))
    assert "Easy, hand: " in text
    assert "is done." in text
    shown = rows(Replay(made), 80, 24, 0.0)
    assert "Highest" in "".join(part for _, part in shown[0])
