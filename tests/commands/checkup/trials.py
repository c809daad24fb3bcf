"""A home to look at."""

from protocol.step import SecretRow
from scopa_net.home import Home

NOW_S = 1_800_000_000.0
"""A day in January 2027."""


def begun(home: Home) -> str:
    """A match that is kept and not open."""
    match, store = home.begin({"nonce": bytes(32)}, [SecretRow("master", bytes(32))])
    store.close()
    return match
