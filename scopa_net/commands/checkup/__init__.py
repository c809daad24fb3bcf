"""What ``scopa doctor`` looks at: each a question that has an answer in time."""

from scopa_net.commands.checkup.finding import Check, Finding, State, examine

__all__ = ["Check", "Finding", "State", "examine"]
