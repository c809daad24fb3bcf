"""Tables at which every proof of a shuffle is believed: only the replay is left.

The replay of a finished deck is the second net under a false shuffle. With its proof
checked almost none gets that far, so the one check is turned off to test what the
replay finds.
"""

import pytest


@pytest.fixture
def false_proofs_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """No seat and no auditor looks at the proof of a shuffle."""
    monkeypatch.setattr("protocol.shuffling._read_proof", _believed)


def _believed(*_: object) -> bool:
    return True
