"""The exact value of an ending in which every card lies open, in the kernel's dialect.

Alpha-beta without recursion: the positions on the way are undone from frames, one a
ply. A game of more than two sides is taken as one side against all the others.
"""

from __future__ import annotations

from ai.playouts import legal
from ai.policy import WORST, gain, standing
from scopa_net.rules.kernel import (
    EXTRA,
    HAND,
    LAID,
    LAST,
    LEFT,
    PILE,
    SHOWN,
    SWEEPS,
    TABLE,
    TURN,
    Ints,
    Rules,
    apply,
)

# Layout of a frame.
START = 0  # of the position's actions in `moves`
END = 1
AT = 2  # the next action
ALPHA = 3  # what the side that is asked for has for sure
BETA = 4  # what the others have for sure
BEST = 5
KEPT = 6  # TABLE TURN LAST LEFT LAID SHOWN, hand, scope and declared of who acts
PILES = 15  # + side
FRAME = 21
FRAMES = 64 * FRAME  # room for the forty cards, declarations and claims


def keep(r: Rules, s: Ints, frames: Ints, f: int) -> None:
    """Write down what an action can change."""
    seat = s[TURN]
    side = seat % r.sides
    frames[f + KEPT] = s[TABLE]
    frames[f + KEPT + 1] = seat
    frames[f + KEPT + 2] = s[LAST]
    frames[f + KEPT + 3] = s[LEFT]
    frames[f + KEPT + 4] = s[LAID]
    frames[f + KEPT + 5] = s[SHOWN]
    frames[f + KEPT + 6] = s[HAND + seat]
    frames[f + KEPT + 7] = s[SWEEPS + side]
    frames[f + KEPT + 8] = s[EXTRA + side]
    for one in range(r.sides):
        frames[f + PILES + one] = s[PILE + one]


def undo(r: Rules, s: Ints, frames: Ints, f: int) -> None:
    """Make the state again what was written down."""
    seat = frames[f + KEPT + 1]
    side = seat % r.sides
    s[TABLE] = frames[f + KEPT]
    s[TURN] = seat
    s[LAST] = frames[f + KEPT + 2]
    s[LEFT] = frames[f + KEPT + 3]
    s[LAID] = frames[f + KEPT + 4]
    s[SHOWN] = frames[f + KEPT + 5]
    s[HAND + seat] = frames[f + KEPT + 6]
    s[SWEEPS + side] = frames[f + KEPT + 7]
    s[EXTRA + side] = frames[f + KEPT + 8]
    for one in range(r.sides):
        s[PILE + one] = frames[f + PILES + one]


def promising(r: Rules, s: Ints, v: Ints, out: Ints, moves: Ints, start: int) -> int:
    """Write the legal actions from `start` on, those that bring most first; the end."""
    n = legal(r, s, out)
    table = s[TABLE]
    for i in range(n):
        a = out[i]
        brings = gain(v, table, 0, a)
        at = start + i
        while at > start and out[n + at - start - 1] < brings:
            moves[at] = moves[at - 1]
            out[n + at - start] = out[n + at - start - 1]
            at -= 1
        moves[at] = a
        out[n + at - start] = brings
    return start + n


def solve(
    r: Rules, s: Ints, v: Ints, side: int, out: Ints, moves: Ints, frames: Ints
) -> int:
    """What a side comes to, as `standing` says it, when all play as well as can be.

    Nothing may be left to deal, and all hands must be known; `s` is as before at the
    end. `out` and `moves` are room for actions, `frames` has `FRAMES` ints.
    """
    frames[ALPHA] = WORST
    frames[BETA] = -WORST
    frames[START] = 0
    value = 0
    f = 0
    down = 1
    while f >= 0:
        if down:
            if s[LEFT] == 0:
                value = standing(r, s, v, side)
                f -= FRAME
                down = 0
                continue
            keep(r, s, frames, f)
            frames[f + AT] = frames[f + START]
            frames[f + END] = promising(r, s, v, out, moves, frames[f + START])
            frames[f + BEST] = WORST if s[TURN] % r.sides == side else -WORST
        else:
            undo(r, s, frames, f)
            if s[TURN] % r.sides == side:
                frames[f + BEST] = max(frames[f + BEST], value)
                frames[f + ALPHA] = max(frames[f + ALPHA], value)
            else:
                frames[f + BEST] = min(frames[f + BEST], value)
                frames[f + BETA] = min(frames[f + BETA], value)
            if frames[f + ALPHA] >= frames[f + BETA]:
                frames[f + AT] = frames[f + END]
        at = frames[f + AT]
        if at == frames[f + END]:
            value = frames[f + BEST]
            f -= FRAME
            down = 0
            continue
        frames[f + AT] = at + 1
        frames[f + FRAME + ALPHA] = frames[f + ALPHA]
        frames[f + FRAME + BETA] = frames[f + BETA]
        frames[f + FRAME + START] = frames[f + END]
        apply(r, s, moves[at])
        f += FRAME
        down = 1
    return value
