"""What two peers say first on a fresh link, and how a host says no.

The guest speaks first; the host answers with its own hello or a refusal. Each is one
encoded list, and the first four fields are the same in every version, so that programs
of different versions can tell each other so; a refusal never changes at all:

    guest   [name, version, 0, program, ticket or nil, nonce or nil]
    host    [name, version, 1, program, nonce, suite, seats, rules, table, servers]
    refusal [name, version, 2, program, code]

A guest that comes for the first time knows no nonce; one that comes again names its
table by it, and its key is its ticket. `servers` are the mailbox and the relay by which
the seats of this table meet again, or none.

Who has no invitation may look, and is shown what everybody may know; or knock, which
`protocol.crypto.knock` explains, and then a person decides:

    look    [name, version, 3, program]
    shown   [name, version, 4, program, table, seats, free, asks, rules]
    knock   [name, version, 5, program, player, commitment]
    host's  [name, version, 6, program, nonce]
    guest's [name, version, 7, program, nonce]

Who only watches says so, with a ticket that seats nobody, and of its table the nonce if
it holds the terms already, so that what it has is not sent again:

    watcher [name, version, 8, program, player, ticket, nonce or nil]
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias, cast

from protocol.codec import (
    Anything,
    Bytes,
    Int,
    ListOf,
    Malformed,
    Maybe,
    Shape,
    Text,
    Value,
    decode,
    encode,
    fields,
)
from protocol.codes import URL_CHARACTERS_MAX, BadServer, Servers, read_servers
from protocol.crypto.knock import COMMITMENT_BYTES
from protocol.entry import SEATS_MAX, WIRE_VERSION
from protocol.invite import TICKET_BYTES
from protocol.text import SafeText, safe_name, safe_text

PROTOCOL: Final = "scopa-net"
NONCE_BYTES: Final = 32
PROGRAM_CELLS_MAX: Final = 24
TABLE_CELLS_MAX: Final = 32
GUEST_HELLO_BYTES_MAX: Final = 1_024
"""All that a host reads of somebody it does not know."""

HOST_HELLO_BYTES_MAX: Final = 16_384
"""Enough for 64 rule lines of 96 bytes; its sender has proven the invitation's key."""

EXIT_NETWORK: Final = 3
"""The exit code of a program that could not reach anybody."""

EXIT_REFUSED: Final = 4
"""The exit code of a program that was refused, or understood nothing."""

_VERSION_MAX: Final = 65_535
_GUEST, _HOST, _REFUSED, _LOOK, _SHOWN, _KNOCK, _HOST_NONCE, _GUEST_NONCE = range(8)
_WATCHER = 8
_PROGRAM = Text(256)
_NAME = Text(32)
_NONCE = Bytes(NONCE_BYTES)
_GUEST_SHAPE = fields(
    _NAME,
    Int(0, _VERSION_MAX),
    Int(_GUEST, _GUEST),
    _PROGRAM,
    Maybe(Bytes(TICKET_BYTES)),
    Maybe(_NONCE),
)
_HOST_SHAPE = fields(
    _NAME,
    Int(0, _VERSION_MAX),
    Int(_HOST, _HOST),
    _PROGRAM,
    _NONCE,
    Text(32),
    Int(2, SEATS_MAX),
    ListOf(Text(96), 0, 64),
    Text(256),
    ListOf(Text(URL_CHARACTERS_MAX), 0, 2),
)
_REFUSED_SHAPE = fields(
    _NAME,
    Int(0, _VERSION_MAX),
    Int(_REFUSED, _REFUSED),
    _PROGRAM,
    Int(0, 255),
)
_START = (_NAME, Int(0, _VERSION_MAX))
_NONCE_SHAPE = fields(*_START, Int(_HOST_NONCE, _GUEST_NONCE), _PROGRAM, _NONCE)
_UNINVITED: Mapping[int, Shape] = {
    _LOOK: fields(*_START, Int(_LOOK, _LOOK), _PROGRAM),
    _SHOWN: fields(
        *_START,
        Int(_SHOWN, _SHOWN),
        _PROGRAM,
        Text(256),
        Int(2, SEATS_MAX),
        Int(0, SEATS_MAX - 1),
        Int(0, 1),
        ListOf(Text(96), 0, 64),
    ),
    _KNOCK: fields(
        *_START, Int(_KNOCK, _KNOCK), _PROGRAM, Text(256), Bytes(COMMITMENT_BYTES)
    ),
    _HOST_NONCE: _NONCE_SHAPE,
    _GUEST_NONCE: _NONCE_SHAPE,
    _WATCHER: fields(
        *_START,
        Int(_WATCHER, _WATCHER),
        _PROGRAM,
        Text(256),
        Bytes(TICKET_BYTES),
        Maybe(_NONCE),
    ),
}


class Refusal(Enum):
    """Why a host turns a guest away: the code on the wire, and a sentence for it."""

    WRONG_VERSION = (1, "The host's program speaks another version of the game.")
    WRONG_TICKET = (2, "The host does not know this invitation: ask for a new one.")
    USED_TICKET = (
        3,
        "Somebody has used this invitation already: ask the host for a new one.",
    )
    TABLE_FULL = (4, "All seats at this table are taken.")
    OTHER_TABLE = (5, "The host is at another table now, not at the one of this match.")
    BUSY = (6, "The host is busy: try again in a moment.")
    NOT_WANTED = (
        7,
        "The host's player did not let you in. Tell each other the four words, and "
        "knock again in half a minute; or ask for an invitation.",
    )
    INVITED_ONLY = (
        8,
        "Nobody sits there who could let you in: ask the host for an invitation.",
    )
    SEATED = (10, "You have a seat at this table: go on with it by `scopa resume`.")
    SEAT_TICKET = (
        11,
        "This invitation is for a seat, not for watching: join without --watch.",
    )
    WATCH_TICKET = (
        12,
        "This invitation is for watching only, not for a seat: join with --watch.",
    )
    ENOUGH_WATCH = (13, "As many people watch this table as can.")
    NOT_YET = (
        14,
        "The host's player has said no to you a moment ago, and is asked again in half "
        "a minute at the earliest. An invitation needs no answer: ask for one.",
    )
    NO_ANSWER = (9, "Nobody at the host's has answered in time: try again later.")

    @property
    def code(self) -> int:
        """The number on the wire."""
        return self.value[0]

    @property
    def sentence(self) -> str:
        """What the guest's player reads."""
        return self.value[1]

    @property
    def passing(self) -> bool:
        """Whether the same guest may be let in if it comes again later."""
        return self is Refusal.BUSY


_REFUSALS = {refusal.code: refusal for refusal in Refusal}


@dataclass(frozen=True, slots=True)
class GuestHello:
    """A guest's: its ticket if it is new, the nonce of its table if it comes again."""

    program: SafeText
    ticket: bytes | None
    nonce: bytes | None


@dataclass(frozen=True, slots=True)
class HostHello:
    """A host's: its table. `suite` and `rules` are to be compared, never to be shown.

    `seats` counts all who play, the host included. By `servers` its seats meet again
    that cannot call each other.
    """

    program: SafeText
    nonce: bytes
    suite: str
    seats: int
    rules: tuple[str, ...]
    table: SafeText
    servers: Servers | None = None


@dataclass(frozen=True, slots=True)
class Refused:
    """A host's no; `version` and `program` say whose program says it."""

    program: SafeText
    refusal: Refusal
    version: int = WIRE_VERSION

    @property
    def sentence(self) -> str:
        """What the guest's player reads."""
        if self.refusal is Refusal.WRONG_VERSION:
            return versions_differ(self.version, self.program)
        return self.refusal.sentence


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """A hello of a version that this program does not speak."""

    program: SafeText
    version: int


@dataclass(frozen=True, slots=True)
class Look:
    """Somebody asks what table this is, and then goes."""

    program: SafeText


@dataclass(frozen=True, slots=True)
class Shown:
    """What anybody may know of a table; `rules` are to be compared, never to be shown.

    `asks` says whether a person is there who may let in those who knock.
    """

    program: SafeText
    table: SafeText
    seats: int
    free: int
    asks: bool
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Knock:
    """Somebody uninvited asks to be let in, and is bound to a nonce still hidden."""

    program: SafeText
    player: SafeText
    commitment: bytes


@dataclass(frozen=True, slots=True)
class HostNonce:
    """What a host adds to the words that both will read."""

    program: SafeText
    nonce: bytes


@dataclass(frozen=True, slots=True)
class GuestNonce:
    """What a guest was bound to by its knock."""

    program: SafeText
    nonce: bytes


@dataclass(frozen=True, slots=True)
class WatcherHello:
    """What somebody says who wants to watch; `nonce` is None if it has no terms yet."""

    program: SafeText
    player: SafeText
    ticket: bytes
    nonce: bytes | None


Uninvited: TypeAlias = Look | Shown | Knock | HostNonce | GuestNonce | WatcherHello
Greeting: TypeAlias = GuestHello | HostHello | Refused | OtherVersion | Uninvited


def versions_differ(version: int, program: SafeText) -> str:
    """What a player reads whose peer speaks another version of the wire."""
    older = "yours" if version > WIRE_VERSION else "theirs"
    return (
        f'The other program ("{program}") speaks version {version} of the protocol, '
        f"this one version {WIRE_VERSION}: update {older}."
    )


def program_text(raw: str) -> SafeText:
    """The version of a program as hellos carry it."""
    return safe_text(raw, cells_max=PROGRAM_CELLS_MAX)


def table_text(raw: str) -> SafeText:
    """The name of a table as hellos carry it."""
    return safe_text(raw, cells_max=TABLE_CELLS_MAX)


def write_greeting(greeting: GuestHello | HostHello | Refused | Uninvited) -> bytes:
    """The one frame that says this, in the wire version of this program."""
    start = (PROTOCOL, WIRE_VERSION)
    program = str(greeting.program)
    value: tuple[Value, ...]
    match greeting:
        case GuestHello():
            value = (*start, _GUEST, program, greeting.ticket, greeting.nonce)
            _GUEST_SHAPE.check(value)
        case HostHello():
            servers = greeting.servers
            value = (
                *start,
                _HOST,
                program,
                greeting.nonce,
                greeting.suite,
                greeting.seats,
                greeting.rules,
                str(greeting.table),
                () if servers is None else (servers.mailbox, servers.relay),
            )
            _HOST_SHAPE.check(value)
        case Refused():
            value = (*start, _REFUSED, program, greeting.refusal.code)
        case _:
            value = (*start, *_uninvited(greeting))
            _UNINVITED[cast("int", value[2])].check(value)
    return encode(value)


def _uninvited(greeting: Uninvited) -> tuple[Value, ...]:
    program = str(greeting.program)
    match greeting:
        case Look():
            return _LOOK, program
        case Shown(_, table, seats, free, asks, rules):
            return _SHOWN, program, str(table), seats, free, int(asks), rules
        case Knock():
            return _KNOCK, program, str(greeting.player), greeting.commitment
        case HostNonce():
            return _HOST_NONCE, program, greeting.nonce
        case GuestNonce():
            return _GUEST_NONCE, program, greeting.nonce
        case WatcherHello(_, player, ticket, nonce):
            return _WATCHER, program, str(player), ticket, nonce


def read_greeting(data: bytes) -> Greeting | None:
    """What a peer says first, or None if it is nothing of this protocol."""
    try:
        value = decode(data, Anything(), size_max=HOST_HELLO_BYTES_MAX)
        return _greeting(value)
    except Malformed:
        return None


def _greeting(value: Value) -> Greeting:
    if type(value) is not tuple or len(value) < 4 or value[0] != PROTOCOL:
        raise Malformed
    Int(0, _VERSION_MAX).check(value[1])
    _PROGRAM.check(value[3])
    _, version, kind, raw = cast("tuple[str, int, Value, str]", value[:4])
    program = program_text(raw)
    if type(kind) is int and kind == _REFUSED:
        _REFUSED_SHAPE.check(value)
        refusal = _REFUSALS.get(cast("int", value[4]))
        if refusal is None:
            raise Malformed
        return Refused(program, refusal, version)
    if version != WIRE_VERSION:
        return OtherVersion(program, version)
    if type(kind) is int and kind == _GUEST:
        _GUEST_SHAPE.check(value)
        return GuestHello(
            program, *cast("tuple[bytes | None, bytes | None]", value[4:])
        )
    if type(kind) is int and kind in _UNINVITED:
        return _read_uninvited(value, program)
    _HOST_SHAPE.check(value)
    nonce, suite, seats, rules, table, places = cast(
        "tuple[bytes, str, int, tuple[str, ...], str, tuple[str, ...]]", value[4:]
    )
    shown, servers = table_text(table), _servers(places)
    return HostHello(program, nonce, suite, seats, rules, shown, servers)


def _servers(places: tuple[str, ...]) -> Servers | None:
    if not places:
        return None
    if len(places) != 2:
        raise Malformed
    try:
        return read_servers(*places)
    except BadServer as bad:
        raise Malformed from bad


def _read_uninvited(value: tuple[Value, ...], program: SafeText) -> Uninvited:
    kind = cast("int", value[2])
    _UNINVITED[kind].check(value)
    if kind == _LOOK:
        return Look(program)
    if kind == _SHOWN:
        table, seats, free, asks, rules = cast(
            "tuple[str, int, int, int, tuple[str, ...]]", value[4:]
        )
        free = min(free, seats - 1)
        return Shown(program, table_text(table), seats, free, asks == 1, rules)
    if kind == _KNOCK:
        player, commitment = cast("tuple[str, bytes]", value[4:])
        return Knock(program, safe_name(player), commitment)
    if kind == _WATCHER:
        player, ticket, known = cast("tuple[str, bytes, bytes | None]", value[4:])
        return WatcherHello(program, safe_name(player), ticket, known)
    (nonce,) = cast("tuple[bytes]", value[4:])
    return (HostNonce if kind == _HOST_NONCE else GuestNonce)(program, nonce)


WATCHERS_MAX: Final = 8
"""So many keys may watch, as long as the host's program runs."""


class Door:
    """Who may come in: by a ticket that serves one key once, then by that key.

    `places` counts the guests; `admitted` are keys that were let in before, with the
    ticket that each used, as `self.admitted` had them. Whoever brings one of the
    tickets in `kept` finds a place, whoever else comes. The ticket `watch` seats nobody
    and is not used up.
    """

    def __init__(
        self,
        nonce: bytes,
        tickets: Iterable[bytes],
        *,
        places: int,
        admitted: Mapping[bytes, bytes | None] | None = None,
        kept: Iterable[bytes] = (),
        watch: bytes | None = None,
    ) -> None:
        self.admitted: dict[bytes, bytes | None] = dict(admitted or {})
        self._nonce = nonce
        self._kept = frozenset(kept)
        self._tickets = self._kept.union(tickets)
        self._places = places
        self._watch = watch
        self._watchers: set[bytes] = set()

    @property
    def free(self) -> int:
        """How many guests may still come."""
        waiting = self._kept.difference(self.admitted.values())
        return max(0, self._places - len(self.admitted) - len(waiting))

    def admit(self, key: bytes, hello: GuestHello) -> Refusal | None:
        """None if the owner of `key` may come in, and its ticket is then used up."""
        if hello.nonce is not None and hello.nonce != self._nonce:
            return Refusal.OTHER_TABLE
        if key in self.admitted:
            return None
        if hello.ticket is not None and hello.ticket == self._watch:
            return Refusal.WATCH_TICKET
        if hello.ticket is None or hello.ticket not in self._tickets:
            return Refusal.WRONG_TICKET
        if hello.ticket in self.admitted.values():
            return Refusal.USED_TICKET
        if hello.ticket not in self._kept and not self.free:
            return Refusal.TABLE_FULL
        self.admitted[key] = hello.ticket
        return None

    def admit_watcher(self, key: bytes, hello: WatcherHello) -> Refusal | None:
        """None if the owner of `key` may watch; no ticket is used up in any case.

        Whoever knows the table's nonce was let in once, if maybe by another seat.
        """
        if hello.nonce is not None and hello.nonce != self._nonce:
            return Refusal.OTHER_TABLE
        if key in self.admitted:
            return Refusal.SEATED
        if hello.ticket in self._tickets:
            return Refusal.SEAT_TICKET
        if hello.ticket != self._watch and hello.nonce is None:
            return Refusal.WRONG_TICKET
        if key not in self._watchers and len(self._watchers) >= WATCHERS_MAX:
            return Refusal.ENOUGH_WATCH
        self._watchers.add(key)
        return None

    def let_in(self, key: bytes, ticket: bytes) -> Refusal | None:
        """None if there is a place for somebody whom a person lets in, and it is taken.

        From now on its key is its ticket, like everybody's.
        """
        if key in self.admitted:
            return None
        if not self.free:
            return Refusal.TABLE_FULL
        self.admitted[key] = ticket
        return None

    def let_go(self, key: bytes) -> None:
        """There is a place again, and for whoever holds it the ticket that was used."""
        ticket = self.admitted.pop(key, None)
        if ticket is not None:
            # A person has let in who brought none of the host's.
            self._tickets |= {ticket}
