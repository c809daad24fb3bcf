"""What is drawn has a look, and can be read."""

import re

import pytest

from scopa_net.events import Stopped
from scopa_net.ui.faces import FULL
from scopa_net.ui.scenes import draw
from scopa_net.ui.themes import FELT, MONO, PLAIN, theme_for
from scopa_net.ui.view import Link, LinkChanged
from tests.ui.make_screens import asked, deal_over
from tests.ui.sitting import Sitting

CONTRAST_MIN = 4.5
FRAME_CONTRAST_MIN = 2.0


def looks(sitting: Sitting) -> set[tuple[str, str]]:
    """The grounds and inks of what is drawn somewhere, spaces apart."""
    canvas = draw(sitting.view, 120, 36, FULL)
    runs = [run for row in range(36) for run in canvas.runs(row)]
    return {(run.ground, run.ink) for run in runs if run.text.strip()}


def every_look() -> set[tuple[str, str]]:
    found = looks(asked()) | looks(deal_over())
    for keys in (["2"], ["3"], ["9"], ["?"], ["s"], ["l"], ["q"]):
        found |= looks(asked().press(*keys))
    found |= looks(asked().play("7Dx3S4D"))
    lost = asked().play("AB").settle()
    found |= looks(lost.give(LinkChanged(1, Link.LOST, lost.company)))
    found |= looks(asked().hear(Stopped(1, "seat", "Bruno lied.", (0, 0))))
    return found


def luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(ground: str, ink: str) -> float:
    """How far what is written with the ink stands out from the ground."""
    style = f"{FELT[ground]} {FELT.get(ink, '')}"
    back = re.findall(r"bg:(#[0-9a-f]{6})", style)[-1]
    front = re.findall(r"(?<!bg:)(#[0-9a-f]{6})", style)[-1]
    low, high = sorted((luminance(back), luminance(front)))
    return (high + 0.05) / (low + 0.05)


def test_everything_that_is_drawn_has_a_look() -> None:
    grounds = {ground for ground, _ in every_look()}
    inks = {ink for _, ink in every_look()} - {""}
    assert grounds | inks <= set(FELT)
    assert set(PLAIN) <= set(FELT)
    assert set(MONO) <= set(FELT)


def test_everything_that_is_drawn_can_be_read() -> None:
    for ground, ink in every_look():
        least = FRAME_CONTRAST_MIN if ink.startswith("frame") else CONTRAST_MIN
        assert contrast(ground, ink) >= least, (ground, ink)


def test_without_colors_no_color_is_named() -> None:
    words = {word for style in MONO.values() for word in style.split()}
    assert words <= {"bold", "reverse"}


@pytest.mark.parametrize(
    ("bits", "theme"), [(1, MONO), (4, PLAIN), (8, FELT), (24, FELT)]
)
def test_a_theme_is_made_for_its_number_of_colors(bits: int, theme: object) -> None:
    assert theme_for(bits) is theme
