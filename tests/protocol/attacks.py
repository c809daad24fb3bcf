"""The attacks of the threat model, and those found on the protocol that deals cards.

An X up to 30 is a cheat that a seat can try and that its own signature proves, or that
proves nothing and must not harm; from 31 on it comes from the network. An F is a
correction, with the attack that it answers. A test that makes the attack carries its
id; `test_attacks.py` looks for them.
"""

CHEATS = {
    "X1": "plays a card that it does not hold",
    "X2": "plays the same card twice",
    "X3": "plays out of turn",
    "X4": "makes a move that the rules do not allow",
    "X5": "claims points that it has not earned",
    "X6": "tells two peers different moves",
    "X7": "signs again what it has forgotten, after a restore",
    "X8": "comes with a shorter record and wants to play on from there",
    "X9": "shuffles a deck that is not the one to be shuffled",
    "X10": "swaps, drops, doubles or inserts a card",
    "X11": "shuffles without moving a card, or takes a key that hides nothing",
    "X12": "sends what is no point of the group",
    "X13": "gives a wrong share of a card",
    "X14": "withholds its share of a card that another must see",
    "X15": "wants to see a card that is not due to it",
    "X16": "with others, wants the card of somebody else",
    "X17": "opens another value than it has committed to",
    "X18": "commits to what another has committed to",
    "X19": "leaves before it opens its part of the coin",
    "X20": "leaves with a bad hand",
    "X21": "brings records of another match, seat or deal",
    "X22": "brings the records of this match again",
    "X23": "leaves a gap, numbers far ahead, or follows what is not there",
    "X24": "takes two seats with one key",
    "X25": "shows each guest other rules or seats",
    "X26": "has others play by an older version",
    "X27": "accuses without a proof, or with a forged one",
    "X28": "does not sign the result, or another",
    "X29": "says that another has run out of time",
    "X30": "pauses without end",
}

FROM_THE_NETWORK = {
    "X31": "sends what blows up when it is read",
    "X32": "holds places by saying nothing, or a byte now and then",
    "X33": "never reads what is sent to it",
    "X34": "puts into a text what a terminal obeys",
    "X35": "takes a name that looks like another",
    "X36": "stands in between when two meet, or guesses a code",
    "X37": "comes under a known name with another key",
    "X38": "fills a LAN with tables that are none",
    "X39": "has others call whom they should not",
}

CORRECTIONS = {
    "F1": "one seed for one deck: a number is never used twice",
    "F2": "the input deck is in every secret of a shuffle",
    "F3": "the weights of a proof hash its commitments: no scaled pair",
    "F4": "no share is signed before what makes it due",
    "F5": "an entry is judged only in the view that it names",
    "F6": "what is signed and stored is final, and is sent after a crash",
    "F7": "a deal that was played is not undone",
    "F8": "a result follows from the plays, whoever leaves, cheats or is silent after",
    "F9": "a seed is revealed when one's own machine says so",
    "F10": "the coin: nobody decides it by copying, waiting or leaving",
    "F11": "who comes back from an old disk asks before it signs",
    "F12": "silence and clocks make nobody lose",
    "F13": "a match is confirmed when all have said so",
    "F14": "a nonce covers the whole statement",
    "F15": "two signatures of one entry are one entry",
    "F16": "the identity and zero never come in, and raise nothing",
    "F17": "no share before all have said what the deck is for",
    "F18": "no share of the next deck before this deal is over",
    "F19": "a cheat in a deck made ahead counts after the running deal",
    "F20": "a point is hashed from 32 bytes",
    "F21": "a drawn card is opened to its owner after the play before it",
    "F22": "a card that was shown carries no share when it is played",
    "F23": "an empty list of shares is not sent",
}

ATTACKS = CHEATS | FROM_THE_NETWORK | CORRECTIONS

EXCUSED = {
    "F24": "a wording: secrets and record, where it said key and record",
}
