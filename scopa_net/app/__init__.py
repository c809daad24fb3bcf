"""Builds a program from its parts: reactor, seats, players, links, store, runner.

It decides nothing but the exit code with which the whole ends.
"""

from scopa_net.app.local import LocalMatch, fresh_seats
from scopa_net.app.meeting import NoMeeting, OtherRules
from scopa_net.app.network import NetworkMatch, Waiting
from scopa_net.app.running import Chair, Ending, Person

__all__ = [
    "Chair",
    "Ending",
    "LocalMatch",
    "NetworkMatch",
    "NoMeeting",
    "OtherRules",
    "Person",
    "Waiting",
    "fresh_seats",
]
