"""``scopa bot``: the bots that can take a seat."""

from __future__ import annotations

import json
from collections.abc import Sequence

import click

from scopa_net.bots.check import CHECKS, Finding, every_game, examine
from scopa_net.bots.errors import BotError
from scopa_net.bots.forms import action_fields
from scopa_net.bots.plugin import Plugin
from scopa_net.bots.position import position
from scopa_net.bots.registry import BotEntry, bot_entries, described, find_bot
from scopa_net.commands.refusals import Failure, Refusal
from scopa_net.commands.rules import named_cards
from scopa_net.commands.seated_bots import USUAL_BOT, bot_named
from scopa_net.commands.variant_options import chosen_variant, variant_options
from scopa_net.exits import Exit
from scopa_net.rules import RulesError, Variant, find_variant, makes_scopa
from scopa_net.ui.json_lines import SCHEMA

__all__ = ["command"]

POSITIONS: int = 5
_STATES = {True: "ok", False: "FAILED", None: "-"}

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@click.group(name="bot", short_help="The bots that can take a seat.")
def command() -> None:
    """The bots that can take a seat.

    A bot is asked for by its name, as a file of yours, or as a program that speaks
    JSON lines; options are written key=value:

    \b
    rules
    rules:reply=0.9,keep=0.35
    ./my.py  ./my.py:MyBot  ./my.py:MyBot:depth=3
    "cmd:./prog --flag"  "cmd,depth=3:python3 prog.py"

    What is not a bot of ours plays in a process of its own, with 10 seconds a move
    (SCOPA_BOT_SECONDS) and, on Linux, 4096 MiB of memory (SCOPA_BOT_MEMORY_MB).
    """


@command.command(name="list")
@json_option
def list_bots(*, as_json: bool) -> None:
    """List the bots that are installed, and their options."""
    told = [_described(entry) for entry in bot_entries()]
    if as_json:
        _print("bots", bots=told)
        return
    width = max((len(str(bot["name"])) for bot in told), default=0)
    for bot in told:
        click.echo(f"{bot['name']:<{width}}  {bot['summary'] or bot['problem'] or ''}")
        if bot["options"]:
            click.echo(f"{'':<{width}}  options: {_option_text(bot['options'])}")


def _described(entry: BotEntry) -> dict[str, object]:
    about: dict[str, object] = {
        "name": entry.name,
        "summary": "",
        "options": {},
        "source": entry.source,
        "problem": None,
    }
    try:
        told = described(entry)
    except BotError as reason:
        return about | {"problem": str(reason)}
    return about | {"summary": told.summary, "options": dict(told.options)}


def _option_text(options: object) -> str:
    assert isinstance(options, dict)
    return ", ".join(f"{key}={value}" for key, value in options.items())


@command.command(name="show")
@click.argument("bot", metavar="BOT")
@json_option
def show(bot: str, *, as_json: bool) -> None:
    """Start BOT, and say what it is and what it may take."""
    found = bot_named(bot)
    try:
        told = found.description
        limits = found.bot.limits if isinstance(found.bot, Plugin) else None
    finally:
        found.close()
    move_ms = None if limits is None else round(1000 * limits.move_s)
    memory = None if limits is None else limits.memory_bytes
    if as_json:
        about = {
            "name": found.name,
            "summary": told.summary,
            "options": dict(told.options),
        }
        more = {
            "process": limits is not None,
            "move_ms": move_ms,
            "memory_bytes": memory,
        }
        _print("bot", **about, **more)
        return
    click.echo(f"{found.name}: {told.summary or 'says nothing of itself'}")
    click.echo(f"options: {_option_text(dict(told.options)) or 'none'}")
    if limits is None:
        click.echo("It plays in the program of the match.")
    else:
        megabytes = limits.memory_bytes >> 20
        most = f"{megabytes} MiB" if megabytes else "no limit"
        click.echo(
            f"It plays in a process of its own: {move_ms} ms a move, {most} of memory."
        )


@command.command(name="check")
@click.argument("bot", metavar="BOT")
@click.option(
    "--variant",
    "ids",
    metavar="NAME",
    multiple=True,
    help="Try only this game; again for more. [default: all]",
)
@click.option(
    "--positions",
    type=click.IntRange(1, 1000),
    default=POSITIONS,
    show_default=True,
    help="How many of each game, for each number of players.",
)
@json_option
def check(bot: str, *, ids: tuple[str, ...], positions: int, as_json: bool) -> Exit:
    """Try whether BOT keeps what every bot promises.

    \b
    starts        it starts, and takes its options
    legal         it chooses what is allowed, in seeded positions of every game
    in time       within its limits
    same again    the same luck gives the same move
    hidden cards  cards that it cannot see, moved about, change no choice
    memory        it does not grow from move to move
    odd lines     it goes on after a stop, and leaves alone what it does not know
    new start     started again in the middle of a deal it chooses the same
    quiet         it prints nothing on stdout but its answers
    ends          it ends when its input does

    Leaves with 1 if it failed at something, 2 if there is no such bot.
    """
    told: list[Finding] = []
    width = max(map(len, CHECKS))
    try:
        for finding in examine(lambda: find_bot(bot), _games(ids), positions):
            told.append(finding)
            if not as_json:
                state = _STATES[finding.passed]
                click.echo(f"{state:<6}  {finding.check:<{width}}  {finding.detail}")
    except BotError as refused:
        raise Refusal(str(refused)) from refused
    fit = all(finding.passed is not False for finding in told)
    if as_json:
        checks = [
            {"name": one.check, "passed": one.passed, "detail": one.detail}
            for one in told
        ]
        _print("bot_check", bot=bot, ok=fit, checks=checks)
    return Exit.DONE if fit else Exit.FAILURE


def _games(ids: Sequence[str]) -> tuple[Variant, ...]:
    games = every_game()
    try:
        wanted = {find_variant(id_).id for id_ in ids}
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    return tuple(game for game in games if not wanted or game.id in wanted)


@command.command(name="hint")
@click.argument("bot", metavar="[BOT]", default=USUAL_BOT)
@click.option(
    "--table",
    metavar="CARDS",
    required=True,
    help="What lay there when the deal began.",
)
@click.option("--hand", metavar="CARDS", required=True, help="What you hold.")
@click.option(
    "--played",
    metavar="MOVES",
    default="",
    help="What was played since, as in '7Dx3C4S KB'. [default: nothing]",
)
@click.option(
    "--score",
    metavar="N",
    type=click.IntRange(0, 999),
    multiple=True,
    help="The points of a side in the match, the one that played first before the "
    "others; again for each side. [default: 0]",
)
@variant_options
@json_option
def hint(  # noqa: PLR0913, as each option is an argument
    *,
    bot: str,
    table: str,
    hand: str,
    played: str,
    score: tuple[int, ...],
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    as_json: bool,
) -> None:
    """Ask BOT, or else the bot rules, what to play, and why.

    \b
    scopa bot hint --table "3C 4S KB QB" --hand "7D 2B KS"
    scopa bot hint mc --table "3C 4S KB QB" --played "7Bx3C4S 5D" --hand "7D KS"

    The cards are those of the player whose turn it is.
    """
    chosen = chosen_variant(variant, players, rules)
    lying, held = named_cards(table, "the table"), named_cards(hand, "the hand")
    moves = played.replace(",", " ").split()
    try:
        seen = position(chosen, lying, held, moves, score or None)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    found = bot_named(bot)
    try:
        answer = found.answer(seen, explain=True)
    finally:
        found.close()
    if answer.trouble is not None:
        raise Failure(f"The bot {found.name} {answer.trouble.what}.")
    said = action_fields(answer.action, scopa=makes_scopa(seen.deal, answer.action))
    if as_json:
        _print("hint", bot=found.name, **said, reasons=list(answer.reasons))
        return
    click.echo(said["action"])
    for line in answer.reasons:
        click.echo(line)


def _print(kind: str, **fields: object) -> None:
    click.echo(json.dumps({"schema": SCHEMA, "type": kind, **fields}))
