"""Accessibility of every page: no axe violations, large targets, contrast, no sideways scroll."""

import hashlib
import itertools
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import (
    CONTRAST,
    COVERED,
    LETTERS,
    OPEN_ALL,
    PLACES,
    REPORTED,
    SMALL,
    WIDER,
    Sessions,
    watched,
)  # fmt: skip
from tests.conftest import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

AXE: Final = Path(__file__).with_name("axe.min.js")
AXE_SHA256: Final = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
RUN_AXE: Final = """async () => (await axe.run(document, { resultTypes: ["violations"] }))
  .violations
  .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 160)}`))"""
# The folder for screenshots of the pages; without it the suite takes none.
SCREENSHOTS: Final = os.environ.get("SCREENSHOTS", "var/screenshots" if SOAK else "")

LANGUAGES: Final = ("en", "it", "fr")
THEMES: Final = ("light", "dark", "black")
WIDTHS: Final = (320, 360, 768)
USUAL: Final = 360
HEIGHT: Final = 740
APPEARANCES: Final = tuple(itertools.product(LANGUAGES, THEMES, WIDTHS))
LEAST_CONTRAST: Final = 7
LEAST_LETTERS: Final = 52  # CSS px, to be read from across the table
SCORES: Final = ".totals .figure, .zone .figure"

# Pages that resemble another one.
MORE: Final = (
    "new-options", "code", "verify", "score", "rules", "api", "nothing", "no-such-table",
    "table-begun", "table-tricks", "table-watch", "table-closed", "hand", "audit-empty",
    "dispute-new", "results-empty", "export", "settings-match", "settings-close", "log",
)  # fmt: skip

Appearance = tuple[str, str, int]


def looks() -> list[Any]:
    """Parametrize every other page, each in another combination; the soak takes all in all."""
    seen = []
    for at, place in enumerate(PLACES):
        for number, appearance in enumerate(APPEARANCES):
            looked_at = place not in MORE and at % 2 == 0 and number == at * 7 % len(APPEARANCES)
            marks = [] if looked_at else [pytest.mark.soak]
            seen.append(
                pytest.param(
                    place,
                    appearance,
                    marks=marks,
                    id=f"{place}-{appearance[0]}-{appearance[1]}-{appearance[2]}",
                )
            )
    return seen


@pytest.fixture(scope="module")
def visitor(browser: "Browser", sessions: Sessions) -> Iterator["BrowserContext"]:
    """Return a browser with the host's key to all sessions."""
    with browser.new_context(
        base_url=sessions.origin, reduced_motion="reduce", service_workers=WORKERS
    ) as context:
        sessions.sit(context)
        yield context


@pytest.fixture(scope="module")
def page(visitor: "BrowserContext") -> Iterator["Page"]:
    with watched(visitor.new_page()) as page:
        yield page


def look(page: "Page", sessions: Sessions, place: str, appearance: Appearance) -> None:
    """Open a page in a language, theme and width."""
    language, theme, width = appearance
    prefs = f"lang={language}&theme={theme}"
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": sessions.origin}])
    page.set_viewport_size({"width": width, "height": HEIGHT})
    page.emulate_media(color_scheme="light" if theme == "light" else "dark")
    page.goto(sessions.path(place))
    assert page.get_attribute("html", "lang") in (language, "en")


def not_empty(violations: dict[str, Any]) -> dict[str, Any]:
    """Return the families with a result that is not empty."""
    return {family: faults_found for family, faults_found in violations.items() if faults_found}


def test_axe_is_the_reviewed_version() -> None:
    assert hashlib.sha256(AXE.read_bytes()).hexdigest() == AXE_SHA256


@pytest.mark.parametrize(("place", "appearance"), looks())
def test_page_is_accessible(
    page: "Page", sessions: Sessions, letters: Letters, place: str, appearance: Appearance
) -> None:
    look(page, sessions, place, appearance)
    number = list(PLACES).index(place)
    if SCREENSHOTS:
        picture = Path(
            SCREENSHOTS, appearance[1], str(appearance[2]), f"{place}-{appearance[0]}.png"
        )
        page.screenshot(path=picture, full_page=True)
    faults = {}
    page.evaluate(AXE.read_text("utf-8"))
    faults["policy"] = page.evaluate(REPORTED)
    faults["axe"] = page.evaluate(RUN_AXE)
    faults["sideways"] = letters.widest(page, WIDER)
    faults["low contrast"] = [n for n in page.evaluate(CONTRAST, SCORES) if n < LEAST_CONTRAST]
    faults["covered"] = not_empty(letters.in_turn(page, COVERED, number))
    page.evaluate(OPEN_ALL)
    faults["small"] = not_empty(letters.in_turn(page, SMALL, number))
    faults["sideways when open"] = letters.widest(page, WIDER)
    page.set_viewport_size({"width": max(appearance[2], USUAL), "height": HEIGHT})
    faults["sideways in large letters"] = letters.widest(page, WIDER, percent=200)
    assert {name: fault for name, fault in faults.items() if fault} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_of_a_table_is_wider_than_a_phone(
    page: "Page", sessions: Sessions, letters: Letters, language: str
) -> None:
    """Each page of a table in one language; the soak looks at all of them in all ways above."""
    wide = {}
    places = [place for place, path in PLACES.items() if path.startswith("/t/{")]
    for place in places[LANGUAGES.index(language) :: len(LANGUAGES)]:
        look(page, sessions, place, (language, "light", USUAL))
        page.evaluate(OPEN_ALL)
        wide[place] = letters.widest(page, WIDER)
    assert {place: pixels for place, pixels in wide.items() if pixels} == {}


def test_scores_are_large_enough_to_read_across_the_table(page: "Page", sessions: Sessions) -> None:
    look(page, sessions, "table-flat", ("en", "light", 360))
    letters = page.locator(".zone .figure").evaluate_all(LETTERS)
    assert letters
    assert min(letters) >= LEAST_LETTERS


def test_dealer_is_visible_without_scrolling(
    page: "Page", sessions: Sessions, letters: Letters
) -> None:
    look(page, sessions, "table-tricks", ("en", "light", 320))
    page.set_viewport_size({"width": 320, "height": 568})
    foot = "(one) => one.getBoundingClientRect().bottom"
    where = page.locator(".tabletop .where").first
    assert max(letters.inspect_each(page, lambda: where.evaluate(foot)).values()) <= 568
