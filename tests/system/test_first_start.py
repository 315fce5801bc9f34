"""`./play` from a fresh checkout, with Python and a network and nothing else."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.system.pseudo import TOP, Pseudo

pytestmark = pytest.mark.system
INSTALLING = 180.0
NOT_IN_A_CHECKOUT = (".git", ".venv", ".*_cache", "__pycache__", ".hypothesis", "*.mo")


def bare(home: Path, **more: str) -> dict[str, str | None]:
    """An environment with a home and a path, and this besides."""
    nothing = dict.fromkeys((*os.environ, "PYTHONPATH", "TERM", "LC_ALL"))
    return {**nothing, "HOME": str(home), "PATH": os.environ["PATH"], **more}


def test_starts_lead_to_a_table_that_can_be_played_and_the_first_alone_needs_a_network(
    tmp_path: Path,
) -> None:
    checkout = tmp_path / "crisp-lan"
    shutil.copytree(TOP, checkout, ignore=shutil.ignore_patterns(*NOT_IN_A_CHECKOUT))
    starts_for_the_first_time(checkout)
    starts_again_without_a_network_and_without_a_screen(checkout)


def starts_for_the_first_time(checkout: Path) -> None:
    home = bare(checkout.parent, TERM="xterm-256color")
    with Pseudo([str(checkout / "play")], environment=home) as terminal:
        terminal.wait_for("Setting up crisp-lan for the first time")
        terminal.wait_for("First look", "[l] Look at a card", seconds=INSTALLING)
        for name in ("Ada", "Bruno", "Clio"):
            assert name in terminal.text
        terminal.press("l1")
        terminal.wait_for("looking")
        for key in ("q", "1"):
            terminal.press(key)
        assert terminal.ended() == 0
        assert terminal.is_sane()


def starts_again_without_a_network_and_without_a_screen(checkout: Path) -> None:
    home = bare(checkout.parent, PIP_NO_INDEX="1")
    with Pseudo([str(checkout / "play")], environment=home) as terminal:
        terminal.says("Look at a card [l]")
        terminal.press("quit\n")
        terminal.says("2) Leave it running")
        terminal.press("2\n")
        assert terminal.ended() == 0
        assert b"\x1b" not in terminal.written
        assert b"Setting up" not in terminal.written
        way = re.search(rb"(\S+/play) (join [0-9.]+:[0-9]+) brings you back", terminal.written)
    assert way
    assert way[1].decode() == str(checkout / "play")
    with Pseudo([way[1].decode(), *way[2].decode().split()], environment=home) as terminal:
        terminal.says("Look at a card [l]")
        terminal.press("quit\n")
        terminal.says("1) End the table for all")
        terminal.press("1\n")
        assert terminal.ended() == 0
