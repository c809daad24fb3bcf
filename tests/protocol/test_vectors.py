"""The bytes of the wire and of the record are those that were written down."""

import json
from typing import Any

import pytest

from protocol.audit import audit
from protocol.codec import encode
from protocol.crypto.group import EDWARDS
from protocol.deck import VOIDING
from protocol.entry import read_entry
from protocol.faults import LinkFault, Signed
from protocol.hello import read_greeting
from protocol.invite import read_invite
from protocol.leaving import LEAVING
from protocol.mesh import Mesh
from scopa_net.referee import open_match
from tests.protocol import leaving_vectors
from tests.protocol.false_entries import false_entries
from tests.protocol.link_vectors import came_back, link
from tests.protocol.make_vectors import (
    FALSE,
    LINK,
    MATCH,
    MESSAGES,
    RECORD,
    SEED,
    STEPS,
    entry,
    is_refused,
    match,
    story,
)
from tests.protocol.step_vectors import steps

KNOWN = json.loads(MESSAGES.read_text(encoding="utf-8"))
LINKED = json.loads(LINK.read_text(encoding="utf-8"))


def read_plain(plain: Any) -> Any:
    if isinstance(plain, dict):
        return bytes.fromhex(plain["bytes"])
    return tuple(map(read_plain, plain)) if isinstance(plain, list) else plain


@pytest.mark.parametrize("known", KNOWN["values"])
def test_a_value_has_the_encoding_that_was_written_down(known: Any) -> None:
    assert encode(read_plain(known["value"])).hex() == known["bytes"]


@pytest.mark.parametrize("known", KNOWN["refused"], ids=lambda one: one["why"])
def test_what_was_refused_still_is(known: Any) -> None:
    assert is_refused(bytes.fromhex(known["bytes"]))


@pytest.mark.parametrize("known", KNOWN["entries"])
def test_an_entry_reads_as_it_was_written_down(known: Any) -> None:
    encoded, signature = known["encoded"], known["signature"]
    signed = Signed(bytes.fromhex(encoded), bytes.fromhex(signature))
    assert entry(signed) == known


def test_the_same_secrets_and_choices_make_the_same_record_to_the_byte() -> None:
    assert match().record == RECORD.read_bytes()


def test_a_record_of_this_version_audits_for_ever() -> None:
    data = RECORD.read_bytes()
    found = audit(data, EDWARDS, open_match)
    assert found.sound
    assert found.finished
    assert story(data) == json.loads(MATCH.read_text(encoding="utf-8"))


def test_every_kind_of_entry_but_a_spoiled_card_is_in_the_record() -> None:
    kinds = {read_entry(signed).kind for chain in match().chains for signed in chain}
    assert kinds == {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11}


def test_what_lies_between_secrets_and_record_is_as_written_down() -> None:
    assert steps(match(), SEED) == json.loads(STEPS.read_text(encoding="utf-8"))


def test_every_false_entry_proves_the_fault_that_was_written_down() -> None:
    found = false_entries(match())
    assert found == json.loads(FALSE.read_text(encoding="utf-8"))
    assert {each["named"] for each in found} == {1}


def test_what_travels_on_a_link_has_the_bytes_that_were_written_down() -> None:
    assert link(match()) == LINKED


@pytest.mark.parametrize("what", LINKED["hellos"])
def test_a_hello_that_was_written_down_is_understood(what: str) -> None:
    assert read_greeting(bytes.fromhex(LINKED["hellos"][what])) is not None


@pytest.mark.parametrize("what", LINKED["frames"])
def test_a_frame_that_was_written_down_is_understood(what: str) -> None:
    mesh = Mesh()
    mesh.connect(0)
    found = mesh.receive(0, bytes.fromhex(LINKED["frames"][what]))
    assert not isinstance(found, LinkFault)


def test_the_invitation_that_was_written_down_names_host_and_ticket() -> None:
    known = LINKED["invitation"]
    read = read_invite(known["text"])
    assert list(read.hosts) == known["hosts"]
    assert (read.port, read.pin.hex()) == (known["port"], known["pin"])
    assert read.ticket.hex() == known["ticket"]


def test_the_coming_back_that_was_written_down_is_nobodys_fault() -> None:
    found = audit(came_back(match()).record, EDWARDS, open_match)
    assert found.faults == ()
    assert found.damage is None
    assert not found.finished


def test_every_word_of_leaving_has_the_bytes_that_were_written_down() -> None:
    assert leaving_vectors.match().record == leaving_vectors.RECORD.read_bytes()
    known = leaving_vectors.WORDS.read_text(encoding="utf-8")
    assert leaving_vectors.written() == known
    found = json.loads(known)
    assert {one["kind"] for one in found["entries"]} == LEAVING | VOIDING
    assert found["void"] == [True, False]
    assert found["given_up"]
    assert found["confirmed"]
