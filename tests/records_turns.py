"""Time in a deal of which each turn has one clock: what Briscola's and Crisps!'s records share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.records import GRACE, People, need


class Turns:
    """Whose turn it is and since when, in ms, and what that leads to."""

    options: Mapping[str, Any]
    people: People
    turn: int
    since: int

    def pass_time(self, now: int, line: Mapping[str, Any]) -> None:
        due = self.runs_out()
        if due is None or due > now:
            return
        need(due == now, f"a time-out is missing at {due} ms")
        if line["kind"] in ("act", "timeout"):
            met = line["kind"] == "timeout" and line["seat"] == self.turn
            need(met, f"seat {self.turn} had to be timed out first")

    def runs_out(self) -> int | None:
        by, changed = self.people.by[self.turn], self.people.since.get(self.turn, 0)
        if by == "left":
            return max(self.since, changed)
        if self.options["turn_time"] is not None:
            return self.since + 1000 * self.options["turn_time"]
        return max(self.since, changed) + GRACE if by == "nobody" else None

    def presence_changed(self, now: int) -> None:
        """Coming and going changes nothing but who plays."""
