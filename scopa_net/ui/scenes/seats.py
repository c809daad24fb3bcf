"""The other seats: their names, how many cards they hold, what their side has taken."""

from __future__ import annotations

from scopa_net.rules import SETTEBELLO, Suit
from scopa_net.ui.absence import lasted
from scopa_net.ui.board import Board
from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.company import Company
from scopa_net.ui.decks import Deck
from scopa_net.ui.faces import Glyphs, short_name
from scopa_net.ui.view import Link, ViewState
from scopa_net.ui.words import counted

__all__ = ["draw_opponents", "tally_words"]

ROWS = 3
BACKS_MAX = 3


def tally_words(board: Board, side: int, deck: Deck) -> tuple[str, str, str]:
    """How many cards, coins and scope a side has taken."""
    pile = board.piles[side]
    coins = sum(card.suit is Suit.DENARI for card in pile)
    scope = counted(board.scope[side], "scopa", "scope")
    return counted(len(pile), "card"), counted(coins, deck.coin, deck.coins), scope


def draw_opponents(
    canvas: Canvas, view: ViewState, glyphs: Glyphs, columns: int
) -> None:
    """The other seats in the order of play, in up to three rows from the second on."""
    company, board = view.company, view.board
    if company is None or board is None:
        return
    players = len(company.names)
    start = 0 if company.you is None else company.you + 1
    count = players if company.you is None else players - 1
    seats = [(start + at) % players for at in range(count)]
    across = -(-count // ROWS)
    width = (columns - 2) // across
    first_row = 2 if count == 1 else 1
    for at, seat in enumerate(seats):
        x, y = 2 + at // ROWS * width, first_row + at % ROWS
        _draw_opponent(canvas, view, glyphs, seat, (x, y, width - 2))


def _draw_opponent(
    canvas: Canvas,
    view: ViewState,
    glyphs: Glyphs,
    seat: int,
    area: tuple[int, int, int],
) -> None:
    company, board = view.company, view.board
    assert company is not None
    assert board is not None
    x, y, width = area
    plays = board.turn == seat and not view.shuffling
    sign = glyphs.pointer if plays else " "
    canvas.put(x - 1, y, sign, "turn")
    wide = width > 60
    name = cut(company.names[seat], 16 if wide else 10, glyphs.ellipsis)
    at = canvas.put(x, y, name, "turn" if plays else "strong")
    at = max(at, x + (12 if wide else 10)) + 1
    held, shown = board.held[seat], board.shown[seat]
    if shown:
        names = " ".join(short_name(card, glyphs) for card in shown)
        at = canvas.put(at, y, names) + 1
    elif held <= BACKS_MAX and wide:
        for _ in range(held):
            at = canvas.put(at, y, glyphs.back, "back") + 1
    else:
        at = canvas.put(at, y, f"{glyphs.back}{glyphs.times}{held}", "back") + 1
    room = max(x + width - at - 1, 0)
    told = _words(view, company, board, glyphs, seat)
    fitting = [text for text in told if width_of(text) <= room]
    text = cut(fitting[0] if fitting else told[-1], room, glyphs.ellipsis)
    warned = seat in view.silent
    canvas.put(x + width - width_of(text), y, text, "warning" if warned else "")


def _words(
    view: ViewState, company: Company, board: Board, glyphs: Glyphs, seat: int
) -> list[str]:
    """What the seat's side has taken, from long to short; of a team, told once."""
    if seat in view.silent:
        lost = view.links[seat] is Link.LOST
        gone = "is away" if lost else "does not answer"
        return [f"{gone} {lasted(view.away_s[seat])}", gone]
    side = seat % company.variant.sides
    members = company.members(side)
    if company.you in members:
        return ["plays with you", "with you"]
    if len(members) > 1 and seat != members[0]:
        first = company.names[members[0]]
        return [f"plays with {first}", f"with {first}"]
    dot = f" {glyphs.dot} "
    cards, coins, scope = tally_words(board, side, company.deck)
    whole = dot.join((cards, coins, scope))
    told = [whole, dot.join((cards, scope)), cards]
    words = company.words[seat] if company.words else ""
    if words and view.deal == 0 and len(view.moves) < len(company.names):
        # The first thing to read of who is new, until everybody has played a card.
        return [f"new, key {words}", words, *told]
    if SETTEBELLO in board.piles[side]:
        told.insert(0, f"{whole}{dot}settebello")
    who = "they: " if len(members) > 1 else ""
    return [f"{who}{text}" for text in told]
