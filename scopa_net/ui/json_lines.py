"""Events as JSON objects, one a line; README.md describes every field."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import assert_never

from protocol.room import Room
from scopa_net.acquaintances import Introduction
from scopa_net.bots.bot import Trouble, Weighed
from scopa_net.bots.forms import Object, action_fields, texts
from scopa_net.events import (
    Adjourned,
    Claimed,
    DealScored,
    DealStarted,
    Dealt,
    Declared,
    Event,
    MatchWon,
    Played,
    Redealt,
    Resigned,
    Stopped,
    TableTaken,
    TurnCame,
    VoidAgreed,
    Voided,
    VoidProposed,
    VoidRefused,
)
from scopa_net.review import Reviewed, costliest, lost_by
from scopa_net.rules import Reason, SideScore, format_action, makes_scopa
from scopa_net.ui.absence import Waiting
from scopa_net.ui.company import Company

__all__ = [
    "SCHEMA",
    "Object",
    "bot_failed_object",
    "chat_object",
    "code_object",
    "error_object",
    "event_object",
    "introduced_object",
    "introducing_object",
    "knocking_object",
    "lan_object",
    "left_object",
    "listening_object",
    "review_object",
    "reviewed_object",
    "room_object",
    "servers_object",
    "side_object",
    "waiting_object",
    "watched_object",
]

SCHEMA = 1
"""Goes up when a field changes its meaning or goes away, not when one is added."""


def event_object(event: Event, company: Company) -> Object | None:
    """The event as an object; None for a turn, which follows from the plays."""
    match event:
        case TurnCame():
            return None
        case DealStarted():
            return _object("deal_started", **_deal_started(event, company))
        case Dealt() | Redealt() | TableTaken():
            return _opened(event)
        case Played(seat, play, scopa):
            return _object("played", seat=seat, **action_fields(play, scopa=scopa))
        case Declared(seat, declaration):
            fields = action_fields(declaration, scopa=False)
            return _object("declared", seat=seat, **fields)
        case Claimed(seat, claim, scopa):
            return _object("claimed", seat=seat, **action_fields(claim, scopa=scopa))
        case (
            VoidProposed()
            | VoidAgreed()
            | VoidRefused()
            | Voided()
            | Adjourned()
            | Resigned()
        ):
            return _left(event)
        case DealScored() | MatchWon() | Stopped():
            return _ended(event)
        case _:
            assert_never(event)


def _opened(event: Dealt | Redealt | TableTaken) -> Object:
    match event:
        case Dealt(table, hand, tallone):
            cards = {"table": texts(table), "hand": texts(hand)}
            return _object("dealt", **cards, tallone=tallone)
        case Redealt(table):
            return _object("redealt", table=texts(table))
        case TableTaken(side, taken, scope):
            said = {"side": side, "cards": texts(taken), "scope": scope}
            return _object("table_taken", **said)


def _left(
    event: VoidProposed | VoidAgreed | VoidRefused | Voided | Adjourned | Resigned,
) -> Object:
    match event:
        case VoidProposed(seat):
            return _object("void_proposed", seat=seat)
        case VoidAgreed(seat, missing):
            return _object("void_agreed", seat=seat, missing=list(missing))
        case VoidRefused(seat):
            return _object("void_refused", seat=seat)
        case Voided(deal):
            return _object("voided", deal=deal)
        case Adjourned(seat):
            return _object("adjourned", seat=seat)
        case Resigned(seat):
            return _object("resigned", seat=seat)


def side_object(score: SideScore) -> Object:
    """What one side's deal was worth; `points` holds no category that brought none."""
    return {
        "cards": score.cards,
        "coins": score.coins,
        "settebello": score.settebello,
        "primiera": score.primiera,
        "suits": score.suits,
        "sevens": score.sevens,
        "scope": score.scope,
        "points": dict(score.points),
        "total": score.total,
        "reasons": [_reason(reason) for reason in score.reasons],
        "wins_match": score.wins_match,
    }


def _reason(reason: Reason) -> Object:
    """Why a side has, or has not, the points of a category."""
    return {
        "category": reason.category,
        "points": reason.points,
        "cards": texts(reason.cards),
        "figures": list(reason.figures),
        "level": list(reason.level),
        "shoot_out": reason.shoot_out,
        "kind": reason.kind,
    }


def left_object(scores: Iterable[int]) -> Object:
    """The match was left before its end, with these scores of its finished deals."""
    return _object("left", score=list(scores))


def listening_object(
    match: str,
    port: int,
    invites: Sequence[str],
    codes: Sequence[str] = (),
    watch: str = "",
    *,
    asks: bool = False,
) -> Object:
    """A host can be reached: by one invitation for each guest, and maybe codes.

    There is none if bots of the host's own take all places.

    By `watch` anybody may follow the match. It `asks` a person about those who knock,
    or lets none of them in.
    """
    first = invites[0] if invites else None
    found: Object = {"invite": first, "invites": list(invites), "watch": watch}
    if codes:
        found["codes"] = list(codes)
    return _object("listening", **found, port=port, match=match, asks=asks)


def introducing_object(mailbox: str, relay: str) -> Object:
    """Servers can be reached by which players meet who use codes."""
    return _object("listening", mailbox=mailbox, relay=relay)


def lan_object(
    tables: Sequence[Object], *, crowded: bool, other_versions: int
) -> Object:
    """These tables have answered on the LAN."""
    more: Object = {"crowded": crowded, "other_versions": other_versions}
    return _object("lan", tables=list(tables), **more)


def knocking_object(words: str, address: str) -> Object:
    """Somebody at that table is asked; these words must be on both screens."""
    return _object("knocking", words=words, address=address)


def code_object(code: str | None, why: str) -> Object:
    """A code is new; None if there is none in the place of another."""
    return _object("code", code=code, why=why)


def servers_object(*, there: bool, why: str) -> Object:
    """The servers that introduce are away, or back."""
    return _object("servers", there=there, why=why)


def watched_object(names: Sequence[str]) -> Object:
    """These watch the match now."""
    return _object("watched", names=list(names))


def chat_object(name: str, text: str) -> Object:
    """A player has written something to the others."""
    return _object("chat", name=name, text=text)


def waiting_object(waiting: Waiting) -> Object:
    """Some players are not there, or seen only through others; or all are there."""
    through = [{"name": name, "by": by} for name, by in waiting.through]
    names = list(waiting.names)
    found: Object = {"names": names, "more": waiting.more, "through": through}
    found |= {"played": waiting.played, "lasting": waiting.lasting}
    return _object("waiting", **found, carry=waiting.carry or None)


def room_object(room: Room) -> Object:
    """Who has come so far to a table of three or more."""
    players = [
        {"name": one.name, "side": one.side, "ready": one.ready} for one in room.players
    ]
    return _object("room", seats=room.seats, players=players)


def introduced_object(met: Sequence[Introduction]) -> Object:
    """Who the others at the table are, as far as the player has met them before."""
    players = [
        {
            "name": one.name,
            "words": one.words,
            "key": one.key.hex(),
            "known": one.standing.value,
            "before": None if one.before is None else one.before.name,
        }
        for one in met
    ]
    return _object("introduced", players=players)


def bot_failed_object(name: str, trouble: Trouble) -> Object:
    """The bot of that name at the table has failed; a simple move was played for it."""
    message = trouble.sentence(name)
    return _object(
        "bot_failed", name=name, kind=trouble.kind, out=trouble.out, message=message
    )


def reviewed_object(one: Reviewed) -> Object:
    """A choice of a match that was played, weighed by a bot."""
    seen = one.observation
    weighed = [
        {
            **action_fields(each.action, scopa=makes_scopa(seen.deal, each.action)),
            **_figures(each),
        }
        for each in one.weighed
    ]
    told: Object = {"deal": one.deal, "move": one.move, "hand": texts(seen.hand)}
    told |= {"action": format_action(one.chosen.action), **_figures(one.chosen)}
    told |= {"best": format_action(one.best), "reasons": list(one.reasons)}
    return _object("reviewed", seat=one.seat, **told, weighed=weighed)


def review_object(
    bot: str, reviews: Sequence[Reviewed], unknown: int, company: Company
) -> Object:
    """What the choices of each seat have lost in all, and those that lost most.

    `unknown` could not be weighed, for want of the hand.
    """
    players = [
        {
            "name": name,
            "choices": sum(one.seat == seat for one in reviews),
            "loss": round(lost_by(seat, reviews), 4),
        }
        for seat, name in enumerate(company.names)
    ]
    worst = [
        {
            "deal": one.deal,
            "move": one.move,
            "seat": one.seat,
            "name": company.names[one.seat],
            "action": format_action(one.chosen.action),
            "best": format_action(one.best),
            "loss": round(one.chosen.loss, 4),
            "loss_error": round(one.chosen.loss_error, 4),
        }
        for one in costliest(reviews)
    ]
    more: Object = {"costliest": worst, "unknown": unknown}
    return _object("review", bot=bot, players=players, **more)


def _figures(weighed: Weighed) -> Object:
    return {
        "points": round(weighed.points, 4),
        "error": round(weighed.error, 4),
        "loss": round(weighed.loss, 4),
        "loss_error": round(weighed.loss_error, 4),
    }


def error_object(code: int, message: str) -> Object:
    """Why a command ends with exit code `code`."""
    return _object("error", code=code, message=message)


def _deal_started(event: DealStarted, company: Company) -> Object:
    variant = company.variant
    return {
        "deal": event.deal,
        "dealer": event.dealer,
        "first": (event.dealer + 1) % variant.players,
        "seat": company.you,
        "names": list(company.names),
        "variant": variant.id,
        "sides": variant.sides,
        "target": variant.target,
        "carried": list(variant.carried.scores) if variant.carried else None,
    }


def _ended(event: DealScored | MatchWon | Stopped) -> Object:
    match event:
        case DealScored():
            return _object(
                "deal_scored",
                deal=event.deal,
                sides=[side_object(side) for side in event.sides],
                score=list(event.scores),
                leftovers=texts(event.leftovers),
                leftovers_side=event.leftovers_side,
            )
        case MatchWon(winner, names, scores, deals, resigned):
            won: Object = {"winner": winner, "names": list(names), "deals": deals}
            score = list(scores)
            return _object("match_won", **won, score=score, resigned=list(resigned))
        case Stopped(seat, blame, sentence, scores):
            why: Object = {"seat": seat, "blame": blame, "message": sentence}
            return _object("stopped", **why, score=list(scores))


def _object(type_: str, /, **fields: object) -> Object:
    return {"schema": SCHEMA, "type": type_, **fields}
