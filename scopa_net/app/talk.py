"""What the players of a match write to each other while it is played.

It travels beside the match, on the same links; it holds nothing up, and nobody keeps
it.
"""

import time
from collections.abc import Callable
from typing import Any, Final, Protocol

from protocol.chat import Conversation, TooMuch, Written
from protocol.crypto.identity import Identity
from protocol.faults import LinkFault, Signed
from protocol.text import CHAT_CHARACTERS_MAX, SafeText, alike, chat_text
from scopa_net.notices import ChatHeard
from scopa_net.table import Table
from scopa_net.ui.chatting import chat_line, muted_line

__all__ = ["ONLY_WATCHES", "Talk", "TellsOfChat"]

ONLY_WATCHES: Final = "Who watches reads what the players write, and writes nothing."
_TOO_EARLY: Final = "You can write to the others once the cards are dealt."
_TOO_LONG: Final = f"A message has at most {CHAT_CHARACTERS_MAX} characters."
_TOO_FAST: Final = "That was not sent: five messages in ten seconds are enough."


class TellsOfChat(Protocol):
    """Who is told what others have written."""

    def chat(self, name: SafeText, text: SafeText) -> None:
        """This player has written this; for programs."""
        ...


class Talk:
    """The own part in the chat; see `Chats`. Who watches only reads.

    `table` gives None before there is one; `pass_on` sends a message to all but the
    link on which it has come; `show` is how a person reads a line.
    """

    def __init__(
        self,
        reactor: Any,
        identity: Identity,
        table: Callable[[], Table | None],
        *,
        pass_on: Callable[[Signed, int | None], None],
        drop: Callable[[int], None],
        tells: TellsOfChat,
        show: Callable[[str], None],
    ) -> None:
        self._reactor = reactor
        self._identity = identity
        self._table = table
        self._pass_on = pass_on
        self._drop = drop
        self._tells = tells
        self._show = show
        self._known: Conversation | None = None
        self._muted: set[int] = set()

    # -- what the own player wants -------------------------------------------

    def say(self, text: str) -> str:
        """See `Chats`."""
        table = self._table()
        if table is not None and table.party.seat is None:
            return ONLY_WATCHES
        line = chat_text(text)
        if len(text) > CHAT_CHARACTERS_MAX or len(line) > CHAT_CHARACTERS_MAX:
            return _TOO_LONG
        conversation = self._conversation()
        if conversation is None:
            return _TOO_EARLY
        if not line:
            return "Say what?"
        signed = conversation.write(line, self._reactor.seconds())
        if signed is None:
            return _TOO_FAST
        self._pass_on(signed, None)
        return ""

    def mute(self, name: str) -> str:
        """See `Chats`."""
        table = self._table()
        if table is None:
            return _TOO_EARLY
        seats = table.party.judge.seats
        others = [seat for seat in range(seats) if seat != table.party.seat]
        for seat in others:
            told = table.name_of(seat)
            if alike(told, name.strip()):
                self._muted ^= {seat}
                if seat in self._muted:
                    return f"What {told} says is not shown any more."
                return f"What {told} says is shown again."
        names = ", ".join(sorted(map(table.name_of, others)))
        return f"Mute whom? Here are: {names}."

    # -- what others write ---------------------------------------------------

    def heard(self, came: ChatHeard) -> None:
        """A message has come: it is passed on once, and told unless it is muted."""
        conversation, table = self._conversation(), self._table()
        if conversation is None or table is None:
            return
        found = conversation.hear(came.signed, self._reactor.seconds())
        match found:
            case LinkFault():
                self._drop(came.link)
            case TooMuch(seat) if seat not in self._muted:
                self._show(muted_line(table.name_of(seat)))
            case Written(seat, text):
                self._pass_on(came.signed, came.link)
                if seat not in self._muted and text:
                    name = table.name_of(seat)
                    self._tells.chat(name, text)
                    self._show(chat_line(name, text))

    def _conversation(self) -> Conversation | None:
        table = self._table()
        if self._known is None and table is not None:
            record, seat = table.party.judge.record, table.party.seat
            number = int(time.time() * 1000)
            self._known = Conversation(record, self._identity, seat, number)
        return self._known
