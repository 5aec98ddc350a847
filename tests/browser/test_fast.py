"""A thumb in a hurry: every tap is an entry, in its order and once, on a slow phone and network."""

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

BEAT: Final = 0.12  # seconds between two taps,
PRESS: Final = 0.03  #   and for which the thumb rests on the glass
SLOWER: Final = 4  # times that a phone is slower than the machine that tests
ROUND_TRIP: Final = 150  # milliseconds of a network
TRICKS: Final = {"knock": 13 if SOAK else 7, "riparto": 9}
# Two tricks of one suit, and a card of the next; the ace wins the first, and the king the other.
# The suite taps a trick, and who leads to the next.
SPADES: Final = [
    ("7", "leo"), ("9", "zoe"), ("8", "ben"), ("A", "mara"),
    ("10", "mara"), ("K", "leo"), ("J", "zoe"), ("6", "ben"), ("Q", "leo"),
][: None if SOAK else 6]  # fmt: skip
# Where what is tapped stands, as often as the browser draws it.
PLACES: Final = """() => {
  window.places = new Set();
  const look = () => {
    const all = [...document.querySelectorAll("form.trick_taken button, .suit-column button")];
    if (all.length) places.add(JSON.stringify(all.map((one) => one.getBoundingClientRect())));
    requestAnimationFrame(look);
  };
  look();
}"""


@contextmanager
def slow(one: Phone, milliseconds: int) -> Iterator[Any]:
    """A phone with a slow processor and network."""
    session = one.context.new_cdp_session(one.page)
    session.send("Network.enable")
    told = {"offline": False, "latency": milliseconds, "downloadThroughput": -1}
    session.send("Network.emulateNetworkConditions", {**told, "uploadThroughput": -1})
    yield session
    session.detach()


def tap(session: Any, places: list[tuple[float, float]]) -> None:
    """Tap at places, one after the other at one beat, on a slow processor from now on."""
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
        *(pytest.param("riparto", one, marks=pytest.mark.soak) for one in (0, ROUND_TRIP)),
    ],
)
def test_each_of_many_fast_taps_is_an_entry(
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
        for one, name in names.items():
            box = page.locator("form.trick_taken button", has_text=name).first.bounding_box()
            assert box is not None
            at[one] = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        winners = list(islice(cycle(["leo", "zoe", "zoe", "mara", "ben"]), TRICKS[game]))
        tap(session, [at[one] for one in winners])
        until(lambda: host.waiting() == 0, 20)
        page.wait_for_timeout(200 if not SOAK else 1000)
        assert [one["data"]["player"] for one in evening.events("trick_taken")] == winners
        host.wait_for(evening.version())
        assert page.evaluate("places.size") == 1


@pytest.mark.parametrize("milliseconds", [ROUND_TRIP, pytest.param(0, marks=pytest.mark.soak)])
def test_each_of_many_fast_cards_is_played_by_whose_turn_it_is(
    browser: "Browser", server: Server, milliseconds: int
) -> None:
    """Nobody has to say who leads, though the trick before may not yet be on record."""
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
        cards = [one["data"] for one in evening.events("card_played")]
        assert cards == [{"player": player, "card": f"{card}S"} for card, player in SPADES]
        host.wait_for(evening.version())
        assert page.evaluate("places.size") == 1
