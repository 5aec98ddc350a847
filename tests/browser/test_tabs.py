"""Tabs stay on one line, the present one is in view, and more are shown to follow."""

from typing import TYPE_CHECKING, Final

import pytest

from tests.thinned import thinned

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LINE: Final = 60.0  # pixels; two lines would take 88
STATE: Final = """() => {
  const bar = document.querySelector('.session-nav');
  const box = bar.getBoundingClientRect();
  const now = bar.querySelector('[aria-current]').getBoundingClientRect();
  return {
    height: box.height,
    inView: now.left >= box.left - 1 && now.right <= box.right + 1,
    page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    more: bar.scrollWidth - bar.clientWidth,
    shade: getComputedStyle(bar).backgroundAttachment,
  };
}"""


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("language", thinned(["en", "it", "fr"], 2))
def test_tabs_of_a_club_do_not_wrap(
    browser: "Browser", live_server: str, width: int, language: str
) -> None:
    with browser.new_context(
        base_url=live_server, viewport={"width": width, "height": 740}, locale=language
    ) as context:
        page = context.new_page()
        page.goto("/club/new")
        page.locator("input[name=name]").fill("Circolo")
        page.locator("input[name=me]").fill("Mara")
        page.locator("textarea[name=others]").fill("Leo\nNina")
        page.locator("#money-no").check(force=True)
        page.locator("main form button").last.click()
        page.locator(".club-nav").wait_for()
        for path in ("", "/evenings", "/export", "/settings"):
            page.goto(f"{page.url.split('?')[0].split('/club/')[0]}/club/{club_of(page.url)}{path}")
            state = page.evaluate(STATE)
            assert state["height"] < LINE, (path, state)
            assert state["inView"], (path, state)
            assert state["page"] <= 0, (path, state)
            assert "local" in state["shade"]
            assert "scroll" in state["shade"]


def test_the_present_tab_of_a_session_is_in_view(browser: "Browser", live_server: str) -> None:
    with browser.new_context(
        base_url=live_server, viewport={"width": 320, "height": 740}, locale="fr"
    ) as context:
        page = context.new_page()
        page.goto("/new?pick=picchetto")
        for place, name in enumerate(("Mara", "Leo")):
            page.fill(f"#name-{place}", name)
        page.locator("main form button").last.click()
        page.wait_for_url("**/share")
        for path in ("results", "settings"):
            page.goto(page.url.rpartition("/")[0] + f"/{path}")
            state = page.evaluate(STATE)
            assert state["height"] < LINE, (path, state)
            assert state["inView"], (path, state)


def club_of(address: str) -> str:
    """Return the id of the club in the address of one of its pages."""
    return address.partition("/club/")[2].partition("/")[0].partition("?")[0]
