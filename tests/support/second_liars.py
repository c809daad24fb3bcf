"""Liars that sign a second time what may be signed once, or what nobody may sign.

Of the catalogue of `tests.support.liars`; each is a class named by what it does.
"""

from nacl.bindings import (
    crypto_core_ed25519_scalar_add,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_reduce,
    crypto_hash_sha512,
    crypto_scalarmult_ed25519_base_noclamp,
)

from protocol.codec import Value
from protocol.crypto.identity import Identity
from protocol.entry import Entry, Kind, signed_digest
from protocol.faults import Signed
from protocol.judge import Findings
from tests.support.malice import Forged, Liar


class Repeats(Liar):
    """Signs its first entry of one kind once more, as its next one."""

    kind: Kind

    def moment(self) -> Forged | None:
        record = self.judge.record
        mine = record.logs[self.seat].entries
        said = [entry for entry in mine if entry.kind == self.kind]
        if not said or record.scope(self.seat, len(mine)) is None:
            return None
        return self.kind, said[0].body


class SignsTheTermsTwice(Repeats):
    kind = Kind.TABLE


class OpensItsCoinTwice(Repeats):
    kind = Kind.COIN


class GivesItsKeyTwice(Repeats):
    kind = Kind.KEY


class ShufflesTwice(Repeats):
    kind = Kind.SHUFFLE


class IsReadyTwice(Repeats):
    kind = Kind.READY


class RevealsTwice(Repeats):
    kind = Kind.REVEAL


class SignsItsVerdictTwice(Repeats):
    """Wants to say something else of a deal that all others have not confirmed yet."""

    kind = Kind.VERDICT

    def moment(self) -> Forged | None:
        return None if self.settled else super().moment()


class SignsAnUnknownKind(Liar):
    """Says that another has run out of time, by a kind that there is not."""

    kind = 18

    def say(self, entry: Entry) -> Findings:
        return super().say(self.resigned(entry, kind=self.kind))

    def forge(self, kind: Kind, body: Value) -> Forged | None:
        return (kind, (0, 0, bytes(16))) if kind is Kind.ACT else None


def signed_otherwise(identity: Identity, message: bytes) -> bytes:
    """Another good signature of the same bytes, by a nonce that is drawn."""
    half = bytearray(crypto_hash_sha512(identity.seed)[:32])
    half[0] &= 248
    half[31] = half[31] & 63 | 64
    secret = crypto_core_ed25519_scalar_reduce(bytes(half) + bytes(32))
    drawn = crypto_hash_sha512(b"another nonce" + message)
    nonce = crypto_core_ed25519_scalar_reduce(drawn)
    first = crypto_scalarmult_ed25519_base_noclamp(nonce)
    hashed = crypto_hash_sha512(first + identity.key + message)
    challenge = crypto_core_ed25519_scalar_reduce(hashed)
    product = crypto_core_ed25519_scalar_mul(challenge, secret)
    return first + crypto_core_ed25519_scalar_add(nonce, product)


class SignsAllTwice(Liar):
    """Has two good signatures for each of its entries; nothing else is wrong with it.

    `other` is what some of the seats get.
    """

    goes_on = True

    def other(self, signed: Signed) -> Signed:
        """The same entry under another signature."""
        self.lied = True
        digest = signed_digest(signed.encoded)
        signature = signed_otherwise(self._secrets.identity, digest)
        assert signature != signed.signature
        return Signed(signed.encoded, signature)
