"""Numbers as lines of the report."""

from __future__ import annotations

from collections.abc import Sequence


def percentile(numbers: Sequence[float], percent: int) -> float:
    """The number that so many percent of them do not exceed."""
    return sorted(numbers)[len(numbers) * percent // 100]


def ms(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms"


def judged(value: float, budget: float, unit: str = "") -> str:
    """A number beside its budget, and whether it keeps to it."""
    verdict = "ok" if value <= budget else "MISSED"
    return f"{value:.2f}{unit} (budget {budget:g}{unit}: {verdict})"
