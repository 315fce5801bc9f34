"""Streams that nobody on the network can read, and the certificate by which a table is known.

Every connection is TLS 1.3 under a certificate that the table has made for itself. Nobody vouches
for it: its SHA-256, the fingerprint, is announced with the table, and a client that knows it says
nothing to whoever shows another one. Who types an address believes whoever answers first; then both
screens can show the table code, to be compared by voice.

TLS works on bytes in memory here, and not in trio.SSLStream, so that `send_nowait` can encrypt and
hand to the socket at once what a link has to say.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import ssl
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

import trio

from crisp_lan.game.rules import Text
from crisp_lan.journal import Unreadable
from crisp_lan.net.codec import Role
from crisp_lan.net.link import PIECES, LinkLost
from crisp_lan.net.pace import Pace

Sendable: TypeAlias = bytes | bytearray | memoryview

ALPN: Final = "crisp-lan/1"
HANDSHAKE: Final = 5.0
"""Seconds within which a stream must have become an encrypted one."""
PIECE: Final = 16 * 1024
"""Bytes that a client reads at once: a TLS record is not longer by much."""
CLIENTS_PIECE: Final = 256
"""Bytes that a host reads at once. An act fits in; and of records that change keys, which cost more
to read than to write, no more than nine do, of which there are PIECES in a second."""

SLOW = Text("The other side does not answer.")
FOREIGN = Text("The other side does not speak as crisp-lan does.")
ANOTHER = Text(
    "Whoever answers there shows another certificate than this table’s, so nothing was sent."
    " Somebody may stand in between: ask the host to open the table anew, or use another network."
)


class WrongCertificate(LinkLost):
    """The other side is not the table that was meant, or somebody stands in between."""

    def __init__(self) -> None:
        super().__init__(ANOTHER)


# ---------------------------------------------------------------- a table's identity


@dataclass(frozen=True, slots=True)
class Identity:
    """What a table proves with that it is itself. `fingerprint`: SHA-256 of its certificate."""

    fingerprint: str
    context: ssl.SSLContext


def identity_at(path: Path) -> Identity:
    """The identity kept in a file, made first where there is none; for its owner's eyes alone.

    Making one takes a tenth of a second, most of it for loading. Raises Unreadable, or OSError.
    """
    if not path.exists():
        _write(path, _new_identity())
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0
    try:
        context.load_cert_chain(path)
        pem = path.read_text(encoding="ascii")
        certificate = ssl.PEM_cert_to_DER_cert(pem[pem.index(ssl.PEM_HEADER) :])
    except (ssl.SSLError, ValueError) as error:
        raise Unreadable(path, "{file} holds no certificate that can be used.") from error
    return Identity(fingerprint_of(certificate), context)


def fingerprint_of(certificate: bytes) -> str:
    """The SHA-256 of a certificate's DER form, in hex."""
    return hashlib.sha256(certificate).hexdigest()


def table_code(fingerprint: str) -> str:
    """Twenty digits to be compared by voice, in groups of four; "" of a table without any."""
    if not fingerprint:
        return ""
    digits = f"{int(fingerprint, 16) % 10**20:020}"
    return " ".join(digits[at : at + 4] for at in range(0, 20, 4))


def _new_identity() -> bytes:
    """A key and its certificate as PEM, valid whatever year a guest's clock shows."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "crisp-lan")])
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(datetime(1970, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    return secret + certificate.public_bytes(pem)


def _write(path: Path, content: bytes) -> None:
    """A new file that is whole after a power cut, or not there."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    new = path.with_suffix(".new")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(file, "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(file)
        os.replace(new, path)
    except OSError:
        new.unlink()
        raise


def _context(side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.set_alpn_protocols([ALPN])
    return context


@cache
def _client_context() -> ssl.SSLContext:
    """One that takes any certificate: which one it is, is looked at in the handshake."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


# ---------------------------------------------------------------- streams


async def open_stream(host: str, port: int, pinned: str | None = None) -> Secured:
    """A client's stream to a table. Who dials decides how long connecting may take.

    Raises LinkLost, or WrongCertificate as `secured_client` does.
    """
    try:
        stream = await trio.open_tcp_stream(host, port)
    except (OSError, ValueError, OverflowError) as error:
        where: dict[str, int | str] = {"host": host, "port": port}
        raise LinkLost(Text("{host}:{port} cannot be reached.", where)) from error
    return await secured_client(stream, pinned)


async def secured_host(stream: trio.abc.Stream, identity: Identity) -> Secured:
    """The encrypted stream to a client that has just connected. Raises LinkLost."""
    return await _shaken(Secured(stream, identity.context, "host"), None)


async def secured_client(stream: trio.abc.Stream, pinned: str | None = None) -> Secured:
    """The encrypted stream to a table, whose `fingerprint` is the pinned one if that is known.

    Raises LinkLost, or WrongCertificate before the other side has been told anything.
    """
    return await _shaken(Secured(stream, _client_context(), "client"), pinned)


async def _shaken(secured: Secured, pinned: str | None) -> Secured:
    """The stream after its handshake, or it is closed."""
    try:
        with trio.fail_after(HANDSHAKE):
            await secured.shake(pinned)
    except BaseException as error:
        await trio.aclose_forcefully(secured)
        if isinstance(error, trio.TooSlowError):
            raise LinkLost(SLOW) from error
        if isinstance(error, trio.BrokenResourceError | trio.ClosedResourceError):
            raise LinkLost(FOREIGN) from error
        raise
    return secured


class Secured(trio.abc.Stream):
    """An encrypted stream over another one. One task may send while another receives.

    It ends with the one below, without a goodbye of its own: every frame tells its length, and a
    link its Bye, so cutting it short says nothing that is not so.
    """

    def __init__(self, stream: trio.abc.Stream, context: ssl.SSLContext, role: Role) -> None:
        self.transport_stream = stream
        self.fingerprint = ""
        hosting = role == "host"
        self._socket = _plain_socket(stream)
        self._piece = CLIENTS_PIECE if hosting else PIECE
        self._pace = Pace(PIECES, PIECES) if hosting else None
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=hosting)
        self._unsent = b""

    async def shake(self, pinned: str | None) -> None:
        """The handshake. A client hears the certificate first, and may stop before it answers.

        Raises BrokenResourceError, or WrongCertificate.
        """
        while not self._met():
            await self._flush()
            if not await self._more():
                raise trio.BrokenResourceError
        if self._tls.selected_alpn_protocol() != ALPN:
            raise trio.BrokenResourceError
        if (certificate := self._tls.getpeercert(binary_form=True)) is not None:
            self.fingerprint = fingerprint_of(certificate)
        if pinned is not None and not _same(self.fingerprint, pinned):
            raise WrongCertificate
        await self._flush()

    def _met(self) -> bool:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        except ssl.SSLError as error:
            raise trio.BrokenResourceError from error
        return True

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self._incoming.pending or self._tls.pending():
            await trio.lowlevel.checkpoint()
        while True:
            try:
                return self._tls.read(max_bytes or PIECE)
            except ssl.SSLWantReadError:
                if not await self._more():
                    return b""
            except ssl.SSLZeroReturnError:
                return b""
            except ssl.SSLError as error:
                raise trio.BrokenResourceError from error

    async def send_all(self, data: Sendable) -> None:
        try:
            if data:
                self._tls.write(data)
        except ssl.SSLError as error:
            raise trio.BrokenResourceError from error
        await self._flush()

    def send_nowait(self, data: Sendable) -> int:
        """Sends at once, if nothing is being sent; returns how many of the bytes it took.

        Some that it took may be `unsent`: then `send_all`, of nothing or of more, comes next.
        """
        if self._socket is None or self._unsent:
            return 0
        taken = 0
        with suppress(OSError):  # what is wrong is left for `send_all` to find
            taken = self._tls.write(data)
            self._unsent = self._outgoing.read()
            self._unsent = self._unsent[os.write(self._socket.fileno(), self._unsent) :]
        return taken

    @property
    def peer(self) -> tuple[str, ...]:
        """The address of the other side, if there is one still."""
        with suppress(OSError):
            if isinstance(self.transport_stream, trio.SocketStream):
                return (str(self.transport_stream.socket.getpeername()[0]),)
        return ()

    @property
    def unsent(self) -> bool:
        """Whether bytes were taken that have not gone yet."""
        return bool(self._unsent)

    async def wait_send_all_might_not_block(self) -> None:
        await self.transport_stream.wait_send_all_might_not_block()

    async def aclose(self) -> None:
        await self.transport_stream.aclose()

    async def _more(self) -> bool:
        """Hears the other side; False when that has ended."""
        if self._outgoing.pending > PIECE:  # it asks for new keys and nothing else
            raise trio.BrokenResourceError
        if self._pace is not None:
            await self._pace.wait()
        chunk = await self.transport_stream.receive_some(self._piece)
        self._incoming.write(chunk)
        return bool(chunk)

    async def _flush(self) -> None:
        while self._unsent or self._outgoing.pending:
            self._unsent += self._outgoing.read()
            await self.transport_stream.send_all(self._unsent)
            self._unsent = b""


def _same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode(errors="replace"))


def _plain_socket(stream: trio.abc.Stream) -> trio.socket.SocketType | None:
    """The socket to write to like a file, where a stream has one and sockets are like files."""
    if isinstance(stream, trio.SocketStream) and os.name == "posix":
        return stream.socket
    return None
