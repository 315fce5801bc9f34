"""Compiles the message catalogues when the package is built or installed from a checkout."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface):  # type: ignore[type-arg]
    """Writes each `.po` of `crisp_lan/locale` beside itself as `.mo`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in Path(self.root, "crisp_lan", "locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as text, source.with_suffix(".mo").open("wb") as compiled:
                write_mo(compiled, read_po(text))
