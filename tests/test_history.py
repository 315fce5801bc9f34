"""The games that are kept: told newest first, whatever lies among them, with who won how often."""

from __future__ import annotations

import json
import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from crisp_lan import cli, words
from crisp_lan.game.rules import Line
from crisp_lan.history import Game, Status, kept, named, standings
from crisp_lan.history import Player as Seated
from crisp_lan.journal import Journal
from tests.kept_games import keep, record_of

IDS = {"crisp": "c0ffee0123456789", "briscola": "b215c01a00000001", "crisps": "c215b50000000002"}


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of its own, and English."""
    monkeypatch.setenv("CRISP_LAN_DATA", str(tmp_path))
    monkeypatch.setenv("LANGUAGE", "en")
    monkeypatch.setattr(words, "_catalogue", words._catalogue)


def run(*line: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str], list[str]]:
    code = cli.run(line)
    out, err = capsys.readouterr()
    return code, out.splitlines(), err.splitlines()


def changed(key: str, **head: Any) -> list[Line]:
    record = record_of(key)
    return [record[0] | head, *record[1:]]


def local(text: str) -> str:
    return datetime.fromisoformat(text).astimezone().strftime("%Y-%m-%d %H:%M")


# ---------------------------------------------------------------- what is told


def test_games_are_told_newest_first_with_scores_winners_and_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"), record_of("crisps"))
    keep(tmp_path, "b", record_of("briscola"))
    code, out, err = run("history", capsys=capsys)
    assert (code, err) == (0, [])
    assert out[:6] == [
        f"{local('2026-07-26T20:45:00+00:00')}  Crisps!      3:55  {IDS['crisps']}",
        "    Ayu 3, Budi 1: won by Ayu.",
        f"{local('2026-07-25T19:30:00+00:00')}  Briscola     2:33  {IDS['briscola']}",
        "    Ayu 0, Budi 1, Chandra 0, Dewi 1: won by Budi, Dewi.",
        f"{local('2026-07-24T18:15:00+00:00')}  Crisp        2:39  {IDS['crisp']}",
        "    Ayu 30, Budi 27, Chandra 24: won by Chandra.",
    ]


def test_standings_are_told_after_the_games_with_each_kind_of_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"), record_of("crisps"))
    _, out, _ = run("history", capsys=capsys)
    table = [line.split() for line in out[5:]]
    assert table == [
        ["player", "games", "won", "share", "Crisp", "Crisps!"],
        ["Chandra", "1", "1", "100%", "1/1"],
        ["Ayu", "2", "1", "50%", "0/1", "1/1"],
        ["Budi", "2", "0", "0%", "0/1", "0/1"],
    ]
    assert len({len(line) for line in out[5:]}) == 1


def test_an_empty_folder_is_told_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("history", capsys=capsys) == (0, [f"No game is kept in {tmp_path} yet."], [])
    assert run("history", "--json", capsys=capsys) == (0, [], [])


def test_a_table_at_which_nothing_was_played_has_no_games(tmp_path: Path) -> None:
    keep(tmp_path, "a")
    assert kept(tmp_path / "tables") == ([], [])


def test_dates_are_written_as_in_the_language(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"))
    began = datetime.fromisoformat("2026-07-24T18:15:00+00:00").astimezone()
    for language, order in (("de", "%d.%m.%Y %H:%M"), ("id", "%d/%m/%Y %H.%M")):
        _, out, _ = run("history", "--lang", language, capsys=capsys)
        assert out[0].startswith(began.strftime(order))


def test_for_programs_each_game_is_an_object_in_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"), record_of("briscola"))
    _, out, _ = run("history", "--json", capsys=capsys)
    newest, oldest = (json.loads(line) for line in out)
    assert datetime.fromisoformat(oldest.pop("started")) == datetime.fromisoformat(
        "2026-07-24T18:15:00+00:00"
    )
    assert oldest == {
        "kind": "game",
        "id": IDS["crisp"],
        "game": "crisp",
        "status": "finished",
        "seconds": 159.908,
        "rounds": 2,
        "players": [
            {"seat": 0, "name": "Ayu", "by": "person", "score": 30, "won": False, "left": False},
            {"seat": 1, "name": "Budi", "by": "person", "score": 27, "won": False, "left": False},
            {"seat": 2, "name": "Chandra", "by": "person", "score": 24, "won": True, "left": False},
        ],
    }
    assert [player["won"] for player in newest["players"]] == [False, True, False, True]


def test_every_field_for_programs_is_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"))
    _, out, _ = run("history", "--json", capsys=capsys)
    game = json.loads(out[0])
    told = (Path(__file__).parents[1] / "docs" / "history.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in told for name in [*game, *game["players"][0]])


# ---------------------------------------------------------------- without an end


def test_an_interrupted_game_keeps_its_scores_and_counts_for_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp")[:60])
    _, out, _ = run("history", capsys=capsys)
    assert out[1:] == ["    Ayu 18, Budi 13, Chandra 19: interrupted, nobody has won."]


def test_of_a_running_game_no_score_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = Journal(tmp_path / "tables" / "a.jsonl", {"id": "a", "game": "crisp"})
    running.write(record_of("crisps"))
    running.write(record_of("crisp")[:60])
    _, out, _ = run("history", capsys=capsys)
    assert "    Ayu, Budi, Chandra: still running, so no scores are told." in out
    assert "    Ayu 3, Budi 1: won by Ayu." in out
    _, out, _ = run("history", "--json", capsys=capsys)
    told = {game["id"]: game for game in map(json.loads, out)}
    assert told[IDS["crisps"]]["status"] == "finished"
    assert told[IDS["crisp"]]["status"] == "running"
    assert {player["score"] for player in told[IDS["crisp"]]["players"]} == {None}
    running.close()


def test_a_game_without_an_end_at_a_table_that_was_closed_is_interrupted(tmp_path: Path) -> None:
    running = Journal(tmp_path / "tables" / "a.jsonl", {"id": "a", "game": "crisp"})
    running.write([*record_of("crisp")[:60], {"kind": "closed"}])
    (game,), _ = kept(tmp_path / "tables")
    assert game.status == "interrupted"
    running.close()


def test_who_left_for_good_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = record_of("crisp")
    gone: Line = {"kind": "seat", "t": record[-1]["t"], "seat": 1, "by": "left"}
    keep(tmp_path, "a", [*record[:-1], gone, record[-1]])
    _, out, _ = run("history", capsys=capsys)
    assert "Budi 27 (has left)" in out[1]


# ---------------------------------------------------------------- what is no journal


def test_torn_foreign_and_unreadable_files_are_named_in_a_line_each_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "good", record_of("crisp"))
    torn = keep(tmp_path, "torn", record_of("crisps"))
    torn.write_bytes(torn.read_bytes()[:-9])
    head = b'{"kind":"table","format":1,"id":"t","game":"crisp"}\n'
    bad = {
        "empty": b"",
        "foreign": b'{"a": 1}\n',
        "newer": head.replace(b'"format":1', b'"format":2'),
        "text": "Grüße\n".encode("latin-1"),
        "deep": head + b"[" * 100_000 + b"\n",
        "headless": head + b'{"kind":"game"}\n',
        "odd": head + json.dumps(record_of("crisp")[0] | {"seats": [7]}).encode() + b"\n",
        "timeless": head
        + json.dumps(record_of("crisp")[0]).encode()
        + b'\n{"kind":"end","t":1e999,"winners":[],"scores":{}}\n',
    }
    for name, content in bad.items():
        (tmp_path / "tables" / f"{name}.jsonl").write_bytes(content)
    (tmp_path / "tables" / "folder.jsonl").mkdir()
    (tmp_path / "tables" / "nowhere.jsonl").symlink_to(tmp_path / "gone")
    code, out, err = run("history", capsys=capsys)
    assert code == 0
    assert len(err) == len(bad) + 3
    for name in (*bad, "torn", "folder", "nowhere"):
        (line,) = (line for line in err if f"{name}.jsonl" in line)
        assert "left out" in line
    assert sum(" won by " in line for line in out) == 1
    assert any("Ayu 3, Budi 1: interrupted" in line for line in out)


def test_a_name_cannot_steer_the_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = [seat | {"name": "A\x1b[2Jyu\n"} for seat in record_of("crisp")[0]["seats"]]
    keep(tmp_path, "a", changed("crisp", seats=seats))
    _, out, _ = run("history", capsys=capsys)
    assert all(line.isprintable() for line in out)


# ---------------------------------------------------------------- standings


def a_game(key: str, status: Status = "finished", **won: bool) -> Game:
    players = tuple(
        Seated(n, name, "bot:easy" if name.startswith("Bot") else "person", 0, wins, False)
        for n, (name, wins) in enumerate(won.items())
    )
    return Game("g", key, datetime.now().astimezone(), status, 1.0, 1, players, [])


def test_names_are_the_same_as_at_the_table_and_a_shared_win_is_a_win() -> None:
    ayu, budi = standings(
        [a_game("crisp", Ayu=True, Budi=True), a_game("crisp", ayu=True, Budi=False)]
    )
    assert (ayu.name, ayu.games, ayu.wins) == ("Ayu", {"crisp": 2}, {"crisp": 2})
    assert (budi.share, budi.wins) == (0.5, {"crisp": 1})


def test_a_bot_is_never_taken_for_a_person_of_its_name() -> None:
    person = a_game("crisp", Ayu=True, Ben=False)
    robot = [
        Seated(one.seat, one.name, "bot:hard", one.score, one.won, one.left)
        for one in person.players
    ]
    table = standings(
        [person, Game("h", "crisp", person.began, "finished", 1.0, 1, tuple(robot), [])]
    )
    assert sorted((one.name, one.bot) for one in table) == [
        ("Ayu", False),
        ("Ayu", True),
        ("Ben", False),
        ("Ben", True),
    ]


def test_only_finished_games_count() -> None:
    unfinished: tuple[Status, ...] = ("interrupted", "running")
    assert standings(a_game("crisp", status, Ayu=True) for status in unfinished) == []


# ---------------------------------------------------------------- which game is meant


def test_a_game_is_meant_by_how_its_id_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp"), record_of("crisps"))
    _, out, _ = run("replay", "c0", "--json", capsys=capsys)
    assert [json.loads(line) for line in out] == record_of("crisp")
    assert run("replay", "c", "--json", capsys=capsys) == (
        1,
        [],
        [f"c may be any of these games: {IDS['crisps']}, {IDS['crisp']}."],
    )
    assert run("replay", "x", capsys=capsys)[2] == [f"No game x is kept in {tmp_path}."]


def test_a_whole_id_is_that_game_even_where_another_goes_on_after_it(tmp_path: Path) -> None:
    keep(tmp_path, "a", changed("crisp", id="ab"), changed("crisps", id="abc"))
    games, _ = kept(tmp_path / "tables")
    assert [game.id for game in named(games, "ab")] == ["ab"]
    assert [game.id for game in named(games, "abc")] == ["abc"]


def test_without_an_id_the_newest_game_is_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "b", record_of("crisps"))
    keep(tmp_path, "a", record_of("crisp"))
    os.utime(tmp_path / "tables" / "b.jsonl", (1, 1))
    _, out, _ = run("replay", "--json", capsys=capsys)
    assert json.loads(out[0])["id"] == IDS["crisps"]


# ---------------------------------------------------------------- replay without a screen


@pytest.mark.parametrize("plain", [[], ["--plain"]])
def test_without_a_screen_a_whole_game_is_printed_line_by_line(
    plain: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("briscola"))
    code, out, err = run("replay", *plain, capsys=capsys)
    assert (code, err) == (0, [])
    assert out[0].startswith("  0:00  Briscola: ")
    assert "Ayu has 0." in out[-2]
    assert sum(" takes the trick." in line for line in out) == 10


def test_a_running_game_is_refused_unless_it_may_be_spoilt(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    running = Journal(tmp_path / "tables" / "a.jsonl", {"id": "a", "game": "crisp"})
    running.write(record_of("crisp")[:30])
    for words_ in ([], ["--json"], ["--plain"]):
        code, out, err = run("replay", *words_, capsys=capsys)
        assert (code, out) == (1, [])
        assert err == ["That game is still running. Add --spoil to see its cards."]
    _, out, _ = run("replay", "--spoil", capsys=capsys)
    assert out[-1].endswith("The game is still running: this is all so far.")
    running.close()


def test_an_interrupted_game_is_replayed_to_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", record_of("crisp")[:30])
    _, out, _ = run("replay", capsys=capsys)
    assert out[-1].endswith("The game was interrupted here.")


def test_of_a_game_that_this_version_does_not_know_nothing_can_be_seen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(tmp_path, "a", changed("crisp", game="whist"))
    code, _, err = run("replay", capsys=capsys)
    assert code == 1
    assert err == [f"There is nothing to be seen of game {IDS['crisp']}."]
    assert "whist" in run("history", capsys=capsys)[1][0]
