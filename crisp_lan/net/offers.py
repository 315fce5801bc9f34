"""What a seat was offered, and whether an act still answers it.

An act on its way answers the offer that its player saw. Offers have numbers; an act is taken if
what it means has been offered without a break since the one it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from crisp_lan.game.rules import Act, Choice


@dataclass(frozen=True, slots=True)
class Offered:
    """What one chair may do, and what that means: `row` has the ids of the chairs by seat."""

    phase: str
    row: tuple[int, ...]
    at_table: tuple[Choice, ...]
    in_round: tuple[Choice, ...] = ()

    def meanings(self) -> Iterator[tuple[object, ...]]:
        """All that is offered, each act by its meaning."""
        for choice in self.at_table + self.in_round:
            for picks in choice.picks:
                yield self.meaning(Act(choice.name, picks))

    def meaning(self, act: Act) -> tuple[object, ...]:
        """What would be done. A seat means whoever sits there; and one name is two acts, if the
        table has one of it and the round too, or the phase is another."""
        table = any(choice.name == act.name for choice in self.at_table)
        seats = (pick for pick in act.picks if isinstance(pick, int) and pick < len(self.row))
        return self.phase, table, act, *(self.row[seat] for seat in seats)


class Offers:
    """What one chair is offered, each act with the number of the offer from which on it stands."""

    def __init__(self, number: int = 0, goes_on: bool = False) -> None:
        """`number`: the highest that may have been given before. `goes_on`: what is offered first
        has stood since then."""
        self.number = number
        self._first: int | None = 0 if goes_on else None
        self._offered: Offered | None = None
        self._since: dict[tuple[object, ...], int] = {}

    def renew(self, offered: Offered, acted: bool) -> None:
        """A new offer, if what is offered has changed or the seat has acted."""
        if offered == self._offered and not acted:
            return
        self.number += 1
        before = {} if acted else self._since
        since = self.number if self._first is None else self._first
        self._since = {what: before.get(what, since) for what in offered.meanings()}
        self._offered, self._first = offered, None

    def lapse(self) -> None:
        """What was offered is no more, whatever is offered next."""
        self._offered, self._since, self._first = None, {}, None

    def stands(self, act: Act, offer: int) -> bool:
        """Whether what that offer held is offered still, and has been all the time."""
        if self._offered is None:
            return False
        since = self._since.get(self._offered.meaning(act))
        return since is not None and since <= offer <= self.number
