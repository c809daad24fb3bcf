"""`scopa join --watch` where nobody has been invited to watch."""

import pytest

from tests.support.command_line import scopa


@pytest.mark.parametrize(
    ("where", "said"),
    [
        (["7-hamburger-spindle"], "A code is for who plays, and serves once"),
        (["127.0.0.1:4000"], "Nobody knocks to watch."),
        ([], "Nobody knocks to watch."),
    ],
)
def test_who_has_no_invitation_to_watch_is_told_what_it_takes(
    where: list[str], said: str
) -> None:
    code, _, complained = scopa("join", *where, "--watch")
    assert code == 2
    assert said in complained
    assert "the invitation for it, which the host's program prints" in complained
