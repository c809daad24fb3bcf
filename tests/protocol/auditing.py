"""What the tests of the audit share: two matches, and what is found in a file."""

from functools import lru_cache
from typing import Any

from protocol.archive import write_archive
from protocol.audit import Audit, Damage, audit
from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from scopa_net.referee import open_match
from scopa_net.seat import Seat
from tests.simulation.world import World
from tests.support.matches import Played, left, played
from tests.support.small_group import SMALL

PARTIAL = 5


def judged(data: bytes) -> Audit:
    return audit(data, SMALL, open_match)


def whole() -> Played:
    return played()


def partial() -> Played:
    """A match that was left in the middle of its first deal."""
    return played(acts_max=PARTIAL)


def given_up() -> Played:
    """A match with every word of leaving in it."""
    return left()


@lru_cache(maxsize=1)
def come_back() -> Played:
    """A match of two in which each has come back once at least."""
    for seed in range(1, 60):
        world = World(seed, seats=2)
        world.run()
        seats = [place.seat for place in world.places if place.seat is not None]
        chains = seats[0].chains()
        kinds = [{read_entry(one).kind for one in chain} for chain in chains]
        if all(Kind.RESUMED in each for each in kinds):
            return _as_played(world, seats, chains)
    raise AssertionError("no seed makes both come back")


def _as_played(
    world: World, seats: list[Seat], chains: tuple[tuple[Signed, ...], ...]
) -> Played:
    assert seats[0].table is not None
    judge = seats[0].table.party.judge
    terms = judge.course.terms
    secrets = [place.disk.secrets for place in world.places]
    by_key = {own.identity.key: own.identity for own in secrets if own is not None}
    return Played(
        variant=world.setting.variant,
        record=write_archive(chains),
        chains=chains,
        identities=tuple(by_key[key] for key in terms.keys),
        seat_of=tuple(
            seat.table.party.seat for seat in seats if seat.table is not None
        ),
        terms=terms,
        nonce=judge.record.nonce,
        events=tuple(world.places[0].told),
        finished=True,
    )


def blamed(result: Audit) -> set[int]:
    return {fault.seat for fault in result.faults}


def damaged(data: bytes) -> Damage:
    """The damage of a record in which nobody is to blame."""
    result = judged(data)
    assert result.faults == ()
    assert not result.sound
    assert result.damage is not None
    return result.damage


def other(data: bytes) -> bytes:
    """The bytes with one bit changed."""
    return bytes([data[0] ^ 1]) + data[1:]


def renamed(body: Any) -> Any:
    """The terms with another first name."""
    return (*body[:5], ("mallory", *body[5][1:]), *body[6:])
