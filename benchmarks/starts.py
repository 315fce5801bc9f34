"""How long it takes until something is there: the version, and the first picture of a table."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.report import judged, ms

RUNS = 40
FRAMES = 7
_STEERING = re.compile(rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)|\x1b[^\[\]]")
"""What a terminal obeys and does not show."""


def crisp_lan() -> list[str]:
    """What people type, or what it stands for where it is not installed."""
    script = shutil.which("crisp-lan", path=str(Path(sys.executable).parent))
    return [script] if script else [sys.executable, "-m", "crisp_lan"]


def run_version() -> None:
    version, nothing = [*crisp_lan(), "--version"], [sys.executable, "-c", "pass"]
    taken = [(_seconds(version), _seconds(nothing)) for _ in range(RUNS)]
    ours, least = (median(times) for times in zip(*taken))
    print(f"--version: {ms(ours)}, python -c pass: {ms(least)}, ratio {judged(ours / least, 2.0)}")


def _seconds(command: list[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def run_frame() -> None:
    taken = [_until_painted() for _ in range(FRAMES)]
    print(f"first frame of crisp-lan host: {judged(median(taken), 0.6, ' s')}")


def _until_painted() -> float:
    """Seconds from starting a host until the first text of its screen arrives."""
    with TemporaryDirectory() as folder:
        options = ["--bind=127.0.0.1", "--no-announce", "--port=0", f"--data={folder}"]
        began = time.perf_counter()
        pid, terminal = _on_terminal([*crisp_lan(), "host", *options])
        written = b""
        while not _STEERING.sub(b"", written).strip():
            written += os.read(terminal, 65536)
        seconds = time.perf_counter() - began
        end(pid, terminal)
    return seconds


def _on_terminal(command: list[str]) -> tuple[int, int]:
    """Starts a command on a terminal of 80×24; its process's id and our end of the terminal."""
    pid, terminal = pty.fork()
    if pid == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
        os.execve(command[0], command, {**os.environ, "TERM": "xterm-256color"})
    return pid, terminal


def end(pid: int, terminal: int) -> None:
    """Ends the host's screen and the table, which is its child and would outlive it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for process in (*map(int, children), pid):
        os.kill(process, signal.SIGTERM)
    try:
        while os.read(terminal, 65536):
            pass
    except OSError:  # nobody has the terminal open any more
        os.close(terminal)
    os.waitpid(pid, 0)
