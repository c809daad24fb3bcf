"""One dealt deck: who may see which position, its shares, openings and reveals.

To deal a position to a seat every other seat posts its share of it; the owner's own
missing share keeps it private. Face up, every seat posts one. Opening a position is
posting the last share, as part of an act. Everything here is public, and an entry is
judged in the view that it names: `plays_in` counts the acts its author had seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from protocol.bodies import Act, Commit, Reveal, Shares, Spoiled, said
from protocol.crypto.group import Point, Suite
from protocol.crypto.hashing import H
from protocol.crypto.proofs import Statement
from protocol.crypto.shuffle import deck_hash, open_value
from protocol.entry import Entry, Kind
from protocol.faults import Reason
from protocol.game import FACE_UP, Game, Refusal
from protocol.openings import opens_seed, read_shares
from protocol.replay import Replayed, replayed
from protocol.shuffling import Check, Shuffling, Work
from protocol.voids import Voids

VOIDING: Final = frozenset({Kind.VOID, Kind.REFUSE})


@dataclass(frozen=True, slots=True)
class Broken:
    """An entry refused by the game, with the game's word for it."""

    reason: Reason
    sentence: str


class Deck:
    """A finished shuffle with the game that is played on it."""

    def __init__(self, shuffling: Shuffling, game: Game) -> None:
        self.shuffling = shuffling
        self.suite: Suite = shuffling.suite
        self.pairs = shuffling.stages[-1]
        self.id = deck_hash(shuffling.joint, self.pairs)
        # After each act: the game as it stood then, and with what was opened since.
        self._before_opening: list[Game] = [game]
        self._games: list[Game] = [game]
        self.acts: list[Entry] = []
        self.share_entries: dict[tuple[int, int], Entry] = {}
        self._shares: dict[int, dict[int, Point]] = {}
        self.opened: dict[int, int] = {}
        # Entries that opened something which is no card, or a card seen already.
        self.spoiled: list[Entry] = []
        self.reveals: dict[int, Entry] = {}
        self.replayed: Replayed | None = None
        self.verdicts: dict[int, Entry] = {}
        self.voids = Voids(shuffling.seats)
        # Whether all face-up cards due so far are open; and whether something in the
        # deck opened to no card, or to one seen already.
        self.stands = False
        self.lost = False
        self._due = [_due(game, 0)]
        # The values that had been opened by each number of acts.
        self._seen: list[frozenset[int]] = [frozenset()]
        # What was asked for before: plans by round or acts, values by all shares.
        self._plans: dict[tuple[int, int], bytes] = {}
        self._values_of: dict[tuple[object, ...], int | None] = {}
        self._settle()

    @property
    def number(self) -> int:
        """The deck's number in its match."""
        return self.shuffling.number

    @property
    def game(self) -> Game:
        """The game as everybody sees it now."""
        return self._games[-1]

    @property
    def games(self) -> Sequence[Game]:
        """The game before any act and after each."""
        return self._games

    @property
    def void(self) -> bool:
        """Whether all have agreed that the deal does not count."""
        return bool(self.voids.agreed())

    @property
    def over(self) -> bool:
        """Whether nothing more is played: by rule, by agreement, or it is spoiled."""
        return self.lost or self.void or self.game.over() is not None

    @property
    def bound(self) -> frozenset[int]:
        """The seats that have called the deal void and may say no more about it."""
        seats, plays = range(self.shuffling.seats), len(self.acts)
        return frozenset(at for at in seats if self.voids.is_bound(at, plays))

    @property
    def verified(self) -> bool:
        """Whether the deck has been replayed from its seeds and found right."""
        return self.replayed is not None and not self.replayed.false

    # -- views ---------------------------------------------------------------

    def plays_in(self, view: Entry) -> int:
        """How many acts the author of `view` had seen."""
        # Every act covers the one before, so the last one that is covered tells.
        count = len(self.acts)
        while count and not view.covers(self.acts[count - 1]):
            count -= 1
        return count

    def game_in(self, view: Entry) -> Game:
        """The game in the view of an entry."""
        plays = self.plays_in(view)
        if self.stands_in(view):
            return self._games[plays]
        return self._before_opening[plays]

    def over_in(self, view: Entry) -> bool:
        """Whether the deck was finished, void or spoiled, in that view."""
        if self.spoiled_in(view) or self.voids.agreed(view):
            return True
        game = self._games[self.plays_in(view)]
        return self.stands_in(view) and game.over() is not None

    def spoiled_in(self, view: Entry) -> bool:
        """Whether something that is no card had been opened in that view."""
        if any(view.covers(entry) for entry in self.spoiled):
            return True
        return self.stands_in(view) and any(
            position not in self.opened for position in self._due_in(view).face_up
        )

    def stands_in(self, view: Entry | None) -> bool:
        """Whether all face-up cards due are open: in a view, or now."""
        for number in self._due_in(view).shown:
            for seat in range(self.shuffling.seats):
                entry = self.share_entries.get((number, seat))
                if entry is None or not (view is None or view.covers(entry)):
                    return False
        return True

    def _opened_in(self, view: Entry) -> set[int]:
        """The values that had been opened in that view."""
        seen = set(self._seen[self.plays_in(view)])
        if self.stands_in(view):
            face_up = self._due_in(view).face_up
            seen.update(self.opened[at] for at in face_up if at in self.opened)
        return seen

    def _due_in(self, view: Entry | None) -> "_Due":
        """What is dealt, in a view or now."""
        return self._due[-1 if view is None else self.plays_in(view)]

    def _settle(self) -> None:
        """What stands and what is lost, after an entry has been folded in."""
        self.stands = self.stands_in(None)
        shut = (at not in self.opened for at in self._due_in(None).face_up)
        self.lost = bool(self.spoiled) or (self.stands and any(shut))

    # -- shares --------------------------------------------------------------

    def owed_positions(self, number: int, seat: int) -> tuple[int, ...]:
        """The positions of round `number` of which `seat` owes its share."""
        game = self.game
        rounds = game.rounds()
        start = rounds[number - 1].end if number else 0
        owners = game.owners()
        return tuple(
            at for at in range(start, rounds[number].end) if owners[at] != seat
        )

    def owed_rounds(self, seat: int) -> list[int]:
        """The rounds that are due and of which `seat` has not given its shares."""
        return [
            number
            for number in range(len(self._due_in(None).rounds))
            if (number, seat) not in self.share_entries
            and self.owed_positions(number, seat)
        ]

    def shares_of(self, position: int) -> dict[int, Point]:
        """The shares given so far of a position, by seat."""
        return self._shares.get(position, {})

    def owned_by(self, seat: int) -> list[int]:
        """The positions dealt to `seat` so far."""
        owners = self._due_in(None).owners
        return [at for at, owner in enumerate(owners) if owner == seat]

    def statement(
        self, kind: Kind, number: int, seat: int, positions: Sequence[int]
    ) -> Statement:
        """What a proof is about; `number` is the round, or the count of acts before.

        Plan and deck are in it and nowhere else on the wire (F17, D26).
        """
        plays = number
        if kind is Kind.SHARES:
            plays = self.game.rounds()[number].due
        return Statement(
            self.shuffling.contexts[seat],
            cast("Point", self.shuffling.keys[seat]),
            self.id,
            int(kind),
            number,
            self._plan(number, plays),
            tuple(positions),
        )

    def _plan(self, number: int, plays: int) -> bytes:
        """What round `number`, or an act after so many, is about after `plays` acts."""
        plan = self._plans.get((number, plays))
        if plan is None:
            game = self._before_opening[plays]
            owners = bytes(owner + 1 for owner in game.owners())
            parts = (number, game.plan(), owners, game.digest())
            plan = H("sc1.plan", self.number, *parts)
            self._plans[number, plays] = plan
        return plan

    # -- checks --------------------------------------------------------------

    def check(self, entry: Entry) -> Check:
        """Whether a well-formed entry about this deck may stand."""
        if entry.seat in self.reveals:
            # Who has revealed its seed has nothing more to say about the deck.
            return Reason.TWICE if entry.kind == Kind.REVEAL else Reason.OUT_OF_ORDER
        if entry.kind == Kind.REVEAL:
            return self._check_reveal(entry)
        if entry.kind in VOIDING:
            return self._check_void(entry)
        if self.voids.is_bound(entry.seat, self.plays_in(entry), entry):
            return Reason.VOIDED
        match entry.kind:
            case Kind.SHARES:
                return self._check_shares(entry)
            case Kind.ACT:
                return self._check_act(entry)
            case _:
                return self._check_spoiled(entry)

    def accept(self, entry: Entry, result: object) -> Reason | Broken | None:
        """Let the entry stand, given the result of its work; or blame its author."""
        refused: Reason | Broken | None
        match entry.kind:
            case Kind.SHARES:
                refused = self._accept_shares(entry, result)
            case Kind.ACT:
                refused = self._accept_act(entry, result)
            case Kind.SPOILED:
                refused = self._accept_spoiled(entry, result)
            case Kind.REVEAL:
                return self._accept_reveal(entry, result)
            case _:
                self.voids.accept(entry)
                refused = None
        if refused is None:
            self._settle()
        return refused

    def _accept_reveal(self, entry: Entry, result: object) -> Reason | None:
        if result is not True:
            return Reason.WRONG_SEED
        self.reveals[entry.seat] = entry
        return None

    def _check_shares(self, entry: Entry) -> Check:
        _, number, encoded, proof = said(entry, Shares)
        if (number, entry.seat) in self.share_entries:
            return Reason.TWICE
        if number >= len(self._due_in(entry).rounds):
            return Reason.OUT_OF_ORDER
        positions = self.owed_positions(number, entry.seat)
        if not positions or len(encoded) != len(positions):
            return Reason.MALFORMED
        return self._proof_work(entry, Kind.SHARES, number, positions, encoded, proof)

    def _proof_work(
        self,
        entry: Entry,
        kind: Kind,
        number: int,
        positions: Sequence[int],
        encoded: Sequence[bytes],
        proof: bytes,
    ) -> Work:
        statement = self.statement(kind, number, entry.seat, positions)
        masked = tuple(self.pairs[at][0] for at in positions)
        return Work(read_shares, (self.suite, statement, masked, encoded, proof))

    def _accept_shares(self, entry: Entry, result: object) -> Reason | None:
        if not isinstance(result, tuple):
            return Reason.WRONG_SHARE
        number = said(entry, Shares).round
        positions = self.owed_positions(number, entry.seat)
        self.share_entries[number, entry.seat] = entry
        for position, part in zip(positions, result, strict=True):
            self._shares.setdefault(position, {})[entry.seat] = part
        self._open_face_up()
        return None

    def _open_face_up(self) -> None:
        """Open every face-up position whose shares are complete."""
        for position in self._due_in(None).face_up:
            parts = self.shares_of(position)
            if position in self.opened:
                continue
            if len(parts) < self.shuffling.seats:
                return
            value = self.value_of(position, list(parts.values()))
            if value is None or value in self.opened.values():
                return
            known = self.game.opened({position: value})
            if isinstance(known, Refusal):
                return
            self.opened[position] = value
            self._games[-1] = known

    def value_of(self, position: int, parts: Sequence[Point]) -> int | None:
        """The value of a position under all its shares; None if it is no card."""
        asked = (position, *parts)
        if asked not in self._values_of:
            masked = self.pairs[position][1]
            value = open_value(self.suite, masked, parts, self.shuffling.positions)
            self._values_of[asked] = value
        return self._values_of[asked]

    def _check_act(self, entry: Entry) -> Check:
        _, positions, encoded, proof, _, digest = said(entry, Act)
        plays = self.plays_in(entry)
        if not self.stands_in(entry):
            return Reason.OUT_OF_ORDER
        game = self._games[plays]
        if self.spoiled_in(entry) or game.turn() != entry.seat:
            return Reason.OUT_OF_TURN
        if game.digest() != digest:
            return Reason.WRONG_STATE
        reason, hidden = self._check_holding(entry, plays, positions)
        if reason is not None:
            return reason
        if len(encoded) > len(hidden):
            return Reason.PLAYED_TWICE
        if len(encoded) != len(hidden) or (proof is None) != (not hidden):
            return Reason.MALFORMED
        if proof is None:
            return None
        return self._proof_work(entry, Kind.ACT, plays, hidden, encoded, proof)

    def _check_holding(
        self, entry: Entry, plays: int, positions: Sequence[int]
    ) -> tuple[Reason | None, tuple[int, ...]]:
        """Whether the seat holds, and could know, what it opens; and what is hidden."""
        if len(set(positions)) < len(positions):
            return Reason.MALFORMED, ()
        due = self._due_in(entry)
        for number, dealt in enumerate(due.rounds):
            owed = any(owner != entry.seat for owner in dealt)
            if owed and (number, entry.seat) not in self.share_entries:
                return Reason.OUT_OF_ORDER, ()
        owners = due.owners
        for position in positions:
            if position >= len(owners) or owners[position] != entry.seat:
                return Reason.NOT_DEALT, ()
            for seat in range(self.shuffling.seats):
                given = self.share_entries.get((due.numbers[position], seat))
                if seat != entry.seat and (given is None or not entry.covers(given)):
                    return Reason.OUT_OF_ORDER, ()
        hidden = tuple(at for at in positions if at not in self.opened)
        return None, hidden

    def _accept_act(self, entry: Entry, result: object) -> Reason | Broken | None:
        _, positions, _, _, statement, _ = said(entry, Act)
        hidden = [at for at in positions if at not in self.opened]
        if hidden and not isinstance(result, tuple):
            return Reason.WRONG_SHARE
        values = self._values(entry, hidden, cast("tuple[Point, ...]", result))
        if values is None:
            self.spoiled.append(entry)
            return None
        known = self.game.opened(values)
        if isinstance(known, Refusal):
            return Broken(known.reason, known.sentence)
        after = known.accept(entry.seat, positions, statement)
        if isinstance(after, Refusal):
            return Broken(after.reason, after.sentence)
        self.opened.update(values)
        for position, part in zip(
            hidden, cast("Sequence[Point]", result or ()), strict=True
        ):
            self._shares[position][entry.seat] = part
        self.acts.append(entry)
        self._before_opening.append(after)
        self._games.append(after)
        opened = (self.opened[at] for at in positions)
        self._seen.append(self._seen[-1].union(opened))
        self._due.append(_due(after, len(self.acts)))
        return None

    def _values(
        self, entry: Entry, positions: Sequence[int], parts: Sequence[Point] | None
    ) -> dict[int, int] | None:
        """The values of positions with the last shares, which are their owner's.

        None if one is no card, or a card that its owner had seen already.
        """
        seen = self._opened_in(entry)
        values: dict[int, int] = {}
        for position, last in zip(positions, parts or (), strict=True):
            given = self.shares_of(position).items()
            others = [part for seat, part in given if seat != entry.seat]
            value = self.value_of(position, [*others, last])
            if value is None or value in seen:
                return None
            seen.add(value)
            values[position] = value
        return values

    def _check_spoiled(self, entry: Entry) -> Check:
        _, positions, encoded, proof = said(entry, Spoiled)
        plays = self.plays_in(entry)
        if self.over_in(entry):
            return Reason.OUT_OF_ORDER
        reason, hidden = self._check_holding(entry, plays, positions)
        if reason is not None:
            return reason
        if hidden != positions or len(encoded) != len(positions):
            return Reason.MALFORMED
        return self._proof_work(entry, Kind.SPOILED, plays, hidden, encoded, proof)

    def _accept_spoiled(self, entry: Entry, result: object) -> Reason | None:
        if not isinstance(result, tuple):
            return Reason.WRONG_SHARE
        positions = said(entry, Spoiled).positions
        if self._values(entry, positions, result) is not None:
            return Reason.FALSE_ALARM
        self.spoiled.append(entry)
        return None

    def _check_void(self, entry: Entry) -> Reason | None:
        if not self.stands_in(entry) or self.over_in(entry):
            return Reason.OUT_OF_ORDER
        plays = self.plays_in(entry)
        return self.voids.check(entry, plays, self._games[plays].digest())

    def _check_reveal(self, entry: Entry) -> Check:
        seed = said(entry, Reveal).seed
        commit = cast("Entry", self.shuffling.commits[entry.seat])
        committed = said(commit, Commit).commitment
        key = cast("Point", self.shuffling.keys[entry.seat])
        context = self.shuffling.contexts[entry.seat]
        return Work(opens_seed, (self.suite, context, committed, key, seed))

    # -- after the reveals ---------------------------------------------------

    def replay_work(self, trusted: int | None) -> Work:
        """The work that replays the whole deck from the revealed seeds.

        The stage of `trusted`, who is oneself, is taken as it is.
        """
        seeds = tuple(
            said(self.reveals[seat], Reveal).seed
            for seat in range(self.shuffling.seats)
        )
        shared = {at: (value, self._shares[at]) for at, value in self.opened.items()}
        arguments = (self.suite, self.shuffling, seeds, shared, trusted)
        return Work(replayed, arguments, patient=True)

    def played_again(self) -> tuple[Entry, Broken] | None:
        """Play the deal again with every card known (D2).

        Gives the act that breaks a rule which hidden hands kept from being checked,
        and the rule; None if all is well.
        """
        game = self._before_opening[0]
        order = self.replayed.order if self.replayed else ()
        known = game.opened(dict(enumerate(order)))
        game = game if isinstance(known, Refusal) else known
        for entry in self.acts:
            act = said(entry, Act)
            after = game.accept(entry.seat, act.positions, act.statement)
            if isinstance(after, Refusal):
                return entry, Broken(after.reason, after.sentence)
            game = after
        return None


@dataclass(frozen=True, slots=True)
class _Due:
    """The positions that are due after some number of acts.

    The owners of each round, and of all positions with the round of each; those that
    lie face up, and the rounds of these.
    """

    rounds: tuple[Sequence[int], ...]
    owners: tuple[int, ...]
    numbers: tuple[int, ...]
    face_up: tuple[int, ...]
    shown: tuple[int, ...]


def _due(game: Game, acts: int) -> _Due:
    owners, start, rounds = game.owners(), 0, []
    for dealt in game.rounds():
        if dealt.due <= acts:
            rounds.append(tuple(owners[start : dealt.end]))
        start = dealt.end
    return _due_of(tuple(rounds))


@lru_cache(maxsize=64)
def _due_of(rounds: tuple[tuple[int, ...], ...]) -> _Due:
    owners = tuple(owner for dealt in rounds for owner in dealt)
    return _Due(
        rounds,
        owners,
        numbers=tuple(number for number, dealt in enumerate(rounds) for _ in dealt),
        face_up=tuple(at for at, owner in enumerate(owners) if owner == FACE_UP),
        shown=tuple(number for number, due in enumerate(rounds) if FACE_UP in due),
    )
