"""What somebody sees, presses and types who only watches."""

from io import StringIO
from random import Random

import pytest

from protocol.text import SafeText
from scopa_net.events import (
    DealStarted,
    MatchWon,
    Played,
    Resigned,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.rules import Play, card, find_variant, legal_actions, new_match
from scopa_net.rules.observation import Observation
from scopa_net.ui.absence import Waiting, only_wait_line, waiting_lines
from scopa_net.ui.company import Company
from scopa_net.ui.faces import ASCII, GLYPHS
from scopa_net.ui.line_help import ONLY_LOOKS
from scopa_net.ui.lines import Lines, Sight, Wish
from scopa_net.ui.output import Output
from scopa_net.ui.presenter import BEHIND_MAX
from scopa_net.ui.view import (
    CallAgain,
    ChatCame,
    Link,
    LinkChanged,
    Overlay,
    Quit,
    Write,
)
from tests.ui.make_screens import SCOPA, watched
from tests.ui.sitting import Sitting, dealt_out, played_out, shuffled
from tests.ui.test_scenes import SIZES, assert_exact


def deal_over(seed: int = 1) -> Sitting:
    return played_out(Sitting(shuffled(SCOPA, seed), you=None).start(), seed).settle()


def message(sitting: Sitting) -> str:
    return sitting.view.message.text if sitting.view.message else ""


# -- on a whole screen ---------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_every_scene_is_exactly_as_wide_as_the_screen(players: int) -> None:
    sitting = Sitting(shuffled(find_variant("scopa", players), 1), you=None)
    for size in SIZES:
        assert_exact(sitting, size, ASCII)
    sitting.start().ask()
    for key in ("?", "s", "l", "q", "1", "h", "r", "x", "left", "down"):
        sitting.press(key)
        for size in SIZES:
            for glyphs in GLYPHS.values():
                assert_exact(sitting, size, glyphs)
        sitting.press("escape")
    company = sitting.company
    sitting.give(ChatCame("Ana says: ciao"), LinkChanged(1, Link.LOST, company))
    for size in SIZES:
        assert_exact(sitting, size, ASCII)
    played_out(sitting, 1).settle()
    for size in SIZES:
        assert_exact(sitting, size, ASCII)


def test_no_key_plays_hints_declares_or_resigns() -> None:
    for key in ("1", "left", "down", "enter", "h", "x", "a"):
        sitting = watched().press(key)
        assert message(sitting) in {"Bruno is to play. You only watch.", ""}
        assert sitting.commands == []
        assert sitting.view.overlay is None
    sitting = watched().press("q", "r", "v")
    assert sitting.view.overlay is Overlay.LEAVE
    assert sitting.press("escape").view.overlay is None
    assert sitting.press("q", "enter").commands == [Quit(interrupted=False)]


def test_a_question_to_the_players_is_told_and_not_asked() -> None:
    sitting = watched().hear(VoidProposed(0))
    assert sitting.view.overlay is None
    assert "Ana asks that this deal does not count." in sitting.text()
    sitting.hear(VoidRefused(1))
    assert "Bruno" in sitting.view.news
    sitting.press("y", "n")
    assert sitting.commands == []
    sitting.hear(Voided(0))
    assert sitting.view.shuffling
    sitting.hear(Resigned(1))
    assert "Bruno gives the match up." in sitting.text()


def test_the_score_stays_until_it_is_read_or_the_next_deal_is_played() -> None:
    for read in (True, False):
        sitting = deal_over()
        assert "Enter go on" in sitting.text()
        sitting.hear(DealStarted(1, 1), sitting.dealt())
        assert sitting.view.overlay is Overlay.DEAL_OVER
        if read:
            sitting.press("enter")
        else:
            sitting.hear(Played(0, Play(card("7D")), scopa=False))
        assert sitting.view.overlay is None
        assert (sitting.view.deal, sitting.view.story) == (1, ())


def test_a_question_that_lies_over_a_score_is_not_closed_by_a_play() -> None:
    sitting = deal_over().press("q")
    sitting.hear(DealStarted(1, 1), sitting.dealt())
    sitting.hear(Played(0, Play(card("7D")), scopa=False))
    assert sitting.view.overlay is Overlay.LEAVE
    assert sitting.press("escape").view.overlay is None


def test_who_comes_late_or_sees_bots_is_never_far_behind() -> None:
    sitting = Sitting(shuffled(SCOPA, 1), you=None).start()
    luck = Random(1)
    for _ in range(3):
        sitting.play(luck.choice(legal_actions(sitting.deal)))
    assert len(sitting.view.moves) == 1
    while not sitting.deal.over:
        sitting.play(luck.choice(legal_actions(sitting.deal)))
        assert len(sitting.view.story) <= 2 * BEHIND_MAX
    assert sitting.settle().view.scored is not None


def test_the_end_of_the_match_stays_with_its_score() -> None:
    sitting = deal_over()
    sitting.hear(MatchWon(0, sitting.company.names, (11, 3), 4))
    assert "Ana wins the match after 4 deals: Ana 11, Bruno 3." in sitting.text()
    assert sitting.press("enter").commands == [Quit(interrupted=False)]


def test_who_is_away_is_called_only_when_nobody_is_there() -> None:
    sitting = watched()
    sitting.give(LinkChanged(1, Link.LOST, sitting.company))
    assert "call again" not in sitting.text()
    assert "scopa resume" not in sitting.text()
    sitting.press("r")
    assert sitting.commands == []
    assert message(sitting) == only_wait_line(Waiting(("Bruno",)))
    sitting.give(LinkChanged(0, Link.LOST, sitting.company))
    assert "r call again now" in sitting.text()
    assert sitting.press("r").commands == [CallAgain()]


def test_somebody_may_be_muted_and_what_is_written_is_read() -> None:
    sitting = watched().give(ChatCame("Ana says: ciao"))
    assert "Ana says: ciao" in sitting.text()
    sitting.press("t", *"/mute Ana", "enter")
    assert sitting.commands == []
    sitting.view = sitting.view.__class__(watches=True, chats=True)
    sitting.press("t", *"/mute Ana", "enter")
    assert sitting.commands == [Write("/mute Ana")]
    assert "t chat" not in sitting.text()


# -- in lines ------------------------------------------------------------------------


class Onlooker:
    """Somebody who watches a deal line by line."""

    def __init__(self) -> None:
        self.deal = dealt_out(SCOPA, "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
        self.company = Company((SafeText("Ana"), SafeText("Bruno")), SCOPA, None)
        self.page = StringIO()
        self.lines = Lines(Output(self.page, lambda _: None), self.look, prompt=True)
        self.lines.watches = True

    def look(self) -> Sight:
        match = new_match(SCOPA, self.deal.dealer)
        return Sight(self.company, Observation(None, self.deal, match))

    def said(self) -> list[str]:
        text = self.page.getvalue()
        self.page.seek(0)
        self.page.truncate()
        return text.splitlines()

    def typed(self, line: str) -> list[str]:
        assert self.lines.read(line) is None
        return self.said()


def test_the_cards_are_told_and_no_hand() -> None:
    one = Onlooker()
    one.lines.hear(Sitting(one.deal, you=None).dealt())
    told = one.said()
    assert any(line.startswith("Table, 4 cards: ") for line in told)
    assert not any("hand" in line for line in told)


@pytest.mark.parametrize(
    "word", ["hand", "hint", "back", "resign", "adjourn", "void", "yes", "no"]
)
def test_the_words_of_players_are_answered_in_one_sentence(word: str) -> None:
    assert Onlooker().typed(word) == [ONLY_LOOKS]


def test_a_card_is_not_played_and_it_is_said_why() -> None:
    for typed in ("1", "7D", "nonsense"):
        assert Onlooker().typed(typed) == [
            "Ana is to play.",
            f"{ONLY_LOOKS} Type help.",
        ]


def test_what_lies_open_may_be_asked_for() -> None:
    one = Onlooker()
    assert one.typed("table")[0].startswith("Table, 4 cards: ")
    assert one.typed("who")[0].startswith("Ana against Bruno.")
    assert one.typed("score")[0].startswith("Match, to 11: Ana 0, Bruno 0.")
    assert one.typed("help")[0] == ONLY_LOOKS
    assert one.typed("last") == ["Nothing has been played in this deal yet."]
    assert one.lines.read("quit") is Wish.LEAVE


def test_the_questions_of_players_are_told_and_not_asked() -> None:
    one = Onlooker()
    for event in (VoidProposed(0), Voided(0), Resigned(1)):
        one.lines.hear(event)
        (told,) = one.said()
        assert "Type" not in told


def test_who_waits_is_not_told_to_resume_what_is_not_kept() -> None:
    waiting = Waiting(("Ada",), unseen=True, lasting=True)
    assert list(waiting_lines(waiting, watches=True)) == [
        "Ada has been away for a minute. You can wait, or leave: the same command "
        "watches again later."
    ]
