"""Chat: what players write to each other beside the match.

    chat    [scope, seat, number, text]

`scope` is that of the terms. It is signed, passed on once by whoever gets it, and kept
by nobody: it is in no log and in no store, and who comes later has missed it. The
numbers of a seat grow, from one run of its program to the next as well, so that what
comes twice is known by its number.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, cast

from protocol.codec import Bytes, Int, Malformed, Text, decode, encode, fields
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, verify
from protocol.entry import SCOPE_BYTES, SEATS_MAX
from protocol.faults import LinkFault, Signed
from protocol.record import Record
from protocol.text import CHAT_CHARACTERS_MAX, SafeText, chat_text

CHAT_BYTES_MAX: Final = 1_024
MESSAGES_MAX: Final = 5
WITHIN_S: Final = 10.0
"""So many messages of one seat are taken in so long; what is more is dropped."""

NUMBER_MAX: Final = 2**53 - 1
_CHAT = fields(
    Bytes(SCOPE_BYTES),
    Int(0, SEATS_MAX - 1),
    Int(0, NUMBER_MAX),
    Text(4 * CHAT_CHARACTERS_MAX),
)


class Chat(NamedTuple):
    """A message as it is signed; `text` is not yet safe to show."""

    scope: bytes
    seat: int
    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Written:
    """A seat has written this: one line, safe to show."""

    seat: int
    text: SafeText


@dataclass(frozen=True, slots=True)
class TooMuch:
    """A seat writes more than anybody reads; that is told once (X30)."""

    seat: int


Heard: TypeAlias = Written | TooMuch


def sign_chat(identity: Identity, chat: Chat) -> Signed:
    """A message as it travels."""
    encoded = encode(chat)
    return Signed(encoded, identity.sign(H("sc1.chat", encoded)))


def read_chat(signed: Signed) -> Chat:
    """The message, its signature not yet checked; raises `Malformed`."""
    value = decode(signed.encoded, _CHAT, size_max=CHAT_BYTES_MAX)
    chat = Chat(*cast("tuple[bytes, int, int, str]", value))
    if len(chat.text) > CHAT_CHARACTERS_MAX:
        raise Malformed
    return chat


@dataclass(slots=True)
class _Author:
    """What is remembered of one seat's messages: how many, and not what."""

    number: int = -1
    times_s: deque[float] = field(default_factory=lambda: deque(maxlen=MESSAGES_MAX))
    told: bool = False

    def may(self, now_s: float) -> bool:
        """Whether one more message is not too much."""
        full = len(self.times_s) == MESSAGES_MAX
        return not full or now_s - self.times_s[0] >= WITHIN_S


class Conversation:
    """The chat of one match, as one seat takes part in it, or a watcher reads it.

    `number` is that of the own first message: more than in any earlier run.
    """

    def __init__(
        self, record: Record, identity: Identity, seat: int | None, number: int
    ) -> None:
        self._keys = record.keys
        self._scope = record.table_scope
        self._identity = identity
        self._seat = seat
        self._authors = {rank: _Author() for rank in range(len(record.keys))}
        self._next = number

    def write(self, text: str, now_s: float) -> Signed | None:
        """The own message, to be sent to everybody; None if that is too much now."""
        assert self._seat is not None, "who watches does not write"
        author = self._authors[self._seat]
        if not author.may(now_s):
            return None
        author.times_s.append(now_s)
        chat = Chat(self._scope, self._seat, self._next, str(text))
        self._next += 1
        return sign_chat(self._identity, chat)

    def hear(self, signed: Signed, now_s: float) -> Heard | LinkFault | None:
        """Take in a message from a link; None if it is to go no further."""
        try:
            chat = read_chat(signed)
        except Malformed:
            return LinkFault("a chat message that is none")
        if chat.scope != self._scope:
            return LinkFault("a chat message of another table")
        author = self._authors.get(chat.seat)
        if author is None:
            return LinkFault("a chat message of a seat that is not at this table")
        may = author.may(now_s)
        # The own ones come back, and each comes on every link.
        old = chat.seat == self._seat or chat.number <= author.number
        if old or (author.told and not may):
            return None
        digest = H("sc1.chat", signed.encoded)
        if not verify(self._keys[chat.seat], digest, signed.signature):
            return LinkFault("a chat message that its seat did not sign")
        author.number = chat.number
        if not may:
            author.told = True
            return TooMuch(chat.seat)
        author.times_s.append(now_s)
        return Written(chat.seat, chat_text(chat.text))
