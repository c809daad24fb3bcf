"""The making of one deck: commit, key, shuffle and proof by every seat, ready.

    commit  H(seed)                     any time after the deck's turn has come
    key     X = xG, proof of x          after all commits
    shuffle the deck, permuted and      seat by seat, after all keys and the shuffle
            masked anew                 before it
    proof   that the shuffle is one     after the own shuffle; the next seat need not
                                        wait for it
    ready   which deal it is for        after all keys

A deck is dealt from when the proof of every shuffle stands, so a false one is refused
before the first card is seen; the replay is the second net.

Everything here is public. Each check judges an entry in the view that it names (D4,
F5) and answers with a `Reason` to blame its author, with `Work` whose result decides,
or with None.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from protocol.bodies import Key, Proof, Shuffle, said
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
from protocol.crypto.shuffle_proof import (
    check_shuffle,
    decode_shuffle_proof,
    prove_shuffle,
)
from protocol.entry import Entry, Kind
from protocol.faults import Reason


@dataclass(frozen=True, slots=True)
class Work:
    """A calculation that a check waits for; see `Task` for which are patient."""

    call: Callable[..., object]
    arguments: tuple[object, ...]
    patient: bool = False


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
        self.proof_entries: list[Entry | None] = [None] * seats
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
    def proofs(self) -> int:
        """Of how many shuffles the proof stands."""
        return sum(entry is not None for entry in self.proof_entries)

    @property
    def proven(self) -> bool:
        """Whether the proof of every shuffle stands."""
        return None not in self.proof_entries

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

    def check(
        self, entry: Entry, plan: bytes | None, since: Sequence[Entry] = ()
    ) -> Check:
        """Whether a well-formed entry of one of the five kinds may stand.

        `plan` is what the deck is for in the entry's view; None if that is not
        settled there. `since` is what has changed it: before, nobody was ready for it.
        """
        match entry.kind:
            case Kind.COMMIT:
                return Reason.TWICE if self.commits[entry.seat] else None
            case Kind.KEY:
                return self._check_key(entry)
            case Kind.SHUFFLE:
                return self._check_shuffle(entry)
            case Kind.PROOF:
                return self._check_proof(entry)
            case _:
                return self._check_ready(entry, plan, since)

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

    def _check_proof(self, entry: Entry) -> Check:
        stage = entry.seat
        if self.proof_entries[stage]:
            return Reason.TWICE
        if stage >= len(self.stages):
            return Reason.OUT_OF_ORDER
        _, shuffle_id, encoded = said(entry, Proof)
        if shuffle_id != self.stage_entries[stage].id:
            return Reason.MALFORMED
        decks = self.input_deck(stage), self.stages[stage]
        context = self.contexts[stage]
        arguments = (self.suite, self.joint, *decks, context, encoded)
        return Work(_read_proof, arguments, patient=True)

    def _check_ready(
        self, entry: Entry, plan: bytes | None, since: Sequence[Entry]
    ) -> Check:
        if self.is_ready(entry.seat, since):
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
            case Kind.PROOF:
                if result is not True:
                    return Reason.FALSE_PROOF
                self.proof_entries[entry.seat] = entry
            case _:
                self.readies[entry.seat].append(entry)
        return None

    def proven_in(self, view: Entry) -> bool:
        """Whether, in the view of an entry, the proof of every shuffle stands."""
        return all_covered(view, self.proof_entries)

    def is_ready(self, seat: int, since: Sequence[Entry] = ()) -> bool:
        """Whether a seat is ready for what the deck is for since these entries."""
        return any(all_covered(one, since) for one in self.readies[seat])

    def ready_in(self, view: Entry, since: Sequence[Entry] = ()) -> bool:
        """Whether, in the view of an entry, the deck is proven and all are ready."""
        return self.proven_in(view) and all(
            any(view.covers(one) and all_covered(one, since) for one in mine)
            for mine in self.readies
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


def make_proof(shuffling: Shuffling, seat: int, seed: bytes) -> tuple[Value, bool]:
    """The body of `proof`; that it holds need not be found out."""
    proof = prove_shuffle(
        shuffling.suite,
        shuffling.joint,
        shuffling.input_deck(seat),
        shuffling.stages[seat],
        shuffling.contexts[seat],
        seed,
    )
    shuffle_id = shuffling.stage_entries[seat].id
    return (shuffling.number, shuffle_id, proof.encode()), True


def _read_proof(
    suite: Suite,
    joint: Point,
    before: Deck,
    after: Deck,
    context: bytes,
    encoded: bytes,
) -> bool:
    proof = decode_shuffle_proof(suite, encoded, len(before))
    if proof is None:
        return False
    return check_shuffle(suite, joint, before, after, context, proof)


def _read_key(
    suite: Suite, context: bytes, encoded: bytes, proof_bytes: bytes
) -> Point | None:
    key = suite.decode(encoded)
    proof = decode_key_proof(suite, proof_bytes)
    if key is None or proof is None or not check_key(suite, context, key, proof):
        return None
    return key
