"""What the players read when one seat of a real match cheats, and what stays theirs."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.codec import Value, encode
from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from scopa_net.events import MatchWon
from scopa_net.notices import LinkFailed
from scopa_net.referee import open_match
from tests.simulation.lying_seats import ENTRY, LaysACardThatTakes, LyingWires
from tests.simulation.wires import Wires
from tests.support import (
    chain_liars,
    hasty_liars,
    late_liars,
    leaving_liars,
    liars,
    making_liars,
    second_liars,
)
from tests.support.malice import Liar
from tests.support.small_group import SMALL

TABLES = [(2, 1), (3, 0), (4, 2)]
at_every_table = pytest.mark.parametrize(("seats", "at"), TABLES)
PROOF, ASK = 3, 4

READ: dict[type[Liar], str] = {
    LaysACardThatTakes: "made a move that the rules do not allow (",
    liars.BreaksARule: "signed an entry that no program of this version writes (",
    liars.PlaysAnothersCard: "played a card that was not dealt to it.",
    liars.PlaysOutOfTurn: "played out of turn.",
    liars.SpoilsAnActsShare: "gave a wrong share of a card.",
    liars.ActsOnAnotherTable: "played on another table than the one everybody sees.",
    liars.SpoilsAShare: "gave a wrong share of a card.",
    liars.SharesAheadOfTime: "signed an entry before what it depends on.",
    liars.SharesItsOwnCardsToo: "signed an entry that no program of this version",
    liars.RevealsEarly: "revealed its seed before the deal was over.",
    liars.RevealsAnotherSeed: "revealed another seed than the one it had",
    liars.CopiesACommitment: "revealed another seed than the one it had",
    liars.SignsAnotherVerdict: "signed a result that does not follow from the record.",
    liars.AccusesAnother: "signed a result that does not follow from the record.",
    liars.CommitsTwice: "signed a second answer where only one is allowed.",
    liars.CancelsAnother: "gave a key without knowing its secret.",
    liars.CallsAGoodCardSpoiled: "called a card spoiled that is a good one.",
    liars.CopiesAHand: "gave a shuffle whose proof does not hold.",
    liars.DoublesAPair: "gave a shuffle whose proof does not hold.",
    liars.MarksAPair: "gave a shuffle whose proof does not hold.",
    making_liars.ScalesTwoPairsToWeightsThatItForesees: "gave a shuffle whose proof",
    making_liars.RepeatsItsLastProof: "gave a shuffle whose proof does not hold.",
    making_liars.ShufflesNothing: "did not shuffle as its revealed seed says.",
    making_liars.ItsSecretIsOne: "revealed another seed than the one it had",
    making_liars.sending(Kind.KEY, "zero"): "gave a key without knowing its secret.",
    making_liars.sending(Kind.SHUFFLE, "no residue"): "gave a shuffle that is not",
    hasty_liars.SharesTheNextDeckEarly: "signed an entry before what it depends on.",
    second_liars.SignsAnUnknownKind: "signed an entry that no program of this version",
    leaving_liars.CallsVoidAndPlaysOn: "went on with a deal that it had called void",
    chain_liars.BreaksItsChain: "signed an entry that does not follow its own last",
    chain_liars.CheatsInTheSecondDeal: "played a card that was not dealt to it.",
    chain_liars.CommitsTwiceAhead: "signed a second answer where only one is allowed.",
}


@at_every_table
@pytest.mark.parametrize("liar", READ)
def test_a_player_reads_one_sentence_and_keeps_what_was_won(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X1, X3, X4, X5, X9, X10, X11, X12, X13, X15, X17, X18, X23, X27, F8, F19.
    # No deal reaches the target, so that the match is not won before the lie.
    wires = LyingWires(seats, at, liar, target=11)
    assert wires.party.lied
    for number in wires.honest:
        (stopped,) = wires.stopped(number)
        table = wires.seats[number].table
        assert table is not None
        assert stopped.seat == table.referee.places[wires.rank(at)]
        assert_plain(stopped.sentence, f"player {at} ", READ[liar])
        deals = wires.scored(number)
        assert stopped.scores == (
            deals[-1].scores if deals else (0,) * len(stopped.scores)
        )
        assert not any(isinstance(one, MatchWon) for one in wires.told(number))
        assert {fault.seat for fault in wires.faults(number)} == {wires.rank(at)}
        found = audit(write_archive(wires.seats[number].chains()), SMALL, open_match)
        assert {fault.seat for fault in found.faults} == {wires.rank(at)}


def assert_plain(sentence: str, name: str, says: str) -> None:
    """One sentence of a line or two, with nothing in it that only programs read."""
    assert sentence.startswith(name + says)
    assert sentence.endswith(".")
    assert ". " not in sentence
    assert len(sentence) < 160
    assert sentence.isprintable()
    assert not re.search(r"[0-9a-f]{8}|None|Reason|Kind|_", sentence)


def test_whoever_lies_only_in_the_second_deal_is_found_after_the_first() -> None:
    # F8: else the test above would keep nothing.
    wires = LyingWires(2, 1, chain_liars.CheatsInTheSecondDeal)
    assert [event.scores for event in wires.scored(0)] == [wires.stopped(0)[0].scores]
    assert any(wires.stopped(0)[0].scores)


@pytest.mark.parametrize(("seats", "at"), TABLES[:2])
@pytest.mark.parametrize(
    "liar",
    [
        late_liars.ConfirmsTwice,
        late_liars.DeniesTheResult,
        late_liars.SharesInsteadOfItsVerdict,
    ],
)
def test_who_lies_when_all_is_played_leaves_the_match_won_for_everybody(
    liar: type[Liar], seats: int, at: int
) -> None:
    # F8, F13, X5.
    wires = LyingWires(seats, at, liar)
    assert wires.party.lied
    for number in wires.honest:
        *_, won = wires.told(number)
        assert isinstance(won, MatchWon)
        assert wires.stopped(number) == []
        table = wires.seats[number].table
        assert table is not None
        assert table.finished
        assert {fault.seat for fault in wires.faults(number)} == {wires.rank(at)}
        found = audit(write_archive(wires.seats[number].chains()), SMALL, open_match)
        assert found.sound
        assert {fault.seat for fault in found.late} == {wires.rank(at)}


@pytest.mark.parametrize(("seats", "at"), TABLES[1:])
@pytest.mark.parametrize(
    "liar",
    [hasty_liars.KeepsItsCoin, chain_liars.Silent, late_liars.KeepsItsLastCard],
)
def test_who_says_nothing_any_more_is_called_no_cheat_and_takes_nothing_away(
    liar: type[Liar], seats: int, at: int
) -> None:
    # X14, X19, X20, X29, F12.
    wires = LyingWires(seats, at, liar, target=11)
    assert wires.party.lied
    won = [[event.scores for event in wires.scored(number)] for number in wires.honest]
    assert won == [won[0]] * (seats - 1)
    assert len(won[0]) == (1 if liar is late_liars.KeepsItsLastCard else 0)
    for number in wires.honest:
        assert wires.stopped(number) == []
        assert wires.faults(number) == []
        assert not any(isinstance(one, MatchWon) for one in wires.told(number))


# -- what proves nothing, sent past the mesh ---------------------------------------


class Rubbish(Liar):
    """Plays as all do; what it sends besides comes from the test."""

    goes_on = True


def frames_of(wires: Wires) -> list[Signed]:
    """All entries of a match, as they travelled."""
    return [one for chain in wires.seats[0].chains() for one in chain]


def all_play_on(wires: LyingWires, said: Sequence[Value]) -> None:
    """Whatever is said beside it, a match comes to its end and blames nobody."""
    for message in said:
        wires.say(message)
    wires.run()
    for number in wires.honest:
        assert wires.faults(number) == []
        table = wires.seats[number].table
        assert table is not None
        assert table.finished
        assert isinstance(wires.told(number)[-1], MatchWon)


def interrupted(seats: int, at: int, acts: int = 5, seed: int = 0) -> LyingWires:
    """A match between the same players that stands still after some plays."""
    return Halted(seats, at, Rubbish, seed=seed, acts=acts)


class Halted(LyingWires):
    """Nobody plays until the liar has said something."""

    def __init__(self, *arguments: object, acts: int, **named: object) -> None:
        self.left = acts
        super().__init__(*arguments, **named)  # type: ignore[arg-type]

    def say(self, message: Value) -> None:
        self.left = 10_000
        super().say(message)

    def _somebody_plays(self) -> bool:
        self.left -= 1
        return self.left >= 0 and super()._somebody_plays()


@at_every_table
@pytest.mark.parametrize("kind", [Kind.RESIGN, Kind.ADJOURN])
def test_nobody_can_say_that_another_has_left(kind: Kind, seats: int, at: int) -> None:
    # X27, X29: a word counts by the signature of whose it is.
    wires = interrupted(seats, at)
    victim = wires.honest[-1]
    last = read_entry(wires.seats[victim].chains()[wires.rank(victim)][-1])
    seen = tuple(n + (i == last.seat) for i, n in enumerate(last.seen))
    left = replace(last, seq=last.seq + 1, prev=last.id, seen=seen, kind=int(kind))
    said = wires.resigned(at, left, ())
    wires.notices.clear()
    all_play_on(wires, [(ENTRY, *said)])
    reasons = {one.reason for one in wires.notices if isinstance(one, LinkFailed)}
    assert reasons == {"an entry that its author did not sign"}


@at_every_table
def test_entries_of_another_match_of_the_same_players_blame_nobody(
    seats: int, at: int
) -> None:
    # X21: the signer is innocent, and who brings them gains nothing.
    wires = interrupted(seats, at)
    other = Wires(seats, seed=1, players=wires.secrets)
    for guest in range(1, seats):
        other.connect(0, guest)
    other.run()
    assert wires.seats[0].chains() != other.seats[0].chains()
    foreign = [(ENTRY, *signed) for signed in frames_of(other)]
    said = [read_entry(signed) for signed in frames_of(other)]
    mine = [read_entry(signed) for signed in frames_of(wires)]
    assert {e.seat for e in said} == {e.seat for e in mine}
    all_play_on(wires, foreign[::7])
    strange = [one for one in wires.notices if isinstance(one, LinkFailed)]
    assert {one.seat for one in strange} <= set(wires.honest)


@at_every_table
def test_all_entries_of_the_match_brought_again_change_nothing(
    seats: int, at: int
) -> None:
    # X22.
    wires = interrupted(seats, at)
    before = frames_of(wires)
    again: list[Value] = [(ENTRY, *signed) for signed in before[::-1]]
    all_play_on(wires, again)
    after = [(ENTRY, *signed) for signed in frames_of(wires)]
    all_play_on(wires, after[::11])
    assert not any(isinstance(one, LinkFailed) for one in wires.notices)


@at_every_table
def test_who_says_that_it_holds_less_is_sent_it_again_and_nothing_is_undone(
    seats: int, at: int
) -> None:
    # X8.
    wires = interrupted(seats, at)
    table = wires.seats[at].table
    assert table is not None
    record = table.party.judge.record
    short = tuple((2, log.head(2)) for log in record.logs)
    have = (1, 1, record.table_scope, short)
    asks: list[Value] = [(ASK, seat, 0) for seat in range(seats)]
    before = [len(chain) for chain in wires.seats[wires.honest[0]].chains()]
    all_play_on(wires, [have, *asks, have])
    after = [len(chain) for chain in wires.seats[wires.honest[0]].chains()]
    assert all(map(int.__lt__, before, after))


@at_every_table
def test_a_proof_that_proves_nothing_blames_nobody(seats: int, at: int) -> None:
    # X27: about an honest seat, with what it did sign and with what it did not.
    wires = interrupted(seats, at)
    other = Wires(seats, seed=1, players=wires.secrets)
    for guest in range(1, seats):
        other.connect(0, guest)
    other.run()
    victim = wires.rank(wires.honest[0])
    chain = wires.seats[at].chains()[victim]
    elsewhere = other.seats[0].chains()[victim]
    altered = bytearray(chain[3].encoded)
    altered[-1] ^= 1
    liars_own = wires.resigned(at, read_entry(chain[3]), (0, bytes(32)))
    pairs: list[tuple[Signed, ...]] = [
        (chain[3],),
        (chain[3], chain[3]),
        (chain[3], chain[4]),
        (chain[3], Signed(bytes(altered), chain[3].signature)),
        (chain[3], liars_own),
        (chain[3], elsewhere[3]),
        (chain[1], elsewhere[1]),
        (chain[3], Signed(chain[3].encoded, bytes(64))),
        (Signed(b"", bytes(64)), Signed(b"\xc0", bytes(64))),
    ]
    said: list[Value] = [
        (PROOF, tuple(tuple(signed) for signed in pair)) for pair in pairs
    ]
    all_play_on(wires, said)


@at_every_table
def test_frames_that_are_no_messages_blame_nobody(seats: int, at: int) -> None:
    wires = interrupted(seats, at)
    entry = read_entry(frames_of(wires)[0])
    said: list[Value] = [
        (ENTRY, entry.signed.encoded[:-1], entry.signed.signature),
        (ENTRY, encode((2,)), bytes(64)),
        (PROOF, ()),
        (9, b"what"),
        (),
    ]
    all_play_on(wires, said)
    failed = {one.seat for one in wires.notices if isinstance(one, LinkFailed)}
    assert failed == (set(wires.honest) if at == 0 else {0})
