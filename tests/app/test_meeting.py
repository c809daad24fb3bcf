"""What a store knows of where its players meet."""

from dataclasses import replace

import pytest

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.hello import HostHello, program_text, table_text
from protocol.invite import Invite, read_invite
from protocol.news import Where, sign_news
from scopa_net.app.meeting import (
    Meeting,
    NoMeeting,
    OtherRules,
    check_wanted,
    match_id,
    match_kept,
    match_of,
    other_terms,
    place_facts,
    read_meeting,
    read_places,
    variant_told,
    watch_ticket,
)
from scopa_net.home import ID_CHARACTERS
from scopa_net.rules import Carried, find_variant

HOST = Identity(b"h" * 32).key
INVITE = Invite("192.0.2.7", 4000, HOST, b"t" * 16)
HOSTED = Meeting(
    b"n" * 32,
    find_variant("scopa", 3),
    "Ada",
    HOST,
    ("127.0.0.1", 4000),
    (b"t" * 16, b"u" * 16),
)
JOINED = Meeting(b"n" * 32, find_variant("scopa"), "Bob", HOST, invite=INVITE)


@pytest.mark.parametrize(
    "meeting",
    [
        HOSTED,
        JOINED,
        replace(HOSTED, address=("", 9)),
        replace(HOSTED, announced=True),
        replace(HOSTED, side=0),
        replace(HOSTED, bots=("rules", "greedy:x=1")),
        replace(JOINED, side=1),
    ],
)
def test_a_meeting_comes_back_from_its_facts(meeting: Meeting) -> None:
    assert read_meeting(meeting.facts()) == meeting


def test_who_was_let_in_comes_back_with_the_ticket() -> None:
    facts = HOSTED.facts()
    meeting = HOSTED.admitting(b"k" * 32, b"u" * 16)
    facts |= meeting.admission_facts()
    assert read_meeting(facts) == meeting
    assert meeting.admitted == ((b"k" * 32, b"u" * 16),)


@pytest.mark.parametrize(
    "name", ["wire", "nonce", "rules", "name", "host", "listen", "tickets"]
)
def test_facts_that_lack_something_are_no_meeting(name: str) -> None:
    facts = {key: value for key, value in HOSTED.facts().items() if key != name}
    with pytest.raises(NoMeeting):
        read_meeting(facts)


def test_facts_that_are_damaged_are_no_meeting() -> None:
    damages = ("nonce", b""), ("rules", b"x"), ("tickets", b"123"), ("wire", b"1")
    for name, value in damages:
        with pytest.raises(NoMeeting):
            read_meeting({**HOSTED.facts(), name: value})


def test_there_is_an_invitation_for_each_guest() -> None:
    everywhere = replace(HOSTED, address=("", 4001))
    invites = everywhere.invites(lambda: ("192.0.2.7", "2001:db8::7"))
    read = [read_invite(text) for text in invites]
    assert [one.ticket for one in read] == [b"t" * 16, b"u" * 16]
    assert {one.hosts for one in read} == {("192.0.2.7", "2001:db8::7")}
    assert {(one.port, one.pin) for one in read} == {(4001, HOST)}
    (only, _) = HOSTED.invites(lambda: ())
    assert read_invite(only).hosts == ("127.0.0.1",)


def test_bots_of_the_host_come_with_invitations_that_nobody_else_has() -> None:
    filled = replace(HOSTED, bots=("rules",), address=("", 4001))
    (guest,) = map(read_invite, filled.invites(lambda: ("192.0.2.7",)))
    (bot,) = map(read_invite, filled.bot_invites(lambda: ("192.0.2.7",)))
    assert (guest.ticket, bot.ticket) == (b"t" * 16, b"u" * 16)
    # It is reached on this machine, and still knows that others are elsewhere.
    assert bot.hosts == ("127.0.0.1", "192.0.2.7")
    assert filled.still_free(("guest",)) == ("guest",)
    assert filled.admitting(b"k" * 32, b"u" * 16).tickets_free == {b"t" * 16}
    assert filled.admitting(b"k" * 32, b"x" * 16).tickets_free == frozenset()
    assert HOSTED.bot_invites(lambda: ()) == ()


def test_who_goes_before_the_start_leaves_the_ticket() -> None:
    first, second = HOSTED.tickets
    both = HOSTED.admitting(b"k" * 32, first).admitting(b"l" * 32, second)
    assert both.letting_go(b"k" * 32).tickets_free == {first}
    assert both.letting_go(b"k" * 32) == HOSTED.admitting(b"l" * 32, second)


def test_a_ticket_is_free_until_it_is_used_or_the_table_is_full() -> None:
    first, second = HOSTED.tickets
    assert HOSTED.tickets_free == {first, second}
    one_came = HOSTED.admitting(b"k" * 32, first)
    assert one_came.tickets_free == {second}
    # Who knocks comes with no ticket of the host's.
    assert one_came.admitting(b"l" * 32, b"x" * 16).tickets_free == frozenset()


def test_a_guest_that_listens_does_so_again_where_it_did() -> None:
    listening = JOINED.at("", 4002)
    facts = JOINED.facts() | listening.address_facts()
    assert read_meeting(facts) == listening


@pytest.mark.parametrize(
    ("meeting", "loopback"),
    [
        (HOSTED, "127.0.0.1"),
        (replace(HOSTED, address=("", 4000)), None),
        (replace(HOSTED, address=("192.0.2.7", 4000)), None),
        (JOINED, None),
        (replace(JOINED, invite=replace(INVITE, host="::1")), "::1"),
        (replace(JOINED, invite=replace(INVITE, others=("127.0.0.1",))), None),
        (replace(JOINED, invite=replace(INVITE, host="localhost")), None),
    ],
)
def test_a_table_is_on_the_loopback_if_nothing_else_leads_to_it(
    meeting: Meeting, loopback: str | None
) -> None:
    assert meeting.loopback == loopback


def test_where_others_were_comes_back_unless_it_is_damaged() -> None:
    scope, luck = b"s" * 16, Identity(b"i" * 32)
    places = [
        sign_news(luck, Where(scope, seat, 1, 4000, ("192.0.2.8",))) for seat in (0, 2)
    ]
    facts = {**JOINED.facts(), **place_facts(places)}
    assert list(read_places(facts)) == places
    assert list(read_places({**facts, "place 2": b"?"})) == places[:1]
    assert read_places(JOINED.facts()) == ()


def test_an_invitation_is_the_same_match_to_one_player_and_another_to_others() -> None:
    bob, cleo = Identity(b"b" * 32), Identity(b"c" * 32)
    elsewhere = replace(INVITE, host="192.0.2.8", port=1)
    assert match_of(bob, INVITE) == match_of(bob, elsewhere)
    assert match_of(bob, INVITE) != match_of(cleo, INVITE)
    assert match_of(bob, INVITE) != match_of(bob, replace(INVITE, ticket=bytes(16)))


def test_all_seats_of_a_table_read_out_the_same_id() -> None:
    hosted = match_id(HOSTED)
    assert match_id(HOSTED) != hosted
    joined = match_id(JOINED, match_of(Identity(b"b" * 32), INVITE))
    assert len(hosted) == len(joined) == ID_CHARACTERS
    assert hosted[:8] == joined[:8]
    assert match_id(replace(HOSTED, nonce=bytes(32)))[:8] != hosted[:8]


def test_a_match_is_found_again_by_its_invitation() -> None:
    own = match_of(Identity(b"b" * 32), INVITE)
    before = "0" * 8 + own
    assert match_kept([match_id(HOSTED), before], own) == before
    assert match_kept([match_id(HOSTED)], own) is None


def test_what_a_host_plays_must_be_known() -> None:
    variant = find_variant("scopa", 3)
    hello = HostHello(
        program_text("scopa-net 9"),
        bytes(32),
        EDWARDS.name,
        3,
        variant.lines(),
        table_text("Ada"),
    )
    assert variant_told(hello) == variant
    with pytest.raises(OtherRules, match="scopa-net 9"):
        variant_told(replace(hello, rules=(*hello.rules, "wild=two")))
    with pytest.raises(OtherRules, match="deals in a way"):
        variant_told(replace(hello, suite="other"))
    with pytest.raises(OtherRules, match="deals in a way"):
        variant_told(replace(hello, seats=2))


def test_of_two_games_only_what_differs_is_told() -> None:
    here = find_variant("scopa", 2, {"target": "21"})
    check_wanted(None, here)
    check_wanted(here, here)
    with pytest.raises(OtherRules, match=r": target 11 there, 21 here\."):
        check_wanted(here, find_variant("scopa", 2))
    with pytest.raises(
        OtherRules, match=r": variant cirulla there, .*; and \d+ more\."
    ):
        check_wanted(here, find_variant("cirulla", 2))


def test_foreign_rules_are_shown_as_safe_text() -> None:
    here = find_variant("scopa", 2)
    lines = [line.replace("=11", "=\x1b[31m5") for line in here.lines()]
    told = str(other_terms(here, (*lines, "nonsense")))
    assert "\x1b" not in told
    assert "target" in told
    assert "nonsense" in told


def test_the_invitation_to_watch_is_the_same_whenever_the_match_goes_on() -> None:
    own, other = Identity(b"h" * 32), Identity(b"i" * 32)
    ticket = watch_ticket(own, b"n" * 32)
    assert watch_ticket(own, b"n" * 32) == ticket
    assert ticket not in {watch_ticket(other, b"n" * 32), watch_ticket(own, b"m" * 32)}
    text = HOSTED.watch_invite(ticket, lambda: ())
    assert read_invite(text) == Invite("127.0.0.1", 4000, HOST, ticket)
    assert ticket not in HOSTED.tickets


def test_a_score_that_is_carried_on_is_nothing_that_was_asked_for() -> None:
    wanted = find_variant("scopa")
    carried = replace(wanted, carried=Carried((4, 7), "0a" * 16, "0b" * 16))
    check_wanted(wanted, carried)
    with pytest.raises(OtherRules, match="target 11 there, 5 here"):
        check_wanted(find_variant("scopa", 2, {"target": "5"}), carried)
