"""Fake disks: the rows that each seat has committed, and nothing else survives.

A commit is whole or nothing. A disk also knows which entries are its owner's, so a seat
that signs a second, different entry with one number is caught here at once.
"""

from collections.abc import Iterable, Set

from protocol.crypto.identity import Identity, verify
from protocol.entry import Kind, read_entry, signed_digest
from protocol.faults import Signed
from protocol.party import Secrets
from protocol.step import EntryRow, Row, SecretRow


class Disk:
    """What one seat has stored."""

    def __init__(self) -> None:
        self.entries: list[Signed] = []
        self.own: dict[int, Signed] = {}
        self.acts: list[Signed] = []
        self.places: tuple[Signed, ...] = ()
        self._kept: set[Signed] = set()
        self._secrets: dict[str, bytes] = {}

    @property
    def secrets(self) -> Secrets | None:
        """The seat's secrets, if they were ever stored."""
        if not self._secrets:
            return None
        identity = Identity(self._secrets["identity"])
        return Secrets(identity, self._secrets["master"], self._secrets["coin"])

    def commit(self, rows: Iterable[Row]) -> None:
        """Keep all rows of one step."""
        for row in rows:
            match row:
                case SecretRow(name, value):
                    self._secrets[name] = value
                case EntryRow(signed):
                    self._keep(signed)

    def go_back(self, keep: int) -> None:
        """Be an old copy: only the first entries are left."""
        self.entries = self.entries[:keep]
        self._kept = set(self.entries)

    def forget_lost(self, left: Set[Signed]) -> None:
        """What is on no disk any more never happened, and may be signed otherwise."""
        self.own = {seq: one for seq, one in self.own.items() if one in left}
        self.acts = [one for one in self.acts if one in self.own.values()]

    def _keep(self, signed: Signed) -> None:
        assert signed not in self._kept, "an entry was stored twice"
        self._kept.add(signed)
        self.entries.append(signed)
        entry = read_entry(signed)
        secrets = self.secrets
        assert secrets is not None, "an entry was stored before the secrets"
        digest = signed_digest(signed.encoded)
        if not verify(secrets.identity.key, digest, signed.signature):
            return
        first = self.own.setdefault(entry.seq, signed)
        assert first == signed, "a seat signed two entries with one number"
        if entry.kind == Kind.ACT and signed not in self.acts:
            self.acts.append(signed)
