"""The table: who sits there, what lies on it, the own hand, and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from protocol.text import chat_text
from scopa_net.rules import SETTEBELLO, Action, Card, Claim, Play
from scopa_net.ui.board import Board
from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.company import Company
from scopa_net.ui.faces import LARGE, MEDIUM, SIZES, SMALL, TINY, Edge, Glyphs
from scopa_net.ui.scenes.cards import Shown, draw_cards, fitting
from scopa_net.ui.scenes.messages import draw_messages
from scopa_net.ui.scenes.seats import draw_opponents, tally_words
from scopa_net.ui.scenes.side import draw_side
from scopa_net.ui.scenes.status import draw_status
from scopa_net.ui.view import Overlay, ViewState
from scopa_net.ui.words import seat_name

__all__ = ["Places", "draw_table", "layout"]

SIDE_WIDTH = 34
SIDE_FROM_COLUMNS = 104
LARGE_FROM_ROWS = 34
LARGE_FROM_COLUMNS = 84
WATCHING_ROWS = 2
"""What was written last, and who plays."""
BESIDE = 20
"""The columns for words at each side of the hand."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are: `main` columns beside the side panel, rows from the top."""

    main: int
    side: int
    table_top: int
    table_height: int
    hand_top: int
    hand_height: int
    large: bool


def layout(columns: int, rows: int, *, watches: bool = False) -> Places:
    """The places on a screen of this size; who `watches` has no hand."""
    side = SIDE_WIDTH if columns >= SIDE_FROM_COLUMNS else 0
    main = columns - side
    large = rows >= LARGE_FROM_ROWS and main >= LARGE_FROM_COLUMNS
    hand = WATCHING_ROWS if watches else (LARGE if large else MEDIUM).height + 2
    hand_top = rows - 3 - hand
    return Places(main, side, 4, hand_top - 4, hand_top, hand, large)


def draw_table(canvas: Canvas, view: ViewState, glyphs: Glyphs, places: Places) -> None:
    """Everything but what lies over it."""
    draw_status(canvas, view, glyphs)
    if view.company is not None and view.board is not None:
        draw_opponents(canvas, view, glyphs, places.main)
    _draw_tavola(canvas, view, glyphs, places)
    if view.said:
        # Between table and hand, and below a card that is raised there.
        said = cut(view.said[-1], places.main - 2, glyphs.ellipsis)
        canvas.put(1, places.hand_top, said, "faint")
    if view.company is not None and view.board is not None:
        _draw_own(canvas, view, glyphs, places, view.company, view.board)
    if places.side:
        draw_side(canvas, view, glyphs, places.main, places.side)
    draw_messages(canvas, view, glyphs)
    _draw_bar(canvas, view, glyphs)


def _draw_tavola(
    canvas: Canvas, view: ViewState, glyphs: Glyphs, places: Places
) -> None:
    x, y = 1, places.table_top
    width, height = places.main - 2, places.table_height
    canvas.fill(x, y, width, height, "felt")
    for row, line in enumerate(glyphs.plain.lines(width, height)):
        canvas.put(x, y + row, line, "frame.felt")
    cards = _lying(view, glyphs)
    count = len(view.board.table) if view.board else 0
    canvas.put(x + 2, y, f" TABLE {count} card{'' if count == 1 else 's'} ", "strong")
    if view.board is not None and not view.shuffling:
        left = f" {view.board.tallone or 'none'} left to deal "
        canvas.put(x + width - 3 - width_of(left), y, left)
    area = (x + 1, y + 1, width - 2, height - 2)
    sizes = SIZES if places.large else SIZES[1:]
    draw_cards(
        canvas, cards, glyphs, area, fitting(len(cards), width - 2, height - 2, sizes)
    )


def _lying(view: ViewState, glyphs: Glyphs) -> list[Shown]:
    """The cards on the table, with what the shown or previewed play does to them."""
    board, company = view.board, view.company
    if board is None or company is None:
        return []
    showing, last = view.showing, view.last
    if showing is not None:
        play = showing.played.play
        who = seat_name(showing.played.seat, company, begins=True)
        played = Shown(play.card, Edge.LAST, f"{glyphs.up}{who}")
        lying = [
            Shown(card, Edge.CHOSEN, "TAKEN") if card in play.captured else Shown(card)
            for card in showing.table
        ]
        return [*lying, played]
    taken = taken_by(view.previewed)
    found = []
    for card in board.table:
        if card in taken:
            found.append(Shown(card, Edge.CHOSEN, "TAKE"))
        elif last is not None and last.play.card == card:
            who = seat_name(last.seat, company, begins=True)
            found.append(Shown(card, Edge.LAST, f"{glyphs.up}{who}"))
        else:
            found.append(Shown(card))
    return found


def taken_by(action: Action | None) -> tuple[Card, ...]:
    """The cards on the table that an action would take."""
    return action.captured if isinstance(action, Play | Claim) else ()


def _draw_own(
    canvas: Canvas,
    view: ViewState,
    glyphs: Glyphs,
    places: Places,
    company: Company,
    board: Board,
) -> None:
    cards = [
        Shown(
            card,
            Edge.CHOSEN if at == view.picked else Edge.PLAIN,
            str((at + 1) % 10),
            "key" if view.asked is not None else "faint",
            raised=at == view.picked,
        )
        for at, card in enumerate(board.hand)
    ]
    top, height = places.hand_top, places.hand_height
    sizes = SIZES if places.large else SIZES[1:]
    wide = places.main - 4
    size, alone = TINY, True
    for one in sizes:
        needed = len(cards) * (one.width + 1) - 1
        if needed <= wide:
            size, alone = one, needed > wide - 2 * BESIDE
            break
    _draw_own_words(canvas, view, glyphs, places, company, board, alone=alone)
    if size == TINY:
        height = SMALL.height
    draw_cards(canvas, cards, glyphs, (2, top + 1, wide, height - 1), size)
    if size == TINY and cards:
        numbers = " ".join(f"{(at + 1) % 10:^{TINY.width}}" for at in range(len(cards)))
        canvas.put(2 + (wide - len(numbers)) // 2, top + 3, numbers, "key")


def _draw_own_words(
    canvas: Canvas,
    view: ViewState,
    glyphs: Glyphs,
    places: Places,
    company: Company,
    board: Board,
    *,
    alone: bool,
) -> None:
    """Whose turn it is on the left, what the own side has taken on the right."""
    top = places.hand_top + 1
    you = company.you
    state, ink = _turn_words(view, company, board, glyphs)
    if view.watches:
        # What each side has taken stands with its seats.
        canvas.put(2, top, cut(state, places.main - 4, glyphs.ellipsis), ink)
        return
    side = company.sides[0]
    words = tally_words(board, side, company.deck)
    if alone:
        row = places.hand_top - 1
        at = canvas.put(3, row, f" You  {state} ", ink)
        text = cut(f" {', '.join(words)} ", places.main - 4 - at, glyphs.ellipsis)
        canvas.put(places.main - 3 - width_of(text), row, text)
        return
    team = company.members(side)[1:]
    if you is not None:
        canvas.put(2, top, "You", "strong")
    canvas.put(2, top + 1, cut(state, BESIDE, glyphs.ellipsis), ink)
    if team:
        names = "+".join(company.names[at] for at in team)
        canvas.put(2, top + 2, cut(f"with {names}", BESIDE, glyphs.ellipsis), "faint")
    pile = board.piles[side]
    right = [
        words[0],
        words[1],
        "settebello" if SETTEBELLO in pile else "no settebello",
        words[2],
    ]
    for row, text in enumerate(right, top):
        canvas.put(places.main - 2 - width_of(text), row, text)


def _turn_words(
    view: ViewState, company: Company, board: Board, glyphs: Glyphs
) -> tuple[str, str]:
    if view.showing is not None:
        who = seat_name(view.showing.played.seat, company)
        return f"{glyphs.off} {who} played", "faint"
    if view.ended is not None:
        return "match over", "faint"
    if view.asked is not None:
        return f"{glyphs.on} your turn", "turn"
    if view.scored is not None:
        return "deal over", "faint"
    if view.shuffling:
        return f"{glyphs.off} shuffling", "faint"
    if view.unanswered:
        return f"{glyphs.off} a void is asked", "faint"
    if board.turn is None or board.turn == company.you:
        return f"{glyphs.off} a moment", "faint"
    return f"{glyphs.off} {company.names[board.turn]} to play", "faint"


def _draw_bar(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """The keys of the moment; what does not fit is left out, but for help and q."""
    row = canvas.rows - 1
    canvas.fill(0, row, canvas.columns, 1, "bar")
    if view.typed is not None:
        _draw_typed(canvas, view.typed, glyphs)
        return
    always = [("?", "help"), ("q", "leave")]
    first, room = _keys(view, glyphs), canvas.columns - 1
    room -= sum(width_of(key) + width_of(does) + 3 for key, does in always)
    x = 1
    for key, does in first:
        wide = width_of(key) + width_of(does) + 3
        if wide <= room:
            room -= wide
            x = canvas.put(canvas.put(x, row, key, "key") + 1, row, does) + 2
    for key, does in [] if _covered(view) else always:
        x = canvas.put(canvas.put(x, row, key, "key") + 1, row, does) + 2


def _draw_typed(canvas: Canvas, typed: str, glyphs: Glyphs) -> None:
    """What is being written, its end always in sight, in the place of the keys."""
    row = canvas.rows - 1
    does = [(glyphs.enter, "send"), ("Esc", "close")]
    end = canvas.columns - 1 - sum(width_of(key) + width_of(w) + 3 for key, w in does)
    x = canvas.put(1, row, "Say:", "strong") + 1
    shown = chat_text(f"|{typed}|")[1:-1]
    while width_of(shown) > end - x - 2:
        shown = shown[1:]
    canvas.put(canvas.put(x, row, shown), row, "_", "key")
    x = end
    for key, word in does:
        x = canvas.put(canvas.put(x + 2, row, key, "key") + 1, row, word)


def _covered(view: ViewState) -> bool:
    return view.overlay is not None or view.ended is not None


def _keys(view: ViewState, glyphs: Glyphs) -> Sequence[tuple[str, str]]:
    enter = glyphs.enter
    match view.overlay:
        case Overlay.LEAVE:
            leave = "save and leave" if view.kept else "leave"
            resign = [] if view.watches else [("r", "resign")]
            return [(enter, leave), *resign, ("Esc", "stay")]
        case Overlay.RESIGN | Overlay.VOID | Overlay.VOID_ASKED:
            return [("y", "yes"), ("n", "no")]
        case Overlay.DEAL_OVER if view.ended is None:
            return [(enter, "go on"), (glyphs.up_down, "scroll"), ("q", "leave")]
        case Overlay.HELP | Overlay.SCORE | Overlay.MOVES:
            return [("Esc", "close"), (glyphs.up_down, "scroll")]
        case _ if view.ended is not None:
            return [(enter, "leave the table")]
    if len(view.ways) > 1:
        does = "play that way" if view.picked is not None else "say that"
        return [
            ("a b c", does),
            (glyphs.up_down, "look"),
            (enter, "play" if view.picked is not None else "say"),
            ("Esc", "back"),
            ("h", "hint"),
        ]
    held = len(view.board.hand) if view.board else 0
    number = f"1-{held % 10}" if held > 1 else "1"
    cards = [(number, "card"), (glyphs.left_right, "move"), (enter, "play")]
    if view.ways:
        cards.append(("Esc", "back"))
    elif view.speeches:
        cards.append(("x", "declare or claim"))
    asked = cards if view.asked is not None else []
    hint = [("h", "hint")] if view.hints and asked else []
    chat = [("t", "chat")] if view.chats and not view.watches else []
    away = [("r", "call again")] if view.may_call and not asked else []
    return [*asked, *hint, *chat, *away, ("s", "score"), ("l", "plays")]
