"""What players write to each other, in lines and on the whole screen."""

from collections.abc import Callable
from dataclasses import replace

from scopa_net.app.screen_player import ScreenPlayer
from scopa_net.ui.chatting import MUTE
from scopa_net.ui.typing_line import SAID_MAX
from scopa_net.ui.view import ChatCame, Command, Input, Overlay, Quit, Write
from tests.support.deals import opened
from tests.ui.conversation import Conversation
from tests.ui.make_screens import asked
from tests.ui.sitting import Sitting

SUMS = opened("3S 4D 5C 2B", "7D 4C KB")


def chatting() -> Sitting:
    sitting = asked()
    sitting.view = replace(sitting.view, chats=True)
    return sitting


def test_what_is_typed_is_sent_and_plays_no_card() -> None:
    sitting = chatting().press("t", *"Hi 1", "x", "backspace", "enter")
    assert sitting.commands == [Write("Hi 1")]
    assert sitting.view.typed is None
    assert sitting.view.picked is None
    assert sitting.press("3").view.picked == 2


def test_escape_and_an_empty_line_send_nothing() -> None:
    for keys in (("t", "a", "escape"), ("t", "enter"), ("t", " ", "enter")):
        sitting = chatting().press(*keys)
        assert sitting.commands == []
        assert sitting.view.typed is None


def test_a_line_has_no_more_than_a_message_may_have() -> None:
    sitting = chatting().press("t", *("é" * 300), "enter")
    assert sitting.commands == [Write("é" * 200)]


def test_what_is_typed_and_what_was_said_hide_neither_the_turn_nor_the_news() -> None:
    before = chatting().text().splitlines()
    sitting = chatting().give(ChatCame("Bruno says: ciao")).press("t", *"a te")
    after = sitting.text().splitlines()
    changed = [at for at, line in enumerate(before) if line != after[at]]
    assert [after[at].strip() for at in changed] == [
        "Bruno says: ciao",
        next(line.strip() for line in after if "Say: a te" in line),
    ]
    assert changed[-1] == len(after) - 1
    assert "your turn" in "\n".join(after)


def test_a_raised_card_lies_over_what_was_said() -> None:
    sitting = chatting().give(ChatCame("x" * 200)).press("2")
    row = next(line for line in sitting.text().splitlines() if "xxx" in line)
    assert "x#=====#x" in row


def test_the_last_messages_can_be_read_whole_with_the_plays() -> None:
    sitting = chatting()
    for number in range(SAID_MAX + 4):
        sitting.give(ChatCame(f"Bruno says: {number} " + "word " * 30 + "end"))
    assert len(sitting.view.said) == SAID_MAX
    text = sitting.press("l").text(rows=60)
    assert text.count(" end") == SAID_MAX
    assert "Bruno says: 3 " not in text


def test_a_move_is_shown_while_one_types() -> None:
    sitting = chatting().press("t", "a").play("4Cx4D")
    assert sitting.view.typed == "a"
    assert sitting.view.showing is not None


def test_ctrl_c_leaves_the_line_and_asks_whether_to_leave() -> None:
    sitting = chatting().press("t", "a", "c-c")
    assert sitting.view.typed is None
    assert sitting.view.overlay is Overlay.LEAVE
    assert sitting.press("c-c").commands == [Quit(interrupted=True)]


def test_where_nobody_reads_there_is_no_line() -> None:
    sitting = asked().press("t")
    assert sitting.view.typed is None
    assert "nobody" in sitting.text()
    assert sitting.commands == []


class Chatting:
    """Keeps what is said, and answers to `mute`."""

    def __init__(self) -> None:
        self.sent: list[str] = []

    def say(self, text: str) -> str:
        self.sent.append(text)
        return "Too fast." if len(self.sent) > 1 else ""

    def mute(self, name: str) -> str:
        return f"{name} is not shown."


def test_in_lines_say_and_mute_mean_the_same_at_any_time() -> None:
    chats = Chatting()
    talk = Conversation(SUMS, chats=chats)
    for line in ("say ciao  Bruno", "SAY 1", "mute Bruno"):
        assert talk.lines.at_any_time(line)
    assert talk.typed("say ciao  Bruno") == (None, [])
    assert talk.typed("SAY 1") == (None, ["Too fast."])
    assert talk.typed("mute Bruno") == (None, ["Bruno is not shown."])
    assert chats.sent == ["ciao  Bruno", "1"]
    assert "say and a text" in " ".join(talk.typed("help")[1])


def test_what_another_writes_leaves_the_question_open() -> None:
    talk = Conversation(SUMS, chats=Chatting()).asked()
    talk.lines.hear_chat("Bruno says: 2")
    assert talk.said() == ["Bruno says: 2"]
    reply, _ = talk.typed("1")
    assert reply is not None


def test_alone_with_bots_there_is_nobody_to_write_to() -> None:
    talk = Conversation(SUMS)
    assert talk.typed("say ciao") == (None, ["There is nobody here to write to."])
    assert "say and a text" not in " ".join(talk.typed("help")[1])


def test_a_line_of_the_screen_that_begins_so_mutes() -> None:
    given: list[object] = []
    commands: list[Callable[[Command], None]] = []

    class Glass:
        def give(self, one: Input, /) -> None:
            given.append(one)

        def close(self) -> None: ...

        async def run(self) -> None: ...

    def glass(command: Callable[[Command], None]) -> Glass:
        commands.append(command)
        return Glass()

    player = ScreenPlayer(glass, leave=lambda _: None)
    player.chats = Chatting()
    for text in ("ciao", f"{MUTE}Bruno", "again"):
        commands[0](Write(text))
    assert given == [
        ChatCame("You say: ciao"),
        ChatCame("Bruno is not shown."),
        ChatCame("Too fast."),
    ]
