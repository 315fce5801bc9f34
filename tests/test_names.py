"""Names that would steer a terminal, hide in one, or be taken for a format: through every place
that prints one, as players type them and as a table, a neighbour or a file may lie about them."""

from __future__ import annotations

import json
import logging
import re
import unicodedata
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from trio.testing import MockClock

from crisp_lan import cli, doctor
from crisp_lan.game.rules import Note, Result, Text
from crisp_lan.moments import moments
from crisp_lan.net import search
from crisp_lan.net.listing import Listing, instance_names, listing_of, txt_of
from crisp_lan.net.messages import Bye, Hello, Show
from crisp_lan.text import safe_name
from crisp_lan.tui import finder as finders
from crisp_lan.tui import lines, paint, plain, replay
from crisp_lan.tui.model import Screen, see
from crisp_lan.tui.pressing import press
from tests.kept_games import KEYS, keep, record_of
from tests.net.hall import later, open_hall
from tests.tui import views

STEERING = (
    *("\x1b[31mAyu\x1b[0m", "\x1b]52;c;QXl1\x07Ayu", "\x1b]0;title\x1b\\Ayu", "Ay\x07u", "Ay\ru"),
    *("\u009b31mAyu", "\u202eAyu", "\u2066Ayu", "A\u200by\u200du\ufeff", "Ay\u2028u", "Ay\x00u"),
    *("Ay\nu", "Ay\tu", "Ay\x7fu", "\ud800Ayu", "\U000e0041Ayu"),
)
PLAIN = ("Tom & Ayu", "<b>", "{0}", "{seat}", "{name}", "%s", "%(name)s", "$HOME", "&lt;", "`id`")
"""These mean nothing, and are shown as they are."""
BAD = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def steers(text: str) -> bool:
    """Whether a line would do more to a terminal than fill it."""
    return any(unicodedata.category(sign) in BAD for sign in text)


def assert_harmless(lines: list[str], name: str) -> None:
    """Nothing steers; and a name that means nothing is there as it is."""
    assert lines
    assert not [line for line in lines if steers(line)]
    assert name not in PLAIN or any(name in line for line in lines)


every_name = pytest.mark.parametrize("name", STEERING + PLAIN, ids=ascii)


# ---------------------------------------------------------------- the host's entry


@every_name
async def test_a_name_is_harmless_at_the_table_in_the_journal_and_in_the_log(
    name: str, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    typed = name.encode(errors="replace").decode()[:64]
    async with open_hall(4) as hall:
        watcher = await hall.seat("W", watch=True)
        bad = await hall.seat(typed)
        again = await hall.seat(typed)
        await bad.cut()
        await later(1)
        await again.leaves()
        names = [player.name for player in watcher.all(Show)[-2].table.players]
        told = [str(v) for s in watcher.all(Show) for n in s.notes for v in n.values.values()]
        journal = json.dumps(hall.journal.all, ensure_ascii=False)
    assert len(set(names)) == 2
    assert_harmless(names, name)
    assert_harmless([*told, journal], name)
    assert not any(steers(record.getMessage()) for record in caplog.records)


# ---------------------------------------------------------------- a table that lies


def renamed(screen: Screen, name: str) -> Screen:
    """The screen at a table where everybody and everything is called so."""
    show = screen.show
    assert show is not None
    seats = tuple(replace(player, name=name) for player in show.table.players)
    table = replace(show.table, players=seats, results=(Result(name, 3, True, False),))
    told = (Note("{name} sits down.", {"name": name}), Note("{seat} draws.", {"seat": 1}))
    notes = (*show.notes, *told)
    met = see(screen, Hello(1, "x", "K7Q2", name), 0.0)
    lies = Show(show.version, show.now, show.offer, show.done, show.seat, table, show.view, notes)
    return see(met, lies, 0.0)


SCREENS = {
    "lobby": views.lobby(8),
    "holding": views.holding(4),
    "queen": views.holding(4, "QH"),
    "final turns": views.final_turns(8),
    "round end": views.round_end(4),
    "watching": views.watching(8),
    "trick": views.trick(),
}
SCENES = tuple(SCREENS)
SIZES = ((80, 24), (120, 40), (60, 16), (40, 10))


@every_name
@pytest.mark.parametrize("scene", SCENES)
def test_a_screen_shows_a_lying_tables_names_harmlessly(scene: str, name: str) -> None:
    screen = renamed(SCREENS[scene], name)
    keyed = [screen, *(press(screen, key, 0.5)[0] for key in ("u", "q", "?", "m"))]
    keyed.append(see(screen, Bye(Text("{name}: {who}", {"name": name, "who": name})), 1.0))
    shown = [
        "".join(text for _style, text in row)
        for one in keyed
        for size in SIZES
        for row in paint.rows(one, *size, 1.0)
    ]
    assert_harmless(shown, name)


@every_name
@pytest.mark.parametrize("scene", SCENES)
def test_lines_say_a_lying_tables_names_harmlessly(scene: str, name: str) -> None:
    screen = renamed(SCREENS[scene], name)
    said = plain.news(views.lobby(2), screen, 1.0) + lines.status_lines(screen, 1.0)
    said += lines.score_lines(screen) + lines.help_lines(screen) + lines.choice_lines(screen)
    gone = see(screen, Bye(Text("{name}", {"name": name})), 1.0)
    assert_harmless(said + plain.news(screen, gone, 1.0), name)


def test_marks_are_not_stacked_over_other_lines() -> None:
    tower = "Z" + 40 * "\u0301"
    screen = renamed(SCREENS["final turns"], tower)
    rows = ["".join(text for _, text in row) for row in paint.rows(screen, 80, 24, 1.0)]
    told = [*rows, *lines.status_lines(screen, 1.0), safe_name(tower, ""), announced(tower).table]
    assert not [line for line in told if 4 * "\u0301" in unicodedata.normalize("NFD", line)]


def test_no_name_gets_into_the_windows_title() -> None:
    """No title is ever set, so none has to be given back."""
    for source in Path(cli.__file__).parent.rglob("*.py"):
        assert not re.search(r"set_title|\\x1b\]|\\033\]", source.read_text("utf-8"))


# ---------------------------------------------------------------- neighbours on the network


def announced(name: str) -> Listing:
    """What is heard of a table that announces everything under that name."""
    raw = name.encode(errors="replace")
    fields = ("table", "game", "phase", "version", "players", "fingerprint", "host")
    txt: dict[bytes, bytes | None] = {field.encode(): raw for field in fields}
    listing = listing_of(txt | {b"id": b"K7Q2", b"protocol": b"1"}, ["192.0.2.1"], 27477)
    assert listing is not None
    return listing


@every_name
def test_a_list_of_tables_shows_what_neighbours_announce_harmlessly(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = announced(name)
    finder = finders.found(finders.Finder({}, 0.0), {"K7Q2": listing}, Text(name))
    finder = finders.told(finder, Text("{text}", {"text": name}))
    rows = ["".join(text for _, text in row) for row in finders.rows(finder, 120, 24, 9.0)]
    assert_harmless(rows, name)
    answers = [Text("{host}:{port} cannot be reached.", {"host": name, "port": 1}), listing]
    told = [line for answer in answers for line in doctor.lines(doctor._of_table(listing, answer))]
    assert_harmless(told, name)
    assert_harmless([*tables_printed(listing, name, monkeypatch, capsys)], name)


def tables_printed(
    listing: Listing, name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[str]:
    """What `tables` prints, also of a listing that was made harmless nowhere."""
    raw = replace(listing, table=name, game=name, phase=name, version=name)

    @asynccontextmanager
    async def searching(*words: object) -> AsyncIterator[SimpleNamespace]:
        yield SimpleNamespace(tables={"K7Q2": raw}, problem=None)

    monkeypatch.setattr(search, "searching", searching)
    for words in (("tables", "--wait", "0"), ("tables", "--wait", "0", "--json")):
        assert cli.run(words) == 0
        yield from capsys.readouterr().out.splitlines()


@every_name
def test_what_is_announced_of_an_own_table_is_harmless(name: str) -> None:
    table = safe_name(name, "table")
    txt = txt_of(replace(announced("x"), table=table))
    label, read = next(instance_names(name, "K7Q2"))
    assert not any(map(steers, (*txt.values(), label, read)))


# ---------------------------------------------------------------- what is typed, what is kept


@every_name
def test_what_is_typed_comes_back_harmlessly(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRISP_LAN_DATA", str(tmp_path))
    typed = name.replace("\x00", "")
    for words in ((), ("host", "--game"), ("replay",), ("host", "--limit")):
        assert cli.run([*words, typed]) != 0
        out, err = capsys.readouterr()
        assert not [line for line in (out + err).split("\n") if steers(line)]


@every_name
@pytest.mark.parametrize("key", KEYS)
def test_a_kept_game_with_lying_names_is_told_harmlessly(
    key: str,
    name: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CRISP_LAN_DATA", str(tmp_path))
    head, *rest = record_of(key)
    written = name.encode(errors="replace").decode()
    seats = [seat | {"name": written} for seat in head["seats"]]
    keep(tmp_path, "a", [{**head, "seats": seats, "software": written}, *rest])
    for words in (["history"], ["history", "--json"], ["replay"], ["replay", "--json"]):
        assert cli.run(words) == 0
        out, err = capsys.readouterr()
        assert_harmless((out + err).split("\n"), name if words[0] == "history" else "")
    seen = moments([{**head, "seats": seats}, *rest])
    for moment in range(0, len(seen), 40):
        kept = replace(replay.Replay(seen), place=moment)
        rows = replay.rows(kept, 100, 30, 0.0)
        assert_harmless(["".join(text for _, text in row) for row in rows], name)
