"""Real seats joined by hand: one frame, task or play at a time."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random

from protocol.codec import Value, encode
from protocol.crypto.identity import Identity
from protocol.entry import WIRE_VERSION, Entry, signed_digest
from protocol.faults import Fault, Signed
from protocol.party import Secrets
from protocol.step import Step, Task
from scopa_net.notices import Notice
from scopa_net.rules import find_variant
from scopa_net.seat import Seat
from tests.support.small_group import SMALL

HAPPENINGS_MAX = 20_000
Tamper = Callable[[int, int, bytes], bytes]


def honest(_: int, __: int, data: bytes) -> bytes:
    return data


class Wires:
    """Seats and the links between them; `tamper` may change each frame."""

    def __init__(
        self,
        seats: int,
        tamper: Tamper = honest,
        *,
        seed: int = 0,
        variant: str = "scopa",
        target: int = 3,
        players: Sequence[Secrets] = (),
    ) -> None:
        self.luck = Random(seed)
        self.tamper = tamper
        self.notices: list[Notice] = []
        nonce = self.luck.randbytes(32)
        self.secrets = list(players) or [
            Secrets(
                Identity(self.luck.randbytes(32)),
                self.luck.randbytes(32),
                self.luck.randbytes(32),
            )
            for _ in range(seats)
        ]
        rules = find_variant(variant, seats, {"target": str(target)})
        self.seats = [
            Seat(
                SMALL,
                secrets,
                rules,
                nonce,
                name=f"player {number}",
                host=self.secrets[0].identity.key,
                number=number,
            )
            for number, secrets in enumerate(self.secrets)
        ]
        self.frames: deque[tuple[int, int, bytes]] = deque()
        self.tasks: deque[Task] = deque()

    def connect(self, a: int, b: int) -> None:
        self.take(a, self.seats[a].connect(b))
        self.take(b, self.seats[b].connect(a))

    def take(self, number: int, step: Step[Notice]) -> None:
        for frame in step.send:
            data = self.tamper(number, frame.link, frame.data)
            self.frames.append((number, frame.link, data))
        self.notices.extend(step.events)
        self.tasks.extend(step.tasks)

    def run(self) -> None:
        """Carry everything until nothing moves; whoever's turn it is plays."""
        for _ in range(HAPPENINGS_MAX):
            if not self.carry():
                return
        raise AssertionError("the table does not come to rest")

    def carry(self) -> bool:
        """Let one thing happen; False if there is none."""
        if self.frames:
            sender, receiver, data = self.frames.popleft()
            self.take(receiver, self.seats[receiver].receive(sender, data))
        elif self.tasks:
            task = self.tasks.popleft()
            self.take(task.seat, self.seats[task.seat].done(task, task.run()))
        else:
            return self._somebody_plays()
        return True

    def _somebody_plays(self) -> bool:
        return self._one_plays(self.seats)

    def _one_plays(self, asked: Sequence[Seat]) -> bool:
        for seat in asked:
            table = seat.table
            if table is not None and table.seated and table.to_act:
                action = self.luck.choice(table.observation().legal_actions)
                self.take(seat.number, seat.act(action))
                return True
        return False

    def rank(self, number: int) -> int:
        """The seat's number in the record."""
        table = self.seats[number].table
        assert table is not None
        return table.party.seat

    def faults(self, number: int) -> list[Fault]:
        table = self.seats[number].table
        assert table is not None
        return table.party.judge.faults

    def resigned(self, number: int, entry: Entry, body: Value) -> Signed:
        """An entry of one's own with another body, under a good signature."""
        other = replace(entry, body=body)
        encoded = encode(
            (
                WIRE_VERSION,
                other.scope,
                other.seat,
                other.seq,
                other.prev,
                other.seen,
                other.heads,
                other.kind,
                other.body,
            )
        )
        identity = self.secrets[number].identity
        return Signed(encoded, identity.sign(signed_digest(encoded)))
