"""Who is told of, asked about and remembered, over a real home."""

from pathlib import Path

import pytest
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from protocol.crypto.group import EDWARDS
from protocol.crypto.identity import Identity
from protocol.party import Secrets
from protocol.roster import Terms, gather_terms, read_join, write_join
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance, Introduction, Standing, bot_name
from scopa_net.app.introductions import Introductions, NotWhoYouKnow
from scopa_net.app.questions import Questions
from scopa_net.home import Home

ME, ADA, OTHER = (Identity(bytes((at,)) * 32) for at in (1, 2, 3))


def terms(*players: tuple[Identity, str]) -> Terms:
    secrets = [(Secrets(who, bytes(32), bytes(32)), name) for who, name in players]
    signed = [
        write_join(own.identity, bytes(32), name, None, own.coin)
        for own, name in secrets
    ]
    joins = [join for join in map(read_join, signed) if join is not None]
    return gather_terms("scopa", 40, EDWARDS.name, (), joins)


class Player:
    """A person who says no to every question, and what she is told."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder)
        self.told: list[tuple[Introduction, ...]] = []
        self.begin()

    def begin(self) -> None:
        """Run the program anew."""
        self.introductions = Introductions(
            self.home, ME.key, Questions(None, None), self.told.append
        )

    def meets(self, name: str, who: Identity) -> "Deferred[None]":
        self.introductions.meet(terms((ME, "me"), (who, name)).room)
        return self.introductions.consider(terms((ME, "me"), (who, name)).room)

    def remembers(self, name: str, who: Identity) -> None:
        self.introductions.remember(terms((ME, "me"), (who, name)))

    def knows(self) -> set[tuple[str, bytes]]:
        return {(one.name, one.key) for one in self.home.known()}


@pytest.fixture
def player(tmp_path: Path) -> Player:
    return Player(tmp_path / "data")


def test_somebody_new_is_told_of_once_and_remembered(player: Player) -> None:
    assert player.meets("Ada", ADA).called
    assert player.meets("Ada", ADA).called
    ((ada,),) = player.told
    assert (ada.name, ada.standing) == ("Ada", Standing.NEW)
    assert player.introductions.unknown == {ADA.key: ada.words}
    assert player.knows() == set()
    player.remembers("Ada", ADA)
    assert player.knows() == {("Ada", ADA.key)}
    player.begin()
    player.meets("Ada", ADA)
    assert player.introductions.unknown == {}


def test_a_known_name_with_another_key_is_refused_and_changes_nothing(
    player: Player,
) -> None:
    # X37.
    player.home.know((Acquaintance(SafeText("Ada"), ADA.key, 1),))
    player.begin()
    refused: list[Failure] = []
    player.meets("Ada", OTHER).addErrback(refused.append)
    assert refused[0].check(NotWhoYouKnow)
    assert player.knows() == {("Ada", ADA.key)}


def test_a_match_that_is_gone_on_with_takes_a_name_from_nobody(player: Player) -> None:
    player.home.know((Acquaintance(SafeText("Ada"), ADA.key, 1),))
    player.begin()
    player.remembers("Ada", OTHER)
    assert player.knows() == {("Ada", ADA.key)}


def test_the_name_of_a_bot_or_of_nobody_is_not_remembered(player: Player) -> None:
    for name in (str(bot_name("rules")), "Player"):
        player.begin()
        player.remembers(name, ADA)
    assert player.knows() == set()
