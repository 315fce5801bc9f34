"""One game on a network of its own, and a fault that strikes the first seat in one of its phases.

Ayu, Budi and Citra play one round of a known deal: Ayu begins, draws a King first, and has a second
turn. In most cells Citra calls after her first turn, so that Ayu's second one is final; where that
turn itself or the window after it matters, Ayu calls in that window, or in her next one if she
missed it, and else Citra does.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeAlias

from tests.system.fault_player import SLOW_AT, Part, Stops, reached
from tests.system.netns import Net, bridge
from tests.system.pseudo import TOP, Pseudo
from tests.system.running import COMMAND, PATIENCE, Program, environment, record_in, waited_for

HOST, AYU, BUDI, CITRA = MACHINES = ("host", "ayu", "budi", "citra")
RULES = ("--seats=3", "--limit=1", "--draw-time=30", "--deal-seed=51891")
LONGEST = 330.0
"""Seconds that a game may take: a first look and six turns that time out, and a reveal."""
RESTARTED_AFTER = 3.0
"""Seconds until somebody has started again what was killed."""
SLOW = 16.0
"""Seconds that Ayu takes before a draw, so that a fault of 15 s outlives her clock."""
LOSSY = 15.0
"""Seconds for which packets are lost."""

Report: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cell:
    """A fault in a phase; without a fault, Ayu `stops` by herself, or plays all through."""

    phase: str
    fault: str = ""
    stops: Stops = ""

    @property
    def long(self) -> bool:
        """Whether Ayu's second turn is over before anybody calls."""
        return self.phase in ("card held", "crisp window")


@dataclass(frozen=True, slots=True)
class Told:
    """What is known of a game that is over: its record, and what each player heard, and when.

    The fault began at `struck`, and all was as before at `healed`.
    """

    record: list[dict[str, Any]]
    reports: Mapping[str, list[Report]]
    struck: float = 0.0
    healed: float = 0.0


class Teller:
    """A player's process, or one after the other, and what they tell."""

    def __init__(self, net: Net, machine: str, folder: Path, part: Part) -> None:
        self.part = part
        self._net, self._machine = net, machine
        self._told = folder / f"{part.name}.told"
        self._errors = folder / f"{part.name}.errors"
        self._read = 0
        self._reports: list[Report] = []

    def start(self) -> None:
        with self._told.open("ab") as out, self._errors.open("ab") as errors:
            self.process = self._net.popen(
                self._machine,
                [sys.executable, "-m", "tests.system.fault_player", json.dumps(asdict(self.part))],
                stdout=out,
                stderr=errors,
                env=environment(),
                cwd=TOP,
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    @property
    def errors(self) -> str:
        return self._errors.read_text() if self._errors.exists() else ""

    @property
    def reports(self) -> list[Report]:
        """All that it has told so far."""
        with suppress(FileNotFoundError), self._told.open("rb") as told:
            told.seek(self._read)
            new = told.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read += len(whole)
            self._reports += [json.loads(line) for line in whole.splitlines()]
        return self._reports

    def saw(self, true: Callable[[Any], object] = bool, since: float = 0.0) -> bool:
        """Whether it has been shown such a table since then."""
        return first_show(self.reports, true, since) is not None


def first_show(
    reports: Sequence[Report], true: Callable[[Any], object] = bool, since: float = 0.0
) -> Report | None:
    """The first table that was shown since then and is so."""
    shows = (r for r in reports if r["news"] == "show" and r["at"] >= since)
    return next((report for report in shows if true(report["seen"])), None)


def last_show(reports: Sequence[Report]) -> Report | None:
    return next((report for report in reversed(reports) if report["news"] == "show"), None)


def is_away(seen: Any) -> bool:
    """Whether the first seat is seen to be away."""
    return bool(seen["table"]["players"][0]["by"] == "nobody")


class Game:
    """One game that is played: its network, its table and its players."""

    def __init__(self, cell: Cell, net: Net, folder: Path, running: ExitStack) -> None:
        self.cell, self.net, self.folder = cell, net, folder
        self.fault = FAULTS[cell.fault]
        self.games = folder / "games"
        self.addresses: tuple[str, ...] = ()
        self.struck = self.healed = 0.0
        self.players: dict[str, Teller] = {}
        self._running = running

    def open(self) -> None:
        """Opens a table without a screen."""
        table = self.run("host", "--headless", "--port=0", f"--data={self.games}", *RULES)
        opened = json.loads(table.says("\n").splitlines()[0])
        self.cast(tuple(opened["addresses"]), opened["port"], AYU)
        self.players["Ayu"].start()

    def open_at_a_screen(self) -> None:
        """Opens a table at a terminal, where Ayu plays by keys up to the phase, and then waits."""
        own = ("--name=Ayu", "--port=0", f"--data={self.games}")
        words = self.net.there(HOST, [*COMMAND, "host", *own, *RULES])
        run = f"import os; os.execvp({words[0]!r}, {words!r})"
        self.screen = self._running.enter_context(Pseudo(["-c", run]))
        self.screen.wait_for("crisp-lan join", "[q] quit")
        found = re.search(r"crisp-lan join ([0-9.]+):([0-9]+)", self.screen.text)
        assert found, self.screen.text
        self.cast((found[1],), int(found[2]), HOST)
        typing = threading.Thread(target=self._type, daemon=True)
        typing.start()
        self._running.callback(typing.join)

    def _type(self) -> None:
        for keys in KEYS[: KEYS_UNTIL[self.cell.phase]]:
            if keys == "r":
                self._glance(lambda: "[h]" not in self.screen.text)
            self._glance(lambda letter=f"[{keys[0]}]": letter in self.screen.text)
            self.screen.press(keys)
            self._glance(seconds=0.6)
        self._glance(lambda: self.screen.process.poll() is not None)

    def _glance(self, true: Callable[[], bool] = lambda: False, seconds: float = LONGEST) -> None:
        """Looks at the screen until it is so, or nobody is there any more."""
        limit = time.monotonic() + seconds
        while self.screen.process.poll() is None and time.monotonic() < limit and not true():
            self.screen.look()

    def run(self, *words: str) -> Program:
        """Starts a crisp-lan on the host's machine, for the length of the game."""
        program = Program(self.folder, words, partial(self.net.popen, HOST))
        self._running.callback(program.end)
        return program

    def cast(self, addresses: tuple[str, ...], port: int, ayus: str) -> None:
        """Gives everybody their parts; Ayu plays on the machine `ayus`."""
        cell, self.addresses = self.cell, addresses
        slow = self.fault.outlives_a_turn and cell.phase == "card held"
        common = Part(addresses, port, "", str(self.games / "seats"), cell.phase)
        parts = (
            replace(
                common,
                name="Ayu",
                calls=SLOW_AT - 1 if cell.long else 0,
                looks=True,
                slow=SLOW if slow else 0.0,
                stops="deaf" if cell.fault == DEAF else cell.stops,
            ),
            replace(common, name="Budi", phase=""),
            replace(common, name="Citra", phase="", calls=34 if cell.long else 38, follows=True),
        )
        for machine, part in zip((ayus, BUDI, CITRA), parts):
            self.players[part.name] = Teller(self.net, machine, self.folder, part)

    @property
    def table_pid(self) -> int | None:
        """The id of the table's process, while there is one."""
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            with suppress(OSError):
                words = path.read_bytes().split(b"\0")
                if b"--headless" in words and f"--data={self.games}".encode() in words:
                    return int(path.parent.name)
        return None

    # ------------------------------------------------------------ its course

    def play(self) -> Told:
        """Plays it from the first seat taken to the end of the table."""
        if self.fault.at_a_screen:
            self.open_at_a_screen()
        else:
            self.open()
            self._until(lambda: self.players["Ayu"].saw(), "Ayu at the table")
        self._sit("Budi")
        if self.cell.phase == "lobby":
            late = threading.Thread(target=self._come_late, daemon=True)
        else:
            late = threading.Thread(target=self._sit, args=("Citra",), daemon=True)
            late.start()
        watching = self.players["Budi"]
        self._until(lambda: watching.saw(partial(reached, self.cell.phase)), self.cell.phase)
        self.struck = time.monotonic()
        if self.cell.phase == "lobby":
            late.start()
        self.fault.strike(self)
        self.healed = time.monotonic()
        return self._finish()

    def _sit(self, name: str) -> None:
        self.players[name].start()
        self._until(self.players[name].saw, f"{name} at the table")

    def _come_late(self) -> None:
        """Citra comes to the lobby when Ayu is away or back, or when nobody notices anything."""
        limit = self.struck + self.fault.hidden
        while time.monotonic() < limit and not (self._is_back() or self._is_away()):
            time.sleep(0.05)
        citra = self.players["Citra"]
        citra.part = replace(citra.part, addresses=self.addresses)
        citra.start()

    def _is_away(self) -> bool:
        return self.players["Budi"].saw(is_away, self.struck)

    def _is_back(self) -> bool:
        return self.healed > 0 and self.players["Ayu"].saw(since=self.healed)

    def _finish(self) -> Told:
        """Waits for the end, and for Ayu to see it."""
        self._until(lambda: self._has_written("end"), "the end of the game")
        if self.fault.comes_back:
            self._until(self._all_see_the_same, "Ayu to see the end", PATIENCE)
        time.sleep(1)
        table = self.table_pid
        assert table, "the table has broken down"
        os.kill(table, signal.SIGTERM)
        self._until(lambda: self.table_pid is None, "the end of the table", PATIENCE)
        reports = {name: list(player.reports) for name, player in self.players.items()}
        return Told(record_in(self.games), reports, self.struck, self.healed)

    def _all_see_the_same(self) -> bool:
        """Whether all have seen the last of the table, and nobody is looking for it."""
        everybody = [player.reports for player in self.players.values()]
        shown = (last_show(reports) for reports in everybody)
        same = len({report and report["seen"]["version"] for report in shown}) == 1
        return same and all(reports[-1]["news"] != "lost" for reports in everybody)

    def _has_written(self, kind: str) -> bool:
        journals = (self.games / "tables").glob("*.jsonl")
        return any(f'"kind":"{kind}"' in path.read_text() for path in journals)

    def _until(self, true: Callable[[], object], what: str, seconds: float = LONGEST) -> None:
        """Waits until it is so. Raises AssertionError, at once if a player's script has failed."""

        def done() -> object:
            errors = "".join(player.errors for player in self.players.values())
            assert not errors, errors
            return true()

        waited_for(done, lambda: what, seconds)


KEYS = ("l3", "h", "l1", "r", "d", "u", "d", "s3", "d", "x", "d", "s2")
KEYS_UNTIL = {
    "lobby": 0,
    "first look": 3,
    "King’s extra draw": 6,
    "final turns": 10,
    "card held": 11,
    "crisp window": 12,
    "reveal": 12,
}


@contextmanager
def game(cell: Cell, folder: Path) -> Iterator[Game]:
    """A game on a network of its own; whatever still runs of it at the end is ended."""
    folder.mkdir(parents=True)
    with bridge(*MACHINES) as net, ExitStack() as running:
        played = Game(cell, net, folder, running)
        try:
            yield played
        finally:
            if table := played.table_pid:
                os.kill(table, signal.SIGKILL)


# ---------------------------------------------------------------- the faults


@dataclass(frozen=True, slots=True)
class Fault:
    """How a fault strikes, from its beginning to when all is as it was, and what it is known for.

    `misses`: whether it keeps Ayu from calling in a crisp window. `outlives_a_turn`: it is long
    enough to outlive a draw clock that has run for SLOW seconds. `hidden`: seconds after which a
    newcomer does not wait any longer for it to be noticed. `everybody`: it is not Ayu's alone.
    """

    strike: Callable[[Game], None]
    misses: Literal["never", "perhaps", "always"] = "always"
    outlives_a_turn: bool = False
    hidden: float = 12.0
    everybody: bool = False
    comes_back: bool = True
    at_a_screen: bool = False


def _cut(seconds: float, played: Game) -> None:
    played.net.cut(AYU)
    time.sleep(seconds)
    played.net.restore(AYU)


def _lose(percent: int, played: Game) -> None:
    last = played.net.address(AYU).rsplit(".", 1)[1]
    lost = f"numgen random mod 100 < {percent} counter"
    played.net.drop(AYU, "input", lost)
    played.net.drop(HOST, "input", f"ip saddr 10.77.0.{last} {lost}")
    played.net.drop(HOST, "input", f"ip6 saddr fd77::{last} {lost}")
    time.sleep(LOSSY)
    for machine in (AYU, HOST):
        lossy = partial(_has_lost, played.net, machine)
        waited_for(lossy, lambda: "a packet lost on its way", 60)
        played.net.nft(machine, "delete table inet crisp")


def _has_lost(net: Net, machine: str) -> bool:
    rules = net.run(machine, ["nft", "list", "table", "inet", "crisp"]).stdout
    return re.search(r"packets [1-9]", rules) is not None


def _move(machine: str, played: Game) -> None:
    """Gives a machine other addresses, as a Wi-Fi does that was joined again."""
    net, last = played.net, int(played.net.address(machine).rsplit(".", 1)[1]) + 20
    net.ip(machine, "address", "flush", "dev", "eth0", "scope", "global")
    net.ip(machine, "address", "add", f"10.77.0.{last}/24", "dev", "eth0")
    net.ip(machine, "address", "add", f"fd77::{last}/64", "dev", "eth0", "nodad")
    net.ip(machine, "route", "replace", "224.0.0.0/4", "dev", "eth0")
    if machine == HOST:
        played.addresses = (f"10.77.0.{last}", f"fd77::{last}")


def _kill_client(played: Game) -> None:
    played.players["Ayu"].kill()
    time.sleep(RESTARTED_AFTER)
    played.players["Ayu"].start()


def _stop_client(played: Game) -> None:
    pid = played.players["Ayu"].process.pid
    os.kill(pid, signal.SIGSTOP)
    time.sleep(20)
    os.kill(pid, signal.SIGCONT)


def _kill_table(played: Game) -> None:
    table = played.table_pid
    assert table, "there is no table"
    os.kill(table, signal.SIGKILL)
    time.sleep(RESTARTED_AFTER)
    played.run("host", "--headless", "--resume", f"--data={played.games}").says("\n")


def _kill_screen(played: Game) -> None:
    played.screen.process.kill()
    time.sleep(RESTARTED_AFTER)
    played.players["Ayu"].start()


def _block_multicast(played: Game) -> None:
    for machine in MACHINES:
        played.net.drop(machine, "input", "udp dport 5353")
    heard = played.net.run(AYU, [*COMMAND, "tables", "--json"], env=environment(), cwd=TOP)
    assert heard.stdout == "[]\n", "multicast is not blocked"


STOPPED = "client stopped 20 s"
DEAF = "client never reads"
FAULTS: Mapping[str, Fault] = {
    "": Fault(lambda played: None, "never", hidden=0, comes_back=False),
    "link cut 3 s": Fault(partial(_cut, 3.0)),
    "link cut 15 s": Fault(partial(_cut, 15.0), outlives_a_turn=True),
    "10 % loss": Fault(partial(_lose, 10), "perhaps", hidden=2),
    "30 % loss": Fault(partial(_lose, 30), "perhaps", hidden=2),
    "client’s address changed": Fault(partial(_move, AYU)),
    "host’s address changed": Fault(partial(_move, HOST), everybody=True),
    "client kill -9, started again": Fault(_kill_client),
    STOPPED: Fault(_stop_client, outlives_a_turn=True),
    "table kill -9, --resume": Fault(_kill_table, "never", everybody=True),
    "host’s screen kill -9": Fault(_kill_screen, at_a_screen=True),
    "multicast blocked": Fault(_block_multicast, "never", hidden=2),
    DEAF: Fault(lambda played: None, hidden=2, comes_back=False),
}
