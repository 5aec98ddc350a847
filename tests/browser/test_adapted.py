"""Pages with large letters, system colours and without animations."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.letters import Letters
from tests.browser.phones import WORKERS
from tests.browser.places import WIDER, Sessions, watched
from tests.thinned import thinned

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

pytestmark = pytest.mark.browser

NARROW: "Final[ViewportSize]" = {"width": 320, "height": 640}
# The main action of each page, and the language in which it is tested.
ACTIONS: Final[Mapping[str, tuple[str, str]]] = {
    "table-disputed": (".next-hand summary", "fr"),
    "table-tricks": (".pad .tap", "en"),
    "hand-disputed": ("main a.button", "it"),
    "results": ("#print", "it"),
    "dispute": ("form .button", "fr"),
}
LARGE: Final = "table-disputed"  # the others in the soak
# After scrolling: whether a tap in the middle of an element hits it.
REACHED: Final = """(one) => {
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect();
  const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  return box.left >= 0 && box.right <= innerWidth && one.contains(met);
}"""
# Words of the bar that overlap.
OVERLAID: Final = """() => {
  const all = [...document.querySelectorAll(".bar > form, .bar > a, .bar > details")].map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one.querySelector("span, summary"));
    return range.getBoundingClientRect();
  });
  return all.some((a, n) => all.slice(n + 1).some((b) => a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom));
}"""
MOVING: Final = """() => [...document.querySelectorAll("*")].filter((one) => {
  const style = getComputedStyle(one);
  const lasts = (times) => times.split(",").some((time) => parseFloat(time) > .01);
  return lasts(style.transitionDuration) || style.scrollBehavior === "smooth"
    || (style.animationName !== "none" && lasts(style.animationDuration));
}).map((one) => one.outerHTML.slice(0, 90))"""
LOOK: Final = """(one) => {
  const { backgroundColor, color } = getComputedStyle(one);
  return [backgroundColor, color].join();
}"""


@pytest.fixture(scope="module")
def page(browser: "Browser", sessions: Sessions) -> Iterator["Page"]:
    with browser.new_context(
        base_url=sessions.origin, viewport=NARROW, service_workers=WORKERS
    ) as context:
        sessions.sit(context)
        with watched(context.new_page()) as page:
            yield page


def look(page: "Page", sessions: Sessions, place: str, language: str, size: str = "") -> None:
    """Open a page in a language, with letters of this size."""
    prefs = f"lang={language}&size={size}"
    page.context.add_cookies([{"name": "prefs", "value": prefs, "url": sessions.origin}])
    page.goto(sessions.path(place))


def check_fits(page: "Page", letters: Letters, action: str, percent: int = 100) -> None:
    """Check in all families that nothing overflows and the main action can be tapped."""
    doing = page.locator(action).locator("visible=true").first
    assert max(letters.each(page, WIDER, percent=percent).values()) <= 0
    assert all(
        letters.inspect_each(page, lambda: doing.evaluate(REACHED), percent=percent).values()
    )
    assert not any(letters.each(page, OVERLAID, percent=percent).values())


@pytest.mark.parametrize(
    "place",
    [pytest.param(page, marks=[] if page == LARGE else [pytest.mark.soak]) for page in ACTIONS],
)
def test_page_with_large_letters_fits_a_narrow_phone(
    page: "Page", sessions: Sessions, letters: Letters, place: str
) -> None:
    action, language = ACTIONS[place]
    look(page, sessions, place, language, "largest")
    check_fits(page, letters, action)
    look(page, sessions, place, language)
    check_fits(page, letters, action, percent=200)


def test_names_fit_in_large_letters_on_a_tablet(
    page: "Page", sessions: Sessions, letters: Letters
) -> None:
    narrow = page.viewport_size
    page.set_viewport_size({"width": 768, "height": 740})
    look(page, sessions, "new-options", "fr")
    assert letters.widest(page, WIDER, percent=200) <= 0
    fields = page.locator(".names input[name=name]").all()
    assert min(field.evaluate("(one) => one.clientWidth") for field in fields) > NARROW["width"] / 2
    page.set_viewport_size(narrow or NARROW)


@pytest.mark.parametrize("place", thinned(ACTIONS, 2))
def test_nothing_moves_with_reduced_motion(page: "Page", sessions: Sessions, place: str) -> None:
    page.emulate_media(reduced_motion="reduce")
    look(page, sessions, place, "en")
    assert page.evaluate(MOVING) == []
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize(
    ("place", "chosen", "other"),
    [
        ("table-cards", ".seats .pick :checked + span", ".seats .pick :not(:checked) + span"),
        ("hand", ".play [aria-current]", ".play th a:not([aria-current])"),
        ("results", ".session-nav [aria-current]", ".session-nav a:not([aria-current])"),
        ("prefs", ".segment :checked + label", ".segment :not(:checked) + label"),
    ],
)
def test_chosen_option_is_distinct_in_forced_colours(
    page: "Page", sessions: Sessions, place: str, chosen: str, other: str
) -> None:
    page.emulate_media(forced_colors="active")
    look(page, sessions, place, "en")
    assert page.locator(chosen).first.evaluate(LOOK) != page.locator(other).first.evaluate(LOOK)
    page.emulate_media(forced_colors="none")


def test_suits_have_the_size_of_the_letters_beside_them(page: "Page", sessions: Sessions) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark")
    look(page, sessions, "table-tricks", "en")
    drawn = page.locator(".trumps svg").first
    colour = "(one) => getComputedStyle(one).color"
    assert drawn.evaluate(colour) == page.locator(".said b").first.evaluate(colour)
    page.emulate_media(forced_colors="none", color_scheme="light")
