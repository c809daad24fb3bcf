"""A conversation in line mode, written down."""

from collections.abc import Callable
from dataclasses import replace
from io import StringIO

from protocol.text import SafeText
from scopa_net.leaving import Word
from scopa_net.rules import Deal, Observation, new_match
from scopa_net.ui.chatting import Chats
from scopa_net.ui.company import Company
from scopa_net.ui.decks import ITALIAN, Deck
from scopa_net.ui.lines import Lines, Reply, Sight
from scopa_net.ui.output import Output
from tests.support.deals import SCOPA, variant_with

NAMES = ("Ana", "Bruno", "Carla", "Dario", "Elena", "Fabio")


def company(players: int = 2, deal: Deal | None = None, you: int | None = 0) -> Company:
    variant = (
        deal.variant if deal else (SCOPA if players == 2 else variant_with(players))
    )
    return Company(tuple(map(SafeText, NAMES[: variant.players])), variant, you)


class Conversation:
    """What Ana, in seat 0, types and is told."""

    def __init__(
        self,
        deal: Deal | None,
        *,
        hints: bool = True,
        deck: Deck = ITALIAN,
        chats: Chats | None = None,
        prompt: bool = False,
        why_not: Callable[[Word], str] = lambda _: "No.",
    ) -> None:
        self.deal = deal
        self._deck = deck
        self._page = StringIO()
        self.out = Output(self._page, lambda _: None)
        self.lines = Lines(
            self.out,
            self._look,
            why_not=why_not,
            hints=hints,
            chats=chats,
            prompt=prompt,
        )

    def observation(self) -> Observation:
        assert self.deal is not None
        match = new_match(self.deal.variant, self.deal.dealer)
        return Observation(0, self.deal, match)

    def asked(self) -> "Conversation":
        """The same, once the question is asked and forgotten."""
        self.lines.ask(self.observation())
        self.said()
        return self

    def typed(self, line: str) -> tuple[Reply, list[str]]:
        reply = self.lines.read(line)
        return reply, self.said()

    def said(self) -> list[str]:
        """What was said since the last call."""
        text = self._page.getvalue()
        self._page.seek(0)
        self._page.truncate()
        return text.splitlines()

    def _look(self) -> Sight | None:
        if self.deal is None:
            return None
        seated = replace(company(deal=self.deal), deck=self._deck)
        return Sight(seated, self.observation())
