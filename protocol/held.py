"""Entries of one seat that wait until they can be judged."""

from collections.abc import Iterator

from protocol.entry import Entry

HELD_MAX = 512


class Held:
    """Entries of one seat that cannot be judged yet.

    They are kept by number and scope: before the table id is known nobody can tell an
    entry of this match from one of an older match between the same players. Of each, a
    second one with other bytes is kept too, since the two prove a fork.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, bytes], list[Entry]] = {}
        self.dropped = False
        # Whether something came whose scope may yet turn out to be one of this match.
        self.strange = False

    def __len__(self) -> int:
        return len(self._entries)

    def at(self, seq: int, scope: bytes) -> tuple[Entry, ...]:
        """The entries held with this number and scope: none, one, or two rivals."""
        return tuple(self._entries.get((seq, scope), ()))

    def keep(self, entry: Entry) -> None:
        """Hold an entry that is not held yet; the farthest go if there are too many."""
        rivals = self._entries.setdefault((entry.seq, entry.scope), [])
        if len(rivals) < 2:
            rivals.append(entry)
        if len(self._entries) > HELD_MAX:
            del self._entries[max(self._entries)]
            self.dropped = True

    def drop(self, entry: Entry) -> None:
        """Let go of one entry."""
        place = (entry.seq, entry.scope)
        left = [one for one in self.at(*place) if one.id != entry.id]
        if left:
            self._entries[place] = left
        else:
            self._entries.pop(place, None)

    def forget(self, seq: int) -> None:
        """Let go of what was held with this number."""
        for key in [key for key in self._entries if key[0] == seq]:
            del self._entries[key]

    def forget_from(self, first: int) -> None:
        """Let go of what is held from this number on; it is to be asked for again."""
        for key in [key for key in self._entries if key[0] >= first]:
            del self._entries[key]
            self.dropped = True

    def forget_others(self, scope: bytes, first: int) -> None:
        """Let go of what, from number `first` on, turns out to have another scope."""
        for key in [k for k in self._entries if k[0] >= first and k[1] != scope]:
            del self._entries[key]
            self.strange = True

    def rivals(self) -> Iterator[tuple[Entry, Entry]]:
        """Each two entries with one number and scope."""
        for entries in self._entries.values():
            if len(entries) == 2:
                yield entries[0], entries[1]
