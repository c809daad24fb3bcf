"""Who watches the match, as the own player is told of it."""

from collections.abc import Callable
from typing import Any, Final

from twisted.internet.interfaces import IDelayedCall

from protocol.text import SafeText
from scopa_net.ui.words import and_list, counted

__all__ = ["Watchers", "watching_words"]

QUIET_S: Final = 2.0
"""At most so often it is told, whatever others say of who watches."""

NAMES_MAX: Final = 32
"""So many names are told of one by one."""


class Watchers:
    """Tells who watches, and a person once of each who comes.

    `tell` is for programs, `show` for a person.
    """

    def __init__(
        self,
        reactor: Any,
        tell: Callable[[tuple[SafeText, ...]], None],
        show: Callable[[str], None],
    ) -> None:
        self._reactor = reactor
        self._tell = tell
        self._show = show
        self._here: tuple[SafeText, ...] = ()
        self._elsewhere: tuple[SafeText, ...] = ()
        self._told: tuple[SafeText, ...] = ()
        self._met: set[SafeText] = set()
        self._timer: IDelayedCall | None = None

    def here(self, names: tuple[SafeText, ...]) -> None:
        """These have links to here."""
        self._here = names
        self._changed()

    def elsewhere(self, names: tuple[SafeText, ...]) -> None:
        """These have links to other seats, as those say."""
        self._elsewhere = names
        self._changed()

    def close(self) -> None:
        """Tell nothing more."""
        if self._timer is not None and self._timer.active():
            self._timer.cancel()

    def _changed(self) -> None:
        if self._timer is None or not self._timer.active():
            self._timer = self._reactor.callLater(QUIET_S, self._tell_all)

    def _tell_all(self) -> None:
        names = tuple(sorted((*self._here, *self._elsewhere)))
        if names == self._told:
            return
        self._told = names
        self._tell(names)
        new = [name for name in dict.fromkeys(names) if name not in self._met]
        if new and len(self._met) + len(new) <= NAMES_MAX:
            self._met.update(new)
            self._show(watching_words(new, len(names)))


def watching_words(new: list[SafeText], all_of_them: int) -> str:
    """Who has come to watch, and how many do now."""
    verb = "watches" if len(new) == 1 else "watch"
    more = (
        ""
        if all_of_them == len(new)
        else f" {counted(all_of_them, 'person', 'people')} watch now."
    )
    return f"{and_list(new)} {verb}.{more}"
