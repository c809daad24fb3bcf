"""Who has come to the table, told by their keys where a name alone could deceive."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.crypto.identity import key_words
from protocol.text import SafeText
from scopa_net.acquaintances import Introduction, Standing
from scopa_net.ui.words import new_words

__all__ = ["introduction_sentences", "refusal", "stranger_question", "turned_away"]


def introduction_sentences(met: Sequence[Introduction]) -> tuple[str, ...]:
    """What the player has to know of those at the table; of old friends nothing."""
    told = [sentence for one in met if (sentence := _sentence(one))]
    if any(one.standing is Standing.NEW for one in met):
        told.append(
            "To be sure who that is, ask for the words that `scopa identity` shows "
            "there."
        )
    return tuple(told)


def _sentence(one: Introduction) -> str:
    before = one.before
    if before is None:
        return new_words(one.name, one.words)
    if one.standing is Standing.RENAMED:
        return f"{before.name} is called {one.name} now: the key is the same."
    if one.standing is Standing.KNOWN and one.name != before.name:
        return f"{one.name} is the {before.name} you know."
    return ""


def stranger_question(one: Introduction) -> tuple[str, ...]:
    """What is asked if a known name comes with another key."""
    name = _known_name(one)
    return (
        f"{_other(one)} Somebody else may have taken the name; or {name} plays on "
        "another computer, or has lost the key. Ask before you say yes, by a way on "
        "which you know each other.",
        f"Play with this {name}, and take the new key for theirs from now on? [y/N]",
    )


def refusal(one: Introduction) -> str:
    """Why nobody sits down here, and what to do if it is right after all."""
    return (
        f"{_other(one)} Nothing was signed, and no card was dealt. If it is right "
        f"all the same, `scopa identity forget {_known_name(one)}` before you come "
        "again."
    )


def turned_away(one: Introduction) -> str:
    """What a host's player reads who does not want somebody at the table."""
    return f"{one.name} ({one.words}) is turned away. Others may come in that place."


def _other(one: Introduction) -> str:
    assert one.before is not None
    name, before = _known_name(one), key_words(one.before.key)
    return (
        f"This is not the {name} you know: the key was {before}, and here it is "
        f"{one.words}."
    )


def _known_name(one: Introduction) -> SafeText:
    assert one.before is not None, "only a known name can come with another key"
    return one.before.name
