"""Who a seat is: an Ed25519 key pair, its signatures, and words to know a key by.

After RFC 8032, section 5.1 (Ed25519), and Wilkerson, "A Proposal for Proquints:
Identifiers that are Readable, Spellable, and Pronounceable" (2009, arXiv 0901.4016).

    (1)  key_words(key) = the first 64 bits of H(sc1.words, key) as four proquints

Deviations. RFC 8032 leaves the verifier a choice; ours is libsodium's and no other:
without cofactor, S < L, no key or R of small order, no key that is not reduced. One
signature at a time, since a batch would follow the other rule. A seat's key must
moreover lie in the prime-order subgroup, where it has one encoding and no companions.
"""

from dataclasses import dataclass, field
from typing import Final

from nacl.bindings import crypto_sign, crypto_sign_open, crypto_sign_seed_keypair
from nacl.exceptions import BadSignatureError

from protocol.crypto.group import EDWARDS
from protocol.crypto.hashing import H

KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_CONSONANTS: Final = "bdfghjklmnprstvz"
_VOWELS: Final = "aiou"


@dataclass(frozen=True, slots=True)
class Identity:
    """The right to sign as one seat; its seed never leaves this value's owner."""

    seed: bytes = field(repr=False)
    key: bytes = field(init=False, compare=False)
    _secret: bytes = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        key, secret = crypto_sign_seed_keypair(self.seed)
        object.__setattr__(self, "key", key)
        object.__setattr__(self, "_secret", secret)

    def sign(self, message: bytes) -> bytes:
        """The 64-byte signature of a message; the same each time."""
        return crypto_sign(message, self._secret)[:SIGNATURE_BYTES]


def verify(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the key's owner signed the message; any bytes may be asked about."""
    if len(key) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        crypto_sign_open(signature + message, key)
    except BadSignatureError:
        return False
    return True


def valid_key(key: bytes) -> bool:
    """Whether a key may sit at a table: canonical and in the prime-order subgroup."""
    return EDWARDS.decode(key) is not None


def key_words(key: bytes) -> str:
    """A key as four pronounceable words, to be compared by eye or by ear (1)."""
    return proquints(H("sc1.words", key))


def proquints(digest: bytes) -> str:
    """The first 64 bits of a hash as four words."""
    return "-".join(
        _proquint(int.from_bytes(digest[at : at + 2], "big")) for at in range(0, 8, 2)
    )


def _proquint(word: int) -> str:
    return "".join(
        (
            _CONSONANTS[word >> 12],
            _VOWELS[word >> 10 & 3],
            _CONSONANTS[word >> 6 & 15],
            _VOWELS[word >> 4 & 3],
            _CONSONANTS[word & 15],
        )
    )
