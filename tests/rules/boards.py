"""Positions from notation, random deals, and many rule sets to try them under."""

import random
from collections.abc import Iterator

from scopa_net.rules import kernel as k
from scopa_net.rules.cards import MAZZO, cards
from scopa_net.rules.kernel import Ints, Rules
from scopa_net.rules.variants import flagged

CLASSIC = Rules()
FEWEST = flagged(Rules(fewest=1))
STARGAMES = Rules(redeal_kings=0, last_scopa=1, more_suits=1)
ESCOBA = Rules(by_value=0, by_fifteen=1, redeal_kings=0, bonus=2)
STARGAMES_ESCOBA = STARGAMES._replace(by_value=0, by_fifteen=1, bonus=3)
CLAIMED = flagged(ESCOBA._replace(compulsion=3))
SCOPONE_9 = Rules(players=4, hand=9)
SCOPONE_10 = Rules(players=4, hand=10, table=0)
WIKIBOOKS = Rules(hand=9, draw=1, redeal_kings=0, prime=3)
DASSI = flagged(Rules(ace=1))
PIGLIA_TUTTO = flagged(Rules(ace=1, ace_scopa=1))
ACE_CLAIMED = flagged(Rules(ace=1, compulsion=3))
CIRULLA = flagged(
    Rules(
        by_fifteen=1,
        ace=1,
        ace_scopa=1,
        bonus=2,
        wild=1,
        declare=1,
        redeal_kings=0,
        redeal_aces=2,
        run_cap=6,
        grande=5,
        win_all=0x1111111111,
    )
)
TRENTINO = flagged(
    SCOPONE_9._replace(worth1=1 << 24 | 1, worth2=1 << 4, worth3=1 << 8, win_all=0x111)
)

RULE_SETS: dict[str, Rules] = {
    "classic": CLASSIC,
    "three": Rules(players=3, sides=3),
    "four-teams": Rules(players=4),
    "four-alone": Rules(players=4, sides=4),
    "six-as-two": Rules(players=6),
    "six-as-three": Rules(players=6, sides=3),
    "six-alone": Rules(players=6, sides=6),
    "fewest": FEWEST,
    "at-most-two": flagged(Rules(max_captured=2)),
    "fewest-of-two": flagged(Rules(max_captured=2, fewest=1)),
    "no-equal-first": Rules(equal_first=0),
    "hand-compulsion": flagged(Rules(compulsion=1)),
    "no-compulsion": flagged(Rules(compulsion=2)),
    "stargames": STARGAMES,
    "stargames-escoba": STARGAMES_ESCOBA,
    "escoba": ESCOBA,
    "escoba-free": flagged(ESCOBA._replace(compulsion=2)),
    "escoba-claim": CLAIMED,
    "escoba-three-claim": CLAIMED._replace(players=3, sides=3),
    "escoba-groups": ESCOBA._replace(bonus=4, bonus_to=1),
    "scopone-9": SCOPONE_9,
    "scopone-10": SCOPONE_10,
    "scopone-10-last": SCOPONE_10._replace(last_scopa=1),
    "bergamasca": Rules(hand=9),
    "wikibooks": WIKIBOOKS,
    "wikibooks-three": WIKIBOOKS._replace(players=3, sides=3),
    "draw-after-all": WIKIBOOKS._replace(draw=2),
    "draw-after-all-three": WIKIBOOKS._replace(players=3, sides=3, draw=2),
    "dassi": DASSI,
    "piglia-tutto": PIGLIA_TUTTO,
    "ace-takes-itself": flagged(SCOPONE_10._replace(ace=1, ace_empty=1)),
    "ace-sweeps-all": flagged(Rules(ace=1, ace_table=1, ace_scopa=1)),
    "ace-no-lead": flagged(SCOPONE_10._replace(ace=1, ace_first=1)),
    "ace-no-first-sweep": flagged(Rules(ace=1, ace_first=2)),
    "ace-declined": flagged(Rules(ace=1, ace_decline=1)),
    "ace-claim": ACE_CLAIMED,
    "cirulla": CIRULLA,
    "cirulla-teams": CIRULLA._replace(players=4),
    "cirulla-sums": CIRULLA._replace(equal_first=0, leftovers=1),
    "leftovers-nobody": Rules(leftovers=2, majority=1),
    "trentino": TRENTINO,
    "napola": flagged(Rules(run_cap=10, sevens_bonus=1, faces=1)),
    "ponino": flagged(Rules(double_all=15 << 32, worth1=1 << 24 | 1 << 36, faces=2)),
    "most-sevens": Rules(prime=2, majority=1, players=3, sides=3),
}


def mask(text: str) -> int:
    """The set of the cards that the text names."""
    return sum(1 << card.index for card in set(cards(text)))


def text(cards_set: int) -> str:
    """The cards of a set, lowest index first."""
    return "".join(str(MAZZO[i]) for i in range(40) if cards_set >> i & 1)


def word(action: int) -> str:
    """An action as `7D` or `7Dx3C4S`; claims and declarations by their name."""
    code, taken = action >> 40, action & k.ALL
    names = {k.CLAIM: "claim", k.LOW: "low", k.THREE: "three"}
    if code in names:
        return f"{names[code]} {text(taken)}"
    return f"{MAZZO[code]}{'x' if taken else ''}{text(taken)}"


def position(rules: Rules, table: str, hand: str, left: int = 20) -> Ints:
    """A position in the middle of a deal: seat 0 is to act and holds the hand."""
    s = [0] * k.SIZE
    s[k.DECK : k.DECK + 40] = [-1] * 40
    s[k.LAST] = s[k.LAID] = -1
    s[k.TABLE], s[k.HAND] = mask(table), mask(hand)
    s[k.LEFT], s[k.STOCK] = left, max(0, left - rules.players * len(cards(hand)))
    return s


def plays(rules: Rules, s: Ints) -> list[int]:
    """The legal plays."""
    out = [0] * k.BUFFER
    return out[: k.legal_plays(rules, s, out)]


def actions(rules: Rules, s: Ints) -> list[int]:
    """The legal plays, claims and declarations."""
    out = [0] * k.BUFFER
    n = k.legal_plays(rules, s, out)
    if rules.declare or rules.compulsion == 3:
        n = k.legal_extras(rules, s, out, n)
    return out[:n]


def act(rules: Rules, s: Ints, action: int) -> Ints:
    """The state after the action; the given one is not changed."""
    after = s[:]
    k.apply(rules, after, action)
    return after


def play(rules: Rules, s: Ints, name: str) -> Ints:
    """The state after the legal action of that name."""
    [action] = [a for a in actions(rules, s) if word(a) == name]
    return act(rules, s, action)


def dealt(rules: Rules, order: list[int], first: int = 0) -> Ints:
    """The state when the order has just been dealt."""
    s = [0] * k.SIZE
    s[k.DECK : k.DECK + 40] = order
    k.new_deal(rules, s, first)
    return s


def order_of(opening: str, rng: random.Random | None = None) -> list[int]:
    """An order that begins with the given cards; the rest follows, shuffled or not."""
    head = [card.index for card in cards(opening)]
    rest = [i for i in range(40) if i not in head]
    if rng:
        rng.shuffle(rest)
    return head + rest


def walk(
    rules: Rules, rng: random.Random
) -> Iterator[tuple[Ints, list[int], int, Ints]]:
    """A random deal: state, legal actions, the action taken, the state after it."""
    order = list(range(40))
    rng.shuffle(order)
    s = dealt(rules, order, rng.randrange(rules.players))
    while s[k.LEFT]:
        legal = actions(rules, s)
        action = rng.choice(legal)
        after = act(rules, s, action)
        yield s, legal, action, after
        s = after


def finished(rules: Rules, rng: random.Random) -> Ints:
    """The last state of a random deal."""
    *_, (_, _, _, last) = walk(rules, rng)
    return last
