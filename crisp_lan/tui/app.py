"""The player's terminal: shows one `Screen` after another, hands keys on, rings the bell."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeAlias, TypeVar

from prompt_toolkit.application import Application
from prompt_toolkit.filters import Condition
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from crisp_lan.tui.keys import SEQUENCE_SECONDS, bindings
from crisp_lan.tui.layout import Row, filled_with
from crisp_lan.tui.points import key_of
from crisp_lan.tui.style import depth, style


class Seen(Protocol):
    """What a terminal can show; it rings when `alarm` has risen."""

    @property
    def alarm(self) -> int: ...


S = TypeVar("S", bound=Seen)
Paint: TypeAlias = Callable[[S, int, int, float], Sequence[Row]]
TYPED_AHEAD = 16
"""Keys that are kept until somebody listens."""


class Terminal(Generic[S]):
    """The whole terminal as the place where something is seen; `application` shows it.

    It needs neither trio nor a table: it can be on before either is there. `mouse` says where the
    mouse points at things; elsewhere the terminal has it, to mark and copy text. An `output` of
    its own knows its colours; else it is this process's terminal.
    """

    def __init__(
        self,
        screen: S,
        paint: Paint[S],
        *,
        bell: bool = True,
        colour: bool = True,
        theme: str = "",
        typing: Callable[[S], bool] = lambda screen: False,
        mouse: Callable[[S], bool] = lambda screen: False,
        input: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self._screen = screen
        self._paint = paint
        self._bell = bell
        self._typing = typing
        self._typed: deque[str] = deque(maxlen=TYPED_AHEAD)
        self._take: Callable[[str], None] = self._typed.append
        self.application: Application[None] = Application(
            filled_with(self._rows, lambda point: self._take(key_of(point))),
            mouse_support=Condition(lambda: mouse(self._screen)),
            key_bindings=bindings(lambda key: self._take(self._named(key))),
            color_depth=depth(colour) if output is None or not colour else None,
            full_screen=True,
            erase_when_done=True,
            input=input,
            output=output,
        )
        self.application.style = style(theme, self.application.color_depth)
        self.application.ttimeoutlen = SEQUENCE_SECONDS
        self.application.timeoutlen = SEQUENCE_SECONDS

    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines of the window just now."""
        size = self.application.output.get_size()
        return size.columns, size.rows

    def show(self, screen: S) -> None:
        """Shows this screen from now on; rings once if it is one that should be heard."""
        rings = screen.alarm > self._screen.alarm
        self._screen = screen
        self.redraw()
        if rings and self._bell:
            self.application.output.bell()
            self.application.output.flush()

    def redraw(self) -> None:
        """Shows the same screen at a later moment: what counts down has gone on."""
        self.application.invalidate()

    def listen(self, take: Callable[[str], None]) -> None:
        """Hands every key to `take` from now on, and those first that were typed before."""
        self._take = take
        while self._typed:
            take(self._typed.popleft())

    def _named(self, key: str) -> str:
        """A key as the screen takes it: a letter is the same with Shift or Caps Lock, but where a
        text is typed."""
        return key if self._typing(self._screen) else key.lower()

    def _rows(self, columns: int, lines: int) -> Sequence[Row]:
        return self._paint(self._screen, columns, lines, time.monotonic())
