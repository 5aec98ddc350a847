"""Names of markup, from right to left, or of sixty characters, on every page."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import PLACES, REPORTED, WIDER, Sessions, watched
from tests.operation.serving import Server
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

MARKUP: Final = "<img src=x onerror=alert(1)>'\"><svg/onload=alert(2)>"
NAMES: Final = {
    "mara": MARKUP,
    "leo": "\u202eevil\u2066 {{ 7*7 }} ${x} javascript:alert(3)",
    "nina": "\N{GRINNING FACE}" * 60,
    "ugo": "W" * 60,
}
TITLE: Final = "</title><script>alert(4)</script>\u202e" + MARKUP
TEXTS: Final = ("reason", "text")
FOREIGN: Final = """() => [...document.querySelectorAll(
  "img, script:not([src]), iframe, [onload], [onerror]")]
  .filter((one) => !(one.tagName === "IMG" && one.src.startsWith("data:")))
  .map((one) => one.outerHTML.slice(0, 120))"""
OUTSIDE: Final = """(mark) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let one = walker.nextNode(); one; one = walker.nextNode()) {
    const at = one.parentElement;
    if (one.data.includes(mark) && !at.closest("bdi, title, desc, svg text, textarea, option, pre"))
      found.push(at.outerHTML.slice(0, 120));
  }
  return found;
}"""
# How far each name overflows its drawing.
BESIDE: Final = """() => [...document.querySelectorAll(".chart svg g > :last-child")].map((name) =>
  name.getBoundingClientRect().right - name.closest("svg").getBoundingClientRect().right)"""
# The pages with the most names and typed texts; the others in the soak.
SUITE: Final = (
    "share",
    "table-cards",
    "table-flat",
    "hand-disputed",
    "audit",
    "dispute",
    "results",
)
OWN: Final = [
    pytest.param(place, marks=[] if place in SUITE else [pytest.mark.soak])
    for place, path in PLACES.items()
    if place == "home" or "{" in path
]


def hostile() -> str:
    """Return the example session with these names, and with markup in every free text."""
    lines = [json.loads(line) for line in EXAMPLE.splitlines() if line.strip()]
    return "".join(json.dumps(make_hostile(line)) + "\n" for line in lines)


def make_hostile(value: Any) -> Any:
    """Return an event with hostile texts, also within corrections."""
    if isinstance(value, list):
        return [make_hostile(element) for element in value]
    if not isinstance(value, dict):
        return value
    replaced_ = {key: MARKUP if key in TEXTS else make_hostile(part) for key, part in value.items()}
    if value.get("type") == "session_opened":
        players = [{"id": key, "name": name} for key, name in NAMES.items()]
        replaced_["data"] = {"title": TITLE, "place": MARKUP, "players": players}
    return replaced_


@pytest.fixture(scope="module")
def sessions(server: Server) -> Sessions:
    return Sessions.begin(server, hostile())


@pytest.fixture(scope="module")
def page(browser: "Browser", sessions: Sessions) -> Iterator["Page"]:
    with browser.new_context(
        base_url=sessions.origin,
        viewport={"width": 360, "height": 740},
        service_workers=WORKERS,
    ) as context:
        sessions.sit(context)
        with watched(context.new_page()) as page:
            yield page


@pytest.mark.parametrize("place", OWN)
def test_name_is_text_and_does_not_overflow(
    page: "Page", sessions: Sessions, letters: Letters, place: str
) -> None:
    page.goto(sessions.path(place))
    assert page.locator("h1").count() == 1
    assert page.evaluate(FOREIGN) == []
    assert page.evaluate(REPORTED) == []
    assert page.evaluate(OUTSIDE, "\u202e") == []
    assert max(letters.each(page, WIDER).values()) <= 0


def test_name_beside_a_line_does_not_overflow_the_drawing(
    page: "Page", sessions: Sessions, letters: Letters
) -> None:
    page.goto(sessions.path("results"))
    for beyond in letters.each(page, BESIDE).values():
        assert len(beyond) >= len(NAMES)
        assert max(beyond) <= 0


def test_hostile_names_are_displayed(page: "Page", sessions: Sessions) -> None:
    page.goto(sessions.path("table-tricks"))
    text = page.locator("#table").inner_text()
    assert all(name in text for name in NAMES.values())
