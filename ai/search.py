"""Trials of every action in the same imagined worlds, in the dialect of the kernel.

A world is a way the unseen cards can lie. In it each action is tried: carried out, then
everybody plays on as a policy says, which sees its own hand only, and then the side
stands where it stands. Sums are kept exactly, so that the same luck gives the same
choice on any machine.
"""

from __future__ import annotations

from ai.playouts import determinise
from ai.policy import COUNTING, counting, quick, standing
from scopa_net.rules.kernel import HAND, LEFT, SWEEPS, TURN, Ints, Rules, apply

TRIES = 40
"""How often a world is dealt again because a seat cannot hold what it got."""


def sums_room(n: int) -> int:
    """How many ints the sums of n actions need."""
    return n * (n + 3)


def world_of(r: Rules, s: Ints, barred: Ints, world: Ints, out: Ints, x: int) -> int:
    """Deal a world in which no seat holds a card it is known not to have.

    After `TRIES` attempts any world will do. Answers with the generator's state.
    """
    for _ in range(TRIES):
        world[:] = s
        x = determinise(r, world, out, x)
        clash = 0
        for seat in range(r.players):
            clash |= world[HAND + seat] & barred[seat]
        if clash == 0:
            return x
    return x


def trial(r: Rules, w: Ints, v: Ints, out: Ints, until: int, policy: int) -> None:
    """Play on until so many cards are left to be played."""
    while w[LEFT] > until:
        if policy == COUNTING:
            apply(r, w, counting(r, w, v, out))
        else:
            apply(r, w, quick(r, w, v, out))


def batch(
    r: Rules,
    s: Ints,
    barred: Ints,
    v: Ints,
    world: Ints,
    w: Ints,
    out: Ints,
    actions: Ints,
    n: int,
    x: int,
    count: int,
    until: int,
    policy: int,
    sums: Ints,
) -> int:
    """Try the n actions in `count` worlds; those that are -1 have been dropped.

    `sums` gets, added: n totals, n counts of scope made by others, n * n products of
    what two actions came to. `sums` has room for n more. Answers with the generator's
    state.
    """
    side = s[TURN] % r.sides
    products = 2 * n
    came = 2 * n + n * n
    for _ in range(count):
        x = world_of(r, s, barred, world, out, x)
        for i in range(n):
            if actions[i] < 0:
                continue
            w[:] = world
            apply(r, w, actions[i])
            trial(r, w, v, out, until, policy)
            stands = standing(r, w, v, side)
            sums[i] += stands
            sums[came + i] = stands
            for one in range(r.sides):
                if one != side:
                    sums[n + i] += w[SWEEPS + one] - s[SWEEPS + one]
            for j in range(i + 1):
                if actions[j] >= 0:
                    sums[products + i * n + j] += stands * sums[came + j]
    return x
