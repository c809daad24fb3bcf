"""Who is where, and seen by whom, as far as one seat has been told."""

from dataclasses import dataclass

import pytest

from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.faults import LinkFault, Signed
from protocol.news import News, Sees, Watched, Where, read_news, sign_news
from protocol.record import Record
from protocol.whereabouts import Whereabouts

SEATS = tuple(Identity(bytes((seat,)) * 32) for seat in range(1, 6))
KEYS = tuple(identity.key for identity in SEATS)
SCOPE = b"t" * 16
HOME = ("192.168.1.5",)
AWAY = ("10.9.8.7",)


def of(seat: int) -> Whereabouts:
    return Whereabouts(Record(KEYS, bytes(32), SCOPE), SEATS[seat], seat)


def where(seat: int, number: int, hosts: tuple[str, ...] = HOME) -> Signed:
    return sign_news(SEATS[seat], Where(SCOPE, seat, number, 4000, hosts))


def sees(seat: int, *seats: int, number: int = 1) -> Signed:
    return sign_news(SEATS[seat], Sees(SCOPE, seat, number, seats))


def own_news(one: Whereabouts, seat: int) -> list[News]:
    return [news for news in map(read_news, one.news) if news.seat == seat]


def test_the_newest_counts_in_whatever_order_they_come() -> None:
    first, second = of(0), of(0)
    for number in (1, 3, 2):
        assert first.hear(where(1, number, (f"10.0.0.{number}",))) is None
    for number in (3, 1, 2):
        assert second.hear(where(1, number, (f"10.0.0.{number}",))) is None
    newest = Where(SCOPE, 1, 3, 4000, ("10.0.0.3",))
    assert first.where(1) == second.where(1) == newest
    assert first.news == second.news == (where(1, 3, ("10.0.0.3",)),)


def test_of_two_with_one_number_the_first_stays_so_that_nothing_goes_round() -> None:
    one = of(0)
    one.hear(where(1, 1, HOME))
    assert one.hear(where(1, 1, AWAY)) is None
    assert one.news == (where(1, 1, HOME),)


@dataclass(frozen=True)
class Bad:
    says: str
    signed: Signed


@pytest.mark.parametrize(
    "bad",
    [
        Bad("not sign", Signed(where(1, 1).encoded, where(2, 1).signature)),
        Bad("not sign", sign_news(SEATS[2], Where(SCOPE, 1, 1, 4000, HOME))),
        Bad("not sign", sign_news(SEATS[2], Sees(SCOPE, 0, 9, (1,)))),
        Bad("another table", sign_news(SEATS[1], Where(b"u" * 16, 1, 1, 1, HOME))),
        Bad("not at this table", sign_news(SEATS[1], Sees(SCOPE, 5, 1, ()))),
        Bad("are none", Signed(b"\x00", bytes(64))),
        Bad("are none", Signed(where(1, 1).encoded + bytes(600), bytes(64))),
    ],
)
def test_what_no_honest_seat_passes_on_is_the_links_fault(bad: Bad) -> None:
    one = of(0)
    fault = one.hear(bad.signed)
    assert isinstance(fault, LinkFault)
    assert bad.says in fault.reason
    assert one.news == ()


def test_only_what_has_changed_is_told() -> None:
    one = of(0)
    one.is_at(4000, HOME)
    one.hears((KEYS[2], KEYS[1], b"?" * 32, KEYS[0]))
    before = one.news
    assert own_news(one, 0) == [
        Where(SCOPE, 0, 1, 4000, HOME),
        Sees(SCOPE, 0, 1, (1, 2)),
    ]
    one.is_at(4000, HOME)
    one.hears((KEYS[1], KEYS[2]))
    assert one.news == before
    one.is_at(4000, AWAY)
    one.hears(())
    assert own_news(one, 0) == [
        Where(SCOPE, 0, 2, 4000, AWAY),
        Sees(SCOPE, 0, 2, ()),
    ]


def test_that_nobody_is_heard_is_news_the_first_time_too() -> None:
    one = of(0)
    one.hears(())
    assert own_news(one, 0) == [Sees(SCOPE, 0, 1, ())]


@pytest.mark.parametrize("told_before", [True, False])
def test_what_was_told_in_an_earlier_life_does_not_count(*, told_before: bool) -> None:
    one = of(0)
    if told_before:
        one.is_at(4000, AWAY)
    assert one.hear(where(0, 7)) is None
    if not told_before:
        assert one.news == ()
        one.is_at(4000, AWAY)
    (news,) = own_news(one, 0)
    assert news == Where(SCOPE, 0, 8, 4000, AWAY)
    one.hear(where(0, 3))
    assert own_news(one, 0) == [news]


def test_the_places_of_others_are_what_is_worth_keeping() -> None:
    one = of(0)
    one.is_at(4000, AWAY)
    for signed in (where(1, 1), sees(1, 0), where(2, 1)):
        one.hear(signed)
    assert one.places == (where(1, 1), where(2, 1))


def test_a_seat_is_seen_through_the_first_on_the_shortest_way_to_it() -> None:
    # 0 hears 1 and 2; 1 hears 3, 2 hears 4, 3 hears 4.
    one = of(0)
    for signed in (sees(1, 0, 3), sees(2, 0, 4), sees(3, 1, 4), sees(4, 2, 3)):
        one.hear(signed)
    assert one.through(3, [1, 2]) == 1
    assert one.through(4, [1, 2]) == 2
    assert one.through(4, [1]) == 1
    assert one.through(1, [1, 2]) == 1
    one.hear(sees(2, 0, number=2))
    assert one.through(4, [2]) is None
    assert one.through(4, []) is None


def test_what_a_lost_seat_once_saw_makes_no_way() -> None:
    # 3 is gone, and nobody who is there hears it; it had heard 4.
    one = of(0)
    for signed in (sees(3, 4), sees(1, 0)):
        one.hear(signed)
    assert one.through(4, [1]) is None


def watched(seat: int, *names: str, number: int = 1) -> Signed:
    return sign_news(SEATS[seat], Watched(SCOPE, seat, number, names))


def test_who_watches_is_told_to_the_others_and_shown_safely() -> None:
    host, guest = of(0), of(1)
    host.is_watched_by(())
    assert not host.news
    host.is_watched_by(("Cy", "D\x1b[2J"))
    (news,) = host.news
    assert guest.hear(news) is None
    assert list(guest.watchers) == ["Cy", "D\ufffd[2J"]
    assert not host.watchers
    host.is_watched_by(())
    assert guest.hear(host.news[0]) is None
    assert not guest.watchers


def test_names_of_watchers_fit_in_news_whatever_they_are() -> None:
    one = of(0)
    one.is_watched_by(["\N{LATIN SMALL LETTER E WITH ACUTE}\u0301\u0302" * 16] * 8)
    (news,) = one.news
    assert of(1).hear(news) is None


def test_whoever_watched_in_an_earlier_life_does_not_any_more() -> None:
    one, other = of(0), of(1)
    other.hear(watched(0, "Cy", number=7))
    one.hear(watched(0, "Cy", number=7))
    for news in one.news:
        other.hear(news)
    assert other.watchers == ()


def test_more_watchers_than_there_can_be_are_no_news() -> None:
    encoded = encode((2, SCOPE, 0, 1, ("x",) * 9))
    assert isinstance(of(1).hear(Signed(encoded, bytes(64))), LinkFault)
