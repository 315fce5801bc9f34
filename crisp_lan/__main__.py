"""The entry point: `--version` is answered before anything is loaded."""

import sys

from crisp_lan import __version__


def main() -> None:
    """Runs the command line and exits with its code."""
    if sys.argv[1:] == ["--version"]:
        print(f"crisp-lan {__version__}")  # noqa: T201
        return
    from crisp_lan.cli import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
