import threading
from threading import Event

import pytest

from scopa_net.commands.checkup import Check, Finding, State, examine

FINE = Finding(State.OK, "All is well.")


def broken() -> Finding:
    raise ZeroDivisionError


def test_answers_come_in_order_each_with_its_name() -> None:
    first_is_last = Event()

    def slow() -> Finding:
        first_is_last.wait(4.0)
        return FINE

    def quick() -> Finding:
        first_is_last.set()
        return Finding(State.WARN, "Quick.")

    found = list(examine([Check("slow", slow), Check("quick", quick)]))
    assert found == [("slow", FINE), ("quick", Finding(State.WARN, "Quick."))]


def test_a_check_that_hangs_is_a_failure_and_holds_up_nobody() -> None:
    never = Event()

    def hangs() -> Finding:
        never.wait()
        return FINE

    checks = [Check("stuck", hangs, 0.05), Check("well", lambda: FINE)]
    (_, stuck), (_, well) = examine(checks)
    assert (stuck.state, well) == (State.FAIL, FINE)
    assert stuck.found == "There was no answer within 0.05 seconds."
    never.set()


def test_a_check_that_breaks_is_a_failure_and_prints_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    hook = threading.excepthook
    (_, found), (_, well) = examine(
        [Check("broken", broken), Check("well", lambda: FINE)]
    )
    assert (found.state, well) == (State.FAIL, FINE)
    assert "ZeroDivisionError" in found.found
    assert capsys.readouterr() == ("", "")
    assert threading.excepthook is hook


def test_a_thread_that_is_none_of_the_checks_breaks_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told: list[object] = []
    monkeypatch.setattr(threading, "excepthook", lambda raised: told.append(raised))

    def other() -> Finding:
        thread = threading.Thread(target=broken)
        thread.start()
        thread.join()
        return FINE

    assert list(examine([Check("other", other)])) == [("other", FINE)]
    assert len(told) == 1
