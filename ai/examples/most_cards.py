"""Takes as many cards as it can, and the settebello before all."""

from scopa_net.bots import SETTEBELLO, Action, Observation, Play


def choose(observation: Observation) -> Action:
    """One of the legal actions."""

    def merit(action: Action) -> tuple[bool, int]:
        captured = action.captured if isinstance(action, Play) else ()
        return SETTEBELLO in captured, len(captured)

    return max(observation.legal_actions, key=merit)
