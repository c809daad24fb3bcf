"""Liars under seeds: any of the catalogue, at any table, in any order of delivery.

Toy matches of one or two deals. Nobody honest may ever be blamed, and where a lie can
be proven at all every honest seat, and an auditor of its record, must name the liar.
In turn with the catalogue comes one through whom all others reach each other, and who
keeps back what they sign while they lose their disks.
"""

from random import Random

from protocol.audit import audit
from tests.support import (
    chain_liars,
    hasty_liars,
    late_liars,
    leaving_liars,
    liars,
    making_liars,
    proof_liars,
    redeal_liars,
    second_liars,
    transplant_liars,
)
from tests.support.keepers import Kept
from tests.support.malice import Company, Liar, declare_first, play_in_order
from tests.support.parties import judged
from tests.support.small_group import SMALL
from tests.support.toy_game import toy_opening

ABSTRACT = frozenset(
    {
        "AfterTheEnd",
        "AgreesToAVoid",
        "AheadOfTime",
        "AtARedeal",
        "CallsForAVoid",
        "Envelope",
        "Forges",
        "Forker",
        "HearsOfARefusal",
        "HearsOfAResignation",
        "HearsOfAVoid",
        "InsteadOfItsVerdict",
        "KeepsBack",
        "KeyedLast",
        "Leaves",
        "Liar",
        "LooksBack",
        "SeesOnlyHalf",
        "ProvesAfterAnother",
        "Repeats",
        "SendsAnOutsider",
        "Shuffler",
        "SignsAllTwice",
    }
)
UNPROVABLE: frozenset[type[Liar]] = frozenset(
    {
        chain_liars.NamesOtherHeads,
        chain_liars.NamesWhatIsNotThere,
        chain_liars.NumbersItFarAhead,
        chain_liars.ReadyForAnotherPlan,
        chain_liars.ReadyForAnotherPlanAhead,
        liars.RevealsEarlyOverAnHonestEntry,
        liars.RevealsEarlyOverRubbish,
        chain_liars.Silent,
        chain_liars.SkipsANumber,
        hasty_liars.KeepsItsCoin,
        # What is seen less of may not be needed.
        hasty_liars.CommitsAheadLookingBack,
        hasty_liars.IsReadyLookingBack,
        hasty_liars.PlaysLookingBack,
        hasty_liars.RevealsLookingBack,
        hasty_liars.SharesLookingBack,
        hasty_liars.ShufflesLookingBack,
        hasty_liars.SignsItsVerdictLookingBack,
        late_liars.KeepsItsLastCard,
        late_liars.KeepsItsShareOfADrawnCard,
        proof_liars.KeepsItsProof,
        proof_liars.KeepsItsProofAhead,
    }
)
_MODULES = (
    liars,
    chain_liars,
    proof_liars,
    hasty_liars,
    second_liars,
    making_liars,
    leaving_liars,
    late_liars,
    transplant_liars,
    redeal_liars,
)
_FOUND = {name: found for one in _MODULES for name, found in vars(one).items()}
CATALOGUE: tuple[type[Liar], ...] = tuple(
    found
    for name, found in sorted(_FOUND.items())
    if isinstance(found, type) and issubclass(found, Liar) and name not in ABSTRACT
)


def lie(seed: int) -> bool:
    """One liar of the catalogue under one seed; answers whether its moment came.

    Raises `AssertionError` if anybody else is blamed, or the liar is not.
    """
    luck = Random(f"lies {seed}")
    turn = seed % (len(CATALOGUE) + 1)
    if turn == len(CATALOGUE):
        return keep_back(seed)
    liar = CATALOGUE[turn]
    seats = luck.choice((2, 3, 3, 4))
    kind = leaving_liars.table_of(liar)
    table = kind(
        toy_opening(deals=luck.choice((1, 2, 2)), redeals=luck.choice((0, 0, 3))),
        liar,
        at=luck.randrange(seats),
        seats=seats,
        positions=3 + 2 * seats,
        seed=seed,
    )
    table.play(luck.choice((play_in_order, declare_first)))
    check(table, liar)
    return table.liar.lied


def keep_back(seed: int) -> bool:
    """One who keeps back, under one seed; answers whether anybody was held up by it."""
    luck = Random(f"keeps back {seed}")
    seats = luck.choice((2, 3, 3, 4))
    circle = Kept(
        toy_opening(deals=2),
        luck.randrange(seats),
        seats=seats,
        positions=3 + 2 * seats,
        seed=seed,
    )
    circle.happen(luck.randrange(100, 1500))
    circle.let_all_go()
    found = [party.judge.faults for party in circle.honest]
    found += [judged(circle, circle.everything(), order).faults for order in range(2)]
    for faults in found:
        blamed = {fault.seat for fault in faults if fault.blames}
        assert blamed <= {circle.keeper.seat}, ("keeps back", faults)
    return any(found)


def check(table: Company, liar: type[Liar]) -> None:
    """What every honest seat has found, and what its record proves."""
    provable = table.liar.lied and liar not in UNPROVABLE
    for party in table.honest:
        blamed = {fault.seat for fault in party.judge.faults}
        assert blamed <= {table.liar.seat}, (liar.__name__, party.judge.faults)
        assert blamed or not provable, (liar.__name__, "is not blamed")
        course, faults = party.judge.course, party.judge.faults
        late = course.won or (bool(faults) and all(map(course.is_late, faults)))
        assert party.judge.stopped or late or not provable
        result = audit(table.record_of(party), SMALL, table.opening)
        assert result.sound or not late
        assert {f.seat for f in result.faults} == blamed, (liar.__name__, "audit")
        assert result.damage is None or not blamed
