"""Which game is meant: the options `--variant`, `--players` and `--rule`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from scopa_net.commands.refusals import Refusal
from scopa_net.rules import (
    OPTIONS,
    RulesError,
    Variant,
    find_variant,
)

__all__ = [
    "USUAL_VARIANT",
    "chosen_variant",
    "players_option",
    "rule_option",
    "variant_options",
]

USUAL_VARIANT = "scopa"

Command = TypeVar("Command", bound=Callable[..., object])


def variant_options(command: Command) -> Command:
    """The three options, for a command that hands them to `chosen_variant`."""
    for option in reversed(
        (
            click.option(
                "--variant",
                metavar="NAME",
                default=USUAL_VARIANT,
                show_default=True,
                help="Which game; `scopa rules list` names them.",
            ),
            players_option,
            rule_option,
        )
    ):
        command = option(command)
    return command


players_option = click.option(
    "--players",
    type=int,
    metavar="N",
    help="How many play. [default: the fewest that can]",
)
rule_option = click.option(
    "--rule",
    "rules",
    multiple=True,
    metavar="KEY=VALUE",
    help="Change a rule of the variant, as in sum_choice=fewest; again for more.",
)


def chosen_variant(id_: str, players: int | None, rules: Sequence[str]) -> Variant:
    """The variant with its rules changed; a `Refusal` if there is no such game."""
    changes: dict[str, str] = {}
    for rule in rules:
        key, equals, value = (word.strip() for word in rule.partition("="))
        if not key or not equals:
            raise Refusal(f"A rule is written key=value, not {rule[:40]!a}.")
        if key in changes:
            raise Refusal(f"The rule {key} is given twice.")
        changes[key] = value
    try:
        wanted = changes.get("players", "")
        if players is None and wanted in OPTIONS["players"]:
            players = int(wanted)
        return find_variant(id_, players, changes)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
