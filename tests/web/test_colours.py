"""Scores are readable in poor light: the contrast of colours in the light and dark themes."""

import re

import pytest

from tests.web.pages import STATIC

STYLE = (STATIC / "style.css").read_text(encoding="utf-8")
SCORES, TEXT, CONTROLS = 7.0, 4.5, 3.0

# Text, what it stands on, and the least contrast.
PAIRS = [
    *((ink, ground, SCORES) for ink in ("ink", "good", "bad") for ground in ("page", "sheet")),
    *((ink, "baize", SCORES) for ink in ("baize-ink", "gold", "baize-soft")),
    *(("soft", ground, SCORES) for ground in ("page", "sheet")),
    *(("accent", ground, TEXT) for ground in ("page", "sheet", "tint")),
    ("accent-ink", "accent", TEXT), ("bad", "bad-tint", TEXT), ("warn", "warn-tint", TEXT),
    ("good", "tint", TEXT), ("ink", "tint", SCORES), ("ink", "bad-tint", SCORES),
    *((line, ground, CONTROLS) for line in ("control-line", "accent") for ground in
      ("page", "sheet")),
    ("black-suit", "face", SCORES), ("red-suit", "face", TEXT),
]  # fmt: skip


TOKEN = re.compile(r"--([\w-]+): (#[0-9a-f]{6});")
THEMES = ("day", "night", "black")


def tokens(after: str, place: int = 0) -> dict[str, str]:
    """Return the custom properties with colours in the block after this selector."""
    block = STYLE.split(after)[1 + place].split("}")[0]
    return dict(TOKEN.findall(block))


def colours(theme: str) -> dict[str, str]:
    """Return the custom properties with colours, by name."""
    values = tokens(":root {")
    if theme != "day":
        values |= tokens(':root:not([data-theme="light"]) {')
    if theme == "black":
        values |= tokens(':root[data-theme="black"] {')
    return values


def test_chosen_dark_theme_equals_the_dark_theme_of_the_system() -> None:
    by_phone = tokens(':root:not([data-theme="light"]) {')
    assert tokens('[data-theme="dark"], [data-theme="black"] {') == by_phone
    assert len(by_phone) > 20


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, by WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(("ink", "ground", "least"), PAIRS)
def test_contrast(ink: str, ground: str, least: float, theme: str) -> None:
    theme_colours = colours(theme)
    assert contrast(theme_colours[ink], theme_colours[ground]) >= least


SUITS = ("blue", "gold", "green", "violet", "plum")


@pytest.mark.parametrize("suit", SUITS)
def test_suits_are_distinguishable_on_the_face_of_a_card(suit: str) -> None:
    match = re.search(rf"--suit-{suit}: (#[0-9a-f]{{6}})", STYLE)
    assert match
    for theme in THEMES:
        assert contrast(match[1], colours(theme)["face"]) >= TEXT


def test_every_suit_has_its_colour_by_what_it_stands_on() -> None:
    on_pages = re.findall(r"color: var\(--suit-(\w+), var\(--([\w-]+)", STYLE)
    assert {suit for suit, _ in on_pages} == {*SUITS, "black", "red"}
    for theme in THEMES:
        for _, ink in on_pages:
            assert contrast(colours(theme)[ink], colours(theme)["sheet"]) >= TEXT
