"""Who may import whom: the table of docs/design.md, read off the source."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "crisp_lan"
STANDARD = sys.stdlib_module_names - {"asyncio"}

RULES = ("game.rules", "game.cards")
TABLE = ("game.rules", "game.options", "game.state", "game.choices")
SCREEN = ("game.rules", "net.messages", "spots", "text", "words")
PURE_TUI = tuple(
    f"tui.{part}"
    for part in [
        *("wording", "moving", "guide", "model", "picking", "pressing", "blocks", "points", "cards")
    ]
)
PAINTED = (
    *("tui.paint_seats", "tui.paint_cards", "tui.paint_own", "tui.paint_above", "tui.paint_around"),
    *("tui.paint_foot", "tui.paint_guide", "tui.paint_lobby", "tui.paint_round", "tui.paint_end"),
    "tui.paint_moving",
)
PURE_NET = ("net.messages", "net.codec", "net.protocol")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "__init__": (),
    "__main__": ("*",),
    "crashes": (),
    "text": ("wcwidth",),
    "words": ("game.rules",),
    "spots": ("game.rules",),
    "seats": ("spots",),
    "journal": ("__init__", "game.*"),
    "check": ("game.*", "journal"),
    "fair": ("check", "game.*", "lots", "net.messages", "text"),
    "keeping": ("check", "game.*", "journal", "text"),
    "arena": ("game.*", "bots.*", "journal", "__init__"),
    "moments": ("check", "game.*", "net.messages", "tui.replay", "words"),
    "history": ("game.catalogue", "game.rules", "journal", "text", "tui.wording", "words"),
    "rulebook": ("text", "tui.blocks"),
    "lessons": ("rulebook",),
    "asking": ("front", "tui.*"),
    "replaying": ("asking", "front", "text", "tui.*", "trio"),
    "arguments": ("game.catalogue", "game.rules", "game.options", "spots", "text", "words"),
    "cli": ("*",),
    "commands.*": ("*",),
    "session": ("*",),
    "front": ("*",),
    "opening": ("game.rules", "net.calling", "net.client", "net.messages", "trio"),
    "doctor": ("game.rules", "net.*", "spots", "text", "tui.*", "words", "trio"),
    "machine": ("__init__", "doctor", "front", "game.rules", "spots", "tui.*", "words"),
    "seeking": (
        "asking",
        "front",
        "game.rules",
        "net.*",
        "spots",
        "text",
        "tui.*",
        "words",
        "trio",
    ),
    "game.rules": (),
    "game.cards": ("game.rules",),
    "game.crisp": RULES,
    "game.briscola": RULES,
    "game.crisps_duel": RULES,
    "game.catalogue": ("game.*",),
    "game.options": ("game.rules",),
    "game.state": ("game.rules",),
    "game.choices": ("game.rules", "game.options", "game.state"),
    "game.match": ("game.rules", "game.state"),
    "game.table": (*TABLE, "game.match", "text"),
    "game.views": (*TABLE, "game.match"),
    "bots.*": (*RULES, "bots.*"),
    "net.messages": ("game.rules", "msgspec"),
    "net.coherence": ("net.messages", "game.rules"),
    "net.codec": ("net.messages", "game.rules", "msgpack", "msgspec"),
    "net.protocol": (*PURE_NET, "net.coherence", "game.rules", "msgpack", "msgspec"),
    "net.pace": ("trio",),
    "net.link": (*PURE_NET, "net.pace", "game.rules", "msgspec", "trio"),
    "net.listing": ("spots", "text"),
    "net.dialling": ("game.rules", "trio"),
    "net.networks": ("game.rules", "ifaddr"),
    "net.discovery": ("net.listing", "net.networks", "text", "game.rules", "zeroconf", "trio"),
    "net.secure": (
        *(*PURE_NET, "net.link", "net.pace", "game.rules", "journal", "cryptography", "trio"),
    ),
    "net.passcode": ("game.rules", "spake2", "trio"),
    "net.*": (
        *(*PURE_NET, "net.*", "game.rules", "game.state", "game.match", "game.table"),
        *("game.views", "game.catalogue"),
        *("journal", "keeping", "check", "crashes", "lots", "spots", "text", "bots.*", "trio"),
        "__init__",
    ),
    "tui.wording": ("game.rules", "text", "words"),
    "tui.moving": ("game.rules", "tui.points"),
    "tui.guide": ("lessons", "rulebook", "net.messages", "words"),
    "tui.model": (*SCREEN, "tui.wording", "tui.moving", "tui.guide"),
    "tui.picking": (*SCREEN, "tui.wording", "tui.model", "tui.points"),
    "tui.pressing": (*SCREEN, "tui.guide", "tui.model", "tui.picking"),
    "tui.blocks": ("text", "tui.wording"),
    "tui.points": ("text", "tui.blocks"),
    "tui.cards": (*SCREEN, "tui.wording", "tui.blocks"),
    **dict.fromkeys(("tui.paint", *PAINTED), (*SCREEN, *PURE_TUI, *PAINTED, "rulebook")),
    "tui.lines": (*SCREEN, *PURE_TUI, *PAINTED),
    "tui.typed": (*SCREEN, *PURE_TUI, *PAINTED, "tui.lines"),
    "tui.plain": (*SCREEN, *PURE_TUI, *PAINTED, "tui.lines"),
    "tui.replay": (*SCREEN, *PURE_TUI, *PAINTED, "tui.paint", "tui.plain"),
    "tui.guest": ("asyncio", "trio", "prompt_toolkit"),
    "tui.finder": ("game.rules", "net.listing", "net.messages", "spots", "text", "tui.*", "words"),
    "tui.*": ("tui.*", "game.rules", "net.messages", "text", "words", "prompt_toolkit", "trio"),
}


def modules() -> dict[str, Path]:
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts).replace(".__init__", ".*"): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def imported(path: Path) -> set[str]:
    """The modules that a file imports, those of the package by their name in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name} imports relatively"
            found |= _named(str(node.module), [alias.name for alias in node.names])
    return {_within(name) for name in found}


def _named(module: str, names: list[str]) -> set[str]:
    """`from package import module` names modules, `from module import thing` the module itself."""
    folder = PACKAGE.parent.joinpath(*module.split("."))
    inner = {f"{module}.{name}" for name in names if (folder / f"{name}.py").exists()}
    return inner | ({module} if len(inner) < len(names) else set())


def _within(name: str) -> str:
    if name == "crisp_lan":
        return "__init__"
    if name.startswith("crisp_lan."):
        inner = name.removeprefix("crisp_lan.")
        return inner + ".*" if (PACKAGE / inner.replace(".", "/")).is_dir() else inner
    return name.split(".")[0]


def allowed(module: str) -> tuple[str, ...]:
    return MAY_IMPORT.get(module) or MAY_IMPORT.get(module.split(".")[0] + ".*", ())


def permitted(name: str, patterns: tuple[str, ...]) -> bool:
    return (
        "*" in patterns
        or name in patterns
        or name in STANDARD
        or name.split(".")[0] + ".*" in patterns
    )


@pytest.mark.parametrize("module", modules())
def test_a_module_imports_only_what_its_layer_may(module: str) -> None:
    names = imported(modules()[module])
    assert not {name for name in names if not permitted(name, allowed(module))}


def test_nobody_imports_the_session_or_the_command_line() -> None:
    top = {"session", "cli", "commands", "__main__"}
    may = {"__main__": {"cli"}, "cli": {"commands"}, "commands": top, "front": {"session"}}
    for module, path in modules().items():
        found = {name.split(".")[0] for name in imported(path)}
        assert not found & (top - may.get(module.split(".")[0], set())), module


def test_the_rules_read_no_clock_and_draw_no_lots() -> None:
    for module, path in modules().items():
        if module.startswith("game."):
            names = imported(path) - ({"random"} if module == "game.cards" else set())
            assert not names & {"random", "secrets", "time", "datetime", "os", "threading"}, module


def test_nothing_at_a_table_can_lay_its_cards_open() -> None:
    """The view with every face is for replays: neither host nor client nor bot names it."""
    naming = {
        module
        for module, path in modules().items()
        if "laid_open" in path.read_text(encoding="utf-8")
    }
    games = {"game.rules", "game.crisp", "game.briscola", "game.crisps_duel"}
    assert naming == {*games, "moments"}
    for module, path in modules().items():
        if module.startswith(("net.", "bots.", "game.")) or module in ("session", "opening"):
            assert not imported(path) & {"moments", "replaying"}, module


def test_screens_and_bots_know_no_rules() -> None:
    known = {"game.crisp", "game.briscola", "game.crisps_duel", "game.table", "game.options"}
    known |= {"game.catalogue", "game.views", "game.state", "game.choices", "game.match"}
    for module, path in modules().items():
        if module.split(".")[0] in ("tui", "bots"):
            assert not imported(path) & known, module
