"""What a bot is."""

from __future__ import annotations

from typing import Protocol

from scopa_net.rules.actions import Action
from scopa_net.rules.observation import Observation


class Bot(Protocol):
    """Whatever can choose for a seat; a class, or a module with such a function."""

    def choose(self, observation: Observation) -> Action:
        """One of the observation's `legal_actions`; asked only when there are any."""
        ...
