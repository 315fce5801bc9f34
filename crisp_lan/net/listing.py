"""What is announced of a table, and how a foreign announcement is made harmless."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from crisp_lan.spots import spot
from crisp_lan.text import NAME_CELLS, cut, harmless

MOST_ADDRESSES = 16


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as its announcement shows it.

    `protocol` is 0 where none was given; `version` is that of the host’s crisp-lan. `fingerprint`
    is what the table is known by in the handshake, or "".
    """

    id: str
    table: str
    game: str
    players: int
    seats: int
    phase: str
    protocol: int
    version: str
    passcode: bool
    addresses: tuple[str, ...]
    port: int
    fingerprint: str = ""

    @property
    def spot(self) -> str:
        """Its first address and its port, as they are typed."""
        return spot(self.addresses[0], self.port)

    def is_named(self, name: str) -> bool:
        """Whether this is its name, in capital or small letters."""
        return self.table.casefold() == name.casefold()


def meant_by(name: str, listings: Iterable[Listing]) -> list[Listing]:
    """The table of that name; without one, those whose names begin so."""
    begun = [one for one in listings if one.table.casefold().startswith(name.casefold())]
    return [one for one in begun if one.is_named(name)][:1] or begun


def txt_of(listing: Listing) -> dict[str, str]:
    """The TXT record of a table. Where a passcode is asked for, it tells nothing of the game."""
    players = {
        "players": str(listing.players),
        "seats": str(listing.seats),
        "phase": listing.phase,
    }
    fields = {
        "id": listing.id,
        "table": listing.table,
        "game": listing.game,
        **({} if listing.passcode else players),
        "protocol": str(listing.protocol),
        "version": listing.version,
        "passcode": "yes" if listing.passcode else "no",
        "fingerprint": listing.fingerprint,
    }
    return {name: _cut_bytes(text, 200) for name, text in fields.items()}


def listing_of(
    txt: Mapping[bytes, bytes | None], addresses: Iterable[str], port: int | None
) -> Listing | None:
    """A foreign announcement made harmless; None if no table can be reached by it."""
    table_id = _text(txt, b"id", 64)
    reachable = tuple(dict.fromkeys(addresses))[:MOST_ADDRESSES]
    if not _ID.fullmatch(table_id) or not reachable or not port:
        return None
    return Listing(
        id=table_id,
        table=_text(txt, b"table", NAME_CELLS + len(" (2)")) or table_id,
        game=_text(txt, b"game", NAME_CELLS),
        players=_number(txt, b"players"),
        seats=_number(txt, b"seats"),
        phase=_text(txt, b"phase", NAME_CELLS),
        protocol=_number(txt, b"protocol"),
        version=_text(txt, b"version", NAME_CELLS),
        passcode=_text(txt, b"passcode", NAME_CELLS) == "yes",
        addresses=reachable,
        port=port,
        fingerprint=_fingerprint(txt),
    )


_ID = re.compile(r"[A-Za-z0-9_-]{1,32}")


def _text(txt: Mapping[bytes, bytes | None], name: bytes, width: int) -> str:
    return cut(harmless((txt.get(name) or b"").decode(errors="replace")), width)


def _fingerprint(txt: Mapping[bytes, bytes | None]) -> str:
    digits = txt.get(b"fingerprint") or b""
    return digits.decode() if re.fullmatch(rb"[0-9a-f]{64}", digits) else ""


def _number(txt: Mapping[bytes, bytes | None], name: bytes) -> int:
    digits = txt.get(name) or b""
    return int(digits) if re.fullmatch(rb"[0-9]{1,6}", digits) else 0


def merged(listings: Iterable[Listing]) -> dict[str, Listing]:
    """The tables by id; heard twice, a table keeps all its addresses, unless it is at another port
    or another table by its fingerprint."""
    tables: dict[str, Listing] = {}
    for listing in listings:
        before = tables.get(listing.id)
        if before and (before.port, before.fingerprint) == (listing.port, listing.fingerprint):
            both = tuple(dict.fromkeys(before.addresses + listing.addresses))
            listing = replace(listing, addresses=both[:MOST_ADDRESSES])
        tables[listing.id] = listing
    return tables


def instance_names(table: str, table_id: str) -> Iterator[tuple[str, str]]:
    """The names to announce a table by, best first: as a DNS label, and as people read it.

    zeroconf splits names at dots and takes a leading underscore for a type, so neither is used.
    """
    name = harmless(table) or table_id
    label = name.replace(".", "\N{ONE DOT LEADER}").lstrip("_") or table_id
    for n in itertools.count(1):
        suffix = f" ({n})" if n > 1 else ""
        room = 63 - max(len(suffix), len(" (2)"))
        yield _cut_bytes(label, room).rstrip() + suffix, name + suffix


def _cut_bytes(text: str, most: int) -> str:
    """The longest beginning of a text that fits, in whole characters."""
    return text.encode(errors="replace")[:most].decode(errors="ignore")
