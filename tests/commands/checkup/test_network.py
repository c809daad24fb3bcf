import socket
from pathlib import Path

import pytest

from scopa_net.commands.checkup import State, network
from scopa_net.commands.settled import VARIABLES
from scopa_net.settings import settle


def test_a_port_can_be_listened_on() -> None:
    found = network.listening()
    assert found.state is State.OK
    assert "IPv4" in found.found
    assert "firewall" in found.found


def test_a_machine_that_lets_nobody_listen_can_host_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def forbidden(*_: object, **__: object) -> socket.socket:
        raise PermissionError

    monkeypatch.setattr(socket, "create_server", forbidden)
    found = network.listening()
    assert found.state is State.FAIL
    assert "To join one is still possible." in found.todo


def test_a_machine_that_cannot_call_itself_is_warned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def unreachable(*_: object, **__: object) -> socket.socket:
        raise OSError

    monkeypatch.setattr(socket, "create_connection", unreachable)
    found = network.listening()
    assert found.state is State.WARN
    assert "cannot call itself" in found.found


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("192.168.1.7", "within your own network"),
        ("10.0.0.2", "within your own network"),
        ("fd00::2", "within your own network"),
        ("100.64.3.4", "within your provider's or a private network"),
        ("169.254.1.1", "from the same cable or Wi-Fi"),
        ("1.1.1.1", "from the internet, if nothing is in between"),
        ("2606:4700::1", "from the internet, if nothing is in between"),
    ],
)
def test_an_address_is_told_with_from_where_it_can_be_reached(
    address: str, reach: str
) -> None:
    found = network.addresses([address])
    assert (found.state, found.found) == (State.OK, f"{address}, {reach}.")


def test_a_machine_without_a_network_is_warned() -> None:
    found = network.addresses(["127.0.0.1"])
    assert found.state is State.WARN
    assert "There is no network" in found.found


# -- servers ---------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in VARIABLES.values():
        monkeypatch.delenv(name, raising=False)
    return tmp_path


LOOKS = {"mailbox": network.mailbox, "relay": network.relay}
WHERE = {"mailbox": "ws://{}:{}/v1", "relay": "tcp:{}:{}"}


@pytest.mark.parametrize("key", LOOKS)
def test_no_server_is_asked_that_the_player_has_not_chosen(
    key: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(*_: object, **__: object) -> socket.socket:
        raise AssertionError

    monkeypatch.setattr(socket, "create_connection", forbidden)
    found = LOOKS[key](folder)
    assert found.state is State.UNASKED
    assert f"scopa config set {key}" in found.todo
    settle(folder / "settings.toml", "public_servers", value=False)
    assert LOOKS[key](folder).state is State.UNASKED


@pytest.mark.parametrize("key", LOOKS)
def test_a_server_that_is_settled_is_called(key: str, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        settle(folder / "settings.toml", key, WHERE[key].format("127.0.0.1", port))
        found = LOOKS[key](folder)
    assert (found.state, found.found) == (State.OK, f"127.0.0.1:{port} takes calls.")
    found = LOOKS[key](folder)
    assert found.state is State.WARN
    assert f"127.0.0.1:{port} cannot be reached: Connection refused." in found.found


@pytest.mark.parametrize("key", LOOKS)
def test_those_for_everybody_are_called_once_that_was_agreed_to(
    key: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[object] = []

    def unreachable(where: object, **_: object) -> socket.socket:
        called.append(where)
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", unreachable)
    settle(folder / "settings.toml", "public_servers", value=True)
    found = LOOKS[key](folder)
    assert called == [(PUBLIC_PLACES[key], 4000 if key == "mailbox" else 4001)]
    assert found.state is State.WARN
    assert "it did not answer in time" in found.found


PUBLIC_PLACES = {
    "mailbox": "relay.magic-wormhole.io",
    "relay": "transit.magic-wormhole.io",
}


@pytest.mark.parametrize("key", LOOKS)
def test_a_variable_that_names_no_server_is_a_failure(
    key: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLES[key], "nowhere")
    assert LOOKS[key](folder).state is State.FAIL


def test_a_bad_file_of_settings_is_a_warning_there(folder: Path) -> None:
    (folder / "settings.toml").write_text("name = ")
    assert {look(folder).state for look in LOOKS.values()} == {State.WARN}
