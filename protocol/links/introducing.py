"""Meeting by a code: a host offers one, a guest enters it, and two seats meet again.

What a host says in the encrypted channel is one invitation, and then it listens there
as it does on its port. So a guest may call the host's addresses or go through the
channel, and by both it comes to the same door with the same ticket.

Seats that meet again need nobody to tell them a code (see `protocol.codes`). Of two,
one calls, by the code of its slot, and the other waits at the codes of its own slot and
of those beside it: so their clocks may differ by a slot.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.internet.task import deferLater
from twisted.python.failure import Failure

from protocol.codes import SLOT_S, BadCode, Servers, meeting_code, slot_at, slots_apart
from protocol.invite import BadInvite, Invite, read_invite
from protocol.links.endings import NotReached, Why
from protocol.links.link import Link
from protocol.links.retry import delays_s
from protocol.links.tls import TlsFactory
from protocol.links.wormhole import MEET_S, Introduction, nearest_word, unknown_word

ARRIVE_S: Final = 60.0
"""So long after the code was entered its ticket must have come in, by any way."""

AGAIN_S: Final = 15.0
WRONG_MAX: Final = 3
"""So often a new code follows on one that somebody has guessed wrong."""

BREAK_S: Final = 60.0
"""Who has not tried for so long was not waiting."""

SLOT_LEFT_S: Final = 5.0
"""A slot with less than this left is not worth beginning."""


class Offer:
    """A code for one guest, and a new one when it has served nobody.

    `invitation` is what whoever enters it is told, and `factory` takes the streams.
    `on_code` gets each code; `on_trouble` is told what went wrong, and whether another
    code follows; `on_server` what is wrong if the mailbox server is not there, and None
    when it is back.
    """

    def __init__(
        self,
        reactor: Any,
        servers: Servers,
        invitation: str,
        factory: TlsFactory,
        *,
        on_code: Callable[[str], None],
        on_trouble: Callable[[NotReached, bool], None],
        on_server: Callable[[NotReached | None], None],
    ) -> None:
        self._reactor = reactor
        self._servers = servers
        self._invitation = invitation
        self._factory = factory
        self._on_code = on_code
        self._on_trouble = on_trouble
        self._on_server = on_server
        self._code = ""
        self._away = False
        self._introduction: Introduction | None = None
        self._timer: IDelayedCall | None = None
        self._wrong = 0
        self._over = False

    def start(self) -> None:
        """Ask for a code."""
        made = Introduction(
            self._reactor, self._servers, lambda: self._served(made), self._serves
        )
        self._introduction = made
        code = made.allocate().addCallback(self._has_code)
        there = code.addCallback(lambda _: made.met(None))
        there.addCallbacks(lambda _: self._met(made), self._failed)

    def stop(self) -> None:
        """No code is needed any more; a stream that there is goes on."""
        self._over = True
        self._stop_timer()
        made, self._introduction = self._introduction, None
        if made is not None and not made.streaming:
            made.close()

    def _has_code(self, code: str) -> None:
        self._code = code
        self._serves(None)
        self._on_code(code)

    def _serves(self, wrong: NotReached | None) -> None:
        if self._away is (wrong is None):
            self._away = wrong is not None
            self._on_server(wrong)

    def _met(self, made: Introduction) -> None:
        made.say(self._invitation)
        made.listen(self._factory)
        self._timer = self._reactor.callLater(ARRIVE_S, made.close)

    def _served(self, made: Introduction) -> None:
        """A code is used up, and its guest has not come in."""
        if made is self._introduction:
            self._introduction = None
            self._again(0.0)

    def _failed(self, failure: Failure) -> None:
        made, self._introduction = self._introduction, None
        if made is None:
            return
        made.close()
        failure.trap(NotReached)
        why = failure.value
        assert isinstance(why, NotReached)
        wrong = why.why in _GUESSED
        self._wrong += wrong
        again = self._wrong < WRONG_MAX
        self._on_trouble(_for_host(why, self._code, again=again), again)
        if why.why in _NO_MAILBOX:
            self._serves(why)
        if again:
            self._again(0.0 if wrong or why.why is Why.LOST_CODE else AGAIN_S)

    def _again(self, delay_s: float) -> None:
        self._stop_timer()
        if not self._over:
            self._timer = self._reactor.callLater(delay_s, self.start)

    def _stop_timer(self) -> None:
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._timer = None


_GUESSED: Final = {Why.WRONG_CODE, Why.HUNG_UP}
"""Who says nothing after its guess has guessed too."""

_LOST: Final = {Why.LOST_CODE, Why.USED_CODE}
_NO_MAILBOX: Final = {Why.NO_SERVER, Why.FOREIGN}


def _for_host(why: NotReached, code: str, *, again: bool) -> NotReached:
    if why.why in _LOST:
        return NotReached(
            Why.LOST_CODE,
            f"The old code {code} does not work any more; this is the new one.",
        )
    if why.why not in _GUESSED:
        return why
    if again:
        return NotReached(
            Why.WRONG_CODE,
            f"Somebody used a wrong code, so {code} counts no more: here is a new one.",
        )
    return NotReached(
        Why.WRONG_CODE,
        f"Somebody used a wrong code {WRONG_MAX} times, so no more are made. An "
        "invitation cannot be guessed: send that.",
    )


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a host has told who entered its code, and the way to it by the relay."""

    invite: Invite
    introduction: Introduction


def check_words(code: str) -> None:
    """Raise `BadCode` if the code has a word that none has: no guess is lost."""
    word = unknown_word(code)
    if word is not None:
        near = nearest_word(code, word)
        perhaps = f'; perhaps it is "{near}"' if near else ""
        raise BadCode(
            f'No code has the word "{word}" there{perhaps}. Have it read to you again.'
        )


def accept(
    reactor: Any,
    servers: Servers,
    code: str,
    *,
    within_s: float = MEET_S,
    on_server: Callable[[NotReached | None], None] = lambda _: None,
) -> "Deferred[Accepted]":
    """Enter a code that a host has told; or `NotReached`. May be cancelled.

    `on_server` is that of `Offer`.
    """
    made = Introduction(reactor, servers, on_server=on_server)
    made.enter(code)
    told = made.met(within_s).addCallback(lambda _: made.hear())

    def read(text: str) -> Accepted:
        try:
            return Accepted(read_invite(text), made)
        except BadInvite as bad:
            raise NotReached(
                Why.FOREIGN, "What answers to this code is no program of this kind."
            ) from bad

    def failed(failure: Failure) -> Failure:
        made.close()
        return failure

    return told.addCallback(read).addErrback(failed)


class Pair:
    """Two seats that meet again, as one of them sees it; `secret` is theirs alone.

    `now_s` is the time since 1970.
    """

    def __init__(
        self, reactor: Any, servers: Servers, secret: bytes, now_s: Callable[[], float]
    ) -> None:
        self._reactor = reactor
        self._servers = servers
        self._secret = secret
        self._now_s = now_s
        self._since_s = 0.0
        self._tried_s = 0.0

    def call(
        self, dial: Callable[[Introduction], "Deferred[Link]"]
    ) -> "Deferred[Link]":
        """Try the code of the next slot to try, and `dial` when the other is there.

        One attempt: it lasts as long as the slot. May be cancelled.
        """
        now_s = self._now_s()
        if now_s - self._tried_s > BREAK_S:
            self._since_s = now_s
        self._tried_s = now_s
        apart = slots_apart(now_s - self._since_s)
        slot = -(-slot_at(now_s + SLOT_LEFT_S) // apart) * apart
        wait_s = max(0.0, slot * SLOT_S - SLOT_LEFT_S - now_s)
        waited: Deferred[None] = deferLater(self._reactor, wait_s)
        return waited.addCallback(lambda _: self._call_at(slot, dial))

    def _call_at(
        self, slot: int, dial: Callable[[Introduction], "Deferred[Link]"]
    ) -> "Deferred[Link]":
        made = self.introduction(slot, lambda: None)
        self._tried_s = (slot + 1) * SLOT_S
        there = made.met((slot + 1) * SLOT_S - self._now_s())

        def failed(failure: Failure) -> Failure:
            made.close()
            return failure

        return there.addCallback(lambda _: dial(made)).addErrback(failed)

    def wait(self, factory: TlsFactory) -> "Deferred[Link]":
        """Be there for the other side until it is cancelled; it never fires.

        What comes of it is a stream for `factory`, which outlives it.
        """
        self._since_s = self._now_s()
        waiting = _Waiting(self, factory)
        waited: Deferred[Link] = Deferred(lambda _: waiting.stop())
        waiting.start()
        return waited

    def introduction(self, slot: int, on_over: Callable[[], None]) -> Introduction:
        """At the code of a slot."""
        made = Introduction(self._reactor, self._servers, on_over)
        made.enter(meeting_code(self._secret, slot))
        return made

    def slots(self) -> tuple[int, ...]:
        """Those to be at now: of the last, this and the next one."""
        now_s = self._now_s()
        apart = slots_apart(now_s - self._since_s)
        now = slot_at(now_s)
        return tuple(slot for slot in range(now - 1, now + 2) if slot % apart == 0)

    def later(self, call: Callable[[], None]) -> IDelayedCall:
        """Call when the next slot begins."""
        return self.after(SLOT_S - self._now_s() % SLOT_S + 0.01, call)

    def after(self, delay_s: float, call: Callable[[], None]) -> IDelayedCall:
        """Call so much later."""
        timer: IDelayedCall = self._reactor.callLater(delay_s, call)
        return timer


_UNASKED: Final = {Why.NO_SERVER, Why.LOST_CODE}
"""What says nothing of who else may have been at a code."""


class _Waiting:
    """Somebody at the codes of three slots, one of which changes with each slot.

    A code that failed is not tried again in its slot: a program that was killed there
    has left its place taken. Only where the mailbox server was not reached, would not
    have us or has forgotten us, it is tried again soon, or the next slot to meet in
    would be the one after the next.
    """

    def __init__(self, pair: Pair, factory: TlsFactory) -> None:
        self._pair = pair
        self._factory = factory
        self._at: dict[int, Introduction | None] = {}
        self._timer: IDelayedCall | None = None
        self._retry: IDelayedCall | None = None
        self._delays = delays_s(lambda: 0.0)

    def start(self) -> None:
        """Be there now, and again when the next slot begins."""
        self._be_there()
        self._timer = self._pair.later(self.start)

    def _be_there(self) -> None:
        wanted = self._pair.slots()
        for slot in tuple(self._at):
            if slot not in wanted:
                self._leave(self._at.pop(slot))
        for slot in wanted:
            if slot not in self._at:
                self._enter(slot)

    def stop(self) -> None:
        """Leave, but for where there is a stream."""
        for timer in (self._timer, self._retry):
            if timer is not None and timer.active():
                timer.cancel()
        found = tuple(self._at.values())
        self._at = {}
        for introduction in found:
            self._leave(introduction)

    def _enter(self, slot: int) -> None:
        made = self._pair.introduction(slot, lambda: self._gone(slot))
        self._at[slot] = made

        def failed(failure: Failure) -> None:
            failure.trap(NotReached, CancelledError)
            made.close()
            why = failure.value
            if isinstance(why, NotReached) and why.why in _UNASKED:
                self._enter_later(slot)

        there = made.met(None)
        there.addCallback(lambda _: made.listen(self._factory)).addErrback(failed)

    def _enter_later(self, slot: int) -> None:
        """Nobody has been at its code: there is time for it."""
        if slot not in self._at:
            return
        del self._at[slot]
        if self._retry is None or not self._retry.active():
            delay_s = next(self._delays)
            self._retry = self._pair.after(delay_s, self._be_there)

    def _gone(self, slot: int) -> None:
        if slot in self._at:
            self._at[slot] = None

    def _leave(self, introduction: Introduction | None) -> None:
        if introduction is not None and not introduction.streaming:
            introduction.close()
