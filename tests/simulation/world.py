"""One seed's whole world: seats, disks, a network, a clock, and what befalls them.

Everything is drawn from one generator, so a seed replays exactly. The world drives
`Seat` as a shell would: rows are committed, then frames sent, then events told, then
tasks started; a crash may fall before the commit, which loses the step whole, or
between any two frames after it. It may take all seats down at once, and one that has
just come back again. A seat that was killed is opened again from its rows, or from the
first of them, as from an old copy of its disk; several may be at once.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from random import Random

from protocol.crypto.group import EDWARDS, Suite
from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.step import Step, Task
from scopa_net.events import Event
from scopa_net.notices import Notice, RoomChanged, Told, WhereaboutsKnown
from scopa_net.rules import Variant, find_variant
from scopa_net.seat import Seat
from tests.simulation.checks import Witness, check_ended
from tests.simulation.disk import Disk
from tests.simulation.network import (
    Arrival,
    Network,
    Pair,
    Weather,
    Wire,
    links_of,
)
from tests.support.small_group import SMALL

HAPPENINGS_MAX = 400_000
CRASHES_MAX = 12
SEATS = (2, 2, 2, 2, 3, 3, 4, 6)
FOR_TWO_AND_FOUR = ("scopa", "stargames-scopa", "gamerules-scopa")


@dataclass(frozen=True, slots=True)
class Setting:
    """What a seed decides before anything happens."""

    variant: Variant
    topology: str
    host: int
    weather: Weather
    tasks_s: float
    think_s: float
    crashes: float
    old_copies: float
    outages: float
    relapses: float
    suite: Suite


def setting_of(luck: Random, seats: int | None, *, real_group: bool) -> Setting:
    """The seats, rules, links and weather of a seed."""
    players = luck.choice(SEATS) if seats is None else seats
    names = FOR_TWO_AND_FOUR if players in {2, 4} else FOR_TWO_AND_FOUR[:1]
    weather = Weather(
        delay_s=luck.choice((0.001, 0.02, 0.3)),
        in_order=luck.random() < 0.3,
        doubled=luck.choice((0.0, 0.0, 0.05)),
        drops_max=luck.choice((0, 2, 6)),
        up_s=luck.choice((0.5, 5.0, 30.0)),
    )
    return Setting(
        find_variant(luck.choice(names), players, {"target": "3"}),
        luck.choice(("star", "line", "full mesh")),
        luck.randrange(players),
        weather,
        tasks_s=luck.choice((0.0, 0.01, 0.5)),
        think_s=luck.choice((0.01, 1.0)),
        crashes=luck.choice((0.0, 0.002, 0.01)),
        old_copies=luck.choice((0.0, 0.5)),
        outages=luck.choice((0.0, 0.3)),
        relapses=luck.choice((0.0, 0.5)),
        suite=EDWARDS if real_group else SMALL,
    )


@dataclass(slots=True)
class Place:
    """One player's computer: what runs there now, and what outlives it."""

    disk: Disk = field(default_factory=Disk)
    seat: Seat | None = None
    lives: int = 0
    chosen: tuple[int, int] = (-1, -1)
    told: list[Event] = field(default_factory=list)


class World:
    """A match from the first link to the last verdict, under one seed."""

    def __init__(
        self, seed: int, *, seats: int | None = None, real_group: bool = False
    ) -> None:
        self._luck = Random(f"scopa {seed}")
        self.setting = setting_of(self._luck, seats, real_group=real_group)
        self.places = [Place() for _ in range(self.setting.variant.players)]
        self.witness = Witness()
        self.crashes = 0
        self.old_copies = 0
        self.befell: list[str] = []
        self.now_s = 0.0
        self._nonce = self._luck.randbytes(32)
        # A player's identity outlives its program, before any match is stored.
        self._identities = [Identity(self._luck.randbytes(32)) for _ in self.places]
        self._network = Network(self._luck, self.setting.weather)
        self._drops = 0
        self._seating = True
        self._coming: list[tuple[float, int, Callable[[], None]]] = []
        self._order = 0

    # -- time ----------------------------------------------------------------

    def run(self) -> None:
        """Play the match to its end; raises `AssertionError` if something is wrong."""
        for number in range(len(self.places)):
            self._open(number)
        for pair in self._links():
            self._later(0.0, partial(self._raise_link, pair))
        self._go_on()

    def _go_on(self) -> None:
        for _ in range(HAPPENINGS_MAX):
            if self.finished:
                return
            assert self._coming, "nothing more happens, and the match is not over"
            self._happen()
        raise AssertionError("the match does not come to an end")

    def _happen(self) -> None:
        """Let the next thing happen."""
        self.now_s, _, happen = heappop(self._coming)
        happen()
        self._seat_everybody()

    @property
    def finished(self) -> bool:
        """Whether all are up, and hold the match as over and confirmed, and the same.

        Who came back at the very end may have said so to who had confirmed it before.
        """
        tables = [place.seat.table if place.seat else None for place in self.places]
        held = {table.party.judge.record.counts() for table in tables if table}
        return len(held) == 1 and all(
            table is not None and table.finished for table in tables
        )

    def check(self) -> int:
        """Check how it ended; answers how many plays the match had."""
        return check_ended(
            [place.seat for place in self.places if place.seat is not None],
            [place.told for place in self.places],
            [place.disk.acts for place in self.places],
            self.setting.suite,
        )

    def _later(self, delay_s: float, happen: Callable[[], None]) -> None:
        self._order += 1
        heappush(self._coming, (self.now_s + delay_s, self._order, happen))

    # -- links ---------------------------------------------------------------

    def _links(self) -> Sequence[Pair]:
        """The links there should be now; a table forms around its host."""
        topology, seats = self.setting.topology, len(self.places)
        if self._seating and topology == "line":
            topology = "star"
        return links_of(topology, seats, self.setting.host)

    def _seat_everybody(self) -> None:
        """Once all sit at the table the host's links are no longer needed."""
        if not self._seating or any(
            place.seat is None or place.seat.table is None for place in self.places
        ):
            return
        before = set(self._links())
        self._seating = False
        after = set(self._links())
        for pair in sorted(before - after):
            self._drop_link(pair)
        for pair in sorted(after - before):
            self._later(0.0, partial(self._raise_link, pair))

    def _raise_link(self, pair: Pair) -> None:
        both_up = all(self.places[number].seat is not None for number in pair)
        if pair not in self._links() or self._network.is_up(pair) or not both_up:
            return
        self._connect(pair)
        weather = self.setting.weather
        if self._drops < weather.drops_max:
            self._drops += 1
            up_s = self._luck.expovariate(1 / weather.up_s)
            self._later(up_s, lambda: self._fail_link(pair))

    def _connect(self, pair: Pair) -> None:
        wire = self._network.raise_link(pair)
        for number in pair:
            # The first may have crashed over it.
            if wire.up:
                self._drive(number, partial(Seat.connect, link=wire.number))

    def _fail_link(self, pair: Pair) -> None:
        self._drop_link(pair)
        down_s = self._luck.expovariate(1 / self.setting.weather.up_s)
        self._later(down_s, partial(self._raise_link, pair))

    def _drop_link(self, pair: Pair) -> None:
        for wire in self._network.between(pair):
            self._cut(wire)

    def _cut(self, wire: Wire) -> None:
        """A link is gone, and both of its ends see it."""
        wire.up = False
        for number in wire.pair:
            self._drive(number, partial(Seat.disconnect, link=wire.number))

    # -- seats ---------------------------------------------------------------

    def _open(self, number: int) -> None:
        """Start, or start again, the program of one player."""
        place = self.places[number]
        place.lives += 1
        place.chosen = (-1, -1)
        place.told = []
        setting, stored = self.setting, place.disk.secrets
        place.seat = Seat(
            setting.suite,
            stored or self._fresh_secrets(number),
            setting.variant,
            self._nonce,
            name=f"player {number}",
            host=self._identities[setting.host].key,
            side=None if number % 3 else number % setting.variant.sides,
            number=number,
        )
        if stored is None:
            self._drive(number, lambda seat: seat.open())
        if place.lives > 1:
            again = self._luck.randbytes(32)
            kept, places = tuple(place.disk.entries), place.disk.places
            self._drive(number, lambda seat: seat.recall(kept, again, places))

    def _fresh_secrets(self, number: int) -> Secrets:
        luck = self._luck
        identity = self._identities[number]
        return Secrets(identity, luck.randbytes(32), luck.randbytes(32))

    def _drive(self, number: int, call: Callable[[Seat], Step[Notice]]) -> None:
        """Call a seat, if it is up, and carry out what it answers."""
        place = self.places[number]
        if place.seat is not None:
            self._carry_out(number, call(place.seat))

    def _carry_out(self, number: int, step: Step[Notice]) -> None:
        place = self.places[number]
        fate = self._luck.random() if self.crashes < CRASHES_MAX else 1.0
        crashes = fate < self.setting.crashes
        if crashes and self._luck.random() < 0.4:
            self._crash(number)
            return
        place.disk.commit(step.store)
        sent = self._luck.randint(0, len(step.send)) if crashes else len(step.send)
        for frame in step.send[:sent]:
            for arrival in self._network.send(
                self.now_s, number, frame.link, frame.data
            ):
                self._later(
                    arrival.at_s - self.now_s,
                    partial(self._arrive, arrival),
                )
        if crashes:
            self._crash(number)
            return
        assert place.seat is not None
        for notice in step.events:
            if isinstance(notice, Told):
                place.told.append(notice.event)
            elif isinstance(notice, WhereaboutsKnown):
                assert place.seat.whereabouts is not None
                place.disk.places = place.seat.whereabouts.places
            else:
                assert isinstance(notice, RoomChanged), notice
        self.witness.see(place.seat)
        for task in step.tasks:
            self._start(number, task)
        self._ask_player(number)

    def _crash(self, number: int) -> None:
        """Kill a seat, and in an outage all of them."""
        self._kill(number)
        if self._luck.random() < self.setting.outages:
            for other, place in enumerate(self.places):
                if place.seat is not None:
                    self._kill(other)

    def _kill(self, number: int) -> None:
        """All that a seat held in memory and its links are gone."""
        self.crashes += 1
        self.places[number].seat = None
        for pair in self._links():
            if number in pair and self._network.is_up(pair):
                self._drop_link(pair)
        self._later(self._luck.expovariate(1.0), lambda: self._come_back(number))

    def _come_back(self, number: int) -> None:
        if self._luck.random() < self.setting.old_copies:
            self._go_back(number)
        self._open(number)
        for pair in self._links():
            if number in pair:
                self._later(self._luck.random(), partial(self._raise_link, pair))
        if self._luck.random() < self.setting.relapses and self.crashes < CRASHES_MAX:
            life = self.places[number].lives
            soon_s = self._luck.expovariate(1.0)
            self._later(soon_s, lambda: self._relapse(number, life))

    def _relapse(self, number: int, life: int) -> None:
        """Kill a seat that has come back a moment ago, and may still be asking."""
        place = self.places[number]
        if place.seat is not None and place.lives == life:
            self._crash(number)

    def _go_back(self, number: int) -> None:
        """Put an old copy in the place of a disk.

        Not while somebody asks, who may have been promised what is on that disk alone;
        and not so far that nobody knows any more who sits at the table.
        """
        others = [place for place in self.places if place is not self.places[number]]
        disk = self.places[number].disk
        for place in others:
            table = place.seat.table if place.seat else None
            if not place.disk.entries or (table is not None and table.party.asking):
                return
            if place.seat is not None and table is None:
                return
        whole = [len(place.disk.entries) > len(self.places) for place in others]
        if len(disk.entries) > 1:
            self.old_copies += 1
            disk.go_back(self._luck.randrange(not all(whole), len(disk.entries)))
            left = {one for place in self.places for one in place.disk.entries}
            for place in self.places:
                place.disk.forget_lost(left)

    def _arrive(self, arrival: Arrival) -> None:
        if arrival.wire.up:
            link, data = arrival.wire.number, arrival.data
            self._drive(arrival.receiver, lambda seat: seat.receive(link, data))

    # -- tasks and players ---------------------------------------------------

    def _start(self, number: int, task: Task) -> None:
        life = self.places[number].lives
        delay_s = self._luck.random() * self.setting.tasks_s
        self._later(delay_s, lambda: self._finish(number, life, task))

    def _finish(self, number: int, life: int, task: Task) -> None:
        place = self.places[number]
        if place.seat is not None and place.lives == life:
            result = task.run()
            self._drive(number, lambda seat: seat.done(task, result))

    def _ask_player(self, number: int) -> None:
        """Let the player think, once for every turn and life of its program."""
        place = self.places[number]
        table = place.seat.table if place.seat else None
        if table is None or not table.seated or not table.to_act:
            return
        judge = table.party.judge
        assert judge.deck is not None
        asked = (judge.deck.number, len(judge.deck.acts))
        if asked == place.chosen:
            return
        place.chosen = asked
        life = place.lives
        think_s = self._luck.random() * self.setting.think_s
        self._later(think_s, lambda: self._choose(number, life, asked))

    def _choose(self, number: int, life: int, asked: tuple[int, int]) -> None:
        place = self.places[number]
        if place.seat is None or place.lives != life:
            return
        table = place.seat.table
        assert table is not None
        deck = table.party.judge.deck
        assert deck is not None
        assert (deck.number, len(deck.acts)) == asked, "a turn passed without its play"
        action = self._luck.choice(table.observation().legal_actions)
        self._drive(number, lambda seat: seat.act(action))
