"""A client that speaks TLS 1.3 by hand: the standard library never changes its keys."""

from __future__ import annotations

import ssl
from pathlib import Path

import trio
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA384
from cryptography.hazmat.primitives.kdf.hkdf import HKDFExpand

from crisp_lan.net.secure import ALPN

APPLICATION, HANDSHAKE = 23, 22


class Rekeying:
    """`shake` once, then send what `record` and `new_keys` give. `keys`: a file for the secrets."""

    def __init__(self, stream: trio.abc.Stream, keys: Path) -> None:
        self._stream, self._keys = stream, keys
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        context.set_alpn_protocols([ALPN])
        context.keylog_filename = str(keys)
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._incoming, self._outgoing)

    async def shake(self) -> None:
        while True:
            try:
                self._tls.do_handshake()
            except ssl.SSLWantReadError:
                await self._stream.send_all(self._outgoing.read())
                self._incoming.write(await self._stream.receive_some(65_536))
            else:
                break
        await self._stream.send_all(self._outgoing.read())
        assert self._tls.cipher() == ("TLS_AES_256_GCM_SHA384", "TLSv1.3", 256)
        [line] = [
            line
            for line in self._keys.read_text().splitlines()
            if line.startswith("CLIENT_TRAFFIC_SECRET_0 ")
        ]
        self._use(bytes.fromhex(line.split()[2]))

    def record(self, content: bytes, kind: int = APPLICATION) -> bytes:
        """The content, encrypted."""
        inner = content + bytes([kind])
        header = b"\x17\x03\x03" + (len(inner) + 16).to_bytes(2, "big")
        nonce = (int.from_bytes(self._iv, "big") ^ self._count).to_bytes(12, "big")
        self._count += 1
        return header + self._key.encrypt(nonce, inner, header)

    def new_keys(self, *, and_yours: bool) -> bytes:
        """Says that new keys are used from now on, and perhaps asks the other side for its own."""
        said = self.record(b"\x18\x00\x00\x01" + bytes([and_yours]), HANDSHAKE)
        self._use(_derived(self._secret, "traffic upd", 48))
        return said

    def _use(self, secret: bytes) -> None:
        self._secret, self._count = secret, 0
        self._key = AESGCM(_derived(secret, "key", 32))
        self._iv = _derived(secret, "iv", 12)


def _derived(secret: bytes, label: str, length: int) -> bytes:
    """HKDF-Expand-Label of RFC 8446, 7.1."""
    name = b"tls13 " + label.encode()
    info = length.to_bytes(2, "big") + bytes([len(name)]) + name + b"\x00"
    return HKDFExpand(SHA384(), length, info).derive(secret)
