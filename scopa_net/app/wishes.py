"""What a player wants of a table, before it is known which table it is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from protocol.codes import Servers
from protocol.room import Declined
from scopa_net.app.meeting import OtherRules
from scopa_net.rules import Variant

__all__ = ["SEAT_FORGOTTEN", "Wishes", "check_side", "no_place"]

SEAT_FORGOTTEN: Final = (
    "You have a seat at this table already, and what was kept of it here is gone, so "
    "nobody can play it: ask the host for a new table."
)


@dataclass(frozen=True, slots=True)
class Wishes:
    """A name to be called by; the game, if no other will do; and the side to play for.

    Sides are counted from 0. `agrees` says of servers that the host names whether they
    may be asked to find the others again.
    """

    name: str
    variant: Variant | None = None
    side: int | None = None
    agrees: Callable[[Servers], bool] = lambda _: False


def no_place(why: Declined, side: int | None, *, carried: bool) -> OtherRules:
    """Why the host has no place, for who wishes for that side, if for any.

    Where a score is `carried` on, everybody is to have the side of before.
    """
    if why is Declined.PERSON:
        return OtherRules("The host's player does not want you at this table.")
    if carried:
        return OtherRules(
            "In the match whose score is carried on you were not on the side on which "
            "you would sit here, as the host keeps it: have you the same data folder, "
            "and the old match in it?"
        )
    if side is None:
        return OtherRules("All places of this table are taken.")
    return OtherRules(
        f"All places of side {side + 1} are taken: choose another side, or none to "
        "have yours drawn."
    )


def check_side(side: int | None, variant: Variant) -> None:
    """Raise `OtherRules` if that is no side that one can choose."""
    if side is None:
        return
    if variant.carried is not None:
        raise OtherRules("Here everybody has the side of the old match: choose none.")
    if variant.sides == variant.players:
        raise OtherRules("At this table everybody plays alone: choose no side.")
    if side >= variant.sides:
        raise OtherRules(
            f"There is no side {side + 1} at this table: choose from 1 to "
            f"{variant.sides}."
        )
