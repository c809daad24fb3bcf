"""A secret that two seats share without having spoken: Diffie-Hellman of their keys.

After RFC 7748 (X25519), with the map from Ed25519 keys of libsodium, that is the
birational one of RFC 7748, section 4.1.

    (1)  K = H(sc1.meet.secret, X25519(a, B), the smaller key, the larger key, context)

Deviation: a key signs and agrees. What it signs are hashes with tags of their own, and
what comes of an agreement is hashed with another, so neither says anything about the
other.
"""

from nacl.bindings import (
    crypto_scalarmult,
    crypto_sign_ed25519_pk_to_curve25519,
    crypto_sign_ed25519_sk_to_curve25519,
    crypto_sign_seed_keypair,
)

from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity


def shared_secret(identity: Identity, key: bytes, context: bytes) -> bytes:
    """The 32 bytes that only `identity` and the owner of `key`, a valid one, know (1).

    The same on both sides, and another for each context.
    """
    _, secret = crypto_sign_seed_keypair(identity.seed)
    common = crypto_scalarmult(
        crypto_sign_ed25519_sk_to_curve25519(secret),
        crypto_sign_ed25519_pk_to_curve25519(key),
    )
    return H("sc1.meet.secret", common, *sorted((identity.key, key)), context)
