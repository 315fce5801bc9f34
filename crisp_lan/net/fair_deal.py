"""The host's side of a deck that all make: one attempt after another, until all have opened.

`net.shuffling` is one attempt, `crisp_lan.lots` the rule by which openings make a deck.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from crisp_lan.game import match as matches
from crisp_lan.game.rules import Millis, Seat
from crisp_lan.game.state import Table, TableStep
from crisp_lan.net.clocks import Micros
from crisp_lan.net.members import Member
from crisp_lan.net.messages import Commit, Open
from crisp_lan.net.shuffling import Shuffling


class FairDeal:
    """Asks the players at a table for their parts of a deck, and deals what they have made."""

    def __init__(self, table: str) -> None:
        """`table`: its id."""
        self._table = table
        self._attempts = 0
        self._asked: dict[Seat, Member] = {}
        self._shuffling: Shuffling | None = None

    def number_above(self, attempts: int) -> None:
        """No attempt has a number up to this from now on."""
        self._attempts = attempts

    @property
    def until(self) -> Micros | None:
        """When nobody is waited for any longer in the attempt that runs, if one does."""
        return None if self._shuffling is None else self._shuffling.until

    def give_back(self, lost: Micros) -> None:
        """Waits longer by a time that nobody could use."""
        if self._shuffling is not None:
            self._shuffling.until += lost

    def drop(self) -> None:
        """What was made is for no round any more."""
        self._shuffling = None

    def hear(self, member: Member, message: Commit | Open) -> None:
        """A member has answered; it counts if they were asked."""
        seat = next((seat for seat, asked in self._asked.items() if asked is member), None)
        if self._shuffling is not None and seat is not None:
            self._shuffling.hear(seat, message)

    def go_on(
        self, members: Collection[Member], players: Mapping[Seat, Member], now: Micros
    ) -> frozenset[Seat]:
        """Goes on with the attempt, or begins one with these players.

        Returns the seats that have committed and do not open: `begin_again` without those.
        """
        shuffling = self._shuffling or self._begin(members, players, now)
        for seat, member in self._asked.items():
            if member not in members:
                shuffling.lose(seat)
        if (commits := shuffling.closed(now)) is not None:
            for member in members:
                member.outlet.post(commits)
        return shuffling.failed(now)

    def begin_again(
        self, members: Collection[Member], failed: frozenset[Seat], now: Micros
    ) -> None:
        """Another attempt with those who have committed, without some."""
        assert self._shuffling is not None
        others = self._shuffling.others(failed)
        self._begin(members, {s: m for s, m in self._asked.items() if s in others}, now)

    def _begin(
        self, members: Collection[Member], players: Mapping[Seat, Member], now: Micros
    ) -> Shuffling:
        self._attempts += 1
        self._asked = dict(players)
        self._shuffling = Shuffling(self._table, self._attempts, players, now)
        seats = {member: seat for seat, member in players.items()}
        for member in members:
            member.outlet.post(self._shuffling.asking(seats.get(member)))
        return self._shuffling

    def dealt(self, table: Table, now: Millis) -> TableStep | None:
        """The deal for which a table waits, once all have opened, and what has made the deck."""
        openings = None if self._shuffling is None else self._shuffling.openings
        if openings is None or not matches.wants_deck(table):
            return None
        cards, lots = list(matches.deck(table)), openings.lots()
        lots.shuffle(cards)
        step = matches.deal(table, now, cards, lots.first)
        deal, *rest = step.lines
        return replace(step, lines=({**deal, "fair": openings.written}, *rest))
