"""Meshes joined by links that a test cuts, mends, doubles and reorders."""

from random import Random

from protocol.chat import Chat, sign_chat
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.entry import Entry, Kind
from protocol.faults import Blame, Fault, LinkFault, Reason, Signed
from protocol.mesh import (
    ChatCame,
    EntryCame,
    FullCame,
    JoinCame,
    Mesh,
    NewsCame,
    ProofCame,
    ReadyCame,
    RoomCame,
)
from protocol.record import Record
from protocol.resumption import Resumption
from protocol.room import Declined, Present, Room
from protocol.step import Frame
from protocol.whereabouts import Whereabouts

NONCE = bytes(32)
SEATS = tuple(Identity(bytes((seat,)) * 32) for seat in (1, 2, 3))
KEYS = tuple(identity.key for identity in SEATS)


class Peer:
    """A mesh with a record that takes every sound entry without judging it."""

    def __init__(self, seat: int, *, holding: bool = True) -> None:
        self.seat = seat
        self.record = Record(KEYS, NONCE, b"t" * 16)
        self.record.settle(b"i" * 16)
        self.resumption = Resumption(self.record, SEATS[seat], seat, None)
        self.whereabouts = Whereabouts(self.record, SEATS[seat], seat)
        self.mesh = Mesh()
        self.outbox: list[Frame] = []
        self.holding = False
        if holding:
            self.hold()

    def hold(self) -> None:
        self.holding = True
        self.outbox += self.mesh.hold(self.record, self.resumption, self.whereabouts)

    def write(self, kind: Kind = Kind.COMMIT) -> Entry:
        entry = self.record.write(SEATS[self.seat], self.seat, kind, ())
        self.record.add(entry)
        self.outbox += self.mesh.spread()
        return entry

    def take(self, link: int, data: bytes) -> object:
        message = self.mesh.receive(link, data)
        if isinstance(message, EntryCame | ProofCame) and self.holding:
            came = message.signed
            for signed in (came,) if isinstance(came, Signed) else came:
                fault = self.record.offer(signed)
                if isinstance(fault, Fault):
                    self.record.close(fault)
                    self.mesh.remember([fault])
            moved = True
            while moved:
                moved = False
                for seat in range(len(KEYS)):
                    entry = self.record.ready(seat)
                    if isinstance(entry, Entry):
                        self.record.add(entry)
                        moved = True
                    elif isinstance(entry, Fault) and not self.record.logs[seat].closed:
                        self.record.close(entry)
                        self.mesh.remember([entry])
        if isinstance(message, NewsCame) and self.holding:
            fault = self.whereabouts.hear(message.signed)
            assert fault is None
        self.outbox += self.mesh.spread()
        return message


class Net:
    """Peers and the links between them, named by the number of the far peer."""

    def __init__(self, *links: tuple[int, int], peers: int = 3) -> None:
        self.peers = [Peer(seat) for seat in range(peers)]
        self.links: set[tuple[int, int]] = set()
        self.sent = 0
        for link in links:
            self.join(*link)

    def join(self, first: int, second: int) -> None:
        self.links |= {(first, second), (second, first)}
        self.peers[first].outbox += self.peers[first].mesh.connect(second)
        self.peers[second].outbox += self.peers[second].mesh.connect(first)

    def cut(self, first: int, second: int) -> None:
        self.links -= {(first, second), (second, first)}
        self.peers[first].mesh.disconnect(second)
        self.peers[second].mesh.disconnect(first)

    def settle(self, luck: Random | None = None) -> None:
        for _ in range(5000):
            waiting = [
                (peer.seat, frame) for peer in self.peers for frame in peer.outbox
            ]
            for peer in self.peers:
                peer.outbox.clear()
            if not waiting:
                return
            if luck:
                waiting += luck.sample(waiting, len(waiting) // 3)
                luck.shuffle(waiting)
            for sender, frame in waiting:
                if (sender, frame.link) in self.links:
                    self.sent += 1
                    self.peers[frame.link].take(sender, frame.data)
        raise AssertionError("the meshes did not come to rest")

    def counts(self) -> set[tuple[int, ...]]:
        return {peer.record.counts() for peer in self.peers}


def test_what_one_writes_reaches_all_over_a_hub() -> None:
    net = Net((0, 1), (0, 2))
    net.peers[1].write(Kind.TABLE)
    net.settle()
    assert net.counts() == {(0, 1, 0)}


def test_a_chain_of_links_carries_everything_to_its_end() -> None:
    net = Net((0, 1), (1, 2))
    for _ in range(5):
        net.peers[0].write()
        net.peers[2].write()
        net.settle()
    assert net.counts() == {(5, 0, 5)}


def test_a_link_that_comes_back_fills_the_gaps_and_sends_nothing_twice() -> None:
    net = Net((0, 1), (0, 2))
    for _ in range(10):
        net.peers[1].write()
    net.settle()
    net.cut(0, 2)
    for _ in range(3):
        net.peers[1].write()
        net.peers[2].write()
    net.settle()
    assert len(net.counts()) == 2
    sent = net.sent
    net.join(0, 2)
    net.settle()
    assert net.counts() == {(0, 13, 3)}
    # Two have-vectors, three entries each way over the link, three on to seat 1.
    assert net.sent - sent <= 2 + 3 + 3 + 3


def test_who_is_asked_says_what_it_holds_and_being_sent_is_no_proof() -> None:
    net = Net((0, 1), (0, 2))
    net.settle()
    hub = net.peers[0]
    assert hub.mesh.holders() == {1, 2}
    hub.write()
    assert hub.mesh.holders() == frozenset()
    net.settle()
    assert hub.mesh.holders() == frozenset()
    hub.outbox += hub.mesh.ask()
    net.settle()
    assert hub.mesh.holders() == {1, 2}
    assert net.peers[1].mesh.holders() == {0}
    net.cut(0, 2)
    assert hub.mesh.holders() == {1}


def test_a_peer_that_had_nothing_when_its_link_opened_still_gets_all() -> None:
    net = Net(peers=2)
    net.peers.append(Peer(2, holding=False))
    net.join(0, 1)
    net.join(0, 2)
    net.peers[1].write(Kind.TABLE)
    net.settle()
    assert net.peers[2].record.counts() == (0, 0, 0)
    net.peers[2].hold()
    net.settle()
    assert net.counts() == {(0, 1, 0)}


def test_doubled_and_reordered_frames_come_to_the_same_record() -> None:
    for seed in range(20):
        luck = Random(seed)
        net = Net((0, 1), (1, 2), (0, 2))
        for _ in range(12):
            net.peers[luck.randrange(3)].write()
            if luck.random() < 0.5:
                net.settle(luck)
        net.settle(luck)
        assert len(net.counts()) == 1, seed
        ids = {
            tuple(entry.id for log in peer.record.logs for entry in log.entries)
            for peer in net.peers
        }
        assert len(ids) == 1, seed


def test_two_stories_told_to_two_peers_are_found_where_the_chains_meet() -> None:
    # X6: seat 2 signs two different entries, one for each of the others.
    net = Net((0, 1))
    liar = Record(KEYS, NONCE, b"t" * 16)
    one = liar.write(SEATS[2], 2, Kind.TABLE, ("one",))
    two = liar.write(SEATS[2], 2, Kind.TABLE, ("two",))
    for peer, entry in ((net.peers[0], one), (net.peers[1], two)):
        assert peer.record.offer(entry.signed) is None
        ready = peer.record.ready(2)
        assert isinstance(ready, Entry)
        peer.record.add(ready)
    # Each goes on in its own view, so the other cannot judge what it writes.
    net.peers[0].write(Kind.TABLE)
    net.peers[1].write(Kind.TABLE)
    net.settle()
    for peer in net.peers[:2]:
        evidence = peer.record.logs[2].evidence
        assert set(evidence) == {one.signed, two.signed}


def test_proof_of_a_fault_is_flooded_and_sent_on_every_new_link() -> None:
    net = Net((0, 1))
    liar = Record(KEYS, NONCE, b"t" * 16)
    pair = tuple(
        liar.write(SEATS[1], 1, Kind.TABLE, (word,)).signed for word in ("one", "two")
    )
    fault = Fault(1, Blame.FORK, Reason.FORKED, pair)
    net.peers[0].record.close(fault)
    net.peers[0].mesh.remember([fault])
    net.join(0, 2)
    net.settle()
    assert set(net.peers[2].record.logs[1].evidence) == set(pair)


def test_a_join_travels_as_it_was_signed() -> None:
    net = Net((0, 1))
    signed = Signed(b"a join", bytes(64))
    frame = net.peers[1].mesh.join(0, signed)
    assert net.peers[0].take(1, frame.data) == JoinCame(signed)


def test_rubbish_on_a_link_is_the_links_fault_and_changes_nothing() -> None:
    net = Net((0, 1))
    rubbish = [
        b"",
        b"\xc1",
        encode(()),
        encode((11,)),
        encode((9, 1)),
        encode((8, 3, ())),
        encode((8, 7, ((bytes(32), "ada", None, 1),))),
        encode((8, 3, ((bytes(32), "ada", None, 2),))),
        encode((8, 3, ((bytes(31), "ada", None, 1),))),
        encode((8, 3, ((bytes(32), "a" * 193, None, 1),))),
        encode((8, 3, ((bytes(32), "ada", 6, 1),))),
        encode((8, 3, ((bytes(32), "ada", None, 1),) * 7)),
        encode((10,)),
        encode((10, 2)),
        encode((9,)),
        encode((9, b"room")),
        encode((1, 0)),
        encode((2, b"entry", b"short")),
        encode((3, ())),
        encode((4, 6, 0)),
        encode((1, 0, b"t" * 16, ((0, NONCE), (0, NONCE)))),
        encode((1, 0, b"o" * 16, ((0, NONCE),) * 3)),
        encode(("0", b"", bytes(64))),
    ]
    for data in rubbish:
        assert isinstance(net.peers[0].take(1, data), LinkFault), data
    assert net.counts() == {(0, 0, 0)}


def test_who_has_joined_is_told_who_has_come_once_as_it_is_now() -> None:
    host, guest = Mesh(), Mesh()
    for mesh in (host, guest):
        mesh.connect(0)
    one = Room(3, (Present(KEYS[0], "ada", None, ready=False),))
    assert host.tell_room(one) == ()
    host.receive(0, guest.join(0, Signed(b"", bytes(64))).data)
    (frame,) = host.tell_room(one)
    assert guest.receive(0, frame.data) == RoomCame(one)
    assert host.tell_room(one) == ()
    two = Room(3, (*one.players, Present(KEYS[1], "bea", 1, ready=True)))
    (frame,) = host.tell_room(two)
    assert guest.receive(0, frame.data) == RoomCame(two)


def test_a_guest_says_that_it_is_ready_and_a_host_that_a_side_is_full() -> None:
    mesh = Mesh()
    for link in (0, 1):
        mesh.connect(link)
    for room in (bytes(32), None):
        first, second = mesh.say_ready(room)
        assert (first.link, second.link) == (0, 1)
        assert mesh.receive(0, first.data) == ReadyCame(room)
    for why in Declined:
        assert mesh.receive(0, mesh.say_full(0, why).data) == FullCame(why)


def test_frames_of_a_link_that_is_gone_are_not_looked_at() -> None:
    net = Net((0, 1))
    frame = net.peers[1].mesh.join(0, Signed(b"", bytes(64)))
    net.cut(0, 1)
    assert net.peers[0].take(1, frame.data) is None


def places(peer: Peer) -> dict[int, int]:
    """Where a peer believes the others to be, by port."""
    found = {seat: peer.whereabouts.where(seat) for seat in range(3)}
    return {seat: where.port for seat, where in found.items() if where}


def test_news_pass_through_a_hub_and_the_newest_reaches_all() -> None:
    net = Net((0, 1), (0, 2))
    net.settle()
    for port in (4000, 4001):
        net.peers[1].whereabouts.is_at(port, ("10.0.0.1",))
        net.peers[1].outbox += net.peers[1].mesh.spread()
    net.settle(Random(1))
    assert [places(peer) for peer in net.peers] == [{1: 4001}] * 3


def test_news_are_sent_once_on_a_link_and_not_back_where_they_came_from() -> None:
    net = Net((0, 1), (0, 2), (1, 2))
    net.settle()
    net.sent = 0
    net.peers[1].whereabouts.is_at(4000, ("10.0.0.1",))
    net.peers[1].outbox += net.peers[1].mesh.spread()
    net.settle()
    # From 1 to both, and each of them, who cannot know it yet, to the other.
    assert net.sent == 4


def test_who_sits_down_later_or_comes_again_gets_the_news() -> None:
    net = Net((0, 1))
    net.settle()
    net.peers[0].whereabouts.is_at(4000, ("10.0.0.1",))
    net.peers[0].outbox += net.peers[0].mesh.spread()
    late = Peer(2, holding=False)
    net.peers[2] = late
    net.join(0, 2)
    net.settle()
    assert places(late) == {}
    late.hold()
    net.settle()
    assert places(late) == {0: 4000}
    net.cut(0, 1)
    net.peers[0].whereabouts.is_at(4001, ("10.0.0.1",))
    net.join(0, 1)
    net.settle()
    assert places(net.peers[1]) == {0: 4001}


def test_a_chat_message_goes_once_to_everybody_but_where_it_came_from() -> None:
    net = Net((0, 1), (0, 2))
    net.settle()
    chat = sign_chat(SEATS[1], Chat(b"t" * 16, 1, 1, "ciao"))
    (frame,) = net.peers[1].mesh.pass_on(chat, None)
    assert net.peers[0].mesh.receive(1, frame.data) == ChatCame(chat)
    assert net.peers[0].mesh.pass_on(chat, 1) == (Frame(2, frame.data),)
    late = Mesh()
    late.hold(net.peers[2].record, net.peers[2].resumption, net.peers[2].whereabouts)
    assert not [one for one in (*late.connect(0), *late.spread()) if one == frame]
