"""A hand of each game on a phone, tap by tap, within its maximum of taps."""

import json
import math
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.joining import join
from tests.browser.letters import Letters
from tests.browser.thumb import MIDDLE, NEAR_PIXELS, SOON_SECONDS
from tests.evenings import Raw, event
from tests.samples import SAMPLES
from tests.web.test_entry_walk import PLAYERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

OPEN: Final = "open"  # a tap that opens a step, where it stands among the others


class Phone:
    """A phone at the table, with the host's key."""

    def __init__(self, browser: "Browser", address: str, game: str, level: str) -> None:
        self.address = address
        self.version = 1
        players = PLAYERS[game].split()
        there = [{"id": player, "name": player.capitalize()} for player in players]
        opened = self.ask("/api/sessions", {"title": "Friday", "players": there})
        self.id, self.key = opened["id"], opened["keys"]["host"]
        self.wrong: list[str] = []
        self.last = (0.0, 0.0)  # where it was tapped last
        match = event("match_started", game=game, seats=players)
        dealt = event("hand_started", dealer=players[-1])
        self.record(match)
        self.record(dealt)
        self.context = browser.new_context(
            base_url=address, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
        )
        join(self.context, address, self.key)
        self.context.add_cookies([
            {"name": f"level-{self.id[:32]}", "value": level, "url": f"{address}/t/{self.id}"},
        ])  # fmt: skip
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(f"/t/{self.id}")

    def ask(self, path: str, body: Raw | None = None) -> Any:
        """Return the response of the API."""
        headers = {"Content-Type": "application/json", "If-Match": f'"{self.version}"'}
        if body is None or "events" in body:
            headers["Authorization"] = f"Bearer {self.key}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310
            return json.load(answer)

    def record(self, raw: Raw) -> None:
        """Record an event, also an irregular one."""
        body = {"events": [raw], "as_played": True}
        self.version = self.ask(f"/api/sessions/{self.id}/events", body)["version"]

    def tap(self, step: str, text: str, group: str = "", nth: str = "0") -> None:
        """Tap an element of a step, and wait for the result."""
        place: Locator = self.page.locator(f'form[data-step="{step}"]').first
        if group == OPEN:
            shut = place.locator("xpath=ancestor::details[1]/summary")
            shut.get_by_text(text).tap(timeout=5000)
            return
        if group:
            place = place.locator(f'[data-group="{group}"]')
        buttons = place.locator("button:visible, label.pick:visible")
        target = buttons.get_by_text(text, exact=True).nth(int(nth))
        middle, _ = target.evaluate(MIDDLE, timeout=5000)
        if math.dist(middle, self.last) <= NEAR_PIXELS:
            self.page.wait_for_timeout(SOON_SECONDS * 1000)
        self.last = middle
        target.tap(timeout=5000)
        self.page.wait_for_timeout(30)
        self.page.locator("#table:not([aria-busy])").wait_for(timeout=5000)


@pytest.fixture
def phone(request: pytest.FixtureRequest, browser: "Browser", live_server: str) -> Iterator[Phone]:
    game, level = request.param
    phone_ = Phone(browser, live_server, game, level)
    yield phone_
    phone_.context.close()
    assert phone_.wrong == []


# Not played by taps elsewhere in the suite.
SUITE: Final = (("picchetto", "tricks"),)


HANDS: Final = {
    (game, level): taps for game, sample in SAMPLES.items() for level, taps in sample.taps.items()
}


@pytest.mark.parametrize(
    ("phone", "hand"),
    [
        pytest.param(
            hand, hand, id="-".join(hand), marks=[] if hand in SUITE else [pytest.mark.soak]
        )
        for hand in HANDS
    ],
    indirect=["phone"],
)
def test_a_hand_takes_no_more_taps_than_it_may(phone: Phone, hand: tuple[str, str]) -> None:
    for tap in HANDS[hand]:
        phone.tap(*tap)
    phone.page.locator(".handover").wait_for(timeout=5000)
    hands = phone.ask(f"/api/sessions/{phone.id}")["matches"][0]["hands"]
    assert [hand["status"] for hand in hands] == ["complete"]
    game, level = hand
    assert len(HANDS[hand]) <= SAMPLES[game].most_taps[level]


def small(browser: "Browser", address: str, game: str, *events: Raw) -> Phone:
    """Return a phone at the level of cards, in a hand with these events."""
    phone_ = Phone(browser, address, game, "cards")
    for raw in events:
        phone_.record(raw)
    phone_.page.goto(f"/t/{phone_.id}")
    return phone_


# How far down the page goes, and how many rows of cards are to be seen above the bar.
VISIBLE_CARDS: Final = """() => {
  const page = document.scrollingElement, bar = document.querySelector(".bar");
  const end = bar.getBoundingClientRect().top;
  const cards = [...document.querySelectorAll(".pad .by-suit .tap")]
    .map((one) => one.getBoundingClientRect());
  const seen = cards.filter((one) => one.bottom <= end + 1);
  const rows = new Set(seen.map((one) => Math.round(one.top)));
  const small = cards.filter((one) => one.height < 48 || one.width < 48);
  return { beyond: page.scrollHeight - page.clientHeight, rows: rows.size, small: small.length };
}"""
PLAYED: Final = (
    event("bid_made", player="mara", points=5),
    event("hierarchy_declared", player="mara", suits=list("HSCD")),
    event("card_played", player="mara", card="AS"),
    event("card_played", player="leo", card="KS"),
    event("card_played", player="nina", card="JS"),
)


def test_cards_are_in_reach_without_scrolling_the_page(
    browser: "Browser", live_server: str, letters: Letters
) -> None:
    phone = small(browser, live_server, "riparto", *PLAYED)
    visible = letters.each(phone.page, VISIBLE_CARDS)
    phone.context.close()
    for family, seen in visible.items():
        assert seen["beyond"] == 0, family
        assert seen["rows"] >= 5, family
        assert seen["small"] == 0, family


def test_the_pad_stays_where_it_was_scrolled_to(browser: "Browser", live_server: str) -> None:
    phone = small(browser, live_server, "riparto", *PLAYED)
    phone.page.set_viewport_size({"width": 360, "height": 580})
    last = phone.page.locator(".pad .by-suit .tap").last
    last.scroll_into_view_if_needed()
    before = phone.page.evaluate("() => document.querySelector('.pad').scrollTop")
    last.tap()
    phone.page.locator("#table[data-version='9']").wait_for(timeout=5000)
    after = phone.page.evaluate("() => document.querySelector('.pad').scrollTop")
    phone.context.close()
    assert before > 0
    assert abs(before - after) < 60


def test_refused_stream_is_not_requested_repeatedly(browser: "Browser", live_server: str) -> None:
    phone = Phone(browser, live_server, "riparto", "tricks")
    asked: list[str] = []
    phone.page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    phone.page.route("**/stream", lambda route: route.fulfill(status=503))
    phone.page.wait_for_timeout(1500)  # until it has what it asks for at first
    phone.page.clock.install()
    asked.clear()
    phone.page.reload()
    for _ in range(30):
        phone.page.clock.run_for(10_000)
        phone.page.wait_for_timeout(20)
    phone.context.close()
    # In five minutes; again where an answer was so late that the server might have been away.
    assert asked.count("stream") <= 4
    assert sum(path.startswith("events") for path in asked) > 5
