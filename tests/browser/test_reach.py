"""A thumb reaches all cards without scrolling, and each keeps its place during a hand."""

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.phones import Evening, Phone, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

HIGHEST: Final = 200  # pixels of 740 for header and strip
SOAKED: Final = pytest.mark.soak
SCROLLS: Final = {"riparto": 0, "knock": 0}  # at most, in a whole hand of cards
# The top of the pad and the place of each card; the numbers of cards that are not fully visible,
# are too small for a thumb, or too near to another.
SEEN: Final = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  const cards = [...document.querySelectorAll(".card_played .suit-column button")];
  const boxes = cards.map((one) => one.getBoundingClientRect());
  return {
    top: pad.top,
    places: boxes.map((box) => [box.left, box.top].map(Math.round).join()).join(" "),
    faded: cards.filter((one) => one.disabled).length,
    hidden: boxes.filter((box) => box.top < pad.top || box.bottom > pad.bottom).length,
    narrow: boxes.filter((box) => box.width < 47.5 || box.height < 47.5).length,
    close: boxes.filter((box) => boxes.some((other) => other !== box
      && other.left < box.right + 7.5 && box.left < other.right + 7.5
      && other.top < box.bottom + 7.5 && box.top < other.bottom + 7.5)).length,
  };
}"""


def begun(server: Server, game: str) -> tuple[Evening, list[dict[str, Any]]]:
    """Return a table before the cards of a hand are played, and the events of the play."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    evening.record(("hand_started", {"dealer": played(game, DICE[game]).dealer}))
    events = recorded_events(game, "cards", DICE[game])
    first = next(n for n, event in enumerate(events) if event["type"] == "card_played")
    evening.record(*((event["type"], event["data"]) for event in events[: first + 2]))
    return evening, events[first + 2 :]


def play(host: Phone, *events: dict[str, Any], as_played: bool = False) -> None:
    """Record events over the API, and wait until this phone shows them."""
    host.evening.record(*((event["type"], event["data"]) for event in events), as_played=as_played)
    host.wait_for(host.evening.version())


@pytest.mark.parametrize("game", SCROLLS)
def test_all_cards_are_visible_and_keep_their_places(
    server: Server, browser: "Browser", game: str
) -> None:
    evening, rest = begun(server, game)
    with phone(browser, evening, "host") as host:
        host.open("?level=cards")
        before = host.page.evaluate(SEEN)
        for card in rest[: len(GAMES[game].split())]:
            play(host, card)
        after = host.page.evaluate(SEEN)
    assert before["top"] <= HIGHEST
    assert before["hidden"] == before["narrow"] == before["close"] == 0
    assert after["faded"] == before["faded"] + len(GAMES[game].split())
    assert {**after, "faded": 0} == {**before, "faded": 0}


@pytest.mark.parametrize(
    "game",
    [
        game if game in ("picchetto", "briscola_chiamata") else pytest.param(game, marks=SOAKED)
        for game in GAMES
    ],
)
def test_next_steps_are_visible_without_scrolling(
    server: Server, browser: "Browser", game: str
) -> None:
    """The header over the pad stays low in the first two hands, after each event."""
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    events = recorded_events(game, "tricks", DICE[game])
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        for hand in (1, 2):
            if evening.get()["matches"][0]["status"] != "open":
                return  # the match is won by its first hand
            dealt = {"dealer": played(game, DICE[game]).dealer}
            evening.record(("hand_started", dealt), as_played=True)
            unrecorded: list[dict[str, Any]] = []
            for event in events[:-1]:
                unrecorded.append(event)
                if event["type"] != "trick_taken":
                    play(host, *unrecorded, as_played=True)
                    unrecorded.clear()
                    assert page.evaluate(SEEN)["top"] <= HIGHEST, (hand, event)
            rest = ((event["type"], event["data"]) for event in (*unrecorded, events[-1]))
            evening.record(*rest, as_played=True)


@pytest.mark.soak
@pytest.mark.parametrize("game", SCROLLS)
def test_hand_of_cards_takes_few_scrolls(server: Server, browser: "Browser", game: str) -> None:
    evening, rest = begun(server, game)
    with phone(browser, evening, "host") as host:
        thumb = Thumb(host)
        thumb.open("cards")
        for event in rest:
            if event["type"] == "card_played":
                thumb.record(event["type"], event["data"])
    assert thumb.scrolls <= SCROLLS[game], thumb.texts


def test_pad_does_not_scroll_in_a_browser_that_focuses_no_tapped_button(
    server: Server, browser: "Browser"
) -> None:
    """The script then focuses the card, the lowest of which are within the scroll padding."""
    evening, _ = begun(server, "knock")
    with phone(browser, evening, "host") as host:
        page, before = host.open("?level=cards"), host.version()
        cards = page.locator(".card_played .suit-column button:enabled")
        cards.last.evaluate("(one) => one.click()")
        host.wait_for(before + 1)
        assert page.locator(".pad").evaluate("(pad) => pad.scrollTop") == 0


@pytest.mark.parametrize("game", SCROLLS)
def test_rare_entries_are_behind_one_button(server: Server, browser: "Browser", game: str) -> None:
    evening, _ = begun(server, game)
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        seldom = page.locator(".seldom form")
        assert seldom.count() >= len({"note_added", "penalty_given", "hand_abandoned"})
        assert page.locator(".pad > form:visible, .aside form:visible").count() > 0
        assert page.locator(".seldom form:visible").count() == 0
        page.get_by_text("More", exact=True).click()
        page.locator(".seldom summary").get_by_text("Note", exact=True).click()
        assert page.locator(".seldom textarea").is_visible()


def test_small_felt_does_not_cover_the_levels_of_detail(server: Server, browser: "Browser") -> None:
    evening = Evening.begin(server, "briscola_regina", 2)
    evening.record(("hand_started", {"dealer": "leo"}))
    with phone(browser, evening, "host") as host:
        page = host.open("?level=tricks")
        page.get_by_text("More", exact=True).click()
        page.locator(".seldom .levels").get_by_text("Totals", exact=True).click(timeout=5000)
        page.locator(".pad > .whole").wait_for()
