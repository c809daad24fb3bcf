"""The Mesh: all links of one seat, and what each peer on them still lacks.

Links are only pipes. A new one starts with both sides saying what they hold (`HAVE`);
from then on each sends what the other lacks, its own entries and everybody else's, so a
dropped link, a killed process and a new address are one case. What travels:

    JOIN   [0, join, signature]            a guest to its host
    HAVE   [1, answer?, scope, [[count, head]..]]
                                           of which table, how much of each chain, and
                                           its last id
    ENTRY  [2, entry, signature]
    PROOF  [3, [[entry, signature]..]]     what proves a fault
    ASK    [4, seat, from]                 send that seat's chain again, from a number
    NOTE   [5, note, signature]            of a seat that has come back, or to it
    NEWS   [6, news, signature]            where a seat is called, or whom it hears
    CHAT   [7, chat, signature]            what a player has written; kept by nobody
    ROOM   [8, seats, [[key, name, side, ready]..]]
                                           of a host: who has come, before the terms
    READY  [9, room or null]               of a guest: it would play with exactly these,
                                           named by the hash of the room, or is not
                                           ready any more
    FULL   [10, why]                       of a host: no place for who has joined
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from operator import ge
from typing import cast

from protocol.bodies import NOTE_BYTES_MAX
from protocol.chat import CHAT_BYTES_MAX
from protocol.codec import (
    ENTRY_BYTES_MAX,
    Bytes,
    Fields,
    Int,
    ListOf,
    Malformed,
    OneOf,
    Value,
    decode,
    encode,
    fields,
)
from protocol.entry import ENTRIES_MAX, SCOPE_BYTES, SEATS_MAX, entry_id
from protocol.faults import Fault, LinkFault, Signed
from protocol.news import NEWS_BYTES_MAX
from protocol.record import Record
from protocol.resumption import Resumption
from protocol.room import READY, Declined, Room, read_room, room_shape
from protocol.step import Frame
from protocol.whereabouts import Hearsay

FRAME_BYTES_MAX = 65_536
_GAVE_MAX = 4096


class Say(IntEnum):
    """What a frame is; the numbers are the wire's and are never used again."""

    JOIN = 0
    HAVE = 1
    ENTRY = 2
    PROOF = 3
    ASK = 4
    NOTE = 5
    NEWS = 6
    CHAT = 7
    ROOM = 8
    READY = 9
    FULL = 10


def _is(what: Say) -> Int:
    return Int(what, what)


_SIGNED = (Bytes(0, ENTRY_BYTES_MAX), Bytes(64))
_SHAPES: dict[int, Fields] = {
    Say.JOIN: fields(_is(Say.JOIN), *_SIGNED),
    Say.HAVE: fields(
        _is(Say.HAVE),
        Int(0, 1),
        Bytes(SCOPE_BYTES),
        ListOf(fields(Int(0, ENTRIES_MAX), Bytes(32)), 2, SEATS_MAX),
    ),
    Say.ENTRY: fields(_is(Say.ENTRY), *_SIGNED),
    Say.PROOF: fields(_is(Say.PROOF), ListOf(fields(*_SIGNED), 1, 2)),
    Say.ASK: fields(_is(Say.ASK), Int(0, SEATS_MAX - 1), Int(0, ENTRIES_MAX)),
    Say.NOTE: fields(_is(Say.NOTE), Bytes(0, NOTE_BYTES_MAX), Bytes(64)),
    Say.NEWS: fields(_is(Say.NEWS), Bytes(0, NEWS_BYTES_MAX), Bytes(64)),
    Say.CHAT: fields(_is(Say.CHAT), Bytes(0, CHAT_BYTES_MAX), Bytes(64)),
    Say.ROOM: room_shape(_is(Say.ROOM)),
    Say.READY: fields(_is(Say.READY), READY),
    Say.FULL: fields(_is(Say.FULL), Int(Declined.SIDE, Declined.PERSON)),
}
_MESSAGE = OneOf(_SHAPES)


@dataclass(frozen=True, slots=True)
class JoinCame:
    """A guest wishes to sit down."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class EntryCame:
    """An entry from a peer, to be judged."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class ProofCame:
    """The entries that are said to prove a fault."""

    signed: tuple[Signed, ...]


@dataclass(frozen=True, slots=True)
class NoteCame:
    """A note of who has come back, or to it."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class NewsCame:
    """Where a seat is to be called, or whom it hears."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class ChatCame:
    """A player has written something."""

    signed: Signed


@dataclass(frozen=True, slots=True)
class RoomCame:
    """A host says who has come."""

    room: Room


@dataclass(frozen=True, slots=True)
class ReadyCame:
    """A guest is ready for a room, by its digest, or for none any more."""

    room: bytes | None


@dataclass(frozen=True, slots=True)
class FullCame:
    """A host has no place for who has joined."""

    why: Declined


Message = (
    JoinCame
    | EntryCame
    | ProofCame
    | NoteCame
    | NewsCame
    | ChatCame
    | RoomCame
    | ReadyCame
    | FullCame
)


@dataclass(slots=True)
class _Peer:
    """What the peer on a link holds, as far as it has said or been told.

    Until it has said so `have` is empty, and nothing is sent; one that joins has none.
    `said` is what it held when it last said so, whatever it was sent since.
    """

    have: list[int] = field(default_factory=list)
    said: list[int] = field(default_factory=list)
    joined: bool = False
    awaits_answer: bool = False
    proofs: int = 0
    asked: set[int] = field(default_factory=set)
    gave: set[bytes] = field(default_factory=set)
    noted: set[tuple[Signed, Signed]] = field(default_factory=set)
    told: set[Signed] = field(default_factory=set)
    room: Room | None = None


class Mesh:
    """The links of one seat; it has no record before the terms are agreed."""

    def __init__(self) -> None:
        self._peers: dict[int, _Peer] = {}
        self._record: Record | None = None
        self._resumption: Resumption | None = None
        self._whereabouts: Hearsay | None = None
        self._proofs: list[tuple[Signed, ...]] = []
        self._disputed: set[bytes] = set()

    def hold(
        self,
        record: Record,
        resumption: Resumption | None = None,
        whereabouts: Hearsay | None = None,
    ) -> tuple[Frame, ...]:
        """Begin to spread a record: say on every link what of it is here.

        Without the others nothing is sent but entries and proofs.
        """
        self._record, self._resumption = record, resumption
        self._whereabouts = whereabouts
        for peer in self._peers.values():
            peer.have = [0] * len(record.keys) if peer.joined else []
        return tuple(self._say_have(link, answer=True) for link in self._peers)

    def connect(self, link: int) -> tuple[Frame, ...]:
        """A link is open, for the first time or again."""
        self._peers[link] = _Peer()
        if self._record is None:
            return ()
        return (self._say_have(link, answer=False),)

    def owe_all(self, link: int) -> None:
        """Whoever is on this link lacks everything, and knows no terms to say so."""
        self._owe_all(self._peers[link])

    def _owe_all(self, peer: _Peer) -> None:
        peer.joined = True
        if self._record is not None and not peer.have:
            peer.have = [0] * len(self._record.keys)

    def disconnect(self, link: int) -> None:
        """A link is gone; its peer will say again what it holds."""
        self._peers.pop(link, None)

    def ask(self) -> tuple[Frame, ...]:
        """Say on every link what is here, and ask what is there."""
        if self._record is None:
            return ()
        return tuple(self._say_have(link, answer=True) for link in self._peers)

    def holders(self) -> frozenset[int]:
        """The links on which somebody has said to hold all that is here."""
        if self._record is None:
            return frozenset()
        counts = list(self._record.counts())
        return frozenset(
            link for link, peer in self._peers.items() if peer.said == counts
        )

    def join(self, link: int, signed: Signed) -> Frame:
        """A guest's wish to sit down, for its host."""
        return Frame(link, encode((int(Say.JOIN), *signed)))

    def tell_room(self, room: Room) -> tuple[Frame, ...]:
        """Tell all who have joined who has come, unless they were told that last."""
        data = encode((int(Say.ROOM), *room.body()))
        frames = []
        for link, peer in self._peers.items():
            if peer.joined and peer.room != room:
                peer.room = room
                frames.append(Frame(link, data))
        return tuple(frames)

    def say_ready(self, room: bytes | None) -> tuple[Frame, ...]:
        """Say what room the own player is ready for, if for any."""
        data = encode((int(Say.READY), room))
        return tuple(Frame(link, data) for link in self._peers)

    def say_full(self, link: int, why: Declined) -> Frame:
        """Say to a guest that there is no place for it."""
        return Frame(link, encode((int(Say.FULL), int(why))))

    def pass_on(self, chat: Signed, came_on: int | None) -> tuple[Frame, ...]:
        """A message for all links but that on which it came; it is sent once."""
        data = encode((int(Say.CHAT), *chat))
        return tuple(Frame(link, data) for link in self._peers if link != came_on)

    def remember(self, faults: Iterable[Fault]) -> None:
        """Keep what proves these faults, to be sent on every link, now and later."""
        self._proofs.extend(fault.evidence[:2] for fault in faults)

    def receive(self, link: int, data: bytes) -> Message | LinkFault | None:
        """Take a frame in: what it asks of the seat, or what is wrong with it."""
        peer = self._peers.get(link)
        if peer is None:
            return None
        try:
            message = decode(data, _MESSAGE, size_max=FRAME_BYTES_MAX)
        except Malformed:
            return LinkFault("a frame that is no message of this version")
        kind, *rest = cast("tuple[Value, ...]", message)
        match kind:
            case Say.ROOM:
                return RoomCame(read_room(rest))
            case Say.READY:
                return ReadyCame(cast("bytes | None", rest[0]))
            case Say.FULL:
                return FullCame(Declined(cast("int", rest[0])))
            case _:
                return self._take(peer, cast("int", kind), rest)

    def _take(
        self, peer: _Peer, kind: int, rest: Sequence[Value]
    ) -> Message | LinkFault | None:
        match kind:
            case Say.JOIN:
                self._owe_all(peer)
                return JoinCame(_signed(rest))
            case Say.ENTRY:
                signed = _signed(rest)
                if len(peer.gave) < _GAVE_MAX:
                    peer.gave.add(entry_id(signed))
                return EntryCame(signed)
            case Say.PROOF:
                pairs = cast("Sequence[Sequence[Value]]", rest[0])
                return ProofCame(tuple(_signed(pair) for pair in pairs))
            case Say.HAVE:
                return self._heard_have(peer, rest)
            case Say.NOTE | Say.CHAT:
                came = NoteCame if kind == Say.NOTE else ChatCame
                return came(_signed(rest))
            case Say.NEWS:
                news = _signed(rest)
                if self._whereabouts is not None:
                    peer.told.add(news)
                return NewsCame(news)
            case _:
                _heard_ask(peer, *cast("tuple[int, int]", tuple(rest)))
                return None

    def _heard_have(self, peer: _Peer, rest: Sequence[Value]) -> LinkFault | None:
        answer, scope, held = cast(
            "tuple[int, bytes, tuple[tuple[int, bytes], ...]]", tuple(rest)
        )
        record = self._record
        if record is None:
            return None
        if scope != record.table_scope or len(held) != len(record.keys):
            return LinkFault("a peer at another table")
        peer.have = [count for count, _ in held]
        peer.awaits_answer = answer == 1
        for seat, (count, head) in enumerate(held):
            log = record.logs[seat]
            if count <= len(log.entries) and log.head(count) != head:
                # Two chains of one seat: its entries, one by one, will prove the fork.
                peer.have[seat] = 0
                peer.asked.add(seat)
        peer.said = list(peer.have)
        # It may have had no table for what came before, or have let go of it.
        peer.noted.clear()
        peer.told.clear()
        peer.proofs = 0
        return None

    def spread(self) -> tuple[Frame, ...]:
        """What every peer lacks and can be sent now."""
        record = self._record
        if record is None:
            return ()
        frames: list[Frame] = []
        doubts = self._new_doubts(record) or record.lacking()
        for link, peer in self._peers.items():
            if peer.awaits_answer:
                peer.awaits_answer = False
                frames.append(self._say_have(link, answer=False))
            frames += [
                Frame(link, encode((int(Say.ASK), seat, 0)))
                for seat in sorted(peer.asked)
            ]
            peer.asked.clear()
            if doubts:
                frames.append(self._say_have(link, answer=True))
            frames += self._lacking(record, link, peer)
            if peer.have:
                frames += self._beside(link, peer)
        return tuple(frames)

    def _beside(self, link: int, peer: _Peer) -> list[Frame]:
        """The proofs, and the notes and news that count, not sent to this peer yet.

        A note that answers another question than it did is sent again.
        """
        frames = []
        for proof in self._proofs[peer.proofs :]:
            pairs = tuple(tuple(signed) for signed in proof)
            frames.append(Frame(link, encode((int(Say.PROOF), pairs))))
        peer.proofs = len(self._proofs)
        threads = self._resumption.threads if self._resumption else ()
        now = [(thread[0], note) for thread in threads for note in thread]
        for pair in now:
            if pair not in peer.noted:
                frames.append(Frame(link, encode((int(Say.NOTE), *pair[1]))))
        peer.noted = set(now)
        news = self._whereabouts.news if self._whereabouts else ()
        for signed in news:
            if signed not in peer.told:
                frames.append(Frame(link, encode((int(Say.NEWS), *signed))))
        peer.told = set(news)
        return frames

    def _lacking(self, record: Record, link: int, peer: _Peer) -> list[Frame]:
        frames: list[Frame] = []
        counts = record.counts()
        if all(map(ge, peer.have, counts)):
            return frames
        # In the order of their numbers, so that what an entry names comes before it.
        for seq in range(min(peer.have), max(counts)):
            for seat, log in enumerate(record.logs):
                if peer.have[seat] == seq < counts[seat]:
                    peer.have[seat] += 1
                    signed = log.entries[seq].signed
                    if log.entries[seq].id in peer.gave:
                        peer.gave.discard(log.entries[seq].id)
                        continue
                    frames.append(Frame(link, encode((int(Say.ENTRY), *signed))))
        return frames

    def _new_doubts(self, record: Record) -> bool:
        """Whether an entry now waits because it names other chains than ours (F5)."""
        fresh = {entry.id for entry in record.disputed()} - self._disputed
        self._disputed |= fresh
        return bool(fresh)

    def _say_have(self, link: int, *, answer: bool) -> Frame:
        record = cast("Record", self._record)
        held = tuple(
            (len(log.entries), log.head(len(log.entries))) for log in record.logs
        )
        return Frame(
            link, encode((int(Say.HAVE), int(answer), record.table_scope, held))
        )


def _heard_ask(peer: _Peer, seat: int, start: int) -> None:
    if seat < len(peer.have):
        peer.have[seat] = min(start, peer.have[seat])


def _signed(pair: Sequence[Value]) -> Signed:
    return Signed(*cast("tuple[bytes, bytes]", tuple(pair)))
