"""A hand of each game on a phone, tap by tap, within the taps that it may take."""

import json
import urllib.request
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pytest

from scorekeeper.api.access import cookie_name
from tests.api.asking import created
from tests.evenings import Raw, event
from tests.web.test_entry_walk import PLAYERS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

# Of each game and level: the most taps, and what is tapped: a step, and what stands there, with
# its group where one step says the same twice.
Taps = list[tuple[str, ...]]
SAVE: Final = ("totals", "Save the hand")


def tricks(winners: str) -> Taps:
    return [("trick_taken", winner) for winner in winners.split()]


HANDS: Final[dict[tuple[str, str], tuple[int, Taps]]] = {
    ("riparto", "totals"): (6, [
        ("totals", "Leo"), ("totals", "5", "points"), ("totals", "4", "points.mara"),
        ("totals", "5", "points.leo"), ("totals", "3", "points.nina"), SAVE,
    ]),
    ("riparto", "tricks"): (15, [
        ("bid_made", "Leo"), ("bid_made", "5"), ("hierarchy_declared", "spades", "suits0"),
        ("hierarchy_declared", "hearts", "suits1"), ("hierarchy_declared", "clubs", "suits2"),
        *tricks("Leo Leo Mara Mara Nina Leo Leo Mara Leo"),
    ]),
    ("briscola_regina", "totals"): (5, [
        ("totals", "Leo"), ("totals", "cups"), ("totals", "6"), ("totals", "5"), SAVE,
    ]),
    ("briscola_regina", "tricks"): (15, [
        ("bris_called", "Leo"), ("bris_called", "cups"),
        *tricks("Leo Leo Mara Mara Nina Leo Leo Mara Leo Ugo"),
        ("points_counted", "6"), ("points_counted", "5"), ("points_counted", "Save"),
    ]),
    ("picchetto", "totals"): (6, [
        *(("totals", key) for key in ("2", "8", "→", "1", "4")), SAVE,
    ]),
    ("knock", "totals"): (3, [("totals", "6"), ("totals", "2"), SAVE]),
    ("knock", "tricks"): (18, [
        *tricks("Mara Leo Nina Mara Leo Nina Mara Leo Nina Mara Leo Nina Mara"),
        ("fool_paid", "Mara & Nina"), ("fool_paid", "7", "card"),
        ("points_counted", "6"), ("points_counted", "2"), ("points_counted", "Save"),
    ]),
    ("briscola_chiamata", "totals"): (5, [
        ("totals", "Leo"), ("totals", "3", "bid"), ("totals", "Nina", "", "1"), ("totals", "Made"),
        SAVE,
    ]),
    ("briscola_chiamata", "tricks"): (15, [
        ("bid_made", "Leo"), ("bid_made", "3", "bid"), ("card_called", "3", "card"),
        *tricks("Leo Leo Mara Mara Nina Leo Leo Mara"), ("partner_revealed", "Nina"),
        ("points_counted", "6"), ("points_counted", "5"), ("points_counted", "Save"),
    ]),
    ("briscola_col_monte", "totals"): (6, [
        ("totals", "Leo"), ("totals", "6", "bid"), ("totals", "5", "bid"),
        ("totals", "Nina", "", "1"), ("totals", "Made"), SAVE,
    ]),
    ("briscola_col_monte", "tricks"): (15, [
        ("bid_made", "Leo"), ("bid_made", "6"), ("bid_made", "5"), ("card_called", "A", "card"),
        *tricks("Leo Leo Mara Mara Nina Leo Leo"), ("partner_revealed", "Nina"),
        ("points_counted", "7"), ("points_counted", "5"), ("points_counted", "Save"),
    ]),
}  # fmt: skip


class Phone:
    """A phone at the table, with the host's key."""

    def __init__(self, browser: "Browser", address: str, game: str, level: str) -> None:
        self.address = address
        players = PLAYERS[game].split()
        there = [{"id": one, "name": one.capitalize()} for one in players]
        opened = self.ask("/api/sessions", {"title": "Friday", "players": there})
        self.id, self.key = opened["id"], opened["keys"]["host"]
        self.wrong: list[str] = []
        match = event("match_started", game=game, seats=players)
        dealt = event("hand_started", dealer=players[-1])
        self.ask(f"/api/sessions/{self.id}/events", {"events": [match, dealt]})
        self.context = browser.new_context(
            base_url=address, viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True
        )
        with created().app_context():
            name = cookie_name(self.id)
        self.context.add_cookies([
            {"name": name, "value": self.key, "url": address},
            {"name": f"level-{self.id[:32]}", "value": level, "url": f"{address}/t/{self.id}"},
        ])  # fmt: skip
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.goto(f"/t/{self.id}")

    def ask(self, path: str, body: Raw | None = None) -> Any:
        """What the API says."""
        headers = {"Content-Type": "application/json", "If-Match": '"1"'}
        if body is None or "events" in body:
            headers["Authorization"] = f"Bearer {self.key}"
        data = None if body is None else json.dumps(body).encode()
        asked = urllib.request.Request(self.address + path, data, headers)  # noqa: S310
        with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310
            return json.load(answer)

    def tap(self, step: str, text: str, group: str = "", nth: str = "0") -> None:
        """Tap once on what stands in a step, and wait until that is done."""
        place: Locator = self.page.locator(f'form[data-step="{step}"]').first
        if group:
            place = place.locator(f'[data-group="{group}"]')
        buttons = place.locator("button:visible, label.pick:visible")
        buttons.get_by_text(text, exact=True).nth(int(nth)).tap(timeout=5000)
        self.page.wait_for_timeout(30)
        self.page.locator("#table:not([aria-busy])").wait_for(timeout=5000)


@pytest.fixture
def phone(request: pytest.FixtureRequest, browser: "Browser", live_server: str) -> Iterator[Phone]:
    game, level = request.param
    found = Phone(browser, live_server, game, level)
    yield found
    found.context.close()
    assert found.wrong == []


@pytest.mark.parametrize(
    ("phone", "most", "taps"),
    [pytest.param(key, *hand, id="-".join(key)) for key, hand in HANDS.items()],
    indirect=["phone"],
)
def test_a_hand_takes_no_more_taps_than_it_may(phone: Phone, most: int, taps: Taps) -> None:
    for tap in taps:
        phone.tap(*tap)
    hands = phone.ask(f"/api/sessions/{phone.id}")["matches"][0]["hands"]
    assert [hand["status"] for hand in hands] == ["complete"]
    assert len(taps) <= most
