"""Two persons at line mode who write to each other while cards are played."""

import subprocess
from collections.abc import Callable

from tests.end_to_end.peers import HERE, Peer, until


def types_in(peer: Peer, line: str) -> None:
    assert peer.process is not None
    assert peer.process.stdin is not None
    peer.process.stdin.write(f"{line}\n".encode())
    peer.process.stdin.flush()


def test_what_one_says_the_other_reads_and_no_card_waits_for_it(
    seat: Callable[..., Peer],
) -> None:
    ada, bea = seat("ada"), seat("bea")
    ada.start("host", "--name", "Ada", *HERE, as_json=False, stdin=subprocess.PIPE)
    until(lambda: "--watch" in ada.said)
    invite, _ = [word for word in ada.said.split() if word.startswith("scopa://")]
    # Its events are JSON lines, and what it is told as a person goes beside them.
    bea.start("join", invite, "--name", "Bea", stdin=subprocess.PIPE)
    until(lambda: "dealt" in bea.types())
    types_in(ada, "say ciao \x1b[2J Bea")
    until(lambda: "chat" in bea.types())
    (chat,) = [one for one in bea.told if one["type"] == "chat"]
    assert chat == {"schema": 1, "type": "chat", "name": "Ada", "text": "ciao �[2J Bea"}
    assert "Ada says: ciao �[2J Bea" in bea.complained
    types_in(bea, "mute ada")
    types_in(bea, "say ciao Ada")
    until(lambda: "Bea says: ciao Ada" in ada.said)
    for number in range(6):
        types_in(ada, f"say {number}")
    until(lambda: "That was not sent" in ada.said)
    for peer in (ada, bea):
        types_in(peer, "1")
        types_in(peer, "a")
    until(lambda: bea.types().count("played") >= 2)
    assert bea.types().count("chat") == 1
    for peer in (ada, bea):
        assert peer.process is not None
        assert peer.process.stdin is not None
        peer.stop()
        peer.process.stdin.close()
        peer.end()
