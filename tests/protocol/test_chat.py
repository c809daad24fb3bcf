"""What one seat takes of what the others write, and what it does not."""

from dataclasses import dataclass

import pytest

from protocol.chat import (
    MESSAGES_MAX,
    WITHIN_S,
    Chat,
    Conversation,
    TooMuch,
    Written,
    sign_chat,
)
from protocol.codec import encode
from protocol.crypto.identity import Identity
from protocol.faults import LinkFault, Signed
from protocol.record import Record
from protocol.text import CHAT_CHARACTERS_MAX, chat_text

SEATS = tuple(Identity(bytes((seat,)) * 32) for seat in range(1, 4))
KEYS = tuple(identity.key for identity in SEATS)
SCOPE = b"t" * 16


def of(seat: int | None, number: int = 100) -> Conversation:
    identity = SEATS[seat or 0]
    return Conversation(Record(KEYS, bytes(32), SCOPE), identity, seat, number)


def chat(seat: int, number: int, text: str = "ciao") -> Signed:
    return sign_chat(SEATS[seat], Chat(SCOPE, seat, number, text))


def test_what_one_writes_the_others_read_once() -> None:
    one, other = of(0), of(1)
    first, second = one.write("ciao", 0.0), one.write(chat_text("a te"), 0.1)
    assert first is not None
    assert second is not None
    assert other.hear(first, 0.2) == Written(0, "ciao")  # type: ignore[arg-type]
    assert other.hear(second, 0.2) == Written(0, "a te")  # type: ignore[arg-type]
    assert other.hear(first, 0.3) is None
    assert other.hear(second, 0.3) is None


def test_the_own_message_that_comes_back_goes_no_further() -> None:
    one = of(0)
    signed = one.write("ciao", 0.0)
    assert signed is not None
    assert one.hear(signed, 0.1) is None


def test_a_later_run_is_read_and_an_earlier_one_not_again() -> None:
    reader = of(1)
    late = of(0, number=5_000).write("again", 1.0)
    early = of(0, number=10).write("before", 0.0)
    assert late is not None
    assert early is not None
    assert isinstance(reader.hear(late, 1.0), Written)
    assert reader.hear(early, 1.0) is None


def test_five_messages_in_ten_seconds_are_read_and_that_more_came_is_told_once() -> (
    None
):
    # X30.
    reader = of(1)
    answers = [reader.hear(chat(0, number), 1.0) for number in range(9)]
    assert all(isinstance(one, Written) for one in answers[:MESSAGES_MAX])
    assert answers[MESSAGES_MAX:] == [TooMuch(0), None, None, None]
    assert isinstance(reader.hear(chat(2, 0), 1.0), Written)
    assert isinstance(reader.hear(chat(0, 20), 1.0 + WITHIN_S), Written)
    later = [reader.hear(chat(0, 21 + n), 1.0 + WITHIN_S) for n in range(7)]
    assert later[MESSAGES_MAX - 1 :] == [None, None, None]


def test_the_own_seat_keeps_to_it_too() -> None:
    one = of(0)
    sent = [one.write("x", 1.0 + at / 10) for at in range(7)]
    assert [one is not None for one in sent] == [True] * 5 + [False] * 2
    assert one.write("x", 1.0 + WITHIN_S) is not None


def test_nobody_is_muted_for_what_another_has_made_up() -> None:
    reader = of(1)
    for number in range(MESSAGES_MAX):
        reader.hear(chat(0, number), 1.0)
    false = Signed(chat(0, 99).encoded, bytes(64))
    assert isinstance(reader.hear(false, 1.0), LinkFault)
    assert reader.hear(chat(0, 5), 1.0) == TooMuch(0)


@dataclass(frozen=True)
class Bad:
    says: str
    signed: Signed


@pytest.mark.parametrize(
    "bad",
    [
        Bad("not sign", Signed(chat(0, 1).encoded, chat(2, 1).signature)),
        Bad("not sign", sign_chat(SEATS[2], Chat(SCOPE, 0, 1, "I am Ada"))),
        Bad("another table", sign_chat(SEATS[0], Chat(b"u" * 16, 0, 1, "x"))),
        Bad("not at this", sign_chat(SEATS[0], Chat(SCOPE, 5, 1, "x"))),
        Bad("is none", chat(0, 1, "x" * (CHAT_CHARACTERS_MAX + 1))),
        Bad("is none", chat(0, 2**60)),
        Bad("is none", Signed(encode((SCOPE, 0, 1, b"x")), bytes(64))),
        Bad("is none", Signed(chat(0, 1).encoded + bytes(2000), bytes(64))),
    ],
)
def test_what_no_honest_seat_passes_on_is_the_links_fault(bad: Bad) -> None:
    reader = of(1)
    fault = reader.hear(bad.signed, 1.0)
    assert isinstance(fault, LinkFault)
    assert bad.says in fault.reason
    assert isinstance(reader.hear(chat(0, 1), 1.0), Written)


def test_a_message_is_one_line_of_visible_characters() -> None:
    # X34.
    reader = of(1)
    text = "\x1b]52;c;x\x07a\r\nb\u202ec" + "e" + "\u0301" * 90
    found = reader.hear(chat(0, 1, text), 1.0)
    assert isinstance(found, Written)
    assert not set("\x1b\x07\r\n\u202e") & set(found.text)
    assert len(found.text) < 20


def test_what_is_remembered_does_not_grow() -> None:
    reader = of(1)
    for number in range(2_000):
        reader.hear(chat(0, number), number / 100)
    authors = reader._authors.values()
    assert max(len(author.times_s) for author in authors) == MESSAGES_MAX
