"""How a player is told who watches."""

from twisted.internet.task import Clock

from protocol.text import SafeText
from scopa_net.app.watchers import NAMES_MAX, QUIET_S, Watchers

CY, DI = SafeText("Cy"), SafeText("Di")


class Telling:
    def __init__(self) -> None:
        self.clock = Clock()
        self.told: list[tuple[SafeText, ...]] = []
        self.shown: list[str] = []
        self.watchers = Watchers(self.clock, self.told.append, self.shown.append)


def test_who_comes_is_told_once_and_how_many_watch() -> None:
    one = Telling()
    one.watchers.here((CY,))
    one.clock.advance(QUIET_S)
    one.watchers.elsewhere((DI,))
    one.clock.advance(QUIET_S)
    one.watchers.here(())
    one.clock.advance(QUIET_S)
    one.watchers.here((CY,))
    one.clock.advance(QUIET_S)
    assert one.shown == ["Cy watches.", "Di watches. 2 people watch now."]
    assert one.told == [(CY,), (CY, DI), (DI,), (CY, DI)]


def test_who_comes_again_at_once_was_never_away() -> None:
    one = Telling()
    for names in ((CY,), (), (CY, DI), (CY,)):
        one.watchers.here(names)
    one.clock.advance(QUIET_S)
    assert one.told == [(CY,)]


def test_who_invents_ever_more_watchers_fills_no_screen() -> None:
    one = Telling()
    for number in range(10 * NAMES_MAX):
        one.watchers.elsewhere((SafeText(f"x{number}"),))
        one.clock.advance(QUIET_S / 2)
    assert len(one.shown) <= NAMES_MAX
    assert len(one.told) <= 5 * NAMES_MAX


def test_after_the_end_nothing_is_told() -> None:
    one = Telling()
    one.watchers.here((CY,))
    one.watchers.close()
    one.clock.advance(QUIET_S)
    assert one.told == []
