"""The three READMEs: the same commands, links to each other, and pictures of the real screen.

The pictures are of games in kept/. After a change of the screen that is meant, they are taken anew
by `CRISP_LAN_GOLDEN=write ./play test tests/test_readmes.py`; read the difference.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from crisp_lan import words
from crisp_lan.check import retold
from crisp_lan.cli import _COMMANDS, parser
from crisp_lan.game.views import round_view, table_view
from crisp_lan.net.messages import Hello, Show, Welcome
from crisp_lan.tui.model import Screen, see
from crisp_lan.tui.paint import rows
from crisp_lan.words import _, filled
from tests.kept_games import record_of
from tests.test_catalogue import compiled
from tests.test_set_up import options
from tests.tui.test_golden import keyed

TOP = Path(__file__).parent.parent
READMES = {"en": "README.md", "de": "README.de.md", "id": "README.id.md"}
SCENES: dict[str, tuple[str, float, int, str]] = {
    "turn": ("crisp", 32.857, 1, ""),
    "window": ("crisp", 47.294, 0, ""),
    "end": ("crisp", 58.765, 1, ""),
    "briscola": ("briscola", 48.498, 1, ""),
    "crisps": ("crisps", 83.417, 0, "y67"),
}
"""Of which kept game, at what time of it in seconds, before whose eyes, after which keys."""
LATER = 1.1
"""Seconds from what has happened last to the picture."""
PICTURE = re.compile(r"<!-- picture: (\w+) -->\n```text\n(.*?)```", re.DOTALL)
CODE = re.compile(r"```sh\n(.*?)\n```|`([^`\n]+)`", re.DOTALL)


def readme(language: str) -> str:
    return (TOP / READMES[language]).read_text(encoding="utf-8")


def typed(language: str) -> set[str]:
    """What can be typed by the README: commands as far as languages share them, and options."""
    text = re.sub(r"```text.*?```", "", readme(language), flags=re.DOTALL)
    lines = ["".join(found) for found in CODE.findall(text)]
    commands = re.compile(r"(?:\./play|crisp-lan|pipx|uv|man)(?: [a-z][a-z-]*)*")
    found = {match[0] for line in lines if (match := commands.match(line))}
    return found | {flag for line in lines for flag in re.findall(r"--[a-z-]+", line)}


@pytest.mark.parametrize("language", ["de", "id"])
def test_the_readmes_name_the_same_commands_and_options(language: str) -> None:
    assert typed(language) == typed("en")


def test_the_readmes_name_every_command_and_no_option_that_is_none() -> None:
    named = typed("en")
    assert {f"crisp-lan {command}" for command in _COMMANDS} <= named
    assert {flag for flag in named if flag.startswith("--")} <= options(parser())


@pytest.mark.parametrize("language", READMES)
def test_each_readme_links_the_others_and_files_that_are_there(language: str) -> None:
    links = {link.partition("#")[0] for link in re.findall(r"\]\(([^)]+)\)", readme(language))}
    assert {*READMES.values()} - {READMES[language]} <= links
    assert [link for link in links if not (TOP / link).is_file()] == []


@pytest.mark.parametrize("language", READMES)
def test_a_readmes_pictures_are_what_the_screen_shows(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(words, "_LOCALE", compiled(tmp_path))
    monkeypatch.setattr(words, "_catalogue", words._catalogue)
    words.speak(language)
    shown = PICTURE.sub(lambda found: picture(found[1]), text := readme(language))
    if os.environ.get("CRISP_LAN_GOLDEN") == "write":
        (TOP / READMES[language]).write_text(shown, encoding="utf-8")
        text = shown
    assert len(PICTURE.findall(text)) >= 3
    assert shown == text


def picture(scene: str) -> str:
    """The place of a picture in a README, with what is to be seen there."""
    key, until, seat, keys = SCENES[scene]
    record = [line for line in record_of(key) if line.get("t", 0) <= until]
    screen = see(Screen(), Hello(1, "", "", filled(_("{name}'s table"), {"name": "Ayu"})), 0.0)
    screen = see(screen, Welcome("", ("192.168.1.20",), 27477), 0.0)
    for line, step in zip(record, retold(record)):
        if step.table.phase != "shuffle":
            now = float(line.get("t", 0))
            told = tuple(note for note in step.notes if note.to is None or seat in note.to)
            seen = table_view(step.table, seat), round_view(step.table, seat)
            screen = see(screen, Show(1, round(now * 1000), 1, 0, seat, *seen, told), now)
    screen = keyed(screen, *keys)
    painted = ["".join(text for _style, text in row) for row in rows(screen, 80, 24, until + LATER)]
    lines = "\n".join(line.rstrip() for line in painted).rstrip()
    return f"<!-- picture: {scene} -->\n```text\n{lines}\n```"
