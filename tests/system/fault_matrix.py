"""Every fault in every phase: python -m tests.system.fault_matrix [FAULT …]

Plays a game for each cell, many side by side, each on a network of its own, and prints a table. It
ends with 0 if all cells hold. `--phase` and the names of faults, or parts of them, choose cells.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from tests.system import netns
from tests.system.fault_cells import DEAF, FAULTS, Cell, Told, game
from tests.system.fault_compare import faults_found, outlived, references, times
from tests.system.fault_player import PHASES

AT_ONCE = 10
STAGGER = 1.5
"""Seconds between two starts, so that many programs do not load at the same time."""
LEGEND = """\
In each cell: seconds until the others saw that Ayu was away / until a client said that it hears
nothing from the table / from the end of the fault until all was as before; – for what did not come
about. * the fault outlived a deadline: the record has the time-out, or the call that was missed."""


@dataclass(slots=True)
class Matrix:
    """Cells that were played: the faults found in each, and the games that they were held to."""

    played: dict[Cell, Told] = field(default_factory=dict)
    faults: dict[Cell, list[str]] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return not any(self.faults.values())


def all_cells() -> list[Cell]:
    return [Cell(phase, fault) for fault in FAULTS if fault for phase in PHASES]


def play(cells: Sequence[Cell], folder: Path, at_once: int = AT_ONCE) -> Matrix:
    """Plays these cells and the games that they are compared with, the longest first."""
    wanted = dict.fromkeys([*(one for cell in cells for one in references(cell)), *cells])
    longest_first = sorted(wanted, key=lambda cell: (not _lasts(cell), PHASES.index(cell.phase)))
    matrix = Matrix()
    with ThreadPoolExecutor(at_once) as pool:
        games: dict[Cell, Future[Told]] = {}
        for number, cell in enumerate(longest_first):
            wait = STAGGER * number if number < at_once else 0.0
            games[cell] = pool.submit(_told, cell, folder / str(number), wait)
        for cell, future in games.items():
            try:
                matrix.played[cell] = future.result()
            except Exception as error:  # whatever it is, it is this cell's
                matrix.faults[cell] = [_short(error)]
    for cell in cells:
        if cell not in matrix.faults:
            matrix.faults[cell] = _judged(cell, matrix)
    return matrix


def _lasts(cell: Cell) -> bool:
    """Whether all of Ayu's turns time out."""
    return cell.stops == "asleep" or cell.fault == DEAF


def _told(cell: Cell, folder: Path, wait: float) -> Told:
    time.sleep(wait)
    with game(cell, folder) as played:
        return played.play()


def _judged(cell: Cell, matrix: Matrix) -> list[str]:
    if missing := [one for one in references(cell) if one not in matrix.played]:
        return [f"nothing to compare it with: {missing}"]
    return list(faults_found(cell, matrix.played[cell], matrix.played))


def _short(error: Exception) -> str:
    where = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({Path(where.filename).name}:{where.lineno})"


# ---------------------------------------------------------------- the table


def table(cells: Iterable[Cell], matrix: Matrix) -> str:
    """What was found, as text: faults down, phases across."""
    words = {cell: _word(cell, matrix) for cell in cells}
    phases = [phase for phase in PHASES if any(cell.phase == phase for cell in words)]
    names = list(dict.fromkeys(cell.fault for cell in words))
    rows = [["", *phases]]
    rows += [[name, *(words.get(Cell(phase, name), "") for phase in phases)] for name in names]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def _word(cell: Cell, matrix: Matrix) -> str:
    if matrix.faults[cell]:
        return "FAULT"
    told = matrix.played[cell]
    seconds = ("–" if n is None else f"{n:.1f}" for n in times(cell, told))
    return "/".join(seconds) + ("*" if outlived(told, cell, matrix.played) else "")


def main(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="fault_matrix", description=__doc__)
    parser.add_argument("fault", nargs="*", help="part of a fault’s name; else all")
    parser.add_argument("--phase", action="append", help="part of a phase’s name; else all")
    parser.add_argument("--at-once", type=int, default=AT_ONCE, metavar="N")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="keep what was written there")
    args = parser.parse_args(words)
    if netns.missing():
        sys.stderr.write(netns.missing() + "\n")
        return 2
    cells = [
        cell
        for cell in all_cells()
        if _chosen(cell.fault, args.fault) and _chosen(cell.phase, args.phase)
    ]
    folder = args.keep or Path(tempfile.mkdtemp())
    began = time.monotonic()
    matrix = play(cells, folder, args.at_once)
    if args.keep is None:
        shutil.rmtree(folder)
    sys.stdout.write(_report(cells, matrix, time.monotonic() - began))
    return 0 if matrix.holds else 1


def _chosen(name: str, parts: Sequence[str] | None) -> bool:
    return not parts or any(part in name for part in parts)


def _report(cells: Sequence[Cell], matrix: Matrix, seconds: float) -> str:
    found: Mapping[Cell, list[str]] = {c: told for c, told in matrix.faults.items() if told}
    said = [
        f"{cell.fault or 'no fault'} {cell.stops} × {cell.phase}: {sentence}"
        for cell, sentences in found.items()
        for sentence in sentences
    ]
    held = sum(not matrix.faults[cell] for cell in cells)
    last = f"{held} of {len(cells)} cells hold, after {seconds / 60:.1f} minutes."
    return "\n".join([table(cells, matrix), "", LEGEND, "", *said, last, ""])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
