"""The words of a knock, which somebody in between cannot make equal."""

from protocol import invite
from protocol.crypto.hashing import H
from protocol.crypto.identity import proquints
from protocol.crypto.knock import TICKET_BYTES, Exchange, commitment

HOST, GUEST, BETWEEN = b"h" * 32, b"g" * 32, b"m" * 32
HOST_NONCE, GUEST_NONCE = b"x" * 32, b"y" * 32
HONEST = Exchange(HOST, GUEST, HOST_NONCE, GUEST_NONCE)


def test_both_ends_of_one_exchange_read_the_same_words() -> None:
    again = Exchange(HOST, GUEST, HOST_NONCE, GUEST_NONCE)
    assert HONEST.words == again.words
    assert HONEST.ticket == again.ticket
    assert len(HONEST.words.split("-")) == 4


def test_the_words_are_of_both_keys_and_both_nonces() -> None:
    others = {
        Exchange(BETWEEN, GUEST, HOST_NONCE, GUEST_NONCE).words,
        Exchange(HOST, BETWEEN, HOST_NONCE, GUEST_NONCE).words,
        Exchange(HOST, GUEST, bytes(32), GUEST_NONCE).words,
        Exchange(HOST, GUEST, HOST_NONCE, bytes(32)).words,
    }
    assert len(others) == 4
    assert HONEST.words not in others


def test_the_words_are_the_hash_that_the_page_of_the_protocol_names() -> None:
    parts = (HOST, GUEST, HOST_NONCE, GUEST_NONCE)
    assert HONEST.words == proquints(H("sc1.knock.words", *parts))
    assert HONEST.ticket == H("sc1.knock.own", *parts)[:16]


def test_a_commitment_is_of_one_nonce_and_two_keys() -> None:
    made = commitment(HOST, GUEST, GUEST_NONCE)
    assert made == H("sc1.knock", HOST, GUEST, GUEST_NONCE)
    assert made != commitment(BETWEEN, GUEST, GUEST_NONCE)
    assert made != commitment(HOST, BETWEEN, GUEST_NONCE)
    assert made != commitment(HOST, GUEST, HOST_NONCE)


def test_a_ticket_of_a_knock_is_as_long_as_one_of_an_invitation() -> None:
    assert TICKET_BYTES == invite.TICKET_BYTES
