"""The source keeps its form: ruff's rules, its format, and types that mypy can follow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOP = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "tool",
    [["ruff", "check"], ["ruff", "format", "--check"], ["mypy"]],
    ids=["ruff", "format", "mypy"],
)
def test_the_source_keeps_its_form(tool: list[str]) -> None:
    run = subprocess.run(
        [sys.executable, "-m", *tool], cwd=TOP, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
