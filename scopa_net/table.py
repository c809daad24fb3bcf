"""The Table: the whole game as one seat knows it.

A `Party` and, over what is public, the seat's own cards. It turns actions into opened
positions with a statement, and what the record has become into events, each told once
and in the order of play.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from protocol.crypto.group import Suite
from protocol.deck import Deck
from protocol.entry import Kind
from protocol.faults import Fault, Signed
from protocol.game import Over
from protocol.judge import Findings
from protocol.party import Party, Secrets
from protocol.roster import Terms
from protocol.step import Task
from protocol.text import SafeText
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
from scopa_net.leaving import Word, winner_without
from scopa_net.referee import Referee, open_match
from scopa_net.rules import (
    MAZZO,
    Action,
    Card,
    Claim,
    Deal,
    Declare,
    IllegalAction,
    Match,
    Observation,
    Play,
    learn,
    leftovers,
    legal_actions,
    opening_bonus,
)
from scopa_net.statements import write_statement


class Table:
    """One seat's table, from the signed terms to the last verdict."""

    def __init__(
        self,
        suite: Suite,
        secrets: Secrets,
        terms: Terms,
        nonce: bytes,
        *,
        again: bytes | None = None,
    ) -> None:
        party = Party(suite, secrets, terms, nonce, open_match, again=again)
        self._tell_of(party, terms)

    def _tell_of(self, party: Party, terms: Terms) -> None:
        """Nothing is told of it yet."""
        self.party = party
        self._names = terms.shown_names()
        self._telling = _Telling()
        # The seats of which it is told that they have left, for today or for good.
        self._gone: set[int] = set()
        self._resigned: set[int] = set()
        # The public deal and the own cards that `deal` was last made of, and that.
        self._laid_over: tuple[Deal, Mapping[int, int | None], Deal] | None = None

    # -- what is known -------------------------------------------------------

    @property
    def seated(self) -> bool:
        """Whether the joint coin has given every seat its place."""
        return self.party.judge.course.start is not None

    @property
    def referee(self) -> Referee:
        """The game as everybody sees it, once seated."""
        deck = self.party.judge.deck
        return cast("Referee", deck.game if deck else self.party.judge.course.start)

    @property
    def place(self) -> int:
        """The own place, once seated."""
        return self.referee.places[self.party.seat]

    @property
    def names(self) -> tuple[SafeText, ...]:
        """Everybody's name by place, once seated."""
        places = self.referee.places
        return tuple(self._names[places.index(at)] for at in range(len(places)))

    def name_of(self, seat: int) -> SafeText:
        """The name of the record's seat, also before everybody has a place."""
        return self._names[seat]

    @property
    def deal(self) -> Deal:
        """The running deal with the own cards in it."""
        public, cards = self.referee.deal, self.party.cards()
        if self._laid_over is None or self._laid_over[:2] != (public, cards):
            own = {at: MAZZO[v] for at, v in cards.items() if v is not None}
            self._laid_over = (public, cards, learn(public, own))
        return self._laid_over[2]

    @property
    def match(self) -> Match:
        """The score before the running deal."""
        return self.referee.match

    def observation(self, luck: bytes = bytes(32)) -> Observation:
        """All that this seat may use."""
        return Observation(self.place, self.deal, self.match, luck)

    @property
    def to_act(self) -> bool:
        """Whether this seat can act now: its turn has come and it knows its cards."""
        deck = self.party.judge.deck
        if deck is None or self.party.judge.ended or deck.over:
            return False
        if self.party.acting or self.party.asking or self.party.seat in deck.bound:
            return False
        if deck.game.turn() != self.party.seat:
            return False
        deal = self.deal
        return len(deal.hand(self.place)) == deal.held(self.place)

    @property
    def shuffled(self) -> int | None:
        """How many shuffles of the deck that is waited for stand and are proven.

        None if none is waited for.
        """
        course, deck = self.party.judge.course, self.party.judge.deck
        played = deck is not None and not deck.over
        if not self.seated or self.party.judge.ended or played:
            return None
        made = course.shufflings[len(course.decks) :]
        return made[0].proofs if made else 0

    @property
    def finished(self) -> bool:
        """Whether the match is over and confirmed by everybody."""
        return self.party.settled

    # -- what happens --------------------------------------------------------

    def begin(self) -> Findings:
        """Post what is owed before anything has arrived."""
        return self.party.begin()

    def recall(self, signed: Signed) -> None:
        """Take back a stored entry after a restart.

        Who had left for today before that is not told of again.
        """
        self.party.recall(signed)
        self._gone = set(self.party.judge.course.leaving.away)

    def receive(self, signed: Signed) -> Findings:
        """Take an entry from outside."""
        return self.party.receive(signed)

    def prove(self, signed: Sequence[Signed]) -> Findings:
        """Take in what is said to prove a fault."""
        return self.party.prove(signed)

    def hear(self, note: Signed) -> Findings:
        """Take in a note of who has come back, or to it."""
        return self.party.hear(note)

    def done(self, task: Task, result: object) -> Findings:
        """Take the result of a task."""
        return self.party.done(task, result)

    def act(self, action: Action) -> Findings:
        """Make one of the legal actions; raises `IllegalAction` for any other."""
        if not self.to_act or action not in legal_actions(self.deal):
            raise IllegalAction("That is not allowed now.")
        return self.party.act(self._positions(action), write_statement(action))

    def can_say(self, word: Word) -> bool:
        """Whether this seat can say that now; a void is refused only if one is open."""
        return self.seated and self.party.can(_KINDS[word])

    def say(self, word: Word) -> Findings:
        """Say something besides playing; raises `IllegalAction` if it cannot be."""
        if not self.can_say(word):
            raise IllegalAction("That cannot be said now.")
        return self.party.tell(_KINDS[word])

    def _positions(self, action: Action) -> Sequence[int]:
        opened: tuple[Card, ...]
        match action:
            case Play(card):
                opened = (card,)
            case Declare(cards):
                opened = cards
            case Claim():
                opened = ()
        order = self.deal.order
        return [order.index(card.index) for card in opened]

    # -- what is told --------------------------------------------------------

    def news(self) -> tuple[Event, ...]:
        """What has happened since the last call."""
        told = []
        while (event := self._next_event()) is not None:
            told.append(event)
        return tuple(told)

    def _next_event(self) -> Event | None:
        telling, judge = self._telling, self.party.judge
        if telling.ended or not self.seated:
            return self._stop() if judge.stopped and not telling.ended else None
        event: Event | None = self._adjourned()
        if event is None and telling.number < len(judge.decks):
            event = self._from_deck(judge.decks[telling.number])
        if event is not None:
            return event
        return self._stop() if judge.stopped else self._given_up()

    def _adjourned(self) -> Adjourned | None:
        """Who has left for today; of oneself only in the life in which one did."""
        away = self.party.judge.course.leaving.away
        self._gone &= away
        new = away - self._gone - ({self.party.seat} if not self.party.away else set())
        if not new:
            return None
        self._gone.add(min(new))
        return Adjourned(self.referee.places[min(new)])

    def _given_up(self) -> Resigned | MatchWon | None:
        """Who has given the match up, and once all know it, how it has ended."""
        course, places = self.party.judge.course, self.referee.places
        for seat in course.given_up:
            if seat not in self._resigned:
                self._resigned.add(seat)
                return Resigned(places[seat])
        if not (course.given_up and course.end_known and course.verified):
            return None
        self._telling.ended = True
        resigned = tuple(sorted(places[seat] for seat in course.given_up))
        match = self._settled_match()
        winner = winner_without(resigned, match.variant.sides)
        return MatchWon(winner, self.names, match.scores, match.deal_number, resigned)

    def _from_deck(self, deck: Deck) -> Event | None:
        """The next event of the deck that is being told of."""
        telling = self._telling
        games = cast("Sequence[Referee]", deck.games)
        game = games[telling.acts]
        if not telling.started:
            telling.started = True
            return DealStarted(game.match.deal_number, game.deal.dealer)
        if game.over() is Over.REDEAL:
            self._telling = _Telling(deck.number + 1)
            self._telling.started = True
            return Redealt(game.deal.table)
        taken = self._table_taken(game)
        if taken is not None:
            return taken
        told = self._dealt(deck, game) or self._about_void(deck, game)
        return told or self._went_on(deck, games)

    def _went_on(self, deck: Deck, games: Sequence[Referee]) -> Event | None:
        """The next act of the deck, how it ended, or whose turn it is."""
        telling = self._telling
        game = games[telling.acts]
        if telling.acts < len(deck.acts):
            telling.acts += 1
            telling.turn = telling.refused = False
            telling.callers = 0
            return _acted(game, games[telling.acts])
        if deck.void:
            self._telling = _Telling(deck.number + 1)
            return Voided(game.match.deal_number)
        if game.over() is not None:
            return self._scored(deck, games[-1])
        return self._turn(game)

    def _about_void(self, deck: Deck, game: Referee) -> Event | None:
        """That the deal is called void after the plays told so far, or refused to be.

        A proposal that came too late is not told. Nor is the last who agrees: the deal
        is void then.
        """
        telling, voids = self._telling, deck.voids
        plays = telling.acts
        played = [act.seat for act in deck.acts[plays : plays + 1]]
        refusers = (*voids.refusers(plays), *played)
        if not refusers:
            return self._called_void(voids.callers(plays), game)
        if telling.refused or not telling.callers:
            return None
        # Who had asked, and whose turn it is, is to be asked for a card again.
        telling.refused, telling.turn = True, False
        return VoidRefused(game.places[refusers[0]])

    def _called_void(self, callers: Sequence[int], game: Referee) -> Event | None:
        """The next of those who have called the deal void, in the order it came."""
        telling, seats = self._telling, len(game.places)
        at = telling.callers
        if at >= min(len(callers), seats - 1):
            return None
        telling.callers += 1
        place = game.places[callers[at]]
        if at == 0:
            return VoidProposed(place)
        agree = {game.places[seat] for seat in callers[: at + 1]}
        return VoidAgreed(place, tuple(sorted({*range(seats)} - agree)))

    def _table_taken(self, game: Referee) -> TableTaken | None:
        """That the opening table pays, told once it is known."""
        if self._telling.opened or not game.deal.opening_known:
            return None
        self._telling.opened = True
        bonus = opening_bonus(game.deal)
        if bonus is None:
            return None
        side, scope = bonus
        opening = game.deal.order[: game.variant.table_size]
        return TableTaken(side, tuple(sorted(MAZZO[at] for at in opening)), scope)

    def _dealt(self, deck: Deck, game: Referee) -> Dealt | None:
        """A giro that is due and of which the own cards can all be read."""
        telling = self._telling
        due = game.rounds()
        if telling.giri >= len(due) or not game.deal.opening_known:
            return None
        if deck.number != self.party.judge.decks[-1].number:
            telling.giri = len(due)
            return None
        cards = self.party.cards()
        owners = game.owners()
        mine = [
            at for at in range(due[telling.giri].end) if owners[at] == self.party.seat
        ]
        if any(cards.get(at) is None for at in mine):
            return None
        telling.giri += 1
        own = {at: MAZZO[cast("int", cards[at])] for at in mine}
        deal = learn(game.deal, own)
        return Dealt(deal.table, self._hand_in(deal), deal.tallone)

    def _hand_in(self, deal: Deal) -> tuple[Card, ...]:
        """The own hand; one who only watches has none."""
        return deal.hand(self.place)

    def _turn(self, game: Referee) -> TurnCame | None:
        seat = game.turn()
        known = self._telling.giri == len(game.rounds())
        if self._telling.turn or seat is None or self.party.judge.ended:
            return None
        if seat == self.party.seat and not (known and self.to_act):
            return None
        self._telling.turn = True
        return TurnCame(game.places[seat])

    def _scored(self, deck: Deck, game: Referee) -> Event | None:
        telling = self._telling
        if not telling.scored:
            telling.scored = True
            return deal_scored(game)
        if game.over() is not Over.MATCH:
            self._telling = _Telling(deck.number + 1)
            return self._next_event()
        if self.party.judge.stopped or not self.party.judge.course.verified:
            return None
        telling.ended = True
        match = game.match_after
        winner = cast("int", match.winner)
        return MatchWon(winner, self.names, match.scores, match.deal_number)

    def _stop(self) -> Stopped:
        self._telling.ended = True
        judge = self.party.judge
        faults = [one for one in judge.faults if not judge.course.is_late(one)]
        scores = self._settled_match().scores if self.seated else ()
        if not faults:
            return Stopped(None, None, _DISAGREED, scores)
        # Who did wrong comes before who only came back.
        fault = next((one for one in faults if one.blames), faults[0])
        if not fault.blames:
            return Stopped(None, None, _restored(self.name_of(fault.seat)), scores)
        place = self.referee.places[fault.seat] if self.seated else None
        sentence = _blamed(self.name_of(fault.seat), fault)
        return Stopped(place, fault.blame.value, sentence, scores)

    def _settled_match(self) -> Match:
        """The finished deals; neither a fault nor a resignation takes one back."""
        referee = self.referee
        ended = referee.over() in {Over.SCORED, Over.MATCH}
        return referee.match_after if ended else referee.match


class _Telling:
    """How far the story of a deck has been told."""

    def __init__(self, number: int = 0) -> None:
        self.number = number
        self.acts = 0
        self.giri = 0
        self.started = False
        self.opened = False
        self.turn = False
        # By how many it was called void after the plays so far, and if it was refused.
        self.callers = 0
        self.refused = False
        self.scored = False
        self.ended = False


_KINDS = {
    Word.RESIGN: Kind.RESIGN,
    Word.ADJOURN: Kind.ADJOURN,
    Word.CALL_VOID: Kind.VOID,
    Word.REFUSE_VOID: Kind.REFUSE,
}

_DISAGREED = (
    "The seats do not agree on what is being dealt, and no signature says whose "
    "fault that is. The match stops here."
)


def _restored(name: SafeText) -> str:
    return (
        f"{name} came back from an older copy of this match, and others had gone on "
        "with what it no longer knows. Nobody is to blame. The match stops here."
    )


def _blamed(name: SafeText, fault: Fault) -> str:
    detail = f" ({fault.detail.removesuffix('.')})" if fault.detail else ""
    return f"{name} {fault.reason.value}{detail}."


def _acted(before: Referee, after: Referee) -> Event:
    action = after.deal.actions[-1]
    seat = cast("int", before.deal.turn)
    side = before.deal.side(seat)
    scopa = after.deal.scope(side) > before.deal.scope(side)
    match action:
        case Play():
            return Played(seat, action, scopa)
        case Declare():
            return Declared(seat, action)
        case Claim():
            return Claimed(seat, action, scopa)


def deal_scored(game: Referee) -> DealScored:
    """What is told of a deal that is over."""
    left, side = leftovers(game.deal)
    return DealScored(
        game.match.deal_number, game.scores, game.match_after.scores, left, side
    )
