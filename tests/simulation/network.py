"""A fake network: links that delay, reorder, double, drop and come back.

Frames are never lost on a link that stays up, as on TCP, but they may overtake each
other, which TCP would not do: whatever holds here holds there. What is under way when a
link drops is lost.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Weather:
    """How a network behaves: times in seconds, rates between 0 and 1."""

    delay_s: float
    in_order: bool
    doubled: float
    drops_max: int
    up_s: float


@dataclass(frozen=True, slots=True)
class Arrival:
    """A frame at the other end of the link between `sender` and `receiver`."""

    at_s: float
    sender: int
    receiver: int
    opened: int
    data: bytes


@dataclass(slots=True)
class _Link:
    up: bool = False
    opened: int = 0
    last_s: float = 0.0


def links_of(topology: str, seats: int, host: int) -> tuple[Pair, ...]:
    """The links of a topology: star around the host, line, or full mesh."""
    match topology:
        case "star":
            pairs = [(host, seat) for seat in range(seats) if seat != host]
        case "line":
            pairs = [(seat, seat + 1) for seat in range(seats - 1)]
        case _:
            pairs = [(a, b) for a in range(seats) for b in range(a + 1, seats)]
    return tuple((min(pair), max(pair)) for pair in pairs)


class Network:
    """All links that there are or have been."""

    def __init__(self, luck: Random, weather: Weather) -> None:
        self.weather = weather
        self._luck = luck
        self._links: dict[Pair, _Link] = {}

    def raise_link(self, pair: Pair) -> None:
        """Open a link; what was under way before is lost."""
        link = self._links.setdefault(pair, _Link())
        link.up = True
        link.opened += 1

    def drop_link(self, pair: Pair) -> None:
        """Cut a link."""
        self._links[pair].up = False

    def is_up(self, pair: Pair) -> bool:
        """Whether frames pass between these two seats now."""
        return pair in self._links and self._links[pair].up

    def send(
        self, now_s: float, sender: int, receiver: int, data: bytes
    ) -> Iterator[Arrival]:
        """Put a frame under way; it may arrive more than once."""
        pair = (min(sender, receiver), max(sender, receiver))
        if not self.is_up(pair):
            return
        link = self._links[pair]
        for _ in range(2 if self._luck.random() < self.weather.doubled else 1):
            at_s = now_s + self._luck.expovariate(1 / self.weather.delay_s)
            if self.weather.in_order:
                at_s = link.last_s = max(at_s, link.last_s)
            yield Arrival(at_s, sender, receiver, link.opened, data)

    def arrives(self, arrival: Arrival) -> bool:
        """Whether the link that carried a frame has been up since it was sent."""
        a, b = arrival.sender, arrival.receiver
        link = self._links[min(a, b), max(a, b)]
        return link.up and link.opened == arrival.opened
