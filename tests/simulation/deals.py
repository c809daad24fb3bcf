"""Random deals by in-memory seats, each compared with the pure rules.

The seats of `Local` play whole matches with random legal actions. When one is over, its
revealed orders are dealt again by `scopa_net.rules` alone, the same actions applied one
by one, and the tavola, the piles, the scope and the turn compared after each, the score
of the deal and of the match at its end.
"""

from collections import deque
from collections.abc import Iterator
from random import Random

from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.step import Step, Task
from scopa_net.events import TurnCame
from scopa_net.local import Local
from scopa_net.notices import Notice, RoomChanged, Told
from scopa_net.rules import Variant, find_variant
from scopa_net.seat import Seat
from tests.simulation.checks import replay
from tests.support.small_group import SMALL

TABLES = (
    ("scopa", 2),
    ("stargames-scopa", 2),
    ("gamerules-scopa", 2),
    ("scopa", 3),
    ("scopa", 2),
    ("stargames-scopa", 2),
    ("gamerules-scopa", 2),
    ("scopa", 4),
)
"""In turn; most are of two seats, which cost the least."""


def agreeing_deals(count: int, first_seed: int = 1) -> Iterator[int]:
    """Play until `count` deals agree with the rules; gives each match's deals.

    Raises `AssertionError` for the first that does not agree.
    """
    deals, seed = 0, first_seed
    while deals < count:
        id, players = TABLES[seed % len(TABLES)]  # noqa: A001
        played = play_match(find_variant(id, players), seed)
        deals += played
        seed += 1
        yield played


def play_match(variant: Variant, seed: int) -> int:
    """One match by in-memory seats, checked; answers how many deals it had."""
    luck = Random(f"deals {seed}")
    nonce = luck.randbytes(32)
    drawn = [_secrets(luck) for _ in range(variant.players)]
    local = Local(
        [
            Seat(
                SMALL,
                own,
                variant,
                nonce,
                name=f"player {number}",
                host=drawn[0].identity.key,
                number=number,
            )
            for number, own in enumerate(drawn)
        ]
    )
    _play_out(local, luck)
    assert local.finished, "the match does not come to an end"
    table = local.table(0)
    assert table is not None
    _, last = replay(table.party.judge)
    return last.deal_number


def _secrets(luck: Random) -> Secrets:
    return Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), luck.randbytes(32))


def _play_out(local: Local, luck: Random) -> None:
    """Run all tasks at once, and choose at random for whoever's turn it is."""
    due: deque[Task | int] = deque()

    def take(step: Step[Notice]) -> None:
        for notice in step.events:
            if isinstance(notice, RoomChanged):
                continue
            assert isinstance(notice, Told), notice
            table = local.table(notice.seat)
            assert table is not None
            match notice.event:
                case TurnCame(place) if place == table.place:
                    due.append(notice.seat)
                case _:
                    pass
        due.extend(step.tasks)

    take(local.open())
    while due:
        match due.popleft():
            case Task() as task:
                take(local.done(task, task.run()))
            case int(number):
                table = local.table(number)
                assert table is not None
                choice = luck.choice(table.observation().legal_actions)
                take(local.act(number, choice))
