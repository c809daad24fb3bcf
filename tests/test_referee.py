from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.identity import Identity
from protocol.game import FACE_UP, ForeignRules, Over, Refusal
from protocol.roster import Join, Terms, gather_terms
from scopa_net.referee import GAME, Referee, draw_places, open_match
from scopa_net.rules import (
    MAZZO,
    NOTHING_KNOWN,
    Action,
    Card,
    Claim,
    Declare,
    Play,
    Variant,
    apply,
    find_variant,
    legal_actions,
    new_deal,
    read_action,
    score_deal,
)
from scopa_net.rules.cards import cards
from scopa_net.statements import write_statement
from tests.support.deals import RULE_SETS, order_of

SEATS = (2, 3, 4, 6)


def terms_of(variant: Variant, seats: int | None = None, game: str = GAME) -> Terms:
    joins = [
        Join(bytes(32), Identity(bytes((at + 1,)) * 32).key, f"p{at}", None, bytes(32))
        for at in range(seats or variant.players)
    ]
    return gather_terms(game, 40, "suite", variant.lines(), joins)


def opening_of(variant: Variant, table: bytes = bytes(16)) -> Referee:
    return open_match(terms_of(variant), table)


def dealt(referee: Referee, order: tuple[int, ...]) -> Referee:
    """The same game with its face-up cards open."""
    for position, owner in enumerate(referee.owners()):
        if owner == FACE_UP:
            referee = known_in(referee, position, order[position])
    return referee


def known_in(referee: Referee, position: int, value: int) -> Referee:
    """The same game with one more card known, which breaks no rule."""
    known = referee.opened({position: value})
    assert isinstance(known, Referee)
    return known


def shuffled(seed: int) -> tuple[int, ...]:
    order = list(range(40))
    Random(seed).shuffle(order)
    return tuple(order)


def opened_by(action: Action) -> tuple[Card, ...]:
    match action:
        case Play(played):
            return (played,)
        case Declare(shown):
            return shown
        case Claim():
            return ()


def acted(
    referee: Referee, order: tuple[int, ...], seat: int, action: Action
) -> Referee:
    """The game after the seat has opened what the action shows, and said it."""
    positions = [order.index(one.index) for one in opened_by(action)]
    for position in positions:
        assert referee.owners()[position] == seat
        referee = known_in(referee, position, order[position])
    after = referee.accept(seat, positions, write_statement(action))
    assert isinstance(after, Referee), after
    return after


def played_out(referee: Referee, order: tuple[int, ...], luck: Random) -> Referee:
    """The deal to its end, every seat choosing from what it really holds."""
    referee = dealt(referee, order)
    full = new_deal(referee.variant, referee.deal.first, order)
    while referee.over() is None:
        action = luck.choice(legal_actions(full))
        place, seat = full.turn, referee.turn()
        assert place is not None
        assert seat is not None
        assert referee.places[seat] == place
        referee = acted(referee, order, seat, action)
        full = apply(full, action)
    assert referee.turn() is None
    return referee


@pytest.mark.parametrize("variant", RULE_SETS.values(), ids=RULE_SETS)
@pytest.mark.parametrize("seed", range(2))
def test_the_public_game_comes_to_what_the_rules_make_of_the_whole_deal(
    variant: Variant, seed: int
) -> None:
    luck = Random(seed)
    game = opening_of(variant, luck.randbytes(16))
    for deal in range(3):
        order = shuffled(100 * seed + deal)
        full = new_deal(variant, game.deal.first, order)
        end = played_out(game, order, luck)
        if end.over() is Over.REDEAL:
            game = end.next_deck()
            continue
        for action in end.deal.actions:
            full = apply(full, action)
        assert end.scores == score_deal(full)
        if end.over() is Over.MATCH:
            return
        game = end.next_deck()


@pytest.mark.parametrize("seats", SEATS)
def test_every_seat_has_one_place_and_every_position_one_owner(seats: int) -> None:
    game = opening_of(find_variant("scopa", seats))
    assert sorted(game.places) == list(range(seats))
    end = played_out(game, shuffled(5), Random(1))
    owned = Counter(end.owners())
    assert owned[FACE_UP] == 4
    assert {owned[seat] for seat in range(seats)} == {36 // seats}
    assert end.rounds()[-1].end == 40


def test_a_round_is_due_when_the_hands_before_it_are_played_out() -> None:
    game = opening_of(find_variant("scopa"))
    assert [tuple(one) for one in game.rounds()] == [(10, 0)]
    end = played_out(game, shuffled(7), Random(2))
    due = [(10 + 6 * giro, 6 * giro) for giro in range(6)]
    assert [tuple(one) for one in end.rounds()] == due


def test_nobody_may_act_before_the_opening_table_is_open() -> None:
    game = opening_of(find_variant("scopa"))
    assert game.turn() is None
    assert game.over() is None
    assert game.next_plan() is None
    assert dealt(game, shuffled(1)).turn() is not None


def test_three_kings_on_the_opening_table_are_dealt_again_by_the_same_dealer() -> None:
    # D1, S2.11
    game = opening_of(find_variant("gamerules-scopa"))
    kings = dealt(game, tuple(order_of(game.variant, "KD KC KS 5D")))
    assert kings.over() is Over.REDEAL
    assert kings.turn() is None
    assert kings.next_plan() is None
    again = kings.next_deck()
    assert (again.deal.dealer, again.match) == (game.deal.dealer, game.match)
    assert again.plan() == game.plan()


def test_a_deal_is_dealt_again_as_often_as_it_takes() -> None:
    """D3: by the same dealer, with nothing known of the order, and without an end."""
    game = opening_of(find_variant("scopa"))
    first = game
    for _ in range(101):
        kings = dealt(game, tuple(order_of(game.variant, "KD KC KS 5D")))
        assert kings.over() is Over.REDEAL
        game = kings.next_deck()
        assert game.deal == first.deal
        assert game.deal.order == NOTHING_KNOWN
        assert game.match == first.match
    stands = dealt(game, tuple(order_of(game.variant, "KD KC 5D 6D")))
    assert stands.turn() is not None


def test_the_next_plan_is_certain_once_the_opening_table_stands() -> None:
    game = opening_of(find_variant("scopa"))
    stands = dealt(game, shuffled(1))
    end = played_out(game, shuffled(1), Random(3))
    assert stands.next_plan() == end.next_deck().plan()
    assert stands.next_plan() != game.plan()


def test_a_play_that_the_rules_refuse_leaves_their_word_for_it() -> None:
    variant = find_variant("scopa")
    order = order_of(variant, "3C 4S 7B 5D", "7D")
    game = dealt(opening_of(variant), tuple(order))
    seat = game.turn()
    assert seat is not None
    position = list(game.owners()).index(seat)
    opened = known_in(game, position, cards("7D")[0].index)
    both = write_statement(Play(cards("7D")[0], cards("3C 4S")))
    refused = opened.accept(seat, (position,), both)
    assert isinstance(refused, Refusal)
    assert refused.sentence.endswith(".")
    other = 1 - seat
    assert isinstance(opened.accept(other, (position,), both), Refusal)
    assert isinstance(opened.accept(seat, (position,), ("what", ())), Refusal)


def test_a_match_that_is_decided_early_is_dealt_and_played_no_further() -> None:
    """F4, where the rules look at once: the last card of all hands makes a scopa."""
    for end_check, ends in (("end-of-hand", False), ("at-once", True)):
        rules = {"end_check": end_check, "target": "1"}
        variant = find_variant("scopa", overrides=rules)
        order = tuple(order_of(variant, "2C 3C 5C 6C", "QC JC 4B", "AD KC 3D"))
        game = dealt(opening_of(variant), order)
        for said in ("QCx3C6C", "AD", "JCxAD2C5C"):
            assert game.over() is None
            seat = game.turn()
            assert seat is not None
            game = acted(game, order, seat, read_action(said))
        assert (game.over() is Over.MATCH) is ends
        assert (game.turn() is None) is ends
        if ends:
            assert game.match_after.scores[game.deal.side(game.deal.first)] == 1


def test_no_cards_are_dealt_after_the_play_that_decides_a_match() -> None:
    """The settebello is the last card of all hands."""
    for end_check, ends in (("end-of-hand", [10, 16]), ("at-once", [10])):
        rules = {"end_check": end_check, "target": "1"}
        variant = find_variant("scopa", overrides=rules)
        order = tuple(order_of(variant, "2C 3C 5C 6C", "AD KS JS", "KD QC 7D"))
        game = dealt(opening_of(variant), order)
        for said in ("AD", "KDx2C3C5C", "KS", "QC", "JS", "7Dx6CAD"):
            seat = game.turn()
            assert seat is not None
            game = acted(game, order, seat, read_action(said))
        assert [one.end for one in game.rounds()] == ends


def test_a_match_may_be_decided_by_the_opening_table() -> None:
    rules = {"end_check": "at-once", "target": "1"}
    variant = find_variant("escoba", overrides=rules)
    order = tuple(order_of(variant, "2C 3C 4C 6C"))
    game = dealt(opening_of(variant), order)
    assert game.over() is Over.MATCH
    assert game.turn() is None
    assert game.match_after.winner == game.deal.side(game.deal.dealer)
    assert [one.end for one in game.rounds()] == [10]
    assert len(game.owners()) == 10


def test_games_that_differ_in_anything_public_have_other_digests() -> None:
    game = opening_of(find_variant("scopa"))
    table = dealt(game, shuffled(1))
    digests = {
        one.digest()
        for one in (
            game,
            table,
            dealt(game, shuffled(2)),
            opening_of(find_variant("scopa", overrides={"target": "21"})),
            played_out(game, shuffled(1), Random(1)),
            played_out(game, shuffled(1), Random(2)),
        )
    }
    assert len(digests) == 6
    assert {len(digest) for digest in digests} == {16}


def test_hidden_cards_have_no_part_in_the_digest() -> None:
    table = dealt(opening_of(find_variant("scopa")), shuffled(1))
    known = table
    for position in range(4, 10):
        known = known_in(known, position, shuffled(1)[position])
    assert known.digest() == table.digest()


@pytest.mark.parametrize(
    "terms",
    [
        pytest.param(terms_of(find_variant("scopa"), game="other"), id="another game"),
        pytest.param(terms_of(find_variant("scopa"), seats=3), id="a seat too many"),
        pytest.param(
            gather_terms(GAME, 40, "suite", ("variant=poker",), []), id="other rules"
        ),
    ],
)
def test_terms_that_are_not_for_this_game_are_refused(terms: Terms) -> None:
    with pytest.raises(ForeignRules):
        open_match(terms, bytes(16))


@given(
    st.binary(min_size=16, max_size=16),
    st.sampled_from([(2, 2), (3, 3), (4, 2), (6, 2)]),
    st.data(),
)
def test_wishes_for_a_side_are_met_while_there_is_room(
    table: bytes, size: tuple[int, int], data: st.DataObject
) -> None:
    seats, sides = size
    wish = st.none() | st.integers(0, sides - 1)
    wishes = data.draw(st.lists(wish, min_size=seats, max_size=seats))
    places = draw_places(table, sides, wishes)
    assert sorted(places) == list(range(seats))
    for side in range(sides):
        asked = wishes.count(side)
        met = sum(
            1
            for place, wish in zip(places, wishes, strict=True)
            if wish == side and place % sides == side
        )
        assert met == min(asked, seats // sides)


def test_every_player_deals_first_about_equally_often() -> None:
    variant = find_variant("scopa", 4)
    terms = terms_of(variant)
    seats = Counter[int]()
    for at in range(800):
        game = open_match(terms, at.to_bytes(16))
        seats[game.places.index(game.deal.dealer)] += 1
    assert len(seats) == 4
    assert min(seats.values()) > 140


def test_every_card_value_is_a_position_of_the_mazzo() -> None:
    assert opening_of(find_variant("scopa")).positions == len(MAZZO) == 40


def test_a_card_of_a_hand_can_show_that_a_play_before_it_broke_a_rule() -> None:
    # With compulsion on the hand nobody can tell while the other cards are hidden.
    variant = find_variant("scopa", overrides={"compulsion": "hand"})
    order = tuple(order_of(variant, "3C 4S 5B 6D", "AC 5D 2C"))
    game = dealt(opening_of(variant), order)
    liar = game.turn()
    assert liar is not None
    positions = [at for at, owner in enumerate(game.owners()) if owner == liar]
    known = game.opened({positions[0]: order[positions[0]]})
    assert isinstance(known, Referee)
    lays = write_statement(Play(cards("AC")[0]))
    after = known.accept(liar, (positions[0],), lays)
    assert isinstance(after, Referee)
    shown = after.opened({positions[1]: order[positions[1]]})
    assert isinstance(shown, Refusal)
    assert shown.sentence.endswith(".")
