"""A false entry that its author signed names its author, and nobody else."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from protocol.archive import write_archive
from protocol.audit import Damage, Harm
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Blame, Reason, Signed
from protocol.shuffling import make_proof, make_shuffle
from protocol.step import Task
from tests.protocol.auditing import (
    PARTIAL,
    blamed,
    come_back,
    damaged,
    judged,
    other,
    partial,
    renamed,
    whole,
)
from tests.support.forgeries import Change, Forgery, sign
from tests.support.matches import played


def other_at(*path: int) -> Change:
    """The body with other bytes at this place."""

    def change(body: tuple[Any, ...]) -> tuple[Any, ...]:
        def within(value: Any, path: tuple[int, ...]) -> Any:
            if not path:
                return other(value)
            at, *rest = path
            at %= len(value)
            inner = within(value[at], tuple(rest))
            return (*value[:at], inner, *value[at + 1 :])

        return within(body, path)  # type: ignore[no-any-return]

    return change


def put(at: int, value: Any) -> Change:
    return lambda body: (*body[:at], value, *body[at + 1 :])


def turned(body: tuple[Any, ...]) -> tuple[Any, ...]:
    """A shuffle with its first pair put last."""
    return (*body[:3], body[3][64:] + body[3][:64])


TAMPERED: list[tuple[Kind, Change]] = [
    (Kind.TABLE, renamed),
    (Kind.TABLE, put(4, ("variant=scopa",))),
    (Kind.TABLE, put(0, "briscola")),
    (Kind.COIN, other_at(0)),
    (Kind.COMMIT, other_at(1)),
    (Kind.COMMIT, put(0, 9)),
    (Kind.KEY, other_at(1)),
    (Kind.KEY, other_at(2)),
    (Kind.SHUFFLE, other_at(1, 0)),
    (Kind.SHUFFLE, other_at(3)),
    (Kind.SHUFFLE, turned),
    (Kind.PROOF, other_at(1)),
    (Kind.PROOF, other_at(2)),
    (Kind.PROOF, lambda body: (*body[:2], body[2][:-1] + other(body[2][-32:-31]))),
    (Kind.PROOF, put(2, b"")),
    (Kind.PROOF, put(0, 9)),
    (Kind.READY, other_at(1)),
    (Kind.SHARES, other_at(2, 0)),
    (Kind.SHARES, other_at(3)),
    (Kind.SHARES, put(1, 7)),
    (Kind.SHARES, lambda body: (*body[:2], body[2][::-1], body[3])),
    (Kind.ACT, other_at(5)),
    (Kind.ACT, put(1, (0,))),
    (Kind.ACT, put(4, (0, tuple(range(20, 40))))),
    (Kind.ACT, put(4, "nonsense")),
    (Kind.ACT, other_at(2, 0)),
    (Kind.REVEAL, other_at(1)),
    (Kind.VERDICT, other_at(1)),
    (Kind.VERDICT, put(2, 0)),
]


@pytest.mark.parametrize("place", [0, -1])
@pytest.mark.parametrize(("kind", "change"), TAMPERED)
def test_a_changed_entry_signed_again_names_its_seat_and_nobody_else(
    kind: Kind, change: Change, place: int
) -> None:
    for seat in range(2):
        forgery = Forgery(whole())
        entry = [e for e in forgery.entries(kind) if e.seat == seat][place]
        forgery.change(entry, change)
        result = judged(forgery.written())
        assert blamed(result) == {seat}
        # The result stands without the word of who denies it.
        assert not result.sound or kind is Kind.VERDICT


@pytest.mark.parametrize("change", [other_at(0), other_at(1, 0, 0), other_at(1, 0, 1)])
@pytest.mark.parametrize("seat", range(2))
def test_a_changed_coming_back_signed_again_names_its_seat_and_nobody_else(
    seat: int, change: Change
) -> None:
    # F11.
    forgery = Forgery(come_back())
    entry = next(e for e in forgery.entries(Kind.RESUMED) if e.seat == seat)
    forgery.change(entry, change)
    result = judged(forgery.written())
    assert blamed(result) == {seat}
    assert not result.sound


def of_first_deck(forgery: Forgery, kind: Kind) -> list[Entry]:
    """The entries of a kind, without those of a deck that was made ahead."""
    early = kind in (Kind.TABLE, Kind.COIN)
    return [e for e in forgery.entries(kind) if early or e.body[0] == 0]  # type: ignore[index]


PARTS = (Kind.COIN, Kind.KEY, Kind.SHUFFLE, Kind.PROOF, Kind.SHARES, Kind.ACT)


@pytest.mark.parametrize("players", [3, 4])
def test_at_larger_tables_too_only_the_forger_is_named(players: int) -> None:
    match = played(players=players, acts_max=PARTIAL)
    for kind in PARTS:
        forgery = Forgery(match)
        entry = of_first_deck(forgery, kind)[-1]
        change = {Kind.COIN: other_at(0), Kind.SHARES: other_at(2, 0)}.get(
            kind, other_at(-1)
        )
        forgery.change(entry, change)
        assert blamed(judged(forgery.written())) == {entry.seat}


def first(kind: Kind) -> Callable[[Forgery], Entry]:
    return lambda forgery: of_first_deck(forgery, kind)[0]


def last(kind: Kind) -> Callable[[Forgery], Entry]:
    return lambda forgery: of_first_deck(forgery, kind)[-1]


LIES: list[tuple[str, Callable[[Forgery], Entry], Change, Reason]] = [
    ("coin", first(Kind.COIN), other_at(0), Reason.WRONG_COIN),
    ("key", first(Kind.KEY), other_at(2), Reason.WRONG_KEY),
    ("no point", first(Kind.KEY), put(1, bytes(32)), Reason.WRONG_KEY),
    ("no deck", last(Kind.SHUFFLE), put(3, bytes(64 * 40)), Reason.WRONG_SHUFFLE),
    ("other keys", first(Kind.SHUFFLE), other_at(1, 1), Reason.MALFORMED),
    ("other input", last(Kind.SHUFFLE), other_at(2), Reason.MALFORMED),
    ("proof", last(Kind.PROOF), other_at(2), Reason.FALSE_PROOF),
    ("no proof", first(Kind.PROOF), put(2, bytes(5280)), Reason.FALSE_PROOF),
    ("short proof", first(Kind.PROOF), put(2, bytes(5248)), Reason.MALFORMED),
    ("proof of another", first(Kind.PROOF), other_at(1), Reason.MALFORMED),
    ("proof of a deck to come", last(Kind.PROOF), put(0, 1), Reason.OUT_OF_ORDER),
    ("share", first(Kind.SHARES), other_at(2, 1), Reason.WRONG_SHARE),
    (
        "shares in another order",
        last(Kind.SHARES),
        lambda body: (*body[:2], body[2][::-1], body[3]),
        Reason.WRONG_SHARE,
    ),
    ("share proof", last(Kind.SHARES), other_at(3), Reason.WRONG_SHARE),
    ("round not due", last(Kind.SHARES), put(1, 6), Reason.OUT_OF_ORDER),
    ("round given", last(Kind.SHARES), put(1, 0), Reason.TWICE),
    ("state", last(Kind.ACT), other_at(5), Reason.WRONG_STATE),
    ("opening", last(Kind.ACT), other_at(2, 0), Reason.WRONG_SHARE),
    ("table card played", last(Kind.ACT), put(1, (0,)), Reason.NOT_DEALT),
    ("no such deck", last(Kind.ACT), put(0, 3), Reason.OUT_OF_ORDER),
    ("no statement", last(Kind.ACT), put(4, None), Reason.MALFORMED),
    (
        "captures what is not there",
        last(Kind.ACT),
        put(4, (0, tuple(range(20, 40)))),
        Reason.AGAINST_RULES,
    ),
    ("seed", first(Kind.REVEAL), other_at(1), Reason.WRONG_SEED),
    ("verdict", last(Kind.VERDICT), other_at(1), Reason.WRONG_VERDICT),
    ("blames the other", last(Kind.VERDICT), put(2, (0,)), Reason.WRONG_VERDICT),
    ("a field more", first(Kind.READY), lambda b: (*b, 1), Reason.MALFORMED),
]


@pytest.mark.parametrize(
    ("entry", "lie", "reason"),
    [case[1:] for case in LIES],
    ids=[case[0] for case in LIES],
)
def test_a_lie_in_a_chain_made_to_fit_is_found_for_what_it_is(
    entry: Callable[[Forgery], Entry], lie: Change, reason: Reason
) -> None:
    forgery = Forgery(whole())
    old = entry(forgery)
    forgery.change(old, lie, follow=True)
    result = judged(forgery.written())
    assert blamed(result) == {old.seat}
    assert result.faults[0].reason is reason
    assert result.faults[0].evidence == (forgery.chains[old.seat][old.seq],)


def test_a_proof_that_names_a_deck_changed_afterwards_does_not_hold_for_it() -> None:
    for players in (2, 3, 4):
        forgery = Forgery(played(players=players, acts_max=PARTIAL))
        shuffle = of_first_deck(forgery, Kind.SHUFFLE)[-1]
        proof = of_first_deck(forgery, Kind.PROOF)[-1]
        assert shuffle.seat == proof.seat
        forgery.change(shuffle, turned, follow=True)
        new_id = forgery.entry(shuffle.seat, shuffle.seq).id
        named = forgery.entry(proof.seat, proof.seq)
        forgery.change(named, put(1, new_id), follow=True)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (shuffle.seat, Reason.FALSE_PROOF)


def test_a_card_laid_that_takes_another_is_against_the_rules() -> None:
    forgery = Forgery(whole())
    for entry in forgery.entries(Kind.ACT):
        assert isinstance(entry.body, tuple)
        if entry.body[4] != (0, ()):
            break
    forgery.change(entry, put(4, (0, ())), follow=True)
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.blame) == (entry.seat, Blame.RULE)
    assert fault.reason is Reason.AGAINST_RULES
    assert "may not be laid: it takes" in fault.detail


def last_act(forgery: Forgery) -> tuple[Entry, Any]:
    """The latest act, and its body."""
    acts = [(sum(e.seen), e.seat, e) for e in forgery.entries(Kind.ACT)]
    entry = max(acts, key=lambda act: act[:2])[2]
    return entry, entry.body


def test_a_seat_that_acts_again_is_out_of_turn() -> None:
    forgery = Forgery(partial())
    last, body = last_act(forgery)
    forgery.add(last.seat, Kind.ACT, body)
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (last.seat, Reason.OUT_OF_TURN)


def test_a_seat_that_acts_on_the_table_of_long_ago_sees_a_wrong_state() -> None:
    forgery = Forgery(partial())
    last, _ = last_act(forgery)
    seat = 1 - last.seat
    old = next(e for e in forgery.entries(Kind.ACT) if e.seat == seat)
    forgery.add(seat, Kind.ACT, old.body)
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (seat, Reason.WRONG_STATE)


def test_a_card_played_before_is_played_twice() -> None:
    forgery = Forgery(partial())
    last, _ = last_act(forgery)
    seat = 1 - last.seat
    old = next(e for e in forgery.entries(Kind.ACT) if e.seat == seat)
    deck = judged(partial().record).judge.decks[0]
    body = put(5, deck.game.digest())(old.body)  # type: ignore[arg-type]
    forgery.add(seat, Kind.ACT, body)
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (seat, Reason.PLAYED_TWICE)


def test_a_seed_revealed_during_the_deal_is_too_early() -> None:
    forgery = Forgery(partial())
    seed = next(e for e in Forgery(whole()).entries(Kind.REVEAL) if e.seat == 1)
    forgery.add(1, Kind.REVEAL, seed.body)
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (1, Reason.EARLY_REVEAL)


def test_a_second_answer_is_one_too_many() -> None:
    for kind in (
        Kind.COMMIT,
        Kind.KEY,
        Kind.PROOF,
        Kind.READY,
        Kind.REVEAL,
        Kind.VERDICT,
    ):
        forgery = Forgery(whole())
        old = next(e for e in forgery.entries(kind) if e.seat == 1)
        forgery.add(1, kind, old.body)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (1, Reason.TWICE)


def test_nothing_more_is_said_about_a_deck_whose_seed_is_out() -> None:
    for kind in (Kind.SHARES, Kind.ACT):
        forgery = Forgery(whole())
        old = next(e for e in forgery.entries(kind) if e.seat == 1)
        forgery.add(1, kind, old.body)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (1, Reason.OUT_OF_ORDER)


def test_a_second_table_or_coin_is_out_of_order() -> None:
    for kind in (Kind.TABLE, Kind.COIN):
        forgery = Forgery(whole())
        old = next(e for e in forgery.entries(kind) if e.seat == 0)
        forgery.add(0, kind, old.body)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (0, Reason.OUT_OF_ORDER)


def test_a_kind_of_entry_that_does_not_exist_is_malformed() -> None:
    for kind in (12, 13, 63):
        forgery = Forgery(whole())
        old = forgery.entry(0, len(forgery.chains[0]) - 1)
        forgery.change(old, kind=kind)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (0, Reason.MALFORMED)


def test_two_entries_with_one_number_are_a_fork() -> None:
    for kind in (Kind.COIN, Kind.SHUFFLE, Kind.PROOF, Kind.ACT, Kind.VERDICT):
        match = whole()
        forgery = Forgery(match)
        old = [e for e in forgery.entries(kind) if e.seat == 0][-1]
        forgery.change(old, other_at(-1) if kind is not Kind.VERDICT else put(2, 1))
        rival = forgery.chains[0][old.seq]
        forgery.chains[0][old.seq] = old.signed
        forgery.chains[0].append(rival)
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (0, Reason.FORKED)
        assert set(fault.evidence) == {old.signed, rival}


def test_an_entry_that_follows_another_one_breaks_its_chain() -> None:
    forgery = Forgery(partial())
    old = forgery.entry(0, 7)
    forgery.change(old, prev=bytes(32))
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (0, Reason.BROKEN_CHAIN)


def test_an_entry_that_forgets_what_it_had_seen_is_named() -> None:
    forgery = Forgery(partial())
    old = forgery.entry(0, 9)
    forgery.change(old, seen=(9, 0))
    (fault,) = judged(forgery.written()).faults
    assert (fault.seat, fault.reason) == (0, Reason.SHRINKING_VIEW)


def test_an_entry_that_names_other_chains_accuses_nobody() -> None:
    """It is one seat's word against the other's: somebody may have signed twice."""
    forgery = Forgery(partial())
    old = forgery.entry(0, len(forgery.chains[0]) - 1)
    forgery.change(old, heads=bytes(32))
    assert damaged(forgery.written()) == Damage(0, old.seq, Harm.UNSUPPORTED)


def test_a_table_that_contradicts_itself_names_who_signed_it() -> None:
    for seat in range(2):
        forgery = Forgery(partial())
        forgery.change(forgery.entry(seat, 0), scope=bytes(16))
        (fault,) = judged(forgery.written()).faults
        assert (fault.seat, fault.reason) == (seat, Reason.MALFORMED)


def test_plans_that_differ_stop_the_match_and_accuse_nobody() -> None:
    forgery = Forgery(partial())
    old = of_first_deck(forgery, Kind.READY)[-1]
    forgery.forget(old)
    forgery.change(old, other_at(1))
    result = judged(forgery.written())
    assert result.judge.course.disagreement is not None
    assert (result.sound, result.faults, result.damage) == (False, (), None)


def test_a_lie_in_a_deck_made_ahead_makes_the_record_unsound() -> None:
    """At a table its seat is named when the running deal is over; a record names it."""
    forgery = Forgery(played(players=4, acts_max=PARTIAL))
    entry = list(forgery.entries(Kind.SHUFFLE))[-1]
    forgery.change(entry, put(3, bytes(64 * 40)), follow=True)
    assert entry.body[0] == 1  # type: ignore[index]
    result = judged(forgery.written())
    assert not result.sound
    assert blamed(result) == {entry.seat}


# -- a shuffle that is a deck, but not the one of its seed ------------------------


def with_another_seed(task: Task) -> object:
    *honest, seed = task.arguments
    assert isinstance(seed, bytes)
    return replace(task, arguments=(*honest, other(seed))).run()


def shuffles_with_another_seed(task: Task) -> object:
    """The shell of a cheat in local seat 1."""
    false = task.seat == 1 and task.call is make_shuffle
    return with_another_seed(task) if false else task.run()


def shuffles_and_proves_with_another_seed(task: Task) -> object:
    """The shell of one that can prove that it has shuffled, but not as it had to."""
    false = task.seat == 1 and task.call in {make_shuffle, make_proof}
    return with_another_seed(task) if false else task.run()


def test_a_false_shuffle_names_its_seat_before_a_card_is_seen() -> None:
    for players in (2, 3, 4):
        match = played(players=players, run=shuffles_with_another_seed)
        result = judged(match.record)
        (fault,) = result.faults
        assert (fault.seat, fault.blame) == (match.seat_of[1], Blame.CHEAT)
        assert fault.reason is Reason.FALSE_PROOF
        assert [read_entry(one).kind for one in fault.evidence] == [Kind.PROOF]
        assert result.damage is None
        assert not result.judge.decks


def test_another_shuffle_than_that_of_the_seed_names_its_seat_after_the_deal() -> None:
    for players in (2, 3):
        match = played(players=players, run=shuffles_and_proves_with_another_seed)
        cheat = match.seat_of[1]
        result = judged(match.record)
        assert blamed(result) == {cheat}
        assert result.faults[0].reason is Reason.FALSE_SHUFFLE
        assert result.judge.decks[0].game.over() is not None


def test_what_proves_a_fork_is_kept_in_the_record_and_found_again() -> None:
    match = partial()
    forgery = Forgery(match)
    old = forgery.entry(1, len(forgery.chains[1]) - 1)
    forgery.change(old, other_at(-1))
    rival = forgery.chains[1][old.seq]
    judge = judged(match.record).judge
    (found,) = judge.receive(rival).faults
    chains = [judge.record.signed(seat) for seat in range(2)]
    result = judged(write_archive(chains))
    assert result.faults == (found,)
    assert result.damage is None


def test_a_faulty_record_with_a_flipped_byte_says_both() -> None:
    forgery = Forgery(whole())
    forgery.change(forgery.entry(0, 5), prev=bytes(32))
    chain = forgery.chains[1]
    chain[-1] = Signed(chain[-1].encoded, bytes(64))
    result = judged(forgery.written())
    assert blamed(result) == {0}
    assert result.damage == Damage(1, len(chain) - 1, Harm.ALTERED)


def test_a_signature_of_the_other_seat_is_damage() -> None:
    match = partial()
    forgery = Forgery(match)
    entry = forgery.entry(1, 4)
    forgery.chains[1][4] = sign(match.identities[0], entry)
    assert damaged(forgery.written()) == Damage(1, 4, Harm.ALTERED)
