"""Whatever order the same entries come in, every judge finds the same."""

from dataclasses import replace
from random import Random

from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Reason, Signed
from protocol.judge import Judge
from scopa_net.referee import open_match
from scopa_net.rules import find_variant
from tests.protocol.test_judge import give
from tests.support.forgeries import sign
from tests.support.matches import new_table, play
from tests.support.small_group import SMALL

NO_TABLE = {"table_size": "0", "hand_size": "10", "refill": "none", "target": "1"}


class Dealt:
    """Four seats that have been dealt ten cards each and none to the table."""

    def __init__(self) -> None:
        local, secrets = new_table(find_variant("scopa", 4, NO_TABLE), seed=2)
        play(local, luck=Random(2), acts_max=0)
        table = local.seats[0].table
        assert table is not None
        judge = table.party.judge
        self.terms, self.nonce = judge.course.terms, judge.record.nonce
        self.chains = [log.entries for log in judge.record.logs]
        by_key = {own.identity.key: own.identity for own in secrets}
        self.identities = [by_key[key] for key in self.terms.keys]

    def judge(self) -> Judge:
        return Judge(SMALL, self.terms, self.nonce, open_match)

    def made(self, kind: Kind, seat: int, deck: int) -> Entry:
        """The seat's entry of a kind about a deck."""
        return next(
            entry
            for entry in self.chains[seat]
            if entry.kind == kind and entry.body[:1] == (deck,)  # type: ignore[index]
        )


def test_a_deck_without_table_cards_stands_only_when_it_is_dealt() -> None:
    # A commitment to the next deck, in a view that lacks this deck's last shuffle.
    dealt = Dealt()
    shuffle = dealt.made(Kind.SHUFFLE, 3, 0)
    commit = dealt.made(Kind.COMMIT, 0, 1)
    chain = dealt.chains[0]
    before = [entry for entry in chain if not entry.covers(shuffle)][-1]
    entries = sorted(
        (e for log in dealt.chains for e in log if not e.covers(shuffle)),
        key=lambda e: (sum(e.seen), e.seq),
    )
    known = [e for e in entries if e.id != shuffle.id and not _after(e, before)]
    first, second = dealt.judge(), dealt.judge()
    for entry in known:
        give(first, entry.signed)
        give(second, entry.signed)
    record = first.record
    assert record.counts()[0] == before.seq + 1
    early = sign(
        dealt.identities[0],
        replace(
            commit,
            seq=before.seq + 1,
            prev=before.id,
            seen=record.counts(),
            heads=record.heads(record.counts()),
        ),
    )
    give(first, early)
    give(first, shuffle.signed)
    give(second, shuffle.signed)
    give(second, early)
    for judge in (first, second):
        assert [(f.seat, f.reason) for f in judge.faults] == [(0, Reason.OUT_OF_ORDER)]


def _after(entry: Entry, last: Entry) -> bool:
    return entry.seat == last.seat and entry.seq > last.seq


def test_a_whole_match_is_judged_alike_in_any_order() -> None:
    local, _ = new_table(find_variant("scopa", 3, {"target": "1"}), seed=5)
    play(local, luck=Random(5))
    table = local.seats[0].table
    assert table is not None
    whole = table.party.judge
    entries = [signed for chain in local.seats[0].chains() for signed in chain]
    digests = {whole.decks[-1].game.digest()}
    for seed in range(6):
        judge = Judge(SMALL, whole.course.terms, whole.record.nonce, open_match)
        for signed in _shuffled(entries, seed):
            give(judge, signed)
        assert judge.faults == []
        assert judge.course.confirmed
        digests.add(judge.decks[-1].game.digest())
    assert len(digests) == 1


def _shuffled(entries: list[Signed], seed: int) -> list[Signed]:
    """Any order in which the far ones still fit into what a judge holds back."""
    luck = Random(seed)
    return sorted(entries, key=lambda s: read_entry(s).seq + luck.randrange(40))
