"""The score that a new match carries on, held against what is kept of the old one.

A seat that was given up for good is not replaced: the others play a new match from the
old score, which is a rule of its table (`scopa_net.rules.Carried`). Whoever holds the
old match checks it before sitting down; whoever does not takes it as told.
"""

from dataclasses import dataclass, replace

from twisted.internet.defer import Deferred, succeed

from protocol.room import Room
from scopa_net.app.meeting import OtherRules
from scopa_net.app.questions import Questions
from scopa_net.home import Home
from scopa_net.rules import Carried, RulesError, Variant
from scopa_net.summary import Standing, Summary
from scopa_net.ui.words import and_list, carried_score

__all__ = ["CarriedScore", "NotCarried", "carried_variant"]


class NotCarried(Exception):
    """A kept match has no score that a new one could start from."""


@dataclass(frozen=True, slots=True)
class _Old:
    """The match that is carried on, as this home keeps it."""

    summary: Summary
    standing: Standing

    @property
    def sides(self) -> dict[bytes, int]:
        """Where each player sat."""
        keys, sides = self.standing.keys, len(self.summary.scores)
        return {bytes.fromhex(key): at % sides for at, key in enumerate(keys)}


def carried_variant(home: Home, match: str, own: bytes) -> Variant:
    """What is played if the score of a kept match is carried on.

    Raises `MatchMissing`, and `NotCarried` if it has none that could be.
    """
    saved = home.find(match)
    summary = saved.summary
    standing = None if summary is None else summary.standing
    if summary is None or standing is None:
        raise NotCarried("Nobody was seated in that match, so it has no score.")
    if own.hex() not in standing.keys:
        raise NotCarried("That is not a match of yours: you have no side in it.")
    if standing.blamed:
        raise NotCarried(
            "Somebody was proven to have cheated in that match: its score counts for "
            "nothing."
        )
    if summary.winner is not None:
        raise NotCarried(_won(summary))
    if summary.deals == 0:
        raise NotCarried(
            "No deal of that match has been scored: a new match loses nothing."
        )
    if saved.process is not None:
        raise NotCarried("That match is open in another window: end it first.")
    carried = Carried(summary.scores, standing.table, standing.mark)
    try:
        return replace(standing.variant, carried=carried)
    except RulesError as reason:
        raise NotCarried(f"That score cannot be carried on: {reason}") from reason


class CarriedScore:
    """The score that a match of `variant` carries on, for who has the key `own`.

    There may be none; then there is nothing to check.
    """

    def __init__(self, home: Home, own: bytes, variant: Variant) -> None:
        self._own = own
        self._carried = variant.carried
        self._places = variant.players // variant.sides
        self._old = None if self._carried is None else _kept(home, self._carried)

    def side(self) -> int | None:
        """The side that the own player had, and has to have again.

        Raises `OtherRules` if the score is not that of the old match, as kept here.
        """
        if self._carried is None or self._old is None:
            return None
        _check_score(self._carried, self._old)
        return self._old.sides.get(self._own)

    def sides(self) -> dict[bytes, int]:
        """On which side each player of the old match was, and has to be again."""
        return {} if self._old is None else self._old.sides

    def consider(self, room: Room, questions: Questions | None) -> "Deferred[None]":
        """Fires when the own player would go on with these, or nothing is carried.

        Raises and fails with `OtherRules`. Without `questions` nobody is asked, and
        nobody is before all are there.
        """
        if self._carried is None:
            return succeed(None)
        if self._old is not None:
            _check_score(self._carried, self._old)
            self._check_sides(room, self._old)
        if questions is None or not room.full:
            return succeed(None)
        return questions.ask(*self.question(room)).addCallback(_said)

    def question(self, room: Room) -> tuple[str, ...]:
        """What the player is asked, the question last."""
        assert self._carried is not None, "who carries nothing is asked nothing"
        score = carried_score(self._carried)
        if self._old is None:
            return (
                f"This match starts from {score}, the score of a match that is not "
                "kept here: is that right? [y/N]",
            )
        keys = {one.key.hex() for one in room.players}
        summary, standing = self._old.summary, self._old.standing
        each = list(zip(summary.names, standing.keys, strict=True))
        gone = [name for name, key in each if key not in keys]
        sides = len(summary.scores)
        told = ", ".join(
            f"{and_list(summary.names[side::sides])} {points}"
            for side, points in enumerate(summary.scores)
        )
        if gone:
            are = "are" if gone[1:] else "is"
            known = {key for _, key in each}
            shown = room.shown().players
            new = [one.name for one in shown if one.key.hex() not in known]
            play = "play" if new[1:] else "plays"
            whose = (
                f"with {and_list(gone)}, who {are} not in it; {and_list(new)} {play} "
                "instead"
            )
        else:
            others = [name for name, key in each if key != self._own.hex()]
            whose = f"with {and_list(others)}"
        return (
            f"The old match stands at {told}.",
            f"This match goes on from {score} of the match {whose}: is that right? "
            "[y/N]",
        )

    # -- inside --------------------------------------------------------------

    def _check_sides(self, room: Room, old: _Old) -> None:
        """Whoever was there gets the old score, so it has to have the old side."""
        for one in room.shown().players:
            side = old.sides.get(one.key)
            if side is not None and one.side != side:
                raise OtherRules(
                    f"{one.name} would not be on the side that it had in the match "
                    "whose score is carried on. Nothing was signed."
                )
        sides = [one.side for one in room.players if one.side is not None]
        if any(sides.count(side) > self._places for side in sides):
            raise OtherRules(
                "More players want to be on one side than it has places, so the "
                "carried score would change hands. Nothing was signed."
            )


def _won(summary: Summary) -> str:
    """Why nothing is left to play of a match that has a winner.

    One that was given up, and that nobody has won, goes on among those who are left.
    """
    names = [summary.names[place] for place in summary.resigned]
    how = f", as {and_list(names)} gave it up" if names else ""
    return f"That match is won{how}: nothing of it is left to play."


def _kept(home: Home, carried: Carried) -> _Old | None:
    """What is kept of the old match; of two copies the one that goes farther."""
    found = [
        _Old(summary, summary.standing)
        for saved in home.saved()
        if (summary := saved.summary) is not None
        and summary.standing is not None
        and summary.standing.table == carried.table
    ]
    return max(found, key=lambda old: old.summary.deals, default=None)


def _check_score(carried: Carried, old: _Old) -> None:
    told, here = carried_score(carried), old.summary.scores
    if old.standing.blamed:
        raise OtherRules(
            f"The host carries on {told} of a match in which somebody was proven to "
            "have cheated, as it is kept here."
        )
    if old.summary.winner is not None:
        raise OtherRules(
            f"The host carries on {told} of a match that is won, as it is kept here."
        )
    if carried.scores != here:
        kept = " - ".join(map(str, here))
        raise OtherRules(
            f"The host carries on {told} of a match that stands at {kept} as it is "
            "kept here."
        )
    if carried.mark != old.standing.mark:
        raise OtherRules(
            f"The host carries on {told} of a match whose deals are not those that are "
            "kept here."
        )


def _said(yes: bool) -> None:  # noqa: FBT001 - an answer
    if not yes:
        raise OtherRules(
            "Nothing was signed, and no card was dealt: the score was not to be "
            "carried on."
        )
