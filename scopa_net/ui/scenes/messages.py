"""The two lines below the hand: what has just happened, and what is asked."""

from __future__ import annotations

from collections.abc import Iterable

from scopa_net.rules import MATCH_CLAIM, Action, Card, Play
from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.decks import ITALIAN
from scopa_net.ui.faces import Glyphs, short_name
from scopa_net.ui.presenter import YOUR_TURN, waited_for
from scopa_net.ui.view import Message, Tone, ViewState
from scopa_net.ui.words import seat_name, speech

__all__ = ["draw_messages"]

_INKS = {Tone.PLAIN: "faint", Tone.TURN: "turn", Tone.WARNING: "warning"}


def draw_messages(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """In full sentences where they fit, else with cards in two characters."""
    room = canvas.columns - 2
    news = _short(view.news, _short_news(view, glyphs), room)
    canvas.put(1, canvas.rows - 3, cut(news, room, glyphs.ellipsis))
    message = view.message or _usual_message(view)
    sign = "! " if message.tone is Tone.WARNING else ""
    text = f"{sign}{message.text}"
    if view.previewed is not None and len(view.ways) == 1:
        text = _short(text, _short_preview(view.previewed, glyphs), room)
    for sentence in message.more:
        if width_of(text) + 1 + width_of(sentence) > room:
            break
        text = f"{text} {sentence}"
    canvas.put(
        1, canvas.rows - 2, cut(text, room, glyphs.ellipsis), _INKS[message.tone]
    )


def _usual_message(view: ViewState) -> Message:
    if view.showing is not None:
        return Message(Tone.TURN, "Scopa!" if view.showing.played.scopa else "")
    if view.ended is not None or view.scored is not None:
        return Message(Tone.PLAIN, "")
    if view.asked is not None:
        deck = view.company.deck if view.company else ITALIAN
        said = [speech(one, deck) for one in view.speeches if one != MATCH_CLAIM]
        if said:
            what = said[0] if len(said) == 1 else "declare or claim"
            return Message(Tone.TURN, f"Your turn: pick a card; or x to {what}.")
        return Message(Tone.TURN, YOUR_TURN)
    return Message(Tone.PLAIN, waited_for(view))


def _short(text: str, shorter: str, room: int) -> str:
    return shorter if shorter and width_of(text) > room else text


def _short_news(view: ViewState, glyphs: Glyphs) -> str:
    """The last play, if the news are of it."""
    last, company = view.last, view.company
    if last is None or company is None or not view.news.startswith(view.moves[-1:]):
        return ""
    who = seat_name(last.seat, company, begins=True)
    card = short_name(last.play.card, glyphs)
    taken = _names(last.play.captured, glyphs)
    text = f"{who} played {card} and took {taken}." if taken else f"{who} laid {card}."
    rest = view.news.removeprefix(view.moves[-1])
    return f"{text}{' Scopa!' if last.scopa else ''}{rest}"


def _short_preview(play: Action, glyphs: Glyphs) -> str:
    if not isinstance(play, Play):
        return ""
    card, taken = short_name(play.card, glyphs), _names(play.captured, glyphs)
    return f"{card} takes {taken}. Enter plays." if taken else ""


def _names(cards: Iterable[Card], glyphs: Glyphs) -> str:
    return " ".join(short_name(card, glyphs) for card in cards)
