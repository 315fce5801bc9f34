"""What a process uses, as Linux tells it, and numbers as a report shows them."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from pathlib import Path


def resident(pid: int) -> int:
    """Its memory, in KiB."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1])


def descriptors(pid: int) -> int:
    """How many files and sockets it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def threads(pid: int) -> int:
    return len(os.listdir(f"/proc/{pid}/task"))


def cpu_seconds(pid: int) -> float:
    """CPU time of all its threads, from the clock that Linux has for it."""
    return time.clock_gettime((~pid << 3) | 2)


def percentile(numbers: Sequence[float], percent: int) -> float:
    """The number that so many percent of them do not exceed."""
    return sorted(numbers)[min(len(numbers) - 1, len(numbers) * percent // 100)]
