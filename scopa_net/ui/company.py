"""Who sits at the table, and which of them the reader is."""

from dataclasses import dataclass

from protocol.text import SafeText
from scopa_net.rules import Variant
from scopa_net.ui.decks import ITALIAN, Deck


@dataclass(frozen=True, slots=True)
class Company:
    """Everybody's name by place, what they play, and the reader's own place.

    `you` is None for who only watches; then everybody is called by name. `deck` is what
    the reader calls the cards. `words` are the key words of those whom the reader has
    never met, by place, and empty for others; there are none if that is not known.
    """

    names: tuple[SafeText, ...]
    variant: Variant
    you: int | None = None
    deck: Deck = ITALIAN
    words: tuple[str, ...] = ()

    def members(self, side: int) -> tuple[int, ...]:
        """The places of a side, the reader's first."""
        sides = self.variant.sides
        places = [at for at in range(len(self.names)) if at % sides == side]
        return tuple(sorted(places, key=lambda at: at != self.you))

    @property
    def sides(self) -> tuple[int, ...]:
        """The sides, the reader's first."""
        sides = self.variant.sides
        own = None if self.you is None else self.you % sides
        return tuple(sorted(range(sides), key=lambda side: side != own))
