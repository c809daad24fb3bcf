"""Actions, deals and matches as text, both ways.

An action is ``7D`` (laid) or ``7Dx3C4S`` (captures), with ``#`` after a scopa; also
``low:A2..`` and ``three:..`` (declared hands), ``claim:..`` and ``claim:match``.
Captured cards are written lowest first and read in any order; ``7D`` alone is also read
as the only capture it has. A deal or a match is lines, each beginning with its key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import assert_never

from scopa_net.rules.actions import KINDS, MATCH_CLAIM, Action, Claim, Declare, Play
from scopa_net.rules.cards import MAZZO, Card, InvalidCard, card, cards, text_of
from scopa_net.rules.deal import (
    UNKNOWN,
    Deal,
    apply,
    makes_scopa,
    new_deal,
    plays_of,
)
from scopa_net.rules.errors import (
    AmbiguousAction,
    IllegalAction,
    InvalidAction,
    RulesError,
    quoted,
)
from scopa_net.rules.match import Match
from scopa_net.rules.variants import Variant, variant_of_lines

DEAL_TITLE = "scopa deal 1"
MATCH_TITLE = "scopa match 1"
SCOPA = "#"
HIDDEN = "??"
_ACTIONS_A_LINE = 8
_TEXT_MAX = 100
_LINES_MAX = 200
_NUMBER = re.compile(r"[0-9]{1,6}")


class InvalidNotation(RulesError):
    """That text is not a deal or a match."""


def format_action(action: Action, deal: Deal | None = None) -> str:
    """The action as text; with the deal before it, ``#`` marks a scopa."""
    match action:
        case Play(played, ()):
            text = str(played)
        case Play(played, captured):
            text = f"{played}x{text_of(captured)}"
        case Declare(shown, kind):
            text = f"{kind}:{text_of(shown)}"
        case Claim(()):
            text = "claim:match"
        case Claim(captured):
            text = f"claim:{text_of(captured)}"
        case _:
            assert_never(action)
    if deal is not None and makes_scopa(deal, action):
        text += SCOPA
    return text


def read_action(text: str) -> Action:
    """The action that a text says in full, whether or not it is legal anywhere."""
    if len(text) > _TEXT_MAX:
        raise InvalidAction("That is too long for an action.")
    body = text.strip().removesuffix(SCOPA).rstrip()
    try:
        return _read_body(body)
    except InvalidCard as reason:
        raise InvalidAction(str(reason)) from reason


def parse_action(deal: Deal, text: str) -> Action:
    """The legal action of the seat to act that a text means.

    InvalidAction if it cannot be read, AmbiguousAction if a card alone is named that
    has several captures, IllegalAction if it is not allowed now.
    """
    action = read_action(text)
    if isinstance(action, Play) and not action.captured:
        action = _completed(deal, action)
    if text.rstrip().endswith(SCOPA) and not makes_scopa(deal, action):
        raise IllegalAction(f"{format_action(action)} does not make a scopa.")
    apply(deal, action)
    return action


def format_deal(deal: Deal) -> str:
    """The deal as lines of text: rules, first seat, order and actions."""
    lines = [DEAL_TITLE, *_rule_lines(deal.variant), f"first {deal.first}"]
    entries = (HIDDEN if at == UNKNOWN else str(MAZZO[at]) for at in deal.order)
    lines.append(f"order {''.join(entries)}")
    words = list(_words(deal))
    for start in range(0, len(words), _ACTIONS_A_LINE):
        lines.append(f"play {' '.join(words[start : start + _ACTIONS_A_LINE])}")
    return "\n".join(lines) + "\n"


def parse_deal(text: str) -> Deal:
    """The deal that a text says; InvalidNotation if it is none.

    Its actions are checked: IllegalAction if the rules do not allow them.
    """
    lines = _Lines(text, DEAL_TITLE)
    variant = variant_of_lines(lines.all_of("rule"))
    first = lines.number("first")
    deal = new_deal(variant, first, _read_order(lines.one("order")))
    for line in lines.all_of("play"):
        for word in line.split():
            deal = apply(deal, parse_action(deal, word))
    lines.end()
    return deal


def format_match(match: Match) -> str:
    """The score of a match as lines of text."""
    lines = [MATCH_TITLE, *_rule_lines(match.variant)]
    lines.append(f"scores {' '.join(str(score) for score in match.scores)}")
    lines += [f"deal {match.deal_number}", f"dealer {match.dealer}"]
    if match.decided is not None:
        lines.append(f"won {match.decided}")
    return "\n".join(lines) + "\n"


def parse_match(text: str) -> Match:
    """The match that a text says; InvalidNotation if it is none."""
    lines = _Lines(text, MATCH_TITLE)
    variant = variant_of_lines(lines.all_of("rule"))
    scores = tuple(_number(word) for word in lines.one("scores").split())
    deal_number, dealer = lines.number("deal"), lines.number("dealer")
    won = [_number(word) for word in lines.all_of("won")]
    lines.end()
    if len(won) > 1:
        raise InvalidNotation("Only one side wins a match.")
    return Match(variant, scores, deal_number, dealer, won[0] if won else None)


def _read_body(body: str) -> Action:
    kind, colon, shown = body.partition(":")
    if colon:
        kind = kind.strip().lower()
        if kind == "claim":
            whole = shown.strip().lower() == "match"
            return MATCH_CLAIM if whole else Claim(_some(shown))
        for known in KINDS:
            if kind == known:
                return Declare(_some(shown), known)
        raise InvalidAction(f"{quoted(kind)} is no kind of action.")
    played, x, captured = body.replace("X", "x").partition("x")
    return Play(card(played), _some(captured) if x else ())


def _some(text: str) -> tuple[Card, ...]:
    found = cards(text)
    if not found:
        raise InvalidAction("Name the cards: 7Dx3C4S.")
    return found


def _completed(deal: Deal, play: Play) -> Play:
    """The one play of the card; as it stands where that is legal, or nothing is."""
    options = plays_of(deal, play.card)
    if play in options or not options:
        return play
    if len(options) > 1:
        takes = " or ".join(text_of(one.captured) for one in options)
        raise AmbiguousAction(f"{play.card} takes either {takes}: say which.")
    return options[0]


def _rule_lines(variant: Variant) -> list[str]:
    return [f"rule {line}" for line in variant.lines()]


def _words(deal: Deal) -> Iterator[str]:
    """The actions of the deal as text, each seen from the deal before it."""
    before = new_deal(deal.variant, deal.first, deal.order)
    for action in deal.actions:
        yield format_action(action, before)
        before = apply(before, action)


def _read_order(text: str) -> list[int]:
    pairs = [text[at : at + 2] for at in range(0, min(len(text), _TEXT_MAX), 2)]
    try:
        return [UNKNOWN if two == HIDDEN else card(two).index for two in pairs]
    except InvalidCard as reason:
        raise InvalidNotation(str(reason)) from reason


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise InvalidNotation(f"{quoted(text)} is not a number.")
    return int(text)


class _Lines:
    """The lines of a text, read from the top, each by the word it begins with."""

    def __init__(self, text: str, title: str) -> None:
        self._lines = [line.strip() for line in text.splitlines() if line.strip()]
        if len(self._lines) > _LINES_MAX:
            raise InvalidNotation("That text has too many lines.")
        if self._lines[:1] != [title]:
            raise InvalidNotation(f"The first line is not {title!r}.")
        self._at = 1

    def all_of(self, word: str) -> Sequence[str]:
        """What the next lines say that begin with the word."""
        found = []
        while self._at < len(self._lines):
            first, _, rest = self._lines[self._at].partition(" ")
            if first != word:
                break
            found.append(rest.strip())
            self._at += 1
        return found

    def one(self, word: str) -> str:
        """What the next line says, which begins with the word."""
        found = self.all_of(word)
        if len(found) != 1:
            raise InvalidNotation(f"One line has to say {word!r} here.")
        return found[0]

    def number(self, word: str) -> int:
        """The number in the next line, which begins with the word."""
        return _number(self.one(word))

    def end(self) -> None:
        """Refuse lines that nobody asked for."""
        if self._at < len(self._lines):
            raise InvalidNotation(f"{quoted(self._lines[self._at])} is not expected.")
