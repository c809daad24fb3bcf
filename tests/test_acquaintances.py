import json
from collections.abc import Sequence
from typing import Any

import pytest

from protocol.crypto.identity import key_words
from protocol.text import MARK, SafeText, safe_name
from scopa_net.acquaintances import (
    KNOWN_MAX,
    NAMELESS,
    Acquaintance,
    Introduction,
    Standing,
    bot_name,
    forgotten,
    introduce,
    known_after,
    read_known,
    write_known,
)

ADAS, OTHERS, BEAS = b"a" * 32, b"o" * 32, b"b" * 32


def known_as(name: str, key: bytes = ADAS, met_s: int = 1) -> Acquaintance:
    return Acquaintance(SafeText(name), key, met_s)


def met(
    known: Sequence[Acquaintance], *players: tuple[str, bytes]
) -> tuple[Introduction, ...]:
    shown = [(name, SafeText(name), key) for name, key in players]
    return introduce(known, shown)


def after(
    known: Sequence[Acquaintance], *players: tuple[str, bytes], now_s: int = 9
) -> tuple[Acquaintance, ...]:
    return known_after(known, met(known, *players), now_s)


def test_somebody_new_is_known_by_the_words_of_the_key() -> None:
    (ada,) = met([], ("Ada", ADAS))
    assert (ada.standing, ada.before) == (Standing.NEW, None)
    assert ada.words == key_words(ADAS)


@pytest.mark.parametrize("name", ["Ada", "ADA", "\N{GREEK CAPITAL LETTER ALPHA}da"])
def test_the_key_that_a_name_had_is_known_and_another_is_not(name: str) -> None:
    known = [known_as("Ada")]
    (same,) = met(known, (name, ADAS))
    (other,) = met(known, (name, OTHERS))
    assert (same.standing, same.before) == (Standing.KNOWN, known[0])
    assert (other.standing, other.before) == (Standing.OTHER_KEY, known[0])


def test_a_known_key_with_another_name_is_who_it_was() -> None:
    known = [known_as("Ada", met_s=1), known_as("Adele", met_s=2)]
    (bea,) = met(known, ("Bea", ADAS))
    assert (bea.standing, bea.before) == (Standing.RENAMED, known[1])


def test_a_known_key_with_the_name_of_somebody_else_is_that_one_with_another_key() -> (
    None
):
    known = [known_as("Ada"), known_as("Bea", BEAS)]
    (bea,) = met(known, ("Bea", ADAS))
    assert (bea.standing, bea.before) == (Standing.OTHER_KEY, known[1])


def test_the_name_of_the_last_meeting_stands_for_a_key_or_a_name() -> None:
    old, new = known_as("Ada", OTHERS, met_s=1), known_as("ada", ADAS, met_s=2)
    (third,) = met([old, new], ("Ada", BEAS))
    assert third.before == new


@pytest.mark.parametrize(
    "name", [NAMELESS, "player", bot_name("rules"), bot_name("of a file"), MARK]
)
def test_a_name_that_says_nothing_belongs_to_nobody(name: str) -> None:
    assert after([], (name, ADAS)) == ()
    (other,) = met([known_as(name)], (name, OTHERS))
    assert other.standing is Standing.NEW


def test_a_bot_is_called_one_however_long_its_name() -> None:
    assert bot_name("rules") == "rules (bot)"
    assert bot_name("a-long-name-of-a-file") == "a-long-nam (bot)"
    assert bot_name("\x1b" * 20) == safe_name(f"{MARK * 10} (bot)")
    assert bot_name("") == f"{MARK} (bot)"


def test_who_was_met_is_known_and_every_name_of_a_key_is_kept() -> None:
    ada = after([], ("Ada", ADAS), now_s=1)
    assert ada == (known_as("Ada", met_s=1),)
    both = after(ada, ("Bea", ADAS), now_s=2)
    assert both == (known_as("Bea", met_s=2), known_as("Ada", met_s=1))
    assert after(both, ("Ada", ADAS), now_s=3)[0] == known_as("Ada", met_s=3)


def test_another_key_that_was_accepted_takes_the_place_of_the_first() -> None:
    assert after([known_as("Ada")], ("Ada", OTHERS)) == (known_as("Ada", OTHERS, 9),)


def test_of_two_with_one_name_only_who_had_it_before_is_remembered() -> None:
    two = ("Ada", OTHERS), ("Ad\N{CYRILLIC SMALL LETTER A}", ADAS)
    assert after([], *two) == ()
    assert after([known_as("Ada", OTHERS)], *two) == (known_as("Ada", OTHERS, 9),)


def test_the_oldest_are_forgotten_when_there_are_too_many() -> None:
    many = [known_as(f"n{at}", met_s=at) for at in range(KNOWN_MAX)]
    found = after(many, ("Ada", ADAS), now_s=KNOWN_MAX)
    assert len(found) == KNOWN_MAX
    assert found[0].name == "Ada"
    assert found[-1].name == "n1"


def test_a_player_is_forgotten_by_any_name_that_looks_the_same() -> None:
    known = [known_as("Ada"), known_as("Bea", BEAS)]
    assert forgotten(known, "ada") == (known[1],)
    assert forgotten(known, "Ada B") is None


def test_what_is_kept_is_read_back() -> None:
    known = (known_as("Ada", met_s=5), known_as("Zo\xeb", BEAS))
    assert read_known(write_known(known)) == known
    assert read_known(write_known(())) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"schema": 2},
        {"type": "saved_match"},
        {"players": {}},
        {"players": [{"name": "Ada", "key": "00", "met": 1}]},
        {"players": [{"name": 7, "key": "00" * 32, "met": 1}]},
        {"players": [{"name": "Ada", "key": "00" * 32, "met": -1}]},
        {"players": [{"name": "Ada", "key": "00" * 32, "met": True}]},
        {"players": [{"name": "Ada", "key": "zz" * 32, "met": 1}]},
        {"players": [7]},
    ],
    ids=str,
)
def test_what_was_not_written_here_is_not_taken_for_players(
    change: dict[str, Any],
) -> None:
    found = json.loads(write_known([known_as("Ada")]))
    assert read_known(json.dumps(found).encode()) is not None
    assert read_known(json.dumps(found | change).encode()) is None


@pytest.mark.parametrize("data", [b"", b"[]", b"null", b"\xff", b"[" * 100_000])
def test_rubbish_is_no_list_of_players(data: bytes) -> None:
    assert read_known(data) is None
