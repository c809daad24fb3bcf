"""A seat that was opened again asks, whatever it has left and whoever sits down."""

from protocol.entry import Kind, read_entry
from protocol.faults import Signed
from tests.test_seat import AGAIN, Pair, seat_of


def kinds(chain: tuple[Signed, ...]) -> list[int]:
    return [read_entry(signed).kind for signed in chain]


def test_a_host_that_has_lost_all_but_its_secrets_asks_before_it_plays() -> None:
    # Joins can be replayed: that a table forms does not mean that it is a new one.
    host = seat_of(0)
    host.recall((), AGAIN)
    pair = Pair(host, seat_of(1))
    chains = pair.seats[1].chains()
    assert sorted(kinds(chain)[2] for chain in chains) == [Kind.COMMIT, Kind.RESUMED]


def test_a_host_whose_guest_only_joins_again_signs_the_same_terms_and_no_more() -> None:
    host = seat_of(0)
    host.recall((), AGAIN)
    pair = Pair(host, seat_of(1))
    first = max(pair.seats[1].chains(), key=lambda chain: kinds(chain)[2])[:2]
    again = seat_of(0)
    again.recall((), b"b" * 32)
    joined = seat_of(1)
    again.connect(1)
    for wish in joined.connect(0).send:
        for room in again.receive(1, wish.data).send:
            for ready in joined.receive(0, room.data).send:
                again.receive(1, ready.data)
    assert [chain for chain in again.chains() if chain] == [first[:1]]


def test_a_host_that_has_lost_its_table_learns_of_it_from_its_guest() -> None:
    pair = Pair(seat_of(0), seat_of(1))
    before = pair.seats[1].chains()
    host = seat_of(0)
    pair.seats[0] = host
    pair.seats[1].disconnect(0)
    pair.take(0, host.recall((), AGAIN))
    pair.connect()
    for seat in pair.seats:
        for now, then in zip(seat.chains(), before, strict=True):
            assert now[: len(then)] == then
    assert Kind.RESUMED in {kind for chain in host.chains() for kind in kinds(chain)}
