"""Encrypted streams, over memory under a clock that jumps and over loopback; and who is refused."""

from __future__ import annotations

import os
import ssl
import stat
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import pytest
import trio
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair

from crisp_lan.game.rules import Text
from crisp_lan.journal import Unreadable
from crisp_lan.net.link import LinkLost, linked
from crisp_lan.net.messages import PROTOCOL, Bye, Hello
from crisp_lan.net.secure import (
    ALPN,
    ANOTHER,
    FOREIGN,
    HANDSHAKE,
    SLOW,
    Identity,
    Secured,
    WrongCertificate,
    identity_at,
    secured_client,
    secured_host,
    table_code,
)
from tests.net.rekeying import Rekeying

SECRET = b"the Queen of Hearts lies left" * 20
HTTP = b"GET / HTTP/1.1\r\nHost: table\r\n\r\n"
SSH = b"SSH-2.0-OpenSSH_9.2p1\r\n"
ZEROS = b"\x16\x03\x01\x40\x00" + bytes(0x4000)
OTHERS = (
    HTTP,
    SSH,
    b"\x00\x00\x00\x02\x91\xc0",
    b"\x16\x03\x01\x40\x00" + b"\x00" * 0x4000,
    b"\xff",
)

Secure = Callable[[trio.abc.Stream], Awaitable[Secured]]


@pytest.fixture(scope="module")
def identity(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return identity_at(tmp_path_factory.mktemp("table") / "table.pem")


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Identity:
    return identity_at(tmp_path_factory.mktemp("another") / "table.pem")


# ---------------------------------------------------------------- the identity


def test_a_table_keeps_its_certificate(tmp_path: Path) -> None:
    file = tmp_path / "games" / "table.pem"
    first = identity_at(file)
    assert identity_at(file).fingerprint == first.fingerprint
    assert identity_at(tmp_path / "other.pem").fingerprint != first.fingerprint
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_certificate_is_valid_in_any_year_and_tells_nothing_of_its_machine(
    tmp_path: Path,
) -> None:
    identity_at(tmp_path / "table.pem")
    certificate = x509.load_pem_x509_certificate((tmp_path / "table.pem").read_bytes())
    assert certificate.not_valid_before_utc.year == 1970
    assert certificate.not_valid_after_utc.year == 9999
    assert certificate.subject == certificate.issuer
    assert certificate.subject.rfc4514_string() == "CN=crisp-lan"
    key = certificate.public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    assert key.curve.name == "secp256r1"


@pytest.mark.parametrize("content", ["", "nonsense", "half"])
def test_a_file_that_is_no_certificate_is_told_of_and_left_as_it_is(
    tmp_path: Path, content: str
) -> None:
    file = tmp_path / "table.pem"
    if content == "half":
        identity_at(file)
        content = file.read_text()[:300]
    file.write_text(content)
    with pytest.raises(Unreadable) as caught:
        identity_at(file)
    assert caught.value.text.values == {"file": str(file)}
    assert file.read_text() == content


def test_a_certificate_that_does_not_fit_on_the_disk_is_not_kept_in_part(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        identity_at(tmp_path / "table.pem")
    assert list(tmp_path.iterdir()) == []


def test_the_table_code_is_twenty_digits_of_the_fingerprint() -> None:
    assert table_code("0" * 64) == "0000 0000 0000 0000 0000"
    assert table_code(f"{12345678901234567890:064x}") == "1234 5678 9012 3456 7890"
    assert table_code("f" * 64) != table_code("f" * 63 + "e")


# ---------------------------------------------------------------- two who understand each other


@asynccontextmanager
async def both(
    identity: Identity, near: trio.abc.Stream, far: trio.abc.Stream
) -> AsyncIterator[tuple[Secured, Secured]]:
    """The host's stream and the client's."""
    ends: dict[str, Secured] = {}

    async def meet(name: str, secure: Secure, stream: trio.abc.Stream) -> None:
        ends[name] = await secure(stream)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(meet, "host", partial(secured_host, identity=identity), near)
        nursery.start_soon(
            meet, "client", partial(secured_client, pinned=identity.fingerprint), far
        )
    async with ends["host"], ends["client"]:
        yield ends["host"], ends["client"]


@asynccontextmanager
async def sockets() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    """Two ends of a connection over loopback."""
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        far = await trio.open_tcp_stream("127.0.0.1", listener.socket.getsockname()[1])
        near = await listener.accept()
    async with near, far:
        yield near, far


async def read(stream: trio.abc.ReceiveStream, size: int) -> bytes:
    received = bytearray()
    while len(received) < size:
        chunk = await stream.receive_some(size - len(received))
        assert chunk, "it ended too early"
        received += chunk
    return bytes(received)


async def test_both_sides_say_and_hear_whatever_they_like(
    identity: Identity, autojump_clock: MockClock
) -> None:
    long = os.urandom(300_000)
    async with both(identity, *lockstep_stream_pair()) as (host, client):
        assert client.fingerprint == identity.fingerprint
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.send_all, long)
            nursery.start_soon(client.send_all, long[::-1])
            assert await read(client, len(long)) == long
            assert await read(host, len(long)) == long[::-1]


async def test_bytes_of_any_kind_are_sent(identity: Identity) -> None:
    async with both(identity, *memory_stream_pair()) as (host, client):
        for data in (b"", b"one", memoryview(b"two"), bytearray(b"three")):
            await host.send_all(data)
        assert await read(client, 11) == b"onetwothree"


async def test_nobody_who_listens_reads_a_word(identity: Identity) -> None:
    near, far = memory_stream_pair()
    heard = bytearray()
    async with both(identity, Tap(near, heard), far) as (host, client):
        await host.send_all(SECRET)
        assert await read(client, len(SECRET)) == SECRET
        await client.send_all(SECRET)
        assert await read(host, len(SECRET)) == SECRET
    assert len(heard) > 2 * len(SECRET)
    assert b"Queen" not in heard


class Tap(trio.abc.Stream):
    """A stream that keeps all that goes through it, and may change what comes in."""

    def __init__(
        self,
        stream: trio.abc.Stream,
        heard: bytearray,
        change: Callable[[bytes], bytes] = bytes,
        most: int | None = None,
    ) -> None:
        self._stream, self._heard, self._change, self._most = stream, heard, change, most

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        chunk = bytes(await self._stream.receive_some(self._most or max_bytes))
        self._heard += chunk
        return self._change(chunk)

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._heard += data
        await self._stream.send_all(data)

    async def wait_send_all_might_not_block(self) -> None:
        await self._stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self._stream.aclose()


async def test_what_comes_byte_by_byte_is_understood(
    identity: Identity, autojump_clock: MockClock
) -> None:
    near, far = memory_stream_pair()
    async with both(identity, Tap(near, bytearray(), most=1), far) as (host, client):
        await client.send_all(b"hello")
        assert await read(host, 5) == b"hello"


async def test_a_byte_changed_on_the_way_breaks_the_stream(identity: Identity) -> None:
    near, far = memory_stream_pair()
    changing = False

    def change(chunk: bytes) -> bytes:
        return chunk[:-1] + bytes([chunk[-1] ^ 1]) if changing else chunk

    async with both(identity, Tap(near, bytearray(), change), far) as (host, client):
        changing = True
        await client.send_all(b"draw")
        with pytest.raises(trio.BrokenResourceError):
            await host.receive_some()
        with pytest.raises(trio.BrokenResourceError):
            await host.receive_some()


async def test_who_reads_what_is_there_lets_others_have_their_turn(identity: Identity) -> None:
    async with both(identity, *memory_stream_pair()) as (host, client):
        await client.send_all(b"0123456789")
        assert await host.receive_some(1) == b"0"
        with trio.CancelScope() as scope:
            scope.cancel()
            await host.receive_some(1)
        assert scope.cancelled_caught
        assert await host.receive_some(9) == b"123456789", "nothing is lost with it"


# ---------------------------------------------------------------- keys and no words


@asynccontextmanager
async def rekeying(
    identity: Identity, keys: Path
) -> AsyncIterator[tuple[Secured, Rekeying, trio.abc.Stream]]:
    """The host's stream to a client worked by hand, and that client's stream below."""
    near, far = memory_stream_pair()
    client = Rekeying(far, keys)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.shake)
        host = await secured_host(near, identity)
    async with host, far:
        yield host, client, far


async def test_a_client_may_change_its_keys_and_ask_the_host_to(
    identity: Identity, tmp_path: Path
) -> None:
    async with rekeying(identity, tmp_path / "keys") as (host, client, far):
        for and_yours in (False, True):
            await far.send_all(client.new_keys(and_yours=and_yours) + client.record(b"draw"))
            assert await read(host, 4) == b"draw"


async def test_a_host_reads_no_more_new_keys_in_a_second_than_it_has_time_for(
    identity: Identity, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with rekeying(identity, tmp_path / "keys") as (host, client, far):
        before = trio.current_time()
        many = [client.new_keys(and_yours=False) for _ in range(4000)]
        await far.send_all(b"".join(many) + client.record(b"draw"))
        assert await read(host, 4) == b"draw"
        assert trio.current_time() - before > 1


async def test_who_asks_for_new_keys_and_nothing_else_is_cut_off(
    identity: Identity, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with rekeying(identity, tmp_path / "keys") as (host, client, far):
        await far.send_all(b"".join(client.new_keys(and_yours=True) for _ in range(2000)))
        with pytest.raises(trio.BrokenResourceError):
            await host.receive_some()


# ---------------------------------------------------------------- at once


async def test_the_socket_takes_at_once_what_it_has_room_for(identity: Identity) -> None:
    async with sockets() as ends, both(identity, *ends) as (host, client):
        assert host.send_nowait(b"show") == 4
        assert not host.unsent
        assert await read(client, 4) == b"show"
        assert client.send_nowait(b"do") == 2
        assert await read(host, 2) == b"do"


async def test_what_the_socket_has_no_room_for_is_sent_later_and_in_order(
    identity: Identity,
) -> None:
    async with sockets() as ends, both(identity, *ends) as (host, client):
        sent, piece = bytearray(), os.urandom(60_000)
        while not host.unsent:
            assert host.send_nowait(piece) == len(piece)
            sent += piece
        assert host.send_nowait(piece) == 0, "the next one would overtake"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.send_all, b"the last")
            assert await read(client, len(sent) + 8) == sent + b"the last"
        assert not host.unsent
        assert host.send_nowait(b"again") == 5
        assert await read(client, 5) == b"again"


async def test_nothing_is_taken_at_once_while_something_is_being_sent(identity: Identity) -> None:
    async with sockets() as ends, both(identity, *ends) as (host, client):
        sent = os.urandom(20_000_000)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(host.send_all, sent)
            await trio.testing.wait_all_tasks_blocked()
            assert host.send_nowait(b"overtaking") == 0
            assert await read(client, len(sent)) == sent


async def test_a_stream_without_a_socket_takes_nothing_at_once(identity: Identity) -> None:
    async with both(identity, *memory_stream_pair()) as (host, _client):
        assert host.send_nowait(b"show") == 0
        assert not host.unsent


async def test_sending_at_once_to_nobody_does_no_harm(identity: Identity) -> None:
    async with sockets() as ends, both(identity, *ends) as (host, client):
        await client.aclose()
        for _ in range(3):
            host.send_nowait(b"show")
            await trio.sleep(0.01)
        with pytest.raises(trio.BrokenResourceError):
            await host.send_all(b"")
    assert host.send_nowait(b"show") in (0, 4), "closed"


# ---------------------------------------------------------------- how it ends


async def test_who_closes_ends_the_other_side_without_a_wait(
    identity: Identity, autojump_clock: MockClock
) -> None:
    async with both(identity, *memory_stream_pair()) as (host, client):
        before = trio.current_time()
        await client.aclose()
        assert await host.receive_some() == b""
        assert trio.current_time() == before


async def test_a_goodbye_of_tls_ends_it_too(identity: Identity) -> None:
    near, far = memory_stream_pair()
    foreign = trio.SSLStream(far, client_context(), server_hostname=None)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(foreign.do_handshake)
        host = await secured_host(near, identity)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(foreign.aclose)
        assert await host.receive_some() == b""
        await host.aclose()


@pytest.mark.timed
async def test_closing_does_not_wait_for_who_does_not_read(identity: Identity) -> None:
    async with sockets() as ends, both(identity, *ends) as (host, _client):
        while not host.unsent:
            host.send_nowait(os.urandom(60_000))
        with trio.fail_after(1):
            await host.aclose()


async def test_links_converse_over_encrypted_streams(identity: Identity) -> None:
    hello, bye = Hello(PROTOCOL, "crisp-lan 0", "K7Q2", "Ayu's table"), Bye(Text("Over."))
    async with (
        sockets() as ends,
        both(identity, *ends) as (near, far),
        linked(near, "host") as host,
        linked(far, "client") as client,
    ):
        host.send_nowait(hello)
        assert await client.receive() == hello
        client.send_nowait(Hello(PROTOCOL, "crisp-lan 0"))
        assert isinstance(await host.receive(), Hello)
        host.send_nowait(bye)
        assert await client.receive() == bye
        await host.aclose()
        with pytest.raises(LinkLost):
            await client.receive()


# ---------------------------------------------------------------- who is refused


def client_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols([ALPN])
    return context


async def refused(secure: Awaitable[Secured], stream: trio.abc.Stream) -> LinkLost:
    """How it was said; the stream below is closed then."""
    with pytest.raises(LinkLost) as caught:
        await secure
    with pytest.raises(trio.ClosedResourceError):
        await stream.receive_some(1)
    return caught.value


async def test_another_certificate_is_refused_before_anything_is_said(
    identity: Identity, another: Identity
) -> None:
    near, far = memory_stream_pair()
    said = bytearray()
    lost: list[LinkLost] = []

    async def stand_in_between() -> None:
        lost.append(await refused(secured_host(Ear(near, said), another), near))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(stand_in_between)
        client = await refused(secured_client(far, identity.fingerprint), far)
    assert isinstance(client, WrongCertificate)
    assert client.text == ANOTHER
    assert lost[0].text == FOREIGN
    assert records(said) == [0x16], "where the handshake begins, and nothing after it"


class Ear(Tap):
    """Keeps what comes in alone."""

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        await self._stream.send_all(data)


def records(raw: bytes) -> list[int]:
    """The types of the records that were said."""
    kinds = []
    while raw:
        kinds.append(raw[0])
        raw = raw[5 + int.from_bytes(raw[3:5], "big") :]
    return kinds


async def test_who_types_an_address_believes_the_first_who_answers(identity: Identity) -> None:
    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(secured_host, near, identity)
        client = await secured_client(far)
    assert client.fingerprint == identity.fingerprint


@pytest.mark.parametrize("words", OTHERS, ids=["http", "ssh", "plain", "zeros", "one byte"])
@pytest.mark.parametrize("then", ["hangs up", "waits"])
async def test_a_host_lets_nobody_in_who_says(
    identity: Identity, words: bytes, then: str, autojump_clock: MockClock
) -> None:
    near, far = memory_stream_pair()
    await far.send_all(words)
    if then == "hangs up":
        await far.aclose()
    lost = await refused(secured_host(near, identity), near)
    assert lost.text in (FOREIGN, SLOW)


@pytest.mark.parametrize("words", OTHERS, ids=["http", "ssh", "plain", "zeros", "one byte"])
async def test_a_client_takes_nobody_for_a_table_who_says(
    words: bytes, autojump_clock: MockClock
) -> None:
    near, far = memory_stream_pair()
    await near.send_all(words)
    lost = await refused(secured_client(far), far)
    assert lost.text in (FOREIGN, SLOW)


async def test_who_says_nothing_is_waited_for_five_seconds(
    identity: Identity, autojump_clock: MockClock
) -> None:
    for secure in (partial(secured_host, identity=identity), secured_client):
        near, _far = memory_stream_pair()
        before = trio.current_time()
        assert (await refused(secure(near), near)).text == SLOW
        assert trio.current_time() - before == HANDSHAKE == 5


async def test_who_goes_on_for_ever_is_waited_for_five_seconds(
    identity: Identity, autojump_clock: MockClock
) -> None:
    """A byte now and then of a record that is never whole."""
    near, far = memory_stream_pair()

    async def drip() -> None:
        for byte in ZEROS:
            await far.send_all(bytes([byte]))
            await trio.sleep(0.9)

    before = trio.current_time()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(drip)
        assert (await refused(secured_host(near, identity), near)).text == SLOW
        assert trio.current_time() - before == HANDSHAKE == 5
        nursery.cancel_scope.cancel()


async def test_who_vanishes_in_the_handshake_is_lost(identity: Identity) -> None:
    async with sockets() as (near, far):
        client = trio.SSLStream(far, client_context())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(vanishing, client, far)
            assert (await refused(secured_host(near, identity), near)).text == FOREIGN


async def vanishing(client: trio.SSLStream[trio.SocketStream], far: trio.SocketStream) -> None:
    with trio.move_on_after(0):
        await client.do_handshake()
    await far.aclose()


@pytest.mark.parametrize("lacking", ["TLS 1.3", "ALPN"])
async def test_a_client_is_refused_that_lacks(identity: Identity, lacking: str) -> None:
    context = client_context()
    if lacking == "ALPN":
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    else:
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    near, far = memory_stream_pair()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hang_on, trio.SSLStream(far, context))
        assert (await refused(secured_host(near, identity), near)).text == FOREIGN


async def hang_on(stream: trio.SSLStream[trio.abc.Stream]) -> None:
    """The other side of one who should hang up."""
    with suppress(trio.BrokenResourceError):
        await stream.do_handshake()
        await stream.receive_some()
    await trio.aclose_forcefully(stream)


async def test_a_table_that_talks_of_something_else_is_none(tmp_path: Path) -> None:
    identity_at(tmp_path / "table.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "table.pem")
    context.set_alpn_protocols(["h2"])
    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(hang_on, trio.SSLStream(near, context, server_side=True))
        assert (await refused(secured_client(far), far)).text == FOREIGN


async def test_who_gives_up_the_handshake_leaves_no_open_stream(identity: Identity) -> None:
    near, _far = memory_stream_pair()
    with trio.move_on_after(0):
        await secured_host(near, identity)
    with pytest.raises(trio.ClosedResourceError):
        await near.receive_some(1)
