"""Runs the benchmarks and prints what they found."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from benchmarks import fanout, handshake, idle, keys, rules, starts


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--idle", type=float, default=60.0, metavar="S", help="default: a minute")
    parser.add_argument("parts", nargs="*", metavar="PART", help="default: all of them")
    args = parser.parse_args()
    parts: dict[str, Callable[[], None]] = {
        "fanout": fanout.run,
        "handshake": handshake.run,
        "rules": rules.run,
        "version": starts.run_version,
        "frame": starts.run_frame,
        "keys": keys.run,
        "idle": lambda: idle.run(args.idle),
    }
    for part in args.parts or parts:
        if part not in parts:
            parser.error(f"there is no part {part}: choose from {', '.join(parts)}")
        parts[part]()


if __name__ == "__main__":
    main()
