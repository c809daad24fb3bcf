"""The group itself; each command has its own tests."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from protocol.entry import WIRE_VERSION
from scopa_net import HOME, __version__, cli
from tests.support.command_line import scopa

ROOT = Path(__file__).resolve().parent.parent


def test_version_names_the_program_and_the_wire_protocol() -> None:
    result = CliRunner().invoke(cli.scopa, ["--version"])
    assert result.exit_code == 0
    assert result.stdout == f"scopa-net {__version__} (wire protocol {WIRE_VERSION})\n"


def test_help_lists_every_command_with_its_line() -> None:
    result = CliRunner().invoke(cli.scopa, ["-h"], terminal_width=100)
    assert result.exit_code == 0
    width = max(map(len, cli.COMMANDS))
    for name, (_, summary) in cli.COMMANDS.items():
        assert f"  {name:<{width}}  {summary}\n" in result.stdout


def test_a_mistyped_command_is_a_usage_error_with_a_suggestion() -> None:
    result = CliRunner().invoke(cli.scopa, ["jion"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Did you mean 'join'?" in result.stderr


def test_no_command_shows_the_help_as_a_usage_error() -> None:
    result = CliRunner().invoke(cli.scopa, [])
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("plya",),
        ("--bad",),
        ("bot", "all"),
        ("bot", "list", "--bad"),
        ("rules", "list", "--bad"),
        ("rules", "shw"),
        ("audit", ""),
        ("play", "--bad"),
    ],
)
def test_whatever_is_refused_is_an_object_for_programs(words: tuple[str, ...]) -> None:
    ran = scopa(*words, "--json")
    assert ran.code == 2
    assert (ran.answer["schema"], ran.answer["type"]) == (1, "error")
    assert ran.answer["code"] == 2
    assert f"Error: {ran.answer['message']}\n" in ran.err


COMMANDS_THAT_WRITE = [
    ("--help",),
    ("--version",),
    ("bot", "list"),
    ("rules", "list", "--json"),
    ("rules", "show", "--help"),
]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full disk at hand")
@pytest.mark.parametrize("words", COMMANDS_THAT_WRITE, ids=" ".join)
def test_a_full_disk_is_a_failure_of_one_sentence(words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:
        ran = started(words, full.fileno())
    assert (ran.returncode, ran.stderr) == (
        1,
        "Error: The output could not be written: No space left on device.\n",
    )


@pytest.mark.parametrize("words", COMMANDS_THAT_WRITE, ids=" ".join)
def test_a_reader_who_has_gone_is_no_failure(words: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = started(words, writer)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_refusal_that_nobody_hears_keeps_its_exit_code() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ran = started(("audit", "/nowhere", "--json"), writer)
    os.close(writer)
    assert ran.returncode == 6
    assert ran.stderr == "Error: /nowhere: No such file or directory.\n"


def started(words: tuple[str, ...], stdout: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "scopa_net", *words],
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_a_command_of_the_table_can_be_loaded(name: str) -> None:
    result = CliRunner().invoke(cli.scopa, [name, "--help"])
    assert (result.exit_code, result.exception) == (0, None)
    assert f"Usage: scopa {name}" in result.stdout


def every_command(
    command: click.Command, *names: str
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield names, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from every_command(inner, *names, name)


def test_examples_in_a_help_keep_their_lines() -> None:
    for names, command in every_command(cli.scopa):
        written = [line.strip() for line in (command.help or "").splitlines()]
        result = CliRunner().invoke(cli.scopa, [*names, "--help"], terminal_width=100)
        shown = [line.strip() for line in result.stdout.splitlines()]
        assert "\\b" not in result.stdout, names
        for line in written:
            if line.startswith("scopa "):
                assert line in shown, (names, line)


def test_the_readme_names_every_command() -> None:
    readme = Path(HOME, "README.md").read_text(encoding="utf-8")
    for name in cli.COMMANDS:
        assert f"| `scopa {name}" in readme


def test_the_packages_of_this_tree_are_in_their_place() -> None:
    assert cli.misplaced() is None


def test_a_foreign_protocol_is_named_before_anything_runs(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "protocol").mkdir()
    (tmp_path / "protocol" / "__init__.py").write_text("raise SystemExit(99)\n")
    monkeypatch.delitem(sys.modules, "protocol")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "argv", ["scopa", "--version"])
    with pytest.raises(SystemExit) as left:
        cli.main()
    said = capsys.readouterr()
    assert left.value.code == 1
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(tmp_path / "protocol") in said.err


def interrupt() -> int:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("arguments", "does", "code"),
    [
        (["play"], lambda: None, 0),
        (["play"], lambda: 5, 5),
        (["play"], interrupt, 130),
        (["play", "--no-such-option"], lambda: None, 2),
        (["--no-such-option"], lambda: None, 2),
    ],
)
def test_the_exit_code_is_what_the_command_says(
    arguments: list[str],
    does: Callable[[], int | None],
    code: int | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []

    def load(target: str) -> click.Command:
        loaded.append(target)
        return click.Command("play", callback=does)

    monkeypatch.setattr(cli, "load", load)
    monkeypatch.setattr(sys, "argv", ["scopa", *arguments])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == code
    assert loaded in ([], [cli.COMMANDS["play"][0]])
