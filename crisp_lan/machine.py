"""What can be found out at once of the machine that a player sits at, and what to do about it."""

from __future__ import annotations

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from crisp_lan import __version__
from crisp_lan.doctor import Finding
from crisp_lan.front import has_screen
from crisp_lan.game.rules import Text
from crisp_lan.spots import PORT
from crisp_lan.tui.paint import LEAST_COLUMNS, LEAST_LINES
from crisp_lan.tui.style import colours
from crisp_lan.words import LANGUAGES, _, locale_setting, speak

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "id": "Bahasa Indonesia"}


def on_machine(data: Path, language: str | None, suits: bool) -> Iterator[Finding]:
    """What can be found out at once. `suits`: whether the encoding has the suits."""
    yield _program()
    yield _language(language)
    yield _encoding(suits)
    yield _terminal()
    yield _folder(data)
    yield _firewall()


def _program() -> Finding:
    python = f"{platform.python_implementation()} {platform.python_version()}"
    system = f"{platform.system()} {platform.release()}"
    values = {"version": __version__, "python": python, "system": system}
    return Finding("ok", Text("crisp-lan {version} on {python}, {system}.", values))


def _language(asked: str | None) -> Finding:
    values = {
        "language": LANGUAGE_NAMES[speak(asked)],
        "source": f"--lang {asked}" if asked else locale_setting() or _("the system"),
        "known": ", ".join(LANGUAGES),
    }
    sentence = "The language is {language}, by {source}. Choose with --lang: {known}."
    return Finding("ok", Text(sentence, values))


def _encoding(suits: bool) -> Finding:
    encoding = {"encoding": sys.stdout.encoding or "?"}
    if suits:
        return Finding("ok", Text("The encoding {encoding} has the signs of the suits.", encoding))
    sentence = (
        "The encoding {encoding} has no signs for the suits: letters stand for them. A UTF-8 locale"
        " brings them, such as LANG=C.UTF-8."
    )
    return Finding("warning", Text(sentence, encoding))


def _terminal() -> Finding:
    term = os.environ.get("TERM", "")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("ok", Text("This is no terminal: a table is told line by line here."))
    if not has_screen():
        sentence = "The terminal (TERM={term}) cannot be drawn on: a table is told line by line."
        return Finding("warning", Text(sentence, {"term": term}))
    columns, rows = shutil.get_terminal_size()
    values: dict[str, int | str] = {
        "term": term or platform.system(),
        "columns": columns,
        "rows": rows,
        "colours": str(colours()),
        "least_columns": LEAST_COLUMNS,
        "least_rows": LEAST_LINES,
    }
    if columns < LEAST_COLUMNS or rows < LEAST_LINES:
        sentence = (
            "The terminal has {columns} columns and {rows} rows; a table needs {least_columns} and"
            " {least_rows}. Make the window larger, or use --plain."
        )
        return Finding("warning", Text(sentence, values))
    sentence = "The terminal {term} has {columns} columns, {rows} rows and {colours} colours."
    return Finding("ok", Text(sentence, values))


def _folder(data: Path) -> Finding:
    values = {"folder": str(data)}
    try:
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=data) as tried:
            tried.write(bytes(4096))
    except OSError as error:
        sentence = (
            "{folder} cannot be written: {reason}. Games and seats are kept there: mend that, or"
            " choose another folder with --data."
        )
        return Finding("fault", Text(sentence, {**values, "reason": error.strerror or ""}))
    return Finding("ok", Text("Games and seats are kept in {folder}.", values))


_LET_IN = {
    "ufw": f"sudo ufw allow {PORT}/tcp && sudo ufw allow 5353/udp",
    "firewalld": f"sudo firewall-cmd --add-port={PORT}/tcp --add-port=5353/udp",
}


def _firewall() -> Finding:
    """What can be told of a firewall without its rules, which root alone may read."""
    for name, on in (("ufw", _ufw_on()), ("firewalld", _runs("firewalld"))):
        if on:
            sentence = "The firewall {name} is on: {command} lets tables through."
            return Finding("warning", Text(sentence, {"name": name, "command": _LET_IN[name]}))
    tools = [tool for tool in ("nft", "iptables", "ufw", "firewall-cmd") if _found(tool)]
    values = {"names": ", ".join(tools), "port": str(PORT)}
    if tools:
        sentence = (
            "No firewall service is known to run, but there may be rules ({names}). If so, allow"
            " TCP port {port} on the host’s machine, and UDP port 5353 on every one."
        )
        return Finding("ok", Text(sentence, values))
    sentence = (
        "If this machine has a firewall, allow TCP port {port} on the host’s machine, and UDP port"
        " 5353 on every one."
    )
    return Finding("ok", Text(sentence, values))


def _found(tool: str) -> bool:
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"))
    return shutil.which(tool, path=path) is not None


def _ufw_on() -> bool:
    with suppress(OSError):
        return "ENABLED=yes" in Path("/etc/ufw/ufw.conf").read_text(errors="replace").split()
    return False


def _runs(program: str) -> bool:
    """Whether a process of this name runs, where the system lets everybody see that."""
    for name in Path("/proc").glob("[0-9]*/comm"):
        with suppress(OSError):
            if name.read_text(errors="replace").strip() == program:
                return True
    return False
