"""Links between peers: pinned TLS 1.3, frames, limits; no game and no entries here.

The one package of the protocol that knows Twisted. A host opens a `Listener`, a guest
starts a `Caller`; both get `Link`s, each of which tells a `Hears` what comes. What went
wrong is an `End` of a link, a `NotReached` or a `NotListening`: one sentence, and an
exit code where the program may end with it.
"""

from protocol.links.calling import Caller, Reach
from protocol.links.dialing import dial
from protocol.links.endings import End, NotListening, NotReached, Why
from protocol.links.link import LIMITS, Hears, Limits, Link
from protocol.links.listening import Admit, Listener
from protocol.links.retry import delays_s

__all__ = [
    "LIMITS",
    "Admit",
    "Caller",
    "End",
    "Hears",
    "Limits",
    "Link",
    "Listener",
    "NotListening",
    "NotReached",
    "Reach",
    "Why",
    "delays_s",
    "dial",
]
