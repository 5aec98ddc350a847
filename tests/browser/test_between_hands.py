"""Between two hands on a phone: nothing moves under a thumb, and the next hand is a tap away."""

from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.phones import Evening, Phone, phone
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect

pytestmark = pytest.mark.browser

HAND: Final = (
    ("hand_started", {"dealer": "mara"}),
    ("bid_made", {"player": "leo", "points": 5}),
    ("points_counted", {"points": {"mara": 4, "leo": 5, "zoe": 6}}),
)
SHIFTS: Final = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map((e) => e.value)))
    .observe({ type: "layout-shift" });
}"""
# Enough for an entry of a shift to be made, after the picture that it is about.
SEEN: Final = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))"


def boxes(one: Phone) -> list["FloatRect | None"]:
    """Where lies what a thumb is about to tap."""
    return [one.page.locator(what).bounding_box() for what in (".accepts .button", ".next-hand")]


@pytest.mark.parametrize("who", ["leo", "host"])
def test_signatures_of_others_move_nothing_under_a_thumb(
    server: Server, browser: "Browser", who: str
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, who) as one:
        page = one.open("?level=tricks")
        before = boxes(one) if who == "leo" else [page.locator(".next-hand").bounding_box()]
        page.evaluate(SHIFTS)
        for other in ("mara", "zoe"):
            evening.record(("hand_confirmed", {"player": other}), by=other)
            one.wait_for(evening.version())
        page.evaluate(SEEN)
        assert page.locator(".member .tick:not(:empty)").count() == len(("mara", "zoe"))
        now = boxes(one) if who == "leo" else [page.locator(".next-hand").bounding_box()]
        assert now == before
        assert page.evaluate("() => window.shifts") == []


def test_who_accepts_goes_on_where_his_thumb_is_and_stays_there(
    server: Server, browser: "Browser"
) -> None:
    evening = Evening.begin(server, "riparto", 3)
    evening.record(*HAND)
    with phone(browser, evening, "leo") as leo:
        page = leo.open("?level=tricks")
        next_hand = page.locator(".next-hand summary")
        before = next_hand.bounding_box()
        assert not page.locator(".pad").is_visible()
        page.get_by_role("button", name="Accept").click()
        until(lambda: evening.events("hand_confirmed"), 10)
        page.get_by_text("You have accepted").wait_for()
        assert next_hand.bounding_box() == before
        next_hand.click()
        page.locator(".pad").wait_for()
        assert not page.locator(".accounts").is_visible()
        evening.record(("hand_confirmed", {"player": "mara"}), by="mara")
        leo.wait_for(evening.version())
        assert page.locator(".pad").is_visible()
        evening.record(("hand_started", {"dealer": "leo"}))
        leo.wait_for(evening.version())
        assert page.locator(".next-hand").count() == 0
        evening.record(*HAND[1:])
        leo.wait_for(evening.version())
        assert page.locator(".accounts").is_visible()
        assert not page.locator(".pad").is_visible()


@pytest.mark.parametrize("who", ["leo", "host"])
def test_five_players_see_the_whole_result_beside_what_they_tap(
    server: Server, browser: "Browser", who: str
) -> None:
    evening = Evening.begin(server, "briscola_chiamata", 5)
    evening.record(
        ("hand_started", {"dealer": "mara"}), ("bid_made", {"player": "leo", "bid": "K"}),
        ("partner_revealed", {"player": "ben"}),
        ("points_counted", {"points": {"bidder": 70, "defenders": 50}}),
    )  # fmt: skip
    with phone(browser, evening, who) as one:
        page = one.open("?level=totals")
        hidden = page.locator(".accounts").evaluate("(one) => one.scrollHeight - one.clientHeight")
        assert hidden <= 0
        (end, bar) = (
            page.locator(what).evaluate(f"(one) => one.getBoundingClientRect().{edge}")
            for what, edge in ((".next-hand", "bottom"), (".bar", "top"))
        )
        assert end <= bar
