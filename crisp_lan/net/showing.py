"""What members are shown of a table, each what that seat may know, and what they are offered.

What a seat sees of the table around the round is built and packed once, and again only when that
has changed: most acts change the round alone.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Set

from crisp_lan.game import views
from crisp_lan.game.rules import Act, Millis, Note, Seat, TableView
from crisp_lan.game.state import Table
from crisp_lan.net.codec import packed
from crisp_lan.net.members import Member
from crisp_lan.net.messages import Show
from crisp_lan.net.offers import Offered, Offers


class _Around:
    """A table without its round, as each seat sees it; `row` has the ids of the chairs by seat."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.row = tuple(chair.id for chair in table.chairs)
        self.seats = {chair: seat for seat, chair in enumerate(self.row)}
        self._seen: dict[Seat | None, tuple[TableView, TableView]] = {}

    def seen_by(self, seat: Seat | None) -> tuple[TableView, TableView]:
        """What a seat, or a watcher, sees of it, and the same packed."""
        if seat not in self._seen:
            view = views.table_view(self.table, seat)
            self._seen[seat] = view, packed(view)
        return self._seen[seat]


class Showing:
    """Shows a table to its members, and keeps what each chair is offered."""

    def __init__(self, greeting: Callable[[Member], tuple[Note, ...]]) -> None:
        """`greeting(member)` is what somebody is told with the first view."""
        self.version = 0
        self.watchers: tuple[str, ...] = ()
        self._greeting = greeting
        self._offers: dict[int, Offers] = {}
        self._around: _Around | None = None

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
        members: Iterable[Member],
        table: Table,
        now: Millis,
        notes: tuple[Note, ...],
        actor: int | None,
    ) -> None:
        """A new table, and the notes that led to it; `actor` is the chair whose act it was.

        Nothing goes out before all is packed: each piece that comes wakes who receives it, and that
        takes longer than to send the next.
        """
        self.version += 1
        around = self._around_of(table)
        shows = []
        for member in members:
            acted = member.holder is not None and member.holder.chair == actor
            shows.append((member, self._show_to(member, table, around, now, notes, acted)))
        for member, show in shows:
            member.outlet.post(show)

    def show_one(
        self, member: Member, table: Table, now: Millis, notes: tuple[Note, ...] = ()
    ) -> None:
        """The same table, to one who does not know it."""
        around = self._around_of(table)
        member.outlet.post(self._show_to(member, table, around, now, notes, acted=False))

    def _show_to(
        self,
        member: Member,
        table: Table,
        around: _Around,
        now: Millis,
        notes: tuple[Note, ...],
        acted: bool,
    ) -> Show:
        holder = member.holder
        seat = None if holder is None else around.seats[holder.chair]
        seen, shown = around.seen_by(seat)
        view = views.round_view(table, seat)
        offer = done = 0
        if holder is not None:
            offers, done = self._offers[holder.chair], holder.done
            in_round = view.choices if view else ()
            offers.renew(Offered(seen.phase, around.row, seen.choices, in_round), acted)
            offer = offers.number
        told = tuple(note for note in notes if note.to is None or seat in note.to)
        if not member.greeted:
            member.greeted = True
            told += self._greeting(member)
        return Show(self.version, now, offer, done, seat, shown, packed(view), told, self.watchers)

    def _around_of(self, table: Table) -> _Around:
        if self._around is None or not views.same_around(self._around.table, table):
            self._around = _Around(table)
        return self._around
