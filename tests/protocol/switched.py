"""The switch of every check: which attack it stops; or why it has none.

A check is named by its function and by what it says there, as `switches.checks` lists
them; an attack as `attempts.attempt` makes it.
"""

from tests.protocol.switched_bytes import STOPPED_BYTES
from tests.protocol.switched_doors import STOPPED_AT_DOORS
from tests.protocol.switched_leaving import (
    EXCUSED_LEAVING,
    OWN,
    STOPPED_LEAVING,
    VIEW,
)
from tests.protocol.switched_news import STOPPED_NEWS
from tests.protocol.switched_room import STOPPED_IN_THE_ROOM

STOPPED: dict[str, dict[str, str]] = {
    **STOPPED_BYTES,
    **STOPPED_AT_DOORS,
    **STOPPED_NEWS,
    **STOPPED_IN_THE_ROOM,
    "crypto.group.decode_scalar": {
        "len(encoded) != SCALAR_BYTES": "a scalar with a byte more",
        "in_range(suite, k)": "a proof whose c is zero",
    },
    "crypto.group.in_range": {
        "0 < k < suite.order": "a key proof written otherwise",
    },
    "crypto.group._Edwards.decode": {
        "len(encoded) != POINT_BYTES": "a point with a byte more",
        "crypto_core_ed25519_is_valid_point(encoded)": "a key of small order",
    },
    "crypto.group._Edwards.decode_times": {
        "len(encoded) != POINT_BYTES": "a point with a byte more, multiplied",
    },
    "crypto.identity.verify": {
        "len(signature) != SIGNATURE_BYTES": "a signature with a moved border",
    },
    "crypto.identity.valid_key": {
        "EDWARDS.decode(key) is not None": "a key of small order",
    },
    "crypto.proofs.decode_key_proof": {
        "scalars is None": "a proof with a byte more",
    },
    "crypto.proofs.decode_share_proof": {
        "scalars is None": "a share proof of zeros",
    },
    "crypto.proofs.check_key": {
        "suite.identity == X": "the key of nobody",
        "not _in_range(suite, proof)": "a key proof written otherwise",
        "proof.c == _key_challenge(suite, ctx, X, first)": "CancelsAnother 2 1",
    },
    "crypto.proofs.check_shares": {
        "not _well_formed(statement, a_points, shares)": "shares of nothing",
        "not _in_range(suite, proof)": "a share proof with another z",
        "decoded is None": "SharesNoPoint 2 1",
        "proof.c != _share_challenge(suite, digest, first, second)": "SpoilsAShare 2 1",
    },
    "crypto.proofs._decoded": {
        "both is None": "a second share that is no point",
        "first is None": "SharesNoPoint 2 1",
    },
    "crypto.proofs._well_formed": {
        "0 < len(statement.positions) == len(a_points) == len(shares)": (
            "shares of nothing"
        ),
        "0 <= min(numbers) <= max(numbers) < _NUMBER_MAX": "a position below zero",
    },
    "crypto.proofs._in_range": {
        "in_range(suite, proof.z)": "a key proof written otherwise",
    },
    "crypto.proofs._decode_pair": {
        "c is None": "a proof whose c is zero",
        "z is None": "a proof whose z is zero",
    },
    "crypto.shuffle.decode_deck": {
        "len(encoded) != PAIR_BYTES * N": "a deck with a card more",
        "point is None": "ShufflesNoPoints 2 1",
    },
    "crypto.shuffle_proof.decode_shuffle_proof": {
        "len(encoded) != proof_bytes(N)": "a shuffle proof with a number more",
        "scalar is None": "a shuffle proof with a zero",
    },
    "crypto.shuffle_proof.check_shuffle": {
        "not _well_formed(suite, deck_in, deck_out, proof)": (
            "a shuffle proof written otherwise"
        ),
        "committed is None": "a shuffle proof without a commitment",
        "linked is None": "a shuffle proof without a link",
        "q == _challenge(suite, digest, proof.chain, first)": (
            "ScalesTwoPairsToWeightsThatItForesees 2 1"
        ),
    },
    "crypto.shuffle_proof._decoded": {
        "both is None": "a shuffle proof without a commitment",
    },
    "crypto.shuffle_proof._well_formed": {
        "len(deck_in) > 0": "a shuffle of nothing",
        "all((len(each) == len(deck_in) for each in lists))": (
            "a shuffle proof with a number less"
        ),
        "len(proof.sums) == _FIXED - 1": "a shuffle proof without sums",
        "all((in_range(suite, scalar) for scalar in proof.scalars))": (
            "a shuffle proof written otherwise"
        ),
    },
    "entry.Entry.covers": {
        "self.seen[other.seat] > other.seq": "OpensItsCoinEarly 2 1",
    },
    "entry.read_entry": {
        "seat >= len(seen)": "an entry beyond its own table",
    },
    "log.Chains.here": {
        "all((seen <= count for seen, count in pairs))": "NamesWhatIsNotThere 2 1",
    },
    "log.Chains.causal": {
        (
            "all((then <= now for named in last for now, then in "
            "zip(entry.seen, named.seen, strict=True)))"
        ): "SeesOnlyHalf 3 1",
    },
    "log.Chains.view": {
        "not self.here(entry)": "what was forgotten names what is not there",
    },
    "log.forgets": {
        (
            "any((now < then for now, then in zip(entry.seen, before, strict=False)))"
        ): "ForgetsWhatItSaw 2 1",
    },
    "roster.read_join": {
        "not valid_key(join.key)": "a key of small order",
        "not verify(join.key, digest, signed.signature)": "a wish in another's name",
    },
    "roster.Terms.has": {
        "join.key not in self.keys": "terms without me",
        "mine == (self.names[seat], self.sides[seat], self.commitments[seat])": (
            "terms with another name"
        ),
    },
    "roster.read_terms": {
        "not ordered": "terms out of order",
        "not equal": "terms with fewer names",
        "not all((valid_key(key) for key in keys))": "terms with a key that is none",
        "_TERMS.check(body)": "terms of no positions",
    },
    "roster.WaitingRoom.welcome": {
        "not self._has_place_for(join, bound)": "a wish for a full side",
    },
    "roster.WaitingRoom._fits": {
        "side < self._sides": "a wish for a side that is none",
        "taken < self._seats // self._sides": "a wish for a full side",
    },
    "roster.WaitingRoom.proposed": {
        "terms is None": "terms that are none",
        "entry.prev != self.join.nonce": "terms under another nonce",
        "not terms.has(self.join)": "terms with another name",
        "terms.seats != self._seats": "terms for more seats",
        "entry.seat >= terms.seats": "terms by a seat that is not there",
        "author in {self._host, self.join.key}": "terms by a guest",
    },
    "shuffling.Shuffling.check": {
        "self.commits[entry.seat]": "CommitsTwice 2 1",
    },
    "shuffling.Shuffling._check_key": {
        "self.key_entries[entry.seat]": "GivesItsKeyTwice 2 1",
        "not all_covered(entry, self.commits)": "GivesItsKeyBeforeItCommits 2 1",
    },
    "shuffling.Shuffling._check_shuffle": {
        "stage < len(self.stages)": "ShufflesTwice 2 1",
        "not all_covered(entry, self.key_entries)": "ShufflesBeforeItsKey 2 0",
        "stage and (before is None or not entry.covers(before))": (
            "ShufflesBeforeItsTurn 2 1"
        ),
        "key_ids != entry_ids(self.key_entries)": "ShufflesAnotherDeck 2 1",
        "input_id != (before.id if before else None)": "ShufflesAnotherStage 2 1",
    },
    "shuffling.Shuffling._check_proof": {
        "self.proof_entries[stage]": "ProvesASecondTimeInTheDeal 2 1",
        "stage >= len(self.stages)": "ProvesBeforeItShuffles 2 1",
        "shuffle_id != self.stage_entries[stage].id": "ProvesAnothersShuffle 2 1",
    },
    "shuffling.Shuffling._check_ready": {
        "self.is_ready(entry.seat, since)": "IsReadyTwice 2 1",
        "plan is None": "a deck that is never dealt",
        "not all_covered(entry, self.key_entries)": "IsReadyBeforeItsKey 2 1",
    },
    "shuffling.Shuffling.accept": {
        "not isinstance(result, Point)": "CancelsAnother 2 1",
        "not isinstance(result, tuple)": "ShufflesNoPoints 2 1",
        "result is not True": "SwapsTwoPairs 2 1",
    },
    "shuffling.Shuffling.proven_in": {
        "all_covered(view, self.proof_entries)": "SharesLookingBack 2 0",
    },
    "shuffling.Shuffling.ready_in": {
        (
            "all((any((view.covers(one) and all_covered(one, since) for one in mine)) "
            "for mine in self.readies))"
        ): ("IsNeverReady 2 1"),
    },
    "shuffling.all_covered": {
        "all((entry is not None and view.covers(entry) for entry in entries))": (
            "GivesItsKeyBeforeItCommits 2 1"
        ),
    },
    "shuffling._read_proof": {
        "proof is None": "ProvesWithNoPoints 2 1",
        "check_shuffle(suite, joint, before, after, context, proof)": "CopiesAHand 2 1",
    },
    "shuffling._read_key": {
        "key is None": "GivesNoPoint 2 1",
        "proof is None": "ProvesItsKeyWithNothing 2 1",
        "not check_key(suite, context, key, proof)": "CancelsAnother 2 1",
    },
    "openings.opens_seed": {
        "commitment(context, seed) != committed": "CopiesACommitment 2 1",
        "suite.base(secret_key(suite, context, seed)) == key": "ItsSecretIsOne 2 1",
    },
    "openings.read_shares": {
        "proof is None": "SharesWithoutAProof 2 1",
    },
    "replay.replayed": {
        "honest != made.stages[seat]": "ShufflesWithAnotherSeed 2 1",
        "part != share(suite, secrets[seat], masked)": (
            "a turned card whose proof is believed"
        ),
    },
    "notes.is_signed": {
        "verify(key, H('sc1.note', signed.encoded), signed.signature)": (
            "coming back with unsigned answers"
        ),
    },
    "notes.acknowledgements": {
        "not isinstance(note, Acknowledgement)": "coming back with a question",
    },
    "notes.flaw": {
        "[each.seat for each in found] != others": (
            "coming back with answers out of order"
        ),
        "not is_signed(Signed(*pair), keys[each.seat])": (
            "coming back with unsigned answers"
        ),
        "(each.scope, each.asker, each.nonce) != (scope, entry.seat, nonce)": (
            "coming back with answers to another question"
        ),
        "not is_covered(each, chain, start)": "coming back with old answers",
    },
    "notes.is_covered": {
        "note.held > len(chain)": "coming back with more than is there",
        "head == note.head": "coming back with another head",
        "note.own >= seen": "coming back with old answers",
    },
    "deck.Deck.stands_in": {
        "entry is None": "PlaysBeforeTheTableLies 2 1",
        "not (view is None or view.covers(entry))": "CommitsAheadLookingBack 2 1 2",
    },
    "deck.Deck._accept_reveal": {
        "result is not True": "CopiesACommitment 2 1",
    },
    "deck.Deck._check_shares": {
        "(number, entry.seat) in self.share_entries": "SharesTwice 2 1",
        "number >= len(self._due_in(entry).rounds)": "SharesAheadOfTime 2 1 2",
        "len(encoded) != len(positions)": "LeavesAShareOut 2 1",
    },
    "deck.Deck._accept_shares": {
        "not isinstance(result, tuple)": "SharesNoPoint 2 1",
    },
    "deck.Deck._check_act": {
        "not self.stands_in(entry)": "PlaysBeforeTheTableLies 2 1",
        "self.spoiled_in(entry)": "an act on a spoiled deck",
        "game.turn() != entry.seat": "PlaysOutOfTurn 2 1",
        "game.digest() != digest": "ActsOnAnotherTable 2 1",
        "reason is not None": "ActsBeforeSharing 2 1",
        "len(encoded) > len(hidden)": "PlaysTwice 2 1",
        "len(encoded) != len(hidden)": "a hand shown with a share less",
        "(proof is None) != (not hidden)": "ActsWithoutItsProof 2 1",
    },
    "deck.Deck._check_holding": {
        "len(set(positions)) < len(positions)": "NamesAPositionTwice 2 1",
        "owed and (number, entry.seat) not in self.share_entries": (
            "ActsBeforeSharing 2 1"
        ),
        "position >= len(owners)": "PlaysAnUndealtCard 2 1",
        "owners[position] != entry.seat": "CallsAnothersCardSpoiled 2 1",
        "seat != entry.seat and (given is None or not entry.covers(given))": (
            "a card played unseen"
        ),
    },
    "deck.Deck._accept_act": {
        "hidden and (not isinstance(result, tuple))": "SpoilsAnActsShare 2 1",
        "isinstance(after, Refusal)": "BreaksARule 2 1",
        "isinstance(known, Refusal)": "a rule that a later card shows",
    },
    "deck.Deck._values": {
        "value is None": "no card whose proof is believed",
        "value in seen": "a doubled card whose proof is believed",
    },
    "deck.Deck._check_spoiled": {
        "self.over_in(entry)": "CallsAFinishedDealSpoiled 2 1",
        "reason is not None": "CallsAFinishedDealSpoiled 2 1 2",
        "hidden != positions": "CallsAPlayedCardSpoiled 2 1",
        "len(encoded) != len(positions)": "SpoilsNothing 2 1",
    },
    "deck.Deck._accept_spoiled": {
        "not isinstance(result, tuple)": "ShowsSpoiledWithAWrongShare 2 1",
        "self._values(entry, positions, result) is not None": (
            "CallsAGoodCardSpoiled 2 1"
        ),
    },
    "deck.Deck.played_again": {
        "isinstance(after, Refusal)": "a rule that shows when all is known",
    },
    "rivals.Rivals._two": {
        "all(map(self._follows, both)) and any(map(self._may_resume, both))": (
            "coming back"
        ),
    },
    "rivals.Rivals._may_resume": {
        "self.flaw(entry) is None": "coming back with bad answers beside",
    },
    "rivals.Rivals._follows": {
        "entry.seq > len(log.entries)": "PlaysOneCardAgainstTheRules 2 1",
        "entry.prev != log.head(entry.seq)": "coming back beside what breaks the chain",
        "entry.seen[entry.seat] != entry.seq": "coming back beside what miscounts",
        "not forgets(entry, before)": "coming back beside what forgets another",
    },
    "rivals.Rivals.flaw": {
        "sum((one.kind == Kind.RESUMED for one in chain)) >= RESUMES_MAX": (
            "coming back too often"
        ),
        "self._resumed.check(entry.body)": "coming back in no shape",
    },
    "rivals.Rivals.beside": {
        "fault.blames": "coming back beside a fork",
    },
    "course.Course._dealt_in": {
        "number >= len(self.decks)": "shares of no deck",
    },
    "course.Course.check": {
        "not self._well_formed(entry)": "SignsAnUnknownKind 2 1",
        "entry.kind != due": "SignsTheTermsTwice 2 1",
        "entry.seq > 1 and due in {Kind.TABLE, Kind.COIN}": "OpensItsCoinTwice 2 1",
        "entry.kind not in AFTERWARDS and self.leaving.given_up_in(entry)": (
            "PlaysOnAfterResigning 2 1"
        ),
    },
    "course.Course._well_formed": {
        "shape is not None": "SignsAnUnknownKind 2 1",
        "shape.check(entry.body)": "LengthensItsProof 2 1",
    },
    "course.Course._check_coin": {
        "len(self._tables) < self.seats": "a coin before the terms are there",
        "not all_covered(entry, self._tables)": "OpensItsCoinEarly 2 1",
        "committed != self.terms.commitments[entry.seat]": "CopiesACoin 2 1",
    },
    "course.Course._check_making": {
        "number > len(self.shufflings)": "a key of no deck",
        "entry.kind == Kind.COMMIT and plan is None": "CommitsAheadLookingBack 2 1 2",
        "entry.kind != Kind.COMMIT": "GivesAKeyOfADeckNotBegun 2 0 2",
        "plan is None": "CommitsAheadBeforeTheTableLies 2 1 2",
    },
    "course.Course._plan_in": {
        "not self._dealt_in(view, number - 1)": "CommitsToADeckThatIsNotDue 2 1",
    },
    "course.Course._check_dealt": {
        "not self._dealt_in(entry, number)": "an act on the next deck",
        "not self.shufflings[number].ready_in(entry, since)": "IsNeverReady 2 1",
        "owing and entry.kind == Kind.SHARES": "WithholdsItsSeed 2 1 2",
    },
    "course.Course._check_verdict": {
        "number >= len(self.decks)": "SignsAVerdictOnNoDeck 2 1",
        "entry.seat in deck.verdicts": "SignsItsVerdictTwice 2 1",
        "not all_covered(entry, reveals)": "SignsItsVerdictEarly 2 1",
        "deck.replayed is None": "a wrong share whose proof is believed",
        (
            "(digest, blamed) != (deck.game_in(entry).digest(), deck.replayed.blamed)"
        ): "AccusesAnother 2 1",
    },
    "record.Record.offer": {
        "fault is not None": "an entry that another signed",
    },
    "record.Record._stranger": {
        "len(entry.seen) != len(self.keys)": "an entry of a larger table",
        "entry.seq < 2 and entry.scope != self.table_scope": "terms of another table",
        "not verify(self.keys[entry.seat], digest, entry.signed.signature)": (
            "an entry that another signed"
        ),
    },
    "record.Record._is_strange": {
        "scope is not None": "a fork before the table is known",
        "entry.scope != scope": "an entry of another table id",
    },
    "record.Record.ready": {
        "proven is not None": "a fork before the table is known",
        "entry.prev != log.head(seq)": "BreaksItsChain 2 1",
        "entry.seen[seat] != seq": "MiscountsItself 2 1",
        "forgets(entry, log.entries[-1].seen if log.entries else ())": (
            "ForgetsWhatItSaw 2 1"
        ),
        "not self.here(entry)": "NamesWhatIsNotThere 2 1",
        "entry.heads != self.heads(entry.seen)": "NamesOtherHeads 2 1",
        "self.causal(entry)": "SeesOnlyHalf 3 1",
    },
    "judge.Judge.receive": {
        "outcome is not None": "CommitsToTwoSeeds 2 1",
    },
    "judge.Judge.prove": {
        "fork is None": "a fork beyond all that is held",
    },
    "judge.Judge._judge_next": {
        "isinstance(ready, Fault)": "BreaksItsChain 2 1",
    },
    "judge.Judge._finish": {
        "isinstance(outcome, Broken)": "a rule that a later card shows",
        "outcome is not None": "CallsAGoodCardSpoiled 2 1",
    },
    "judge.Judge._false_answers": {
        "entry.id == note.last and entry.seen[note.asker] > note.held": (
            "a seat that denies what it held"
        ),
    },
    "judge.Judge._refuse": {
        "self._is_preparing(entry) and entry.seat not in self._cheats": (
            "CommitsAheadBeforeTheTableLies 2 1 2"
        ),
    },
    "judge.Judge._is_preparing": {
        "entry.kind not in MAKING": "SharesTheNextDeckEarly 2 1 2",
        "not isinstance(entry.body, tuple)": "a commitment to nothing",
        "played is not None": "CommitsTwice 2 1",
        "entry.body[:1] == (played + 1,)": "ProvesASecondTimeInTheDeal 2 1",
    },
    "judge.Judge._ruling": {
        "not self._may_speak(entry)": "GoesOnAfterACheatAhead 2 1 2",
        "self.decks[deck_number(entry)].over_in(entry)": "CitesAProofAfterTheEnd 2 1",
        "not cited": "RevealsEarly 2 1",
        "liars": "RevealsEarlyOverRubbish 2 1",
        "cited": "CitesAProofAfterTheEnd 2 1",
    },
    "judge.Judge._may_speak": {
        "entry.kind in {Kind.REVEAL, Kind.VERDICT}": "GoesOnAfterACheatAhead 2 1 2",
    },
    "judge.Judge._replayed": {
        "broken is not None": "a rule that shows when all is known",
    },
    "resumption.Resumption.hear": {
        "note.scope != self._record.table_scope": "a note of another table",
        "note.asker >= len(keys)": "an answer about a seat that is not there",
        "note.author >= len(keys)": "an answer of a seat that is not there",
        "not is_signed(signed, keys[note.author])": "a note that another signed",
    },
    "resumption.Resumption._counts": {
        "question is not None": "an answer that nobody asked for",
        "question[0].nonce == note.nonce": "answers to an older question",
    },
    "resumption.Resumption._is_current": {
        "note.own <= len(chain.entries)": "answers that name what is not there",
        "chain.head(note.own) == note.last": "answers with another last entry",
    },
    "resumption.Resumption.body": {
        "len(fit) < len(self._record.keys) - 1": "one answer of two",
    },
    "resumption.Resumption._may_stand": {
        "known": "answers with another last entry",
        "self._covers(note)": "answers with another head",
    },
    "resumption.Resumption._covers": {
        "is_covered(note, chain.entries, chain.start)": "answers with another head",
    },
}

SWITCHES = {
    f"{place}: {says}": attack
    for place, switches in (STOPPED | STOPPED_LEAVING).items()
    for says, attack in switches.items()
}


EXCUSED: dict[str, str] = EXCUSED_LEAVING | {
    "codec.OneOf.check: type(kind) is int": (
        "nothing else that the wire knows is one of the kinds"
    ),
    "audit._terms_in: entry.seq == 0": (
        "terms that are not signed first get fewer votes than those that are"
    ),
    "audit._unsupported": "where a file is damaged, not whether",
    "audit._after": "where a file is damaged, not whether",
    "audit._is_signed: entry.seat >= terms.seats": (
        "such a seat has a longer view, which is asked too"
    ),
    "mesh.Mesh._new_doubts": OWN,
    "crypto.group.self_test": (
        "looks at the library, not at what others sign; `test_group` breaks it"
    ),
    "log.Log.closed": OWN,
    "log.Chains.write": "guards our own writing",
    "crypto.proofs.prove_shares": "guards our own proving",
    "crypto.shuffle.deck_seed": "guards our own secret",
    "crypto.shuffle_proof.prove_shuffle": "guards our own proving",
    "hello.write_greeting": "guards our own writing",
    "hello.Refusal.passing": "says when to call again",
    "hello._servers: not places": "says that the table names none",
    "hello.Door.admit: hello.ticket is None": (
        "no ticket is in no list of tickets; it is asked for the reader"
    ),
    "roster.WaitingRoom.gathered": OWN,
    "roster.WaitingRoom.is_forgotten": (
        "tells a guest why it waits in vain; nobody sits down by it"
    ),
    "room.Room.full": OWN,
    "shuffling.Shuffling.keyed": OWN,
    "shuffling.Shuffling.shuffled": OWN,
    "shuffling.Shuffling.proven": OWN,
    "shuffling.make_shuffle": "guards our own making",
    "shuffling.Shuffling.ready_in: self.proven_in(view)": (
        "`_dealt_in` asks the same before"
    ),
    "course.Course._dealt_in: proven": "`ready_in` asks the same after",
    "deck.Deck.verified": OWN,
    "deck.Deck.over_in": VIEW,
    "deck.Deck.spoiled_in": VIEW,
    "deck.Deck._check_shares: not positions": (
        "shares of nothing have another length, too"
    ),
    "rivals.Rivals._may_resume: entry.kind == Kind.RESUMED": (
        "nothing else has the shape that `flaw` asks for"
    ),
    "course.Course.deck": OWN,
    "course.Course.tables_signed": OWN,
    "course.Course.match_over": OWN,
    "course.Course.disagreement": OWN,
    "course.Course.verified": OWN,
    "course.Course.won": OWN,
    "course.Course.confirmed": OWN,
    "course.Course.plan_of": OWN,
    "course.Course.played_in": VIEW,
    "judge.Judge.stopped": OWN,
    "judge.Judge._may_be_won": OWN,
    "judge.Judge.settled": OWN,
    "judge.Judge.add_own": "guards our own signing",
    "judge.Judge._revealed": OWN,
    "judge.Judge._is_judged": "one entry of a seat is judged at a time",
    "record.Record.add": "guards our own writing",
    "record.Record.lacking": OWN,
    "record.Record.holds": OWN,
    "record.Record.waiting": OWN,
    "record.Record._holds_already": "spares a check of what is here already",
    "record.Record._stranger: entry.seat >= len(self.keys)": (
        "such a seat has a longer view, which is asked too"
    ),
    "resumption.Resumption.asking": OWN,
    "whereabouts.Hearsay.where": OWN,
    "whereabouts.Hearsay.seen_by": OWN,
    "crypto.identity.verify: len(key) != KEY_BYTES": (
        "keeps libsodium from reading past a key; such a one signs nothing"
    ),
    "crypto.proofs._in_range: in_range(suite, proof.c)": (
        "a challenge is compared as a number below the order"
    ),
    "crypto.proofs._decode_pair: len(encoded) != PROOF_BYTES": (
        "each half has a length that is asked for, too"
    ),
    "log.Chains.view: entry.heads != self.heads(entry.seen)": (
        "the judge that is asked with this view looks again"
    ),
    "course.Course._dealt_in: number == 0 or self.decks[number - 1].over_in(view)": (
        "a share waits for the own seed of the deck before, too"
    ),
    "course.Course._plan_in: not before.stands_in(view)": (
        "a game knows no next plan before its table cards"
    ),
    "course.Course._plan_in: before.spoiled_in(view)": (
        "no deck is dealt after a spoiled one, whatever is signed about it"
    ),
    "course.Course._plan_in: self.start": (
        "before there is a first game no entry of a deck has a scope that is known"
    ),
    "resumption.Resumption.body: self._nonce is None": OWN,
    "resumption.Resumption.body: often": (
        "guards our own signing; others count with `Rivals.flaw`"
    ),
    "record.Record.ready: log.closed": "a chain that is closed holds nothing any more",
    "record.Record.ready: scope is None": (
        "what is held is held by its scope, and none is None"
    ),
    "record.Record.ready: not len(held)": OWN,
    "notes.Question.later": "which of two questions counts; nobody is judged by it",
}
