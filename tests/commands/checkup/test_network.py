import socket

import pytest

from scopa_net.commands.checkup import State, network


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
