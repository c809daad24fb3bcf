"""What can go wrong between seats, and who is to blame for it.

Our own bugs raise `LocalProtocolError`. What a peer does wrong is a value: a `Fault`
is proven by the seat's own signature and can be shown to anybody; a `LinkFault` is
unsigned rubbish on one link. Silence is neither: it proves nothing.
"""

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class LocalProtocolError(Exception):
    """This program asked its own protocol for something that is not possible now."""


class Signed(NamedTuple):
    """An entry exactly as it travelled: its bytes and its author's signature."""

    encoded: bytes
    signature: bytes


class Blame(Enum):
    """What a seat's own signatures prove; `RESTORED` is nobody's wrong."""

    FORK = "fork"
    CHEAT = "cheat"
    RULE = "rule"
    RESTORED = "restored"


class Reason(Enum):
    """The wrong itself, as a sentence that follows the seat's name."""

    CAME_BACK = "came back without knowing what it had signed before"
    FORKED = "signed two different entries with one number"
    BROKEN_CHAIN = "signed an entry that does not follow its own last one"
    SHRINKING_VIEW = "signed an entry that forgets what it had seen"
    MALFORMED = "signed an entry that no program of this version writes"
    OUT_OF_ORDER = "signed an entry before what it depends on"
    TWICE = "signed a second answer where only one is allowed"
    WRONG_COIN = "opened another value than the one it had committed to"
    WRONG_KEY = "gave a key without knowing its secret"
    WRONG_SHUFFLE = "gave a shuffle that is not forty encrypted cards"
    FALSE_PROOF = "gave a shuffle whose proof does not hold"
    WRONG_SHARE = "gave a wrong share of a card"
    EARLY_REVEAL = "revealed its seed before the deal was over"
    WRONG_SEED = "revealed another seed than the one it had committed to"
    FALSE_SHUFFLE = "did not shuffle as its revealed seed says"
    FALSE_ACKNOWLEDGEMENT = "said that it held less of another seat than it did"
    WRONG_VERDICT = "signed a result that does not follow from the record"
    FALSE_ALARM = "called a card spoiled that is a good one"
    NOT_DEALT = "played a card that was not dealt to it"
    PLAYED_TWICE = "played the same card twice"
    OUT_OF_TURN = "played out of turn"
    WRONG_STATE = "played on another table than the one everybody sees"
    VOIDED = "went on with a deal that it had called void, or the other way round"
    GIVEN_UP = "went on with a match that it knew to be given up"
    AGAINST_RULES = "made a move that the rules do not allow"


@dataclass(frozen=True, slots=True)
class Fault:
    """What ends the match, proven by the signatures of `seat`.

    `evidence` proves it with nothing else at hand but the record it names. `detail` is
    our own wording of a broken rule of the game.
    """

    seat: int
    blame: Blame
    reason: Reason
    evidence: tuple[Signed, ...]
    detail: str = ""

    @property
    def blames(self) -> bool:
        """Whether the seat did wrong; not if it only came back from an old copy."""
        return self.blame is not Blame.RESTORED


@dataclass(frozen=True, slots=True)
class LinkFault:
    """Bytes that nobody signed, or that do not belong here: the link's fault alone."""

    reason: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Honest seats that differ on what deck `deck` is dealt for: stop, blame nobody."""

    deck: int
