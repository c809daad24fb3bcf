"""The switch of every check on what a host says before the start; see `switched`."""

STOPPED_IN_THE_ROOM: dict[str, dict[str, str]] = {
    "room.Room.is_of": {
        "self.seats == seats": "a room of more places",
        "len(keys) <= seats": "a room with more players than places",
        "len(set(keys)) == len(keys)": "a room with a player twice",
        "keys[0] == host": "a room without its host",
    },
    "roster.WaitingRoom._has_place_for": {
        "new and self.present.full": "a wish for a full table",
        "join.side == bound.get(join.key)": "a wish for another side than before",
        "self._fits(join.side, others.count(join.side))": "a wish for a full side",
    },
    "roster.WaitingRoom.keeps_side": {
        "self._fits(side, terms.sides.count(side) - 1)": (
            "terms that give a side away twice"
        ),
    },
}
