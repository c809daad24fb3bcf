"""Chat at a table of three on a seeded network, with one that writes too much."""

from protocol.chat import Chat, sign_chat
from protocol.text import CHAT_CHARACTERS_MAX, SafeText
from scopa_net.app.talk import Talk
from scopa_net.notices import ChatHeard, Notice
from tests.app.circle import Circle, Program, address_of


class Reader:
    """What one program's player writes and reads."""

    def __init__(self, program: Program) -> None:
        self.told: list[tuple[str, str]] = []
        self.shown: list[str] = []
        self.dropped: list[int] = []
        self.talk = Talk(
            program.computer,
            program.disk.secrets.identity,
            program.table,
            pass_on=program.pass_on,
            drop=self.dropped.append,
            tells=self,
            show=self.shown.append,
        )
        program.noticed.append(self._noticed)

    def _noticed(self, notice: Notice) -> None:
        if isinstance(notice, ChatHeard):
            self.talk.heard(notice)

    def chat(self, name: SafeText, text: SafeText) -> None:
        self.told.append((name, text))


def seated() -> tuple[Circle, list[Reader]]:
    circle = Circle(3, plays=True)
    readers = [Reader(one) for one in circle.programs]
    circle.start()
    circle.until(circle.all_linked, 60)
    return circle, readers


def test_before_there_is_a_table_nobody_reads() -> None:
    circle = Circle(3)
    reader = Reader(circle.programs[0])
    # Others may well have come: there is only no way to them yet.
    why = "You can write to the others once the cards are dealt."
    assert reader.talk.say("ciao") == reader.talk.mute("Ada") == why


def test_everybody_reads_it_once_also_over_a_third_seat() -> None:
    circle, (ada, bea, cy) = seated()
    circle.lan.cut(address_of(0), address_of(1))
    circle.lan.break_links(address_of(0), address_of(1))
    circle.run(20)
    assert ada.talk.say("ciao") == ""
    circle.run(2)
    assert bea.told == cy.told == [("P0", "ciao")]
    assert bea.shown == ["P0 says: ciao"]
    assert ada.told == []
    circle.lan.mend(address_of(0), address_of(1))
    circle.run(30)
    assert len(bea.told) == len(cy.told) == 1


def test_whom_one_mutes_the_others_still_read() -> None:
    circle, (ada, bea, cy) = seated()
    assert bea.talk.mute("p0") == "What P0 says is not shown any more."
    ada.talk.say("ciao")
    circle.run(2)
    assert (bea.shown, cy.told) == ([], [("P0", "ciao")])
    assert bea.talk.mute("P0") == "What P0 says is shown again."
    ada.talk.say("again")
    circle.run(2)
    assert bea.told == [("P0", "again")]
    assert bea.talk.mute("Eva") == "Mute whom? Here are: P0, P2."


def test_what_cannot_be_sent_is_answered_with_a_sentence() -> None:
    circle, (ada, bea, _) = seated()
    assert "at most 200" in ada.talk.say("x" * (CHAT_CHARACTERS_MAX + 1))
    assert ada.talk.say("  ") == "Say what?"
    answers = [ada.talk.say(str(number)) for number in range(6)]
    assert answers[:5] == [""] * 5
    assert "five messages" in answers[5]
    circle.run(2)
    assert len(bea.told) == 5


def test_a_flood_is_muted_told_once_and_delays_no_card() -> None:
    # X30.
    circle, (_, bea, cy) = seated()
    flooder = circle.programs[0]
    table = flooder.table()
    assert table is not None
    scope, seat = table.party.judge.record.table_scope, table.party.seat
    identity = flooder.disk.secrets.identity

    def send(number: int) -> None:
        flood = sign_chat(identity, Chat(scope, seat, number, "x" * 200))
        flooder.carry_out(lambda machine: machine.pass_on(flood, None))

    for number in range(400):
        send(number)
    circle.until(circle.all_won, 120)
    for reader in (bea, cy):
        assert reader.shown.count("P0 is muted: too many messages.") == 1
        assert len(reader.told) < 30
        assert reader.dropped == []


def test_a_message_that_nobody_signed_ends_its_link() -> None:
    circle, (_, bea, _) = seated()
    liar, other = circle.programs[0], circle.programs[2]
    table = other.table()
    assert table is not None
    scope, seat = table.party.judge.record.table_scope, table.party.seat
    false = sign_chat(liar.disk.secrets.identity, Chat(scope, seat, 1, "I am P2"))
    liar.carry_out(lambda machine: machine.pass_on(false, None))
    circle.run(1)
    assert len(bea.dropped) == 1
    assert bea.told == []
