"""One player's evening at one table: the link to the table and the player's face, side by side.

    a key     → pressing.press → what the player wants → the table
    the table → model.see      → the next screen       → the player
    time      → what counts down is shown again, just when the picture changes
    the round’s record → fair.Witness, in a thread → whether the deal was right → the player

The session owns the one Screen. How it is shown, and where keys come from, is a `Face`.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol, TypeAlias

import trio

from crisp_lan.fair import Case, Verdict, Witness
from crisp_lan.game.rules import Act, Text
from crisp_lan.lessons import Learned
from crisp_lan.lots import Sealed
from crisp_lan.net.client import SILENT, Back, Lost, News
from crisp_lan.net.messages import Bye, Hello, Opened, Show, Welcome
from crisp_lan.net.secure import table_code
from crisp_lan.tui import model
from crisp_lan.tui.model import Quit, Screen, Send, Speak
from crisp_lan.tui.pressing import press
from crisp_lan.words import _

SOONEST = 0.05
"""Seconds between two pictures of the same screen, at least."""
GOODBYE = 3.0
"""Seconds for the table to answer when the player goes for good, or ends it."""

GONE = Text("The table is closed.")


@dataclass(frozen=True, slots=True)
class Ending:
    """How the evening ended: the exit code, and a sentence for whoever sat there, or "".

    `kept`: the player went with the seat kept.
    """

    code: int
    why: str
    kept: bool = False


class Seat(Protocol):
    """What a session needs of a client, which finds a lost table again by itself."""

    hello: Hello
    welcome: Welcome

    @property
    def fingerprint(self) -> str:
        """Of the table's certificate."""

    @property
    def trip(self) -> float:
        """Seconds that a message takes there and back."""

    async def receive(self) -> News:
        """What comes next. Raises trio.EndOfChannel when the table has said goodbye for good."""

    def act(self, act: Act) -> None:
        """Does what was offered last."""

    def say(self, words: str) -> None:
        """Says something to all at the table."""

    def leave(self) -> None:
        """Gives the seat up for good."""


class Face(Protocol):
    """Where a player sees the table."""

    def show(self, screen: Screen) -> None:
        """Shows this screen from now on."""

    def redraw(self) -> None:
        """Shows the same screen at a later moment."""


Joining: TypeAlias = Callable[[], AbstractAsyncContextManager[Seat]]
"""Sits down at the table, and gets up again at the end of the block."""


class Session:
    """An evening; `run` it once.

    `stays`: when the table has closed, its last picture is shown until the player quits, and the
    ending tells its goodbye again; else the face has told it for good. `learned` is told what has
    been explained to the player, whenever that is more.
    """

    def __init__(
        self,
        screen: Screen,
        face: Face,
        keys: trio.MemoryReceiveChannel[str],
        *,
        stays: bool,
        learned: Callable[[Learned], None] = lambda learned: None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._screen = screen
        self._learned = learned
        self._face = face
        self._keys = keys
        self._stays = stays
        self._now = now
        self._seat: Seat | None = None
        # After an act, the table's answer mostly comes sooner than a picture could be drawn.
        self._late = False
        self._shown = trio.Event()
        self._witness = Witness()
        self._file, self._cases = trio.open_memory_channel[Case](math.inf)
        self._ending: Ending | None = None
        self._sitting = trio.CancelScope()
        self._evening = trio.CancelScope()

    async def run(self, join: Joining) -> Ending:
        """Sits down and plays until the player goes or the table closes.

        Raises what `join` raises where nobody can sit down.
        """
        with self._evening:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._obey)
                nursery.start_soon(self._tick)
                nursery.start_soon(self._judge)
                await self._sit(join)
                if self._stays and self._ending is None:
                    await trio.sleep_forever()
                self._evening.cancel()
        return self._ending or Ending(0, self._screen.farewell if self._stays else "")

    async def _sit(self, join: Joining) -> None:
        """At the table until it closes or the player gets up, which is done in good order."""
        async with join() as seat:
            self._seat = seat
            self._screen = replace(self._screen, code=table_code(seat.fingerprint))
            self._show(model.see(self._screen, seat.hello, self._now()))
            self._show(model.see(self._screen, seat.welcome, self._now()))
            with self._sitting:
                while not self._screen.over:
                    await self._hear(seat)
            if self._sitting.cancelled_caught and self._sitting.deadline < math.inf:
                self._ending = Ending(1, _("The table did not answer: it may be open still."))
        self._seat = None

    async def _hear(self, seat: Seat) -> None:
        try:
            news = await seat.receive()
        except trio.EndOfChannel:
            news = Bye(GONE)
        at = self._now()
        match news:
            case Sealed():
                self._witness.seal(news)
            case Opened():
                if (opened := self._witness.open(news)) is not None:
                    self._file.send_nowait(opened)
            case Lost(why, silent):
                self._witness.lose()
                told = Bye(Text("") if why == SILENT else why, again=True)
                self._show(model.lost(model.see(self._screen, told, at), at - silent))
            case Back():
                self._show(model.see(self._screen, seat.welcome, at))
            case _:
                found = self._witness.see(news) if isinstance(news, Show) else None
                seen = model.see(self._screen, news, at - seat.trip / 2)
                # Who is getting up has a last word of their own, and nothing more to choose.
                (self._keep if self._ending else self._show)(seen)
                self._tell(found)

    async def _judge(self) -> None:
        """Checks the deals that have been opened, while the screen goes on."""
        async for case in self._cases:
            self._tell(await trio.to_thread.run_sync(case.verdict, abandon_on_cancel=True))

    def _tell(self, verdict: Verdict | None) -> None:
        if verdict is not None:
            self._show(model.judged(self._screen, verdict.text, verdict.fits, self._now()))

    async def _obey(self) -> None:
        async for key in self._keys:
            screen, wish = press(self._screen, key, self._now())
            if isinstance(wish, Send):
                self._keep(screen)
                self._late = True
            else:
                self._show(screen)
            match wish:
                case Send(act) if self._seat:
                    self._seat.act(act)
                case Speak(words) if self._seat:
                    self._seat.say(words)
                case Quit():
                    self.quit(wish)

    def quit(self, quit: Quit) -> None:
        """Gets up; a last word to the table is waited for, but not for long."""
        kept = not (quit.end or quit.leave or self._screen.over or self._screen.seat is None)
        self._ending = Ending(0, self._last_word(quit), kept)
        if self._seat is None:
            self._evening.cancel()
        elif quit.end or quit.leave:
            self._sitting.deadline = trio.current_time() + GOODBYE
            if quit.end:
                self._seat.act(Act(model.HOST_ENDS))
            else:
                self._seat.leave()
        else:
            self._sitting.cancel()

    def _last_word(self, quit: Quit) -> str:
        if self._screen.over:
            return self._screen.farewell
        if quit.end:
            return _("The table is closed.")
        if quit.leave:
            return _("You have given up your seat.")
        return "" if self._screen.seat is None else self._screen.farewell

    async def _tick(self) -> None:
        """Has the screen shown again whenever time alone changes it."""
        while True:
            wait = SOONEST if self._late else model.next_change(self._screen, self._now())
            self._shown = trio.Event()
            with trio.move_on_after(math.inf if wait is None else max(wait, SOONEST)) as sleep:
                await self._shown.wait()
            if sleep.cancelled_caught and self._late:
                self._show(self._screen)
            elif sleep.cancelled_caught:
                self._face.redraw()

    def _show(self, screen: Screen) -> None:
        self._keep(screen)
        self._late = False
        self._face.show(screen)

    def _keep(self, screen: Screen) -> None:
        if screen.guide.learned != self._screen.guide.learned:
            self._learned(screen.guide.learned)
        self._screen = screen
        self._shown.set()
