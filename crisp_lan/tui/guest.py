"""Two loops in one thread: asyncio, which prompt_toolkit needs, with trio as its guest.

Nothing else in the project knows of asyncio. `run_with_terminal` starts asyncio, and in it trio,
which then owns everything: an application is started from trio and awaited there by
`run_application`, and trio does not go on before the terminal is as it was. The other way round,
asyncio is kept running until trio has ended, whatever happens:

- a signal, or a terminal that is gone, cancels trio's outermost scope: `Stopped`;
- an error in a key binding or in painting, which prompt_toolkit would swallow, reaches asyncio's
  exception handler: it cancels the same scope, and is raised at the end in place of `Stopped`.

An application named as `first` is on the screen before trio is even imported; `run_application`
takes it over.
"""

from __future__ import annotations

import asyncio
import errno
import importlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar

from prompt_toolkit.application import Application

if TYPE_CHECKING:
    import trio

T = TypeVar("T")
Reason: TypeAlias = Literal["interrupted", "terminated", "hung up"]

SIGNALS: dict[str, Reason] = {
    "SIGINT": "interrupted",
    "SIGTERM": "terminated",
    "SIGHUP": "hung up",
}
"""The signals that end a run, where a system has them."""
KEYS = 128
"""Room for a sentence that a slow line brings at once."""
_GONE = (errno.EIO, errno.EPIPE, errno.EBADF)


class Stopped(Exception):
    """The run was ended from outside: by Ctrl-C, a polite kill, or a terminal that is gone."""

    def __init__(self, why: Reason) -> None:
        super().__init__(why)
        self.why: Reason = why


def run_with_terminal(
    async_fn: Callable[..., Awaitable[T]],
    *args: object,
    first: Application[Any] | None = None,
    load: Sequence[str] = (),
) -> T:
    """Runs `async_fn(*args)` under trio, where `run_application` works; returns what it returns.

    `first` is shown at once, while trio and the modules named in `load` are being imported.
    Raises what went wrong anywhere, or Stopped; by then the terminal is as it was.
    """
    return asyncio.run(_Stage().run(async_fn, args, first, load))


async def run_application(app: Application[T]) -> T:
    """Shows the application until it exits or the scope is cancelled; called from trio.

    Returns only when the terminal is as it was.
    """
    import trio

    stage = _stage.get()
    task, caller = stage.showing(app), trio.lowlevel.current_task()
    task.add_done_callback(lambda _: trio.lowlevel.reschedule(caller))

    def abort(_: object) -> trio.lowlevel.Abort:
        task.cancel()
        return trio.lowlevel.Abort.FAILED

    await trio.lowlevel.wait_task_rescheduled(abort)
    try:
        return task.result()
    except (EOFError, asyncio.CancelledError) as end:
        if isinstance(end, EOFError):
            stage.stop("hung up")
        await trio.lowlevel.checkpoint_if_cancelled()
        raise


class Typed(Protocol):
    """A terminal, of which the keys are wanted."""

    @property
    def application(self) -> Application[None]: ...

    def listen(self, take: Callable[[str], None]) -> None: ...


@asynccontextmanager
async def keys_of(terminal: Typed) -> AsyncIterator[trio.MemoryReceiveChannel[str]]:
    """The terminal's application on the screen while the block runs, and the keys typed there.

    So many of them may wait as KEYS; what is typed beyond is lost.
    """
    import trio

    typed, keys = trio.open_memory_channel[str](KEYS)

    def take(key: str) -> None:
        with suppress(trio.WouldBlock):
            typed.send_nowait(key)

    terminal.listen(take)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(run_application, terminal.application)
        yield keys
        nursery.cancel_scope.cancel()


class _Stage:
    """One run: what is on the screen, and what ended it."""

    def __init__(self) -> None:
        self.tasks: dict[Application[Any], asyncio.Task[Any]] = {}
        self.error: BaseException | None = None
        self.why: Reason | None = None
        self.scope: trio.CancelScope | None = None

    async def run(
        self,
        async_fn: Callable[..., Awaitable[T]],
        args: Sequence[object],
        first: Application[Any] | None,
        load: Sequence[str],
    ) -> T:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: self.fail(context.get("exception")))
        self._listen(loop)
        _stage.set(self)
        try:
            if first is not None:
                await self._drawn(first)
            await asyncio.to_thread(_imported, ["trio", *load])
            return await self._guest(async_fn, args)
        finally:
            await self._cleared()

    async def _drawn(self, app: Application[Any]) -> None:
        """Until the application is on the screen, or has ended: nothing may hold that up."""
        drawn = asyncio.Event()
        app.after_render += lambda _: drawn.set()
        seen = asyncio.ensure_future(drawn.wait())
        await asyncio.wait([self.showing(app), seen], return_when=asyncio.FIRST_COMPLETED)
        seen.cancel()

    def showing(self, app: Application[T]) -> asyncio.Task[T]:
        """The task that shows the application, started unless it is there already."""
        if app not in self.tasks:
            self.tasks[app] = asyncio.get_running_loop().create_task(_shown(app))
        return self.tasks[app]

    def stop(self, why: Reason) -> None:
        """Ends the run from outside."""
        self.why = self.why or why
        if self.scope is not None:
            self.scope.cancel()

    def fail(self, error: BaseException | None) -> None:
        """Ends the run because of an error that nobody else would hear of."""
        if _is_gone(error):
            self.stop("hung up")
        elif error is not None:
            self.error = self.error or error
            if self.scope is not None:
                self.scope.cancel()

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Takes the signals for the whole run: prompt_toolkit's own comings and goings would
        take the last one, and with it the loop's way of being woken by any."""
        for name, why in SIGNALS.items():
            with suppress(NotImplementedError):
                if hasattr(signal, name):
                    loop.add_signal_handler(getattr(signal, name), self.stop, why)

    async def _guest(self, async_fn: Callable[..., Awaitable[T]], args: Sequence[object]) -> T:
        import trio

        loop = asyncio.get_running_loop()
        done: asyncio.Future[Any] = loop.create_future()
        self.scope = trio.CancelScope()
        if self.error or self.why:
            self.scope.cancel()
        trio.lowlevel.start_guest_run(
            self._main,
            async_fn,
            args,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        while not done.done():
            try:
                await asyncio.shield(done)
            except asyncio.CancelledError:
                self.stop("interrupted")
        result: T = done.result().unwrap()
        return result

    async def _main(self, async_fn: Callable[..., Awaitable[T]], args: Sequence[object]) -> T:
        assert self.scope is not None
        with self.scope:
            result = await async_fn(*args)
        if self.error is not None:
            raise self.error
        if self.scope.cancelled_caught:
            raise Stopped(self.why or "interrupted")
        return result

    async def _cleared(self) -> None:
        """Nothing stays on the screen, also where trio never came to ask for it."""
        for task in self.tasks.values():
            task.cancel()
        await asyncio.gather(*self.tasks.values(), return_exceptions=True)
        _let_go()


_stage: ContextVar[_Stage] = ContextVar("stage")


async def _shown(app: Application[T]) -> T:
    try:
        return await app.run_async(set_exception_handler=False, handle_sigint=False)
    except OSError as error:
        if _is_gone(error):
            raise EOFError from error
        raise
    finally:
        # Once more, for an error in the very first painting leaves the alternate screen on.
        with suppress(OSError):
            app.renderer.reset()


def _is_gone(error: BaseException | None) -> bool:
    """Whether the terminal is no longer there to be written to."""
    return isinstance(error, OSError) and error.errno in _GONE


def _let_go() -> None:
    """Keeps what could not be written to a terminal that is gone from failing once more later."""
    try:
        os.get_terminal_size(1)
    except OSError as error:
        if error.errno == errno.EIO:
            nowhere = os.open(os.devnull, os.O_RDWR)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            os.close(nowhere)


def _imported(names: Sequence[str]) -> None:
    for name in names:
        importlib.import_module(name)


@contextmanager
def stray_lines_into(log: Path | None) -> Iterator[None]:
    """While it lasts, what anybody writes to a stderr that is the terminal goes to the log file.

    Below Python, so that no library, thread or child can write over the table. None: nowhere.
    """
    if not os.isatty(2):
        yield
        return
    kept = os.dup(2)
    sink = os.open(log or os.devnull, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.dup2(sink, 2)
    os.close(sink)
    try:
        yield
    finally:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
        os.dup2(kept, 2)
        os.close(kept)
