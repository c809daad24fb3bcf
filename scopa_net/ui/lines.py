"""Line mode: a conversation in sentences, for ears, pipes and plain terminals.

`Lines` is told events and what is typed, writes sentences, and answers each typed line
with an action, a wish, or nothing. It reads nothing itself and never waits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby
from operator import attrgetter
from typing import TypeAlias

from protocol.text import safe_text
from scopa_net.events import (
    Claimed,
    DealStarted,
    Dealt,
    Declared,
    Event,
    MatchWon,
    Played,
    Resigned,
    Stopped,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
)
from scopa_net.leaving import Word
from scopa_net.rules import (
    Action,
    Card,
    InvalidAction,
    Observation,
    Play,
    read_action,
    why_not,
)
from scopa_net.ui.absence import NOBODY_AWAY
from scopa_net.ui.chatting import Chats
from scopa_net.ui.company import Company
from scopa_net.ui.decks import ITALIAN, Deck
from scopa_net.ui.line_help import FOR_PLAYERS, ONLY_LOOKS, help_lines
from scopa_net.ui.offers import (
    SPEECHES,
    label,
    plays_of,
    sayable,
    speech_lines,
    way_words,
)
from scopa_net.ui.output import Output
from scopa_net.ui.rulebook import rulebook
from scopa_net.ui.sentences import (
    drawn_sentence,
    is_drawn,
    score_sentences,
    seat_to_play,
    sentences,
    table_sentences,
    turn_sentence,
    unanswered_sentence,
    who_sentences,
)
from scopa_net.ui.voiding import unanswered
from scopa_net.ui.words import (
    advice,
    counted,
    hand_line,
    table_line,
)

__all__ = ["Lines", "Reply", "Sight", "Wish"]

QUESTION = "Your turn. Type a card number, or help. Which card?"
SHUFFLING = "The cards are being shuffled."
NOT_BEGUN = "The match has not begun yet."
_ECHO_CELLS_MAX = 30
REASONS_MAX = 2
"""With so many reasons a hint is still read at a glance."""


class Wish(Enum):
    """What a typed line can ask for besides an action."""

    HINT = auto()
    LEAVE = auto()


Reply: TypeAlias = Action | Wish | Word | None


@dataclass(frozen=True, slots=True)
class Sight:
    """What the player can look at: the company, and the deal as the seat sees it."""

    company: Company
    observation: Observation


class Lines:
    """The conversation with the player of one seat.

    `look` gives the `Sight` of the moment, None before everybody is seated; `why_not`
    says what keeps the player from saying something besides playing now, or nothing if
    that may be said. With `prompt` a sign is written where a line is waited for.
    `chats` is there where there is anybody to write to.
    """

    def __init__(
        self,
        out: Output,
        look: Callable[[], Sight | None],
        *,
        why_not: Callable[[Word], str] = lambda _: NOT_BEGUN,
        hints: bool = False,
        prompt: bool = False,
        chats: Chats | None = None,
        call_again: Callable[[], str] = lambda: NOBODY_AWAY,
    ) -> None:
        self._out = out
        self._chats, self._call_again = chats, call_again
        self._look = look
        self._why_not = why_not
        self.watches = False
        """Whether somebody reads who is in no seat, and is asked nothing."""
        self._hints = hints
        self._prompt = prompt
        self._asked: Observation | None = None
        # What is said if the answer is yes.
        self._sure: Word | None = None
        self._picked: tuple[Action, ...] = ()
        self._plays: list[str] = []
        self._shown: object = None
        self._held: tuple[Card, ...] = ()
        self._met = False
        self._unanswered: tuple[int, ...] = ()

    # -- what is told --------------------------------------------------------

    def hear(self, event: Event) -> None:
        """Tell an event. Of a turn nothing is told: see `ask` and `remind`."""
        sight = self._look()
        if sight is None and isinstance(event, Stopped):
            self._say(event.sentence)
        if sight is None or isinstance(event, TurnCame):
            return
        company = sight.company
        seats = len(company.names)
        self._unanswered = unanswered(event, self._unanswered, seats)
        lines = sentences(event, company)
        match event:
            case DealStarted():
                self._plays.clear()
                if not self._met and len(company.names) > 2:
                    lines = (who_sentences(sight.observation, company)[0], *lines)
                self._met = True
            case Dealt(table, hand):
                if is_drawn(event, company):
                    new = [card for card in hand if card not in self._held]
                    lines = (
                        (drawn_sentence(event, new[0], company.deck),) if new else lines
                    )
                else:
                    lines = (*lines, *self._hand_told(hand, company.deck))
                    self._shown = (table, hand)
                self._held = hand
            case Played(seat) | Declared(seat) | Claimed(seat):
                if seat == company.you:
                    self._plays.clear()
                self._plays += lines
            case VoidProposed() | VoidAgreed() | Voided() | Resigned() | MatchWon():
                lines = (*lines, *self._left(event, company))
        self._tell(*lines)

    def _hand_told(self, hand: tuple[Card, ...], deck: Deck) -> tuple[str, ...]:
        return () if self.watches else (hand_line(hand, deck),)

    def _left(
        self,
        event: VoidProposed | VoidAgreed | Voided | Resigned | MatchWon,
        company: Company,
    ) -> tuple[str, ...]:
        """What follows for the player's own questions, with what is asked now."""
        others = isinstance(event, VoidAgreed) and event.seat != company.you
        if others or self.watches:
            return ()
        if isinstance(event, VoidProposed) and event.seat != company.you:
            # The newest question is the one that is answered.
            self._sure = None
            return (_ABOUT_VOID,)
        self._asked, self._picked, self._sure = None, (), None
        if isinstance(event, VoidProposed):
            return (unanswered_sentence(self._unanswered, company),)
        return ()

    def remind(self) -> None:
        """Say whose turn it is, when that takes long."""
        self._say(*self._whose_turn())

    def ask(self, observation: Observation) -> None:
        """Ask for one of the observation's actions; `read` will answer with it."""
        self._asked = observation
        self._picked = ()
        if self._shown != (observation.table, observation.hand):
            table, hand = observation.table, observation.hand
            self._say(table_line(table, self._deck), hand_line(hand, self._deck))
        self._shown = None
        self._say(*speech_lines(observation, self._deck), QUESTION)
        self._wait()

    def advise(self, action: Action, reasons: Sequence[str] = ()) -> None:
        """Give the hint that was asked for, if it is still of use, and two reasons."""
        if self._asked is not None and action in self._asked.legal_actions:
            self._say(advice(action, self._deck), *reasons[:REASONS_MAX])
            self._wait()

    def say_no_hint(self) -> None:
        """The bot that was asked for a hint has none."""
        self._say("There is no hint now.")
        self._wait()

    # -- what is typed -------------------------------------------------------

    def at_any_time(self, line: str) -> bool:
        """Whether the line means the same whoever's turn it is."""
        word = line.strip().lower()
        if word in _ANSWERS:
            return self._sure is not None or self._can(Word.REFUSE_VOID)
        if word.partition(" ")[0] in _CHAT:
            return True
        return word in _COMMANDS and word not in _IN_TURN

    def read(self, line: str) -> Reply:
        """Answer a typed line."""
        self._out.answered()
        word = line.strip()
        command = _COMMANDS.get(word.lower())
        if self.watches and word.lower() in FOR_PLAYERS:
            command = Lines._only_look
        reply: Reply = None
        verb, _, rest = word.partition(" ")
        if command is not None:
            reply = command(self)
        elif verb.lower() in _CHAT:
            self._chat(verb.lower(), rest.strip())
        elif self.watches:
            self._say(*self._whose_turn(), f"{ONLY_LOOKS} Type help.")
        elif self._asked is None:
            self._say(*self._whose_turn(), "Wait for your turn, or type help.")
        elif self._picked:
            reply = self._read_capture(word)
        else:
            reply = self._read_card(self._asked, word)
        if isinstance(reply, Action):
            self._asked = None
        elif isinstance(reply, Word):
            self._sure = None
        elif reply is None:
            self._wait()
        return reply

    def _read_card(self, asked: Observation, word: str) -> Action | None:
        """An action by the number of a card or in notation."""
        if not word:
            self._say(QUESTION)
            return None
        if word.lower() in SPEECHES:
            return self._speak(asked, word.lower())
        if word.isascii() and word.isdecimal():
            number = int(word[:_ECHO_CELLS_MAX])
            if 1 <= number <= len(asked.hand):
                return self._pick(asked, asked.hand[number - 1])
            held = counted(len(asked.hand), "card")
            self._say(f"Not a card: '{_echo(word)}'. You hold {held}.")
            return None
        try:
            return self._named(asked, read_action(word))
        except InvalidAction:
            self._say(f"Neither a card nor a command: '{_echo(word)}'. Type help.")
            return None

    def _named(self, asked: Observation, named: Action) -> Action | None:
        """An action that was typed in notation, or the reason against it."""
        if named in asked.legal_actions:
            return named
        if isinstance(named, Play) and named.card not in asked.hand:
            self._say(f"You do not hold {self._deck.name(named.card)}.")
        elif isinstance(named, Play) and not named.captured:
            return self._pick(asked, named.card)
        else:
            self._say(why_not(asked.deal, named, self._deck.names))
        return None

    def _speak(self, asked: Observation, word: str) -> Action | None:
        """The only thing that can be said in that way; several are offered."""
        found = sayable(asked, word)
        if not found:
            self._say(f"There is nothing to {SPEECHES[word]} now.")
            return None
        if len(found) == 1:
            return found[0]
        self._picked = found
        self._offer()
        return None

    def _pick(self, asked: Observation, card: Card) -> Action | None:
        """The only play of the card; if there are several, they are offered."""
        plays = plays_of(asked, card)
        if not plays:
            self._say(
                f"{self._deck.name(card)} may not be played now; another card goes."
            )
            return None
        if len(plays) == 1:
            return plays[0]
        self._picked = plays
        self._offer()
        return None

    def _offer(self) -> None:
        first, deck = self._picked[0], self._deck
        begins = "You can say"
        if isinstance(first, Play):
            begins = f"{self._deck.name(first.card)} can take"
        offers = [
            f"{label(at)}, {way_words(one, deck)}"
            for at, one in enumerate(self._picked)
        ]
        self._say(f"{begins}: {'; '.join(offers)}. Which?")

    def _read_capture(self, word: str) -> Action | None:
        """One of the offered captures, by its letter or its number."""
        for at, play in enumerate(self._picked):
            if word.lower() in {label(at), str(at + 1)}:
                return play
        if not word:
            self._offer()
            return None
        last = label(len(self._picked) - 1)
        self._say(f"Not one of these: '{_echo(word)}'. Type a to {last}, or back.")
        return None

    # -- commands ------------------------------------------------------------

    def _table(self) -> None:
        if sight := self._look_or_say():
            self._say(*table_sentences(sight.observation, sight.company))

    def _hand(self) -> None:
        if sight := self._look_or_say():
            self._say(hand_line(sight.observation.hand, sight.company.deck))

    def _score(self) -> None:
        if sight := self._look_or_say():
            self._say(*score_sentences(sight.observation, sight.company))

    def _who(self) -> None:
        if sight := self._look_or_say():
            self._say(*who_sentences(sight.observation, sight.company))

    def _last(self) -> None:
        self._say(*self._plays or ["Nothing has been played in this deal yet."])

    def _hint(self) -> Wish | None:
        if not self._hints:
            self._say("There are no hints here.")
        elif self._asked is None:
            self._say("A hint is for your turn.")
        else:
            return Wish.HINT
        return None

    def _back(self) -> None:
        if self._picked:
            self._picked = ()
            self._say(QUESTION)
        else:
            self._say("There is nothing to put back.")

    def _rules(self) -> None:
        sight = self._look_or_say()
        told = rulebook(sight.company.variant, sight.company.deck) if sight else ()
        for title, chapter in groupby(told, attrgetter("title")):
            self._say(f"{title}:", *(sentence.text for sentence in chapter))

    def _resign(self) -> None:
        self._ask_first(Word.RESIGN, _SURE_TO_RESIGN)

    def _adjourn(self) -> None:
        self._ask_first(Word.ADJOURN, _SURE_TO_ADJOURN)

    def _void(self) -> None:
        if self._can(Word.REFUSE_VOID):
            self._say(_ABOUT_VOID)
        else:
            self._ask_first(Word.CALL_VOID, _SURE_TO_CALL_VOID)

    def _ask_first(self, word: Word, question: str) -> None:
        why_not = self._why_not(word)
        self._sure = None if why_not else word
        self._say(why_not or question)

    def _can(self, word: Word) -> bool:
        """Whether that may be said now."""
        return not self._why_not(word)

    def _yes(self) -> Word | None:
        if self._sure is not None:
            sure, self._sure = self._sure, None
            why_not = self._why_not(sure)
            if not why_not:
                return sure
            self._say(why_not)
            return None
        if self._can(Word.REFUSE_VOID):
            return Word.CALL_VOID
        self._nothing_asked()
        return None

    def _no(self) -> Word | None:
        if self._sure is not None:
            self._sure = None
            self._say("The match goes on.")
            return None
        if self._can(Word.REFUSE_VOID):
            return Word.REFUSE_VOID
        self._nothing_asked()
        return None

    def _nothing_asked(self) -> None:
        self._say("There is nothing to say yes or no to now.")

    def _chat(self, verb: str, rest: str) -> None:
        if self._chats is None:
            self._say("There is nobody here to write to.")
            return
        told = self._chats.say(rest) if verb == "say" else self._chats.mute(rest)
        if told:
            self._say(told)

    def hear_chat(self, line: str) -> None:
        """Tell what somebody has written."""
        self._say(line)

    def _help(self) -> None:
        others = self._chats is not None
        self._say(*help_lines(self._deck, with_others=others, watches=self.watches))

    def _only_look(self) -> None:
        self._say(ONLY_LOOKS)

    def _retry(self) -> None:
        self._say(self._call_again())

    def _quit(self) -> Wish:
        return Wish.LEAVE

    @property
    def _deck(self) -> Deck:
        """What the player calls the cards."""
        sight = self._look()
        return ITALIAN if sight is None else sight.company.deck

    # -- writing -------------------------------------------------------------

    def _look_or_say(self) -> Sight | None:
        sight = self._look()
        if sight is None:
            self._say(NOT_BEGUN)
        return sight

    def _whose_turn(self) -> Sequence[str]:
        sight = self._look()
        if sight is None:
            return (NOT_BEGUN,)
        turn = seat_to_play(sight.observation)
        if turn is None:
            return (SHUFFLING,)
        if self._unanswered:
            return (unanswered_sentence(self._unanswered, sight.company),)
        return (turn_sentence(turn, sight.company),)

    def _say(self, *lines: str) -> None:
        self._out.lines(*lines)

    def _tell(self, *lines: str) -> None:
        """Say what has happened, and wait below it for what is asked, if anything."""
        if not self._is_waited_for():
            self._out.leave_prompt()
        self._say(*lines)
        self._wait()

    def _wait(self) -> None:
        if self._prompt and self._is_waited_for():
            self._out.prompt()

    def _is_waited_for(self) -> bool:
        """Whether the player is asked for anything: a card, or a yes or no."""
        asked = self._asked is not None or self._sure is not None
        return asked or (not self.watches and self._can(Word.REFUSE_VOID))


_COMMANDS: dict[str, Callable[[Lines], Wish | Word | None]] = {
    "table": Lines._table,
    "hand": Lines._hand,
    "score": Lines._score,
    "last": Lines._last,
    "who": Lines._who,
    "rules": Lines._rules,
    "hint": Lines._hint,
    "back": Lines._back,
    "help": Lines._help,
    "?": Lines._help,
    "quit": Lines._quit,
    "retry": Lines._retry,
    "resign": Lines._resign,
    "adjourn": Lines._adjourn,
    "void": Lines._void,
    "yes": Lines._yes,
    "no": Lines._no,
}

_ANSWERS = {"yes", "no"}
"""The commands that belong to a question of yes or no."""

_SURE_TO_RESIGN = (
    "Give the match up? With two sides the other one wins it. Type yes or no."
)
_SURE_TO_ADJOURN = (
    "Leave for today? The others are told, and the match is kept. Type yes or no."
)
_SURE_TO_CALL_VOID = (
    "Ask that this deal does not count? It takes all players' yes; then its cards are "
    "opened, and it is dealt again. Until all have answered you cannot play. "
    "Type yes or no."
)
_ABOUT_VOID = (
    "If all say yes, its cards are opened and it is dealt again. Type yes or no; who "
    "plays on says no."
)

_CHAT = {"say", "mute"}
"""The words that are followed by any text, or a name."""

_IN_TURN = {"hint", "back"}
"""The commands that belong to a question."""


def _echo(word: str) -> str:
    return safe_text(word, cells_max=_ECHO_CELLS_MAX)
