"""What is typed, as the plain names of keys that the model knows. No meaning lives here."""

from __future__ import annotations

import signal
from collections.abc import Callable

from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys

SEQUENCE_SECONDS = 0.05
"""How long the rest of a sequence may take after Escape: a terminal on this network needs less."""

_NAMES = {
    Keys.Escape: "escape",
    Keys.ControlM: "enter",
    Keys.ControlJ: "enter",
    Keys.ControlH: "backspace",
    Keys.Delete: "backspace",
    Keys.Up: "up",
    Keys.Down: "down",
    Keys.Left: "left",
    Keys.Right: "right",
    Keys.PageUp: "pageup",
    Keys.PageDown: "pagedown",
    Keys.Home: "home",
    Keys.End: "end",
}


def bindings(take: Callable[[str], None]) -> KeyBindings:
    """Hands every key to `take` by its name, a letter as it is typed.

    Ctrl-C is what it is everywhere else: the signal.
    """
    keys = KeyBindings()
    for key, name in _NAMES.items():
        _bind(keys, key, name, take)
    keys.add(Keys.ControlC)(lambda _: signal.raise_signal(signal.SIGINT))

    @keys.add(Keys.Any)
    def _typed(press: KeyPressEvent) -> None:
        # Pasted text and sequences of unknown keys are longer.
        if len(press.data) == 1 and press.data.isprintable():
            take("space" if press.data == " " else press.data)

    return keys


def _bind(keys: KeyBindings, key: Keys, name: str, take: Callable[[str], None]) -> None:
    keys.add(key)(lambda _: take(name))
