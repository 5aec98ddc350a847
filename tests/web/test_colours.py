"""Scores can be read in poor light: the contrast of the colours, by day and by night."""

import re

import pytest

from tests.web.pages import STATIC

STYLE = (STATIC / "style.css").read_text(encoding="utf-8")
SCORES, TEXT = 7.0, 4.5

# Text, what it stands on, and the least contrast.
PAIRS = [
    *((ink, ground, SCORES) for ink in ("ink", "good", "bad") for ground in ("page", "sheet")),
    *((ink, "baize", SCORES) for ink in ("baize-ink", "gold", "baize-soft")),
    *(("soft", ground, SCORES) for ground in ("page", "sheet")),
    *(("accent", ground, TEXT) for ground in ("page", "sheet", "tint")),
    ("accent-ink", "accent", TEXT), ("bad", "bad-tint", TEXT), ("warn", "warn-tint", TEXT),
    ("good", "tint", TEXT), ("ink", "tint", SCORES), ("ink", "bad-tint", SCORES),
    ("black-suit", "face", SCORES), ("red-suit", "face", TEXT),
]  # fmt: skip


def colours(night: bool) -> dict[str, str]:
    """The custom properties that are colours, by name."""
    day, rest = STYLE.split("@media (prefers-color-scheme: dark)", 1)
    found = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", day))
    dark = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", rest.split("*, ::before")[0]))
    return {**found, **dark} if night else found


def luminance(colour: str) -> float:
    """How light a colour is, as WCAG 2 reckons it."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("night", [False, True], ids=["day", "night"])
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_contrast(ink: str, ground: str, least: float, night: bool) -> None:
    found = colours(night)
    assert contrast(found[ink], found[ground]) >= least


@pytest.mark.parametrize("suit", ["italian-S", "italian-D", "italian-B", "trump", "fool"])
def test_suits_can_be_told_on_the_face_of_a_card(suit: str) -> None:
    day = STYLE.split("@media", 1)[0] + STYLE.split("/* ---", 2)[-1]
    match = re.search(rf"^\.{suit} {{ color: (#[0-9a-f]{{6}}); }}", day, re.MULTILINE)
    assert match
    for night in (False, True):
        assert contrast(match[1], colours(night)["face"]) >= TEXT
