"""Four words that two people compare who have no secret yet and trust no line.

After Zimmermann, Johnston, Callas, "ZRTP: Media Path Key Agreement for Unicast Secure
RTP" (2011, RFC 6189), section 4.4.1 (hash commitment) and section 7 (short
authentication string).

    (1)  commitment = H(sc1.knock, host key, guest key, guest nonce)
    (2)  words      = the first 64 bits of
                      H(sc1.knock.words, host key, guest key, both nonces), as proquints
    (3)  ticket     = the first 16 bytes of
                      H(sc1.knock.own, host key, guest key, both nonces)

The guest sends (1), the host its nonce, the guest its own, which must open (1). TLS has
proven both keys by then. Whoever stands in between has a key of its own on one side at
least, so the two sides hash different keys; and on each side it has to give what it
chooses there before it learns what the other end adds. Its words are equal on both
screens by luck only, once in 2^64. Each try is seen by the guest's person; of those
towards the host, which may be given up unseen, only few are taken (`links/porch.py`).

Deviations: no key is agreed on, since TLS has done that; the words are of the keys and
nonces alone. The nonces are random and 32 bytes long, so (1) hides one.
"""

from dataclasses import dataclass
from typing import Final

from protocol.crypto.hashing import H
from protocol.crypto.identity import proquints

NONCE_BYTES: Final = 32
COMMITMENT_BYTES: Final = 32
TICKET_BYTES: Final = 16


def commitment(host: bytes, guest: bytes, nonce: bytes) -> bytes:
    """What a guest is bound by before it hears the host's nonce (1)."""
    return H("sc1.knock", host, guest, nonce)


@dataclass(frozen=True, slots=True)
class Exchange:
    """All that both ends know when a guest has knocked: two keys, two nonces."""

    host: bytes
    guest: bytes
    host_nonce: bytes
    guest_nonce: bytes

    @property
    def words(self) -> str:
        """What both people must read (2)."""
        return proquints(self._hash("sc1.knock.words"))

    @property
    def ticket(self) -> bytes:
        """The ticket of a guest that is let in: it was given none (3)."""
        return self._hash("sc1.knock.own")[:TICKET_BYTES]

    def _hash(self, tag: str) -> bytes:
        return H(tag, self.host, self.guest, self.host_nonce, self.guest_nonce)
