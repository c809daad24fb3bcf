"""From what happens and what the player wants to what is shown: a pure reducer.

What happens is told in its order, but not faster than it can be seen: a play stays on
the table until it is settled or a key is pressed, the score of a deal until the player
goes on. What is heard meanwhile waits in the view's `story`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

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
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.leaving import Word
from scopa_net.rules import (
    Action,
    Observation,
    Play,
    makes_scopa,
)
from scopa_net.ui.absence import NOBODY_AWAY, Waiting, calling_line, only_wait_line
from scopa_net.ui.board import Board, after_event, empty_board, seen_board
from scopa_net.ui.company import Company
from scopa_net.ui.decks import ITALIAN, Deck
from scopa_net.ui.offers import plays_of
from scopa_net.ui.sentences import (
    is_drawn,
    sentences,
    turn_sentence,
    unanswered_sentence,
)
from scopa_net.ui.typing_line import heard, opened, typed
from scopa_net.ui.view import (
    Along,
    Asked,
    AskHint,
    Back,
    CallAgain,
    ChatCame,
    Command,
    Confirm,
    Do,
    Erase,
    Heard,
    Hinted,
    Input,
    Intent,
    Interrupt,
    Leave,
    Link,
    LinkChanged,
    MaySay,
    Message,
    NextWay,
    Overlay,
    Pick,
    Quit,
    Refuse,
    Say,
    Settled,
    Show,
    Showing,
    Shuffles,
    Speak,
    Take,
    Tone,
    TypeIn,
    Unsaid,
    ViewState,
    WantHint,
    WriteTo,
)
from scopa_net.ui.voiding import unanswered
from scopa_net.ui.words import (
    advice,
    and_list,
    counted,
    seat_name,
    speech,
)

__all__ = ["SHUFFLING", "YOUR_TURN", "Reduced", "caught_up", "reduce", "waited_for"]

YOUR_TURN = "Your turn: pick a card by its number or the arrow keys."
BEHIND_MAX = 3
"""So many plays may wait to be shown to who watches."""
ONLY_WATCHES = "You only watch."
NOBODY_READS = "There is nobody here to write to."
SHUFFLING = "The cards are being shuffled by all seats."

Reduced = tuple[ViewState, tuple[Command, ...]]


def reduce(view: ViewState, given: Input) -> Reduced:
    """The next view, and what is to be done besides showing it."""
    match given:
        case Heard() | Asked():
            return _kept_up(_told(replace(view, story=(*view.story, given)))), ()
        case Settled(serial):
            due = view.showing is not None and view.showing.serial == serial
            return (_told(replace(view, showing=None)) if due else view), ()
        case LinkChanged():
            return _linked(view, given), ()
        case Shuffles():
            return replace(view, shuffles=given), ()
        case Hinted():
            return _hinted(view, given), ()
        case ChatCame(line):
            return heard(view, line), ()
        case Unsaid(why):
            return _warned(_back(view) if view.overlay in _QUESTIONS else view, why), ()
        case _:
            return _pressed(view, given)


def _pressed(view: ViewState, given: Intent) -> Reduced:
    if view.typed is not None and not isinstance(given, Interrupt):
        return typed(view, view.typed, given)
    hurried = _hurried(view)
    # The key was not meant for the score that it would close unread.
    if hurried.scored is not None and view.scored is None:
        return hurried, ()
    return _wanted(hurried, given)


# -- what happens ------------------------------------------------------------


def _told(view: ViewState) -> ViewState:
    """The view after as much of the story as can be shown now.

    For who watches nobody waits: the score of a deal goes when the next one is played.
    """
    if view.watches and any(_is_played(one) for one in view.story):
        view = _without_score(view)
    while view.story and not _holds(view, view.story[0]):
        first, *rest = view.story
        view = replace(view, story=tuple(rest))
        if isinstance(first, Asked):
            view = _asked(view, first.observation)
        else:
            view = _heard(view, first.event, first.company)
    return view


def _holds(view: ViewState, waiting: Heard | Asked) -> bool:
    """Whether what is shown has to be seen first; an end of the match is added."""
    if isinstance(waiting, Heard) and isinstance(waiting.event, Stopped):
        return False
    if view.showing is not None:
        return True
    ends = isinstance(waiting, Heard) and isinstance(waiting.event, MatchWon)
    return view.scored is not None and not ends


def _kept_up(view: ViewState) -> ViewState:
    """Who watches is never far behind, by coming late or because bots play fast."""
    behind = sum(map(_is_played, view.story))
    return caught_up(view) if view.watches and behind > BEHIND_MAX else view


def _is_played(told: Heard | Asked) -> bool:
    return isinstance(told, Heard) and isinstance(told.event, Played)


def _without_score(view: ViewState) -> ViewState:
    over = view.overlay
    return replace(
        view, overlay=None if over is Overlay.DEAL_OVER else over, scored=None
    )


def caught_up(view: ViewState) -> ViewState:
    """The view after the whole story, for who was not there to see it."""
    while view.story:
        if view.showing is not None:
            view = replace(view, showing=None)
        elif view.scored is not None:
            view = _without_score(view)
        view = _told(view)
    return view


def _hurried(view: ViewState) -> ViewState:
    """The view once all plays have been seen."""
    while view.showing is not None:
        view = _told(replace(view, showing=None))
    return view


def _heard(view: ViewState, event: Event, company: Company | None) -> ViewState:
    if company is None or not company.names:
        if isinstance(event, Stopped):
            return replace(view, ended=event, overlay=None)
        return view
    seats = len(company.names)
    view = replace(view, unanswered=unanswered(event, view.unanswered, seats))
    board = view.board or empty_board(company.variant)
    scores = view.scores or company.variant.start
    after = after_event(board, event, company.variant, company.you)
    return _shown(
        replace(view, company=company, board=after, scores=scores),
        event,
        company,
        board,
    )


def _shown(view: ViewState, event: Event, company: Company, before: Board) -> ViewState:
    """What is shown of an event, `before` being the board as it was."""
    match event:
        case DealStarted(deal):
            view = replace(view, deal=deal, moves=(), last=None, shuffling=True)
            return replace(view, message=None, news=_sentence(event, company))
        case Dealt():
            told = _dealt_words(view, event, company)
            return replace(view, news=told, shuffling=False, shuffles=None)
        case Redealt():
            return replace(view, news=_sentence(event, company), shuffling=True)
        case Played():
            sentence = _sentence(event, company)
            showing = Showing(event, before.table, view.serial + 1)
            view = replace(view, showing=showing, serial=showing.serial, last=event)
            view = replace(view, news=sentence, moves=(*view.moves, sentence))
            return replace(_put_back(view), asked=None, message=None)
        case TableTaken() | Declared() | Claimed():
            sentence = _sentence(event, company)
            view = replace(view, news=sentence, moves=(*view.moves, sentence))
            return replace(_put_back(view), asked=None, message=None)
        case DealScored(_, _, scores):
            view = replace(view, scored=event, scores=scores, top=0, message=None)
            return replace(view, overlay=Overlay.DEAL_OVER)
        case MatchWon() | Stopped():
            # From now on it does not matter who is there.
            view = replace(view, ended=event, links=(), by=(), away_s=())
            view = replace(view, asked=None, showing=None)
            return replace(_put_back(view), scores=event.scores or view.scores)
        case _:
            return _left(view, event, company)


def _left(view: ViewState, event: Event, company: Company) -> ViewState:
    """Somebody leaves, or wants a deal not to count; that is asked and answered."""
    told = (VoidProposed, VoidAgreed, VoidRefused, Voided, Adjourned, Resigned)
    if not isinstance(event, told):
        return view
    view = replace(view, news=_sentence(event, company))
    others = isinstance(event, VoidAgreed) and event.seat != company.you
    if others or isinstance(event, Adjourned):
        return view
    if view.overlay in _QUESTIONS:
        view = _back(view)
    match event:
        case VoidProposed(seat) if seat != company.you and not view.watches:
            return replace(view, overlay=Overlay.VOID_ASKED)
        case VoidRefused():
            return view
        case Voided():
            view = replace(view, moves=(), last=None, shuffling=True)
    return replace(_put_back(view), asked=None)


_ANSWERED = {Overlay.RESIGN, Overlay.VOID, Overlay.VOID_ASKED}
_QUESTIONS = {Overlay.LEAVE, *_ANSWERED}


def _dealt_words(view: ViewState, event: Dealt, company: Company) -> str:
    """What was played last stays to be read when new cards come."""
    if not view.moves or is_drawn(event, company):
        return view.moves[-1] if view.moves else _sentence(event, company)
    last = "The last cards are dealt." if event.tallone == 0 else "New cards are dealt."
    return f"{view.moves[-1]} {last}"


def _sentence(event: Event, company: Company) -> str:
    return sentences(event, company)[0]


def _asked(view: ViewState, observation: Observation) -> ViewState:
    board = seen_board(observation, view.board)
    scores = observation.scores
    view = replace(view, board=board, scores=scores, deal=observation.match.deal_number)
    return replace(_put_back(view), asked=observation, shuffling=False)


def _linked(view: ViewState, changed: LinkChanged) -> ViewState:
    company = changed.company
    links = list(view.links or [Link.CONNECTED] * len(company.names))
    by = list(view.by or [None] * len(company.names))
    away_s = list(view.away_s or [0] * len(company.names))
    # For how long somebody has been away is told again and again.
    news = (links[changed.seat], by[changed.seat]) != (changed.link, changed.by)
    links[changed.seat], by[changed.seat] = changed.link, changed.by
    away_s[changed.seat] = changed.away_s
    message = None if news and not view.ways else view.message
    view = replace(view, company=company, message=message, away_s=tuple(away_s))
    view = replace(view, carry=changed.carry)
    return replace(view, links=tuple(links), by=tuple(by))


def _hinted(view: ViewState, hint: Hinted) -> ViewState:
    asked, action = view.asked, hint.action
    if asked is None or view.board is None:
        return view
    if action is None or action not in asked.legal_actions:
        return _warned(view, "There is no hint now.")
    if isinstance(action, Play):
        view = _picked(view, view.board.hand.index(action.card))
    else:
        view = replace(_put_back(view), ways=view.speeches)
    view = replace(view, way=view.ways.index(action))
    said = advice(action, _deck(view))
    return replace(view, message=Message(Tone.TURN, said, hint.reasons))


# -- what the player wants ---------------------------------------------------


def _wanted(view: ViewState, given: Intent) -> Reduced:
    match given:
        case Pick(number):
            return _pick(view, number)
        case Take(at):
            return _take(view, at)
        case Speak():
            return _speak(view), ()
        case Confirm() | Refuse():
            return _confirm(view) if isinstance(given, Confirm) else _refuse(view)
        case Leave() | Interrupt():
            return _leave(view, interrupted=isinstance(given, Interrupt))
        case WantHint() | CallAgain():
            wants_hint = isinstance(given, WantHint)
            return _want_hint(view) if wants_hint else _call_again(view)
        case WriteTo() | TypeIn() | Erase():
            return opened(view) if view.chats else _warned(view, NOBODY_READS), ()
        case _:
            return _looked(view, given), _considered(given)


def _considered(given: Along | NextWay | Back | Show) -> tuple[MaySay, ...]:
    """What the player is asked about who opens such a question."""
    if not isinstance(given, Show) or given.overlay not in _SAID:
        return ()
    return (MaySay(_SAID[given.overlay]),)


_SAID = {Overlay.RESIGN: Word.RESIGN, Overlay.VOID: Word.CALL_VOID}


def _looked(view: ViewState, given: Along | NextWay | Back | Show) -> ViewState:
    match given:
        case Along(by):
            return _along(view, by)
        case NextWay(by):
            return _next_way(view, by)
        case Back():
            return _back(view)
        case Show(overlay):
            questions = _ANSWERED
            closes = {Overlay.DEAL_OVER, Overlay.LEAVE}
            if view.overlay is overlay or (
                view.overlay in closes and overlay not in questions
            ):
                return _back(view)
            return replace(view, overlay=overlay, top=0)
        case _:
            assert_never(given)


def _call_again(view: ViewState) -> Reduced:
    if not view.silent or view.company is None:
        return _warned(view, NOBODY_AWAY), ()
    names = tuple(str(view.company.names[seat]) for seat in view.silent)
    if not view.may_call:
        return _warned(view, only_wait_line(Waiting(names))), ()
    return _warned(view, calling_line(Waiting(names))), (CallAgain(),)


def _want_hint(view: ViewState) -> Reduced:
    if view.watches:
        return _not_yet(view), ()
    if view.asked is None:
        return _warned(view, "A hint is for your turn."), ()
    if not view.hints:
        return _warned(view, "There are no hints here."), ()
    return view, (AskHint(view.asked),)


def _pick(view: ViewState, number: int) -> Reduced:
    if view.asked is None or view.board is None:
        return _not_yet(view), ()
    held = len(view.board.hand)
    if not 1 <= number <= held:
        return _warned(view, f"No card {number}: you hold {counted(held, 'card')}."), ()
    if number - 1 != view.picked:
        return _picked(view, number - 1), ()
    if len(view.ways) > 1:
        return _warned(view, _which(view.ways)), ()
    return _play(view)


def _picked(view: ViewState, at: int) -> ViewState:
    """The card is picked, and the first thing it may do is previewed."""
    asked, board = view.asked, view.board
    assert asked is not None
    assert board is not None
    view = replace(view, picked=at, ways=plays_of(asked, board.hand[at]), way=0)
    return replace(view, message=_preview(view, asked))


def _speak(view: ViewState) -> ViewState:
    """What may be declared or claimed is picked, and the first of it previewed."""
    asked, ways = view.asked, view.speeches
    if asked is None:
        return _not_yet(view)
    if not ways:
        return _warned(view, "There is nothing to declare or claim now.")
    view = replace(_put_back(view), ways=ways)
    return replace(view, message=_preview(view, asked))


def _preview(view: ViewState, asked: Observation) -> Message:
    play = view.previewed
    if play is None:
        return Message(Tone.WARNING, "That card may not be played now; another goes.")
    if not isinstance(play, Play):
        said = speech(play, _deck(view))
        text = f"{said[0].upper()}{said[1:]}? Enter says it."
        if len(view.ways) > 1:
            text = _which(view.ways)
        return Message(Tone.TURN, text)
    name = _deck(view).name(play.card)
    if len(view.ways) > 1:
        return Message(Tone.TURN, f"{name}: {_which(view.ways)}")
    if not play.captured:
        return Message(Tone.TURN, f"{name} takes nothing. Enter lays it on the table.")
    scopa = " Scopa!" if makes_scopa(asked.deal, play) else ""
    taken = _deck(view).names(play.captured)
    return Message(Tone.TURN, f"{name} takes {taken}. Enter plays.{scopa}")


def _deck(view: ViewState) -> Deck:
    """What the player calls the cards."""
    return ITALIAN if view.company is None else view.company.deck


def _which(ways: Sequence[Action]) -> str:
    return f"{len(ways)} ways. Type a letter, or choose and press Enter."


def _along(view: ViewState, by: int) -> ViewState:
    if view.asked is None or view.board is None or not view.board.hand:
        return _not_yet(view)
    count = len(view.board.hand)
    start = view.picked if view.picked is not None else (-1 if by > 0 else count)
    return _picked(view, (start + by) % count)


def _next_way(view: ViewState, by: int) -> ViewState:
    if view.overlay is not None:
        return replace(view, top=max(view.top + by, 0))
    if view.asked is None or view.board is None or not view.board.hand:
        return _not_yet(view)
    if view.picked is None and not view.ways:
        return _picked(view, 0)
    count = len(view.ways)
    return replace(view, way=(view.way + by) % count) if count else view


def _take(view: ViewState, at: int) -> Reduced:
    if not view.ways or at >= len(view.ways):
        return view, ()
    return _play(replace(view, way=at))


def _confirm(view: ViewState) -> Reduced:
    match view.overlay:
        case Overlay.LEAVE:
            word = (Say(Word.ADJOURN),) if view.kept else ()
            return view, (*word, Quit(interrupted=False))
        case Overlay.RESIGN:
            return _back(view), (Say(Word.RESIGN),)
        case Overlay.VOID | Overlay.VOID_ASKED:
            return _back(view), (Say(Word.CALL_VOID),)
        case Overlay.DEAL_OVER | None if view.ended is not None:
            return view, (Quit(interrupted=False),)
        case None:
            pass
        case _:
            return _back(view), ()
    if view.asked is None:
        return _not_yet(view), ()
    if view.previewed is None:
        return _warned(view, YOUR_TURN), ()
    return _play(view)


def _play(view: ViewState) -> Reduced:
    play = view.previewed
    if play is None:
        return view, ()
    return replace(_put_back(view), asked=None), (Do(play),)


def _back(view: ViewState) -> ViewState:
    if view.overlay is Overlay.DEAL_OVER:
        if view.ended is not None:
            return view
        return _told(replace(view, overlay=None, scored=None))
    if view.overlay is not None:
        over = Overlay.DEAL_OVER if view.scored is not None else None
        return replace(view, overlay=over, top=0)
    return replace(_put_back(view), message=None)


def _put_back(view: ViewState) -> ViewState:
    return replace(view, picked=None, ways=(), way=0, message=None)


def _leave(view: ViewState, *, interrupted: bool) -> Reduced:
    if view.ended is not None or (interrupted and view.overlay is Overlay.LEAVE):
        return view, (Quit(interrupted=interrupted),)
    return replace(view, overlay=Overlay.LEAVE, typed=None), ()


def _refuse(view: ViewState) -> Reduced:
    """No: to the own doubt it is the way back, to another's question an answer."""
    asked = view.overlay is Overlay.VOID_ASKED
    return _back(view), (Say(Word.REFUSE_VOID),) if asked else ()


def _not_yet(view: ViewState) -> ViewState:
    """Why no card can be played now."""
    if view.ended is not None or view.overlay is not None:
        return view
    why = ONLY_WATCHES if view.watches else "Wait for your turn."
    return _warned(view, f"{waited_for(view)} {why}")


def waited_for(view: ViewState) -> str:
    """What everybody waits for, in a sentence."""
    company, board = view.company, view.board
    if company is None or board is None or view.shuffling:
        return SHUFFLING
    if view.unanswered:
        return _answers_waited_for(view, company)
    if board.turn is None or board.turn == company.you:
        return "The cards are on their way."
    if board.turn in view.silent:
        name = seat_name(board.turn, company, begins=True)
        return f"{name} does not answer."
    return turn_sentence(board.turn, company)


def _answers_waited_for(view: ViewState, company: Company) -> str:
    told = unanswered_sentence(view.unanswered, company)
    away = [company.names[at] for at in view.unanswered if at in view.silent]
    if not away:
        return told
    return f"{told} {and_list(away)} {'are' if len(away) > 1 else 'is'} away."


def _warned(view: ViewState, text: str) -> ViewState:
    return replace(view, message=Message(Tone.WARNING, text))
