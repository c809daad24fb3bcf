"""Who sits down, and the joint coin that says where.

Every player sends a signed `Join`; the host puts the joins together as `Terms`; every
seat signs these terms as entry 0 of its chain, after checking that its own join is in
them. Then every seat opens the coin value it committed to (entry 1), and their hash is
the table id: it decides places and first dealer, and nobody could choose it (F10).

The entries before the table id exists are bound to the terms themselves: a host that
used one nonce for two tables could otherwise make an honest player, who signs two
different terms, look like a forger.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from protocol.codec import (
    Bytes,
    Int,
    ListOf,
    Malformed,
    Text,
    Value,
    decode,
    encode,
    fields,
)
from protocol.crypto.hashing import H, words
from protocol.crypto.identity import Identity, valid_key, verify
from protocol.crypto.shuffle import drawn_order
from protocol.entry import SCOPE_BYTES, SEATS_MAX, WIRE_VERSION, Entry
from protocol.faults import Signed
from protocol.room import NAME, SIDE, Present, Room, shown_names
from protocol.text import SafeText, safe_name

NONCE_BYTES = 32
POSITIONS_MAX = 45
"""So many that the proof of a shuffle fits into an entry."""
_JOIN = fields(Bytes(NONCE_BYTES), Bytes(32), NAME, SIDE, Bytes(32))


@dataclass(frozen=True, slots=True)
class Join:
    """A player's wish to sit at the table `nonce`, on `side` if it cares."""

    nonce: bytes
    key: bytes
    name: str
    side: int | None
    commitment: bytes


def write_join(
    identity: Identity, nonce: bytes, name: str, side: int | None, coin: bytes
) -> Signed:
    """The signed join of `identity`; `coin` are the 32 secret bytes opened later.

    The name is made safe before it is signed, so what peers see is what we show.
    """
    commitment = coin_commitment(nonce, identity.key, coin)
    encoded = encode((nonce, identity.key, str(safe_name(name)), side, commitment))
    return Signed(encoded, identity.sign(H("sc1.join", encoded)))


def read_join(signed: Signed) -> Join | None:
    """The join, or None if it is malformed or not signed by the key it names."""
    try:
        value = decode(signed.encoded, _JOIN)
    except Malformed:
        return None
    join = Join(*cast("tuple[bytes, bytes, str, int | None, bytes]", value))
    digest = H("sc1.join", signed.encoded)
    if not valid_key(join.key) or not verify(join.key, digest, signed.signature):
        return None
    return join


def coin_commitment(nonce: bytes, key: bytes, coin: bytes) -> bytes:
    """What a seat shows of its coin value before it shows the value."""
    return H("sc1.coin", nonce, key, coin)


@dataclass(frozen=True, slots=True)
class Terms:
    """What all seats sign first: the whole description of the match.

    `names`, `sides`, `keys` and `commitments` are in the order of the keys; a seat's
    number in the record is its rank there.
    """

    game: str
    positions: int
    suite: str
    rules: tuple[str, ...]
    names: tuple[str, ...]
    sides: tuple[int | None, ...]
    keys: tuple[bytes, ...]
    commitments: tuple[bytes, ...]

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.keys)

    def body(self) -> Value:
        """The body of entry 0."""
        return (
            self.game,
            self.positions,
            self.suite,
            WIRE_VERSION,
            self.rules,
            self.names,
            self.sides,
            self.keys,
            self.commitments,
        )

    def scope(self, nonce: bytes) -> bytes:
        """The scope of the entries before the table id exists."""
        return H("sc1.table", nonce, encode(self.body()))[:SCOPE_BYTES]

    def shown_names(self) -> tuple[SafeText, ...]:
        """The names, safe to show, by rank; no two look alike."""
        return shown_names(self.names)

    @property
    def room(self) -> Room:
        """Those who sit down by them."""
        each = zip(self.keys, self.names, self.sides, strict=True)
        return Room(self.seats, tuple(Present(*one, ready=True) for one in each))

    def has(self, join: Join) -> bool:
        """Whether this join is in the terms, unchanged."""
        if join.key not in self.keys:
            return False
        seat = self.keys.index(join.key)
        mine = (join.name, join.side, join.commitment)
        return mine == (self.names[seat], self.sides[seat], self.commitments[seat])


_LIST = (2, SEATS_MAX)
_TERMS = fields(
    Text(32),
    Int(1, POSITIONS_MAX),
    Text(32),
    Int(WIRE_VERSION, WIRE_VERSION),
    ListOf(Text(96), 0, 64),
    ListOf(NAME, *_LIST),
    ListOf(SIDE, *_LIST),
    ListOf(Bytes(32), *_LIST),
    ListOf(Bytes(32), *_LIST),
)


def read_terms(body: Value) -> Terms | None:
    """The terms in the body of entry 0, or None if they are not well formed."""
    try:
        _TERMS.check(body)
    except Malformed:
        return None
    game, positions, suite, _, rules, names, sides, keys, commitments = cast(
        "tuple[str, int, str, int, tuple[str, ...], tuple[str, ...],"
        " tuple[int | None, ...], tuple[bytes, ...], tuple[bytes, ...]]",
        body,
    )
    ordered = list(keys) == sorted(set(keys)) and list(rules) == sorted(set(rules))
    equal = len(names) == len(sides) == len(keys) == len(commitments)
    if not ordered or not equal or not all(valid_key(key) for key in keys):
        return None
    return Terms(game, positions, suite, rules, names, sides, keys, commitments)


def gather_terms(
    game: str, positions: int, suite: str, rules: Sequence[str], joins: Sequence[Join]
) -> Terms:
    """The terms that put `joins` together."""
    ranked = sorted(joins, key=lambda join: join.key)
    return Terms(
        game,
        positions,
        suite,
        tuple(sorted(rules)),
        tuple(join.name for join in ranked),
        tuple(join.side for join in ranked),
        tuple(join.key for join in ranked),
        tuple(join.commitment for join in ranked),
    )


class WaitingRoom:
    """Until all seats have signed the same terms.

    The host collects joins and proposes by signing; a guest waits for a table entry
    of the host, who is known by its key, whose terms hold its own join unchanged.
    It starts when all are there, and each is ready to play with exactly these. Of its
    places each of the `sides` has the same number; with 0 sides nobody's wish is looked
    at.
    """

    def __init__(
        self,
        own: Signed,
        *,
        seats: int,
        host: bytes,
        sides: int = 0,
    ) -> None:
        join = read_join(own)
        if join is None:
            raise ValueError(own)
        self.own = own
        self.join = join
        self._seats = seats
        self._host = host
        self._sides = sides
        self.hosting = host == join.key
        self._joins = {join.key: join}
        # The digest of the room that each is ready for.
        self._ready: dict[bytes, bytes | None] = {}

    def welcome(self, join: Join, bound: Mapping[bytes, int] | None = None) -> bool:
        """Host: take a guest's join, if there is room.

        The players in `bound` have to wish for these sides, and all others for none.
        False if there is no place, or none on the side that it wishes for.
        """
        if not self._has_place_for(join, bound):
            return False
        # A guest that comes again, after a crash, has drawn a new coin value.
        self._joins[join.key] = join
        return True

    def prepared(self, key: bytes, room: bytes | None) -> None:
        """This player is ready for a room, by its digest, or for none any more."""
        self._ready[key] = room

    def presents(self, terms: Terms) -> Room:
        """Guest: who sits down by these terms; of the host's room that is the last."""
        room = terms.room
        ranked = sorted(room.players, key=lambda one: one.key != self._host)
        return replace(room, players=tuple(ranked))

    def is_forgotten(self, entry: Entry) -> bool:
        """Guest: whether it sits there already, by a join that it has no more."""
        terms = read_terms(entry.body)
        return (
            terms is not None
            and entry.prev == self.join.nonce
            and self.join.key in terms.keys
            and not terms.has(self.join)
        )

    def leave(self, key: bytes) -> None:
        """Host: a guest has gone, and others may come in its place."""
        if key != self.join.key:
            self._joins.pop(key, None)
            self._ready.pop(key, None)

    @property
    def present(self) -> Room:
        """Host: who has come so far."""
        players = tuple(
            Present(join.key, join.name, join.side, ready=False)
            for join in self._joins.values()
        )
        room = Room(self._seats, players)
        ready = {key for key, digest in self._ready.items() if digest == room.digest}
        return replace(
            room, players=tuple(replace(p, ready=p.key in ready) for p in players)
        )

    def gathered(self) -> tuple[Join, ...] | None:
        """Host: all joins, once every place is taken and everybody is ready."""
        room = self.present
        if not room.full or not all(one.ready for one in room.players):
            return None
        return tuple(self._joins.values())

    def _has_place_for(self, join: Join, bound: Mapping[bytes, int] | None) -> bool:
        new = join.key not in self._joins
        if new and self.present.full:
            return False
        if bound is not None:
            return join.side == bound.get(join.key)
        if join.side is None or not self._sides:
            return True
        others = [one.side for key, one in self._joins.items() if key != join.key]
        return self._fits(join.side, others.count(join.side))

    def _fits(self, side: int, taken: int) -> bool:
        return side < self._sides and taken < self._seats // self._sides

    def keeps_side(self, terms: Terms) -> bool:
        """Guest: whether nobody else has its place on the side that it wishes for."""
        side = self.join.side
        if side is None or not self._sides:
            return True
        return self._fits(side, terms.sides.count(side) - 1)

    def proposed(self, entry: Entry) -> Terms | None:
        """Guest: the terms of a table entry for this table that hold the own join.

        The rules in them are for the caller to judge.
        """
        terms = read_terms(entry.body)
        if terms is None or entry.prev != self.join.nonce or not terms.has(self.join):
            return None
        if terms.seats != self._seats or entry.seat >= terms.seats:
            return None
        author = terms.keys[entry.seat]
        # The own entry comes back from the store after a restart.
        return terms if author in {self._host, self.join.key} else None


def table_id(terms: Terms, nonce: bytes, coins: Sequence[bytes]) -> bytes:
    """The table id, from the terms and every seat's coin value in seat order."""
    return H("sc1.sid", terms.scope(nonce), *coins)[:SCOPE_BYTES]


def draw(coin: bytes, label: str, count: int) -> tuple[int, ...]:
    """A fair order of 0..count-1 that the joint coin decides."""
    return drawn_order(words("sc1.coin", coin, label), count)
