"""What players get: the wheel and all it holds, completions, the manual page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from argparse import SUPPRESS
from pathlib import Path
from zipfile import ZipFile

import pytest

from crisp_lan import __version__
from crisp_lan.arguments import Parser, game_arguments, general
from crisp_lan.cli import _COMMANDS, parser

TOP = Path(__file__).parent.parent
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text(encoding="utf-8"))
MANUAL = TOP / "docs" / "crisp-lan.1"
SHARED = {
    "man/man1/crisp-lan.1",
    "bash-completion/completions/crisp-lan",
    "zsh/site-functions/_crisp-lan",
    "fish/vendor_completions.d/crisp-lan.fish",
}
CACHES = ("__pycache__", ".mypy_cache", ".ruff_cache")
HELP = {"--help", "--version"}

# ---------------------------------------------------------------- the wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel, built of a copy of the source that nobody has compiled anything in."""
    copy = tmp_path_factory.mktemp("source")
    left = shutil.ignore_patterns("*.mo", *CACHES)
    for folder in ("crisp_lan", "docs"):
        shutil.copytree(TOP / folder, copy / folder, ignore=left)
    for file in ("pyproject.toml", "hatch_build.py", "README.md"):
        shutil.copy(TOP / file, copy)
    ran([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"], copy)
    return next((copy / "dist").glob("*.whl"))


def ran(command: list[str], where: Path, **variables: str) -> str:
    """What the command prints; it must end well."""
    run = subprocess.run(
        command,
        cwd=where,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout


def test_the_wheel_holds_all_of_the_package_and_what_shells_and_man_read(wheel: Path) -> None:
    source = {
        path.relative_to(TOP).as_posix()
        for path in (TOP / "crisp_lan").rglob("*")
        if path.is_file() and path.suffix != ".mo" and not {*path.parts} & {*CACHES}
    }
    compiled = {path.removesuffix(".po") + ".mo" for path in source if path.endswith(".po")}
    shared = {f"crisp_lan-{__version__}.data/data/share/{name}" for name in SHARED}
    with ZipFile(wheel) as held:
        names = {name for name in held.namelist() if ".dist-info/" not in name}
    assert names == source | compiled | shared


def test_the_wheel_installs_and_its_program_speaks_the_language(
    wheel: Path, tmp_path: Path
) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--no-index", "--no-deps", "--quiet"]
    ran([*pip, f"--prefix={tmp_path}", "--ignore-installed", str(wheel)], tmp_path)
    assert {path for path in SHARED if (tmp_path / "share" / path).is_file()} == SHARED
    libraries = next(tmp_path.glob("lib/python*/site-packages"))
    program = next(tmp_path.glob("bin/crisp-lan"))
    told = ran([str(program), "--lang=de", "rules"], tmp_path, PYTHONPATH=str(libraries))
    assert told.startswith("Crisp (2 bis 8 Spieler)")


def test_a_build_needs_nothing_but_what_it_asks_for() -> None:
    """Completions are made from the parser, in an environment without the game's libraries."""
    named = re.compile(r"[\w-]+")
    built = {named.match(each)[0] for each in PROJECT["build-system"]["requires"]}  # type: ignore[index]
    needed = {named.match(each)[0] for each in PROJECT["project"]["dependencies"]}  # type: ignore[index]
    missing = f"import sys; sys.modules.update(dict.fromkeys({sorted(needed - built)}))"
    ran([sys.executable, "-c", f"{missing}; from crisp_lan.cli import parser; parser()"], TOP)


# ---------------------------------------------------------------- completions

ASK = """
. "$1"; shift
function=$(complete -p crisp-lan | sed 's/.*-F \\([^ ]*\\).*/\\1/')
for line; do
    read -ra COMP_WORDS <<<"$line"
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) COMP_LINE=$line COMP_POINT=${#line} COMPREPLY=()
    "$function" crisp-lan "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
    echo "${COMPREPLY[*]}"
done
"""


def test_bash_completes_commands_options_and_values(wheel: Path, tmp_path: Path) -> None:
    offered = {
        "crisp-lan ": " ".join(_COMMANDS),
        "crisp-lan ho": "host",
        "crisp-lan host --ga": "--game",
        "crisp-lan host --game ": "crisp briscola crisps",
        "crisp-lan --lang de bot --level h": "hard",
        "crisp-lan rules b": "briscola",
        f"crisp-lan --data {tmp_path}/ga": f"{tmp_path}/games",
    }
    (tmp_path / "games").mkdir()
    with ZipFile(wheel) as held:
        name = next(name for name in held.namelist() if "bash-completion" in name)
        script = held.extract(name, tmp_path)
    told = ran(["bash", "--norc", "-c", ASK, "bash", script, *offered], tmp_path)
    assert dict(zip(offered, told.splitlines())) == offered


def test_every_shell_is_told_of_every_command_and_option(wheel: Path) -> None:
    with ZipFile(wheel) as held:
        scripts = {n: held.read(n).decode() for n in held.namelist() if "/share/" in n}
    for name, script in scripts.items():
        if "/man/" not in name:
            for word in (*_COMMANDS, *(flag[2:] for flag in options(parser()))):
                assert re.search(rf"\b{word}\b", script), (name, word)
            assert "key-fd" not in script


def options(reader: Parser) -> set[str]:
    """The long options that help names, of all commands if there are any."""
    own = {
        flag
        for action in reader._actions
        if action.help != SUPPRESS
        for flag in action.option_strings
        if flag.startswith("--")
    }
    return own.union(*(options(command) for command in reader._commands.values()))


# ---------------------------------------------------------------- the manual page


def in_manual(text: str) -> set[str]:
    return {"-" + flag for flag in re.findall(r"(?:\.It Fl|,) (?:h , )?(-[a-z-]+)", text)}


def sections() -> dict[str, str]:
    """The parts of the manual page by the first word of their headings."""
    parts = re.split(r"^\.S[sh] (\w+).*$", MANUAL.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def of_games() -> set[str]:
    reader = Parser(add_help=False)
    game_arguments(reader)
    return options(reader)


def test_the_manual_page_has_every_command_in_the_order_of_the_help() -> None:
    assert [name for name in sections() if name.islower()] == list(_COMMANDS)


@pytest.mark.parametrize("command", _COMMANDS)
def test_the_manual_page_has_the_options_of_each_command_and_no_others(command: str) -> None:
    own = options(parser()._commands[command]) - options(general()) - of_games() - HELP
    assert in_manual(sections()[command]) == own


def test_the_manual_page_has_the_options_that_commands_share() -> None:
    assert in_manual(sections()["Everywhere"]) == options(general()) | HELP
    assert in_manual(sections()["Games"]) == of_games()
