"""Who has come, as bytes and as names."""

from protocol.room import Present, Room, read_room

KEYS = tuple(bytes((at,)) * 32 for at in range(4))


def room_of(*names: str) -> Room:
    players = [
        Present(key, name, at or None, ready=at == 1)
        for at, (key, name) in enumerate(zip(KEYS, names, strict=False))
    ]
    return Room(4, tuple(players))


def test_a_room_is_read_as_it_was_written() -> None:
    room = room_of("Ada", "bea", "\x1b[2J")
    assert read_room(room.body()) == room


def test_names_of_a_room_are_safe_and_told_apart() -> None:
    shown = room_of("rules", "rules", "\x1b[2J", "you").shown()
    names = [one.name for one in shown.players]
    assert names[:2] == ["rules", "rules (2)"]
    assert names[2].isprintable()
    assert names[3] == "you (2)"
    assert [one.key for one in shown.players] == list(KEYS)
