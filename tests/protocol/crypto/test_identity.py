import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.group import EDWARDS
from protocol.crypto.hashing import H
from protocol.crypto.identity import Identity, key_words, valid_key, verify

# RFC 8032, 7.1, TEST 3.
SEED = bytes.fromhex("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
KEY = bytes.fromhex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
MESSAGE = bytes.fromhex("af82")
SIGNATURE = bytes.fromhex(
    "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
    "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"
)


def test_signatures_are_those_of_rfc_8032() -> None:
    identity = Identity(SEED)
    assert identity.key == KEY
    assert identity.sign(MESSAGE) == SIGNATURE
    assert verify(KEY, MESSAGE, SIGNATURE)


@pytest.mark.parametrize("at", [0, 31, 32, 63])
def test_a_damaged_signature_is_refused(at: int) -> None:
    damaged = bytearray(SIGNATURE)
    damaged[at] ^= 1
    assert not verify(KEY, MESSAGE, bytes(damaged))


def test_a_signature_of_another_message_or_key_is_refused() -> None:
    assert not verify(KEY, b"other", SIGNATURE)
    assert not verify(Identity(b"o" * 32).key, MESSAGE, SIGNATURE)


def test_the_border_of_signature_and_message_does_not_move() -> None:
    assert not verify(KEY, MESSAGE[1:], SIGNATURE + MESSAGE[:1])
    assert not verify(KEY, SIGNATURE[-1:] + MESSAGE, SIGNATURE[:-1])


def test_a_second_form_of_the_same_signature_is_refused() -> None:
    s = int.from_bytes(SIGNATURE[32:], "little") + EDWARDS.order
    assert not verify(KEY, MESSAGE, SIGNATURE[:32] + s.to_bytes(32, "little"))


def test_no_key_of_small_order_signs_everything() -> None:
    for encoded in EDWARDS.outsiders.values():
        assert not verify(encoded, MESSAGE, encoded + bytes(32))


@given(st.binary(max_size=40), st.binary(max_size=9), st.binary(max_size=70))
@settings(max_examples=50, deadline=None)
def test_any_bytes_may_be_asked_about(key: bytes, message: bytes, sig: bytes) -> None:
    assert not verify(key, message, sig)
    assert not verify(KEY, message, sig)
    assert not verify(key, MESSAGE, SIGNATURE)


def test_a_key_outside_the_prime_order_subgroup_may_not_sit_at_a_table() -> None:
    assert valid_key(KEY)
    assert not valid_key(KEY[:31])
    assert not any(map(valid_key, EDWARDS.outsiders.values()))


def test_an_identity_does_not_show_its_seed() -> None:
    shown = repr(Identity(SEED))
    assert repr(KEY) in shown
    assert "seed" not in shown
    assert "secret" not in shown


def test_a_key_reads_as_four_words() -> None:
    assert key_words(KEY) == "lulag-nikat-marat-kifup"
    for seed in range(50):
        key = Identity(bytes([seed]) * 32).key
        spelled = [spell(word) for word in key_words(key).split("-")]
        assert b"".join(spelled) == H("sc1.words", key)[:8]


def spell(word: str) -> bytes:
    """The two bytes of a proquint, by the alphabet of its proposal."""
    assert re.fullmatch("([bdfghjklmnprstvz][aiou]){2}[bdfghjklmnprstvz]", word)
    number = 0
    for at, letter in enumerate(word):
        if at % 2:
            number = number * 4 + "aiou".index(letter)
        else:
            number = number * 16 + "bdfghjklmnprstvz".index(letter)
    return number.to_bytes(2, "big")


def test_words_are_spelled_as_in_the_proposal() -> None:
    assert spell("lusab") + spell("babad") == bytes([127, 0, 0, 1])


def test_an_identity_is_its_seed() -> None:
    assert Identity(SEED) == Identity(SEED) != Identity(b"o" * 32)
