"""Writes the screens that test_scenes.py expects: python -m tests.ui.make_screens."""

from collections.abc import Callable
from pathlib import Path

from scopa_net.events import MatchWon, TurnCame
from scopa_net.rules import find_variant
from scopa_net.ui.faces import FULL
from scopa_net.ui.view import Link, LinkChanged
from tests.ui.sitting import Sitting, dealt_out, played_out, shuffled

FOLDER = Path(__file__).parent / "screens"
SCOPA = find_variant("scopa")


def asked() -> Sitting:
    """The mock-up's table: a 7 that can take in two ways."""
    deal = dealt_out(SCOPA, "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
    return Sitting(deal, hints=True).start().ask()


def deal_over() -> Sitting:
    return played_out(Sitting(shuffled(SCOPA, 1)).start(), 1).settle()


def won() -> str:
    sitting = deal_over()
    scores = sitting.view.scores
    return sitting.hear(MatchWon(1, sitting.company.names, scores, 1)).text()


def silent() -> str:
    sitting = Sitting(shuffled(SCOPA, 1), you=1).start().ask()
    return sitting.give(LinkChanged(0, Link.SILENT, sitting.company)).text()


def watched() -> Sitting:
    """The same table as it is asked about, for who has no seat at it."""
    deal = dealt_out(SCOPA, "3S 4D 5C 2B", "7D 4C AB", "JC 6D AS")
    sitting = Sitting(deal, you=None).start().ask().play("7Dx3S4D").settle()
    return sitting.hear(TurnCame(1))


SCREENS: dict[str, Callable[[], str]] = {
    "table": lambda: asked().text(glyphs=FULL),
    "choice": lambda: asked().press("3").text(),
    "capture": lambda: asked().press("3", "b").play("7Dx3S4D").text(),
    "score": lambda: deal_over().text(),
    "won": won,
    "silent": silent,
    "leave": lambda: asked().press("q").text(),
    "watched": lambda: watched().text(),
    "stop-watching": lambda: watched().press("q").text(),
}


def main() -> None:
    for name, text in SCREENS.items():
        (FOLDER / f"{name}.txt").write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
