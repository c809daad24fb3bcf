"""A TLS 1.3 peer that does nothing but announce new keys, which no library offers.

RFC 8446, sections 4.6.3, 5.2 and 7: the records are made here, from the secret of the
traffic that the handshake has ended with.
"""

import hmac
from collections.abc import Iterator
from hashlib import sha384
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CIPHER: Final = "TLS_AES_256_GCM_SHA384"
KEY_UPDATE: Final = bytes((24, 0, 0, 1, 0))
_HANDSHAKE: Final = bytes((22,))


def secret_in(lines: list[bytes]) -> bytes:
    """The client's first secret of traffic, from the lines of a key log."""
    (line,) = [one for one in lines if one.startswith(b"CLIENT_TRAFFIC_SECRET_0 ")]
    return bytes.fromhex(line.split()[2].decode())


def announcements(secret: bytes) -> Iterator[bytes]:
    """Record after record, of a client that has sent nothing else."""
    while True:
        key, start = _expand(secret, b"key", 32), _expand(secret, b"iv", 12)
        inner = KEY_UPDATE + _HANDSHAKE
        header = bytes((23, 3, 3)) + (len(inner) + 16).to_bytes(2, "big")
        # The first record under each key, so its number is 0 and the start is as it is.
        yield header + AESGCM(key).encrypt(start, inner, header)
        secret = _expand(secret, b"traffic upd", 48)


def _expand(secret: bytes, label: bytes, size: int) -> bytes:
    """HKDF-Expand-Label, for no more than one block of the hash."""
    named = b"tls13 " + label
    info = size.to_bytes(2, "big") + bytes((len(named),)) + named + bytes(1)
    return hmac.digest(secret, info + b"\x01", sha384)[:size]
