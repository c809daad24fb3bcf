"""The secret of two seats: the same for both, and for nobody else."""

from protocol.crypto.agreement import shared_secret
from protocol.crypto.identity import Identity

ADA, BOB, CLEO = (Identity(bytes([number]) * 32) for number in (1, 2, 3))
TABLE = b"table"


def test_both_sides_come_to_the_same_secret() -> None:
    assert shared_secret(ADA, BOB.key, TABLE) == shared_secret(BOB, ADA.key, TABLE)


def test_each_pair_and_each_table_has_its_own() -> None:
    pairs = [(ADA, BOB), (ADA, CLEO), (BOB, CLEO)]
    found = {shared_secret(one, other.key, TABLE) for one, other in pairs}
    found |= {shared_secret(ADA, BOB.key, b"another")}
    assert len(found) == 4


def test_the_derivation_is_fixed() -> None:
    assert shared_secret(ADA, BOB.key, TABLE).hex() == (
        "2ddc901a188b61a14a633d8d8343e8c905db19e9b217c69020061d853efce0d1"
    )
