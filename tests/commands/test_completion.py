"""``scopa completion``, and what the program answers to a shell that asks."""

import os
import subprocess
import sys

import pytest

from scopa_net import HOME
from scopa_net.commands.completion import SHELLS
from tests.support.command_line import scopa


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_gets_a_script_that_asks_the_program(shell: str) -> None:
    ran = scopa("completion", shell)
    assert ran.code == 0
    assert f"{shell}_complete" in ran.out
    assert "_SCOPA_COMPLETE" in ran.out


def test_an_unknown_shell_is_refused_with_those_there_are() -> None:
    ran = scopa("completion", "tcsh")
    assert ran.code == 2
    assert "powershell" in ran.err


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("scopa ident", "plain,identity"),
        ("scopa identity for", "plain,forget"),
        ("scopa play --aga", "plain,--against"),
    ],
)
def test_a_command_and_its_options_are_completed(typed: str, found: str) -> None:
    words = typed.split()
    asked = {
        "_SCOPA_COMPLETE": "bash_complete",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(words) - 1),
    }
    ran = subprocess.run(
        [sys.executable, "-m", "scopa_net"],
        cwd=HOME,
        env=os.environ | asked,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.stdout.split() == [found]
