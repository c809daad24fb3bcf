"""The line at the top: the deal, the match, and whether everybody can be reached."""

from __future__ import annotations

from scopa_net.ui.absence import lasted
from scopa_net.ui.canvas import Canvas, cut, width_of
from scopa_net.ui.company import Company
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.view import Link, ViewState

__all__ = ["draw_status", "side_title"]


def draw_status(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """Left the deal, in the middle the match, right the links."""
    canvas.fill(0, 0, canvas.columns, 1, "status")
    at = canvas.put(1, 0, "SCOPA", "strong")
    if view.board is not None:
        at = canvas.put(at + 2, 0, f"deal {view.deal + 1}")
    link, ink = _link_words(view, glyphs, canvas.columns // 2)
    right = canvas.columns - 1 - width_of(link)
    canvas.put(right, 0, link, ink)
    if view.company is not None:
        score = _score(view, view.company, glyphs)
        text = cut(score, right - at - 4, glyphs.ellipsis)
        middle = (canvas.columns - width_of(text)) // 2
        canvas.put(min(max(middle, at + 2), right - 2 - width_of(text)), 0, text)


def side_title(side: int, company: Company) -> str:
    """A side by its members, as short as it can be said."""
    members = company.members(side)
    return "+".join(
        "You" if seat == company.you else company.names[seat] for seat in members
    )


def _score(view: ViewState, company: Company, glyphs: Glyphs) -> str:
    start = company.variant.start
    scores = view.scores or start
    sides = company.sides
    avoid = company.variant.goal == "avoid"
    target = f"  {'lost at' if avoid else 'of'} {company.variant.target}"
    if company.variant.carried is not None:
        target += f", carries {' - '.join(str(start[side]) for side in company.sides)}"
    if len(sides) == 2:
        own, other = sides
        return (
            f"{side_title(own, company)} {scores[own]} {glyphs.dash} "
            f"{scores[other]} {side_title(other, company)}{target}"
        )
    told = [f"{side_title(side, company)} {scores[side]}" for side in sides]
    return f" {glyphs.dot} ".join(told) + target


def _link_words(view: ViewState, glyphs: Glyphs, room: int) -> tuple[str, str]:
    """The worst link, since the table waits for it, in so many columns."""
    if view.kept and view.ended is not None and not view.links:
        return "", "faint"
    if not view.links or view.company is None:
        return "watching" if view.watches else "offline", "faint"
    names = view.company.names
    for link, words in ((Link.LOST, "is away"), (Link.SILENT, "is silent")):
        for seat, state in enumerate(view.links):
            if state is link:
                told = f"{glyphs.off} {names[seat]} {words}"
                return f"{told} {lasted(view.away_s[seat])}", "warning"
    for seat, by in enumerate(view.by):
        if by is not None and view.links[seat] is Link.THROUGH:
            told = f"{glyphs.on} {names[seat]} is seen only through {names[by]}"
            if width_of(told) > room:
                told = f"{glyphs.on} {names[seat]} through {names[by]}"
            return cut(told, room, glyphs.ellipsis), "good"
    return f"{glyphs.on} {'watching' if view.watches else 'connected'}", "good"
