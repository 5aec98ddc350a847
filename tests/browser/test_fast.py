"""Fast taps: each is recorded once and in order, also on a slow phone and network."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import GAMES
from tests.browser.phones import Evening, Phone, phone
from tests.conftest import SOAK
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

BEAT: Final = 0.06  # seconds between two taps,
PRESS: Final = 0.03  #   and for which the thumb touches the screen
SLOWER: Final = 4  # the ratio of this machine's speed to that of a phone
ROUND_TRIP: Final = 150  # milliseconds
TRICKS: Final = {"knock": 13 if SOAK else 7, "riparto": 9}
# Two tricks of one suit, and a card of the next; the ace wins the first, the king the other.
# The suite taps a trick and the lead of the next.
SPADES: Final = [
    ("7", "leo"), ("9", "zoe"), ("8", "ben"), ("A", "mara"),
    ("10", "mara"), ("K", "leo"), ("J", "zoe"), ("6", "ben"), ("Q", "leo"),
][: None if SOAK else 6]  # fmt: skip
# The places of the tapped elements in each frame, as if none were pressed down.
PLACES: Final = """() => {
  window.places = new Set();
  const place = (one) => [one.offsetLeft, one.offsetTop, one.offsetParent.getBoundingClientRect()];
  const look = () => {
    const all = [...document.querySelectorAll("form.trick_taken button, .suit-column button")];
    if (all.length) places.add(JSON.stringify(all.map(place)));
    requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def slow(device: Phone, milliseconds: int) -> Iterator[Any]:
    """Slow down the processor and the network of a phone."""
    session = device.context.new_cdp_session(device.page)
    session.send("Network.enable")
    conditions = {"offline": False, "latency": milliseconds, "downloadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {**conditions, "uploadThroughput": -1})
    yield session
    session.detach()


def tap(session: Any, places: list[tuple[float, float]]) -> None:
    """Tap at places in a constant rhythm, with a slow processor from now on."""
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    began = time.monotonic()
    for place, (x, y) in enumerate(places):
        time.sleep(max(0, began + place * BEAT - time.monotonic()))
        at = {"touchPoints": [{"x": x, "y": y}]}
        session.send("Input.dispatchTouchEvent", {"type": "touchStart", **at})
        time.sleep(PRESS)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize(
    ("game", "milliseconds"),
    [
        ("knock", ROUND_TRIP),
        pytest.param("knock", 0, marks=pytest.mark.soak),
        *(pytest.param("riparto", delay, marks=pytest.mark.soak) for delay in (0, ROUND_TRIP)),
    ],
)
def test_each_of_many_fast_taps_is_recorded(
    browser: "Browser", server: Server, game: str, milliseconds: int
) -> None:
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": "mara"}))
    if game == "riparto":
        evening.record(
            ("bid_made", {"player": "leo", "points": 5}),
            ("hierarchy_declared", {"player": "leo", "suits": ["S", "H", "D", "C"]}),
        )
    with phone(browser, evening, "host", new=True) as host, slow(host, milliseconds) as session:
        page = host.open("?level=tricks")
        page.evaluate(PLACES)
        names = dict(zip(GAMES[game].split(), ["Mara", "Leo", "Zoe", "Ben"], strict=True))
        at = {}
        for player, name in names.items():
            box = page.locator("form.trick_taken button", has_text=name).first.bounding_box()
            assert box is not None
            at[player] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        winners = list(islice(cycle(["leo", "zoe", "zoe", "mara", "ben"]), TRICKS[game]))
        tap(session, [at[winner] for winner in winners])
        until(lambda: host.waiting() == 0, 20)
        page.wait_for_timeout(200 if not SOAK else 1000)
        assert [event["data"]["player"] for event in evening.events("trick_taken")] == winners
        host.wait_for(evening.version())
        assert page.evaluate("places.size") == 1


@pytest.mark.parametrize("milliseconds", [ROUND_TRIP, pytest.param(0, marks=pytest.mark.soak)])
def test_each_of_many_fast_cards_is_recorded_for_the_player_in_turn(
    browser: "Browser", server: Server, milliseconds: int
) -> None:
    """The leader need not be chosen, although the previous trick may not be recorded yet."""
    evening = Evening.begin(server, "riparto", len(GAMES["riparto"].split()))
    evening.record(
        ("hand_started", {"dealer": "mara"}),
        ("bid_made", {"player": "leo", "points": 5}),
        ("hierarchy_declared", {"player": "leo", "suits": ["S", "H", "D", "C"]}),
    )
    with phone(browser, evening, "host", new=True) as host, slow(host, milliseconds) as session:
        page = host.open("?level=cards")
        page.evaluate(PLACES)
        at = []
        for card, _ in SPADES:
            box = page.locator(f"form.card_played button[value*='{card}S']").bounding_box()
            assert box is not None
            at.append((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))
        tap(session, at)
        until(lambda: host.waiting() == 0, 20)
        cards = [event["data"] for event in evening.events("card_played")]
        assert cards == [{"player": player, "card": f"{card}S"} for card, player in SPADES]
        host.wait_for(evening.version())
        assert page.evaluate("places.size") == 1
