"""What somebody reads who types help."""

from __future__ import annotations

from scopa_net.ui.decks import Deck

__all__ = ["FOR_PLAYERS", "ONLY_LOOKS", "help_lines"]

_WITH_OTHERS = (
    "say and a text writes it to everybody; mute and a name shows no more, or again, "
    "what that player writes. retry calls who is away now."
)

_HELP = (
    "Type the number of a card in your hand to play it.",
    "If it can take in several ways, type the letter of one, or back.",
    "A card can also be typed as rank and suit, and what it takes after an x: "
    "7D, or 7Dx3C4S.",
    "Where the game knows that: low or three declares your hand, claim takes what was "
    "overlooked, match claims the match.",
    "table and hand repeat the cards; score tells the points; last repeats what was "
    "played since your turn; who tells whose turn it is; rules tells the rules.",
    "hint asks a bot what it would play, and why; quit leaves the match.",
    "resign gives the match up; adjourn leaves for today; void asks that this deal "
    "does not count. yes and no answer a question.",
)


FOR_PLAYERS = {"hand", "hint", "back", "resign", "adjourn", "void", "yes", "no"}
"""The commands that mean something in a seat only."""

ONLY_LOOKS = "You watch this match, and have no hand and no say in it."

_WATCHING = (
    ONLY_LOOKS,
    "table repeats the cards; score tells the points; last repeats what was played in "
    "this deal; who tells who plays and whose turn it is; rules tells the rules.",
    "mute and a name shows no more, or again, what that player writes. retry calls who "
    "is away now; quit leaves.",
)


def help_lines(
    deck: Deck, *, with_others: bool, watches: bool = False
) -> tuple[str, ...]:
    """All that can be typed; more at a table `with_others` elsewhere."""
    if watches:
        return _WATCHING
    more = (_WITH_OTHERS,) if with_others else ()
    return (*_HELP, *more, _letters(deck))


def _letters(deck: Deck) -> str:
    """What the letters of the notation stand for."""
    jack, queen, king = (deck.ranks.get(rank, str(rank)) for rank in (8, 9, 10))
    coins, cups, swords, clubs = deck.suits
    return (
        f"Ranks are A, 2 to 7, J for {jack}, Q for {queen}, K for {king}; suits are D "
        f"for {coins}, C for {cups}, S for {swords}, B for {clubs}."
    )
