from protocol.crypto.identity import key_words
from protocol.text import SafeText
from scopa_net.acquaintances import Acquaintance, Introduction, introduce
from scopa_net.ui.introductions import (
    introduction_sentences,
    refusal,
    stranger_question,
)

ADAS, OTHERS = b"a" * 32, b"o" * 32
ADA = Acquaintance(SafeText("Ada"), ADAS, 1)


def met(name: str, key: bytes, shown: str = "") -> Introduction:
    player = (name, SafeText(shown or name), key)
    (found,) = introduce([ADA], [player])
    return found


def test_somebody_new_is_told_with_the_words_of_the_key_and_how_to_be_sure() -> None:
    bea, carla = met("Bea", OTHERS), met("Carla", b"c" * 32)
    assert introduction_sentences([bea, carla]) == (
        f"Bea is new to you, with the key {key_words(OTHERS)}.",
        f"Carla is new to you, with the key {key_words(b'c' * 32)}.",
        "To be sure who that is, ask for the words that `scopa identity` shows there.",
    )


def test_of_an_old_friend_nothing_is_told_unless_the_name_is_another() -> None:
    assert introduction_sentences([met("Ada", ADAS)]) == ()
    assert introduction_sentences([met("Bea", ADAS)]) == (
        "Ada is called Bea now: the key is the same.",
    )
    assert introduction_sentences([met("Ada", ADAS, "Ada (2)")]) == (
        "Ada (2) is the Ada you know.",
    )


def test_another_key_is_asked_about_with_both_in_words() -> None:
    other = met("Ada", OTHERS)
    assert introduction_sentences([other]) == ()
    keys = (
        f"This is not the Ada you know: the key was {key_words(ADAS)}, and here it is "
        f"{key_words(OTHERS)}."
    )
    why, question = stranger_question(other)
    assert why.startswith(keys)
    assert question.endswith("[y/N]")
    assert refusal(other).startswith(f"{keys} Nothing was signed")
    assert "`scopa identity forget Ada`" in refusal(other)
