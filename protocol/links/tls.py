"""TLS 1.3 on both sides with certificates that nobody has signed: the key is all.

A certificate is made anew at every start from a seat's Ed25519 key; names, dates and
signature in it mean nothing, and what a peer's say is not looked at. TLS itself proves
that the peer holds the key in its certificate, and that key is compared with the
invitation's, or shown to whoever decides about admission. No certificate authority, no
host name, no session that could be resumed without a certificate.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, cast

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.x509.oid import NameOID
from OpenSSL import SSL, crypto
from twisted.internet.interfaces import (
    IAddress,
    IOpenSSLClientConnectionCreator,
    IOpenSSLServerConnectionCreator,
    IProtocol,
    IReactorTime,
    ITCPTransport,
    ITransport,
)
from twisted.internet.protocol import Factory
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.crypto.identity import Identity, valid_key

HANDSHAKE_BYTES_MAX: Final = 16_384
"""All that is read of a connection before its handshake is done."""

HANDSHAKE_STEPS_MAX: Final = 128
"""As OpenSSL counts: the handshake takes some thirty, each new key after it four."""

_NAME = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "seat")])
# Any dates do; these need no clock.
_SINCE = datetime(2000, 1, 1, tzinfo=UTC)
_UNTIL = datetime(2100, 1, 1, tzinfo=UTC)


def certificate(private: Ed25519PrivateKey) -> x509.Certificate:
    """The self-signed certificate of a key; the same each time."""
    return (
        x509.CertificateBuilder()
        .subject_name(_NAME)
        .issuer_name(_NAME)
        .public_key(private.public_key())
        .serial_number(1)
        .not_valid_before(_SINCE)
        .not_valid_after(_UNTIL)
        .sign(private, None)
    )


def key_in(cert: crypto.X509) -> bytes | None:
    """The 32 bytes of the Ed25519 key in a certificate, or None if it has none.

    A key that could not sit at a table counts as none. Nothing but the key is read:
    what else a stranger's certificate says may be such that reading it fails.
    """
    try:
        public = cert.get_pubkey().to_cryptography_key()
    except (crypto.Error, ValueError, UnsupportedAlgorithm):
        return None
    if not isinstance(public, Ed25519PublicKey):
        return None
    key = public.public_bytes_raw()
    return key if valid_key(key) else None


def peer_key(transport: object) -> bytes | None:
    """The key that the peer on a TLS transport has proven to hold."""
    wrapper = cast("TLSMemoryBIOProtocol", transport)
    cert = wrapper.getPeerCertificate()
    return None if cert is None else key_in(cert)


def is_tls_failure(failure: Failure) -> bool:
    """Whether a connection ended because one side's TLS did not like the other's."""
    return failure.check(SSL.Error) is not None


@implementer(IOpenSSLClientConnectionCreator, IOpenSSLServerConnectionCreator)
class Pinned:
    """TLS connections of `identity` to peers whose key `accepts` accepts."""

    def __init__(self, identity: Identity, accepts: Callable[[bytes], bool]) -> None:
        private = Ed25519PrivateKey.from_private_bytes(identity.seed)
        context = SSL.Context(SSL.TLS_METHOD)
        context.set_min_proto_version(SSL.TLS1_3_VERSION)
        context.set_session_cache_mode(SSL.SESS_CACHE_OFF)
        context.set_options(SSL.OP_NO_TICKET)
        context.use_certificate(certificate(private))
        context.use_privatekey(private)
        context.set_verify(
            SSL.VERIFY_PEER | SSL.VERIFY_FAIL_IF_NO_PEER_CERT, self._verify
        )
        context.set_info_callback(_count_step)
        self.refused = False
        self._accepts = accepts
        self._context = context

    def clientConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        connection = SSL.Connection(self._context, None)
        connection.set_app_data(protocol)
        return connection

    def serverConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        return self.clientConnectionForTLS(protocol)

    def _verify(
        self,
        connection: SSL.Connection,
        cert: crypto.X509,
        error: int,
        depth: int,
        fine: int,
    ) -> bool:
        """OpenSSL asks about each certificate and each thing that is odd about it.

        Only the peer's own matters: what else it sends, nobody has asked for.
        """
        if depth != 0:
            return True
        key = key_in(cert)
        accepted = key is not None and self._accepts(key)
        self.refused |= not accepted
        return accepted


def _count_step(connection: SSL.Connection, where: int, _code: int) -> None:
    """OpenSSL tells of each step of a handshake, and of what is like one after it."""
    protocol = connection.get_app_data()
    if where & SSL.SSL_CB_LOOP and isinstance(protocol, _BoundedTls):
        protocol.handshake_steps += 1


class _BoundedTls(TLSMemoryBIOProtocol):
    """TLS that reads only so much of a peer that does not finish its handshake.

    Nor does it bear with one that never stops asking for new keys: that is work, and
    answers to whoever does not read them, which no limit of a link sees.

    Not the transport that gathers small writes: its buffer would hide from a link how
    much is unsent.
    """

    handshake_steps = 0
    _read = 0

    def makeConnection(self, transport: ITransport) -> None:
        if ITCPTransport.providedBy(transport):
            transport.setTcpNoDelay(True)
            transport.setTcpKeepAlive(True)
        TLSMemoryBIOProtocol.makeConnection(self, transport)

    def dataReceived(self, bytes: bytes) -> None:  # noqa: A002 - Twisted's
        if not self._handshakeDone:
            self._read += len(bytes)
            if self._read > HANDSHAKE_BYTES_MAX:
                TLSMemoryBIOProtocol.abortConnection(self)
                return
        TLSMemoryBIOProtocol.dataReceived(self, bytes)
        if self.handshake_steps > HANDSHAKE_STEPS_MAX and not self._aborted:
            TLSMemoryBIOProtocol.abortConnection(self)


_wrap: Callable[["TlsFactory", IProtocol], TLSMemoryBIOProtocol] = _BoundedTls


class TlsFactory(TLSMemoryBIOFactory):
    """Wraps the protocols of `wrapped` in pinned TLS; it may have none to wrap."""

    def __init__(
        self, pinned: Pinned, wrapped: Factory, clock: IReactorTime, *, dials: bool
    ) -> None:
        super().__init__(pinned, dials, wrapped, clock)

    def buildProtocol(self, addr: IAddress | None) -> TLSMemoryBIOProtocol | None:  # type: ignore[override]
        inner = self.wrappedFactory.buildProtocol(addr)
        return None if inner is None else _wrap(self, inner)
