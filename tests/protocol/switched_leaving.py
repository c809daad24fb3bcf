"""The switches of `leaving`, `voids` and what asks them; see `switched`."""

OWN = "what this program knows itself; it judges nothing of others"
VIEW = "where a view stands; what follows from it has switches"

STOPPED_LEAVING: dict[str, dict[str, str]] = {
    "course.Course._check_other": {
        "same": "terms that were not agreed",
    },
    "course.Course.is_late": {
        "self.won": "PlaysOnWhenAnotherHasResigned 2 1",
        "all(map(self.leaving.given_up_in, map(read_entry, fault.evidence)))": (
            "TakesItsResignationBack 2 1"
        ),
    },
    "leaving.Leaving.check": {
        "over": "ResignsAfterTheEnd 2 1",
        "entry.kind == Kind.ADJOURN and entry.seat in self.away": "AdjournsTwice 2 1",
    },
    "leaving.Leaving._check_acceptance": {
        "not named": "AcceptsNothing 2 1",
        "all((self._has_seen(entry.seat, one) for one in named))": "AcceptsTwice 2 1",
    },
    "deck.Deck.check": {
        "self.voids.is_bound(entry.seat, self.plays_in(entry), entry)": (
            "CallsVoidAndPlaysOn 2 1"
        ),
        "entry.seat in self.reveals": "RevealsTwice 2 1",
        "entry.kind == Kind.REVEAL": "RevealsTwice 2 1",
    },
    "deck.Deck._check_void": {
        "not self.stands_in(entry)": "CallsADealVoidBeforeItLies 2 1",
        "self.over_in(entry)": "CallsAFinishedDealVoid 2 1",
    },
    "voids.Voids.check": {
        "named != plays": "CallsAnEarlierStateVoid 2 1",
        "wrong": "CallsAnotherStateVoid 2 1",
        "self.answered(entry.seat, plays)": "CallsVoidTwice 2 1",
    },
    "voids.Voids._check_proposal": {
        "self.refused(plays, entry)": "AgreesToWhatIsRefused 3 0",
        "entry.kind == Kind.REFUSE and (not self.open(plays, entry))": (
            "RefusesWhatNobodyAsks 2 1"
        ),
    },
}

EXCUSED_LEAVING: dict[str, str] = {
    "shuffling.Shuffling.is_ready": VIEW,
    "deck.Deck.void": OWN,
    "deck.Deck.over": OWN,
    "course.Course.ended": OWN,
    "course.Course.end_known": OWN,
    "course.Course._match_over_in": VIEW,
    "judge.Judge.ended": OWN,
    "leaving.Leaving.accepted": OWN,
    "leaving.Leaving.owes_acceptance": OWN,
    "leaving.Leaving._has_seen": VIEW,
    "leaving.Leaving.given_up_in": VIEW,
    "voids.Voids.refused": VIEW,
    "voids.Voids.answered": VIEW,
    "voids.Voids.is_bound": VIEW,
    "voids._all_in": VIEW,
}
