"""Attacks of a host on its guests before there is a table, and on their sides."""

from collections.abc import Callable
from functools import partial

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.room import Present, Room
from protocol.roster import WaitingRoom, gather_terms, read_join, write_join
from tests.protocol.outcomes import Outcome

PLAYERS = tuple(Identity(bytes((at,)) * 32) for at in range(1, 5))
NONCE = b"n" * 32


def told(*ranks: int, seats: int = 3) -> Outcome:
    """Whether a guest believes a host, who has rank 0, that these have come."""
    players = [Present(PLAYERS[at].key, "x", None, ready=True) for at in ranks]
    return Room(seats, tuple(players)).is_of(3, PLAYERS[0].key)


def seated_with(*sides: int | None) -> Outcome:
    """Whether a guest that wishes for side 1 keeps it beside others who do."""
    joins = [
        write_join(player, NONCE, "x", side, bytes(32))
        for player, side in zip(PLAYERS, (1, *sides), strict=True)
    ]
    room = WaitingRoom(joins[0], seats=4, host=PLAYERS[1].key, sides=2)
    read = [join for join in map(read_join, joins) if join is not None]
    return room.keeps_side(gather_terms("toy", 9, EDWARDS.name, (), read))


IN_THE_ROOM: dict[str, Callable[[], Outcome]] = {
    "a room of more places": partial(told, 0, 1, seats=4),
    "a room with more players than places": partial(told, 0, 1, 2, 3),
    "a room with a player twice": partial(told, 0, 1, 1),
    "a room without its host": partial(told, 1, 0),
    "terms that give a side away twice": partial(seated_with, 1, 1, 0),
}
