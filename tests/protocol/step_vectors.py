"""What lies between the secrets of the vectors' match and the bytes of its record.

A foreign program that comes to another record finds here the first thing that differs.
"""

from typing import Any, TypeAlias

from protocol.audit import audit
from protocol.bodies import Act, Shares, said
from protocol.codec import encode
from protocol.crypto.group import EDWARDS
from protocol.deck import Deck
from protocol.entry import Entry, Kind, read_entry
from protocol.game import Game
from protocol.party import Secrets
from protocol.roster import draw
from protocol.shuffling import plan_hash
from scopa_net.referee import Referee, open_match
from scopa_net.rules import state_digest
from tests.support.matches import Played, new_table

Json: TypeAlias = dict[str, Any]


def steps(match: Played, seed: int) -> Json:
    """The secrets of all seats, what they draw, and what every share is said about."""
    _, drawn = new_table(match.variant, seed=seed, suite=EDWARDS)
    secrets = {own.identity.key: own for own in drawn}
    course = audit(match.record, EDWARDS, open_match).judge.course
    table, deck, start = course.table_id, course.decks[0], course.start
    assert table is not None
    assert isinstance(start, Referee)
    return {
        "nonce": match.nonce.hex(),
        "secrets": [_secrets(secrets[key]) for key in match.terms.keys],
        "terms": encode(match.terms.body()).hex(),
        "scope_of_the_terms": match.terms.scope(match.nonce).hex(),
        "table_id": table.hex(),
        "draws": {label: list(draw(table, label, 2)) for label in ("places", "dealer")},
        "rules": start.variant.fingerprint.hex(),
        "plans": [_plan(0, start.plan()), _plan(1, deck.games[0].next_plan())],
        "deck_id": deck.id.hex(),
        "rounds": [list(dealt) for dealt in deck.game.rounds()],
        "owners": list(deck.game.owners()),
        "shares": [
            _share(deck, start, entry)
            for entry in map(read_entry, (s for chain in match.chains for s in chain))
            if entry.kind in {Kind.SHARES, Kind.ACT}
        ],
        "states": [_state(game) for game in (start, *deck.games)],
    }


def _secrets(own: Secrets) -> Json:
    return {
        "identity": own.identity.seed.hex(),
        "master": own.master.hex(),
        "coin": own.coin.hex(),
    }


def _plan(number: int, plan: bytes | None) -> Json:
    assert plan is not None
    ready = plan_hash(number, plan)
    return {"deck": number, "plan": plan.hex(), "ready": ready.hex()}


def _share(deck: Deck, start: Game, entry: Entry) -> Json:
    """What the proof of an entry's shares is about, beside its context and key."""
    if entry.kind == Kind.SHARES:
        number = said(entry, Shares).round
        plays = deck.game.rounds()[number].due
        positions = deck.owed_positions(number, entry.seat)
    else:
        number = plays = deck.plays_in(entry)
        positions = said(entry, Act).positions
    game = deck.games[plays] if plays else start
    statement = deck.statement(Kind(entry.kind), number, entry.seat, positions)
    return {
        "seat": entry.seat,
        "seq": entry.seq,
        "kind": entry.kind,
        "number": number,
        "positions": list(positions),
        "owners": bytes(owner + 1 for owner in game.owners()).hex(),
        "state": game.digest().hex(),
        "plan": statement.plan.hex(),
    }


def _state(game: Game) -> Json:
    assert isinstance(game, Referee)
    return {"deal": state_digest(game.deal).hex(), "state": game.digest().hex()}
