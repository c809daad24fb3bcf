"""A deal: opening, dealing, acting, declaring and learning."""

import pytest
from hypothesis import given, settings

from scopa_net.rules.actions import Action, Declare, Play
from scopa_net.rules.cards import MAZZO, card, cards
from scopa_net.rules.deal import (
    NOTHING_KNOWN,
    Deal,
    apply,
    dealt,
    learn,
    leftovers,
    legal_actions,
    makes_scopa,
    new_deal,
    observe,
    owner,
    plays_of,
    rounds,
)
from scopa_net.rules.errors import IllegalAction, RulesError
from scopa_net.rules.variants import find_variant
from tests.rules.ended import LEFT, ended
from tests.support.deals import (
    RULE_SETS,
    SCOPA,
    deals,
    opened,
    order_of,
    played,
    running_deals,
    variant_with,
)


def same(one: Deal, other: Deal) -> bool:
    """Equal, and with equal states: the state is no second truth."""
    return one == other and one.state == other.state


# The opening.


def test_the_first_seat_sits_after_the_dealer() -> None:
    """S0.22, S2.13."""
    assert new_deal(SCOPA, 0).dealer == 1
    deal = new_deal(find_variant("scopa", 4), 2)
    assert (deal.dealer, deal.turn) == (1, 2)


def test_three_cards_each_and_four_face_up() -> None:
    """S0.4, S2.10."""
    deal = opened("7D 3C 4S KB", "AD 2D 3D", "4D 5D 6D")
    assert deal.table == cards("3C 4S 7D KB")
    assert deal.hand(0) == cards("AD 2D 3D")
    assert deal.hand(1) == cards("4D 5D 6D")
    assert deal.tallone == 30


def test_before_its_table_is_open_a_deal_knows_counts_and_no_more() -> None:
    deal = new_deal(SCOPA, 1)
    assert not deal.opening_known
    assert deal.order == NOTHING_KNOWN
    assert (deal.turn, deal.over, deal.table, deal.tallone) == (1, False, (), 30)
    assert [deal.held(seat) for seat in (0, 1)] == [3, 3]
    assert [deal.hand(seat) for seat in (0, 1)] == [(), ()]
    assert not deal.redeal_due
    assert legal_actions(deal) == ()
    with pytest.raises(IllegalAction, match="not open yet"):
        apply(deal, Play(card("7D")))
    with pytest.raises(IllegalAction, match="not open yet"):
        plays_of(deal, card("7D"))
    with pytest.raises(IllegalAction, match="not open yet"):
        Deal(SCOPA, 1, NOTHING_KNOWN, (Play(card("7D")),))


def test_a_table_opened_card_by_card_is_the_table_opened_at_once() -> None:
    opening = {0: card("7D"), 1: card("3C"), 2: card("4S"), 3: card("KB")}
    slowly = new_deal(SCOPA, 0)
    for at in (2, 0, 3, 1):
        assert not slowly.opening_known
        slowly = learn(slowly, {at: opening[at]})
    assert slowly.opening_known
    assert same(slowly, learn(new_deal(SCOPA, 0), opening))
    assert slowly.table == cards("3C 4S 7D KB")


@pytest.mark.parametrize(
    ("table", "due"),
    [("KD KC KS 5D", True), ("KD KC KS KB", True), ("KD KC 5D 6D", False)],
)
def test_three_kings_face_up_are_dealt_again(table: str, due: bool) -> None:  # noqa: FBT001
    """D1, D2, S2.11."""
    deal = opened(table)
    assert deal.redeal_due is due
    assert (deal.turn is None) is due
    assert (legal_actions(deal) == ()) is due
    assert observe(deal, None).redeal_due is due


def test_nothing_is_played_on_a_table_that_has_to_be_dealt_again() -> None:
    deal = opened("KD KC KS 5D", "7D")
    with pytest.raises(IllegalAction, match="dealt again"):
        apply(deal, Play(card("7D")))
    with pytest.raises(IllegalAction, match="dealt again"):
        Deal(SCOPA, 0, deal.order, (Play(card("7D")),))


def test_three_kings_stand_where_the_rule_is_off() -> None:
    deal = opened("KD KC KS 5D", variant=find_variant("stargames-scopa"))
    assert not deal.redeal_due


def test_a_table_of_fifteen_goes_to_the_dealer_in_escoba_only() -> None:
    """B8, B12, S0.20, S0.23: the first player then has to lay a card."""
    deal = opened("2D 3C 4S 6B", "AD 5D KD", variant=find_variant("escoba"))
    assert deal.table == ()
    assert deal.pile(deal.side(deal.dealer)) == cards("2D 3C 4S 6B")
    assert deal.scope(deal.side(deal.dealer)) == 1
    assert legal_actions(deal) == tuple(map(Play, cards("AD 5D KD")))
    assert opened("2D 3C 4S 6B").scope(1) == 0


def test_the_table_of_fifteen_is_given_when_its_last_card_is_opened() -> None:
    deal = new_deal(find_variant("escoba"), 0)
    opening = dict(enumerate(cards("2D 3C 4S 6B")))
    for at in (3, 1, 0):
        deal = learn(deal, {at: opening[at]})
        assert deal.scope(1) == 0
    deal = learn(deal, {2: opening[2]})
    assert (deal.scope(1), deal.table) == (1, ())


def test_the_table_bonus_follows_the_dealer() -> None:
    """B11: three deals in a row give it to A, then B, then A."""
    takers = [
        [side for side in (0, 1) if deal.scope(side)]
        for deal in (
            opened("2D 3C 4S 6B", variant=find_variant("escoba"), first=first)
            for first in (1, 0, 1)
        )
    ]
    assert takers == [[0], [1], [0]]


# Dealing.


@pytest.mark.parametrize(
    ("name", "ends"),
    [
        ("scopa of 2", [(10, 0), (16, 6), (22, 12), (28, 18), (34, 24), (40, 30)]),
        ("scopa of 3", [(13, 0), (22, 9), (31, 18), (40, 27)]),
        ("scopa of 4", [(16, 0), (28, 12), (40, 24)]),
        ("scopa of 6", [(22, 0), (40, 18)]),
        (
            "wikibooks-scopa of 2",
            [(22, 0), *((23 + play, 1 + play) for play in range(18))],
        ),
        (
            "wikibooks-scopa of 3",
            [(31, 0), *((32 + play, 1 + play) for play in range(9))],
        ),
        (
            "drawn after all have played",
            [(31, 0), (34, 3), (37, 6), (40, 9)],
        ),
        ("bergamasca of 2", [(22, 0), (40, 18)]),
        ("scopone-9 of 4", [(40, 0)]),
        ("scopone-10 of 4", [(40, 0)]),
    ],
)
def test_rounds_of_dealing(name: str, ends: list[tuple[int, int]]) -> None:
    """S0.5, S4.5, S4.11 and the deal arithmetic."""
    assert rounds(RULE_SETS[name]) == tuple(ends)


@given(deals(finished=True))
@settings(max_examples=20)
def test_rounds_and_owners_say_what_is_dealt_when(deal: Deal) -> None:
    now = new_deal(deal.variant, deal.first, deal.order)
    due = {plays: end for end, plays in rounds(deal.variant)}
    end = due[0]
    for action in deal.actions:
        after = apply(now, action)
        fresh = range(
            end, due.get(after.plays, end) if after.plays > now.plays else end
        )
        for seat in range(deal.players):
            new = dealt(now, action, seat)
            mine = {
                at: MAZZO[deal.order[at]]
                for at in fresh
                if owner(deal.variant, deal.first, at) == seat
            }
            shown = isinstance(action, Declare) and seat != now.turn
            assert new == mine or shown
        end = max(end, fresh.stop)
        now = after
    assert end == 40


def test_the_stock_never_refills_the_table() -> None:
    """S0.5, S2.21, S2.22: new hands when every hand is empty, and nothing else."""
    deal = opened("KD KC QS QB", "AD 4D 6D", "2C 7C JC", play="AD 2C 4D JC 6D")
    assert (deal.tallone, deal.held(0), deal.held(1)) == (30, 0, 1)
    deal = played(deal, "7C")
    assert (deal.tallone, deal.held(0), deal.held(1)) == (24, 3, 3)
    assert deal.table == cards("AD 7C JC QS QB KD KC")


def test_a_card_is_drawn_after_each_own_play() -> None:
    """S4.11."""
    deal = opened("KD KC QS QB", "AD", "AC", variant=find_variant("wikibooks-scopa"))
    deal = played(deal, "AD")
    assert (deal.held(0), deal.held(1), deal.tallone) == (9, 9, 17)


def test_cards_may_be_drawn_when_all_have_played() -> None:
    """Parlett's reading of the same refill."""
    variant = RULE_SETS["drawn after all have played"]
    deal = opened("KD KC QS QB", "AD", "AC", "AS", variant=variant)
    for held in ([8, 9, 9], [8, 8, 9], [9, 9, 9]):
        deal = apply(deal, legal_actions(deal)[0])
        assert [deal.held(seat) for seat in range(3)] == held
    assert deal.tallone == 6


@pytest.mark.parametrize("position", [-1, 40])
def test_there_are_forty_positions(position: int) -> None:
    with pytest.raises(RulesError, match="no position"):
        owner(SCOPA, 0, position)
    with pytest.raises(RulesError, match="no position"):
        learn(new_deal(SCOPA, 0), {position: card("7D")})


# Acting.


def test_a_capture_takes_the_cards_and_the_turn_passes() -> None:
    """S2.14, S2.15."""
    deal = opened("2D 3C KS KB", "5D", play="5Dx2D3C")
    assert deal.pile(0) == cards("2D 3C 5D")
    assert deal.table == cards("KS KB")
    assert (deal.turn, deal.plays) == (1, 1)


def test_a_card_that_takes_nothing_stays_on_the_table() -> None:
    """S2.18, A4."""
    deal = opened("2D 4C 5S KB", "AD", play="AD")
    assert deal.table == cards("AD 2D 4C 5S KB")


def test_a_capture_names_a_set_of_cards_in_any_order() -> None:
    """A6."""
    deal = opened("AB AS AC KD", "2D")
    after = apply(deal, Play(card("2D"), cards("AC AB")))
    assert after == apply(deal, Play(card("2D"), cards("AB AC")))
    assert after.table == cards("AS KD")
    assert len(plays_of(deal, card("2D"))) == 3


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        ("5D", "5D may not be laid: it takes 5C"),
        ("5Dx2D3C", "5D must take 5C, not 2D3C: an equal card goes before"),
        ("5DxKB", "5D does not take KB, which makes 10 and not 5: it takes 5C"),
        ("5DxKS", "KS is not on the table"),
        ("AD", "AD is not in that hand"),
        ("6D", "6D is not in that hand"),
        ("KS", "KS is not in that hand"),
        ("4Dx2D", "makes 2 and not 4: it takes nothing here and is laid"),
        ("3D", "3D may not be laid: it takes 3C"),
    ],
)
def test_an_illegal_play_is_refused_with_the_reason(play: str, reason: str) -> None:
    """A2, A5, S0.16, H11."""
    deal = opened("2D 3C 5C KB", "5D 4D 3D", "AD", "6D")
    body, _, captured = play.partition("x")
    for told in (deal, observe(deal, 0)):
        with pytest.raises(IllegalAction, match=reason):
            apply(told, Play(card(body), cards(captured)))
    assert deal == opened("2D 3C 5C KB", "5D 4D 3D", "AD", "6D")


def test_a_hidden_hand_plays_any_unseen_card_and_no_illegal_capture() -> None:
    public = observe(opened("2D 3C 5C KB", "5D 4D 3D", "AD 6D 7D"), 1)
    assert apply(public, Play(card("KC"), cards("KB"))).pile(0) == cards("KC KB")
    for wrong, reason in [
        (Play(card("5D"), cards("2D 3C")), "an equal card goes before a sum"),
        (Play(card("KC")), "may not be laid: it takes KB"),
        (Play(card("KC"), cards("KS")), "KS is not on the table"),
        (Play(card("KB")), "KB is not in that hand"),
        (Play(card("AD")), "AD is not in that hand"),
    ]:
        with pytest.raises(IllegalAction, match=reason):
            apply(public, wrong)


def test_a_card_played_once_is_not_played_again() -> None:
    public = observe(opened("2D 3C 5C KB", "5D", "6D"), None)
    public = played(public, "5Dx5C 7D")
    for text in ("5D", "7D", "5C"):
        with pytest.raises(IllegalAction, match="not in that hand"):
            apply(public, Play(card(text)))


def test_a_hand_of_which_all_cards_are_known_plays_no_other() -> None:
    order = order_of(SCOPA, "2D 3C 5C KB", "5D 4D 3D", "AD")
    public = observe(new_deal(SCOPA, 0, order), None)
    told = learn(public, {4: card("5D"), 5: card("4D"), 6: card("3D")})
    with pytest.raises(IllegalAction, match="7D is not in that hand"):
        apply(told, Play(card("7D"), cards("2D 5C")))
    with_room = learn(public, {4: card("5D"), 5: card("4D")})
    assert apply(with_room, Play(card("JD"), cards("3C 5C"))).plays == 1


def test_hands_that_are_partly_known_may_do_what_the_known_cards_may() -> None:
    public = observe(opened("2D 3C 5C KB", "5D 4D 3D"), None)
    assert legal_actions(public) == ()
    told = learn(public, {4: card("5D")})
    assert legal_actions(told) == (Play(card("5D"), cards("5C")),)


def test_a_play_out_of_turn_is_of_a_card_the_seat_to_act_does_not_hold() -> None:
    """H11."""
    deal = opened("2D 3C 5C KB", "5D 4D 3D", "AD 6D 7D")
    with pytest.raises(IllegalAction):
        apply(deal, Play(card("7D")))


def test_hand_compulsion_is_seen_as_soon_as_the_hand_is() -> None:
    """A8, S0.14."""
    strict = RULE_SETS["hand compulsion"]
    table, hand = "AD 5C 6S KB", "2D 5S 7B"
    assert Play(card("2D")) in legal_actions(opened(table, hand))
    deal = opened(table, hand, variant=strict)
    with pytest.raises(IllegalAction, match="2D may not be played: another card"):
        apply(deal, Play(card("2D")))
    public = apply(observe(deal, 1), Play(card("2D")))
    assert learn(public, {4: card("2D")}).actions == public.actions
    for told in ({5: card("5S")}, {4: card("2D"), 5: card("5S")}):
        with pytest.raises(IllegalAction, match="another card of the hand"):
            learn(public, told)


def test_an_asso_that_may_not_be_led_is_seen_as_soon_as_another_card_is() -> None:
    variant = RULE_SETS["no asso led"]
    deal = opened("", "AD 3C", variant=variant)
    with pytest.raises(IllegalAction, match="AD may not be played"):
        apply(deal, Play(card("AD")))
    public = apply(observe(deal, None), Play(card("AD")))
    with pytest.raises(IllegalAction, match="AD may not be played"):
        learn(public, {5: card("3C")})


def test_nothing_follows_the_last_card() -> None:
    last = opened("2D 3C 5C KB")
    while not last.over:
        last = apply(last, legal_actions(last)[0])
    with pytest.raises(IllegalAction, match="The deal is over"):
        apply(last, Play(card("7D")))
    with pytest.raises(IllegalAction, match="The deal is over"):
        Deal(SCOPA, 0, last.order, (*last.actions, Play(card("7D"))))


def test_a_scopa_is_foreseen() -> None:
    """A14, S2.16."""
    deal = opened("2D 3C 4C KB", "KD", "QD", play="KDxKB")
    assert makes_scopa(deal, Play(card("QD"), cards("2D 3C 4C")))
    assert not makes_scopa(opened("2D 3C 4C KB", "KD"), Play(card("KD"), cards("KB")))


@given(running_deals())
def test_after_a_scopa_the_next_seat_can_only_lay(running: tuple[Deal, Action]) -> None:
    """C11, S4.10."""
    deal, action = running
    if makes_scopa(deal, action):
        after = apply(deal, action)
        for answer in legal_actions(after):
            if isinstance(answer, Play):
                assert set(answer.captured) <= {answer.card}


def test_captures_that_nobody_makes_leave_the_cards_to_nobody() -> None:
    """C5."""
    deal = new_deal(variant_with(3, compulsion="none"), 0, range(40))
    while not deal.over:
        lowest = deal.hand(deal.turn or 0)[0]
        deal = apply(deal, Play(lowest))
    assert len(deal.table) == 40
    assert leftovers(deal) == (MAZZO, None)


@pytest.mark.parametrize(
    ("option", "side"), [("last-capturer", 0), ("dealer", 1), ("nobody", None)]
)
def test_what_was_left_and_whose_it_is_follows_the_option(
    option: str, side: int | None
) -> None:
    """S0.25, S2.24."""
    deal = ended(variant_with(leftovers=option))
    assert leftovers(deal) == (LEFT, side)
    assert deal.table == (() if side in (0, 1) else LEFT)


def test_the_dealer_gets_what_was_left_even_if_nobody_captured() -> None:
    deal = new_deal(
        variant_with(3, compulsion="none", leftovers="dealer"), 0, range(40)
    )
    while not deal.over:
        deal = apply(deal, Play(deal.hand(deal.turn or 0)[0]))
    assert leftovers(deal) == (MAZZO, deal.side(deal.dealer)) == (MAZZO, 2)


@given(deals(finished=True))
@settings(max_examples=60)
def test_what_was_left_was_captured_by_nobody(deal: Deal) -> None:
    left, side = leftovers(deal)
    taken = [one for action in deal.actions for one in getattr(action, "captured", ())]
    assert set(left).isdisjoint(taken)
    if side is None:
        assert left == deal.table
    else:
        assert left
        assert deal.table == ()
        assert set(left) <= set(deal.pile(side))


def test_a_deal_that_stopped_before_its_end_leaves_nothing() -> None:
    assert leftovers(opened("2D 3C 5C KB", "7D", play="7Dx2D5C")) == ((), None)
