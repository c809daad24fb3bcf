"""A seat that leaves a match only when everybody else holds all of it."""

from collections import deque

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.step import EntryRow, Step
from scopa_net.app.one_seat import OneSeat
from scopa_net.events import DealStarted, MatchWon
from scopa_net.notices import Notice, RoomChanged, Told
from scopa_net.rules import find_variant
from scopa_net.seat import Seat

KEYS = tuple(Identity(bytes((at + 1,)) * 32).key for at in range(2))


class Pair:
    """Two machines, frames between them in order, tasks at once; seat 0 is the host."""

    def __init__(self) -> None:
        self.machines = [self.machine(at, ()) for at in range(2)]
        self.rows: list[list[EntryRow]] = [[], []]
        self.told: list[list[object]] = [[], []]
        self.under_way: deque[tuple[int, bytes]] = deque()

    def machine(self, at: int, rows: tuple[EntryRow, ...]) -> OneSeat:
        own = Secrets(Identity(bytes((at + 1,)) * 32), bytes(32), bytes(32))
        variant = find_variant("scopa", 2, {"target": "1"})
        seat = Seat(EDWARDS, own, variant, bytes(32), name=f"P{at}", host=KEYS[0])
        return OneSeat(
            seat,
            tuple(row.entry for row in rows),
            b"a" * 32 if rows else None,
            key_of=lambda _: KEYS[1 - at],
            waits_for=lambda: frozenset((KEYS[1 - at],)),
        )

    def carry_out(self, at: int, step: Step[Notice]) -> None:
        self.rows[at] += [row for row in step.store if isinstance(row, EntryRow)]
        self.under_way.extend((1 - at, frame.data) for frame in step.send)
        machine = self.machines[at]
        for notice in step.events:
            if isinstance(notice, RoomChanged):
                continue
            assert isinstance(notice, Told)
            self.told[at].append(notice.event)
        for task in step.tasks:
            self.carry_out(at, machine.done(task, task.run()))
        table = machine.seat.table
        if table is not None and table.to_act:
            action = table.observation().legal_actions[0]
            self.carry_out(at, machine.act(0, action))

    def play(self) -> None:
        for at in range(2):
            self.carry_out(at, self.machines[at].open())
            self.carry_out(at, self.machines[at].connect(1))
        self.deliver()

    def deliver(self, deaf: int | None = None) -> None:
        while self.under_way:
            at, data = self.under_way.popleft()
            if at != deaf:
                self.carry_out(at, self.machines[at].receive(1, data))

    def over(self, at: int) -> bool:
        table = self.machines[at].seat.table
        return table is not None and table.finished


def test_both_leave_when_each_knows_that_the_other_holds_all() -> None:
    pair = Pair()
    pair.play()
    assert [machine.finished for machine in pair.machines] == [True, True]


def test_a_seat_stays_until_it_hears_or_has_waited_long_enough() -> None:
    pair = Pair()
    for at in range(2):
        pair.carry_out(at, pair.machines[at].open())
        pair.carry_out(at, pair.machines[at].connect(1))
    while not pair.over(0):
        at, data = pair.under_way.popleft()
        pair.carry_out(at, pair.machines[at].receive(1, data))
    assert not pair.machines[0].finished
    pair.deliver(deaf=0)
    assert not pair.machines[0].finished
    pair.machines[0].let_go = True
    assert pair.machines[0].finished


def test_after_a_restart_the_deal_is_told_from_its_start_and_the_rest_goes_on() -> None:
    pair = Pair()
    pair.play()
    again = pair.machine(0, tuple(pair.rows[0]))
    step = again.open()
    told = [notice.event for notice in step.events if isinstance(notice, Told)]
    assert isinstance(told[0], DealStarted)
    assert sum(isinstance(event, DealStarted) for event in told) == 1
    assert isinstance(told[-1], MatchWon)
    pair.machines[0] = again
    pair.carry_out(0, step)
    for at in range(2):
        pair.carry_out(at, pair.machines[at].disconnect(1))
        pair.carry_out(at, pair.machines[at].connect(1))
    pair.deliver()
    assert again.finished
