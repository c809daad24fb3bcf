"""The same equations a second time, slowly, without libsodium or our own modules.

Curve: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo 2^255 - 19 (RFC 8032, 5.1).
Hashes and proofs are written from the text at the head of each module, not its code.
The shuffle proof is the same for a curve and for residues, so `Group` takes bytes.
"""

from collections.abc import Callable, Sequence
from hashlib import blake2b, shake_256
from typing import NamedTuple

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
Affine = tuple[int, int]
ZERO: Affine = (0, 1)


def recover_x(y: int, sign: int) -> int | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * SQRT_M1 % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    return x if x & 1 == sign else P - x


def decode(encoded: bytes) -> Affine | None:
    """Any point of the curve, canonical or None; members of small order included."""
    number = int.from_bytes(encoded, "little")
    y, sign = number & (2**255 - 1), number >> 255
    x = recover_x(y, sign) if y < P else None
    return None if x is None else (x, y)


def point(encoded: bytes) -> Affine:
    found = decode(encoded)
    assert found is not None
    return found


def encode(p: Affine) -> bytes:
    return (p[1] | (p[0] & 1) << 255).to_bytes(32, "little")


def add(p: Affine, q: Affine) -> Affine:
    (x1, y1), (x2, y2) = p, q
    t = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def mul(k: int, p: Affine) -> Affine:
    total = ZERO
    while k:
        if k & 1:
            total = add(total, p)
        p, k = add(p, p), k >> 1
    return total


def is_member(encoded: bytes) -> bool:
    p = decode(encoded)
    return p is not None and p != ZERO and mul(L, p) == ZERO


def neg(p: Affine) -> Affine:
    return -p[0] % P, p[1]


G: Affine = point(bytes.fromhex("58" + "66" * 31))


def joined(*parts: bytes | int) -> bytes:
    raw = [p.to_bytes(8, "big") if isinstance(p, int) else p for p in parts]
    return b"".join(len(piece).to_bytes(4, "big") + piece for piece in raw)


def short(tag: bytes, *parts: bytes | int) -> bytes:
    return blake2b(joined(*parts), digest_size=32, person=tag).digest()


def long(tag: bytes, *parts: bytes | int) -> int:
    raw = blake2b(joined(*parts), digest_size=64, person=tag).digest()
    return int.from_bytes(raw, "little")


def scalar(tag: bytes, *parts: bytes | int, order: int = L) -> int:
    return long(tag, *parts) % order or 1


def deck_seed(master: bytes, sid: bytes, k: int, seat: int) -> bytes:
    """Shuffle (1)."""
    place = sid + k.to_bytes(8, "big") + seat.to_bytes(8, "big")
    return blake2b(place, digest_size=32, key=master, person=b"sc1.deckseed").digest()


def key_proof(ctx: bytes, seed: bytes) -> tuple[bytes, bytes]:
    """X and c || z of proofs (1)-(3)."""
    x = scalar(b"sc1.key", ctx, seed)
    X = encode(mul(x, G))
    k = scalar(b"sc1.nonce", seed, short(b"sc1.pok", ctx, X), 0)
    c = scalar(b"sc1.pok", ctx, X, encode(mul(k, G)))
    z = (k + c * x) % L
    return X, c.to_bytes(32, "little") + z.to_bytes(32, "little")


def key_holds(ctx: bytes, X: bytes, proof: bytes) -> bool:
    """Proofs (4)."""
    c, z = (int.from_bytes(proof[i : i + 32], "little") for i in (0, 32))
    first = add(mul(z, G), neg(mul(c, point(X))))
    return c == scalar(b"sc1.pok", ctx, X, encode(first))


def share_holds(
    said: tuple[bytes | int, ...],
    X: bytes,
    a: list[bytes],
    d: list[bytes],
    proof: bytes,
) -> bool:
    """Proofs (5)-(8) and (11); `said` is ctx, X, deck, kind, round, plan, positions."""
    c, z = (int.from_bytes(proof[i : i + 32], "little") for i in (0, 32))
    W = short(b"sc1.batch", *said, *a, *d)
    rho = [1] + [
        int.from_bytes(short(b"sc1.batch", W, i)[:16], "little")
        for i in range(1, len(a))
    ]
    A = B = ZERO
    for weight, a_i, d_i in zip(rho, a, d, strict=True):
        A = add(A, mul(weight, point(a_i)))
        B = add(B, mul(weight, point(d_i)))
    digest = short(b"sc1.dleq", *said, encode(A), encode(B))
    first = add(mul(z, G), neg(mul(c, point(X))))
    second = add(mul(z, A), neg(mul(c, B)))
    return c == scalar(b"sc1.dleq", digest, encode(first), encode(second))


def permutation(ctx: bytes, seed: bytes, deck_in: bytes, N: int) -> list[int]:
    """Shuffle (7)."""
    stream = shake_256(joined(b"sc1.perm", ctx, seed, deck_in)).digest(80 * N)
    at, order = 0, list(range(N))
    for i in reversed(range(1, N)):
        while True:
            w = int.from_bytes(stream[at : at + 8], "big")
            at += 8
            if w < 2**64 // (i + 1) * (i + 1):
                break
        order[i], order[w % (i + 1)] = order[w % (i + 1)], order[i]
    return order


class Group(NamedTuple):
    """A group whose members are their encodings."""

    order: int
    G: bytes
    add: Callable[[bytes, bytes], bytes]
    mul: Callable[[int, bytes], bytes]
    hashed: Callable[[bytes, int], bytes]

    def total(self, factors: Sequence[int], members: Sequence[bytes]) -> bytes:
        """Factors times members, added up."""
        total = self.mul(0, self.G)
        for k, member in zip(factors, members, strict=True):
            total = self.add(total, self.mul(k % self.order, member))
        return total


def elligator(tag: bytes, i: int) -> bytes:
    """Group (3): RFC 9380, 6.7.1, to y of the Edwards curve, times 8."""
    number, A = int.from_bytes(short(tag, i), "little"), 486662
    r, sign = number & (2**255 - 1), number >> 255
    u = -A * pow(1 + 2 * r * r, -1, P) % P
    if pow(u * u * u + A * u * u + u, (P - 1) // 2, P) == P - 1:
        u = -u - A
    x = recover_x(y := (u - 1) * pow(u + 1, -1, P) % P, sign)
    assert x is not None
    return encode(mul(8, (x, y)))


Q = 2**62 - 10565
CURVE = Group(
    L,
    encode(G),
    lambda one, other: encode(add(point(one), point(other))),
    lambda k, member: encode(mul(k, point(member))),
    elligator,
)
RESIDUES = Group(
    (Q - 1) // 2,
    (4).to_bytes(32, "little"),
    lambda one, other: residue(from_bytes(one) * from_bytes(other)),
    lambda k, member: residue(pow(from_bytes(member), k, Q)),
    lambda tag, i: residue((2 + long(tag, i) % (Q - 3)) ** 2),
)


def from_bytes(encoded: bytes) -> int:
    return int.from_bytes(encoded, "little")


def residue(value: int) -> bytes:
    return (value % Q).to_bytes(32, "little")


class Shuffled(NamedTuple):
    """What a shuffle proof speaks of; a pair is 64 bytes."""

    group: Group
    ctx: bytes
    Y: bytes
    deck_in: list[bytes]
    deck_out: list[bytes]

    def drawn(self, tag: bytes, *parts: bytes | int) -> int:
        return scalar(tag, *parts, order=self.group.order)

    def hashed(self, tag: bytes, *more: bytes) -> bytes:
        return short(tag, self.ctx, self.Y, *self.deck_in, *self.deck_out, *more)

    def generators(self) -> list[bytes]:
        """Shuffle proof (1)."""
        N = len(self.deck_in)
        return [self.group.hashed(b"sc1.gen", i) for i in range(N + 1)]

    def phi(
        self, chain: list[bytes], w: list[int], x: list[int], y: list[int]
    ) -> list[bytes]:
        """Shuffle proof (8)."""
        total, G, (h_0, *h) = self.group.total, self.group.G, self.generators()
        tops = [pair[:32] for pair in self.deck_out]
        bottoms = [pair[32:] for pair in self.deck_out]
        return [
            total([w[0]], [G]),
            total([w[1]], [G]),
            total([w[2], *y], [G, *h]),
            total([-w[3], *y], [G, *tops]),
            total([-w[3], *y], [self.Y, *bottoms]),
            *(
                total([x_i, y_i], [G, before])
                for x_i, y_i, before in zip(x, y, [h_0, *chain[:-1]], strict=True)
            ),
        ]


def shuffle_proof(said: Shuffled, seed: bytes) -> bytes:
    """Shuffle proof (2)-(10), wire form."""
    group, N = said.group, len(said.deck_in)
    name = short(b"sc1.deck", said.Y, *said.deck_in)
    r = [said.drawn(b"sc1.remask", said.ctx, seed, name, i) for i in range(N)]
    p = permutation(said.ctx, seed, name, N)
    S = said.hashed(b"sc1.tws")
    e = [said.drawn(b"sc1.twr", seed, S, j) for j in range(N)]
    h_0, *h = said.generators()
    c = [group.total([e[j], 1], [group.G, h[p.index(j)]]) for j in range(N)]
    T = said.hashed(b"sc1.twu", *c)
    u = [said.drawn(b"sc1.twu", T, j) for j in range(N)]
    v = [u[p[i]] for i in range(N)]
    nonces = [said.drawn(b"sc1.nonce", seed, T, i) for i in range(3 * N + 4)]
    f, w, xy = nonces[:N], nonces[N : N + 4], nonces[N + 4 :]
    d: list[bytes] = []
    for i in range(N):
        d.append(group.total([f[i], v[i]], [group.G, d[i - 1] if i else h_0]))
    E, F, K, R = sum(e), 0, 0, 0
    for i in range(N):
        after = 1
        for later in v[i + 1 :]:
            after = after * later % group.order
        F, K, R = F + f[i] * after, K + u[i] * e[i], R + v[i] * r[i]
    q = said.drawn(b"sc1.twc", T, *d, *said.phi(d, w, xy[:N], xy[N:]))
    secrets = [E, F, K, R, *f, *v]
    answers = [n + q * s for n, s in zip([*w, *xy], secrets, strict=True)]
    scalars = [(k % group.order).to_bytes(32, "little") for k in (q, *answers)]
    return b"".join([*c, *d, *scalars])


def shuffle_first(said: Shuffled, proof: bytes) -> list[bytes]:
    """Shuffle proof (11): phi(s, g, z) - q C, equation by equation."""
    group, N = said.group, len(said.deck_in)
    parts = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    c, d = parts[:N], parts[N : 2 * N]
    q, *answers = [from_bytes(part) for part in parts[2 * N :]]
    s, g, z = answers[:4], answers[4 : 4 + N], answers[4 + N :]
    T = said.hashed(b"sc1.twu", *c)
    u = [said.drawn(b"sc1.twu", T, j) for j in range(N)]
    h_0, *h = said.generators()
    product = 1
    for u_j in u:
        product = product * u_j % group.order
    claims = [
        group.total([1] * N + [-1] * N, [*c, *h]),
        group.total([1, -product], [d[-1], h_0]),
        group.total(u, c),
        group.total(u, [pair[:32] for pair in said.deck_in]),
        group.total(u, [pair[32:] for pair in said.deck_in]),
        *d,
    ]
    return [
        group.total([1, -q], [answered, claim])
        for answered, claim in zip(said.phi(d, s, g, z), claims, strict=True)
    ]


def shuffle_holds(said: Shuffled, proof: bytes) -> bool:
    """Shuffle proof (11)."""
    at = 64 * len(said.deck_in)
    c, d = proof[: at // 2], proof[at // 2 : at]
    cut = [[points[i : i + 32] for i in range(0, len(points), 32)] for points in (c, d)]
    T = said.hashed(b"sc1.twu", *cut[0])
    q = said.drawn(b"sc1.twc", T, *cut[1], *shuffle_first(said, proof))
    return from_bytes(proof[at : at + 32]) == q
