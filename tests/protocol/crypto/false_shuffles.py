"""Decks that are no shuffle of another, and provers that would have them pass.

`lies` are decks to be proven by the honest algorithm. A `Forger` knows the proof: it
commits to any matrix, answers and chains with other weights, and keeps to the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from protocol.crypto.group import Point, Suite
from protocol.crypto.hashing import H, Part
from protocol.crypto.shuffle import Pair, value_points
from protocol.crypto.shuffle_proof import ShuffleProof
from tests.protocol.crypto.counting import Counting
from tests.protocol.crypto.dealt import Shuffle

Matrix: TypeAlias = list[list[int]]
"""A row an output, a column an input."""

T = 987654321


def lies(made: Shuffle) -> dict[str, Shuffle]:
    """A shuffle of at least two positions with false outputs, by what is false."""
    suite, Y = made.suite, made.Y
    (a, b), (c, d), *rest = made.deck_out
    G, M = suite.generator, value_points(suite, len(made.deck_in))
    swapped = suite.sub(suite.add(b, M[0]), M[1])
    told: dict[str, Sequence[Pair]] = {
        "two outputs swapped": [(c, d), (a, b)],
        "an output twice": [(a, b), (a, b)],
        "a remasked copy": [(a, b), remasked(suite, Y, (a, b), T)],
        "an output remasked after": [remasked(suite, Y, (a, b), T), (c, d)],
        "offset by a point": [(a, suite.add(b, G)), (c, d)],
        "two offsets that cancel": [(a, suite.add(b, G)), (c, suite.sub(d, G))],
        "a mask moved": [(suite.add(a, G), b), (c, d)],
        "halves swapped": [(a, d), (c, b)],
        "a value point replaced": [(a, swapped), (c, d)],
        "a pair multiplied": [times(suite, T, (a, b)), (c, d)],
        "a scaled pair": [
            times(suite, T, (a, b)),
            times(suite, pow(T, -1, suite.order), (c, d)),
        ],
        "an identity": [(suite.identity, suite.identity), (c, d)],
        "an input as it came": [(a, b), made.deck_in[0]],
    }
    return {
        what: replace(made, deck_out=(*pairs, *rest)) for what, pairs in told.items()
    }


def remasked(suite: Suite, Y: Point, pair: Pair, r: int) -> Pair:
    return suite.add(pair[0], suite.base(r)), suite.add(pair[1], suite.mul(r, Y))


def times(suite: Suite, k: int, pair: Pair) -> Pair:
    return suite.mul(k, pair[0]), suite.mul(k, pair[1])


class Foreseen(Counting):
    """A suite whose shuffle weights hash the statement and not the commitments."""

    def __init__(self, suite: Suite, statement: bytes) -> None:
        super().__init__(suite)
        self._statement = statement

    def scalar(self, tag: str, *parts: Part) -> int:
        if tag == "sc1.twu":
            return super().scalar(tag, self._statement, parts[-1])
        return super().scalar(tag, *parts)

    def weights(self, N: int) -> list[int]:
        return [self.scalar("sc1.twu", j) for j in range(N)]


def foreseen(made: Shuffle) -> Foreseen:
    return Foreseen(made.suite, H("sc1.test", *statement(made)))


def statement(made: Shuffle) -> list[bytes]:
    pairs = [a.encoded + b.encoded for a, b in (*made.deck_in, *made.deck_out)]
    return [made.ctx, made.Y.encoded, *pairs]


def permuting(order: Sequence[int]) -> Matrix:
    return [[int(j == source) for j in range(len(order))] for source in order]


def scaling(suite: Suite, N: int, t: int = T) -> Matrix:
    """Output 0 multiplied and output 1 divided: rows that do not add up to 1."""
    rows = permuting(range(N))
    rows[0][0], rows[1][1] = t, pow(t, -1, suite.order)
    return rows


def doubling(N: int) -> Matrix:
    """Output 1 is input 0 again."""
    return permuting([0, 0, *range(2, N)])


def mixing(N: int) -> Matrix:
    """Two rows of more than one input, each of which adds up to 1."""
    rows = permuting(range(N))
    rows[0][:2], rows[1][:2] = (2, -1), (-1, 2)
    return rows


def unmixing(suite: Suite, N: int) -> Matrix:
    """The deck that `mixing` would prove: the inverse, transposed."""
    third = pow(3, -1, suite.order)
    rows = permuting(range(N))
    rows[0][:2], rows[1][:2] = (2 * third, third), (third, 2 * third)
    return rows


def foreseeing(suite: Suite, u: Sequence[int]) -> Matrix:
    """Rows that add up to 1 and prove a deck of `scaling` for these weights alone."""
    unscaled = scaling(suite, len(u), pow(T, -1, suite.order))
    rows = permuting(range(len(u)))
    apart = pow(u[0] - u[1], -1, suite.order)
    for i, wanted in enumerate(times_weights(unscaled, u)[:2]):
        first = (wanted - u[1]) * apart % suite.order
        rows[i][:2] = first, 1 - first
    return rows


def times_weights(matrix: Matrix, u: Sequence[int]) -> list[int]:
    return [inner(row, u) for row in matrix]


@dataclass(frozen=True)
class Forgery:
    """A proof and the first messages that its challenge hashes."""

    proof: ShuffleProof
    first: list[Point]


@dataclass(frozen=True)
class Forger:
    """Says of a shuffle what suits it; knows the masks of its deck out."""

    made: Shuffle
    masks: Sequence[int]

    def forge(
        self,
        committed: Matrix,
        answered: Matrix | None = None,
        linked: Matrix | None = None,
    ) -> Forgery:
        """One matrix in c, one in the answers z, one in the chain."""
        suite, N = self.made.suite, len(self.made.deck_in)
        G, h_0, *h = generators(suite, N)
        e, f, x, y = (drawn(suite, what, N) for what in "efxy")
        w = drawn(suite, "w", 4)
        columns = [list(column) for column in zip(*committed, strict=True)]
        c = [weighted(suite, [e[j], *columns[j]], [G, *h]) for j in range(N)]
        digest = H("sc1.twu", *statement(self.made), *(point.encoded for point in c))
        u = [suite.scalar("sc1.twu", digest, j) for j in range(N)]
        v = times_weights(answered or committed, u)
        d: list[Point] = []
        F = 0
        for f_i, v_i in zip(
            f, times_weights(linked or answered or committed, u), strict=True
        ):
            d.append(weighted(suite, [f_i, v_i], [G, d[-1] if d else h_0]))
            F = (F * v_i + f_i) % suite.order
        first = self._first(d, w, x, y)
        encoded = [each.encoded for each in (*d, *first)]
        q = suite.scalar("sc1.twc", digest, *encoded)
        secrets = [sum(e), F, inner(u, e), inner(v, self.masks)]
        s, g, z = (
            tuple((k + q * secret) % suite.order for k, secret in pairs)
            for pairs in (
                zip(w, secrets, strict=True),
                zip(x, f, strict=True),
                zip(y, v, strict=True),
            )
        )
        c_sent, d_sent = (tuple(each.encoded for each in sent) for sent in (c, d))
        return Forgery(ShuffleProof(c_sent, d_sent, q, s, g, z), first)

    def _first(
        self,
        d: Sequence[Point],
        w: Sequence[int],
        x: Sequence[int],
        y: Sequence[int],
    ) -> list[Point]:
        suite = self.made.suite
        tops, bottoms = zip(*self.made.deck_out, strict=True)
        G, h_0, *h = generators(suite, len(d))
        return [
            suite.base(w[0]),
            suite.base(w[1]),
            weighted(suite, [w[2], *y], [G, *h]),
            weighted(suite, [-w[3], *y], [G, *tops]),
            weighted(suite, [-w[3], *y], [self.made.Y, *bottoms]),
            *(
                weighted(suite, [x_i, y_i], [G, before])
                for x_i, y_i, before in zip(x, y, [h_0, *d[:-1]], strict=True)
            ),
        ]


def forger(made: Shuffle, matrix: Matrix) -> Forger:
    """Who made of the input whatever a matrix makes of it: a shuffle if it permutes."""
    suite, masks = made.suite, drawn(made.suite, "r", len(matrix))
    tops, bottoms = zip(*made.deck_in, strict=True)
    deck_out = tuple(
        remasked(
            suite,
            made.Y,
            (weighted(suite, row, tops), weighted(suite, row, bottoms)),
            r,
        )
        for row, r in zip(matrix, masks, strict=True)
    )
    return Forger(replace(made, deck_out=deck_out), masks)


def forgeries(made: Shuffle) -> dict[str, tuple[Shuffle, Forgery]]:
    """False shuffles of at least two positions, proven as well as can be."""
    suite, N = made.suite, len(made.deck_in)
    straight, turned = permuting(range(N)), permuting(range(N)[::-1])
    scaled = forger(made, scaling(suite, N))
    mixed = forger(made, unmixing(suite, N))
    doubled = forger(made, doubling(N))
    true = forger(made, straight)
    told = {
        "a scaled pair, two numbers committed": (
            scaled,
            scaled.forge(scaling(suite, N, pow(T, -1, suite.order))),
        ),
        "inputs mixed, no permutation committed": (mixed, mixed.forge(mixing(N))),
        "inputs mixed, chained as a permutation": (
            mixed,
            mixed.forge(mixing(N), linked=straight),
        ),
        "an input twice, committed twice": (doubled, doubled.forge(doubling(N))),
        "an input twice, committed once": (doubled, doubled.forge(straight)),
        "another permutation committed": (true, true.forge(turned, answered=straight)),
        "another permutation in the deck": (true, true.forge(turned)),
    }
    for what in ("a mask moved", "offset by a point"):
        moved = replace(true, made=lies(true.made)[what])
        told[f"{what}, the rest proven"] = moved, moved.forge(straight)
    return {what: (liar.made, forgery) for what, (liar, forgery) in told.items()}


def generators(suite: Suite, N: int) -> list[Point]:
    """G, h_0, ..., h_N."""
    hashed = [suite.hash_to_point("sc1.gen", i) for i in range(N + 1)]
    return [suite.generator, *hashed]


def drawn(suite: Suite, what: str, count: int) -> list[int]:
    return [suite.scalar("sc1.test", what, i) for i in range(count)]


def inner(left: Sequence[int], right: Sequence[int]) -> int:
    return sum(one * other for one, other in zip(left, right, strict=True))


def weighted(suite: Suite, factors: Sequence[int], points: Sequence[Point]) -> Point:
    total = suite.identity
    for factor, point in zip(factors, points, strict=True):
        total = suite.add(total, suite.mul(factor, point))
    return total
