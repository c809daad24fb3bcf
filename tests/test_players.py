import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import StringIO
from queue import Queue
from typing import TypeVar

import pytest
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.task import Clock
from twisted.python.failure import Failure

from scopa_net.bots import Bot
from scopa_net.bots.bot import Answer
from scopa_net.events import Played, TurnCame, VoidProposed
from scopa_net.leaving import Word
from scopa_net.players import (
    LINE_BYTES_MAX,
    LINES_AHEAD_MAX,
    PATIENCE_S,
    Adviser,
    BotFailed,
    BotPlayer,
    LinePlayer,
    LineReader,
    luck_of,
)
from scopa_net.rules import (
    Action,
    Card,
    Observation,
    Play,
    Suit,
    apply,
    card,
    new_match,
    read_action,
)
from scopa_net.ui.lines import QUESTION, Lines, Sight
from scopa_net.ui.output import Output
from tests.support.deals import opened
from tests.ui.conversation import company

T = TypeVar("T")
SECRET = bytes(range(32))
DEAL = opened("3S 4D 5C 2B", "7D 4C KB")
HINT = "Hint: play Re of clubs (10) and take 2 of clubs, 3 of swords, 5 of cups."
SEEN = Observation(0, DEAL, new_match(DEAL.variant, DEAL.dealer))


def inline(call: Callable[[], T], /) -> Deferred[T]:
    return maybeDeferred(call)


class Fixed:
    """A bot that answers as it is told to, and remembers what it was asked."""

    def __init__(self, answer: Callable[[], Action]) -> None:
        self.asked: list[Observation] = []
        self._answer = answer

    def choose(self, observation: Observation) -> Action:
        self.asked.append(observation)
        return self._answer()


def chosen(bot: Bot, seen: Observation = SEEN) -> Action | Failure:
    found: list[Action | Failure] = []
    player = BotPlayer(bot, "mine", secret=SECRET, in_thread=inline)
    player.choose(seen).addBoth(found.append)
    (one,) = found
    return one


def sentence(found: object) -> str:
    assert isinstance(found, Failure)
    assert found.check(BotFailed)
    return found.getErrorMessage()


def test_a_bot_is_asked_with_luck_that_is_not_the_secret() -> None:
    bot = Fixed(lambda: read_action("4Cx4D"))
    assert chosen(bot) == read_action("4Cx4D")
    assert bot.asked == [SEEN]
    assert bot.asked[0].luck == luck_of("mine", SECRET, SEEN) != SECRET


def test_luck_is_new_for_every_deal_ply_bot_and_match_and_the_same_again() -> None:
    later = Observation(0, opened("3S 4D 5C 2B", "7D 4C KB", play="KB"), SEEN.match)
    next_deal = replace(SEEN, match=replace(SEEN.match, deal_number=1))
    lucks = [
        luck_of("mine", SECRET, next_deal),
        luck_of("mine", SECRET, SEEN),
        luck_of("mine", SECRET, later),
        luck_of("yours", SECRET, SEEN),
        luck_of("mine", bytes(32), SEEN),
    ]
    assert len(set(lucks)) == len(lucks)
    assert luck_of("mine", SECRET, SEEN) == lucks[1]


def test_a_bot_that_raises_is_named_with_its_reason() -> None:
    def fail() -> Action:
        raise ValueError("no \x1b[31m idea")

    assert sentence(chosen(Fixed(fail))) == (
        "The bot mine failed: ValueError: no \ufffd[31m idea."
    )


def test_a_bot_may_not_choose_what_is_not_allowed() -> None:
    assert sentence(chosen(Fixed(lambda: Play(card("KD"))))) == (
        "The bot mine chose what is not allowed: KD."
    )


class Anything:
    """It says that it is whatever it is compared with."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0

    def __repr__(self) -> str:
        raise ValueError


class AnyPlay(Play):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = Play.__hash__


class AnyRank(int):
    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


def bare_play() -> Play:
    return Play.__new__(Play)


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("7D", "an object of type str"),
        (None, "an object of type NoneType"),
        (Anything(), "an object of type Anything"),
        (Deferred(), "an object of type Deferred"),
        (Failure(ValueError()), "an object of type Failure"),
        (AnyPlay(card("7D")), "an object of type AnyPlay"),
        (Play(Anything()), "a Play of something else than cards"),  # type: ignore[arg-type]
        (Play(Card(AnyRank(7), Suit.DENARI)), "a Play of something else than cards"),
        (bare_play(), "a Play of something else than cards"),
    ],
)
def test_a_bot_has_to_choose_an_action(answer: Action, shown: str) -> None:
    assert sentence(chosen(Fixed(lambda: answer))) == (
        f"The bot mine chose what is no action: {shown}."
    )


def test_a_bot_s_answer_becomes_an_action_of_ours() -> None:
    (legal, *_) = [one for one in SEEN.legal_actions if isinstance(one, Play)]
    copied = Play(Card(int(legal.card.rank), legal.card.suit), legal.captured)
    found = chosen(Fixed(lambda: copied))
    assert found == legal
    assert found is not copied


REFUSE = Word.REFUSE_VOID


class Desk:
    """A person's place: lines go in, sentences come out."""

    def __init__(
        self, *, interactive: bool = False, adviser: Adviser | None = None
    ) -> None:
        self.left = 0
        # Whether another has called the deal void.
        self.asked = False
        self.clock = Clock()
        self.chosen: list[Action] = []
        self.words: list[Word] = []
        self._page = StringIO()
        lines = Lines(
            Output(self._page, lambda _: None),
            lambda: Sight(company(), SEEN),
            why_not=lambda word: "" if self.asked or word is not REFUSE else "No.",
            hints=adviser is not None,
        )
        self.player = LinePlayer(
            lines,
            interactive=interactive,
            adviser=adviser,
            leave=self._leave,
            say=self.words.append,
            call_later=self.clock.callLater,
        )

    def ask(self) -> None:
        self.player.choose(SEEN).addCallback(self.chosen.append)

    def type(self, *lines: str | None) -> None:
        for line in lines:
            self.player.typed(line)

    def said(self) -> list[str]:
        return self._page.getvalue().splitlines()

    def _leave(self) -> None:
        self.left += 1


def test_lines_from_a_pipe_wait_for_their_question_in_order() -> None:
    desk = Desk()
    desk.type("1", "KB", None)
    assert desk.said() == []
    desk.ask()
    assert desk.chosen == [read_action("4Cx4D")]
    desk.ask()
    assert desk.chosen[1:] == [read_action("KBx2B3S5C")]
    assert desk.left == 0
    desk.ask()
    assert desk.left == 1


def test_commands_from_a_pipe_are_answered_at_once_unless_a_card_waits_before() -> None:
    desk = Desk()
    desk.type("last")
    assert desk.said() == ["Nothing has been played in this deal yet."]
    desk.type("1", "quit")
    assert desk.left == 0
    desk.ask()
    assert desk.chosen == [read_action("4Cx4D")]
    assert desk.left == 1


def test_a_line_that_is_waited_for_means_nothing_else() -> None:
    desk = Desk(interactive=True)
    lines: list[str | None] = []
    desk.player.next_line().addCallback(lines.append)
    desk.type("1", "last")
    assert lines == ["1"]
    assert desk.said() == ["Nothing has been played in this deal yet."]


def test_a_line_that_is_waited_for_no_more_means_what_it_always_does() -> None:
    desk = Desk(interactive=True)
    line = desk.player.next_line()
    line.addErrback(lambda _: None)
    line.cancel()
    desk.type("last")
    assert desk.said() == ["Nothing has been played in this deal yet."]


def test_on_a_terminal_a_card_out_of_turn_is_refused_and_the_end_leaves() -> None:
    desk = Desk(interactive=True)
    desk.type("1")
    assert desk.said()[-1] == "Wait for your turn, or type help."
    desk.type(None)
    assert desk.left == 1
    assert desk.chosen == []


def test_a_wrong_line_is_followed_by_the_next_one() -> None:
    desk = Desk()
    desk.ask()
    desk.type("nonsense", "2", "a")
    assert desk.chosen == [read_action("7Dx3S4D")]


def test_a_hint_is_what_the_adviser_would_play() -> None:
    bot = BotPlayer(
        Fixed(lambda: read_action("KBx2B3S5C")), "h", secret=SECRET, in_thread=inline
    )
    desk = Desk(adviser=bot)
    desk.ask()
    desk.type("hint", "KB")
    assert desk.said()[-1] == HINT
    assert desk.chosen == [read_action("KBx2B3S5C")]


class Talker(Fixed):
    """A bot that says why, and once that it is not ready."""

    def get_ready(self, told: Callable[[str], None]) -> None:
        told("It takes a while.")

    def explain(self, observation: Observation, action: Action) -> Iterator[str]:
        yield from ("First.", "Second.", "Third.")


def test_a_hint_has_the_reasons_of_a_bot_that_gives_some() -> None:
    told: list[str] = []
    bot = BotPlayer(
        Talker(lambda: read_action("KBx2B3S5C")),
        "h",
        secret=SECRET,
        in_thread=inline,
        told=told.append,
    )
    desk = Desk(adviser=bot)
    desk.ask()
    desk.type("hint")
    assert desk.said()[-3:] == [HINT, "First.", "Second."]
    assert told == ["It takes a while."]


class Thinker:
    """An adviser that answers when it is told to."""

    def __init__(self) -> None:
        self.hint: Deferred[Answer] = Deferred()

    def advise(self, observation: Observation) -> Deferred[Answer]:
        return self.hint


def test_from_a_pipe_a_hint_waits_for_its_question_and_the_rest_for_the_hint() -> None:
    thinker = Thinker()
    desk = Desk(adviser=thinker)
    desk.type("hint", "last", "1", None)
    assert desk.said() == []
    desk.ask()
    assert desk.said()[-1] == QUESTION
    assert (desk.chosen, desk.left) == ([], 0)
    thinker.hint.callback(Answer(read_action("KBx2B3S5C")))
    assert desk.said()[-2] == HINT
    assert desk.chosen == [read_action("4Cx4D")]
    assert desk.left == 0
    desk.ask()
    assert desk.left == 1


def test_on_a_terminal_nobody_waits_for_a_hint() -> None:
    thinker = Thinker()
    desk = Desk(adviser=thinker, interactive=True)
    desk.type("hint")
    assert desk.said() == ["A hint is for your turn."]
    desk.ask()
    desk.type("hint", "1")
    assert desk.chosen == [read_action("4Cx4D")]
    thinker.hint.callback(Answer(read_action("KBx2B3S5C")))
    assert not any(line.startswith("Hint:") for line in desk.said())


def test_an_adviser_that_fails_gives_no_hint_and_no_harm() -> None:
    bot = BotPlayer(
        Fixed(lambda: read_action("KS")), "h", secret=SECRET, in_thread=inline
    )
    desk = Desk(adviser=bot)
    desk.ask()
    desk.type("hint", "1")
    assert desk.said()[-1] == "There is no hint now."
    assert desk.chosen == [read_action("4Cx4D")]


def test_whose_turn_it_is_is_told_only_if_it_lasts() -> None:
    desk = Desk()
    desk.player.hear(TurnCame(1))
    desk.player.hear(Played(1, Play(card("KS")), scopa=False))
    desk.clock.advance(2 * PATIENCE_S)
    assert len(desk.said()) == 1
    desk.player.hear(TurnCame(1))
    desk.clock.advance(2 * PATIENCE_S)
    assert len(desk.said()) == 2
    desk.player.hear(TurnCame(0))
    desk.ask()
    desk.clock.advance(2 * PATIENCE_S)
    assert desk.said()[-1] == QUESTION


@contextmanager
def reading() -> Iterator[tuple[int, "Queue[str | None]", LineReader]]:
    inside, outside = os.pipe()
    handed: Queue[str | None] = Queue()
    reader = LineReader(inside, lambda hand_over, line: hand_over(line))
    reader.start(handed.put)
    try:
        yield outside, handed, reader
    finally:
        os.close(inside)


def taken(handed: "Queue[str | None]") -> list[str | None]:
    """All lines up to the end of input."""
    found = [handed.get(timeout=5)]
    while found[-1] is not None:
        found.append(handed.get(timeout=5))
    return found


def test_lines_are_read_to_the_end_with_the_last_one_whole_or_not() -> None:
    with reading() as (pipe, handed, _):
        os.write(pipe, b"one\r\ntw")
        os.write(pipe, b"o\n\xff\n\nrest")
        os.close(pipe)
        assert taken(handed) == ["one\r", "two", "\ufffd", "", "rest", None]


def test_a_line_without_end_is_cut() -> None:
    with reading() as (pipe, handed, _):
        for _ in range(4):
            os.write(pipe, b"x" * LINE_BYTES_MAX)
        os.close(pipe)
        assert taken(handed) == ["x" * LINE_BYTES_MAX, None]


def test_no_more_lines_are_under_way_than_there_is_room_for() -> None:
    with reading() as (pipe, handed, reader):
        os.write(pipe, b"x\n" * (LINES_AHEAD_MAX + 1))
        os.close(pipe)
        for _ in range(LINES_AHEAD_MAX):
            assert handed.get(timeout=5) == "x"
        assert handed.empty()
        reader.taken()
        assert taken(handed) == ["x", None]


def test_what_cannot_be_read_has_ended() -> None:
    handed: Queue[str | None] = Queue()
    LineReader(None, lambda hand_over, line: hand_over(line)).start(handed.put)
    assert taken(handed) == [None]


def test_what_is_said_for_good_is_asked_first() -> None:
    desk = Desk()
    desk.type("resign", "no", "adjourn", "yes", "resign", "yes")
    assert desk.words == [Word.ADJOURN, Word.RESIGN]
    assert [line for line in desk.said() if line.endswith("Type yes or no.")] == [
        "Give the match up? With two sides the other one wins it. Type yes or no.",
        "Leave for today? The others are told, and the match is kept. Type yes or no.",
        "Give the match up? With two sides the other one wins it. Type yes or no.",
    ]
    assert "The match goes on." in desk.said()


def test_from_a_pipe_an_answer_waits_for_its_question() -> None:
    desk = Desk()
    desk.type("no")
    assert desk.words == []
    desk.asked = True
    desk.player.hear(VoidProposed(1))
    assert desk.words == [Word.REFUSE_VOID]
    assert desk.said()[-2:] == [
        "Bruno asks that this deal does not count.",
        "If all say yes, its cards are opened and it is dealt again. Type yes or no; "
        "who plays on says no.",
    ]


def test_the_newest_question_is_the_one_that_is_answered() -> None:
    desk = Desk(interactive=True)
    desk.type("resign")
    desk.asked = True
    desk.player.hear(VoidProposed(1))
    desk.type("no")
    assert desk.words == [Word.REFUSE_VOID]


def test_whoever_is_asked_can_agree() -> None:
    desk = Desk(interactive=True)
    desk.asked = True
    desk.type("void", "yes")
    assert desk.words == [Word.CALL_VOID]


def test_yes_to_nothing_says_so() -> None:
    desk = Desk(interactive=True)
    desk.type("yes", "no")
    assert desk.words == []
    assert desk.said() == ["There is nothing to say yes or no to now."] * 2


def test_who_has_called_a_deal_void_waits_for_the_others() -> None:
    desk = Desk(interactive=True)
    desk.ask()
    desk.player.hear(VoidProposed(0))
    assert desk.said()[-1].endswith("has not answered yet.")
    desk.type("1")
    assert desk.chosen == []


def test_a_bot_agrees_to_a_void_only_before_the_first_card() -> None:
    legal = SEEN.legal_actions
    bot = BotPlayer(Fixed(lambda: legal[0]), "b", secret=SECRET, in_thread=inline)
    assert bot.answer(SEEN) is Word.CALL_VOID
    played = apply(DEAL, legal[0])
    assert bot.answer(replace(SEEN, deal=played)) is Word.REFUSE_VOID
