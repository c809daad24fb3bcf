"""The bot that all others must beat: any legal action, each as likely."""

from __future__ import annotations

from hashlib import blake2b

from scopa_net.bots import Action, Observation


class RandomBot:
    """Plays any legal action, each as likely as the others."""

    def choose(self, observation: Observation) -> Action:
        """The action that the luck points at; the same luck, the same action."""
        drawn = int.from_bytes(blake2b(observation.luck).digest(), "big")
        actions = observation.legal_actions
        return actions[drawn % len(actions)]
