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


@dataclass(slots=True, eq=False)
class Wire:
    """One link, from when it opens until it is cut; of a pair there may be several."""

    number: int
    pair: Pair
    up: bool = True
    last_s: float = 0.0

    def other_end(self, seat: int) -> int:
        """Who sits at the other end."""
        return self.pair[1] if seat == self.pair[0] else self.pair[0]


@dataclass(frozen=True, slots=True)
class Arrival:
    """A frame at the other end of a link."""

    at_s: float
    receiver: int
    wire: Wire
    data: bytes


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
    """All links that there are or have been; each has a number of its own."""

    def __init__(self, luck: Random, weather: Weather) -> None:
        self.weather = weather
        self._luck = luck
        self._wires: list[Wire] = []

    def raise_link(self, pair: Pair) -> Wire:
        """Open a link, beside others if there are any."""
        wire = Wire(len(self._wires), pair)
        self._wires.append(wire)
        return wire

    def between(self, pair: Pair) -> list[Wire]:
        """The links on which frames pass between these two seats now."""
        return [wire for wire in self._wires if wire.pair == pair and wire.up]

    def is_up(self, pair: Pair) -> bool:
        """Whether frames pass between these two seats now."""
        return any(wire.pair == pair and wire.up for wire in self._wires)

    def send(
        self, now_s: float, sender: int, link: int, data: bytes
    ) -> Iterator[Arrival]:
        """Put a frame under way; it may arrive more than once.

        It does not if its link is cut meanwhile.
        """
        wire = self._wires[link]
        if not wire.up:
            return
        for _ in range(2 if self._luck.random() < self.weather.doubled else 1):
            at_s = now_s + self._luck.expovariate(1 / self.weather.delay_s)
            if self.weather.in_order:
                at_s = wire.last_s = max(at_s, wire.last_s)
            yield Arrival(at_s, wire.other_end(sender), wire, data)
