"""Every message on the wire, on one screen. `docs/protocol.md` says the same for other languages.

What a client sends is a Struct all the way down and checked to the letter; what the host sends may
gain fields without a new PROTOCOL number. Times are milliseconds of match time.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from crisp_lan.game.rules import Note, TableView, Text, View

PROTOCOL = 1
"""Raised whenever an older client could misunderstand the table, or an older table a client."""

Name = Annotated[str, Meta(max_length=64)]
Word = Annotated[str, Meta(max_length=32)]
Secret = Annotated[str, Meta(max_length=64)]
MOST_SAID = 100
"""The signs of what is said at once, at most."""
Words = Annotated[str, Meta(max_length=MOST_SAID)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
Hex = Annotated[str, Meta(pattern="^[0-9a-f]{64}$", max_length=64)]
"""32 bytes in hexadecimal."""


PHRASES = (
    "Good call!",
    "Hurry up, please.",
    "One moment, please.",
    "Well played!",
    "Thank you!",
)
"""What everybody reads in their own language, whoever says it."""


class Message(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """What every message is: a map whose field `type` is the class's name in small letters."""


class Hello(Message, frozen=True, forbid_unknown_fields=False):
    """Both sides' first message, the host's first of all. It stays as it is in every version.

    `table` is the table's id, `name` its name, which a table with a passcode does not tell yet; a
    client leaves both empty.
    """

    protocol: int
    software: Word
    table: Word = ""
    name: Name = ""


class Join(Message, frozen=True):
    """A client takes a seat: a new one, or with `token` the one it had; `watch`: none.

    `key` is the secret that the table's own screen or own bots hold. `level`: a bot's, else "".
    """

    name: Name
    token: Secret = ""
    key: Secret = ""
    level: Word = ""
    watch: bool = False


class Do(Message, frozen=True):
    """An act that answers offer number `offer`; `serial` rises with every act of this client."""

    offer: Count
    serial: Count
    act: Word
    picks: Annotated[tuple[Annotated[int, Meta(ge=0, le=255)] | Word, ...], Meta(max_length=32)]


class Say(Message, frozen=True):
    """The player says something to all at the table: one of PHRASES, or words of their own."""

    words: Words


class Leave(Message, frozen=True):
    """The player gives the seat up for good. Just closing the connection keeps it."""


class Commit(Message, frozen=True):
    """Answers a `Shuffle` that asks for this: ties the client to 32 random bytes of its own."""

    deal: Count
    commitment: Hex


class Open(Message, frozen=True):
    """Answers the `Commits` in which the client's own commitment stands: the bytes themselves."""

    deal: Count
    secret: Hex


class Ping(Message, frozen=True):
    """Asks for a `Pong` with the same number. Either side may ask at any time after `Hello`."""

    number: Count


class Pong(Message, frozen=True):
    """Answers a `Ping`."""

    number: Count


class Ask(Message, frozen=True, forbid_unknown_fields=False):
    """Answers a `Join` without a token that is known, where a passcode is needed."""


class Half(Message, frozen=True):
    """A half of SPAKE2: the client's answers `Ask`, the host's answers that."""

    half: Hex


class Proof(Message, frozen=True):
    """Shows that its sender knows the passcode: the client's comes first, then the host's."""

    proof: Hex


class Welcome(Message, frozen=True, forbid_unknown_fields=False):
    """The answer to `Join`. `token` gives the seat back after a lost connection; watchers: "".

    `name` is the table's, and `passcode` what others need to join, "" for none.
    """

    token: Secret
    addresses: tuple[str, ...]
    port: int
    name: Name = ""
    passcode: Secret = ""


class Show(Message, frozen=True, forbid_unknown_fields=False):
    """All that this client may know now, whole, and the notes of what has led to it.

    `now` is the match time at which it was sent: a clock has `ends - now` ms left, less while the
    table is paused never. `seat` is the client's own, None for a watcher. `done` is the serial of
    the last act that the table took from this seat. `watchers` are the names of
    those who look on.
    """

    version: Count
    now: Count
    offer: Count
    done: Count
    seat: int | None
    table: TableView
    view: View | None
    notes: tuple[Note, ...]
    watchers: tuple[Name, ...] = ()


class Shuffle(Message, frozen=True, forbid_unknown_fields=False):
    """A deck is being made, with the host's commitment; `seat`, if any, is asked to commit, too.

    `deal` rises with every deck that is tried.
    """

    deal: Count
    seat: int | None
    commitment: Hex


class Commits(Message, frozen=True, forbid_unknown_fields=False):
    """What each seat has committed to: those will make the deck. Now they open, to the host."""

    deal: Count
    commitments: tuple[tuple[int, Hex], ...]


class Opened(Message, frozen=True, forbid_unknown_fields=False):
    """A round is over: lines of the game's record, JSON each, with which its deal can be checked.

    `first` is the number of the first of them, from 0; what was told before has lower numbers.
    `more`: the round's last lines are still to come.
    """

    first: Count
    lines: tuple[str, ...]
    more: bool


class No(Message, frozen=True, forbid_unknown_fields=False):
    """The act with this serial was refused, or with 0 what was said; nothing has happened."""

    serial: Count
    why: Text


class Bye(Message, frozen=True, forbid_unknown_fields=False):
    """The last message of a connection. `again`: dialling again makes sense."""

    why: Text
    again: bool = False


FromClient: TypeAlias = Hello | Join | Half | Proof | Do | Say | Leave | Commit | Open | Ping | Pong
FromHost: TypeAlias = (
    Hello
    | Ask
    | Half
    | Proof
    | Welcome
    | Show
    | No
    | Shuffle
    | Commits
    | Opened
    | Ping
    | Pong
    | Bye
)
