"""A table that tells without end fills no memory: what a client keeps for its check has bounds."""

from __future__ import annotations

import gc

from crisp_lan.fair import ATTEMPTS, LARGEST, RULES, Verdict, Witness
from crisp_lan.lots import Sealed
from crisp_lan.net.messages import Opened


def test_a_record_without_end_is_looked_into_and_is_wrong() -> None:
    witness, line = Witness(), "x" * 60_000
    for number in range(LARGEST // len(line)):
        assert witness.open(Opened(number, (line,), more=True)) is None
    case = witness.open(Opened(LARGEST, (line,), more=True))
    assert case is not None
    assert case.verdict() == Verdict(RULES, fits=False)
    assert witness.open(Opened(LARGEST + 1, (line,), more=True)) is None


def test_attempts_without_end_at_a_deck_are_not_all_kept() -> None:
    witness, table = Witness(), "a table of this test alone"
    for deal in range(10 * ATTEMPTS):
        witness.seal(Sealed(table, deal, {"host": "0" * 64}))
    gc.collect()
    sealed = [kept for kept in gc.get_objects() if type(kept) is Sealed]
    assert sum(kept.table == table for kept in sealed) == ATTEMPTS
