"""A small program under `run_with_terminal`, for the tests of every way to end."""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import trio
from prompt_toolkit.application import Application
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.layout import FormattedTextControl, Layout, Window

from crisp_lan.tui.guest import Stopped, run_application, run_with_terminal, stray_lines_into

broken: list[str] = []
keys = KeyBindings()


def text() -> str:
    if broken:
        raise RuntimeError(broken[0])
    return "It is on"


@keys.add("q")
def _quit(press: KeyPressEvent) -> None:
    press.app.exit(result="quit")


@keys.add("h")
def _break_in_the_handler(press: KeyPressEvent) -> None:
    raise RuntimeError("broken handler")


@keys.add("t")
def _break_in_the_text(press: KeyPressEvent) -> None:
    broken.append("broken text")


@keys.add("s")
def _stray_lines(press: KeyPressEvent) -> None:
    os.write(2, b"a stray line\n" * 50)
    sys.stderr.write("another stray line\n")
    warnings.warn("a stray warning", stacklevel=1)


application: Application[str] = Application(
    Layout(Window(FormattedTextControl(text))),
    key_bindings=keys,
    full_screen=True,
    mouse_support=True,
)


async def evening(breaks: bool) -> str:
    async with trio.open_nursery() as nursery:
        if breaks:
            nursery.start_soon(_break_in_trio)
        try:
            return await run_application(application)
        finally:
            with trio.CancelScope(shield=True), trio.move_on_after(0.05):
                await trio.sleep_forever()
            nursery.cancel_scope.cancel()


async def _break_in_trio() -> None:
    await trio.sleep(0.1)
    raise RuntimeError("broken task")


def main(how: str, log: str) -> str:
    if how == "first":
        broken.append("broken from the start")
    try:
        with stray_lines_into(Path(log)):
            return run_with_terminal(evening, how == "trio")
    except Stopped as stop:
        return "stopped: " + stop.why
    except BaseException as error:
        while isinstance(error, BaseExceptionGroup):
            error = error.exceptions[0]
        return f"error: {error}"


if __name__ == "__main__":
    sys.stdout.write(main(*sys.argv[1:]) + "\n")
