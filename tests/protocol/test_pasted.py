"""What is pasted, as chat programs, mails and shells hand it on."""

import pytest

from protocol.codes import read_code
from protocol.crypto.identity import Identity
from protocol.invite import BadInvite, Invite, read_invite, read_place
from protocol.pasted import unwrapped

INVITE = Invite("192.168.1.5", 4000, Identity(bytes(32)).key, bytes(range(16)))
TEXT = str(INVITE)
BROKEN = f"{TEXT[:40]}\r\n{TEXT[40:80]}\n{TEXT[80:]}"


@pytest.mark.parametrize(
    "pasted",
    [
        TEXT,
        f"{TEXT}.",
        f"{TEXT},",
        f"{TEXT}!",
        f"<{TEXT}>",
        f"<{TEXT}>.",
        f"({TEXT}).",
        f'"{TEXT}"',
        f"'{TEXT}',",
        f"\u201c{TEXT}\u201d.",
        f"\u00ab{TEXT}\u00bb",
        f"`{TEXT}`",
        f"**{TEXT}**",
        f"scopa join {TEXT}",
        f"$ scopa join {TEXT}",
        f"  SCOPA  join <{TEXT}>",
        f'"scopa join {TEXT}."',
        f"This invites the other player:\n  scopa join {TEXT}\n",
        f"Come and play: {TEXT}.",
        f"\ufeff{TEXT[:20]}\u200b{TEXT[20:]}\u00a0",
        BROKEN,
        f"> {TEXT[:40]}\n> {TEXT[40:]}",
        f">> {TEXT[:40]}\n>> {TEXT[40:]}.",
        f"{TEXT[:70]}=\n{TEXT[70:]}",
    ],
)
def test_an_invitation_is_read_whatever_it_was_wrapped_in(pasted: str) -> None:
    assert read_invite(unwrapped(pasted)) == INVITE


@pytest.mark.parametrize(
    "pasted",
    [
        "7-tavolo-bastoni.",
        "<7-tavolo-bastoni>",
        "scopa join 7-tavolo-bastoni",
        "scopa join 7 tavolo bastoni!",
        '"7-Tavolo-Bastoni",',
    ],
)
def test_a_code_is_read_whatever_it_was_wrapped_in(pasted: str) -> None:
    assert read_code(unwrapped(pasted)) == "7-tavolo-bastoni"


@pytest.mark.parametrize("pasted", ["[::1]:7", "scopa join [::1]:7.", "<[::1]:7>,"])
def test_an_address_keeps_its_brackets(pasted: str) -> None:
    assert read_place(unwrapped(pasted)) == ("::1", 7)


@pytest.mark.parametrize(
    "pasted",
    [
        f"{TEXT} {TEXT}",
        f"{TEXT}/more",
        f"{TEXT} or call me",
        f"http://{TEXT}",
        TEXT[:-1],
        TEXT.replace("4000", "4000x"),
        TEXT.replace("192.", "192.."),
        "scopa join",
        "",
    ],
)
def test_what_it_means_is_as_strict_as_ever(pasted: str) -> None:
    with pytest.raises(BadInvite):
        read_invite(unwrapped(pasted))
