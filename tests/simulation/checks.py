"""What must be true of a simulated match, while it runs and when it is over.

`Witness` looks at every state a seat passes through; `check_ended` at the records and
stories of all seats when the last of them holds the match as won and confirmed.
"""

from collections.abc import Sequence
from typing import cast

from protocol.archive import write_archive
from protocol.audit import audit
from protocol.crypto.group import Suite
from protocol.deck import Deck
from protocol.faults import Signed
from protocol.judge import Judge
from scopa_net.events import Claimed, DealScored, Declared, Event, MatchWon, Played
from scopa_net.leaving import winner_without
from scopa_net.referee import Referee, open_match
from scopa_net.rules import (
    Action,
    Deal,
    Match,
    after_deal,
    apply,
    new_deal,
    new_match,
    score_deal,
)
from scopa_net.seat import Seat

CARDS = 40


class Witness:
    """Sees that no state gains or loses a card, and that nobody is ever blamed."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[int, int, int]] = {}

    def see(self, seat: Seat) -> None:
        """Look at a seat after a step."""
        table = seat.table
        if table is None or not table.seated:
            return
        judge = table.party.judge
        assert not judge.faults, judge.faults
        assert judge.course.disagreement is None, judge.course.disagreement
        deck = judge.deck
        if deck is None:
            return
        now = (deck.number, len(deck.acts), len(table.party.cards()))
        if self._seen.get(seat.number) != now:
            self._seen[seat.number] = now
            check_forty(table.deal)


def check_forty(deal: Deal) -> None:
    """Forty cards, none twice, wherever they lie."""
    known = [index for index in deal.order if index >= 0]
    assert len(known) == len(set(known)), "one card at two positions"
    piles = [card for side in range(deal.variant.sides) for card in deal.pile(side)]
    held = sum(deal.held(seat) for seat in range(deal.players))
    lying = [*piles, *deal.table]
    assert len(lying) == len(set(lying)), "one card lies in two places"
    total = len(lying) + held + deal.tallone
    if not deal.opening_known:
        total += deal.variant.table_size - len(deal.table)
    assert total == CARDS, f"{total} cards"


def check_ended(
    seats: Sequence[Seat],
    stories: Sequence[Sequence[Event]],
    promised: Sequence[Sequence[Signed]],
    suite: Suite,
) -> int:
    """Check a match that is over; answers how many plays it had."""
    records = {write_archive(seat.chains()) for seat in seats}
    assert len(records) == 1, "the records differ"
    for seat in seats:
        kept = set(seat.chains()[_own(seat)])
        assert kept.issuperset(promised[seat.number]), "a stored play is lost"
    result = audit(records.pop(), suite, open_match)
    assert result.sound, (result.faults, result.damage)
    assert result.finished, "the record is not of a finished match"
    actions, last = replay(result.judge)
    for story in stories:
        check_story(story, actions, last)
    return len(actions)


def _own(seat: Seat) -> int:
    assert seat.table is not None
    return seat.table.party.seat


def replay(judge: Judge) -> tuple[list[Action], Match]:
    """All actions of a match and its last score, by the pure rules alone.

    The deals are those of the revealed orders.
    """
    decks = judge.decks
    first = cast("Referee", judge.course.start)
    match = new_match(first.variant, first.match.dealer)
    actions: list[Action] = []
    for deck in decks:
        if not deck.over:
            # Given up; nothing of it is opened, so nothing of it can be replayed.
            actions += cast("Referee", deck.game).deal.actions
            continue
        deal = replay_deal(deck, match)
        if deck.void:
            actions += deal.actions
        elif not deal.redeal_due:
            scores = score_deal(deal)
            assert scores == cast("Referee", deck.game).scores, "other points"
            match = after_deal(match, scores)
            actions += deal.actions
        assert match == _match_of(deck), "another score than by the rules alone"
    assert match.winner is not None or judge.course.given_up, "nobody has won"
    return actions, match


def replay_deal(deck: Deck, match: Match) -> Deal:
    """A deck's deal by the pure rules, with every step compared to the table's."""
    assert deck.replayed is not None
    deal = new_deal(match.variant, match.first, deck.replayed.order)
    games = [cast("Referee", game) for game in deck.games]
    for game, action in zip(games, games[-1].deal.actions, strict=False):
        compare(deal, game.deal)
        deal = apply(deal, action)
    compare(deal, games[-1].deal)
    return deal


def compare(full: Deal, table: Deal) -> None:
    """The public state of a table is that of the deal with all cards known."""
    assert full.table == table.table, "another tavola than by the rules alone"
    assert full.turn == table.turn
    assert full.tallone == table.tallone
    for side in range(full.variant.sides):
        assert full.pile(side) == table.pile(side), "another pile"
        assert full.scope(side) == table.scope(side), "other scope"


def _match_of(deck: Deck) -> Match:
    game = cast("Referee", deck.game)
    stays = game.deal.redeal_due or deck.void
    return game.match if stays else game.match_after


def check_story(story: Sequence[Event], actions: Sequence[Action], last: Match) -> None:
    """A seat was told every action once, in order, and who has won."""
    told: list[Action] = []
    for event in story:
        match event:
            case Played(_, play, _):
                told.append(play)
            case Declared(_, declaration):
                told.append(declaration)
            case Claimed(_, claim, _):
                told.append(claim)
            case _:
                pass
    assert told == list(actions), "a seat was told other actions than were made"
    scored = [event for event in story if isinstance(event, DealScored)]
    assert len(scored) == last.deal_number
    end = story[-1]
    assert isinstance(end, MatchWon), end
    winner = last.winner
    if end.resigned:
        winner = winner_without(end.resigned, last.variant.sides)
    assert (end.winner, end.scores) == (winner, last.scores)
