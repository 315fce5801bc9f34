"""What takes long and needs no watching is begun before the first test here that is run."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from tests.system.running import (
    LOOPBACK,
    HeadlessTable,
    Program,
    headless,
    own_loopback,
    program,
    waited_for,
)

SHORT_GAME = "--deal-seed=11"
"""Three bots, who take their time, call crisp early after this deal: half a minute, not three."""


@dataclass(frozen=True, slots=True)
class GameOfBots:
    """A table with a bot of its own, and two bots that have found it by themselves."""

    table: HeadlessTable
    bots: tuple[Program, ...]


@pytest.fixture(scope="session")
def game_of_bots(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GameOfBots]:
    """A game that has begun. Bots think as long as people do: it takes a while."""
    folder = tmp_path_factory.mktemp("bots")
    words = ("--seats=3", "--bots=1", "--once", "--limit=1", SHORT_GAME, *LOOPBACK)
    with (
        own_loopback() as start,
        headless(folder, *words, start=start) as table,
        program(folder, "bot", *LOOPBACK, start=start) as one,
        program(folder, "bot", *LOOPBACK, start=start) as other,
    ):
        waited_for(table.journal, lambda: f"a game in vain; the table said:\n{table.err}", 30)
        yield GameOfBots(table, (one, other))


@pytest.fixture(scope="session", autouse=True)
def _begun_early(request: pytest.FixtureRequest) -> None:
    if any("game_of_bots" in getattr(i, "fixturenames", ()) for i in request.session.items):
        request.getfixturevalue("game_of_bots")
