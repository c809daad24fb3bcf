"""Events as sentences, for who reads line by line or is read to.

Cards have their full names, no word is cut short, and nothing depends on a place on a
screen. One event is one line, but for a deal's score, which has a line for each point.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from scopa_net.events import (
    Adjourned,
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Declared,
    Event,
    MatchWon,
    Played,
    Redealt,
    Resigned,
    Stopped,
    TableTaken,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.rules import MAZZO, Card, Observation
from scopa_net.ui.company import Company
from scopa_net.ui.decks import Deck
from scopa_net.ui.reckoning import reckoning
from scopa_net.ui.words import (
    action_words,
    and_list,
    counted,
    goal_words,
    new_words,
    scores_words,
    seat_name,
    seat_verb,
    side_name,
    side_verb,
    table_line,
)

__all__ = [
    "drawn_sentence",
    "is_drawn",
    "score_sentences",
    "seat_to_play",
    "sentences",
    "table_sentences",
    "turn_sentence",
    "unanswered_sentence",
    "who_sentences",
]


_Short: TypeAlias = (
    DealStarted
    | Redealt
    | TableTaken
    | TurnCame
    | Played
    | Declared
    | Claimed
    | MatchWon
)


def sentences(event: Event, company: Company) -> tuple[str, ...]:
    """The lines that tell an event."""
    match event:
        case Dealt(_, _, tallone) if is_drawn(event, company):
            all_draw = company.variant.refill == "draw-one-after-all-played"
            drawn = "Everybody draws a card" if all_draw else "A card is drawn"
            return (f"{drawn}; {_left(tallone)}.",)
        case Dealt(table, _, 0):
            return ("The last cards are dealt.", table_line(table, company.deck))
        case Dealt(table, _, tallone):
            return (
                f"Cards are dealt; {_left(tallone)}.",
                table_line(table, company.deck),
            )
        case DealScored():
            return reckoning(event, company)
        case Stopped():
            return _stopped(event, company)
        case VoidProposed() | VoidAgreed() | VoidRefused() | Voided():
            return (_about_void(event, company),)
        case Adjourned() | Resigned():
            return (_left_table(event, company),)
        case _:
            return (_sentence(event, company),)


def _about_void(
    event: VoidProposed | VoidAgreed | VoidRefused | Voided, company: Company
) -> str:
    if isinstance(event, Voided):
        return (
            f"Deal {event.deal + 1} does not count: all agree. Its cards are opened, "
            "and the same dealer deals again."
        )
    seat = event.seat
    who = seat_name(seat, company, begins=True)
    match event:
        case VoidProposed():
            asks = seat_verb(seat, company, "asks", "ask")
            return f"{who} {asks} that this deal does not count."
        case VoidAgreed():
            agrees = seat_verb(seat, company, "agrees", "agree")
            missing = unanswered_sentence(event.missing, company)
            return f"{who} {agrees} that this deal does not count. {missing}"
        case VoidRefused():
            wants = seat_verb(seat, company, "wants", "want")
            return f"{who} {wants} this deal to count, so it does."


def unanswered_sentence(seats: Sequence[int], company: Company) -> str:
    """Whose answer everybody waits for, the reader's first."""
    first, *others = sorted(seats, key=lambda seat: seat != company.you)
    names = [seat_name(first, company, begins=True)]
    names += [seat_name(seat, company) for seat in others]
    have = "have" if others else seat_verb(first, company, "has", "have")
    return f"{and_list(names)} {have} not answered yet."


def _left_table(event: Adjourned | Resigned, company: Company) -> str:
    who = seat_name(event.seat, company, begins=True)
    if isinstance(event, Adjourned):
        leaves = seat_verb(event.seat, company, "leaves", "leave")
        return f"{who} {leaves} for today. The match is kept."
    gives = seat_verb(event.seat, company, "gives", "give")
    return f"{who} {gives} the match up."


def is_drawn(event: Dealt, company: Company) -> bool:
    """Whether it is one card that is dealt, to who has just played."""
    v = company.variant
    opening = v.table_size + v.players * v.hand_size
    return v.refill.startswith("draw") and event.tallone < len(MAZZO) - opening


def drawn_sentence(event: Dealt, card: Card, deck: Deck) -> str:
    """What was drawn, to who has drawn it."""
    return f"You draw {deck.name(card)}; {_left(event.tallone)}."


def _left(tallone: int) -> str:
    return f"{counted(tallone, 'card')} {'is' if tallone == 1 else 'are'} left to deal"


def _sentence(event: _Short, company: Company) -> str:
    match event:
        case DealStarted():
            return _deal_started(event, company)
        case Redealt(table):
            names = company.deck.names(table)
            return f"The opening table cannot stand and is dealt again: {names}."
        case TableTaken(side, cards, scope):
            paid = counted(scope, "scopa", "scope")
            names = company.deck.names(cards)
            return (
                f"The opening table is {paid} for {side_name(side, company)}: {names}."
            )
        case TurnCame(seat):
            return turn_sentence(seat, company)
        case Played(seat, action, scopa) | Claimed(seat, action, scopa):
            who = seat_name(seat, company, begins=True)
            return action_words(who, action, company.deck, scopa=scopa)
        case Declared(seat, declaration):
            who = seat_name(seat, company, begins=True)
            return action_words(who, declaration, company.deck, scopa=False)
        case MatchWon():
            return _match_won(event, company)
        case _:
            assert_never(event)


def turn_sentence(seat: int, company: Company) -> str:
    """Whose turn it is."""
    if seat == company.you:
        return "It is your turn."
    return f"{seat_name(seat, company, begins=True)} is to play."


def who_sentences(observation: Observation, company: Company) -> tuple[str, ...]:
    """Who plays with and against whom, in which order, and whose turn it is."""
    deal, names = observation.deal, company.names
    order = [seat_name(at, company) for at in range(len(names))]
    dealer = seat_name(deal.dealer, company, begins=True)
    deals = seat_verb(deal.dealer, company, "deals", "deal")
    lines = [f"{_sides(company)} Order of play: {', '.join(order)}. {dealer} {deals}."]
    turn = seat_to_play(observation)
    if turn is not None:
        lines.append(turn_sentence(turn, company))
    strange = zip(names, company.words, strict=False)
    lines += [new_words(name, words) for name, words in strange if words]
    return tuple(lines)


def table_sentences(observation: Observation, company: Company) -> tuple[str, ...]:
    """What lies on the table, and the hands of others that lie open."""
    told = [table_line(observation.table, company.deck)]
    for seat, hand in enumerate(observation.known_hands):
        if hand and seat != observation.seat:
            told.append(f"{seat_name(seat, company)} shows {company.deck.names(hand)}.")
    return tuple(told)


def seat_to_play(observation: Observation) -> int | None:
    """Whose turn it is; None while cards are shuffled."""
    deal = observation.deal
    return deal.turn if deal.opening_known else None


def score_sentences(observation: Observation, company: Company) -> tuple[str, ...]:
    """The match so far, and what each side has taken in the running deal."""
    told = []
    for side in company.sides:
        name = side_name(side, company)
        has = side_verb(side, company, "has", "have")
        cards = counted(len(observation.piles[side]), "card")
        done = [f"taken {cards}"]
        done.append(f"made {counted(observation.scope[side], 'scopa', 'scope')}")
        if observation.variant.accusi == "on":
            done.append(f"declared {counted(observation.declared[side], 'point')}")
        told.append(f"{name} {has} {and_list(done)}")
    goal = goal_words(company.variant)
    return (
        f"Match, {goal}: {scores_words(observation.scores, company)}.",
        f"This deal so far: {'; '.join(told)}.",
    )


def _sides(company: Company) -> str:
    own, *others = company.sides
    against = and_list([side_name(side, company) for side in others])
    mates = [at for at in company.members(own) if at != company.you]
    if company.you is None:
        return f"{side_name(own, company, begins=True)} against {against}."
    if not mates:
        return f"You play against {against}."
    partners = and_list([seat_name(at, company) for at in mates])
    return f"You play with {partners} against {against}."


def _deal_started(event: DealStarted, company: Company) -> str:
    dealer, first = event.dealer, (event.dealer + 1) % len(company.names)
    deals = f"{seat_name(dealer, company, begins=True)} " + seat_verb(
        dealer, company, "deals", "deal"
    )
    plays = f"{seat_name(first, company)} " + seat_verb(first, company, "plays", "play")
    return f"Deal {event.deal + 1}. {deals}; {plays} first."


def _match_won(event: MatchWon, company: Company) -> str:
    if event.resigned or event.winner is None:
        return _given_up(event, company)
    winner = side_name(event.winner, company, begins=True)
    wins = side_verb(event.winner, company, "wins", "win")
    deals = counted(event.deals, "deal")
    scores = scores_words(event.scores, company)
    return (
        f"{winner} {wins} the match after {deals}: {scores}. "
        "Every shuffle was replayed and found right."
    )


def _given_up(event: MatchWon, company: Company) -> str:
    first, *others = event.resigned
    names = [seat_name(first, company, begins=True)]
    names += [seat_name(seat, company) for seat in others]
    has = "have" if others else seat_verb(first, company, "has", "have")
    scores = scores_words(event.scores, company)
    given = f"{and_list(names)} {has} given the match up, at {scores} after "
    given += f"{counted(event.deals, 'deal')}."
    if event.winner is None:
        return f"{given} Nobody has won."
    winner = side_name(event.winner, company, begins=True)
    return f"{given} {winner} {side_verb(event.winner, company, 'wins', 'win')}."


def _stopped(event: Stopped, company: Company) -> tuple[str, ...]:
    if not event.scores:
        return (event.sentence, "The match is stopped.")
    scores = scores_words(event.scores, company)
    return (event.sentence, f"The match is stopped at {scores}.")
