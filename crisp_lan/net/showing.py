"""What members are shown of a table, each what that seat may know, and what they are offered.

What everybody may know of the table around the round is built and packed once, and again only when
that has changed: most acts change the round alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence, Set
from dataclasses import dataclass

from crisp_lan.game import table as tables
from crisp_lan.game.rules import Act, Millis, Note, Seat, TableView
from crisp_lan.game.table import Table
from crisp_lan.net.codec import packed
from crisp_lan.net.members import Member
from crisp_lan.net.messages import Show
from crisp_lan.net.offers import Offered, Offers


@dataclass(frozen=True, slots=True)
class _Common:
    """What all members may know of a table around the round, and its `row`: the seats by chair.

    `packed` is the same as `view`, in bytes.
    """

    table: Table
    row: dict[int, Seat]
    view: TableView
    packed: TableView


class Showing:
    """Shows a table to its members, and keeps what each chair is offered."""

    def __init__(self, greeting: Callable[[Member], tuple[Note, ...]]) -> None:
        """`greeting(member)` is what somebody is told with the first view."""
        self.version = 0
        self._greeting = greeting
        self._offers: dict[int, Offers] = {}
        self._common: _Common | None = None

    @property
    def offered_to(self) -> Set[int]:
        """The chairs that are offered something."""
        return self._offers.keys()

    def offer_to(self, chair: int, number: int = 0, goes_on: bool = False) -> None:
        """A chair is offered things from now on, numbered from there on."""
        self._offers[chair] = Offers(number, goes_on=goes_on)

    def offer_only(self, chairs: Container[int]) -> None:
        """No other chairs are offered anything."""
        self._offers = {chair: o for chair, o in self._offers.items() if chair in chairs}

    def stands(self, chair: int, act: Act, offer: int) -> bool:
        """Whether an act answers what the chair was offered, and that stands still."""
        return self._offers[chair].stands(act, offer)

    def lapse(self, chairs: Set[int]) -> None:
        """What these chairs were offered is no more."""
        for chair in self._offers.keys() & chairs:
            self._offers[chair].lapse()

    def show_all(
        self,
        members: Sequence[Member],
        table: Table,
        now: Millis,
        notes: tuple[Note, ...],
        actor: int | None,
    ) -> None:
        """A new table, and the notes that led to it; `actor` is the chair whose act it was."""
        self.version += 1
        for member in members:
            acted = member.holder is not None and member.holder.chair == actor
            self._show(member, table, now, notes, acted)

    def show_one(
        self, member: Member, table: Table, now: Millis, notes: tuple[Note, ...] = ()
    ) -> None:
        """The same table, to one who does not know it."""
        self._show(member, table, now, notes, acted=False)

    def _show(
        self, member: Member, table: Table, now: Millis, notes: tuple[Note, ...], acted: bool
    ) -> None:
        """What this member may know: what everybody may, and what its own seat adds to that."""
        common, holder = self._common_of(table), member.holder
        seat = None if holder is None else common.row[holder.chair]
        around = common.view if seat is None else tables.view(table, seat, common.view)
        view = tables.round_view(table, seat)
        offer = done = 0
        if holder is not None:
            offers, done = self._offers[holder.chair], holder.done
            in_round = view.choices if view else ()
            offers.renew(Offered(around.phase, tuple(common.row), around.choices, in_round), acted)
            offer = offers.number
        told = tuple(note for note in notes if note.to is None or seat in note.to)
        if not member.greeted:
            member.greeted = True
            told += self._greeting(member)
        shown = common.packed if around is common.view else around
        member.outlet.post(Show(self.version, now, offer, done, seat, shown, view, told))

    def _common_of(self, table: Table) -> _Common:
        common = self._common
        if common is None or not tables.same_around(common.table, table):
            row = {chair.id: seat for seat, chair in enumerate(table.chairs)}
            view = tables.view(table, None)
            self._common = common = _Common(table, row, view, packed(view))
        return common
