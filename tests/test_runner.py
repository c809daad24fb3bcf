"""The runner with a machine that answers as it is told to, and with a real table."""

from collections.abc import Callable, Iterable
from functools import partial
from random import Random
from typing import TypeVar

import pytest
from twisted.internet.defer import Deferred, maybeDeferred, succeed
from twisted.python.failure import Failure

from protocol.faults import Signed
from protocol.step import EntryRow, Frame, Row, Step, Task
from scopa_net.events import Event, MatchWon, Stopped, TurnCame
from scopa_net.leaving import Word
from scopa_net.notices import LinkFailed, Notice, Told
from scopa_net.rules import Action, IllegalAction, Observation, Play, card, find_variant
from scopa_net.runner import Machine, Runner
from scopa_net.table import Table
from tests.support.matches import new_table

T = TypeVar("T")
ROW = EntryRow(Signed(b"entry", b"signature"))
FRAME = Frame(1, b"frame")
STOPPED = Stopped(None, None, "It stops.", ())


def told(event: Event = STOPPED) -> Told:
    return Told(0, event)


def inline(call: Callable[[], T], /) -> Deferred[T]:
    return maybeDeferred(call)


class Scripted:
    """A machine without a table: its answers are given beforehand."""

    def __init__(self, opening: Step[Notice], *after: Step[Notice]) -> None:
        self.opening = opening
        self.after = list(after)
        self.finished = False
        self.results: list[object] = []

    def open(self) -> Step[Notice]:
        return self.opening

    def done(self, task: Task, result: object) -> Step[Notice]:
        self.results.append((task.number, result))
        return self.after.pop(0) if self.after else Step()

    def act(self, number: int, action: Action) -> Step[Notice]:
        raise AssertionError

    def say(self, number: int, word: Word) -> Step[Notice]:
        raise AssertionError

    def table(self, number: int) -> Table | None:
        return None


class Diary:
    """What the runner did, in order; it also plays seat 0 and never chooses."""

    def __init__(self) -> None:
        self.lines: list[object] = []
        self.failure: Failure | None = None
        self.ended = False

    def hear(self, event: Event) -> None:
        self.lines.append(("player", event))

    def answer(self, observation: Observation) -> None:
        """Nobody calls a deal void here."""

    def choose(self, observation: Observation) -> Deferred[Action]:
        raise AssertionError

    def keep(self, rows: tuple[Row, ...]) -> None:
        self.lines.append(("keep", rows))

    def send(self, frames: tuple[Frame, ...]) -> None:
        self.lines.append(("send", frames))

    def listen(self, notice: Notice) -> None:
        self.lines.append(("listener", notice))

    def calculate(self, call: Callable[[], T], /) -> Deferred[T]:
        self.lines.append("thread")
        return inline(call)

    def calculate_aside(self, call: Callable[[], T], /) -> Deferred[T]:
        self.lines.append("aside")
        return inline(call)

    def calculate_later(self, call: Callable[[], T], /) -> Deferred[T]:
        self.lines.append("later")
        return inline(call)

    def runner(self, machine: Machine) -> Runner:
        runner = Runner(
            machine,
            {0: self},
            threads=self,
            keep=self.keep,
            send=self.send,
            listen=self.listen,
        )
        runner.ended.addCallbacks(self._end, self._fail)
        return runner

    def _end(self, _: None) -> None:
        self.ended = True

    def _fail(self, failure: Failure) -> None:
        self.failure = failure


def test_a_patient_task_holds_up_nothing_that_somebody_waits_for() -> None:
    diary = Diary()
    late = Task(1, int, (), patient=True, late=True)
    patient, urgent = Task(2, int, (), patient=True), Task(3, int, ())
    machine = Scripted(Step(tasks=(late, patient, urgent)))
    diary.runner(machine).start()
    assert diary.lines == ["thread", "later", "aside", "thread"]
    assert machine.results == [(1, 0), (2, 0), (3, 0)]


def test_the_checks_of_proofs_and_the_replay_are_patient_and_nothing_else() -> None:
    local, _ = new_table(find_variant("scopa", 2, {"target": "1"}))
    tasks = list(local.open().tasks)
    patient: dict[str, bool] = {}
    while tasks:
        task = tasks.pop(0)
        patient[task.call.__name__] = task.patient
        tasks += local.done(task, task.run()).tasks
        turn = next((at for at in (0, 1) if _to_act(local.table(at))), None)
        if not tasks and turn is not None:
            tasks += local.act(turn, _first(local.table(turn))).tasks
    assert {name for name in patient if patient[name]} == {"_read_proof", "replayed"}
    assert {"make_shuffle", "make_proof", "read_shares"} <= patient.keys()


def _to_act(table: Table | None) -> bool:
    return table is not None and table.to_act


def _first(table: Table | None) -> Action:
    assert table is not None
    return table.observation().legal_actions[0]


def test_rows_are_kept_before_frames_are_sent_and_events_told() -> None:
    diary = Diary()
    task = Task(7, sum, ((1, 2),))
    machine = Scripted(
        Step((ROW,), (FRAME,), (told(),), (task,)), Step(send=(FRAME, FRAME))
    )
    diary.runner(machine).start()
    assert diary.lines == [
        "thread",
        ("keep", (ROW,)),
        ("send", (FRAME,)),
        ("listener", told()),
        ("player", STOPPED),
        "thread",
        ("send", (FRAME, FRAME)),
    ]
    assert machine.results == [(7, 3)]
    assert diary.failure is None


def test_if_rows_cannot_be_kept_nothing_is_sent_or_shown() -> None:
    class Full(Diary):
        def keep(self, rows: tuple[Row, ...]) -> None:
            raise OSError("the disk is full")

    diary = Full()
    machine = Scripted(Step((ROW,), (FRAME,), (told(),), (Task(1, int, ()),)))
    runner = diary.runner(machine)
    runner.start()
    assert diary.lines == ["thread"]
    assert diary.failure is not None
    assert diary.failure.check(OSError)
    runner.carry_out(Step(send=(FRAME,)))
    assert diary.lines == ["thread"]


def test_a_step_that_comes_in_the_middle_of_one_waits_for_its_end() -> None:
    class Eager(Diary):
        def listen(self, notice: Notice) -> None:
            self.lines.append(("listener", notice))
            if len(self.lines) == 1:
                runner.carry_out(Step(send=(FRAME,)))

    diary = Eager()
    runner = diary.runner(Scripted(Step()))
    runner.carry_out(Step(events=(LinkFailed(0, 1, "one"), LinkFailed(0, 1, "two"))))
    assert diary.lines == [
        ("listener", LinkFailed(0, 1, "one")),
        ("listener", LinkFailed(0, 1, "two")),
        ("send", (FRAME,)),
    ]


def test_a_task_that_raises_ends_the_run_with_its_failure() -> None:
    diary = Diary()
    diary.runner(Scripted(Step(tasks=(Task(1, int, ("x",)),)))).start()
    assert diary.failure is not None
    assert diary.failure.check(ValueError)


def test_the_run_ends_when_the_machine_has_finished() -> None:
    diary = Diary()
    machine = Scripted(Step())
    runner = diary.runner(machine)
    runner.start()
    assert not diary.ended
    machine.finished = True
    runner.carry_out(Step())
    assert diary.ended


class Later(Diary):
    """Its threads come to an end when they are told to."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: list[Deferred[object]] = []

    def calculate(self, call: Callable[[], T], /) -> Deferred[T]:
        result: Deferred[T] = Deferred()
        self.threads.append(result)  # type: ignore[arg-type]
        return result


def test_what_comes_before_the_machine_is_open_waits_in_its_order() -> None:
    diary = Later()
    runner = diary.runner(Scripted(Step()))
    opened = runner.start()
    for link in (1, 2):
        runner.give(partial(Step, send=(Frame(link, b"later"),)))
    assert (diary.lines, runner.opened, opened.called) == ([], False, False)
    diary.threads.pop().callback(Step(send=(FRAME,)))
    runner.give(lambda: Step(send=(Frame(3, b"now"),)))
    sent = [FRAME, Frame(1, b"later"), Frame(2, b"later"), Frame(3, b"now")]
    assert diary.lines == [("send", (frame,)) for frame in sent]
    assert runner.opened
    assert opened.called


def refuse() -> Step[Notice]:
    raise ValueError


def test_a_call_that_raises_ends_the_run_with_its_failure() -> None:
    diary = Diary()
    runner = diary.runner(Scripted(Step()))
    runner.start()
    runner.give(refuse)
    assert diary.failure is not None
    assert diary.failure.check(ValueError)


def test_who_leaves_before_the_machine_is_open_hears_nothing_of_it() -> None:
    diary = Later()
    runner = diary.runner(Scripted(Step(send=(FRAME,))))
    runner.start()
    runner.give(lambda: Step(send=(FRAME,)))
    runner.leave()
    diary.threads.pop().callback(Step(send=(FRAME,)))
    assert diary.lines == []
    assert not runner.opened


def test_after_leaving_results_are_dropped() -> None:
    diary = Later()
    machine = Scripted(Step())
    runner = diary.runner(machine)
    runner.start()
    opening: Step[Notice] = Step(tasks=(Task(1, int, ()), Task(2, int, ())))
    diary.threads.pop().callback(opening)
    runner.leave()
    first, second = diary.threads
    first.callback(0)
    second.errback(Failure(ValueError()))
    assert machine.results == []
    assert not diary.ended
    assert diary.failure is None


# -- with a real table ---------------------------------------------------------------


class Chooser:
    """Plays the action that `pick` names; hears what it is told."""

    def __init__(self, pick: Callable[[Observation], Action]) -> None:
        self.heard: list[Event] = []
        self._pick = pick

    def hear(self, event: Event) -> None:
        self.heard.append(event)

    def answer(self, observation: Observation) -> None:
        """Nobody calls a deal void here."""

    def choose(self, observation: Observation) -> Deferred[Action]:
        assert observation.to_act
        return succeed(self._pick(observation))


def any_of(luck: Random, observation: Observation) -> Action:
    return luck.choice(observation.legal_actions)


def run_table(players: Iterable[Chooser]) -> tuple[list[object], bool]:
    local, _ = new_table(find_variant("scopa", 2, {"target": "1"}))
    ended: list[object] = []
    runner = Runner(
        local,
        dict(enumerate(players)),
        threads=Diary(),
        keep=lambda rows: None,
        send=lambda frames: None,
        listen=lambda notice: None,
    )
    runner.ended.addBoth(ended.append)
    runner.start()
    return ended, local.finished


def test_players_are_asked_in_their_turns_until_the_match_is_won() -> None:
    luck = Random(5)
    players = [Chooser(partial(any_of, luck)), Chooser(partial(any_of, luck))]
    assert run_table(players) == ([None], True)
    for player in players:
        assert isinstance(player.heard[-1], MatchWon)
        turns = [event.seat for event in player.heard if isinstance(event, TurnCame)]
        assert turns.count(0) == turns.count(1) > 0


def test_a_choice_that_is_not_allowed_ends_the_run() -> None:
    wrong = Play(card("7D"), (card("7D"),))
    ended, finished = run_table([Chooser(lambda _: wrong), Chooser(lambda _: wrong)])
    assert not finished
    (failure,) = ended
    assert isinstance(failure, Failure)
    with pytest.raises(IllegalAction):
        failure.raiseException()
