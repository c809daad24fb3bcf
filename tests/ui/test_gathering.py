"""What a person reads while the others come."""

from protocol.room import Present, Room
from scopa_net.ui.gathering import room_lines, seen
from scopa_net.ui.json_lines import room_object

OWN, ADA, BEA, CYD = (bytes((at,)) * 32 for at in range(4))


def here(
    key: bytes, name: str, side: int | None = None, *, ready: bool = True
) -> Present:
    return Present(key, name, side, ready)


ME = here(OWN, "me", ready=False)
ALONE = Room(4, (ME,))


def lines(*rooms: Room) -> tuple[str, ...]:
    """What is read at the last of these rooms."""
    before = None
    for room in rooms[:-1]:
        before = seen(before, room)
    return room_lines(before, seen(before, rooms[-1]), OWN)


def test_the_host_reads_who_comes_one_by_one() -> None:
    one = Room(4, (ME, here(ADA, "Ada", ready=False)))
    assert lines(ALONE) == ()
    assert lines(ALONE, one) == ("Ada is there (2 of 4).",)
    ready = Room(4, (ME, here(ADA, "Ada")))
    assert lines(one, ready) == ("Ada is ready.",)
    assert lines(ready, ready) == ()
    assert lines(ready, one) == ("Ada is not ready any more.",)


def test_who_comes_later_reads_who_is_there_already() -> None:
    room = Room(4, (here(ADA, "Ada"), here(BEA, "Bea", 1), ME))
    assert lines(room) == ("Ada and Bea (side 2) are there (3 of 4).",)


def test_when_nobody_is_missing_it_is_told_for_whom_the_table_waits() -> None:
    three = Room(3, (ME, here(ADA, "Ada"), here(BEA, "Bea", ready=False)))
    ready = Room(3, (here(OWN, "me"), *three.players[1:]))
    waits = "Everybody is there. It starts when Bea is ready."
    assert lines(three)[1:] == (
        "Everybody is there. It starts when you, too, have pressed Enter.",
    )
    assert lines(ready)[1:] == (waits,)
    # Whoever has just pressed Enter reads it too.
    assert lines(three, ready) == (waits,)
    last = Room(3, (*ready.players[:2], here(BEA, "Bea")))
    assert lines(ready, last) == ("Bea is ready.",)


def test_whoever_was_ready_before_others_came_is_not_told_to_be_so_again() -> None:
    two = Room(3, (ME, here(ADA, "Ada")))
    come = Room(3, (ME, here(ADA, "Ada", ready=False), here(BEA, "Bea", ready=False)))
    again = Room(3, (ME, here(ADA, "Ada"), here(BEA, "Bea", ready=False)))
    assert lines(two, come)[0] == "Bea is there (3 of 3)."
    assert lines(two, come, again) == ()
    assert lines(two, come, again, come)[0] == "Ada is not ready any more."


def test_who_goes_is_missed_by_its_key_and_not_by_its_name() -> None:
    before = Room(4, (ME, here(ADA, "rules"), here(BEA, "rules (2)"), here(CYD, "Cy")))
    after = Room(4, (ME, here(BEA, "rules")))
    assert lines(before, after) == ("rules and Cy have left (2 of 4).",)


def test_programs_are_told_names_sides_and_marks() -> None:
    room = Room(4, (ME, here(ADA, "Ada", 1)))
    assert room_object(room) == {
        "schema": 1,
        "type": "room",
        "seats": 4,
        "players": [
            {"name": "me", "side": None, "ready": False},
            {"name": "Ada", "side": 1, "ready": True},
        ],
    }
