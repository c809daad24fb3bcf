"""The making of one deck: commit, key, shuffle by every seat, ready.

    commit  H(seed)                     any time after the deck's turn has come
    key     X = xG, proof of x          after all commits
    shuffle the deck, permuted and      seat by seat, after all keys and the shuffle
            masked anew                 before it
    ready   which deal it is for        after all keys

Everything here is public. Each check judges an entry in the view that it names (D4,
F5) and answers with a `Reason` to blame its author, with `Work` whose result decides,
or with None. The slot for a proof of each shuffle is between `shuffle` and `ready`;
wire version 1 leaves it empty, and a false shuffle is found by the replay (D16).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from protocol.bodies import Key, Shuffle, said
from protocol.codec import Value
from protocol.crypto.group import Point, Suite
from protocol.crypto.hashing import H
from protocol.crypto.proofs import check_key, decode_key_proof, prove_key
from protocol.crypto.shuffle import (
    Deck,
    commitment,
    context,
    decode_deck,
    encode_deck,
    first_deck,
    joint_key,
    remask,
    secret_key,
)
from protocol.entry import Entry, Kind
from protocol.faults import Reason


@dataclass(frozen=True, slots=True)
class Work:
    """A calculation that a check waits for."""

    call: Callable[..., object]
    arguments: tuple[object, ...]


Check = Reason | Work | None


class Shuffling:
    """Deck number `number` of the match `table_id`, as far as it is made."""

    def __init__(
        self, suite: Suite, table_id: bytes, number: int, seats: int, positions: int
    ) -> None:
        self.suite = suite
        self.number = number
        self.positions = positions
        self.contexts = tuple(
            context(table_id, number, seats, positions, seat) for seat in range(seats)
        )
        self.commits: list[Entry | None] = [None] * seats
        self.key_entries: list[Entry | None] = [None] * seats
        self.keys: list[Point | None] = [None] * seats
        self.stage_entries: list[Entry] = []
        self.stages: list[Deck] = []
        self.readies: list[list[Entry]] = [[] for _ in range(seats)]
        self._joint: Point | None = None

    @property
    def seats(self) -> int:
        """How many seats make the deck."""
        return len(self.contexts)

    @property
    def keyed(self) -> bool:
        """Whether every seat has given its key."""
        return None not in self.key_entries

    @property
    def shuffled(self) -> bool:
        """Whether every seat has shuffled."""
        return len(self.stages) == self.seats

    @property
    def joint(self) -> Point:
        """The sum of all keys."""
        if self._joint is None:
            keys = [key for key in self.keys if key is not None]
            self._joint = joint_key(self.suite, keys)
        return self._joint

    def input_deck(self, stage: int) -> Deck:
        """What the seat of this stage shuffles."""
        if stage:
            return self.stages[stage - 1]
        return first_deck(self.suite, self.joint, self.positions)

    def check(self, entry: Entry, plan: bytes | None) -> Check:
        """Whether a well-formed entry of one of the four kinds may stand.

        `plan` is what the deck is for in the entry's view; None if that is not
        settled there.
        """
        match entry.kind:
            case Kind.COMMIT:
                return Reason.TWICE if self.commits[entry.seat] else None
            case Kind.KEY:
                return self._check_key(entry)
            case Kind.SHUFFLE:
                return self._check_shuffle(entry)
            case _:
                return self._check_ready(entry, plan)

    def _check_key(self, entry: Entry) -> Check:
        if self.key_entries[entry.seat]:
            return Reason.TWICE
        if not all_covered(entry, self.commits):
            return Reason.OUT_OF_ORDER
        _, encoded, proof = said(entry, Key)
        context = self.contexts[entry.seat]
        return Work(_read_key, (self.suite, context, encoded, proof))

    def _check_shuffle(self, entry: Entry) -> Check:
        stage = entry.seat
        if stage < len(self.stages):
            return Reason.TWICE
        before = (
            self.stage_entries[stage - 1] if 0 < stage <= len(self.stages) else None
        )
        if not all_covered(entry, self.key_entries):
            return Reason.OUT_OF_ORDER
        if stage and (before is None or not entry.covers(before)):
            return Reason.OUT_OF_ORDER
        _, key_ids, input_id, encoded = said(entry, Shuffle)
        if key_ids != entry_ids(self.key_entries):
            return Reason.MALFORMED
        if input_id != (before.id if before else None):
            return Reason.MALFORMED
        return Work(decode_deck, (self.suite, encoded, self.positions))

    def _check_ready(self, entry: Entry, plan: bytes | None) -> Check:
        if self.readies[entry.seat]:
            return Reason.TWICE
        if plan is None or not all_covered(entry, self.key_entries):
            return Reason.OUT_OF_ORDER
        return None

    def accept(self, entry: Entry, result: object) -> Reason | None:
        """Let the entry stand, given the result of its work; or blame its author."""
        match entry.kind:
            case Kind.COMMIT:
                self.commits[entry.seat] = entry
            case Kind.KEY:
                if not isinstance(result, Point):
                    return Reason.WRONG_KEY
                self.key_entries[entry.seat] = entry
                self.keys[entry.seat] = result
            case Kind.SHUFFLE:
                if not isinstance(result, tuple):
                    return Reason.WRONG_SHUFFLE
                self.stage_entries.append(entry)
                self.stages.append(result)
            case _:
                self.readies[entry.seat].append(entry)
        return None

    def ready_in(self, view: Entry) -> bool:
        """Whether, in the view of an entry, the deck is made and all are ready."""
        return (
            self.shuffled
            and all_covered(view, self.stage_entries)
            and all(any(view.covers(e) for e in mine) for mine in self.readies)
        )


def all_covered(view: Entry, entries: Sequence[Entry | None]) -> bool:
    """Whether the author of `view` had seen every one of these, and all are here."""
    return all(entry is not None and view.covers(entry) for entry in entries)


def entry_ids(entries: Sequence[Entry | None]) -> tuple[bytes, ...]:
    """The ids of entries that are all here."""
    return tuple(entry.id for entry in entries if entry is not None)


def plan_hash(number: int, plan: bytes) -> bytes:
    """What `ready` says: deck `number` is for this plan (D6)."""
    return H("sc1.plan", number, plan)


def commit_body(shuffling: Shuffling, seat: int, seed: bytes) -> Value:
    """This seat's commitment to its seed."""
    return (shuffling.number, commitment(shuffling.contexts[seat], seed))


def make_key(
    suite: Suite, number: int, context: bytes, seed: bytes
) -> tuple[Value, Point]:
    """The body of `key`, and the key."""
    secret = secret_key(suite, context, seed)
    key = suite.base(secret)
    proof = prove_key(suite, context, seed, secret, key)
    return (number, key.encoded, proof.encode()), key


def make_shuffle(
    shuffling: Shuffling, joint: Point, deck: Deck, seat: int, seed: bytes
) -> tuple[Value, Deck]:
    """The body of `shuffle`, and the deck in it."""
    suite, context = shuffling.suite, shuffling.contexts[seat]
    shuffled = remask(suite, joint, deck, context, seed)
    before = shuffling.stage_entries[seat - 1].id if seat else None
    ids = entry_ids(shuffling.key_entries)
    return (shuffling.number, ids, before, encode_deck(shuffled)), shuffled


def _read_key(
    suite: Suite, context: bytes, encoded: bytes, proof_bytes: bytes
) -> Point | None:
    key = suite.decode(encoded)
    proof = decode_key_proof(suite, proof_bytes)
    if key is None or proof is None or not check_key(suite, context, key, proof):
        return None
    return key
