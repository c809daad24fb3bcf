"""Who may talk to whom: the key decides, and nothing else in a certificate does."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeAlias

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed448
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from OpenSSL import SSL, crypto
from twisted.internet.interfaces import (
    IHandshakeListener,
    IOpenSSLClientConnectionCreator,
    IOpenSSLServerConnectionCreator,
)
from twisted.internet.protocol import Factory, Protocol, connectionDone
from twisted.protocols.tls import TLSMemoryBIOFactory, TLSMemoryBIOProtocol
from twisted.python.failure import Failure
from zope.interface import implementer

from protocol.crypto.identity import Identity
from protocol.hello import write_greeting
from protocol.links import NotReached, Why
from protocol.links.frames import framed
from protocol.links.tls import Pinned, TlsFactory, certificate, key_in, peer_key
from tests.protocol.links.network import Net
from tests.protocol.links.new_keys import CIPHER, announcements, secret_in
from tests.protocol.links.party import (
    ADDRESS,
    GUEST,
    GUEST_HELLO,
    HOST,
    OTHER,
    call,
    host,
    invite,
)

Private: TypeAlias = Ed25519PrivateKey | ec.EllipticCurvePrivateKey


def private(identity: Identity) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(identity.seed)


@implementer(IOpenSSLClientConnectionCreator, IOpenSSLServerConnectionCreator)
class Anybody:
    """TLS as a stranger may speak it."""

    def __init__(
        self,
        cert: x509.Certificate | crypto.X509 | None = None,
        key: Private | None = None,
        *,
        newest: int = SSL.TLS1_3_VERSION,
    ) -> None:
        self.context = SSL.Context(SSL.TLS_METHOD)
        self.context.set_max_proto_version(newest)
        if cert is not None and key is not None:
            self.context.use_certificate(cert)
            self.context.use_privatekey(key)
        self.context.set_verify(SSL.VERIFY_PEER, lambda *_: True)

    def clientConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        return SSL.Connection(self.context, None)

    def serverConnectionForTLS(self, protocol: TLSMemoryBIOProtocol) -> SSL.Connection:
        return SSL.Connection(self.context, None)


@implementer(IHandshakeListener)
class Speaker(Protocol):
    """Says a guest's hello as soon as TLS lets it; remembers what comes back."""

    heard = b""
    secured = False
    failure: Failure | None = None

    def handshakeCompleted(self) -> None:
        self.secured = True
        assert self.transport is not None
        self.transport.write(framed(write_greeting(GUEST_HELLO)))

    def dataReceived(self, data: bytes) -> None:
        self.heard += data

    def connectionLost(self, reason: Failure = connectionDone) -> None:
        self.failure = reason


def factory_of(protocol: Protocol) -> Factory:
    factory = Factory()
    factory.buildProtocol = lambda addr: protocol  # type: ignore[method-assign]
    return factory


def guest_like(creator: Anybody | Pinned) -> tuple[Speaker, int, dict[str, int]]:
    """What a stranger hears of our host, and what the host makes of it."""
    net = Net()
    listener, links = host(net)
    speaker = Speaker()
    dials = TLSMemoryBIOFactory(
        creator, isClient=True, wrappedFactory=factory_of(speaker), clock=net
    )
    net.join(dials, listener.factory)
    net.run(20)
    return speaker, len(links), dict(listener.turned_away)


def host_like(creator: Anybody | Pinned) -> NotReached:
    """What our guest makes of a stranger at the host's address."""
    net = Net()
    listens = TLSMemoryBIOFactory(
        creator, isClient=False, wrappedFactory=factory_of(Speaker()), clock=net
    )
    net.machines[ADDRESS] = listens
    answer = call(net, invite())
    net.run(20)
    return answer.failure


Change: TypeAlias = Callable[[x509.CertificateBuilder], x509.CertificateBuilder]


def odd_certificate(
    public: Ed25519PublicKey | ec.EllipticCurvePublicKey,
    signer: Private | None = None,
    change: Change = lambda builder: builder,
) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "\x1b[31m")])
    signs = private(OTHER) if signer is None else signer
    builder = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(x509.Name([]))
        .public_key(public)
        .serial_number(77)
        .not_valid_before(datetime(1990, 1, 1, tzinfo=UTC))
        .not_valid_after(datetime(1991, 1, 1, tzinfo=UTC))
    )
    algorithm = (
        hashes.SHA256() if isinstance(signs, ec.EllipticCurvePrivateKey) else None
    )
    return change(builder).sign(signs, algorithm)


def of_no_authority(builder: x509.CertificateBuilder) -> x509.CertificateBuilder:
    return builder.add_extension(
        x509.BasicConstraints(ca=False, path_length=None), critical=True
    )


def of_an_authority(builder: x509.CertificateBuilder) -> x509.CertificateBuilder:
    return builder.add_extension(
        x509.BasicConstraints(ca=True, path_length=0), critical=True
    )


def for_mail_only(builder: x509.CertificateBuilder) -> x509.CertificateBuilder:
    usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.EMAIL_PROTECTION])
    return builder.add_extension(usage, critical=True)


def with_an_unknown_demand(
    builder: x509.CertificateBuilder,
) -> x509.CertificateBuilder:
    odd = x509.UnrecognizedExtension(x509.ObjectIdentifier("1.2.3.4.5"), b"?")
    return builder.add_extension(odd, critical=True)


def test_a_certificate_is_the_same_each_time_and_holds_the_key() -> None:
    own = certificate(private(HOST))
    assert own == certificate(private(HOST))
    assert key_in(crypto.X509.from_cryptography(own)) == HOST.key


def test_a_guest_with_a_good_certificate_comes_in() -> None:
    creator = Anybody(certificate(private(GUEST)), private(GUEST))
    speaker, links, _ = guest_like(creator)
    assert links == 1
    assert b"Da Ada" in speaker.heard


def test_the_wrong_key_at_the_hosts_address_is_found_out() -> None:
    failure = host_like(Pinned(OTHER, lambda key: True))
    assert failure.why is Why.WRONG_PIN
    assert failure.exit_code == 4
    assert "not the one that made this invitation" in failure.sentence


def test_who_shows_no_certificate_is_told_nothing() -> None:
    speaker, links, away = guest_like(Anybody())
    assert speaker.secured, "in TLS 1.3 the guest believes that it is connected"
    assert (links, speaker.heard) == (0, b"")
    assert speaker.failure is not None
    assert away == {"broken": 1}


def test_older_tls_is_refused_on_both_sides() -> None:
    creator = Anybody(
        certificate(private(GUEST)), private(GUEST), newest=SSL.TLS1_2_VERSION
    )
    speaker, links, _ = guest_like(creator)
    assert (links, speaker.heard, speaker.secured) == (0, b"", False)
    creator = Anybody(
        certificate(private(HOST)), private(HOST), newest=SSL.TLS1_2_VERSION
    )
    failure = host_like(creator)
    assert (failure.why, failure.exit_code) == (Why.FOREIGN, 4)


def test_a_key_of_another_kind_is_refused_on_both_sides() -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    creator = Anybody(odd_certificate(key.public_key(), key), key)
    speaker, links, _ = guest_like(creator)
    assert (links, speaker.heard) == (0, b"")
    assert host_like(creator).why is Why.WRONG_PIN


def test_the_hosts_own_key_does_not_come_in_as_a_guest() -> None:
    creator = Anybody(certificate(private(HOST)), private(HOST))
    speaker, links, _ = guest_like(creator)
    assert (links, speaker.heard) == (0, b"")


@pytest.mark.parametrize(
    "change",
    [
        lambda builder: builder,
        of_no_authority,
        of_an_authority,
        for_mail_only,
        with_an_unknown_demand,
    ],
)
def test_what_else_a_certificate_says_does_not_matter(change: Change) -> None:
    """It has expired, has odd names, and somebody else's key has signed it."""
    cert = odd_certificate(private(GUEST).public_key(), change=change)
    speaker, links, _ = guest_like(Anybody(cert, private(GUEST)))
    assert links == 1
    assert b"Da Ada" in speaker.heard
    net = Net()
    cert = odd_certificate(private(HOST).public_key(), change=change)
    creator = Anybody(cert, private(HOST))
    listens = TLSMemoryBIOFactory(
        creator, isClient=False, wrappedFactory=factory_of(Speaker()), clock=net
    )
    net.machines[ADDRESS] = listens
    answer = call(net, invite())
    net.run(20)
    # It spoke as a guest, so it has passed for the host as far as TLS goes.
    assert answer.failure.why is Why.FOREIGN


DAMAGES = {
    "no such version": (b"\xa0\x03\x02\x01\x02", b"\xa0\x03\x02\x01\x05"),
    "a version that goes without saying": (
        b"\xa0\x03\x02\x01\x02",
        b"\xa0\x03\x02\x01\x00",
    ),
    "the number 0": (b"\x02\x02\x01\x01", b"\x02\x02\x01\x00"),
    "a number below 0": (b"\x02\x02\x01\x01", b"\x02\x02\x01\xff"),
    "no date": (b"000101000000Z", b"xx0101000000Z"),
    "a name of other letters": (b"\x0c\x04seat", b"\x13\x04s\x00\xff\xff"),
    "another kind of signature": (
        b"\x30\x05\x06\x03\x2b\x65\x70\x30",
        b"\x30\x05\x06\x03\x2b\x65\x71\x30",
    ),
}


def damaged(identity: Identity, what: str) -> crypto.X509:
    """A certificate as no library writes it, and OpenSSL reads it all the same."""
    before, after = DAMAGES[what]
    good = certificate(private(identity)).public_bytes(Encoding.DER)
    assert before in good
    bad = good.replace(before, after, 1)
    return crypto.load_certificate(crypto.FILETYPE_ASN1, bad)


@pytest.mark.filterwarnings("ignore:Passing pyOpenSSL X509 objects:DeprecationWarning")
@pytest.mark.parametrize("what", DAMAGES)
def test_what_cannot_be_read_of_a_certificate_does_not_matter(what: str) -> None:
    cert = damaged(GUEST, what)
    assert key_in(cert) == GUEST.key
    _, links, _ = guest_like(Anybody(cert, private(GUEST)))
    assert links == 1
    failure = host_like(Anybody(damaged(HOST, what), private(HOST)))
    assert failure.why is Why.FOREIGN


def test_a_certificate_is_of_no_use_without_its_key() -> None:
    with pytest.raises(SSL.Error):
        Anybody(certificate(private(HOST)), private(OTHER))


def test_keys_that_cannot_sit_at_a_table_count_as_none() -> None:
    small = Ed25519PublicKey.from_public_bytes(bytes([1]) + bytes(31))
    assert key_in(crypto.X509.from_cryptography(odd_certificate(small))) is None
    other_curve = ed448.Ed448PrivateKey.generate().public_key()
    odd = odd_certificate(other_curve)  # type: ignore[arg-type]
    assert key_in(crypto.X509.from_cryptography(odd)) is None


def test_no_session_is_resumed_without_a_certificate() -> None:
    net = Net()
    asked: list[bytes] = []

    def accepts(key: bytes) -> bool:
        asked.append(key)
        return True

    creator = Anybody(certificate(private(GUEST)), private(GUEST))
    listens = TlsFactory(Pinned(HOST, accepts), factory_of(Speaker()), net, dials=False)
    session: SSL.Session | None = None
    for _ in range(3):
        asked.clear()
        dials = TLSMemoryBIOFactory(
            creator, isClient=True, wrappedFactory=factory_of(Speaker()), clock=net
        )
        build = dials._creatorCallable

        def resuming(
            protocol: TLSMemoryBIOProtocol,
            build: Callable[[TLSMemoryBIOProtocol], SSL.Connection] = build,
            session: SSL.Session | None = session,
        ) -> SSL.Connection:
            connection = build(protocol)
            if session is not None:
                connection.set_session(session)
            return connection

        dials._creatorCallable = resuming
        near = net.join(dials, listens)
        net.run(1)
        session = near.protocol.getHandle().get_session()
        assert session is not None
        assert set(asked) == {GUEST.key}
        assert peer_key(near.protocol) == HOST.key


def test_a_handshake_that_never_ends_is_bounded_in_bytes() -> None:
    net = Net()
    listener, links = host(net)
    near = net.join(factory_of(Protocol()), listener.factory)
    # A hello of 65,520 bytes, in records of the greatest length.
    near.write(b"\x16\x03\x01\x40\x00\x01\x00\xff\xf0" + bytes(16_380))
    net.run(0.1)
    assert near.lost
    assert links == []
    near = net.join(factory_of(Protocol()), listener.factory)
    near.write(b"\x16\x03\x01\x20\x00\x01\x00\xff\xf0" + bytes(8_188))
    net.run(0.1)
    assert not near.lost


def announces(count: int) -> bool:
    """Whether a connection is still there after so many new keys."""
    net = Net()
    listener, _ = host(net)
    stranger = Anybody(certificate(private(GUEST)), private(GUEST))
    stranger.context.set_tls13_ciphersuites(CIPHER.encode())
    lines: list[bytes] = []
    stranger.context.set_keylog_callback(lambda _, line: lines.append(line))
    quiet = Protocol()
    dials = TLSMemoryBIOFactory(
        stranger, isClient=True, wrappedFactory=factory_of(quiet), clock=net
    )
    near = net.join(dials, listener.factory)
    net.run(0.1)
    news = announcements(secret_in(lines))
    for _ in range(count):
        near.write(next(news))
    net.run(1)
    return not near.lost


def test_who_announces_new_keys_without_end_is_cut_off() -> None:
    assert announces(8)
    assert not announces(40)
    assert not announces(5_000)
