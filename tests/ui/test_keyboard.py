"""Which keys a terminal's characters are, and which of them are none."""

from collections.abc import Iterator
from random import Random

import pytest
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from scopa_net.ui.screen.keyboard import (
    CUT_S,
    PASTE_CHARACTERS_MAX,
    PASTE_CUT_S,
    Keyboard,
)

FUZZ_SEED, FUZZED = 20261201, 3000
PASTE, PASTE_END = "\x1b[200~", "\x1b[201~"


class Board:
    """A keyboard, what has come of it, and its clock."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.pressed: list[KeyPress] = []
        self._keyboard = Keyboard(self.pressed.append, lambda: self.now_s)

    def send(self, text: str) -> "Board":
        self._keyboard.feed(text)
        return self

    def pause(self, seconds: float) -> "Board":
        self._keyboard.flush()
        self.now_s += seconds
        return self

    @property
    def keys(self) -> list[str]:
        return [press.key for press in self.pressed]


def keys_of(sent: str) -> list[str]:
    return Board().send(sent).keys


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("q1è★", ["q", "1", "è", "★"]),
        ("\r\t\x7f\x03\x04", ["c-m", "c-i", "c-h", "c-c", "c-d"]),
        ("\x1b[A\x1b[D\x1bOB", ["up", "left", "down"]),
        ("\x1bOP\x1b[[A\x1b[11~", ["f1", "f1", "f1"]),
        ("\x1b[Z\x1b[1;5C", ["s-tab", "c-right"]),
        ("\x9bA\udc9bB", ["up", "down"]),
    ],
)
def test_keys_are_what_they_were(sent: str, keys: list[str]) -> None:
    assert keys_of(sent) == keys


@pytest.mark.parametrize(
    "sent",
    [
        "\x1b[31m",
        "\x1b[m",
        "\x1b[;;;m",
        "\x1b[<0;12;7M",
        "\x1b[<0;12;7m",
        "\x1b[32;12;7M",
        "\x1b[M qy",
        "\x1b[M\x1b\x1b\x1b",
        "\x1b[I",
        "\x1b[O",
        "\x1b[24;80R",
        f"\x1b[{'9' * 5000};1R",
        f"\x1b[{'1;' * 20000}y",
        "\x1b[?1;2c",
        "\x1b[>0;276;0c",
        "\x1b[?2026;2$y",
        "\x1b]11;rgb:1111/2222/3333\x07",
        "\x1b]11;rgb:1111/2222/3333\x1b\\",
        "\x1bP1$r0 q\x1b\\",
        "\x1bXqry\x1b\\",
        "\x1b_qry\x9c",
        "\x9b31m",
        "\udc9b31m",
        "\x9d0;qry\x9c",
        "\x90qry\udc9c",
        "\x84\x85\udcff\udce8",
        "\x1b(B",
        "\x1bq",
        "\x1bOj",
        "\x1b[1;2q",
    ],
)
def test_what_is_no_key_means_nothing_and_the_next_key_does(sent: str) -> None:
    assert keys_of(f"{sent}3") == ["3"]


def test_an_escape_is_a_key_if_nothing_follows_it_at_once() -> None:
    assert Board().send("\x1b").pause(0.05).send("q").keys == ["escape", "q"]
    assert Board().send("\x1b\x1b").pause(0.05).keys == ["escape", "escape"]


@pytest.mark.parametrize("begun", ["\x1b[", "\x1b[3", "\x1bO", "\x1b]0;qr", "\x1b[M "])
def test_what_was_cut_off_may_be_ended_for_a_while_but_holds_nothing_up(
    begun: str,
) -> None:
    board = Board().send(begun).pause(CUT_S * 2).send("q")
    assert board.keys == ["q"]
    assert Board().send(begun).send("\x03q").keys == ["c-c", "q"]


def test_a_key_that_comes_in_two_parts_is_one() -> None:
    assert Board().send("\x1b[1;").pause(CUT_S / 2).send("5Dq").keys == ["c-left", "q"]


def test_a_text_that_is_pasted_is_one_line_and_no_keys() -> None:
    board = Board().send(f"{PASTE}qr y\r\n\x1b[31mtwo\x9b\x1b").send(f"{PASTE_END}3")
    assert board.keys == [Keys.BracketedPaste, "3"]
    assert board.pressed[0].data == "qr y [31mtwo"


def test_of_a_long_text_so_much_is_kept_as_can_be_written() -> None:
    board = Board().send(f"{PASTE}{'q' * 10_000}{PASTE_END}3")
    assert board.keys == [Keys.BracketedPaste, "3"]
    assert board.pressed[0].data == "q" * PASTE_CHARACTERS_MAX


def test_a_paste_that_never_ends_is_over_after_a_pause() -> None:
    board = Board().send(f"{PASTE}qry").pause(PASTE_CUT_S / 2).send("qry")
    assert board.keys == []
    assert board.pause(PASTE_CUT_S * 2).send("3").keys == ["3"]


def odd_sequences(luck: Random) -> Iterator[str]:
    """Sequences that no table of keys has, whole and cut."""
    kinds = ("[", "[<", "[?", "[>", "O", "]", "P", "_", "^", "X", "(", "")
    while True:
        begun = luck.choice(("\x1b", "\x1b", "\x1b\x1b", "\x9b", "\udc9b", "\x9d"))
        inner = "".join(luck.choices("0123456789;:$ !/qryv", k=luck.randrange(12)))
        end = luck.choice(("m", "M", "R", "y", "c", "~", "\x07", "\x1b\\", "\x9c", ""))
        yield begun + luck.choice(kinds) + inner + end


def test_no_odd_sequence_raises_or_is_held_for_ever() -> None:
    luck = Random(FUZZ_SEED)
    board = Board()
    for _, sent in zip(range(FUZZED), odd_sequences(luck), strict=False):
        for part in luck.sample((sent, sent[: len(sent) // 2]), k=luck.randrange(1, 3)):
            board.send(part)
        board.pause(PASTE_CUT_S * 2)
        board.pressed.clear()
        assert board.send("\x1b[A3").keys == ["up", "3"]
