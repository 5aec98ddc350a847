"""Setting up a club with only a keyboard."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import WORKERS
from tests.browser.places import watched
from tests.browser.test_clubs import PHONE
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

FARTHEST: Final = 60  # presses of Tab


def test_club_is_set_up_with_the_keyboard_only(browser: "Browser", server: Server) -> None:
    with (
        browser.new_context(
            base_url=server.origin, viewport=PHONE, service_workers=WORKERS
        ) as context,
        watched(context.new_page()) as page,
    ):
        page.goto("/club/new")
        typed(page, {"name": "Circolo", "me": "Mara", "others": "Leo"})
        reached(page, page.locator("#money-no"))
        page.keyboard.press("Space")
        pressed(page, "button", "Open the club", "**/club/o*")
        pressed(page, "link", "Open a season", "**/season")
        typed(page, {"name": "Autumn"})
        reached(page, page.locator("[name=by]:checked"))
        page.keyboard.press("ArrowDown")
        assert page.locator("#by-rating").is_checked()
        pressed(page, "button", "Open the season", "**/settings?*")
        pressed(page, "link", "To the season", "**/club/o*")
        assert page.inner_text("h1") == "Autumn"


def typed(page: "Page", texts: dict[str, str]) -> None:
    """Type texts into fields."""
    for field, text in texts.items():
        reached(page, page.locator(f"#{field}"))
        page.keyboard.type(text)


def pressed(page: "Page", role: Any, name: str, leads: str) -> None:
    """Follow a link or press a button by Enter."""
    reached(page, page.get_by_role(role, name=name))
    page.keyboard.press("Enter")
    page.wait_for_url(leads)


def reached(page: "Page", target: "Locator") -> None:
    """Press Tab until an element has the focus."""
    handle = target.element_handle()
    for _ in range(FARTHEST):
        page.keyboard.press("Tab")
        if page.evaluate("(one) => document.activeElement === one", handle):
            return
    raise AssertionError(f"no way to {target}")
