"""The pages of a tournament in a browser: the director's three taps, and no page that hinders.

Tests of ``swap.js``, and of the pages of ``web.tournament`` and ``web.published.hall``.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.joining import join
from tests.browser.phones import HEIGHT, WIDTH
from tests.browser.places import OPEN_ALL, REPORTED, SMALL, watched
from tests.browser.test_axe_pages import AXE, RUN_AXE
from tests.browser.test_hall import HallOnServer
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

DIRECTORS = ("direct", "draw", "entrants", "entrants/e2", "more", "settings", "hall", "print",
             "direct/1/1", "direct/1/2")  # fmt: skip
EVERYBODYS = ("standings", "standings/rounds", "standings/rounds?round=1", "standings/more")
WIDE = "() => document.documentElement.scrollWidth > innerWidth"


@pytest.fixture
def hall(server: Server) -> HallOnServer:
    """Return a tournament of 11 at two tables, before its first round."""
    names = ("Ada", "Marco Aurelio di San Pietro in Casale", *(f"Bea {n}" for n in range(9)))
    return HallOnServer(server, names)


@pytest.fixture
def director(browser: "Browser", hall: HallOnServer) -> Iterator["Page"]:
    """Return the director's phone."""
    with open_phone(browser, hall) as context:
        join(context, hall.server.origin, hall.key)
        with watched(context.new_page()) as page:
            yield page


def open_phone(browser: "Browser", hall: HallOnServer) -> "BrowserContext":
    """Open the browser of a phone."""
    return browser.new_context(
        base_url=hall.server.origin, viewport={"width": WIDTH, "height": HEIGHT},
        service_workers="block",
    )  # fmt: skip


def find_faults(page: "Page") -> dict[str, object]:
    """Return what hinders on the shown page: with its parts open, at the width of a phone."""
    page.evaluate(OPEN_ALL)
    page.evaluate(AXE.read_text("utf-8"))
    faults = {"axe": page.evaluate(RUN_AXE), "policy": page.evaluate(REPORTED),
              "small": page.evaluate(SMALL), "wide": page.evaluate(WIDE)}  # fmt: skip
    return {name: fault for name, fault in faults.items() if fault}


def test_the_next_round_takes_three_taps_and_two_names_swap_at_once(
    hall: HallOnServer, director: "Page"
) -> None:
    director.goto(f"{hall.page}/direct")
    director.get_by_role("button", name="Draw round 1").click()
    names = director.locator(".drawn label")
    before = names.all_inner_texts()
    names.first.click()
    names.last.click()
    director.locator(".drawn label").first.get_by_text(before[-1].strip(), exact=True).wait_for()
    assert names.all_inner_texts() == [before[-1], *before[1:-1], before[0]]
    assert find_faults(director) == {}
    director.get_by_role("button", name="Publish round 1").click()
    director.locator(".rows > li").nth(1).wait_for()
    assert find_faults(director) == {}


def test_no_page_has_faults_for_directors_entrants_and_the_hall(
    browser: "Browser", hall: HallOnServer, director: "Page"
) -> None:
    tables = hall.draw(2)
    hall.do("round_started", round=1, minutes=30)
    hall.record(2, tables[1], 20)
    hall.do("director_called", round=1, table=1, caller=tables[0][0], about="A card fell")
    (first, _) = hall.find_sessions()
    hall.do("round_closed", stage=1, round=1)
    hall.do("round_drawn", **hall.send(f"{hall.path}/draw", {"seed": 1})["draw"])
    address = hall.make_address(director.context)
    key = hall.send(f"{hall.path}/keys", {"role": "entrant", "player": tables[0][0]})["key"]
    pages = [f"{hall.page}/{path}" for path in DIRECTORS]
    faults = {path: look(director, path, dark=n % 2) for n, path in enumerate(pages)}
    with open_phone(browser, hall) as context:
        join(context, hall.server.origin, key)
        page = context.new_page()
        pages = [hall.page, *(f"{hall.page}/{path}" for path in EVERYBODYS), f"/t/{first}", address]
        faults |= {path: look(page, path, dark=n % 2) for n, path in enumerate(pages)}
    assert [(path, found) for path, found in faults.items() if found] == []


def look(page: "Page", path: str, *, dark: int) -> dict[str, object]:
    """Return what hinders on a page in the light or the dark."""
    page.emulate_media(color_scheme="dark" if dark else "light")
    page.goto(path)
    return find_faults(page)
