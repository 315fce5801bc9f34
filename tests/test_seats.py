"""Seats that are kept on disk: whose they are, who may take them, and when they go."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from crisp_lan import seats
from crisp_lan.seats import SeatKeeper

HOLD = """
import sys
from pathlib import Path
from crisp_lan.seats import SeatKeeper
keeper = SeatKeeper(Path(sys.argv[1]), "Ayu")
keeper.keep("K7Q2", "of another process", ["192.0.2.1"], 27477, "")
print("kept", flush=True)
sys.stdin.read()
"""

PRINT = "ab" * 32
GOOD = {
    "table": "K7Q2",
    "player": "Ayu",
    "token": "secret",
    "addresses": ["192.0.2.1"],
    "port": 27477,
    "fingerprint": PRINT,
}


@contextmanager
def client(folder: Path, name: str = "Ayu", any_player: bool = False) -> Iterator[SeatKeeper]:
    """A client that runs for the length of the block."""
    keeper = SeatKeeper(folder, name, any_player)
    try:
        yield keeper
    finally:
        keeper.close()


def keep(folder: Path, table: str, token: str, name: str = "Ayu") -> None:
    """Somebody had this seat, and went."""
    with client(folder, name) as keeper:
        keeper.keep(table, token, ["192.0.2.1", "192.0.2.2"], 27477, PRINT)


def test_a_seat_waits_for_its_player(tmp_path: Path) -> None:
    keep(tmp_path / "seats", "K7Q2", "secret")
    with client(tmp_path / "seats") as keeper:
        assert keeper.tables() == {"K7Q2"}
        assert keeper.token("ZZZZ") == ""
        assert keeper.token("K7Q2") == "secret"
        assert keeper.held is not None
        assert keeper.held.spot == "192.0.2.1:27477"


def test_only_its_owner_may_read_a_seat(tmp_path: Path) -> None:
    keep(tmp_path / "seats", "K7Q2", "secret")
    (path,) = (tmp_path / "seats").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert "K7Q2" not in path.name


def test_a_table_is_known_by_its_fingerprint_whoever_of_this_machine_sits_there(
    tmp_path: Path,
) -> None:
    keep(tmp_path, "K7Q2", "secret", "Budi")
    with client(tmp_path, "Budi") as budi, client(tmp_path, "Ayu") as ayu:
        assert budi.token("K7Q2") == "secret"
        assert ayu.fingerprint("K7Q2") == PRINT
        assert ayu.fingerprint("ZZZZ") == ""


def test_a_seat_that_is_played_is_nobody_elses(tmp_path: Path) -> None:
    with client(tmp_path) as one:
        one.keep("K7Q2", "first", ["192.0.2.1"], 27477, PRINT)
        with client(tmp_path) as other:
            assert other.tables() == frozenset()
            assert other.token("K7Q2") == ""
            other.keep("K7Q2", "second", ["192.0.2.1"], 27477, PRINT)
    with client(tmp_path) as one, client(tmp_path) as other:
        assert {one.token("K7Q2"), other.token("K7Q2")} == {"first", "second"}


def test_a_killed_client_lets_go_of_its_seat(tmp_path: Path) -> None:
    words = [sys.executable, "-c", HOLD, str(tmp_path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(words, text=True, **pipes) as other, client(tmp_path) as keeper:
        assert other.stdout
        assert other.stdout.readline() == "kept\n"
        assert keeper.token("K7Q2") == ""
        other.kill()
        other.wait()
        assert keeper.token("K7Q2") == "of another process"


def test_a_seat_that_was_given_up_is_gone(tmp_path: Path) -> None:
    with client(tmp_path) as keeper:
        keeper.keep("K7Q2", "secret", ["192.0.2.1"], 27477, PRINT)
        keeper.give_up()
        assert keeper.held is None
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_asked_for_is_not_given_anothers_seat(tmp_path: Path) -> None:
    keep(tmp_path, "K7Q2", "secret", name="Ayu")
    with client(tmp_path, "Budi") as keeper:
        assert keeper.tables() == frozenset()
        assert keeper.token("K7Q2") == ""
    with client(tmp_path, "Budi", any_player=True) as keeper:
        assert keeper.token("K7Q2") == "secret"
        keeper.keep("K7Q2", "secret", ["192.0.2.9"], 27477, PRINT)
    with client(tmp_path, "Ayu") as keeper:
        assert keeper.token("K7Q2") == "secret"
        assert keeper.held is not None
        assert keeper.held.spot == "192.0.2.9:27477"


def test_of_several_seats_at_a_table_the_newest_is_taken(tmp_path: Path) -> None:
    with client(tmp_path) as one, client(tmp_path) as other:
        one.keep("K7Q2", "old", ["192.0.2.1"], 27477, PRINT)
        other.keep("K7Q2", "new", ["192.0.2.1"], 27477, PRINT)
    for when, path in enumerate(sorted(tmp_path.iterdir(), key=lambda p: "new" in p.read_text())):
        os.utime(path, (when, when))
    with client(tmp_path) as keeper:
        assert keeper.token("K7Q2") == "new"


def test_an_old_seat_is_shortened_with_what_is_kept_now(tmp_path: Path) -> None:
    with client(tmp_path) as keeper:
        keeper.keep("K7Q2", "secret", ["192.0.2.1"] * 9, 27477, PRINT)
        keeper.keep("K7Q2", "secret", ["192.0.2.1"], 27477, PRINT)
    (path,) = tmp_path.iterdir()
    assert json.loads(path.read_text())["addresses"] == ["192.0.2.1"]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        "null",
        "\x00\xff",
        '{"table": "K7Q2"}',
        json.dumps({**GOOD, "token": 7}),
        json.dumps({**GOOD, "addresses": []}),
        json.dumps({**GOOD, "port": "1"}),
        json.dumps({**GOOD, "fingerprint": None}),
        json.dumps({name: GOOD[name] for name in GOOD if name != "fingerprint"}),
    ],
)
def test_a_file_that_holds_no_seat_is_passed_over(content: str, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(content)
    with client(tmp_path) as keeper:
        assert keeper.tables() == frozenset()
        assert keeper.token("K7Q2") == ""


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with client(tmp_path / "file" / "seats") as keeper:
        keeper.keep("K7Q2", "secret", ["192.0.2.1"], 27477, PRINT)
        assert keeper.held is None
        assert keeper.tables() == frozenset()


def test_the_oldest_seats_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "MOST", 3)
    for n in range(5):
        keep(tmp_path, f"T{n}", "secret")
        for path in tmp_path.iterdir():
            os.utime(path, (path.stat().st_mtime - 60,) * 2)
    with client(tmp_path) as keeper:
        assert keeper.tables() == {"T2", "T3", "T4"}


def test_a_token_is_in_no_representation(tmp_path: Path) -> None:
    keep(tmp_path, "K7Q2", "secret")
    with client(tmp_path) as keeper:
        keeper.token("K7Q2")
        assert "secret" not in repr(keeper.held)
