"""What holds in every deal, under every rule set, on random deals by seed."""

import random

import pytest

from scopa_net.rules import kernel as k
from scopa_net.rules.kernel import Ints, Rules
from tests.rules import oracle
from tests.rules.boards import RULE_SETS, act, dealt, walk

every_rule_set = pytest.mark.parametrize("rules", RULE_SETS.values(), ids=RULE_SETS)


def observed(rules: Rules, s: Ints, seat: int) -> Ints:
    seen = s[:]
    k.observe(rules, seen, seat)
    return seen


def newly_dealt(rules: Rules, before: Ints, after: Ints, seat: int) -> dict[int, int]:
    """The positions that the action dealt to the seat, or showed to all."""
    batch = range(40 - before[k.STOCK], 40 - after[k.STOCK])
    shown = after[k.SHOWN] & ~before[k.SHOWN]
    return {
        i: after[k.DECK + i]
        for i in range(40)
        if (i in batch and k.owner(rules, after[k.FIRST], i) == seat)
        or shown >> after[k.DECK + i] & 1
    }


@every_rule_set
def test_forty_cards_are_somewhere_after_every_action(rules: Rules) -> None:
    """Rules 1.5, H15."""
    rng = random.Random(1)
    for _ in range(5):
        for _, _, _, s in walk(rules, rng):
            stock = [s[k.DECK + i] for i in range(40 - s[k.STOCK], 40)]
            places = [s[k.TABLE], *s[k.HAND : k.HAND + 6], *s[k.PILE : k.PILE + 6]]
            assert sum(p.bit_count() for p in places) + len(stock) == 40
            everything = sum(1 << card for card in stock)
            for place in places:
                everything |= place
            assert everything == k.ALL


@every_rule_set
def test_a_turn_plays_one_card_of_the_hand_and_moves_on(rules: Rules) -> None:
    """S0.8, S4.6; declarations and claims come before it."""
    rng = random.Random(12)
    for _ in range(3):
        for s, _, action, after in walk(rules, rng):
            seat, card = s[k.TURN], action >> 40
            if card >= 40:
                assert (after[k.TURN], after[k.LEFT]) == (seat, s[k.LEFT])
                continue
            assert s[k.HAND + seat] >> card & 1
            assert not after[k.HAND + seat] >> card & 1
            assert after[k.LEFT] == s[k.LEFT] - 1
            assert after[k.TURN] == (seat + 1) % rules.players


@every_rule_set
def test_the_number_of_cards_held_follows_from_the_state(rules: Rules) -> None:
    rng = random.Random(2)
    for _ in range(4):
        for s, _, _, after in walk(rules, rng):
            for state in (s, after):
                hands = [state[k.HAND + i].bit_count() for i in range(rules.players)]
                counts = [k.held(rules, state, i) for i in range(rules.players)]
                assert counts == hands


@every_rule_set
def test_a_hand_always_has_a_legal_play_and_lists_no_action_twice(
    rules: Rules,
) -> None:
    rng = random.Random(3)
    for _ in range(6):
        for _, legal, _, _ in walk(rules, rng):
            assert legal
            assert len(set(legal)) == len(legal)


@every_rule_set
def test_the_plays_are_those_of_the_oracle_throughout_a_deal(rules: Rules) -> None:
    rng = random.Random(4)
    for _ in range(4):
        for s, legal, _, _ in walk(rules, rng):
            if s[k.TABLE].bit_count() <= 9:
                assert_like_the_oracle(rules, s, legal)


@every_rule_set
def test_the_plays_are_those_of_the_oracle_on_any_position(rules: Rules) -> None:
    rng = random.Random(5)
    out = [0] * k.BUFFER
    for _ in range(250):
        on_table, in_hand = (
            rng.choice((0, 1, 2, 3, 4, 4, 5, 6, 7, 8)),
            rng.randint(1, 9),
        )
        low = rng.randint(16, 40)
        picked = rng.sample(range(max(low, on_table + in_hand)), on_table + in_hand)
        s = [0] * k.SIZE
        s[k.LAID] = -1
        s[k.TABLE] = sum(1 << card for card in picked[:on_table])
        s[k.HAND] = sum(1 << card for card in picked[on_table:])
        s[k.LEFT] = 40 - rules.table - rng.randint(0, 1)
        assert_like_the_oracle(rules, s, out[: k.legal_plays(rules, s, out)])


def assert_like_the_oracle(rules: Rules, s: Ints, legal: list[int]) -> None:
    listed = [action for action in legal if action >> 40 < 40]
    expected = oracle.legal(
        rules,
        oracle.of_mask(s[k.TABLE]),
        oracle.of_mask(s[k.HAND + s[k.TURN]]),
        s[k.LEFT] == 40 - rules.table,
    )
    assert len(listed) == len(expected)
    assert {oracle.of_action(action) for action in listed} == expected


@every_rule_set
def test_observing_and_acting_commute(rules: Rules) -> None:
    """For every seat and for a spectator, who is -1."""
    rng = random.Random(6)
    for _ in range(6):
        for s, _, action, after in walk(rules, rng):
            for seat in range(-1, rules.players):
                seen = observed(rules, s, seat)
                k.apply(rules, seen, action)
                for i, card in newly_dealt(rules, s, after, seat).items():
                    k.learn(rules, seen, i, card)
                assert seen == observed(rules, after, seat)


@every_rule_set
def test_cards_learnt_late_and_in_any_order_give_the_same_state(rules: Rules) -> None:
    rng = random.Random(7)
    for _ in range(6):
        steps = list(walk(rules, rng))
        start = steps[0][0]
        seat = rng.randrange(rules.players)
        seen = dealt(rules, [-1] * 40, start[k.FIRST])
        todo = list(range(rules.table))
        rng.shuffle(todo)
        for i in todo:
            k.learn(rules, seen, i, start[k.DECK + i])
        waiting = newly_dealt(rules, dealt_nothing(), start, seat)
        for s, _, action, after in steps:
            for i in rng.sample(sorted(waiting), rng.randint(0, len(waiting))):
                k.learn(rules, seen, i, waiting.pop(i))
            k.apply(rules, seen, action)
            waiting |= newly_dealt(rules, s, after, seat)
        for i in rng.sample(sorted(waiting), len(waiting)):
            k.learn(rules, seen, i, waiting[i])
        assert seen == observed(rules, steps[-1][3], seat)


def dealt_nothing() -> Ints:
    s = [0] * k.SIZE
    s[k.STOCK] = 40
    return s


@every_rule_set
def test_a_deal_with_all_cards_learnt_is_the_open_deal(rules: Rules) -> None:
    rng = random.Random(8)
    for s, _, _, _ in walk(rules, rng):
        seen = observed(rules, s, -1)
        for i in rng.sample(range(40), 40):
            k.learn(rules, seen, i, s[k.DECK + i])
        assert seen == s


@every_rule_set
def test_a_deal_is_its_order_and_its_actions(rules: Rules) -> None:
    """Folding: played again from the order alone, every state comes back."""
    rng = random.Random(9)
    for _ in range(4):
        steps = list(walk(rules, rng))
        start = steps[0][0]
        s = dealt(rules, start[k.DECK : k.DECK + 40], start[k.FIRST])
        for before, _, action, after in steps:
            assert s == before
            s = act(rules, s, action)
            assert s == after


@every_rule_set
def test_a_seat_sees_what_was_dealt_to_it_or_face_up_and_nothing_else(
    rules: Rules,
) -> None:
    """H1: not the stock, not another hand, not even its own cards to come."""
    rng = random.Random(13)
    for _, _, _, s in walk(rules, rng):
        for seat in range(-1, rules.players):
            seen = observed(rules, s, seat)
            for i in range(40):
                card = s[k.DECK + i]
                mine = k.owner(rules, s[k.FIRST], i) in (seat, -1)
                dealt_out = i < 40 - s[k.STOCK]
                shown = s[k.SHOWN] >> card & 1
                visible = (mine and dealt_out) or shown
                assert seen[k.DECK + i] == (card if visible else -1)
            for other in range(rules.players):
                hand = s[k.HAND + other]
                known = hand if other == seat else hand & s[k.SHOWN]
                assert seen[k.HAND + other] == known


@every_rule_set
def test_the_cards_a_seat_cannot_see_do_not_change_its_observation(
    rules: Rules,
) -> None:
    """I3, H1: hidden cards are swapped, the seat sees the same."""
    rng = random.Random(10)
    for s, _, _, _ in walk(rules, rng):
        seat = s[k.TURN]
        seen = observed(rules, s, seat)
        hidden = [i for i in range(40) if seen[k.DECK + i] < 0]
        gone = s[k.TABLE] | s[k.SHOWN]
        for side in range(rules.sides):
            gone |= s[k.PILE + side]
        unseen = [i for i in hidden if not gone >> s[k.DECK + i] & 1]
        other = s[:]
        for i, j in zip(unseen, rng.sample(unseen, len(unseen)), strict=True):
            other[k.DECK + i] = s[k.DECK + j]
        for one in range(rules.players):
            if one != seat:
                other[k.HAND + one] = rng.getrandbits(40) & ~gone | (
                    s[k.HAND + one] & s[k.SHOWN]
                )
        assert observed(rules, other, seat) == seen


@every_rule_set
def test_after_a_scopa_the_next_seat_can_only_lay(rules: Rules) -> None:
    """Rules 1.5, S4.10; an asso that takes itself is the exception."""
    rng = random.Random(11)
    for _ in range(4):
        for _, _, action, after in walk(rules, rng):
            if action >> 40 < 40 and action & k.ALL and after[k.TABLE] == 0:
                out = [0] * k.BUFFER
                for other in out[: k.legal_plays(rules, after, out)]:
                    taken = other & k.ALL
                    assert taken == 0 or (
                        rules.ace_empty and taken == 1 << (other >> 40)
                    )


def test_each_position_has_one_owner_and_the_seats_share_alike() -> None:
    for rules in RULE_SETS.values():
        for first in range(rules.players):
            owners = [k.owner(rules, first, i) for i in range(40)]
            assert owners[: rules.table] == [-1] * rules.table
            each = (40 - rules.table) // rules.players
            assert all(owners.count(seat) == each for seat in range(rules.players))
            assert owners[rules.table] == first
