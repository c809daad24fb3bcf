"""Parties joined in memory: everything one says reaches the others, in any order.

`Circle` delivers entries one at a time, chosen by a seeded generator, and runs tasks in
a seeded order too, so every interleaving is a seed.
"""

from collections.abc import Callable, Sequence
from random import Random

from protocol.codec import Value
from protocol.course import Opening
from protocol.crypto.group import Suite
from protocol.crypto.identity import Identity
from protocol.faults import Signed
from protocol.judge import Findings, Judge
from protocol.party import Party, Secrets
from protocol.roster import Join, Terms, coin_commitment, gather_terms
from protocol.step import Task
from tests.support.small_group import SMALL

Choose = Callable[[Party], tuple[tuple[int, ...], Value] | None]


def secrets_of(seed: int, seats: int) -> list[Secrets]:
    """Fixed secrets for a test's seats."""
    luck = Random(seed)
    return [
        Secrets(Identity(luck.randbytes(32)), luck.randbytes(32), luck.randbytes(32))
        for _ in range(seats)
    ]


def terms_of(
    secrets: list[Secrets], suite: Suite, positions: int, nonce: bytes
) -> Terms:
    """The terms that these seats agree on, for the toy game."""
    joins = [
        Join(
            nonce,
            own.identity.key,
            f"seat{at}",
            None,
            coin_commitment(nonce, own.identity.key, own.coin),
        )
        for at, own in enumerate(secrets)
    ]
    return gather_terms("toy", positions, suite.name, (), joins)


class Circle:
    """Some parties at one table and what is under way between them."""

    def __init__(
        self,
        opening: Opening,
        *,
        seats: int = 2,
        positions: int = 9,
        seed: int = 0,
        suite: Suite = SMALL,
    ) -> None:
        self.luck = Random(seed)
        self.opening = opening
        nonce = self.luck.randbytes(32)
        secrets = secrets_of(seed, seats)
        self.terms = self.agree(terms_of(secrets, suite, positions, nonce))
        made = [
            self.seat_party(suite, own, self.terms, nonce, opening) for own in secrets
        ]
        self.parties = sorted(made, key=lambda party: party.seat)
        self.nonce = nonce
        self.under_way: list[tuple[int, Signed]] = []
        self.tasks: list[tuple[int, Task]] = []
        for party in self.parties:
            self.take(party.seat, party.begin())

    def agree(self, terms: Terms) -> Terms:
        """The terms that all sign; other tables agree on others."""
        return terms

    def seat_party(
        self,
        suite: Suite,
        secrets: Secrets,
        terms: Terms,
        nonce: bytes,
        opening: Opening,
    ) -> Party:
        """Who takes a seat; other tables seat others."""
        return Party(suite, secrets, terms, nonce, opening)

    def take(self, seat: int, findings: Findings) -> None:
        """Pass on what a party has just said."""
        for entry in findings.added:
            if entry.seat == seat:
                self.send(seat, entry.signed)
        self.tasks.extend((seat, task) for task in findings.tasks)

    def send(self, author: int, signed: Signed) -> None:
        """Put an entry under way to everybody else."""
        for party in self.parties:
            if party.seat != author:
                self.under_way.append((party.seat, signed))

    def step(self) -> bool:
        """Deliver one entry or finish one task; False when there is nothing to do."""
        count = len(self.under_way) + len(self.tasks)
        if count == 0:
            return False
        at = self.luck.randrange(count)
        if at < len(self.under_way):
            seat, signed = self.under_way.pop(at)
            self.take(seat, self.parties[seat].receive(signed))
        else:
            seat, task = self.tasks.pop(at - len(self.under_way))
            self.take(seat, self.parties[seat].done(task, task.run()))
        return True

    def play(self, choose: Choose, *, steps_max: int = 20_000) -> None:
        """Let everybody play to the end."""
        for _ in range(steps_max):
            if self.step():
                continue
            if not any(self._act(party, choose) for party in self.parties):
                return
        raise AssertionError("the table did not come to rest")

    def _act(self, party: Party, choose: Choose) -> bool:
        if not self.may_act(party):
            return False
        choice = choose(party)
        if choice is None:
            return False
        self.take(party.seat, party.act(*choice))
        return True

    def may_act(self, party: Party) -> bool:
        """Whether a party has a choice to make, and can read the cards for it."""
        deck = party.judge.deck
        if party.judge.ended or party.acting or deck is None or deck.lost:
            return False
        return deck.game.turn() == party.seat


def judged(circle: Circle, entries: Sequence[Signed], seed: int) -> Judge:
    """A judge given the entries in a random order, its tasks finished in another."""
    luck = Random(seed)
    judge = Judge(SMALL, circle.terms, circle.nonce, circle.opening)
    coming = list(entries)
    luck.shuffle(coming)
    tasks: list[Task] = []
    while coming or tasks:
        if coming and (not tasks or luck.random() < 0.6):
            tasks += judge.receive(coming.pop()).tasks
        else:
            task = tasks.pop(luck.randrange(len(tasks)))
            tasks += judge.done(task, task.run()).tasks
    return judge
