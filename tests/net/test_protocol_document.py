"""docs/protocol.md says what the code does: every field, every state, every byte of its example."""

from __future__ import annotations

import hashlib
import hmac
import json
import random
import re
import typing
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from crisp_lan.game import match as matches
from crisp_lan.game import rules
from crisp_lan.game import table as tables
from crisp_lan.game.briscola import BRISCOLA
from crisp_lan.game.cards import shuffled
from crisp_lan.game.catalogue import GAMES
from crisp_lan.game.crisp import CRISP
from crisp_lan.game.crisps_duel import CRISPS
from crisp_lan.game.rules import Game
from crisp_lan.lots import Openings, commitment
from crisp_lan.net import link, messages
from crisp_lan.net.codec import DEPTH, LIMIT, AnyMessage, decode
from crisp_lan.net.coherence import LONGEST, WAYS
from crisp_lan.net.listing import Listing, txt_of
from crisp_lan.net.passcode import OF_ALL, OF_ONE, WITHIN, Asker
from crisp_lan.net.protocol import Connection, State
from crisp_lan.net.secure import ALPN, table_code

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text(encoding="utf-8")
KINDS = (*typing.get_args(messages.FromClient), *typing.get_args(messages.FromHost))
PARTS = {
    "table": rules.TableView,
    "text": rules.Text,
    **{
        part.__name__.lower(): part
        for part in (
            *(rules.Choice, rules.Clock, rules.Zone, rules.Tag),
            *(rules.View, rules.Note, rules.Player, rules.Result, rules.Standing),
        )
    },
}
DESCRIBED = {**PARTS, **{kind.__name__.lower(): kind for kind in KINDS}}


def section(title: str) -> str:
    """The text under a heading, up to the next one."""
    found = re.search(rf"^#+ {title}\n(.*?)(?=^#|\Z)", DOCUMENT, re.M | re.S)
    assert found, title
    return found[1]


def rows(title: str) -> list[list[str]]:
    """The cells of a section's tables, but for their heads."""
    lines = re.findall(r"^\|(.*)\|$", section(title), re.M)
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    heads = {at - 1 for at, row in enumerate(cells) if set("".join(row)) == {"-"}}
    return [row for at, row in enumerate(cells) if at not in heads and at - 1 not in heads]


def fields(kind: Any) -> dict[str, Any]:
    hints = typing.get_type_hints(kind, include_extras=True)
    return {name: hint for name, hint in hints.items() if not name.startswith("__")}


@pytest.mark.parametrize("title", DESCRIBED)
def test_every_field_is_described_and_no_other(title):
    assert [row[0] for row in rows(title)] == [f"`{name}`" for name in fields(DESCRIBED[title])]


@pytest.mark.parametrize("title", DESCRIBED)
def test_simple_types_are_described_as_they_are(title):
    words = {
        messages.Count: "count",
        messages.Hex: "hex",
        messages.Name: "text ≤ 64",
        messages.Secret: "text ≤ 64",
        messages.Word: "text ≤ 32",
        messages.Words: "text ≤ 100",
        bool: "boolean",
        str: "text",
    }
    for row, hint in zip(rows(title), fields(DESCRIBED[title]).values()):
        if hint in words:
            assert row[1] in (words[hint], "card"), row


def test_the_numbers_are_those_of_the_code():
    assert f"Protocol number: **{messages.PROTOCOL}**" in DOCUMENT
    limits = {row[0]: row[1:] for row in rows("Frames") if len(row) == 3}
    assert list(limits.values()) == [
        [str(LIMIT["client"]), str(LIMIT["host"])],
        [str(DEPTH["client"]), str(DEPTH["host"])],
    ]
    said = section("Signs of life, and coming back")
    assert (link.PING_EVERY, link.SILENCE, link.STUCK, link.LINGER) == (2, 8, 5, 2)
    assert "every two seconds" in said
    assert "for eight seconds" in said
    assert "for five seconds" in said
    assert "closes it after two seconds" in section("The conversation")
    assert f"{link.OUTBOX // 1024} KiB" in said
    assert f"longer than {LONGEST}, but for the `picks`" in section("show")
    assert f"at most {WAYS}." in section("show")
    assert (OF_ONE, OF_ALL, WITHIN) == (5, 40, 300)
    assert "five attempts may fail in five minutes, forty" in section("The passcode")


def test_the_conversation_is_that_of_the_code():
    samples = {kind.__name__.lower(): example(kind) for kind in KINDS}
    told = rows("The conversation")
    assert [row[0] for row in told] == [s.name.lower() for s in State if s is not State.BROKEN]
    for name, *cells in told:
        for role, cell in zip(("host", "client"), cells):
            named = re.findall(r"((?:`\w+` ?)+)(?:→ (\w+))?", cell)
            moves = {
                kind: state or name for kinds, state in named for kind in re.findall(r"\w+", kinds)
            }
            for kind, message in samples.items():
                side = Connection(role)
                side.state = State[name.upper()]
                assert side.may_send(type(message)) == (kind in moves), (name, role, kind)
                if kind in moves:
                    side.send(message)
                    assert side.state is State[moves[kind].upper()]


def example(kind: type[Any]) -> Any:
    """A message of a kind, from the example or made here."""
    made = [messages.Leave(), *(message for _, message, _ in EXAMPLE), SHOWN]
    return next(message for message in made if type(message) is kind)


def test_the_announcement_is_that_of_the_code():
    listing = Listing("x", "x", "crisp", 1, 2, "lobby", 1, "0", False, ("10.0.0.1",), 27477)
    told = [row[0].strip("`") for row in rows("Finding a table")]
    assert told == list(txt_of(listing))
    closed = txt_of(replace(listing, passcode=True))
    assert set(told) - set(closed) == {"players", "seats", "phase"}


def test_encryption_in_the_document_is_that_of_the_code():
    told = section("Encryption")
    [fingerprint] = re.findall(r"`([0-9a-f]{64})`", told)
    assert f"`{table_code(fingerprint)}`" in told
    assert f"`{ALPN}`" in told


def test_the_passcode_as_the_document_tells_it_is_that_of_the_code():
    """A second writing of the exchange, from the document alone, against a joiner and a host."""
    blinds, vector = re.findall(r"```\n(.*?)\n```", section("The passcode"), re.S)
    m, n = (point(line.split()[1]) for line in blinds.splitlines())
    told = dict(line.split() for line in vector.splitlines())
    [fingerprint] = re.findall(r"`([0-9a-f]{64})`", section("The passcode"))
    w = scalar(b"482913")

    def key_of(x: str, y: str, shared: Point) -> bytes:
        whose = "crisp-lan joiner", f"crisp-lan table K7Q2MX {fingerprint}"
        hashed = b"".join(hashlib.sha256(word.encode()).digest() for word in ("482913", *whose))
        return hashlib.sha256(hashed + bytes.fromhex(x + y) + written(shared)).digest()

    x, y = plus(times(20261130, BASE), times(w, m)), plus(times(3551, BASE), times(w, n))
    assert [written(x).hex(), written(y).hex()] == [told["X"], told["Y"]]
    key = key_of(told["X"], told["Y"], times(20261130, plus(y, times(-w, n))))
    assert key.hex() == told["key"]
    assert hmac.digest(key, b"joiner", "sha256").hex() == told["client"]
    assert hmac.digest(key, b"host", "sha256").hex() == told["host"]

    asker = Asker("482913", "K7Q2MX", fingerprint)
    shared = times(20261130, plus(point(asker.message), times(-w, n)))
    key = key_of(told["X"], asker.message, shared)
    proof = hmac.digest(key, b"joiner", "sha256").hex()
    assert asker.proof(told["X"], proof) == hmac.digest(key, b"host", "sha256").hex()


Point = tuple[int, int]
Q, L = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, Q) % Q


def plus(one: Point, other: Point) -> Point:
    (a, b), (c, d) = one, other
    turned = D * a * b * c * d % Q
    x = (a * d + b * c) * pow(1 + turned, -1, Q)
    y = (b * d + a * c) * pow(1 - turned, -1, Q)
    return x % Q, y % Q


def times(n: int, one: Point) -> Point:
    total, n = (0, 1), n % L
    while n:
        total = plus(total, one) if n & 1 else total
        one, n = plus(one, one), n >> 1
    return total


def point(hexed: str) -> Point:
    """As RFC 8032 reads it."""
    whole = int.from_bytes(bytes.fromhex(hexed), "little")
    y, odd = whole % 2**255, whole >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, Q) % Q
    x = pow(square, (Q + 3) // 8, Q)
    x = x if x * x % Q == square else x * pow(2, (Q - 1) // 4, Q) % Q
    return (x if x % 2 == odd else -x % Q), y


def written(one: Point) -> bytes:
    return (one[1] | (one[0] & 1) << 255).to_bytes(32, "little")


BASE = point("58" + "66" * 31)


def scalar(passcode: bytes) -> int:
    """HKDF (RFC 5869), and its 48 bytes as a number."""
    drawn = hmac.digest(bytes(32), passcode, "sha256")
    first = hmac.digest(drawn, b"SPAKE2 pw\x01", "sha256")
    second = hmac.digest(drawn, first + b"SPAKE2 pw\x02", "sha256")
    return int.from_bytes(first + second[:16], "big") % L


def test_the_fair_deal_in_the_document_is_that_of_the_code():
    commitments, cards = re.findall(r"```\n(.*?)\n```", section("The fair deal"), re.S)
    secrets = {"host": range(32), "0": range(32, 64), "1": range(64, 96)}
    opened = {who: bytes(drawn) for who, drawn in secrets.items()}
    made = dict(line.split() for line in commitments.splitlines())
    assert made == {who: commitment("K7Q2MX", 7, who, drawn) for who, drawn in opened.items()}
    hexed = {who: drawn.hex() for who, drawn in opened.items()}
    drawn, deck = Openings("K7Q2MX", 7, made, hexed).lots(), list(CRISP.cards(2))
    drawn.shuffle(deck)
    assert deck == cards.split()
    assert f"The first number is {drawn.first}:" in section("The fair deal")


def test_the_fair_deal_as_the_document_tells_it_gives_the_same_deck():
    """A second writing of the rule, from the document alone."""
    secrets = b"".join(bytes(range(n, n + 32)) for n in (0, 32, 64))
    key = hashlib.sha256(b"crisp-lan deck 1\0K7Q2MX\0" + b"7\0" + secrets).digest()
    stream = b"".join(hmac.digest(key, n.to_bytes(8, "big"), "sha256") for n in range(20))
    words = [int.from_bytes(stream[n : n + 8], "big") for n in range(0, len(stream), 8)]

    def below(n: int) -> int:
        while (word := words.pop(0)) >= 2**64 // n * n:
            pass
        return word % n

    first = below(840)
    cards = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    for i in reversed(range(1, 52)):
        j = below(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    assert " ".join(cards) == " ".join(section("The fair deal").split("```")[-2].split())
    assert f"The first number is {first}:" in section("The fair deal")


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_line_of_a_deal_has_the_fields_that_are_told(game: Game[Any]) -> None:
    table = tables.opened(game, {})
    for n in range(min(game.seats)):
        table = tables.sit(table, 0, f"P{n}", "person").table
    dealing = matches.begin(table).table
    line = matches.deal(dealing, 0, list(matches.deck(dealing)), 0).lines[0]
    rows = section("The fair deal").split("how a round was dealt:")[1].split("\n\n")[1]
    told = {name for row in rows.splitlines() for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    others = {"dealer", "starter"} - {game.dealer_field}
    assert told - others == (line.keys() - {"kind", "t"}) | {"fair"}


def test_the_cards_own_order_is_that_of_the_games():
    said = section("The fair deal")
    ranks = {
        title: "".join(row.split()) for row, title in re.findall(r"`([A-Z0-9 ]+)` in (\w+)", said)
    }
    for game, title in ((CRISP, "Crisp"), (BRISCOLA, "Briscola")):
        assert game.cards(2) == tuple(rank + suit for suit in "CDHS" for rank in ranks[title])
    (row,) = re.findall(r"order `([1-9C ]+)`", " ".join(said.split()))
    assert CRISPS.cards(2) == tuple(rank for rank in row.split() for _ in range(4))


def read(plain: str, sender: str) -> AnyMessage:
    kinds: Any = messages.FromHost if sender == "Host" else messages.FromClient
    message: AnyMessage = msgspec.json.decode(plain, type=kinds)
    assert json.loads(msgspec.json.encode(message)) == json.loads(plain), "every field is shown"
    return message


EXAMPLE = [
    (sender, read(plain, sender), bytes.fromhex(hexed))
    for sender, plain, hexed in re.findall(
        r"(Host|Client) to \w+:\n\n```json\n(.*?)\n```\n```hex\n(.*?)\n```",
        section("A worked example"),
        re.S,
    )
]
SHOWN = read(re.findall(r"```json\n(.*?)\n```", section("A worked example"), re.S)[-1], "Host")


def test_the_example_is_what_is_really_sent():
    sides = {"Host": Connection("host"), "Client": Connection("client")}
    assert len(EXAMPLE) >= 9
    for sender, message, frame in EXAMPLE:
        receiver = sides["Client" if sender == "Host" else "Host"]
        assert sides[sender].send(message) == frame
        receiver.receive_data(frame)
        assert receiver.next_message() == message


def test_the_show_in_the_example_is_one():
    assert isinstance(SHOWN, messages.Show)
    assert decode(msgspec.msgpack.encode(SHOWN), "host") == SHOWN


def test_every_act_at_the_table_is_described():
    told = {name for row in rows("What may be done at the table") for name in row[0].split(", ")}
    assert told == {f"`{name}`" for name in tables._TABLE_ACTS}


def test_the_words_of_crisp_are_those_of_its_rules():
    lots = random.Random(5)
    shown, keys = set(), {}
    for view in (view for _ in range(20) for view in round_of_crisp(lots)):
        shown |= {view.phase, *(zone.name for zone in view.zones)}
        shown |= {word for zone in view.zones for word in (zone.note, *zone.marks)}
        shown |= {clock.name for clock in view.clocks} | {tag.text.key for tag in view.tags}
        shown |= {column for column, _ in view.sheet}
        keys |= {choice.name: choice.key for choice in view.choices}
    said = section("Crisp, in these words")
    assert {word for word in shown if f"`{word}`" not in said} == {""}
    acts = {row[0]: row[1] for row in rows("Crisp, in these words") if len(row) == 4}
    assert acts == {f"`{name}`": key for name, key in keys.items()}
    assert all(f"`{option.name}`" in said for option in CRISP.options)


def round_of_crisp(lots: random.Random) -> Iterator[rules.View]:
    """All views of a round of three in which everybody does whatever is on offer."""
    options = {"limit": 100, "draw_time": 45, "take_discard": True}
    deck, by = shuffled(CRISP.cards(3), lots), dict.fromkeys(range(3), "person")
    state, now = CRISP.deal(range(3), 0, {}, options, deck, 0, by).state, 0
    while CRISP.outcome(state) is None:
        views = [CRISP.view(state, seat) for seat in range(3)]
        yield from views
        offered = [(view.seat, choice) for view in views for choice in view.choices]
        if not offered or lots.random() < 0.1:
            now = CRISP.wake_at(state) or now
            state = CRISP.wake(state).state
            continue
        seat, choice = lots.choice(offered)
        state = CRISP.apply(
            state, now, seat, rules.Act(choice.name, lots.choice(choice.picks))
        ).state
    yield CRISP.view(state, None)


def test_every_link_inside_the_document_leads_somewhere():
    headings = re.findall(r"^#+ (.*)$", DOCUMENT, re.M)
    anchors = {re.sub(r"[^\w\- ]", "", title).lower().replace(" ", "-") for title in headings}
    assert set(re.findall(r"\]\(#([^)]+)\)", DOCUMENT)) <= anchors
