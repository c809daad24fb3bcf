"""What an attack came to, and the liars of the catalogue by name.

What it came to are the faults that the honest seats have found, whether they have
stopped, and whether what the liar signed stands with them.
"""

from typing import Any

from protocol.crypto.group import Point, Suite
from protocol.judge import Judge
from tests.simulation.lies import CATALOGUE
from tests.support.chain_liars import SeesOnlyHalf
from tests.support.leaving_liars import table_of
from tests.support.malice import Company, Liar, play_in_order
from tests.support.toy_game import toy_opening

LIARS = {liar.__name__: liar for liar in (*CATALOGUE, SeesOnlyHalf)}
Outcome = object
PROOF_OF_SHARES = "protocol.openings.check_shares"
PROOF_OF_SHUFFLE = "protocol.shuffling._read_proof"


def shares_believed(suite: Suite, *said: Any) -> tuple[Point | None, ...]:
    """The shares in an entry, whatever is said to prove them."""
    _, _, shares, _ = said
    return tuple(map(suite.decode, shares))


BELIEVED = {PROOF_OF_SHARES: shares_believed, PROOF_OF_SHUFFLE: lambda *_: True}


def lied(liar: type[Liar], seats: int, at: int, deals: int = 1) -> Outcome:
    """What a liar of the catalogue came to."""
    kind = table_of(liar)
    table = kind(
        toy_opening(deals=deals),
        liar,
        at=at,
        seats=seats,
        positions=3 + 2 * seats,
    )
    table.play(play_in_order, steps_max=5_000)
    return found_at(table)


def found_at(table: Company) -> Outcome:
    """What every honest seat has found."""
    lie = table.liar.lie
    return table.liar.lied, tuple(
        (
            found_by(party.judge),
            party.judge.stopped,
            party.settled,
            lie is not None and lie in party.judge.record.logs[lie.seat].entries,
        )
        for party in table.honest
    )


def found_by(judge: Judge) -> tuple[tuple[int, str, str], ...]:
    """The faults that a judge has found."""
    return tuple((f.seat, f.blame.name, f.reason.name) for f in judge.faults)
