"""The same equations a second time, slowly, without libsodium or our own modules.

Curve: -x^2 + y^2 = 1 + d x^2 y^2 over the integers modulo 2^255 - 19 (RFC 8032, 5.1).
Hashes and proofs are written from the text at the head of each module, not its code.
"""

from hashlib import blake2b, shake_256

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


def scalar(tag: bytes, *parts: bytes | int) -> int:
    long = blake2b(joined(*parts), digest_size=64, person=tag).digest()
    return int.from_bytes(long, "little") % L or 1


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
