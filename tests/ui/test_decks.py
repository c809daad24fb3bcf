"""French and Italian faces for the same cards, each player's own."""

import pytest

from scopa_net.rules import MAZZO, PRESETS, card, find_variant
from scopa_net.ui.decks import ACE_TO_TEN, DECKS, FRENCH, ITALIAN, Deck, deck_in
from scopa_net.ui.faces import ASCII, FULL, SIZES, Glyphs, face, short_name
from scopa_net.ui.rulebook import rulebook
from tests.support.deals import SCOPA, opened
from tests.ui.conversation import Conversation
from tests.ui.sitting import Sitting, dealt_out

TABLE, HAND = "3S 4D 5C 2B", "7D 4C KB"


@pytest.mark.parametrize(
    ("deck", "names"),
    [
        (ITALIAN, ["Asso of coins (1)", "7 of cups", "Fante of swords (8)"]),
        (FRENCH, ["Ace of diamonds (1)", "7 of hearts", "Jack of spades (8)"]),
        (ACE_TO_TEN, ["Ace of diamonds (1)", "7 of hearts", "8 of spades"]),
    ],
)
def test_the_same_cards_have_the_names_of_a_deck(deck: Deck, names: list[str]) -> None:
    """S0.2, S2.9."""
    assert [deck.name(card(text)) for text in ("AD", "7C", "JS")] == names


def test_a_queen_is_nine_and_a_king_ten() -> None:
    assert FRENCH.name(card("QB")) == "Queen of clubs (9)"
    assert FRENCH.name(card("KD")) == "King of diamonds (10)"
    assert ACE_TO_TEN.name(card("KD")) == "10 of diamonds"


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
@pytest.mark.parametrize("glyphs", [FULL, ASCII], ids=["full", "ascii"])
def test_every_card_is_drawn_in_its_own_way_and_fits_its_frame(
    deck: Deck, glyphs: Glyphs
) -> None:
    drawn = glyphs.of(deck)
    assert len({short_name(one, drawn) for one in MAZZO}) == len(MAZZO)
    for one in MAZZO:
        assert len(short_name(one, drawn)) == 2
        for size in SIZES:
            inside = size.width - (0 if size.height == 1 else 2)
            lines = face(one, size, drawn)
            assert all(len(line) == inside for line in lines)
            assert glyphs is FULL or "".join(lines).isascii()


@pytest.mark.parametrize(
    ("asked", "deck"),
    [("french", FRENCH), ("ACE-TO-TEN", ACE_TO_TEN), ("tarot", ITALIAN), ("", ITALIAN)],
)
def test_the_environment_chooses_the_deck(asked: str, deck: Deck) -> None:
    assert deck_in({"SCOPA_DECK": asked}) is deck
    assert deck_in({}) is ITALIAN


def test_a_screen_shows_the_deck_of_its_player() -> None:
    sitting = Sitting(dealt_out(SCOPA, TABLE, HAND), deck=FRENCH).start().ask()
    text = sitting.text(glyphs=FULL.of(FRENCH))
    assert "K ♣" in text
    assert "KING" in text
    assert "no diamonds" in text
    sitting.press("2")
    assert "7 of diamonds: 2 ways" in sitting.text(glyphs=FULL.of(FRENCH))


def test_line_mode_tells_the_deck_of_its_player_and_reads_notation() -> None:
    talk = Conversation(opened(TABLE, HAND), deck=FRENCH).asked()
    [table] = talk.typed("table")[1]
    assert table == (
        "Table, 4 cards: 2 of clubs, 3 of spades, 4 of diamonds, 5 of hearts."
    )
    said = talk.typed("7Dx4D")[1][0]
    assert said.startswith("7 of diamonds does not take 4 of diamonds")
    assert talk.typed("help")[1][-1] == (
        "Ranks are A, 2 to 7, J for Jack, Q for Queen, K for King; suits are D for "
        "diamonds, C for hearts, S for spades, B for clubs."
    )
    assert talk.typed("KB")[0] is not None


def test_the_rules_are_told_in_the_words_of_a_deck() -> None:
    """S2.9: with no faces in the pack three tens are dealt again."""
    for deck, kings, values in (
        (ITALIAN, "Re", "Fante is 8, Cavallo 9, Re 10, Asso 1."),
        (FRENCH, "Kings", "Jack is 8, Queen 9, King 10, Ace 1."),
        (ACE_TO_TEN, "tens", "Ace is 1."),
    ):
        text = " ".join(sentence.text for sentence in rulebook(SCOPA, deck))
        assert f"If three or four of the cards face up are {kings}" in text
        assert values in text
        for name, preset in PRESETS.items():
            told = rulebook(find_variant(name, preset.players[0]), deck)
            assert not any({"{", "}"} & set(sentence.text) for sentence in told)
