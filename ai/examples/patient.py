"""A class with options, which says why."""

from collections.abc import Iterator

from scopa_net.bots import Action, Observation, Play


class Patient:
    """Captures only when that brings some cards at once."""

    def __init__(self, least: int = 3) -> None:
        self.least = least

    def choose(self, observation: Observation) -> Action:
        """The greatest capture if it is great enough, else the first action."""
        best = max(observation.legal_actions, key=_taken)
        return best if _taken(best) >= self.least else observation.legal_actions[0]

    def explain(self, observation: Observation, action: Action) -> Iterator[str]:
        """Why it chose that: lines for people; a bot may leave this out."""
        most = max(map(_taken, observation.legal_actions))
        yield f"It takes {_taken(action)} cards; {most} could be taken."


def _taken(action: Action) -> int:
    return len(action.captured) if isinstance(action, Play) else 0
