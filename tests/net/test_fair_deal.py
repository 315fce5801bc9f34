"""A deck that all make: whoever takes part, comes late, does not open, or cheats."""

from __future__ import annotations

import errno
import json
import os
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from msgspec import structs
from trio.testing import MockClock

from crisp_lan import fair
from crisp_lan.check import folded
from crisp_lan.game import match as matches
from crisp_lan.game import table as tables
from crisp_lan.game import views
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.rules import Game, Line, View, Zone
from crisp_lan.game.state import Table, TableStep
from crisp_lan.journal import records
from crisp_lan.lots import HOST, Openings, commitment
from crisp_lan.net import fair_deal, showing, shuffling
from crisp_lan.net import referee as referees
from crisp_lan.net.codec import encode
from crisp_lan.net.messages import Commit, Commits, Open, Opened, Ping, Show, Shuffle
from tests.net.hall import Hall, Tapped, later, open_hall, settled


@pytest.fixture(autouse=True)
def the_same_bytes_each_time(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everybody draws the same, since who draws first is not the same each time."""
    lots = random.Random(os.environ.get("CRISP_LAN_FAIR_SEED", "") + request.node.name)
    drawn = lots.randbytes(32)
    monkeypatch.setattr(shuffling, "secrets", SimpleNamespace(token_bytes=lambda size: drawn))


EVENINGS = int(os.environ.get("CRISP_LAN_FAIR_EVENINGS", "3"))
NAMES = ("Ayu", "Budi", "Cici", "Dewi", "Eka", "Fajar", "Gita", "Hadi")


async def seated(hall: Hall, seats: int) -> list[Tapped]:
    """Clients in a lobby, of whom the first starts the match."""
    players = [await hall.seat(NAMES[0], key="the screen's key")]
    players += [await hall.seat(name) for name in NAMES[1:seats]]
    for player in players:
        assert await player.does("ready") is None
    return players


async def started(hall: Hall, seats: int) -> list[Tapped]:
    players = await seated(hall, seats)
    assert await players[0].does("start") is None
    return players


async def play_round(players: Sequence[Tapped], lots: random.Random) -> None:
    """Whoever can does something, until all cards lie open."""
    for _ in range(3000):
        if players[0].show.table.phase != "round":
            return
        able = [player for player in players if player.acts]
        if not able:
            await later(0.5)
            continue
        player = lots.choice(able)
        act = lots.choice(player.acts)
        await player.does(act.name, *act.picks)
        await later(lots.choice((0.0, 0.3, 2.0)))
    pytest.fail("the round does not end")


async def on_to_the_next(players: Sequence[Tapped]) -> None:
    assert players[0].show.table.phase == "reveal", "no round has been played"
    for player in players:
        if "next" in player.offered:
            assert await player.does("next") is None


def deals(hall: Hall) -> list[Line]:
    return [line for line in hall.journal.all if line["kind"] == "deal"]


def texts(player: Tapped) -> list[str]:
    return [verdict.text.key for verdict in player.verdicts]


def notes(player: Tapped) -> list[tuple[str, Any]]:
    return [(note.key, note.values.get("seat")) for show in player.all(Show) for note in show.notes]


# ---------------------------------------------------------------- everybody is honest


@pytest.mark.parametrize("seats", [2, 5, 8])
async def test_all_take_part_and_find_that_the_deal_is_right(
    autojump_clock: MockClock, seats: int
) -> None:
    lots = random.Random(seats)
    async with open_hall(fair=True) as hall:
        watcher = await hall.seat("Wira", watch=True)
        players = await started(hall, seats)
        for number in range(2):
            fair_field = deals(hall)[number]["fair"]
            assert set(fair_field["secrets"]) == {HOST, *map(str, range(seats))}
            await play_round(players, lots)
            await on_to_the_next(players)
        for client in (watcher, *players):
            assert client.verdicts[:2] == [fair.Verdict(fair.CHECKED)] * 2


async def test_a_whole_match_is_found_right_and_its_record_too(autojump_clock: MockClock) -> None:
    lots = random.Random(3)
    async with open_hall(fair=True, limit=60) as hall:
        players = await started(hall, 4)
        while players[0].show.table.phase != "lobby":
            await play_round(players, lots)
            await on_to_the_next(players)
        (record,) = records(hall.journal.all)
        assert fair.audited(record)[0] == fair.Verdict(fair.RIGHT)
        told = [json.loads(line) for opened in players[1].all(Opened) for line in opened.lines]
        assert told == record
        assert {key for player in players for key in texts(player)} == {fair.CHECKED.key}
        assert len(players[2].verdicts) == len(deals(hall)) > 1


@pytest.mark.parametrize("key", GAMES)
async def test_whoever_comes_and_goes_an_honest_host_is_never_accused(
    autojump_clock: MockClock, key: str
) -> None:
    told: Counter[str] = Counter()
    for seed in range(EVENINGS):
        told += await restless_evening(GAMES[key], random.Random(seed))
    assert told.keys() <= {fair.CHECKED.key, fair.PARTLY.key, fair.WITHOUT.key}
    assert told[fair.CHECKED.key] > told[fair.PARTLY.key] > 0


async def restless_evening(game: Game[Any], lots: random.Random) -> Counter[str]:
    """Matches in which players are lost and come back, pause, leave, watch; who was told what."""
    seats = lots.choice(game.seats)
    async with trio.open_nursery() as nursery:
        hall = Hall(nursery, tables.opened(game, {}, seats), fair=True)
        nursery.start_soon(hall.run)
        players = [await hall.seat("Ayu", key="the screen's key")]
        players += [await hall.seat(name) for name in NAMES[1:seats]]
        ever = [*players, await hall.seat("Wira", watch=True)]
        for _ in range(150):
            await later(lots.choice((0.0, 0.0, 0.4, 2.0, 4.0)))
            place = lots.randrange(len(players))
            player, chance = players[place], lots.random()
            if chance < 0.02:
                await player.cut()
                await later(lots.choice((0.0, 0.5, 30.0)))
                players[place] = await hall.seat("back", token=player.token)
                ever.append(players[place])
            elif chance < 0.03:
                ever.append(await hall.seat("Wira", watch=True))
            else:
                await do_anything(players, lots)
        told = Counter(key for client in ever for key in texts(client))
        nursery.cancel_scope.cancel()
    return told


async def do_anything(players: Sequence[Tapped], lots: random.Random) -> None:
    """Somebody does something that is on offer, if anybody can."""
    able = [(player, act) for player in players for act in player.acts]
    around = [
        (player, choice.name)
        for player in players
        for choice in player.show.table.choices
        if choice.name in ("ready", "start", "next", "resume")
        or (choice.name == "pause" and lots.random() < 0.05)
    ]
    if around and (not able or lots.random() < 0.3):
        player, name = lots.choice(around)
        await player.does(name)
    elif able:
        player, act = lots.choice(able)
        await player.does(act.name, *act.picks)


async def test_a_second_match_is_checked_as_the_first(autojump_clock: MockClock) -> None:
    lots = random.Random(4)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 2)
        for match in range(2):
            await play_round(players, lots)
            await on_to_the_next(players)
            assert [len(player.verdicts) for player in players] == [match + 1] * 2
            assert await players[0].does("start") is None
        assert texts(players[1]) == [fair.CHECKED.key] * 2


async def test_the_record_is_told_in_pieces_of_which_none_is_too_long(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("crisp_lan.net.ledger.PIECE", 1500)
    lots = random.Random(5)
    async with open_hall(fair=True, limit=100) as hall:
        players = await started(hall, 3)
        await play_round(players, lots)
        watcher = await hall.seat("Wira", watch=True)
        await later(15)
        assert len(players[0].all(Opened)) > 1
        assert max(sum(map(len, o.lines)) for o in players[0].all(Opened)) < 4500
        assert texts(players[0]) == [fair.CHECKED.key]
        assert texts(watcher) == [fair.PARTLY.key]


async def test_who_was_told_everything_hears_no_more_of_it_while_a_round_is_played(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True) as hall:
        players = await started(hall, 2)
        await later(20)
        assert not players[0].all(Opened)
        await play_round(players, random.Random(1))
        opened = len(players[0].all(Opened))
        await on_to_the_next(players)
        await later(20)
        assert opened == len(players[0].all(Opened)) == 1


async def test_nothing_of_the_table_itself_is_told_with_the_record(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 2)
        await play_round(players, random.Random(1))
        raw = bytes(players[1].bytes)
        kinds = {json.loads(line)["kind"] for o in players[1].all(Opened) for line in o.lines}
        assert kinds <= {"game", "deal", "act", "timeout", "seat", "score", "pause", "resume"}
        for line in hall.journal.all:
            assert line.get("hash", "nothing").encode() not in raw
        assert b'"done"' not in raw


async def test_nobody_is_told_an_opening_before_the_round_is_over(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        secrets = deals(hall)[0]["fair"]["secrets"].values()
        for player in players:
            assert not any(secret.encode() in player.bytes for secret in secrets)
        await play_round(players, random.Random(2))
        for player in players:
            assert all(secret.encode() in player.bytes for secret in secrets)


async def test_a_table_with_decks_from_a_seed_asks_nobody(autojump_clock: MockClock) -> None:
    async with open_hall(limit=1) as hall:
        players = await started(hall, 2)
        assert not players[0].all(Shuffle)
        assert "fair" not in deals(hall)[0]
        await play_round(players, random.Random(2))
        assert not players[0].all(Opened)


async def test_nothing_that_is_sent_before_the_rounds_end_tells_of_the_deck(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In two worlds, the same bytes are drawn, and nobody has looked at a card: in the other one
    the cards lie in another order."""
    sent: list[list[bytes]] = []
    for cheat in (list, lambda cards: cards[::-1]):

        def deal(table: Table, now: int, cards: list[str], lot: int, other: Any = cheat) -> Any:
            return matches.deal(table, now, other(cards), lot)

        cheating(monkeypatch, deal=deal)
        async with open_hall(fair=True) as hall:
            players = await seated(hall, 3)
            heard = [len(player.heard) for player in players]
            assert await players[0].does("start") is None
            await later(20)
            assert players[0].show.table.phase == "round"
            sent.append(
                [
                    encode(message)
                    for player, at in zip(players, heard)
                    for message in player.heard[at:]
                    if not isinstance(message, Ping)
                ]
            )
    assert sent[0] == sent[1]


# ---------------------------------------------------------------- who does not answer


async def test_with_nobody_but_the_host_answering_its_bytes_decide(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True) as hall:
        players = await seated(hall, 2)
        for player in players:
            player.commits = False
        assert await players[0].does("start") is None
        assert not deals(hall)
        await later(1.9)
        assert players[0].show.table.phase == "shuffle"
        await later(0.2)
        assert players[0].show.table.phase == "round"
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST}


async def test_who_commits_late_has_no_part_and_holds_nobody_up(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await seated(hall, 3)
        late = players[1]
        late.commits = False
        await players[0].does("start")
        assert late.share is not None
        assert late.share.commit is not None
        await later(2.1)
        late.say(late.share.commit)
        await settled()
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST, "0", "2"}
        await play_round(players, random.Random(6))
        assert texts(late) == [fair.NOT_MINE.key]
        assert texts(players[2]) == [fair.CHECKED.key]


async def test_who_does_not_open_is_left_out_and_all_are_told(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await seated(hall, 3)
        players[1].opens = False
        await players[0].does("start")
        assert not deals(hall)
        await later(2.1)
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST, "0", "2"}
        first, second = players[2].all(Shuffle)
        assert second.deal > first.deal
        assert second.commitment != first.commitment
        assert players[1].all(Shuffle)[1].seat is None
        key = "{seat} has not opened a part of the deck: the cards are shuffled again without it."
        for player in players:
            assert (key, 1) in notes(player)
        await play_round(players, random.Random(6))
        assert texts(players[1]) == [fair.NOT_MINE.key]
        for player in (players[0], players[2]):
            assert [(v.text.key, v.text.values) for v in player.verdicts] == [
                (fair.WITHOUT.key, {"names": "Budi"})
            ]


async def test_who_opens_something_else_is_left_out_at_once(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        players = await seated(hall, 3)
        players[2].opens = False
        await players[0].does("start")
        players[2].say(Open(players[2].last(Commits).deal, "0" * 64))
        await settled()
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST, "0", "1"}


async def test_what_is_said_twice_counts_once(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        players = await seated(hall, 3)
        ayu, budi, cici = players
        budi.commits = budi.opens = cici.commits = cici.opens = False
        await ayu.does("start")
        assert budi.share is not None
        assert cici.share is not None
        own, hers = budi.share.commit, cici.share.commit
        assert own is not None
        budi.say(own, Commit(own.deal, "0" * 64))
        await settled()
        cici.say(hers)
        await settled()
        assert budi.last(Commits).commitments[1] == (1, own.commitment)
        sealed = budi.witness._attempts[-1]
        budi.say(Open(own.deal, sealed.secret), Open(own.deal, "0" * 64))
        budi.say(Commit(own.deal, "1" * 64), Open(own.deal - 1, sealed.secret))
        await settled()
        assert not deals(hall)
        cici.say(Open(own.deal, cici.witness._attempts[-1].secret))
        await settled()
        assert deals(hall)[0]["fair"]["secrets"]["1"] == sealed.secret


async def test_a_watcher_cannot_take_part(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        watcher = await hall.seat("Wira", watch=True)
        players = await seated(hall, 2)
        players[1].commits = False
        await players[0].does("start")
        assert watcher.last(Shuffle).seat is None
        watcher.say(Commit(watcher.last(Shuffle).deal, "0" * 64))
        await later(2.1)
        assert set(deals(hall)[0]["fair"]["commitments"]) == {HOST, "0"}


@pytest.mark.parametrize("opens", [False, True])
async def test_who_is_lost_in_the_middle_is_not_waited_for(
    autojump_clock: MockClock, opens: bool
) -> None:
    async with open_hall(fair=True) as hall:
        players = await seated(hall, 4)
        lost, slow = players[1], players[2]
        lost.opens, slow.opens = opens, False
        await players[0].does("start")
        await lost.cut()
        await settled()
        assert slow.share is not None
        slow.say(Open(slow.last(Commits).deal, slow.witness._attempts[-1].secret))
        await settled()
        secrets = {HOST, "0", "2", "3"} | ({"1"} if opens else set())
        assert set(deals(hall)[0]["fair"]["secrets"]) == secrets
        assert len(slow.all(Shuffle)) == (1 if opens else 2)


async def test_who_comes_back_while_the_deck_is_made_is_no_trouble(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await seated(hall, 3)
        players[1].commits = players[2].commits = False
        await players[0].does("start")
        back = await hall.seat("Budi", token=players[1].token)
        await later(2.1)
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST, "0"}
        await play_round([players[0], back, players[2]], random.Random(7))
        assert texts(back) == [fair.PARTLY.key]


async def test_colluding_players_hold_up_a_deal_for_seconds_only(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        players = await seated(hall, 8)
        for player in players[1:]:
            player.opens = False
        await players[0].does("start")
        await later(2.1)
        assert set(deals(hall)[0]["fair"]["secrets"]) == {HOST, "0"}


async def test_a_match_that_ends_while_the_deck_is_made_ends(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        ayu, budi = await seated(hall, 2)
        budi.commits = False
        await ayu.does("start")
        await budi.leaves()
        await later(5)
        assert ayu.show.table.phase == "lobby"
        assert not deals(hall)
        assert not ayu.verdicts


async def test_who_was_away_in_the_round_is_told_so(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 2)
        await players[1].cut()
        back = await hall.seat("Budi", token=players[1].token)
        await play_round([players[0], back], random.Random(8))
        assert texts(back) == [fair.PARTLY.key]


# ---------------------------------------------------------------- a host that cheats


def cheating(monkeypatch: pytest.MonkeyPatch, **means: Any) -> None:
    """The host, and nobody else, uses other means than those of the table."""
    for part, name, rightly in ((fair_deal, "matches", matches), (showing, "views", views)):
        monkeypatch.setattr(part, name, SimpleNamespace(**{**vars(rightly), **means}))


def with_two_swapped(cards: list[str]) -> list[str]:
    return [cards[1], cards[0], *cards[2:]]


def chosen(cards: list[str]) -> list[str]:
    return list(CRISP.cards(2))


@pytest.mark.parametrize("cheat", [with_two_swapped, chosen])
async def test_a_deck_that_is_not_the_one_that_was_made_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, cheat: Any
) -> None:
    def deal(table: Table, now: int, cards: list[str], lot: int) -> TableStep:
        return matches.deal(table, now, cheat(list(cards)), lot)

    cheating(monkeypatch, deal=deal)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        for player in players:
            assert player.verdicts == [fair.Verdict(fair.DECK, fits=False)]
        (record,) = records(hall.journal.all)
        assert fair.audited(record) == (fair.Verdict(fair.DECK, fits=False), 1)


async def test_another_first_dealer_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deal(table: Table, now: int, cards: list[str], lot: int) -> TableStep:
        return matches.deal(table, now, cards, lot + 1)

    cheating(monkeypatch, deal=deal)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        assert texts(players[1]) == [fair.DECK.key]


async def test_a_lie_about_one_card_in_one_view_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    lies = iter([True])

    def lying(table: Table, seat: int | None) -> View | None:
        view = views.round_view(table, seat)
        if view is None or seat != 1:
            return view
        for place, zone in enumerate(view.zones):
            if zone.name == "drawn" and zone.faces[0] is not None and next(lies, False):
                face = "AC" if zone.faces[0] != "AC" else "2C"
                zones: list[Zone] = list(view.zones)
                zones[place] = replace(zone, faces=(face,))
                return replace(view, zones=tuple(zones))
        return view

    cheating(monkeypatch, round_view=lying)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        assert next(lies, "told") == "told"
        assert players[1].verdicts == [fair.Verdict(fair.SHOWN, fits=False)]
        assert texts(players[0]) == texts(players[2]) == [fair.CHECKED.key]


async def test_another_opening_of_the_host_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def another(made: Openings) -> Openings:
        """As if the host had drawn and committed to something else."""
        secret = bytes(32)
        own = commitment(made.table, made.deal, HOST, secret)
        return replace(
            made,
            commitments={**made.commitments, HOST: own},
            secrets={**made.secrets, HOST: secret.hex()},
        )

    rigged(monkeypatch, another)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        for player in players:
            assert player.verdicts == [fair.Verdict(fair.OPENING, fits=False)]


async def test_a_part_that_the_host_throws_away_is_missed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(made: Openings) -> Openings:
        return replace(
            made,
            commitments={w: c for w, c in made.commitments.items() if w != "2"},
            secrets={w: s for w, s in made.secrets.items() if w != "2"},
        )

    rigged(monkeypatch, without)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        assert texts(players[0]) == texts(players[2]) == [fair.OPENING.key]


def rigged(monkeypatch: pytest.MonkeyPatch, other: Any) -> None:
    """The host takes other openings than were made, and deals what follows from those."""
    honest = shuffling.Shuffling.openings.fget
    assert honest is not None

    def openings(self: Any) -> Openings | None:
        made: Openings | None = honest(self)
        return made and other(made)

    monkeypatch.setattr(shuffling.Shuffling, "openings", property(openings))


async def test_a_host_that_throws_again_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = shuffling.Shuffling.failed
    throws = iter([True])

    def failed(self: Any, now: int) -> frozenset[int]:
        """Nobody has; but the host makes as if, when it knows the deck, and asks all again."""
        if self.openings and next(throws, False):
            monkeypatch.setattr(self, "others", lambda failed: self._awaited)
            return frozenset({0})
        return honest(self, now)

    monkeypatch.setattr(shuffling.Shuffling, "failed", failed)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 3)
        await play_round(players, random.Random(9))
        assert texts(players[1]) == [fair.AGAIN.key]


async def test_a_host_that_asks_nobody_is_noticed_at_once(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "tests.net.hall.Tapped.answer",
        lambda self, message: isinstance(message, Show) and self.judge(self.witness.see(message)),
    )
    async with open_hall(limit=1) as hall:
        players = await started(hall, 2)
        assert texts(players[1]) == [fair.NOT_ASKED.key]


async def test_a_host_that_opens_nothing_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(referees.Referee, "_open_record", lambda self, now: None)
    async with open_hall(fair=True, limit=100) as hall:
        players = await started(hall, 2)
        await play_round(players, random.Random(9))
        await on_to_the_next(players)
        assert fair.HIDDEN.key in texts(players[1])


def telling(monkeypatch: pytest.MonkeyPatch, other: Any) -> None:
    """The host tells clients `other(message)` in place of a message; None: nothing."""
    honest = Tapped.answer
    monkeypatch.setattr(
        Tapped,
        "answer",
        lambda self, message: (told := other(message)) is not None and honest(self, told),
    )


def before_next(show: Show, **fields: Any) -> Show:
    """The show with other fields of the table, if all cards lie open in it."""
    changed = replace(show.table, **fields) if show.table.phase == "reveal" else show.table
    return structs.replace(show, table=changed)


@pytest.mark.parametrize(
    "lie",
    [
        lambda show: structs.replace(show, now=0) if show.table.phase != "round" else show,
        lambda show: before_next(show, repeatable=True),
    ],
)
async def test_a_host_that_opens_nothing_has_no_excuse(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, lie: Any
) -> None:
    def told(message: Any) -> Any:
        if isinstance(message, Opened):
            return None
        return lie(message) if isinstance(message, Show) else message

    telling(monkeypatch, told)
    async with open_hall(fair=True, limit=100) as hall:
        players = await started(hall, 2)
        await play_round(players, random.Random(9))
        await on_to_the_next(players)
        assert texts(players[1]) == [fair.HIDDEN.key]


async def test_a_host_that_never_ends_opening_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(message: Any) -> Any:
        return structs.replace(message, more=True) if isinstance(message, Opened) else message

    telling(monkeypatch, told)
    lots = random.Random(9)
    async with open_hall(fair=True, limit=200) as hall:
        players = await started(hall, 2)
        for _ in range(2):
            await play_round(players, lots)
            await on_to_the_next(players)
        assert texts(players[1]) == [fair.HIDDEN.key]


async def test_a_round_that_the_host_gives_an_old_number_is_not_taken_for_the_old_one(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(message: Any) -> Any:
        if isinstance(message, Show) and message.table.round == 2:
            return structs.replace(message, table=replace(message.table, round=1))
        return None if deals(hall) and isinstance(message, Shuffle | Commits) else message

    telling(monkeypatch, told)
    async with open_hall(fair=True, limit=200) as hall:
        players = await started(hall, 2)
        await play_round(players, random.Random(9))
        await on_to_the_next(players)
        await later(3)
        assert texts(players[1]) == [fair.CHECKED.key, fair.NOT_ASKED.key]


async def test_a_deck_that_is_thrown_away_with_its_match_is_told(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True) as hall:
        ayu, budi = await seated(hall, 2)
        budi.opens = False
        await ayu.does("start")
        await budi.leaves()
        assert ayu.show.table.phase == "lobby"
        assert ayu.verdicts == [fair.Verdict(fair.THROWN_AWAY)]


@pytest.mark.parametrize("field", ["lines", "t", "deck", "act"])
async def test_a_record_that_is_bent_is_noticed(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch, field: str
) -> None:
    def bent(raw: str) -> str:
        line = json.loads(raw)
        if field == "lines" and line["kind"] == "act":
            return "{"
        if field == "t" and line["kind"] == "act":
            return json.dumps({**line, "t": float("nan")})
        if field == "deck" and line["kind"] == "deal":
            return json.dumps({**line, "deck": line["deck"][1:]})
        if field == "act" and line.get("do") == "draw":
            return json.dumps({**line, "do": "discard"})
        return raw

    honest = referees.Ledger.piece

    def piece(self: Any, client: Any) -> Opened | None:
        opened = honest(self, client)
        return opened and Opened(opened.first, tuple(map(bent, opened.lines)), opened.more)

    monkeypatch.setattr(referees.Ledger, "piece", piece)
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 2)
        await play_round(players, random.Random(11))
        (verdict,) = players[1].verdicts
        assert not verdict.fits


async def test_the_journal_with_its_openings_folds(autojump_clock: MockClock) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await started(hall, 4)
        await play_round(players, random.Random(12))
        (record,) = records(hall.journal.all)
        *_, last = folded(record)
        assert last.phase == hall.referee.table.phase


async def test_a_deal_that_finds_no_room_is_dealt_when_there_is_and_not_made_again(
    autojump_clock: MockClock,
) -> None:
    async with open_hall(fair=True, limit=1) as hall:
        players = await seated(hall, 3)
        players[2].opens = False
        await players[0].does("start")
        hall.journal.error = errno.ENOSPC
        players[2].say(Open(players[2].last(Commits).deal, players[2].witness._attempts[-1].secret))
        await later(10)
        assert players[0].show.table.paused
        assert not deals(hall)
        paused = len(players[0].all(Show))
        await later(5)
        assert len(players[0].all(Show)) == paused
        hall.journal.error = 0
        await later(2)
        assert len(deals(hall)) == len(players[0].all(Shuffle)) == 1
        await play_round(players, random.Random(4))
        assert texts(players[1]) == [fair.CHECKED.key]
