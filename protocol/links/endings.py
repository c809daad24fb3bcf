"""Why a link ended or never came to be: one sentence for players, one exit code."""

from enum import Enum

from protocol.hello import EXIT_NETWORK, EXIT_REFUSED, Refusal


class End(Enum):
    """How a link ended that was open, as a sentence."""

    CLOSED = "The link was closed on this side."
    LEFT = "The other player's program closed the link."
    BROKEN = "The connection to the other player broke."
    SILENT = "The other player's program has not been heard of for 12 seconds."
    SLOW = "The other player's connection is too slow: it takes in nothing."
    OVERLONG = "The other player's program sent more at once than it may."
    RUBBISH = "The other player's program sent what means nothing."
    REPLACED = "The other player has come in again on a new link."

    @property
    def sentence(self) -> str:
        """What a player reads."""
        return self.value


class Why(Enum):
    """Why nobody was reached, the most telling reason last."""

    UNKNOWN_HOST = "unknown-host"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed-out"
    NOBODY_LISTENS = "nobody-listens"
    NO_SERVER = "no-server"
    LOST_CODE = "lost-code"
    NOBODY_THERE = "nobody-there"
    HUNG_UP = "hung-up"
    FOREIGN = "foreign"
    USED_CODE = "used-code"
    WRONG_CODE = "wrong-code"
    WRONG_PIN = "wrong-pin"
    OWN_INVITE = "own-invite"
    OTHER_VERSION = "other-version"
    REFUSED = "refused"


_TELLING = {why: rank for rank, why in enumerate(Why)}
_PASSING = {
    Why.UNKNOWN_HOST,
    Why.UNREACHABLE,
    Why.TIMED_OUT,
    Why.NOBODY_LISTENS,
    Why.NO_SERVER,
    Why.LOST_CODE,
    Why.NOBODY_THERE,
    Why.HUNG_UP,
}


class NotReached(Exception):
    """Nobody was reached, or somebody who does not let us in; the text says it."""

    def __init__(self, why: Why, sentence: str, refusal: Refusal | None = None) -> None:
        super().__init__(sentence)
        self.why = why
        self.sentence = sentence
        self.refusal = refusal

    @property
    def exit_code(self) -> int:
        """3 if it is the network's fault, 4 if somebody refused or is foreign."""
        return EXIT_NETWORK if self.why in _PASSING else EXIT_REFUSED

    @property
    def passing(self) -> bool:
        """Whether it may go better if one tries again later."""
        refused_for_now = self.refusal is not None and self.refusal.passing
        return self.why in _PASSING or refused_for_now

    @property
    def by_anybody(self) -> bool:
        """Whether somebody else than the host may have brought this about."""
        return self.why in {Why.FOREIGN, Why.WRONG_PIN}

    def telling(self) -> int:
        """How much it says; of several failures the most telling one is shown."""
        return _TELLING[self.why]


class NotListening(Exception):
    """This machine does not let the program listen there; the text is a sentence."""

    exit_code = EXIT_NETWORK


class NoMulticast(Exception):
    """Tables cannot be found or announced from here; the text is a sentence."""

    exit_code = EXIT_NETWORK
