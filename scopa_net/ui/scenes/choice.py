"""The ways to play the picked card, when there are several."""

from __future__ import annotations

from scopa_net.rules import Action, Claim, Play, Suit
from scopa_net.ui.canvas import Canvas
from scopa_net.ui.faces import Glyphs, short_name
from scopa_net.ui.keys import label_of
from scopa_net.ui.scenes.dialog import Line, draw_dialog
from scopa_net.ui.scenes.table import Places
from scopa_net.ui.view import ViewState
from scopa_net.ui.words import counted, speech

__all__ = ["draw_choice"]

ROWS_MAX = 3
FEW = 3
"""So many ways stand one below the other; more in two columns."""


def draw_choice(
    canvas: Canvas, view: ViewState, glyphs: Glyphs, places: Places
) -> None:
    """A list with a letter for each way; the current one is marked."""
    ways = view.ways
    across = 1 if len(ways) <= FEW else 2
    cell = 46 if across == 1 else min((canvas.columns - 6) // 2, 38)
    page = across * ROWS_MAX
    start = view.way // page * page
    shown = range(start, min(start + page, len(ways)))
    rows: list[list[tuple[int, str, str]]] = [
        [] for _ in range(-(-len(shown) // across))
    ]
    for at in shown:
        row, column = divmod(at - start, across)
        current = at == view.way
        sign = glyphs.pointer if current else " "
        text = f"{sign} {label_of(at)}  {_way(ways[at], glyphs, cell - 6)}"
        rows[row].append((column * cell, text, "current" if current else ""))
    title = "Say what?"
    if isinstance(ways[0], Play):
        title = f"{glyphs.deck.name(ways[0].card)} takes which?"
    if len(ways) > page:
        title += f" {start // page + 1}/{-(-len(ways) // page)}"
    top = places.table_top + places.table_height - 2
    lines = [Line(tuple(row)) for row in rows]
    width = across * cell + 4
    draw_dialog(canvas, glyphs, title, lines, width=width, top=top, within=places.main)


def _way(play: Action, glyphs: Glyphs, cells: int) -> str:
    if not isinstance(play, Play):
        cards = play.captured if isinstance(play, Claim) else ()
        names = " + ".join(short_name(card, glyphs) for card in cards)
        return f"{f'claim {names}' if cards else speech(play, glyphs.deck):<{cells}}"
    if not play.captured:
        return f"{'nothing, it stays on the table':<{cells}}"
    names = " + ".join(short_name(card, glyphs) for card in play.captured)
    coins = sum(card.suit is Suit.DENARI for card in play.captured)
    gain = counted(len(play.captured), "card")
    if coins:
        gain += f", {counted(coins, glyphs.deck.coin, glyphs.deck.coins)}"
    return f"{names}{gain:>{max(cells - len(names), 0)}}"
