"""The keys, and the rules in short."""

from __future__ import annotations

from itertools import zip_longest

from scopa_net.rules import Variant
from scopa_net.ui.canvas import Canvas, width_of, wrap
from scopa_net.ui.faces import Glyphs
from scopa_net.ui.rulebook import rulebook
from scopa_net.ui.scenes.dialog import Line, draw_dialog
from scopa_net.ui.view import ViewState

__all__ = ["draw_help"]

_WRITE = "write; /mute NAME hides somebody"
ONLY_WATCHES = "You watch this match: every hand is hidden from you till it is played."
RIGHT = 46
WIDTH = 76


def draw_help(canvas: Canvas, view: ViewState, glyphs: Glyphs) -> None:
    """In a box, two columns where there is room, else one below the other."""
    play: list[tuple[str, str]] = [
        ("", "PLAY"),
        ("1-9 0", "pick that card, see what it takes"),
        ("again", "the same number: play it"),
        (glyphs.enter, "play the picked card"),
        (glyphs.left_right, "move along the hand"),
        (glyphs.up_down, "look at the ways to play it"),
        ("a b c", "play it in that way"),
        ("Esc", "put the card back"),
        ("x", "declare or claim, in some games"),
        ("", ""),
        ("", "TABLE"),
        ("h", "hint from a bot"),
    ]
    write = "/mute NAME hides who writes" if view.watches else _WRITE
    keys: list[tuple[str, str]] = [
        *([("", "WATCHING")] if view.watches else play),
        ("s", "score so far"),
        ("l", "plays of this deal, and messages"),
        *([("t", write)] if view.chats else []),
        *([("r", "call who is away again")] if view.links else []),
        ("q", "leave"),
        ("?", "this help"),
    ]
    left = [
        ((0, key, "key"), (8 if key else 0, does, "" if key else "strong"))
        for key, does in keys
    ]
    rules = _rules(view.company.variant if view.company else None, glyphs)
    beside = canvas.columns - 2 >= WIDTH
    right = [
        ((RIGHT if beside else 0, told, "strong" if told.isupper() else ""),)
        for told in rules
    ]
    if beside:
        pairs = zip_longest(left, right, fillvalue=())
        lines = [Line((*one, *other)) for one, other in pairs]
    else:
        lines = [*map(Line, left), Line.of(""), *map(Line, right)]
    undo = "No undo: a card once played is signed and sent."
    lines += [Line.of(""), Line.of(ONLY_WATCHES if view.watches else undo)]
    draw_dialog(
        canvas, glyphs, "Keys and rules in short", lines, width=WIDTH, scroll=view.top
    )


def _rules(variant: Variant | None, glyphs: Glyphs) -> list[str]:
    """The classic game in short; any other as its rulebook has it, to scroll in."""
    told = rulebook(variant, glyphs.deck) if variant is not None else ()
    if not any(sentence.departs for sentence in told):
        return _classic(glyphs)
    lines: list[str] = []
    for at, sentence in enumerate(told):
        if at == 0 or sentence.title != told[at - 1].title:
            lines += [*([""] if at else []), sentence.title.upper()]
        lines += wrap(sentence.text, WIDTH - 4 - RIGHT)
    return lines


def _classic(glyphs: Glyphs) -> list[str]:
    deck = glyphs.deck
    coin, cup, sword, club = tuple(glyphs.suits)
    coins, cups, swords, clubs = deck.suits
    told = [
        "CAPTURE",
        "a card of the same value;",
        "if none lies there, any",
        "cards that add up to it",
        "   ".join(
            f"{deck.short(rank)} = {rank}" for rank in (8, 9, 10) if rank in deck.ranks
        ),
        "",
        "POINTS",
        "most cards          1",
        f"{f'most {coins}':<19} 1",
        f"settebello, the 7{coin}  1",
        "best primiera       1",
        "each scopa          1",
        "",
        f"{coin} {coins:<8}{cup} {cups}",
        f"{sword} {swords:<8}{club} {clubs}",
    ]
    assert all(width_of(line) <= WIDTH - 4 - RIGHT for line in told)
    return told
