"""Where the seats of a match meet: what its store must know to meet again."""

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Final, cast

from protocol.codec import Bytes, Malformed, decode, encode, fields
from protocol.codes import Servers, read_servers
from protocol.crypto.group import EDWARDS
from protocol.crypto.hashing import H
from protocol.crypto.identity import KEY_BYTES, Identity
from protocol.entry import SEATS_MAX, WIRE_VERSION
from protocol.faults import Signed
from protocol.hello import NONCE_BYTES, Door, HostHello, program_text, table_text
from protocol.invite import (
    HOSTS_MAX,
    TICKET_BYTES,
    BadAddress,
    BadInvite,
    Invite,
    bracketed,
    read_address,
    read_invite,
)
from protocol.news import NEWS_BYTES_MAX, read_news
from protocol.text import SafeText, safe_name, safe_text
from scopa_net import __version__
from scopa_net.home import ID_CHARACTERS
from scopa_net.rules import RulesError, Variant, variant_of_lines

__all__ = [
    "Meeting",
    "NoMeeting",
    "OtherRules",
    "check_wanted",
    "match_of",
    "new_table",
    "other_terms",
    "place_facts",
    "program",
    "read_meeting",
    "read_places",
    "table_part",
    "variant_told",
    "watch_ticket",
]

_DIFFERENCES_MAX: Final = 6
_RULE_CELLS_MAX: Final = 64
_HOST: Final = b"host"
_GUEST: Final = b"guest"
_WIRE: Final = str(WIRE_VERSION).encode()
_PLACE: Final = fields(Bytes(0, NEWS_BYTES_MAX), Bytes(64))
_ADMITTED_BYTES: Final = KEY_BYTES + TICKET_BYTES


class OtherRules(Exception):
    """The host's table is none that this program can sit at."""


class NoMeeting(Exception):
    """A store does not say how its match could go on."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A table and the way to it, as one of its players knows it.

    A host listens at `address`, gives out `tickets` and has `admitted` keys, each with
    the ticket that it used; a guest has the `invite` that it came with, and listens at
    `address` if there are others to be let in.
    """

    nonce: bytes
    variant: Variant
    name: str
    host: bytes
    address: tuple[str, int] | None = None
    tickets: tuple[bytes, ...] = ()
    admitted: tuple[tuple[bytes, bytes], ...] = ()
    invite: Invite | None = None
    announced: bool = False
    """Whether the LAN is told of the table."""

    servers: Servers | None = None
    """By whom its seats meet again who cannot call each other."""

    side: int | None = None
    """The one that the own player wishes for."""

    bots: tuple[str, ...] = ()
    """A host's, each as it is asked for; they come with the last of the tickets."""

    @property
    def hosting(self) -> bool:
        """Whether the own seat is the host's."""
        return self.invite is None

    @property
    def guests(self) -> frozenset[bytes]:
        """Those who were let in, but for the host's bots."""
        return frozenset(key for key, _ in self.admitted) - self._bot_keys

    def to_come(self, here: Set[bytes]) -> int:
        """How many guests are missing while these are here; no bot is missed."""
        places = self.variant.players - 1 - len(self.bots)
        return max(0, places - len(here - self._bot_keys))

    @property
    def _bot_keys(self) -> frozenset[bytes]:
        bots = self._bot_tickets
        return frozenset(key for key, ticket in self.admitted if ticket in bots)

    def admitting(self, key: bytes, ticket: bytes) -> "Meeting":
        """After one more guest was let in."""
        return replace(self, admitted=(*self.admitted, (key, ticket)))

    def letting_go(self, key: bytes) -> "Meeting":
        """After a guest has gone before the start."""
        kept = tuple(pair for pair in self.admitted if pair[0] != key)
        return replace(self, admitted=kept)

    @property
    def loopback(self) -> str | None:
        """The address at which the whole table is, if it is on one machine only."""
        hosts: tuple[str, ...] = ()
        if self.invite is not None:
            hosts = self.invite.hosts
        elif self.address is not None:
            hosts = (self.address[0],)
        return hosts[0] if hosts and all(map(_is_loopback, hosts)) else None

    def listening_at(self, port: int) -> "Meeting":
        """After the system has chosen the port, which is kept for later."""
        host = "" if self.address is None else self.address[0]
        return self.at(host, port)

    def at(self, host: str, port: int) -> "Meeting":
        """With another address of its own."""
        return replace(self, address=(host, port))

    @property
    def tickets_free(self) -> frozenset[bytes]:
        """Those with which somebody new may come: not used, and there is room."""
        used = {ticket for _, ticket in self.admitted} - {*self._bot_tickets}
        if len(used) >= len(self._guest_tickets):
            return frozenset()
        return frozenset(self._guest_tickets) - used

    @property
    def _guest_tickets(self) -> tuple[bytes, ...]:
        return self.tickets[: len(self.tickets) - len(self.bots)]

    @property
    def _bot_tickets(self) -> tuple[bytes, ...]:
        return self.tickets[len(self._guest_tickets) :]

    def hello(self) -> HostHello:
        """What those are told who are let in here."""
        return HostHello(
            program(),
            self.nonce,
            EDWARDS.name,
            self.variant.players,
            self.variant.lines(),
            table_text(self.name),
            self.servers,
        )

    def door(self, watch: bytes | None = None) -> Door:
        """Who may come in at the host's, and with which ticket to watch."""
        return Door(
            self.nonce,
            self.tickets,
            places=self.variant.players - 1,
            admitted=dict(self.admitted),
            kept=self._bot_tickets,
            watch=watch,
        )

    def invites(self, everywhere: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """One for each guest; `everywhere` names the addresses of this machine.

        None is for a bot of the host's.
        """
        return self._invites(self._guest_tickets, everywhere)

    def bot_invites(self, everywhere: Callable[[], tuple[str, ...]]) -> tuple[str, ...]:
        """One for each of the host's bots, which are on this machine."""

        def nearest() -> tuple[str, ...]:
            # The others say that the table is not only here.
            return tuple(dict.fromkeys(("127.0.0.1", *everywhere())))[:HOSTS_MAX]

        return self._invites(self._bot_tickets, nearest)

    def _invites(
        self, tickets: Sequence[bytes], everywhere: Callable[[], tuple[str, ...]]
    ) -> tuple[str, ...]:
        if self.address is None:
            return ()
        host, port = self.address
        first, *others = (host,) if host else everywhere()
        return tuple(
            str(Invite(first, port, self.host, ticket, tuple(others)))
            for ticket in tickets
        )

    def watch_invite(
        self, watch: bytes, everywhere: Callable[[], tuple[str, ...]]
    ) -> str:
        """That for who watches; see `invites`."""
        (text,) = self._invites((watch,), everywhere)
        return text

    def still_free(self, invites: Sequence[str]) -> tuple[str, ...]:
        """Those of all `invites` with which somebody new may come."""
        each = zip(invites, self._guest_tickets, strict=True)
        return tuple(text for text, ticket in each if ticket in self.tickets_free)

    def facts(self) -> dict[str, bytes]:
        """What a store keeps of it."""
        facts = {
            "wire": _WIRE,
            "role": _HOST if self.hosting else _GUEST,
            "nonce": self.nonce,
            "rules": "\n".join(self.variant.lines()).encode(),
            "name": self.name.encode(),
            "host": self.host,
        }
        facts |= self.address_facts()
        if self.side is not None:
            facts["side"] = str(self.side).encode()
        if self.servers is not None:
            facts["mailbox"] = self.servers.mailbox.encode()
            facts["relay"] = self.servers.relay.encode()
        if self.invite is not None:
            return {**facts, "invite": str(self.invite).encode()}
        facts["lan"] = b"1" if self.announced else b""
        facts["tickets"] = b"".join(self.tickets)
        facts["bots"] = "\0".join(self.bots).encode()
        return {**facts, **self.admission_facts()}

    def address_facts(self) -> dict[str, bytes]:
        """What changes of it when we listen somewhere."""
        if self.address is None:
            return {}
        host, port = self.address
        return {"listen": f"{bracketed(host)}:{port}".encode()}

    def admission_facts(self) -> dict[str, bytes]:
        """What changes of it when a guest is let in."""
        return {"admitted": b"".join(key + ticket for key, ticket in self.admitted)}


def new_table(
    variant: Variant, address: tuple[str, int], name: str, host: bytes
) -> Meeting:
    """A table of ours to which nobody was invited before."""
    guests = range(variant.players - 1)
    tickets = tuple(secrets.token_bytes(TICKET_BYTES) for _ in guests)
    nonce = secrets.token_bytes(NONCE_BYTES)
    return Meeting(nonce, variant, name, host, address, tickets)


def read_meeting(facts: Mapping[str, bytes]) -> Meeting:
    """The meeting that a store keeps; raises `NoMeeting` with a sentence."""
    try:
        return _meeting(facts)
    except (KeyError, ValueError, RulesError, BadAddress, BadInvite) as reason:
        raise NoMeeting(
            "This saved match cannot go on here: another version of this program has "
            "made it."
        ) from reason


def _meeting(facts: Mapping[str, bytes]) -> Meeting:
    nonce, host = facts["nonce"], facts["host"]
    if len(nonce) != NONCE_BYTES or len(host) != KEY_BYTES or facts["wire"] != _WIRE:
        raise ValueError
    meeting = Meeting(
        nonce,
        variant_of_lines(tuple(facts["rules"].decode().split("\n"))),
        str(safe_name(facts["name"].decode())),
        host,
        servers=_servers(facts),
        side=int(facts["side"]) if "side" in facts else None,
    )
    if facts["role"] == _GUEST:
        listen = facts.get("listen")
        return replace(
            meeting,
            invite=read_invite(facts["invite"].decode()),
            address=None if listen is None else read_address(listen.decode()),
        )
    admitted = _pieces(facts["admitted"], _ADMITTED_BYTES)
    return replace(
        meeting,
        address=read_address(facts["listen"].decode()),
        tickets=_pieces(facts["tickets"], TICKET_BYTES),
        announced=facts.get("lan") == b"1",
        bots=tuple(filter(None, facts.get("bots", b"").decode().split("\0"))),
        admitted=tuple((each[:KEY_BYTES], each[KEY_BYTES:]) for each in admitted),
    )


def place_facts(places: Iterable[Signed]) -> dict[str, bytes]:
    """What a store keeps of where the other seats are, or were."""
    return {f"place {read_news(place).seat}": encode(place) for place in places}


def read_places(facts: Mapping[str, bytes]) -> tuple[Signed, ...]:
    """Where the other seats were when it was kept; what is damaged is not missed."""
    places = []
    for seat in range(SEATS_MAX):
        with suppress(KeyError, Malformed):
            value = decode(facts[f"place {seat}"], _PLACE)
            places.append(Signed(*cast("tuple[bytes, bytes]", value)))
    return tuple(places)


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _servers(facts: Mapping[str, bytes]) -> Servers | None:
    if "mailbox" not in facts:
        return None
    return read_servers(facts["mailbox"].decode(), facts["relay"].decode())


def _pieces(data: bytes, size: int) -> tuple[bytes, ...]:
    if len(data) % size:
        raise ValueError
    return tuple(data[at : at + size] for at in range(0, len(data), size))


def match_of(identity: Identity, invite: Invite) -> str:
    """What tells the match that an invitation is for from all others of a seat.

    It is the own part of its ID, so that it is joined only once.
    """
    return H("sc1.match.id", identity.seed, invite.pin, invite.ticket)[4:16].hex()


def match_id(meeting: Meeting, own: str | None = None) -> str:
    """The ID under which a seat keeps a match; without an `own` part one is drawn.

    Its first eight digits are the table's. So players who read an ID out to each other
    mean the same match.
    """
    return table_part(meeting) + (own or secrets.token_hex(ID_CHARACTERS // 2 - 4))


def table_part(meeting: Meeting) -> str:
    """The beginning of its ID, which is enough to find it where it is kept."""
    return H("sc1.match.table", meeting.host, meeting.nonce)[:4].hex()


def match_kept(ids: Iterable[str], own: str) -> str | None:
    """Which of these IDs is that of the match with this `own` part, if one is."""
    return next((match for match in ids if match.endswith(own)), None)


def watch_ticket(identity: Identity, nonce: bytes) -> bytes:
    """A host's ticket for those who watch: the same whenever its match goes on."""
    return H("sc1.watch.ticket", identity.seed, nonce)[:TICKET_BYTES]


def variant_told(hello: HostHello) -> Variant:
    """The game that a host says is played; raises `OtherRules`."""
    try:
        variant = variant_of_lines(hello.rules)
    except RulesError as reason:
        raise OtherRules(
            "The host plays by rules that this program does not know "
            f'(the host\'s program is "{hello.program}", this one "{program()}"): '
            f"{reason}"
        ) from reason
    if hello.suite != EDWARDS.name or hello.seats != variant.players:
        raise OtherRules(
            "The host deals in a way that this program does not know "
            f'(the host\'s program is "{hello.program}", this one "{program()}").'
        )
    return variant


def check_wanted(wanted: Variant | None, there: Variant) -> None:
    """Raise `OtherRules` with the differences, if a game was asked for by name."""
    # A score that is carried on is no rule that anybody asks for by name.
    if wanted is not None and wanted != replace(there, carried=None):
        raise OtherRules(
            "The host plays by other rules than you asked for: "
            f"{_differences(wanted.lines(), there.lines())}."
        )


def other_terms(told: Variant, proposed: Sequence[str]) -> OtherRules:
    """What is wrong if the host proposes other rules than it had told."""
    differences = _differences(told.lines(), proposed) or "another cipher"
    return OtherRules(f"The host proposes other rules than it had told: {differences}.")


def _differences(here: Sequence[str], there: Sequence[str]) -> str:
    """What two lists of `key=value` lines, one of them foreign, do not agree on."""
    ours, theirs = _values(here), _values(there)
    keys = sorted(set(ours) | set(theirs), key=lambda key: (key != "variant", key))
    told = [
        f"{key} {theirs.get(key, 'nothing')} there, {ours.get(key, 'nothing')} here"
        for key in keys
        if ours.get(key) != theirs.get(key)
    ]
    more = len(told) - _DIFFERENCES_MAX
    rest = f"; and {more} more" if more > 0 else ""
    return "; ".join(told[:_DIFFERENCES_MAX]) + rest


def _values(lines: Sequence[str]) -> dict[str, str]:
    shown = (str(safe_text(line, cells_max=_RULE_CELLS_MAX)) for line in lines)
    return {key: value for key, _, value in (line.partition("=") for line in shown)}


def program() -> SafeText:
    """What this program calls itself to others."""
    return program_text(f"scopa-net {__version__}")
