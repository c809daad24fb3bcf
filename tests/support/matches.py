"""Whole matches, or their beginnings, played by seats in one process.

`played` answers the same frozen match for the same arguments, and plays each only once
in a process. Everything in it follows from its seed. What wants to act itself takes
`new_table` and `play`.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from protocol.archive import write_archive
from protocol.crypto.group import Suite
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.party import Secrets
from protocol.roster import Terms
from protocol.step import Step, Task
from scopa_net.events import Event, TurnCame
from scopa_net.leaving import Word
from scopa_net.local import Local
from scopa_net.notices import Notice, RoomChanged, Told
from scopa_net.rules import Action, Observation, Variant, find_variant
from scopa_net.seat import Seat
from tests.support.small_group import SMALL

Policy = Callable[[Observation, Random], Action]
Run = Callable[[Task], object]

NAMES = ("ana", "bruno", "carla", "dino", "elsa", "fabio")


def any_action(seen: Observation, luck: Random) -> Action:
    """A policy: whatever is allowed."""
    return luck.choice(seen.legal_actions)


def first_action(seen: Observation, _: Random) -> Action:
    """A policy: the first of the legal actions, so that only the deck is luck."""
    return seen.legal_actions[0]


def honestly(task: Task) -> object:
    """What a shell does with a task; a cheat's shell may do something else."""
    return task.run()


@dataclass(frozen=True)
class Played:
    """A match as it was when nobody had anything more to do.

    `chains` and `identities` are by the record's seat numbers, `events` those of the
    first local seat, `seat_of[number]` the record's seat of a local one.
    """

    variant: Variant
    record: bytes
    chains: tuple[tuple[Signed, ...], ...]
    identities: tuple[Identity, ...]
    seat_of: tuple[int, ...]
    terms: Terms
    nonce: bytes
    events: tuple[Event, ...]
    finished: bool


def new_table(
    variant: Variant,
    *,
    seed: int = 1,
    suite: Suite = SMALL,
    names: Sequence[str] = NAMES,
) -> tuple[Local, tuple[Secrets, ...]]:
    """Seats that have not opened yet, the first one hosting, and their secrets."""
    luck = Random(seed)
    nonce = luck.randbytes(32)
    secrets = tuple(
        Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), luck.randbytes(32))
        for _ in range(variant.players)
    )
    host = secrets[0].identity.key
    seats = [
        Seat(suite, own, variant, nonce, name=names[at], host=host, number=at)
        for at, own in enumerate(secrets)
    ]
    return Local(seats), secrets


def play(
    local: Local,
    *,
    luck: Random,
    policy: Policy = any_action,
    acts_max: int | None = None,
    run: Run = honestly,
) -> list[Told]:
    """Open the table and play until nobody has anything to do, or wants to; what all
    seats were told, in order. A link that fails is a failure of the test.
    """
    step = local.open()
    return go_on(local, step, luck=luck, policy=policy, acts_max=acts_max, run=run)


def say(local: Local, number: int, word: Word) -> list[Told]:
    """A local seat says something, and nobody plays."""
    return go_on(local, local.say(number, word), luck=Random(0), acts_max=0)


def go_on(
    local: Local,
    step: Step[Notice],
    *,
    luck: Random,
    policy: Policy = any_action,
    acts_max: int | None = None,
    run: Run = honestly,
) -> list[Told]:
    """The same from this step on, whoever's turn it was before."""
    told: list[Told] = []
    due: deque[Task | int] = deque()
    acts = 0

    def take(step: Step[Notice]) -> None:
        for notice in step.events:
            if isinstance(notice, RoomChanged):
                continue
            assert isinstance(notice, Told), notice
            told.append(notice)
            table = local.seats[notice.seat].table
            came = notice.event if isinstance(notice.event, TurnCame) else None
            if came is not None and table is not None and table.place == came.seat:
                due.append(notice.seat)
        due.extend(step.tasks)

    take(step)
    tables = enumerate(seat.table for seat in local.seats)
    due.extend(at for at, table in tables if table is not None and table.seated)
    while due:
        one = due.popleft()
        if isinstance(one, Task):
            take(local.done(one, run(one)))
            continue
        table = local.seats[one].table
        if table is not None and table.to_act and acts != acts_max:
            acts += 1
            take(local.act(one, policy(table.observation(), luck)))
    return told


@lru_cache(maxsize=4)
def left(suite: Suite = SMALL, players: int = 2) -> Played:
    """A match in which every word of leaving is said, and that is given up.

    A deal is called void and refused to be, then it is void; then the first local seat
    adjourns, and at last resigns.
    """
    rules = find_variant("scopa", players, {"target": "11"})
    local, secrets = new_table(rules, seed=7, suite=suite)
    told = play(local, luck=Random(7), acts_max=2)
    told += say(local, 0, Word.CALL_VOID)
    told += say(local, 1, Word.REFUSE_VOID)
    told += go_on(local, Step(), luck=Random(8), acts_max=2)
    for number in range(players):
        told += say(local, number, Word.CALL_VOID)
    told += say(local, 0, Word.ADJOURN)
    told += say(local, 0, Word.RESIGN)
    return _as_played(rules, local, secrets, told)


@lru_cache(maxsize=64)
def played(
    variant: str = "scopa",
    players: int = 2,
    *,
    target: int = 1,
    seed: int = 2,
    suite: Suite = SMALL,
    policy: Policy = any_action,
    acts_max: int | None = None,
    run: Run = honestly,
) -> Played:
    """The match of these arguments: to its end, or to so many acts.

    As it stands it is one deal.
    """
    rules = find_variant(variant, players, {"target": str(target)})
    local, secrets = new_table(rules, seed=seed, suite=suite)
    told = play(local, luck=Random(~seed), policy=policy, acts_max=acts_max, run=run)
    return _as_played(rules, local, secrets, told)


def _as_played(
    rules: Variant, local: Local, secrets: Sequence[Secrets], told: Sequence[Told]
) -> Played:
    first = local.seats[0]
    assert first.table is not None
    judge = first.table.party.judge
    terms = judge.course.terms
    by_key = {own.identity.key: own.identity for own in secrets}
    chains = first.chains()
    return Played(
        variant=rules,
        record=write_archive(chains),
        chains=chains,
        identities=tuple(by_key[key] for key in terms.keys),
        seat_of=tuple(terms.keys.index(own.identity.key) for own in secrets),
        terms=terms,
        nonce=judge.record.nonce,
        events=tuple(notice.event for notice in told if notice.seat == 0),
        finished=local.finished,
    )
