"""What a build makes of the source: message catalogues, and what shells complete."""

import sys
import tempfile
from argparse import Action, ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import shtab
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPLETIONS = {
    "bash": "bash-completion/completions/crisp-lan",
    "zsh": "zsh/site-functions/_crisp-lan",
    "fish": "fish/vendor_completions.d/crisp-lan.fish",
}
"""Where each shell looks, below a folder `share`."""


class Made(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles each `.po` beside itself; a wheel gets the completions of each shell as well."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in Path(self.root, "crisp_lan", "locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text))
        if self.target_name == "wheel" and version != "editable":
            self._made = tempfile.TemporaryDirectory()
            for shell, place in COMPLETIONS.items():
                script = Path(self._made.name, shell)
                script.write_text(self._completion(shell), encoding="utf-8")
                build_data["shared_data"][str(script)] = f"share/{place}"

    def _completion(self, shell: str) -> str:
        """The script by which this shell completes the command line."""
        sys.path.insert(0, self.root)
        from crisp_lan.cli import parser

        whole = parser()
        for action in _actions(whole):
            _offer(action)
        return str(shtab.complete(whole, shell=shell))


def _actions(parser: ArgumentParser) -> Iterator[Action]:
    """What can be given, to the commands as well."""
    for action in parser._actions:
        yield action
        if isinstance(action, _SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _offer(action: Action) -> None:
    """Says what may follow an option: what its help names in small letters, a file or a folder."""
    words = action.metavar.split("|") if isinstance(action.metavar, str) else []
    if action.type is Path:
        action.complete = shtab.DIRECTORY if words == ["DIR"] else shtab.FILE  # type: ignore[attr-defined]
    elif len(words) > 1:
        action.choices = [word for word in words if not word.isupper()] or None
