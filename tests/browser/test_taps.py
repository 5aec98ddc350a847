"""Limits on the taps of frequent actions, and on the time until an answer."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import pytest

from tests.browser.hands import GAMES
from tests.browser.phones import HEIGHT, Evening, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server, until
from tests.players.common import Event

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

ANSWERED: Final = 300  # milliseconds
SLACK: Final = 5  # factor for other tests on the machine; the benchmarks measure the limit itself


def event(kind: str, **data: object) -> Event:
    return {"type": kind, "data": data}


# The most taps and scrolls of hands with only an outcome, and of hands with more detail.
HANDS: Final = {
    "riparto made": ("riparto", "totals", 4, 0, [
        event("bid_made", player="leo", points=5), event("outcome_recorded", made=True)]),
    "chiamata made": ("briscola_chiamata", "totals", 5, 0, [
        event("bid_made", player="leo", bid="K"), event("partner_revealed", player="ben"),
        event("outcome_recorded", made=True)]),
    "chiamata alone": ("briscola_chiamata", "totals", 5, 0, [
        event("bid_made", player="leo", bid="K"), event("partner_revealed", player="leo"),
        event("outcome_recorded", made=False)]),
    "col monte lost": ("briscola_col_monte", "totals", 6, 0, [
        event("bid_made", player="zoe", bid=63), event("partner_revealed", player="ben"),
        event("outcome_recorded", made=False)]),
    "picchetto in full": ("picchetto", "tricks", 19, 0, [
        event("shown", player="mara", category="point", count=5),
        event("shown", player="mara", category="sequence", length=4, high="K"),
        event("shown", player="mara", category="set", count=3, rank="J"),
        *(event("trick_taken", player=player) for player in ["mara", "leo", "leo"] * 4)]),
}  # fmt: skip


@pytest.fixture
def host(request: pytest.FixtureRequest, server: Server, browser: "Browser") -> Iterator[Thumb]:
    """Return the host's phone at a table with a hand that is dealt."""
    evening = Evening.begin(server, request.param, len(GAMES[request.param].split()))
    evening.record(("hand_started", {"dealer": "mara"}))
    with phone(browser, evening, "host") as host:
        yield Thumb(host)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("host", "level", "most", "scrolls", "events"), HANDS.values(), ids=HANDS, indirect=["host"]
)
def test_hand_takes_few_taps_and_scrolls(
    host: Thumb, level: str, most: int, scrolls: int, events: list[Event]
) -> None:
    host.open(level)
    if level == "totals":
        host.save(events)
    else:
        for raw in events:
            host.record(raw["type"], raw["data"])
    (hand,) = host.phone.evening.get()["matches"][-1]["hands"]
    assert hand["status"] == "complete"
    assert host.taps <= most, host.texts
    assert host.scrolls <= scrolls, host.texts


RIPARTO: Final = (
    ("bid_made", {"player": "leo", "points": 5}),
    ("points_counted", {"points": {"mara": 4, "leo": 5, "zoe": 6}}),
)


@pytest.mark.parametrize("host", ["riparto"], indirect=True)
def test_undo_is_one_tap_and_quickly_shown(host: Thumb) -> None:
    host.open("tricks")
    host.record("bid_made", {"player": "leo", "points": 5})
    version = host.phone.version()
    took = host.page.evaluate(
        """(version) => new Promise((done) => {
          const began = performance.now();
          document.addEventListener("table:shown", () => {
            const table = document.getElementById("table");
            if (Number(table.dataset.version) > version) done(performance.now() - began);
          });
          document.querySelector(".undo button").click();
        })""",
        version,
    )
    (struck,) = host.phone.evening.events("event_struck")
    assert struck["data"]["seq"] == version
    assert took <= ANSWERED * SLACK
    assert host.page.locator(".undo button").is_visible()


@pytest.mark.parametrize("host", ["riparto"], indirect=True)
def test_other_side_accepts_by_one_tap(host: Thumb, browser: "Browser") -> None:
    host.phone.evening.record(*RIPARTO)
    with phone(browser, host.phone.evening, "leo") as other:
        leo = Thumb(other)
        leo.open("totals")
        leo.tap(leo.page.get_by_role("button", name="Accept"), "accept")
        until(lambda: host.phone.evening.events("hand_confirmed"), 10)
    assert leo.taps == 1


@pytest.mark.parametrize("host", ["riparto"], indirect=True)
def test_dispute_takes_few_taps_to_the_signed_correction(host: Thumb, browser: "Browser") -> None:
    """Opened by two taps on one phone, proposed there, and signed by one tap on each other phone.

    Phones with the open desk show each step without a tap.
    """
    evening = host.phone.evening
    evening.record(*RIPARTO)
    with phone(browser, evening, "leo") as other:
        leo = Thumb(other)
        leo.open("totals")
        leo.tap(leo.page.locator(".bar").get_by_role("link", name="Dispute"), "flag")
        leo.tap(leo.page.get_by_role("button", name="Wrong score"), "reason")
        leo.page.locator("main").get_by_text("is disputed", exact=False).first.wait_for()
        assert leo.taps == 2
        assert evening.events("hand_disputed")
        host.open("totals")
        assert "disputed" in host.page.locator("#table").inner_text()
        host.page.goto(leo.page.url)
        propose(leo, evening)
        appears(host, "Leo has not signed yet")
        signed = sign(leo)
        appears(host, "✓ Leo")
        while host.page.get_by_role("button", name="Sign").count() and not settled(evening):
            signed += sign(host)
        appears(leo, "Settled: the hand was corrected.")
    (settled_by,) = evening.events("dispute_settled")
    assert settled_by["data"]["ruling"] == "corrected"
    (hand,) = evening.get()["matches"][-1]["hands"]
    assert hand["scores"]["leo"] != 5
    assert signed <= len(GAMES["riparto"].split())


def propose(leo: Thumb, evening: Evening) -> None:
    """Propose to replace the recorded bid."""
    bid = evening.events("bid_made")[0]["seq"]
    leo.page.locator(f"#e{bid}").get_by_role("link", name="Change Leo bid 5").click()
    leo.page.get_by_label("Points", exact=True).fill("9")
    leo.page.get_by_role("button", name="See what changes", exact=True).click()
    leo.page.get_by_role("button", name="Propose it").click()


def appears(thumb: Thumb, words: str) -> None:
    """Check that words about another phone's action appear without a tap, within a second."""
    text = "document.querySelector('.desk').innerText.replace(/\\s+/g, ' ')"
    shown = f"(words) => {text}.includes(words)"
    thumb.page.wait_for_function(shown, arg=words, timeout=1_000 * SLACK)


def sign(thumb: Thumb) -> int:
    """Sign by one tap and no scroll, after the interval of a double tap."""
    thumb.page.wait_for_timeout(400)
    button = thumb.page.get_by_role("button", name="Sign").first
    box = button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= HEIGHT
    button.click()
    return 1


def settled(evening: Evening) -> bool:
    return bool(evening.events("dispute_settled"))
