"""Opens a table in a process of its own, and sits down at it as its host.

The table outlives the screen that opened it: it has its own session, so that the terminal's Ctrl-C
or its end reaches the screen alone. The secret that makes this screen the host's comes over a pipe
that only the two processes have. What talks to the table is loaded when there is a first picture.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crisp_lan.game.rules import Problem, Text

if TYPE_CHECKING:
    from crisp_lan.net.client import Client, Keeper


_STOPPED = "Your table has stopped: {command} host --resume has it go on. Perhaps {file} says why."


class NotOpened(Problem):
    """The table's process ended before anybody could join; `text` is what it said last."""


class TableProcess:
    """A table that is being opened. Its log goes to a file, readable by its owner only."""

    def __init__(self, arguments: Sequence[str], log: Path, *, goes_on: bool = False) -> None:
        """Starts `crisp-lan host --headless` with these arguments. Raises OSError.

        `goes_on`: the log is that of a table that goes on, and may say why it has to.
        """
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        key, handed = os.pipe()
        how = os.O_APPEND | (0 if goes_on else os.O_TRUNC)
        errors = os.open(log, os.O_WRONLY | os.O_CREAT | how, 0o600)
        os.set_inheritable(handed, True)
        self._log = log
        self._key = key
        try:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-P", "-m", "crisp_lan", "host", "--headless"),
                    *arguments,
                    f"--key-fd={handed}",
                ],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                pass_fds=[handed],
                start_new_session=True,
            )
        finally:
            os.close(handed)
            os.close(errors)

    @asynccontextmanager
    async def joined(self, name: str, bind: str | None, keeper: Keeper) -> AsyncIterator[Client]:
        """The host's own seat. Raises NotOpened, and what `at_table` raises."""
        import trio

        from crisp_lan.net.calling import Network, Target
        from crisp_lan.net.client import at_table
        from crisp_lan.net.messages import Join

        opened, key = await trio.to_thread.run_sync(self.opened, abandon_on_cancel=True)
        own = bind if bind not in (None, "0.0.0.0", "::") else "127.0.0.1"
        target = Target((own,), opened["port"], opened["id"], opened["fingerprint"])
        join = Join(name, key=key)
        async with (
            at_table(target, join, Network(bind), keeper) as client,
            trio.open_nursery() as nursery,
        ):
            nursery.start_soon(self._watch, client)
            yield client
            nursery.cancel_scope.cancel()

    async def _watch(self, client: Client) -> None:
        """Has the host know why the table is silent, if its process has broken down."""
        import trio

        if await trio.to_thread.run_sync(self._process.wait, abandon_on_cancel=True):
            values = {"file": str(self._log)}
            await client.explain(Text(_STOPPED, values))

    def opened(self) -> tuple[dict[str, Any], str]:
        """Waits until the table can be joined: what it says of itself, and the host's key.

        Raises NotOpened.
        """
        assert self._process.stdout is not None
        with self._process.stdout as out, os.fdopen(self._key) as key:
            line, secret = out.readline(), key.readline().strip()
        if not line:
            self._process.wait()
            raise NotOpened(Text("{reason}", {"reason": self._last_words()}))
        return json.loads(line), secret

    def _last_words(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return lines[-1] if lines else f"exit code {self._process.wait()}"
