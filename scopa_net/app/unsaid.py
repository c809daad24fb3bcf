"""Why something cannot be said now, in one sentence."""

from protocol.judge import Judge
from scopa_net.leaving import Word
from scopa_net.table import Table
from scopa_net.ui.lines import NOT_BEGUN

__all__ = ["why_unsaid"]


def why_unsaid(table: Table | None, word: Word, *, kept: bool) -> str:
    """What keeps the own seat from saying that now; nothing if it may.

    `kept` says whether the match can be gone on with later.
    """
    if word is Word.ADJOURN and not kept:
        return "A match against bots is not kept; quit ends it."
    if table is None or not table.seated:
        return NOT_BEGUN
    if table.can_say(word):
        return ""
    judge = table.party.judge
    if judge.ended:
        return _ended(judge)
    if word in {Word.CALL_VOID, Word.REFUSE_VOID}:
        return _unvoided(judge, table.party.seat, word)
    return "You have said that you leave for today."


def _ended(judge: Judge) -> str:
    if judge.stopped:
        return "The match is stopped already."
    if judge.course.given_up:
        return "The match is given up already."
    return "The match is over already."


def _unvoided(judge: Judge, own: int, word: Word) -> str:
    """Why the running deal cannot be called void, or that be refused."""
    deck = judge.deck
    if deck is None or deck.over or not deck.stands:
        return "No cards are dealt now, so there is no deal that might not count."
    plays = len(deck.acts)
    if deck.voids.refused(plays):
        return "This deal is to count: it can be asked again after the next card."
    if deck.voids.answered(own, plays):
        return "You have said so already: wait until the others have answered."
    assert word is Word.REFUSE_VOID, "whoever has not answered may call it void"
    return "Nobody asks that this deal does not count."
