"""``scopa rules``: the variants, and what a position allows or scores."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from textwrap import wrap

import click

from protocol.text import SafeText
from scopa_net.commands.refusals import Refusal
from scopa_net.commands.variant_options import (
    chosen_variant,
    players_option,
    rule_option,
    variant_options,
)
from scopa_net.rules import (
    OPTIONS,
    PRESETS,
    Card,
    Choice,
    Play,
    RulesError,
    SideScore,
    Variant,
    choices,
    find_variant,
    format_action,
    read_action,
    score_piles,
    text_of,
    why_forbidden,
)
from scopa_net.rules.cards import cards
from scopa_net.ui.company import Company
from scopa_net.ui.decks import deck_in
from scopa_net.ui.json_lines import SCHEMA, side_object
from scopa_net.ui.reckoning import reasons_lines
from scopa_net.ui.rulebook import rulebook
from scopa_net.ui.words import counted

__all__ = ["command", "named_cards"]

SCOPE_MAX = 40
DECLARED_MAX = 99
TEXT_COLUMNS = 78

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object."
)


@click.group(name="rules", short_help="The variants, and what they allow or score.")
def command() -> None:
    """The variants, and what a position allows or scores.

    \b
    scopa rules list
    scopa rules show scopa --rule target=21
    scopa rules moves --table "3C 4S 5D" --hand "7D AB"
    scopa rules moves --table "3C 4S 7C" --hand "7D" --play 7Dx3C4S
    scopa rules score --pile "7D 6C AS 5B" --pile "KD" --scope 1 --scope 0

    A card is its rank (A 2 3 4 5 6 7 J Q K), then its suit: D for denari, C for coppe,
    S for spade, B for bastoni.
    """


# -- list, show -------------------------------------------------------------------


@command.command(name="list")
@json_option
def list_variants(*, as_json: bool) -> None:
    """List the variants that can be played."""
    targets = {id_: find_variant(id_).target for id_ in PRESETS}
    if as_json:
        _print(
            "variants",
            variants=[
                {
                    "id": id_,
                    "players": list(preset.players),
                    "target": targets[id_],
                    "about": preset.about,
                }
                for id_, preset in PRESETS.items()
            ],
        )
        return
    width = max(map(len, PRESETS))
    for id_, preset in PRESETS.items():
        who = f"{_or(preset.players)} players, to {_points(targets[id_])}"
        click.echo(f"{id_:<{width}}  {who}: {preset.about}")


@command.command(name="show")
@click.argument("variant", metavar="VARIANT")
@players_option
@rule_option
@json_option
def show(
    variant: str, *, players: int | None, rules: tuple[str, ...], as_json: bool
) -> None:
    """Show the rules of a variant as text, and every option with what it could be.

    A star marks what differs from the classic game, the variant called scopa.
    """
    chosen = chosen_variant(variant, players, rules)
    options = {name: str(getattr(chosen, name)) for name in OPTIONS}
    if as_json:
        _print(
            "variant",
            id=chosen.id,
            players=chosen.players,
            target=chosen.target,
            fingerprint=chosen.fingerprint.hex(),
            options=options,
            text=[
                {"title": one.title, "text": one.text, "departs": one.departs}
                for one in rulebook(chosen, deck_in(os.environ))
            ],
        )
        return
    who = f"{chosen.players} players"
    about = PRESETS[chosen.id].about
    click.echo(f"{chosen.id} for {who}, to {_points(chosen.target)}: {about}")
    click.echo(f"fingerprint {chosen.fingerprint.hex()}")
    for line in _text_lines(chosen):
        click.echo(line)
    click.echo("\nOptions, for --rule KEY=VALUE")
    for line in _option_lines(chosen, options):
        click.echo(line)


def _text_lines(chosen: Variant) -> Iterator[str]:
    title = ""
    for sentence in rulebook(chosen, deck_in(os.environ)):
        if sentence.title != title:
            title = sentence.title
            yield f"\n{title}"
        star = "*" if sentence.departs else " "
        yield from wrap(
            sentence.text,
            TEXT_COLUMNS,
            initial_indent=f"{star} ",
            subsequent_indent="  ",
        )


def _option_lines(chosen: Variant, options: dict[str, str]) -> Iterator[str]:
    usual = find_variant("scopa", chosen.players)
    name_width = max(map(len, options))
    value_width = max(map(len, options.values()))
    for name, value in options.items():
        star = " " if value == str(getattr(usual, name)) else "*"
        others = [other for other in OPTIONS[name] if other != value]
        more = f"; or {', '.join(others)}" if others else ""
        columns = f"{star} {name:<{name_width}}  {value:<{value_width}}"
        yield f"{columns}  {MEANING[name]}{more}"


MEANING = {
    "players": "how many play",
    "sides": "how many sides they make",
    "hand_size": "cards dealt to a hand",
    "table_size": "cards face up at first",
    "refill": "when new cards are dealt",
    "redeal_kings": "so many kings face up at first: dealt again",
    "redeal_aces": "so many aces face up at first: dealt again",
    "capture": "what a card takes",
    "equal_priority": "an equal card has to be taken before a sum",
    "sum_choice": "which of several sums may be taken",
    "max_captured": "most cards that one card takes",
    "compulsion": "what has to capture if it can",
    "ace": "what an ace takes: as any card, or all that lies there",
    "ace_on_table": "what an ace takes where another ace lies",
    "sweep_is_scopa": "an ace that takes all makes a scopa",
    "ace_to_empty": "what an ace does on an empty table",
    "first_play_restricted": "what an ace may not do at the first play",
    "may_decline": "an ace may be laid without taking",
    "last_play_scopa": "the deal's last card can make a scopa",
    "leftovers": "who gets what lies there at the end",
    "dealer_table_bonus": "first cards that make so many are a scopa",
    "double_at": "what makes that two scope",
    "receiver": "who gets that scopa",
    "cards": "points for most cards",
    "coins": "points for most denari",
    "settebello": "points for the seven of denari",
    "scopa": "points for a scopa",
    "points": "what the fourth point is for",
    "majority": "how many are most",
    "primiera_values": "what court cards count in the primiera",
    "primiera_missing": "primiera without a card of each suit",
    "napola": "points for ace, two, three of denari and on",
    "grande": "points for re, cavallo and fante of denari",
    "re_bello": "a point for the re of denari",
    "trentino": "ace, two, three of denari pay 1, 2, 3, and all win the match",
    "all_sevens": "a point for all four sevens",
    "ponino": "all four cavalli double the scope",
    "accusi": "hands can be declared",
    "wild_seven": "the seven of coppe stands for any card",
    "target": "points that a match is played to",
    "lead_needed": "by how many points a match is won",
    "tie_at_target": "what decides when two sides are there",
    "goal": "whether the target is to be reached or avoided",
    "end_check": "when the target is looked at",
    "direction": "which way round the table play goes",
}
"""What each option is about, in a few words."""


# -- moves, score -----------------------------------------------------------------


@command.command(name="moves")
@click.option(
    "--table", metavar="CARDS", default="", help="What lies there. [default: nothing]"
)
@click.option("--hand", metavar="CARDS", required=True, help="What can be played.")
@click.option("--last-play", is_flag=True, help="It is the last card of the deal.")
@click.option(
    "--play",
    "tried",
    metavar="MOVE",
    help="Is this allowed, as in 7Dx3C4S; if not, why.",
)
@variant_options
@json_option
def moves(
    *,
    table: str,
    hand: str,
    last_play: bool,
    tried: str | None,
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    as_json: bool,
) -> None:
    """List what a hand may do with the cards that lie on the table."""
    chosen = chosen_variant(variant, players, rules)
    lying, held = named_cards(table, "the table"), named_cards(hand, "the hand")
    if tried is not None:
        _judge(chosen, lying, held, tried, as_json=as_json)
        return
    try:
        found = choices(chosen, lying, held, last_play=last_play)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    if not as_json:
        for choice in found:
            click.echo(_move_line(choice))
        return
    _print(
        "moves",
        moves=[
            {
                "card": str(choice.play.card),
                "captured": [str(card) for card in choice.play.captured],
                "scopa": choice.scopa,
            }
            for choice in found
        ],
    )


def _judge(
    variant: Variant,
    table: Sequence[Card],
    hand: Sequence[Card],
    tried: str,
    *,
    as_json: bool,
) -> None:
    """Tell whether a play is allowed, and by which rule it is not."""
    try:
        play = read_action(tried)
        if not isinstance(play, Play):
            raise Refusal("Only the play of a card can be asked about, as in 7Dx3C4S.")
        why = why_forbidden(variant, table, hand, play)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    move = format_action(play)
    if as_json:
        _print("move", move=move, allowed=why is None, reason=why)
    else:
        click.echo(f"{move}  {'allowed' if why is None else why}")


def _move_line(choice: Choice) -> str:
    card, captured = choice.play.card, choice.play.captured
    if not captured:
        return f"{card}  laid"
    taken = " ".join(map(str, captured))
    return f"{card}x{text_of(captured)}{'#' if choice.scopa else ''}  takes {taken}" + (
        ": scopa" if choice.scopa else ""
    )


@command.command(name="score")
@click.option(
    "--pile",
    "piles",
    metavar="CARDS",
    multiple=True,
    help="What a side has taken; again for each side.",
)
@click.option(
    "--scope",
    metavar="N",
    type=click.IntRange(0, SCOPE_MAX),
    multiple=True,
    help="The scope a side has made; again for each side. [default: 0]",
)
@click.option(
    "--declared",
    metavar="N",
    type=click.IntRange(0, DECLARED_MAX),
    multiple=True,
    help="The points a side has declared; again for each side. [default: 0]",
)
@variant_options
@json_option
def score(
    *,
    piles: tuple[str, ...],
    scope: tuple[int, ...],
    declared: tuple[int, ...],
    variant: str,
    players: int | None,
    rules: tuple[str, ...],
    as_json: bool,
) -> None:
    """Score the piles of a deal, which need not add up to forty cards."""
    chosen = chosen_variant(variant, players, rules)
    taken = [
        named_cards(pile, f"pile {number}")
        for number, pile in enumerate(piles, start=1)
    ]
    if len(taken) != chosen.sides:
        raise Refusal(
            f"{chosen.id} for {chosen.players} has {chosen.sides} sides: give --pile "
            f"{chosen.sides} times, not {len(taken)}."
        )
    for option, counts in (("--scope", scope), ("--declared", declared)):
        if counts and len(counts) != len(taken):
            raise Refusal(
                f"Give {option} once for each pile, {len(taken)} times, or not at all."
            )
    _check_declared(chosen, declared)
    try:
        sides = score_piles(chosen, taken, scope, declared)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    if as_json:
        _print("score", sides=[side_object(side) for side in sides])
        return
    names = tuple(SafeText(f"side {letter}") for letter in "ABCDEF"[: len(sides)])
    for name, side in zip(names, sides, strict=True):
        for line in _score_lines(name, side):
            click.echo(line)
    click.echo()
    for line in reasons_lines(sides, Company(names, chosen, deck=deck_in(os.environ))):
        click.echo(line)


def _check_declared(chosen: Variant, declared: Sequence[int]) -> None:
    """Refuse points that no hands bring."""
    if any(declared) and chosen.accusi == "off":
        raise Refusal(f"Nothing is declared in {chosen.id}: it has accusi=off.")
    for said in declared:
        if not any((said - tens) % 3 == 0 for tens in range(0, said + 1, 10)):
            raise Refusal(f"No hands bring {_points(said)}: they bring 3 or 10 each.")


def _score_lines(name: str, side: SideScore) -> Iterator[str]:
    earned = ", ".join(f"{name} {points}" for name, points in side.points.items())
    total = _points(side.total) + (f" ({earned})" if earned else "")
    yield f"{name}  {total}"
    facts = [
        counted(side.cards, "card"),
        f"{side.coins or 'no'} denari",
        "the settebello" if side.settebello else "no settebello",
        f"primiera {side.primiera} in {counted(side.suits, 'suit')}",
        counted(side.sevens, "seven"),
        counted(side.scope, "scopa", "scope"),
    ]
    yield f"        {', '.join(facts)}"


# -- words ------------------------------------------------------------------------


def named_cards(text: str, where: str) -> tuple[Card, ...]:
    """The cards in a text, each once."""
    try:
        found = cards(text)
    except RulesError as reason:
        raise Refusal(str(reason)) from reason
    for at, card in enumerate(found):
        if card in found[:at]:
            raise Refusal(f"{card} is named twice for {where}.")
    return found


def _print(kind: str, **fields: object) -> None:
    click.echo(json.dumps({"schema": SCHEMA, "type": kind, **fields}))


def _or(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"{', '.join(most)} or {last}" if most else last


def _points(number: int) -> str:
    return counted(number, "point")
