"""Laws 4 and 8 on the wire: every byte that anybody was sent over evenings of all games.

Law 8: a second reading of RULES.md (`rights.py`) says from the journal alone who may see which face
when. Law 4: in another world, where cards that somebody never saw have changed places, they must be
sent the very same bytes at the very same times.

CRISP_LAN_TAPPED_GAMES sets how many evenings of each game are played; `-n 2` shares them out.
A thousand take longer than a test may: `-o faulthandler_timeout=0` lets them.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
import pytest

from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.rules import Card, Line, Note, Seat
from crisp_lan.net.messages import Opened, Show
from tests.game.laws import told_apart
from tests.net.evening import Deed, Evening, Kind, Person, Sent, play, seat_of
from tests.net.rights import Rights
from tests.random_tables import settings

EVENINGS = int(os.environ.get("CRISP_LAN_TAPPED_GAMES", "20"))
PARTS = 4
SEATS: Mapping[str, Sequence[int]] = {
    "crisp": (2, 3, 4, 5, 6, 7, 8),
    "briscola": (5, 2, 4, 5, 3, 6),
    "crisps": (2,),
}
ALIKE: Mapping[str, Sequence[str]] = {"crisp": ("A23456789T", "J", "Q", "K")}
"""Ranks that a player can do the same with."""
PLAYED = ("round", "reveal")


def evening(game: str, seed: int, fair: bool = False) -> tuple[Kind, Evening]:
    lots = random.Random(seed)
    seats = SEATS[game][seed % len(SEATS[game])]
    kind = Kind(GAMES[game], seats, settings(GAMES[game], lots))
    return kind, play(kind, seed, fair=fair)


# ---------------------------------------------------------------- law 8


def check_faces(person: Person, evening: Evening) -> Counter[str]:
    """Every card that was sent had a right to be seen; gives how many there were."""
    rights, read = Rights(), 0
    seen: Counter[str] = Counter()
    for sent in person.sent:
        message = sent.message
        upto = evening.written(message.version) if isinstance(message, Show) else sent.lines
        for line in evening.lines[read:upto]:
            rights.read(line)
        read = max(read, upto)
        if isinstance(message, Show):
            seen["watcher" if message.seat is None else "seat"] += check_show(message, rights)
        elif isinstance(message, Opened):
            seen["opened"] += check_opened(message, rights)
        else:
            assert not PACKED_CARD.search(sent.payload)
    return seen


PACKED_CARD = re.compile(rb"\xa2[A2-9TJQK][CDHS]")


def check_show(show: Show, rights: Rights) -> int:
    assert not PACKED_CARD.search(msgspec.msgpack.encode(show.table))
    faces = 0
    if show.view is None:
        assert show.table.phase not in PLAYED
    elif rights.running:
        faces = rights.check(show.seat, show.view, show.now)
        seat = rights.dealt_in(show.seat)
        hand = set(rights.deal.hands[seat]) if seat is not None else set()
        for choice in show.view.choices:
            check_named(choice.picks, () if rights.game == "crisp" else hand)
        public = rights.named
        view = show.view
        check_named((view.facts, view.tags, view.banner, view.sheet), public)
        for note in show.notes:
            check_note(note, show.seat, public | (hand if note.to else set()))
    return faces


def check_note(note: Note, seat: Seat | None, public: set[Card]) -> None:
    assert note.to is None or seat in note.to
    cards = [str(v).split() for k, v in note.values.items() if k == "card" or k.endswith("_card")]
    check_named(cards, public)


CARD = re.compile(r"[A2-9TJQK][CDHS]")


def check_named(value: Any, known: Sequence[Card] | set[Card]) -> None:
    """No card in it but those."""
    for leaf in leaves(msgspec.to_builtins(value)):
        for card in CARD.findall(leaf) if len(leaf) < 30 else ():
            assert card in known, (card, value)


def leaves(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key != "key":
                yield from leaves(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from leaves(inner)


def check_opened(opened: Opened, rights: Rights) -> int:
    """No deal is opened that is still played."""
    told = [json.loads(line) for line in opened.lines]
    decks = [line["round"] for line in told if line["kind"] == "deal"]
    if rights.running and any(line["kind"] == "game" for line in told):
        assert rights.record.rounds not in decks
    return len(decks)


# ---------------------------------------------------------------- law 4


@dataclass(frozen=True)
class Cut:
    """A moment of a round: the deeds up to it, and where the round's lines begin."""

    deeds: int
    deal: int

    @staticmethod
    def by_lot(evening: Evening, lots: random.Random) -> Cut | None:
        """One at which a round runs, rather late in it."""
        cuts = []
        for deeds, mark in enumerate(evening.marks, 1):
            kinds = [line["kind"] for line in evening.lines[: mark.lines]]
            ends = (n for n, k in enumerate(kinds) if k in ("score", "end", "closed"))
            over = max(ends, default=-1)
            deal = max((n for n, k in enumerate(kinds) if k == "deal"), default=-1)
            if deal > over:
                cuts.append(Cut(deeds, deal))
        return max(lots.sample(cuts, min(2, len(cuts))), key=lambda cut: cut.deeds, default=None)


def hidden(game: str, evening: Evening, cut: Cut, person: Person, number: int) -> list[int]:
    """The places in the deck of the cards that somebody was never shown up to the cut, and that
    were not played before they came."""
    mark = evening.marks[cut.deeds - 1]
    deck = evening.decks[mark.decks - 1]
    if game == "crisps":
        seat = seat_of(person.sent[: mark.sent[number]])
        return hidden_crisps(evening.lines[: mark.lines], cut.deal, seat)
    rights = Rights()
    for line in evening.lines[: mark.lines]:
        rights.read(line)
    shown = set(rights.lain[-1])
    for sent in person.sent[: mark.sent[number]]:
        if sent.lines > cut.deal and isinstance(sent.message, Show) and sent.message.view:
            shown.update(*(filter(None, zone.faces) for zone in sent.message.view.zones))
    return [place for place, card in enumerate(deck) if card not in shown]


def hidden_crisps(lines: Sequence[Line], deal: int, seat: Seat | None) -> list[int]:
    """The same where cards are equal: those in the other hand that were not taken face up."""
    rights, known = Rights(), set()
    for number, line in enumerate(lines):
        if number == deal:
            line = {**line, "deck": list(told_apart(line["deck"]))}
        if number > deal and rights.deal.picking:
            known.add(rights.deal.draws[0].number)
        rights.read(line)
    now = rights.deal
    up = now.draws[:1] if rights.record.options["face_up_draw"] else []
    others = [card for owner, hand in now.hands.items() if owner != seat for card in hand]
    places = {card.number for card in (*others, *now.draws)} - {card.number for card in up}
    return sorted((places - known) | set(range(24, 28)))


def another_world(
    game: str, deck: Sequence[Card], places: Sequence[int], lots: random.Random
) -> list[Card]:
    """The deck with its cards at these places mixed, among those that play alike."""
    other = list(deck)
    for alike in ALIKE.get(game, ("".join(deck),)):
        mixed = [place for place in places if deck[place][0] in alike]
        for place, card in zip(mixed, lots.sample([deck[n] for n in mixed], len(mixed))):
            other[place] = card
    return other


def script_for(number: int, evening: Evening, cut: Cut) -> list[Deed]:
    """The deeds up to the cut, without what others tried in vain: what they may do depends on their
    own cards. Calls of crisp depend on time alone."""
    return [
        replace(deed, what="", picks=(), act=False)
        if n in evening.refused and deed.person != number and deed.what != "crisp"
        else deed
        for n, deed in enumerate(evening.deeds[: cut.deeds])
    ]


def alike(here: Sequence[Sent], there: Sequence[Sent], until: float) -> bool:
    """Whether the same was sent at the same times, over each connection; pings come as they do."""

    def over(link: int, pings: bool, sent: Sequence[Sent]) -> list[tuple[float, bytes]]:
        ours = (s for s in sent if s.link == link and s.is_ping == pings)
        return [(round(s.at, 6), s.payload) for s in ours if s.at < until - 0.0005]

    streams = [(sent.link, pings) for sent in here for pings in (True, False)]
    return all(over(*stream, here) == over(*stream, there) for stream in set(streams))


def time_may_differ(game: str, evening: Evening, cut: Cut, seat: Seat | None) -> bool:
    """Whether time may have acted in the round for somebody else, by cards that are hidden.

    It does what they might have done themselves, and that may tell what any choice of theirs tells.
    In Crisp it does the same whatever the cards are.
    """
    lines = evening.lines[cut.deal : evening.marks[cut.deeds - 1].lines]
    late = {line["seat"] for line in lines if line["kind"] == "timeout"}
    return game != "crisp" and bool(late - {seat})


def check_another_world(game: str, seed: int, kind: Kind, here: Evening) -> Counter[str]:
    """One person is sent the same in a world where the cards that they never saw lie elsewhere."""
    lots = random.Random(seed)
    cut = Cut.by_lot(here, lots)
    if cut is None or here.game_at(cut.deal) != game:
        return Counter()
    mark = here.marks[cut.deeds - 1]
    number = lots.randrange(len(mark.sent))
    sent, dealt = here.people[number].sent[: mark.sent[number]], mark.decks - 1
    places = hidden(game, here, cut, here.people[number], number)
    changed = another_world(game, here.decks[dealt], places, lots)
    script = script_for(number, here, cut)
    there = play(kind, seed, script=script, given={dealt: changed})
    same = alike(sent, there.people[number].sent, mark.at)
    assert same or time_may_differ(game, here, cut, seat_of(sent)), (seed, number)
    return Counter({"same": same and changed != here.decks[dealt], "worlds": 1})


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("game", GAMES)
def test_nobody_is_sent_what_they_may_not_know_nor_anything_that_depends_on_it(
    game: str, part: int
) -> None:
    seen: Counter[str] = Counter()
    for seed in range(part, EVENINGS, PARTS):
        fair = seed // PARTS % 2 == 1
        kind, played = evening(game, seed, fair)
        for person in played.people:
            seen += check_faces(person, played)
        if not fair:
            seen += check_another_world(game, seed, kind, played)
    assert seen["seat"] > seen["watcher"] > 0
    assert 4 * seen["same"] > seen["worlds"] > 0


def test_a_deck_is_opened_when_its_round_is_over_and_not_before() -> None:
    opened = 0
    for seed in range(4):
        _, played = evening("crisps", seed, fair=True)
        opened += sum(check_faces(person, played)["opened"] for person in played.people)
    assert opened > 0
