"""Whole matches of seats that lose each other, their programs and their addresses.

What is real: seats, rules, contacts, links and TLS; drawn from a seed are the cuts, the
kills and the moves.
"""

from random import Random

import pytest

from protocol.audit import audit
from scopa_net.referee import open_match
from tests.app.circle import Circle, Program
from tests.support.small_group import SMALL

TROUBLES = 6
MATCH_S = 600.0


class Troubled:
    """A table to which this and that happens; nobody is away for ever."""

    def __init__(self, players: int, seed: int) -> None:
        self.luck = Random(f"trouble {seed}")
        self.circle = Circle(players, seed, plays=True)
        self.players = players
        self.moves = 0

    def cut(self) -> None:
        for other in self.others():
            self.circle.lan.cut(*self.ends(self.victim, other))

    def break_links(self) -> None:
        for other in self.others():
            self.circle.lan.break_links(*self.ends(self.victim, other))

    def kill(self) -> None:
        self.circle.programs[self.victim].kill()

    def kill_the_host(self) -> None:
        self.victim = 0
        self.kill()

    def kill_all(self) -> None:
        for program in self.circle.programs:
            program.kill()

    def move(self) -> None:
        """One comes back from another address: a guest, or the host.

        At a table of two nobody but the host listens, so nobody could tell its guest.
        """
        self.victim = self.victim if self.players > 2 else 1
        self.kill()
        self.moves += 1
        address = f"10.0.9.{self.moves}"
        self.circle.again(self.victim, address)

    def swap(self) -> None:
        """Two come back, each from where the other was."""
        if self.players == 2:
            return
        pair = self.luck.sample(range(self.players), 2)
        before = [self.circle.programs[at].computer.address for at in pair]
        for at in pair:
            self.circle.programs[at].kill()
        for at, address in zip(pair, before[::-1], strict=True):
            self.circle.again(at, address)
            self.circle.run(self.luck.choice((0.0, 2.0)))

    def others(self) -> list[int]:
        others = [at for at in range(self.players) if at != self.victim]
        return self.luck.sample(others, self.luck.randint(1, len(others)))

    def ends(self, one: int, other: int) -> tuple[str, str]:
        first, second = (self.circle.programs[at].computer for at in (one, other))
        return first.address, second.address

    def happen(self) -> None:
        """One trouble, for a while, and its end."""
        self.victim = self.luck.randrange(self.players)
        what = (
            self.cut,
            self.break_links,
            self.kill,
            self.kill_the_host,
            self.kill_all,
            self.move,
            self.swap,
        )
        self.luck.choice(what)()
        self.circle.run(self.luck.choice((0.3, 4.0, 15.0)))
        self.circle.lan.blocked.clear()
        gone = [at for at in range(self.players) if not self.circle.programs[at].alive]
        self.luck.shuffle(gone)
        for at in gone:
            self.circle.again(at)
            self.circle.run(self.luck.choice((0.0, 1.0, 5.0)))

    def play(self) -> None:
        self.circle.start()
        for _ in range(TROUBLES):
            self.circle.run(self.luck.uniform(0.0, 3.0))
            self.happen()
        self.circle.until(self.circle.all_won, MATCH_S)


def held(program: Program) -> tuple[int, ...]:
    """How much of every chain a program holds."""
    table = program.table()
    assert table is not None
    return table.party.judge.record.counts()


def entries(program: Program) -> int:
    """How many entries of all seats a program holds."""
    return sum(held(program))


@pytest.mark.parametrize(
    ("players", "seed"), [(2, 1), (3, 2), (3, 3), (3, 4), (4, 5), (4, 6)]
)
def test_whatever_happens_on_the_way_the_match_is_won_and_all_hold_the_same(
    players: int, seed: int
) -> None:
    troubled = Troubled(players, seed)
    troubled.play()
    circle = troubled.circle
    circle.run(30)
    (record,) = circle.records()
    found = audit(record, SMALL, open_match)
    assert found.sound
    assert found.finished
    assert [program.failures for program in circle.programs] == [[]] * players


def test_the_others_go_on_without_a_host_as_far_as_the_deal_allows() -> None:
    circle = Circle(3, plays=True)
    circle.start()
    circle.until(circle.all_linked, 10)
    host, first, second = circle.programs
    circle.until(lambda: entries(first) > 15, 20)
    host.kill()
    # What one of them signs reaches the other, whatever the host does.
    circle.run(5)
    assert held(first) == held(second)
    before = entries(first)
    circle.run(20)
    assert held(first) == held(second)
    assert entries(first) == before
    assert first.waiting[-1] == second.waiting[-1]
    assert first.waiting[-1].names == ("P0",)
    circle.again(0)
    circle.until(circle.all_won, MATCH_S)
    assert len(circle.records()) == 1
