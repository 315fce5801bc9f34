"""Debian's own mDNS on a machine of a small network: a peer that has none of our code."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.system.netns import Net
from tests.system.running import waited_for

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>system</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/>
<allow send_type="signal"/><allow send_requested_reply="true"/><allow receive_type="signal"/>
<allow receive_type="method_call"/><allow receive_requested_reply="true"/></policy></busconfig>
"""

DAEMON = """
mkdir -p /run/avahi-daemon && mount -t tmpfs private /run/avahi-daemon
exec avahi-daemon --no-drop-root --no-chroot --no-rlimits -f "$0"
"""
"""Its pid file has one fixed place: a private one, so that the machine's own avahi may run too."""


@contextmanager
def avahi(net: Net, machine: str, folder: Path) -> Iterator[Callable[[], str]]:
    """avahi-daemon there, on a bus of its own; what `avahi-browse` prints of our tables."""
    for program in ("dbus-daemon", "avahi-daemon", "avahi-browse"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is missing (Debian: apt install avahi-daemon avahi-utils dbus)")
    bus, calm, socket = folder / "bus.conf", folder / "avahi.conf", folder / "bus"
    bus.write_text(BUS.format(socket=socket))
    calm.write_text("[server]\nallow-interfaces=eth0\n")
    env = {**os.environ, "DBUS_SYSTEM_BUS_ADDRESS": f"unix:path={socket}"}
    quiet = {"env": env, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    net.popen(machine, ["dbus-daemon", f"--config-file={bus}", "--nofork", "--nopidfile"], **quiet)
    waited_for(socket.exists, lambda: "the bus")
    net.popen(machine, ["sh", "-c", DAEMON, calm], **quiet)

    def browse() -> str:
        words = ["avahi-browse", "--resolve", "--parsable", "--terminate", "_crisp-lan._tcp"]
        return net.run(machine, words, env=env).stdout

    yield browse


def resolved(browse: Callable[[], str], piece: str) -> str:
    """What avahi says of the table, once it says this of it."""
    lines: list[str] = []

    def told() -> bool:
        lines[:] = [line for line in browse().splitlines() if line.startswith("=;eth0;IPv4")]
        return any(piece in line for line in lines)

    waited_for(told, lambda: f"{piece} in vain; avahi says {lines}")
    return lines[0]
