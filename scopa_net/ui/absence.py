"""Who of a match is not there, and the lines that tell it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scopa_net.ui.words import and_list, counted

__all__ = [
    "LONG_S",
    "NOBODY_AWAY",
    "Waiting",
    "calling_line",
    "lasted",
    "only_wait_line",
    "waiting_lines",
]

NOBODY_AWAY = "Nobody is away."
LONG_S: Final = 60.0
"""Who waits for so long is told what else can be done."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """Who is waited for: players by name, and so many more who have no name yet.

    `played` says that all is played, and only the result is not confirmed yet (F13),
    and `unseen` that others who are there do not see them either. `through` are those
    who are there, but not for us: each with the one who passes on what they say.
    `lasting` says that this is nothing new, but has been so for a minute; `carry` is
    then the ID by which a new match can start from the score, if there is a score.
    """

    names: tuple[str, ...] = ()
    more: int = 0
    played: bool = False
    unseen: bool = False
    through: tuple[tuple[str, str], ...] = ()
    lasting: bool = False
    carry: str = ""

    @property
    def over(self) -> bool:
        """Whether everybody is there."""
        return not self.names and not self.more


def only_wait_line(waiting: Waiting) -> str:
    """What one reads who only watches, and hears of those who are away by others."""
    if not waiting.names:
        return NOBODY_AWAY
    return f"Those who are there call {and_list(waiting.names)}; who watches waits."


def calling_line(waiting: Waiting) -> str:
    """What a person reads who does not want to wait for the next call."""
    if not waiting.names:
        return NOBODY_AWAY
    return f"Calling {and_list(waiting.names)} again now."


def lasted(seconds: int) -> str:
    """How long something has lasted, as a clock shows it."""
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def waiting_lines(
    waiting: Waiting, *, watches: bool = False, types: bool = False
) -> tuple[str, ...]:
    """What a person reads when this has changed; or one who only `watches`.

    Who `types` can do more about it than wait, or end the program.
    """
    through = tuple(
        f"{name} is seen only through {by}." for name, by in waiting.through
    )
    if waiting.over:
        return through or ("Everybody is there.",)
    if not waiting.names:
        return (f"Waiting for {counted(waiting.more, 'more player')}.",)
    names = and_list(waiting.names)
    if waiting.lasting:
        return _lasting_lines(waiting, watches=watches, types=types)
    if waiting.played:
        told = (
            "All is played. The result counts once it is confirmed: waiting for "
            f"{names}."
        )
        return (*through, told)
    unseen = ", whom nobody sees" if waiting.unseen else ""
    return (*through, f"Waiting for {names}{unseen}.")


def _lasting_lines(waiting: Waiting, *, watches: bool, types: bool) -> tuple[str, ...]:
    """What can be done when somebody does not come back."""
    names = and_list(waiting.names)
    have = "have" if len(waiting.names) > 1 else "has"
    been = f"{names} {have} been away for a minute."
    if watches:
        return (
            f"{been} You can wait, or leave: the same command watches again later.",
        )
    later = "the match is kept, and scopa resume goes on with it later."
    if not types or waiting.played:
        told = [f"{been} You can wait, or leave: {later}"]
    else:
        told = [
            f"{been} You can wait. adjourn tells the others that you leave for today, "
            f"and leaves: {later} void asks that this deal does not count, which takes "
            f"the yes of {names}, too; resign gives the match up."
        ]
    if waiting.carry:
        told.append(
            f"If {names} will not come back, leave: scopa host --carry {waiting.carry} "
            "starts a new match from this score."
        )
    return tuple(told)
