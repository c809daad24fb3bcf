"""A match that is kept, by what is kept beside it, in lines for a person.

`own` is the reader's place there; None if it has none, or none is known. As at the
table, the reader comes first, with its side.
"""

from collections.abc import Iterator

from scopa_net.summary import Summary
from scopa_net.ui.words import and_list, carried_score, counted

__all__ = ["kept_lines", "standing_line"]


def kept_lines(summary: Summary, own: int | None, new: str | None) -> Iterator[str]:
    """What is played, by whom, and how it stands; `new` carries its score on."""
    yield _tally(summary, own)
    if not summary.seated:
        return
    standing = summary.standing
    carried = None if standing is None else standing.carried
    if carried is not None:
        yield f"carries on from {carried_score(carried)} of an older match"
    if new is not None:
        yield f"carried on in {new}"
    doubt = "" if summary.confirmed else ", not confirmed by every player yet"
    winner = None if summary.winner is None else _side(summary, summary.winner, own)
    if summary.resigned:
        names = and_list([_name(summary, place, own) for place in summary.resigned])
        yield f"given up by {names}, won by {winner or 'nobody'}{doubt}"
        if winner is None and summary.deals and new is None and own is not None:
            yield "its score can be carried on: scopa host --carry, with its ID"
    elif winner is not None:
        yield f"won by {winner}{doubt}"
    elif summary.turn is not None:
        yield f"{_name(summary, summary.turn, own)} to play"


def _tally(summary: Summary, own: int | None) -> str:
    """What is played, by whom, and the score."""
    game = f"{summary.variant} to {summary.target}"
    if not summary.seated:
        return f"{game}: {and_list(summary.names)}, not seated yet"
    return f"{game}: {_scores(summary, own)}"


def standing_line(summary: Summary | None, own: int | None) -> str:
    """Of a match that is gone on with: who plays, and the score."""
    if summary is None or not summary.seated:
        return "It has not begun yet."
    return f"It stands at {_scores(summary, own)}."


def _scores(summary: Summary, own: int | None) -> str:
    sides = len(summary.scores)
    mine = None if own is None else own % sides
    scores = [
        f"{_side(summary, side, own)} {summary.scores[side]}"
        for side in sorted(range(sides), key=lambda side: side != mine)
    ]
    return f"{', '.join(scores)} after {counted(summary.deals, 'deal')}"


def _side(summary: Summary, side: int, own: int | None) -> str:
    """The names of a side, the reader first, as at the table."""
    places = range(side, len(summary.names), len(summary.scores))
    ranked = sorted(places, key=lambda place: place != own)
    return and_list([_name(summary, place, own) for place in ranked])


def _name(summary: Summary, place: int, own: int | None) -> str:
    return "you" if place == own else summary.names[place]
