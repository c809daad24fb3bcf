"""What travels on a link, and the invitation to it, as values and bytes."""

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from protocol.archive import write_archive
from protocol.chat import Chat, sign_chat
from protocol.codec import encode
from protocol.codes import Servers
from protocol.crypto.hashing import H
from protocol.crypto.knock import Exchange, commitment
from protocol.entry import Entry, Kind, read_entry
from protocol.faults import Signed
from protocol.hello import (
    GuestHello,
    GuestNonce,
    HostHello,
    HostNonce,
    Knock,
    Look,
    Refusal,
    Refused,
    Shown,
    Uninvited,
    WatcherHello,
    program_text,
    table_text,
    write_greeting,
)
from protocol.invite import Invite
from protocol.links.frames import HEARTBEAT, framed
from protocol.news import Sees, Watched, Where, sign_news
from protocol.notes import Acknowledgement, Question, sign_note
from protocol.room import Present, Room
from protocol.roster import write_join
from protocol.text import safe_name
from tests.support.forgeries import Forgery
from tests.support.matches import Played

Json: TypeAlias = dict[str, Any]

TICKET = bytes(range(16))
HOST_NONCE, GUEST_NONCE, ASKED = (bytes([i]) * 32 for i in (7, 8, 9))
COIN = bytes([3]) * 32
SERVERS = Servers("ws://h.example:4000/v1", "tcp:h.example:4001")
PROGRAM = program_text("another 1.0")


def link(match: Played) -> Json:
    """Seat 0 of the match is the host and seat 1 its guest."""
    back = came_back(match)
    return {
        "invitation": _invitation(match),
        "hellos": _hellos(match),
        "knock": _knock(match),
        "heartbeat": HEARTBEAT.hex(),
        "stream": framed(b"frame").hex(),
        "frames": _frames(match, back),
        "came_back": _came_back(match, back),
    }


def _invitation(match: Played) -> Json:
    hosts = "192.168.1.5", "2001:db8::1"
    pin = match.identities[0].key
    return {
        "text": str(Invite(hosts[0], 4000, pin, TICKET, hosts[1:])),
        "hosts": list(hosts),
        "port": 4000,
        "pin": pin.hex(),
        "ticket": TICKET.hex(),
    }


def _hellos(match: Played) -> Json:
    host, guest = (own.key for own in match.identities)
    rules = match.terms.rules
    table = table_text("Da Ada")
    host_hello = HostHello(PROGRAM, match.nonce, match.terms.suite, 2, rules, table)
    said: dict[str, GuestHello | HostHello | Refused | Uninvited] = {
        "new guest": GuestHello(PROGRAM, TICKET, None),
        "guest again": GuestHello(PROGRAM, None, match.nonce),
        "host": host_hello,
        "host of a remote table": replace(host_hello, servers=SERVERS),
        "refusal": Refused(PROGRAM, Refusal.USED_TICKET),
        "look": Look(PROGRAM),
        "shown": Shown(PROGRAM, table, 2, 1, asks=True, rules=("a=1", "b=2")),
        "knock": Knock(PROGRAM, safe_name("Bea"), commitment(host, guest, GUEST_NONCE)),
        "host's nonce": HostNonce(PROGRAM, HOST_NONCE),
        "guest's nonce": GuestNonce(PROGRAM, GUEST_NONCE),
        "new watcher": WatcherHello(PROGRAM, safe_name("Cy"), TICKET, None),
        "watcher again": WatcherHello(PROGRAM, safe_name("Cy"), TICKET, match.nonce),
    }
    return {what: write_greeting(one).hex() for what, one in said.items()}


def _knock(match: Played) -> Json:
    host, guest = (own.key for own in match.identities)
    exchange = Exchange(host, guest, HOST_NONCE, GUEST_NONCE)
    return {"words": exchange.words, "ticket": exchange.ticket.hex()}


@dataclass(frozen=True, slots=True)
class CameBack:
    """Seat 1 is opened again in the middle of the match, asks, and goes on."""

    question: Signed
    acknowledgement: Signed
    resumed: Signed
    record: bytes


def came_back(match: Played) -> CameBack:
    """The coming back of the seat that has just played, with nothing forgotten."""
    forgery = Forgery(match)
    played = [entry for entry in forgery.entries(Kind.ACT) if entry.seat == 1][2]
    forgery.forget(played)
    scope = match.terms.scope(match.nonce)
    held, own = (len(forgery.chains[seat]) for seat in (1, 0))
    head, last = forgery.entry(1, held - 1).id, forgery.entry(0, own - 1).id
    asker = Question(scope, 1, 0, ASKED)
    told = Acknowledgement(scope, 1, ASKED, held, head, 0, own, last)
    question = sign_note(match.identities[1], asker)
    note = sign_note(match.identities[0], told)
    forgery.add(1, Kind.RESUMED, (ASKED, (tuple(note),)))
    resumed = forgery.chains[1][-1]
    return CameBack(question, note, resumed, write_archive(forgery.chains))


def _frames(match: Played, back: CameBack) -> Json:
    identity = match.identities[1]
    scope = match.terms.scope(match.nonce)
    join = write_join(identity, match.nonce, "bea", None, COIN)
    heads = [[len(chain), read_entry(chain[-1]).id] for chain in match.chains]
    entry, fork = match.chains[0][0], match.chains[0][:2]
    where = sign_news(identity, Where(scope, 1, 1, 4000, ("192.168.1.6", "::1")))
    sees = sign_news(identity, Sees(scope, 1, 1, (0,)))
    watched = sign_news(identity, Watched(scope, 1, 1, ("Cy",)))
    chat = sign_chat(identity, Chat(scope, 1, 1, "Che fortuna!"))
    host, guest = (own.key for own in match.identities)
    here = Present(host, "Ada", 1, ready=True), Present(guest, "bea", None, ready=False)
    room = Room(4, here)
    said: dict[str, tuple[Any, ...]] = {
        "join": (0, *join),
        "have nothing": (1, 1, scope, [[0, match.nonce]] * 2),
        "have all": (1, 0, scope, heads),
        "entry": (2, *entry),
        "proof": (3, [list(one) for one in fork]),
        "ask": (4, 1, 5),
        "question": (5, *back.question),
        "acknowledgement": (5, *back.acknowledgement),
        "where": (6, *where),
        "sees": (6, *sees),
        "watched": (6, *watched),
        "chat": (7, *chat),
        "room": (8, *room.body()),
        "ready": (9, room.digest),
        "not ready": (9, None),
        "side full": (10, 0),
        "not wanted": (10, 1),
    }
    return {what: encode(frame).hex() for what, frame in said.items()}


def _came_back(match: Played, back: CameBack) -> Json:
    resumed: Entry = read_entry(back.resumed)
    return {
        "seat": resumed.seat,
        "seq": resumed.seq,
        "entry": resumed.signed.encoded.hex(),
        "signature": resumed.signed.signature.hex(),
        "scope_after": H("sc1.resumed", resumed.scope, ASKED)[:16].hex(),
    }
