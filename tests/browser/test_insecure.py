"""Phones that open the table over plain http in the local network.

Such a page is no secure context: it has no service worker, no clipboard, no wake lock.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest

from tests.browser.phones import HEIGHT, NAMES, WIDTH, Evening, Phone
from tests.browser.places import REPORTED, watched
from tests.browser.thumb import Thumb
from tests.conftest import ELSEWHERE
from tests.operation.serving import Server, until
from tests.players.common import Event

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

# Features that a browser removes from such a page.
HAS: Final = """() => [
  window.isSecureContext, "serviceWorker" in navigator, "wakeLock" in navigator,
  "share" in navigator, "clipboard" in navigator, "randomUUID" in crypto, "subtle" in crypto,
].some(Boolean)"""

Sit = Callable[[], "Page"]


@pytest.fixture
def visit(browser: "Browser", server: Server) -> Iterator[Sit]:
    """Return a function that opens another phone; any error in its page fails the test."""
    with ExitStack() as stack:

        def visitor() -> "Page":
            context = stack.enter_context(
                browser.new_context(
                    base_url=f"http://{ELSEWHERE}:{server.port}",
                    viewport={"width": WIDTH, "height": HEIGHT},
                )
            )
            page = stack.enter_context(watched(context.new_page()))
            stack.callback(lambda: page.evaluate(REPORTED) == [] or pytest.fail("policy"))
            return page

        yield visitor


def begin(page: "Page") -> None:
    """Open a table with the form, up to the page with its links."""
    page.goto("/new?pick=riparto")
    for place, name in enumerate(list(NAMES.values())[:4]):
        page.fill(f"#name-{place}", name)
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/share")


def link_to(page: "Page", name: str) -> str:
    """Return the link for a player on the page of a new table."""
    return page.locator(f'details:has(summary:has-text("{name}")) a').get_attribute("href") or ""


def phone_of(page: "Page", server: Server, link: str) -> Thumb:
    """Return a thumb at the table of a page, which reads the record with the key in the link."""
    page.wait_for_selector("#table")
    session_id = urlsplit(page.url).path.split("/")[2]
    key = urlsplit(link).path.rpartition("/")[2]
    return Thumb(Phone(Evening(server, session_id, {"host": key}), page.context, page))


HAND: Final[list[Event]] = [
    {"type": "bid_made", "data": {"player": "leo", "points": 5}},
    {"type": "points_counted", "data": {"points": {"mara": 4, "leo": 5, "zoe": 6, "ben": 0}}},
]


def measure_delay(thumb: Thumb, other: Thumb, act: Callable[[], None]) -> float:
    """Return the seconds from a tap on one phone until the other shows the entry."""
    version = thumb.phone.version()
    began = time.monotonic()
    act()
    other.phone.wait_for(version + 1)
    took = time.monotonic() - began
    thumb.phone.wait_for(version + 1)
    return took


def takes(thumb: Thumb, name: str) -> Callable[[], None]:
    """Return a function that taps the winner of the trick."""
    return thumb.page.locator("form.trick_taken button", has_text=name).click


def test_session_over_plain_http_in_the_local_network(visit: Sit, server: Server) -> None:
    hers, his = visit(), visit()
    begin(hers)
    assert not hers.evaluate(HAS)
    assert hers.locator("[role=alert]").count() == 0  # other phones can reach this address
    reads = link_to(hers, "Look on")
    his.goto(link_to(hers, "Leo"))
    his.get_by_role("button", name="Sit down as Leo").click()
    hers.get_by_role("button", name="To the table").click()
    mara, leo = phone_of(hers, server, reads), phone_of(his, server, reads)
    for page in (hers, his):
        kept = page.context.cookies()
        assert {(cookie["secure"], cookie["sameSite"], cookie["httpOnly"]) for cookie in kept} == {
            (False, "Lax", True)
        }

    mara.open("totals")
    mara.record("hand_started", {"dealer": "mara"})
    mara.save(HAND)
    mara.open("tricks")
    leo.open("tricks")
    mara.page.locator(".next-hand summary").click()
    mara.record("bid_made", {"player": "zoe", "points": 6})
    mara.record("hierarchy_declared", {"player": "zoe", "suits": ["S", "H", "D", "C"]})
    took = [
        measure_delay(mara, leo, takes(mara, "Zoe")),
        measure_delay(leo, mara, takes(leo, "Ben")),
    ]
    took += [measure_delay(leo, mara, leo.page.locator(".undo button").click)]
    assert sorted(took)[1] <= 1
    evening = mara.phone.evening
    assert [event["data"]["player"] for event in evening.events("trick_taken")] == ["zoe", "ben"]
    assert len(evening.events("event_struck")) == 1
    assert evening.get()["matches"][0]["hands"][0]["scores"]["leo"] == 5

    version = evening.version()
    leo.phone.go_away()
    takes(leo, "Mara")()
    leo.page.locator("#strip [data-line=waiting]").wait_for()
    assert evening.version() == version
    with pytest.raises(Exception, match="ERR_INTERNET_DISCONNECTED"):
        leo.page.reload()  # without a service worker the entries are stored, but not the page
    leo.phone.context.set_offline(False)
    leo.phone.open()
    leo.phone.wait_for(version + 1)
    mara.phone.wait_for(version + 1)
    until(lambda: leo.phone.waiting() == 0)
    assert evening.events("trick_taken")[-1]["data"]["player"] == "mara"


def test_link_is_copied_without_the_clipboard_api(visit: Sit) -> None:
    page = visit()
    begin(page)
    page.locator("details.house summary").first.click()
    button = page.locator("[data-copy]").first
    link = button.get_attribute("data-copy")
    button.click()
    assert button.inner_text() == "Copied"
    page.goto("/score")
    page.locator("#text").press("Control+v")
    assert page.locator("#text").input_value().strip() == link
