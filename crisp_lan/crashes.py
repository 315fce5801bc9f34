"""What may be told of an error that nobody foresaw: which, and where; not its words, which may hold
a card, a token or somebody's text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from traceback import extract_tb, format_tb


def scene(error: BaseException) -> str:
    """Which error, and where it came about."""
    first = _first(error)
    frames = extract_tb(first.__traceback__ or error.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return type(first).__name__ + where


def report(error: BaseException) -> str:
    """The way to it through the source, for a log: an error, those in a group, and their causes."""
    return "\n".join(
        "".join(format_tb(one.__traceback__)) + type(one).__name__ for one in _all(error)
    )


def _first(error: BaseException) -> BaseException:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _all(error: BaseException) -> Iterator[BaseException]:
    if error.__cause__ is not None:
        yield from _all(error.__cause__)
    yield error
    for one in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from _all(one)
