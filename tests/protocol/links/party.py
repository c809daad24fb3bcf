"""A host, a guest and the figures they use, for the tests of links."""

from dataclasses import dataclass, field

from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.crypto.identity import Identity
from protocol.hello import Door, GuestHello, HostHello, program_text, table_text
from protocol.invite import Invite
from protocol.links import Link, Listener, NotReached, dial
from tests.protocol.links.network import Ear, Net, hear

HOST = Identity(b"h" * 32)
GUEST = Identity(b"g" * 32)
OTHER = Identity(b"o" * 32)
NONCE = b"n" * 32
TICKET = b"t" * 16
PROGRAM = program_text("1.2.3")
HOST_HELLO = HostHello(PROGRAM, NONCE, "suite/1", 2, ("a=1",), table_text("Da Ada"))
GUEST_HELLO = GuestHello(PROGRAM, TICKET, None)
ADDRESS = "10.0.0.1"


def invite(host: str = ADDRESS, *others: str, pin: bytes = HOST.key) -> Invite:
    return Invite(host, 4000, pin, TICKET, others)


def host(net: Net, door: Door | None = None) -> tuple[Listener, list[Link]]:
    """A host that listens at every machine of the net it is put at."""
    links: list[Link] = []
    own_door = Door(NONCE, [TICKET], places=1) if door is None else door
    listener = Listener(net, HOST, HOST_HELLO, links.append, admit=own_door.admit)
    return listener, links


@dataclass
class Answer:
    """What a call came to."""

    links: list[Link] = field(default_factory=list)
    failures: list[NotReached] = field(default_factory=list)

    @property
    def link(self) -> Link:
        assert self.failures == []
        assert len(self.links) == 1
        return self.links[0]

    @property
    def failure(self) -> NotReached:
        assert self.links == []
        assert len(self.failures) == 1
        return self.failures[0]


def answer_of(call: "Deferred[Link]") -> Answer:
    answer = Answer()

    def failed(failure: Failure) -> None:
        assert isinstance(failure.value, NotReached)
        answer.failures.append(failure.value)

    call.addCallbacks(answer.links.append, failed)
    return answer


def call(net: Net, where: Invite, identity: Identity = GUEST) -> Answer:
    return answer_of(dial(net, where, identity, GUEST_HELLO))


def connected(seed: int = 1) -> tuple[Net, Link, Ear, Link, Ear]:
    """A net on which a guest and a host have greeted each other."""
    net = Net(seed)
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    (at_host,) = links
    return net, answer.link, hear(net, answer.link), at_host, hear(net, at_host)
