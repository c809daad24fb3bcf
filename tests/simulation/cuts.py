"""Worlds whose players lose each other: cut wires, split networks, seats for ever gone.

Seats cannot reach each other for a while, in two or three groups. One link dies, and
its two ends see that at different times, or has a second one beside it. Computers move,
and tell where they are now. One player may not come back: the others hold the same,
go home for today, and it returns after all or they carry the score on. Whatever befalls
a `LeavingWorld` happens too; what is drawn here is drawn apart from that.

Who calls whom where is not played here: `tests/app/circle.py` has the program that
decides it, with computers that change their addresses.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from random import Random

from scopa_net.events import DealScored
from scopa_net.leaving import Word
from scopa_net.rules import Carried
from scopa_net.seat import Seat
from scopa_net.summary import Summary, summarize
from scopa_net.table import Table
from tests.simulation.deals import play_match
from tests.simulation.leaving import LeavingWorld
from tests.simulation.network import Pair, Wire, links_of
from tests.simulation.world import CRASHES_MAX, HAPPENINGS_MAX

NOTICED_S = 12.0
"""So long an end of a dead link may go on sending."""

PATIENCE_S = 30.0
"""When everybody is up and linked, something new is signed in that time."""

LOOKED_EVERY = 40
PORT = 4000


class CutWorld(LeavingWorld):
    """A match whose links die in all ways, and that somebody may leave for ever."""

    def __init__(
        self, seed: int, *, seats: int | None = None, real_group: bool = False
    ) -> None:
        super().__init__(seed, seats=seats, real_group=real_group)
        self._seed = seed
        self._fate = Random(f"cuts {seed}")
        setting, count = self.setting, len(self.places)
        self._pace_s = 10 * (setting.think_s + setting.weather.delay_s)
        self._lasts_s = self._fate.choice((0.5, 5.0, 30.0))
        self._troubles = self._fate.randint(2, 6)
        self._may_lose = self._fate.random() < 0.4
        self._late = self._fate.random() < 0.6
        self._returns = self._fate.random() < 0.5
        self._groups: list[int] | None = None
        self._meshed = False
        self._at_rest = False
        self._moved = [0] * count
        self._linked: list[dict[int, int]] = [{} for _ in range(count)]
        self._won: list[list[DealScored]] = [[] for _ in range(count)]
        self._held = 0
        self._stirred_s = 0.0
        self.lost: int | None = None
        self.abandoned = False

    # -- time ----------------------------------------------------------------

    def _go_on(self) -> None:
        for happening in range(HAPPENINGS_MAX):
            if self.finished:
                self._come_to_rest()
                self._check_news()
                return
            if not self._coming:
                assert self.lost is not None, "nothing more happens before the end"
                self._go_home()
                if self.abandoned:
                    return
            self._happen()
            if happening % LOOKED_EVERY == 0:
                self._check_that_it_goes_on()
        raise AssertionError("the match does not come to an end")

    def _come_to_rest(self) -> None:
        """Let all that is under way arrive; nothing new befalls anybody."""
        self.crashes = CRASHES_MAX
        self._troubles, self._may_lose = 0, False
        for _ in range(HAPPENINGS_MAX):
            if not self._coming:
                return
            self._happen()
        raise AssertionError("the seats never come to rest")

    def _seat_everybody(self) -> None:
        forming = self._seating
        super()._seat_everybody()
        if forming and not self._seating:
            self._later(self._fate.expovariate(1 / self._pace_s), self._trouble)

    def _trouble(self) -> None:
        what: list[Callable[[], None]] = []
        if self._troubles > 0:
            self._troubles -= 1
            what = [self._part, self._break, self._double, self._move]
        if self._may_lose:
            if self._may_go():
                what.append(self._lose)
        elif not what:
            return
        self._later(self._fate.expovariate(1 / self._pace_s), self._trouble)
        if not what:
            return
        happen = self._fate.choice(what)
        self.befell.append(happen.__name__.lstrip("_"))
        happen()

    # -- what befalls them ---------------------------------------------------

    def _part(self) -> None:
        """Some cannot reach the others any more, until the network heals."""
        if self._groups is not None:
            return
        groups = [self._fate.randrange(3) for _ in self.places]
        if len(set(groups)) == 1:
            groups[self._fate.randrange(len(groups))] += 1
        self._groups = groups
        for pair in combinations(range(len(groups)), 2):
            if groups[pair[0]] != groups[pair[1]]:
                self._drop_link(pair)
        self._later(self._fate.expovariate(1 / self._lasts_s), self._heal)

    def _heal(self) -> None:
        self._groups = None
        self._raise_all()

    def _break(self) -> None:
        for wire in self._some_wire():
            self._cut(wire)

    def _double(self) -> None:
        """Both have called each other; one of the two links is closed later."""
        for wire in self._some_wire():
            self._connect(wire.pair)
            # None, if a program has crashed over it.
            both = self._network.between(wire.pair)
            for closed in self._fate.sample(both, min(1, len(both))):
                self._later(self._fate.random(), partial(self._close_wire, closed))

    def _close_wire(self, wire: Wire) -> None:
        if wire.up:
            self._cut(wire)

    def _some_wire(self) -> Sequence[Wire]:
        wires = [one for pair in self._links() for one in self._network.between(pair)]
        return [self._fate.choice(wires)] if wires else []

    def _move(self) -> None:
        """A computer has another address: all its links die, and it tells the news."""
        number = self._fate.randrange(len(self.places))
        if number == self.lost:
            return
        self._moved[number] += 1
        for other in range(len(self.places)):
            if other != number:
                self._drop_link((min(number, other), max(number, other)))
        self._tell_where(number)

    def _tell_where(self, number: int) -> None:
        hosts = (f"10.0.{number}.{self._moved[number]}",)
        self._drive(number, partial(Seat.is_at, port=PORT, hosts=hosts))

    def _lose(self) -> None:
        """One player goes, and does not come back while there is anything to do."""
        number = self._fate.randrange(len(self.places))
        if self.places[number].seat is not None:
            self._kill(number)
        self.lost = number
        self._may_lose = False
        self._meshed = True
        self._raise_all()

    def _may_go(self) -> bool:
        """Whether everybody can come back without the others, and it is late enough."""
        count = len(self.places)
        told = [one for place in self.places for one in place.told]
        late = any(isinstance(one, DealScored) for one in told)
        known = all(len(place.disk.entries) > count for place in self.places)
        return known and (late or not self._late)

    # -- links ---------------------------------------------------------------

    def _links(self) -> Sequence[Pair]:
        if not self._meshed:
            return super()._links()
        # Those that are left call each other.
        pairs = links_of("full mesh", len(self.places), 0)
        return [pair for pair in pairs if self.lost not in pair]

    def _raise_all(self) -> None:
        for pair in self._links():
            self._later(self._fate.random(), partial(self._raise_link, pair))

    def _raise_link(self, pair: Pair) -> None:
        groups = self._groups
        if groups is None or groups[pair[0]] == groups[pair[1]]:
            super()._raise_link(pair)

    def _connect(self, pair: Pair) -> None:
        self._stir()
        super()._connect(pair)
        for wire in self._network.between(pair):
            for number in pair:
                if self.places[number].seat is not None:
                    self._linked[number][wire.number] = wire.other_end(number)
        for number in pair:
            self._tell_whom_it_hears(number)

    def _cut(self, wire: Wire) -> None:
        """A link is dead; each end sees it when it does, and calls again."""
        wire.up = False
        self._stir()
        for number in wire.pair:
            late_s = self._fate.choice((0.0, self._fate.random() * NOTICED_S))
            life = self.places[number].lives
            self._later(late_s, partial(self._notice, wire, number, life))

    def _notice(self, wire: Wire, number: int, life: int) -> None:
        place = self.places[number]
        if place.seat is None or place.lives != life:
            return
        self._linked[number].pop(wire.number, None)
        self._drive(number, partial(Seat.disconnect, link=wire.number))
        self._tell_whom_it_hears(number)
        self._later(self._fate.random(), partial(self._raise_link, wire.pair))

    def _tell_whom_it_hears(self, number: int) -> None:
        others = set(self._linked[number].values())
        keys = frozenset(self._identities[other].key for other in others)
        self._drive(number, partial(Seat.hears, keys=keys))

    # -- seats ---------------------------------------------------------------

    def _open(self, number: int) -> None:
        self._stir()
        self._linked[number] = {}
        super()._open(number)
        self._tell_where(number)

    def _kill(self, number: int) -> None:
        self._stir()
        told = self.places[number].told
        scored = [event for event in told if isinstance(event, DealScored)]
        if len(scored) > len(self._won[number]):
            self._won[number] = scored
        super()._kill(number)

    def _come_back(self, number: int) -> None:
        if number != self.lost:
            super()._come_back(number)

    def _go_back(self, number: int) -> None:
        # What is on the disk of who is gone cannot be had again.
        if self.lost is None:
            super()._go_back(number)

    def _ask_player(self, number: int) -> None:
        if not self._at_rest:
            super()._ask_player(number)

    # -- when somebody is gone -----------------------------------------------

    def _go_home(self) -> None:
        """Nothing more can be played: the others say so, and go home for today."""
        self._check_alike()
        before = self.crashes, self._troubles
        self._at_rest = True
        adjourned = []
        for number, table in self._left():
            # Who was opened again signs nothing without an answer of who is gone.
            if table.can_say(Word.ADJOURN) and not table.party.asking:
                adjourned.append(table.party.seat)
                self._drive(number, partial(Seat.say, word=Word.ADJOURN))
        self._come_to_rest()
        self._check_alike()
        for _, table in self._left():
            assert table.party.judge.course.leaving.away.issuperset(adjourned)
        self._at_rest = False
        self.crashes, self._troubles = before
        if self._returns:
            back = self.lost
            assert back is not None
            closed = [at for at, table in self._left() if table.party.away]
            self.lost = None
            self._come_back(back)
            for at in closed:
                # Its program was closed, and is opened again.
                if self.places[at].seat is not None:
                    self._kill(at)
        else:
            self.abandoned = True

    def _left(self) -> list[tuple[int, Table]]:
        """The tables of all but the one that is gone."""
        found = []
        for number, place in enumerate(self.places):
            if number != self.lost:
                assert place.seat is not None
                assert place.seat.table is not None
                found.append((number, place.seat.table))
        return found

    def carry_on(self) -> int:
        """Play a new match from the old score, if there is one; how many deals."""
        summary = self._summaries()[0]
        standing = summary.standing
        if standing is None or not summary.deals:
            return 0
        if summary.winner is not None or summary.resigned:
            return 0
        carried = Carried(summary.scores, standing.table, standing.mark)
        variant = replace(self.setting.variant, carried=carried)
        return play_match(variant, self._seed)

    def _summaries(self) -> list[Summary]:
        found = [summarize(table.party.judge.course) for _, table in self._left()]
        assert len(set(found)) == 1, "those who are left hold other scores"
        return found

    # -- what must be so -----------------------------------------------------

    def _stir(self) -> None:
        self._stirred_s = self.now_s

    def _check_that_it_goes_on(self) -> None:
        """When nothing is in the way something new is signed before long."""
        up = [place.seat.table for place in self.places if place.seat is not None]
        held = sum(
            sum(table.party.judge.record.counts()) for table in up if table is not None
        )
        whole = len(up) == len(self.places) and all(
            self._network.is_up(pair) for pair in self._links()
        )
        if held != self._held or not whole:
            self._held = held
            self._stir()
        assert self.now_s - self._stirred_s < PATIENCE_S, "nobody goes on"

    def _check_alike(self) -> None:
        """Those who are linked hold the same, and nothing that was won is lost."""
        held = {table.party.judge.record.counts() for _, table in self._left()}
        assert len(held) == 1, "those who are linked hold other records"
        self._summaries()
        self._check_won()
        self._check_news()

    def _check_won(self) -> None:
        if self.old_copies:
            return
        for number, place in enumerate(self.places):
            if number != self.lost:
                told = [one for one in place.told if isinstance(one, DealScored)]
                before = self._won[number]
                assert told[: len(before)] == before, "a deal that was won is lost"

    def _check_news(self) -> None:
        """All who are linked believe each other to be where they are."""
        tables = self._left()
        for number, table in tables:
            seat = self.places[number].seat
            assert seat is not None
            assert seat.whereabouts is not None
            keys = table.party.judge.record.keys
            for other, _ in tables:
                where = seat.whereabouts.where(keys.index(self._identities[other].key))
                assert where is not None, "nobody knows where a seat is"
                assert where.hosts == (f"10.0.{other}.{self._moved[other]}",)

    def check(self) -> int:
        """Check how it ended; answers how many plays the match had."""
        self._check_won()
        if not self.abandoned:
            return super().check()
        self.carry_on()
        return 0
