"""A link, kept up: dialed until the other side lets us in, and again when it is lost.

IDLE --start, lost--> WAITING --the delay is over, hurry--> DIALING
    DIALING --let in--> IDLE      --in vain--> WAITING or, for good, IDLE
    WAITING, DIALING --rest--> IDLE
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from protocol.links.endings import NotReached
from protocol.links.link import Link
from protocol.links.retry import delays_s

STEADY_S: Final = 12.0
"""A link that has held so long was a good one: delays begin anew."""


Reach: TypeAlias = Callable[[], "Deferred[Link]"]
"""One attempt: a link whose peer has let us in, or `NotReached`; to be cancelled."""


class Caller:
    """Makes attempts until one succeeds.

    `on_link` gets each new link and must call `Link.start`; when that link is lost the
    program says so by `lost`. `on_trouble` is told of each failure, with the seconds
    until the next attempt, or None if there will be none. `jitter` is that of
    `delays_s`.

    Once the peer has let us in, only the peer can end this: what else answers at its
    address may be anybody, while its program is being started again. One who is
    `patient` is not ended by the peer either. `head_start_s` is for others, who may
    reach the same peer in a better way: so much later is every first attempt.
    """

    def __init__(
        self,
        reactor: Any,
        reach: Reach,
        *,
        jitter: Callable[[], float],
        on_link: Callable[[Link], None],
        on_trouble: Callable[[NotReached, float | None], None],
        patient: bool = False,
        head_start_s: float = 0.0,
    ) -> None:
        self._reactor = reactor
        self._reach = reach
        self._jitter = jitter
        self._on_link = on_link
        self._on_trouble = on_trouble
        self._patient = patient
        self._head_start_s = head_start_s
        self._delays = delays_s(jitter)
        self._since_s = 0.0
        self._dialing: Deferred[Link] | None = None
        self._waiting: IDelayedCall | None = None
        self._met = False
        self._over = False

    @property
    def dialing(self) -> bool:
        """Whether an attempt is under way."""
        return self._dialing is not None

    def start(self) -> None:
        """Dial, at once or after the head start of others."""
        if self._head_start_s:
            self._wait(self._head_start_s)
        elif self._waiting is None:
            self._dial()

    def lost(self) -> None:
        """The link is no more: dial again, soon if it had held for a while."""
        if self._reactor.seconds() - self._since_s >= STEADY_S:
            self._delays = delays_s(self._jitter)
        self._wait(next(self._delays) + self._head_start_s)

    def hurry(self) -> None:
        """Do not wait any longer, if it is only waited."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._delays = delays_s(self._jitter)
            self._dial()

    def stop(self) -> None:
        """Dial no more; a link that is open stays so."""
        self._over = True
        self.rest()

    def rest(self) -> None:
        """Dial no more for now: until `start` or `lost`."""
        if self._waiting is not None:
            self._waiting.cancel()
            self._waiting = None
        if self._dialing is not None:
            self._dialing.cancel()

    def _wait(self, delay_s: float) -> None:
        if not self._over and self._waiting is None and self._dialing is None:
            self._waiting = self._reactor.callLater(delay_s, self._dial)

    def _dial(self) -> None:
        self._waiting = None
        if self._over or self._dialing is not None:
            return
        self._dialing = self._reach()
        self._dialing.addCallbacks(self._reached, self._failed)

    def _reached(self, link: Link) -> None:
        self._dialing = None
        self._met = True
        self._since_s = self._reactor.seconds()
        self._on_link(link)

    def _failed(self, failure: Failure) -> None:
        self._dialing = None
        if failure.check(CancelledError):
            return
        failure.trap(NotReached)
        why = failure.value
        assert isinstance(why, NotReached)
        again = why.passing or self._patient or (self._met and why.by_anybody)
        delay_s = next(self._delays) if again else None
        if delay_s is not None:
            self._wait(delay_s)
        self._on_trouble(why, delay_s)
