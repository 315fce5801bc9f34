"""What a fault may change of a game, and what it may not.

The game with the fault is compared with one of the same deal and acts without it. Where the fault
outlives a deadline, that is a game in which Ayu was there and did nothing until it had passed.

- The record: the same causes with the same effects in the same order, down to hands, scores and
  winners. In the first look, where all act at once, each seat's own order counts. That each
  time-out, and each look closed by time, stands at its millisecond, `tests.records` checks.
- The times: acts come when scripts have thought, so `t` itself differs. Nobody is held up by Ayu's
  fault: between what let another seat act and its act, no more match time passes than without it.
- The clocks: one that ran when the fault struck ends, when Ayu is back, at the same match time, if
  nobody has acted meanwhile; and then her whole view is the same.
- Looks: a card in a hand has a face for its owner alone, and only in the 5 s of a look of which the
  record tells. A look that could be taken twice would be: the script looks whenever it may.
- The cards that lie open at the end, and both piles, as another player sees them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from tests.system.fault_cells import DEAF, FAULTS, STOPPED, Cell, Report, Told, first_show, is_away

Line: TypeAlias = Mapping[str, Any]
Seen: TypeAlias = Mapping[str, Any]

JITTER = 3.0
"""Seconds by which a script may be slower than another time: a busy machine."""
AWAY = 10.0
"""Seconds within which others see that somebody is away, and a client that its table is."""
BACK = 10.0
"""Seconds from the end of a fault until a seat is played again."""
LOOK = 5.0
REVEAL = 20_000


def references(cell: Cell) -> list[Cell]:
    """The games without a fault, to one of which that of the cell has to be equal."""
    fault, missed = FAULTS[cell.fault], Cell("crisp window", stops="late")
    through = Cell("card held" if cell.long else "final turns")
    if cell.fault == DEAF:
        return [Cell(cell.phase, stops="asleep")]
    if cell.phase == "card held" and fault.outlives_a_turn:
        return [Cell(cell.phase, stops="late")]
    if cell.phase == "crisp window" and fault.misses == "always":
        return [missed]
    return [through, missed] if cell.long and fault.misses == "perhaps" else [through]


def outlived(told: Told, cell: Cell, played: Mapping[Cell, Told]) -> bool:
    """Whether the game was that of a player who let a deadline pass."""
    fitting = [one for one in references(cell) if causes(played[one].record) == causes(told.record)]
    return bool(fitting and fitting[0].stops)


def faults_found(cell: Cell, told: Told, played: Mapping[Cell, Told]) -> Iterator[str]:
    """Sentences about whatever is not as it has to be."""
    without = [played[one] for one in references(cell)]
    fitting = next((one for one in without if causes(one.record) == causes(told.record)), None)
    if fitting is None:
        yield "another game: " + difference(causes(without[0].record), causes(told.record))
    else:
        if not (FAULTS[cell.fault].everybody and FAULTS[cell.fault].misses == "always"):
            # else the others could not be heard either, while match time went on
            yield from _held_up(told.record, fitting.record)
        if _at_the_end(told) != _at_the_end(fitting):
            yield f"at the end {_at_the_end(told)}, without the fault {_at_the_end(fitting)}"
    yield from _presence(cell, told.record)
    yield from _reveal(told.record)
    yield from _looks(told)
    yield from _before_and_after(told)
    yield from _slowness(cell, told)


# ---------------------------------------------------------------- the record


def causes(record: Sequence[Line]) -> list[Any]:
    """What happened, without the times and without who was there."""
    first_look: dict[int, list[Any]] = {}
    rest: list[Any] = []
    for line in record:
        told = {
            name: value
            for name, value in line.items()
            if name not in ("t", "id", "started", "done")
        }
        if line.get("do") in ("look", "close", "ready"):
            first_look.setdefault(line["seat"], []).append(told)
        elif line["kind"] in ("game", "deal", "act", "timeout", "score", "end"):
            rest.append(told)
    return [sorted(first_look.items()), *rest]


def difference(wanted: Sequence[Any], got: Sequence[Any]) -> str:
    """The first place where two games part."""
    for place, (one, other) in enumerate(zip(wanted, got)):
        if one != other:
            return f"at {place} {other}, and not {one}"
    return f"{len(got)} lines, and not {len(wanted)}: {got[-2:]}"


def _held_up(record: Sequence[Line], without: Sequence[Line]) -> Iterator[str]:
    for own, other in zip(_turns(record), _turns(without)):
        if own[0]["seat"] and own[1] > other[1] + JITTER:
            yield f"{own[0]} came {own[1]:.1f} s after what let it come, else {other[1]:.1f} s"


def _turns(record: Sequence[Line]) -> Iterator[tuple[Line, float]]:
    """Each act and time-out after the first look, and the match time since the cause before."""
    before = 0.0
    for line in record:
        if line["kind"] in ("act", "timeout"):
            if line.get("do") not in ("look", "close", "ready"):
                yield line, line["t"] - before
            before = line["t"]


def _presence(cell: Cell, record: Sequence[Line]) -> Iterator[str]:
    everybody = FAULTS[cell.fault].everybody
    for line in record:
        if line["kind"] == "seat" and line["seat"] and not everybody:
            yield f"{line}, but the fault is Ayu’s alone"
        if line["kind"] in ("pause", "resume") and not everybody:
            yield f"{line}, but two players are there"


def _reveal(record: Sequence[Line]) -> Iterator[str]:
    scored, ended = (
        next((line["t"] for line in record if line["kind"] == kind), 0.0)
        for kind in ("score", "end")
    )
    if round(1000 * (ended - scored)) > REVEAL:
        yield f"the reveal lasted {ended - scored:.3f} s"


# ---------------------------------------------------------------- what was seen


def _at_the_end(told: Told) -> Any:
    shown = first_show(told.reports["Budi"], lambda seen: seen["table"]["phase"] == "reveal")
    return shown and (shown["seen"]["view"]["zones"], shown["seen"]["view"]["sheet"])


def _looks(told: Told) -> Iterator[str]:
    windows = _windows(told.record)
    for reports in told.reports.values():
        for report in reports:
            if report["news"] == "show" and report["seen"]["table"]["phase"] == "round":
                yield from _faces(report["seen"], windows)


def _faces(seen: Seen, windows: Sequence[tuple[int, str, float, float]]) -> Iterator[str]:
    now = seen["now"] / 1000
    for zone in seen["view"]["zones"]:
        if zone["name"] != "hand":
            continue
        for slot, face in zip(zone["slots"], zone["faces"]):
            look = (zone["owner"], slot)
            right = any(look == (w[0], w[1]) and w[2] <= now <= w[3] for w in windows)
            if face is not None and not (right and zone["owner"] == seen["seat"]):
                yield f"seat {seen['seat']} sees a face at {look}, at {now} s"


def _windows(record: Sequence[Line]) -> list[tuple[int, str, float, float]]:
    """Seat, slot, beginning and end of each look."""
    acts = [line for line in record if line["kind"] == "act"]
    windows = []
    for look in acts:
        if look["do"] == "look":
            place = (look["seat"], look["slot"])
            closes = (
                line["t"]
                for line in acts
                if line["do"] == "close" and (line["seat"], line["slot"]) == place
            )
            end = next((t for t in closes if t >= look["t"]), look["t"] + LOOK)
            windows.append((*place, look["t"], end))
    return windows


def _before_and_after(told: Told) -> Iterator[str]:
    """Compares Ayu's views before the fault and after it, or the clocks in Budi's and hers."""
    after = first_show(told.reports["Ayu"], _is_running, told.healed)
    if after is None:
        return
    for name in ("Ayu", "Budi"):
        shows = [r for r in told.reports[name] if r["news"] == "show" and r["at"] < told.struck]
        if shows and shows[-1]["seen"]["view"]:
            yield from _same(shows[-1]["seen"], after["seen"], told.record, whole=name == "Ayu")


def _is_running(seen: Seen) -> bool:
    return bool(seen["view"]) and not seen["table"]["paused"]


def _same(before: Seen, after: Seen, record: Sequence[Line], whole: bool) -> Iterator[str]:
    passed = [
        line
        for line in record
        if line["kind"] in ("act", "timeout", "score")
        and before["now"] < round(1000 * line["t"]) <= after["now"]
    ]
    if any(not line.get("by_time") for line in passed):
        return
    ran, runs = _clocks(before), _clocks(after)
    running = [clock for clock in ran if clock["ends"] > after["now"]]
    if any(clock not in runs for clock in running):
        yield f"of the clocks {running} there are {runs}"
    if whole and not passed and running == ran:
        for part, was in before["view"].items():
            if was != after["view"][part]:
                yield f"{part} was {was} and is {after['view'][part]}"


def _clocks(seen: Seen) -> list[Any]:
    return [*seen["view"]["clocks"], *seen["table"]["clocks"]]


# ---------------------------------------------------------------- how quickly


def times(cell: Cell, told: Told) -> tuple[float | None, float | None, float | None]:
    """Seconds until others saw Ayu away, until a client said that it hears nothing, and from the
    end of the fault until all were back; None for what did not happen."""
    away = first_show(told.reports["Budi"], is_away, told.struck)
    concerned = told.reports if FAULTS[cell.fault].everybody else ["Ayu"]
    lost = [_first(told.reports[name], "lost", told.struck) for name in concerned]
    said = [at for at in lost if at is not None]
    return (
        None if away is None else away["at"] - told.struck,
        max(said) - told.struck if said else None,
        _until_back(told, concerned) if said or away else None,
    )


def _until_back(told: Told, concerned: Iterable[str]) -> float | None:
    latest = 0.0
    for name in concerned:
        reports = told.reports[name]
        last = max((r["at"] for r in reports if r["news"] == "lost"), default=told.struck)
        again = first_show(reports, since=max(last, told.struck))
        if again is None:
            return None
        latest = max(latest, again["at"] - told.healed)
    return max(latest, 0.0)


def _first(reports: Sequence[Report], news: str, since: float) -> float | None:
    found = (r["at"] for r in reports if r["news"] == news and r["at"] >= since)
    return next(found, None)


def _slowness(cell: Cell, told: Told) -> Iterator[str]:
    away, said, back = times(cell, told)
    fault = FAULTS[cell.fault]
    if away is not None and away > AWAY and fault.misses != "perhaps":
        yield f"the others saw after {away:.1f} s that Ayu was away"
    slept = told.healed - told.struck if cell.fault == STOPPED else 0.0
    if said is not None and said - slept > AWAY and fault.misses != "perhaps":
        yield f"a client said after {said:.1f} s that it heard nothing"
    if fault.comes_back and (away or said) and (back is None or back > BACK):
        yield f"Ayu was back {back or math.inf:.1f} s after the end of the fault"
