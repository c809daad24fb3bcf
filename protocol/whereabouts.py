"""Where the seats of a match are, and who hears whom; as one seat knows it."""

from collections.abc import Iterable

from protocol.codec import Malformed
from protocol.crypto.identity import Identity
from protocol.faults import LinkFault, Signed
from protocol.news import (
    News,
    Sees,
    Watched,
    Where,
    is_told_by,
    name_told,
    read_news,
    sign_news,
)
from protocol.record import Record
from protocol.text import SafeText, safe_name


class Hearsay:
    """The news of one match that count now, as anybody takes them in who has a link."""

    def __init__(self, record: Record) -> None:
        self._keys = record.keys
        self._scope = record.table_scope
        self._seat: int | None = None
        self._known: dict[tuple[type, int], tuple[News, Signed]] = {}

    def hear(self, signed: Signed) -> LinkFault | None:
        """Take in news from a link; what is old or known is taken in silence."""
        try:
            news = read_news(signed)
        except Malformed:
            return LinkFault("news that are none")
        if news.scope != self._scope:
            return LinkFault("news of another table")
        if news.seat >= len(self._keys):
            return LinkFault("news of a seat that is not at this table")
        if signed in self.news:
            return None
        if not is_told_by(signed, self._keys[news.seat]):
            return LinkFault("news that their seat did not sign")
        if news.seat == self._seat:
            self._correct(news)
            return None
        known = self._known.get((type(news), news.seat))
        if known is None or news.number > known[0].number:
            self._known[type(news), news.seat] = news, signed
        return None

    def _correct(self, heard: News) -> None:
        """News of the own seat have come; who has none hears none."""

    # -- known ---------------------------------------------------------------

    @property
    def news(self) -> tuple[Signed, ...]:
        """All that count now."""
        return tuple(signed for _, signed in self._known.values())

    @property
    def places(self) -> tuple[Signed, ...]:
        """Those of them that say where others are."""
        return tuple(
            signed
            for (kind, seat), (_, signed) in self._known.items()
            if kind is Where and seat != self._seat
        )

    def where(self, seat: int) -> Where | None:
        """Where a seat is to be called, if it has told."""
        news, _ = self._known.get((Where, seat), (None, None))
        return news if isinstance(news, Where) else None

    def seen_by(self, seat: int) -> tuple[int, ...] | None:
        """Whom a seat hears on links of its own, if it has told."""
        news, _ = self._known.get((Sees, seat), (None, None))
        return news.seats if isinstance(news, Sees) else None

    @property
    def watchers(self) -> tuple[SafeText, ...]:
        """Who follows the match, as the other seats tell it."""
        return tuple(
            safe_name(name)
            for (_, seat), (news, _) in self._known.items()
            if isinstance(news, Watched) and seat != self._seat
            for name in news.names
        )

    def through(self, seat: int, heard: Iterable[int]) -> int | None:
        """Who of those that are `heard` passes on what `seat` says.

        It is the first on the shortest way; None if there is no way.
        """
        ways = {rank: rank for rank in sorted(heard)}
        edge = list(ways)
        while edge and seat not in ways:
            reached = []
            for rank in edge:
                for other in self.seen_by(rank) or ():
                    if other not in ways and other != self._seat:
                        ways[other] = ways[rank]
                        reached.append(other)
            edge = reached
        return ways.get(seat)


class Whereabouts(Hearsay):
    """What is heard by a seat that tells news of its own.

    A program that was opened again may not know what it had told: who hears news of its
    own from an earlier life takes a higher number and tells them again.
    """

    def __init__(self, record: Record, identity: Identity, seat: int) -> None:
        super().__init__(record)
        self._identity = identity
        self._seat = self._own = seat
        # The highest numbers under which the own seat has ever told anything.
        self._numbers: dict[type, int] = {Where: 0, Sees: 0, Watched: 0}

    def is_at(self, port: int, hosts: tuple[str, ...]) -> None:
        """The own seat is to be called there from now on."""
        known = self.where(self._own)
        if known is None or (known.port, known.hosts) != (port, hosts):
            self._tell(Where(self._scope, self._own, 0, port, hosts))

    def hears(self, keys: Iterable[bytes]) -> None:
        """The own seat hears those of the table on links of its own."""
        ranks = {self._keys.index(key) for key in keys if key in self._keys}
        seats = tuple(sorted(ranks - {self._own}))
        if self.seen_by(self._own) != seats:
            self._tell(Sees(self._scope, self._own, 0, seats))

    def is_watched_by(self, names: Iterable[str]) -> None:
        """These follow the match by links to the own seat."""
        told = tuple(map(name_told, names))
        known, _ = self._known.get((Watched, self._own), (None, None))
        before = known.names if isinstance(known, Watched) else ()
        if told != before:
            self._tell(Watched(self._scope, self._own, 0, told))

    def _tell(self, news: News) -> None:
        kind = type(news)
        self._numbers[kind] += 1
        told = news._replace(number=self._numbers[kind])
        self._known[kind, self._own] = told, sign_news(self._identity, told)

    def _correct(self, heard: News) -> None:
        """What the own seat had told in an earlier life must not count any more."""
        kind = type(heard)
        if heard.number < self._numbers[kind]:
            return
        self._numbers[kind] = heard.number
        known = self._known.get((kind, self._own))
        if known is not None:
            self._tell(known[0])
        elif isinstance(heard, Watched):
            # Whoever watched then has to come again.
            self._tell(heard._replace(names=()))
