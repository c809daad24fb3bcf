"""The score: of a deal that is over, with the reason of each point, and so far."""

from __future__ import annotations

from scopa_net.events import DealScored
from scopa_net.ui.board import Board
from scopa_net.ui.canvas import Canvas, cut, width_of, wrap
from scopa_net.ui.company import Company
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.reckoning import reckoning
from scopa_net.ui.scenes.dialog import Line, draw_dialog, keys_line
from scopa_net.ui.scenes.leaving import ending_lines
from scopa_net.ui.scenes.seats import tally_words
from scopa_net.ui.scenes.status import side_title
from scopa_net.ui.view import ViewState
from scopa_net.ui.words import goal_words

__all__ = ["draw_deal_over", "draw_score"]

WIDTH = 78
TITLE = 11
CATEGORIES = {
    "Cards": "cards",
    "Coins": "coins",
    "Diamonds": "coins",
    "Settebello": "settebello",
    "Primiera": "primiera",
    "Sevens": "sevens",
    "Scope": "scope",
    "Napola": "napola",
    "Re bello": "re_bello",
    "Extras": "extra",
}
"""The categories by the words with which a line of the reckoning begins."""


def draw_deal_over(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """How the match ended, if it has; every point with its reason, and the totals."""
    scored, company = view.scored, view.company
    if scored is None or company is None:
        return
    width = min(WIDTH, canvas.columns - 2)
    columns = 6 if len(company.sides) > 2 else 9
    why = TITLE + columns * len(company.sides) + 2
    # How the match ended stands first: it is seen although the rest has to be scrolled.
    end = ending_lines(view, width - 4)
    lines = [*end, *([Line.of("")] if end else [])]
    lines.append(_titles(company, columns, why, glyphs))
    _, *told = reckoning(scored, company)
    *told, _, _ = told
    # What was left is told after the points, and so are notes without a category.
    for sentence in sorted(told, key=lambda one: _category_of(one) is None):
        lines += _category(sentence, scored, company, (columns, why, width - 4 - why))
    rule = Line.of(glyphs.plain.across * (width - 4), "frame.dialog")
    deal = [side.total for side in scored.sides]
    avoid = company.variant.goal == "avoid"
    target = f"{'lost at' if avoid else 'of'} {company.variant.target}"
    lines += [
        rule,
        _figures("This deal", deal, company, columns),
        _figures("Match", scored.scores, company, columns, (why, target)),
    ]
    keys = keys_line((glyphs.enter, "go on"), ("q", "leave"))
    if view.ended is not None:
        keys = keys_line((glyphs.enter, "leave the table"))
    lines.append(keys)
    title = f"End of deal {scored.deal + 1}"
    draw_dialog(canvas, glyphs, title, lines, width=width, scroll=view.top)


def draw_score(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """The match, and what each side has taken in the running deal."""
    company, board = view.company, view.board
    if company is None or board is None:
        return
    columns = 16
    lines = [_titles(company, columns, 0, glyphs)]
    lines.append(
        _figures(
            goal_words(company.variant).capitalize(), view.scores, company, columns
        )
    )
    lines += [
        Line(
            tuple(
                (TITLE + columns * at + columns - width_of(text), text, "")
                for at, text in enumerate(row)
            )
        )
        for row in _tallies(board, company)
    ]
    draw_dialog(
        canvas, glyphs, "The score so far", lines, width=TITLE + columns * 3 + 6
    )


def _tallies(board: Board, company: Company) -> list[tuple[str, ...]]:
    """By row, then by side; declared points where hands are declared."""
    tallies = [tally_words(board, side, company.deck) for side in company.sides]
    rows: list[tuple[str, ...]] = list(zip(*tallies, strict=True))
    if company.variant.accusi == "on":
        rows.append(tuple(f"{board.declared[side]} declared" for side in company.sides))
    return rows


def _titles(company: Company, columns: int, why: int, glyphs: Glyphs) -> Line:
    parts = [(0, "Point" if why else "", "strong")]
    for at, side in enumerate(company.sides):
        name = cut(side_title(side, company), columns - 1, glyphs.ellipsis)
        x = TITLE + columns * (at + 1) - width_of(name)
        parts.append((x, name, "strong"))
    if why:
        parts.append((why, "Why", "strong"))
    return Line(tuple(parts))


def _category_of(sentence: str) -> str | None:
    return CATEGORIES.get(sentence.partition(":")[0].partition(",")[0])


def _category(
    sentence: str,
    scored: DealScored,
    company: Company,
    places: tuple[int, int, int],
) -> list[Line]:
    """A line of the reckoning: what it is about, the points, and the reason."""
    columns, why, room = places
    category = _category_of(sentence)
    if category is None:
        return [Line.of(line, "faint") for line in wrap(sentence, why + room)]
    named, _, reason = sentence.partition(": ")
    title = named.partition(",")[0]
    first, *others = wrap(reason[:1].upper() + reason[1:], room) or [""]
    parts = [(0, cut(title, TITLE), "")]
    for at, side in enumerate(company.sides):
        points = scored.sides[side].points.get(category, 0)
        text = f"{points:+}" if points else "-"
        x = TITLE + columns * (at + 1) - width_of(text)
        parts.append((x, text, "key" if points else "faint"))
    parts.append((why, first, ""))
    return [Line(tuple(parts)), *(Line.of(line, at=why) for line in others)]


def _figures(
    title: str,
    figures: tuple[int, ...] | list[int],
    company: Company,
    columns: int,
    after: tuple[int, str] | None = None,
) -> Line:
    parts = [(0, title, "strong")]
    for at, side in enumerate(company.sides):
        text = str(figures[side])
        x = TITLE + columns * (at + 1) - width_of(text)
        parts.append((x, text, "strong"))
    if after is not None:
        parts.append((*after, ""))
    return Line(tuple(parts))
