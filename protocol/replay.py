"""The replay of a finished deck: what its revealed seeds say, compared with what was.

It turns "trust our proofs" into "make the deal again and compare bytes", for people as
for the judge: every stage again from its seed, then every opened value.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from protocol.crypto.group import Point, Suite
from protocol.crypto.shuffle import deck_hash, permutation, replay, secret_key, share
from protocol.faults import Reason
from protocol.shuffling import Shuffling


@dataclass(frozen=True, slots=True)
class Replayed:
    """What the revealed seeds say: the value at every position.

    And whose part was false, with the reason; the order is then of no meaning.
    """

    order: tuple[int, ...]
    false: tuple[tuple[int, Reason], ...] = ()

    @property
    def blamed(self) -> tuple[int, ...]:
        """The seats whose part was false, each once."""
        return tuple(sorted({seat for seat, _ in self.false}))


def replayed(
    suite: Suite,
    made: Shuffling,
    seeds: Sequence[bytes],
    shared: Mapping[int, tuple[int, Mapping[int, Point]]],
    trusted: int | None,
) -> Replayed:
    """Every stage made again from its seed, and every opened value, compared.

    The stage of `trusted` is taken as it is. Only products with the generator are
    needed, since every secret key is known. An opened value can differ only if a share
    got past its proof; then the share is looked for.
    """
    secrets = [
        secret_key(suite, context, seed)
        for context, seed in zip(made.contexts, seeds, strict=True)
    ]
    order = tuple(range(made.positions))
    false = []
    for seat, (context, seed) in enumerate(zip(made.contexts, seeds, strict=True)):
        before = made.input_deck(seat)
        if seat != trusted:
            honest = replay(suite, made.joint, before, context, seed, sum(secrets))
            if honest != made.stages[seat]:
                false.append((seat, Reason.FALSE_SHUFFLE))
        taken = permutation(context, seed, deck_hash(made.joint, before), len(order))
        order = tuple(order[source] for source in taken)
    if false:
        return Replayed(order, tuple(false))
    for position, (value, parts) in shared.items():
        masked = made.stages[-1][position][0]
        for seat, part in parts.items() if order[position] != value else ():
            if part != share(suite, secrets[seat], masked):
                false.append((seat, Reason.WRONG_SHARE))
    return Replayed(order, tuple(false))
