"""A link on a clock: silence, floods, slow peers, goodbyes; the TLS is real."""

from random import Random

import pytest

from protocol.faults import LocalProtocolError
from protocol.links import End, Link
from protocol.links.budget import Allowance
from protocol.links.frames import HEARTBEAT, framed
from tests.protocol.links.network import Ear, Net, Wire, hear
from tests.protocol.links.party import (
    ADDRESS,
    GUEST,
    HOST,
    call,
    connected,
    host,
    invite,
)


def wires(net: Net) -> tuple[Wire, Wire]:
    near, far = net.wires
    return near, far


def raw(link: Link, data: bytes) -> None:
    """Write to the transport, past the link's own care."""
    transport = link.transport
    assert transport is not None
    transport.write(data)


def sever(net: Net) -> None:
    for wire in net.wires:
        wire.cut = True


@pytest.mark.parametrize("seed", range(1, 6))
def test_both_sides_know_each_other_and_frames_arrive_whole(seed: int) -> None:
    net, guest, at_guest, there, at_host = connected(seed)
    assert (guest.peer_key, there.peer_key) == (HOST.key, GUEST.key)
    frames = [bytes((i,)) * net.rng.randint(1, 65_536) for i in range(1, 12)]
    for frame in frames:
        guest.send(frame)
        there.send(frame[::-1])
    net.run(1)
    assert at_host.frames == frames
    assert at_guest.frames == frames
    assert at_guest.told == at_host.told == []


def test_a_quiet_link_stays_open() -> None:
    net, guest, at_guest, there, at_host = connected()
    net.run(300)
    assert guest.is_open
    assert there.is_open
    assert at_guest.told == at_host.told == []


def test_a_peer_that_falls_silent_is_suspect_at_six_seconds_and_dead_at_twelve() -> (
    None
):
    net, guest, at_guest, _, at_host = connected()
    began = net.seconds()
    sever(net)
    net.run(30)
    for told in (at_guest.told, at_host.told):
        (suspect_s, what), (dead_s, end) = told
        assert (what, end) == ("silent", End.SILENT)
        # The last heartbeat may have come up to three seconds before.
        assert 3 <= suspect_s - began <= 6.1
        assert 5.9 <= dead_s - suspect_s <= 6.1
    assert not guest.is_open


def test_a_peer_that_comes_back_in_time_is_heard_again() -> None:
    net, guest, at_guest, there, _ = connected()
    _, far = wires(net)
    far.stalled = True
    net.run(9)
    far.stalled = False
    net.run(30)
    assert [what for _, what in at_guest.told] == ["silent", "heard"]
    assert guest.is_open
    assert there.is_open


def test_our_own_sleep_is_not_the_peers_silence() -> None:
    net, guest, at_guest, there, _ = connected()
    net.advance(3600)
    net.run(5)
    assert guest.is_open
    assert there.is_open
    assert at_guest.endings == []
    sever(net)
    net.run(13)
    assert at_guest.endings == [End.SILENT]


def test_bytes_that_never_make_a_frame_are_silence() -> None:
    net, guest, _, _, at_host = connected()
    raw(guest, (60_000).to_bytes(4, "big"))
    for _ in range(40):
        raw(guest, b"x")
        net.run(0.5)
    assert at_host.endings == [End.SILENT]


def test_a_goodbye_is_told_from_a_break() -> None:
    net, guest, at_guest, _, at_host = connected()
    guest.send(b"the last word")
    guest.close()
    net.run(1)
    assert at_host.frames == [b"the last word"]
    assert at_host.endings == [End.LEFT]
    assert at_guest.endings == [End.CLOSED]
    net, guest, at_guest, _, at_host = connected()
    net.wires[0].abortConnection()
    net.run(1)
    assert at_host.endings == [End.BROKEN]
    assert at_guest.endings == [End.BROKEN]


def test_who_does_not_answer_a_goodbye_is_cut_off_after_five_seconds() -> None:
    # X32.
    net, guest, at_guest, _, _ = connected()
    began = net.seconds()
    sever(net)
    guest.close(End.REPLACED)
    net.run(4.8)
    assert at_guest.told == []
    net.run(1)
    ((ended_s, end),) = at_guest.told
    assert end is End.REPLACED
    assert 4.9 <= ended_s - began <= 5.2


def test_what_waits_is_sent_before_the_goodbye() -> None:
    net, guest, _, _, at_host = connected()
    frames = [bytes((i,)) * 60_000 for i in range(1, 11)]
    for frame in frames:
        guest.send(frame)
    guest.close()
    net.run(2)
    assert at_host.frames == frames
    assert at_host.endings == [End.LEFT]


def test_a_peer_that_never_reads_costs_a_mebibyte_and_is_dropped() -> None:
    # X33.
    net, guest, at_guest, _, _ = connected()
    near, _ = wires(net)
    near.stalled = True
    sent = 0
    while guest.is_open and sent < 400:
        guest.send(b"x" * 16_384)
        sent += 1
        net.run(0.05)
    assert 64 < sent < 72
    assert len(near.out) < 2 * 65_536
    for _ in range(100):
        guest.send(b"x" * 16_384)
    assert guest._unsent_bytes < 1_048_576 + 2 * 16_384
    net.run(6)
    assert at_guest.endings == [End.SLOW]
    assert near.lost


def test_who_has_much_to_catch_up_with_gets_a_mebibyte_on_every_link() -> None:
    net, guest, at_guest, _, at_host = connected()
    for _ in range(200):
        guest.send(b"x" * 16_384)
    assert not guest.is_open
    net.run(1)
    assert at_guest.endings == [End.SLOW]
    assert at_host.endings == [End.LEFT]
    assert 64 < len(at_host.frames) < 72


def test_a_slow_peer_that_reads_on_gets_everything() -> None:
    net, guest, _, there, at_host = connected()
    near, _ = wires(net)
    near.slow = 3_000
    frames = [bytes((i,)) * 10_000 for i in range(60)]
    for frame in frames:
        guest.send(frame)
    net.run(30)
    assert at_host.frames == frames
    assert guest.is_open
    assert there.is_open


def test_a_frame_over_the_limit_ends_an_open_link() -> None:
    net, guest, at_guest, _, at_host = connected()
    raw(guest, framed(b"x" * 65_536))
    net.run(1)
    assert len(at_host.frames) == 1
    raw(guest, (65_537).to_bytes(4, "big"))
    net.run(1)
    assert at_host.endings == [End.OVERLONG]
    assert at_guest.endings == [End.BROKEN]


def test_nothing_is_heard_of_a_link_that_was_closed() -> None:
    net, guest, _, there, at_host = connected()
    guest.send(b"one")
    at_host.on_frame = lambda _: there.close()
    guest.send(b"two")
    guest.send(b"three")
    net.run(1)
    assert at_host.frames == [b"one"]
    assert at_host.endings == [End.CLOSED]
    there.send(b"into the void")
    there.close()
    there.abort(End.SLOW)
    net.run(1)
    assert at_host.endings == [End.CLOSED]


def test_what_comes_before_the_start_is_told_at_the_start() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    (there,) = links
    there.send(b"one")
    there.send(b"two")
    net.run(40)
    ear = hear(net, answer.link)
    assert ear.frames == [b"one", b"two"]
    there.send(b"three")
    there.close()
    net.run(1)
    assert ear.frames == [b"one", b"two", b"three"]
    assert ear.endings == [End.LEFT]
    with pytest.raises(LocalProtocolError):
        answer.link.start(ear)


def test_who_starts_a_link_that_is_lost_learns_what_came_and_how_it_ended() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    links[0].send(b"one")
    links[0].close()
    net.run(1)
    ear = hear(net, answer.link)
    assert ear.frames == [b"one"]
    assert ear.endings == [End.LEFT]


def test_a_flood_before_the_start_ends_the_link() -> None:
    net = Net()
    listener, links = host(net)
    net.machines[ADDRESS] = listener.factory
    answer = call(net, invite())
    net.run(1)
    for _ in range(600):
        raw(answer.link, framed(b"x"))
    net.run(1)
    ear = hear(net, links[0])
    assert len(ear.frames) == 512
    assert ear.endings == [End.OVERLONG]


@pytest.mark.parametrize("seed", range(1, 6))
def test_who_says_very_much_is_read_more_slowly_and_loses_nothing(seed: int) -> None:
    net, guest, at_guest, there, at_host = connected(seed)
    frames = [net.rng.randbytes(net.rng.randint(1, 90)) for _ in range(6_000)]
    for frame in frames:
        guest.send(frame)
    net.run(0.2)
    assert 2_048 <= len(at_host.frames) <= 2_048 + 100
    net.run(5)
    assert 3_000 <= len(at_host.frames) <= 3_200
    there.send(b"heard all the same")
    net.run(0.1)
    assert at_guest.frames == [b"heard all the same"]
    net.run(20)
    assert at_host.frames == frames
    assert at_host.told == at_guest.told == []


def test_long_frames_cost_more() -> None:
    net, guest, _, _, at_host = connected()
    for _ in range(3):
        for _ in range(15):
            guest.send(bytes(65_536))
        net.run(0.05)
    assert 30 <= len(at_host.frames) <= 34
    net.run(20)
    assert len(at_host.frames) == 45


def asked_too_much(frames: list[bytes]) -> tuple[Net, Link, Ear, Link, Ear]:
    """A link on which one side sends all this at once, to a peer that reads it all."""
    net, guest, at_guest, there, at_host = connected()
    guest.hearing = Allowance(burst=1_000_000, per_s=1).full(net.seconds())
    for frame in frames:
        there.send(frame)
    net.run(0.2)
    return net, guest, at_guest, there, at_host


@pytest.mark.parametrize("seed", range(1, 6))
def test_who_makes_us_send_very_much_gets_it_more_slowly_and_whole(seed: int) -> None:
    luck = Random(seed)
    frames = [luck.randbytes(luck.randint(1, 90)) for _ in range(10_000)]
    net, guest, at_guest, _, at_host = asked_too_much(frames)
    assert 8_192 <= len(at_guest.frames) <= 8_192 + 60
    guest.send(b"heard all the same")
    net.run(2)
    assert at_host.frames == [b"heard all the same"]
    assert len(at_guest.frames) <= 8_192 + 350
    net.run(20)
    assert at_guest.frames == frames
    assert at_host.told == at_guest.told == []


def test_a_goodbye_follows_what_may_still_be_sent_in_five_seconds() -> None:
    net, _, at_guest, there, at_host = asked_too_much([b"x"] * 8_600)
    there.close()
    net.run(6)
    assert (at_host.endings, at_guest.endings) == ([End.CLOSED], [End.LEFT])
    assert len(at_guest.frames) == 8_600
    net, _, at_guest, there, at_host = asked_too_much([b"x"] * 20_000)
    there.close()
    net.run(6)
    assert (at_host.endings, at_guest.endings) == ([End.CLOSED], [End.BROKEN])
    assert 8_600 < len(at_guest.frames) < 9_200
    assert net.getDelayedCalls() == []


def flooded() -> tuple[Net, Link, Ear, Link, Ear]:
    """A link of which one side has far more to read than its peer's budget allows."""
    net, guest, at_guest, there, at_host = connected()
    for _ in range(9_000):
        guest.send(b"x")
    net.run(0.2)
    return net, guest, at_guest, there, at_host


def test_a_goodbye_is_not_held_up_by_what_is_not_read_any_more() -> None:
    net, _, at_guest, there, at_host = flooded()
    heard = len(at_host.frames)
    there.close()
    net.run(1)
    assert (at_host.endings, at_guest.endings) == ([End.CLOSED], [End.LEFT])
    assert len(at_host.frames) == heard
    assert net.getDelayedCalls() == []


def test_a_flooded_link_can_be_cut_off_and_leaves_nothing_behind() -> None:
    for cut in (lambda link: link.abort(End.REPLACED), lambda link: None):
        net, guest, _, there, at_host = flooded()
        cut(there)
        guest.abort(End.CLOSED)
        net.run(30)
        assert len(at_host.endings) == 1
        assert net.getDelayedCalls() == []


def test_what_an_ear_raises_breaks_the_link_also_when_it_is_read_later() -> None:
    net, _, at_guest, _, at_host = flooded()

    def fail(data: bytes) -> None:
        raise ValueError(data)

    at_host.on_frame = fail
    with pytest.raises(ValueError, match="x"):
        net.run(1)
    net.run(1)
    assert (at_host.endings, at_guest.endings) == ([End.BROKEN], [End.BROKEN])
    assert net.getDelayedCalls() == []


def test_a_flood_of_heartbeats_ends_the_link() -> None:
    # X30.
    net, guest, _, _, at_host = connected()
    raw(guest, HEARTBEAT * 50)
    guest.send(b"still here")
    net.run(1)
    assert at_host.frames == [b"still here"]
    assert at_host.endings == []
    raw(guest, HEARTBEAT * 100_000)
    net.run(1)
    assert at_host.endings == [End.RUBBISH]


def test_heartbeats_do_not_pile_up_behind_what_waits() -> None:
    net, guest, _, _, _ = connected()
    near, _ = wires(net)
    near.stalled = True
    guest.send(b"x" * 65_536)
    guest.send(b"x" * 65_536)
    waits = guest._unsent_bytes
    assert waits > 0
    net.run(9)
    assert guest._unsent_bytes == waits


@pytest.mark.parametrize("data", [b"", b"x" * 65_537], ids=len)
def test_our_own_mistakes_are_raised(data: bytes) -> None:
    _, guest, _, _, _ = connected()
    with pytest.raises(LocalProtocolError):
        guest.send(data)


def test_a_link_leaves_no_timer_behind() -> None:
    net, guest, _, _, _ = connected()
    guest.close()
    net.run(1)
    assert net.getDelayedCalls() == []
